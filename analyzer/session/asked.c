#include "session/asked.h"

#include <stdlib.h>
#include <string.h>

#include "session/session.h"

int asked_read(session *s, asked *is)
{
    static const char *const words[] = {[ASKED_NOTHING] = "",
                                        [ASKED_OFF] = "off",
                                        [ASKED_WARN] = "warn",
                                        [ASKED_ERROR] = "error",
                                        [ASKED_INTERPRET] = "interpret",
                                        [ASKED_STRICT] = "strict"};
    const char *word = getenv("TILERACE");
    *is = ASKED_NOTHING;
    for (size_t i = 0; word && i < TR_COUNT(words); i++)
        if (strcmp(word, words[i]) == 0) {
            *is = (asked)i;
            return EXIT_CLEAN;
        }
    return word ? session_complain(s, "TILERACE is warn, error, strict, interpret or off, not '%s'",
                                   word)
                : EXIT_CLEAN;
}

/* tilerace completions: the scripts that shells load, and the answers to what they ask. */
#include "driver/session.h"

#include <string.h>

#include "driver/complete.h"

#define SCRIPT(symbol, file)                                                                       \
    extern const char symbol[];                                                                    \
    __asm__(".pushsection .rodata\n.global " #symbol "\n.hidden " #symbol "\n" #symbol ":\n"       \
            ".incbin \"" TILERACE_SOURCE_DIR "/analyzer/driver/completions/" file "\"\n"           \
            ".byte 0\n.popsection\n")

SCRIPT(completions_bash, "tilerace.bash");
SCRIPT(completions_zsh, "_tilerace");
SCRIPT(completions_fish, "tilerace.fish");

int command_completions(session *s)
{
    const struct {
        const char *shell, *script;
    } scripts[] = {
        {"bash", completions_bash}, {"zsh", completions_zsh}, {"fish", completions_fish}};
    const driver_options *o = s->options;
    const char *script = NULL;
    for (size_t i = 0; i < TR_COUNT(scripts); i++)
        if (strcmp(scripts[i].shell, o->files[0]) == 0)
            script = scripts[i].script;
    if (!script)
        return session_complain(s, "completions are there for bash, zsh and fish, not for '%s'",
                                o->files[0]);
    tr_text text = {0};
    if (o->behind)
        complete_words(&text, o->n_behind, o->behind);
    else
        tr_text_add(&text, script);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code;
}

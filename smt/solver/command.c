/* The words of a solver's command line. */
#include "solver/command.h"

#include "base/process.h"

#include <ctype.h>
#include <string.h>

const char *const *smt_split_command(tr_arena *arena, const char *command)
{
    size_t length = strlen(command), n = 0;
    const char **words = TR_NEW_ARRAY(arena, const char *, length / 2 + 2);
    if (strchr(command, '/') && tr_is_program(command)) {
        words[0] = command;
        return words;
    }
    const char *at = command;
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (!*at)
            return words;
        char *word = TR_NEW_ARRAY(arena, char, strlen(at) + 1);
        size_t used = 0;
        for (char quote = 0; *at && (quote || !isspace((unsigned char)*at)); at++) {
            if (quote && *at == quote)
                quote = 0;
            else if (!quote && (*at == '\'' || *at == '"'))
                quote = *at;
            else
                word[used++] = *at;
        }
        words[n++] = word;
    }
}

const char *const *smt_complete_command(tr_arena *arena, const char *command)
{
    const char *const *words = smt_split_command(arena, command);
    if (!words[0] || words[1])
        return words;
    const char *slash = strrchr(words[0], '/');
    if (strncmp(slash ? slash + 1 : words[0], "z3", 2) != 0)
        return words;
    const char **argv = TR_NEW_ARRAY(arena, const char *, 4);
    argv[0] = words[0];
    argv[1] = "-smt2";
    argv[2] = "-in";
    return argv;
}

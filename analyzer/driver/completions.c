/* tilerace completions: the scripts that shells load, and the answers to what they ask. */
#include "session/session.h"

#include <string.h>

#include "base/embed.h"
#include "driver/commands.h"
#include "driver/complete.h"

TR_EMBED(completions_bash, "analyzer/driver/completions/tilerace.bash");
TR_EMBED(completions_zsh, "analyzer/driver/completions/_tilerace");
TR_EMBED(completions_fish, "analyzer/driver/completions/tilerace.fish");

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

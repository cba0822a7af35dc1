/* tilerace config show: what holds for a file or a folder, and where each value comes from. The
 * output is TOML, which a configuration could be made of. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/real_path.h"
#include "driver/commands.h"
#include "inputs/load.h"
#include "session/session.h"
#include "settings/configs.h"
#include "settings/fail_on.h"
#include "settings/settings.h"

static const settings *settings_for(session *s, const char *word)
{
    struct stat info;
    char *real = tr_real_path(word);
    bool is_folder = real && stat(real, &info) == 0 && S_ISDIR(info.st_mode);
    const settings *st = is_folder ? configs_for_folder(s->configs, tr_arena_strdup(s->arena, real))
                                   : configs_for(s->configs, word);
    free(real);
    return st;
}

static void write_rows(session *s, const settings *st, const char *word, tr_text *out)
{
    const char *values[SETTING_COUNT];
    size_t widest = 0;
    for (int id = 0; id < SETTING_COUNT; id++) {
        values[id] = tr_arena_printf(s->arena, "%s = %s", setting_name((setting_id)id),
                                     setting_value_words(s->arena, (setting_id)id, st));
        size_t length = strlen(values[id]);
        widest = length > widest && length <= 60 ? length : widest;
    }
    tr_text_addf(out, "# %s: %s\n", configs_shown(s->configs, word),
                 st->file ? st->file : "no configuration");
    for (int id = 0; id < SETTING_COUNT; id++)
        tr_text_addf(out, "%-*s  # %s\n", (int)widest, values[id],
                     setting_origin_words(s->arena, &st->of[id]));
}

int command_config(session *s)
{
    const driver_options *o = s->options;
    const char *word = o->n_files > 1 ? o->files[1] : ".", *why;
    unsigned fails;
    if (o->n_files == 0 || strcmp(o->files[0], "show") != 0)
        return session_complain(s, "'config' knows 'show', not '%s'",
                                o->n_files ? o->files[0] : "");
    if (!fail_on_read(s->arena, o, &fails, &why))
        return session_complain(s, "%s", why);
    s->configs = configs_open(s->arena, o, s->working_folder, &why);
    if (!s->configs)
        return session_complain(s, "%s", why);
    const settings *st = settings_for(s, word);
    loaded holder = {.file = st->file, .errors = st->wrong};
    tr_text text = {0};
    load_complain(s, &holder);
    int code = tr_errors_count(&st->wrong) > 0 ? EXIT_BAD : EXIT_CLEAN;
    if (code == EXIT_CLEAN) {
        write_rows(s, st, word, &text);
        code = session_emit(s, &text);
    }
    tr_text_free(&text);
    configs_close(s->configs);
    s->configs = NULL;
    return code;
}

/* Fuzz target: whatever the bytes are, reading them as a configuration ends with settings or with
 * an error that has a place. What is shown of settings that are good is read again as the same; and
 * the bytes as a .gitignore, matched with themselves, come to an end. */
#include "settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* False: it is wrong, and says why. */
static bool read_settings(tr_arena *arena, const char *text, size_t size, settings *st)
{
    const driver_options options = {0};
    *st = (settings){.file = "t.toml", .folder = "/nowhere", .wrong = tr_errors_make(arena)};
    const toml_value *root = toml_read(arena, st->file, text, size, &st->wrong);
    if (root)
        settings_take_file(arena, st, root, true, st->file);
    bool good = tr_errors_count(&st->wrong) == 0;
    if (!root && good) {
        fprintf(stderr, "nothing was read, and nothing is wrong\n");
        abort();
    }
    tr_errors_free(&st->wrong);
    settings_finish(arena, st, &options);
    return good;
}

static void show(tr_arena *arena, const settings *st, tr_text *out)
{
    for (int id = 0; id < SETTING_COUNT; id++)
        tr_text_addf(out, "%s = %s\n", setting_name((setting_id)id),
                     setting_value_words(arena, (setting_id)id, st));
}

static void check_shown(tr_arena *arena, const settings *st)
{
    tr_text once = {0}, twice = {0};
    settings again;
    show(arena, st, &once);
    bool good = read_settings(arena, tr_text_get(&once), once.length, &again);
    show(arena, &again, &twice);
    if (once.length <= TOML_MOST_BYTES &&
        (!good || strcmp(tr_text_get(&once), tr_text_get(&twice)) != 0)) {
        fprintf(stderr, "what is shown is not what is read:\n%s\n%s", tr_text_get(&once),
                tr_text_get(&twice));
        abort();
    }
    tr_text_free(&once);
    tr_text_free(&twice);
}

static void match(tr_arena *arena, const char *text, size_t size)
{
    enum { MOST = 4096 };
    patterns lines = {0};
    patterns_add_file(arena, &lines, text, size < MOST ? size : MOST);
    const char *path = tr_arena_strndup(arena, text, size < 64 ? size : 64);
    patterns_find(&lines, path, false);
    patterns_find(&lines, path, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    const char *text = tr_arena_strndup(arena, (const char *)data, size);
    settings st;
    if (read_settings(arena, text, size, &st))
        check_shown(arena, &st);
    match(arena, text, size);
    tr_arena_free(arena);
    return 0;
}

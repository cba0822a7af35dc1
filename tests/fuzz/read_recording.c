/* Fuzz target: a recording that our writer makes of given parts, then damaged: reading it ends,
 * each error has a file, what is whole is there, and the launches can be merged.
 *
 * The parts stand one behind another with a byte 0x1e between them: what is damaged (a letter each:
 * i the index, m a module, l a launch, c contents, x a file more, d a file that is gone), the
 * index, a module, what its front end knows, a launch, another one, contents. */
#include "json/take.h"
#include "own_folder.h"
#include "recordings/private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DAMAGE, INDEX, MODULE, ABOUT, LAUNCH, OTHER_LAUNCH, CONTENTS, N_PARTS };
#define CHECK(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s\n", what);                                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct part {
    const char *text; /* with a NUL behind it */
    size_t length;
} part;

static void cut(tr_arena *arena, const uint8_t *data, size_t size, part parts[N_PARTS])
{
    const char *at = (const char *)data, *end = at + size;
    for (int i = 0; i < N_PARTS; i++) {
        const char *mark = at < end ? memchr(at, 0x1e, (size_t)(end - at)) : NULL;
        size_t length = (size_t)((mark && i + 1 < N_PARTS ? mark : end) - at);
        parts[i] = (part){tr_arena_strndup(arena, at, length), length};
        at += length + (at + length < end);
    }
}

static void append(const char *path, const char *bytes, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd >= 0 && write(fd, bytes, length) < 0)
        abort();
    if (fd >= 0)
        close(fd);
}

static void damage(tr_arena *arena, const char *folder, const part parts[N_PARTS],
                   const char *module, const char *contents)
{
    const char *index = tr_arena_printf(arena, "%s/" RECORDING_INDEX, folder);
    for (const char *what = parts[DAMAGE].text; *what; what++) {
        if (*what == 'i') {
            unlink(index);
            append(index, parts[INDEX].text, parts[INDEX].length);
        } else if (*what == 'm') {
            append(tr_arena_printf(arena, "%s/modules/%s.tilebc", folder, module), "x", 1);
        } else if (*what == 'l') {
            append(tr_arena_printf(arena, "%s/modules/%s.json", folder, module), "x", 1);
        } else if (*what == 'c' && contents) {
            append(tr_arena_printf(arena, "%s/launches/%s", folder, contents), "x", 1);
        } else if (*what == 'x') {
            append(tr_arena_printf(arena, "%s/launches/%.32s.json", folder, "0123456789abcdef"),
                   "{}", 2);
            append(tr_arena_printf(arena, "%s/modules/z.tilebc", folder), "", 0);
        } else if (*what == 'd') {
            unlink(tr_arena_printf(arena, "%s/modules/%s.json", folder, module));
        }
    }
}

/* Launches are kept as they are given, and read only where they are JSON. */
static bool is_json(tr_arena *arena, const part *p)
{
    cJSON *root = json_take(arena, p->text, strlen(p->text), JSON_ALL_DIGITS, NULL);
    cJSON_Delete(root);
    return root != NULL;
}

static void read_back(tr_arena *arena, const char *folder, bool is_whole)
{
    tr_errors errors = tr_errors_make(arena);
    const recorded_folder *r = recording_read(arena, folder, &errors);
    CHECK(!is_whole || (r && r->n == 1 && r->n_wrong == 0), "what was written is not read");
    CHECK(r || tr_errors_count(&errors) > 0, "nothing is read, and nothing is said");
    CHECK(!r || r->n_wrong == tr_errors_count(&errors), "errors are counted otherwise");
    for (size_t i = 0; i < (errors.total < 100 ? errors.total : 100); i++)
        CHECK(errors.items[i].place.file && errors.items[i].text[0], "an error without a file");
    for (size_t i = 0; r && i < r->n; i++) {
        recording_is_of(arena, &r->modules[i], "k.py");
        recording_has_changed(arena, &r->modules[i], "k.py");
    }
    if (r)
        recording_merge(arena, r);
    tr_errors_free(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    char *folder = own_folder_make();
    const char *why = NULL;
    part parts[N_PARTS];
    cut(arena, data, size, parts);
    recording *r = recording_open(arena, folder, &why);
    CHECK(r, why);
    const char *module = recording_add_module(r, arena, parts[MODULE].text, parts[MODULE].length,
                                              parts[ABOUT].text, &why);
    CHECK(module, why);
    CHECK(recording_add_launch(r, arena, module, parts[LAUNCH].text, &why), why);
    CHECK(recording_add_launch(r, arena, module, parts[OTHER_LAUNCH].text, &why), why);
    const char *contents =
        recording_add_contents(r, arena, parts[CONTENTS].text, parts[CONTENTS].length, &why);
    damage(arena, folder, parts, module, contents);
    read_back(arena, folder,
              parts[DAMAGE].length == 0 && is_json(arena, &parts[LAUNCH]) &&
                  is_json(arena, &parts[OTHER_LAUNCH]));
    unlink(tr_arena_printf(arena, "%s/launches/%.32s.json", folder, "0123456789abcdef"));
    unlink(tr_arena_printf(arena, "%s/modules/z.tilebc", folder));
    unlink(tr_arena_printf(arena, "%s/" RECORDING_INDEX, folder));
    CHECK(recording_open(arena, folder, &why), why); /* writes the index anew */
    CHECK(recording_remove(arena, folder, &why), why);
    rmdir(folder);
    free(folder);
    tr_arena_free(arena);
    return 0;
}

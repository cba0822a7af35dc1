/* Fuzz target: what a cache keeps. Whatever the bytes are, reading them as a list of look-ups ends
 * with one or with none, and one that is read is written as the same bytes. Kept as an entry they
 * are read back, and an entry of which a byte was changed or cut off is none.
 *
 * The first three bytes say where the entry is changed and to what; the rest is what is kept. */
#include "cache/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lookups/digest.h"
#include "lookups/lookups.h"
#include "own_folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s does not hold\n", #condition);                                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void read_list(const uint8_t *data, size_t size)
{
    lookup_list *list = lookups_unpack(data, size);
    if (!list)
        return;
    tr_text again = {0};
    lookups_pack(&again, list);
    CHECK(again.length == size && memcmp(tr_text_get(&again), data, size) == 0);
    CHECK(lookups_are_whole(list));
    for (size_t i = 0; i < lookups_count(list); i++)
        CHECK(lookups_at(list, i)->kind < LOOKUP_KIND_COUNT && lookups_at(list, i)->name);
    tr_text_free(&again);
    lookups_free(list);
}

static char *folder; /* of the process, made by its first input */

static void remove_folder(void)
{
    tr_arena *arena = tr_arena_new();
    const char *why, *removed, *own = tr_arena_printf(arena, "%s/tilerace", folder);
    const char *entries = tr_arena_printf(arena, "%s/entries", folder);
    size_t n;
    cache_store_clean(arena, entries, &n, &removed, &why);
    unlink(tr_arena_printf(arena, "%s/key", own));
    rmdir(own);
    rmdir(entries);
    rmdir(folder);
    free(folder);
    tr_arena_free(arena);
}

/* Made once, with the key in it. */
static void make_folder(void)
{
    folder = own_folder_make();
    setenv("XDG_CACHE_HOME", folder, 1);
    atexit(remove_folder);
}

/* False: it is as it was. */
static bool damage(const char *path, const uint8_t *how)
{
    struct stat info;
    int file = open(path, O_RDWR | O_CLOEXEC);
    CHECK(file >= 0 && fstat(file, &info) == 0);
    off_t at = ((off_t)how[0] << 8 | how[1]) % info.st_size;
    uint8_t was = 0;
    bool changes = how[2] == 0 || (pread(file, &was, 1, at) == 1 && was != how[2]);
    CHECK(how[2] == 0 ? ftruncate(file, at) == 0 : pwrite(file, &how[2], 1, at) == 1);
    close(file);
    return changes;
}

static void keep(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    if (!folder)
        make_folder();
    const char *entries = tr_arena_printf(arena, "%s/entries", folder);
    cache_store *store = cache_store_open(arena, entries, &why);
    CHECK(store);
    digest name;
    tr_text body = {0}, path = {0};
    digest_of(data, size, &name);
    CHECK(cache_store_write(store, &name, data + HEAD, size - HEAD));
    CHECK(cache_store_read(store, &name, &body));
    CHECK(body.length == size - HEAD && memcmp(tr_text_get(&body), data + HEAD, body.length) == 0);
    tr_text_addf(&path, "%s/tilerace-cache/%02x/", entries, name.bytes[0]);
    for (size_t i = 1; i < sizeof name.bytes; i++)
        tr_text_addf(&path, "%02x", name.bytes[i]);
    bool changed = damage(tr_text_get(&path), data);
    tr_text_clear(&body);
    CHECK(cache_store_read(store, &name, &body) == !changed);
    CHECK(unlink(tr_text_get(&path)) == 0);
    tr_text_free(&body);
    tr_text_free(&path);
    tr_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    read_list(data + HEAD, size - HEAD);
    keep(data, size);
    return 0;
}

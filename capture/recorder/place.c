/* Texts that are kept, and where a thread's launches are made. */
#include "recorder/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 1 << 20 }; /* a program that makes up more is given no more */

static _Thread_local struct {
    const char *file;
    unsigned line;
} here;

const char *recorder_keep(const char *given)
{
    /* Guarded by the lock of the tables. */
    static hash_table known;
    static char **texts;
    static size_t n, room;

    hash128 key = hash_bytes(given, strlen(given));
    tables_lock();
    uint32_t at = table_find(&known, key);
    if (!at && n == room && room < MOST_TEXTS) {
        size_t larger_room = room ? 2 * room : 64;
        char **larger = realloc(texts, larger_room * sizeof *larger);
        texts = larger ? larger : texts;
        room = larger ? larger_room : room;
    }
    char *text = !at && n < room ? strdup(given) : NULL;
    if (text && table_put(&known, key, (uint32_t)n + 1)) {
        texts[n++] = text;
        at = (uint32_t)n;
    } else {
        free(text);
    }
    const char *kept = at ? texts[at - 1] : NULL;
    tables_unlock();
    return kept;
}

void recorder_place(const char *file, unsigned line)
{
    int saved = errno;
    if (file && !(here.file && strcmp(here.file, file) == 0))
        here.file = recorder_keep(file);
    else if (!file)
        here.file = NULL;
    here.line = here.file ? line : 0;
    errno = saved;
}

const char *place_get(unsigned *line)
{
    *line = here.line;
    return here.file;
}

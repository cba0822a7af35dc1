/* Where a thread's launches are made. */
#include "recorder/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 10000 }; /* a program that makes up names is told no further places */

static _Thread_local struct {
    const char *file;
    unsigned line;
} here;

static const char *kept(const char *file)
{
    /* The names live as long as the process: threads keep pointers to them. */
    static hash_table known;
    static char **names;
    static size_t n_names;

    hash128 key = hash_bytes(file, strlen(file));
    tables_lock();
    uint32_t at = table_find(&known, key);
    if (!at && n_names < MOST_NAMES) {
        char *name = strdup(file);
        char **larger = realloc(names, (n_names + 1) * sizeof *names);
        names = larger ? larger : names;
        if (name && larger && table_put(&known, key, (uint32_t)n_names + 1)) {
            names[n_names++] = name;
            at = (uint32_t)n_names;
        } else {
            free(name);
        }
    }
    const char *text = at ? names[at - 1] : NULL;
    tables_unlock();
    return text;
}

void recorder_place(const char *file, unsigned line)
{
    int saved = errno;
    if (file && !(here.file && strcmp(here.file, file) == 0))
        here.file = kept(file);
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

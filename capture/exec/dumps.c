#include "exec/dumps.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"
#include "bytecode/bytecode.h"
#include "exec/program.h"

enum { ROUND_MS = 300 };

void dumps_open(dumps *d, watch *w, const char *own)
{
    const char *named = getenv(DUMPS_VARIABLE);
    d->is_ours = !named || !named[0];
    d->path = tr_arena_strdup(w->arena, d->is_ours ? own : named);
    d->watch = w;
    d->folder = folder_open(d->path);
    if (d->folder && !d->is_ours)
        folder_skip(d->folder);
}

static const char *take(void *user, const char *path, const unsigned char *bytes, size_t size)
{
    dumps *d = user;
    (void)path;
    if (!bytecode_is(bytes, size))
        return bytecode_begins(bytes, size) ? "its Tile IR is cut off" : NULL;
    if (bytecode_length(bytes, size) == 0)
        return "its Tile IR is cut off or damaged";
    watch_check(d->watch, bytes, size, "cuTile.jl");
    return NULL;
}

void dumps_look(dumps *d, bool now)
{
    if (!d->folder || (!now && tr_now_ms() < d->next))
        return;
    folder_round(d->folder, take, d);
    d->next = tr_now_ms() + ROUND_MS;
}

static void tell_unfinished(void *user, const char *path, const char *why)
{
    dumps *d = user;
    tr_say(d->watch->err, "tilerace: %s is not checked: %s\n", path, why);
    d->watch->unread++;
}

void dumps_end(dumps *d)
{
    if (d->folder)
        folder_unfinished(d->folder, tell_unfinished, d);
}

static void remove_ours(const dumps *d)
{
    const char **files = folder_files(d->watch->arena, d->path, NULL, NULL);
    for (size_t i = 0; i < arrlenu(files); i++)
        unlink(files[i]);
    arrfree(files);
    rmdir(d->path);
}

void dumps_close(dumps *d)
{
    folder_close(d->folder);
    d->folder = NULL;
    if (d->path && d->is_ours)
        remove_ours(d);
}

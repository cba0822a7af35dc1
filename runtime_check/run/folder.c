#include "run/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "json/print.h"

run_folder run_folder_at(tr_arena *arena, const char *path)
{
    run_folder folder = {.arena = arena, .path = path};
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        folder.why = tr_arena_printf(arena, "%s cannot be made: %s", path, strerror(errno));
    return folder;
}

void run_folder_bytes(run_folder *folder, const char *name, const void *bytes, size_t n)
{
    const char *path = tr_arena_printf(folder->arena, "%s/%s", folder->path, name);
    if (folder->why)
        return;
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(bytes, 1, n, out) == n;
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        folder->why =
            tr_arena_printf(folder->arena, "%s cannot be written: %s", path, strerror(errno));
}

void run_folder_text(run_folder *folder, const char *name, const char *text)
{
    run_folder_bytes(folder, name, text, strlen(text));
}

void run_folder_json(run_folder *folder, const char *name, tr_take cJSON *json)
{
    char *text = json_printed(json, JSON_LINES);
    run_folder_text(folder, name, text);
    cJSON_free(text);
    cJSON_Delete(json);
}

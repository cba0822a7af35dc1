/* A folder that a run leaves something in: of the first file that cannot be written it is kept why,
 * so that who writes many asks once. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include "base/base.h"

#include <cjson/cJSON.h>

typedef struct run_folder {
    tr_arena *arena;
    const char *path;
    const char *why; /* a sentence: what could not be written; or NULL */
} run_folder;

/* Makes the folder where it is not there. */
run_folder run_folder_at(tr_arena *arena, const char *path);
void run_folder_bytes(run_folder *folder, const char *name, const void *bytes, size_t n);
void run_folder_text(run_folder *folder, const char *name, const char *text);
void run_folder_json(run_folder *folder, const char *name, tr_take cJSON *json);

#endif

/* Private to the room: a read launch file, and how its errors say where. */
#ifndef CONTRACT_LAUNCH_PRIVATE_H
#define CONTRACT_LAUNCH_PRIVATE_H

#include "contract/launch_file.h"

#include <cjson/cJSON.h>

struct launch_file {
    tr_arena *arena; /* borrowed */
    const char *path;
    cJSON *root; /* owned */
    const cJSON *launches;
};

/* An error at a JSON path such as "launches[0].args[2].min". */
void launch_error(tr_errors *errors, const launch_file *file, const char *where, const char *format,
                  ...) TR_PRINTF(4, 5);
/* launch_check.c: keys, types, enumerations; every error is reported. */
bool launch_check_form(const launch_file *file, tr_errors *errors);
/* launch_file.c: the `which`-th launch of the kernel, and its number in the file. */
const cJSON *launch_file_find(const launch_file *file, const launch_kernel *kernel, size_t which,
                              size_t *number);
/* launch_merge.c: joins what the source and the file say of one thing. False: they contradict. */
bool launch_merge_term(smt_ctx *ctx, contract *c, smt_t *stated, smt_t added, const char *text);
bool launch_merge_buffers(tr_arena *arena, contract *c, const char *const *file_names,
                          const char **why);

#endif

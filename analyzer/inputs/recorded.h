/* Launches that were recorded, for kernels that are compiled. */
#ifndef INPUTS_RECORDED_H
#define INPUTS_RECORDED_H

#include "inputs/load.h"

/* Reads the recording in a folder. NULL, with an error for each thing that is wrong: the folder is
 * none, or not whole. Everything of it lies in the arena but what recorded_launches_free releases.
 */
tr_give recorded_launches *recorded_launches_read(tr_arena *arena, const char *folder,
                                                  tr_errors *errors);
void recorded_launches_free(tr_take recorded_launches *r);
const char *recorded_launches_folder(const recorded_launches *r);
/* Takes those of kernel number `which` from the session's recording, where the kernel is what it
 * was. `stated`: what its source states, not settled; or NULL. */
void recorded_take_seen(const session *s, loaded *input, size_t which, const contract *stated);
void recorded_free_seen(loaded *input);

#endif

/* Chooses the contracts that the kernels of an input are checked under. */
#ifndef INPUTS_LAUNCH_H
#define INPUTS_LAUNCH_H

#include "inputs/load.h"

/* Reads NAME.launch.json beside a module NAME.tilebc, where there is one, no --launch was given and
 * the command asks what the host guarantees. It speaks of this module alone, so a launch of a
 * kernel that is not in it is an error of the input. */
void inputs_find_launch_beside(const session *s, loaded *input);
/* The launches of a recorded module; of one that was not launched, the names of its parameters. */
void inputs_take_recorded(const session *s, loaded *input);
/* Gives every kernel of a module its contracts: what the source states, and the launches that the
 * file of --launch, or the one found beside the module, adds. Errors go to the input's. */
void inputs_apply_launch(const session *s, loaded *input);
/* Does every launch of the file name a kernel of these inputs? Each that names none is an error. */
bool inputs_find_strangers(const session *s, size_t n, const loaded *inputs, tr_errors *errors);

#endif

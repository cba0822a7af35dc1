/* Contents for floats that nobody states: made up, trial after trial. */
#ifndef LAUNCH_INVENT_H
#define LAUNCH_INVENT_H

#include "launch/from_contract.h"

/* Contents for the float buffers and scalars that a run may depend on: those of trial number
 * `trial`, all of them in *contents; 0 when there are no more trials, which are finitely many. */
size_t concrete_invent_floats(tr_arena *arena, const ir_function *kernel, const contract *c,
                              size_t trial, interp_contents **contents);
/* The number that a bit pattern of a float element type stands for, and back (0 where the format
 * has none). */
double concrete_float_of(const ir_type *elem, int64_t bits);
int64_t concrete_bits_of(const ir_type *elem, double number);

#endif

/* OUTCOME lines: what values reads give and elements have at the end.
 *
 *     // OUTCOME allowed   r0=1 r1=0        some execution has it
 *     // OUTCOME forbidden r0=1 r1=0        none has
 *     // OUTCOME always    x[0]=2           every execution has it
 *     // OUTCOME allowed   blocked          some block waits for ever
 *
 * rN is the N-th read of memory that the launch writes, by part, block, program order and element;
 * NAME[K] the value that byte K of buffer NAME begins at the end. */
#ifndef OUTCOMES_H
#define OUTCOMES_H

#include "executions/executions.h"

/* words[0]: allowed, forbidden or always. False: *why says what was seen instead. */
bool outcomes_meet(const executions *x, size_t n_words, char *const *words, const char **why);
void outcomes_print(const executions *x);

#endif

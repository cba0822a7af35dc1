/* Tokens of operations that run after a wait for the preceding kernel. */
#ifndef QUESTION_TOKEN_WAITS_H
#define QUESTION_TOKEN_WAITS_H

#include "ir/ir.h"

/* Tells for each value id: is it a token that no path makes without a gdc_wait_tko? In the arena.
 */
bool *waited_tokens(tr_arena *arena, const ir_function *kernel);

#endif

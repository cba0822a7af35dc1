/* Private to the room: the guard of others that is asked beside us. */
#ifndef JUDGE_THEN_H
#define JUDGE_THEN_H

#include "judge/judge.h"

/* Runs the command of --then as a harness would run it, with the same input, and merges its answer
 * into ours, a line of JSON: whoever filters first decides, and the patterns of both are there.
 * What else the other says stays. False, with *why, where it gives no answer. */
bool then_merge(session *s, const char *input, size_t length, tr_text *answer, const char **why);

#endif

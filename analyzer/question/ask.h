/* The prover and the interpreter, asked within the steps of the check. */
#ifndef QUESTION_ASK_H
#define QUESTION_ASK_H

#include "question/checker.h"

/* Every query goes through here. Counts nothing. */
smt_answer ask(checker *k, query q, const char *name);
smt_answer ask_for(checker *k, query q, const char *name, smt_steps most);
/* Where any model will do, be it one of an earlier question. */
smt_verdict ask_verdict(checker *k, query q, const char *name, smt_steps most);

/* The steps of a first try: most questions are answered in a few thousand steps or not soon. */
enum { ASK_BRIEF = 250 * 1000 };

/* For advice and for what is tried first, where no answer is as good as no. */
smt_verdict ask_briefly(checker *k, query q, const char *name);
/* No launch meets the condition: asked of what no block and no memory has a part in, so that it can
 * be asked before tokens are known. False where that is not found within the steps. */
bool ask_never(checker *k, smt_t condition, const char *name, smt_steps most);
/* The terms of `small`, an stb_ds array, are small numbers in the model, as far as they can be. */
smt_answer ask_small(checker *k, query q, const smt_t *small, const char *name);
/* Asks about undefined behaviour of one event. Where nobody stated anything, what takes long is
 * rather required. */
smt_answer ask_event(checker *k, query q, const char *name);
/* For what a proof or a lemma needs: false where it is not refuted, for whatever reason. */
bool ask_is_unsat(checker *k, query q, const char *name);
/* Steps that this check has taken, and may still take: none when the user's budget is spent.
 * Verdict code measures effort by these alone, and looks at no clock. */
smt_steps ask_taken(const checker *k);
smt_steps ask_left(const checker *k);
/* The answer to a question that no steps are left for. */
smt_answer ask_refusal(const checker *k);
/* Runs a launch of the kernel on the interpreter, within so many of its steps and events; by the
 * schedule, or block after block where that is NULL. What it does counts as steps of the check. */
tr_give interp_run *ask_run(checker *k, const concrete_launch *launch, uint64_t steps,
                            uint64_t events, const interp_schedule *schedule);
/* Like ask_run(), for these n blocks alone, one after the other. */
tr_give interp_run *ask_run_blocks(checker *k, const concrete_launch *launch, uint64_t steps,
                                   size_t n, const uint32_t *blocks);
/* The races of a run, `limit` at most, as interp_find_races; looking for them counts, too. */
size_t ask_races(checker *k, const interp_run *run, size_t limit, interp_race *races);

#endif

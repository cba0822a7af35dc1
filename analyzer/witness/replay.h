/* Makes a launch of a solver's model, and a witness of its run on the interpreter. */
#ifndef WITNESS_REPLAY_H
#define WITNESS_REPLAY_H

#include "order/state.h"
#include "question/checker.h"
#include "question/two_events.h"

/* Replays the model's launch on the interpreter. Finds a race between the two ops in the relation
 * and describes it; NULL, and *why, when the replay shows none. */
witness *witness_of_race(checker *k, const smt_model *model, const ix_access *a, const ix_access *b,
                         copy_relation relation, const char **why);
/* The launch that a model names, in the arena; NULL, and *why, when no launch can be made of it. */
const concrete_launch *witness_launch(checker *k, const smt_model *model, const char **why);
/* Replays the model's launch and describes an event of undefined behaviour of the op; NULL, and
 * *why, when the replay shows none. */
witness *witness_of_event(checker *k, const smt_model *model, const ir_op *op, bool index_space,
                          const char **why);
/* Describes the race of such a pair that a run shows; NULL when it shows none. */
witness *witness_in_run(checker *k, const concrete_launch *launch, const interp_run *run,
                        const ix_access *a, const ix_access *b, copy_relation relation,
                        const char **why);
struct order_seen_run;
/* Works as witness_in_run does; the ops that race, whichever they are, are noted in *seen. */
witness *witness_among_races(checker *k, const concrete_launch *launch, const interp_run *run,
                             const ix_access *a, const ix_access *b, copy_relation relation,
                             const char **why, struct order_seen_run *seen);
/* The first time that this op touches its buffer in a run; NULL when it never does. */
witness *witness_of_access(checker *k, const concrete_launch *launch, const interp_run *run,
                           const ir_op *op);
/* The op's first access that no token orders after a wait for the preceding kernel; NULL: there is
 * none.
 */
witness *witness_of_early_access(checker *k, const concrete_launch *launch, const interp_run *run,
                                 const ir_op *op);

/* Bytes of a buffer, one of which an event has to touch. */
typedef struct bytes_touched {
    smt_int from, to;
    bool early; /* and no token orders it after a wait for the preceding kernel */
} bytes_touched;

/* Replays the block that the model names; NULL, and *why, where it shows no such event. */
witness *witness_of_bytes(checker *k, const smt_model *model, const ix_access *a,
                          const bytes_touched *part, const char **why);
/* Describes the undefined behaviour of the op that a run shows; NULL when it shows none. */
witness *witness_undefined_in_run(checker *k, const concrete_launch *launch, const interp_run *run,
                                  const ir_op *op, bool index_space);

#endif

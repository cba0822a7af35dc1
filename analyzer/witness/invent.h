/* Invents contents of float buffers with which a race is shown. */
#ifndef WITNESS_INVENT_H
#define WITNESS_INVENT_H

#include "launch/from_contract.h"
#include "question/checker.h"
#include "question/two_events.h"

/* The race that is looked for, and the blocks that are replayed for it. */
typedef struct float_question {
    const ix_access *a, *b;
    copy_relation relation;
    size_t n_blocks;
    const uint32_t *blocks; /* the blocks that are replayed, by linear number */
} float_question;

/* Invents contents of float buffers for a launch whose replay depends on floats, until the race is
 * shown; then *launch and *filling have these contents. NULL: no trial shows it. */
witness *witness_with_floats(checker *k, const float_question *q, struct concrete_launch **launch,
                             struct interp_filling *filling);

#endif

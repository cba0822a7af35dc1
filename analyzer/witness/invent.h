/* Contents for floats that show a race. */
#ifndef WITNESS_INVENT_H
#define WITNESS_INVENT_H

#include "launch/from_contract.h"
#include "question/checker.h"
#include "question/two_events.h"

/* The race of a launch whose replay depends on floats, with contents for them that show
 * it; then *launch and *filling have these contents. NULL where no trial shows it. */
typedef struct float_question {
    const ix_access *a, *b;
    copy_relation relation;
    size_t n_blocks;
    const uint32_t *blocks; /* that are replayed, by linear number */
} float_question;

witness *witness_with_floats(checker *k, const float_question *q, struct concrete_launch **launch,
                             struct interp_filling *filling);

#endif

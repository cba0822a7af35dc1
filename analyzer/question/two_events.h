/* Two events side by side, of one or two accesses. */
#ifndef QUESTION_TWO_EVENTS_H
#define QUESTION_TWO_EVENTS_H

#include "question/checker.h"

typedef enum copy_relation {
    COPY_OTHER_BLOCK, /* two different tile blocks */
    COPY_SAME_BLOCK,  /* one tile block: block ids shared, counters and coordinates each its own */
    COPY_SAME_OP,     /* one execution of one op: counters shared too */
    COPY_NONE,        /* a single event: nothing renamed */
} copy_relation;

/* Is the variable the block id of an axis? */
bool copy_is_block_id(const checker *k, smt_t variable);
/* The term as copy 0 or 1 has it. */
smt_t copy_term(checker *k, smt_t term, copy_relation relation, int copy);
/* "The two blocks are different": at least one axis' id differs. */
smt_t copy_blocks_differ(checker *k);
/* Adds the conditions under which an event of the access happens: launch, path, facts, mask and the
 * ranges of coordinates. */
void copy_add_event(checker *k, query *conjuncts, const ix_access *access, copy_relation relation,
                    int copy);
/* The events touch the same location: coordinates where both go through one layout without overlap,
 * else bytes. */
smt_t copy_same_location(checker *k, const ix_access *a, const ix_access *b,
                         copy_relation relation);
/* Do elements of those widths at those byte offsets share a byte? */
smt_t copy_bytes_overlap(checker *k, smt_t a, int width_a, smt_t b, int width_b);
/* Adds that both events of a pair happen, a's as copy 0 and b's as copy 1. */
void copy_add_pair(checker *k, query *conjuncts, const ix_access *a, const ix_access *b,
                   copy_relation relation);
/* Adds to an stb_ds array the variables that are small in a small witness: the grid, the
 * parameters, and the copy's block ids and loop counters. */
void copy_add_small(checker *k, smt_t **small, const ix_access *access, copy_relation relation,
                    int copy);
/* When an earlier event's iteration of one loop, `mine`, is among those that the step names
 * (MODEL_SAME, ...). `last`: the loop's last iteration, NULL: not known; `others`: the later
 * event's iteration of the same loop, NULL: it is in another run of the loop, or in none. */
smt_t copy_step(smt_ctx *ctx, unsigned steps, smt_t mine, smt_t last, smt_t others);

#endif

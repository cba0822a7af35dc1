/* Tiles that are marked as in bounds, in launches where they are not.
 *
 * Such a tile is undefined where it leaves its tensor (U5), so its bounds are a launch precondition
 * and proofs use them. But the machine takes the author's word: nothing cuts the tile, and its
 * elements beyond the tensor are others of the same buffer, such as those of the next row. Where
 * tile blocks then meet, what the precondition excludes is a race, and its class says so. That is
 * asked of the same accesses without the bounds, among launches that break this precondition and no
 * other. */
#include "rules/claims.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "rules/example.h"
#include "rules/notes.h"
#include "rules/pair.h"
#include "rules/rule.h"

#include "base/ds.h"

static bool is_claimed(const ix_access *a)
{
    return a->claimed && !a->unknown && !smt_is_true(a->claimed);
}

/* Returns the access as memory has it. Its coordinates may lie outside the tensor, so they do not
 * stand for addresses. */
static const ix_access *as_touched(checker *k, const ix_access *a)
{
    if (!is_claimed(a))
        return a;
    ix_access *touched = tr_arena_copy(k->arena, a, sizeof *a);
    touched->mask = a->touched;
    touched->claimed = NULL;
    touched->tensor = NULL;
    return touched;
}

static bool shows_race(checker *k, size_t which, obligation_of pair)
{
    required *r = &k->requires_[which];
    obligation_of before = r->purpose;
    if (smt_is_false(pair.also))
        return false;
    r->purpose = pair;
    if (example_find(k, which, false)) {
        r->what.class_ = PRECONDITION_CLASS_RACE;
        return true;
    }
    r->purpose = before;
    return false;
}

static bool pair_races(checker *k, size_t which, const ix_access *a, const ix_access *b)
{
    const ix_access *x = as_touched(k, a), *y = a == b ? x : as_touched(k, b);
    if (pair_may_conflict(k, a, b, false) &&
        shows_race(k, which, (obligation_of){x, y, COPY_OTHER_BLOCK, copy_blocks_differ(k)}))
        return true;
    if (a == b && a->writes && !a->atomic &&
        shows_race(k, which,
                   (obligation_of){x, x, COPY_SAME_OP, self_overlap_elements_differ(k, x)}))
        return true;
    return (a != b || a->n_loops > 0) && pair_may_conflict(k, a, b, true) &&
           shows_race(
               k, which,
               (obligation_of){x, y, COPY_SAME_BLOCK, in_block_unordered(k, k->tokens, x, y)});
}

static bool any_races(checker *k, size_t which)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        for (size_t j = i; j < arrlenu(k->s->accesses) && ask_left(k) > 0; j++) {
            const ix_access *a = &k->s->accesses[i], *b = &k->s->accesses[j];
            if ((is_claimed(a) || is_claimed(b)) && pair_races(k, which, a, b))
                return true;
        }
    return false;
}

void claims_decide(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].claimed && k->requires_[i].what.class_ == PRECONDITION_CLASS_LAUNCH)
            any_races(k, i);
}

void claims_compare_touched(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->claims.broken); i++)
        for (size_t j = 0; j < arrlenu(k->s->accesses); j++)
            if (k->s->accesses[j].op == k->claims.broken[i])
                k->s->accesses[j] = *as_touched(k, &k->s->accesses[j]);
}

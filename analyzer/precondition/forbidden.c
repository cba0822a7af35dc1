/* Rejects what a precondition may never do, however well it proves an obligation.
 *
 * A race that a launch of one tile block, one iteration or one row does not have is still the race
 * that the author wrote. So a precondition is rejected when
 *   - a launch with several of everything does not meet it: two tile blocks on each axis that the
 *     kernel reads, of which others than the first get to the accesses, two iterations of each loop
 *     around these, sizes of two or more;
 *   - it leaves a parameter a single value, alone or together with what is required already, and
 *     the launch without it does not;
 *   - it relates extents to each other (`M <= N` for rows below M and columns below N). A stride or
 *     a size that is stored beside an extent may have to fit it; two extents never have to;
 *   - with it, a `min` or `max` in the address always takes one of its sides, or a remainder there
 *     never wraps round, whether it is of the block's own numbers or of a size; or a cut to a
 *     narrow type never makes two numbers equal.
 * The first two are asked of the pair of accesses (life.c), the last of each access by itself
 * (clamps.c). choose.c rejects what guards.c, multiples.c and differ.c know besides. */
#include "precondition/forbidden.h"

#include "precondition/clamps.h"
#include "precondition/life.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

/* ---- Section: extents against extents ---- */

typedef struct extent_search {
    checker *k;
    smt_t
        *found; /* stb_ds array: variables of the ends that something of the block's stays below */
} extent_search;

static void note_extent(void *user, smt_t term)
{
    extent_search *s = user;
    if (term->kind == SMT_VAR && !summary_private(s->k->s, term))
        arrput(s->found, term);
}

/* `own + 1 - end <= 0`. */
static void look_for_end(void *user, smt_t term)
{
    extent_search *s = user;
    if (term->kind != SMT_LE || term->args[0]->kind != SMT_SUM ||
        term_is_launch_constant(s->k, term->args[0]))
        return;
    /* `first + own < end`: what the index starts at is no extent, nor is what it stays above. */
    smt_t sum = term->args[0];
    bool is_end = false;
    for (uint32_t i = 0; i < sum->n_args; i++)
        is_end |= sum->coefs[i] > 0 && !term_is_launch_constant(s->k, sum->args[i]);
    for (uint32_t i = 0; i < sum->n_args && is_end; i++)
        if (sum->coefs[i] < 0 && term_is_launch_constant(s->k, sum->args[i]))
            smt_visit(s->k->ctx, sum->args[i], note_extent, s);
}

static smt_t *extents_of(checker *k, const ix_access *a, const ix_access *b)
{
    extent_search s = {.k = k};
    const ix_access *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        smt_visit(k->ctx, both[i]->mask, look_for_end, &s);
        smt_visit(k->ctx, both[i]->path, look_for_end, &s);
        for (int d = 0; both[i]->tensor && d < both[i]->tensor->rank; d++)
            smt_visit(k->ctx, both[i]->tensor->shape[d], note_extent, &s);
        for (int axis = 0; axis < 3; axis++)
            if (smt_contains(both[i]->bytes, k->s->block_id[axis]))
                smt_visit(k->ctx, k->s->grid[axis], note_extent, &s);
    }
    return s.found;
}

static bool is_among(smt_t term, const smt_t *list)
{
    for (size_t i = 0; i < arrlenu(list); i++)
        if (list[i] == term)
            return true;
    return false;
}

/* Does the fact relate two or more variables, all of them extents? */
static bool relates_extents(checker *k, smt_t fact, const smt_t *extents)
{
    if (fact->kind == SMT_AND || fact->kind == SMT_OR) {
        for (uint32_t i = 0; i < fact->n_args; i++)
            if (relates_extents(k, fact->args[i], extents))
                return true;
        return false;
    }
    smt_t *sizes = NULL;
    require_add_sizes(k, fact, &sizes);
    bool all = arrlenu(sizes) >= 2;
    for (size_t i = 0; i < arrlenu(sizes) && all; i++)
        all = is_among(sizes[i], extents);
    arrfree(sizes);
    return all;
}

bool require_relates_extents(checker *k, const ix_access *a, const ix_access *b, smt_t fact)
{
    smt_t *extents = extents_of(k, a, b);
    bool relates = relates_extents(k, fact, extents);
    arrfree(extents);
    return relates;
}

/* ---- Section: all of them ---- */

require_answer require_admits(checker *k, query life, const ix_access *a, const ix_access *b,
                              smt_t fact)
{
    if (smt_is_true(fact))
        return REQUIRE_ADMITTED;
    if (require_stops_clamping(k, a, fact) || (a != b && require_stops_clamping(k, b, fact)))
        return REQUIRE_FORBIDDEN;
    if (require_stops_choosing(k, a, fact) || (a != b && require_stops_choosing(k, b, fact)))
        return REQUIRE_FORBIDDEN;
    return require_leaves_life(k, life, fact);
}

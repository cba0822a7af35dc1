/* Finds which terms are the block's own, and which are the same for all blocks of a launch. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <string.h>

bool summary_private(const summary *s, smt_t variable)
{
    if (variable->kind != SMT_VAR)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (s->block_id[axis] == variable)
            return true;
    return variable->is_private;
}

enum { NOT_KNOWN, SHARED, PRIVATE };

static unsigned char known(const summary *s, smt_t term)
{
    return term->id < arrlenu(s->sharing) ? s->sharing[term->id] : NOT_KNOWN;
}

static void note(summary *s, smt_t term, unsigned char state)
{
    size_t had = arrlenu(s->sharing);
    if (term->id >= had) {
        arrsetlen(s->sharing, 2 * (size_t)term->id + 64);
        memset(s->sharing + had, NOT_KNOWN, arrlenu(s->sharing) - had);
    }
    s->sharing[term->id] = state;
}

/* Settles the term by its children. Returns a child that is not settled itself yet, or NULL. */
static smt_t settle(summary *s, smt_t term)
{
    bool own = summary_private(s, term);
    for (uint32_t i = 0; i < term->n_args && !own; i++) {
        unsigned char state = known(s, term->args[i]);
        if (state == NOT_KNOWN)
            return term->args[i];
        own = state == PRIVATE;
    }
    note(s, term, own ? PRIVATE : SHARED);
    return NULL;
}

bool summary_is_result(const summary *s, smt_t term)
{
    bool is_applied = term->kind == SMT_APP || term->kind == SMT_BAPP;
    /* A kernel without results has no table: asking would make one. */
    summary_names names = s->results;
    return is_applied && names && shgeti(names, term->name) >= 0;
}

bool summary_is_cut(const summary *s, smt_t remainder)
{
    for (size_t i = 0; i < arrlenu(s->cuts); i++)
        if (s->cuts[i] == remainder)
            return true;
    return false;
}

bool summary_is_shared(summary *s, smt_t term)
{
    smt_t *open = NULL;
    arrput(open, term);
    while (arrlenu(open) > 0) {
        smt_t top = open[arrlenu(open) - 1];
        smt_t child = known(s, top) == NOT_KNOWN ? settle(s, top) : NULL;
        if (child)
            arrput(open, child);
        else
            arrsetlen(open, arrlenu(open) - 1);
    }
    arrfree(open);
    return known(s, term) == SHARED;
}

/* ---- Section: during the walk ---- */

typedef struct sharing {
    const ix_walk *walk;
    bool own; /* something of one block alone occurs */
} sharing;

static void look_for_own(void *user, smt_t term)
{
    sharing *s = user;
    if (!summary_private(s->walk->s, term))
        return;
    for (const ix_loop *loop = s->walk->loop; loop; loop = loop->outer)
        if (loop->counter == term)
            return;
    s->own = true;
}

/* A number that nothing is known of but its range. One number in its place, say 0, would not do: a
 * factor of the block's own would vanish with it, or a branch that leads to something of its own.
 */
static smt_t any_in_range_of(ix_walk *walk, smt_t term)
{
    smt_int low, high;
    smt_bounds(term, &low, &high);
    const char *name = tr_arena_printf(walk->arena, "alike.%u.%lld_%lld", term->id, (long long)low,
                                       (long long)high);
    return smt_var(walk->ctx, name, low, high);
}

bool ix_is_alike(ix_walk *walk, smt_t term, size_t n, const smt_t *alike)
{
    sharing s = {walk, false};
    smt_t from[IR_MAX_RANK], to[IR_MAX_RANK];
    size_t replaced = 0;
    TR_ASSERT(n <= TR_COUNT(from));
    for (size_t i = 0; i < n; i++) {
        if (smt_is_const(alike[i], NULL))
            continue;
        from[replaced] = alike[i];
        to[replaced++] = any_in_range_of(walk, alike[i]);
    }
    smt_visit(walk->ctx, smt_substitute(walk->ctx, term, replaced, from, to), look_for_own, &s);
    return !s.own;
}

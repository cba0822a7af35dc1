/* Pointers, tensors and views that may belong to one of several buffers. The value holds every
 * candidate with the condition under which it is the right one; a memory operation becomes one
 * access for each candidate, under that condition. Candidates of one allocation are joined into one
 * address, so two accesses of one event never touch the same buffer through a tile of pointers. */
#include "index_space/walk.h"

#include <string.h>

typedef struct list {
    size_t n;
    smt_t guard[IX_MAX_CHOICES];
    ix_value value[IX_MAX_CHOICES];
} list;

static bool is_address(const ix_value *v)
{
    return v->kind == IX_POINTER || v->kind == IX_TENSOR || v->kind == IX_VIEW;
}

/* Do both belong to the same buffer, so that one address with a choice inside says the same? */
static bool joins(const ix_value *a, const ix_value *b)
{
    if (a->kind != IX_POINTER)
        return a->tensor == b->tensor;
    return a->allocation == b->allocation && !a->region == !b->region;
}

/* False: there are more candidates than are followed. */
static bool add(smt_ctx *ctx, list *all, smt_t guard, const ix_value *value)
{
    if (smt_is_false(guard))
        return true;
    for (size_t i = 0; i < all->n; i++) {
        ix_value *known = &all->value[i];
        if (!joins(known, value))
            continue;
        if (known->kind == IX_POINTER) {
            smt_t first = all->guard[i];
            known->term = smt_choice(ctx, first, known->term, value->term);
            known->arg = known->arg == value->arg ? known->arg : -1;
            if (known->region)
                known->region = smt_choice(ctx, first, known->region, value->region);
        }
        all->guard[i] = smt_or(ctx, all->guard[i], guard);
        return true;
    }
    if (all->n == IX_MAX_CHOICES)
        return false;
    all->guard[all->n] = guard;
    all->value[all->n++] = *value;
    return true;
}

/* False: one of its candidates is not known, or there are too many. */
static bool add_all(smt_ctx *ctx, list *all, smt_t when, const ix_value *from)
{
    size_t n = ix_candidates(from);
    for (size_t i = 0; i < n; i++) {
        smt_t guard;
        const ix_value *value = ix_candidate(from, i, &guard);
        bool known = value->kind == IX_POINTER ? value->allocation >= 0 : value->tensor != NULL;
        if (!known || !add(ctx, all, guard ? smt_and(ctx, when, guard) : when, value))
            return false;
    }
    return true;
}

static ix_choice *keep(ix_walk *walk, const list *all)
{
    smt_t *guards = TR_NEW_ARRAY(walk->arena, smt_t, all->n);
    ix_value *values = TR_NEW_ARRAY(walk->arena, ix_value, all->n);
    memcpy(guards, all->guard, all->n * sizeof *guards);
    memcpy(values, all->value, all->n * sizeof *values);
    ix_choice *choice = TR_NEW(walk->arena, ix_choice);
    *choice = (ix_choice){all->n, guards, values};
    return choice;
}

ix_value ix_choose(ix_walk *walk, const ir_value *result, const char *stem, smt_t condition,
                   const ix_value *a, const ix_value *b)
{
    smt_ctx *ctx = walk->ctx;
    ix_value chosen = ix_private_value(walk, result, stem);
    if (chosen.kind == IX_POINTER)
        chosen.unknown = "the pointer is one of several buffers'";
    list all = {0};
    if (a->kind != b->kind || !is_address(a) || !add_all(ctx, &all, condition, a) ||
        !add_all(ctx, &all, smt_not(ctx, condition), b) || all.n == 0)
        return chosen;
    if (all.n == 1)
        return all.value[0];
    chosen.kind = a->kind;
    chosen.choice = keep(walk, &all);
    return chosen;
}

size_t ix_candidates(const ix_value *v)
{
    return v->choice ? v->choice->n : 1;
}

const ix_value *ix_candidate(const ix_value *v, size_t i, smt_t *guard)
{
    *guard = v->choice ? v->choice->guards[i] : NULL;
    return v->choice ? &v->choice->values[i] : v;
}

void ix_change_candidates(ix_walk *walk, ix_value *v, bool guards, ix_change_term change,
                          void *user)
{
    v->term = v->term ? change(walk, v->term, user) : NULL;
    if (guards && v->region)
        v->region = change(walk, v->region, user);
    if (!v->choice)
        return;
    list all = {.n = v->choice->n};
    for (size_t i = 0; i < all.n; i++) {
        all.guard[i] = v->choice->guards[i];
        all.value[i] = v->choice->values[i];
        if (guards)
            all.guard[i] = change(walk, all.guard[i], user);
        ix_change_candidates(walk, &all.value[i], guards, change, user);
    }
    v->choice = keep(walk, &all);
}

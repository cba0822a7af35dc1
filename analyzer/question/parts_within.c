/* Picks the known facts that speak of nothing but what a question speaks of. */
#include "question/parts_within.h"

#include "base/ds.h"

typedef struct unknown_row {
    smt_t key;
    bool value;
} unknown_row;

typedef struct unknowns {
    unknown_row *seen; /* stb_ds hash map: variables and applications */
    bool foreign;      /* while looking: one that is not among them */
} unknowns;

static bool is_unknown(smt_t term)
{
    return term->kind == SMT_VAR || term->kind == SMT_BVAR || term->kind == SMT_APP ||
           term->kind == SMT_BAPP;
}

static void add_unknown(void *user, smt_t term)
{
    unknowns *u = user;
    if (is_unknown(term))
        hmput(u->seen, term, true);
}

static void look_for_foreign(void *user, smt_t term)
{
    unknowns *u = user;
    u->foreign |= is_unknown(term) && hmgeti(u->seen, term) < 0;
}

query query_with_parts(checker *k, query q, smt_t all, smt_t core)
{
    smt_ctx *ctx = k->ctx;
    unknowns u = {0};
    smt_visit(ctx, core, add_unknown, &u);
    bool several = all->kind == SMT_AND;
    for (uint32_t i = 0; i < (several ? all->n_args : 1); i++) {
        smt_t part = several ? all->args[i] : all;
        u.foreign = false;
        smt_visit(ctx, part, look_for_foreign, &u);
        if (!u.foreign)
            query_add(k, &q, part);
    }
    hmfree(u.seen);
    return q;
}

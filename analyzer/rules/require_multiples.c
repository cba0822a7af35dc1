/* A remainder that no launch of whole tiles has: `D % 2 == 1` keeps `e <= D / 2` from the second
 * half of a row of `D`, and excuses the guard that is one too wide. Sizes are multiples of whatever
 * they are divided by, if anything: a fact that none of these meets is an accident of the
 * rounding. */
#include "rules/require_forbidden.h"

#include "base/ds.h"

typedef struct divided_search {
    const checker *k;
    smt_t *found; /* stb_ds array: pairs of a parameter and what it is divided by */
} divided_search;

static void look_for_divided(void *user, smt_t term)
{
    divided_search *s = user;
    if (term->kind != SMT_MOD && term->kind != SMT_DIV)
        return;
    smt_t of = term->args[0], by = term->args[1];
    if (smt_is_const(by, NULL) && of->kind == SMT_VAR && term_is_launch_constant(s->k, of)) {
        arrput(s->found, of);
        arrput(s->found, by);
    }
}

bool require_is_odd(checker *k, smt_t fact)
{
    smt_ctx *ctx = k->ctx;
    divided_search s = {.k = k};
    smt_visit(ctx, fact, look_for_divided, &s);
    smt_t *conjuncts = NULL;
    arrput(conjuncts, k->launch);
    for (size_t i = 0; i + 1 < arrlenu(s.found); i += 2)
        arrput(conjuncts,
               smt_eq(ctx, smt_mod(ctx, s.found[i], s.found[i + 1]), smt_int_const(ctx, 0)));
    bool odd = false;
    if (arrlenu(s.found) > 0) {
        arrput(conjuncts, fact);
        odd = ask_briefly(k, conjuncts, "require-multiple") == SMT_UNSAT;
        (void)arrpop(conjuncts);
        odd = odd && ask_briefly(k, conjuncts, "require-multiple") == SMT_SAT;
    }
    arrfree(conjuncts);
    arrfree(s.found);
    return odd;
}

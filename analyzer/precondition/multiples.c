/* A remainder that no launch of whole tiles has: `D % 2 == 1` keeps `e <= D / 2` from the second
 * half of a row of `D`, and excuses the guard that is one too wide. Sizes are multiples of whatever
 * they are divided by, if anything: a fact that none of these meets is an accident of the
 * rounding. So is one that some of them meet and others do not for no reason of size: `(n + 6) % 8
 * <= 6` leaves out `n % 8 == 1` alone, where a rounding up by 6 in place of 7 is wrong. */
#include "precondition/multiples.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"

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

/* ---- Section: Classes of remainders ---- */

enum { MOST_REMAINDERS = 1024 };

/* The parameter whose remainder by a number the term is, a number added to it or not; or NULL. */
static smt_t remainder_of(const checker *k, smt_t term, smt_int *by)
{
    bool is_remainder = term->kind == SMT_MOD && smt_is_const(term->args[1], by);
    if (!is_remainder || *by < 2 || *by > MOST_REMAINDERS)
        return NULL;
    smt_t of = term->args[0];
    if (of->kind == SMT_SUM && of->n_args == 1 && of->coefs[0] == 1)
        of = of->args[0];
    return of->kind == SMT_VAR && term_is_launch_constant(k, of) ? of : NULL;
}

typedef struct class_search {
    const checker *k;
    smt_t parameter; /* of the first remainder that was found; or NULL */
    smt_int by;
} class_search;

static void look_for_remainder(void *user, smt_t term)
{
    class_search *s = user;
    smt_int by;
    smt_t parameter = remainder_of(s->k, term, &by);
    if (!parameter || s->parameter)
        return;
    s->parameter = parameter;
    s->by = by;
}

/* Does the fact hold for some remainders of a parameter that are not the multiples of a number?
 * False where it depends on more than the remainder. */
static bool picks_remainders(const checker *k, smt_t fact)
{
    smt_ctx *ctx = k->ctx;
    class_search s = {.k = k};
    smt_visit(ctx, fact, look_for_remainder, &s);
    if (!s.parameter)
        return false;
    smt_t next = smt_add(ctx, s.parameter, smt_int_const(ctx, s.by));
    if (smt_guess_instance(ctx, fact, 1, &s.parameter, &next) != fact)
        return false;
    smt_int step = s.by; /* the least remainder but 0 that holds */
    bool holds[MOST_REMAINDERS];
    for (smt_int r = s.by - 1; r >= 0; r--) {
        smt_t number = smt_int_const(ctx, r);
        smt_t of = smt_guess_instance(ctx, fact, 1, &s.parameter, &number);
        holds[r] = smt_is_true(of);
        if (!holds[r] && !smt_is_false(of))
            return false;
        step = holds[r] && r > 0 ? r : step;
    }
    for (smt_int r = 0; r < s.by; r++)
        if (holds[r] != (r % step == 0))
            return true;
    return false;
}

/* ---- Section: Multiples ---- */

bool require_is_odd(checker *k, smt_t fact)
{
    smt_ctx *ctx = k->ctx;
    if (picks_remainders(k, fact))
        return true;
    divided_search s = {.k = k};
    smt_visit(ctx, fact, look_for_divided, &s);
    query conjuncts = query_of_launch(k);
    for (size_t i = 0; i + 1 < arrlenu(s.found); i += 2)
        query_add(k, &conjuncts,
                  smt_eq(ctx, smt_mod(ctx, s.found[i], s.found[i + 1]), smt_int_const(ctx, 0)));
    bool any = arrlenu(s.found) > 0;
    arrfree(s.found);
    return any && ask_briefly(k, query_with(k, conjuncts, fact), "require-multiple") == SMT_UNSAT &&
           ask_briefly(k, conjuncts, "require-multiple") == SMT_SAT;
}

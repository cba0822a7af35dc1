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

enum { MOST_REMAINDERS = 1 << 16 };

typedef struct class_search {
    const checker *k;
    smt_t parameter; /* of the first remainder that was found; NULL: there is none */
    smt_t by;        /* a number, or another parameter */
} class_search;

/* Finds a parameter's remainder, the parameter multiplied by a number and added to one or not. */
static void look_for_remainder(void *user, smt_t term)
{
    class_search *s = user;
    if (s->parameter || term->kind != SMT_MOD)
        return;
    smt_t of = term->args[0], by = term->args[1];
    if (of->kind == SMT_SUM && of->n_args == 1)
        of = of->args[0];
    bool is_size = smt_is_const(by, NULL) || by->kind == SMT_VAR;
    if (of->kind == SMT_VAR && is_size && of != by && term_is_launch_constant(s->k, of) &&
        term_is_launch_constant(s->k, by)) {
        s->parameter = of;
        s->by = by;
    }
}

typedef struct class_values {
    const class_search *of;
    smt_int number, by; /* that the parameter is, and what it is divided by */
} class_values;

static bool look_up(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const class_values *v = user;
    (void)n_args, (void)args;
    *value = variable == v->of->parameter ? v->number : v->by;
    return variable == v->of->parameter || variable == v->of->by;
}

typedef enum classes {
    CLASSES_UNKNOWN,   /* the fact depends on more than the remainder, or never holds */
    CLASSES_MULTIPLES, /* it holds of the multiples of one number */
    CLASSES_PICKED,    /* it holds of some others */
} classes;

/* Of which remainders by that number does the fact hold? */
static classes classes_of(checker *k, const class_search *of, smt_t fact, smt_int by)
{
    bool *holds = TR_NEW_ARRAY(k->arena, bool, (size_t)by);
    smt_int step = by; /* the least remainder but 0 that holds */
    bool any = false;
    for (smt_int r = by - 1; r >= 0; r--) {
        class_values first = {of, r, by}, next = {of, r + by, by};
        smt_int here, there;
        if (!smt_eval(fact, look_up, &first, &here) || !smt_eval(fact, look_up, &next, &there) ||
            here != there)
            return CLASSES_UNKNOWN;
        holds[r] = here != 0;
        any |= holds[r];
        step = holds[r] && r > 0 ? r : step;
    }
    if (!any)
        return CLASSES_UNKNOWN;
    bool multiples = by % step == 0; /* else no number has just these */
    for (smt_int r = 0; r < by && multiples; r++)
        multiples = holds[r] == (r % step == 0);
    return multiples ? CLASSES_MULTIPLES : CLASSES_PICKED;
}

/* What a parameter may be divided by, where that is a parameter, too. */
static const smt_int samples[] = {16, 60, 1000};

/* Does the fact, or a part of it, hold for some remainders of a parameter that are not the
 * multiples of a number? False where it depends on more than the remainder. */
static bool picks_remainders(checker *k, smt_t fact)
{
    class_search s = {.k = k};
    smt_int by;
    if (fact->kind == SMT_AND) {
        for (uint32_t i = 0; i < fact->n_args; i++)
            if (picks_remainders(k, fact->args[i]))
                return true;
        return false;
    }
    smt_visit(k->ctx, fact, look_for_remainder, &s);
    if (!s.parameter)
        return false;
    if (smt_is_const(s.by, &by))
        return by > 1 && by <= MOST_REMAINDERS && classes_of(k, &s, fact, by) == CLASSES_PICKED;
    bool picked = false;
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        classes c = classes_of(k, &s, fact, samples[i]);
        if (c == CLASSES_MULTIPLES)
            return false;
        picked |= c == CLASSES_PICKED;
    }
    return picked;
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

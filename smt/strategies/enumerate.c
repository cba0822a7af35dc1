/* Decides questions about few values by looking at all of them.
 *
 * An index that is made by multiplying, dividing and turning bits about has no law that a strategy
 * knows, but where the grid is a number there are not many of them. An equation between two terms
 * that share no variable is joined: the values of both sides are listed, sorted and matched, so
 * that 65,536 blocks take 131,072 evaluations and not their square. Every fact is then evaluated
 * for every match. UNSAT: for each assignment to the variables looked at some fact is known to be
 * false; facts with other variables are never known, and leave the question open at worst. */
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/model.h"
#include "solver/task.h"
#include "strategies/guess.h"
#include "strategies/strategy.h"
#include "terms/eval.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>

enum {
    MOST_VARIABLES = 12,
    MOST_VALUES = 1 << 16, /* of all variables of one side together */
    MOST_MODELS = 16,      /* that are tried and do not hold of the whole */
};

__extension__ typedef unsigned __int128 natural; /* what is negative is more than any number */

typedef struct domain { /* a variable and the numbers that the facts leave it */
    smt_t variable;
    smt_int low, high, value;
    int side; /* of the equation: 1 or 2, by the copy that the variable is of */
} domain;

typedef struct row {
    smt_int value;
    uint32_t number;
} row;

typedef struct enumeration {
    smt_task *task;
    smt_steps until;
    smt_t *facts;    /* stb_ds array: the question's, conjunctions taken apart */
    domain *domains; /* stb_ds array */
    smt_t sides[2];  /* of the equation, each in variables of its own */
    int models;      /* assignments that no fact is known to exclude */
} enumeration;

/* ---- Section: what is enumerated ---- */

static void flatten(smt_t fact, smt_t **facts)
{
    if (fact->kind != SMT_AND) {
        arrput(*facts, fact);
        return;
    }
    for (uint32_t i = 0; i < fact->n_args; i++)
        flatten(fact->args[i], facts);
}

static domain *domain_of(enumeration *e, smt_t variable)
{
    for (size_t i = 0; i < arrlenu(e->domains); i++)
        if (e->domains[i].variable == variable)
            return &e->domains[i];
    return NULL;
}

/* Adds the term's variables to the domains. Which copy all of them are of; 0: of several or of
 * none, or the term has a value that is not computed from them. */
static int add_variables(enumeration *e, smt_t term)
{
    smt_order order;
    int copy = -1;
    smt_order_make(&order, 1, &term);
    for (size_t i = 0; i < smt_order_count(&order) && copy != 0; i++) {
        smt_t node = order.terms[i];
        smt_bits_op bits;
        if (node->kind == SMT_BVAR || node->kind == SMT_BAPP ||
            (node->kind == SMT_APP && !smt_is_bits(node, &bits)))
            copy = 0;
        if (node->kind != SMT_VAR)
            continue;
        int own = smt_side_of(node);
        copy = copy == -1 || copy == own ? own : 0;
        if (!domain_of(e, node))
            arrput(e->domains, ((domain){node, node->low, node->high, 0, own}));
    }
    smt_order_free(&order);
    return copy == -1 || arrlenu(e->domains) > MOST_VARIABLES ? 0 : copy;
}

/* Narrows x to what a * x + c <= 0 leaves: other numbers make the fact false. */
static void narrow(enumeration *e, smt_t fact)
{
    smt_t sum = fact->kind == SMT_LE ? fact->args[0] : NULL;
    if (!sum || (sum->kind == SMT_SUM && sum->n_args != 1))
        return;
    smt_t variable = sum->kind == SMT_SUM ? sum->args[0] : sum;
    smt_int factor = sum->kind == SMT_SUM ? sum->coefs[0] : 1;
    smt_int rest = sum->kind == SMT_SUM ? -sum->value : 0; /* factor * x <= rest */
    domain *of = domain_of(e, variable);
    if (!of)
        return;
    smt_int size = factor < 0 ? -factor : factor;
    smt_int bound = smt_floor_div(rest, size);
    if (factor > 0 && bound < of->high)
        of->high = bound;
    if (factor < 0 && -bound > of->low)
        of->low = -bound;
}

/* How many assignments the variables of a side have; 0: too many. None are as many as that: where
 * facts leave a variable no value, simplifying has seen it. */
static size_t count_values(const enumeration *e, int side)
{
    size_t n = 1;
    for (size_t i = 0; i < arrlenu(e->domains); i++) {
        const domain *d = &e->domains[i];
        smt_int more; /* values than one; of a variable without bounds more than a number has */
        if (d->side != side)
            continue;
        if (__builtin_sub_overflow(d->high, d->low, &more) || (natural)more >= MOST_VALUES ||
            (n *= (size_t)more + 1) > MOST_VALUES)
            return 0;
    }
    return n;
}

static void assign(enumeration *e, int side, size_t number)
{
    for (size_t i = 0; i < arrlenu(e->domains); i++) {
        domain *d = &e->domains[i];
        if (d->side != side)
            continue;
        size_t values = (size_t)(d->high - d->low + 1);
        d->value = d->low + (smt_int)(number % values);
        number /= values;
    }
}

/* Takes the equation apart by the copy that the variables of its summands are of. */
static bool split(enumeration *e, smt_t equation)
{
    smt_ctx *ctx = e->task->ctx;
    smt_t sum = equation->args[0];
    arrsetlen(e->domains, 0);
    if (sum->kind != SMT_SUM)
        return false;
    e->sides[0] = smt_int_const(ctx, sum->value);
    e->sides[1] = smt_int_const(ctx, 0);
    for (uint32_t i = 0; i < sum->n_args; i++) {
        int copy = add_variables(e, sum->args[i]);
        if (copy == 0)
            return false;
        smt_int factor = copy == 1 ? sum->coefs[i] : -sum->coefs[i];
        smt_t *side = &e->sides[copy - 1];
        *side = smt_add(ctx, *side, smt_scale(ctx, sum->args[i], factor));
    }
    return true;
}

/* ---- Section: evaluation ---- */

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    enumeration *e = user;
    (void)args;
    const domain *d = n_args == 0 ? domain_of(e, term) : NULL;
    if (d)
        *value = d->value;
    return d != NULL;
}

static int by_value(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->number > y->number) - (x->number < y->number);
}

/* The side's values under all assignments to its variables, sorted; NULL: one of them is not known,
 * or there are too few steps. */
static row *list_values(enumeration *e, int side, size_t n)
{
    smt_order order;
    smt_value *values = NULL;
    row *rows = NULL;
    bool all = true;
    smt_order_make(&order, 1, &e->sides[side - 1]);
    arrsetlen(values, smt_order_count(&order));
    for (size_t i = 0; i < n && all; i++) {
        assign(e, side, i);
        smt_eval_order(&order, look_up, e, values);
        smt_value value = arrlast(values);
        all = value.known && smt_left(e->task, e->until) > 0;
        arrput(rows, ((row){value.number, (uint32_t)i}));
    }
    smt_order_free(&order);
    arrfree(values);
    if (!all)
        arrfree(rows); /* sets it to NULL */
    if (rows)
        qsort(rows, arrlenu(rows), sizeof *rows, by_value);
    return rows;
}

static bool try_model(enumeration *e)
{
    smt_t *terms = NULL;
    smt_int *numbers = NULL;
    smt_task *task = e->task;
    for (size_t i = 0; i < arrlenu(e->domains); i++) {
        arrput(terms, e->domains[i].variable);
        arrput(numbers, e->domains[i].value);
    }
    smt_model *model =
        smt_model_make(task->ctx, task->prover->arena, arrlenu(terms), terms, numbers, NULL);
    arrfree(terms);
    arrfree(numbers);
    return model && smt_model_satisfies(model, task->n_original, task->original) &&
           smt_decided(task, SMT_SAT, model, "enumeration");
}

typedef struct facts_at {
    smt_order order;
    smt_value *values;
} facts_at;

typedef enum outcome { EXCLUDED, MODEL, GIVE_UP } outcome;

/* Is some fact false under the assignment at hand? Else it may be a model. */
static outcome look_at(enumeration *e, facts_at *at)
{
    smt_eval_order(&at->order, look_up, e, at->values);
    for (size_t i = 0; i < arrlenu(e->facts); i++) {
        smt_value value = at->values[smt_order_find(&at->order, e->facts[i])];
        if (value.known && value.number == 0)
            return EXCLUDED;
    }
    if (try_model(e))
        return MODEL;
    return ++e->models == MOST_MODELS || smt_left(e->task, e->until) == 0 ? GIVE_UP : EXCLUDED;
}

/* Joins all pairs of equal values; true: decided. */
static bool join(enumeration *e, const row *first, const row *second)
{
    facts_at at = {.values = NULL};
    outcome found = EXCLUDED;
    size_t j = 0, n = arrlenu(first), m = arrlenu(second);
    smt_order_make(&at.order, arrlenu(e->facts), e->facts);
    arrsetlen(at.values, smt_order_count(&at.order));
    for (size_t i = 0; i < n && found == EXCLUDED; i++) {
        while (j < m && second[j].value < first[i].value)
            j++;
        for (size_t l = j; l < m && second[l].value == first[i].value && found == EXCLUDED; l++) {
            assign(e, 1, first[i].number);
            assign(e, 2, second[l].number);
            found = look_at(e, &at);
            if (found == EXCLUDED && smt_left(e->task, e->until) == 0)
                found = GIVE_UP;
        }
    }
    smt_order_free(&at.order);
    arrfree(at.values);
    if (found == EXCLUDED && e->models == 0)
        return smt_decided(e->task, SMT_UNSAT, NULL, "enumeration");
    return found == MODEL;
}

static size_t count_nodes(const smt_t *terms, size_t n)
{
    smt_order order;
    smt_order_make(&order, n, terms);
    size_t count = smt_order_count(&order);
    smt_order_free(&order);
    return count;
}

/* Can the steps be afforded that listing both sides takes, and looking at as many pairs as one has
 * values? */
static bool can_afford(const enumeration *e, size_t n, size_t m)
{
    size_t facts = count_nodes(e->facts, arrlenu(e->facts));
    size_t nodes = n * count_nodes(&e->sides[0], 1) + m * count_nodes(&e->sides[1], 1) +
                   (n < m ? n : m) * facts;
    return nodes / SMT_TICKS_A_STEP < smt_left(e->task, e->until);
}

static bool decide_by(enumeration *e, smt_t equation)
{
    if (!split(e, equation))
        return false;
    for (size_t i = 0; i < arrlenu(e->facts); i++)
        narrow(e, e->facts[i]);
    size_t n = count_values(e, 1), m = count_values(e, 2);
    if (n == 0 || m == 0 || !can_afford(e, n, m))
        return false;
    e->models = 0;
    row *first = list_values(e, 1, n), *second = first ? list_values(e, 2, m) : NULL;
    bool decided = first && second && join(e, first, second);
    arrfree(first);
    arrfree(second);
    return decided;
}

bool smt_try_enumerate(smt_task *task, smt_goal *goal, smt_steps until)
{
    enumeration e = {.task = task, .until = until};
    bool decided = false;
    (void)goal; /* the question as it was asked: simplifying has given its equations other forms */
    for (size_t i = 0; i < task->n_original; i++)
        flatten(task->original[i], &e.facts);
    for (size_t i = 0; i < arrlenu(e.facts) && !decided; i++)
        if (e.facts[i]->kind == SMT_EQ)
            decided = decide_by(&e, e.facts[i]);
    arrfree(e.facts);
    arrfree(e.domains);
    return decided;
}

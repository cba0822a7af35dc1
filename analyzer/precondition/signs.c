/* Signs of what is looked up. C's `(2 * table[i] - 3) % 16` has the sign of the difference, so only
 * elements from 2 on keep to 16 places of their own. A launch may be asked that elements lie on one
 * side of the value at which a choice in the address turns. That value is found by evaluating the
 * choice's condition, whatever the element is multiplied or divided by before. */
#include "precondition/signs.h"

#include "precondition/propose.h"
#include "question/checker.h"
#include "question/two_events.h"

enum { MAX_TURNS = 8 };

typedef struct turn { /* a choice takes its other side between the elements at - 1 and at */
    smt_int at;
    bool from;   /* the elements from there on are meant, else those below */
    bool unsure; /* it is not known on which side the elements are */
} turn;

typedef struct sign_search {
    checker *k;
    smt_t element, variable; /* what is looked up, and what stands for it in a condition */
    smt_int value;           /* of the variable */
    turn found[MAX_TURNS];
    size_t n;
} sign_search;

/* A loop or a tile begins with its first iteration, its first lane. */
static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const sign_search *g = user;
    const checker *k = g->k;
    (void)n_args, (void)args;
    *value = term == g->variable ? g->value : 0;
    return term == g->variable ||
           (summary_private(k->s, term) && term->low == 0 && !copy_is_block_id(k, term));
}

/* False: it depends on something else besides. */
static bool holds_at(sign_search *g, smt_t condition, smt_int value, bool *holds)
{
    smt_int truth = 0;
    g->value = value;
    bool known = smt_eval(condition, look_up, g, &truth);
    *holds = truth != 0;
    return known;
}

/* Finds where the condition turns if it does so once. */
static bool find_turn(sign_search *g, smt_t condition, bool *above, smt_int *at)
{
    smt_int low = g->element->low, high = g->element->high;
    bool below, here;
    if (!holds_at(g, condition, low, &below) || !holds_at(g, condition, high, above) ||
        below == *above)
        return false;
    while (high - low > 1) {
        smt_int middle = low + (high - low) / 2;
        if (!holds_at(g, condition, middle, &here))
            return false;
        if (here == below)
            low = middle;
        else
            high = middle;
    }
    *at = high;
    return true;
}

static bool is_negated(smt_t term)
{
    return term->kind == SMT_SUM && term->n_args == 1 && term->coefs[0] < 0;
}

/* Is `a` a weaker wish than `b`? */
static bool is_weaker(const turn *a, const turn *b)
{
    return a->from && b->from ? a->at < b->at : !a->from && !b->from && a->at > b->at;
}

/* The weakest first. */
static void add_turn(sign_search *g, turn new)
{
    size_t last = g->n;
    for (size_t i = 0; i < g->n; i++)
        if (g->found[i].at == new.at)
            return;
    if (g->n == MAX_TURNS)
        return;
    for (; last > 0 && is_weaker(&new, &g->found[last - 1]); last--)
        g->found[last] = g->found[last - 1];
    g->found[last] = new;
    g->n++;
}

/* The side on which the choice does not negate the number is meant: for `(3 - table[i]) % 16` the
 * elements up to 3. Callers pass no tables of only negative elements and 0: `-table[i] % 16` is
 * meant for elements from 0 on, and their negations. */
static void look_for_turn(void *user, smt_t term)
{
    sign_search *g = user;
    bool above;
    smt_int at;
    if (term->kind != SMT_ITE || smt_is_bool(term) || !smt_contains(term->args[0], g->element))
        return;
    smt_t condition = smt_substitute(g->k->ctx, term->args[0], 1, &g->element, &g->variable);
    if (!find_turn(g, condition, &above, &at))
        return;
    bool negated = is_negated(term->args[above ? 1 : 2]);
    bool unsure = negated == is_negated(term->args[above ? 2 : 1]);
    if (negated && !unsure && at == 1)
        add_turn(g, (turn){.at = 0, .from = true});
    else
        add_turn(g, (turn){at, !negated, unsure});
}

static void propose_side(candidate_search *s, int arg, smt_int at, bool from)
{
    smt_ctx *ctx = s->k->ctx;
    if (from)
        require_propose_range(s, arg, smt_int_const(ctx, at), NULL, false);
    else
        require_propose_range(s, arg, NULL, smt_int_const(ctx, at - 1), false);
}

void require_look_at_signs(candidate_search *s, smt_t sum, smt_t element)
{
    checker *k = s->k;
    int arg = summary_contents_arg(k->s, element);
    sign_search g = {.k = k, .element = element};
    g.variable = smt_fresh(k->ctx, "element", element->low, element->high);
    smt_visit(k->ctx, sum, look_for_turn, &g);
    for (int side = 0; side < 2; side++) /* what is meant first */
        for (size_t i = 0; i < g.n; i++)
            if (side == 0 || g.found[i].unsure)
                propose_side(s, arg, g.found[i].at, g.found[i].from == (side == 0));
}

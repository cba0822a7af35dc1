/* Elements that pick one of a block's own places. In `b * 64 + t[b]` each block has 64 places of
 * its own when the elements of t are among 64 numbers that follow each other; so it has in `b * 64
 * + 63 - t[b]`, and in `b * 64 + 4 * t[b] + i` with 16 numbers and 4 lanes i. The address says
 * which numbers are meant: those from 0 on, or those from the one with which the first block starts
 * at the buffer's first place, which is 5 in `b * 96 + t[b] - 5`. */
#include "precondition/windows.h"

#include "precondition/lift.h"
#include "precondition/natural.h"
#include "precondition/propose.h"
#include "question/checker.h"
#include "question/layout.h"

typedef struct window { /* of a sum, in its own units */
    smt_t element;      /* that is looked up */
    bool direct;        /* the summand stands in the address as it is */
    bool shifted;       /* the sum has sizes of the launch besides */
    smt_int own;        /* places from one element to the next; below 0: they go down */
    smt_int step;       /* from one block, or row of a block, to the next */
    smt_int first;      /* what a number and lanes add to it at least */
    smt_int lanes;      /* from the first lane to the last */
    smt_int unit;       /* all of them are multiples of it */
} window;

static smt_int size_of(smt_int number)
{
    return number < 0 ? -number : number;
}

/* Finds the summand that looks up an element; false: there is none, or more than one. */
static bool find_element(checker *k, smt_t sum, window *w)
{
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t found = term_element_in(k, sum->args[i]);
        if (found && w->element)
            return false;
        if (!found)
            continue;
        w->element = found;
        w->direct = found == sum->args[i];
        w->own = sum->coefs[i];
    }
    return w->element != NULL;
}

/* Lanes lie between two elements' places, rows beyond them. */
static bool add_summand(checker *k, smt_t summand, smt_int coef, window *w)
{
    smt_int low, high, last;
    if (term_is_launch_constant(k, summand)) {
        w->shifted = true;
        return true;
    }
    if (size_of(coef) >= size_of(w->own)) {
        if (coef > 0 && (w->step == 0 || coef < w->step))
            w->step = coef;
        return true;
    }
    smt_bounds(summand, &low, &high);
    smt_t end = summand->kind == SMT_VAR ? require_upper_end(k, summand) : NULL;
    if (end && smt_is_const(end, &last) && last < high)
        high = last;
    if (summand->kind != SMT_VAR || low < -REQUIRE_NEAR || high > REQUIRE_NEAR)
        return false;
    w->first += coef * (coef > 0 ? low : high);
    w->lanes += size_of(coef) * (high - low);
    w->unit = smt_gcd(w->unit, coef);
    return true;
}

static bool window_of(checker *k, smt_t sum, window *w)
{
    *w = (window){0};
    if (sum->kind != SMT_SUM || !find_element(k, sum, w))
        return false;
    w->first = sum->value;
    w->unit = size_of(w->own);
    for (uint32_t i = 0; i < sum->n_args; i++)
        if (!smt_contains(sum->args[i], w->element) &&
            !add_summand(k, sum->args[i], sum->coefs[i], w))
            return false;
    w->unit = smt_gcd(w->unit, w->step);
    /* A number that unsigned arithmetic wraps by says nothing of where a block starts. */
    return w->step > size_of(w->own) && size_of(w->first) < REQUIRE_NEAR;
}

/* Returns how many numbers keep to one block. Without lanes, with a pitch of 63 and every second
 * place, they may lie between the next block's places. */
static smt_int count_of(const window *w)
{
    smt_int own = size_of(w->own);
    if (w->lanes == 0)
        return w->step / smt_gcd(w->step, own);
    return w->step % own ? 0 : (w->step - w->unit - w->lanes) / own + 1;
}

/* The first number, with which no place lies in front of the buffer. Of places that go down the
 * numbers from 0 on are meant, or from 1 on where that alone ends at the first place. */
static smt_int first_of(const window *w, smt_int count)
{
    if (!w->direct || w->shifted)
        return 0;
    if (w->own > 0)
        return w->first < 0 ? (-w->first + w->own - 1) / w->own : 0;
    return w->first + count * w->own == 0;
}

/* Does what the contract states leave several numbers from the first on? */
static bool leaves_numbers(const checker *k, int arg, smt_int first)
{
    smt_t most = k->contract->args[arg].contents.max;
    smt_int number;
    return !most || !smt_is_const(most, &number) || first < number;
}

static void propose_window(candidate_search *s, int arg, smt_int first, smt_int count)
{
    smt_t low = smt_int_const(s->k->ctx, first);
    /* The first is enough for a remainder, or where the contract states the other end. */
    require_propose_range(s, arg, low, NULL, false);
    require_propose_range(s, arg, low, smt_int_const(s->k->ctx, first + count - 1), false);
}

static void look_at_sum(void *user, smt_t sum)
{
    candidate_search *s = user;
    window w;
    if (!window_of(s->k, sum, &w))
        return;
    int arg = summary_contents_arg(s->k->s, w.element);
    smt_int count = count_of(&w), first = first_of(&w, count);
    if (arg < 0 || count < 2)
        return;
    if (first != 0 && leaves_numbers(s->k, arg, first))
        propose_window(s, arg, first, count);
    propose_window(s, arg, 0, count);
}

static smt_t without_condition(void *user, smt_t term)
{
    return smt_is_bool(term) ? smt_bvar(user, "either") : NULL;
}

void require_look_at_windows(candidate_search *s, const ix_access *a)
{
    smt_ctx *ctx = s->k->ctx;
    /* The condition of a choice is no part of the address. */
    smt_visit(ctx, smt_rewrite(ctx, a->bytes, without_condition, ctx), look_at_sum, s);
}

/* Two accesses to one buffer that lie a size apart: `counts[bid]` and `counts[n + bid]`.
 *
 * Each block writes one element of several lists that follow each other, and the length of a list
 * is a number that the host passes. The lists do not meet where that number is at least the number
 * of blocks. Where one of them is a place that is looked up, `y[t[bid]]` and `y[n + bid]`, they do
 * not where elements stay below the list, or behind it where it ends at a number: behind `y[0]`,
 * but not behind all `y[bid]`, which are the places that `t` is meant to name. */
#include "precondition/apart.h"

#include "precondition/lift.h"
#include "precondition/propose.h"
#include "precondition/rows.h"
#include "question/checker.h"
#include "question/layout.h"

/* `number * size`, without a constant part; NULL: something else. */
static smt_t size_in(smt_t distance, smt_int *number)
{
    *number = 1;
    if (distance->kind == SMT_VAR)
        return distance;
    if (distance->kind != SMT_SUM || distance->n_args != 1 || distance->value != 0 ||
        distance->args[0]->kind != SMT_VAR)
        return NULL;
    *number = distance->coefs[0] < 0 ? -distance->coefs[0] : distance->coefs[0];
    return distance->args[0];
}

static smt_int coefficient_of(smt_t sum, smt_t variable)
{
    if (sum == variable)
        return 1;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (sum->args[i] == variable)
            return sum->coefs[i];
    return 0;
}

static void look_at_two(checker *k, smt_t x, smt_t y, require_proposal propose, void *search)
{
    smt_ctx *ctx = k->ctx;
    smt_int number;
    smt_t distance = smt_sub(ctx, require_launch_part(k, x), require_launch_part(k, y));
    smt_t size = size_in(distance, &number);
    for (int axis = 0; axis < 3 && size; axis++) {
        smt_t id = k->s->block_id[axis];
        smt_int step = smt_is_const(id, NULL) ? 0 : coefficient_of(x, id);
        if (step <= 0 || step != coefficient_of(y, id))
            continue;
        propose(search, PRECONDITION_GRID_BOUND,
                smt_le(ctx, smt_scale(ctx, k->s->grid[axis], step), smt_scale(ctx, size, number)));
    }
}

/* ---- Section: lists and places that are looked up ---- */

/* The place of an access, as `step * element + rest`, with the ends of the rest in all blocks. */
typedef struct span {
    smt_t element;    /* that is looked up; NULL: there is none */
    bool is_unsigned; /* the element is read as unsigned: where it is not negative it is the number
                         that it holds */
    smt_int step;     /* at least 1 */
    smt_t least, greatest; /* NULL: it has no such form */
    bool rises;            /* from block to block */
} span;

/* Is the summand an element, maybe one that is read as unsigned? */
static bool is_element(checker *k, smt_t summand, span *out)
{
    bool wraps = summand->kind == SMT_ITE && !smt_is_bool(summand) &&
                 smt_is_const(smt_sub(k->ctx, summand->args[1], summand->args[2]), NULL);
    smt_t element = !wraps                                              ? summand
                    : summary_contents_arg(k->s, summand->args[1]) >= 0 ? summand->args[1]
                                                                        : summand->args[2];
    if (out->element || summary_contents_arg(k->s, element) < 0)
        return false;
    out->element = element;
    out->is_unsigned = wraps;
    return true;
}

static bool span_of(checker *k, const ix_access *a, smt_t sum, span *out)
{
    smt_ctx *ctx = k->ctx;
    *out = (span){.step = 1};
    smt_t rest = is_element(k, sum, out) ? smt_int_const(ctx, 0) : sum;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (is_element(k, sum->args[i], out)) {
            out->step = sum->coefs[i];
            rest = smt_sub(ctx, sum, smt_scale(ctx, sum->args[i], out->step));
        }
    if (out->step <= 0 || term_element_in(k, rest))
        return false;
    smt_t when = smt_and(ctx, smt_and(ctx, a->path, a->facts), a->mask);
    smt_t back = require_greatest(k, smt_neg(ctx, rest), when);
    out->greatest = require_greatest(k, rest, when);
    out->least = back ? smt_neg(ctx, back) : NULL;
    for (int axis = 0; axis < 3; axis++)
        out->rises |= !smt_is_const(k->s->block_id[axis], NULL) &&
                      smt_contains(rest, k->s->block_id[axis]) &&
                      coefficient_of(rest, k->s->block_id[axis]) >= 0;
    return true;
}

/* Is the term a number that is passed to the kernel, or a product of such numbers? */
static bool is_size(checker *k, smt_t term)
{
    const contract *c = k->contract;
    bool all = term->kind == SMT_PROD, any = false;
    for (uint32_t i = 0; all && i < term->n_args; i++)
        all = is_size(k, term->args[i]);
    for (size_t i = 0; i < c->n_args && !any; i++)
        any = c->args[i].kind == CONTRACT_SCALAR && contract_param(k->ctx, c, i) == term;
    return all || any;
}

static bool speaks_of_grid(const checker *k, smt_t term)
{
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->grid[axis], NULL) && smt_contains(term, k->s->grid[axis]))
            return true;
    return false;
}

/* Does a size make it larger? Callers pass no negative sizes. */
static bool grows(checker *k, smt_t term)
{
    bool any = is_size(k, term);
    for (uint32_t i = 0; term->kind == SMT_SUM && i < term->n_args; i++)
        any |= term->coefs[i] > 0 && is_size(k, term->args[i]);
    return any;
}

static void look_for_choice(void *user, smt_t term)
{
    bool *any = user;
    *any |= term->kind == SMT_ITE;
}

static bool has_choice(checker *k, smt_t term)
{
    bool any = false;
    smt_visit(k->ctx, term, look_for_choice, &any);
    return any;
}

static void propose_elements(candidate_search *s, const span *x, smt_t low, smt_t high)
{
    if (x->is_unsigned && !low)
        low = smt_int_const(s->k->ctx, 0);
    require_propose_range(s, summary_contents_arg(s->k->s, x->element), low, high, false);
}

/* Places of a fixed number up to there are a header, in front of what is looked up. */
enum { HEADER = 64 };

/* `x` looks its place up below all places of `y`: below a size, or a number that is no header's. */
static void propose_below(candidate_search *s, const span *x, const span *y)
{
    smt_ctx *ctx = s->k->ctx;
    smt_int number;
    if (!x->greatest || !y->least)
        return;
    smt_t last = smt_sub(ctx, smt_sub(ctx, y->least, x->greatest), smt_int_const(ctx, 1));
    last = smt_div(ctx, last, smt_int_const(ctx, x->step));
    if (smt_is_const(last, &number) ? number < (y->rises ? 1 : HEADER)
                                    : !grows(s->k, last) || speaks_of_grid(s->k, last))
        return;
    propose_elements(s, x, NULL, last);
    if (y->element)
        propose_elements(s, y, smt_int_const(ctx, 0), NULL);
}

/* Proposes elements above the other span: from a number on where blocks do not move their end, or a
 * size behind it. */
static void propose_above(candidate_search *s, const span *x, const span *y)
{
    smt_ctx *ctx = s->k->ctx;
    smt_int number;
    if (!x->least || !y->greatest || y->element)
        return;
    smt_t past = smt_add(ctx, smt_sub(ctx, y->greatest, x->least), smt_int_const(ctx, 1));
    smt_t first = /* rounded up */
        smt_neg(ctx, smt_div(ctx, smt_neg(ctx, past), smt_int_const(ctx, x->step)));
    if (smt_is_const(first, &number) && number >= 0 && !y->rises)
        propose_elements(s, x, first, NULL);
    else if (grows(s->k, x->least))
        propose_elements(s, x, smt_int_const(ctx, 0), NULL);
}

/* All places of `x` lie below all of `y`, by a size that lies between: the list of all blocks, or a
 * place that is the same for all. */
static void propose_between(candidate_search *s, const span *x, const span *y,
                            require_proposal propose)
{
    smt_ctx *ctx = s->k->ctx;
    if (!x->greatest || !y->least || x->element)
        return;
    smt_t room = smt_sub(ctx, y->least, x->greatest), none = smt_int_const(ctx, 0);
    bool of_grid = speaks_of_grid(s->k, room);
    if (grows(s->k, room) && !has_choice(s->k, room) && (of_grid || !x->rises))
        propose(s, of_grid ? PRECONDITION_GRID_BOUND : PRECONDITION_STRIDE_RELATION,
                smt_lt(ctx, none, room));
}

static void look_at_spans(candidate_search *s, const ix_access *a, smt_t x, const ix_access *b,
                          smt_t y, require_proposal propose)
{
    span of[2];
    if (!span_of(s->k, a, x, &of[0]) || !span_of(s->k, b, y, &of[1]))
        return;
    int written = b->writes ? 1 : 0; /* what is written lies behind, if one of them does */
    propose_between(s, &of[1 - written], &of[written], propose);
    propose_between(s, &of[written], &of[1 - written], propose);
    if (a->atomic || b->atomic)
        return; /* whoever updates through a table means several to meet */
    for (int i = 0; i < 2; i++)
        if (of[i].element)
            propose_below(s, &of[i], &of[1 - i]);
    for (int i = 0; i < 2; i++)
        if (of[i].element)
            propose_above(s, &of[i], &of[1 - i]);
}

void require_look_at_apart(checker *k, const ix_access *a, const ix_access *b,
                           require_proposal propose, void *search)
{
    if (a->tensor && b->tensor && a->tensor->rank == b->tensor->rank) {
        for (int d = 0; d < a->tensor->rank; d++)
            look_at_two(k, a->coordinate[d], b->coordinate[d], propose, search);
    } else if (a->width == b->width) {
        smt_t width = smt_int_const(k->ctx, a->width);
        smt_t x = smt_div(k->ctx, a->bytes, width), y = smt_div(k->ctx, b->bytes, width);
        look_at_two(k, x, y, propose, search);
        look_at_spans(search, a, x, b, y, propose);
    }
}

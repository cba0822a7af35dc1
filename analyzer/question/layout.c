/* Decides where different coordinates of a tensor are certain to be different addresses, so that
 * questions may compare coordinates. */
#include "question/layout.h"

#include "question/ask.h"
#include "question/checker.h"

#include "base/ds.h"

bool term_is_launch_constant(const checker *k, smt_t term)
{
    return summary_is_shared(k->s, term);
}

typedef struct result_search {
    const checker *k;
    bool found;
} result_search;

static void look_for_result(void *user, smt_t term)
{
    result_search *s = user;
    s->found |= summary_is_result(s->k->s, term);
}

bool term_has_results(const checker *k, smt_t term)
{
    result_search s = {k, false};
    smt_visit(k->ctx, term, look_for_result, &s);
    return s.found;
}

bool term_is_of_launch(const checker *k, smt_t term)
{
    return term_is_launch_constant(k, term) && !term_has_results(k, term);
}

typedef struct element_search {
    const checker *k;
    smt_t found;
} element_search;

static void look_for_element(void *user, smt_t term)
{
    element_search *s = user;
    if (summary_contents_of(s->k->s, term, NULL) >= 0)
        s->found = term;
}

smt_t term_element_in(const checker *k, smt_t term)
{
    element_search s = {k, NULL};
    smt_visit(k->ctx, term, look_for_element, &s);
    return s.found;
}

static bool is_one(smt_t term)
{
    smt_int value;
    return smt_is_const(term, &value) && value == 1;
}

/* Dimensions by stride, innermost first, as far as equality of terms shows it; row-major otherwise.
 */
static int order_dimensions(checker *k, const ix_tensor *t, int *order)
{
    int n = 0;
    for (int d = t->rank - 1; d >= 0; d--)
        if (!is_one(t->shape[d]))
            order[n++] = d;
    for (int i = 0; i < n; i++) { /* the one whose stride is what the dimensions so far take */
        smt_t taken = i ? smt_mul(k->ctx, t->stride[order[i - 1]], t->shape[order[i - 1]])
                        : smt_int_const(k->ctx, 1);
        for (int j = i; j < n; j++) {
            if (t->stride[order[j]] == taken) {
                int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
                break;
            }
        }
    }
    return n;
}

int layout_outermost(checker *k, const ix_tensor *t)
{
    int order[IR_MAX_RANK], n = order_dimensions(k, t, order);
    return n ? order[n - 1] : -1;
}

/* stride[inner] >= 1 and each next stride >= the previous stride * extent: then no two coordinates
 * inside the extents share an address. */
smt_t layout_chain(checker *k, const ix_tensor *t)
{
    smt_ctx *ctx = k->ctx;
    int order[IR_MAX_RANK], n = order_dimensions(k, t, order);
    smt_t ok = smt_bool_const(ctx, true), taken = smt_int_const(ctx, 1);
    for (int i = 0; i < n; i++) {
        ok = smt_and(ctx, ok, smt_le(ctx, taken, t->stride[order[i]]));
        taken = smt_mul(ctx, t->stride[order[i]], t->shape[order[i]]);
    }
    return ok;
}

typedef struct layout_answer {
    const ix_tensor *tensor;
    bool is_injective;
    const struct layout_answer *next; /* asked before it */
} layout_answer;

bool layout_is_injective(checker *k, const ix_tensor *tensor)
{
    for (const layout_answer *known = k->known.layouts; known; known = known->next)
        if (known->tensor == tensor)
            return known->is_injective;
    smt_t ok = layout_chain(k, tensor);
    bool proved = smt_is_true(ok);
    if (!proved && term_is_launch_constant(k, ok)) {
        /* Only launches where the tensor has elements matter. */
        query conjuncts = query_of_launch(k);
        for (int d = 0; d < tensor->rank; d++)
            query_add(k, &conjuncts, smt_lt(k->ctx, smt_int_const(k->ctx, 0), tensor->shape[d]));
        proved = ask_is_unsat(k, query_with(k, conjuncts, smt_not(k->ctx, ok)), "layout");
    }
    const layout_answer answer = {tensor, proved, k->known.layouts};
    k->known.layouts = tr_arena_copy(k->arena, &answer, sizeof answer);
    return proved;
}

void layout_forget(checker *k)
{
    k->known.layouts = NULL;
}

bool layout_is_shared(checker *k, const ix_tensor *a, const ix_tensor *b)
{
    if (a->rank != b->rank || a->width != b->width || a->bytes != b->bytes ||
        a->allocation != b->allocation)
        return false;
    for (int d = 0; d < a->rank; d++)
        if (a->stride[d] != b->stride[d] || (d > 0 && a->shape[d] != b->shape[d]) ||
            !term_is_launch_constant(k, a->stride[d]) || !term_is_launch_constant(k, a->shape[d]) ||
            !term_is_launch_constant(k, b->shape[d]))
            return false;
    if (!term_is_launch_constant(k, a->bytes))
        return false;
    return layout_is_injective(k, a) && layout_is_injective(k, b);
}

/* How far a kernel's accesses go in each argument's buffer, for a host that knows how large the
 * buffer of a launch is.
 *
 * A verdict asks for buffers of the size that masks and views speak of (extent.c says when it asks
 * at all). A host that has the launch can do better: where the greatest end of an access is proved
 * to be a number of the launch, a buffer that holds it needs no further look. The end may be more
 * than what the kernel really touches, so a smaller buffer is no mistake yet. */
#include "precondition/reach.h"

#include "precondition/lift.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

/* Is it never so where the access happens? */
static bool is_excluded(checker *k, const ix_access *a, smt_t mask, smt_t beyond)
{
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, smt_and(k->ctx, smt_and(k->ctx, a->path, a->facts), mask));
    query_add(k, &conjuncts, a->assumed);
    return ask_briefly(k, query_with(k, conjuncts, beyond), "reach") == SMT_UNSAT;
}

/* The end of what the access touches, in bytes from the argument on, proved for all blocks and
 * iterations; NULL: it is not found, or the access may begin before the argument. */
static smt_t end_by_index(checker *k, const ix_access *a, smt_t start)
{
    smt_ctx *ctx = k->ctx;
    smt_t mask = a->touched ? a->touched : a->mask;
    smt_t when = smt_and(ctx, smt_and(ctx, a->path, a->facts), mask);
    smt_t offset = smt_sub(ctx, a->bytes, start);
    smt_t past = smt_add(ctx, offset, smt_int_const(ctx, a->width));
    smt_t end = require_greatest(k, past, when);
    if (!end || !term_is_of_launch(k, end))
        return NULL;
    smt_t beyond = smt_or(ctx, smt_lt(ctx, end, past), smt_lt(ctx, offset, smt_int_const(ctx, 0)));
    return is_excluded(k, a, mask, beyond) ? end : NULL;
}

/* The element of a view lies in the view (else a precondition is broken), and so before the view's
 * end, whatever its index is computed from. */
static smt_t end_by_view(checker *k, const ix_access *a, smt_t start)
{
    smt_ctx *ctx = k->ctx;
    const ix_tensor *view = a->tensor;
    smt_t one = smt_int_const(ctx, 1), zero = smt_int_const(ctx, 0);
    if (!view)
        return NULL;
    smt_t first = smt_sub(ctx, view->bytes, start), beyond = smt_lt(ctx, first, zero), last = zero;
    for (int d = 0; d < view->rank; d++) {
        smt_t steps = smt_sub(ctx, smt_max(ctx, view->shape[d], one), one);
        last = smt_add(ctx, last, smt_mul(ctx, steps, view->stride[d]));
        beyond = smt_or(ctx, beyond, smt_lt(ctx, view->stride[d], zero));
    }
    smt_t elements = smt_add(ctx, last, one);
    smt_t end = smt_add(ctx, first, smt_scale(ctx, elements, view->width));
    return term_is_of_launch(k, end) && is_excluded(k, a, a->mask, beyond) ? end : NULL;
}

/* NULL: how far the kernel goes in the argument's buffer is not known. */
static smt_t reach_of(checker *k, size_t arg)
{
    smt_t reach = NULL;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        int of = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (a->allocation >= 0 && of != (int)arg)
            continue;
        if (a->allocation < 0 || a->unknown || a->region || a->half || a->width == 0)
            return NULL;
        smt_t start = k->s->arg_bytes[arg], end = end_by_index(k, a, start);
        if (!end)
            end = end_by_view(k, a, start);
        if (!end)
            return NULL;
        reach = reach ? smt_max(k->ctx, reach, end) : end;
    }
    return reach;
}

size_t reach_find(checker *k, precondition **out)
{
    size_t n = 0;
    *out = TR_NEW_ARRAY(k->arena, precondition, k->contract->n_args + 1);
    for (size_t arg = 0; arg < k->contract->n_args; arg++) {
        const contract_arg *of = &k->contract->args[arg];
        if (of->kind != CONTRACT_POINTER || of->elements || contract_is_shared(k->contract, of))
            continue;
        smt_t reach = reach_of(k, arg);
        if (!reach)
            continue;
        precondition what = precondition_of(PRECONDITION_IN_BOUNDS);
        what.subject = (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = arg};
        what.bytes = reach;
        (*out)[n++] = what;
    }
    return n;
}

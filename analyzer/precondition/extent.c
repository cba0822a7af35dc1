/* Asks for the size of a buffer where nobody states it.
 *
 * A mask, a view or an `if` says in the kernel itself where its accesses end; callers pass buffers
 * of that size. An access by a tile of pointers without a mask reaches as far as the grid goes,
 * which may be beyond the size that the caller has in mind (n is no multiple of the tile), and one
 * at another width than the buffer's elements reaches further than their number tells. In both
 * cases the size is asked of the launch, as a number of elements or of bytes. */
#include "precondition/extent.h"

#include "precondition/added.h"
#include "precondition/lift.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

typedef struct extent { /* of one argument's buffer, from the argument on */
    size_t arg;
    smt_t bytes; /* NULL: nothing to ask */
    int width;   /* of its elements */
    bool in_bytes;
} extent;

static bool reaches_with_grid(const ix_access *a)
{
    int64_t elements = 1;
    for (int d = 0; d < a->rank; d++)
        elements *= a->tile[d];
    return smt_is_true(a->mask) && elements > 1;
}

/* The end of what the access touches, where it is proved for all blocks and iterations; or NULL. */
static smt_t end_of(checker *k, const ix_access *a, smt_t start)
{
    smt_ctx *ctx = k->ctx;
    smt_t when = smt_and(ctx, smt_and(ctx, a->path, a->facts), a->mask);
    smt_t past = smt_add(ctx, smt_sub(ctx, a->bytes, start), smt_int_const(ctx, a->width));
    smt_t end = require_greatest(k, past, when);
    if (!end || !term_is_of_launch(k, end) || smt_is_const(end, NULL))
        return NULL;
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, when);
    query_add(k, &conjuncts, a->assumed);
    query_add(k, &conjuncts, smt_lt(ctx, end, past));
    return ask_briefly(k, conjuncts, "require-extent") == SMT_UNSAT ? end : NULL;
}

static void look_at_access(checker *k, const ix_access *a, extent *e)
{
    if (a->unknown || a->tensor || a->region || a->half || a->width == 0)
        return;
    bool other_width = a->width != e->width;
    if (!other_width && !reaches_with_grid(a))
        return;
    smt_t end = end_of(k, a, k->s->arg_bytes[e->arg]);
    if (!end)
        return;
    e->bytes = e->bytes ? smt_max(k->ctx, e->bytes, end) : end;
    e->in_bytes |= other_width;
}

static void require_size(checker *k, const extent *e)
{
    smt_t elements =
        e->in_bytes ? NULL
                    : require_exact_quotient(k->ctx, e->bytes, smt_int_const(k->ctx, e->width));
    precondition what = precondition_of(PRECONDITION_IN_BOUNDS);
    what.subject = (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = e->arg};
    if (elements)
        what.elements = elements;
    else
        what.bytes = e->bytes;
    require_add(k, what, NULL);
}

/* Does no other argument point into the buffer? Else its start need not be this argument's. */
static bool has_own_buffer(const checker *k, size_t arg)
{
    const contract_arg *args = k->contract->args;
    if (args[arg].kind != CONTRACT_POINTER || args[arg].elements ||
        args[arg].member.role == CONTRACT_ARRAY_START)
        return false;
    return !contract_is_shared(k->contract, &args[arg]);
}

void require_extents(checker *k)
{
    for (size_t arg = 0; arg < k->contract->n_args; arg++) {
        if (!has_own_buffer(k, arg))
            continue;
        extent e = {.arg = arg,
                    .width = ir_type_bytes(k->kernel->body->args[arg]->type->elem->elem)};
        for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
            const ix_access *a = &k->s->accesses[n];
            int of = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
            if (of == (int)arg)
                look_at_access(k, a, &e);
        }
        if (e.bytes)
            require_size(k, &e);
    }
}

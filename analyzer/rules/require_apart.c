/* Two accesses to one buffer that lie a size apart: `counts[bid]` and `counts[n + bid]`.
 *
 * Each block writes one element of several lists that follow each other, and the length of a list
 * is a number that the host passes. The lists do not meet where that number is at least the number
 * of blocks. */
#include "rules/require_candidates.h"

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

void require_look_at_apart(checker *k, const ix_access *a, const ix_access *b,
                           require_proposal propose, void *search)
{
    if (a->tensor && b->tensor && a->tensor->rank == b->tensor->rank) {
        for (int d = 0; d < a->tensor->rank; d++)
            look_at_two(k, a->coordinate[d], b->coordinate[d], propose, search);
    } else if (a->width == b->width) {
        smt_t width = smt_int_const(k->ctx, a->width);
        look_at_two(k, smt_div(k->ctx, a->bytes, width), smt_div(k->ctx, b->bytes, width), propose,
                    search);
    }
}

/* Launches whose arrays overlap, where the contract lets them. */
#include "launch/overlap.h"

#include "launch/from_contract.h"

#include <string.h>

enum { UNKNOWN_ELEMENTS = 4096 };

/* May the pointer lie anywhere in memory that another one shares? */
static bool may_move(const contract *c, size_t i)
{
    if (c->args[i].kind != CONTRACT_POINTER || !c->args[i].buffer || c->args[i].offset)
        return false;
    for (size_t k = 0; k < c->n_args; k++)
        if (k != i && c->args[k].kind == CONTRACT_POINTER && c->args[k].buffer &&
            !strcmp(c->args[k].buffer, c->args[i].buffer))
            return true;
    return false;
}

const concrete_launch *concrete_overlap(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                        const contract *c, const concrete_launch *launch,
                                        uint64_t seed)
{
    if (!c || c->n_args != launch->n_args)
        return NULL;
    int64_t *offsets = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    int64_t *scalars = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    bool any = false;
    for (size_t i = 0; i < c->n_args; i++) {
        scalars[i] = launch->args[i].value;
        if (launch->args[i].buffer < 0 || !may_move(c, i))
            continue;
        const interp_buffer *b = &launch->buffers[launch->args[i].buffer];
        const ir_type *elem = kernel->body->args[i]->type->elem->elem;
        int64_t elements = b->unbounded ? UNKNOWN_ELEMENTS : b->bytes / ir_type_bytes(elem);
        int64_t step = elements > 32 ? 16 : 1; /* keeps to the alignment that views ask for */
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (elements > step)
            offsets[i] = (int64_t)((seed >> 33) % (uint64_t)((elements - 1) / step + 1)) * step;
        any |= offsets[i] != 0;
    }
    interp_filling filling = {.seed = seed, .offsets = offsets};
    const char *why;
    return any ? concrete_launch_from(arena, ctx, kernel, c, launch->grid, scalars, &filling, &why)
               : NULL;
}

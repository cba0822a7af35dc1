/* Contents for buffers that a launch leaves open. */
#include "launch/fill.h"

#include "launch/floats.h"
#include "launch/random.h"

static const ir_type *element_of(const ir_function *kernel, const concrete_launch *launch,
                                 size_t buffer)
{
    for (size_t i = 0; i < launch->n_args; i++) {
        const ir_type *type = kernel->body->args[i]->type;
        if (launch->args[i].buffer == (int64_t)buffer && type->kind == IR_TILE &&
            type->elem->kind == IR_POINTER)
            return type->elem->elem;
    }
    return NULL;
}

static unsigned char *random_contents(tr_arena *arena, const ir_type *elem, int64_t bytes,
                                      uint64_t seed)
{
    unsigned char *data = tr_arena_alloc(arena, (size_t)bytes + 8);
    int width = elem ? ir_type_bytes(elem) : 1;
    for (int64_t at = 0; at + width <= bytes; at += width) {
        uint64_t bits = random_next(&seed);
        if (elem && ir_type_is_float(elem) && ir_type_bits(elem) != 4) {
            double number = (double)(int64_t)(bits >> 11) / (double)((int64_t)1 << 51) - 2;
            if (!float_encode(elem->kind, number, &bits) &&
                !float_encode(elem->kind, 1, &bits)) /* a format without signs */
                bits = 0;
        }
        for (int i = 0; i < width; i++)
            data[at + i] = (unsigned char)(bits >> (8 * i));
    }
    return data;
}

const concrete_launch *concrete_fill(tr_arena *arena, const ir_function *kernel,
                                     const concrete_launch *launch, uint64_t seed)
{
    const int64_t most = (int64_t)64 << 20;
    const int64_t open_ended = (int64_t)1 << 20; /* where nobody says how long a buffer is */
    concrete_launch *filled = tr_arena_copy(arena, launch, sizeof *launch);
    filled->buffers =
        tr_arena_copy(arena, launch->buffers, sizeof launch->buffers[0] * (launch->n_buffers + 0));
    int64_t total = 0;
    for (size_t i = 0; i < launch->n_buffers; i++) {
        interp_buffer *b = &filled->buffers[i];
        int64_t bytes = b->unbounded ? open_ended : b->bytes;
        if (!b->opaque || bytes > most - total)
            continue;
        total += bytes;
        b->opaque = false;
        b->known = NULL;
        b->data_bytes = b->unbounded ? bytes : 0;
        b->data = random_contents(arena, element_of(kernel, launch, i), bytes,
                                  seed * 0x9e3779b97f4a7c15u + i);
    }
    filled->args = tr_arena_copy(arena, launch->args, sizeof launch->args[0] * launch->n_args);
    for (size_t i = 0; i < launch->n_args; i++) {
        interp_arg *arg = &filled->args[i];
        const ir_type *type = kernel->body->args[i]->type;
        uint64_t bits;
        if (arg->buffer >= 0 || arg->exact || type->kind != IR_TILE ||
            !ir_type_is_float(type->elem) || !float_encode(type->elem->kind, 0.5, &bits))
            continue;
        arg->value = (int64_t)bits;
        arg->exact = true;
    }
    return filled;
}

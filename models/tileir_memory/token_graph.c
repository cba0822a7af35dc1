/* D12 to D14: which ops have to do with tokens, the loops around them, and the bits they get. */
#include "tileir_memory/token_order.h"

#include "base/ds.h"

#define MAX_CONTENT_BYTES ((size_t)512 << 20) /* of all tokens together */

/* Loops around an op, outermost first, in arena memory. */
static const ir_op **loops_around(tr_arena *arena, const ir_op *op, size_t *n)
{
    size_t count = 0;
    for (const ir_op *o = op->parent->parent; o; o = o->parent->parent)
        count += ir_is_loop(o);
    const ir_op **loops = TR_NEW_ARRAY(arena, const ir_op *, count ? count : 1);
    *n = count;
    for (const ir_op *o = op->parent->parent; o; o = o->parent->parent)
        if (ir_is_loop(o))
            loops[--count] = o;
    return loops;
}

const token_op *token_find(const model_tokens *tokens, const ir_op *op)
{
    TR_ASSERT(op->ordinal < tokens->function->n_ops); /* it is of the graph's function */
    if (ir_is_loop(op))
        return NULL;
    uint32_t index = tokens->op_index[op->ordinal];
    return index && tokens->ops[index - 1].op == op ? &tokens->ops[index - 1] : NULL;
}

/* Plumbing (make_token, join_tokens, control flow) makes no events and gets no bits; fences, waits
 * and prints do: rules ask what is ordered after a wait. */
static bool has_events(const ir_op *op)
{
    model_access access;
    if (op->code == IR_OP_MAKE_TOKEN || op->code == IR_OP_JOIN_TOKENS)
        return false;
    return model_access_of(op, &access) || (ir_op_info_of(op->code)->effects & IR_TOKENS);
}

static const ir_op *innermost_loop(const ir_op *op)
{
    const ir_op *o = op->parent->parent;
    while (o && !ir_is_loop(o))
        o = o->parent->parent;
    return o;
}

static void set_range(token_word *content, size_t bit, size_t count)
{
    for (; count > 64; bit += 64, count -= 64)
        token_put_bits(content, bit, 64, ~(token_word)0);
    token_put_bits(content, bit, count, ~(token_word)0);
}

static void count_ops(model_tokens *tokens, size_t *n_values)
{
    for (const ir_op *op = ir_first_op(tokens->function); op; op = ir_next_op(op)) {
        tokens->n_loops += ir_is_loop(op);
        tokens->n_ops += has_events(op);
        for (uint32_t i = 0; i < op->n_results; i++)
            *n_values += op->results[i].type->kind == IR_TOKEN;
        for (uint32_t r = 0; r < op->n_regions; r++)
            for (uint32_t i = 0; op->regions[r] && i < op->regions[r]->n_args; i++)
                *n_values += op->regions[r]->args[i]->type->kind == IR_TOKEN;
    }
}

static token_loop *loop_at(model_tokens *tokens, const ir_op *op)
{
    return &tokens->loops[tokens->op_index[op->ordinal] - 1];
}

static void add_terminator(model_tokens *tokens, const ir_op *op)
{
    const ir_op *target = innermost_loop(op);
    if (!target)
        return;
    if (op->code == IR_OP_CONTINUE)
        arrput(loop_at(tokens, target)->continues, op);
    else if (op->code == IR_OP_BREAK)
        arrput(loop_at(tokens, target)->breaks, op);
}

static bool is_inside(const ir_op *op, const ir_op *ancestor)
{
    const ir_op *o = op->parent->parent;
    while (o && o != ancestor)
        o = o->parent->parent;
    return o != NULL;
}

static void find_bodies(model_tokens *tokens)
{
    for (size_t l = 0; l < tokens->n_loops; l++) {
        token_loop *loop = &tokens->loops[l];
        size_t i = 0;
        loops_around(tokens->arena, loop->op, &loop->depth);
        while (i < tokens->n_ops && tokens->ops[i].op->ordinal < loop->op->ordinal)
            i++;
        loop->first = i;
        while (i < tokens->n_ops && is_inside(tokens->ops[i].op, loop->op))
            i++;
        loop->end = i;
    }
}

static void mark_carried(model_tokens *tokens)
{
    for (size_t l = 0; l < tokens->n_loops; l++) {
        token_loop *loop = &tokens->loops[l];
        loop->carried = TR_NEW_ARRAY(tokens->arena, token_word, tokens->words);
        for (size_t i = loop->first; i < loop->end; i++) {
            const token_op *o = &tokens->ops[i];
            if (o->n_bits)
                set_range(loop->carried, o->bit + token_atom(o->n_loops, loop->depth),
                          (size_t)1 << (o->n_loops - loop->depth));
        }
    }
}

bool token_graph_collect(model_tokens *tokens)
{
    const ir_function *function = tokens->function;
    size_t n_values = 0, bits = 0, n_sites = 0;
    count_ops(tokens, &n_values);
    tokens->op_index = TR_NEW_ARRAY(tokens->arena, uint32_t, function->n_ops + 1);
    tokens->ops = TR_NEW_ARRAY(tokens->arena, token_op, tokens->n_ops + 1);
    tokens->loops = TR_NEW_ARRAY(tokens->arena, token_loop, tokens->n_loops + 1);
    tokens->memory = TR_NEW_ARRAY(tokens->arena, const ir_op *, tokens->n_ops + 1);
    tokens->n_ops = tokens->n_loops = 0;
    for (const ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        model_access access;
        if (ir_is_loop(op)) {
            tokens->loops[tokens->n_loops++].op = op;
            tokens->op_index[op->ordinal] = (uint32_t)tokens->n_loops;
        } else if (has_events(op)) {
            token_op *o = &tokens->ops[tokens->n_ops++];
            tokens->op_index[op->ordinal] = (uint32_t)tokens->n_ops;
            o->op = op;
            o->loops = loops_around(tokens->arena, op, &o->n_loops);
            o->n_bits = o->n_loops <= MODEL_MAX_LOOPS ? ((size_t)2 << o->n_loops) - 1 : 0;
            o->bit = bits;
            bits += o->n_bits;
            if (model_access_of(op, &access))
                tokens->memory[tokens->n_memory++] = op;
        } else if (op->code == IR_OP_CONTINUE || op->code == IR_OP_BREAK) {
            add_terminator(tokens, op);
            n_sites++;
        }
    }
    tokens->words = bits / 64 + 1;
    if ((n_values + tokens->n_loops + n_sites + 8) * tokens->words * sizeof(token_word) >
        MAX_CONTENT_BYTES)
        return false;
    find_bodies(tokens);
    mark_carried(tokens);
    return true;
}

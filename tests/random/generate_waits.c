/* Waits for several flags, in a loop or lane by lane, and for a count. The right ones wait for all
 * that the reader goes on to read; the others start late, stop early, step, look at other lanes,
 * take "any" for "all", or count from a start that is not the one that the contract states. */
#include "sync_writer.h"

/* Every block stores its datum and sets its flag; gives the token after that. */
static val publish(writer *w, val token)
{
    val stored = w_store(w, w_plain, w->data, w->id, w->one, token);
    return w_raise(w, w->id, w_after(w, stored));
}

static val minus_one(writer *w, val v)
{
    return arithmetic(&w->b, IR_OP_SUBI, v, w->one, 0);
}

/* The element that the reader reads once it has waited: the last block's, or another one's. */
static val read_element(writer *w)
{
    switch (choose(w->c, 4)) {
    case 0:
    case 1:
        return minus_one(w, w->n);
    case 2:
        return w->one;
    default:
        return w_number_of(w, 2);
    }
}

static void read_on(writer *w, val token)
{
    ir_op *read = w_load(w, w_plain, w->data, read_element(w), w_after(w, token));
    w_store(w, w_plain, w->out, w->id, &read->results[0], w_after(w, token_of(read)));
}

/* for (k = 0 or 1; k < n or n - 1; k += 1 or 2) wait for flag k */
static val wait_in_loop(writer *w, val token)
{
    w_has(w, true, TRAIT_WAIT_SOME);
    val low = w_has(w, w_slip(w) || chance(w->c, 10), TRAIT_WAIT_LATE) ? w->one : w->zero;
    bool early = w_has(w, w_slip(w) || chance(w->c, 10), TRAIT_WAIT_EARLY);
    val high = early ? minus_one(w, w->n) : w->n;
    bool stepped = w_has(w, w_slip(w) || chance(w->c, 8), TRAIT_WAIT_STEPPED);
    val step = stepped ? w_number_of(w, 2) : w->one;
    const ir_type *types[] = {low->type, token->type};
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {&token, 1}};
    ir_op *op = ir_build(&w->b, IR_OP_FOR, groups, 1, types + 1, (uint32_t[]){1});
    ir_block *outer = w->b.block, *body = ir_block_new(w->b.module, w->b.function, 2, types);
    ir_set_region(op, IR_RG_FOR_body, body);
    w->b.block = body;
    val next = w_spin(w, w_try_flag, w_shifted(w, body->args[0]), body->args[1]);
    end_block(&w->b, IR_OP_CONTINUE, 1, w_slip(w) ? &body->args[1] : &next);
    w->b.block = outer;
    return &op->results[0];
}

void wait_for_some(writer *w, val token)
{
    val raised = publish(w, token);
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    read_on(w, wait_in_loop(w, w_slip(w) ? token : raised));
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

/* ---- Lanes ---- */

/* What leaves every number as it is, or what mostly does not. */
static int64_t begins_with(writer *w, bool least)
{
    if (w_has(w, w_slip(w) || chance(w->c, 8), TRAIT_FOLD_BEGUN))
        return (int64_t)choose(w->c, 4) - 1;
    return least ? INT32_MAX : INT32_MIN;
}

/* The least of a tile of two, or the greatest. */
static val folded(writer *w, val tile, bool least)
{
    ir_module *m = w->b.module;
    const ir_type *scalar = w->zero->type, *types[] = {scalar, scalar};
    ir_block *outer = w->b.block, *body = ir_block_new(m, w->b.function, 2, types);
    w->b.block = body;
    val both = binary(&w->b, least ? IR_OP_MINI : IR_OP_MAXI, body->args[0], body->args[1]);
    ir_set_int(both->def, least ? IR_AT_MINI_signedness : IR_AT_MAXI_signedness, IR_SIGNED);
    end_block(&w->b, IR_OP_YIELD, 1, &both);
    w->b.block = outer;
    ir_operand_list operand = {&tile, 1};
    ir_op *op = ir_build(&w->b, IR_OP_REDUCE, &operand, 1, &scalar, (uint32_t[]){1});
    ir_attr *identity = TR_NEW(m->arena, ir_attr);
    *identity = ir_attr_typed_int(scalar->elem, begins_with(w, least));
    ir_set_int(op, IR_AT_REDUCE_dim, 0);
    op->attrs[IR_AT_REDUCE_identities] =
        (ir_attr){.kind = IR_ATTR_LIST, .count = 1, .items = identity};
    ir_set_region(op, IR_RG_REDUCE_body, body);
    return &op->results[0];
}

/* Flags index, index + 1 (or + 2) at once; done when all of them are set, or any. */
static val try_lanes(writer *w, val index, val token, val *done)
{
    static const int64_t two[] = {2};
    const ir_type *row = tile_of(&w->b, IR_I32, 1, two);
    val lanes = &ir_build(&w->b, IR_OP_IOTA, NULL, 1, &row, NULL)->results[0];
    w_has(w, true, TRAIT_WAIT_LANES);
    if (w_has(w, w_slip(w) || chance(w->c, 8), TRAIT_WAIT_SPREAD))
        lanes = arithmetic(&w->b, IR_OP_MULI, lanes, spread(&w->b, w_number_of(w, 2), 1, two), 0);
    val p = spread(&w->b, w_at(w, w->flag, index), 1, two);
    p = &op_of(&w->b, IR_OP_OFFSET, 1, &p->type, p, lanes)->results[0];
    ir_op *seen = load_pointer(&w->b, w_order(w, IR_ACQUIRE, true, false), p, NULL, NULL, token);
    bool any = w_has(w, w_slip(w) || chance(w->c, 10), TRAIT_WAIT_ANY);
    val all = folded(w, &seen->results[0], !any);
    *done = chance(w->c, 30) ? w_is(w, IR_NE, all, w->zero) : w_is(w, IR_EQ, all, w->one);
    return token_of(seen);
}

void wait_for_lanes(writer *w, val token)
{
    val raised = publish(w, token);
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    read_on(w, w_spin(w, try_lanes, w_shifted(w, w->zero), raised));
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

/* ---- Counts ---- */

/* All have counted: the start and one for each block. */
static val try_full(writer *w, val index, val token, val *done)
{
    w_has(w, true, TRAIT_WAIT_COUNT);
    int64_t from = chance(w->c, 20) ? w->start == 0 : w->start;
    w_has(w, from != w->start, TRAIT_COUNT_WRONG_START);
    val start = w_number_of(w, from);
    val full = arithmetic(&w->b, IR_OP_ADDI, w_slip(w) ? minus_one(w, w->n) : w->n, start, 0);
    ir_op *seen = w_look(w, index, full, token);
    *done = w_is(w, w_slip(w) ? IR_GE : IR_EQ, &seen->results[0], full);
    return token_of(seen);
}

void wait_for_count(writer *w, val token)
{
    val stored = w_store(w, w_plain, w->data, w->id, w->one, token);
    ir_op *counted =
        w_add(w, w_order(w, IR_RELEASE, true, true), w->flag, w->zero, w->one, w_after(w, stored));
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    read_on(w, w_spin(w, try_full, w->zero, token_of(counted)));
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

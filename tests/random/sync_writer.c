#include "sync_writer.h"

/* ---- Details that may go wrong ---- */

bool w_slip(writer *w)
{
    return chance(w->c, w->slips);
}

bool w_has(writer *w, bool yes, trait which)
{
    w->traits |= yes ? 1u << which : 0;
    return yes;
}

/* The order meant, or a weaker one. */
how w_order(writer *w, ir_ordering meant, bool reads, bool writes)
{
    static const ir_scope scopes[] = {IR_SCOPE_DEVICE, IR_SCOPE_SYS, IR_SCOPE_TL_BLK};
    how h = {meant, scopes[w_slip(w) ? 1 + choose(w->c, 2) : 0]};
    if (w_slip(w)) {
        ir_ordering others[4];
        uint32_t n = 0;
        others[n++] = IR_RELAXED;
        if (!(reads && writes))
            others[n++] = IR_WEAK;
        if (reads && meant != IR_ACQUIRE)
            others[n++] = IR_ACQUIRE;
        if (writes && meant != IR_RELEASE)
            others[n++] = IR_RELEASE;
        h.ordering = others[choose(w->c, n)];
    }
    if (h.ordering == IR_WEAK)
        h.scope = IR_SCOPE_NONE;
    return h;
}

val w_after(writer *w, val token)
{
    return w_slip(w) ? NULL : token;
}

val w_shifted(writer *w, val index)
{
    return w_slip(w) ? arithmetic(&w->b, IR_OP_ADDI, index, w->one, 0) : index;
}

/* ---- Ops on single elements ---- */

val w_at(writer *w, val pointer, val index)
{
    return &op_of(&w->b, IR_OP_OFFSET, 1, &pointer->type, pointer, index)->results[0];
}

const how w_plain = {IR_WEAK, IR_SCOPE_NONE};

val w_number_of(writer *w, int64_t value)
{
    return number(&w->b, IR_I32, value);
}

val w_store(writer *w, how h, val pointer, val index, val value, val token)
{
    return token_of(store_pointer(&w->b, h, w_at(w, pointer, index), value, NULL, token));
}

ir_op *w_load(writer *w, how h, val pointer, val index, val token)
{
    return load_pointer(&w->b, h, w_at(w, pointer, index), NULL, NULL, token);
}

ir_op *w_add(writer *w, how h, val pointer, val index, val value, val token)
{
    return atomic_add(&w->b, h, w_at(w, pointer, index), value, NULL, token);
}

val w_is(writer *w, ir_predicate predicate, val a, val b)
{
    return compare(&w->b, predicate, IR_SIGNED, a, b);
}

/* ---- Control ---- */

branch w_begin_if(writer *w, val condition, bool gives_token)
{
    const ir_type *types[] = {ir_type_token(w->b.module)};
    ir_operand_list group = {&condition, 1};
    uint32_t n = gives_token;
    branch b = {ir_build(&w->b, IR_OP_IF, &group, n, types, (uint32_t[]){n}), w->b.block};
    ir_block *body = ir_block_new(w->b.module, w->b.function, 0, NULL);
    ir_set_region(b.op, IR_RG_IF_then, body);
    w->b.block = body;
    return b;
}

void w_begin_else(writer *w, branch b, val token)
{
    end_block(&w->b, IR_OP_YIELD, token != NULL, &token);
    ir_block *body = ir_block_new(w->b.module, w->b.function, 0, NULL);
    ir_set_region(b.op, IR_RG_IF_else, body);
    w->b.block = body;
}

val w_end_if(writer *w, branch b, val token)
{
    end_block(&w->b, IR_OP_YIELD, token != NULL, &token);
    w->b.block = b.outer;
    return token ? &b.op->results[0] : NULL;
}

val w_spin(writer *w, attempt try, val index, val before)
{
    const ir_type *types[] = {ir_type_token(w->b.module)};
    ir_operand_list group = {&before, 1};
    ir_op *op = ir_build(&w->b, IR_OP_LOOP, &group, 1, types, (uint32_t[]){1});
    ir_block *outer = w->b.block, *body = ir_block_new(w->b.module, w->b.function, 1, types);
    ir_set_region(op, IR_RG_LOOP_body, body);
    w->b.block = body;
    val done, token = try(w, index, body->args[0], &done);
    branch b = w_begin_if(w, done, false);
    val leaves = w_slip(w) ? body->args[0] : token;
    end_block(&w->b, IR_OP_BREAK, 1, &leaves);
    w->b.block = b.outer;
    end_block(&w->b, IR_OP_CONTINUE, 1, &token);
    w->b.block = outer;
    return &op->results[0];
}

/* A look at a word: by a load, by an update that changes nothing, or by a swap of what is waited
 * for with itself, or with 0, so that only one block sees it. */
ir_op *w_look(writer *w, val index, val wanted, val token)
{
    static const unsigned weights[] = {50, 15, 15, 12, 8, 0};
    unsigned way = choose_weighted(w->c, weights);
    how h = w_order(w, IR_ACQUIRE, true, way > 0);
    val pointer = w_at(w, w->flag, index);
    switch (way) {
    case 0:
        return load_pointer(&w->b, h, pointer, NULL, NULL, token);
    case 1:
        return atomic_update(&w->b, h, IR_ATOMIC_OR, pointer, w->zero, NULL, token);
    case 2:
        return atomic_update(&w->b, h, IR_ATOMIC_ADD, pointer, w->zero, NULL, token);
    case 3:
        return atomic_swap(&w->b, h, pointer, wanted, wanted, NULL, token);
    default:
        return atomic_swap(&w->b, h, pointer, wanted, w->zero, NULL, token);
    }
}

val w_try_flag(writer *w, val index, val token, val *done)
{
    ir_op *seen = w_look(w, index, w->one, token);
    *done = w_is(w, IR_EQ, &seen->results[0], w_slip(w) ? w->zero : w->one);
    return token_of(seen);
}

/* Releases at the flag by an update that leaves it as it is, or by a swap, which does nothing where
 * the flag holds something else; the token for the relaxed store that follows. */
static val release_first(writer *w, val index, val token)
{
    how h = w_order(w, IR_RELEASE, true, true);
    val pointer = w_at(w, w->flag, index);
    w_has(w, true, TRAIT_RAISE_SPLIT);
    if (!w_has(w, chance(w->c, 60), TRAIT_RAISE_SWAPPED))
        return token_of(atomic_update(&w->b, h, IR_ATOMIC_ADD, pointer, w->zero, NULL, token));
    val expected = chance(w->c, 40) ? w->one : w->zero;
    return token_of(
        atomic_swap(&w->b, h, pointer, expected, w_number_of(w, choose(w->c, 3)), NULL, token));
}

/* A flag goes up by a store or an update. */
val w_raise(writer *w, val index, val token)
{
    static const ir_atomic_mode modes[] = {IR_ATOMIC_ADD, IR_ATOMIC_OR, IR_ATOMIC_XCHG,
                                           IR_ATOMIC_MAX};
    if (chance(w->c, 35))
        return token_of(atomic_update(&w->b, w_order(w, IR_RELEASE, true, true),
                                      modes[choose(w->c, TR_COUNT(modes))], w_at(w, w->flag, index),
                                      w->one, NULL, token));
    if (chance(w->c, 15)) {
        val released = release_first(w, index, token);
        how relaxed = w_order(w, IR_RELAXED, false, true);
        return w_store(w, relaxed, w->flag, index, w->one, w_after(w, released));
    }
    return w_store(w, w_order(w, IR_RELEASE, false, true), w->flag, index, w->one, token);
}

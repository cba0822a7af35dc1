/* Kernels that synchronise, from the idioms that people use: flags, chains of flags, two flags,
 * counters that the last one reads or that somebody waits for, locks, tickets. Waits look by loads
 * or by updates that leave the word as it is. Each choice of 0 is the idiom as it should be; the
 * others weaken an order, a scope, drop a token, take another element or another guard. So most
 * kernels are one or two slips away from right. */
#include "sync_writer.h"

/* All blocks but the first have counted. */
static val try_count(writer *w, val index, val token, val *done)
{
    val all = w_slip(w) ? w->one : arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    ir_op *seen = w_look(w, index, all, token);
    *done = w_is(w, w_slip(w) ? IR_GE : IR_EQ, &seen->results[0], all);
    return token_of(seen);
}

static val try_lock(writer *w, val index, val token, val *done)
{
    val pointer = w_at(w, w->flag, index);
    how h = w_order(w, IR_ACQUIRE, true, true);
    ir_op *old = chance(w->c, 30)
                     ? atomic_update(&w->b, h, IR_ATOMIC_XCHG, pointer, w->one, NULL, token)
                     : atomic_swap(&w->b, h, pointer, w->zero, w->one, NULL, token);
    *done = w_is(w, IR_EQ, &old->results[0], w->zero);
    return token_of(old);
}

/* ---- Idioms ---- */

/* What is done with the data once the flag is up. */
static val use(writer *w, val index, val token)
{
    if (chance(w->c, 20))
        return w_store(w, w_plain, w->data, index, w->one, w_after(w, token));
    ir_op *read = w_load(w, w_plain, w->data, index, w_after(w, token));
    return w_store(w, w_plain, w->out, w->id, &read->results[0], w_after(w, token_of(read)));
}

static val await_flag(writer *w, val index, val token)
{
    if (chance(w->c, 50))
        return w_spin(w, w_try_flag, index, token);
    return NULL;
}

/* Uses the data behind a flag: waits for it, or looks once. */
static void consume(writer *w, val index, val token)
{
    val waited = await_flag(w, w_shifted(w, index), token);
    if (waited) {
        use(w, index, waited);
        return;
    }
    val done, looked = w_try_flag(w, w_shifted(w, index), token, &done);
    if (w_slip(w)) {
        use(w, index, looked);
        return;
    }
    branch b = w_begin_if(w, done, false);
    use(w, index, looked);
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

/* Block 0 publishes to the others; or each of the first half to one of the second. */
static void message(writer *w, val token)
{
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    val stored = w_store(w, w_plain, w->data, w->zero, w->one, token);
    if (chance(w->c, 25))
        stored = join(&w->b, stored, w_store(w, w_plain, w->out, w->n, w->one, token));
    val raised = w_raise(w, w->zero, w_after(w, stored));
    if (chance(w->c, 15)) /* the datum again, too late */
        w_store(w, w_plain, w->data, w->zero, w->zero, w_after(w, raised));
    w_begin_else(w, b, NULL);
    consume(w, w->zero, token);
    w_end_if(w, b, NULL);
}

/* Block k waits for block k - 1, works on the datum, and lets block k + 1 go on. */
static void chain(writer *w, val token)
{
    bool own = chance(w->c, 30); /* each its own datum, of which the next one reads */
    val before = arithmetic(&w->b, IR_OP_SUBI, w->id, w->one, 0);
    branch b = w_begin_if(w, w_is(w, IR_GT, w->id, w->zero), true);
    val waited = w_spin(w, w_try_flag, before, token);
    if (own) {
        ir_op *read = w_load(w, w_plain, w->data, before, w_after(w, waited));
        waited = token_of(read);
    }
    w_begin_else(w, b, waited);
    val turn = w_end_if(w, b, token), index = own ? w->id : w->zero;
    val stored = w_store(w, w_plain, w->data, index, w->id, w_after(w, turn));
    w_raise(w, w_shifted(w, w->id), w_after(w, stored));
}

/* The last block to count sees what all have stored. */
static void counter(writer *w, val token)
{
    val stored = w_store(w, w_plain, w->data, w->id, w->one, token);
    ir_op *old =
        w_add(w, w_order(w, IR_ACQ_REL, true, true), w->flag, w->zero, w->one, w_after(w, stored));
    val last = w_slip(w) ? w->one : arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    branch b = w_begin_if(w, w_is(w, w_slip(w) ? IR_GE : IR_EQ, &old->results[0], last), false);
    ir_op *first = w_load(w, w_plain, w->data, w->zero, w_after(w, token_of(old)));
    ir_op *second = w_load(w, w_plain, w->data, w->one, w_after(w, token_of(old)));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &first->results[0], &second->results[0], 0);
    w_store(w, w_plain, w->out, w->zero, sum, w_after(w, token_of(first)));
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

/* Block 0 raises two flags, each with its datum; the others wait for one or for both, or for the
 * later one only. */
static void two_flags(writer *w, val token)
{
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    val first = w_store(w, w_plain, w->data, w->zero, w->one, token);
    val up = w_raise(w, w->zero, w_after(w, first));
    val second = w_store(w, w_plain, w->data, w->one, w->one, chance(w->c, 50) ? up : token);
    w_raise(w, w->one, chance(w->c, 50) ? w_after(w, second) : join(&w->b, second, up));
    w_begin_else(w, b, NULL);
    val waited = token;
    if (chance(w->c, 60))
        waited = w_spin(w, w_try_flag, w_shifted(w, w->zero), token);
    if (chance(w->c, 75))
        waited = w_spin(w, w_try_flag, w->one, w_slip(w) ? token : waited);
    ir_op *one = w_load(w, w_plain, w->data, w->zero, w_after(w, waited));
    ir_op *two = w_load(w, w_plain, w->data, w->one, w_after(w, waited));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &one->results[0], &two->results[0], 0);
    w_store(w, w_plain, w->out, w->id, sum, w_after(w, token_of(two)));
    w_end_if(w, b, NULL);
}

/* Block 0 waits until all others have counted, and takes what they stored. */
static void gather(writer *w, val token)
{
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    val waited = w_spin(w, try_count, w->zero, token);
    val last = arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    ir_op *one = w_load(w, w_plain, w->data, w->one, w_after(w, waited));
    ir_op *two = w_load(w, w_plain, w->data, last, w_after(w, waited));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &one->results[0], &two->results[0], 0);
    w_store(w, w_plain, w->out, w->zero, sum, w_after(w, token_of(one)));
    w_begin_else(w, b, NULL);
    val stored = w_store(w, w_plain, w->data, w_shifted(w, w->id), w->one, token);
    if (chance(w->c, 20)) /* ... twice, and one of the tokens may be lost */
        stored = w_slip(w) ? stored
                           : join(&w->b, stored, w_store(w, w_plain, w->out, w->id, w->one, token));
    w_add(w, w_order(w, IR_RELEASE, true, true), w->flag, w->zero, w->one, w_after(w, stored));
    w_end_if(w, b, NULL);
}

/* A datum under a lock. */
static void lock(writer *w, val token)
{
    val which = w_slip(w) ? w->id : w->zero; /* a lock for each block guards nothing */
    val held = w_spin(w, try_lock, which, token);
    ir_op *read = w_load(w, w_plain, w->data, w->zero, w_after(w, held));
    val next = arithmetic(&w->b, IR_OP_ADDI, &read->results[0], w->one, 0);
    val stored = w_store(w, w_plain, w->data, w->zero, next, w_after(w, token_of(read)));
    w_store(w, w_order(w, IR_RELEASE, false, true), w->flag, w_shifted(w, which), w->zero,
            w_after(w, stored));
}

/* Each ticket is one block's. */
static void ticket(writer *w, val token)
{
    how h = w_order(w, IR_RELAXED, true, true);
    ir_op *mine = w_slip(w)
                      ? w_load(w, w_order(w, IR_RELAXED, true, false), w->flag, w->zero, token)
                      : w_add(w, h, w->flag, w->zero, w_slip(w) ? w->zero : w->one, token);
    branch b = w_begin_if(w, w_is(w, IR_LT, &mine->results[0], w_number_of(w, 4)), false);
    w_store(w, w_plain, w->data, &mine->results[0], w->id, NULL);
    w_begin_else(w, b, NULL);
    w_end_if(w, b, NULL);
}

/* ---- Anything ---- */

static how any_order(writer *w, bool reads, bool writes)
{
    static const ir_ordering orders[] = {IR_RELAXED, IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL, IR_WEAK};
    static const ir_scope scopes[] = {IR_SCOPE_DEVICE, IR_SCOPE_DEVICE, IR_SCOPE_SYS,
                                      IR_SCOPE_TL_BLK};
    how h = {orders[choose(w->c, reads && writes ? 4 : 5)], scopes[choose(w->c, 4)]};
    if ((h.ordering == IR_ACQUIRE && !reads) || (h.ordering == IR_RELEASE && !writes))
        h.ordering = reads ? IR_ACQUIRE : IR_RELEASE;
    if (h.ordering == IR_ACQ_REL && !(reads && writes))
        h.ordering = IR_RELAXED;
    if (h.ordering == IR_WEAK)
        h.scope = IR_SCOPE_NONE;
    return h;
}

/* One access to a flag or to data; what it read, or NULL. */
static val any_access(writer *w, val *token)
{
    bool flags = !chance(w->c, 40);
    val pointer = flags ? w->flag : w->data, index = choose(w->c, 3) ? w->zero : w->one;
    val before = chance(w->c, 25) ? NULL : *token;
    static const ir_atomic_mode modes[] = {IR_ATOMIC_ADD, IR_ATOMIC_ADD, IR_ATOMIC_OR,
                                           IR_ATOMIC_XCHG};
    ir_op *op;
    switch (choose(w->c, flags ? 3 : 2)) {
    case 0:
        op = w_load(w, flags ? any_order(w, true, false) : w_plain, pointer, index, before);
        break;
    case 1:
        op = store_pointer(&w->b, flags ? any_order(w, false, true) : w_plain,
                           w_at(w, pointer, index), w->one, NULL, before);
        break;
    default:
        op = atomic_update(&w->b, any_order(w, true, true), modes[choose(w->c, TR_COUNT(modes))],
                           w_at(w, pointer, index), choose(w->c, 5) ? w->one : w->zero, NULL,
                           before);
    }
    *token = chance(w->c, 20) ? join(&w->b, *token, token_of(op)) : token_of(op);
    return op->n_results > 1 && flags ? &op->results[0] : NULL;
}

static void any_accesses(writer *w, val token, int depth)
{
    for (int n = 1 + (int)choose(w->c, 3); n > 0; n--) {
        val seen = any_access(w, &token);
        if (!seen || depth == 0 || !chance(w->c, 60))
            continue;
        ir_predicate predicate = chance(w->c, 70) ? IR_EQ : IR_GE;
        branch b =
            w_begin_if(w, w_is(w, predicate, seen, choose(w->c, 3) ? w->one : w->zero), false);
        any_accesses(w, token, depth - 1);
        w_begin_else(w, b, NULL);
        w_end_if(w, b, NULL);
    }
}

/* Two kinds of blocks, a few accesses each. */
static void mixture(writer *w, val token)
{
    branch b = w_begin_if(w, w_is(w, IR_EQ, w->id, w->zero), false);
    any_accesses(w, token, 1);
    w_begin_else(w, b, NULL);
    any_accesses(w, token, 2);
    w_end_if(w, b, NULL);
}

/* ---- The kernel ---- */

/* What is said of flags and counters at launch: all of it, half of it, nothing, or that they hold
 * another value than the kernel takes them to hold. */
static int64_t state_flags(choices *c, smt_ctx *ctx, sample *s, contract_contents *flags)
{
    static const unsigned weights[] = {80, 8, 6, 6, 0};
    unsigned way = choose_weighted(c, weights);
    s->traits |= 1u << (TRAIT_FLAG_START_TRUE + way);
    int64_t start = way == 1;
    if (way < 2)
        flags->min = flags->max = smt_int_const(ctx, start);
    if (way == 2)
        flags->min = smt_int_const(ctx, 0);
    return start;
}

static contract *state(choices *drawn, smt_ctx *ctx, sample *s, int64_t *start)
{
    static const char *const names[] = {"n", "data", "flag", "out"};
    contract *c = contract_new(ctx, "kernel", 4);
    for (size_t i = 0; i < 4; i++) {
        c->args[i].name = names[i];
        c->args[i].kind = i ? CONTRACT_POINTER : CONTRACT_SCALAR;
        c->args[i].buffer = i ? names[i] : NULL;
        c->args[i].buffer_stated = i > 0;
        c->args[i].elements = i ? smt_int_const(ctx, 8) : NULL;
    }
    c->args[0].bits = 32;
    c->args[0].is_signed = true;
    *start = state_flags(drawn, ctx, s, &c->args[2].contents);
    /* Tight, or loose: but no more blocks than data. */
    smt_t blocks = contract_param(ctx, c, 0);
    contract_add_fact(c, smt_ge(ctx, blocks, smt_int_const(ctx, 2)), "n >= 2", NULL);
    contract_add_fact(c, smt_le(ctx, blocks, smt_int_const(ctx, chance(drawn, 25) ? 8 : 4)),
                      "n is small", NULL);
    c->grid[0] = blocks;
    c->source = CONTRACT_SOURCE;
    contract_settle_ranges(ctx, c, NULL);
    s->low[0] = 2;
    s->high[0] = 3;
    return c;
}

static void begin(writer *w, sample *s)
{
    ir_module *m = w->b.module;
    const ir_type *number_type = tile_of(&w->b, IR_I32, 0, NULL);
    const ir_type *pointer =
        ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, IR_I32)), 0, NULL);
    const ir_type *types[] = {number_type, pointer, pointer, pointer};
    ir_function *f = ir_function_add(m, "kernel", ir_type_function(m, 4, types, 0, NULL));
    f->is_entry = true;
    if (!f->body)
        f->body = ir_block_new(m, f, 4, types);
    for (size_t i = 0; i < 4; i++)
        f->body->args[i]->name = s->contract->args[i].name;
    w->b.function = f;
    w->b.block = f->body;
    s->kernel = f;
    w->n = f->body->args[0];
    w->data = f->body->args[1];
    w->flag = f->body->args[2];
    w->out = f->body->args[3];
    const ir_type *ids[] = {number_type, number_type, number_type};
    w->id = &ir_build(&w->b, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, ids, NULL)->results[0];
    w->zero = w_number_of(w, 0);
    w->one = w_number_of(w, 1);
}

sample sample_make_sync(choices *c, smt_ctx *ctx)
{
    static void (*const idioms[])(writer *w, val token) = {
        message,   chain,  counter,       lock,           ticket,        mixture,
        two_flags, gather, wait_for_some, wait_for_lanes, wait_for_count};
    static const unsigned slips[] = {0, 4, 8, 16};
    sample s = {.module = ir_module_new("random")};
    s.module->version_minor = 3;
    int64_t start;
    s.contract = state(c, ctx, &s, &start);
    writer w = {.c = c, .ctx = ctx, .b = {.module = s.module}, .start = start};
    w.slips = slips[choose(c, TR_COUNT(slips))];
    begin(&w, &s);
    idioms[choose(c, TR_COUNT(idioms))](&w, make_token(&w.b));
    end_block(&w.b, IR_OP_RETURN, 0, NULL);
    ir_renumber(w.b.function);
    s.traits |= w.traits;
    return s;
}

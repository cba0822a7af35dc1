/* Kernels that synchronise, from the idioms that people use: flags, chains of flags, two flags,
 * counters that the last one reads or that somebody waits for, locks, tickets. Waits look by loads
 * or by updates that leave the word as it is. Each choice of 0 is the idiom as it should be; the
 * others weaken an order, a scope, drop a token, take another element or another guard. So most
 * kernels are one or two slips away from right. */
#include "build.h"
#include "generate.h"

typedef struct writer {
    choices *c;
    smt_ctx *ctx;
    ir_builder b;
    val data, flag, out, n, id, zero, one;
    unsigned slips; /* percent of details that go wrong */
} writer;

/* ---- Details that may go wrong ---- */

static bool slip(writer *w)
{
    return chance(w->c, w->slips);
}

/* The order meant, or a weaker one. */
static how order(writer *w, ir_ordering meant, bool reads, bool writes)
{
    static const ir_scope scopes[] = {IR_SCOPE_DEVICE, IR_SCOPE_SYS, IR_SCOPE_TL_BLK};
    how h = {meant, scopes[slip(w) ? 1 + choose(w->c, 2) : 0]};
    if (slip(w)) {
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

static val after(writer *w, val token)
{
    return slip(w) ? NULL : token;
}

static val shifted(writer *w, val index)
{
    return slip(w) ? arithmetic(&w->b, IR_OP_ADDI, index, w->one, 0) : index;
}

/* ---- Ops on single elements ---- */

static val at(writer *w, val pointer, val index)
{
    return &op_of(&w->b, IR_OP_OFFSET, 1, &pointer->type, pointer, index)->results[0];
}

static const how plain = {IR_WEAK, IR_SCOPE_NONE};

static val number_of(writer *w, int64_t value)
{
    return number(&w->b, IR_I32, value);
}

static val store(writer *w, how h, val pointer, val index, val value, val token)
{
    return token_of(store_pointer(&w->b, h, at(w, pointer, index), value, NULL, token));
}

static ir_op *load(writer *w, how h, val pointer, val index, val token)
{
    return load_pointer(&w->b, h, at(w, pointer, index), NULL, NULL, token);
}

static ir_op *add(writer *w, how h, val pointer, val index, val value, val token)
{
    return atomic_add(&w->b, h, at(w, pointer, index), value, NULL, token);
}

static val is(writer *w, ir_predicate predicate, val a, val b)
{
    return compare(&w->b, predicate, IR_SIGNED, a, b);
}

/* ---- Control ---- */

typedef struct branch {
    ir_op *op;
    ir_block *outer;
} branch;

static branch begin_if(writer *w, val condition, bool gives_token)
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

static void begin_else(writer *w, branch b, val token)
{
    end_block(&w->b, IR_OP_YIELD, token != NULL, &token);
    ir_block *body = ir_block_new(w->b.module, w->b.function, 0, NULL);
    ir_set_region(b.op, IR_RG_IF_else, body);
    w->b.block = body;
}

static val end_if(writer *w, branch b, val token)
{
    end_block(&w->b, IR_OP_YIELD, token != NULL, &token);
    w->b.block = b.outer;
    return token ? &b.op->results[0] : NULL;
}

/* The wait of a spin loop: gives the token that whoever goes on takes. */
typedef val (*attempt)(writer *w, val index, val token, val *done);

static val spin(writer *w, attempt try, val index, val before)
{
    const ir_type *types[] = {ir_type_token(w->b.module)};
    ir_operand_list group = {&before, 1};
    ir_op *op = ir_build(&w->b, IR_OP_LOOP, &group, 1, types, (uint32_t[]){1});
    ir_block *outer = w->b.block, *body = ir_block_new(w->b.module, w->b.function, 1, types);
    ir_set_region(op, IR_RG_LOOP_body, body);
    w->b.block = body;
    val done, token = try(w, index, body->args[0], &done);
    branch b = begin_if(w, done, false);
    val leaves = slip(w) ? body->args[0] : token;
    end_block(&w->b, IR_OP_BREAK, 1, &leaves);
    w->b.block = b.outer;
    end_block(&w->b, IR_OP_CONTINUE, 1, &token);
    w->b.block = outer;
    return &op->results[0];
}

/* A look at a word: by a load, by an update that changes nothing, or by a swap of what is waited
 * for with itself, or with 0, so that only one block sees it. */
static ir_op *look(writer *w, val index, val wanted, val token)
{
    static const unsigned weights[] = {50, 15, 15, 12, 8, 0};
    unsigned way = choose_weighted(w->c, weights);
    how h = order(w, IR_ACQUIRE, true, way > 0);
    val pointer = at(w, w->flag, index);
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

static val try_flag(writer *w, val index, val token, val *done)
{
    ir_op *seen = look(w, index, w->one, token);
    *done = is(w, IR_EQ, &seen->results[0], slip(w) ? w->zero : w->one);
    return token_of(seen);
}

/* All blocks but the first have counted. */
static val try_count(writer *w, val index, val token, val *done)
{
    val all = slip(w) ? w->one : arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    ir_op *seen = look(w, index, all, token);
    *done = is(w, slip(w) ? IR_GE : IR_EQ, &seen->results[0], all);
    return token_of(seen);
}

static val try_lock(writer *w, val index, val token, val *done)
{
    val pointer = at(w, w->flag, index);
    how h = order(w, IR_ACQUIRE, true, true);
    ir_op *old = chance(w->c, 30)
                     ? atomic_update(&w->b, h, IR_ATOMIC_XCHG, pointer, w->one, NULL, token)
                     : atomic_swap(&w->b, h, pointer, w->zero, w->one, NULL, token);
    *done = is(w, IR_EQ, &old->results[0], w->zero);
    return token_of(old);
}

/* ---- Idioms ---- */

/* A flag goes up by a store or an update. */
static val raise(writer *w, val index, val token)
{
    static const ir_atomic_mode modes[] = {IR_ATOMIC_ADD, IR_ATOMIC_OR, IR_ATOMIC_XCHG,
                                           IR_ATOMIC_MAX};
    if (chance(w->c, 35))
        return token_of(atomic_update(&w->b, order(w, IR_RELEASE, true, true),
                                      modes[choose(w->c, TR_COUNT(modes))], at(w, w->flag, index),
                                      w->one, NULL, token));
    return store(w, order(w, IR_RELEASE, false, true), w->flag, index, w->one, token);
}

/* What is done with the data once the flag is up. */
static val use(writer *w, val index, val token)
{
    if (chance(w->c, 20))
        return store(w, plain, w->data, index, w->one, after(w, token));
    ir_op *read = load(w, plain, w->data, index, after(w, token));
    return store(w, plain, w->out, w->id, &read->results[0], after(w, token_of(read)));
}

static val await_flag(writer *w, val index, val token)
{
    if (chance(w->c, 50))
        return spin(w, try_flag, index, token);
    return NULL;
}

/* Uses the data behind a flag: waits for it, or looks once. */
static void consume(writer *w, val index, val token)
{
    val waited = await_flag(w, shifted(w, index), token);
    if (waited) {
        use(w, index, waited);
        return;
    }
    val done, looked = try_flag(w, shifted(w, index), token, &done);
    if (slip(w)) {
        use(w, index, looked);
        return;
    }
    branch b = begin_if(w, done, false);
    use(w, index, looked);
    begin_else(w, b, NULL);
    end_if(w, b, NULL);
}

/* Block 0 publishes to the others; or each of the first half to one of the second. */
static void message(writer *w, val token)
{
    branch b = begin_if(w, is(w, IR_EQ, w->id, w->zero), false);
    val stored = store(w, plain, w->data, w->zero, w->one, token);
    if (chance(w->c, 25))
        stored = join(&w->b, stored, store(w, plain, w->out, w->n, w->one, token));
    val raised = raise(w, w->zero, after(w, stored));
    if (chance(w->c, 15)) /* the datum again, too late */
        store(w, plain, w->data, w->zero, w->zero, after(w, raised));
    begin_else(w, b, NULL);
    consume(w, w->zero, token);
    end_if(w, b, NULL);
}

/* Block k waits for block k - 1, works on the datum, and lets block k + 1 go on. */
static void chain(writer *w, val token)
{
    bool own = chance(w->c, 30); /* each its own datum, of which the next one reads */
    val before = arithmetic(&w->b, IR_OP_SUBI, w->id, w->one, 0);
    branch b = begin_if(w, is(w, IR_GT, w->id, w->zero), true);
    val waited = spin(w, try_flag, before, token);
    if (own) {
        ir_op *read = load(w, plain, w->data, before, after(w, waited));
        waited = token_of(read);
    }
    begin_else(w, b, waited);
    val turn = end_if(w, b, token), index = own ? w->id : w->zero;
    val stored = store(w, plain, w->data, index, w->id, after(w, turn));
    raise(w, shifted(w, w->id), after(w, stored));
}

/* The last block to count sees what all have stored. */
static void counter(writer *w, val token)
{
    val stored = store(w, plain, w->data, w->id, w->one, token);
    ir_op *old =
        add(w, order(w, IR_ACQ_REL, true, true), w->flag, w->zero, w->one, after(w, stored));
    val last = slip(w) ? w->one : arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    branch b = begin_if(w, is(w, slip(w) ? IR_GE : IR_EQ, &old->results[0], last), false);
    ir_op *first = load(w, plain, w->data, w->zero, after(w, token_of(old)));
    ir_op *second = load(w, plain, w->data, w->one, after(w, token_of(old)));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &first->results[0], &second->results[0], 0);
    store(w, plain, w->out, w->zero, sum, after(w, token_of(first)));
    begin_else(w, b, NULL);
    end_if(w, b, NULL);
}

/* Block 0 raises two flags, each with its datum; the others wait for one or for both, or for the
 * later one only. */
static void two_flags(writer *w, val token)
{
    branch b = begin_if(w, is(w, IR_EQ, w->id, w->zero), false);
    val first = store(w, plain, w->data, w->zero, w->one, token);
    val up = raise(w, w->zero, after(w, first));
    val second = store(w, plain, w->data, w->one, w->one, chance(w->c, 50) ? up : token);
    raise(w, w->one, chance(w->c, 50) ? after(w, second) : join(&w->b, second, up));
    begin_else(w, b, NULL);
    val waited = token;
    if (chance(w->c, 60))
        waited = spin(w, try_flag, shifted(w, w->zero), token);
    if (chance(w->c, 75))
        waited = spin(w, try_flag, w->one, slip(w) ? token : waited);
    ir_op *one = load(w, plain, w->data, w->zero, after(w, waited));
    ir_op *two = load(w, plain, w->data, w->one, after(w, waited));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &one->results[0], &two->results[0], 0);
    store(w, plain, w->out, w->id, sum, after(w, token_of(two)));
    end_if(w, b, NULL);
}

/* Block 0 waits until all others have counted, and takes what they stored. */
static void gather(writer *w, val token)
{
    branch b = begin_if(w, is(w, IR_EQ, w->id, w->zero), false);
    val waited = spin(w, try_count, w->zero, token);
    val last = arithmetic(&w->b, IR_OP_SUBI, w->n, w->one, 0);
    ir_op *one = load(w, plain, w->data, w->one, after(w, waited));
    ir_op *two = load(w, plain, w->data, last, after(w, waited));
    val sum = arithmetic(&w->b, IR_OP_ADDI, &one->results[0], &two->results[0], 0);
    store(w, plain, w->out, w->zero, sum, after(w, token_of(one)));
    begin_else(w, b, NULL);
    val stored = store(w, plain, w->data, shifted(w, w->id), w->one, token);
    if (chance(w->c, 20)) /* ... twice, and one of the tokens may be lost */
        stored =
            slip(w) ? stored : join(&w->b, stored, store(w, plain, w->out, w->id, w->one, token));
    add(w, order(w, IR_RELEASE, true, true), w->flag, w->zero, w->one, after(w, stored));
    end_if(w, b, NULL);
}

/* A datum under a lock. */
static void lock(writer *w, val token)
{
    val which = slip(w) ? w->id : w->zero; /* a lock for each block guards nothing */
    val held = spin(w, try_lock, which, token);
    ir_op *read = load(w, plain, w->data, w->zero, after(w, held));
    val next = arithmetic(&w->b, IR_OP_ADDI, &read->results[0], w->one, 0);
    val stored = store(w, plain, w->data, w->zero, next, after(w, token_of(read)));
    store(w, order(w, IR_RELEASE, false, true), w->flag, shifted(w, which), w->zero,
          after(w, stored));
}

/* Each ticket is one block's. */
static void ticket(writer *w, val token)
{
    how h = order(w, IR_RELAXED, true, true);
    ir_op *mine = slip(w) ? load(w, order(w, IR_RELAXED, true, false), w->flag, w->zero, token)
                          : add(w, h, w->flag, w->zero, slip(w) ? w->zero : w->one, token);
    branch b = begin_if(w, is(w, IR_LT, &mine->results[0], number_of(w, 4)), false);
    store(w, plain, w->data, &mine->results[0], w->id, NULL);
    begin_else(w, b, NULL);
    end_if(w, b, NULL);
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
        op = load(w, flags ? any_order(w, true, false) : plain, pointer, index, before);
        break;
    case 1:
        op = store_pointer(&w->b, flags ? any_order(w, false, true) : plain, at(w, pointer, index),
                           w->one, NULL, before);
        break;
    default:
        op = atomic_update(&w->b, any_order(w, true, true), modes[choose(w->c, TR_COUNT(modes))],
                           at(w, pointer, index), choose(w->c, 5) ? w->one : w->zero, NULL, before);
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
        branch b = begin_if(w, is(w, predicate, seen, choose(w->c, 3) ? w->one : w->zero), false);
        any_accesses(w, token, depth - 1);
        begin_else(w, b, NULL);
        end_if(w, b, NULL);
    }
}

/* Two kinds of blocks, a few accesses each. */
static void mixture(writer *w, val token)
{
    branch b = begin_if(w, is(w, IR_EQ, w->id, w->zero), false);
    any_accesses(w, token, 1);
    begin_else(w, b, NULL);
    any_accesses(w, token, 2);
    end_if(w, b, NULL);
}

/* ---- The kernel ---- */

static contract *state(smt_ctx *ctx, sample *s)
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
    c->args[2].contents.min = c->args[2].contents.max = smt_int_const(ctx, 0);
    contract_bound(c, 0, 2, 4);
    c->grid[0] = contract_param(ctx, c, 0);
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
    w->zero = number_of(w, 0);
    w->one = number_of(w, 1);
}

sample sample_make_sync(choices *c, smt_ctx *ctx)
{
    static void (*const idioms[])(writer *w, val token) = {message, chain,   counter,   lock,
                                                           ticket,  mixture, two_flags, gather};
    static const unsigned slips[] = {0, 4, 8, 16};
    sample s = {.module = ir_module_new("random")};
    s.module->version_minor = 3;
    s.contract = state(ctx, &s);
    writer w = {.c = c, .ctx = ctx, .b = {.module = s.module}};
    w.slips = slips[choose(c, TR_COUNT(slips))];
    begin(&w, &s);
    idioms[choose(c, TR_COUNT(idioms))](&w, make_token(&w.b));
    end_block(&w.b, IR_OP_RETURN, 0, NULL);
    ir_renumber(w.b.function);
    return s;
}

#include "emit.h"

#include "../random/build.h"

typedef struct writer {
    const grammar *g;
    const shape *s;
    ir_builder b;
    val leaves[N_LEAVES];
    val x, f, datum;
} writer;

static val number_of(writer *w, int64_t value)
{
    return number(&w->b, IR_I32, value);
}

static val with_sign(val v, unsigned attribute)
{
    ir_set_int(v->def, attribute, IR_SIGNED);
    return v;
}

static val emit_expr(writer *w, uint16_t e)
{
    const expr *node = &w->g->exprs[e];
    if (node->op == EXPR_LEAF)
        return w->leaves[node->a];
    val a = emit_expr(w, node->a), b = emit_expr(w, node->b);
    switch (node->op) {
    case EXPR_ADD:
        return arithmetic(&w->b, IR_OP_ADDI, a, b, IR_NSW);
    case EXPR_MUL:
        return arithmetic(&w->b, IR_OP_MULI, a, b, IR_NSW);
    case EXPR_MIN:
        return with_sign(binary(&w->b, IR_OP_MINI, a, b), IR_AT_MINI_signedness);
    case EXPR_XOR:
        return binary(&w->b, IR_OP_XORI, a, b);
    case EXPR_MOD:
        return with_sign(binary(&w->b, IR_OP_REMI, a, b), IR_AT_REMI_signedness);
    default: {
        val v = with_sign(binary(&w->b, IR_OP_DIVI, a, b), IR_AT_DIVI_signedness);
        ir_set_int(v->def, IR_AT_DIVI_rounding, IR_ROUND_ZERO);
        return v;
    }
    }
}

static const how weak = {IR_WEAK, IR_SCOPE_NONE};

static val element(writer *w, val base, val index)
{
    return &op_of(&w->b, IR_OP_OFFSET, 1, &base->type, base, index)->results[0];
}

/* One access to x; gives its token. */
static val emit_access(writer *w, uint16_t at, bool stores, bool masked, val token)
{
    val index = emit_expr(w, at), mask = NULL;
    if (masked && w->s->mask) {
        val below = emit_expr(w, shape_masked(w->g, w->s, at));
        mask = compare(&w->b, IR_LT, IR_SIGNED, below, w->leaves[LEAF_P]);
    }
    val pointer = element(w, w->x, index);
    return token_of(stores ? store_pointer(&w->b, weak, pointer, w->datum, mask, token)
                           : load_pointer(&w->b, weak, pointer, mask, NULL, token));
}

static val emit_accesses(writer *w, val token)
{
    const shape *s = w->s;
    bool one = s->family == ONE_ACCESS;
    token_use use = (token_use)s->tokens;
    val first = emit_access(w, s->first, true, one, use == TOKENS_CHAINED ? token : NULL);
    if (one)
        return first;
    return emit_access(w, s->second, s->second_stores, true, use == TOKENS_NONE ? NULL : first);
}

static void emit_loop(writer *w, val token)
{
    const ir_type *types[] = {w->leaves[LEAF_P]->type, token->type};
    val low = number_of(w, 0), step = number_of(w, 1);
    val high = w->s->trip == TRIP_P ? w->leaves[LEAF_P] : number_of(w, 3);
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {&token, 1}};
    ir_op *op = ir_build(&w->b, IR_OP_FOR, groups, 1, types + 1, (uint32_t[]){1});
    ir_block *outer = w->b.block, *body = ir_block_new(w->b.module, w->b.function, 2, types);
    ir_set_region(op, IR_RG_FOR_body, body);
    w->b.block = body;
    w->leaves[LEAF_I] = body->args[0];
    val next = emit_accesses(w, body->args[1]);
    end_block(&w->b, IR_OP_CONTINUE, 1, &next);
    w->b.block = outer;
}

/* ---- Flags ---- */

static ir_op *begin_if(writer *w, val condition)
{
    ir_operand_list group = {&condition, 1};
    return ir_build(&w->b, IR_OP_IF, &group, 0, NULL, (uint32_t[]){0});
}

static void open_region(writer *w, ir_op *op, unsigned region)
{
    ir_block *body = ir_block_new(w->b.module, w->b.function, 0, NULL);
    ir_set_region(op, region, body);
    w->b.block = body;
}

static val flag_is_set(writer *w, val token, val *after)
{
    static const how acquire = {IR_ACQUIRE, IR_SCOPE_DEVICE};
    val pointer = element(w, w->f, emit_expr(w, w->s->awaited));
    ir_op *seen = load_pointer(&w->b, acquire, pointer, NULL, NULL, token);
    *after = w->s->waiting == WAIT_NO_TOKEN ? token : token_of(seen);
    return compare(&w->b, IR_NE, IR_SIGNED, &seen->results[0], w->leaves[LEAF_0]);
}

static val spin(writer *w, val token)
{
    const ir_type *types[] = {token->type};
    ir_operand_list group = {&token, 1};
    ir_op *op = ir_build(&w->b, IR_OP_LOOP, &group, 1, types, (uint32_t[]){1});
    ir_block *outer = w->b.block, *body = ir_block_new(w->b.module, w->b.function, 1, types);
    ir_set_region(op, IR_RG_LOOP_body, body);
    w->b.block = body;
    val after, done = flag_is_set(w, body->args[0], &after);
    ir_op *leave = begin_if(w, done);
    open_region(w, leave, IR_RG_IF_then);
    end_block(&w->b, IR_OP_BREAK, 1, &after);
    w->b.block = body;
    end_block(&w->b, IR_OP_CONTINUE, 1, &body->args[0]);
    w->b.block = outer;
    return &op->results[0];
}

static void emit_reader(writer *w, val token)
{
    if (w->s->waiting != WAIT_ONCE) {
        val waited = spin(w, token);
        emit_access(w, w->s->second, w->s->second_stores, false,
                    w->s->waiting == WAIT_NO_TOKEN ? token : waited);
        return;
    }
    val after, done = flag_is_set(w, token, &after);
    ir_block *outer = w->b.block;
    open_region(w, begin_if(w, done), IR_RG_IF_then);
    emit_access(w, w->s->second, w->s->second_stores, false, after);
    end_block(&w->b, IR_OP_YIELD, 0, NULL);
    w->b.block = outer;
}

static void emit_flagged(writer *w, val token)
{
    bool relaxed = w->s->waiting == WAIT_RELAXED;
    how release = {relaxed ? IR_RELAXED : IR_RELEASE, IR_SCOPE_DEVICE};
    ir_block *outer = w->b.block;
    ir_op *op = begin_if(w, compare(&w->b, IR_EQ, IR_SIGNED, w->leaves[LEAF_X], w->leaves[LEAF_0]));
    open_region(w, op, IR_RG_IF_then);
    val stored = emit_access(w, w->s->first, true, false, token);
    val flag = element(w, w->f, emit_expr(w, w->s->set));
    store_pointer(&w->b, release, flag, w->leaves[LEAF_1], NULL, stored);
    end_block(&w->b, IR_OP_YIELD, 0, NULL);
    open_region(w, op, IR_RG_IF_else);
    emit_reader(w, token);
    end_block(&w->b, IR_OP_YIELD, 0, NULL);
    w->b.block = outer;
}

/* ---- Frame ---- */

static contract *state(smt_ctx *ctx)
{
    static const char *const names[] = {"p", "x", "f"};
    contract *c = contract_new(ctx, "kernel", 3);
    for (size_t i = 0; i < 3; i++) {
        c->args[i].name = names[i];
        c->args[i].kind = i ? CONTRACT_POINTER : CONTRACT_SCALAR;
        c->args[i].buffer = i ? names[i] : NULL;
    }
    c->args[0].bits = 32;
    c->args[0].is_signed = true;
    c->args[2].contents.min = c->args[2].contents.max = smt_int_const(ctx, 0);
    smt_t p = contract_param(ctx, c, 0), most = smt_int_const(ctx, 1000);
    contract_add_fact(c, smt_ge(ctx, p, smt_int_const(ctx, 1)), "p >= 1", NULL);
    contract_add_fact(c, smt_le(ctx, p, most), "p <= 1000", NULL);
    contract_add_fact(c, smt_le(ctx, contract_grid(ctx, 0), most), "grid.x <= 1000", NULL);
    contract_add_fact(c, smt_le(ctx, contract_grid(ctx, 1), most), "grid.y <= 1000", NULL);
    c->source = CONTRACT_SOURCE;
    contract_settle_ranges(ctx, c, NULL);
    return c;
}

kernel kernel_make(smt_ctx *ctx, const grammar *g, const shape *s)
{
    kernel k = {.module = ir_module_new("exhaustive"), .contract = state(ctx)};
    writer w = {.g = g, .s = s, .b = {.module = k.module}};
    ir_module *m = k.module;
    m->version_minor = 3;
    const ir_type *i32 = tile_of(&w.b, IR_I32, 0, NULL);
    const ir_type *pointer =
        ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, IR_I32)), 0, NULL);
    /* Numbers of an unknown value: launches need not be filled with them. */
    const ir_type *data = ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, IR_F32)), 0, NULL);
    const ir_type *types[] = {i32, data, pointer}, *ids[] = {i32, i32, i32};
    ir_function *f = ir_function_add(m, "kernel", ir_type_function(m, 3, types, 0, NULL));
    f->is_entry = true;
    if (!f->body)
        f->body = ir_block_new(m, f, 3, types);
    for (size_t i = 0; i < 3; i++)
        f->body->args[i]->name = k.contract->args[i].name;
    w.b.function = f;
    w.b.block = f->body;
    ir_op *id = ir_build(&w.b, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, ids, NULL);
    w.leaves[LEAF_X] = &id->results[0];
    w.leaves[LEAF_Y] = &id->results[1];
    if (shape_reads(g, s) & READS_X)
        w.leaves[LEAF_G] =
            &ir_build(&w.b, IR_OP_GET_NUM_TILE_BLOCKS, NULL, 3, ids, NULL)->results[0];
    w.leaves[LEAF_P] = f->body->args[0];
    w.leaves[LEAF_0] = number_of(&w, 0);
    w.leaves[LEAF_1] = number_of(&w, 1);
    w.leaves[LEAF_2] = number_of(&w, 2);
    w.leaves[LEAF_3] = number_of(&w, 3);
    w.x = f->body->args[1];
    w.f = f->body->args[2];
    w.datum = zeros(&w.b, tile_of(&w.b, IR_F32, 0, NULL));
    val token = make_token(&w.b);
    if (s->family == FLAGGED)
        emit_flagged(&w, token);
    else if (s->trip)
        emit_loop(&w, token);
    else
        emit_accesses(&w, token);
    end_block(&w.b, IR_OP_RETURN, 0, NULL);
    ir_renumber(f);
    k.function = f;
    return k;
}

void kernel_free(kernel *k)
{
    contract_free(k->contract);
    ir_module_free(k->module);
}

/* Branches, loops and what they carry. */
#include "generate_private.h"

#include <string.h>

enum { MAX_CARRIED = 4 };

typedef struct carry { /* values beside the token that a loop hands from iteration to iteration */
    uint32_t n;
    val init[MAX_CARRIED + 1], arg[MAX_CARRIED + 1];
} carry;

static val carried_pointer(generator *g)
{
    return chance(g->c, 15) ? g->buffers[choose(g->c, (uint32_t)g->in.n_buffers)].pointer : NULL;
}

/* The token first, then integers, then perhaps a pointer. */
static void begin_carry(generator *g, carry *c, bool counted)
{
    c->init[c->n++] = g->in.token;
    if (!counted)
        c->init[c->n++] = scalar(g, choose_between(g->c, 0, 2));
    for (int i = (int)choose(g->c, 3); i > 0; i--)
        c->init[c->n++] = any_int(g, 1);
    val pointer = carried_pointer(g);
    if (pointer)
        c->init[c->n++] = pointer;
}

static bool is_pointer(val v)
{
    return v->type->elem->kind == IR_POINTER;
}

/* Values inside of the body. */
static void enter_carry(generator *g, carry *c)
{
    g->in.token = c->arg[0];
    use_token(g, c->arg[0]);
    for (uint32_t i = 1; i < c->n; i++) {
        if (!is_pointer(c->arg[i])) {
            use_int(g, c->arg[i]);
        } else if (g->in.n_buffers < MAX_BUFFERS) {
            g->buffers[g->in.n_buffers++] =
                (buffer){c->arg[i], c->arg[i]->type->elem->elem->kind, false};
        }
    }
}

static val next_of(generator *g, val now)
{
    if (is_pointer(now)) {
        val by = chance(g->c, 70) ? scalar(g, choose_between(g->c, 1, 4)) : any_int(g, 1);
        return &op_of(&g->b, IR_OP_OFFSET, 1, &now->type, now, by)->results[0];
    }
    switch (choose(g->c, 4)) {
    case 0:
        return now;
    case 1:
        return sum(g, now, scalar(g, choose_between(g->c, 1, 3)));
    case 2:
        return sum(g, now, any_int(g, 1));
    default:
        return any_int(g, 2);
    }
}

static void leave_carry(generator *g, const carry *c, val *next)
{
    next[0] = carried_token(g, c->arg[0]);
    for (uint32_t i = 1; i < c->n; i++)
        next[i] = next_of(g, c->arg[i]);
}

/* After the loop. */
static void use_results(generator *g, ir_op *op)
{
    g->in.token = &op->results[0];
    use_token(g, g->in.token);
    for (uint32_t i = 1; i < op->n_results; i++)
        if (!is_pointer(&op->results[i]))
            use_int(g, &op->results[i]);
}

static void for_statement(generator *g)
{
    static const unsigned bounds[] = {30, 40, 30, 0};
    carry c = {0};
    val low = chance(g->c, 30) ? any_int(g, 1) : scalar(g, 0), high;
    switch (choose_weighted(g->c, bounds)) {
    case 0:
        high = scalar(g, choose_between(g->c, 1, 3));
        break;
    case 1:
        high = any_int(g, 0);
        break;
    default:
        high = any_int(g, 2);
    }
    val step = chance(g->c, 25) ? any_int(g, 1) : scalar(g, choose_between(g->c, 1, 2));
    begin_carry(g, &c, true);
    const ir_type *types[MAX_CARRIED + 2] = {low->type};
    for (uint32_t i = 0; i < c.n; i++)
        types[i + 1] = c.init[i]->type;
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {c.init, c.n}};
    ir_op *op = ir_build(&g->b, IR_OP_FOR, groups, c.n, types + 1, (uint32_t[]){c.n});
    if (chance(g->c, 12))
        ir_set_int(op, IR_AT_FOR_unsigned_cmp, 1);
    ir_block *outer = g->b.block, *body = ir_block_new(g->b.module, g->b.function, c.n + 1, types);
    ir_set_region(op, IR_RG_FOR_body, body);
    g->b.block = body;
    scope before = g->in;
    for (uint32_t i = 0; i < c.n; i++)
        c.arg[i] = body->args[i + 1];
    use_int(g, body->args[0]);
    enter_carry(g, &c);
    if (chance(g->c, 60)) { /* the counter is the latest one, which indices like */
        use_int(g, body->args[0]);
    }
    any_statements(g, 2);
    val next[MAX_CARRIED + 1];
    leave_carry(g, &c, next);
    end_block(&g->b, IR_OP_CONTINUE, c.n, next);
    g->b.block = outer;
    g->in = before;
    use_results(g, op);
}

/* `if (condition) { ...; break }` */
static void break_when(generator *g, const carry *c, val condition)
{
    ir_operand_list group = {&condition, 1};
    ir_op *op = ir_build(&g->b, IR_OP_IF, &group, 0, NULL, (uint32_t[]){0});
    ir_block *outer = g->b.block, *body = ir_block_new(g->b.module, g->b.function, 0, NULL);
    ir_set_region(op, IR_RG_IF_then, body);
    g->b.block = body;
    scope before = g->in;
    if (chance(g->c, 25))
        any_statements(g, 1);
    val values[MAX_CARRIED + 1];
    values[0] = carried_token(g, c->arg[0]);
    for (uint32_t i = 1; i < c->n; i++)
        values[i] = is_pointer(c->arg[i]) || chance(g->c, 70) ? c->arg[i] : any_int(g, 1);
    end_block(&g->b, IR_OP_BREAK, c->n, values);
    g->b.block = outer;
    g->in = before;
}

/* Counts up to a bound, where it breaks for certain, and perhaps breaks before that. */
static void loop_statement(generator *g)
{
    carry c = {0};
    begin_carry(g, &c, false);
    const ir_type *types[MAX_CARRIED + 1];
    for (uint32_t i = 0; i < c.n; i++)
        types[i] = c.init[i]->type;
    ir_operand_list group = {c.init, c.n};
    ir_op *op = ir_build(&g->b, IR_OP_LOOP, &group, c.n, types, (uint32_t[]){c.n});
    ir_block *outer = g->b.block, *body = ir_block_new(g->b.module, g->b.function, c.n, types);
    ir_set_region(op, IR_RG_LOOP_body, body);
    g->b.block = body;
    scope before = g->in;
    memcpy(c.arg, body->args, sizeof(val) * c.n);
    enter_carry(g, &c);
    use_int(g, c.arg[1]);
    if (chance(g->c, 40))
        any_statements(g, 1);
    val end = chance(g->c, 60) ? any_int(g, 0) : scalar(g, choose_between(g->c, 1, 3));
    val most = scalar(g, 5);
    val last = binary(&g->b, IR_OP_MINI, end, most);
    ir_set_int(last->def, IR_AT_MINI_signedness, IR_SIGNED);
    break_when(g, &c, compare(&g->b, IR_GE, IR_SIGNED, c.arg[1], last));
    any_statements(g, 2);
    if (chance(g->c, 30)) {
        break_when(g, &c, any_condition(g));
        if (chance(g->c, 50))
            any_statements(g, 1);
    }
    val next[MAX_CARRIED + 1];
    leave_carry(g, &c, next);
    next[1] =
        arithmetic(&g->b, IR_OP_ADDI, c.arg[1], scalar(g, choose_between(g->c, 1, 2)), IR_NSW);
    end_block(&g->b, IR_OP_CONTINUE, c.n, next);
    g->b.block = outer;
    g->in = before;
    use_results(g, op);
}

static void if_statement(generator *g)
{
    val condition = any_condition(g);
    bool gives_int = chance(g->c, 30), has_else = chance(g->c, 40);
    uint32_t n = gives_int ? 2 : 1;
    const ir_type *types[] = {ir_type_token(g->b.module), tile_of(&g->b, g->elem, 0, NULL)};
    ir_operand_list group = {&condition, 1};
    ir_op *op = ir_build(&g->b, IR_OP_IF, &group, n, types, (uint32_t[]){n});
    ir_block *outer = g->b.block;
    scope before = g->in;
    for (int side = 0; side < 2; side++) {
        ir_block *body = ir_block_new(g->b.module, g->b.function, 0, NULL);
        ir_set_region(op, side ? IR_RG_IF_else : IR_RG_IF_then, body);
        g->b.block = body;
        g->in = before;
        if (!side || has_else)
            any_statements(g, 2);
        val values[2] = {carried_token(g, before.token), NULL};
        if (gives_int)
            values[1] = any_int(g, 2);
        end_block(&g->b, IR_OP_YIELD, n, values);
    }
    g->b.block = outer;
    g->in = before;
    use_results(g, op);
}

/* `if (condition) { ...; return }` */
static void return_statement(generator *g)
{
    val condition = any_condition(g);
    ir_operand_list group = {&condition, 1};
    ir_op *op = ir_build(&g->b, IR_OP_IF, &group, 0, NULL, (uint32_t[]){0});
    ir_block *outer = g->b.block, *body = ir_block_new(g->b.module, g->b.function, 0, NULL);
    ir_set_region(op, IR_RG_IF_then, body);
    g->b.block = body;
    scope before = g->in;
    if (chance(g->c, 30))
        any_statements(g, 1);
    end_block(&g->b, IR_OP_RETURN, 0, NULL);
    g->b.block = outer;
    g->in = before;
}

static void promise_statement(generator *g)
{
    if (chance(g->c, 50)) {
        ir_op *op = op_of(&g->b, IR_OP_ASSERT, 0, NULL, any_condition(g));
        op->attrs[IR_AT_ASSERT_message] = ir_attr_of_string(g->b.module, "asserted");
        return;
    }
    val v = any_int(g, 2);
    ir_op *op = op_of(&g->b, IR_OP_ASSUME, 1, &v->type, v);
    ir_attr *attr = &op->attrs[IR_AT_ASSUME_predicate];
    attr->kind = IR_ATTR_ASSUME;
    if (chance(g->c, 40)) {
        attr->assume.kind = IR_ASSUME_DIV_BY;
        attr->assume.divisor = 2;
    } else {
        attr->assume.kind = IR_ASSUME_BOUNDED;
        attr->assume.has_low = true;
        attr->assume.low = choose_between(g->c, 0, 1);
    }
    use_int(g, &op->results[0]);
}

/* A quotient that is undefined in one block, or for one parameter; seldom used. */
static void undefined_statement(generator *g)
{
    val by = arithmetic(&g->b, IR_OP_SUBI, scalar(g, choose_between(g->c, 0, 2)),
                        chance(g->c, 80) ? g->block_id[0] : any_int(g, 0), IR_NSW);
    val quotient = binary(&g->b, IR_OP_DIVI, scalar(g, 8), by);
    ir_set_int(quotient->def, IR_AT_DIVI_signedness, IR_SIGNED);
    ir_set_int(quotient->def, IR_AT_DIVI_rounding, IR_ROUND_ZERO);
    g->s->traits |= 1u << TRAIT_UNDEFINED_IN_A_BLOCK;
    if (chance(g->c, 25)) {
        g->s->traits |= 1u << TRAIT_UNDEFINED_USED;
        use_int(g, quotient);
    }
}

static void statement(generator *g)
{
    static const unsigned weights[] = {60, 14, 14, 8, 4, 3, 2, 0};
    unsigned which = choose_weighted(g->c, weights);
    bool nested = which >= 1 && which <= 4;
    if (nested && g->depth >= 3)
        which = 0;
    g->depth++;
    switch (which) {
    case 1:
        if_statement(g);
        break;
    case 2:
        g->loops++;
        for_statement(g);
        g->loops--;
        break;
    case 3:
        g->loops++;
        loop_statement(g);
        g->loops--;
        break;
    case 4:
        if (g->loops == 0) {
            return_statement(g);
            break;
        }
        /* fallthrough */
    case 5:
        promise_statement(g);
        break;
    case 6:
        undefined_statement(g);
        break;
    default:
        access_statement(g);
    }
    g->depth--;
}

void any_statements(generator *g, int most)
{
    for (int n = 1 + (int)choose(g->c, (uint32_t)most); n > 0 && g->statements > 0; n--) {
        g->statements--;
        statement(g);
    }
}

/* Tokens that are always equal become one.
 *
 * A class of buffers has two chains (after the last store, after all accesses) and acquires a
 * third; in most loops they are the same. Which are is a greatest fixed point: all tokens that one
 * loop or one if hands on start in one class, and a class is split as long as its members get
 * tokens of different classes. What is still together at the end is equal in every execution. */
#include "dialect/clean.h"

#include "base/ds.h"

#define MAX_ROUNDS 50 /* each splits a class; nests of loops need a few */

typedef struct merger {
    cleaner *c;
    const ir_function *function;
    uint32_t *class_of; /* by value id; 0: no token */
    uint32_t n_classes;
    struct {
        char *key;
        uint32_t value;
    } *classes; /* stb_ds: signature -> class, of one round */
    tr_text signature;
} merger;

static bool is_token(const ir_value *value)
{
    return value->type->kind == IR_TOKEN;
}

static uint32_t class_of_signature(merger *m)
{
    const char *key = tr_text_get(&m->signature);
    ptrdiff_t at = shgeti(m->classes, key);
    if (at >= 0)
        return m->classes[at].value;
    uint32_t number = ++m->n_classes;
    shput(m->classes, key, number);
    return number;
}

static void start_signature(merger *m, const char *what, uint32_t owner)
{
    tr_text_clear(&m->signature);
    tr_text_addf(&m->signature, "%s%u", what, owner);
}

static void add_class(merger *m, const ir_value *value)
{
    tr_text_addf(&m->signature, " %u", m->class_of[value->id]);
}

/* ---- One round ---- */

static void loop_classes(merger *m, const ir_op *op, uint32_t *next)
{
    uint32_t first = clean_first_arg(op), init = clean_first_init(op);
    ir_op **exits = m->c->exits[op->ordinal];
    for (uint32_t i = 0; i < op->n_results; i++) {
        ir_value *arg = op->regions[0]->args[first + i];
        if (!is_token(arg))
            continue;
        start_signature(m, "loop", op->ordinal);
        add_class(m, arg); /* so that a round only splits */
        add_class(m, op->operands[init + i]);
        for (size_t e = 0; e < arrlenu(exits); e++)
            add_class(m, exits[e]->operands[i]);
        next[arg->id] = class_of_signature(m);
        tr_text_add(&m->signature, " out");
        add_class(m, &op->results[i]);
        next[op->results[i].id] = class_of_signature(m);
    }
}

static void if_classes(merger *m, const ir_op *op, uint32_t *next)
{
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (!is_token(&op->results[i]))
            continue;
        start_signature(m, "if", op->ordinal);
        add_class(m, &op->results[i]);
        for (unsigned r = 0; r < 2; r++) {
            ir_op *yield = clean_yield_of(op, r);
            if (yield)
                add_class(m, yield->operands[i]);
        }
        next[op->results[i].id] = class_of_signature(m);
    }
}

/* A join of tokens that are equal is that token. */
static void join_class(merger *m, const ir_op *op, uint32_t *next)
{
    const ir_value *result = &op->results[0];
    uint32_t first = m->class_of[op->operands[0]->id];
    bool same = true;
    for (uint32_t i = 1; i < op->n_operands && same; i++)
        same = m->class_of[op->operands[i]->id] == first;
    /* The result's class follows the operand's, which may get a new one in this round. */
    same = same && m->class_of[result->id] == first;
    next[result->id] = same ? next[op->operands[0]->id] : ++m->n_classes;
}

static uint32_t round_of_classes(merger *m, uint32_t *next)
{
    m->n_classes = 0;
    shfree(m->classes);
    sh_new_arena(m->classes);
    for (ir_op *op = ir_first_op(m->function); op; op = ir_next_op(op)) {
        if (ir_is_loop(op)) {
            loop_classes(m, op, next);
        } else if (op->code == IR_OP_IF) {
            if_classes(m, op, next);
        } else if (op->code == IR_OP_JOIN_TOKENS) {
            join_class(m, op, next);
        } else {
            for (uint32_t i = 0; i < op->n_results; i++)
                if (is_token(&op->results[i]))
                    next[op->results[i].id] = ++m->n_classes;
        }
    }
    return m->n_classes;
}

/* Puts the tokens that one op hands on together into one class; a join with its first operand. */
static void first_classes(merger *m)
{
    uint32_t n = 0;
    for (ir_op *op = ir_first_op(m->function); op; op = ir_next_op(op)) {
        uint32_t shared = ++n, inside = ++n;
        bool together = ir_is_loop(op) || op->code == IR_OP_IF;
        for (uint32_t i = 0; i < op->n_results; i++)
            if (is_token(&op->results[i]))
                m->class_of[op->results[i].id] = together ? shared : ++n;
        if (op->code == IR_OP_JOIN_TOKENS)
            m->class_of[op->results[0].id] = m->class_of[op->operands[0]->id];
        if (!ir_is_loop(op))
            continue;
        for (uint32_t i = clean_first_arg(op); i < op->regions[0]->n_args; i++)
            if (is_token(op->regions[0]->args[i]))
                m->class_of[op->regions[0]->args[i]->id] = inside;
    }
}

/* ---- Standing in ---- */

static bool stand_for_first(merger *m, uint32_t n, ir_value *(*value)(ir_op *op, uint32_t i),
                            ir_op *op)
{
    bool changed = false;
    for (uint32_t i = 1; i < n; i++) {
        ir_value *v = value(op, i);
        for (uint32_t j = 0; j < i && is_token(v); j++) {
            ir_value *w = value(op, j);
            if (is_token(w) && m->class_of[v->id] == m->class_of[w->id]) {
                m->c->is[v->id] = w;
                changed = true;
                break;
            }
        }
    }
    return changed;
}

static ir_value *result_at(ir_op *op, uint32_t i)
{
    return &op->results[i];
}

static ir_value *argument_at(ir_op *op, uint32_t i)
{
    return op->regions[0]->args[clean_first_arg(op) + i];
}

bool clean_merge_tokens(cleaner *c, ir_function *function)
{
    size_t bytes = sizeof(uint32_t) * (function->n_values + 1);
    merger m = {.c = c, .function = function, .class_of = tr_arena_alloc(c->L->scratch, bytes)};
    uint32_t *next = tr_arena_alloc(c->L->scratch, bytes), before = 0, now = 0;
    first_classes(&m);
    int round = 0;
    do {
        before = now;
        now = round_of_classes(&m, next);
        memcpy(m.class_of, next, bytes);
    } while (now != before && ++round < MAX_ROUNDS);
    bool changed = false, settled = now == before;
    for (ir_op *op = ir_first_op(function); op && settled; op = ir_next_op(op)) {
        if (ir_is_loop(op))
            changed |= stand_for_first(&m, op->n_results, argument_at, op);
        if (ir_is_loop(op) || op->code == IR_OP_IF)
            changed |= stand_for_first(&m, op->n_results, result_at, op);
    }
    shfree(m.classes);
    tr_text_free(&m.signature);
    return changed;
}

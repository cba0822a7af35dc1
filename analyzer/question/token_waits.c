/* Which tokens carry a wait for the preceding kernel on every path that makes them (D13, D15, D23)?
 *
 * The greatest solution of: a wait's token does; a join's, when one of its operands does; that of
 * any other op, when the one it takes does; what an `if` gives, when both branches' do; what a loop
 * carries, when the first value and that of every iteration do, and what it gives, when all that
 * leave it do. A token of one execution is made along one path, so each of its values is one of
 * these: by induction over the execution, a wait was executed and reaches it. */
#include "question/token_waits.h"

#include "base/ds.h"

typedef struct waiting {
    bool *waited; /* by value id */
    bool changed;
} waiting;

static const ir_op *loop_left_by(const ir_op *terminator)
{
    const ir_op *op = terminator->parent->parent;
    while (op && !ir_is_loop(op))
        op = op->parent->parent;
    return op;
}

static void lower(waiting *w, const ir_value *value, bool waited)
{
    if (value->type->kind != IR_TOKEN || waited || !w->waited[value->id])
        return;
    w->waited[value->id] = false;
    w->changed = true;
}

static bool any_operand(const waiting *w, const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (w->waited[op->operands[i]->id])
            return true;
    return false;
}

/* A value of each result or argument comes from an operand. */
static void lower_each(waiting *w, uint32_t n, ir_value *const *from, ir_value *const *to)
{
    for (uint32_t i = 0; i < n; i++)
        lower(w, to[i], w->waited[from[i]->id]);
}

static void lower_results(waiting *w, const ir_op *op, uint32_t n, ir_value *const *from)
{
    for (uint32_t i = 0; i < n && i < op->n_results; i++)
        lower(w, &op->results[i], w->waited[from[i]->id]);
}

/* Lowers what a loop carries: the body's arguments behind the induction variable. */
static void lower_carried(waiting *w, const ir_op *loop, uint32_t n, ir_value *const *from)
{
    const ir_block *body = loop->regions[0];
    uint32_t skipped = loop->code == IR_OP_FOR;
    lower_each(w, n, from, body->args + skipped);
    if (loop->code == IR_OP_FOR) /* it may leave after any iteration, or run none */
        lower_results(w, loop, n, from);
}

static void look_at(waiting *w, const ir_op *op)
{
    uint32_t n = op->n_operands;
    switch (op->code) {
    case IR_OP_GDC_WAIT_TKO:
    case IR_OP_IF: /* by its yields */
        return;
    case IR_OP_FOR:
    case IR_OP_LOOP: {
        ir_value **init = ir_group(
            op, op->code == IR_OP_FOR ? IR_FOR_init_values : (unsigned)IR_LOOP_init_values, &n);
        lower_carried(w, op, n, init);
        return;
    }
    case IR_OP_CONTINUE:
        lower_carried(w, loop_left_by(op), n, op->operands);
        return;
    case IR_OP_BREAK:
        lower_results(w, loop_left_by(op), n, op->operands);
        return;
    case IR_OP_YIELD:
        if (op->parent->parent && op->parent->parent->code == IR_OP_IF)
            lower_results(w, op->parent->parent, n, op->operands);
        return;
    case IR_OP_JOIN_TOKENS:
        lower(w, &op->results[0], any_operand(w, op));
        return;
    default: {
        const ir_value *in = ir_token_in(op);
        for (uint32_t i = 0; i < op->n_results; i++)
            lower(w, &op->results[i], in && w->waited[in->id]);
        return;
    }
    }
}

bool *waited_tokens(tr_arena *arena, const ir_function *kernel)
{
    waiting w = {.waited = TR_NEW_ARRAY(arena, bool, kernel->n_values + 1), .changed = true};
    for (uint32_t i = 0; i < kernel->n_values; i++)
        w.waited[i] = true;
    for (uint32_t i = 0; i < kernel->body->n_args; i++)
        w.waited[kernel->body->args[i]->id] = false;
    while (w.changed) {
        w.changed = false;
        for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
            look_at(&w, op);
    }
    return w.waited;
}

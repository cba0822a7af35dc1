/* Which values reach an address, a mask or a branch? Only the arithmetic of such values can make
 * two accesses meet; a value that is merely stored may wrap. */
#include "index_space/walk.h"

static bool mark(ix_walk *walk, const ir_value *value)
{
    if (walk->relevant[value->id])
        return false;
    walk->relevant[value->id] = true;
    return true;
}

static void seed_groups(ix_walk *walk, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        if (ir_is_data(op, g) || ir_role_of(op, g) == IR_ROLE_INITIAL)
            continue;
        uint32_t count;
        ir_value **values = ir_group(op, g, &count);
        for (uint32_t i = 0; i < count; i++)
            mark(walk, values[i]);
    }
}

static void seed(ix_walk *walk)
{
    for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op))
        if (ir_is_memory_op(op) || op->code == IR_OP_IF || op->code == IR_OP_FOR ||
            op->code == IR_OP_MAKE_TENSOR_VIEW || op->code == IR_OP_ASSERT ||
            op->code == IR_OP_ASSUME)
            seed_groups(walk, op);
}

/* A value that a terminator passes on matters when the result or the next iteration's value
 * does. */
static bool flow_terminator(ix_walk *walk, const ir_op *op)
{
    const ir_op *target = op->parent->parent;
    while (op->code != IR_OP_YIELD && target->code != IR_OP_FOR && target->code != IR_OP_LOOP)
        target = target->parent->parent;
    bool changed = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        /* A loop may carry more values than it has results. */
        bool matters = i < target->n_results && walk->relevant[target->results[i].id];
        uint32_t first = target->code == IR_OP_FOR ? 1 : 0;
        if (op->code == IR_OP_CONTINUE)
            matters |= walk->relevant[target->regions[0]->args[first + i]->id];
        if (matters)
            changed |= mark(walk, op->operands[i]);
    }
    return changed;
}

static bool flow_inits(ix_walk *walk, const ir_op *op)
{
    uint32_t count, first = op->code == IR_OP_FOR ? 1 : 0;
    ir_value **inits =
        ir_group(op, op->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values, &count);
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
        if ((i < op->n_results && walk->relevant[op->results[i].id]) ||
            walk->relevant[op->regions[0]->args[first + i]->id])
            changed |= mark(walk, inits[i]);
    return changed;
}

static bool flow_back(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_YIELD:
    case IR_OP_CONTINUE:
    case IR_OP_BREAK:
        return flow_terminator(walk, op);
    case IR_OP_FOR:
    case IR_OP_LOOP:
        return flow_inits(walk, op);
    case IR_OP_IF:
        return false;
    default:
        break;
    }
    bool matters = false, changed = false;
    for (uint32_t i = 0; i < op->n_results; i++)
        matters |= walk->relevant[op->results[i].id];
    for (uint32_t i = 0; matters && !ir_is_memory_op(op) && i < op->n_operands; i++)
        changed |= mark(walk, op->operands[i]);
    /* A load gives its padding where the mask is false. */
    const ir_value *padding =
        matters && ir_is_memory_op(op) ? ir_operand_in_role(op, IR_ROLE_PADDING) : NULL;
    if (padding)
        changed |= mark(walk, padding);
    /* The amount that a ticket reserves matters: it tells the ticket apart from the next one. */
    if (matters && op->code == IR_OP_ATOMIC_RMW_TKO)
        changed |= mark(walk, ir_operand(op, IR_ATOMIC_RMW_TKO_arg));
    return changed;
}

void ix_trace_relevance(ix_walk *walk)
{
    const ir_op **ops = TR_NEW_ARRAY(walk->arena, const ir_op *, walk->s->kernel->n_ops + 1);
    size_t n = 0;
    for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op))
        ops[n++] = op;
    seed(walk);
    bool changed = true;
    while (changed) { /* sets only grow; backwards, so that one round goes through a whole block */
        changed = false;
        for (size_t i = n; i-- > 0;)
            changed |= flow_back(walk, ops[i]);
    }
}

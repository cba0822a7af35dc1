/* Which values reach an address, a mask or a branch, or decide whether an op is defined? Only the
 * arithmetic of the former can make two accesses meet; a value that is merely stored may wrap. */
#include "index_space/walk.h"

/* `set` is by ir_value.id, here and below. */
static bool mark(bool *set, const ir_value *value)
{
    if (set[value->id])
        return false;
    set[value->id] = true;
    return true;
}

static void seed_groups(bool *set, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        if (ir_is_data(op, g) || ir_role_of(op, g) == IR_ROLE_INITIAL)
            continue;
        uint32_t count;
        ir_value **values = ir_group(op, g, &count);
        for (uint32_t i = 0; i < count; i++)
            mark(set, values[i]);
    }
}

/* Numbers that decide whether an op is defined: a divisor, a count of bits, the number of a slice.
 */
static void seed_conditions(bool *set, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_DIVI:
    case IR_OP_REMI:
    case IR_OP_SHLI:
    case IR_OP_SHRI:
    case IR_OP_EXTRACT:
        for (uint32_t i = 1; i < op->n_operands; i++)
            mark(set, op->operands[i]);
        break;
    default:
        break;
    }
}

static void seed(ix_walk *walk)
{
    for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op)) {
        seed_conditions(walk->decides, op);
        if (ir_is_memory_op(op) || op->code == IR_OP_IF || op->code == IR_OP_FOR ||
            op->code == IR_OP_MAKE_TENSOR_VIEW || op->code == IR_OP_ASSERT ||
            op->code == IR_OP_ASSUME)
            seed_groups(walk->relevant, op);
    }
}

/* A value that a terminator passes on matters when the result or the next iteration's value
 * does. */
static bool flow_terminator(bool *set, const ir_op *op)
{
    const ir_op *target = op->parent->parent;
    while (op->code != IR_OP_YIELD && target->code != IR_OP_FOR && target->code != IR_OP_LOOP)
        target = target->parent->parent;
    bool changed = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        /* A loop may carry more values than it has results. */
        bool matters = i < target->n_results && set[target->results[i].id];
        uint32_t first = target->code == IR_OP_FOR ? 1 : 0;
        if (op->code == IR_OP_CONTINUE)
            matters |= set[target->regions[0]->args[first + i]->id];
        if (matters)
            changed |= mark(set, op->operands[i]);
    }
    return changed;
}

static bool flow_inits(bool *set, const ir_op *op)
{
    uint32_t count, first = op->code == IR_OP_FOR ? 1 : 0;
    ir_value **inits =
        ir_group(op, op->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values, &count);
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
        if ((i < op->n_results && set[op->results[i].id]) ||
            set[op->regions[0]->args[first + i]->id])
            changed |= mark(set, inits[i]);
    return changed;
}

static bool flow_back(bool *set, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_YIELD:
    case IR_OP_CONTINUE:
    case IR_OP_BREAK:
        return flow_terminator(set, op);
    case IR_OP_FOR:
    case IR_OP_LOOP:
        return flow_inits(set, op);
    case IR_OP_IF:
        return false;
    default:
        break;
    }
    bool matters = false, changed = false;
    for (uint32_t i = 0; i < op->n_results; i++)
        matters |= set[op->results[i].id];
    for (uint32_t i = 0; matters && !ir_is_memory_op(op) && i < op->n_operands; i++)
        changed |= mark(set, op->operands[i]);
    /* A load gives its padding where the mask is false. */
    const ir_value *padding =
        matters && ir_is_memory_op(op) ? ir_operand_in_role(op, IR_ROLE_PADDING) : NULL;
    if (padding)
        changed |= mark(set, padding);
    /* The amount that a ticket reserves matters: it tells the ticket apart from the next one. */
    if (matters && op->code == IR_OP_ATOMIC_RMW_TKO)
        changed |= mark(set, ir_operand(op, IR_ATOMIC_RMW_TKO_arg));
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
        for (size_t i = n; i-- > 0;) {
            changed |= flow_back(walk->relevant, ops[i]);
            changed |= flow_back(walk->decides, ops[i]);
        }
    }
}

/* Which values reach an address, a mask or a branch? Only their arithmetic can make two accesses
 * meet; what is merely stored may wrap as it likes. */
#include "index_space/walk.h"

#include <string.h>

static bool mark(ix_walk *walk, const ir_value *value)
{
    if (walk->relevant[value->id])
        return false;
    walk->relevant[value->id] = true;
    return true;
}

/* Operand groups of memory ops that are data, not addresses. */
static bool is_data(const char *group)
{
    static const char *const names[] = {"tile", "value", "arg", "cmp", "val", "padding_value"};
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(group, names[i]) == 0)
            return true;
    return false;
}

static void seed_groups(ix_walk *walk, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    bool memory = ir_is_memory_op(op);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        const char *name = info->operand_groups[g].name;
        if ((memory && is_data(name)) || strcmp(name, "init_values") == 0)
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
            op->code == IR_OP_MAKE_TENSOR_VIEW || op->code == IR_OP_ASSERT)
            seed_groups(walk, op);
}

/* Where the carried value or result number i of a loop or an if comes from. */
static bool mark_sources(ix_walk *walk, const ir_op *owner, uint32_t i)
{
    bool changed = false;
    if (owner->code != IR_OP_IF) {
        uint32_t count;
        unsigned group = owner->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values;
        ir_value **inits = ir_group(owner, group, &count);
        if (i < count)
            changed |= mark(walk, inits[i]);
    }
    for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op)) {
        if (op->code != IR_OP_YIELD && op->code != IR_OP_CONTINUE && op->code != IR_OP_BREAK)
            continue;
        const ir_op *target = op->parent->parent;
        while (target && op->code != IR_OP_YIELD && target->code != IR_OP_FOR &&
               target->code != IR_OP_LOOP)
            target = target->parent->parent;
        if (target == owner && i < op->n_operands)
            changed |= mark(walk, op->operands[i]);
    }
    return changed;
}

static bool flow_back(ix_walk *walk, const ir_op *op)
{
    bool changed = false, any = false;
    bool structured = op->code == IR_OP_IF || op->code == IR_OP_FOR || op->code == IR_OP_LOOP;
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (!walk->relevant[op->results[i].id])
            continue;
        any = true;
        if (structured)
            changed |= mark_sources(walk, op, i);
    }
    if (op->code == IR_OP_FOR || op->code == IR_OP_LOOP) {
        uint32_t first = op->code == IR_OP_FOR ? 1 : 0;
        const ir_block *body = op->regions[0];
        for (uint32_t i = first; i < body->n_args; i++)
            if (walk->relevant[body->args[i]->id])
                changed |= mark_sources(walk, op, i - first);
    }
    if (any && !structured && !ir_is_memory_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++)
            changed |= mark(walk, op->operands[i]);
    return changed;
}

void ix_trace_relevance(ix_walk *walk)
{
    seed(walk);
    bool changed = true;
    while (changed) { /* sets only grow */
        changed = false;
        for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op))
            changed |= flow_back(walk, op);
    }
}

/* Do values read by atomic updates decide what the kernel does: where it writes, whether it goes
 * on? Tickets, queues and locks are for several tile blocks, whether or not the kernel asks which
 * one it is. Flow-insensitive. */
#include "index_space/walk.h"

#include <string.h>

typedef struct steering {
    const ir_function *kernel;
    bool *updated; /* by value number: depends on what an update read */
    bool changed, steers;
} steering;

static void learn(steering *s, const ir_value *value)
{
    s->changed |= !s->updated[value->id];
    s->updated[value->id] = true;
}

static bool steers(const steering *s, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        uint32_t count;
        ir_value **values = ir_group(op, g, &count);
        bool decides = ir_is_memory_op(op)     ? ir_tells_place(op, g)
                       : op->code == IR_OP_FOR ? ir_role_of(op, g) != IR_ROLE_INITIAL
                                               : op->code == IR_OP_IF;
        for (uint32_t i = 0; i < count && decides; i++)
            if (s->updated[values[i]->id] && values[i]->type->kind != IR_TOKEN)
                return true;
    }
    return false;
}

/* Carried value number i of a loop or an if: what the region begins with, and what it gives. */
static void learn_carried(steering *s, const ir_op *control, uint32_t i, bool of_region)
{
    uint32_t first = control->code == IR_OP_FOR ? 1 : 0; /* behind the counter */
    if (of_region && ir_is_loop(control) && control->regions[0]->n_args > first + i)
        learn(s, control->regions[0]->args[first + i]);
    if (i < control->n_results)
        learn(s, &control->results[i]);
}

static void pass_on(steering *s, const ir_op *op)
{
    const ir_op *target = op->parent->parent;
    if (op->code == IR_OP_CONTINUE || op->code == IR_OP_BREAK)
        while (target && !ir_is_loop(target))
            target = target->parent->parent;
    for (uint32_t i = 0; target && i < op->n_operands; i++)
        if (s->updated[op->operands[i]->id])
            learn_carried(s, target, i, op->code != IR_OP_BREAK);
}

static void begin_loop(steering *s, const ir_op *op)
{
    uint32_t bounds = op->code == IR_OP_FOR ? 3 : 0; /* lower, upper, step */
    for (uint32_t i = bounds; i < op->n_operands; i++)
        if (s->updated[op->operands[i]->id])
            learn_carried(s, op, i - bounds, true);
}

static void look_at(steering *s, const ir_op *op)
{
    bool from_update = false;
    unsigned effects = ir_op_info_of(op->code)->effects;
    for (uint32_t i = 0; i < op->n_operands; i++)
        from_update |= s->updated[op->operands[i]->id];
    s->steers |= from_update && steers(s, op);
    if ((effects & IR_ATOMIC) != 0 && op->n_results && op->results[0].type->kind != IR_TOKEN)
        learn(s, &op->results[0]);
    if (!from_update || ir_is_memory_op(op))
        return;
    if ((effects & IR_TERMINATOR) != 0)
        pass_on(s, op);
    else if (ir_is_loop(op))
        begin_loop(s, op);
    else
        for (uint32_t i = 0; i < op->n_results; i++)
            learn(s, &op->results[i]);
}

bool ix_updates_steer(tr_arena *arena, const ir_function *kernel)
{
    steering s = {.kernel = kernel, .updated = TR_NEW_ARRAY(arena, bool, kernel->n_values + 1)};
    memset(s.updated, 0, kernel->n_values + 1);
    do {
        s.changed = false;
        for (const ir_op *op = ir_first_op(kernel); op && !s.steers; op = ir_next_op(op))
            look_at(&s, op);
    } while (s.changed && !s.steers);
    return s.steers;
}

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

static bool is_address(const char *group)
{
    static const char *const names[] = {"index", "pointers", "source", "destination",
                                        "mask",  "view",     "offset"};
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(group, names[i]) == 0)
            return true;
    return false;
}

static bool steers(const steering *s, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        uint32_t count;
        ir_value **values = ir_group(op, g, &count);
        bool decides = ir_is_memory_op(op) ? is_address(info->operand_groups[g].name)
                                           : op->code == IR_OP_IF || op->code == IR_OP_FOR;
        for (uint32_t i = 0; i < count && decides; i++)
            if (s->updated[values[i]->id] && values[i]->type->kind != IR_TOKEN)
                return true;
    }
    return false;
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
    const ir_op *target = (effects & IR_TERMINATOR) != 0 ? op->parent->parent : op;
    for (uint32_t i = 0; target && i < target->n_results; i++)
        if (target->results[i].type->kind != IR_TOKEN)
            learn(s, &target->results[i]);
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

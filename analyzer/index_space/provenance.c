/* Which allocations may a pointer or view point into? The answer is flow-insensitive, so it is
 * known before the walk, which needs it: only a buffer that no op of the kernel may write keeps its
 * contents at launch throughout.
 */
#include "index_space/walk.h"

#include <string.h>

static bool holds_addresses(const ir_type *type)
{
    return ix_element_type(type)->kind == IR_POINTER || type->kind == IR_TENSOR_VIEW ||
           ir_type_is_tile_view(type);
}

static bool merge(ix_walk *walk, const ir_value *into, uint64_t set)
{
    uint64_t *at = &walk->provenance[into->id];
    if ((*at | set) == *at)
        return false;
    *at |= set;
    return true;
}

/* Follows what the terminators of a loop's or an if's region pass on, to results and block
 * arguments. */
static bool flow_terminator(ix_walk *walk, const ir_op *op)
{
    bool changed = false;
    const ir_op *target = op->parent->parent;
    if (op->code != IR_OP_YIELD)
        while (target->code != IR_OP_FOR && target->code != IR_OP_LOOP)
            target = target->parent->parent;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        if (!holds_addresses(op->operands[i]->type))
            continue;
        uint64_t set = walk->provenance[op->operands[i]->id];
        if (i < target->n_results) /* a loop may carry more values than it has results */
            changed |= merge(walk, &target->results[i], set);
        if (op->code == IR_OP_CONTINUE) {
            uint32_t first = target->code == IR_OP_FOR ? 1 : 0;
            changed |= merge(walk, target->regions[0]->args[first + i], set);
        }
    }
    return changed;
}

static bool flow_loop_inits(ix_walk *walk, const ir_op *op)
{
    bool changed = false;
    unsigned group = op->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values;
    uint32_t count = 0;
    ir_value **inits = ir_group(op, group, &count);
    uint32_t first = op->code == IR_OP_FOR ? 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t set = walk->provenance[inits[i]->id];
        if (!holds_addresses(inits[i]->type))
            continue;
        if (i < op->n_results)
            changed |= merge(walk, &op->results[i], set);
        changed |= merge(walk, op->regions[0]->args[first + i], set);
    }
    return changed;
}

static bool flow(ix_walk *walk, const ir_op *op)
{
    switch (op->code) {
    case IR_OP_FOR:
    case IR_OP_LOOP:
        return flow_loop_inits(walk, op);
    case IR_OP_YIELD:
    case IR_OP_CONTINUE:
    case IR_OP_BREAK:
        return flow_terminator(walk, op);
    default:
        break;
    }
    bool changed = false;
    uint64_t set = 0;
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (holds_addresses(op->operands[i]->type))
            set |= walk->provenance[op->operands[i]->id];
    /* A pointer that comes out of memory or of an integer may point anywhere. */
    if (op->code == IR_OP_INT_TO_PTR || ir_is_memory_op(op)) {
        int regions = op->code == IR_OP_INT_TO_PTR ? ix_regions_of(walk, &op->results[0]) : -1;
        set = regions >= 0 && regions < 63 ? (uint64_t)1 << regions : IX_ANYWHERE;
    }
    for (uint32_t i = 0; i < op->n_results; i++)
        if (holds_addresses(op->results[i].type))
            changed |= merge(walk, &op->results[i], set);
    return changed;
}

static void seed(ix_walk *walk)
{
    const summary *s = walk->s;
    for (uint32_t i = 0; i < s->kernel->body->n_args && i < s->contract->n_args; i++) {
        const contract_arg *arg = &s->contract->args[i];
        if (arg->kind != CONTRACT_POINTER)
            continue;
        const char *name = contract_buffer_of(arg);
        for (size_t a = 0; a < s->n_allocations; a++)
            if (s->allocations[a].space == IX_ARGUMENT && strcmp(s->allocations[a].name, name) == 0)
                walk->provenance[s->kernel->body->args[i]->id] =
                    a < 63 ? (uint64_t)1 << a : IX_ANYWHERE;
    }
    size_t next_alloca = 0;
    while (next_alloca < s->n_allocations && s->allocations[next_alloca].space != IX_ALLOCA)
        next_alloca++;
    for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op)) {
        size_t a = s->n_allocations;
        if (op->code == IR_OP_ALLOCA) {
            a = next_alloca++;
        } else if (op->code == IR_OP_GET_GLOBAL) {
            const char *name = op->attrs[IR_AT_GET_GLOBAL_name].string;
            for (a = 0; a < s->n_allocations; a++)
                if (s->allocations[a].space == IX_GLOBAL && name &&
                    strcmp(s->allocations[a].name, name) == 0)
                    break;
        } else {
            continue;
        }
        walk->provenance[op->results[0].id] =
            a < 63 && a < s->n_allocations ? (uint64_t)1 << a : IX_ANYWHERE;
    }
}

/* Only a pointer that the host put there is known to address a region of its own. */
static bool writes_table(const ix_walk *walk)
{
    const summary *s = walk->s;
    for (size_t a = 0; a < s->n_allocations; a++)
        if (s->allocations[a].space == IX_REGIONS &&
            s->allocations[s->allocations[a].table].written)
            return true;
    return false;
}

static void forget_regions(ix_walk *walk)
{
    summary *s = walk->s;
    size_t kept = 0;
    for (size_t a = 0; a < s->n_allocations; a++) {
        s->allocations[a].written = false;
        kept += s->allocations[a].space != IX_REGIONS;
    }
    s->n_allocations = kept; /* they are the last */
    memset(walk->provenance, 0, (s->kernel->n_values + 1) * sizeof *walk->provenance);
}

static void trace(ix_walk *walk)
{
    summary *s = walk->s;
    seed(walk);
    bool changed = true;
    while (changed) { /* sets only grow: ends after at most 64 rounds a value */
        changed = false;
        for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op))
            changed |= flow(walk, op);
    }
    for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op)) {
        unsigned effects = ir_op_info_of(op->code)->effects;
        bool anything = effects & IR_UNKNOWN_EFFECT;
        if (!anything && !(effects & (IR_WRITES | IR_ATOMIC)))
            continue;
        uint64_t set = anything ? IX_ANYWHERE : 0;
        for (uint32_t i = 0; i < op->n_operands; i++)
            if (holds_addresses(op->operands[i]->type))
                set |= walk->provenance[op->operands[i]->id];
        for (size_t a = 0; a < s->n_allocations; a++)
            if (set & IX_ANYWHERE || a >= 63 || set >> a & 1)
                s->allocations[a].written = true;
    }
}

void ix_trace_provenance(ix_walk *walk)
{
    trace(walk);
    if (!writes_table(walk))
        return;
    forget_regions(walk);
    trace(walk);
}

/* Follows the values that accesses read and write, which synchronisation is made of. Most kernels
 * need none of it, so only integers are followed. */
#include "index_space/walk.h"

static smt_t integer_of(ix_walk *walk, const ir_op *op, unsigned group)
{
    const ir_value *value = ir_operand(op, group);
    const ir_type *elem = value ? ix_element_type(value->type) : NULL;
    return elem && elem->kind != IR_I1 && ir_type_is_int(elem) ? ix_int(walk, value) : NULL;
}

void ix_sync_record(ix_walk *walk, const ir_op *op, ix_access *access, const char *stem)
{
    access->change = IX_CHANGE_UNKNOWN;
    if (access->half)
        return; /* a value of half a location */
    switch (op->code) {
    case IR_OP_STORE_PTR_TKO:
        access->change = IX_CHANGE_PUT;
        access->put = integer_of(walk, op, IR_STORE_PTR_TKO_value);
        break;
    case IR_OP_STORE_VIEW_TKO:
        access->change = IX_CHANGE_PUT;
        access->put = integer_of(walk, op, IR_STORE_VIEW_TKO_tile);
        break;
    case IR_OP_ATOMIC_CAS_TKO:
        access->change = IX_CHANGE_SWAP;
        access->put = integer_of(walk, op, IR_ATOMIC_CAS_TKO_val);
        access->compare = integer_of(walk, op, IR_ATOMIC_CAS_TKO_cmp);
        break;
    case IR_OP_ATOMIC_RMW_TKO: {
        access->put = integer_of(walk, op, IR_ATOMIC_RMW_TKO_arg);
        int64_t mode = ir_attr_int(op, IR_AT_ATOMIC_RMW_TKO_mode, -1);
        if (mode == IR_ATOMIC_XCHG)
            access->change = IX_CHANGE_PUT;
        else if (mode == IR_ATOMIC_ADD)
            access->change = IX_CHANGE_ADD;
        else if (mode == IR_ATOMIC_MAX)
            access->change = IX_CHANGE_MAX;
        else if (mode == IR_ATOMIC_OR)
            access->change = IX_CHANGE_OR;
        break;
    }
    default:
        break;
    }
    if (!access->put)
        access->change = IX_CHANGE_UNKNOWN;
    for (uint32_t i = 0; i < op->n_results && access->reads; i++) {
        const ir_type *type = op->results[i].type;
        if (type->kind != IR_TILE)
            continue;
        ix_value own = ix_private_value(walk, &op->results[i], stem);
        if (own.kind == IX_INT)
            access->got = own.term;
    }
}

/* Can a value of this op's buffer steer a block? Then what is written there matters as much as an
 * address does. Told by provenance alone: the walk has not been there yet. */
static uint64_t steering_buffers(const ix_walk *walk)
{
    uint64_t buffers = 0;
    for (const ir_op *op = ir_first_op(walk->s->kernel); op; op = ir_next_op(op)) {
        ir_ordering ordering = ir_is_memory_op(op) ? ir_memory_ordering(op) : IR_WEAK;
        if (ordering != IR_ACQUIRE && ordering != IR_ACQ_REL)
            continue;
        for (uint32_t i = 0; i < op->n_operands; i++)
            buffers |= walk->provenance[op->operands[i]->id];
    }
    return buffers;
}

void ix_sync_relevance(ix_walk *walk)
{
    uint64_t buffers = steering_buffers(walk);
    for (const ir_op *op = ir_first_op(walk->s->kernel); buffers && op; op = ir_next_op(op)) {
        if (!ir_is_memory_op(op))
            continue;
        uint64_t touched = 0;
        for (uint32_t i = 0; i < op->n_operands; i++)
            touched |= walk->provenance[op->operands[i]->id];
        if (!(touched & buffers))
            continue;
        for (unsigned g = 0; g < ir_op_info_of(op->code)->n_operand_groups; g++) {
            const ir_value *value = ir_is_data(op, g) ? ir_operand(op, g) : NULL;
            if (value && ir_type_is_int(ix_element_type(value->type)))
                walk->relevant[value->id] = true;
        }
    }
}

bool ix_has_bit_words(const ir_function *kernel)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        int64_t mode =
            op->code == IR_OP_ATOMIC_RMW_TKO ? ir_attr_int(op, IR_AT_ATOMIC_RMW_TKO_mode, -1) : -1;
        if (mode == IR_ATOMIC_OR || mode == IR_ATOMIC_AND || mode == IR_ATOMIC_XOR)
            return true;
    }
    return false;
}

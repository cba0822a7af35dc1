/* Pointers that a table in memory holds (group GEMM). Each addresses a region of its own, as the
 * contract states or rules require. All regions of one table are one allocation here, told apart by
 * the number of the element that the pointer was loaded from. */
#include "index_space/walk.h"

/* The memory op that a value was loaded by, seen through ops that only hand elements on. */
static const ir_op *loaded_by(const ir_value *value)
{
    while (value->def) {
        const ir_op *def = value->def;
        switch (def->code) {
        case IR_OP_LOAD_VIEW_TKO:
        case IR_OP_LOAD_PTR_TKO:
            return def;
        case IR_OP_EXTRACT:
        case IR_OP_RESHAPE:
        case IR_OP_BROADCAST:
        case IR_OP_PERMUTE:
        case IR_OP_ASSUME:
        case IR_OP_INT_TO_PTR:
            value = def->operands[0];
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

/* May the load give a number that is an operand of its own, where its mask is false? A constant
 * addresses nothing. */
static bool is_padded(const ir_op *load)
{
    const ir_value *padding = ir_operand_in_role(load, IR_ROLE_PADDING);
    while (padding && padding->def &&
           (padding->def->code == IR_OP_RESHAPE || padding->def->code == IR_OP_BROADCAST))
        padding = padding->def->operands[0];
    return padding && !(padding->def && padding->def->code == IR_OP_CONSTANT);
}

int ix_regions_of(const ix_walk *walk, const ir_value *pointer)
{
    const summary *s = walk->s;
    const ir_op *load = loaded_by(pointer);
    uint64_t set = 0;
    if (load && is_padded(load))
        return -1;
    for (uint32_t i = 0; load && i < load->n_operands; i++)
        set |= walk->provenance[load->operands[i]->id];
    for (size_t a = 0; a < s->n_allocations && a < 63; a++)
        if (set == (uint64_t)1 << a)
            for (size_t r = 0; r < s->n_allocations; r++)
                if (s->allocations[r].space == IX_REGIONS && s->allocations[r].table == (int)a)
                    return (int)r;
    return -1;
}

/* The element of the table that the term is the launch-time contents of; NULL: no single one.
 * Beside it may stand what the padding of an unpadded view gives: an unspecified number, which
 * addresses nothing that an access may touch. Where the load has a padding, it is a constant. */
static smt_t table_element(const summary *s, smt_t term, int table)
{
    if (term->kind == SMT_APP)
        return summary_contents_of(s, term, NULL) == table ? term->args[0] : NULL;
    if (term->kind != SMT_ITE)
        return NULL;
    smt_t yes = table_element(s, term->args[1], table);
    smt_t no = table_element(s, term->args[2], table);
    smt_t other = term->args[yes ? 2 : 1];
    if (!yes == !no || other->kind != SMT_APP)
        return NULL;
    return yes ? yes : no;
}

bool ix_region_pointer(ix_walk *walk, const ir_value *result, smt_t number)
{
    int regions = ix_regions_of(walk, result);
    if (regions < 0 || result->type->rank > 0 || !number)
        return false;
    smt_t element = table_element(walk->s, number, walk->s->allocations[regions].table);
    if (!element)
        return false;
    ix_set(walk, result,
           (ix_value){.kind = IX_POINTER,
                      .term = smt_scale(walk->ctx, element, IX_REGION_DISTANCE),
                      .allocation = regions,
                      .arg = -1,
                      .region = element});
    return true;
}

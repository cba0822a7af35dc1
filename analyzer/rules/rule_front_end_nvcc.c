/* TR013: where nvcc 13.4 and 13.5 leave out the token of an access. Seen in what they make of CUDA
 * Tile C++; docs/rules/TR013.md has the shapes in words. */
#include "rules/rule_front_end.h"

/* CUDA Tile C++ has no tokens: program order holds among all accesses through one pointer. Two
 * pointers may be __restrict__, and then a buffer behind both is the caller's mistake. */
static bool through_one_pointer(const checker *k, const ix_access *a, const ix_access *b)
{
    if (a->arg >= 0 || b->arg >= 0)
        return a->arg == b->arg;
    return a->allocation >= 0 && a->allocation == b->allocation &&
           k->s->allocations[a->allocation].space != IX_ARGUMENT;
}

static bool is_inside(const ir_op *op, const ir_op *loop)
{
    for (const ir_op *o = op; o; o = o->parent->parent)
        if (o == loop)
            return true;
    return false;
}

bool front_end_made_inside(const ir_value *value, const ir_op *loop)
{
    const ir_op *around = value->def ? value->def : value->block->parent;
    return around && is_inside(around, loop);
}

static const ir_value *behind_casts(const ir_value *value)
{
    while (value->def && (value->def->code == IR_OP_EXTI || value->def->code == IR_OP_TRUNCI))
        value = value->def->operands[0];
    return value;
}

static bool is_argument_of(const ir_value *value, const ir_op *loop)
{
    return value->block && value->block->parent == loop;
}

/* A C loop that the compiler made no `for` of: the counter is what is carried in the first
 * iteration, and one step on in the others. */
static bool is_stepped_argument(const ir_value *value, const ir_op *loop)
{
    const ir_op *choice = value->def;
    if (!choice || choice->code != IR_OP_IF || choice->n_regions < 2 || !choice->regions[1])
        return false;
    const ir_op *first = choice->regions[0]->last, *later = choice->regions[1]->last;
    if (first->code != IR_OP_YIELD || later->code != IR_OP_YIELD)
        return false;
    const ir_value *start = first->operands[value->index], *next = later->operands[value->index];
    return is_argument_of(start, loop) && next->def && next->def->code == IR_OP_ADDI &&
           (next->def->operands[0] == start || next->def->operands[1] == start);
}

static bool is_induction_variable(const ir_value *value, const ir_op *loop)
{
    value = behind_casts(value);
    if (loop->code == IR_OP_FOR)
        return is_argument_of(value, loop) && value->index == 0;
    return is_stepped_argument(value, loop);
}

/* The store of a vector, tile by tile, in a loop of a nest: its token was to come from the
 * iteration before, and is one from outside the loop or none. The outer iterations, which write
 * the same tiles again, are then unordered. */
static bool is_nested_store(const ix_access *a, const ix_access *b)
{
    if (a != b || a->op->code != IR_OP_STORE_VIEW_TKO || a->ordering != IR_WEAK || a->n_loops < 2)
        return false;
    const ir_type *view = ir_operand(a->op, IR_STORE_VIEW_TKO_view)->type;
    const ir_op *inner = a->loops[a->n_loops - 1]->op;
    const ir_value *token = ir_token_in(a->op);
    return view->kind == IR_PARTITION_VIEW && view->rank == 1 &&
           (!token || !front_end_made_inside(token, inner)) &&
           is_induction_variable(ir_operand(a->op, IR_STORE_VIEW_TKO_index), inner);
}

/* Of the tokens of a loop only the last iteration's goes on: read per name, that token would stand
 * for all of them, and so the pair is ordered then. */
bool front_end_nvcc_left_out(const checker *k, const ix_access *a, const ix_access *b,
                             bool vanishes_per_name)
{
    return through_one_pointer(k, a, b) && (vanishes_per_name || is_nested_store(a, b));
}

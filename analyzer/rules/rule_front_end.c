/* TR013: the order that two accesses of one tile block lack was in the source, and the front end is
 * known to leave it out (docs/memory-model.md).
 *
 * What is told apart here is who made the mistake, never whether there is one: the verdict stays
 * race. A pair is laid on the front end only where its source language keeps program order between
 * the two by itself, so that no author could have dropped the order, and where the module shows one
 * of the shapes in which that compiler is known to do so. All else stays TR003. */
#include "rules/checker.h"

#include <string.h>

/* ---- Section: nvcc ---- */

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

static bool is_defined_inside(const ir_value *value, const ir_op *loop)
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
           (!token || !is_defined_inside(token, inner)) &&
           is_induction_variable(ir_operand(a->op, IR_STORE_VIEW_TKO_index), inner);
}

/* Of the tokens of a loop only the last iteration's goes on: read per name, that token would stand
 * for all of them, and so the pair is ordered then. */
static bool is_known_of_nvcc(const checker *k, const ix_access *a, const ix_access *b,
                             bool vanishes_per_name)
{
    return through_one_pointer(k, a, b) && (vanishes_per_name || is_nested_store(a, b));
}

/* ---- Section: which front end made the module ---- */

typedef struct front_end {
    rule_id rule;
    const char *producer; /* its producer section contains this */
    const char *shown;
    bool (*is_known)(const checker *k, const ix_access *a, const ix_access *b,
                     bool vanishes_per_name);
} front_end;

static const front_end front_ends[] = {
    {RULE_FRONT_END_NVCC, "Cuda compilation tools, release 13.4,", "nvcc 13.4", is_known_of_nvcc},
    {RULE_FRONT_END_NVCC, "Cuda compilation tools, release 13.5,", "nvcc 13.5", is_known_of_nvcc},
};

rule_id front_end_rule(const checker *k, const ix_access *a, const ix_access *b,
                       bool vanishes_per_name, const char **suspect)
{
    const char *producer = k->kernel->module->producer;
    for (size_t i = 0; producer && i < TR_COUNT(front_ends); i++) {
        const front_end *f = &front_ends[i];
        if (strstr(producer, f->producer) && f->is_known(k, a, b, vanishes_per_name)) {
            *suspect = f->shown;
            return f->rule;
        }
    }
    return RULE_UNORDERED_IN_BLOCK;
}

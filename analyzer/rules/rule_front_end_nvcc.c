/* TR013: where nvcc 13.4 and 13.5 leave out the token of an access. Seen in what they make of CUDA
 * Tile C++; docs/rules/TR013.md has the shapes in words. */
#include "question/checker.h"
#include "rules/rule_front_end.h"

#include "base/ds.h"

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

/* ---- Section: where a token may come from ---- */

typedef struct sources {   /* of a token: a walk against the flow */
    const ir_op *within;   /* what is made outside of this op is not followed; NULL: all is */
    bool *seen;            /* by value id */
    const ir_value **open; /* stb_ds array */
} sources;

static void add_source(sources *s, const ir_value *value)
{
    if (s->seen[value->id] || (s->within && !front_end_made_inside(value, s->within)))
        return;
    s->seen[value->id] = true;
    arrput(s->open, value);
}

static const ir_op *loop_around(const ir_op *op)
{
    const ir_op *o = op->parent->parent;
    while (o && o->code != IR_OP_FOR && o->code != IR_OP_LOOP)
        o = o->parent->parent;
    return o;
}

/* Adds what the ends of an iteration (continue), or of the loop (break), hand on at that
 * position. */
static void add_handed_on(sources *s, const ir_op *loop, ir_opcode end, uint32_t position)
{
    for (const ir_op *op = ir_next_op(loop); op && is_inside(op, loop); op = ir_next_op(op))
        if (op->code == end && loop_around(op) == loop)
            add_source(s, op->operands[position]);
}

static void add_initial(sources *s, const ir_op *loop, uint32_t position)
{
    uint32_t count;
    unsigned group = loop->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values;
    add_source(s, ir_group(loop, group, &count)[position]);
}

static void follow_carried(sources *s, const ir_value *value)
{
    const ir_op *loop = value->block->parent;
    if (!loop || (loop->code != IR_OP_FOR && loop->code != IR_OP_LOOP))
        return;
    uint32_t position = value->index - (loop->code == IR_OP_FOR); /* after the counter */
    add_initial(s, loop, position);
    add_handed_on(s, loop, IR_OP_CONTINUE, position);
}

/* Adds the values that a token may be: those that its op joins, hands on or carries, and otherwise
 * the token that its op comes after. */
static void follow(sources *s, const ir_value *value)
{
    const ir_op *op = value->def;
    if (!op) {
        follow_carried(s, value);
        return;
    }
    switch (op->code) {
    case IR_OP_JOIN_TOKENS:
        for (uint32_t i = 0; i < op->n_operands; i++)
            add_source(s, op->operands[i]);
        return;
    case IR_OP_IF:
        for (uint32_t r = 0; r < op->n_regions; r++)
            if (op->regions[r] && op->regions[r]->last->code == IR_OP_YIELD)
                add_source(s, op->regions[r]->last->operands[value->index]);
        return;
    case IR_OP_FOR:
        add_initial(s, op, value->index);
        add_handed_on(s, op, IR_OP_CONTINUE, value->index);
        return;
    case IR_OP_LOOP:
        add_handed_on(s, op, IR_OP_BREAK, value->index);
        return;
    default:
        if (ir_token_in(op))
            add_source(s, ir_token_in(op));
        return;
    }
}

/* Does the token come from a value of which `is_it` is true? */
static bool comes_from(const checker *k, const ir_value *token, const ir_op *within,
                       bool (*is_it)(const ir_value *value, const ir_op *within))
{
    if (!token)
        return false;
    sources s = {.within = within, .seen = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_values)};
    bool found = false;
    add_source(&s, token);
    while (!found && arrlenu(s.open)) {
        const ir_value *value = arrpop(s.open);
        found = is_it(value, within);
        follow(&s, value);
    }
    arrfree(s.open);
    return found;
}

/* ---- Section: the shapes ---- */

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

/* Is the value the counter of a C loop that the compiler did not make a `for`? It is the carried
 * value in the first iteration, and one step further in the others. */
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

/* Is it the store of a vector, tile by tile, in a loop of a nest? Its token should come from the
 * iteration before, and comes from outside the loop or is missing. The outer iterations, which
 * write the same tiles again, are then unordered. */
static bool is_nested_store(const checker *k, const ix_access *a, const ix_access *b)
{
    if (a != b || a->op->code != IR_OP_STORE_VIEW_TKO || a->ordering != IR_WEAK || a->n_loops < 2)
        return false;
    const ir_type *view = ir_operand(a->op, IR_STORE_VIEW_TKO_view)->type;
    const ir_op *inner = a->loops[a->n_loops - 1]->op;
    return view->kind == IR_PARTITION_VIEW && view->rank == 1 &&
           !comes_from(k, ir_token_in(a->op), inner, is_argument_of) &&
           is_induction_variable(ir_operand(a->op, IR_STORE_VIEW_TKO_index), inner);
}

static bool is_entry_token(const ir_value *value)
{
    return value->def && value->def->code == IR_OP_MAKE_TOKEN && !value->def->parent->parent;
}

/* Does a branch of an `if` forget earlier accesses? A branch without an access hands on the token
 * that the kernel began with, in place of the one that holds at the `if`. */
static bool is_forgotten_in_a_branch(const ir_value *value, const ir_op *within)
{
    (void)within;
    const ir_op *op = value->def;
    if (!op || op->code != IR_OP_IF || op->n_regions < 2 || !op->regions[1])
        return false;
    const ir_op *ends[2] = {op->regions[0]->last, op->regions[1]->last};
    if (ends[0]->code != IR_OP_YIELD || ends[1]->code != IR_OP_YIELD)
        return false;
    return is_entry_token(ends[0]->operands[value->index]) !=
           is_entry_token(ends[1]->operands[value->index]);
}

/* Did nvcc leave the token out? Only the token of a loop's last iteration leaves the loop: read per
 * name, it would stand for all iterations, and so the pair is ordered then. */
bool front_end_nvcc_left_out(const checker *k, const ix_access *a, const ix_access *b,
                             bool vanishes_per_name)
{
    if (!through_one_pointer(k, a, b))
        return false;
    return vanishes_per_name || is_nested_store(k, a, b) ||
           comes_from(k, ir_token_in(a->op), NULL, is_forgotten_in_a_branch) ||
           comes_from(k, ir_token_in(b->op), NULL, is_forgotten_in_a_branch);
}

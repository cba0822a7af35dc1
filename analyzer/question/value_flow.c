#include "question/value_flow.h"

#include <string.h>

/* An answer for each value, by its number. Questions are acyclic but for loops, which are handled
 * by induction, so an answer is final once it exists. */
typedef enum answer { OPEN, NO, YES } answer;

typedef struct flow {
    tr_arena *arena;
    const ir_function *kernel;
    unsigned char *answers;
} flow;

static bool comes(flow *f, const ir_value *value);

static bool is_loop(const ir_op *op)
{
    return op->code == IR_OP_FOR || op->code == IR_OP_LOOP;
}

static const ir_op *innermost_loop(const ir_op *op)
{
    do
        op = op->parent ? op->parent->parent : NULL;
    while (op && !is_loop(op));
    return op;
}

/* Ways that end the iteration, the loop or the kernel give the branch no value. */
static bool comes_by_branch(flow *f, const ir_op *branch, uint32_t i)
{
    bool any = false;
    for (uint32_t r = 0; r < branch->n_regions; r++) {
        const ir_op *last = branch->regions[r] ? branch->regions[r]->last : NULL;
        if (!last || last->code != IR_OP_YIELD)
            continue;
        if (!comes(f, last->operands[i]))
            return false;
        any = true;
    }
    return any;
}

/* Does operand i come from the source in all ops of that kind that belong to the loop? */
static bool all_come(flow *f, const ir_op *loop, ir_opcode code, uint32_t i)
{
    bool any = false;
    for (const ir_op *op = ir_first_op(f->kernel); op; op = ir_next_op(op)) {
        if (op->code != code || innermost_loop(op) != loop)
            continue;
        if (!comes(f, op->operands[i]))
            return false;
        any = true;
    }
    return any;
}

/* Decides by induction: what an iteration is given comes from the source if the first iteration's
 * does, and each iteration makes the next one's from it. Assumes this of all carried values that
 * begin so, and drops those that an iteration does not keep, until none is left to drop. */
static bool comes_by_loop(flow *f, const ir_op *loop, uint32_t i)
{
    const bool counts = loop->code == IR_OP_FOR;
    uint32_t n;
    ir_value **given = ir_group(loop, counts ? IR_FOR_init_values : IR_LOOP_init_values, &n);
    ir_value **args = loop->regions[0]->args + counts;
    bool *is_kept = TR_NEW_ARRAY(f->arena, bool, n + 1);
    for (uint32_t a = 0; a < n; a++)
        is_kept[a] = comes(f, given[a]);
    flow inside = *f;
    inside.answers = TR_NEW_ARRAY(f->arena, unsigned char, f->kernel->n_values);
    for (bool changed = true; changed;) {
        changed = false;
        memcpy(inside.answers, f->answers, f->kernel->n_values);
        for (uint32_t a = 0; a < n; a++)
            inside.answers[args[a]->id] = is_kept[a] ? YES : NO;
        for (uint32_t a = 0; a < n && !changed; a++) {
            if (is_kept[a] && !all_come(&inside, loop, IR_OP_CONTINUE, a)) {
                is_kept[a] = false;
                changed = true;
            }
        }
    }
    return counts ? i < n && is_kept[i] : all_come(&inside, loop, IR_OP_BREAK, i);
}

static bool comes_by_op(flow *f, const ir_value *value)
{
    const ir_op *op = value->def;
    uint32_t i = (uint32_t)(value - op->results);
    if (op->code == IR_OP_IF)
        return comes_by_branch(f, op, i);
    if (is_loop(op))
        return comes_by_loop(f, op, i);
    if (ir_op_info_of(op->code)->effects & IR_CONTROL)
        return false;
    for (uint32_t k = 0; k < op->n_operands; k++)
        if (comes(f, op->operands[k]))
            return true;
    return false;
}

static bool comes(flow *f, const ir_value *value)
{
    if (f->answers[value->id] == OPEN) {
        bool does = value->def && comes_by_op(f, value);
        f->answers[value->id] = does ? YES : NO;
    }
    return f->answers[value->id] == YES;
}

bool term_is_computed_from(tr_arena *arena, const ir_function *kernel, const ir_value *value,
                           const ir_value *source)
{
    flow f = {arena, kernel, TR_NEW_ARRAY(arena, unsigned char, kernel->n_values)};
    f.answers[source->id] = YES;
    return comes(&f, value);
}

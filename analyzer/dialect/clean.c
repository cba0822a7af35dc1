/* The clean-up of a complete function. Merging and loops make constants, tokens and carried values
 * wherever they might be needed; what nothing reads goes away again, so that the IR says no more
 * than the source. Arithmetic stays, read or not: it may be undefined for some inputs, which is a
 * finding. */
#include "dialect/clean.h"

#include "base/ds.h"

uint32_t clean_first_init(const ir_op *loop)
{
    return loop->code == IR_OP_FOR ? loop->group_end[IR_FOR_init_values - 1] : 0;
}

uint32_t clean_first_arg(const ir_op *loop)
{
    return loop->code == IR_OP_FOR ? 1 : 0;
}

static void set_last_group(cleaner *c, ir_op *op, uint32_t n_groups)
{
    uint32_t *ends = TR_NEW_ARRAY(c->L->keep, uint32_t, n_groups);
    for (uint32_t g = 0; g + 1 < n_groups; g++)
        ends[g] = op->group_end[g];
    ends[n_groups - 1] = op->n_operands;
    op->group_end = ends;
}

static void unlink_op(ir_op *op)
{
    ir_block *block = op->parent;
    *(op->prev ? &op->prev->next : &block->first) = op->next;
    *(op->next ? &op->next->prev : &block->last) = op->prev;
}

/* ---- Standing in ---- */

static ir_value *resolve(const cleaner *c, ir_value *value)
{
    while (c->is[value->id])
        value = c->is[value->id];
    return value;
}

/* Keeps each token once, and the entry token not at all beside others. True: one token is left,
 * which stands for the join. */
static bool simplify_join(cleaner *c, ir_op *op)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        bool known = op->operands[i] == c->L->entry_token;
        for (uint32_t j = 0; j < n && !known; j++)
            known = op->operands[j] == op->operands[i];
        if (!known)
            op->operands[n++] = op->operands[i];
    }
    if (n == 0)
        op->operands[n++] = c->L->entry_token;
    if (n == op->n_operands)
        return false;
    op->n_operands = n;
    set_last_group(c, op, 1);
    if (n > 1)
        return false;
    c->is[op->results[0].id] = op->operands[0];
    return true;
}

static void stand_in(cleaner *c, ir_function *function)
{
    for (ir_op *op = ir_first_op(function), *next; op; op = next) {
        next = ir_next_op(op);
        for (uint32_t i = 0; i < op->n_operands; i++)
            op->operands[i] = resolve(c, op->operands[i]);
        if (op->code == IR_OP_JOIN_TOKENS && simplify_join(c, op))
            unlink_op(op);
    }
}

static ir_op *loop_around(const ir_op *op)
{
    ir_op *around = op->parent->parent;
    while (around && !ir_is_loop(around))
        around = around->parent->parent;
    return around;
}

static void find_loops(cleaner *c, ir_function *function)
{
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        if (ir_is_loop(op))
            arrput(c->loops, op);
        if (op->code != IR_OP_BREAK && op->code != IR_OP_CONTINUE)
            continue;
        ir_op *loop = loop_around(op);
        if (loop)
            arrput(c->exits[loop->ordinal], op);
    }
}

/* ---- What is read ---- */

static void mark(cleaner *c, ir_value *value)
{
    if (c->live[value->id])
        return;
    c->live[value->id] = true;
    arrput(c->work, value);
}

/* Values that are read whatever becomes of the results. */
static void mark_roots(cleaner *c, ir_op *op)
{
    switch (op->code) {
    case IR_OP_JOIN_TOKENS:
    case IR_OP_MAKE_TOKEN:
    case IR_OP_CONSTANT:
        return;
    case IR_OP_IF:
        mark(c, op->operands[0]);
        return;
    case IR_OP_FOR:
        for (uint32_t i = 0; i < clean_first_init(op); i++)
            mark(c, op->operands[i]);
        return;
    case IR_OP_LOOP:
    case IR_OP_BREAK:
    case IR_OP_CONTINUE:
        return;
    case IR_OP_YIELD:
        if (op->parent->parent->code == IR_OP_IF)
            return;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < op->n_operands; i++)
        mark(c, op->operands[i]);
}

static void mark_column(cleaner *c, ir_op *loop, uint32_t column)
{
    mark(c, &loop->results[column]);
    mark(c, loop->regions[0]->args[clean_first_arg(loop) + column]);
    mark(c, loop->operands[clean_first_init(loop) + column]);
    ir_op **exits = c->exits[loop->ordinal];
    for (size_t i = 0; i < arrlenu(exits); i++)
        mark(c, exits[i]->operands[column]);
}

ir_op *clean_yield_of(const ir_op *op, unsigned region)
{
    const ir_block *block = op->regions[region];
    return block && block->last && block->last->code == IR_OP_YIELD ? block->last : NULL;
}

static void mark_behind(cleaner *c, ir_value *value)
{
    if (!value->def) {
        ir_op *owner = value->block->parent;
        if (owner && ir_is_loop(owner) && value->index >= clean_first_arg(owner))
            mark_column(c, owner, value->index - clean_first_arg(owner));
        return;
    }
    ir_op *op = value->def;
    if (ir_is_loop(op)) {
        mark_column(c, op, value->index);
    } else if (op->code == IR_OP_IF) {
        for (unsigned r = 0; r < 2; r++) {
            ir_op *yield = clean_yield_of(op, r);
            if (yield)
                mark(c, yield->operands[value->index]);
        }
    } else if (op->code == IR_OP_JOIN_TOKENS) {
        for (uint32_t i = 0; i < op->n_operands; i++)
            mark(c, op->operands[i]);
    }
}

/* ---- What goes away ---- */

static void keep_columns(cleaner *c, ir_op *op, uint32_t first, const bool *kept, uint32_t n,
                         uint32_t n_groups)
{
    uint32_t at = first;
    for (uint32_t i = 0; i < n; i++)
        if (kept[i])
            op->operands[at++] = op->operands[first + i];
    op->n_operands = at;
    set_last_group(c, op, n_groups);
}

/* The values of an op that stay move into a new array; their readers find them by id. */
static bool keep_results(cleaner *c, ir_op *op, bool *kept)
{
    uint32_t n = 0, before = op->n_results;
    for (uint32_t i = 0; i < before; i++)
        n += kept[i] = c->live[op->results[i].id];
    if (n == before)
        return false;
    ir_value *results = TR_NEW_ARRAY(c->L->keep, ir_value, n + 1);
    for (uint32_t i = 0, at = 0; i < before; i++) {
        if (!kept[i])
            continue;
        results[at] = op->results[i];
        results[at].index = at;
        c->is[op->results[i].id] = &results[at];
        at++;
    }
    uint32_t *ends = TR_NEW(c->L->keep, uint32_t);
    *ends = n;
    op->results = results;
    op->n_results = n;
    op->result_group_end = ends;
    return true;
}

static void trim_if(cleaner *c, ir_op *op)
{
    uint32_t n = op->n_results;
    bool *kept = TR_NEW_ARRAY(c->L->scratch, bool, n + 1);
    if (keep_results(c, op, kept))
        for (unsigned r = 0; r < 2; r++) {
            ir_op *yield = clean_yield_of(op, r);
            if (yield)
                keep_columns(c, yield, 0, kept, n, 1);
        }
}

/* An else that only yields nothing says nothing. */
static void drop_empty_else(ir_op *op)
{
    ir_op *yield = clean_yield_of(op, IR_RG_IF_else);
    if (op->n_results == 0 && yield && yield->prev == NULL)
        op->regions[IR_RG_IF_else] = NULL;
}

static void trim_loop(cleaner *c, ir_op *op)
{
    uint32_t n = op->n_results, first = clean_first_arg(op);
    bool *kept = TR_NEW_ARRAY(c->L->scratch, bool, n + 1);
    if (!keep_results(c, op, kept))
        return;
    ir_block *body = op->regions[0];
    uint32_t at = first;
    for (uint32_t i = 0; i < n; i++) {
        if (!kept[i])
            continue;
        body->args[first + i]->index = at;
        body->args[at++] = body->args[first + i];
    }
    body->n_args = at;
    keep_columns(c, op, clean_first_init(op), kept, n, op->code == IR_OP_FOR ? 4 : 1);
    ir_op **exits = c->exits[op->ordinal];
    for (size_t i = 0; i < arrlenu(exits); i++)
        keep_columns(c, exits[i], 0, kept, n, 1);
}

static void remove_dead(cleaner *c, ir_function *function)
{
    for (ir_op *op = ir_first_op(function), *next; op; op = next) {
        next = ir_next_op(op);
        bool removable = op->code == IR_OP_CONSTANT || op->code == IR_OP_MAKE_TOKEN ||
                         op->code == IR_OP_JOIN_TOKENS;
        if (removable && !c->live[op->results[0].id])
            unlink_op(op);
        else if (op->code == IR_OP_IF)
            trim_if(c, op);
    }
    for (size_t i = 0; i < arrlenu(c->loops); i++)
        trim_loop(c, c->loops[i]);
}

void dl_finish_function(dl *L, ir_function *function)
{
    cleaner c = {
        .L = L,
        .is = TR_NEW_ARRAY(L->scratch, ir_value *, function->n_values + 1),
        .live = TR_NEW_ARRAY(L->scratch, bool, function->n_values + 1),
        .exits = TR_NEW_ARRAY(L->scratch, ir_op **, function->n_ops + 1),
    };
    for (size_t i = 0; i < arrlenu(L->forward); i++)
        c.is[L->forward[i].from->id] = L->forward[i].to;
    arrsetlen(L->forward, 0);
    stand_in(&c, function);
    find_loops(&c, function);
    if (clean_merge_tokens(&c, function))
        stand_in(&c, function);
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
        mark_roots(&c, op);
    while (arrlenu(c.work) > 0)
        mark_behind(&c, arrpop(c.work));
    arrfree(c.work);
    memset(c.is, 0, sizeof(ir_value *) * (function->n_values + 1));
    remove_dead(&c, function);
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        for (uint32_t i = 0; i < op->n_operands; i++) {
            ir_value *moved = c.is[op->operands[i]->id];
            if (moved)
                op->operands[i] = moved;
        }
        if (op->code == IR_OP_IF)
            drop_empty_else(op);
    }
    for (size_t i = 0; i < arrlenu(c.loops); i++)
        arrfree(c.exits[c.loops[i]->ordinal]);
    arrfree(c.loops);
    ir_renumber(function);
}

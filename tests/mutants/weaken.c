#include "weaken.h"

#include "base/ds.h"

/* ---- Attributes ---- */

static ir_attr *attribute(const ir_op *op, const char *name)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned i = 0; i < info->n_attrs; i++)
        if (strcmp(info->attrs[i].name, name) == 0)
            return &op->attrs[i];
    return NULL;
}

static ir_attr *ordering_of(const ir_op *op)
{
    return attribute(op, "memory_ordering_semantics");
}

static ir_attr *scope_of(const ir_op *op)
{
    return attribute(op, "memory_scope");
}

/* ---- What mutants take instead ---- */

static void move_to_front(ir_block *block, ir_op *op)
{
    if (op->prev)
        op->prev->next = op->next;
    if (op->next)
        op->next->prev = op->prev;
    if (block->last == op)
        block->last = op->prev;
    op->prev = NULL;
    op->next = block->first;
    block->first->prev = op;
    block->first = op;
}

spare spare_make(ir_module *module, ir_function *function)
{
    ir_builder b = {.module = module, .function = function, .block = function->body};
    const ir_type *token = ir_type_token(module);
    const ir_type *bit = ir_type_tile(module, ir_type_scalar(module, IR_I1), 0, NULL);
    ir_op *fresh = ir_build(&b, IR_OP_MAKE_TOKEN, NULL, 1, &token, NULL);
    ir_op *yes = ir_build(&b, IR_OP_CONSTANT, NULL, 1, &bit, NULL);
    yes->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(module, bit, 1);
    move_to_front(function->body, yes);
    move_to_front(function->body, fresh);
    ir_renumber(function);
    return (spare){&fresh->results[0], &yes->results[0]};
}

/* ---- Listing ---- */

static bool is_plain(const ir_op *op) /* a load or store, which may be weak */
{
    return !(ir_op_info_of(op->code)->effects & IR_ATOMIC);
}

static void add_order(mutant **list, ir_op *op, ir_ordering to)
{
    static const char *const names[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
    mutant m = {.kind = MUTANT_ORDER, .op = op, .ordering = to, .what = names[to]};
    arrput(*list, m);
}

static void list_orders(mutant **list, ir_op *op)
{
    ir_ordering now = ir_memory_ordering(op);
    if (!ordering_of(op) || now == IR_WEAK)
        return;
    if (now == IR_ACQ_REL) {
        add_order(list, op, IR_ACQUIRE);
        add_order(list, op, IR_RELEASE);
    }
    if (now != IR_RELAXED)
        add_order(list, op, IR_RELAXED);
    if (is_plain(op))
        add_order(list, op, IR_WEAK);
    if (ir_memory_scope(op) > IR_SCOPE_TL_BLK) {
        mutant m = {.kind = MUTANT_SCOPE, .op = op, .what = "tl_blk"};
        arrput(*list, m);
    }
}

/* What the token of a mutant came from. */
static const char *source_of(tr_arena *arena, const ir_value *token)
{
    if (!token->def)
        return "the loop's token";
    return tr_arena_printf(arena, "%s of line %u", ir_op_info_of(token->def->code)->mnemonic,
                           token->def->place ? token->def->place->line : 0);
}

static void list_tokens(tr_arena *arena, mutant **list, ir_op *op, const spare *s)
{
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const ir_value *v = op->operands[i];
        bool fresh = v->def && v->def->code == IR_OP_MAKE_TOKEN;
        if (v->type->kind != IR_TOKEN || v == s->token || fresh)
            continue;
        mutant m = {.kind = MUTANT_TOKEN, .op = op, .operand = i, .what = source_of(arena, v)};
        arrput(*list, m);
    }
}

/* Does a value come from memory, by ops of the same iteration? */
static bool is_read(const ir_value *v, int depth)
{
    if (!v->def || depth > 32)
        return false;
    if (ir_op_info_of(v->def->code)->effects & (IR_READS | IR_ATOMIC))
        return true;
    for (uint32_t i = 0; i < v->def->n_operands; i++)
        if (v->def->operands[i]->type->kind != IR_TOKEN && is_read(v->def->operands[i], depth + 1))
            return true;
    return false;
}

mutant *mutants_list(tr_arena *arena, const ir_function *function, const spare *s)
{
    mutant *list = NULL;
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        if (ir_is_memory_op(op))
            list_orders(&list, op);
        list_tokens(arena, &list, op, s);
        if (op->code == IR_OP_IF && is_read(ir_operand(op, IR_IF_condition), 0)) {
            mutant m = {.kind = MUTANT_GUARD, .op = op, .what = "always"};
            arrput(list, m);
        }
    }
    return list;
}

/* ---- Applying ---- */

undo mutant_apply(const mutant *m, const spare *s)
{
    undo u = {{0}};
    switch (m->kind) {
    case MUTANT_ORDER:
        u.ordering = *ordering_of(m->op);
        u.scope = *scope_of(m->op);
        ordering_of(m->op)->number = m->ordering;
        if (m->ordering == IR_WEAK)
            scope_of(m->op)->kind = IR_ATTR_NONE;
        break;
    case MUTANT_SCOPE:
        u.scope = *scope_of(m->op);
        scope_of(m->op)->number = IR_SCOPE_TL_BLK;
        break;
    case MUTANT_TOKEN:
    case MUTANT_GUARD:
        u.operand = m->op->operands[m->operand];
        m->op->operands[m->operand] = m->kind == MUTANT_TOKEN ? s->token : s->yes;
        break;
    }
    return u;
}

void mutant_undo(const mutant *m, const undo *u)
{
    switch (m->kind) {
    case MUTANT_ORDER:
        *ordering_of(m->op) = u->ordering;
        *scope_of(m->op) = u->scope;
        break;
    case MUTANT_SCOPE:
        *scope_of(m->op) = u->scope;
        break;
    case MUTANT_TOKEN:
    case MUTANT_GUARD:
        m->op->operands[m->operand] = u->operand;
        break;
    }
}

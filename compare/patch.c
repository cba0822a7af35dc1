/* Changes of a function in place, each of which can be taken back. */
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"

typedef struct kept { /* what stood there before */
    void *where;
    size_t size;
    unsigned char bytes[sizeof(ir_attr)];
} kept;

struct patch {
    ir_function *function;
    kept *log; /* stb_ds array */
};

patch *patch_new(ir_function *function)
{
    patch *p = calloc(1, sizeof *p);
    if (p)
        p->function = function;
    return p;
}

void patch_undo(patch *p)
{
    if (!p)
        return;
    while (arrlenu(p->log) > 0) {
        kept k = arrpop(p->log);
        memcpy(k.where, k.bytes, k.size);
    }
    ir_renumber(p->function);
    arrfree(p->log);
    free(p);
}

void patch_set(patch *p, void *where, const void *what, size_t size)
{
    kept k = {.where = where, .size = size};
    TR_ASSERT(size <= sizeof k.bytes);
    memcpy(k.bytes, where, size);
    arrput(p->log, k);
    memcpy(where, what, size);
}

void patch_operand(patch *p, ir_op *op, uint32_t operand, ir_value *value)
{
    patch_set(p, &op->operands[operand], &value, sizeof value);
}

void patch_number(patch *p, ir_op *op, unsigned attr, int64_t number)
{
    patch_set(p, &op->attrs[attr].number, &number, sizeof number);
}

void patch_type(patch *p, ir_value *value, const ir_type *type)
{
    patch_set(p, &value->type, &type, sizeof type);
}

void patch_uses(patch *p, const ir_value *value, ir_value *with, const ir_op *but)
{
    for (ir_op *op = ir_first_op(p->function); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands && op != but; i++)
            if (op->operands[i] == value)
                patch_operand(p, op, i, with);
}

static void link_op(patch *p, ir_op **where, ir_op *op)
{
    patch_set(p, where, &op, sizeof op);
}

/* How often an op takes each value, by its id. */
static uint32_t *count_uses(const ir_function *function)
{
    uint32_t *uses = calloc(function->n_values + 1, sizeof *uses);
    for (const ir_op *op = uses ? ir_first_op(function) : NULL; op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++)
            uses[op->operands[i]->id]++;
    return uses;
}

static bool is_idle(const ir_op *op, const uint32_t *uses)
{
    bool used =
        ir_op_info_of(op->code)->effects != IR_PURE || op->n_regions > 0 || op->n_results == 0;
    for (uint32_t i = 0; i < op->n_results; i++)
        used = used || uses[op->results[i].id] > 0;
    return !used;
}

bool patch_remove_idle(patch *p)
{
    uint32_t *uses = count_uses(p->function);
    bool removed = false;
    for (ir_op *op = uses ? ir_first_op(p->function) : NULL, *next; op; op = next) {
        next = ir_next_op(op);
        if (!is_idle(op, uses))
            continue;
        link_op(p, op->prev ? &op->prev->next : &op->parent->first, op->next);
        link_op(p, op->next ? &op->next->prev : &op->parent->last, op->prev);
        removed = true;
    }
    free(uses);
    return removed;
}

ir_function *patch_function(const patch *p)
{
    return p->function;
}

/* The builder appends to the end of a block: to one of its own, from where the op is moved. */
static ir_op *build(patch *p, ir_op *at, bool behind, ir_opcode code, const ir_operand_list *groups,
                    uint32_t n_results, const ir_type *const *types, const uint32_t *counts)
{
    ir_block *room = ir_block_new(p->function->module, p->function, 0, NULL);
    ir_builder b = {
        .module = p->function->module, .function = p->function, .block = room, .place = at->place};
    ir_op *op = ir_build(&b, code, groups, n_results, types, counts);
    ir_block *block = at->parent;
    ir_op *before = behind ? at : at->prev, *after = behind ? at->next : at;
    op->parent = block;
    op->prev = before;
    op->next = after;
    link_op(p, before ? &before->next : &block->first, op);
    link_op(p, after ? &after->prev : &block->last, op);
    return op;
}

ir_op *patch_build(patch *p, ir_op *at, bool behind, ir_opcode code, const ir_operand_list *groups,
                   uint32_t n_results, const ir_type *const *types)
{
    return build(p, at, behind, code, groups, n_results, types, NULL);
}

ir_op *patch_build_many(patch *p, ir_op *at, ir_opcode code, const ir_operand_list *groups,
                        uint32_t n_results, const ir_type *const *types)
{
    return build(p, at, false, code, groups, n_results, types, &n_results);
}

ir_value *patch_constant(patch *p, ir_op *at, bool behind, const ir_type *type, int64_t number)
{
    const ir_type *types[] = {type};
    ir_op *op = patch_build(p, at, behind, IR_OP_CONSTANT, NULL, 1, types);
    op->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(p->function->module, type, number);
    return &op->results[0];
}

ir_value *patch_sum(patch *p, ir_op *at, bool behind, ir_value *value, int64_t number)
{
    const ir_type *types[] = {value->type};
    ir_value *one = patch_constant(p, at, behind, value->type, number);
    ir_value *a[] = {value}, *b[] = {one};
    ir_operand_list groups[] = {{a, 1}, {b, 1}};
    ir_op *sum = patch_build(p, behind ? one->def : at, behind, IR_OP_ADDI, groups, 1, types);
    return &sum->results[0];
}

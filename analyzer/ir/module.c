/* Modules, functions, blocks and ops: making them. */
#include "ir/ir.h"
#include "ir/module.h"

#include <stdlib.h>
#include <string.h>

tr_give ir_module *ir_module_new(const char *name)
{
    tr_arena *arena = tr_arena_new();
    ir_module *module = TR_NEW(arena, ir_module);
    module->arena = arena;
    module->name = tr_arena_strdup(arena, name ? name : "");
    module->version_minor = 1;
    module->types = ir_types_new(arena);
    return module;
}

void ir_module_free(tr_take ir_module *module)
{
    if (!module) {
        return;
    }
    ir_types_free(module->types);
    tr_arena_free(module->arena);
}

bool ir_is_made_by(const ir_module *module, const char *producer, const char *writer)
{
    if (module->producer)
        return strstr(module->producer, producer) != NULL;
    return module->writer && writer && strcmp(module->writer, writer) == 0;
}

static ir_value *value_new(ir_module *module, ir_function *function, const ir_type *type)
{
    ir_value *value = TR_NEW(module->arena, ir_value);
    value->type = type;
    value->id = function->n_values++;
    return value;
}

ir_block *ir_block_new(ir_module *module, ir_function *function, uint32_t n_args,
                       const ir_type *const *arg_types)
{
    TR_ASSERT(n_args == 0 || arg_types);
    ir_block *block = TR_NEW(module->arena, ir_block);
    block->function = function;
    block->n_args = n_args;
    block->args = TR_NEW_ARRAY(module->arena, ir_value *, n_args);
    for (uint32_t i = 0; i < n_args; i++) {
        ir_value *value = value_new(module, function, arg_types[i]);
        value->block = block;
        value->index = i;
        block->args[i] = value;
    }
    return block;
}

ir_function *ir_function_add(ir_module *module, const char *name, const ir_type *type)
{
    TR_ASSERT(name && type->kind == IR_FUNCTION_TYPE);
    ir_function *function = TR_NEW(module->arena, ir_function);
    function->name = tr_arena_strdup(module->arena, name);
    function->shown = function->name;
    function->type = type;
    function->module = module;
    function->is_entry = true;
    function->body = ir_block_new(module, function, (uint32_t)type->n_params, type->params);
    if (module->last_function) {
        module->last_function->next = function;
    } else {
        module->functions = function;
    }
    module->last_function = function;
    return function;
}

/* ---- Ops ---- */

static void set_operands(ir_module *module, ir_op *op, const ir_op_info *info,
                         const ir_operand_list *groups)
{
    uint32_t *ends = TR_NEW_ARRAY(module->arena, uint32_t, info->n_operand_groups);
    uint32_t total = 0;
    for (int g = 0; g < info->n_operand_groups; g++) {
        total += groups ? groups[g].count : 0;
        ends[g] = total;
    }
    op->n_operands = total;
    op->group_end = ends;
    op->operands = TR_NEW_ARRAY(module->arena, ir_value *, total);
    uint32_t at = 0;
    for (int g = 0; g < info->n_operand_groups && groups; g++) {
        for (uint32_t i = 0; i < groups[g].count; i++) {
            op->operands[at++] = groups[g].values[i];
        }
    }
}

/* Distributes the results where no counts are given: one for each group that must have one, all
 * that are left for the first group that may have any number. */
static void set_result_groups(ir_module *module, ir_op *op, const ir_op_info *info,
                              const uint32_t *counts)
{
    uint32_t *ends = TR_NEW_ARRAY(module->arena, uint32_t, info->n_result_groups);
    uint32_t left = op->n_results, total = 0;
    for (int g = 0; g < info->n_result_groups && !counts; g++) {
        left -= info->result_groups[g].arity == IR_ONE && left > 0;
    }
    for (int g = 0; g < info->n_result_groups; g++) {
        if (counts) {
            total += counts[g];
        } else if (info->result_groups[g].arity == IR_ONE) {
            total += 1;
        } else {
            total += left;
            left = 0;
        }
        ends[g] = total < op->n_results ? total : op->n_results;
    }
    op->result_group_end = ends;
}

static void set_results(ir_builder *builder, ir_op *op, uint32_t n_results,
                        const ir_type *const *types)
{
    op->n_results = n_results;
    op->results = TR_NEW_ARRAY(builder->module->arena, ir_value, n_results);
    for (uint32_t i = 0; i < n_results; i++) {
        op->results[i] = (ir_value){
            .type = types[i],
            .def = op,
            .index = i,
            .id = builder->function->n_values++,
        };
    }
}

static void append(ir_block *block, ir_op *op)
{
    op->parent = block;
    op->prev = block->last;
    if (block->last) {
        block->last->next = op;
    } else {
        block->first = op;
    }
    block->last = op;
}

ir_op *ir_build(ir_builder *builder, ir_opcode code, const ir_operand_list *groups,
                uint32_t n_results, const ir_type *const *result_types,
                const uint32_t *result_counts)
{
    TR_ASSERT(builder->block && code < IR_OP_COUNT);
    const ir_op_info *info = ir_op_info_of(code);
    ir_module *module = builder->module;
    ir_op *op = TR_NEW(module->arena, ir_op);
    op->code = code;
    op->place = builder->place;
    set_operands(module, op, info, groups);
    set_results(builder, op, n_results, result_types);
    set_result_groups(module, op, info, result_counts);
    op->attrs = TR_NEW_ARRAY(module->arena, ir_attr, info->n_attrs);
    op->n_regions = info->n_regions;
    op->regions = TR_NEW_ARRAY(module->arena, ir_block *, info->n_regions);
    op->ordinal = builder->function->n_ops++;
    append(builder->block, op);
    return op;
}

void ir_set_int(ir_op *op, unsigned attr, int64_t value)
{
    op->attrs[attr] = ir_attr_of_int(value);
}

void ir_set_region(ir_op *op, unsigned region, ir_block *block)
{
    TR_ASSERT(block);
    op->regions[region] = block;
    if (block) {
        block->parent = op;
    }
}

static void number_args(ir_function *function, ir_block *block)
{
    for (uint32_t i = 0; i < block->n_args; i++) {
        block->args[i]->id = function->n_values++;
    }
}

void ir_renumber(ir_function *function)
{
    function->n_values = function->n_ops = 0;
    number_args(function, function->body);
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        op->ordinal = function->n_ops++;
        for (uint32_t i = 0; i < op->n_results; i++) {
            op->results[i].id = function->n_values++;
        }
        for (uint32_t r = 0; r < op->n_regions; r++) {
            if (op->regions[r]) {
                number_args(function, op->regions[r]);
            }
        }
    }
}

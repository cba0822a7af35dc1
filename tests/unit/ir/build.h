/* Short ways to build modules in tests. */
#ifndef TEST_BUILD_H
#define TEST_BUILD_H

#include "ir/ir.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

typedef struct kernel {
    ir_module *module;
    ir_function *function;
    ir_builder builder;
} kernel;

#define TYPES(...)                                                                                 \
    (const ir_type *[]){__VA_ARGS__}, sizeof((const ir_type *[]){__VA_ARGS__}) / sizeof(ir_type *)
#define SHAPE(...)                                                                                 \
    sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[])                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static inline kernel kernel_start_in(ir_module *module, const char *name,
                                     const ir_type *const *params, size_t count)
{
    kernel k = {.module = module};
    k.function =
        ir_function_add(module, name, ir_type_function(module, (int)count, params, 0, NULL));
    k.builder = (ir_builder){.module = module, .function = k.function, .block = k.function->body};
    return k;
}

static inline const ir_type *scalar(ir_module *m, ir_type_kind kind)
{
    return ir_type_tile(m, ir_type_scalar(m, kind), 0, NULL);
}

static inline const ir_type *tile(ir_module *m, ir_type_kind kind, size_t rank,
                                  const int64_t *shape)
{
    return ir_type_tile(m, ir_type_scalar(m, kind), (int)rank, shape);
}

static inline const ir_type *pointer_tile(ir_module *m, ir_type_kind pointee, size_t rank,
                                          const int64_t *shape)
{
    return ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, pointee)), (int)rank, shape);
}

/* An op whose operand groups have at most one operand each: NULL is an absent one. Fewer values
 * than groups leave the rest absent; ops with one group of many take all values in it. */
static inline ir_op *op_of(kernel *k, ir_opcode code, const ir_type *const *types, size_t n_types,
                           ir_value *const *values, size_t n_values)
{
    const ir_op_info *info = ir_op_info_of(code);
    ir_operand_list groups[8] = {0};
    if (info->n_operand_groups == 1) {
        groups[0] = (ir_operand_list){values, (uint32_t)n_values};
    } else {
        for (size_t i = 0; i < n_values; i++) {
            groups[i] = (ir_operand_list){&values[i], values[i] ? 1 : 0};
        }
    }
    ir_op *op = ir_build(&k->builder, code, groups, (uint32_t)n_types, types, NULL);
    for (int i = 0; i < info->n_attrs; i++) {
        if (info->attrs[i].coding != IR_CODE_STRING && !info->attrs[i].optional) {
            ir_set_int(op, (unsigned)i, info->attrs[i].missing);
        } else if (info->attrs[i].coding == IR_CODE_UNIT) {
            ir_set_int(op, (unsigned)i, 0);
        }
    }
    return op;
}

static inline ir_value *first_result(ir_op *op)
{
    return op->results;
}

#define OP1(k, code, type, ...)                                                                    \
    op_of(k, code, TYPES(type), (ir_value *[]){__VA_ARGS__},                                       \
          sizeof((ir_value *[]){__VA_ARGS__}) / sizeof(ir_value *))
#define V1(k, code, type, ...) first_result(OP1(k, code, type, __VA_ARGS__))
#define OP0(k, code, ...)                                                                          \
    op_of(k, code, NULL, 0, (ir_value *[]){__VA_ARGS__},                                           \
          sizeof((ir_value *[]){__VA_ARGS__}) / sizeof(ir_value *))

static inline ir_value *param(const kernel *k, uint32_t index)
{
    return k->function->body->args[index];
}

static inline ir_value *constant(kernel *k, const ir_type *type, int64_t value)
{
    ir_op *op = ir_build(&k->builder, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[IR_AT_CONSTANT_value] = ir_type_is_float(type->elem)
                                          ? ir_attr_splat_float(k->module, type, (double)value)
                                          : ir_attr_splat_int(k->module, type, value);
    return op->results;
}

static inline void finish(kernel *k, ir_opcode terminator, ir_value *const *values, uint32_t count)
{
    ir_operand_list group = {values, count};
    ir_build(&k->builder, terminator, &group, 0, NULL, NULL);
}

/* Moves the builder into a new region of `op`; returns where to come back to. */
static inline ir_block *enter(kernel *k, ir_op *op, unsigned region, const ir_type *const *types,
                              uint32_t count)
{
    ir_block *outer = k->builder.block;
    ir_block *inner = ir_block_new(k->module, k->function, count, types);
    ir_set_region(op, region, inner);
    k->builder.block = inner;
    return outer;
}

static inline ir_op *for_of(kernel *k, ir_value *low, ir_value *high, ir_value *step,
                            ir_value *const *inits, uint32_t n_inits)
{
    const ir_type *types[8], *args[9] = {low->type};
    for (uint32_t i = 0; i < n_inits; i++) {
        types[i] = args[i + 1] = inits[i]->type;
    }
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {inits, n_inits}};
    ir_op *op = ir_build(&k->builder, IR_OP_FOR, groups, n_inits, types, NULL);
    ir_set_int(op, IR_AT_FOR_unsigned_cmp, 0);
    ir_set_region(op, IR_RG_FOR_body, ir_block_new(k->module, k->function, n_inits + 1, args));
    return op;
}

static inline void expect_text(const kernel *k, const char *expected)
{
    tr_text text = {0};
    ir_print_module(&text, k->module, false);
    const char *printed = tr_text_get(&text);
    size_t line = 0; /* start of the first line that differs */
    for (size_t i = 0; printed[i] && printed[i] == expected[i]; i++)
        if (printed[i] == '\n')
            line = i + 1;
    if (strcmp(printed, expected) != 0)
        fail_msg("the text differs first in this line\n  expected: %.*s\n  printed:  %.*s",
                 (int)strcspn(expected + line, "\n"), expected + line,
                 (int)strcspn(printed + line, "\n"), printed + line);
    tr_text_free(&text);
}

static inline void expect_valid(const kernel *k)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    bool valid = ir_verify(k->module, &errors);
    if (!valid) {
        fail_msg("%s", errors.items[0].text);
    }
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

static inline void expect_invalid(const kernel *k, const char *part)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    bool valid = ir_verify(k->module, &errors);
    if (valid || !strstr(errors.items[0].text, part)) {
        fail_msg("expected an error with '%s', got %s", part,
                 valid ? "none" : errors.items[0].text);
    }
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

#endif

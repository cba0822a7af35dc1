/* Kernels that a test builds op by op, and the summary of them. */
#ifndef TEST_KERNEL_SKETCH_H
#define TEST_KERNEL_SKETCH_H

#include "index_space/summary.h"

#include "base/ds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

typedef struct kernel_sketch { /* kernel(int *p, const int *q, int n) */
    ir_module *module;
    ir_function *function;
    ir_builder at;
    const ir_type *i32, *flag, *pointer, *token;
    ir_value *p, *q, *n;
    tr_arena *arena;
    smt_ctx *ctx;
    contract *c;
    summary *s;
} kernel_sketch;

#define ONE(value) {(ir_value *[]){value}, 1}
#define NONE       {NULL, 0}

static inline int open_kernel(void **state)
{
    kernel_sketch *k = test_calloc(1, sizeof *k);
    ir_module *m = k->module = ir_module_new("sketch");
    k->i32 = ir_type_tile(m, ir_type_scalar(m, IR_I32), 0, NULL);
    k->flag = ir_type_tile(m, ir_type_scalar(m, IR_I1), 0, NULL);
    k->pointer = ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, IR_I32)), 0, NULL);
    k->token = ir_type_token(m);
    const ir_type *params[] = {k->pointer, k->pointer, k->i32};
    k->function = ir_function_add(m, "sketch", ir_type_function(m, 3, params, 0, NULL));
    k->p = k->function->body->args[0];
    k->q = k->function->body->args[1];
    k->n = k->function->body->args[2];
    k->at = (ir_builder){.module = m, .function = k->function, .block = k->function->body};
    k->arena = tr_arena_new();
    k->ctx = smt_ctx_new();
    k->c = contract_new(k->ctx, "sketch", 3);
    k->c->args[0] = (contract_arg){.name = "p", .kind = CONTRACT_POINTER};
    k->c->args[1] = (contract_arg){.name = "q", .kind = CONTRACT_POINTER};
    k->c->args[2] =
        (contract_arg){.name = "n", .kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true};
    for (int i = 0; i < 3; i++)
        k->c->args[i].contents.prefix_sum_of = -1;
    *state = k;
    return 0;
}

static inline int close_kernel(void **state)
{
    kernel_sketch *k = *state;
    summary_free(k->s);
    arrfree(k->c->facts);
    smt_ctx_free(k->ctx);
    tr_arena_free(k->arena);
    ir_module_free(k->module);
    test_free(k);
    return 0;
}

static inline ir_value *number(kernel_sketch *k, int32_t value)
{
    ir_op *op = ir_build(&k->at, IR_OP_CONSTANT, NULL, 1, &k->i32, NULL);
    ir_attr *attr = &op->attrs[IR_AT_CONSTANT_value];
    attr->kind = IR_ATTR_DENSE;
    attr->type = k->i32;
    attr->splat = true;
    attr->bytes = tr_arena_copy(k->module->arena, &value, sizeof value);
    attr->n_bytes = sizeof value;
    return &op->results[0];
}

static inline ir_value *binary(kernel_sketch *k, ir_opcode code, ir_value *a, ir_value *b)
{
    ir_operand_list groups[] = {ONE(a), ONE(b)};
    return &ir_build(&k->at, code, groups, 1, &k->i32, NULL)->results[0];
}

static inline ir_value *offset(kernel_sketch *k, ir_value *pointer, ir_value *by)
{
    ir_operand_list groups[] = {ONE(pointer), ONE(by)};
    return &ir_build(&k->at, IR_OP_OFFSET, groups, 1, &k->pointer, NULL)->results[0];
}

static inline ir_value *load(kernel_sketch *k, ir_value *pointer)
{
    ir_operand_list groups[] = {ONE(pointer), NONE, NONE, NONE};
    const ir_type *results[] = {k->i32, k->token};
    return &ir_build(&k->at, IR_OP_LOAD_PTR_TKO, groups, 2, results, NULL)->results[0];
}

static inline void store(kernel_sketch *k, ir_value *pointer, ir_value *value)
{
    ir_operand_list groups[] = {ONE(pointer), ONE(value), NONE, NONE};
    ir_build(&k->at, IR_OP_STORE_PTR_TKO, groups, 1, &k->token, NULL);
}

static inline ir_value *block_id(kernel_sketch *k)
{
    const ir_type *results[] = {k->i32, k->i32, k->i32};
    return &ir_build(&k->at, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, results, NULL)->results[0];
}

static inline void end(kernel_sketch *k, ir_opcode code, uint32_t count, ir_value **operands)
{
    ir_operand_list group = {operands, count};
    ir_build(&k->at, code, &group, 0, NULL, NULL);
}

static inline void walk(kernel_sketch *k)
{
    k->at.block = k->function->body;
    end(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->function);
    k->s = summary_build(k->arena, k->ctx, k->function, k->c);
}

static inline ir_value *compare(kernel_sketch *k, int64_t predicate, ir_value *a, ir_value *b)
{
    ir_operand_list groups[] = {ONE(a), ONE(b)};
    ir_op *op = ir_build(&k->at, IR_OP_CMPI, groups, 1, &k->flag, NULL);
    ir_set_int(op, IR_AT_CMPI_comparison_predicate, predicate);
    ir_set_int(op, IR_AT_CMPI_signedness, IR_SIGNED);
    return &op->results[0];
}

typedef struct numbers { /* values of the block id, the same on all axes, and of n */
    smt_t n;
    smt_int bid_value, n_value;
} numbers;

static inline bool lookup_numbers(void *user, smt_t term, size_t n_args, const smt_int *args,
                                  smt_int *value)
{
    const numbers *v = user;
    (void)args;
    *value = term == v->n ? v->n_value : v->bid_value;
    return n_args == 0;
}

#endif

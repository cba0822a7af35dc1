/* Small kernels for the tests of the interpreter, one call an op. */
#ifndef TESTS_INTERP_KIT_H
#define TESTS_INTERP_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "interp/interp.h"

typedef ir_value *val;

typedef struct kit {
    ir_module *m;
    ir_function *f;
    ir_builder b;
    concrete_launch launch;
    interp_arg args[8];
    interp_buffer buffers[8];
    interp_run *run;
} kit;

/* Builder functions stay unused in some of the test programs. */
#define KIT __attribute__((unused)) static

KIT const ir_type *scalar_type(kit *k, ir_type_kind kind)
{
    return ir_type_tile(k->m, ir_type_scalar(k->m, kind), 0, NULL);
}

KIT const ir_type *tile_type(kit *k, ir_type_kind kind, int rank, const int64_t *shape)
{
    return ir_type_tile(k->m, ir_type_scalar(k->m, kind), rank, shape);
}

KIT const ir_type *pointer_type(kit *k, ir_type_kind pointee)
{
    const ir_type *p = ir_type_pointer(k->m, ir_type_scalar(k->m, pointee));
    return ir_type_tile(k->m, p, 0, NULL);
}

/* A kernel whose parameters are given by a string: 'i' i32, 'l' i64, 'p' ptr<i32>, 'b' ptr<i8>,
 * 'f' ptr<f32>, 'q' ptr<ptr<i32>>. Pointer parameter n points to buffer n (of the pointers), of
 * 4096 zero bytes. */
KIT kit *kit_new(const char *parameters)
{
    kit *k = test_calloc(1, sizeof *k);
    k->m = ir_module_new("test");
    const ir_type *types[8];
    size_t n = strlen(parameters);
    for (size_t i = 0; i < n; i++) {
        k->args[i].buffer = -1;
        switch (parameters[i]) {
        case 'i':
            types[i] = scalar_type(k, IR_I32);
            continue;
        case 'l':
            types[i] = scalar_type(k, IR_I64);
            continue;
        case 'q':
            types[i] = ir_type_tile(
                k->m, ir_type_pointer(k->m, ir_type_pointer(k->m, ir_type_scalar(k->m, IR_I32))), 0,
                NULL);
            break;
        default:
            types[i] = pointer_type(k, parameters[i] == 'p'   ? IR_I32
                                       : parameters[i] == 'b' ? IR_I8
                                                              : IR_F32);
        }
        size_t at = k->launch.n_buffers++;
        k->args[i].buffer = (int)at;
        k->buffers[at] =
            (interp_buffer){.name = "buffer", .bytes = 4096, .opaque = parameters[i] == 'f'};
    }
    k->f = ir_function_add(k->m, "kernel", ir_type_function(k->m, (int)n, types, 0, NULL));
    k->f->is_entry = true;
    if (!k->f->body)
        k->f->body = ir_block_new(k->m, k->f, (uint32_t)n, types);
    k->b = (ir_builder){.module = k->m, .function = k->f, .block = k->f->body};
    k->launch.n_args = n;
    k->launch.args = k->args;
    k->launch.buffers = k->buffers;
    k->launch.grid[0] = k->launch.grid[1] = k->launch.grid[2] = 1;
    return k;
}

KIT void kit_free(kit *k)
{
    interp_run_free(k->run);
    ir_module_free(k->m);
    test_free(k);
}

KIT val param(kit *k, uint32_t i)
{
    return k->f->body->args[i];
}

/* An op whose operand groups have at most one value each; NULL: absent. */
KIT ir_op *op_of(kit *k, ir_opcode code, uint32_t n_results, const ir_type *const *types, ...)
{
    ir_operand_list groups[8] = {{0}};
    val values[8];
    const ir_op_info *info = ir_op_info_of(code);
    va_list given;
    va_start(given, types);
    for (int i = 0; i < info->n_operand_groups; i++) {
        values[i] = va_arg(given, val);
        groups[i] = (ir_operand_list){&values[i], values[i] ? 1 : 0};
    }
    va_end(given);
    return ir_build(&k->b, code, groups, n_results, types, NULL);
}

#define OP1(k, code, type, ...)                                                                    \
    (&op_of((k), (code), 1, &(const ir_type *){type}, __VA_ARGS__)->results[0])

KIT val unary(kit *k, ir_opcode code, const ir_type *type, val a)
{
    return OP1(k, code, type, a);
}

KIT val binary(kit *k, ir_opcode code, val a, val b)
{
    return OP1(k, code, a->type, a, b);
}

KIT val addi(kit *k, val a, val b)
{
    return binary(k, IR_OP_ADDI, a, b);
}

KIT val muli(kit *k, val a, val b)
{
    return binary(k, IR_OP_MULI, a, b);
}

KIT val compare(kit *k, ir_predicate predicate, val a, val b)
{
    const ir_type *type =
        ir_type_tile(k->m, ir_type_scalar(k->m, IR_I1), a->type->rank, a->type->shape);
    val r = OP1(k, IR_OP_CMPI, type, a, b);
    ir_set_int(r->def, IR_AT_CMPI_comparison_predicate, predicate);
    ir_set_int(r->def, IR_AT_CMPI_signedness, IR_SIGNED);
    return r;
}

/* Constant data of an integer tile; `n` 1: the same for all. */
KIT val constant(kit *k, const ir_type *type, size_t n, const int64_t *values)
{
    int width = (ir_type_bits(type->elem) + 7) / 8;
    bool bits = ir_type_bits(type->elem) == 1 && n > 1;
    unsigned char *bytes = tr_arena_alloc(k->m->arena, n * (size_t)width + 1);
    for (size_t i = 0; i < n; i++) {
        if (bits)
            bytes[i / 8] |= (unsigned char)((values[i] & 1) << (i % 8));
        for (int b = 0; !bits && b < width; b++)
            bytes[i * (size_t)width + (size_t)b] = (unsigned char)((uint64_t)values[i] >> (8 * b));
    }
    ir_op *op = ir_build(&k->b, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[IR_AT_CONSTANT_value] = (ir_attr){.kind = IR_ATTR_DENSE,
                                                .type = type,
                                                .bytes = bytes,
                                                .n_bytes = bits ? (n + 7) / 8 : n * (size_t)width,
                                                .splat = n == 1};
    return &op->results[0];
}

KIT val i32(kit *k, int64_t value)
{
    return constant(k, scalar_type(k, IR_I32), 1, &value);
}

/* A rank-1 tile of i32: TILE(k, 1, 2, 3, 4) */
#define TILE(k, ...)                                                                               \
    constant((k),                                                                                  \
             tile_type((k), IR_I32, 1,                                                             \
                       (int64_t[]){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)}),           \
             sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})
#define MASK(k, ...)                                                                               \
    constant(                                                                                      \
        (k),                                                                                       \
        tile_type((k), IR_I1, 1, (int64_t[]){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)}), \
        sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

/* The same value everywhere in a tile. */
KIT val full(kit *k, int rank, const int64_t *shape, int64_t value)
{
    return constant(k, tile_type(k, IR_I32, rank, shape), 1, &value);
}

KIT val bid(kit *k, int axis)
{
    const ir_type *t = scalar_type(k, IR_I32), *types[] = {t, t, t};
    return &ir_build(&k->b, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, types, NULL)->results[axis];
}

/* A pointer tile: base broadcast to the offsets' shape, plus the offsets. */
KIT val pointers(kit *k, val base, val offsets)
{
    const ir_type *ot = offsets->type;
    int64_t ones[IR_MAX_RANK];
    for (int d = 0; d < ot->rank; d++)
        ones[d] = 1;
    val p = base;
    if (ot->rank) {
        p = unary(k, IR_OP_RESHAPE, ir_type_tile(k->m, base->type->elem, ot->rank, ones), p);
        p = unary(k, IR_OP_BROADCAST, ir_type_tile(k->m, base->type->elem, ot->rank, ot->shape), p);
    }
    return OP1(k, IR_OP_OFFSET, p->type, p, offsets);
}

/* ---- Views ---- */

KIT val tensor(kit *k, val base, int rank, const int64_t *shape, const int64_t *strides)
{
    const ir_type *type = ir_type_tensor_view(k->m, base->type->elem->elem, rank, shape, strides);
    ir_operand_list groups[] = {{&base, 1}, {NULL, 0}, {NULL, 0}};
    return &ir_build(&k->b, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &type, NULL)->results[0];
}

KIT val partition(kit *k, val t, int rank, const int64_t *tile, const int32_t *dim_map)
{
    return unary(k, IR_OP_MAKE_PARTITION_VIEW,
                 ir_type_partition_view(k->m, t->type, rank, tile, dim_map, IR_PAD_NONE), t);
}

/* Row-major tensor of one dimension, cut into tiles. */
KIT val row_of_tiles(kit *k, val base, int64_t extent, int64_t tile)
{
    return partition(k, tensor(k, base, 1, &extent, (int64_t[]){1}), 1, &tile, (int32_t[]){0});
}

/* ---- Memory ---- */

typedef struct how {
    ir_ordering ordering;
    ir_scope scope;
} how;

#define WEAK   ((how){IR_WEAK, IR_SCOPE_NONE})
#define TL_BLK ((how){IR_RELAXED, IR_SCOPE_TL_BLK})
#define DEVICE ((how){IR_RELAXED, IR_SCOPE_DEVICE})

KIT void set_how(ir_op *op, unsigned ordering, unsigned scope, how h)
{
    ir_set_int(op, ordering, h.ordering);
    if (h.scope != IR_SCOPE_NONE)
        ir_set_int(op, scope, h.scope);
}

KIT const ir_type *token_type(kit *k)
{
    return ir_type_token(k->m);
}

/* Result: the op; its last result is the token. */
KIT ir_op *load_view(kit *k, how h, val view, uint32_t n, const val *index, val token)
{
    const ir_type *vt = view->type;
    const ir_type *types[] = {ir_type_tile(k->m, vt->tensor->elem, vt->rank, vt->shape),
                              token_type(k)};
    ir_operand_list groups[] = {{&view, 1}, {index, n}, {&token, token ? 1 : 0}};
    ir_op *op = ir_build(&k->b, IR_OP_LOAD_VIEW_TKO, groups, 2, types, NULL);
    set_how(op, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics, IR_AT_LOAD_VIEW_TKO_memory_scope, h);
    return op;
}

KIT ir_op *store_view(kit *k, how h, val view, val tile, uint32_t n, const val *index, val token)
{
    const ir_type *types[] = {token_type(k)};
    ir_operand_list groups[] = {{&tile, 1}, {&view, 1}, {index, n}, {&token, token ? 1 : 0}};
    ir_op *op = ir_build(&k->b, IR_OP_STORE_VIEW_TKO, groups, 1, types, NULL);
    set_how(op, IR_AT_STORE_VIEW_TKO_memory_ordering_semantics, IR_AT_STORE_VIEW_TKO_memory_scope,
            h);
    return op;
}

KIT ir_op *load_ptr(kit *k, how h, val p, val mask, val padding, val token)
{
    const ir_type *types[] = {
        ir_type_tile(k->m, p->type->elem->elem, p->type->rank, p->type->shape), token_type(k)};
    ir_op *op = op_of(k, IR_OP_LOAD_PTR_TKO, 2, types, p, mask, padding, token);
    set_how(op, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics, IR_AT_LOAD_PTR_TKO_memory_scope, h);
    return op;
}

KIT ir_op *store_ptr(kit *k, how h, val p, val value, val mask, val token)
{
    const ir_type *types[] = {token_type(k)};
    ir_op *op = op_of(k, IR_OP_STORE_PTR_TKO, 1, types, p, value, mask, token);
    set_how(op, IR_AT_STORE_PTR_TKO_memory_ordering_semantics, IR_AT_STORE_PTR_TKO_memory_scope, h);
    return op;
}

KIT ir_op *rmw(kit *k, how h, ir_atomic_mode mode, val p, val arg, val mask, val token)
{
    const ir_type *types[] = {arg->type, token_type(k)};
    ir_op *op = op_of(k, IR_OP_ATOMIC_RMW_TKO, 2, types, p, arg, mask, token);
    set_how(op, IR_AT_ATOMIC_RMW_TKO_memory_ordering_semantics, IR_AT_ATOMIC_RMW_TKO_memory_scope,
            h);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_mode, mode);
    return op;
}

KIT ir_op *cas(kit *k, how h, val p, val expected, val wanted, val token)
{
    const ir_type *types[] = {wanted->type, token_type(k)};
    ir_op *op = op_of(k, IR_OP_ATOMIC_CAS_TKO, 2, types, p, expected, wanted, NULL, token);
    set_how(op, IR_AT_ATOMIC_CAS_TKO_memory_ordering_semantics, IR_AT_ATOMIC_CAS_TKO_memory_scope,
            h);
    return op;
}

KIT val tok(const ir_op *op)
{
    return &op->results[op->n_results - 1];
}

KIT val data(const ir_op *op)
{
    return &op->results[0];
}

KIT val make_token(kit *k)
{
    const ir_type *type = token_type(k);
    return &ir_build(&k->b, IR_OP_MAKE_TOKEN, NULL, 1, &type, NULL)->results[0];
}

KIT val join2(kit *k, val a, val b)
{
    const ir_type *type = token_type(k);
    ir_operand_list group = {(val[]){a, b}, 2};
    return &ir_build(&k->b, IR_OP_JOIN_TOKENS, &group, 1, &type, NULL)->results[0];
}

/* ---- Control flow: begin, build the body, end ---- */

typedef struct loop {
    ir_op *op;
    ir_block *outer, *body;
    val iv; /* of a for */
} loop;

KIT loop begin_for(kit *k, val low, val high, val step, uint32_t n, const val *init)
{
    const ir_type *types[9] = {low->type};
    for (uint32_t i = 0; i < n; i++)
        types[i + 1] = init[i]->type;
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {init, n}};
    loop l = {.outer = k->b.block};
    l.op = ir_build(&k->b, IR_OP_FOR, groups, n, types + 1, (uint32_t[]){n});
    l.body = ir_block_new(k->m, k->f, n + 1, types);
    ir_set_region(l.op, IR_RG_FOR_body, l.body);
    l.iv = l.body->args[0];
    k->b.block = l.body;
    return l;
}

KIT loop begin_loop(kit *k, uint32_t n, const val *init)
{
    const ir_type *types[8];
    for (uint32_t i = 0; i < n; i++)
        types[i] = init[i]->type;
    ir_operand_list group = {init, n};
    loop l = {.outer = k->b.block};
    l.op = ir_build(&k->b, IR_OP_LOOP, &group, n, types, (uint32_t[]){n});
    l.body = ir_block_new(k->m, k->f, n, types);
    ir_set_region(l.op, IR_RG_LOOP_body, l.body);
    k->b.block = l.body;
    return l;
}

KIT void terminate(kit *k, ir_opcode code, uint32_t n, const val *values)
{
    ir_operand_list group = {values, n};
    ir_build(&k->b, code, &group, 0, NULL, NULL);
}

KIT void end_loop(kit *k, loop *l, uint32_t n, const val *values)
{
    terminate(k, IR_OP_CONTINUE, n, values);
    k->b.block = l->outer;
}

/* An if without an else part, unless `n` results are named. */
KIT loop begin_if(kit *k, val condition, uint32_t n, const ir_type *const *types)
{
    ir_operand_list group = {&condition, 1};
    loop l = {.outer = k->b.block};
    l.op = ir_build(&k->b, IR_OP_IF, &group, n, types, (uint32_t[]){n});
    l.body = ir_block_new(k->m, k->f, 0, NULL);
    ir_set_region(l.op, IR_RG_IF_then, l.body);
    k->b.block = l.body;
    return l;
}

KIT void begin_else(kit *k, loop *l, uint32_t n, const val *values)
{
    terminate(k, IR_OP_YIELD, n, values);
    ir_block *other = ir_block_new(k->m, k->f, 0, NULL);
    ir_set_region(l->op, IR_RG_IF_else, other);
    k->b.block = other;
}

KIT void end_if(kit *k, loop *l, uint32_t n, const val *values)
{
    terminate(k, IR_OP_YIELD, n, values);
    k->b.block = l->outer;
}

/* ---- Running ---- */

KIT interp_run *execute(kit *k, int64_t gx, int64_t gy)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->launch.grid[0] = gx;
    k->launch.grid[1] = gy;
    interp_run_free(k->run);
    k->run = interp_execute(k->f, &k->launch, NULL, NULL, NULL);
    return k->run;
}

KIT size_t count_races(kit *k)
{
    interp_race races[64];
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    return interp_find_races(k->run, true, races, 64, NULL);
}

/* Stores an i32 tile to consecutive elements of pointer parameter 0 from `at` on: for looking at
 * results. */
KIT void show(kit *k, val tile, int64_t at)
{
    int64_t n = ir_type_elements(tile->type);
    const ir_type *flat = ir_type_tile(k->m, tile->type->elem, 1, &n);
    val iota = &ir_build(&k->b, IR_OP_IOTA, NULL, 1,
                         (const ir_type *[]){tile_type(k, IR_I32, 1, &n)}, NULL)
                    ->results[0];
    val offsets = addi(k, iota, full(k, 1, &n, at));
    store_ptr(k, WEAK, pointers(k, param(k, 0), offsets), unary(k, IR_OP_RESHAPE, flat, tile), NULL,
              NULL);
}

KIT int64_t word(kit *k, int buffer, int64_t index)
{
    uint64_t bits = 0;
    assert_true(interp_read_back(k->run, buffer, index * 4, 4, &bits));
    return (int32_t)bits;
}

KIT size_t n_ubs(kit *k)
{
    const interp_ub *ubs;
    return interp_ubs(k->run, &ubs);
}

KIT const interp_ub *ub(kit *k, size_t i)
{
    const interp_ub *ubs;
    assert_true(i < interp_ubs(k->run, &ubs));
    return &ubs[i];
}

#endif

/* The verifier: each rule catches a module that breaks it, and lets the intact twin pass. */
#include "build.h"

static kernel start(const ir_type *(*params)(ir_module *, int), int count)
{
    ir_module *m = ir_module_new("m");
    const ir_type *types[4];
    for (int i = 0; i < count; i++) {
        types[i] = params(m, i);
    }
    return kernel_start_in(m, "k", types, (size_t)count);
}

/* n, f, b, p */
static const ir_type *usual(ir_module *m, int index)
{
    switch (index) {
    case 0:
        return scalar(m, IR_I32);
    case 1:
        return scalar(m, IR_F32);
    case 2:
        return scalar(m, IR_I1);
    default:
        return pointer_tile(m, IR_F32, 0, NULL);
    }
}

static kernel usual_kernel(void)
{
    return start(usual, 4);
}

static void end_invalid(kernel *k, const char *part)
{
    finish(k, IR_OP_RETURN, NULL, 0);
    expect_invalid(k, part);
    ir_module_free(k->module);
}

static void end_valid(kernel *k)
{
    finish(k, IR_OP_RETURN, NULL, 0);
    expect_valid(k);
    ir_module_free(k->module);
}

/* ---- Structure ---- */

static void test_terminators(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    expect_invalid(&k, "does not end with a terminator");
    finish(&k, IR_OP_YIELD, NULL, 0);
    expect_invalid(&k, "it is in no 'if', 'reduce' or 'scan'");
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_invalid(&k, "operations follow");
    ir_module_free(k.module);

    k = usual_kernel();
    ir_op *loop = for_of(&k, param(&k, 0), param(&k, 0), param(&k, 0), NULL, 0);
    k.builder.block = loop->regions[0];
    finish(&k, IR_OP_BREAK, NULL, 0);
    k.builder.block = k.function->body;
    end_invalid(&k, "it is in no 'loop'");
}

/* From 13.4 on a kernel may return out of its loops. */
static void test_return_out_of_a_loop(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_value *n = param(&k, 0), *condition = param(&k, 2);
    ir_op *loop = for_of(&k, n, n, n, NULL, 0);
    k.builder.block = loop->regions[0];
    ir_op *choice = op_of(&k, IR_OP_IF, NULL, 0, &condition, 1);
    ir_block *outer = enter(&k, choice, IR_RG_IF_then, NULL, 0);
    finish(&k, IR_OP_RETURN, NULL, 0);
    k.builder.block = outer;
    enter(&k, choice, IR_RG_IF_else, NULL, 0);
    finish(&k, IR_OP_YIELD, NULL, 0);
    k.builder.block = outer;
    finish(&k, IR_OP_CONTINUE, NULL, 0);
    k.builder.block = k.function->body;
    end_valid(&k);
}

static void test_values_are_defined_before_and_around(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_value *b = param(&k, 2), *n = param(&k, 0);
    ir_op *choice = op_of(&k, IR_OP_IF, NULL, 0, &b, 1);
    ir_block *outer = enter(&k, choice, IR_RG_IF_then, NULL, 0);
    ir_value *inner = constant(&k, n->type, 1);
    finish(&k, IR_OP_YIELD, NULL, 0);
    k.builder.block = outer;
    V1(&k, IR_OP_ADDI, n->type, n, inner);
    end_invalid(&k, "operand 1 is not defined before and around");

    k = usual_kernel();
    ir_op *use = OP1(&k, IR_OP_ADDI, param(&k, 0)->type, param(&k, 0), param(&k, 0));
    ir_value *late = constant(&k, param(&k, 0)->type, 1);
    use->operands[0] = late;
    end_invalid(&k, "operand 0 is not defined before and around");

    k = usual_kernel();
    constant(&k, param(&k, 0)->type, 1)->id = 0;
    end_invalid(&k, "value number 0 is given twice");
}

static void test_counts_and_attributes(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_value *n = param(&k, 0);
    OP1(&k, IR_OP_ADDI, n->type, n);
    end_invalid(&k, "operand 'rhs' takes one, not 0");

    k = usual_kernel();
    n = param(&k, 0);
    ir_op *max = OP1(&k, IR_OP_MAXI, n->type, n, n);
    max->attrs[IR_AT_MAXI_signedness] = (ir_attr){0};
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_invalid(&k, "maxi: attribute 'signedness' is missing");
    ir_set_int(max, IR_AT_MAXI_signedness, 2);
    expect_invalid(&k, "attribute 'signedness' has no value 2");
    ir_set_int(max, IR_AT_MAXI_signedness, IR_SIGNED);
    expect_valid(&k);
    ir_module_free(k.module);

    k = usual_kernel();
    op_of(&k, IR_OP_IF, NULL, 0, (ir_value *[]){param(&k, 2)}, 1);
    end_invalid(&k, "region 'then' is missing");
}

static void test_deep_nesting_ends(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_value *b = param(&k, 2);
    for (int i = 0; i < 5000; i++) {
        ir_op *choice = op_of(&k, IR_OP_IF, NULL, 0, &b, 1);
        ir_block *outer = enter(&k, choice, IR_RG_IF_then, NULL, 0);
        ir_block *inner = k.builder.block;
        k.builder.block = outer;
        finish(&k, i ? IR_OP_YIELD : IR_OP_RETURN, NULL, 0);
        k.builder.block = inner;
    }
    finish(&k, IR_OP_YIELD, NULL, 0);
    expect_invalid(&k, "nested more than 1000 deep");
    ir_module_free(k.module);
}

/* ---- Types ---- */

static void expect_bad_tile(ir_type_kind kind, size_t rank, const int64_t *shape, const char *part)
{
    kernel k = usual_kernel();
    constant(&k, tile(k.module, kind, rank, shape), 0);
    end_invalid(&k, part);
}

static void test_tile_types(void **state)
{
    (void)state;
    expect_bad_tile(IR_I32, SHAPE(3), "extent 3 of dimension 0 is not a power of two");
    expect_bad_tile(IR_I32, SHAPE(0), "extent 0");
    expect_bad_tile(IR_I32, SHAPE(1 << 24, 2), "at most 16777216 elements");
    expect_bad_tile(IR_I32, SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1), "at most 8 dimensions, not 9");
    expect_bad_tile(IR_F4E2M1FN, SHAPE(1), "even number");
    kernel k = usual_kernel();
    constant(&k, tile(k.module, IR_I32, SHAPE(1 << 24)), 0);
    end_valid(&k);
}

/* One to f4E2M1FN may be moved and be the base of a tensor; tiles of them there are not, nor
 * pointers to i4. */
static void test_pointers_to_half_bytes(void **state)
{
    (void)state;
    static const struct {
        ir_type_kind to;
        size_t rank;
        const char *fault;
    } rows[] = {
        {IR_F4E2M1FN, 0, NULL},
        {IR_F4E2M1FN, 1, "tiles of pointers to f4E2M1FN have rank 0"},
        {IR_F8E5M2, 1, NULL},
        {IR_I4, 0, "a pointer points to a number that memory can hold"},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kernel k = usual_kernel();
        const ir_type *type = pointer_tile(k.module, rows[i].to, 0, NULL);
        ir_value *p = &OP1(&k, IR_OP_PTR_TO_PTR, type, param(&k, 3))->results[0];
        if (rows[i].rank) {
            OP1(&k, IR_OP_RESHAPE, pointer_tile(k.module, rows[i].to, SHAPE(1)), p);
        } else {
            OP1(&k, IR_OP_OFFSET, p->type, p, param(&k, 0));
        }
        if (rows[i].fault) {
            end_invalid(&k, rows[i].fault);
        } else {
            end_valid(&k);
        }
    }
}

static void test_entry_parameters_are_scalars(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    kernel k = kernel_start_in(m, "k", TYPES(tile(m, IR_I32, SHAPE(4))));
    end_invalid(&k, "parameter 0 of an entry is a scalar tile");
}

static ir_value *tensor_of(kernel *k, int64_t stride)
{
    const ir_type *f32 = ir_type_scalar(k->module, IR_F32);
    int64_t shape[] = {IR_DYNAMIC, 64}, strides[] = {stride, 1};
    const ir_type *type = ir_type_tensor_view(k->module, f32, 2, shape, strides);
    return V1(k, IR_OP_MAKE_TENSOR_VIEW, type, param(k, 3), param(k, 0));
}

static void test_views(void **state)
{
    (void)state;
    const int64_t shape[] = {16, 32}, odd[] = {16, 24}, steps[] = {4, 0};
    const int32_t twice[] = {1, 1}, outside[] = {0, 2};
    kernel k = usual_kernel();
    tensor_of(&k, -1);
    end_invalid(&k, "stride -1 of dimension 0 is not positive");
    static const char *const messages[] = {"uses tensor dimension 1 twice", "outside of the tensor",
                                           "not a power of two", "traversal strides are positive",
                                           "sparse dimension is outside"};
    for (int i = 0; i < 5; i++) {
        k = usual_kernel();
        ir_value *tensor = tensor_of(&k, 64);
        ir_module *m = k.module;
        const ir_type *types[] = {
            ir_type_partition_view(m, tensor->type, 2, shape, twice, IR_PAD_NONE),
            ir_type_partition_view(m, tensor->type, 2, shape, outside, IR_PAD_NONE),
            ir_type_partition_view(m, tensor->type, 2, odd, NULL, IR_PAD_NONE),
            ir_type_strided_view(m, tensor->type, 2, shape, steps, NULL, IR_PAD_NONE),
            ir_type_gather_scatter_view(m, tensor->type, 2, shape, 2, IR_PAD_NONE),
        };
        static const ir_opcode codes[] = {IR_OP_MAKE_PARTITION_VIEW, IR_OP_MAKE_PARTITION_VIEW,
                                          IR_OP_MAKE_PARTITION_VIEW, IR_OP_MAKE_STRIDED_VIEW,
                                          IR_OP_MAKE_GATHER_SCATTER_VIEW};
        OP1(&k, codes[i], types[i], tensor);
        end_invalid(&k, messages[i]);
    }
    k = usual_kernel();
    const ir_type *f32 = ir_type_scalar(k.module, IR_F32);
    const ir_type *type = ir_type_tensor_view(k.module, f32, SHAPE(IR_DYNAMIC), (int64_t[]){1});
    OP1(&k, IR_OP_MAKE_TENSOR_VIEW, type, param(&k, 3));
    end_invalid(&k, "0 extents and 0 strides are given");
}

/* ---- Memory ---- */

typedef struct access {
    ir_op *op;
    kernel k;
} access;

static access view_load(ir_padding padding, uint32_t n_index, const int64_t *shape)
{
    access a = {.k = usual_kernel()};
    const int64_t view_shape[] = {16, 32};
    ir_value *tensor = tensor_of(&a.k, 64), *n = param(&a.k, 0);
    const ir_type *type =
        ir_type_partition_view(a.k.module, tensor->type, 2, view_shape, NULL, padding);
    ir_value *view = V1(&a.k, IR_OP_MAKE_PARTITION_VIEW, type, tensor);
    ir_value *index[] = {n, n, n};
    ir_operand_list groups[] = {{&view, 1}, {index, n_index}, {NULL, 0}};
    const ir_type *types[] = {tile(a.k.module, IR_F32, 2, shape), ir_type_token(a.k.module)};
    a.op = ir_build(&a.k.builder, IR_OP_LOAD_VIEW_TKO, groups, 2, types, NULL);
    ir_set_int(a.op, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics, IR_WEAK);
    return a;
}

static void test_view_accesses(void **state)
{
    (void)state;
    const int64_t right[] = {16, 32}, wrong[] = {32, 16};
    access a = view_load(IR_PAD_NAN, 2, right);
    end_valid(&a.k);
    a = view_load(IR_PAD_NONE, 3, right);
    end_invalid(&a.k, "takes 2 indices, not 3");
    a = view_load(IR_PAD_NONE, 2, wrong);
    end_invalid(&a.k, "is not the view's tile");
    a = view_load(IR_PAD_NONE, 2, right);
    a.op->operands[2] = constant(&a.k, scalar(a.k.module, IR_I64), 0);
    end_invalid(&a.k, "operand 2 is not defined");
    a = view_load(IR_PAD_NONE, 2, right);
    a.op->attrs[IR_AT_LOAD_VIEW_TKO_inbounds] = ir_attr_of_ints(a.k.module, SHAPE(1));
    end_invalid(&a.k, "'inbounds' has 1 entries for a view of rank 2");
}

static void test_orders_and_scopes(void **state)
{
    (void)state;
    const int64_t shape[] = {16, 32};
    static const struct {
        ir_ordering ordering;
        ir_scope scope;
        const char *message;
    } cases[] = {
        {IR_WEAK, IR_SCOPE_DEVICE, "a weak access has no scope"},
        {IR_RELAXED, IR_SCOPE_NONE, "'relaxed' needs a scope"},
        {IR_RELEASE, IR_SCOPE_SYS, "the order 'release' is not allowed here"},
        {IR_ACQ_REL, IR_SCOPE_SYS, "the order 'acq_rel' is not allowed here"},
        {IR_ACQUIRE, IR_SCOPE_TL_BLK, NULL},
        {IR_RELAXED, IR_SCOPE_SYS, NULL},
    };
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        access a = view_load(IR_PAD_NONE, 2, shape);
        ir_set_int(a.op, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics, cases[i].ordering);
        ir_set_int(a.op, IR_AT_LOAD_VIEW_TKO_memory_scope, cases[i].scope);
        if (cases[i].message) {
            end_invalid(&a.k, cases[i].message);
        } else {
            end_valid(&a.k);
        }
    }
}

static ir_op *rmw(kernel *k, ir_type_kind kind, ir_atomic_mode mode, ir_ordering ordering)
{
    ir_module *m = k->module;
    const ir_type *pointers = pointer_tile(m, kind, SHAPE(8)), *values = tile(m, kind, SHAPE(8));
    ir_value *addresses = constant(k, tile(m, IR_I64, SHAPE(8)), 0);
    ir_value *p = V1(k, IR_OP_INT_TO_PTR, pointers, addresses);
    ir_op *op = op_of(k, IR_OP_ATOMIC_RMW_TKO, TYPES(values, ir_type_token(m)),
                      (ir_value *[]){p, constant(k, values, 0)}, 2);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_memory_ordering_semantics, ordering);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_memory_scope, IR_SCOPE_DEVICE);
    ir_set_int(op, IR_AT_ATOMIC_RMW_TKO_mode, mode);
    return op;
}

static void test_atomics(void **state)
{
    (void)state;
    static const struct {
        ir_type_kind kind;
        ir_atomic_mode mode;
        ir_ordering ordering;
        const char *message;
    } cases[] = {
        {IR_I32, IR_ATOMIC_ADD, IR_RELAXED, NULL},
        {IR_F16, IR_ATOMIC_ADDF, IR_ACQ_REL, NULL},
        {IR_F32, IR_ATOMIC_XCHG, IR_RELEASE, NULL},
        {IR_F32, IR_ATOMIC_ADD, IR_RELAXED, "'add' works on i32 and i64, not on f32"},
        {IR_I32, IR_ATOMIC_ADDF, IR_RELAXED, "'addf' works on"},
        {IR_I16, IR_ATOMIC_XCHG, IR_RELAXED, "'xchg' works on numbers of 32 or 64 bits"},
        {IR_I64, IR_ATOMIC_UMAX, IR_WEAK, "the order 'weak' is not allowed"},
    };
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        kernel k = usual_kernel();
        rmw(&k, cases[i].kind, cases[i].mode, cases[i].ordering);
        if (cases[i].message) {
            end_invalid(&k, cases[i].message);
        } else {
            end_valid(&k);
        }
    }
    kernel k = usual_kernel();
    ir_value *start = V1(&k, IR_OP_MAKE_TOKEN, ir_type_token(k.module), );
    OP1(&k, IR_OP_JOIN_TOKENS, start->type, start);
    end_invalid(&k, "it joins two tokens or more");
}

/* ---- Values ---- */

static void test_operand_types(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    OP1(&k, IR_OP_ADDI, param(&k, 0)->type, param(&k, 0), param(&k, 2));
    end_invalid(&k, "'rhs' has type tile<i1>, which does not have the type of tile<i32>");
    k = usual_kernel();
    OP1(&k, IR_OP_ADDF, param(&k, 0)->type, param(&k, 0), param(&k, 0));
    end_invalid(&k, "'lhs' must be a tile of f16, bf16, f32 or f64, not tile<i32>");
    k = usual_kernel();
    OP1(&k, IR_OP_CMPI, param(&k, 0)->type, param(&k, 0), param(&k, 0));
    end_invalid(&k, "'result' must be a tile of i1");
    k = usual_kernel();
    OP1(&k, IR_OP_EXTI, param(&k, 0)->type, param(&k, 0));
    end_invalid(&k, "i32 is not wider than i32");
    k = usual_kernel();
    OP1(&k, IR_OP_BITCAST, scalar(k.module, IR_I64), param(&k, 1));
    end_invalid(&k, "differ in width");
    k = usual_kernel();
    OP1(&k, IR_OP_BROADCAST, tile(k.module, IR_I32, SHAPE(4)), param(&k, 0));
    end_invalid(&k, "cannot be broadcast");
    k = usual_kernel();
    ir_op *half = OP1(&k, IR_OP_ADDF, param(&k, 1)->type, param(&k, 1), param(&k, 1));
    ir_set_int(half, IR_AT_ADDF_rounding_mode, IR_ROUND_APPROX);
    end_invalid(&k, "it does not round by approx");
    k = usual_kernel();
    ir_op *unsigned_floor = OP1(&k, IR_OP_DIVI, param(&k, 0)->type, param(&k, 0), param(&k, 0));
    ir_set_int(unsigned_floor, IR_AT_DIVI_rounding, IR_ROUND_NEGATIVE_INF);
    end_invalid(&k, "it does not round by negative_inf");
    k = usual_kernel();
    constant(&k, param(&k, 0)->type, 1)->def->attrs[0].n_bytes = 3;
    end_invalid(&k, "3 bytes of data for tile<i32>");
}

static void test_tile_shapes(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_module *m = k.module;
    ir_value *t = constant(&k, tile(m, IR_F32, SHAPE(4, 8)), 0);
    ir_op *p = OP1(&k, IR_OP_PERMUTE, tile(m, IR_F32, SHAPE(4, 8)), t);
    p->attrs[0] = ir_attr_of_ints(m, SHAPE(1, 0));
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_invalid(&k, "dimension 0 of the result is 4, not 8");
    p->attrs[0] = ir_attr_of_ints(m, SHAPE(1, 1));
    expect_invalid(&k, "dimension 0 of the result is 4, not 8");
    p->attrs[0] = ir_attr_of_ints(m, SHAPE(0, 0));
    expect_invalid(&k, "entry 1 is 0: not a permutation");
    p->attrs[0] = ir_attr_of_ints(m, SHAPE(0, 1));
    expect_valid(&k);
    ir_module_free(m);

    k = usual_kernel();
    m = k.module;
    ir_value *a = constant(&k, tile(m, IR_F16, SHAPE(16, 32)), 0);
    ir_value *b = constant(&k, tile(m, IR_F16, SHAPE(16, 8)), 0);
    ir_value *c = constant(&k, tile(m, IR_F32, SHAPE(16, 8)), 0);
    OP1(&k, IR_OP_MMAF, c->type, a, b, c);
    end_invalid(&k, "does not give tile<16x8xf32>");
    k = usual_kernel();
    m = k.module;
    a = constant(&k, tile(m, IR_F32, SHAPE(16, 32)), 0);
    b = constant(&k, tile(m, IR_F32, SHAPE(32, 8)), 0);
    c = constant(&k, tile(m, IR_F16, SHAPE(16, 8)), 0);
    OP1(&k, IR_OP_MMAF, c->type, a, b, c);
    end_invalid(&k, "products of f32 are not added up in f16");
}

/* ---- Control flow ---- */

static void test_carried_values(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_value *n = param(&k, 0), *f = param(&k, 1);
    ir_op *loop = for_of(&k, n, n, n, &f, 1);
    k.builder.block = loop->regions[0];
    finish(&k, IR_OP_CONTINUE, &n, 1);
    k.builder.block = k.function->body;
    end_invalid(&k, "value 0 is tile<i32>, but 'for' takes tile<f32>");

    k = usual_kernel();
    n = param(&k, 0);
    ir_value *view = tensor_of(&k, 64);
    loop = for_of(&k, n, n, n, &view, 1);
    k.builder.block = loop->regions[0];
    finish(&k, IR_OP_CONTINUE, &loop->regions[0]->args[1], 1);
    k.builder.block = k.function->body;
    end_invalid(&k, "cannot be carried");

    k = usual_kernel();
    ir_value *b = param(&k, 2);
    ir_op *choice = op_of(&k, IR_OP_IF, TYPES(param(&k, 0)->type), &b, 1);
    ir_block *outer = enter(&k, choice, IR_RG_IF_then, NULL, 0);
    finish(&k, IR_OP_YIELD, (ir_value *[]){param(&k, 0)}, 1);
    k.builder.block = outer;
    end_invalid(&k, "it has results, but no else branch");
}

static kernel reduction(bool with_load)
{
    kernel k = usual_kernel();
    const ir_type *f32 = scalar(k.module, IR_F32);
    ir_value *t = constant(&k, tile(k.module, IR_F32, SHAPE(8)), 0);
    ir_op *op = op_of(&k, IR_OP_REDUCE, TYPES(f32), &t, 1);
    ir_attr zero = ir_attr_typed_float(f32->elem, 0);
    op->attrs[IR_AT_REDUCE_identities] =
        (ir_attr){.kind = IR_ATTR_LIST,
                  .count = 1,
                  .items = tr_arena_copy(k.module->arena, &zero, sizeof zero)};
    ir_block *outer = enter(&k, op, 0, (const ir_type *[]){f32, f32}, 2);
    ir_value *sum = V1(&k, IR_OP_ADDF, f32, op->regions[0]->args[0], op->regions[0]->args[1]);
    if (with_load) {
        op_of(&k, IR_OP_LOAD_PTR_TKO, TYPES(f32, ir_type_token(k.module)),
              (ir_value *[]){param(&k, 3)}, 1);
    }
    finish(&k, IR_OP_YIELD, &sum, 1);
    k.builder.block = outer;
    return k;
}

static void test_reductions(void **state)
{
    (void)state;
    kernel k = reduction(false);
    end_valid(&k);
    k = reduction(true);
    end_invalid(&k, "only pure operations stand inside of 'reduce'");
    k = reduction(false);
    ir_op *op = ir_first_op(k.function)->next;
    ir_set_int(op, IR_AT_REDUCE_dim, 1);
    end_invalid(&k, "dimension 1 of tile<8xf32>");
    k = reduction(false);
    op = ir_first_op(k.function)->next;
    op->operands[0] = constant(&k, tile(k.module, IR_F32, SHAPE(4, 8)), 0);
    op->results[0].type = tile(k.module, IR_F32, SHAPE(4));
    ir_op *late = op->operands[0]->def; /* moved before its use */
    k.function->body->last = op;
    op->next = NULL;
    late->prev = NULL;
    late->next = k.function->body->first;
    k.function->body->first = late;
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_invalid(&k, "result 0 is tile<4xf32> for an operand tile<4x8xf32>");
    op->results[0].type = tile(k.module, IR_F32, SHAPE(8));
    expect_valid(&k);
    ir_module_free(k.module);
}

static void test_assumptions(void **state)
{
    (void)state;
    kernel k = usual_kernel();
    ir_op *op = OP1(&k, IR_OP_ASSUME, param(&k, 0)->type, param(&k, 0));
    op->attrs[0] =
        (ir_attr){.kind = IR_ATTR_ASSUME, .assume = {.kind = IR_ASSUME_DIV_BY, .divisor = 12}};
    end_invalid(&k, "no power of two");
    k = usual_kernel();
    op = OP1(&k, IR_OP_ASSUME, param(&k, 1)->type, param(&k, 1));
    op->attrs[0] = (ir_attr){.kind = IR_ATTR_ASSUME, .assume = {.kind = IR_ASSUME_BOUNDED}};
    end_invalid(&k, "bounded on tile<f32>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminators),
        cmocka_unit_test(test_return_out_of_a_loop),
        cmocka_unit_test(test_values_are_defined_before_and_around),
        cmocka_unit_test(test_counts_and_attributes),
        cmocka_unit_test(test_deep_nesting_ends),
        cmocka_unit_test(test_tile_types),
        cmocka_unit_test(test_pointers_to_half_bytes),
        cmocka_unit_test(test_entry_parameters_are_scalars),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_view_accesses),
        cmocka_unit_test(test_orders_and_scopes),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_operand_types),
        cmocka_unit_test(test_tile_shapes),
        cmocka_unit_test(test_carried_values),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_assumptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

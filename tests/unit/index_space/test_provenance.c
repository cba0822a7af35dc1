/* Which buffers a kernel may write, where its pointers go through loops, branches, globals and
 * calls: a buffer that nothing may write keeps its contents at launch. */
#include "kernel_sketch.h"

enum { NOTHING, P, Q, P_AND_Q };

static int written_of(const kernel_sketch *k)
{
    return (k->s->allocations[0].written ? P : 0) + (k->s->allocations[1].written ? Q : 0);
}

/* A loop or a for that carries values of these types, with as many results; its body is left to be
 * filled. */
static ir_op *open_loop(kernel_sketch *k, ir_opcode code, uint32_t n, const ir_type *const *types,
                        ir_value **inits, uint32_t n_results)
{
    uint32_t first = code == IR_OP_FOR ? 1 : 0;
    ir_value *zero = number(k, 0), *one = number(k, 1);
    ir_operand_list of_for[] = {ONE(zero), ONE(k->n), ONE(one), {inits, n}}, of_loop = {inits, n};
    ir_op *loop = ir_build(&k->at, code, first ? of_for : &of_loop, n_results, types,
                           (uint32_t[]){n_results});
    const ir_type *args[4] = {k->i32};
    for (uint32_t i = 0; i < n; i++)
        args[first + i] = types[i];
    ir_set_region(loop, 0, ir_block_new(k->module, k->function, first + n, args));
    k->at.block = loop->regions[0];
    return loop;
}

static ir_value *carried(const ir_op *loop, uint32_t i)
{
    return loop->regions[0]->args[i + (loop->code == IR_OP_FOR ? 1 : 0)];
}

/* if (n > number) { what follows } */
static ir_block *open_branch(kernel_sketch *k, int32_t number_of)
{
    ir_value *condition = compare(k, IR_GT, k->n, number(k, number_of));
    ir_operand_list group = ONE(condition);
    ir_op *op = ir_build(&k->at, IR_OP_IF, &group, 0, NULL, (uint32_t[]){0});
    ir_block *before = k->at.block;
    ir_set_region(op, 0, ir_block_new(k->module, k->function, 0, NULL));
    ir_set_region(op, 1, ir_block_new(k->module, k->function, 0, NULL));
    k->at.block = op->regions[1];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = op->regions[0];
    return before;
}

/* for { carried[0] = 0; continue with NEXT }, beside a number that is carried before and behind. */
static int written_in_for(kernel_sketch *k, ir_value *init, ir_value *next)
{
    const ir_type *types[] = {k->i32, k->pointer, k->i32};
    ir_op *loop = open_loop(k, IR_OP_FOR, 3, types, (ir_value *[]){k->n, init, k->n}, 3);
    ir_value *to = carried(loop, 1);
    store(k, to, carried(loop, 0));
    end(k, IR_OP_CONTINUE, 3, (ir_value *[]){carried(loop, 0), next ? next : to, carried(loop, 2)});
    walk(k);
    return written_of(k);
}

static void a_for_keeps_its_pointer(void **state)
{
    assert_int_equal(written_in_for(*state, ((kernel_sketch *)*state)->q, NULL), Q);
}

static void a_for_changes_its_pointer(void **state)
{
    kernel_sketch *k = *state;
    assert_int_equal(written_in_for(k, k->p, k->q), P_AND_Q);
}

/* The only carried value is the pointer. */
static void a_for_of_a_pointer_alone(void **state)
{
    kernel_sketch *k = *state;
    ir_op *loop = open_loop(k, IR_OP_FOR, 1, &k->pointer, &k->p, 1);
    store(k, carried(loop, 0), number(k, 0));
    end(k, IR_OP_CONTINUE, 1, (ir_value *[]){carried(loop, 0)});
    walk(k);
    assert_int_equal(written_of(k), P);
}

/* The result of a for is what it begins with, or goes on with. */
static void results_of_a_for(void **state)
{
    kernel_sketch *k = *state;
    const ir_type *types[] = {k->i32, k->pointer};
    ir_op *loop = open_loop(k, IR_OP_FOR, 2, types, (ir_value *[]){k->n, k->p}, 2);
    end(k, IR_OP_CONTINUE, 2, (ir_value *[]){carried(loop, 0), k->q});
    k->at.block = k->function->body;
    store(k, &loop->results[1], number(k, 0));
    walk(k);
    assert_int_equal(written_of(k), P_AND_Q);
}

/* loop { if (n > 3) continue with q; carried[0] = 0; break } */
static void a_continue_in_a_branch(void **state)
{
    kernel_sketch *k = *state;
    const ir_type *types[] = {k->i32, k->pointer};
    ir_op *loop = open_loop(k, IR_OP_LOOP, 2, types, (ir_value *[]){k->n, k->p}, 0);
    ir_block *body = open_branch(k, 3);
    end(k, IR_OP_CONTINUE, 2, (ir_value *[]){carried(loop, 0), k->q});
    k->at.block = body;
    store(k, carried(loop, 1), number(k, 0));
    end(k, IR_OP_BREAK, 0, NULL);
    walk(k);
    assert_int_equal(written_of(k), P_AND_Q);
}

/* A loop has the results that its breaks give, which need not be what it carries. */
static void a_break_in_a_branch(void **state)
{
    kernel_sketch *k = *state;
    ir_op *loop = open_loop(k, IR_OP_LOOP, 1, &k->pointer, &k->p, 1);
    ir_block *body = open_branch(k, 3);
    end(k, IR_OP_BREAK, 1, &k->q);
    k->at.block = body;
    store(k, carried(loop, 0), number(k, 0));
    end(k, IR_OP_CONTINUE, 1, &k->p);
    walk(k);
    assert_int_equal(written_of(k), P); /* nothing is stored behind the loop */
}

/* loop { for { carried by it[0] = 0; continue with q }; break }: it is the inner one's continue. */
static void a_for_inside_of_a_loop(void **state)
{
    kernel_sketch *k = *state;
    const ir_type *types[] = {k->i32, k->pointer};
    ir_op *outer = open_loop(k, IR_OP_LOOP, 2, types, (ir_value *[]){k->n, k->p}, 0);
    ir_block *body = k->at.block;
    ir_op *inner = open_loop(k, IR_OP_FOR, 1, &k->pointer, (ir_value *[]){carried(outer, 1)}, 1);
    store(k, carried(inner, 0), number(k, 0));
    end(k, IR_OP_CONTINUE, 1, &k->q);
    k->at.block = body;
    end(k, IR_OP_BREAK, 0, NULL);
    walk(k);
    assert_int_equal(written_of(k), P_AND_Q);
}

/* loop { carried[0] = 0; break }: it carries more than it has results. */
static void a_loop_without_results(void **state)
{
    kernel_sketch *k = *state;
    ir_op *loop = open_loop(k, IR_OP_LOOP, 1, &k->pointer, &k->q, 0);
    ir_value *at = offset(k, carried(loop, 0), binary(k, IR_OP_ADDI, block_id(k), k->n));
    store(k, at, number(k, 0));
    end(k, IR_OP_BREAK, 0, NULL);
    walk(k);
    assert_int_equal(written_of(k), Q);
    assert_int_equal(arrlenu(k->s->hazards), 1); /* bid + n may wrap, and matters */
}

/* Numbers of which none is a result reach an address: the sum may wrap, wherever it is carried. */
static void numbers_of_a_loop_without_results(void **state)
{
    kernel_sketch *k = *state;
    ir_value *sum = binary(k, IR_OP_ADDI, block_id(k), k->n);
    ir_value *inits[] = {k->n, sum};
    const ir_type *types[] = {k->i32, k->i32};
    ir_op *loop = open_loop(k, IR_OP_LOOP, 2, types, inits, 0);
    store(k, offset(k, k->p, carried(loop, 0)), number(k, 0));
    ir_block *body = open_branch(k, 3);
    end(k, IR_OP_BREAK, 0, NULL);
    k->at.block = body;
    end(k, IR_OP_CONTINUE, 2, (ir_value *[]){carried(loop, 1), carried(loop, 1)});
    walk(k);
    assert_int_equal(arrlenu(k->s->hazards), 1);
    assert_ptr_equal(k->s->hazards[0].op, sum->def);
}

/* Two globals and an alloca: each is written by its own pointer alone. */
static void globals_and_allocas(void **state)
{
    kernel_sketch *k = *state;
    static const char *const names[] = {"one", "other"};
    ir_value *pointers[2];
    ir_global globals[] = {{names[0], .next = &globals[1]}, {names[1]}};
    k->module->globals = globals;
    for (int i = 0; i < 2; i++) {
        ir_op *get = ir_build(&k->at, IR_OP_GET_GLOBAL, NULL, 1, &k->pointer, NULL);
        get->attrs[IR_AT_GET_GLOBAL_name] = ir_attr_of_string(k->module, names[i]);
        pointers[i] = &get->results[0];
    }
    ir_op *own = ir_build(&k->at, IR_OP_ALLOCA, NULL, 1, &k->pointer, NULL);
    store(k, pointers[1], number(k, 0));
    store(k, &own->results[0], load(k, pointers[0]));
    walk(k);
    assert_int_equal(written_of(k), NOTHING);
    assert_int_equal(k->s->n_allocations, 5);
    assert_false(k->s->allocations[2].written);
    assert_true(k->s->allocations[3].written);
    assert_true(k->s->allocations[4].written);
    k->module->globals = NULL;
}

/* A call may write whatever it likes, a load nothing. */
static void calls_may_write_all(void **state)
{
    kernel_sketch *k = *state;
    ir_operand_list none = NONE;
    load(k, k->p);
    ir_build(&k->at, IR_OP_PREVIEW_CALL, &none, 0, NULL, (uint32_t[]){0});
    walk(k);
    assert_int_equal(written_of(k), P_AND_Q);
}

/* A pointer that comes out of memory may lead anywhere. */
static void pointers_from_memory(void **state)
{
    kernel_sketch *k = *state;
    const ir_type *two = ir_type_pointer(k->module, k->pointer->elem);
    const ir_type *pointers = ir_type_tile(k->module, two, 0, NULL);
    ir_operand_list of = ONE(k->p);
    ir_value *at = &ir_build(&k->at, IR_OP_PTR_TO_PTR, &of, 1, &pointers, NULL)->results[0];
    ir_operand_list groups[] = {ONE(at), NONE, NONE, NONE};
    const ir_type *results[] = {k->pointer, k->token};
    ir_value *read = &ir_build(&k->at, IR_OP_LOAD_PTR_TKO, groups, 2, results, NULL)->results[0];
    store(k, read, number(k, 0));
    walk(k);
    assert_int_equal(written_of(k), P_AND_Q);
    assert_non_null(k->s->accesses[1].unknown);
}

static void loads_write_nothing(void **state)
{
    kernel_sketch *k = *state;
    load(k, offset(k, k->p, load(k, k->q)));
    walk(k);
    assert_int_equal(written_of(k), NOTHING);
}

static void stores_write_their_own_buffer(void **state)
{
    kernel_sketch *k = *state;
    store(k, offset(k, k->q, load(k, k->p)), number(k, 0));
    walk(k);
    assert_int_equal(written_of(k), Q);
}

/* ---- Section: what the kernel states ---- */

static ir_value *assumed(kernel_sketch *k, ir_value *value, const ir_attr *predicate)
{
    ir_operand_list group = ONE(value);
    ir_op *op = ir_build(&k->at, IR_OP_ASSUME, &group, 1, &value->type, NULL);
    op->attrs[IR_AT_ASSUME_predicate] = *predicate;
    return &op->results[0];
}

/* p[assume n] = 0: the fact and the hazard say what is assumed, and nothing else. */
static void expect_assumption(void **state, const ir_attr *predicate)
{
    kernel_sketch *k;
    open_kernel(state);
    k = *state;
    store(k, offset(k, k->p, assumed(k, k->n, predicate)), number(k, 0));
    walk(k);
    numbers v = {.n = contract_param(k->ctx, k->c, 2)};
    for (v.n_value = -9; v.n_value <= 9; v.n_value++) {
        smt_int fact = -1, safe = 1;
        int64_t n = (int64_t)v.n_value;
        bool holds = predicate->assume.kind == IR_ASSUME_DIV_BY
                         ? n % (int64_t)predicate->assume.divisor == 0
                         : (!predicate->assume.has_low || predicate->assume.low <= n) &&
                               (!predicate->assume.has_high || n <= predicate->assume.high);
        assert_true(smt_eval(k->s->accesses[0].facts, lookup_numbers, &v, &fact));
        for (size_t i = 0; i < arrlenu(k->s->hazards); i++)
            assert_true(smt_eval(k->s->hazards[i].safe, lookup_numbers, &v, &safe));
        assert_int_equal(fact, holds);
        assert_int_equal(safe, holds);
    }
    close_kernel(state);
}

static void assumptions_about_numbers(void **state)
{
    for (uint64_t divisor = 1; divisor <= 4; divisor++) {
        ir_attr by = {.kind = IR_ATTR_ASSUME};
        by.assume.kind = IR_ASSUME_DIV_BY;
        by.assume.divisor = divisor;
        expect_assumption(state, &by);
    }
    for (int i = 0; i < 4 * 3 * 3; i++) {
        ir_attr between = {.kind = IR_ATTR_ASSUME};
        between.assume.kind = IR_ASSUME_BOUNDED;
        between.assume.has_low = i & 1, between.assume.has_high = i & 2;
        between.assume.low = i / 4 % 3 - 1, between.assume.high = i / 12 * 2 + 1;
        expect_assumption(state, &between);
    }
}

/* That a pointer is aligned says nothing of its place in the buffer, which may begin anywhere. */
static void assumptions_about_pointers(void **state)
{
    kernel_sketch *k = *state;
    ir_attr by = {.kind = IR_ATTR_ASSUME};
    by.assume.kind = IR_ASSUME_DIV_BY;
    by.assume.divisor = 16;
    store(k, assumed(k, offset(k, k->p, k->n), &by), number(k, 0));
    walk(k);
    assert_true(smt_is_true(k->s->accesses[0].facts));
    assert_int_equal(arrlenu(k->s->hazards), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_kernel, close_kernel)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_for_keeps_its_pointer),
        TEST(a_for_changes_its_pointer),
        TEST(a_for_of_a_pointer_alone),
        TEST(results_of_a_for),
        TEST(a_continue_in_a_branch),
        TEST(a_break_in_a_branch),
        TEST(a_for_inside_of_a_loop),
        TEST(a_loop_without_results),
        TEST(numbers_of_a_loop_without_results),
        TEST(globals_and_allocas),
        TEST(calls_may_write_all),
        TEST(pointers_from_memory),
        TEST(loads_write_nothing),
        TEST(stores_write_their_own_buffer),
        cmocka_unit_test(assumptions_about_numbers),
        TEST(assumptions_about_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

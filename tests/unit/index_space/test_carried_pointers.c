/* Pointers that loops carry, and loops that are left by a return: what no C source can say. */
#include "kernel_sketch.h"

static ir_op *branch(kernel_sketch *k, ir_value *condition, ir_block **sides)
{
    ir_operand_list group = ONE(condition);
    ir_op *op = ir_build(&k->at, IR_OP_IF, &group, 0, NULL, (uint32_t[]){0});
    for (int side = 0; side < 2; side++) {
        sides[side] = ir_block_new(k->module, k->function, 0, NULL);
        ir_set_region(op, side, sides[side]);
    }
    return op;
}

/* A counted loop; the builder stands in its body. `types` begins with the counter's. */
static ir_block *counted(kernel_sketch *k, ir_value *from, ir_value *to, uint32_t n,
                         ir_value **inits, const ir_type **types)
{
    ir_operand_list groups[] = {ONE(from), ONE(to), ONE(number(k, 1)), {inits, n}};
    ir_op *loop = ir_build(&k->at, IR_OP_FOR, groups, n, types + 1, (uint32_t[]){n});
    ir_block *body = ir_block_new(k->module, k->function, n + 1, types);
    ir_set_region(loop, 0, body);
    k->at.block = body;
    return body;
}

enum { CHAIN = 4 };

/* for (i = 0; i < n; i++) { pointers[0][0] = 0; each pointer becomes the next one, and the last one
 * becomes `last` } */
static const ix_access *store_by_chain(kernel_sketch *k, ir_value *last)
{
    const ir_type *types[CHAIN + 1] = {k->i32};
    ir_value *inits[CHAIN], *passed[CHAIN];
    for (int i = 0; i < CHAIN; i++) {
        types[i + 1] = k->pointer;
        inits[i] = k->p;
    }
    ir_block *body = counted(k, number(k, 0), k->n, CHAIN, inits, types);
    store(k, body->args[1], number(k, 0));
    for (int i = 0; i < CHAIN; i++)
        passed[i] = i + 1 < CHAIN ? body->args[i + 2] : last;
    end(k, IR_OP_CONTINUE, CHAIN, passed);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    return &k->s->accesses[0];
}

/* It takes as many rounds as there are pointers until the first one is in the other buffer. */
static void chain_leads_to_another_buffer(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_by_chain(k, k->q);
    assert_int_equal(stored->allocation, -1);
    assert_non_null(stored->unknown);
}

static void chain_stays_in_its_buffer(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_by_chain(k, k->p);
    assert_int_equal(stored->allocation, 0);
    assert_null(stored->unknown);
}

/* for (i = 0; i < n; i++) { pointer[0] = 0; a nest of loops that is too large to try; the pointer
 * becomes `next` } */
static const ix_access *store_before_a_nest(kernel_sketch *k, ir_value *next)
{
    const ir_type *types[] = {k->i32, k->pointer}, *sum_types[] = {k->i32, k->i32};
    ir_block *body = counted(k, number(k, 0), k->n, 1, &k->p, types), *nest[12];
    store(k, body->args[1], number(k, 0));
    ir_value *sum = number(k, 0);
    for (int d = 0; d < 12; d++) {
        nest[d] = counted(k, number(k, 0), k->n, 1, &sum, sum_types);
        sum = nest[d]->args[1];
    }
    for (int d = 12; d-- > 0;) {
        ir_value *three = binary(k, IR_OP_MULI, nest[d]->args[1], number(k, 3));
        end(k, IR_OP_CONTINUE, 1, &three);
        k->at.block = d > 0 ? nest[d - 1] : body;
    }
    end(k, IR_OP_CONTINUE, 1, &next);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    return &k->s->accesses[0];
}

static void trial_ends_before_the_buffer_changes(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_before_a_nest(k, k->q);
    assert_int_equal(stored->allocation, -1);
    assert_string_equal(stored->unknown, "the loop is too large to follow its pointers");
}

/* p = n > 3 ? p : q; for (i = 0; i < n; i++) { p[0] = 0; p += n * m[i] }, where no m[i] is
 * negative: the pointer moves in either buffer. */
static void chosen_pointer_moves(void **state)
{
    kernel_sketch *k = *state;
    const ir_type *types[] = {k->i32, k->pointer};
    ir_operand_list choice[] = {ONE(compare(k, IR_GT, k->n, number(k, 3))), ONE(k->p), ONE(k->q)};
    ir_value *chosen = &ir_build(&k->at, IR_OP_SELECT, choice, 1, &k->pointer, NULL)->results[0];
    ir_block *body = counted(k, number(k, 0), k->n, 1, &chosen, types);
    store(k, body->args[1], number(k, 0));
    ir_value *square = binary(k, IR_OP_MULI, body->args[0], body->args[0]);
    ir_value *moved = offset(k, body->args[1], binary(k, IR_OP_MULI, k->n, square));
    end(k, IR_OP_CONTINUE, 1, &moved);
    walk(k);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        assert_true(a->unknown || smt_contains(a->bytes, a->loops[0]->counter));
    }
}

/* for (i = 0; i < n; i++) if (bid < i) return; p[0] = 0: who returns does not come to the store. */
static void return_inside_of_a_counted_loop(void **state)
{
    kernel_sketch *k = *state;
    ir_block *sides[2];
    ir_value *bid = block_id(k);
    ir_block *body = counted(k, number(k, 0), k->n, 0, NULL, &k->i32);
    branch(k, compare(k, IR_LT, bid, body->args[0]), sides);
    k->at.block = sides[0];
    end(k, IR_OP_RETURN, 0, NULL);
    k->at.block = sides[1];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = body;
    end(k, IR_OP_CONTINUE, 0, NULL);
    k->at.block = k->function->body;
    store(k, k->p, number(k, 0));
    walk(k);
    assert_string_equal(k->s->unsupported, "it returns inside of a loop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chain_leads_to_another_buffer, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(chain_stays_in_its_buffer, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(trial_ends_before_the_buffer_changes, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(chosen_pointer_moves, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(return_inside_of_a_counted_loop, open_kernel, close_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

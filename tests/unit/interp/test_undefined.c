/* Where the values come from that a run does not know when it stores them. */
#include "scalars.h"

static void run(kit *k)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->run = interp_execute(k->f, &k->launch, NULL, &(interp_limits){.values = true}, NULL);
}

/* The only store of an unknown element, which is of this kind; NULL: there is none. */
static const interp_undefined *source(kit *k)
{
    const interp_unknown_store *stores;
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    if (interp_unknown_stores(k->run, &stores) == 0)
        return NULL;
    assert_int_equal(interp_unknown_stores(k->run, &stores), 1);
    return interp_undefined_at(k->run, stores[0].source);
}

static val masked(kit *k, val mask, val padding)
{
    return data(load_ptr(k, WEAK, pointers(k, param(k, 1), TILE(k, 0, 1)), mask, padding, NULL));
}

static void store_two(kit *k, val tile)
{
    store_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 0, 1)), tile, NULL, NULL);
}

static void lanes_that_a_mask_leaves_out(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    val loaded = masked(k, MASK(k, 1, 0), NULL);
    store_two(k, addi(k, loaded, TILE(k, 1, 1)));
    run(k);
    const interp_undefined *is = source(k);
    assert_non_null(is);
    assert_int_equal(is->kind, INTERP_UNDEFINED_MASKED);
    assert_ptr_equal(is->op, loaded->def);
    kit_free(k);
}

static void lanes_that_nobody_uses(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    val padded = masked(k, MASK(k, 1, 0), TILE(k, 7, 7));
    val chosen =
        OP1(k, IR_OP_SELECT, padded->type, MASK(k, 1, 0), masked(k, MASK(k, 1, 0), NULL), padded);
    store_two(k, chosen);
    run(k);
    assert_null(source(k));
    kit_free(k);
}

static val alloca_of(kit *k)
{
    const ir_type *type = pointer_type(k, IR_I32);
    ir_op *op = ir_build(&k->b, IR_OP_ALLOCA, NULL, 1, &type, NULL);
    ir_set_int(op, IR_AT_ALLOCA_num_elem, 4);
    ir_set_int(op, IR_AT_ALLOCA_alignment, 16);
    return &op->results[0];
}

static void memory_of_a_block(void **state)
{
    (void)state;
    for (int written = 0; written < 2; written++) {
        kit *k = kit_new("p");
        val own = alloca_of(k), token = make_token(k);
        if (written)
            token = tok(store_ptr(k, WEAK, own, i32(k, 5), NULL, token));
        store_ptr(k, WEAK, param(k, 0), data(load_ptr(k, WEAK, own, NULL, NULL, token)), NULL,
                  NULL);
        run(k);
        const interp_undefined *is = source(k);
        assert_int_equal(is != NULL, !written);
        if (is)
            assert_int_equal(is->kind, INTERP_UNDEFINED_ALLOCA);
        kit_free(k);
    }
}

/* The first source stays with a value through memory. */
static void memory_of_the_launch(void **state)
{
    (void)state;
    static bool known[4096];
    kit *k = kit_new("pp");
    k->buffers[1].known = known;
    val first = data(load_ptr(k, WEAK, param(k, 1), NULL, NULL, NULL)), own = alloca_of(k);
    ir_op *kept = store_ptr(k, WEAK, own, first, NULL, make_token(k));
    store_ptr(k, WEAK, param(k, 0), data(load_ptr(k, WEAK, own, NULL, NULL, tok(kept))), NULL,
              NULL);
    run(k);
    const interp_undefined *is = source(k);
    assert_non_null(is);
    assert_int_equal(is->kind, INTERP_UNDEFINED_MEMORY);
    assert_ptr_equal(is->op, first->def);
    assert_int_equal(is->buffer, 1);
    assert_int_equal(is->address, 0);
    kit_free(k);
}

static void no_result(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val quotient = binary(k, IR_OP_DIVI, i32(k, 1), i32(k, 0));
    store_ptr(k, WEAK, param(k, 0), quotient, NULL, NULL);
    run(k);
    const interp_undefined *is = source(k);
    assert_non_null(is);
    assert_int_equal(is->kind, INTERP_UNDEFINED_RESULT);
    assert_ptr_equal(is->op, quotient->def);
    kit_free(k);
}

/* An address that depends on one ends the run. */
static void an_address(void **state)
{
    (void)state;
    static bool known[4096];
    kit *k = kit_new("pp");
    k->buffers[1].known = known;
    val index = data(load_ptr(k, WEAK, param(k, 1), NULL, NULL, NULL));
    store_ptr(k, WEAK, OP1(k, IR_OP_OFFSET, param(k, 0)->type, param(k, 0), index), i32(k, 1), NULL,
              NULL);
    run(k);
    assert_int_equal(interp_run_status(k->run), INTERP_UNDECIDED);
    const interp_undefined *is = interp_run_undefined_by(k->run);
    assert_non_null(is);
    assert_int_equal(is->kind, INTERP_UNDEFINED_MEMORY);
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_a_mask_leaves_out),
        cmocka_unit_test(lanes_that_nobody_uses),
        cmocka_unit_test(memory_of_a_block),
        cmocka_unit_test(memory_of_the_launch),
        cmocka_unit_test(no_result),
        cmocka_unit_test(an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

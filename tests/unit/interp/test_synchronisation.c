/* Happens-before of one execution (D18 to D21): which acquire observed which release, and what that
 * orders. */
#include "kit.h"

static how device(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_DEVICE};
}

static how own_block(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_TL_BLK};
}

typedef struct answer {
    bool race, matters;
} answer;

static answer look(kit *k, int64_t blocks)
{
    execute(k, blocks, 1);
    interp_race races[16];
    answer a;
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    a.race = interp_find_races(k->run, false, races, 16, &a.matters) > 0;
    return a;
}

static bool race_on_data(kit *k, int64_t blocks)
{
    look(k, blocks);
    interp_race races[16];
    size_t n = interp_find_races(k->run, false, races, 16, NULL);
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= races[i].a.buffer == 0;
    return found;
}

/* Only in block `number`. */
static loop in_block(kit *k, int64_t number)
{
    return begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, number)), 0, NULL);
}

static ir_op *write_data(kit *k)
{
    return store_ptr(k, WEAK, param(k, 0), i32(k, 7), NULL, NULL);
}

static void read_data_after(kit *k, const ir_op *flag)
{
    load_ptr(k, WEAK, param(k, 0), NULL, NULL, tok(flag));
}

static void inside_one_block(void **state)
{
    (void)state;
    static const struct {
        ir_ordering store, load;
        bool race;
    } rows[] = {
        {IR_RELEASE, IR_ACQUIRE, false},
        {IR_RELAXED, IR_ACQUIRE, true},
        {IR_RELEASE, IR_RELAXED, true},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int narrow = 0; narrow < 2; narrow++) {
            kit *k = kit_new("pp");
            ir_op *data = write_data(k);
            store_ptr(k, (narrow ? own_block : device)(rows[i].store), param(k, 1), i32(k, 1), NULL,
                      tok(data));
            read_data_after(k, load_ptr(k, (narrow ? own_block : device)(rows[i].load), param(k, 1),
                                        NULL, NULL, NULL));
            answer a = look(k, 1);
            assert_int_equal(a.race, rows[i].race);
            assert_int_equal(a.matters, !rows[i].race); /* the acquire might read the zero */
            kit_free(k);
        }
}

/* D20: a relaxed store of the releasing block takes the release's place only after it in token
 * order. */
static void relaxed_write_after_the_release(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        bool token = variant & 1, weak = variant & 2;
        kit *k = kit_new("pp");
        loop l = in_block(k, 0);
        ir_op *release =
            store_ptr(k, device(IR_RELEASE), param(k, 1), i32(k, 1), NULL, tok(write_data(k)));
        store_ptr(k, weak ? WEAK : DEVICE, param(k, 1), i32(k, 2), NULL,
                  token ? tok(release) : NULL);
        begin_else(k, &l, 0, NULL);
        read_data_after(k, load_ptr(k, device(IR_ACQUIRE), param(k, 1), NULL, NULL, NULL));
        end_if(k, &l, 0, NULL);
        answer a = look(k, 2);
        assert_int_equal(a.race, weak || !token);
        assert_true(a.matters);
        kit_free(k);
    }
}

/* D19: a chain is as strong as each of its steps. */
static void a_narrow_step_breaks_a_chain(void **state)
{
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        kit *k = kit_new("pp");
        loop first = in_block(k, 0);
        store_ptr(k, device(IR_RELEASE), param(k, 1), i32(k, 1), NULL, tok(write_data(k)));
        end_if(k, &first, 0, NULL);
        loop second = in_block(k, 1);
        rmw(k, narrow ? own_block(IR_RELAXED) : DEVICE, IR_ATOMIC_ADD, param(k, 1), i32(k, 1), NULL,
            NULL);
        end_if(k, &second, 0, NULL);
        loop third = in_block(k, 2);
        read_data_after(k, load_ptr(k, device(IR_ACQUIRE), param(k, 1), NULL, NULL, NULL));
        end_if(k, &third, 0, NULL);
        assert_int_equal(race_on_data(k, 3), narrow);
        kit_free(k);
    }
}

static void the_ends_include_each_other(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        kit *k = kit_new("pp");
        loop l = in_block(k, 0);
        store_ptr(k, (variant & 1 ? own_block : device)(IR_RELEASE), param(k, 1), i32(k, 1), NULL,
                  tok(write_data(k)));
        begin_else(k, &l, 0, NULL);
        read_data_after(k, load_ptr(k, (variant & 2 ? own_block : device)(IR_ACQUIRE), param(k, 1),
                                    NULL, NULL, NULL));
        end_if(k, &l, 0, NULL);
        assert_int_equal(race_on_data(k, 2), variant != 0);
        kit_free(k);
    }
}

/* D6: whoever writes one byte of the flag takes the release away. */
static void an_overlapping_write_hides_the_release(void **state)
{
    (void)state;
    for (int64_t at = 2; at <= 4; at++) {
        kit *k = kit_new("ppb");
        k->args[2].buffer = 1;
        loop l = in_block(k, 0);
        ir_op *release =
            store_ptr(k, device(IR_RELEASE), param(k, 1), i32(k, 1), NULL, tok(write_data(k)));
        int64_t zero = 0;
        store_ptr(k, WEAK, pointers(k, param(k, 2), i32(k, at)),
                  constant(k, scalar_type(k, IR_I8), 1, &zero), NULL, tok(release));
        begin_else(k, &l, 0, NULL);
        read_data_after(k, load_ptr(k, device(IR_ACQUIRE), param(k, 1), NULL, NULL, NULL));
        end_if(k, &l, 0, NULL);
        assert_int_equal(race_on_data(k, 2), at < 4); /* byte 4 is behind the flag */
        kit_free(k);
    }
}

/* A compare-and-swap that fails reads and leaves the release where it is. */
static void a_failed_exchange_writes_nothing(void **state)
{
    (void)state;
    for (int succeeds = 0; succeeds < 2; succeeds++) {
        kit *k = kit_new("pp");
        loop first = in_block(k, 0);
        store_ptr(k, device(IR_RELEASE), param(k, 1), i32(k, 1), NULL, tok(write_data(k)));
        end_if(k, &first, 0, NULL);
        loop second = in_block(k, 1);
        cas(k, own_block(IR_RELAXED), param(k, 1), i32(k, succeeds), i32(k, 5), NULL);
        end_if(k, &second, 0, NULL);
        loop third = in_block(k, 2);
        read_data_after(k, load_ptr(k, device(IR_ACQUIRE), param(k, 1), NULL, NULL, NULL));
        end_if(k, &third, 0, NULL);
        assert_int_equal(race_on_data(k, 3), succeeds);
        kit_free(k);
    }
}

/* Through a third block, which neither wrote nor reads the data. */
static void order_is_transitive(void **state)
{
    (void)state;
    for (int token = 0; token < 2; token++) {
        kit *k = kit_new("pp");
        val second_flag = pointers(k, param(k, 1), i32(k, 1));
        loop first = in_block(k, 0);
        store_ptr(k, device(IR_RELEASE), param(k, 1), i32(k, 1), NULL, tok(write_data(k)));
        end_if(k, &first, 0, NULL);
        loop second = in_block(k, 1);
        ir_op *seen = load_ptr(k, device(IR_ACQUIRE), param(k, 1), NULL, NULL, NULL);
        store_ptr(k, device(IR_RELEASE), second_flag, i32(k, 1), NULL, token ? tok(seen) : NULL);
        end_if(k, &second, 0, NULL);
        loop third = in_block(k, 2);
        read_data_after(k, load_ptr(k, device(IR_ACQUIRE), second_flag, NULL, NULL, NULL));
        end_if(k, &third, 0, NULL);
        assert_int_equal(look(k, 3).race, !token);
        /* data, flag; look, flag; look, data */
        assert_int_equal(interp_instances(k->run), 6);
        assert_true(interp_happens_before(k->run, 0, 1));
        assert_true(interp_happens_before(k->run, 1, 2));
        assert_int_equal(interp_happens_before(k->run, 0, 5), token);
        assert_false(interp_happens_before(k->run, 5, 0));
        assert_false(interp_token_before(k->run, 1, 2));
        kit_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_one_block),
        cmocka_unit_test(relaxed_write_after_the_release),
        cmocka_unit_test(a_narrow_step_breaks_a_chain),
        cmocka_unit_test(the_ends_include_each_other),
        cmocka_unit_test(an_overlapping_write_hides_the_release),
        cmocka_unit_test(a_failed_exchange_writes_nothing),
        cmocka_unit_test(order_is_transitive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

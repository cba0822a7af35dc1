/* A race shown as two schedules: found, brought close together, nothing found where there is none.
 */
#include "kit.h"

#include "interp/schedule.h"
#include "launch/fill.h"

static void finish(kit *k, int64_t blocks)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->launch.grid[0] = blocks;
    k->launch.grid[1] = k->launch.grid[2] = 1;
}

static val element(kit *k, int64_t i)
{
    return pointers(k, param(k, 0), i32(k, i));
}

static const interp_difference *find(kit *k, tr_arena *arena, const interp_aim *aim)
{
    return interp_find_difference(arena, k->f, &k->launch, NULL, NULL, 0, NULL, aim);
}

static size_t that_matter(const interp_difference *d, int side)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_steps[side]; i++)
        n += d->steps[side][i].matters;
    return n;
}

/* The two schedules are the same but for two neighbours. */
static void check_neighbours(const interp_difference *d)
{
    assert_true(d->adjacent);
    for (size_t i = 0; i < d->at; i++) {
        assert_int_equal(d->steps[0][i].block, d->steps[1][i].block);
        assert_int_equal(d->steps[0][i].number, d->steps[1][i].number);
    }
    for (size_t i = 0; i < 2; i++) {
        const interp_shown_step *a = &d->steps[0][d->at + i], *b = &d->steps[1][d->at + 1 - i];
        assert_int_equal(a->block, b->block);
        assert_int_equal(a->number, b->number);
        assert_true(a->matters && b->matters);
    }
}

static void two_writers(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    /* much else goes on */
    store_ptr(k, WEAK, pointers(k, param(k, 0), addi(k, bid(k, 0), i32(k, 100))), bid(k, 0), NULL,
              NULL);
    ir_op *racy = store_ptr(k, WEAK, element(k, 7), bid(k, 0), NULL, NULL);
    store_ptr(k, WEAK, pointers(k, param(k, 0), addi(k, bid(k, 0), i32(k, 200))), bid(k, 0), NULL,
              NULL);
    finish(k, 12);
    tr_arena *arena = tr_arena_new();
    const interp_difference *d = find(k, arena, NULL);
    assert_non_null(d);
    check_neighbours(d);
    assert_int_equal(d->n_blocks, 2);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(d->n_steps[side], 6);
        assert_int_equal(that_matter(d, side), 2);
        assert_ptr_equal(d->steps[side][d->at].op, racy);
    }
    assert_int_equal(d->n_elements, 1);
    assert_int_equal(d->elements[0].address, 28);
    assert_int_equal(d->elements[0].width, 4);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(d->elements[0].writers[side], d->at + 1);
        assert_int_equal(d->elements[0].values[side], d->steps[side][d->at + 1].block);
    }
    tr_arena_free(arena);
    kit_free(k);
}

/* The value read travels through a register into another place. */
static void lost_update(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ir_op *load = load_ptr(k, WEAK, element(k, 0), NULL, NULL, NULL);
    store_ptr(k, WEAK, element(k, 0), addi(k, data(load), i32(k, 1)), NULL, tok(load));
    finish(k, 5);
    tr_arena *arena = tr_arena_new();
    const interp_difference *d = find(k, arena, NULL);
    assert_non_null(d);
    check_neighbours(d);
    assert_int_equal(d->n_blocks, 2);
    assert_int_equal(d->n_elements, 1);
    uint64_t *values = (uint64_t *)d->elements[0].values;
    assert_int_equal(values[0] + values[1], 3); /* 1 and 2 */
    tr_arena_free(arena);
    kit_free(k);
}

static void inside_one_block(void **state)
{
    (void)state;
    for (int token = 0; token < 2; token++) {
        kit *k = kit_new("p");
        loop l = begin_for(k, i32(k, 0), i32(k, 3), i32(k, 1), 0, NULL);
        val at = pointers(k, param(k, 0), l.iv);
        ir_op *first = store_ptr(k, WEAK, at, i32(k, 1), NULL, NULL);
        ir_op *second = store_ptr(k, WEAK, at, i32(k, 2), NULL, token ? tok(first) : NULL);
        end_loop(k, &l, 0, NULL);
        finish(k, 1);
        tr_arena *arena = tr_arena_new();
        interp_aim aim = {.first = first,
                          .second = second,
                          .first_block = INTERP_ANY_BLOCK,
                          .second_block = INTERP_ANY_BLOCK};
        const interp_difference *d = find(k, arena, &aim);
        assert_int_equal(d != NULL, !token);
        if (d) {
            check_neighbours(d);
            assert_int_equal(d->steps[0][d->at].n_loops, 1);
            assert_int_equal(d->steps[0][d->at].iterations[0],
                             d->steps[0][d->at + 1].iterations[0]);
            assert_int_equal(that_matter(d, 0), 2);
        }
        tr_arena_free(arena);
        kit_free(k);
    }
}

static void nothing_where_nothing_races(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ir_op *load = load_ptr(k, WEAK, element(k, 99), NULL, NULL, NULL);
    store_ptr(k, WEAK, pointers(k, param(k, 0), bid(k, 0)), data(load), NULL, NULL);
    rmw(k, DEVICE, IR_ATOMIC_ADD, element(k, 50), bid(k, 0), NULL, NULL);
    finish(k, 6);
    tr_arena *arena = tr_arena_new();
    assert_null(find(k, arena, NULL));
    tr_arena_free(arena);
    kit_free(k);
}

/* Unknown contents show nothing; filled ones do. */
static void contents_are_filled(void **state)
{
    (void)state;
    kit *k = kit_new("pf");
    val from = pointers(k, param(k, 1), bid(k, 0));
    ir_op *load = load_ptr(k, WEAK, from, NULL, NULL, NULL);
    store_ptr(k, WEAK, param(k, 1), data(load), NULL, NULL);
    finish(k, 3);
    tr_arena *arena = tr_arena_new();
    assert_null(find(k, arena, NULL));
    const concrete_launch *filled = concrete_fill(arena, k->f, &k->launch, 1);
    assert_false(filled->buffers[1].opaque);
    assert_true(k->launch.buffers[1].opaque);
    float values[4];
    memcpy(values, filled->buffers[1].data, sizeof values);
    for (int i = 0; i < 4; i++) {
        assert_true(values[i] >= -2 && values[i] <= 2);
        assert_true(i == 0 || values[i] != values[i - 1]);
    }
    const interp_difference *d =
        interp_find_difference(arena, k->f, filled, NULL, NULL, 0, NULL, NULL);
    assert_non_null(d);
    check_neighbours(d);
    tr_arena_free(arena);
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_writers),         cmocka_unit_test(lost_update),
        cmocka_unit_test(inside_one_block),    cmocka_unit_test(nothing_where_nothing_races),
        cmocka_unit_test(contents_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

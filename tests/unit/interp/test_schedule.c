/* Blocks that take turns: what a schedule may do, what it may not, and that all are found. */
#include "turns.h"

/* ---- Section: All outcomes ---- */

enum { MAX_OUTCOMES = 256, WORDS = 6 };

typedef struct outcomes {
    kit *k;
    size_t n;
    int32_t words[MAX_OUTCOMES][WORDS];
    size_t hangs, races;
} outcomes;

static size_t place_of(outcomes *o, const interp_run *run)
{
    int32_t now[WORDS];
    for (int i = 0; i < WORDS; i++) {
        uint64_t bits = 0;
        assert_true(interp_read_back(run, 0, 4 * i, 4, &bits));
        now[i] = (int32_t)bits;
    }
    size_t at = 0;
    while (at < o->n && memcmp(o->words[at], now, sizeof now) != 0)
        at++;
    if (at == o->n && o->n < MAX_OUTCOMES)
        memcpy(o->words[o->n++], now, sizeof now);
    return at;
}

static bool keep(void *user, const interp_run *run)
{
    outcomes *o = user;
    if (interp_run_status(run) == INTERP_HANG) {
        o->hangs++;
        return true;
    }
    assert_int_equal(interp_run_status(run), INTERP_DONE);
    place_of(o, run);
    interp_race races[4];
    o->races += interp_find_races(run, false, races, 4, NULL) > 0;
    return true;
}

static interp_exploration explore(kit *k, outcomes *o)
{
    *o = (outcomes){.k = k};
    return interp_explore(k->f, &k->launch, NULL, NULL, 0, NULL, 0, keep, o);
}

/* How many schedules there are to look at, told by hand. */
static void equivalent_schedules_count_once(void **state)
{
    (void)state;
    static const struct {
        int64_t blocks;
        bool same_place;
        uint64_t runs;
    } rows[] = {{1, true, 1}, {4, false, 1}, {2, true, 2}, {3, true, 6}, {4, true, 24}};
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        kit *k = kit_new("p");
        val at = rows[i].same_place ? element(k, 0) : pointers(k, param(k, 0), bid(k, 0));
        store_ptr(k, WEAK, at, bid(k, 0), NULL, NULL);
        finish(k, rows[i].blocks);
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_true(found.complete);
        assert_int_equal(found.runs, rows[i].runs);
        assert_int_equal(o.n, rows[i].same_place ? rows[i].blocks : 1);
        kit_free(k);
    }
}

/* st X; ld Y || st Y; ld X: with tokens one of the loads sees the store; without, both may miss. */
static void store_buffering(void **state)
{
    (void)state;
    for (int token = 0; token < 2; token++) {
        kit *k = kit_new("p");
        val other = binary(k, IR_OP_SUBI, i32(k, 1), bid(k, 0));
        ir_op *store =
            store_ptr(k, DEVICE, pointers(k, param(k, 0), bid(k, 0)), i32(k, 1), NULL, NULL);
        ir_op *load = load_ptr(k, DEVICE, pointers(k, param(k, 0), other), NULL, NULL,
                               token ? tok(store) : NULL);
        store_ptr(k, WEAK, pointers(k, param(k, 0), addi(k, bid(k, 0), i32(k, 2))), data(load),
                  NULL, NULL);
        finish(k, 2);
        outcomes o;
        assert_true(explore(k, &o).complete);
        assert_int_equal(o.n, token ? 3 : 4);
        kit_free(k);
    }
}

/* A load whose value nobody needs yet may come after a later store, if no token forbids it. */
static void a_load_may_come_late(void **state)
{
    (void)state;
    for (int token = 0; token < 2; token++) {
        kit *k = kit_new("p");
        ir_op *load = load_ptr(k, WEAK, element(k, 0), NULL, NULL, NULL);
        store_ptr(k, WEAK, element(k, 0), i32(k, 5), NULL, token ? tok(load) : NULL);
        store_ptr(k, WEAK, element(k, 1), data(load), NULL, NULL);
        finish(k, 1);
        outcomes o;
        assert_true(explore(k, &o).complete);
        assert_int_equal(o.n, token ? 1 : 2);
        assert_int_equal(o.races, token ? 0 : 2);
        kit_free(k);
    }
}

/* Through a join, an `if` and a loop tokens hold as they do in order. */
static void tokens_hold_through_control(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val start = make_token(k);
    loop l = begin_for(k, i32(k, 0), i32(k, 3), i32(k, 1), 1, &start);
    ir_op *a = store_ptr(k, WEAK, element(k, 0), l.iv, NULL, l.body->args[1]);
    ir_op *b = store_ptr(k, WEAK, element(k, 1), l.iv, NULL, l.body->args[1]);
    val both = join2(k, tok(a), tok(b));
    end_loop(k, &l, 1, &both);
    store_ptr(k, WEAK, element(k, 1), i32(k, 9), NULL, &l.op->results[0]);
    finish(k, 1);
    outcomes o;
    assert_true(explore(k, &o).complete);
    assert_int_equal(o.n, 1);
    assert_int_equal(o.races, 0);
    assert_int_equal(o.words[0][0], 2);
    assert_int_equal(o.words[0][1], 9);
    kit_free(k);
}

/* Block 0 spins on a flag that block 1 sets: no order of whole blocks can run this. */
static void spinning_blocks_wait(void **state)
{
    (void)state;
    for (int never = 0; never < 2; never++) {
        kit *k = kit_new("p");
        loop first = in_block(k, 0);
        loop spin = begin_loop(k, 0, NULL);
        ir_op *flag = load_ptr(k, device(IR_ACQUIRE), element(k, 0), NULL, NULL, NULL);
        loop seen = begin_if(k, compare(k, IR_EQ, data(flag), i32(k, 1)), 0, NULL);
        load_ptr(k, WEAK, element(k, 1), NULL, NULL, tok(flag));
        terminate(k, IR_OP_BREAK, 0, NULL);
        k->b.block = seen.outer;
        end_loop(k, &spin, 0, NULL);
        begin_else(k, &first, 0, NULL);
        ir_op *write = store_ptr(k, WEAK, element(k, 1), i32(k, 7), NULL, NULL);
        store_ptr(k, device(IR_RELEASE), element(k, never ? 2 : 0), i32(k, 1), NULL, tok(write));
        end_if(k, &first, 0, NULL);
        finish(k, 2);
        interp_schedule in_order = {.policy = INTERP_IN_ORDER};
        scheduled(k, &in_order);
        assert_int_equal(interp_run_status(k->run), never ? INTERP_HANG : INTERP_DONE);
        outcomes o;
        assert_true(explore(k, &o).complete);
        assert_int_equal(o.hangs > 0, never);
        assert_int_equal(o.races, 0);
        kit_free(k);
    }
}

/* A lock: every schedule ends, none loses an update. */
static void a_lock_excludes(void **state)
{
    (void)state;
    for (int locked = 0; locked < 2; locked++) {
        kit *k = kit_new("p");
        val start = make_token(k);
        val token = start;
        if (locked) {
            loop spin = begin_loop(k, 1, &start);
            ir_op *got = cas(k, device(IR_ACQUIRE), element(k, 0), i32(k, 0), i32(k, 1), NULL);
            val t = tok(got);
            loop free_now = begin_if(k, compare(k, IR_EQ, data(got), i32(k, 0)), 0, NULL);
            terminate(k, IR_OP_BREAK, 1, &t);
            k->b.block = free_now.outer;
            end_loop(k, &spin, 1, &t);
            token = &spin.op->results[0];
        }
        ir_op *load = load_ptr(k, WEAK, element(k, 1), NULL, NULL, token);
        ir_op *store =
            store_ptr(k, WEAK, element(k, 1), addi(k, data(load), i32(k, 1)), NULL, tok(load));
        if (locked)
            rmw(k, device(IR_RELEASE), IR_ATOMIC_XCHG, element(k, 0), i32(k, 0), NULL, tok(store));
        finish(k, 3);
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_true(found.complete);
        assert_int_equal(o.hangs, 0);
        assert_int_equal(o.n, locked ? 1 : 3);
        assert_int_equal(o.races == 0, locked);
        kit_free(k);
    }
}

/* ---- Section: Seeds and lists ---- */

static void same_steps(const interp_run *run, const interp_step *expected, size_t n)
{
    const interp_step *steps;
    assert_int_equal(interp_steps(run, &steps), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(steps[i].block, expected[i].block);
        assert_int_equal(steps[i].number, expected[i].number);
    }
}

static void three_stores(kit *k)
{
    for (int i = 0; i < 3; i++)
        store_ptr(k, WEAK, element(k, i), bid(k, 0), NULL, NULL);
    finish(k, 3);
}

static void schedules_repeat(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    three_stores(k);
    size_t different = 0;
    interp_step before[9] = {{0}};
    for (uint64_t seed = 0; seed < 32; seed++) {
        interp_schedule by_seed = {.policy = INTERP_RANDOM, .seed = seed};
        const interp_step *steps;
        assert_int_equal(interp_steps(scheduled(k, &by_seed), &steps), 9);
        interp_step kept[9];
        memcpy(kept, steps, sizeof kept);
        for (size_t i = 0; i < 9; i++)
            different += kept[i].block != before[i].block || kept[i].number != before[i].number;
        memcpy(before, kept, sizeof before);
        same_steps(scheduled(k, &by_seed), kept, 9);
        interp_schedule by_list = {.policy = INTERP_LISTED, .n_steps = 9, .steps = kept};
        same_steps(scheduled(k, &by_list), kept, 9);
    }
    assert_true(different > 32);
    kit_free(k);
}

static void in_order_is_block_after_block(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    three_stores(k);
    interp_schedule in_order = {.policy = INTERP_IN_ORDER};
    static const interp_step steps[] = {{0, 0},    {0, 1, 1}, {0, 2, 2}, {1, 0, 3}, {1, 1, 4},
                                        {1, 2, 5}, {2, 0, 6}, {2, 1, 7}, {2, 2, 8}};
    same_steps(scheduled(k, &in_order), steps, 9);
    kit_free(k);
}

/* The first store of some block waits until another block is past its second. */
static void aimed_schedules_hit(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    ir_op *first = store_ptr(k, WEAK, element(k, 0), bid(k, 0), NULL, NULL);
    ir_op *second =
        store_ptr(k, WEAK, element(k, 0), addi(k, bid(k, 0), i32(k, 8)), NULL, tok(first));
    finish(k, 2);
    for (uint64_t seed = 0; seed < 8; seed++) {
        interp_schedule aim = {.policy = INTERP_AIMED,
                               .seed = seed,
                               .held = first,
                               .until = second,
                               .held_block = seed % 2 ? 1 : INTERP_ANY_BLOCK};
        const interp_step *steps;
        assert_int_equal(interp_steps(scheduled(k, &aim), &steps), 4);
        assert_int_equal(steps[0].block, steps[1].block);
        assert_int_equal(steps[2].block, steps[3].block);
        if (seed % 2)
            assert_int_equal(steps[2].block, 1);
    }
    kit_free(k);
}

/* One load and one store of a place, unordered, in each of two blocks: the same races whatever
 * turns the blocks take. */
static void races_in_a_block_where_blocks_take_turns(void **state)
{
    (void)state;
    static const interp_step orders[][4] = {{{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                                            {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
                                            {{1, 1}, {0, 0}, {1, 0}, {0, 1}}};
    for (size_t i = 0; i < TR_COUNT(orders); i++) {
        kit *k = kit_new("p");
        load_ptr(k, WEAK, element(k, 0), NULL, NULL, NULL);
        store_ptr(k, WEAK, element(k, 0), bid(k, 0), NULL, NULL);
        finish(k, 2);
        interp_schedule turns = {.policy = INTERP_LISTED, .n_steps = 4, .steps = orders[i]};
        scheduled(k, &turns);
        assert_int_equal(count_races(k), 5);
        interp_race some[8];
        size_t n = interp_find_races(k->run, false, some, TR_COUNT(some), NULL), inside = 0;
        for (size_t r = 0; r < n; r++)
            inside += some[r].a.block == some[r].b.block;
        assert_int_equal(inside, 1);
        kit_free(k);
    }
}

static val wait_for_before(kit *k, val token)
{
    const ir_type *type = token_type(k);
    ir_operand_list group = {&token, token ? 1 : 0};
    return &ir_build(&k->b, IR_OP_GDC_WAIT_TKO, &group, 1, &type, NULL)->results[0];
}

/* A kernel of its own that stores 7 to element 0 and keeps element 1 in element 2. */
static void kernel_before(kit *k, interp_before *before, ir_function **f)
{
    const ir_type *type = pointer_type(k, IR_I32);
    ir_function *own = k->f;
    ir_block *block = k->b.block;
    *f = ir_function_add(k->m, "before", ir_type_function(k->m, 1, &type, 0, NULL));
    (*f)->is_entry = true;
    if (!(*f)->body)
        (*f)->body = ir_block_new(k->m, *f, 1, &type);
    k->f = *f;
    k->b.function = *f;
    k->b.block = (*f)->body;
    store_ptr(k, WEAK, element(k, 0), i32(k, 7), NULL, NULL);
    store_ptr(k, WEAK, element(k, 2), data(load_ptr(k, WEAK, element(k, 1), NULL, NULL, NULL)),
              NULL, NULL);
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(*f);
    k->f = own;
    k->b.function = own;
    k->b.block = block;
    *before = (interp_before){.kernel = *f, .grid = {1, 1, 1}, .n_args = 1, .args = k->args};
}

/* What comes after the wait for it by a token finds it at its end; what does not need not. */
static void the_kernel_before_may_still_run(void **state)
{
    (void)state;
    for (int row = 0; row < 4; row++) {
        bool waits = row & 1, weak = row & 2;
        kit *k = kit_new("p");
        interp_before before;
        ir_function *f;
        kernel_before(k, &before, &f);
        val after = wait_for_before(k, NULL);
        ir_op *load = load_ptr(k, WEAK, element(k, 0), NULL, NULL, waits ? after : NULL);
        store_ptr(k, WEAK, element(k, 3), data(load), NULL, NULL);
        store_ptr(k, WEAK, element(k, 1), i32(k, 9), NULL, waits ? after : NULL);
        finish(k, 1);
        k->launch.before = &before;
        bool early = false, late = false, raced = false;
        for (uint64_t seed = 0; seed < 200; seed++) {
            interp_schedule random = {.policy = INTERP_RANDOM, .seed = seed, .weak = weak};
            assert_int_equal(interp_run_status(scheduled(k, &random)), INTERP_DONE);
            early |= word(k, 0, 3) == 0; /* missed the store */
            late |= word(k, 0, 2) == 9;  /* stored before it was read */
            raced |= count_races(k) > 0;
            int64_t id[3];
            interp_block_of(k->run, 1, id);
            assert_int_equal(id[0], 0);
        }
        assert_int_equal(early, !waits);
        assert_int_equal(late, !waits);
        assert_int_equal(raced, !waits);
        interp_run_free(k->run);
        k->run = interp_execute(k->f, &k->launch, NULL, NULL, NULL);
        assert_int_equal(interp_comes_after_wait(k->run, 0), waits);
        kit_free(k);
    }
}

/* How many schedules there are with the kernel before, told by hand: what waits comes last; of what
 * does not, each pair on one place has two orders. */
static void the_kernel_before_is_explored(void **state)
{
    (void)state;
    static const struct {
        bool load_waits, store_waits;
        uint64_t runs;
    } rows[] = {{true, true, 1}, {true, false, 2}, {false, true, 2}, {false, false, 4}};
    for (size_t row = 0; row < TR_COUNT(rows); row++) {
        kit *k = kit_new("p");
        interp_before before;
        ir_function *f;
        kernel_before(k, &before, &f);
        val after = wait_for_before(k, NULL);
        store_ptr(k, WEAK, element(k, 1), i32(k, 9), NULL, rows[row].store_waits ? after : NULL);
        ir_op *load =
            load_ptr(k, WEAK, element(k, 0), NULL, NULL, rows[row].load_waits ? after : NULL);
        store_ptr(k, WEAK, element(k, 3), data(load), NULL, NULL);
        finish(k, 1);
        k->launch.before = &before;
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_true(found.complete);
        assert_int_equal(found.runs, rows[row].runs);
        assert_int_equal(o.n, rows[row].runs);
        kit_free(k);
    }
}

/* Begun at once are 64. */
static void what_is_too_large_is_not_called_complete(void **state)
{
    (void)state;
    for (int64_t blocks = 64; blocks < 66; blocks++) {
        kit *k = kit_new("p");
        store_ptr(k, WEAK, pointers(k, param(k, 0), bid(k, 0)), bid(k, 0), NULL, NULL);
        finish(k, blocks);
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_int_equal(found.complete, blocks == 64);
        assert_int_equal(found.why != NULL, blocks > 64);
        kit_free(k);
    }
}

/* Elements on one place: both orders are tried where the order can show. */
static void both_orders_of_elements_are_explored(void **state)
{
    (void)state;
    for (int row = 0; row < 3; row++) {
        kit *k = kit_new("p");
        val twice = pointers(k, param(k, 0), TILE(k, 0, 0));
        if (row == 0)
            store_ptr(k, WEAK, twice, TILE(k, 3, 4), NULL, NULL);
        ir_op *add =
            row ? rmw(k, device(IR_RELAXED), IR_ATOMIC_ADD, twice, TILE(k, 3, 4), NULL, NULL)
                : NULL;
        if (row == 2) /* who was first? */
            store_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 1, 2)), data(add), NULL, NULL);
        finish(k, 1);
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_true(found.complete);
        assert_int_equal(found.runs, row == 1 ? 1 : 2);
        assert_int_equal(o.n, row == 1 ? 1 : 2);
        kit_free(k);
    }
}

/* An op that writes one place twice: either element may come last. */
static void elements_of_one_op_come_in_any_order(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    store_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 0, 1, 0, 1)), TILE(k, 3, 4, 5, 6), NULL,
              NULL);
    store_ptr(k, WEAK, pointers(k, param(k, 0), TILE(k, 4, 5)), TILE(k, 7, 8), NULL, NULL);
    finish(k, 1);
    bool forth = false, back = false;
    for (uint64_t seed = 0; seed < 64; seed++) {
        interp_schedule random = {.policy = INTERP_RANDOM, .seed = seed};
        scheduled(k, &random);
        forth |= word(k, 0, 0) == 5 && word(k, 0, 1) == 6;
        back |= word(k, 0, 0) == 3 && word(k, 0, 1) == 4;
        assert_int_equal(word(k, 0, 4), 7);
        const interp_step *steps;
        assert_int_equal(interp_steps(k->run, &steps), 2);
        for (int i = 0; i < 2; i++)
            assert_false(steps[i].number == 1 && steps[i].backwards);
    }
    assert_true(forth && back);
    kit_free(k);
}

/* More blocks than may begin at once, and one that waits for the last of them. */
static void blocks_begin_when_there_is_room(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    loop first = in_block(k, 0);
    loop spin = begin_loop(k, 0, NULL);
    ir_op *flag = load_ptr(k, device(IR_ACQUIRE), element(k, 0), NULL, NULL, NULL);
    loop seen = begin_if(k, compare(k, IR_EQ, data(flag), i32(k, 9)), 0, NULL);
    terminate(k, IR_OP_BREAK, 0, NULL);
    k->b.block = seen.outer;
    end_loop(k, &spin, 0, NULL);
    begin_else(k, &first, 0, NULL);
    rmw(k, device(IR_RELEASE), IR_ATOMIC_ADD, element(k, 0), i32(k, 1), NULL, NULL);
    end_if(k, &first, 0, NULL);
    finish(k, 10);
    for (uint32_t residents = 1; residents < 4; residents++) {
        interp_schedule some = {.policy = INTERP_RANDOM, .residents = residents};
        assert_int_equal(interp_run_status(scheduled(k, &some)), INTERP_DONE);
        assert_int_equal(word(k, 0, 0), 9);
    }
    kit_free(k);
}

/* ---- Section: Random kernels ---- */

/* What random schedules reach, the search has found; and most of what it finds they reach. */
static void nothing_is_pruned_that_matters(void **state)
{
    (void)state;
    size_t outcomes_found = 0, outcomes_reached = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        kit *k = kit_new("p");
        uint64_t random = seed;
        int64_t blocks = 2 + (int64_t)(seed % 2);
        for (int64_t b = 0; b < blocks; b++)
            random_ops(k, &random, b, false);
        finish(k, blocks);
        outcomes o;
        interp_exploration found = explore(k, &o);
        assert_true(found.complete);
        size_t n = o.n;
        bool reached[MAX_OUTCOMES] = {false};
        for (uint64_t s = 0; s < 300; s++) {
            interp_schedule by_seed = {.policy = INTERP_RANDOM, .seed = s};
            size_t at = place_of(&o, scheduled(k, &by_seed));
            assert_true(at < n);
            reached[at] = true;
        }
        outcomes_found += n;
        for (size_t i = 0; i < n; i++)
            outcomes_reached += reached[i];
        kit_free(k);
    }
    print_message("%zu outcomes, %zu reached\n", outcomes_found, outcomes_reached);
    assert_true(outcomes_reached * 10 > outcomes_found * 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equivalent_schedules_count_once),
        cmocka_unit_test(store_buffering),
        cmocka_unit_test(a_load_may_come_late),
        cmocka_unit_test(tokens_hold_through_control),
        cmocka_unit_test(spinning_blocks_wait),
        cmocka_unit_test(a_lock_excludes),
        cmocka_unit_test(schedules_repeat),
        cmocka_unit_test(in_order_is_block_after_block),
        cmocka_unit_test(aimed_schedules_hit),
        cmocka_unit_test(races_in_a_block_where_blocks_take_turns),
        cmocka_unit_test(the_kernel_before_may_still_run),
        cmocka_unit_test(the_kernel_before_is_explored),
        cmocka_unit_test(what_is_too_large_is_not_called_complete),
        cmocka_unit_test(both_orders_of_elements_are_explored),
        cmocka_unit_test(elements_of_one_op_come_in_any_order),
        cmocka_unit_test(blocks_begin_when_there_is_room),
        cmocka_unit_test(nothing_is_pruned_that_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Blocks that take turns: what a schedule may do, what it may not, and that all are found. */
#include "kit.h"

#include "interp/executions.h"
#include "interp/schedule.h"

static how device(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_DEVICE};
}

static void finish(kit *k, int64_t blocks)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->launch.grid[0] = blocks;
    k->launch.grid[1] = k->launch.grid[2] = 1;
}

static interp_run *scheduled(kit *k, const interp_schedule *schedule)
{
    interp_run_free(k->run);
    k->run = interp_execute_scheduled(k->f, &k->launch, NULL, NULL, 0, NULL, schedule);
    return k->run;
}

static loop in_block(kit *k, int64_t number)
{
    return begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, number)), 0, NULL);
}

static val element(kit *k, int64_t i)
{
    return pointers(k, param(k, 0), i32(k, i));
}

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
    o->races += interp_find_races(run, NULL, false, races, 4, NULL) > 0;
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
    static const interp_step steps[] = {{0, 0, 0}, {0, 1, 1}, {0, 2, 2}, {1, 0, 3}, {1, 1, 4},
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

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Each block: a few ops on three places, values of loads stored behind them, some tokens. */
static void random_ops(kit *k, uint64_t *seed, int64_t number)
{
    loop l = in_block(k, number);
    val token = NULL, value = NULL;
    int n = 2 + (int)(next(seed) % 2);
    for (int i = 0; i < n; i++) {
        val at = element(k, (int64_t)(next(seed) % 2)), given = next(seed) % 2 ? token : NULL;
        ir_op *op;
        switch (next(seed) % 4) {
        case 0:
            op = load_ptr(k, DEVICE, at, NULL, NULL, given);
            value = data(op);
            break;
        case 1:
            op = rmw(k, DEVICE, IR_ATOMIC_ADD, at, i32(k, 10 + number), NULL, given);
            value = data(op);
            break;
        default:
            op = store_ptr(k, DEVICE, at,
                           value && next(seed) % 2 ? value : i32(k, 100 * (number + 1) + i), NULL,
                           given);
        }
        token = tok(op);
    }
    if (value)
        store_ptr(k, WEAK, element(k, 3 + number), value, NULL, NULL);
    end_if(k, &l, 0, NULL);
}

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
            random_ops(k, &random, b);
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

/* ---- Section: Weak schedules ---- */

static const how hows[] = {
    {IR_WEAK, IR_SCOPE_NONE},      {IR_RELAXED, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_TL_BLK},
    {IR_ACQ_REL, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, {IR_ACQ_REL, IR_SCOPE_DEVICE},
};

/* acq_rel: the half that the op has. */
static how half(how h, ir_ordering mine)
{
    return h.ordering == IR_ACQ_REL ? (how){mine, h.scope} : h;
}

static void mixed_ops(kit *k, uint64_t *seed, int64_t number)
{
    loop l = in_block(k, number);
    val token = NULL, value = NULL;
    int n = 2 + (int)(next(seed) % 2);
    for (int i = 0; i < n; i++) {
        val at = element(k, (int64_t)(next(seed) % 2)), given = next(seed) % 4 ? token : NULL;
        how h = hows[next(seed) % TR_COUNT(hows)];
        ir_op *op;
        switch (next(seed) % 4) {
        case 0:
        case 1:
            op = load_ptr(k, half(h, IR_ACQUIRE), at, NULL, NULL, given);
            value = data(op);
            break;
        case 2:
            /* (narrow updates have a test of their own) */
            op = rmw(k, h.ordering == IR_ACQ_REL ? h : DEVICE, IR_ATOMIC_ADD, at,
                     i32(k, 10 + number), NULL, given);
            value = data(op);
            break;
        default:
            op = store_ptr(k, half(h, IR_RELEASE), at,
                           value && next(seed) % 2 ? value : i32(k, 100 * (number + 1) + i), NULL,
                           given);
        }
        token = tok(op);
    }
    if (value)
        store_ptr(k, WEAK, element(k, 3 + number), value, NULL, NULL);
    end_if(k, &l, 0, NULL);
}

static bool is_among(const executions *all, const interp_run *run)
{
    for (size_t i = 0; i < all->n_outcomes; i++) {
        const executions_outcome *o = &all->outcomes[i];
        bool same = true;
        for (size_t j = 0; j < o->n_left && same; j++) {
            uint64_t bits;
            assert_true(interp_read_back(run, 0, o->left[j].address, 4, &bits));
            same = o->left[j].known && o->left[j].bits == bits;
        }
        if (same)
            return true;
    }
    return false;
}

/* Whatever a weak schedule ends with, the axioms allow: asked of the enumeration of executions,
 * which shares no code with the scheduler. And races are the same question to both. */
static void weak_schedules_are_allowed(void **state)
{
    (void)state;
    size_t asked = 0, stale = 0, racy = 0, racy_found = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        kit *k = kit_new("p");
        uint64_t random = seed;
        for (int64_t b = 0; b < 2; b++)
            mixed_ops(k, &random, b);
        finish(k, 2);
        tr_arena *arena = tr_arena_new();
        executions_part part = {.kernel = k->f, .launch = &k->launch};
        const executions *all =
            executions_find(arena, 1, &part, NULL, NULL, EXECUTIONS_ALL_OUTCOMES);
        bool bounded = all->answer == EXECUTIONS_BOUND || all->answer == EXECUTIONS_UNDECIDED;
        const executions *racing = executions_find(arena, 1, &part, NULL, NULL, EXECUTIONS_RACES);
        bool any_race = false;
        for (uint64_t s = 0; s < 100 && !bounded; s++) {
            interp_schedule weak = {.policy = INTERP_RANDOM, .seed = s, .weak = true};
            scheduled(k, &weak);
            assert_int_equal(interp_run_status(k->run), INTERP_DONE);
            if (!is_among(all, k->run))
                fail_msg("kernel %llu, schedule %llu", (unsigned long long)seed,
                         (unsigned long long)s);
            const interp_step *steps;
            size_t n = interp_steps(k->run, &steps);
            for (size_t i = 0; i < n; i++)
                stale += steps[i].stale > 0;
            interp_race races[4];
            any_race |= interp_find_races(k->run, NULL, false, races, 4, NULL) > 0;
        }
        asked += !bounded;
        racy += !bounded && racing->answer == EXECUTIONS_RACE;
        racy_found += any_race;
        if (any_race && racing->answer == EXECUTIONS_RACE_FREE)
            fail_msg("kernel %llu: a race that no execution has", (unsigned long long)seed);
        tr_arena_free(arena);
        kit_free(k);
    }
    print_message("%zu kernels, %zu loads that looked back, %zu kernels race, %zu found\n", asked,
                  stale, racy, racy_found);
    assert_true(asked > 100 && stale > 400 && racy_found * 20 >= racy * 19);
}

/* Without a release, or an acquire, the data may be missed though the flag is seen. */
static void messages_get_lost(void **state)
{
    (void)state;
    static const struct {
        ir_ordering store, load;
        bool lost;
    } rows[] = {{IR_RELEASE, IR_ACQUIRE, false},
                {IR_RELAXED, IR_ACQUIRE, true},
                {IR_RELEASE, IR_RELAXED, true}};
    for (size_t row = 0; row < TR_COUNT(rows); row++) {
        kit *k = kit_new("p");
        loop first = in_block(k, 0);
        ir_op *write = store_ptr(k, WEAK, element(k, 1), i32(k, 7), NULL, NULL);
        store_ptr(k, device(rows[row].store), element(k, 0), i32(k, 1), NULL, tok(write));
        begin_else(k, &first, 0, NULL);
        loop spin = begin_loop(k, 0, NULL);
        ir_op *flag = load_ptr(k, device(rows[row].load), element(k, 0), NULL, NULL, NULL);
        loop seen = begin_if(k, compare(k, IR_EQ, data(flag), i32(k, 1)), 0, NULL);
        ir_op *read = load_ptr(k, WEAK, element(k, 1), NULL, NULL, tok(flag));
        store_ptr(k, WEAK, element(k, 2), data(read), NULL, NULL);
        terminate(k, IR_OP_BREAK, 0, NULL);
        k->b.block = seen.outer;
        end_loop(k, &spin, 0, NULL);
        end_if(k, &first, 0, NULL);
        finish(k, 2);
        bool lost = false;
        for (uint64_t seed = 0; seed < 400; seed++) {
            interp_schedule weak = {.policy = INTERP_RANDOM, .seed = seed, .weak = true};
            assert_int_equal(interp_run_status(scheduled(k, &weak)), INTERP_DONE);
            lost |= word(k, 0, 2) == 0;
        }
        assert_int_equal(lost, rows[row].lost);
        kit_free(k);
    }
}

/* Two loads of one block, of the places that the other block stores to in this order. Can the
 * second miss its store though the first saw its own? */
static void what_two_loads_see(void **state)
{
    (void)state;
    static const struct {
        how store, load; /* of the second store, of the first load */
        bool same_place, token, missed;
    } rows[] = {
        {{IR_RELEASE, IR_SCOPE_DEVICE}, {IR_ACQUIRE, IR_SCOPE_DEVICE}, false, true, false},
        {{IR_RELEASE, IR_SCOPE_DEVICE}, {IR_ACQUIRE, IR_SCOPE_DEVICE}, false, false, true},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {IR_ACQUIRE, IR_SCOPE_DEVICE}, false, true, true},
        {{IR_RELEASE, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, false, true, true},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, true, true, false},
        {{IR_RELAXED, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, true, false, true},
    };
    for (size_t row = 0; row < TR_COUNT(rows); row++) {
        kit *k = kit_new("p");
        int64_t data_place = rows[row].same_place ? 1 : 0;
        loop first = in_block(k, 0);
        val token = NULL;
        if (!rows[row].same_place)
            token = tok(store_ptr(k, DEVICE, element(k, 0), i32(k, 1), NULL, NULL));
        store_ptr(k, rows[row].store, element(k, 1), i32(k, 1), NULL, token);
        begin_else(k, &first, 0, NULL);
        ir_op *flag = load_ptr(k, rows[row].load, element(k, 1), NULL, NULL, NULL);
        ir_op *late = load_ptr(k, DEVICE, element(k, data_place), NULL, NULL,
                               rows[row].token ? tok(flag) : NULL);
        store_ptr(k, WEAK, element(k, 2), data(flag), NULL, NULL);
        store_ptr(k, WEAK, element(k, 3), data(late), NULL, NULL);
        end_if(k, &first, 0, NULL);
        finish(k, 2);
        bool missed = false;
        for (uint64_t seed = 0; seed < 600; seed++) {
            interp_schedule weak = {.policy = INTERP_RANDOM, .seed = seed, .weak = true};
            scheduled(k, &weak);
            missed |= word(k, 0, 2) == 1 && word(k, 0, 3) == 0;
        }
        if (missed != rows[row].missed)
            fail_msg("row %zu", row);
        kit_free(k);
    }
}

/* Updates that do not include each other in their scopes may miss each other. */
static void narrow_updates_get_lost(void **state)
{
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        kit *k = kit_new("p");
        rmw(k, narrow ? TL_BLK : DEVICE, IR_ATOMIC_ADD, element(k, 0), i32(k, 1), NULL, NULL);
        finish(k, 3);
        bool lost = false;
        for (uint64_t seed = 0; seed < 200; seed++) {
            interp_schedule weak = {.policy = INTERP_RANDOM, .seed = seed, .weak = true};
            scheduled(k, &weak);
            lost |= word(k, 0, 0) < 3;
        }
        assert_int_equal(lost, narrow);
        kit_free(k);
    }
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
        cmocka_unit_test(blocks_begin_when_there_is_room),
        cmocka_unit_test(nothing_is_pruned_that_matters),
        cmocka_unit_test(weak_schedules_are_allowed),
        cmocka_unit_test(messages_get_lost),
        cmocka_unit_test(what_two_loads_see),
        cmocka_unit_test(narrow_updates_get_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

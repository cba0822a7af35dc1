/* Weak schedules: they do all that the model allows of them, and nothing that it does not. */
#include "../interp/turns.h"

#include "executions/executions.h"

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
            random_ops(k, &random, b, true);
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
            any_race |= interp_find_races(k->run, false, races, 4, NULL) > 0;
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
        cmocka_unit_test(weak_schedules_are_allowed),
        cmocka_unit_test(messages_get_lost),
        cmocka_unit_test(what_two_loads_see),
        cmocka_unit_test(narrow_updates_get_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The sweep that finds races, held against a look at every pair of events, on random kernels. */
#include "kit.h"

#include <stdlib.h>

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Some random numbers as a tile of offsets; often near each other, often the same. */
static val random_offsets(kit *k, uint32_t *random, int64_t n)
{
    int64_t values[4], low = next(random) % 12;
    for (int64_t i = 0; i < n; i++)
        values[i] = low + next(random) % 6;
    val t = constant(k, tile_type(k, IR_I32, 1, &n), n == 1 ? 1 : (size_t)n, values);
    if (next(random) % 2 == 0)
        return t;
    val b = unary(k, IR_OP_RESHAPE, tile_type(k, IR_I32, 1, (int64_t[]){1}), bid(k, 0));
    b = n > 1 ? unary(k, IR_OP_BROADCAST, t->type, b) : b;
    return addi(k, t, muli(k, b, full(k, 1, &n, next(random) % 3)));
}

static how random_how(uint32_t *random)
{
    static const how hows[] = {{IR_WEAK, IR_SCOPE_NONE},
                               {IR_WEAK, IR_SCOPE_NONE},
                               {IR_RELAXED, IR_SCOPE_TL_BLK},
                               {IR_RELAXED, IR_SCOPE_DEVICE}};
    return hows[next(random) % TR_COUNT(hows)];
}

/* One random access; the token it gives. */
static val random_access(kit *k, uint32_t *random, val token, bool bytes)
{
    static const int64_t lengths[] = {1, 2, 4};
    int64_t n = lengths[next(random) % 3], value = 1;
    uint32_t which = bytes && next(random) % 3 == 0 ? 1 : 0;
    val p = pointers(k, param(k, which), random_offsets(k, random, n));
    const ir_type *type = ir_type_tile(k->m, p->type->elem->elem, 1, &n);
    val data_tile = constant(k, type, 1, &value);
    how h = random_how(random);
    if (next(random) % 4 == 0)
        token = NULL;
    switch (next(random) % 4) {
    case 0:
        return tok(load_ptr(k, h, p, NULL, NULL, token));
    case 1:
        if (which == 0) {
            how atomic = h.ordering == IR_WEAK ? DEVICE : h;
            return tok(rmw(k, atomic, IR_ATOMIC_ADD, p, data_tile, NULL, token));
        }
        return tok(store_ptr(k, h, p, data_tile, NULL, token));
    default:
        return tok(store_ptr(k, h, p, data_tile, NULL, token));
    }
}

static void random_kernel(kit *k, uint32_t random, bool bytes)
{
    val token = make_token(k), older = token;
    for (uint32_t i = 0, n = 2 + next(&random) % 4; i < n; i++) {
        if (next(&random) % 3 == 0) {
            loop l = begin_for(k, i32(k, 0), i32(k, 1 + next(&random) % 4), i32(k, 1), 1, &token);
            val carried = l.body->args[1];
            val mine = random_access(k, &random, next(&random) % 2 ? carried : token, bytes);
            val handed = next(&random) % 2 ? join2(k, carried, mine) : mine;
            end_loop(k, &l, 1, &handed);
            token = &l.op->results[0];
        } else {
            val given = random_access(k, &random, next(&random) % 2 ? token : older, bytes);
            older = token;
            token = next(&random) % 3 ? given : join2(k, token, given);
        }
    }
}

/* The axioms as they stand, on two events of which `a` came first. */
static bool axioms_say_race(kit *k, const interp_event *a, const interp_event *b)
{
    const ir_op *x = interp_instance_of(k->run, a->instance)->op;
    const ir_op *y = interp_instance_of(k->run, b->instance)->op;
    int wx = x->code == IR_OP_LOAD_PTR_TKO ? ir_type_bytes(x->results[0].type->elem)
                                           : ir_type_bytes(x->operands[1]->type->elem);
    int wy = y->code == IR_OP_LOAD_PTR_TKO ? ir_type_bytes(y->results[0].type->elem)
                                           : ir_type_bytes(y->operands[1]->type->elem);
    if (a->buffer != b->buffer || a->address + wx <= b->address || b->address + wy <= a->address)
        return false;
    bool same = a->block == b->block, full = a->address == b->address && wx == wy;
    model_access ax, ay;
    model_access_of(x, &ax);
    model_access_of(y, &ay);
    if (!model_conflict(ax, ay) ||
        model_mutual_scope(ir_memory_ordering(x), ir_memory_scope(x), ir_memory_ordering(y),
                           ir_memory_scope(y), same, full))
        return false;
    return !same || a->instance == b->instance ||
           !interp_token_before(k->run, a->instance, b->instance);
}

typedef struct kind { /* a pair of ops, and whether in one block */
    uint32_t a, b;
    bool same;
} kind;

static int by_kind(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(kind));
}

static size_t add_kind(kit *k, kind *kinds, size_t n, const interp_event *a, const interp_event *b)
{
    kind new;
    memset(&new, 0, sizeof new);
    new.a = interp_instance_of(k->run, a->instance)->op->ordinal;
    new.b = interp_instance_of(k->run, b->instance)->op->ordinal;
    if (new.a > new.b) {
        uint32_t swapped = new.a;
        new.a = new.b;
        new.b = swapped;
    }
    new.same = a->block == b->block;
    for (size_t i = 0; i < n; i++)
        if (!by_kind(&kinds[i], &new))
            return n;
    kinds[n] = new;
    return n + 1;
}

static void compare_with_all_pairs(uint32_t seed, bool bytes, size_t *racy)
{
    kit *k = kit_new("pb");
    k->args[1].buffer = 0; /* the bytes of the same buffer */
    random_kernel(k, seed, bytes);
    execute(k, 3, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    const interp_event *events;
    size_t n = interp_events(k->run, &events);
    kind slow[256], fast[256];
    size_t n_slow = 0, n_fast = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (axioms_say_race(k, &events[i], &events[j]))
                n_slow = add_kind(k, slow, n_slow, &events[i], &events[j]);
    interp_race races[256];
    size_t found = interp_find_races(k->run, false, races, TR_COUNT(races), NULL);
    for (size_t i = 0; i < found; i++) {
        assert_true(axioms_say_race(k, &races[i].a, &races[i].b));
        n_fast = add_kind(k, fast, n_fast, &races[i].a, &races[i].b);
    }
    if (n_fast != n_slow || found != n_fast)
        fail_msg("seed %u: %zu kinds of race, %zu by all pairs, %zu found", seed, n_fast, n_slow,
                 found);
    qsort(slow, n_slow, sizeof *slow, by_kind);
    qsort(fast, n_fast, sizeof *fast, by_kind);
    assert_memory_equal(slow, fast, n_slow * sizeof *slow);
    *racy += n_slow > 0;
    kit_free(k);
}

static void one_width(void **state)
{
    (void)state;
    size_t racy = 0;
    for (uint32_t seed = 0; seed < 1500; seed++)
        compare_with_all_pairs(seed, false, &racy);
    print_message("%zu of 1500 race\n", racy);
    assert_in_range(racy, 100, 1450);
}

static void two_widths(void **state)
{
    (void)state;
    size_t racy = 0;
    for (uint32_t seed = 0; seed < 1500; seed++)
        compare_with_all_pairs(seed + 100000, true, &racy);
    print_message("%zu of 1500 race\n", racy);
    assert_in_range(racy, 100, 1450);
}

/* A byte that is written in a word does not make the thousands of atomics on that word overlap each
 * other in part: they are not compared pair by pair. */
static void wide_and_narrow(void **state)
{
    (void)state;
    enum { ATOMICS = 40, BLOCKS = 60, EVENTS = ATOMICS * BLOCKS };
    kit *k = kit_new("pb");
    k->args[1].buffer = 0; /* the bytes of the same buffer */
    int64_t n = 1, value = 0;
    val at = constant(k, tile_type(k, IR_I32, 1, &n), 1, &value);
    val word = pointers(k, param(k, 0), at), byte = pointers(k, param(k, 1), at);
    const ir_type *words = ir_type_tile(k->m, word->type->elem->elem, 1, &n);
    const ir_type *bytes = ir_type_tile(k->m, byte->type->elem->elem, 1, &n);
    for (int i = 0; i < ATOMICS; i++)
        rmw(k, DEVICE, IR_ATOMIC_ADD, word, constant(k, words, 1, &n), NULL, NULL);
    store_ptr(k, DEVICE, byte, constant(k, bytes, 1, &value), NULL, NULL);
    execute(k, BLOCKS, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    interp_race races[4 * ATOMICS];
    const uint64_t most = 100 * 1000 * 1000;
    uint64_t left = most;
    assert_int_equal(interp_find_races_within(k->run, false, races, TR_COUNT(races), NULL, &left),
                     2 * ATOMICS);
    assert_in_range(most - left, 1, 100 * EVENTS);
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_width),
        cmocka_unit_test(two_widths),
        cmocka_unit_test(wide_and_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

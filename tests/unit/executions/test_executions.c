/* All executions of small kernels: which values, which waits, which bounds. Races are what the
 * litmus tests are about. */
#include "../interp/kit.h"

#include "executions/executions.h"

typedef struct answer {
    tr_arena *arena;
    const executions *x;
} answer;

static answer ask(kit *k, int64_t blocks, const model_choices *choices,
                  const executions_limits *limits, executions_goal goal)
{
    static const char *const names[] = {"first", "second"}; /* equal names are one memory */
    for (size_t i = 0; i < k->launch.n_buffers; i++)
        k->buffers[i].name = names[i];
    k->launch.grid[0] = blocks;
    k->launch.grid[1] = k->launch.grid[2] = 1;
    executions_part part = {.kernel = k->f, .launch = &k->launch};
    answer a = {.arena = tr_arena_new()};
    a.x = executions_find(a.arena, 1, &part, choices, limits, goal);
    return a;
}

static void finish(kit *k, answer a)
{
    tr_arena_free(a.arena);
    kit_free(k);
}

/* Some execution whose reads give these values, in order. */
static bool has_reads(const executions *x, size_t n, const uint64_t *values)
{
    for (size_t i = 0; i < x->n_outcomes; i++) {
        const executions_outcome *o = &x->outcomes[i];
        bool same = o->n_reads == n && !o->blocked;
        for (size_t r = 0; same && r < n; r++)
            same = o->reads[r].known && o->reads[r].bits == values[r];
        if (same)
            return true;
    }
    return false;
}

static bool leaves(const executions *x, uint64_t value)
{
    for (size_t i = 0; i < x->n_outcomes; i++)
        for (size_t l = 0; l < x->outcomes[i].n_left; l++)
            if (x->outcomes[i].left[l].known && x->outcomes[i].left[l].bits == value)
                return true;
    return false;
}

static val at(kit *k, val base, val index)
{
    return OP1(k, IR_OP_OFFSET, base->type, base, index);
}

#define PAIR(a, b)                                                                                 \
    2, (const uint64_t[])                                                                          \
    {                                                                                              \
        a, b                                                                                       \
    }

static const how relaxed = {IR_RELAXED, IR_SCOPE_DEVICE}, acquire = {IR_ACQUIRE, IR_SCOPE_DEVICE},
                 release = {IR_RELEASE, IR_SCOPE_DEVICE};

static void end(kit *k)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
}

/* Block b reads element b and writes the other one: 1, or what it read plus one less its own. */
static kit *load_buffering(bool dependent)
{
    kit *k = kit_new("p");
    val b = bid(k, 0), other = binary(k, IR_OP_SUBI, i32(k, 1), b);
    ir_op *seen = load_ptr(k, relaxed, at(k, param(k, 0), b), NULL, NULL, NULL);
    val value = dependent ? data(seen) : i32(k, 1);
    store_ptr(k, relaxed, at(k, param(k, 0), other), value, NULL, tok(seen));
    end(k);
    return k;
}

/* Tokens order, and carry no dependence; data does: A9. */
static void test_thin_air(void **state)
{
    (void)state;
    kit *k = load_buffering(false);
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->answer, EXECUTIONS_RACE_FREE);
    assert_true(has_reads(a.x, PAIR(1, 1)));
    assert_true(has_reads(a.x, PAIR(0, 0)));
    assert_int_equal(a.x->n_outcomes, 4);
    finish(k, a);
    k = load_buffering(true);
    a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_true(has_reads(a.x, PAIR(0, 0)));
    assert_int_equal(a.x->n_outcomes, 1);
    finish(k, a);
}

/* Also what is inside of a branch depends on its condition. */
static void test_control_dependence(void **state)
{
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        kit *k = kit_new("p");
        val b = bid(k, 0), other = binary(k, IR_OP_SUBI, i32(k, 1), b);
        ir_op *seen = load_ptr(k, relaxed, at(k, param(k, 0), b), NULL, NULL, NULL);
        val there = at(k, param(k, 0), other);
        loop l = begin_if(k, compare(k, IR_EQ, data(seen), i32(k, 1)), 0, NULL);
        if (inside)
            store_ptr(k, relaxed, there, i32(k, 1), NULL, NULL);
        terminate(k, IR_OP_YIELD, 0, NULL);
        k->b.block = l.outer;
        if (!inside)
            store_ptr(k, relaxed, there, i32(k, 1), NULL, NULL);
        end(k);
        answer a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
        assert_int_equal(a.x->answer, EXECUTIONS_RACE_FREE);
        assert_int_equal(has_reads(a.x, PAIR(1, 1)), !inside);
        finish(k, a);
    }
}

/* Of two compare-and-swaps one wins; updates form one chain: A5. */
static void test_updates(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    cas(k, relaxed, param(k, 0), i32(k, 0), addi(k, bid(k, 0), i32(k, 5)), NULL);
    end(k);
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->n_outcomes, 2);
    assert_true(has_reads(a.x, PAIR(0, 5)));
    assert_true(has_reads(a.x, PAIR(6, 0)));
    finish(k, a);
    k = kit_new("p");
    rmw(k, relaxed, IR_ATOMIC_ADD, param(k, 0), i32(k, 1), NULL, NULL);
    end(k);
    a = ask(k, 3, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->n_outcomes, 6);
    assert_true(leaves(a.x, 3));
    assert_false(leaves(a.x, 2));
    finish(k, a);
}

/* A load of a byte of a word that another block stores gives the byte of one or the other. */
static void test_widths(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val byte = OP1(k, IR_OP_PTR_TO_PTR, pointer_type(k, IR_I8), param(k, 0));
    loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, 0)), 0, NULL);
    store_ptr(k, relaxed, param(k, 0), i32(k, 0x01020304), NULL, NULL);
    begin_else(k, &l, 0, NULL);
    const ir_type *t = scalar_type(k, IR_I8);
    int64_t one = 1;
    val next = OP1(k, IR_OP_OFFSET, byte->type, byte, constant(k, t, 1, &one));
    load_ptr(k, relaxed, next, NULL, NULL, NULL);
    terminate(k, IR_OP_YIELD, 0, NULL);
    k->b.block = l.outer;
    end(k);
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_RACES);
    assert_int_equal(a.x->answer, EXECUTIONS_RACE); /* D6 */
    tr_arena_free(a.arena);
    a = ask(k, 2, NULL, NULL, EXECUTIONS_ALL_OUTCOMES);
    assert_int_equal(a.x->n_outcomes, 2);
    assert_true(has_reads(a.x, 1, (const uint64_t[]){0}));
    assert_true(has_reads(a.x, 1, (const uint64_t[]){3}));
    finish(k, a);
}

/* Block 1 waits until the flag is `awaited`; block 0 raises it to 1. */
static kit *waiting(int64_t awaited)
{
    kit *k = kit_new("pp");
    val flag = param(k, 0), datum = param(k, 1), start = make_token(k);
    loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, 0)), 0, NULL);
    ir_op *stored = store_ptr(k, WEAK, datum, i32(k, 7), NULL, NULL);
    store_ptr(k, release, flag, i32(k, 1), NULL, tok(stored));
    begin_else(k, &l, 0, NULL);
    loop spin = begin_loop(k, 1, &start);
    ir_op *seen = load_ptr(k, acquire, flag, NULL, NULL, spin.body->args[0]);
    loop out = begin_if(k, compare(k, IR_EQ, data(seen), i32(k, awaited)), 0, NULL);
    val token = tok(seen);
    terminate(k, IR_OP_BREAK, 1, &token);
    k->b.block = out.outer;
    end_loop(k, &spin, 1, &token);
    load_ptr(k, WEAK, datum, NULL, NULL, &spin.op->results[0]);
    terminate(k, IR_OP_YIELD, 0, NULL);
    k->b.block = l.outer;
    end(k);
    return k;
}

static void test_waits(void **state)
{
    (void)state;
    kit *k = waiting(1);
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->answer, EXECUTIONS_RACE_FREE);
    assert_false(a.x->blocked);
    assert_true(has_reads(a.x, PAIR(1, 7)));
    assert_false(has_reads(a.x, PAIR(1, 0)));
    finish(k, a);
    k = waiting(2); /* nobody ever writes 2 */
    a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->answer, EXECUTIONS_RACE_FREE);
    assert_true(a.x->blocked);
    finish(k, a);
}

/* Beyond a limit there is no answer, whatever was seen until then. */
static void test_bounds(void **state)
{
    static const executions_limits limits[] = {
        {.blocks = 1}, {.traces = 1}, {.events = 1}, {.candidates = 1}};
    (void)state;
    for (size_t i = 0; i < TR_COUNT(limits); i++) {
        kit *k = waiting(1);
        answer a = ask(k, 2, NULL, &limits[i], EXECUTIONS_RACES);
        assert_int_equal(a.x->answer, EXECUTIONS_BOUND);
        assert_non_null(a.x->why);
        finish(k, a);
    }
}

static void test_unknown_contents(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    ir_op *seen = load_ptr(k, WEAK, param(k, 0), NULL, NULL, NULL);
    loop l = begin_if(k, compare(k, IR_EQ, data(seen), i32(k, 0)), 0, NULL);
    store_ptr(k, WEAK, param(k, 1), i32(k, 1), NULL, NULL);
    terminate(k, IR_OP_YIELD, 0, NULL);
    k->b.block = l.outer;
    end(k);
    k->buffers[0].opaque = true;
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_RACES);
    assert_int_equal(a.x->answer, EXECUTIONS_UNDECIDED);
    assert_non_null(a.x->where);
    finish(k, a);
}

/* A1, the failed compare-and-swap: a write that conflicts, unless chosen otherwise. */
static void test_failed_swap(void **state)
{
    (void)state;
    for (int writes = 0; writes < 2; writes++) {
        kit *k = kit_new("p");
        loop l = begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, 0)), 0, NULL);
        cas(k, relaxed, param(k, 0), i32(k, 9), i32(k, 1), NULL);
        begin_else(k, &l, 0, NULL);
        load_ptr(k, WEAK, param(k, 0), NULL, NULL, NULL);
        terminate(k, IR_OP_YIELD, 0, NULL);
        k->b.block = l.outer;
        end(k);
        model_choices choices = model_default_choices();
        choices.failed_cas_writes = writes;
        answer a = ask(k, 2, &choices, NULL, EXECUTIONS_OUTCOMES);
        assert_int_equal(a.x->answer, writes ? EXECUTIONS_RACE : EXECUTIONS_RACE_FREE);
        finish(k, a);
    }
}

/* Each block takes tickets until there are none left: all are taken, each once. */
static void test_tickets(void **state)
{
    (void)state;
    kit *k = kit_new("pp");
    val start = make_token(k);
    loop l = begin_loop(k, 1, &start);
    ir_op *ticket = rmw(k, relaxed, IR_ATOMIC_ADD, param(k, 0), i32(k, 1), NULL, l.body->args[0]);
    loop out = begin_if(k, compare(k, IR_GE, data(ticket), i32(k, 2)), 0, NULL);
    val token = tok(ticket);
    terminate(k, IR_OP_BREAK, 1, &token);
    k->b.block = out.outer;
    store_ptr(k, WEAK, at(k, param(k, 1), data(ticket)), i32(k, 1), NULL, NULL);
    end_loop(k, &l, 1, &token);
    end(k);
    answer a = ask(k, 2, NULL, NULL, EXECUTIONS_OUTCOMES);
    assert_int_equal(a.x->answer, EXECUTIONS_RACE_FREE);
    assert_true(leaves(a.x, 4));
    assert_false(leaves(a.x, 3));
    finish(k, a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_air),    cmocka_unit_test(test_control_dependence),
        cmocka_unit_test(test_updates),     cmocka_unit_test(test_widths),
        cmocka_unit_test(test_waits),       cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_failed_swap), cmocka_unit_test(test_unknown_contents),
        cmocka_unit_test(test_tickets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The classical litmus tests as abstract executions: each shows one outcome, which the axioms allow
 * or forbid. Where they forbid it, the axiom named is the only one that does: with its choice
 * switched off the same execution is allowed. */
#include "abstract.h"

/* ---- Message passing: D18, D19, A3, A7 ---- */

static drawing message_passing(ir_ordering release, ir_ordering acquire, ir_scope scope,
                               bool before, bool after)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, FLAG, RELEASE, DEVICE), R_AT(1, FLAG, ACQUIRE, DEVICE),
                   R(1, X)},
        .edges = {{READS, 1, 2}, {READS, 0, 3}},
    };
    d.events[1].ordering = release;
    d.events[2].ordering = acquire;
    d.events[1].scope = d.events[2].scope = scope;
    size_t n = 2;
    if (before)
        d.edges[n++] = (edge){TOKEN, 0, 1};
    if (after)
        d.edges[n++] = (edge){TOKEN, 2, 3};
    return d;
}

static void test_message_passing(void **state)
{
    (void)state;
    drawing d = message_passing(IR_RELEASE, IR_ACQUIRE, IR_SCOPE_DEVICE, true, true);
    expect(&d, MODEL_HOLDS, false);
    d.edges[1].from = INIT; /* the data from before the release */
    expect(&d, MODEL_CAUSALITY, false);
    model_choices choices = model_default_choices();
    choices.causality = false;
    expect_with(&choices, &d, MODEL_HOLDS, false);
}

static void test_message_passing_slips(void **state)
{
    static const struct {
        ir_ordering release, acquire;
        ir_scope scope;
        bool before, after;
    } slips[] = {
        {IR_RELAXED, IR_ACQUIRE, IR_SCOPE_DEVICE, true, true},
        {IR_RELEASE, IR_RELAXED, IR_SCOPE_DEVICE, true, true},
        {IR_RELEASE, IR_ACQUIRE, IR_SCOPE_TL_BLK, true, true},
        {IR_RELEASE, IR_ACQUIRE, IR_SCOPE_DEVICE, false, true},
        {IR_RELEASE, IR_ACQUIRE, IR_SCOPE_DEVICE, true, false},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(slips); i++) {
        drawing d = message_passing(slips[i].release, slips[i].acquire, slips[i].scope,
                                    slips[i].before, slips[i].after);
        expect(&d, MODEL_HOLDS, true);
        d.edges[1].from = INIT;
        expect(&d, MODEL_HOLDS, true);
    }
}

static void test_other_element(void **state)
{
    (void)state;
    drawing d = message_passing(IR_RELEASE, IR_ACQUIRE, IR_SCOPE_DEVICE, true, true);
    d.events[2].address = 4; /* D18: of the same location */
    d.edges[0].from = INIT;
    expect(&d, MODEL_HOLDS, true);
}

static void test_unread_flag(void **state)
{
    (void)state;
    drawing d = message_passing(IR_RELEASE, IR_ACQUIRE, IR_SCOPE_DEVICE, true, true);
    d.edges[0].from = INIT;
    expect(&d, MODEL_HOLDS, true);
}

/* A7: not what a write that comes before had overwritten already. */
static void test_overwritten(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), W_AT(0, X, RELAXED, DEVICE),
                   W_AT(0, FLAG, RELEASE, DEVICE), R_AT(1, FLAG, ACQUIRE, DEVICE), R(1, X)},
        .edges = {{READS, 0, 4},
                  {READS, 2, 3},
                  {COHERENCE, 0, 1},
                  {TOKEN, 0, 1},
                  {TOKEN, 1, 2},
                  {TOKEN, 3, 4}},
    };
    (void)state;
    expect(&d, MODEL_CAUSALITY, false);
    d.edges[0].from = 1;
    expect(&d, MODEL_HOLDS, false);
    d.edges[0].from = 0;
    d.edges[4] = (edge){TOKEN, 0, 2}; /* the second write is not behind the flag */
    expect(&d, MODEL_HOLDS, true);
}

/* The same of a wide read: of those bytes only that the write touches. */
static void test_overwritten_in_part(void **state)
{
    drawing d = {.events = {W(0, X), R(0, X)}, .edges = {{READS, 0, 1}, {TOKEN, 0, 1}}};
    static const struct {
        int64_t address; /* of the write */
        uint32_t from[2];
        bool before;
    } rows[] = {{0, {0, MODEL_INITIAL}, false},
                {0, {MODEL_INITIAL, 0}, true},
                {4, {MODEL_INITIAL, 0}, false},
                {4, {0, MODEL_INITIAL}, true}};
    (void)state;
    d.events[1].width = 8;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        tr_arena *arena = tr_arena_new();
        model_choices choices = model_default_choices();
        d.events[0].address = rows[i].address;
        outcome o = judge(arena, &choices, &d);
        for (int byte = 0; byte < 8; byte++)
            o.x->reads_from[1][byte] = rows[i].from[byte / 4];
        assert_int_equal(model_reads_before(o.x, &o.orders, 1, 0), rows[i].before);
        tr_arena_free(arena);
    }
}

/* ---- Scopes: D8, A2 ---- */

static void test_scopes(void **state)
{
    static const struct {
        ir_scope release, acquire;
        bool other_device, race;
    } rows[] = {
        {IR_SCOPE_DEVICE, IR_SCOPE_SYS, false, false},
        {IR_SCOPE_TL_BLK, IR_SCOPE_SYS, false, true},
        {IR_SCOPE_DEVICE, IR_SCOPE_TL_BLK, false, true},
        {IR_SCOPE_SYS, IR_SCOPE_SYS, true, false},
        {IR_SCOPE_SYS, IR_SCOPE_DEVICE, true, true},
        {IR_SCOPE_DEVICE, IR_SCOPE_SYS, true, true},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        drawing d = message_passing(IR_RELEASE, IR_ACQUIRE, rows[i].release, true, true);
        d.events[2].scope = rows[i].acquire;
        d.blocks[1].device = rows[i].other_device;
        expect(&d, MODEL_HOLDS, rows[i].race);
    }
}

/* D6: the halves of a location are not morally strong with the whole. */
static void test_partial_overlap(void **state)
{
    (void)state;
    drawing d = {.events = {W_AT(0, X, RELAXED, DEVICE), R_AT(1, X, RELAXED, DEVICE)},
                 .edges = {{READS, INIT, 1}}};
    expect(&d, MODEL_HOLDS, false);
    d.events[1].width = 2;
    d.events[1].address = 2;
    expect(&d, MODEL_HOLDS, true);
    model_choices choices = model_default_choices();
    choices.partial_overlap_strong = true;
    expect_with(&choices, &d, MODEL_HOLDS, false);
    d.events[1].address = 4; /* A1: no byte in common */
    expect(&d, MODEL_HOLDS, false);
    d.events[0].address = 6; /* ... nor from the other side */
    expect(&d, MODEL_HOLDS, false);
}

/* ---- Release patterns: D20 ---- */

static void test_update_chain(void **state)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, FLAG, RELEASE, DEVICE), U_AT(1, FLAG, RELAXED, DEVICE),
                   U_AT(2, FLAG, ACQ_REL, DEVICE), R_AT(3, FLAG, ACQUIRE, DEVICE), R(3, X)},
        .edges = {{READS, 1, 2},
                  {READS, 2, 3},
                  {READS, 3, 4},
                  {READS, 0, 5},
                  {TOKEN, 0, 1},
                  {TOKEN, 4, 5},
                  {COHERENCE, 1, 2},
                  {COHERENCE, 1, 3},
                  {COHERENCE, 2, 3}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    model_choices choices = model_default_choices();
    choices.rmw_chains = false;
    expect_with(&choices, &d, MODEL_HOLDS, true);
    d.events[3].silent = true; /* a reduction passes the release on without acquiring */
    expect(&d, MODEL_HOLDS, false);
    d.events[4].access = MODEL_UPDATE; /* ... and as the last of the chain it gives no order */
    d.events[4].silent = d.events[4].leaves_value = true;
    d.edges[9] = (edge){COHERENCE, 1, 4};
    d.edges[10] = (edge){COHERENCE, 2, 4};
    d.edges[11] = (edge){COHERENCE, 3, 4};
    expect(&d, MODEL_HOLDS, true);
}

static void test_release_then_write(void **state)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, FLAG, RELEASE, DEVICE), W_AT(0, FLAG, RELAXED, DEVICE),
                   R_AT(1, FLAG, ACQUIRE, DEVICE), R(1, X)},
        .edges = {{READS, 2, 3},
                  {READS, 0, 4},
                  {TOKEN, 0, 1},
                  {TOKEN, 1, 2},
                  {TOKEN, 3, 4},
                  {COHERENCE, 1, 2}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    model_choices choices = model_default_choices();
    choices.release_then_write = false;
    expect_with(&choices, &d, MODEL_HOLDS, true);
    d.edges[3] = (edge){TOKEN, 0, 2}; /* no token from the release to the write */
    expect(&d, MODEL_HOLDS, true);
}

/* D19: what passes a release on does not widen its scope. */
static void test_narrow_release(void **state)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, FLAG, RELEASE, TL_BLK), U_AT(0, FLAG, RELAXED, DEVICE),
                   R_AT(1, FLAG, ACQUIRE, DEVICE), R(1, X)},
        .edges = {{READS, 1, 2},
                  {READS, 2, 3},
                  {READS, 0, 4},
                  {TOKEN, 0, 1},
                  {TOKEN, 1, 2},
                  {TOKEN, 3, 4},
                  {COHERENCE, 1, 2}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, true);
    d.events[1].scope = IR_SCOPE_DEVICE;
    expect(&d, MODEL_HOLDS, false);
}

/* D18: who reads some bytes of the release and others of another write has not observed it. */
static void test_torn_acquire(void **state)
{
    drawing d = {.events = {W_AT(0, FLAG, RELEASE, DEVICE), W_AT(1, FLAG, RELAXED, DEVICE),
                            R_AT(2, FLAG, ACQUIRE, DEVICE)},
                 .edges = {{READS, 0, 2}, {COHERENCE, 0, 1}}};
    (void)state;
    tr_arena *arena = tr_arena_new();
    model_choices choices = model_default_choices();
    outcome o = judge(arena, &choices, &d);
    assert_true(model_related(&o.orders.before, 0, 2));
    o.x->reads_from[2][3] = 1;
    model_orders_of_reads(o.x, &o.orders);
    assert_false(model_related(&o.orders.before, 0, 2));
    tr_arena_free(arena);
}

/* Happens-before is transitive over a third block: D21. */
static void test_transitive(void **state)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, Y, RELEASE, DEVICE), R_AT(1, Y, ACQUIRE, DEVICE),
                   W_AT(1, Z, RELEASE, DEVICE), R_AT(2, Z, ACQUIRE, DEVICE), R(2, X)},
        .edges = {{READS, 1, 2},
                  {READS, 3, 4},
                  {READS, 0, 5},
                  {TOKEN, 0, 1},
                  {TOKEN, 4, 5},
                  {TOKEN, 2, 3}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    d.edges[5] = (edge){0};
    expect(&d, MODEL_HOLDS, true);
}

/* ---- Tokens: D11, D16 ---- */

static void test_tokens(void **state)
{
    drawing d = {.events = {W(0, X), R(0, X)}, .edges = {{READS, INIT, 1}, {DEPENDENCY, 1, 1}}};
    (void)state;
    d.edges[1] = (edge){0};
    expect(&d, MODEL_HOLDS, true);
    d.edges[1] = (edge){TOKEN, 0, 1};
    expect(&d, MODEL_CAUSALITY, false);
    d.edges[0].from = 0;
    expect(&d, MODEL_HOLDS, false);
    /* D16: a token that runs against program order orders nothing. */
    d.edges[1] = (edge){TOKEN, 1, 0};
    expect(&d, MODEL_HOLDS, true);
}

/* D15: who waits for one that waits waits too. */
static void test_token_chain(void **state)
{
    drawing d = {.events = {W(0, X), R(0, Y), W(0, X)},
                 .edges = {{READS, INIT, 1}, {TOKEN, 0, 1}, {TOKEN, 1, 2}, {COHERENCE, 0, 2}}};
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    d.edges[1] = (edge){COHERENCE, 0, 2};
    expect(&d, MODEL_HOLDS, true);
}

/* A2: what rpo orders, also over others, is morally strong whatever its scope, so A5 speaks of it.
 */
static void test_strong_by_tokens(void **state)
{
    drawing d = {.events = {W(0, X), R(0, Y), U_AT(0, X, RELAXED, DEVICE)},
                 .edges = {{READS, INIT, 1}, {READS, INIT, 2}, {COHERENCE, 0, 2}, {TOKEN, 0, 2}}};
    (void)state;
    expect(&d, MODEL_ATOMICITY, false);
    d.edges[3] = (edge){TOKEN, 0, 1};
    d.edges[4] = (edge){TOKEN, 1, 2};
    expect(&d, MODEL_ATOMICITY, false);
}

/* A7: nobody reads what is written after the read. */
static void test_future(void **state)
{
    drawing d = {
        .events = {R(0, X), W_AT(0, FLAG, RELEASE, DEVICE), R_AT(1, FLAG, ACQUIRE, DEVICE),
                   W(1, X)},
        .edges = {{READS, 3, 0}, {READS, 1, 2}, {TOKEN, 0, 1}, {TOKEN, 2, 3}},
    };
    (void)state;
    expect(&d, MODEL_CAUSALITY, false);
}

/* Happens-before runs in no circle, also where updates carry the releases round. */
static void test_circle(void **state)
{
    drawing d = {
        .events = {R_AT(0, X, ACQUIRE, DEVICE), W_AT(0, Y, RELEASE, DEVICE),
                   R_AT(1, Y, ACQUIRE, DEVICE), W_AT(1, X, RELEASE, DEVICE),
                   U_AT(2, X, RELAXED, DEVICE), U_AT(3, Y, RELAXED, DEVICE)},
        .edges = {{READS, 4, 0},
                  {READS, 5, 2},
                  {READS, 3, 4},
                  {READS, 1, 5},
                  {TOKEN, 0, 1},
                  {TOKEN, 2, 3},
                  {COHERENCE, 3, 4},
                  {COHERENCE, 1, 5}},
    };
    (void)state;
    expect(&d, MODEL_CAUSALITY, false);
}

/* ---- Store and load buffering, visible without tokens: A9 ---- */

static void test_store_buffering(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), R_AT(0, Y, RELAXED, DEVICE),
                   W_AT(1, Y, RELAXED, DEVICE), R_AT(1, X, RELAXED, DEVICE)},
        .edges = {{READS, INIT, 1}, {READS, INIT, 3}, {TOKEN, 0, 1}, {TOKEN, 2, 3}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false); /* even with tokens and more than relaxed: there is no fence */
    d.events[0].ordering = d.events[2].ordering = IR_RELEASE;
    d.events[1].ordering = d.events[3].ordering = IR_ACQUIRE;
    expect(&d, MODEL_HOLDS, false);
}

static void test_load_buffering(void **state)
{
    drawing d = {
        .events = {R_AT(0, X, RELAXED, DEVICE), W_AT(0, Y, RELAXED, DEVICE),
                   R_AT(1, Y, RELAXED, DEVICE), W_AT(1, X, RELAXED, DEVICE)},
        .edges = {{READS, 3, 0}, {READS, 1, 2}, {DEPENDENCY, 0, 1}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    d.edges[3] = (edge){DEPENDENCY, 2, 3};
    expect(&d, MODEL_THIN_AIR, false);
    model_choices choices = model_default_choices();
    choices.no_thin_air = false;
    expect_with(&choices, &d, MODEL_HOLDS, false);
    /* Acquire and release with tokens forbid it by causality: a read of what happens after it. */
    d.edges[2] = (edge){TOKEN, 0, 1};
    d.edges[3] = (edge){TOKEN, 2, 3};
    d.events[0].ordering = d.events[2].ordering = IR_ACQUIRE;
    d.events[1].ordering = d.events[3].ordering = IR_RELEASE;
    expect(&d, MODEL_CAUSALITY, false);
}

/* ---- Coherence: A4, A6, A8 ---- */

static void test_read_read(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), R_AT(1, X, RELAXED, DEVICE),
                   R_AT(1, X, RELAXED, DEVICE)},
        .edges = {{READS, 0, 1}, {READS, INIT, 2}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false); /* new, then old: without a token */
    d.edges[2] = (edge){TOKEN, 1, 2};
    expect(&d, MODEL_PER_LOCATION, false);
    model_choices choices = model_default_choices();
    choices.coherence_per_location = false;
    expect_with(&choices, &d, MODEL_HOLDS, false);
}

static void test_write_write(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), W_AT(0, X, RELAXED, DEVICE)},
        .edges = {{TOKEN, 0, 1}, {COHERENCE, 1, 0}},
    };
    (void)state;
    expect(&d, MODEL_COHERENCE, false);
    model_choices choices = model_default_choices();
    choices.before_implies_coherence = false;
    choices.coherence_per_location = false; /* it forbids the same, one block being involved */
    expect_with(&choices, &d, MODEL_HOLDS, false);
    d.edges[0] = (edge){TOKEN, 1, 0};
    expect(&d, MODEL_HOLDS, false); /* no token: either order */
    d.edges[1] = (edge){0};
    expect(&d, MODEL_COHERENCE, false); /* A4: one of the two it is */
}

/* Between blocks only A6 speaks. */
static void test_write_write_across(void **state)
{
    drawing d = {
        .events = {W(0, X), W_AT(0, FLAG, RELEASE, DEVICE), R_AT(1, FLAG, ACQUIRE, DEVICE),
                   W(1, X)},
        .edges = {{READS, 1, 2}, {TOKEN, 0, 1}, {TOKEN, 2, 3}, {COHERENCE, 3, 0}},
    };
    (void)state;
    expect(&d, MODEL_COHERENCE, false);
    model_choices choices = model_default_choices();
    choices.before_implies_coherence = false;
    expect_with(&choices, &d, MODEL_HOLDS, false);
}

static void test_write_read_cycle(void **state)
{
    drawing d = {
        /* 2+2W and a read: each block's second write before the other's first */
        .events = {W_AT(0, X, RELAXED, DEVICE), W_AT(0, Y, RELAXED, DEVICE),
                   W_AT(1, Y, RELAXED, DEVICE), W_AT(1, X, RELAXED, DEVICE)},
        .edges = {{COHERENCE, 1, 2}, {COHERENCE, 3, 0}, {TOKEN, 0, 1}, {TOKEN, 2, 3}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
}

/* ---- Atomic updates: A5 ---- */

static void test_atomicity(void **state)
{
    drawing d = {
        .events = {U_AT(0, X, RELAXED, DEVICE), U_AT(1, X, RELAXED, DEVICE)},
        .edges = {{READS, INIT, 0}, {READS, INIT, 1}, {COHERENCE, 0, 1}},
    };
    (void)state;
    expect(&d, MODEL_ATOMICITY, false);
    d.edges[1].from = 0;
    expect(&d, MODEL_HOLDS, false);
    d.events[0].leaves_value = false; /* a compare-and-swap that failed leaves nothing to read */
    d.edges[1].from = INIT;
    expect(&d, MODEL_HOLDS, false);
}

static void test_write_between(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), U_AT(1, X, RELAXED, DEVICE)},
        .edges = {{READS, INIT, 1}, {COHERENCE, 0, 1}},
    };
    (void)state;
    expect(&d, MODEL_ATOMICITY, false);
    d.edges[1] = (edge){COHERENCE, 1, 0};
    expect(&d, MODEL_HOLDS, false);
    d.events[0].scope = IR_SCOPE_TL_BLK; /* not morally strong: a race, no rule of atomicity */
    d.edges[1] = (edge){COHERENCE, 0, 1};
    expect(&d, MODEL_HOLDS, true);
}

/* ---- Multiple copies: A7 and what Tile IR leaves out ---- */

static drawing independent_reads(void)
{
    return (drawing){
        .events = {W_AT(0, X, RELAXED, DEVICE), W_AT(1, Y, RELAXED, DEVICE),
                   R_AT(2, X, ACQUIRE, DEVICE), R_AT(2, Y, ACQUIRE, DEVICE),
                   R_AT(3, Y, ACQUIRE, DEVICE), R_AT(3, X, ACQUIRE, DEVICE)},
        .edges = {{READS, 0, 2},
                  {READS, INIT, 3},
                  {READS, 1, 4},
                  {READS, INIT, 5},
                  {TOKEN, 2, 3},
                  {TOKEN, 4, 5}},
    };
}

static void test_independent_reads(void **state)
{
    (void)state;
    drawing d = independent_reads();
    expect(&d, MODEL_HOLDS, false); /* no fence.sc, so the two readers may disagree */
    d.events[0].ordering = d.events[1].ordering = IR_RELEASE;
    expect(&d, MODEL_HOLDS, false);
}

/* A relaxed write that a releasing block has seen: PTX's causality takes it along. */
static void test_observation(void **state)
{
    drawing d = {
        .events = {W_AT(0, X, RELAXED, DEVICE), R_AT(1, X, RELAXED, DEVICE),
                   W_AT(1, Y, RELEASE, DEVICE), R_AT(2, Y, ACQUIRE, DEVICE),
                   R_AT(2, X, RELAXED, DEVICE)},
        .edges = {{READS, 0, 1}, {READS, 2, 3}, {READS, INIT, 4}, {TOKEN, 1, 2}, {TOKEN, 3, 4}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    model_choices choices = model_default_choices();
    choices.observation_is_causal = true;
    expect_with(&choices, &d, MODEL_CAUSALITY, false);
    d.edges[0].from = INIT; /* not seen: nothing to take along */
    expect_with(&choices, &d, MODEL_HOLDS, false);
}

/* ---- Launches: D23 ---- */

static void test_launches(void **state)
{
    drawing d = {
        .events = {W(0, X), R(1, X)},
        .edges = {{READS, 0, 1}},
        .blocks = {{0, 0}, {1, 0}},
    };
    (void)state;
    expect(&d, MODEL_HOLDS, false);
    d.launches[1].stream = 1;
    expect(&d, MODEL_HOLDS, true);
    d.launches[1] = (model_launch){.dependent = true};
    expect(&d, MODEL_HOLDS, true);
    d.events[1].after_wait = true;
    expect(&d, MODEL_HOLDS, false);
    d.edges[0].from = INIT;
    expect(&d, MODEL_CAUSALITY, false);
    /* Two launches back, over one that did not wait: nothing says that it has ended. */
    d.blocks[1].launch = 2;
    d.launches[1] = d.launches[2] = (model_launch){.dependent = true};
    expect(&d, MODEL_HOLDS, true);
}

/* Elements of one op have no order among them: D1. */
static void test_elements(void **state)
{
    drawing d = {.events = {W(0, X), W(0, X)}};
    (void)state;
    expect(&d, MODEL_HOLDS, true);
    d.events[0].ordering = d.events[1].ordering = IR_RELAXED;
    d.events[0].scope = d.events[1].scope = IR_SCOPE_TL_BLK;
    d.edges[0] = (edge){COHERENCE, 1, 0};
    expect(&d, MODEL_HOLDS, false);
}

/* One access covers another one where both are of the same bytes. */
static void test_cover(void **state)
{
    (void)state;
    for (int buffer = 0; buffer < 2; buffer++)
        for (int address = 0; address < 3; address++)
            for (int width = 1; width <= 4; width *= 2) {
                model_event a = {.buffer = 1, .address = 1, .width = 2};
                model_event b = {.buffer = buffer, .address = address, .width = width};
                bool same = buffer == 1 && address == 1 && width == 2;
                assert_int_equal(model_events_cover(&a, &b), same);
                assert_int_equal(model_events_cover(&b, &a), same);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_message_passing),
        cmocka_unit_test(test_message_passing_slips),
        cmocka_unit_test(test_other_element),
        cmocka_unit_test(test_unread_flag),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_overwritten_in_part),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_partial_overlap),
        cmocka_unit_test(test_update_chain),
        cmocka_unit_test(test_release_then_write),
        cmocka_unit_test(test_narrow_release),
        cmocka_unit_test(test_torn_acquire),
        cmocka_unit_test(test_transitive),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_store_buffering),
        cmocka_unit_test(test_token_chain),
        cmocka_unit_test(test_strong_by_tokens),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_future),
        cmocka_unit_test(test_load_buffering),
        cmocka_unit_test(test_read_read),
        cmocka_unit_test(test_write_write),
        cmocka_unit_test(test_write_write_across),
        cmocka_unit_test(test_write_read_cycle),
        cmocka_unit_test(test_atomicity),
        cmocka_unit_test(test_write_between),
        cmocka_unit_test(test_independent_reads),
        cmocka_unit_test(test_observation),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

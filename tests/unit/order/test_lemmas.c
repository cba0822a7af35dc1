/* The lemmas on order between tile blocks, each asked about two accesses: no report, no replay, no
 * small launch stands between the claim and the answer. A lemma may say "not ordered" of what is
 * ordered, never the other way round. */
#include "lemma_table.h"
#include "order/event.h"
#include "order/orders.h"
#include "order/reset.h"
#include "order/turn.h"
#include "question/ask.h"

#include <stdlib.h>
#include <string.h>

static bool are_ordered(checker_kit *t)
{
    const ix_access *store, *load;
    find_pair(t, &store, &load);
    return order_proves(&t->k, store, load);
}

/* Is it this lemma that has ordered them? One without words gives facts to the others. */
static bool has_ordered(const checker_kit *t, order_lemma lemma)
{
    bool said = !lemmas[lemma].words[0];
    for (size_t i = 0; i < t->report.n_orders && !said; i++)
        said = strstr(t->report.orders[i], lemmas[lemma].words) != NULL;
    return said;
}

/* Prints what helps to find the mistake: the lemmas that took the accesses for ordered, or where
 * the questions are, each of which a lemma must have refuted. They are kept if KEEP_QUESTIONS names
 * a folder; a file's last part is its number in order. */
static void explain(const lemma_case *c)
{
    const char *folder = getenv("KEEP_QUESTIONS");
    checker_kit t;
    set_up(&t, c);
    char prefix[64]; /* keeps the questions of several cases apart */
    snprintf(prefix, sizeof prefix, "%s-case%td", lemmas[c->lemma].name, c - cases);
    smt_options keeping = {.solver = "", .keep_folder = folder, .keep_prefix = prefix};
    smt_prover_free(t.k.prover);
    t.k.prover = smt_prover_new(t.k.ctx, &keeping);
    bool ordered = are_ordered(&t);
    for (size_t i = 0; ordered && i < t.report.n_orders; i++)
        print_message("    ordered: %s\n", t.report.orders[i]);
    if (!ordered)
        print_message("    %s%s%s%s\n",
                      folder ? "its questions are kept in "
                             : "KEEP_QUESTIONS=FOLDER keeps its questions",
                      folder ? folder : "", folder ? "/" : "", folder ? prefix : "");
    print_message("    %s\n", c->body);
    checker_kit_close(&t);
}

/* What RESET says is no order: test_resets has its cases. */
static size_t count_without_cases(const bool *orders, const bool *refuses)
{
    size_t without = 0;
    for (size_t l = 0; l < TR_COUNT(lemmas); l++) {
        if (l == ORDER_LEMMA_RESET || !is_wanted((order_lemma)l) || (orders[l] && refuses[l]))
            continue;
        print_message("%s: no case that %s\n", lemmas[l].name,
                      orders[l] ? "it does not order and that races"
                                : "is ordered by this lemma, as order_proves says");
        without++;
    }
    return without;
}

static void test_claims(void **state)
{
    (void)state;
    size_t held = 0, wrong = 0;
    bool orders[TR_COUNT(lemmas)] = {false}, refuses[TR_COUNT(lemmas)] = {false};
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        order_lemma lemma = cases[i].lemma;
        if (!is_wanted(lemma))
            continue;
        checker_kit t;
        set_up(&t, &cases[i]);
        bool ordered = are_ordered(&t);
        bool holds = cases[i].claim == true;
        orders[lemma] |= holds && ordered && has_ordered(&t, lemma);
        refuses[lemma] |= cases[i].claim == false;
        checker_kit_close(&t);
        held += holds;
        if (ordered != holds) {
            print_message("%s, %s: %s\n", lemmas[lemma].name, cases[i].what,
                          !ordered                     ? "not ordered"
                          : cases[i].claim == unproved ? "proved now, so say true"
                                                       : "taken for ordered");
            explain(&cases[i]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(count_without_cases(orders, refuses), 0);
    if (!getenv("LEMMA") && 4 * held > TR_COUNT(cases))
        fail_msg("%zu of %zu cases are ordered: a quarter at most may be, so add kernels that race",
                 held, TR_COUNT(cases));
}

/* ---- Section: what an order rests on ---- */

static bool is_noted(const checker_kit *t, basis_kind kind, int which)
{
    for (size_t i = 0; i < t->k.basis.n; i++)
        if (t->k.basis.items[i].kind == kind && t->k.basis.items[i].which == which)
            return true;
    return false;
}

static const char *facts_of(const lemma_case *c)
{
    return c->facts ? c->facts : usual;
}

/* Is the case ordered, and is the item not noted? */
static bool is_ordered_without(const lemma_case *c, basis_kind kind, int which)
{
    checker_kit t;
    set_up(&t, c);
    bool ordered = are_ordered(&t) && !is_noted(&t, kind, which);
    checker_kit_close(&t);
    return ordered;
}

/* An order that does not rest on updates that continue a release sequence is one without them. */
static bool rests_on_updates(const lemma_case *c)
{
    lemma_case apart = *c;
    apart.apart = true;
    return !is_ordered_without(c, BASIS_CHOICE, TRUST_UPDATES) ||
           is_ordered_without(&apart, BASIS_CHOICE, TRUST_UPDATES);
}

/* An order that does not rest on flags that are 0 at launch is one with other flags. */
static bool rests_on_cleared(const lemma_case *c)
{
    enum { FLAGS = 2 }; /* the argument */
    static const char cleared[] = "tile_contents(f, 0, 0);";
    const char *facts = facts_of(c), *at = strstr(facts, cleared);
    if (!at)
        return true;
    char silent[512], drawn[512];
    int before = (int)(at - facts);
    const char *behind = at + sizeof cleared - 1;
    snprintf(silent, sizeof silent, "%.*s%s", before, facts, behind);
    snprintf(drawn, sizeof drawn, "%.*stile_contents(f, -9, 9);%s", before, facts, behind);
    lemma_case first = *c, second = *c;
    first.facts = silent;
    second.facts = drawn;
    return !is_ordered_without(&first, BASIS_CLEARED_ARG, FLAGS) ||
           is_ordered_without(&second, BASIS_CLEARED_ARG, FLAGS);
}

/* Does the report of a case name the ops by which the lemma has ordered it? */
static bool names_its_ops(const lemma_case *c)
{
    checker_kit t;
    set_up(&t, c);
    bool named = false, ordered = are_ordered(&t);
    for (size_t i = 0; ordered && i < t.report.n_orders; i++)
        named |= strstr(t.report.orders[i], lemmas[c->lemma].words) &&
                 strstr(t.report.orders[i], " acquires");
    checker_kit_close(&t);
    return named;
}

static void test_rests_on(void **state)
{
    static const struct {
        bool (*holds)(const lemma_case *c);
        const char *missing;
    } rows[] = {
        {rests_on_updates, "the lemma does not note TRUST_UPDATES (order_rests_on_choice)"},
        {rests_on_cleared,
         "the lemma does not note that f is 0 at launch (order_rests_on_cleared)"},
    };
    (void)state;
    size_t wrong = 0;
    bool named[TR_COUNT(lemmas)] = {[ORDER_LEMMA_NUMBERS] = true}; /* no release is needed */
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        order_lemma lemma = cases[i].lemma;
        if (cases[i].claim != true || !is_wanted(lemma))
            continue;
        named[lemma] = named[lemma] || names_its_ops(&cases[i]);
        for (size_t r = 0; r < TR_COUNT(rows); r++) {
            if (rows[r].holds(&cases[i]))
                continue;
            print_message("%s, %s: %s\n", lemmas[lemma].name, cases[i].what, rows[r].missing);
            wrong++;
        }
    }
    for (size_t l = 0; l < TR_COUNT(lemmas); l++) {
        if (named[l] || !lemmas[l].words[0] || !is_wanted((order_lemma)l))
            continue;
        print_message("%s: reports do not name the ops that release and acquire, which the lemma "
                      "sets in order_state_of(k)\n",
                      lemmas[l].name);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* ---- Section: events ---- */

static const ix_access *access_of(const checker_kit *t, const char *buffer)
{
    for (size_t i = 0; i < arrlenu(t->k.s->accesses); i++)
        if (strcmp(buffer_name(&t->k, &t->k.s->accesses[i]), buffer) == 0)
            return &t->k.s->accesses[i];
    fail();
    return NULL;
}

/* What a read of a round that there is not would have found: no such event, nothing holds of it. */
static void test_no_such_round(void **state)
{
    static const lemma_case looks = {
        .body = "for (int i = 0; i < n; i++) { x[i] = OR(0, 0); OR(1, 0); }"};
    (void)state;
    checker_kit t;
    set_up(&t, &looks);
    const ix_access *read = access_of(&t, "f"), *other = access_of(&t, "x");
    smt_t got = read->got, args[3 + IX_MAX_LOOPS + IR_MAX_RANK];
    smt_t truth = smt_bool_const(t.k.ctx, true);
    assert_int_equal(read->n_loops, 1);
    for (int round = -1; round < 2; round++) {
        for (uint32_t i = 0; i < got->n_args; i++)
            args[i] = got->args[i];
        args[3] = smt_int_const(t.k.ctx, round);
        smt_t value = smt_app(t.k.ctx, got->name, got->n_args, args, got->low, got->high);
        order_event e = order_event_behind(read, value);
        assert_int_equal(smt_is_true(order_exists(&t.k, &e)), round >= 0);
        assert_int_equal(smt_is_true(order_term(&t.k, &e, truth)), round >= 0);
        assert_int_equal(smt_is_false(order_term(&t.k, &e, truth)), round < 0);
        order_event elsewhere = order_event_of(&t.k, other, 1);
        assert_int_equal(smt_is_true(order_overlap(&t.k, &e, &elsewhere)), round < 0);
        assert_int_equal(smt_is_true(order_overlap(&t.k, &elsewhere, &e)), round < 0);
    }
    checker_kit_close(&t);
}

/* Elements of one size that lie half over each other are not one, whatever views they are of. */
static void test_half_an_element_further(void **state)
{
    static const lemma_case looks = {.body = "RSET(0, 1); x[0] = 1;"};
    (void)state;
    checker_kit t;
    set_up(&t, &looks);
    ix_access first = *access_of(&t, "f"), second = first;
    ix_tensor narrow = {.allocation = first.allocation, .rank = 1, .width = first.width};
    narrow.bytes = narrow.shape[0] = narrow.stride[0] = smt_int_const(t.k.ctx, 4);
    ix_tensor wide = narrow;
    wide.stride[0] = smt_int_const(t.k.ctx, 8);
    first.tensor = &narrow;
    second.tensor = &wide;
    for (int further = 0; further < 5; further += 2) {
        second.bytes = smt_add(t.k.ctx, first.bytes, smt_int_const(t.k.ctx, further));
        order_event x = order_event_of(&t.k, &first, 0), y = order_event_of(&t.k, &second, 0);
        assert_int_equal(smt_is_true(order_overlap(&t.k, &x, &y)), further < 4);
        assert_int_equal(smt_is_true(order_exactly(&t.k, &x, &y)), further == 0);
    }
    checker_kit_close(&t);
}

/* What a write makes of a number, of which nothing is known: so no numbers are tickets. */
static void test_written(void **state)
{
    static const char facts[] = "tile_grid(4); tile_contents(f, -2147483647 - 1, 2147483647);";
    static const struct {
        const char *write;
        int64_t got, value;
        bool may;
        const char *facts; /* NULL: as above */
    } rows[] = {
        {"RSET(0, 4 * (n & 2147483647));", 0, -4, true, "tile_assume(n == 2147483647);"},
        {"RSET(0, -4 * (n & 2147483647));", 0, 4, true, "tile_assume(n == 2147483647);"},
        {"RSET(0, 3 * (n & 2147483647));", 0, 2147483645, true, "tile_assume(n == 2147483647);"},
        {"RSET(0, 3 * (n & 2147483647));", 0, 3, false, "tile_assume(n == 2147483647);"},
        {"RSET(0, -3 * (n & 2147483647));", 0, -2147483645, true, "tile_assume(n == 2147483647);"},
        {"RSET(0, -3 * (n & 2147483647));", 0, 3, false, "tile_assume(n == 2147483647);"},
        {"RSET(0, 3 * n);", 0, -1, true, "tile_assume(n == 1431655765);"},
        {"RSET(0, 3 * n);", 0, 1, false, "tile_assume(n == 1431655765);"},
        {"RSET(0, 3 * n);", 0, 4, true, "tile_assume(n == -1431655764);"},
        {"RSET(0, 3 * n);", 0, 3, false, "tile_assume(n == -1431655764);"},
        {"RSET(0, 3);", 0, 3, true},
        {"RSET(0, 3);", 0, 4, false},
        {"RADD(0, 3);", 4, 7, true},
        {"RADD(0, 3);", 4, 8, false},
        {"RADD(0, 2147483647);", 2147483647, -2, true},
        {"RADD(0, 2147483647);", 2147483647, 2147483647, false},
        {"RADD(0, 1);", 2147483647, -2147483648, true},
        {"RADD(0, -1);", -2147483648, 2147483647, true},
        {"RADD(0, -2147483647 - 1);", -2147483648, 0, true},
        {"RADD(0, 2 * n);", 2147483647, -2147483645, true},
        {"RCAS(0, 5, 7);", 5, 7, true},
        {"RCAS(0, 5, 7);", 5, 5, false},
        {"RCAS(0, 5, 7);", 4, 4, true},
        {"RCAS(0, 5, 7);", 4, 7, false},
        {"ROR(0, 6);", 1, 7, true},
        {"ROR(0, 6);", 1, 0, false},
        {"ROR(0, 6);", 1, 8, false},
        {"ROR(0, 0);", 1, 1, true},
        {"ROR(0, 0);", 1, 2, false},
        {"tile_atomic_max(tile_pointers(f, 0), 5, TILE_RELAXED, TILE_DEVICE);", 3, 5, true},
        {"tile_atomic_max(tile_pointers(f, 0), 5, TILE_RELAXED, TILE_DEVICE);", 3, 3, false},
        {"tile_atomic_max(tile_pointers(f, 0), 5, TILE_RELAXED, TILE_DEVICE);", 9, 9, true},
        {"tile_atomic_max(tile_pointers(f, 0), 5, TILE_RELAXED, TILE_DEVICE);", 9, 5, false},
        {"tile_atomic_xor(tile_pointers(f, 0), 5, TILE_RELAXED, TILE_DEVICE);", 9, 12, true},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        checker_kit t;
        set_up(&t, &(lemma_case){.body = rows[i].write,
                                 .facts = rows[i].facts ? rows[i].facts : facts});
        smt_ctx *ctx = t.k.ctx;
        const ix_access *write = access_of(&t, "f");
        order_event e = order_event_of(&t.k, write, 0);
        query all = order_of_event(&t.k, &e);
        if (write->got)
            query_add(
                &t.k, &all,
                smt_eq(ctx, order_term(&t.k, &e, write->got), smt_int_const(ctx, rows[i].got)));
        smt_t made = order_written(&t.k, &e, smt_int_const(ctx, rows[i].value));
        bool may = !order_refuted_with(&t.k, all, made, "made");
        if (may != rows[i].may)
            print_message("%s of %lld: %lld\n", rows[i].write, (long long)rows[i].got,
                          (long long)rows[i].value);
        assert_int_equal(may, rows[i].may);
        checker_kit_close(&t);
    }
}

/* Elements of one view are one where they have all coordinates in common. */
static void test_one_coordinate_further(void **state)
{
    static const lemma_case looks = {.body = "RSET(0, 1); x[0] = 1;"};
    (void)state;
    checker_kit t;
    set_up(&t, &looks);
    ix_access first = *access_of(&t, "f");
    ix_tensor plane = {.allocation = first.allocation, .rank = 2, .width = first.width};
    plane.bytes = smt_int_const(t.k.ctx, 0);
    for (int d = 0; d < 2; d++) {
        plane.shape[d] = smt_int_const(t.k.ctx, 4);
        plane.stride[d] = smt_int_const(t.k.ctx, d ? 1 : 4);
        first.coordinate[d] = smt_int_const(t.k.ctx, 1);
    }
    first.tensor = &plane;
    for (int d = -1; d < 2; d++) {
        ix_access second = first;
        if (d >= 0)
            second.coordinate[d] = smt_int_const(t.k.ctx, 2);
        order_event x = order_event_of(&t.k, &first, 0), y = order_event_of(&t.k, &second, 0);
        assert_int_equal(smt_is_true(order_overlap(&t.k, &x, &y)), d < 0);
        assert_int_equal(smt_is_true(order_exactly(&t.k, &x, &y)), d < 0);
        assert_int_equal(smt_is_false(order_overlap(&t.k, &x, &y)), d >= 0);
    }
    checker_kit_close(&t);
}

/* Does each launch that finds 0 in the words of f leave 0 there? */
static void test_resets(void **state)
{
    static const struct {
        const char *body;
        bool resets;
        const char *facts;
    } rows[] = {
        {"RSET(0, 1); RSET(0, 0);", true},
        {"RSET(0, 0); RSET(0, 1);", false},
        {"RSET(0, 1); RSET(1, 0);", false},
        {"RSET(0, 1); if (n == 1) return; x[b] = 1;", false},
        {"RSET(0, 1); RSET(0, 0); if (n == 1) return; x[b] = 1;", true},
        {"for (int i = 0; i < n; i++) { RSET(0, 1); RSET(0, 0); if (i == 1) return; }", true},
        {"for (int i = 0; i < n; i++) { RSET(0, 1); RSET(0, 0); }", true},
        {"for (int i = 0; i < n; i++) { RSET(0, 1); if (i == 1) return; RSET(0, 0); }", false},
        {"RSET(0, 1); if (n == 1) return; RSET(0, 0);", false},
        {"tile_store_ptr_at(FURTHER(f, 0, 1), 1, TILE_RELAXED, TILE_DEVICE); RSET(0, 0);", false},
        {"RSET(0, 1); tile_store_ptr_at(FURTHER(f, 0, 1), 0, TILE_RELAXED, TILE_DEVICE);", false},
        {"RSET(0, 1); tile_store_ptr_at(tile_ptr_cast(tile_pointers(f, 0), short), 0, "
         "TILE_RELAXED, TILE_DEVICE);",
         false},
        {"RSET(0, 4 * n); RSET(0, 0);", true},
        {"RSET(0, 4 * n);", false},
        {"RSET(0, 0 * n);", true},
        {"if (n == 0) RSET(0, 4 * n);", true, ""},
        {"if (n == 1) RSET(0, 4 * n);", false, ""},
        {"RCAS(0, 0, 4 * n); RSET(0, 0);", true, ""},
        {"RCAS(0, 0, 4 * n);", false, ""},
        {"if (n == 0) RCAS(0, 0, n);", true, ""},
        {"if (n == 1) RCAS(0, 0, n);", false, ""},
        {"if (b == 0) SET(0, 1); if (b == 1) { while (GET(0) == 0) ; RSET(0, 0); }", true},
        {"if (b == 0) SET(0, 1); if (b == 1) { while (GET(0) == 1) ; RSET(0, 0); }", false},
        {"if (b == 0) SET(0, 1); if (b == 1) RSET(0, 0);", false},
        {"if (b == 0) SET(0, 1); if (b > 0) { if (b == 1) while (GET(0) == 0) ; RSET(0, 0); }",
         true},
        {"if (b % 2 == 0) SET(b, 1); else { while (GET(b - 1) == 0) ; RSET(b - 1, 0); }", true},
        {"if (b % 2 == 0) SET(b, 1); else { while (GET(b - 1) == 0) ; RSET(b, 0); }", false},
        {"SET(b, 1); if (b > 0) { while (GET(b - 1) == 0) ; RSET(b - 1, 0); }", false},
        {"int c = ADD(0, 1); if (c == 3) RSET(0, 0);", true},
        {"int c = ADD(0, 1); if (c == 2) RSET(0, 0);", false},
        {"int c = ADD(0, 1); if (c == 3) RSET(0, 1);", false},
        {"int c = ADD(0, -1); if (c == -3) RSET(0, 0);", true},
        {"int c = ADD(0, 2); if (c == 6) RSET(0, 0);", false},
        {"int c = ADD(b % 2, 1); if (c == 1) RSET(b % 2, 0);", false},
        {"int c = ADD(b % 2, 1); if (c == 3) RSET(b % 2, 0);", false},
    };
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        checker_kit t;
        set_up(&t, &(lemma_case){.body = rows[i].body, .facts = rows[i].facts});
        bool resets = order_resets(&t.k, access_of(&t, "f")->allocation, NULL, NULL);
        checker_kit_close(&t);
        if (resets != rows[i].resets) {
            print_message("%s: %s\n", rows[i].body, resets ? "taken for reset" : "not reset");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* One event at two coordinates of a tile is two. */
static void test_another_coordinate(void **state)
{
    static const lemma_case looks = {
        .body = "tile_store_ptr_at(tile_pointers(f, tile_iota(4)), 1, TILE_RELAXED, TILE_DEVICE);"};
    (void)state;
    checker_kit t;
    set_up(&t, &looks);
    const ix_access *store = access_of(&t, "f");
    assert_int_equal(store->rank, 1);
    order_event x = order_event_of(&t.k, store, 0), y = x;
    assert_true(smt_is_true(order_same_event(&t.k, &x, &y)));
    for (int on = 0; on < 2; on++) {
        x.coordinate[0] = smt_int_const(t.k.ctx, 1);
        y.coordinate[0] = smt_int_const(t.k.ctx, 1 + on);
        assert_int_equal(smt_is_true(order_same_event(&t.k, &x, &y)), !on);
    }
    checker_kit_close(&t);
}

/* Does each launch that finds no more in word 1 of f than in word 0 leave no more there? */
static void test_kept_turns(void **state)
{
    static const struct {
        const char *body;
        bool kept;
    } rows[] = {
#define LOOK "int t = ADD(0, 1); while (GET(1) < t) ; "
        {LOOK "SET(1, t + 1);", true},
        {LOOK "ADD(1, 1);", true},
        {LOOK "while (tile_to_int(tile_load_ptr_at(tile_pointers(y, 1), TILE_ACQUIRE, "
              "TILE_DEVICE)) < t) ; ADD(1, 1);",
         true},
        {"int t = ADD(0, 1); while (tile_to_int(tile_load_ptr_at(tile_pointers(y, 1), "
         "TILE_ACQUIRE, TILE_DEVICE)) < t) ; while (GET(1) < t) ; ADD(1, 1);",
         true},
        {"int t = ADD(0, 1); while (tile_to_int(tile_load_ptr_at(tile_pointers(y, 1), "
         "TILE_ACQUIRE, TILE_DEVICE)) < t) ; ADD(1, 1);",
         false},
        {LOOK "SET(1, t + 2);", false},
        {LOOK "SET(1, t);", false},
        {LOOK "ADD(1, 1); ADD(1, 1);", false},
        {LOOK "if (b == 0) SET(1, t + 1); else ADD(1, 1);", false},
        {LOOK "SET(1, t + 1); SET(0, 0);", false},
        {LOOK "SET(1, t + 1); SET(2, 1);", false},
        {LOOK "SET(1, t + 1); ADD(2, 0);", true},
        {LOOK "SET(1, t + 1); SET((int)(0.5f * (float)b), 1);", false},
        {"int t = ADD(2, 1); while (GET(1) < t) ; SET(1, t + 1);", false},
        {LOOK "SET(1, t + 1); x[b] = 1;", true},
#undef LOOK
    };
    const order_turn_words lock = {.ticket_arg = 2, .look_arg = 2, .ticket = 0, .look = 1};
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        checker_kit t;
        set_up(&t, &(lemma_case){.body = rows[i].body});
        bool kept = order_turns_are_kept(&t.k, &lock, 1);
        checker_kit_close(&t);
        if (kept != rows[i].kept) {
            print_message("%s: %s\n", rows[i].body, kept ? "taken for kept" : "not kept");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims),        cmocka_unit_test(test_rests_on),
        cmocka_unit_test(test_no_such_round), cmocka_unit_test(test_half_an_element_further),
        cmocka_unit_test(test_written),       cmocka_unit_test(test_one_coordinate_further),
        cmocka_unit_test(test_resets),        cmocka_unit_test(test_another_coordinate),
        cmocka_unit_test(test_kept_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random small executions: every relation and every axiom against definitions that are written a
 * second time here, from docs/memory-model.md, over sets of bytes and squares of truth values. A
 * condition that is missing on one side shows wherever it decides; how often each answer was met is
 * counted, so that no definition agrees by never being asked. */
#include "abstract.h"
#include "sketch.h"

#include <stdlib.h>
#include <string.h>

enum { N = 6, BLOCKS = 4, LAUNCHES = 4, BYTES = 24, EXECUTIONS = 60000 };

typedef struct square {
    bool of[N][N];
} square;

typedef struct definitions {
    const model_execution *x;
    square rpo, strong, launch, sync, before, cause, ordered, reads_before;
} definitions;

/* ---- Section: Drawing ---- */

static uint32_t draw(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

static model_event draw_event(uint64_t *seed)
{
    static const uint32_t widths[] = {4, 4, 4, 4, 2, 8, 1, 6};
    model_event e = {.block = draw(seed, BLOCKS),
                     .buffer = !draw(seed, 4),
                     .width = widths[draw(seed, TR_COUNT(widths))],
                     .access = (model_access)(1 + draw(seed, 3)),
                     .silent = !draw(seed, 4),
                     .after_wait = draw(seed, 2)};
    static const ir_ordering loads[] = {IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_ACQUIRE},
                             stores[] = {IR_WEAK, IR_RELAXED, IR_RELEASE, IR_RELEASE},
                             updates[] = {IR_RELAXED, IR_RELEASE, IR_ACQUIRE, IR_ACQ_REL};
    static const ir_scope scopes[] = {IR_SCOPE_TL_BLK, IR_SCOPE_DEVICE, IR_SCOPE_DEVICE,
                                      IR_SCOPE_SYS};
    e.address = draw(seed, 3) ? 0 : draw(seed, 8);
    e.ordering = (e.access == MODEL_READ    ? loads
                  : e.access == MODEL_WRITE ? stores
                                            : updates)[draw(seed, 4)];
    static const ir_ordering all[] = {IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL};
    if (!draw(seed, 8)) /* also what no op has: the definitions say what it comes to */
        e.ordering = all[draw(seed, TR_COUNT(all))];
    e.scope = e.ordering == IR_WEAK && draw(seed, 4) ? IR_SCOPE_NONE : scopes[draw(seed, 4)];
    e.leaves_value = (e.access & MODEL_WRITE) && (e.access == MODEL_WRITE || draw(seed, 5));
    return e;
}

static bool has_byte(const model_event *e, int buffer, int64_t byte)
{
    return e->buffer == buffer && e->address <= byte && byte - e->address < (int64_t)e->width;
}

/* A write that left that byte, initial memory, or nothing of interest. */
static uint32_t draw_source(uint64_t *seed, const model_execution *x, size_t r, uint32_t byte)
{
    for (int tries = 0; tries < 6; tries++) {
        uint32_t w = draw(seed, (uint32_t)x->n_events);
        if (w != r && x->events[w].leaves_value &&
            has_byte(&x->events[w], x->events[r].buffer, x->events[r].address + byte))
            return w;
    }
    return draw(seed, 8) ? MODEL_INITIAL : MODEL_NOWHERE;
}

static void draw_reads(uint64_t *seed, model_execution *x)
{
    for (size_t r = 0; r < x->n_events; r++) {
        const model_event *e = &x->events[r];
        if (!(e->access & MODEL_READ))
            continue;
        bool whole = draw(seed, 4);
        for (uint32_t byte = 0; byte < e->width; byte++) {
            uint32_t before = byte ? x->reads_from[r][byte - 1] : MODEL_NOWHERE;
            bool same = whole && before < x->n_events &&
                        has_byte(&x->events[before], e->buffer, e->address + byte);
            x->reads_from[r][byte] = same ? before : draw_source(seed, x, r, byte);
        }
    }
}

static model_execution *draw_execution(tr_arena *arena, uint64_t *seed)
{
    size_t n = 2 + draw(seed, N - 1);
    model_event *events = tr_arena_alloc(arena, N * sizeof *events);
    model_block *blocks = tr_arena_alloc(arena, BLOCKS * sizeof *blocks);
    model_launch *launches = tr_arena_alloc(arena, LAUNCHES * sizeof *launches);
    bool one_launch = draw(seed, 2), one_device = draw(seed, 2);
    for (int i = 0; i < N; i++) {
        events[i] = draw_event(seed);
        events[i].instance = (uint32_t)i;
    }
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] =
            (model_block){one_launch ? 0 : draw(seed, LAUNCHES), one_device ? 0 : draw(seed, 2)};
    for (int i = 0; i < LAUNCHES; i++)
        launches[i] = (model_launch){.stream = !draw(seed, 3), .dependent = draw(seed, 2)};
    model_choices c = model_default_choices();
    bool *each[] = {&c.rmw_chains,  &c.release_then_write,    &c.partial_overlap_strong,
                    &c.causality,   &c.observation_is_causal, &c.before_implies_coherence,
                    &c.no_thin_air, &c.coherence_per_location};
    for (size_t i = 0; i < TR_COUNT(each); i++)
        *each[i] ^= !draw(seed, 4);
    model_execution *x =
        model_execution_new(arena, &c, n, events, BLOCKS, blocks, LAUNCHES, launches);
    bool falls = draw(seed, 2); /* event numbers need not follow the program */
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            bool in_one = events[a].block == events[b].block, comes = falls ? a > b : a < b;
            if (comes && in_one)
                model_relate(&x->program_order, a, b);
            if (comes && draw(seed, 3) && (in_one || !draw(seed, 4)))
                model_relate(&x->waits_for, a, b);
            if (a != b && !draw(seed, 12))
                model_relate(&x->dependency, a, b);
            if (a != b && (draw(seed, 12) ? comes : draw(seed, 2)))
                model_relate(&x->coherence, a, b);
        }
    draw_reads(seed, x);
    return x;
}

/* ---- Section: The definitions ---- */

static square closed(const square *r)
{
    square c = *r;
    for (int via = 0; via < N; via++)
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                c.of[a][b] |= c.of[a][via] && c.of[via][b];
    return c;
}

static bool has_cycle(const square *r)
{
    square c = closed(r);
    for (int a = 0; a < N; a++)
        if (c.of[a][a])
            return true;
    return false;
}

/* How many bytes both have, or only one of them. */
static int count_bytes(const model_event *a, const model_event *b, bool both)
{
    int n = 0;
    for (int buffer = 0; buffer < 2; buffer++)
        for (int byte = 0; byte < BYTES; byte++) {
            int of = has_byte(a, buffer, byte) + has_byte(b, buffer, byte);
            n += of == (both ? 2 : 1);
        }
    return n;
}

static bool reaches(const model_execution *x, const model_event *e, const model_event *other)
{
    if (e->ordering == IR_WEAK)
        return false;
    if (e->scope == IR_SCOPE_SYS || e->block == other->block)
        return e->scope == IR_SCOPE_SYS ||
               x->blocks[e->block].device == x->blocks[other->block].device;
    return e->scope == IR_SCOPE_DEVICE &&
           x->blocks[e->block].device == x->blocks[other->block].device;
}

static bool has_ended(const model_execution *x, const model_event *a, const model_event *b)
{
    uint32_t from = x->blocks[a->block].launch, to = x->blocks[b->block].launch, last = to;
    if (x->launches[from].stream != x->launches[to].stream || from >= to)
        return false;
    do
        last--;
    while (x->launches[last].stream != x->launches[to].stream);
    return !x->launches[to].dependent || (b->after_wait && last == from);
}

static void define_program(definitions *d)
{
    const model_execution *x = d->x;
    square waits = {0};
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++)
            waits.of[a][b] = model_related(&x->waits_for, a, b);
    waits = closed(&waits);
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++) {
            d->rpo.of[a][b] = waits.of[a][b] && model_related(&x->program_order, a, b);
            d->launch.of[a][b] = has_ended(x, &x->events[a], &x->events[b]);
        }
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++) {
            const model_event *e = &x->events[a], *f = &x->events[b];
            int shared = count_bytes(e, f, true), own = count_bytes(e, f, false);
            d->strong.of[a][b] =
                a != b && shared > 0 && (own == 0 || x->choices.partial_overlap_strong) &&
                (d->rpo.of[a][b] || d->rpo.of[b][a] || (reaches(x, e, f) && reaches(x, f, e)));
        }
}

/* Whoever reads one of the marked writes, of which all bytes or the first one is asked for. */
static bool reads_marked(const definitions *d, const bool *marked, size_t e, bool whole)
{
    const model_event *read = &d->x->events[e];
    for (size_t w = 0; w < d->x->n_events; w++) {
        uint32_t of = 0, most = whole ? read->width : 1;
        while (of < most && d->x->reads_from[e][of] == w)
            of++;
        if (marked[w] && of == most && d->strong.of[w][e])
            return true;
    }
    return false;
}

/* Marks the updates that pass on what they read of the marked ones. */
static void pass_on(const definitions *d, bool *marked, bool whole)
{
    for (size_t round = 0; round < d->x->n_events; round++)
        for (size_t e = 0; e < d->x->n_events; e++)
            marked[e] |= d->x->events[e].access == MODEL_UPDATE && d->x->events[e].leaves_value &&
                         reads_marked(d, marked, e, whole);
}

static bool is_release(const model_event *e)
{
    return e->leaves_value && (e->ordering == IR_RELEASE || e->ordering == IR_ACQ_REL);
}

static bool is_acquire(const model_event *e)
{
    return (e->access & MODEL_READ) && !e->silent &&
           (e->ordering == IR_ACQUIRE || e->ordering == IR_ACQ_REL);
}

static void define_synchronisation(definitions *d)
{
    const model_execution *x = d->x;
    for (size_t r = 0; r < x->n_events; r++) {
        if (!is_release(&x->events[r]))
            continue;
        bool marked[N] = {false};
        for (size_t w = 0; w < x->n_events; w++)
            marked[w] =
                w == r || (x->choices.release_then_write && d->rpo.of[r][w] && d->strong.of[r][w] &&
                           x->events[w].leaves_value && x->events[w].ordering != IR_WEAK);
        if (x->choices.rmw_chains)
            pass_on(d, marked, true);
        for (size_t e = 0; e < x->n_events; e++)
            d->sync.of[r][e] =
                is_acquire(&x->events[e]) && d->strong.of[r][e] && reads_marked(d, marked, e, true);
    }
}

static void define_causality(definitions *d)
{
    const model_execution *x = d->x;
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            d->before.of[a][b] = d->rpo.of[a][b] || d->sync.of[a][b] || d->launch.of[a][b];
    d->cause = d->before = closed(&d->before);
    for (size_t w = 0; x->choices.observation_is_causal && w < x->n_events; w++) {
        bool marked[N] = {false};
        marked[w] = x->events[w].leaves_value;
        pass_on(d, marked, false);
        for (size_t e = 0; e < x->n_events; e++)
            for (size_t later = 0; later < x->n_events; later++)
                d->cause.of[w][later] |= (x->events[e].access & MODEL_READ) &&
                                         reads_marked(d, marked, e, false) &&
                                         d->before.of[e][later];
    }
}

static void define_reads_before(definitions *d)
{
    const model_execution *x = d->x;
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++)
            d->ordered.of[a][b] = a != b && x->events[a].leaves_value &&
                                  x->events[b].leaves_value &&
                                  count_bytes(&x->events[a], &x->events[b], true) > 0 &&
                                  (d->strong.of[a][b] || d->before.of[a][b] || d->before.of[b][a]);
    for (size_t r = 0; r < x->n_events; r++)
        for (size_t w = 0; w < x->n_events; w++)
            for (uint32_t byte = 0; byte < x->events[r].width; byte++) {
                uint32_t from = x->reads_from[r][byte];
                bool shared =
                    r != w && (x->events[r].access & MODEL_READ) && x->events[w].leaves_value &&
                    has_byte(&x->events[w], x->events[r].buffer, x->events[r].address + byte);
                d->reads_before.of[r][w] |=
                    shared &&
                    (from == MODEL_INITIAL || (from < x->n_events && d->ordered.of[from][w] &&
                                               model_related(&x->coherence, from, w)));
            }
}

static bool reads_some_byte(const model_execution *x, size_t r, size_t w)
{
    for (uint32_t byte = 0; byte < x->events[r].width; byte++)
        if (x->reads_from[r][byte] == w)
            return true;
    return false;
}

static bool is_coherent(const definitions *d)
{
    const model_execution *x = d->x;
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++) {
            bool forth = model_related(&x->coherence, a, b),
                 back = model_related(&x->coherence, b, a);
            if (d->ordered.of[a][b] && (forth == back || (x->choices.before_implies_coherence &&
                                                          back && d->before.of[a][b])))
                return false;
        }
    return true;
}

static bool is_atomic(const definitions *d)
{
    const model_execution *x = d->x;
    for (size_t u = 0; u < x->n_events; u++)
        for (size_t w = 0; w < x->n_events; w++)
            if (x->events[u].access == MODEL_UPDATE && x->events[u].leaves_value &&
                d->reads_before.of[u][w] && d->strong.of[u][w] &&
                model_related(&x->coherence, w, u))
                return false;
    return true;
}

static bool is_causal(const definitions *d)
{
    const model_execution *x = d->x;
    for (size_t r = 0; x->choices.causality && r < x->n_events; r++)
        for (size_t w = 0; w < x->n_events; w++)
            if ((reads_some_byte(x, r, w) && d->cause.of[r][w]) ||
                (d->reads_before.of[r][w] && d->cause.of[w][r]))
                return false;
    return true;
}

static bool is_in_order(const definitions *d)
{
    const model_execution *x = d->x;
    square order = {0};
    for (size_t a = 0; x->choices.coherence_per_location && a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++)
            order.of[a][b] = count_bytes(&x->events[a], &x->events[b], true) > 0 &&
                             (d->rpo.of[a][b] ||
                              (d->strong.of[a][b] &&
                               (reads_some_byte(x, b, a) || d->reads_before.of[a][b] ||
                                (d->ordered.of[a][b] && model_related(&x->coherence, a, b)))));
    return !has_cycle(&order);
}

static bool is_out_of_thin_air(const definitions *d)
{
    const model_execution *x = d->x;
    square order = {0};
    for (size_t a = 0; x->choices.no_thin_air && a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++)
            order.of[a][b] = model_related(&x->dependency, a, b) || reads_some_byte(x, b, a);
    return has_cycle(&order);
}

static model_axiom first_broken(const definitions *d)
{
    if (is_out_of_thin_air(d))
        return MODEL_THIN_AIR;
    if (has_cycle(&d->before))
        return MODEL_CAUSALITY;
    if (!is_coherent(d))
        return MODEL_COHERENCE;
    if (!is_atomic(d))
        return MODEL_ATOMICITY;
    if (!is_causal(d))
        return MODEL_CAUSALITY;
    return is_in_order(d) ? MODEL_HOLDS : MODEL_PER_LOCATION;
}

static bool is_race(const definitions *d, size_t a, size_t b)
{
    const model_event *e = &d->x->events[a], *f = &d->x->events[b];
    return a != b && count_bytes(e, f, true) > 0 &&
           (e->access != MODEL_READ || f->access != MODEL_READ) && !d->before.of[a][b] &&
           !d->before.of[b][a] && !d->strong.of[a][b];
}

/* ---- Section: Comparing ---- */

typedef struct tally {
    size_t related[6], axioms[MODEL_THIN_AIR + 1], holds[5][2], races[2];
} tally;

static void compare_orders(const definitions *d, const model_orders *orders, tally *met)
{
    const struct {
        const char *name;
        const model_relation *is;
        const square *wanted;
    } rows[] = {
        {"restricted program order", &orders->rpo, &d->rpo},
        {"moral strength", &orders->strong, &d->strong},
        {"launch order", &orders->launch, &d->launch},
        {"synchronises", &orders->synchronises, &d->sync},
        {"happens before", &orders->before, &d->before},
        {"causality", &orders->causality, &d->cause},
    };
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (size_t a = 0; a < d->x->n_events; a++)
            for (size_t b = 0; b < d->x->n_events; b++) {
                if (model_related(rows[i].is, a, b) != rows[i].wanted->of[a][b])
                    fail_msg("%s of %zu and %zu", rows[i].name, a, b);
                met->related[i] += rows[i].wanted->of[a][b];
            }
}

static void compare_pairs(const definitions *d, const model_orders *orders, tally *met)
{
    const model_execution *x = d->x;
    bool any = false;
    for (size_t a = 0; a < x->n_events; a++)
        for (size_t b = 0; b < x->n_events; b++) {
            const model_event *e = &x->events[a], *f = &x->events[b];
            bool shared = count_bytes(e, f, true) > 0, race = is_race(d, a, b);
            assert_int_equal(model_events_overlap(e, f), shared);
            assert_int_equal(model_events_cover(e, f), count_bytes(e, f, false) == 0);
            assert_int_equal(model_events_conflict(x, a, b),
                             a != b && shared && ((e->access | f->access) & MODEL_WRITE));
            assert_int_equal(model_event_includes(x, a, b), reaches(x, e, f));
            assert_int_equal(model_event_releases(e), is_release(e));
            assert_int_equal(model_event_acquires(e), is_acquire(e));
            assert_int_equal(model_writes_ordered(x, orders, a, b), d->ordered.of[a][b]);
            assert_int_equal(model_reads_before(x, orders, a, b), d->reads_before.of[a][b]);
            assert_int_equal(model_events_race(x, orders, a, b), race);
            if (race && !any) {
                size_t first, second;
                assert_true(model_find_race(x, orders, &first, &second));
                assert_int_equal(first, a);
                assert_int_equal(second, b);
            }
            any |= race;
        }
    size_t first, second;
    assert_int_equal(model_find_race(x, orders, &first, &second), any);
    met->races[any]++;
}

static void compare_axioms(const definitions *d, const model_orders *orders, tally *met)
{
    const model_execution *x = d->x;
    const bool is[] = {model_coherence_holds(x, orders), model_atomicity_holds(x, orders),
                       model_causality_holds(x, orders), model_per_location_holds(x, orders),
                       model_thin_air_holds(x)},
               wanted[] = {is_coherent(d), is_atomic(d), is_causal(d), is_in_order(d),
                           !is_out_of_thin_air(d)};
    for (size_t i = 0; i < TR_COUNT(is); i++) {
        assert_int_equal(is[i], wanted[i]);
        met->holds[i][wanted[i]]++;
    }
    model_axiom broken = first_broken(d);
    assert_int_equal(model_consistent(x, orders), broken);
    met->axioms[broken]++;
}

static void test_definitions(void **state)
{
    (void)state;
    tally met = {0};
    for (uint64_t i = 0; i < EXECUTIONS; i++) {
        uint64_t seed = i * 7919 + 11;
        tr_arena *arena = tr_arena_new();
        model_execution *x = draw_execution(arena, &seed);
        model_orders orders = model_orders_new(arena, x->n_events);
        model_orders_of_program(x, &orders);
        model_orders_of_reads(x, &orders);
        definitions d = {.x = x};
        define_program(&d);
        define_synchronisation(&d);
        define_causality(&d);
        define_reads_before(&d);
        compare_orders(&d, &orders, &met);
        compare_pairs(&d, &orders, &met);
        compare_axioms(&d, &orders, &met);
        tr_arena_free(arena);
    }
    for (size_t i = 0; i < TR_COUNT(met.related); i++)
        assert_in_range(met.related[i], 1000, SIZE_MAX);
    for (size_t i = 0; i < TR_COUNT(met.axioms); i++)
        assert_in_range(met.axioms[i], 100, SIZE_MAX);
    for (size_t i = 0; i < TR_COUNT(met.holds); i++)
        for (int holds = 0; holds < 2; holds++)
            assert_in_range(met.holds[i][holds], 100, SIZE_MAX);
    assert_in_range(met.races[0], 1000, SIZE_MAX);
    assert_in_range(met.races[1], 1000, SIZE_MAX);
}

/* ---- Section: Two accesses ---- */

/* Without events: every two accesses, orderings and scopes. */
static void test_two_accesses(void **state)
{
    static const ir_ordering orderings[] = {IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_RELEASE,
                                            IR_ACQ_REL};
    static const ir_scope scopes[] = {IR_SCOPE_NONE, IR_SCOPE_TL_BLK, IR_SCOPE_DEVICE,
                                      IR_SCOPE_SYS};
    static const bool alone[] = {[IR_SCOPE_NONE] = false,
                                 [IR_SCOPE_TL_BLK] = false,
                                 [IR_SCOPE_DEVICE] = true,
                                 [IR_SCOPE_SYS] = true};
    (void)state;
    for (unsigned i = 0; i < 9 * 25 * 16 * 8; i++) {
        unsigned rest = i;
        model_access a = (model_access)(1 + rest % 3), b = (model_access)(1 + rest / 3 % 3);
        ir_ordering oa = orderings[(rest /= 9) % 5], ob = orderings[rest / 5 % 5];
        ir_scope sa = scopes[(rest /= 25) % 4], sb = scopes[rest / 4 % 4];
        bool same = (rest /= 16) & 1, full = rest & 2, tokens = rest & 4;
        bool to_b = oa != IR_WEAK && (alone[sa] || (same && sa == IR_SCOPE_TL_BLK)),
             to_a = ob != IR_WEAK && (alone[sb] || (same && sb == IR_SCOPE_TL_BLK));
        bool conflict = a != MODEL_READ || b != MODEL_READ, strong = full && to_b && to_a;
        assert_int_equal(model_conflict(a, b), conflict);
        assert_int_equal(model_scope_includes(oa, sa, same), to_b);
        assert_int_equal(model_mutual_scope(oa, sa, ob, sb, same, full), strong);
        assert_int_equal(model_race(a, oa, sa, b, ob, sb, same, full, tokens),
                         conflict && !strong && !(same && tokens));
    }
}

/* D18, D20: which ops can be an end of a synchronisation, by what they do and whether they give a
 * value beside their token. */
static void test_ends(void **state)
{
    static const ir_ordering orderings[] = {IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_RELEASE,
                                            IR_ACQ_REL};
    (void)state;
    for (unsigned code = 0; code < IR_OP_COUNT; code++)
        for (unsigned results = 1; results <= 2; results++)
            for (size_t i = 0; i < TR_COUNT(orderings); i++) {
                ir_op op = {.code = (ir_opcode)code, .n_results = results};
                unsigned effects = ir_op_info_of(op.code)->effects;
                bool atomic = effects & IR_ATOMIC;
                bool takes = orderings[i] == IR_ACQUIRE || orderings[i] == IR_ACQ_REL,
                     gives = orderings[i] == IR_RELEASE || orderings[i] == IR_ACQ_REL;
                assert_int_equal(model_would_release(&op, orderings[i]),
                                 gives && (atomic || (effects & IR_WRITES)));
                assert_int_equal(model_would_acquire(&op, orderings[i]),
                                 takes && (atomic ? results == 2 : (effects & IR_READS) != 0));
            }
}

/* The same of ops that say their ordering. */
static void test_ends_of_ops(void **state)
{
    (void)state;
    sketch s;
    sketch_open(&s);
    ir_op *ld = load(&s, NULL), *st = store(&s, NULL);
    assert_false(model_acquires(ld));
    assert_false(model_releases(st));
    ir_set_int(ld, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics, IR_ACQUIRE);
    ir_set_int(st, IR_AT_STORE_PTR_TKO_memory_ordering_semantics, IR_RELEASE);
    assert_true(model_acquires(ld));
    assert_false(model_releases(ld));
    assert_true(model_releases(st));
    assert_false(model_acquires(st));
    sketch_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_two_accesses),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_ends_of_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

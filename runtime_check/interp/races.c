/* Races of one execution, by the axioms (A1 to A3) and brute force, yet not pair by pair: a sweep
 * over each buffer cuts it into segments that the same accesses cover, and only segments on which
 * two accesses could race at all are looked at. */
#include "interp/private.h"

#include <stdlib.h>

#define MAX_CHECKS ((uint64_t)400000000)

typedef struct class
{ /* the events of one op */
    const ir_op *op;
    model_access access;
    ir_ordering ordering;
    ir_scope scope;
    uint32_t active; /* spans of it over the segment */
} class;

typedef struct class_number {
    const ir_op *key;
    uint32_t value;
} class_number;

/* What is known of two classes; bits. */
enum pair_bits {
    CROSS_FULL = 1, /* events of two blocks race when they cover each other */
    CROSS_PART = 2, /* ... when they overlap in part */
    SAME_FULL = 4,  /* events of one block race unless a token orders them */
    SAME_PART = 8,
    CROSS_DONE = 16, /* reported */
    SAME_DONE = 32,
};

typedef struct covering { /* one access to the segment at hand */
    uint32_t instance;
    uint32_t class;
    uint32_t block;
    uint32_t node;
    uint32_t width;
    uint32_t in_tile;
    int64_t address;
} covering;

typedef struct signature {
    uint64_t key;
    bool value;
} signature;

typedef struct sweep {
    const interp_run *run;
    bool all;
    interp_race *out;
    size_t limit, found;
    class *classes;      /* stb_ds */
    uint8_t *pairs;      /* n_classes x n_classes, pair_bits */
    uint32_t *class_of;  /* by instance */
    uint32_t *present;   /* stb_ds: classes active in the segment */
    uint64_t racy_pairs; /* of classes that are active together and could race */
    uint32_t *heap;      /* stb_ds: active spans, a min-heap by their end */
    int32_t buffer;
    covering *over;                   /* stb_ds: the accesses to the segment at hand */
    bool mixed;                       /* ... do not all cover each other */
    covering *chain;                  /* stb_ds: scratch */
    const covering **first, **second; /* stb_ds: scratch */
    signature *clean; /* stb_ds map: groups of accesses of one block known to be race-free */
    uint64_t checks;
    bool partial;      /* accesses to this buffer differ in alignment or width */
    bool synchronised; /* some release was acquired */
    bool synchronisation_matters;
    uint32_t active_synchronising;
} sweep;

static int64_t span_end(const span *s)
{
    return (int64_t)((uint64_t)s->address + (uint64_t)s->count * s->width);
}

/* ---- Section: Classes ---- */

static void find_classes(sweep *w)
{
    const interp_run *run = w->run;
    class_number *numbers = NULL;
    size_t n = arrlenu(run->instances);
    w->class_of = calloc(n + 1, sizeof w->class_of[0]);
    if (!w->class_of)
        abort();
    for (size_t i = 0; i < n; i++) {
        const ir_op *op = run->instances[i].op;
        ptrdiff_t at = hmgeti(numbers, op);
        if (at < 0) {
            class c = {.op = op, .ordering = ir_memory_ordering(op), .scope = ir_memory_scope(op)};
            model_access_of(op, &c.access);
            hmput(numbers, op, (uint32_t)arrlen(w->classes));
            arrput(w->classes, c);
            at = hmgeti(numbers, op);
        }
        w->class_of[i] = numbers[at].value;
    }
    hmfree(numbers);
}

static uint8_t pair_of(const class *a, const class *b)
{
    static const struct {
        uint8_t bit;
        bool same_block, full;
    } cases[] = {{CROSS_FULL, false, true},
                 {CROSS_PART, false, false},
                 {SAME_FULL, true, true},
                 {SAME_PART, true, false}};
    uint8_t bits = 0;
    if (!model_conflict(a->access, b->access))
        return 0;
    for (size_t i = 0; i < TR_COUNT(cases); i++)
        if (!model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, cases[i].same_block,
                                cases[i].full))
            bits |= cases[i].bit;
    return bits;
}

static void find_pairs(sweep *w)
{
    size_t n = arrlenu(w->classes);
    w->pairs = calloc(n * n + 1, 1);
    if (!w->pairs)
        abort();
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            w->pairs[a * n + b] = pair_of(&w->classes[a], &w->classes[b]);
}

static uint8_t *pair(sweep *w, uint32_t a, uint32_t b)
{
    return &w->pairs[(size_t)a * arrlenu(w->classes) + b];
}

/* Could accesses of these classes race on some segment? */
static bool could_race(sweep *w, uint32_t a, uint32_t b)
{
    uint8_t wanted =
        w->partial ? CROSS_FULL | CROSS_PART | SAME_FULL | SAME_PART : CROSS_FULL | SAME_FULL;
    return *pair(w, a, b) & wanted;
}

static bool pair_done(sweep *w, uint32_t a, uint32_t b, uint8_t bit)
{
    return !w->all && *pair(w, a, b) & bit;
}

/* ---- Section: Two accesses ---- */

static interp_event event_of(const sweep *w, const covering *c)
{
    return (interp_event){.block = c->block,
                          .instance = c->instance,
                          .in_tile = c->in_tile,
                          .buffer = w->buffer,
                          .address = c->address,
                          .out_of_buffer =
                              interp_outside(w->run, w->buffer, c->address, (int)c->width)};
}

static void report(sweep *w, const covering *a, const covering *b, uint8_t done)
{
    if (w->found < w->limit)
        w->out[w->found++] = (interp_race){event_of(w, a), event_of(w, b)};
    *pair(w, a->class, b->class) |= done;
    *pair(w, b->class, a->class) |= done;
}

static bool finished(const sweep *w)
{
    return w->found >= w->limit || w->checks > MAX_CHECKS;
}

/* Do they race? They overlap, `a` was executed no later than `b`. */
static bool races(sweep *w, const covering *a, const covering *b)
{
    w->checks++;
    bool same_block = a->block == b->block;
    bool full = a->address == b->address && a->width == b->width;
    uint8_t bit = same_block ? (full ? SAME_FULL : SAME_PART) : (full ? CROSS_FULL : CROSS_PART);
    if (!(*pair(w, a->class, b->class) & bit))
        return false;
    if (a->instance == b->instance)
        return true; /* two elements of one op */
    if (same_block)
        return !tokens_reach(w->run, a->node, b->node, false);
    return !w->synchronised || !tokens_reach(w->run, a->node, b->node, true);
}

/* ---- Section: One segment ---- */

static int by_instance(const void *a, const void *b)
{
    const covering *x = a, *y = b;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    return x->in_tile < y->in_tile ? -1 : x->in_tile > y->in_tile;
}

/* Are two classes here that still have a race to show? Which, `wanted` tells by class. */
static bool worth_a_look(sweep *w)
{
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (i == j && w->classes[a].active < 2)
                continue;
            uint8_t bits = *pair(w, a, b);
            bool cross = bits & (CROSS_FULL | CROSS_PART) && !pair_done(w, a, b, CROSS_DONE);
            bool same = bits & (SAME_FULL | SAME_PART) && !pair_done(w, a, b, SAME_DONE);
            if (could_race(w, a, b) && (cross || same))
                return true;
        }
    return false;
}

static void gather(sweep *w, int64_t position)
{
    const interp_run *run = w->run;
    arrsetlen(w->over, 0);
    for (ptrdiff_t i = 0; i < arrlen(w->heap); i++) {
        const span *s = &run->spans[w->heap[i]];
        uint32_t k = (uint32_t)((uint64_t)(position - s->address) / s->width);
        const instance *n = &run->instances[s->instance];
        covering c = {.instance = s->instance,
                      .class = w->class_of[s->instance],
                      .block = n->block,
                      .node = n->node,
                      .width = s->width,
                      .in_tile = s->in_tile + k * s->step,
                      .address = (int64_t)((uint64_t)s->address + (uint64_t)k * s->width)};
        arrput(w->over, c);
    }
    qsort(w->over, arrlenu(w->over), sizeof w->over[0], by_instance);
    w->mixed = false;
    for (ptrdiff_t i = 1; i < arrlen(w->over); i++)
        w->mixed |=
            w->over[i].address != w->over[0].address || w->over[i].width != w->over[0].width;
}

/* Writes in a chain of tokens, every read between its neighbours: then all pairs are ordered, and a
 * loop of a thousand iterations costs a thousand looks, not a million. */
static bool is_chain(sweep *w, const covering *group, size_t n)
{
    const covering *write = NULL;
    size_t first_read = 0; /* reads since the last write: [first_read, i) */
    for (size_t i = 0; i < n; i++) {
        const covering *c = &group[i];
        bool writes = w->classes[c->class].access & MODEL_WRITE;
        w->checks++;
        if (write &&
            (write->instance == c->instance || !tokens_reach(w->run, write->node, c->node, false)))
            return false;
        if (!writes)
            continue;
        for (size_t r = first_read; r < i; r++)
            if (!tokens_reach(w->run, group[r].node, c->node, false))
                return false;
        write = c;
        first_read = i + 1;
    }
    return true;
}

static uint64_t hash_group(const covering *group, size_t n, int64_t position)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        uint64_t words[] = {group[i].instance, (uint64_t)(position - group[i].address),
                            group[i].width};
        for (size_t k = 0; k < TR_COUNT(words); k++) {
            h = (h ^ words[k]) * 0x9e3779b97f4a7c15u;
            h ^= h >> 29;
        }
    }
    return h;
}

/* Those of the group that are of a class, in order, into `list`. */
static const covering **members(const covering *group, size_t n, uint32_t c, const covering **list)
{
    arrsetlen(list, 0);
    for (size_t i = 0; i < n; i++)
        if (group[i].class == c)
            arrput(list, &group[i]);
    return list;
}

/* Pairs of an event and an earlier one. For each later event the earlier ones come in order, so
 * that one search through the tokens serves them all. */
static void look_back(sweep *w, const covering **later, const covering **earlier, bool same_block)
{
    uint8_t done = same_block ? SAME_DONE : CROSS_DONE;
    for (ptrdiff_t j = 0; j < arrlen(later); j++)
        for (ptrdiff_t i = 0; i < arrlen(earlier) && earlier[i] < later[j]; i++) {
            if (finished(w))
                return;
            if ((earlier[i]->block == later[j]->block) != same_block)
                continue;
            if (!races(w, earlier[i], later[j]))
                continue;
            report(w, earlier[i], later[j], done);
            if (!w->all)
                return;
        }
}

/* Are all accesses in the group that are of two classes in a chain? */
static bool pair_in_chain(sweep *w, const covering *group, size_t n, uint32_t a, uint32_t b)
{
    arrsetlen(w->chain, 0);
    for (size_t i = 0; i < n; i++)
        if (group[i].class == a || group[i].class == b)
            arrput(w->chain, group[i]);
    return is_chain(w, w->chain, arrlenu(w->chain));
}

/* A group of accesses in program order, all of one block or of several. */
static void look_at_pairs(sweep *w, const covering *group, size_t n, bool same_block)
{
    uint8_t full = same_block ? SAME_FULL : CROSS_FULL, part = same_block ? SAME_PART : CROSS_PART;
    uint8_t wanted = w->mixed ? full | part : full, done = same_block ? SAME_DONE : CROSS_DONE;
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present) && !finished(w); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (!(*pair(w, a, b) & wanted) || pair_done(w, a, b, done) ||
                (same_block && pair_in_chain(w, group, n, a, b)))
                continue;
            w->first = members(group, n, a, w->first);
            w->second = members(group, n, b, w->second);
            look_back(w, w->second, w->first, same_block);
            if (a != b && !pair_done(w, a, b, done))
                look_back(w, w->first, w->second, same_block);
        }
}

static void look_in_block(sweep *w, const covering *group, size_t n, int64_t position)
{
    uint64_t hash = hash_group(group, n, position);
    if (w->clean && hmgeti(w->clean, hash) >= 0)
        return;
    size_t before = w->found;
    if (!is_chain(w, group, n))
        look_at_pairs(w, group, n, true);
    if (w->found == before || !w->all) /* the same accesses on other bytes show nothing new */
        hmput(w->clean, hash, true);
}

/* Where any access of one class races with any of another class in another block, one access a
 * class of two different blocks is enough to find a pair. */
static void look_across(sweep *w)
{
    if (w->all || w->mixed || w->synchronised) {
        look_at_pairs(w, w->over, arrlenu(w->over), false);
        return;
    }
    size_t n_classes = arrlenu(w->classes);
    const covering **first = calloc(2 * n_classes + 1, sizeof *first), **other = first + n_classes;
    if (!first)
        abort();
    for (ptrdiff_t i = 0; i < arrlen(w->over); i++) {
        const covering *c = &w->over[i];
        if (!first[c->class])
            first[c->class] = c;
        else if (!other[c->class] && c->block != first[c->class]->block)
            other[c->class] = c;
    }
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (pair_done(w, a, b, CROSS_DONE) || !(*pair(w, a, b) & CROSS_FULL))
                continue;
            const covering *x = first[a], *y = first[b];
            if (x->block == y->block)
                y = other[b];
            if (!y)
                x = other[a], y = first[b];
            if (x && y && x->block != y->block && !finished(w))
                report(w, x->instance < y->instance ? x : y, x->instance < y->instance ? y : x,
                       CROSS_DONE);
        }
    free(first);
}

static void look(sweep *w, int64_t position)
{
    if (!worth_a_look(w))
        return;
    gather(w, position);
    size_t n = arrlenu(w->over);
    for (size_t i = 0, end; i < n && !finished(w); i = end) {
        for (end = i + 1; end < n && w->over[end].block == w->over[i].block;)
            end++;
        if (end - i > 1)
            look_in_block(w, &w->over[i], end - i, position);
    }
    if (n && w->over[0].block != w->over[n - 1].block)
        look_across(w);
}

/* ---- Section: The sweep ---- */

static void count_pairs(sweep *w, uint32_t c, bool added)
{
    uint64_t partners = 0;
    uint32_t now = w->classes[c].active;
    if ((added ? now == 2 : now == 1) && could_race(w, c, c))
        partners++;
    if (added ? now == 1 : now == 0)
        for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
            partners += w->present[i] != c && could_race(w, c, w->present[i]);
    w->racy_pairs += added ? partners : 0 - partners;
}

static void activate(sweep *w, uint32_t number)
{
    const span *s = &w->run->spans[number];
    uint32_t c = w->class_of[s->instance];
    if (w->classes[c].active++ == 0)
        arrput(w->present, c);
    w->active_synchronising += w->classes[c].ordering > IR_RELAXED;
    count_pairs(w, c, true);
    size_t at = arrlenu(w->heap);
    arrput(w->heap, number);
    for (; at; at = (at - 1) / 2) {
        uint32_t *child = &w->heap[at], *parent = &w->heap[(at - 1) / 2];
        if (span_end(&w->run->spans[*parent]) <= span_end(&w->run->spans[*child]))
            break;
        uint32_t swapped = *child;
        *child = *parent;
        *parent = swapped;
    }
}

static void retire(sweep *w)
{
    const span *s = &w->run->spans[w->heap[0]];
    uint32_t c = w->class_of[s->instance];
    if (--w->classes[c].active == 0)
        for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
            if (w->present[i] == c) {
                arrdelswap(w->present, i);
                break;
            }
    w->active_synchronising -= w->classes[c].ordering > IR_RELAXED;
    count_pairs(w, c, false);
    w->heap[0] = arrpop(w->heap);
    size_t n = arrlenu(w->heap);
    for (size_t at = 0; 2 * at + 1 < n;) {
        size_t child = 2 * at + 1;
        if (child + 1 < n &&
            span_end(&w->run->spans[w->heap[child + 1]]) < span_end(&w->run->spans[w->heap[child]]))
            child++;
        if (span_end(&w->run->spans[w->heap[at]]) <= span_end(&w->run->spans[w->heap[child]]))
            break;
        uint32_t swapped = w->heap[at];
        w->heap[at] = w->heap[child];
        w->heap[child] = swapped;
        at = child;
    }
}

/* Does an acquire or a release here meet another block? */
static void watch_synchronisation(sweep *w)
{
    if (w->synchronisation_matters || !w->active_synchronising)
        return;
    const interp_run *run = w->run;
    uint32_t block = run->instances[run->spans[w->heap[0]].instance].block;
    for (ptrdiff_t i = 1; i < arrlen(w->heap); i++)
        if (run->instances[run->spans[w->heap[i]].instance].block != block) {
            w->synchronisation_matters = true;
            return;
        }
}

typedef struct start { /* sort key of a span */
    int64_t address;
    int32_t buffer;
    uint32_t number;
} start;

static int by_start(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sweep_buffer(sweep *w, const start *starts, size_t n)
{
    w->buffer = starts[0].buffer;
    size_t next = 0;
    while ((next < n || arrlen(w->heap)) && !finished(w)) {
        int64_t position = arrlen(w->heap) ? INT64_MAX : starts[next].address;
        if (arrlen(w->heap)) {
            int64_t end = span_end(&w->run->spans[w->heap[0]]);
            position = next < n && starts[next].address < end ? starts[next].address : end;
        }
        while (arrlen(w->heap) && span_end(&w->run->spans[w->heap[0]]) <= position)
            retire(w);
        while (next < n && starts[next].address <= position)
            activate(w, starts[next++].number);
        if (!arrlen(w->heap))
            continue;
        watch_synchronisation(w);
        if (w->racy_pairs)
            look(w, position);
    }
    while (arrlen(w->heap))
        retire(w);
}

/* Per buffer, one width and one alignment: then overlap is all or nothing. */
typedef struct shape {
    uint32_t width, rest;
    bool partial;
} shape;

static shape *shapes_of(const interp_run *run)
{
    shape *shapes = calloc(arrlenu(run->buffers) + 1, sizeof *shapes);
    if (!shapes)
        abort();
    for (ptrdiff_t i = 0; i < arrlen(run->spans); i++) {
        const span *s = &run->spans[i];
        shape *b = &shapes[s->buffer + 1];
        uint32_t rest = (uint32_t)((uint64_t)s->address % s->width);
        if (!b->width)
            *b = (shape){.width = s->width, .rest = rest};
        b->partial |= b->width != s->width || b->rest != rest;
    }
    return shapes;
}

static bool has_synchronised(const interp_run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->edges); i++)
        if (run->edges[i] & EDGE_SYNCHRONISES)
            return true;
    return false;
}

static start *sorted_starts(const interp_run *run)
{
    size_t n = arrlenu(run->spans);
    start *starts = malloc((n + 1) * sizeof *starts);
    if (!starts)
        abort();
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        starts[i] = (start){run->spans[i].address, run->spans[i].buffer, (uint32_t)i};
        sorted &= i == 0 || by_start(&starts[i - 1], &starts[i]) <= 0;
    }
    if (!sorted)
        qsort(starts, n, sizeof *starts, by_start);
    return starts;
}

size_t interp_find_races(const interp_run *run, const model_choices *choices, bool all,
                         interp_race *out, size_t limit, bool *synchronisation_matters)
{
    (void)choices; /* those of the run: its token graph was built by them */
    sweep w = {.run = run, .all = all, .out = out, .limit = limit};
    find_classes(&w);
    find_pairs(&w);
    shape *shapes = shapes_of(run);
    w.synchronised = has_synchronised(run);
    start *starts = sorted_starts(run);
    size_t n = arrlenu(run->spans);
    for (size_t i = 0, end; i < n && !finished(&w); i = end) {
        for (end = i + 1; end < n && starts[end].buffer == starts[i].buffer;)
            end++;
        w.partial = shapes[starts[i].buffer + 1].partial;
        sweep_buffer(&w, &starts[i], end - i);
    }
    run->lazy->races_cut_short = w.checks > MAX_CHECKS;
    if (synchronisation_matters)
        *synchronisation_matters = w.synchronisation_matters;
    free(starts);
    free(shapes);
    free(w.class_of);
    free(w.pairs);
    arrfree(w.classes);
    arrfree(w.present);
    arrfree(w.heap);
    arrfree(w.over);
    arrfree(w.chain);
    arrfree(w.first);
    arrfree(w.second);
    hmfree(w.clean);
    return w.found;
}

bool interp_races_cut_short(const interp_run *run)
{
    return run->lazy->races_cut_short;
}

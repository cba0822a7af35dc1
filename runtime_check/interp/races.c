/* Races of one execution, by the axioms (A1 to A3) and brute force, yet not pair by pair: a sweep
 * over each buffer cuts it into segments that the same accesses cover, and only segments on which
 * two accesses could race at all are looked at. */
#include "interp/races_private.h"

#include <stdlib.h>

/* ---- Section: The sweep ---- */

static void count_pairs(sweep *w, uint32_t c, bool added)
{
    uint64_t partners = 0;
    uint32_t now = w->classes[c].active;
    if ((added ? now == 2 : now == 1) && races_possible(w, c, c))
        partners++;
    if (added ? now == 1 : now == 0)
        for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
            partners += w->present[i] != c && races_possible(w, c, w->present[i]);
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

/* Takes the span that ends first out of the heap and out of the counts of its class. The class
 * leaves the present ones with its last span. */
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
    while ((next < n || arrlen(w->heap)) && !races_finished(w)) {
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
            races_look(w, position);
    }
    while (arrlen(w->heap))
        retire(w);
}

/* The width and alignment that all accesses to a buffer share, if they do: two accesses then
 * overlap wholly or not at all. */
typedef struct shape {
    uint32_t width, rest;
    bool partial;
} shape;

static shape *shapes_of(const interp_run *run)
{
    shape *shapes = calloc(arrlenu(run->buffers) + 1, sizeof *shapes);
    if (!shapes)
        tr_no_memory();
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
        tr_no_memory();
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        starts[i] = (start){run->spans[i].address, run->spans[i].buffer, (uint32_t)i};
        sorted &= i == 0 || by_start(&starts[i - 1], &starts[i]) <= 0;
    }
    if (!sorted)
        qsort(starts, n, sizeof *starts, by_start);
    return starts;
}

size_t interp_find_races(const interp_run *run, bool all, interp_race *out, size_t limit,
                         bool *synchronisation_matters)
{
    uint64_t checks = MAX_CHECKS;
    return interp_find_races_within(run, all, out, limit, synchronisation_matters, &checks);
}

size_t interp_find_races_within(const interp_run *run, bool all, interp_race *out, size_t limit,
                                bool *synchronisation_matters, uint64_t *checks)
{
    sweep w = {.run = run,
               .all = all,
               .out = out,
               .limit = limit,
               .max_checks = *checks,
               .visited = run->lazy->visited};
    races_classify(&w);
    shape *shapes = shapes_of(run);
    w.synchronised = has_synchronised(run);
    start *starts = sorted_starts(run);
    size_t n = arrlenu(run->spans);
    for (size_t i = 0, end; i < n && !races_finished(&w); i = end) {
        for (end = i + 1; end < n && starts[end].buffer == starts[i].buffer;)
            end++;
        w.partial = shapes[starts[i].buffer + 1].partial;
        sweep_buffer(&w, &starts[i], end - i);
    }
    run->lazy->races_cut_short = races_too_many(&w);
    uint64_t used = w.checks + (run->lazy->visited - w.visited);
    *checks -= used < *checks ? used : *checks;
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

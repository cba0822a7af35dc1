/* Describes what two runs of one launch end with, where that differs, and which of their steps lead
 * there. */
#include "interp/difference.h"

#include <stdlib.h>

enum { MAX_LISTED = 256 };

/* ---- Section: Memory ---- */

typedef bool (*on_byte)(void *user, int32_t buffer, int64_t address);

static bool byte_differs(const interp_run *a, const interp_run *b, int32_t buffer, int64_t address)
{
    uint64_t x, y;
    bool in_a = memory_read((interp_run *)a, buffer, address, 1, &x);
    bool in_b = memory_read((interp_run *)b, buffer, address, 1, &y);
    if (in_a && in_b)
        return x != y;
    return in_a != in_b && a->limits.values && b->limits.values;
}

/* Bytes of pages that `pages_of` wrote; false from `each` ends it. */
static bool each_difference(const interp_run *pages_of, const interp_run *a, const interp_run *b,
                            on_byte each, void *user)
{
    for (size_t k = 0; k < arrlenu(pages_of->buffers); k++) {
        const memory_buffer *m = &pages_of->buffers[k];
        if (k >= pages_of->n_launch_buffers && !strcmp(m->name, "alloca"))
            continue; /* numbered as they come, which a schedule changes */
        if (k >= arrlenu(a->buffers) || k >= arrlenu(b->buffers) ||
            strcmp(a->buffers[k].name, b->buffers[k].name) != 0)
            continue;
        for (ptrdiff_t p = 0; p < hmlen(m->pages); p++) {
            int64_t key = m->pages[p].key, first = key * PAGE_BYTES;
            if (memory_page_equal(a, b, (int32_t)k, key))
                continue;
            for (int64_t i = 0; i < PAGE_BYTES; i++)
                if (byte_differs(a, b, (int32_t)k, first + i) && !each(user, (int32_t)k, first + i))
                    return false;
        }
    }
    return true;
}

static bool stop_there(void *user, int32_t buffer, int64_t address)
{
    (void)user, (void)buffer, (void)address;
    return false;
}

bool difference_between(const interp_run *a, const interp_run *b)
{
    return !each_difference(a, a, b, stop_there, NULL) ||
           !each_difference(b, a, b, stop_there, NULL);
}

/* ---- Section: Showing ---- */

/* Spans of an instance: [first, end) in run->spans. They come in order of instances. */
static void spans_of(const interp_run *run, uint32_t number, size_t *first, size_t *end)
{
    size_t low = 0, high = arrlenu(run->spans);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->spans[middle].instance < number)
            low = middle + 1;
        else
            high = middle;
    }
    for (*first = *end = low; *end < arrlenu(run->spans) && run->spans[*end].instance == number;)
        ++*end;
}

static bool steps_conflict(const interp_run *run, uint32_t a, uint32_t b)
{
    size_t first_a, end_a, first_b, end_b;
    model_access x, y;
    if (!model_access_of(run->instances[a].op, &x) || !model_access_of(run->instances[b].op, &y) ||
        !model_conflict(x, y))
        return false;
    spans_of(run, a, &first_a, &end_a);
    spans_of(run, b, &first_b, &end_b);
    for (size_t i = first_a; i < end_a; i++)
        for (size_t j = first_b; j < end_b; j++) {
            const span *s = &run->spans[i], *t = &run->spans[j];
            if (s->buffer == t->buffer && s->address < t->address + (int64_t)t->count * t->width &&
                t->address < s->address + (int64_t)s->count * s->width)
                return true;
        }
    return false;
}

static uint32_t last_writer(const interp_run *run, int32_t buffer, int64_t address, int *width,
                            int64_t *start)
{
    for (size_t i = arrlenu(run->spans); i-- > 0;) {
        const span *s = &run->spans[i];
        model_access does;
        if (s->buffer != buffer || address < s->address ||
            address >= s->address + (int64_t)s->count * s->width ||
            !model_access_of(run->instances[s->instance].op, &does) || !(does & MODEL_WRITE))
            continue;
        *width = (int)s->width;
        *start = address - (address - s->address) % s->width;
        return s->instance; /* instances of a scheduled run are its steps */
    }
    return UINT32_MAX;
}

typedef struct listing {
    const interp_run *runs[2];
    interp_differing *elements; /* stb_ds */
    size_t n;
    int32_t last_buffer;
    int64_t last_end;
} listing;

static int by_place(const void *a, const void *b)
{
    const interp_differing *x = a, *y = b;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static bool list_byte(void *user, int32_t buffer, int64_t address)
{
    listing *l = user;
    if (buffer == l->last_buffer && address < l->last_end)
        return true; /* of the element before */
    int width = 1, ignored_width = 1;
    int64_t start = address, ignored;
    interp_differing d = {.buffer = buffer};
    d.writers[0] = last_writer(l->runs[0], buffer, address, &width, &start);
    d.writers[1] = last_writer(l->runs[1], buffer, address, &ignored_width, &ignored);
    if (d.writers[0] == UINT32_MAX)
        width = 1;
    d.address = start;
    d.width = width;
    l->last_buffer = buffer;
    l->last_end = start + width;
    l->n++;
    if (arrlen(l->elements) >= MAX_LISTED)
        return true;
    for (int i = 0; i < 2; i++)
        d.open[i] = !interp_read_back(l->runs[i], buffer, start, width, &d.values[i]);
    arrput(l->elements, d);
    return true;
}

/* Marks the steps that the swapped steps lead to, and that lead to the last write of an element
 * that differs: by the same bytes, or later in one block. */
static void mark_steps(const interp_run *run, interp_shown_step *shown, size_t n, size_t at,
                       bool adjacent, const listing *l, int side, uint32_t unseen)
{
    bool *after = calloc(2 * n + 1, sizeof *after), *before = after + n;
    if (!after)
        tr_no_memory();
    for (size_t j = at; j < n; j++) {
        after[j] = j == at || (adjacent && j == at + 1);
        for (size_t i = at; i < j && !after[j]; i++)
            after[j] = after[i] &&
                       ((shown[i].block == shown[j].block && shown[i].number < shown[j].number) ||
                        steps_conflict(run, (uint32_t)i, (uint32_t)j));
    }
    for (ptrdiff_t k = 0; k < arrlen(l->elements); k++)
        if (l->elements[k].writers[side] < n)
            before[l->elements[k].writers[side]] = true;
    for (size_t i = n; i-- > at;)
        for (size_t j = i + 1; j < n && !before[i]; j++)
            before[i] = before[j] &&
                        ((shown[i].block == shown[j].block && shown[i].number < shown[j].number) ||
                         steps_conflict(run, (uint32_t)i, (uint32_t)j));
    for (size_t i = 0; i < n; i++)
        shown[i].matters =
            (i >= at && after[i] && before[i]) || i == at || (adjacent && i == at + 1);
    for (size_t i = at; unseen && at < n && i-- > 0;)
        if (steps_conflict(run, (uint32_t)i, (uint32_t)at)) {
            shown[i].matters = true;
            unseen--;
        }
    free(after);
}

static const interp_shown_step *show_steps(search *s, const interp_run *run, size_t *n)
{
    const interp_step *steps;
    *n = interp_steps(run, &steps);
    interp_shown_step *shown = TR_NEW_ARRAY(s->arena, interp_shown_step, *n + 1);
    const int64_t *grid = s->launch->grid;
    uint64_t own = (uint64_t)grid[0] * (uint64_t)grid[1] * (uint64_t)grid[2];
    for (size_t i = 0; i < *n; i++) {
        const instance *made = &run->instances[steps[i].instance];
        shown[i].block = steps[i].block;
        shown[i].number = steps[i].number;
        shown[i].stale = steps[i].stale;
        shown[i].backwards = steps[i].backwards;
        shown[i].op = made->op;
        shown[i].before = steps[i].block >= own;
        shown[i].n_loops = made->n_loops;
        if (made->n_loops)
            memcpy(shown[i].iterations, &run->pool[made->pool],
                   sizeof shown[i].iterations[0] * made->n_loops);
    }
    return shown;
}

interp_difference *difference_describe(search *s, const pair_of_runs *p, size_t at, bool adjacent)
{
    interp_difference *d = TR_NEW(s->arena, interp_difference);
    d->runs = s->spent.runs;
    d->at = at;
    d->adjacent = adjacent;
    d->n_blocks = s->n_blocks;
    d->blocks = tr_arena_copy(s->arena, s->blocks, sizeof s->blocks[0] * s->n_blocks);
    listing l = {.runs = {p->runs[0], p->runs[1]}, .last_buffer = NO_BUFFER};
    each_difference(p->runs[0], p->runs[0], p->runs[1], list_byte, &l);
    if (!l.n) /* only the second wrote there */
        each_difference(p->runs[1], p->runs[0], p->runs[1], list_byte, &l);
    if (l.elements)
        qsort(l.elements, arrlenu(l.elements), sizeof l.elements[0], by_place);
    d->n_elements = l.n;
    d->n_listed = arrlenu(l.elements);
    d->elements = tr_arena_copy(s->arena, l.elements, sizeof l.elements[0] * d->n_listed);
    enum { MAX_MARKED = 4096 }; /* steps whose dependence is worth finding out */
    uint32_t unseen = 0;        /* writes that one of the schedules does not see where they part */
    for (int i = 0; i < 2; i++) {
        d->steps[i] = show_steps(s, p->runs[i], &d->n_steps[i]);
        if (at < d->n_steps[i] && d->steps[i][at].stale > unseen)
            unseen = d->steps[i][at].stale;
    }
    for (int i = 0; i < 2; i++)
        if (d->n_steps[i] <= MAX_MARKED)
            mark_steps(p->runs[i], (interp_shown_step *)d->steps[i], d->n_steps[i], at, adjacent,
                       &l, i, unseen);
    arrfree(l.elements);
    return d;
}

/* Finds who writes which element: the events of a run, element by element, summed up in cells. */
#include "checking/picture_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "interp/interp.h"
#include "launch/from_contract.h"

enum {
    MOST_QUESTIONS = 20000, /* of pairs whether one happens before the other */
    MOST_RACES = 256,
    PIECES = 256, /* of a buffer without a shape and without tiles */
};

typedef struct element_state {
    uint32_t first, last; /* instances that wrote it, by two tile blocks, plus 1; 0: none */
    bool several;         /* tile blocks */
    bool plain;           /* some write of it is no atomic */
    bool race;
} element_state;

typedef struct pair_key {
    uint32_t a, b;
} pair_key;

typedef struct pair_answer { /* stb_ds map entry */
    pair_key key;
    bool value;
} pair_answer;

typedef struct following {
    const picture_task *t;
    const concrete_launch *launch;
    const interp_run *run;
    picture_trace *trace;
    picture_buffer *of[64]; /* by number of a buffer; NULL: not drawn */
    element_state *elements[PICTURE_BUFFERS];
    int64_t n_elements[PICTURE_BUFFERS];
    int64_t *ends; /* of each buffer: how far it is written, in bytes */
    pair_answer *asked;
    bool races; /* the run has any */
} following;

/* ---- Section: The shape of a buffer ---- */

/* Is the tensor free of overlapping rows: does each larger stride step over everything that the
 * smaller ones reach? */
static bool is_apart(const picture_buffer *b)
{
    for (int d = 0; d < b->rank; d++) {
        int64_t reach = 1;
        for (int e = 0; e < b->rank; e++)
            if (e != d && (b->stride[e] < b->stride[d] || (b->stride[e] == b->stride[d] && e > d)))
                reach += (b->shape[e] - 1) * b->stride[e];
        if (b->stride[d] < reach && b->shape[d] > 1)
            return false;
    }
    return true;
}

static bool take_tensor(concrete_launch_values *v, const ix_access *a, picture_buffer *b)
{
    const ix_tensor *tensor = a->tensor;
    smt_int start, extent, stride, n = 1;
    if (!tensor || a->rank != tensor->rank || tensor->rank < 1 || tensor->width != b->width ||
        !smt_eval(tensor->bytes, concrete_launch_lookup, v, &start) || start < 0 ||
        start % tensor->width)
        return false;
    for (int d = 0; d < tensor->rank; d++) {
        if (!smt_eval(tensor->shape[d], concrete_launch_lookup, v, &extent) || extent < 1 ||
            !smt_eval(tensor->stride[d], concrete_launch_lookup, v, &stride) || stride < 0 ||
            stride > INT32_MAX || (n *= extent) > PICTURE_ELEMENTS)
            return false;
        b->shape[d] = (int64_t)extent;
        b->stride[d] = (int64_t)stride;
        b->tile[d] = a->tile[d];
    }
    b->rank = tensor->rank;
    b->start = (int64_t)(start / tensor->width);
    return is_apart(b);
}

/* A row of pieces, as long as the tiles that are written there. */
static void take_flat(const following *f, picture_buffer *b, int64_t tile)
{
    const interp_buffer *buffer = &f->launch->buffers[b->number];
    int64_t bytes = buffer->unbounded ? f->ends[b->number] : buffer->bytes;
    int64_t n = (bytes + b->width - 1) / b->width;
    b->flat = true;
    b->rank = 1;
    b->start = 0;
    b->stride[0] = 1;
    b->shape[0] = n > 0 ? n : 1;
    b->tile[0] = tile > 0 ? tile : (b->shape[0] + PIECES - 1) / PIECES;
}

/* Returns the element's place in the tensor, row-major; -1: it is not in the tensor. Strides of 0
 * and of dimensions of extent 1 say nothing. */
static int64_t place_of(const picture_buffer *b, int64_t element, int64_t *coordinate)
{
    int64_t rest = element - b->start, place = 0;
    bool done[IR_MAX_RANK] = {0};
    for (int k = 0; k < b->rank; k++) { /* the largest stride first */
        int d = -1;
        for (int e = 0; e < b->rank; e++)
            if (!done[e] && (d < 0 || b->stride[e] > b->stride[d]))
                d = e;
        done[d] = true;
        coordinate[d] = b->shape[d] > 1 && b->stride[d] > 0 ? rest / b->stride[d] : 0;
        if (rest < 0 || coordinate[d] >= b->shape[d])
            return -1;
        rest -= coordinate[d] * b->stride[d];
    }
    if (rest != 0)
        return -1;
    for (int d = 0; d < b->rank; d++)
        place = place * b->shape[d] + coordinate[d];
    return place;
}

static size_t cell_at(const picture_buffer *b, const int64_t *coordinate)
{
    size_t cell = 0;
    for (int d = 0; d < b->rank; d++)
        cell = cell * (size_t)b->counts[d] + (size_t)(coordinate[d] / b->tile[d] / b->merged[d]);
    return cell;
}

int64_t picture_cell(const picture_buffer *b, int64_t element)
{
    int64_t coordinate[IR_MAX_RANK];
    return place_of(b, element, coordinate) < 0 ? -1 : (int64_t)cell_at(b, coordinate);
}

/* One cell a tile, or several tiles where there would be too many. */
static void lay_out(picture_buffer *b)
{
    for (int d = 0; d < b->rank; d++)
        b->merged[d] = 1;
    for (;;) {
        int longest = 0;
        b->n_cells = 1;
        for (int d = 0; d < b->rank; d++) {
            int64_t each = b->tile[d] * b->merged[d];
            b->counts[d] = (b->shape[d] + each - 1) / each;
            b->n_cells *= (size_t)b->counts[d];
            if (b->counts[d] > b->counts[longest])
                longest = d;
        }
        if (b->n_cells <= PICTURE_CELLS)
            return;
        b->merged[longest] *= 2;
    }
}

/* ---- Section: Which buffers ---- */

static model_access access_of(const following *f, uint32_t instance)
{
    model_access access = 0;
    return model_access_of(interp_op_of(f->run, instance), &access) ? access : 0;
}

static bool is_write(const following *f, const interp_event *e)
{
    return e->buffer >= 0 && (size_t)e->buffer < f->launch->n_buffers && !e->out_of_buffer &&
           (access_of(f, e->instance) & MODEL_WRITE);
}

static int width_of(const summary *s, const char *name)
{
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *a = &s->accesses[i];
        if (a->writes && a->allocation >= 0 && !a->half &&
            strcmp(s->allocations[a->allocation].name, name) == 0)
            return a->width;
    }
    return 1;
}

static int64_t elements_of(const ix_access *a)
{
    int64_t n = 1;
    for (int d = 0; d < a->rank; d++)
        n *= a->tile[d];
    return n;
}

/* Every write of the run lies in the tensor. */
static bool covers_all(const following *f, const picture_buffer *b, size_t n,
                       const interp_event *events)
{
    int64_t coordinate[IR_MAX_RANK];
    for (size_t i = 0; i < n; i++)
        if (events[i].buffer == b->number && is_write(f, &events[i]) &&
            (events[i].address % b->width ||
             place_of(b, events[i].address / b->width, coordinate) < 0))
            return false;
    return true;
}

static void shape_buffer(following *f, const summary *s, picture_buffer *b, size_t n,
                         const interp_event *events)
{
    concrete_launch_values v = {f->t->input->ctx, f->t->kernel->contract, f->launch};
    int64_t tile = 0;
    b->width = width_of(s, b->name);
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *a = &s->accesses[i];
        if (!a->writes || a->allocation < 0 ||
            strcmp(s->allocations[a->allocation].name, b->name) != 0)
            continue;
        if (take_tensor(&v, a, b) && covers_all(f, b, n, events)) {
            lay_out(b);
            return;
        }
        tile = tile ? tile : elements_of(a);
    }
    take_flat(f, b, tile);
    lay_out(b);
}

static bool is_written(const following *f, const summary *s, size_t buffer)
{
    for (size_t i = 0; i < s->n_allocations; i++)
        if (s->allocations[i].space == IX_ARGUMENT && s->allocations[i].written &&
            strcmp(s->allocations[i].name, f->launch->buffers[buffer].name) == 0)
            return true;
    return f->ends[buffer] > 0;
}

/* Lists the buffers that the kernel writes, up to PICTURE_BUFFERS of them; trace->why says if they
 * are too large. */
static void find_buffers(following *f, size_t n, const interp_event *events)
{
    picture_trace *trace = f->trace;
    tr_arena *arena = f->t->input->arena;
    summary *s =
        summary_build(arena, f->t->input->ctx, f->t->kernel->function, f->t->kernel->contract);
    int64_t sum = 0;
    for (size_t i = 0; i < f->launch->n_buffers && i < TR_COUNT(f->of); i++) {
        if (!is_written(f, s, i))
            continue;
        if (trace->n == PICTURE_BUFFERS) {
            trace->more++;
            continue;
        }
        picture_buffer *b = &trace->buffers[trace->n];
        *b = (picture_buffer){.number = (int)i, .name = f->launch->buffers[i].name};
        shape_buffer(f, s, b, n, events);
        int64_t elements = 1;
        for (int d = 0; d < b->rank; d++)
            elements *= b->shape[d];
        sum += elements;
        if (sum > PICTURE_ELEMENTS) {
            trace->why = "the arrays that it writes are too large to follow every element";
            break;
        }
        f->n_elements[trace->n] = elements;
        f->of[i] = b;
        trace->n++;
    }
    summary_free(s);
}

/* ---- Section: Writes ---- */

/* Are the two instances, of two tile blocks, unordered and not strong enough for each other? */
static bool is_race(following *f, uint32_t a, uint32_t b)
{
    pair_key key = {a < b ? a : b, a < b ? b : a};
    ptrdiff_t at = hmgeti(f->asked, key);
    if (at >= 0)
        return f->asked[at].value;
    const ir_op *x = interp_op_of(f->run, a), *y = interp_op_of(f->run, b);
    bool race =
        model_race(access_of(f, a), ir_memory_ordering(x), ir_memory_scope(x), access_of(f, b),
                   ir_memory_ordering(y), ir_memory_scope(y), false, true, false);
    if (race && hmlenu(f->asked) < MOST_QUESTIONS)
        race = !interp_happens_before(f->run, a, b) && !interp_happens_before(f->run, b, a);
    else if (race)
        race = f->races;
    pair_answer answer = {key, race};
    hmputs(f->asked, answer);
    return race;
}

static void note_write(following *f, element_state *e, uint32_t instance)
{
    uint32_t block = interp_instance_of(f->run, instance)->block;
    const uint32_t before[2] = {e->first, e->last};
    e->plain |= access_of(f, instance) != MODEL_UPDATE;
    for (int i = 0; i < 2; i++) {
        if (before[i] == 0 || interp_instance_of(f->run, before[i] - 1)->block == block)
            continue;
        e->several = true;
        e->race = e->race || is_race(f, before[i] - 1, instance);
    }
    if (!e->first)
        e->first = instance + 1;
    e->last = instance + 1;
}

static void follow_writes(following *f, size_t n, const interp_event *events)
{
    for (size_t i = 0; i < n; i++) {
        const interp_event *event = &events[i];
        if (!is_write(f, event) || !f->of[event->buffer])
            continue;
        picture_buffer *b = f->of[event->buffer];
        int64_t coordinate[IR_MAX_RANK];
        int64_t at = place_of(b, event->address / b->width, coordinate);
        if (at < 0)
            continue;
        note_write(f, &f->elements[b - f->trace->buffers][at], event->instance);
        uint32_t block = interp_instance_of(f->run, event->instance)->block;
        uint32_t **owners = &b->owners[cell_at(b, coordinate)];
        if (arrlenu(*owners) == 0 || arrlast(*owners) != block)
            arrput(*owners, block);
    }
}

/* Also those between a write and a read, and those inside one tile block. */
static void take_races(following *f)
{
    interp_race races[MOST_RACES];
    bool order_matters;
    size_t n = interp_find_races(f->run, false, races, MOST_RACES, &order_matters);
    f->races = n > 0;
    for (size_t i = 0; i < n; i++) {
        const interp_event *sides[2] = {&races[i].a, &races[i].b};
        for (int k = 0; k < 2; k++) {
            picture_buffer *b = sides[k]->buffer >= 0 && !sides[k]->out_of_buffer &&
                                        (size_t)sides[k]->buffer < f->launch->n_buffers
                                    ? f->of[sides[k]->buffer]
                                    : NULL;
            int64_t coordinate[IR_MAX_RANK];
            int64_t at = b ? place_of(b, sides[k]->address / b->width, coordinate) : -1;
            if (at >= 0)
                f->elements[b - f->trace->buffers][at].race = true;
        }
    }
}

/* ---- Section: Cells ---- */

static int compare_blocks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_owners(picture_buffer *b, size_t cell)
{
    uint32_t *owners = b->owners[cell];
    size_t n = arrlenu(owners), kept = 0;
    if (n == 0)
        return;
    qsort(owners, n, sizeof *owners, compare_blocks);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || owners[i] != owners[kept - 1])
            owners[kept++] = owners[i];
    arrsetlen(b->owners[cell], kept);
}

static void next_coordinate(const picture_buffer *b, int64_t *coordinate)
{
    for (int d = b->rank; d-- > 0;) {
        if (++coordinate[d] < b->shape[d])
            return;
        coordinate[d] = 0;
    }
}

static void sum_up(following *f, size_t which, bool whole)
{
    picture_buffer *b = &f->trace->buffers[which];
    int64_t coordinate[IR_MAX_RANK] = {0};
    for (int64_t i = 0; i < f->n_elements[which]; i++) {
        const element_state *e = &f->elements[which][i];
        size_t cell = cell_at(b, coordinate);
        b->twice[cell] += e->several && e->plain;
        b->atomic[cell] += e->several && !e->plain;
        b->race[cell] += e->race;
        b->unwritten[cell] += whole && !e->first;
        next_coordinate(b, coordinate);
    }
    for (size_t cell = 0; cell < b->n_cells; cell++) {
        sort_owners(b, cell);
        f->trace->n_owners += arrlenu(b->owners[cell]);
    }
}

static void make_room(following *f, size_t which)
{
    picture_buffer *b = &f->trace->buffers[which];
    tr_arena *arena = f->t->input->arena;
    f->elements[which] = calloc((size_t)f->n_elements[which] + 1, sizeof *f->elements[which]);
    if (!f->elements[which])
        tr_no_memory();
    b->owners = TR_NEW_ARRAY(arena, uint32_t *, b->n_cells);
    uint32_t **counts[] = {&b->twice, &b->race, &b->unwritten, &b->atomic};
    for (size_t i = 0; i < TR_COUNT(counts); i++)
        *counts[i] = TR_NEW_ARRAY(arena, uint32_t, b->n_cells);
}

picture_trace picture_follow(const picture_task *t, const concrete_launch *launch,
                             const interp_run *run, bool whole)
{
    picture_trace trace = {0};
    following f = {.t = t, .launch = launch, .run = run, .trace = &trace};
    const interp_event *events;
    size_t n = interp_events(run, &events);
    f.ends = TR_NEW_ARRAY(t->input->arena, int64_t, launch->n_buffers + 1);
    for (size_t i = 0; i < n; i++)
        if (is_write(&f, &events[i]) && events[i].address >= f.ends[events[i].buffer])
            f.ends[events[i].buffer] = events[i].address + 1;
    find_buffers(&f, n, events);
    if (!trace.why && trace.n == 0)
        trace.why = "it writes to no array of its arguments";
    if (trace.why)
        return trace;
    for (size_t i = 0; i < trace.n; i++)
        make_room(&f, i);
    take_races(&f);
    follow_writes(&f, n, events);
    for (size_t i = 0; i < trace.n; i++) {
        sum_up(&f, i, whole);
        free(f.elements[i]);
    }
    hmfree(f.asked);
    return trace;
}

void picture_trace_free(picture_trace *trace)
{
    for (size_t i = 0; i < trace->n; i++)
        for (size_t cell = 0; trace->buffers[i].owners && cell < trace->buffers[i].n_cells; cell++)
            arrfree(trace->buffers[i].owners[cell]);
}

/* Launches that both contracts allow, and what both kernels leave at them. */
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"
#include "launch/from_contract.h"
#include "launch/meets.h"
#include "launch/search.h"

#define MOST_BLOCKS    ((int64_t)512)
#define MOST_ELEMENTS  ((int64_t)1 << 16) /* of all buffers of one launch */
#define MOST_STEPS     ((uint64_t)8 << 20)
#define DEFAULT_WANTED 10

static size_t wanted(const comparing *c)
{
    return c->s->options->samples ? c->s->options->samples : DEFAULT_WANTED;
}

static run_target target_of(const comparing *c, int side, const concrete_launch *launch)
{
    const compare_side *of = &c->side[side];
    return (run_target){
        .s = c->s, .input = (loaded *)&of->input, .kernel = of->kernel, .launch = launch};
}

/* ---- Section: The launch of the other kernel ---- */

/* An axis of which nobody says anything has the extent that the other launch has, where the kernel
 * reads it. */
static int64_t extent_of(const compare_side *of, const concrete_launch *other, int axis)
{
    if (of->kernel->contract->grid[axis])
        return 0;
    return concrete_reads_axis(of->function, axis) ? other->grid[axis] : 1;
}

/* The launch of `side` with the numbers that `from`, one of the other kernel, has; those that it
 * has not are of `own`, a launch of this kernel. NULL: its contract does not allow it. */
static const concrete_launch *counterpart(const comparing *c, int side, const concrete_launch *from,
                                          const concrete_launch *own)
{
    const compare_side *of = &c->side[side];
    tr_arena *arena = of->input.arena;
    size_t n = of->function->body->n_args;
    int64_t *scalars = TR_NEW_ARRAY(arena, int64_t, n + 1), grid[3];
    for (size_t i = 0; i < n; i++) {
        int other = c->match.other[side][i];
        scalars[i] = other >= 0 ? from->args[other].value : own ? own->args[i].value : 1;
    }
    for (int axis = 0; axis < 3; axis++)
        grid[axis] = extent_of(of, from, axis);
    const char *why;
    interp_filling filling = {.seed = c->s->options->seed};
    if (!concrete_launch_holds(of->input.ctx, of->kernel->contract, scalars, grid))
        return NULL;
    return concrete_launch_from(arena, of->input.ctx, of->function, of->kernel->contract, grid,
                                scalars, &filling, &why);
}

/* ---- Section: Contents ---- */

/* Numbers that a sum rounds, every second time of one sign: a logarithm has a value there, too. */
static void fill(gpu_plan *plan, size_t number)
{
    for (size_t i = 0; i < plan->n_buffers; i++)
        if (plan_element_is_float(plan->buffers[i].element) &&
            plan->buffers[i].fill != GPU_FILL_RAW)
            plan->buffers[i].fill = number % 2 ? GPU_FILL_SMALL : GPU_FILL_RANDOM;
}

static void take_shape(const comparing *c, int side, size_t arg, const concrete_launch *launch,
                       gpu_buffer *b)
{
    const compare_side *of = &c->side[side];
    concrete_launch_values values = {of->input.ctx, of->kernel->contract, launch};
    for (size_t i = 0; i < arrlenu(of->summary->accesses) && b->rank == 0; i++) {
        const ix_tensor *tensor = of->summary->accesses[i].tensor;
        if (!tensor || tensor->arg != (int)arg || tensor->rank > GPU_MAX_RANK)
            continue;
        smt_int extent, all = 1;
        bool good = true;
        for (int d = 0; d < tensor->rank && good; d++) {
            good = smt_eval(tensor->shape[d], concrete_launch_lookup, &values, &extent) &&
                   extent > 0 && extent < INT32_MAX;
            b->shape[d] = good ? (uint64_t)extent : 0;
            all *= good ? extent : 1;
        }
        if (good && all * tensor->width == (smt_int)b->bytes)
            b->rank = tensor->rank;
    }
}

uint64_t compare_permuted(const gpu_buffer *b, const int *axes, uint64_t at)
{
    uint64_t coordinate[GPU_MAX_RANK], to = 0;
    for (int d = b->rank; d-- > 0;) {
        coordinate[d] = at % b->shape[d];
        at /= b->shape[d];
    }
    for (int d = 0; d < b->rank; d++)
        to = to * b->shape[axes[d]] + coordinate[axes[d]];
    return to;
}

/* B's buffer gets what A's holds, in its own order of axes. */
static bool share(const comparing *c, size_t pair, compare_sample *s)
{
    const int *arrays = c->match.arrays[pair];
    const compare_side *b_side = &c->side[COMPARE_B];
    gpu_buffer *a = &s->plan[0]->buffers[s->plan[0]->args[arrays[0]].buffer];
    gpu_buffer *b = &s->plan[1]->buffers[s->plan[1]->args[arrays[1]].buffer];
    if (a->element != b->element)
        return false;
    uint64_t had = a->bytes, bytes = had > b->bytes ? had : b->bytes;
    a->bytes = b->bytes = bytes;
    bool reads[2] = {c->side[0].reads[arrays[0]], b_side->reads[arrays[1]]};
    bool written = c->side[0].writes[arrays[0]] || b_side->writes[arrays[1]];
    if (a->fill == GPU_FILL_RAW) { /* integers, as long as A's contract says */
        unsigned char *data = tr_arena_alloc(c->side[0].input.arena, bytes);
        memcpy(data, a->data, had);
        a->data = data;
    }
    if (c->match.starts_zero[pair])
        a->fill = GPU_FILL_ZEROS;
    else if (written && !reads[0] && !reads[1])
        a->fill = GPU_FILL_UNDEFINED;
    take_shape(c, COMPARE_A, (size_t)arrays[0], s->target[0].launch, a);
    b->fill = a->fill;
    b->seed = a->seed;
    if (a->fill == GPU_FILL_UNDEFINED || a->fill == GPU_FILL_ZEROS)
        return true;
    size_t width = (size_t)plan_element_bytes(a->element);
    unsigned char *data = tr_arena_alloc(b_side->input.arena, bytes),
                  *filled = tr_arena_alloc(b_side->input.arena, bytes);
    plan_fill_bytes(a, filled);
    const int *axes = c->match.axes[pair];
    for (uint64_t i = 0; i < bytes / width; i++) {
        uint64_t to = axes && a->rank == c->match.rank[pair] ? compare_permuted(a, axes, i) : i;
        memcpy(data + to * width, filled + i * width, width);
    }
    b->fill = GPU_FILL_RAW;
    b->data = data;
    return true;
}

/* A number that both have is the same in both, floats by their bits. */
static void share_numbers(const comparing *c, compare_sample *s)
{
    for (size_t i = 0; i < s->plan[0]->n_args; i++) {
        int other = c->match.other[COMPARE_A][i];
        if (other >= 0 && s->plan[0]->args[i].buffer < 0 &&
            s->plan[0]->args[i].width == s->plan[1]->args[other].width)
            s->plan[1]->args[other].bits = s->plan[0]->args[i].bits;
    }
}

/* ---- Section: One sample ---- */

static bool is_known(const comparing *c, const concrete_launch *const *launches)
{
    for (size_t i = 0; i < arrlenu(c->samples); i++) {
        const compare_sample *s = &c->samples[i];
        bool same = true;
        for (int side = 0; side < 2 && same; side++) {
            same = memcmp(s->launch[side].grid, launches[side]->grid,
                          sizeof launches[side]->grid) == 0;
            for (size_t k = 0; k < launches[side]->n_args && same; k++)
                same = launches[side]->args[k].buffer >= 0 ||
                       s->launch[side].args[k].value == launches[side]->args[k].value;
        }
        if (same)
            return true;
    }
    return false;
}

static bool is_small(const comparing *c, const concrete_launch *const *launches)
{
    const interp_limits limits = {.steps = MOST_STEPS};
    for (int side = 0; side < 2; side++) {
        run_target t = target_of(c, side, launches[side]);
        if (concrete_launch_blocks(launches[side]) > MOST_BLOCKS ||
            concrete_stated_bytes(launches[side]) > 8 * MOST_ELEMENTS ||
            !run_ends_within(&t, launches[side], &limits))
            return false;
    }
    return true;
}

/* Does the kernel do what is undefined with the smallest grid, too? So no choice of a grid that
 * nobody states keeps it from that. */
static bool is_undefined_with_any_grid(const comparing *c, int side, const compare_sample *s)
{
    concrete_launch smallest = s->launch[side];
    for (int axis = 0; axis < 3; axis++)
        if (!c->side[side].kernel->contract->grid[axis])
            smallest.grid[axis] = 1;
    tr_arena *arena = tr_arena_new();
    outcome o = compare_execute(c, side, s, &smallest, MOST_STEPS, arena, NULL);
    bool is_undefined = o.is_undefined;
    tr_arena_free(arena);
    return is_undefined;
}

/* Nothing can be said at a launch where neither is defined, or one of them only since nobody says
 * with which grid it is launched. */
static bool is_outside(const comparing *c, const compare_sample *s)
{
    bool undefined[2], ends[2];
    for (int side = 0; side < 2; side++) {
        undefined[side] = s->outcome[side].is_undefined;
        ends[side] = s->outcome[side].status == INTERP_DONE;
        if (s->outcome[side].status == INTERP_LIMIT ||
            s->outcome[side].status == INTERP_UNSUPPORTED)
            return true;
    }
    if ((undefined[0] && undefined[1]) || (!ends[0] && !ends[1]))
        return true;
    for (int side = 0; side < 2; side++)
        if (undefined[side])
            return !is_undefined_with_any_grid(c, side, s);
    return false;
}

static bool prepare(const comparing *c, compare_sample *s, size_t number,
                    const concrete_launch *const *launches, const char **why)
{
    for (int side = 0; side < 2; side++) {
        s->target[side] = target_of(c, side, launches[side]);
        s->plan[side] = run_plan(&s->target[side], why);
        if (!s->plan[side])
            return false;
        fill(s->plan[side], number);
    }
    *why = "an array has elements of other types in the two kernels";
    for (size_t i = 0; i < c->match.n_arrays; i++)
        if (!share(c, i, s))
            return false;
    share_numbers(c, s);
    for (int side = 0; side < 2; side++) {
        s->launch[side] = run_filled_launch(&s->target[side], s->plan[side]);
        if (!concrete_launch_meets(c->side[side].input.ctx, c->side[side].function,
                                   c->side[side].kernel->contract, &s->launch[side], why))
            return false;
    }
    return true;
}

bool compare_redo(const comparing *c, compare_sample *s)
{
    const concrete_launch *launches[2] = {s->target[0].launch, s->target[1].launch};
    const char *why;
    return prepare(c, s, s->number, launches, &why);
}

static void take(comparing *c, const concrete_launch *a, const concrete_launch *b)
{
    const concrete_launch *launches[2] = {a, b};
    const char *why = NULL;
    compare_sample s = {.number = arrlenu(c->samples)};
    if (is_known(c, launches) || !is_small(c, launches) ||
        !prepare(c, &s, s.number, launches, &why)) {
        c->into->why = why ? tr_arena_strdup(c->s->arena, why) : c->into->why;
        return;
    }
    s.words = tr_arena_strdup(
        c->s->arena, run_launch_words(c->arena, &s.target[0], s.target[0].launch, s.plan[0]));
    for (int side = 0; side < 2; side++)
        s.outcome[side] = compare_execute(c, side, &s, &s.launch[side], 0, c->arena, NULL);
    if (is_outside(c, &s)) {
        c->into->n_outside++;
        return;
    }
    s.differs = compare_outcomes(c, &s.outcome[0], &s.outcome[1], &c->bits_differ).is_there;
    arrput(c->samples, s);
}

/* ---- Section: All of them ---- */

static int64_t size_of(const compare_sample *s)
{
    return concrete_stated_bytes(&s->launch[0]) +
           64 * (concrete_launch_blocks(&s->launch[0]) + concrete_launch_blocks(&s->launch[1]));
}

static int smallest_first(const void *x, const void *y)
{
    int64_t a = size_of(x), b = size_of(y);
    return (a > b) - (a < b);
}

/* Launches of one kernel that its contract allows: small ones of all kinds, and the one that it
 * states whole. In the input's arena. */
static size_t search(const comparing *c, int side, const concrete_launch ***launches)
{
    const compare_side *of = &c->side[side];
    interp_search wish = {.wanted = wanted(c),
                          .max_blocks = MOST_BLOCKS,
                          .max_elements = MOST_ELEMENTS,
                          .seed = c->s->options->seed + 1};
    run_target t = target_of(c, side, NULL);
    concrete_launch **found = NULL;
    const char *why;
    size_t n = 0, n_found = 0;
    *launches = TR_NEW_ARRAY(of->input.arena, const concrete_launch *, wanted(c) + 1);
    if (!contract_is_silent(of->kernel->contract))
        n_found = run_search_launches(&t, &wish, &found);
    for (; n < n_found && n < wanted(c); n++)
        (*launches)[n] = concrete_with_idle_ones(of->input.arena, of->kernel->function,
                                                 of->kernel->contract, found[n]);
    if (n == 0 && !contract_is_silent(of->kernel->contract) && run_choose_launch(&t, true, &why))
        (*launches)[n++] = t.launch;
    return n;
}

void compare_draw(comparing *c)
{
    const concrete_launch **found[2];
    size_t n[2], before = arrlenu(c->samples);
    for (int side = 0; side < 2; side++)
        n[side] = search(c, side, &found[side]);
    for (size_t i = 0; i < 2 * wanted(c) && arrlenu(c->samples) < before + wanted(c); i++) {
        int from = (int)(i % 2), to = 1 - from;
        size_t at = i / 2;
        if (at >= n[from])
            continue;
        const concrete_launch *launch = found[from][at];
        const concrete_launch *own = n[to] ? found[to][at % n[to]] : NULL;
        const concrete_launch *other = counterpart(c, to, launch, own);
        if (other)
            take(c, from == COMPARE_A ? launch : other, from == COMPARE_A ? other : launch);
    }
    c->into->n_tried = arrlenu(c->samples);
    if (c->into->n_tried)
        c->into->why = NULL;
}

void compare_sort(comparing *c)
{
    if (c->samples)
        qsort(c->samples, arrlenu(c->samples), sizeof *c->samples, smallest_first);
}

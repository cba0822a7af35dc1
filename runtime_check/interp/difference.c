/* A race as two schedules after which memory differs: found by trying, then brought as close
 * together as can be, best down to two neighbouring steps that change places. */
#include "interp/difference.h"

#include <stdlib.h>

enum { DEFAULT_RUNS = 64 };

static interp_run *execute(search *s, const interp_schedule *schedule)
{
    interp_run *run = interp_execute_scheduled(s->kernel, s->launch, s->choices, s->limits,
                                               s->n_blocks, s->blocks, schedule);
    s->spent.runs++;
    s->spent.work += interp_work(run);
    if (s->visit)
        s->visit(s->user, run);
    return run;
}

static interp_run *by_list(search *s, const interp_step *steps)
{
    interp_schedule list = {
        .policy = INTERP_LISTED, .weak = s->weak, .n_steps = arrlenu(steps), .steps = steps};
    return execute(s, &list);
}

/* ---- Section: Finding ---- */

static bool is_end(const interp_run *run)
{
    return interp_run_status(run) == INTERP_DONE;
}

/* First those that keep to the order of tokens: they are easier to follow. */
static interp_schedule nth_schedule(const interp_aim *aim, uint64_t n, uint64_t most)
{
    interp_schedule schedule = {
        .policy = INTERP_RANDOM, .seed = aim->seed + n, .weak = n >= most / 2};
    if (!aim->first || n % 4 == 3)
        return schedule;
    bool swapped = n & 1;
    schedule.policy = INTERP_AIMED;
    schedule.held = swapped ? aim->second : aim->first;
    schedule.until = swapped ? aim->first : aim->second;
    schedule.held_block = swapped ? aim->second_block : aim->first_block;
    return schedule;
}

static interp_step *steps_of(const interp_run *run)
{
    const interp_step *steps;
    interp_step *copy = NULL;
    size_t n = interp_steps(run, &steps);
    for (size_t i = 0; i < n; i++)
        arrput(copy, steps[i]);
    return copy;
}

static bool same_name(const interp_step *a, const interp_step *b)
{
    return a->block == b->block && a->number == b->number;
}

static bool same_effect(const interp_step *a, const interp_step *b)
{
    return a->stale == b->stale && a->backwards == b->backwards;
}

/* The first `k` of one list, then the other. */
static interp_step *spliced(const interp_step *head, size_t k, const interp_step *rest)
{
    interp_step *list = NULL;
    for (size_t i = 0; i < k; i++)
        arrput(list, head[i]);
    for (ptrdiff_t i = 0; i < arrlen(rest); i++)
        arrput(list, rest[i]);
    return list;
}

/* The list with the step at `from` moved forward to `to`. */
static interp_step *moved(const interp_step *list, size_t from, size_t to)
{
    interp_step *out = NULL;
    for (size_t i = 0; i < arrlenu(list); i++) {
        if (i == to)
            arrput(out, list[from]);
        if (i != from)
            arrput(out, list[i]);
    }
    return out;
}

static void take_place(interp_run **slot, interp_run *run)
{
    interp_run_free(*slot);
    *slot = run;
}

/* A run of `list` takes the place of one of the two: of the first when memory is as after it. */
static bool narrow(search *s, pair_of_runs *p, interp_step *list)
{
    interp_run *run = by_list(s, list);
    arrfree(list);
    bool as_first = is_end(run) && !difference_between(run, p->runs[0]);
    bool apart = is_end(run) && !as_first;
    if (as_first || apart)
        take_place(&p->runs[apart], run);
    else
        interp_run_free(run);
    return as_first;
}

/* The longest beginning of the second schedule that, followed by the first, still ends as the first
 * does: the two then part at one step. */
static size_t find_parting(search *s, pair_of_runs *p)
{
    interp_step *first = steps_of(p->runs[0]), *second = steps_of(p->runs[1]);
    size_t low = 0, high = arrlenu(second);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (narrow(s, p, spliced(second, middle, first)))
            low = middle;
        else
            high = middle;
    }
    arrfree(first);
    arrfree(second);
    return low;
}

/* The step that the second takes at `at` comes later in the first: brings it forward in the first
 * as far as the end stays the same. */
static void find_neighbours(search *s, pair_of_runs *p, size_t at)
{
    interp_step *list = steps_of(p->runs[0]), *second = steps_of(p->runs[1]);
    size_t from = at, n = arrlenu(list);
    while (at < arrlenu(second) && from < n && !same_name(&list[from], &second[at]))
        from++;
    if (at < arrlenu(second) && from < n) {
        size_t low = at, high = from; /* moved to low: differs; to high: as it is */
        while (high > low + 1) {
            size_t middle = low + (high - low) / 2;
            if (narrow(s, p, moved(list, from, middle)))
                high = middle;
            else
                low = middle;
        }
    }
    arrfree(list);
    arrfree(second);
}

static void bring_together(search *s, pair_of_runs *p)
{
    find_neighbours(s, p, find_parting(s, p));
}

/* Finds where the two runs part: the first step that is another, or sees something else. */
static size_t parting_of(const pair_of_runs *p, bool *adjacent)
{
    const interp_step *a, *b;
    size_t n = interp_steps(p->runs[0], &a), m = interp_steps(p->runs[1], &b), at = 0;
    while (at < n && at < m && same_name(&a[at], &b[at]) && same_effect(&a[at], &b[at]))
        at++;
    *adjacent = at + 1 < n && at + 1 < m && same_name(&a[at], &b[at + 1]) &&
                same_name(&a[at + 1], &b[at]) && same_effect(&a[at], &b[at + 1]) &&
                same_effect(&a[at + 1], &b[at]);
    return at;
}

/* ---- Section: The search ---- */

static bool find_pair(search *s, const interp_aim *aim, pair_of_runs *p)
{
    interp_schedule in_order = {.policy = INTERP_IN_ORDER};
    p->runs[0] = execute(s, &in_order);
    uint64_t most = aim->max_runs ? aim->max_runs : DEFAULT_RUNS;
    for (uint64_t n = 0; n < most && (!aim->max_work || s->spent.work < aim->max_work); n++) {
        bool late = aim->max_work && s->spent.work >= aim->max_work / 2;
        interp_schedule schedule = nth_schedule(aim, n, late ? 0 : most);
        interp_run *run = execute(s, &schedule);
        if (is_end(run) && is_end(p->runs[0]) && difference_between(run, p->runs[0])) {
            p->runs[1] = run;
            s->weak = schedule.weak;
            return true;
        }
        if (is_end(run) && !is_end(p->runs[0]))
            take_place(&p->runs[0], run); /* in order it would wait for ever */
        else
            interp_run_free(run);
    }
    return false;
}

/* The blocks of the two steps where the runs part, alone: often they are enough. */
static bool keep_two_blocks(search *s, pair_of_runs *p, size_t at)
{
    interp_step *lists[2] = {steps_of(p->runs[0]), steps_of(p->runs[1])};
    if (at >= arrlenu(lists[0]) || at >= arrlenu(lists[1])) {
        arrfree(lists[0]);
        arrfree(lists[1]);
        return false;
    }
    uint32_t two[2] = {lists[0][at].block, lists[1][at].block};
    if (two[0] > two[1]) {
        uint32_t swapped = two[0];
        two[0] = two[1];
        two[1] = swapped;
    }
    search few = *s;
    few.n_blocks = two[0] == two[1] ? 1 : 2;
    few.blocks = tr_arena_copy(s->arena, two, sizeof two);
    pair_of_runs q;
    for (int i = 0; i < 2; i++)
        q.runs[i] = by_list(&few, lists[i]);
    s->spent = few.spent;
    bool enough = few.n_blocks < s->n_blocks && is_end(q.runs[0]) && is_end(q.runs[1]) &&
                  difference_between(q.runs[0], q.runs[1]);
    for (int i = 0; i < 2; i++) {
        arrfree(lists[i]);
        if (enough)
            take_place(&p->runs[i], q.runs[i]);
        else
            interp_run_free(q.runs[i]);
    }
    if (enough)
        *s = few;
    return enough;
}

const interp_difference *interp_find_difference(tr_arena *arena, const ir_function *kernel,
                                                const concrete_launch *launch,
                                                const model_choices *choices,
                                                const interp_limits *limits, size_t n_blocks,
                                                const uint32_t *blocks, const interp_aim *aim)
{
    interp_aim anywhere = {.first_block = INTERP_ANY_BLOCK, .second_block = INTERP_ANY_BLOCK};
    if (!blocks) {
        uint32_t *all = NULL;
        uint64_t n =
            (uint64_t)launch->grid[0] * (uint64_t)launch->grid[1] * (uint64_t)launch->grid[2];
        uint64_t before = schedule_blocks_before(launch);
        for (uint64_t i = 0; i < before && n + i < UINT32_MAX; i++) /* in order, it comes first */
            arrput(all, (uint32_t)(n + i));
        for (uint64_t i = 0; i < n && i < UINT32_MAX; i++)
            arrput(all, (uint32_t)i);
        n_blocks = arrlenu(all);
        blocks = tr_arena_copy(arena, all, sizeof all[0] * n_blocks);
        arrfree(all);
    }
    search s = {.arena = arena,
                .kernel = kernel,
                .launch = launch,
                .choices = choices,
                .limits = limits,
                .n_blocks = n_blocks,
                .blocks = blocks,
                .visit = aim ? aim->visit : NULL,
                .user = aim ? aim->user : NULL};
    pair_of_runs p = {{NULL, NULL}};
    interp_difference *d = NULL;
    if (find_pair(&s, aim ? aim : &anywhere, &p)) {
        bool adjacent;
        bring_together(&s, &p);
        if (keep_two_blocks(&s, &p, parting_of(&p, &adjacent)))
            bring_together(&s, &p);
        size_t at = parting_of(&p, &adjacent);
        d = difference_describe(&s, &p, at, adjacent);
    }
    if (aim && aim->spent) {
        aim->spent->runs += s.spent.runs;
        aim->spent->work += s.spent.work;
    }
    for (int i = 0; i < 2; i++)
        interp_run_free(p.runs[i]);
    return d;
}

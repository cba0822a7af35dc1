/* Chooses the op that takes effect next. */
#include "interp/schedule_private.h"

#include "launch/random.h"

#include <stdlib.h>

typedef struct ranked { /* a step of a given schedule */
    uint64_t key;
    size_t value;
} ranked;

#define OFTEN 10 /* of 64: loads that look back */

typedef struct chooser {
    const interp_schedule *schedule;
    uint64_t random;
    uint32_t switches, overtakes; /* of 64: how often another block, a later op */
    uint32_t block;               /* whose turn it was */
    ranked *ranks;                /* stb_ds map */
    bool released;                /* AIMED: `until` has taken effect */
    uint32_t held_block, held_number;
} chooser;

static uint64_t name_of(const candidate *c)
{
    return (uint64_t)c->task->block << 32 | c->number;
}

static size_t in_order(void *user, scheduler *s, const candidate *c, size_t n)
{
    (void)user, (void)s, (void)c, (void)n;
    return 0; /* they come by block, then by number */
}

static size_t listed(void *user, scheduler *s, const candidate *c, size_t n)
{
    chooser *k = user;
    size_t best = 0, best_rank = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t at = hmgeti(k->ranks, name_of(&c[i]));
        if (at >= 0 && k->ranks[at].value < best_rank) {
            best = i;
            best_rank = k->ranks[at].value;
        }
    }
    if (best_rank < SIZE_MAX) {
        s->stale = k->schedule->steps[best_rank].stale;
        s->backwards = k->schedule->steps[best_rank].backwards;
    }
    return best;
}

static size_t below(chooser *k, size_t n)
{
    return (size_t)(random_next(&k->random) % n);
}

static bool happens(chooser *k, uint32_t of_64)
{
    return random_next(&k->random) % 64 < of_64;
}

/* Stays with a block for a while, and mostly keeps to its program order: schedules far from both
 * extremes are rarely the ones that show something. */
static size_t random_walk(chooser *k, const candidate *c, size_t n)
{
    size_t first = 0;
    while (first < n && c[first].task->block != k->block)
        first++;
    if (first == n || happens(k, k->switches)) {
        first = below(k, n);
        while (first && c[first - 1].task == c[first].task)
            first--;
        k->block = c[first].task->block;
    }
    size_t end = first + 1;
    while (end < n && c[end].task == c[first].task)
        end++;
    return happens(k, k->overtakes) ? first + below(k, end - first) : first;
}

/* Chooses what a load is to see, where it is a load that was chosen. */
static void look_back(chooser *k, scheduler *s, const candidate *c)
{
    const ir_op *op = schedule_candidate(c)->access.op;
    bool aimed_at = op == k->schedule->held || op == k->schedule->until;
    if (s->weak && happens(k, aimed_at ? 32 : OFTEN))
        s->stale = 1 + (uint32_t)below(k, 3);
}

/* Chooses the order of an op's elements, if it writes one byte twice. */
static void turn_round(chooser *k, scheduler *s, const candidate *c)
{
    const issued *o = schedule_candidate(c);
    if (o->access.row->transfer != LOAD && arrlen(o->touched) > 1 && happens(k, 32))
        s->backwards = schedule_overlaps_itself(o->touched);
}

static size_t at_random(void *user, scheduler *s, const candidate *c, size_t n)
{
    size_t chosen = random_walk(user, c, n);
    look_back(user, s, &c[chosen]);
    turn_round(user, s, &c[chosen]);
    return chosen;
}

static bool is_held(chooser *k, const candidate *c)
{
    const interp_schedule *schedule = k->schedule;
    if (k->released || schedule_candidate(c)->access.op != schedule->held)
        return false;
    if (k->held_block == INTERP_ANY_BLOCK) {
        k->held_block = c->task->block;
        k->held_number = c->number;
    }
    if (k->held_number == UINT32_MAX && k->held_block == c->task->block)
        k->held_number = c->number;
    return c->task->block == k->held_block && c->number == k->held_number;
}

/* Holds one execution of an op back until another op has taken effect elsewhere, or nothing else
 * can. */
static size_t aimed(void *user, scheduler *s, const candidate *c, size_t n)
{
    chooser *k = user;
    candidate *others = NULL;
    size_t *places = NULL, chosen;
    for (size_t i = 0; i < n; i++)
        if (!is_held(k, &c[i])) {
            arrput(others, c[i]);
            arrput(places, i);
        }
    size_t m = arrlenu(others);
    if (m)
        chosen = places[random_walk(k, others, m)];
    else
        chosen = random_walk(k, c, n);
    const ir_op *op = schedule_candidate(&c[chosen])->access.op;
    k->released |= m == 0 || op == k->schedule->until;
    look_back(k, s, &c[chosen]);
    turn_round(k, s, &c[chosen]);
    arrfree(others);
    arrfree(places);
    return chosen;
}

static void rank_steps(chooser *k)
{
    const interp_schedule *schedule = k->schedule;
    for (size_t i = 0; i < schedule->n_steps; i++) {
        uint64_t key = (uint64_t)schedule->steps[i].block << 32 | schedule->steps[i].number;
        if (hmgeti(k->ranks, key) < 0)
            hmput(k->ranks, key, i);
    }
}

interp_run *interp_execute_scheduled(const ir_function *kernel, const concrete_launch *launch,
                                     const model_choices *choices, const interp_limits *limits,
                                     size_t n_blocks, const uint32_t *blocks,
                                     const interp_schedule *schedule)
{
    static const struct {
        size_t (*choose)(void *user, scheduler *s, const candidate *c, size_t n);
    } policies[] = {[INTERP_IN_ORDER] = {in_order},
                    [INTERP_RANDOM] = {at_random},
                    [INTERP_AIMED] = {aimed},
                    [INTERP_LISTED] = {listed}};
    static const uint32_t switches[] = {1, 4, 16, 48, 64}, overtakes[] = {0, 4, 32, 64};
    chooser k = {.schedule = schedule,
                 .random = schedule->seed,
                 .block = UINT32_MAX,
                 .held_block = schedule->held_block,
                 .held_number = UINT32_MAX};
    k.switches = switches[below(&k, TR_COUNT(switches))];
    k.overtakes = overtakes[below(&k, TR_COUNT(overtakes))];
    rank_steps(&k);
    scheduler s = {.window = schedule->window,
                   .residents = schedule->residents,
                   .weak = schedule->weak,
                   .choose = policies[schedule->policy].choose,
                   .user = &k};
    interp_run *run = schedule_execute(kernel, launch, choices, limits, n_blocks, blocks, &s);
    hmfree(k.ranks);
    return run;
}

/* Words that a kernel synchronises by hold 0 at launch: that is assumed of every launch, unless the
 * kernel itself leaves another value behind. Then one of its own later launches breaks it, and the
 * verdict is conditional on somebody resetting the words in between.
 *
 * That each launch leaves them at 0 is proved (order/reset.c). Where it is not, small launches are
 * run one after the other, each with all integer buffers as the one before left them: what a run
 * leaves is certain. Where neither shows anything, nobody knows whether the assumption holds at the
 * second launch, and the verdict is unknown. */
#include "rules/stale.h"

#include "interp/interp.h"
#include "interp/launch.h"
#include "interp/schedule.h"
#include "order/reset.h"
#include "order/state.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/two_events.h"
#include "rules/example.h"
#include "witness/enumerate.h"
#include "witness/launches.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <string.h>

enum {
    MAX_FIRST = 4,
    MAX_OTHERS = 6,
    MAX_BLOCKS = 64,
    MAX_SERIES = 6,
    SEEDS = 12,
    FEW_SEEDS = 3,
    MAX_RACES = 64
};
enum { RUN_STEPS = 1000000, RUN_EVENTS = 300000 };
#define MAX_BYTES ((int64_t)1 << 20)

/* ---- Section: what a launch leaves behind ---- */

/* Buffers whose contents no contract states and the kernel writes, of integers: they go from launch
 * to launch as they are. `cleared`: those that are assumed to hold 0 at the first. */
typedef struct kept_buffer {
    int buffer;
    int width;
    bool cleared;
    size_t arg;
} kept_buffer;

static int allocation_of(const checker *k, size_t arg)
{
    const char *name = contract_buffer_of(&k->contract->args[arg]);
    for (size_t i = 0; i < k->s->n_allocations; i++)
        if (k->s->allocations[i].space == IX_ARGUMENT &&
            strcmp(k->s->allocations[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool is_written(const checker *k, size_t arg)
{
    int allocation = allocation_of(k, arg);
    return allocation >= 0 && k->s->allocations[allocation].written;
}

/* Are words of that buffer assumed to hold 0, or read as words that synchronise? */
static bool is_cleared(const checker *k, size_t arg)
{
    int allocation = allocation_of(k, arg);
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (precondition_clears_words(&k->requires_[i].what) &&
            k->requires_[i].what.subject.arg == arg)
            return true;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->reads && a->ordering != IR_WEAK && a->allocation >= 0 && a->allocation == allocation)
            return true;
    }
    return false;
}

static size_t kept_buffers(checker *k, const concrete_launch *launch, kept_buffer **out)
{
    size_t n = 0;
    *out = TR_NEW_ARRAY(k->arena, kept_buffer, launch->n_args + 1);
    for (size_t i = 0; i < launch->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        int buffer = launch->args[i].buffer;
        bool known = false;
        if (arg->kind != CONTRACT_POINTER || buffer < 0 || !is_written(k, i) || arg->contents.min ||
            arg->contents.max)
            continue;
        const ir_type *elem = k->kernel->body->args[i]->type->elem->elem;
        int width = ir_type_is_int(elem) ? ir_type_bytes(elem) : 0;
        for (size_t j = 0; j < n; j++)
            known |= (*out)[j].buffer == buffer;
        if (!known && width > 0 && width <= 8)
            (*out)[n++] = (kept_buffer){buffer, width, is_cleared(k, i), i};
    }
    return n;
}

/* The launch as the first of a series: the words are cleared. */
static const concrete_launch *cleared(checker *k, const concrete_launch *launch)
{
    kept_buffer *kept;
    size_t n = kept_buffers(k, launch, &kept);
    concrete_launch *first = tr_arena_copy(k->arena, launch, sizeof *launch);
    first->buffers =
        tr_arena_copy(k->arena, launch->buffers, launch->n_buffers * sizeof *launch->buffers);
    for (size_t i = 0; i < n; i++) {
        interp_buffer *buffer = &first->buffers[kept[i].buffer];
        if (kept[i].cleared)
            *buffer = (interp_buffer){
                .name = buffer->name, .bytes = buffer->bytes, .unbounded = buffer->unbounded};
    }
    return first;
}

/* Returns the bytes of the words from the buffer's start that hold everything that was accessed in
 * the run; 0: nothing was. They are whole words, as what is left behind is read word by word. */
static int64_t written_bytes(const interp_run *run, const kept_buffer *kept)
{
    const interp_event *events;
    size_t n = interp_events(run, &events);
    int64_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t end = (events[i].address / kept->width + 1) * kept->width;
        if (events[i].buffer == kept->buffer && end > bytes)
            bytes = end;
    }
    return bytes;
}

enum { ZEROS = 1024 }; /* bytes behind what was written, for a larger grid: 0 as before */

/* The buffer as the run left it; true where a word is other than 0. */
static bool read_buffer(checker *k, const interp_run *run, const kept_buffer *kept,
                        interp_buffer *buffer)
{
    bool other = false;
    int64_t bytes = written_bytes(run, kept), had = buffer->data ? buffer->data_bytes : 0;
    if (buffer->data && had == 0)
        had = buffer->bytes;
    bytes = bytes > had ? bytes : had;
    if (bytes == 0 || bytes > MAX_BYTES)
        return false;
    int64_t room = bytes + (kept->cleared && buffer->unbounded ? ZEROS : 0);
    if (!buffer->unbounded && kept->cleared && buffer->bytes > bytes && buffer->bytes <= MAX_BYTES)
        room = buffer->bytes;
    unsigned char *data = TR_NEW_ARRAY(k->arena, unsigned char, room + 8);
    bool *known = TR_NEW_ARRAY(k->arena, bool, room + 8);
    memset(known, 1, (size_t)room);
    for (int64_t at = 0; at + kept->width <= bytes; at += kept->width) {
        uint64_t bits = 0;
        bool is_known = interp_read_back(run, kept->buffer, at, kept->width, &bits);
        other |= is_known && bits != 0;
        memcpy(data + at, &bits, (size_t)kept->width);
        memset(known + at, is_known, (size_t)kept->width);
    }
    buffer->data = data;
    buffer->known = known;
    buffer->data_bytes = room;
    buffer->n_pokes = 0;
    buffer->opaque = false;
    return other && kept->cleared;
}

/* `next` with the buffers as a run of `launch` leaves them; NULL: it leaves all the words at 0, or
 * what it leaves is not known. */
static const concrete_launch *launch_after(checker *k, const concrete_launch *launch,
                                           const interp_run *run, const concrete_launch *next)
{
    kept_buffer *kept;
    size_t n = kept_buffers(k, launch, &kept);
    concrete_launch *later = tr_arena_copy(k->arena, next, sizeof *next);
    later->buffers =
        tr_arena_copy(k->arena, next->buffers, next->n_buffers * sizeof *next->buffers);
    bool other = false;
    for (size_t i = 0; i < n; i++) {
        interp_buffer *buffer = &later->buffers[kept[i].buffer];
        const interp_buffer *before = &launch->buffers[kept[i].buffer];
        int64_t bytes = buffer->bytes;
        *buffer = *before;
        other |= read_buffer(k, run, &kept[i], buffer);
        if (!before->unbounded &&
            (next->buffers[kept[i].buffer].unbounded || bytes > before->bytes))
            return NULL; /* it needs a larger buffer than there is */
    }
    return other ? later : NULL;
}

/* ---- Section: a race of a later launch ---- */

witness *stale_first_race(checker *k, const concrete_launch *launch, const interp_run *run,
                          obligation_of *pair)
{
    interp_race *races = TR_NEW_ARRAY(k->arena, interp_race, MAX_RACES);
    size_t n = ask_races(k, run, MAX_RACES, races);
    for (size_t i = 0; i < n; i++) {
        const interp_event *x = &races[i].a, *y = &races[i].b;
        copy_relation relation = x->block != y->block         ? COPY_OTHER_BLOCK
                                 : x->instance != y->instance ? COPY_SAME_BLOCK
                                                              : COPY_SAME_OP;
        const ix_access *a = access_of_op(k, interp_op_of(run, x->instance));
        const ix_access *b = access_of_op(k, interp_op_of(run, y->instance));
        const char *why;
        witness *w = a && b ? witness_in_run(k, launch, run, a, b, relation, &why) : NULL;
        if (!w)
            continue;
        *pair = (obligation_of){a, b, relation, NULL};
        return w;
    }
    return NULL;
}

typedef struct stale_race {
    obligation_of pair;
    witness *shown; /* NULL: none */
    size_t number;  /* of the launch that races: 2, 3, ... */
} stale_race;

/* A race of the launch, by any of a few schedules. */
static stale_race race_of(checker *k, const concrete_launch *launch, unsigned seeds)
{
    for (unsigned seed = 0; seed < seeds; seed++) {
        interp_schedule schedule = {.policy = seed == 0 ? INTERP_IN_ORDER : INTERP_RANDOM,
                                    .seed = seed,
                                    .window = seed % 2};
        interp_run *run = ask_run(k, launch, RUN_STEPS, RUN_EVENTS, &schedule);
        stale_race race = {0};
        if (witness_run_is_defined(k, run))
            race.shown = stale_first_race(k, launch, run, &race.pair);
        interp_run_free(run);
        if (race.shown)
            return race;
    }
    return (stale_race){0};
}

static bool is_small(checker *k, const concrete_launch *launch)
{
    int64_t blocks = concrete_launch_blocks(launch);
    return blocks >= 1 && blocks <= MAX_BLOCKS && witness_launch_holds(k, launch);
}

/* Returns `next` as it is launched with the words as the launch before leaves them; NULL: they are
 * at 0, or it does not end. */
static const concrete_launch *run_before(checker *k, const concrete_launch *launch,
                                         const concrete_launch *next)
{
    interp_run *run = ask_run(k, launch, RUN_STEPS, RUN_EVENTS, NULL);
    const concrete_launch *later = NULL;
    if (interp_run_status(run) == INTERP_DONE && witness_run_is_defined(k, run))
        later = launch_after(k, launch, run, next);
    interp_run_free(run);
    return later;
}

/* Like run_before(), launch again and again: a counter may have to rise for a while. */
static stale_race race_of_series(checker *k, const concrete_launch *launch)
{
    const concrete_launch *now = launch;
    for (size_t number = 2; number < 2 + MAX_SERIES; number++) {
        now = run_before(k, now, launch);
        stale_race race = now ? race_of(k, now, number == 2 ? SEEDS : FEW_SEEDS) : (stale_race){0};
        race.number = number;
        if (!now || race.shown || ask_left(k) == 0)
            return race;
    }
    return (stale_race){0};
}

/* Looks for a race of another launch after this one: a counter that was counted up for a small grid
 * is wrong for a larger one. */
static stale_race race_of_others(checker *k, const concrete_launch *first,
                                 const concrete_launch **all)
{
    size_t tried = 0;
    for (size_t i = 0; i < arrlenu(all) && tried < MAX_OTHERS; i++) {
        if (!is_small(k, all[i]))
            continue;
        tried++;
        const concrete_launch *later = run_before(k, first, all[i]);
        stale_race race = later ? race_of(k, later, FEW_SEEDS) : (stale_race){0};
        race.number = 2;
        if (race.shown || ask_left(k) == 0)
            return race;
    }
    return (stale_race){0};
}

static stale_race race_of_later_launch(checker *k, const concrete_launch **all)
{
    size_t tried = 0;
    for (size_t i = 0; i < arrlenu(all) && tried < MAX_FIRST; i++) {
        if (!is_small(k, all[i]))
            continue;
        tried++;
        const concrete_launch *first = cleared(k, all[i]);
        stale_race race = race_of_series(k, first);
        if (!race.shown)
            race = race_of_others(k, first, all);
        if (race.shown)
            return race;
    }
    return (stale_race){0};
}

/* ---- Section: what is said ---- */

/* "'f' (1, 0, 1)"; the words only where they are few. NULL: all are 0. */
static const char *left_words(checker *k, const witness *w, size_t arg)
{
    enum { FEW = 8 };
    const contract_arg *a = &k->contract->args[arg];
    const char *name = contract_buffer_of(a);
    for (size_t i = 0; i < w->n_contents; i++) {
        const witness_contents *contents = &w->contents[i];
        size_t count = contents->count; /* behind the last word that is set there are zeros */
        while (count > 0 && contents->values[count - 1] == 0)
            count--;
        if (strcmp(contents->buffer, name) != 0)
            continue;
        if (count == 0)
            return NULL;
        if (count > FEW)
            break;
        const char *words = tr_arena_printf(k->arena, "'%s' (", a->name);
        for (size_t v = 0; v < count; v++)
            words = tr_arena_printf(k->arena, "%s%s%lld", words, v ? ", " : "",
                                    (long long)contents->values[v]);
        return tr_arena_printf(k->arena, "%s)", words);
    }
    return tr_arena_printf(k->arena, "'%s'", a->name);
}

static const char *launch_words(checker *k, const stale_race *race)
{
    static const char *const ordinals[] = {"third", "fourth", "fifth", "sixth", "seventh"};
    const char *words = NULL;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const char *left = is_cleared(k, i) ? left_words(k, race->shown, i) : NULL;
        if (left)
            words = words ? tr_arena_printf(k->arena, "%s and %s", words, left) : left;
    }
    words = words ? words : "its buffers";
    if (race->number < 3 || race->number - 3 >= TR_COUNT(ordinals))
        return tr_arena_printf(
            k->arena, "the kernel is launched again, with %s as the first launch left it", words);
    return tr_arena_printf(k->arena,
                           "the kernel is launched for the %s time, with %s as the launches before "
                           "left it",
                           ordinals[race->number - 3], words);
}

/* ---- Section: all words that are assumed to be cleared ---- */

static const concrete_launch *launch_named(checker *k, const smt_model *model)
{
    const char *why;
    return witness_launch(k, model, &why);
}

/* Numbers of the preconditions that are not proved to hold at the next launch too: stb_ds array.
 * A proof for one buffer may rest on another one's words: they are looked at as they come. */
static size_t *not_reset(checker *k, const concrete_launch ***launches)
{
    size_t *open = NULL;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        const concrete_launch *named;
        if (!precondition_clears_words(what) ||
            order_resets(k, allocation_of(k, what->subject.arg), launch_named, &named))
            continue;
        if (named)
            arrput(*launches, named);
        arrput(open, i);
        k->requires_[i].unsettled = true;
    }
    return open;
}

/* The precondition that the launch breaks, of those that are open. */
static size_t broken_by(checker *k, const size_t *open, const witness *w)
{
    for (size_t i = 0; i < arrlenu(open); i++)
        if (left_words(k, w, k->requires_[open[i]].what.subject.arg))
            return open[i];
    return open[0];
}

static void make_race_class(precondition *what)
{
    what->kind = PRECONDITION_STALE_SYNCHRONISATION;
    what->class_ = PRECONDITION_CLASS_RACE;
}

static void report(checker *k, const size_t *open, stale_race *race)
{
    size_t which = broken_by(k, open, race->shown);
    const char *words = launch_words(k, race);
    for (size_t i = 0; i < arrlenu(open); i++)
        make_race_class(&k->requires_[open[i]].what);
    finding *f = example_report_one(k, which, &race->pair, race->shown);
    f->words = tr_arena_printf(k->arena, "%s,\n%s", words, f->words);
}

/* A reset that leaves some words out may do so in larger grids alone. */
static void add_large(checker *k, const concrete_launch ***launches)
{
    enum { LEAST_BLOCKS = 18, MOST_BLOCKS = 40, MOST_SIZE = 4096, STEPS = 1000 * 1000 };
    smt_ctx *ctx = k->ctx;
    smt_t blocks = smt_mul(ctx, k->s->grid[0], smt_mul(ctx, k->s->grid[1], k->s->grid[2]));
    query all = query_of_launch(k);
    query_add(k, &all, smt_le(ctx, smt_int_const(ctx, LEAST_BLOCKS), blocks));
    query_add(k, &all, smt_le(ctx, blocks, smt_int_const(ctx, MOST_BLOCKS)));
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            query_add(
                k, &all,
                smt_le(ctx, contract_param(ctx, k->contract, i), smt_int_const(ctx, MOST_SIZE)));
    smt_answer answer = ask_for(k, all, "reset-large", STEPS);
    const char *why;
    const concrete_launch *large =
        answer.verdict == SMT_SAT ? witness_launch(k, answer.model, &why) : NULL;
    if (large)
        arrput(*launches, large);
}

static void add_enumerated(checker *k, const concrete_launch ***launches)
{
    concrete_launch **enumerated;
    size_t n = enumerate_launches(k, &enumerated);
    for (size_t i = 0; i < n; i++)
        arrput(*launches, enumerated[i]);
}

stale_outcome stale_look_for(checker *k)
{
    const concrete_launch **launches = NULL;
    size_t *open = not_reset(k, &launches);
    stale_outcome outcome = STALE_NEVER;
    if (arrlenu(open)) {
        add_large(k, &launches);
        add_enumerated(k, &launches);
        stale_race race = race_of_later_launch(k, launches);
        outcome = race.shown ? STALE_SHOWN : STALE_OPEN;
        if (race.shown)
            report(k, open, &race);
    }
    arrfree(open);
    arrfree(launches);
    return outcome;
}

void stale_depend_on_reset(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].unsettled)
            make_race_class(&k->requires_[i].what);
}

void stale_leave_unsettled(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        size_t arg = k->requires_[i].what.subject.arg;
        if (k->requires_[i].unsettled && arg < 64)
            k->unsettled |= (uint64_t)1 << arg;
    }
    count_unknown(k, REASON_CONTRACT_SILENT, k->kernel->place,
                  "it is proved race-free if its synchronisation words hold 0 at launch, but it is "
                  "not proved that it leaves them at 0 for the next launch; the contract can state "
                  "their contents");
}

/* ---- Section: counters that only rise ---- */

enum { RISEN = 1 << 30 }; /* no launch of ours adds as much again */

/* Does every write of the buffer add a number that is not negative? */
static bool only_rises(const checker *k, size_t arg)
{
    int allocation = allocation_of(k, arg);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *w = &k->s->accesses[i];
        smt_int low, high;
        if (!w->writes || (w->allocation >= 0 && w->allocation != allocation))
            continue;
        if (w->allocation < 0 || w->unknown || !w->atomic || w->change != IX_CHANGE_ADD ||
            !w->put || w->width < 4)
            return false;
        smt_bounds(w->put, &low, &high);
        if (low < 0)
            return false;
    }
    return allocation >= 0;
}

contract *stale_risen_contract(checker *k, const contract *stated)
{
    contract *c = tr_arena_copy(k->arena, stated, sizeof *stated);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < c->n_args && i < 64; i++) {
        if (!(k->unsettled >> i & 1))
            continue;
        if (!only_rises(k, i))
            return NULL;
        c->args[i].contents.min = smt_int_const(k->ctx, 0);
        c->args[i].contents.max = smt_int_const(k->ctx, RISEN);
    }
    return k->unsettled ? c : NULL;
}

/* ---- Section: ticket locks that nobody resets ---- */

/* Are the words of the locks apart from each other, with contents that nobody has stated? */
static bool words_are_apart(const contract *stated, const order_turn_words *locks, size_t n)
{
    struct {
        size_t arg;
        smt_int element;
    } words[2 * ORDER_MOST_TURNS];
    size_t n_words = 0;
    for (size_t i = 0; i < n; i++) {
        words[n_words].arg = locks[i].ticket_arg;
        words[n_words++].element = locks[i].ticket;
        words[n_words].arg = locks[i].look_arg;
        words[n_words++].element = locks[i].look;
    }
    for (size_t i = 0; i < n_words; i++) {
        const contract_contents *said = &stated->args[words[i].arg].contents;
        if (said->min || said->max || said->unique || said->increasing || said->regions)
            return false;
        for (size_t j = 0; j < i; j++)
            if (words[i].arg == words[j].arg && words[i].element == words[j].element)
                return false;
    }
    return true;
}

/* States that the element lies between the two bounds; all other elements keep what the argument's
 * contents say. */
static void state_word(checker *k, contract_arg *arg, smt_int element, smt_t low, smt_t high)
{
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0);
    smt_t here = smt_eq(ctx, contract_index(ctx), smt_int_const(ctx, element));
    arg->contents.min = smt_ite(ctx, here, low, arg->contents.min ? arg->contents.min : zero);
    arg->contents.max = smt_ite(ctx, here, high, arg->contents.max ? arg->contents.max : zero);
}

contract *stale_turned_contract(checker *k, const contract *stated)
{
    const order_state *state = order_state_of(k);
    smt_ctx *ctx = k->ctx;
    uint64_t covered = 0;
    if (!k->unsettled || state->other_turns || state->n_turns == 0 ||
        !words_are_apart(stated, state->turns, state->n_turns))
        return NULL;
    contract *c = tr_arena_copy(k->arena, stated, sizeof *stated);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < state->n_turns; i++) {
        const order_turn_words *lock = &state->turns[i];
        smt_t drawn =
            smt_private_var(ctx, tr_arena_printf(k->arena, "drawn@launch.%zu", i), 0, RISEN);
        if (lock->ticket_arg >= 64 || lock->look_arg >= 64)
            return NULL;
        state_word(k, &c->args[lock->ticket_arg], lock->ticket, drawn, drawn);
        state_word(k, &c->args[lock->look_arg], lock->look, smt_int_const(ctx, 0), drawn);
        covered |= (uint64_t)1 << lock->ticket_arg | (uint64_t)1 << lock->look_arg;
    }
    return (k->unsettled & ~covered) == 0 ? c : NULL;
}

/* Words that a kernel synchronises by hold 0 at launch: that is assumed of every launch, unless the
 * kernel itself leaves another value behind. Then its own second launch breaks it, and the verdict
 * is conditional on somebody resetting the words in between.
 *
 * Whether it leaves another value behind is seen in runs of small launches: a value that one run
 * leaves is certain. The example is the second launch, which finds the words as the first one left
 * them. */
#include "rules/require_search.h"

#include "base/ds.h"
#include "interp/interp.h"
#include "interp/launch.h"
#include "interp/schedule.h"

#include <string.h>

enum { MAX_FIRST = 3, MAX_LAUNCHES = 6, MAX_BLOCKS = 16, SEEDS = 12, MAX_RACES = 64 };
#define MAX_BYTES ((int64_t)1 << 20)

static const interp_limits limits = {.steps = 1000000, .events = 300000};

/* Where the words of an argument's buffer were written in the run: the bytes from the buffer's
 * start that hold them all; 0: nowhere. */
static int64_t written_bytes(const interp_run *run, int buffer, int width)
{
    const interp_event *events;
    size_t n = interp_events(run, &events);
    int64_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        if (events[i].buffer == buffer && events[i].address >= 0 &&
            events[i].address + width > bytes)
            bytes = events[i].address + width;
    return bytes < MAX_BYTES ? bytes : 0;
}

/* The words as the run left them, in *data; false where they are all 0, or not all are known. */
static bool left_behind(checker *k, const interp_run *run, int buffer, int width,
                        const interp_buffer *before, int64_t *bytes, unsigned char **data)
{
    bool other = false;
    *bytes = written_bytes(run, buffer, width);
    if (before->data_bytes > *bytes && before->data_bytes < MAX_BYTES)
        *bytes = before->data_bytes;
    *data = TR_NEW_ARRAY(k->arena, unsigned char, *bytes + 8);
    for (int64_t at = 0; at + width <= *bytes; at += width) {
        uint64_t bits;
        if (!interp_read_back(run, buffer, at, width, &bits))
            return false;
        other |= bits != 0;
        memcpy(*data + at, &bits, (size_t)width);
    }
    return other;
}

typedef struct words_left { /* as a launch left them */
    unsigned char *data;
    int64_t bytes; /* 0: at 0, or not all are known */
} words_left;

static words_left words_after(checker *k, const interp_launch *launch, size_t arg)
{
    int buffer = launch->args[arg].buffer;
    int width = ir_type_bytes(k->kernel->body->args[arg]->type->elem->elem);
    interp_run *run = interp_execute(k->kernel, launch, &k->options->model, &limits, NULL);
    words_left w = {0};
    bool known = buffer >= 0 && width > 0 && width <= 8 && interp_run_status(run) == INTERP_DONE &&
                 require_run_is_defined(k, run) &&
                 left_behind(k, run, buffer, width, &launch->buffers[buffer], &w.bytes, &w.data);
    interp_run_free(run);
    return known ? w : (words_left){0};
}

/* The launch, with the words as another one left them. */
static interp_launch *launch_with(checker *k, const interp_launch *launch, size_t arg,
                                  words_left left)
{
    interp_launch *later = tr_arena_copy(k->arena, launch, sizeof *launch);
    later->buffers =
        tr_arena_copy(k->arena, launch->buffers, launch->n_buffers * sizeof *launch->buffers);
    interp_buffer *buffer = &later->buffers[launch->args[arg].buffer];
    buffer->data = left.data;
    buffer->data_bytes = left.bytes;
    buffer->known = NULL;
    buffer->n_pokes = 0;
    buffer->opaque = false;
    return later;
}

witness *require_first_race(checker *k, const interp_launch *launch, const interp_run *run,
                            obligation_of *pair)
{
    interp_race *races = TR_NEW_ARRAY(k->arena, interp_race, MAX_RACES);
    bool elsewhere;
    size_t n = interp_find_races(run, &k->options->model, false, races, MAX_RACES, &elsewhere);
    for (size_t i = 0; i < n && i < MAX_RACES; i++) {
        const interp_event *x = &races[i].a, *y = &races[i].b;
        copy_relation relation = x->block != y->block         ? COPY_OTHER_BLOCK
                                 : x->instance != y->instance ? COPY_SAME_BLOCK
                                                              : COPY_SAME_OP;
        const ix_access *a = access_of_op(k, interp_instance_of(run, x->instance)->op);
        const ix_access *b = access_of_op(k, interp_instance_of(run, y->instance)->op);
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
} stale_race;

/* A race of the launch, by any of a few schedules. */
static stale_race race_of(checker *k, const interp_launch *launch)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        interp_schedule schedule = {.policy = seed == 0 ? INTERP_IN_ORDER : INTERP_RANDOM,
                                    .seed = seed,
                                    .window = seed % 2};
        interp_run *run = interp_execute_scheduled(k->kernel, launch, &k->options->model, &limits,
                                                   0, NULL, &schedule);
        stale_race race = {0};
        race.shown = require_first_race(k, launch, run, &race.pair);
        interp_run_free(run);
        if (race.shown)
            return race;
    }
    return (stale_race){0};
}

static bool is_small(checker *k, const interp_launch *launch)
{
    int64_t blocks = interp_launch_blocks(launch);
    return blocks >= 2 && blocks <= MAX_BLOCKS && require_launch_holds(k, launch);
}

/* The same launch again comes first; then others: a counter that was counted up for a small grid is
 * wrong for a larger one. Tells what the first launch left, too. */
static stale_race race_after(checker *k, size_t arg, words_left left, interp_launch **launches,
                             size_t n, size_t first)
{
    size_t tried = 0;
    for (size_t i = 0; i < n && tried < MAX_LAUNCHES; i++) {
        const interp_launch *launch = launches[(first + i) % n];
        const interp_buffer *buffer = &launch->buffers[launch->args[arg].buffer];
        bool fits = buffer->unbounded || buffer->bytes >= left.bytes;
        if (!fits || !is_small(k, launch))
            continue;
        tried++;
        stale_race race = race_of(k, launch_with(k, launch, arg, left));
        if (race.shown)
            return race;
    }
    return (stale_race){0};
}

static stale_race race_of_later_launch(checker *k, size_t arg, interp_launch **launches, size_t n)
{
    size_t tried = 0;
    for (size_t i = 0; i < n && tried < MAX_FIRST; i++) {
        if (!is_small(k, launches[i]))
            continue;
        tried++;
        words_left left = words_after(k, launches[i], arg);
        stale_race race = left.bytes ? race_after(k, arg, left, launches, n, i) : (stale_race){0};
        if (race.shown)
            return race;
    }
    return (stale_race){0};
}

static bool is_of_cleared_words(const precondition *p)
{
    smt_int low, high;
    return p->of_contents && p->class_ == PRECONDITION_CLASS_STANDING && p->contents.min &&
           p->contents.max && smt_is_const(p->contents.min, &low) &&
           smt_is_const(p->contents.max, &high) && low == 0 && high == 0;
}

/* " (1, 0, 1)", where there are few words. */
static const char *left_words(checker *k, const witness *w, size_t arg)
{
    enum { FEW = 8 };
    const contract_arg *a = &k->contract->args[arg];
    const char *name = a->buffer ? a->buffer : a->name;
    for (size_t i = 0; i < w->n_contents; i++) {
        const witness_contents *contents = &w->contents[i];
        size_t count = contents->count; /* behind the last word that is set there are zeros */
        while (count > 0 && contents->values[count - 1] == 0)
            count--;
        if (strcmp(contents->buffer, name) != 0 || count > FEW || count == 0)
            continue;
        const char *words = " (";
        for (size_t v = 0; v < count; v++)
            words = tr_arena_printf(k->arena, "%s%s%lld", words, v ? ", " : "",
                                    (long long)contents->values[v]);
        return tr_arena_printf(k->arena, "%s)", words);
    }
    return "";
}

bool require_look_for_stale(checker *k)
{
    interp_launch **launches = NULL;
    size_t n = 0;
    bool any = false;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        precondition *what = &k->requires_[i].what;
        if (!is_of_cleared_words(what))
            continue;
        if (!launches)
            n = enumerate_launches(k, &launches);
        stale_race race = race_of_later_launch(k, what->subject.arg, launches, n);
        if (!race.shown)
            continue;
        what->kind = PRECONDITION_STALE_SYNCHRONISATION;
        what->class_ = PRECONDITION_CLASS_RACE;
        finding *f = require_report_example(k, i, &race.pair, race.shown);
        f->words = tr_arena_printf(
            k->arena, "the kernel is launched again, with '%s' as the first launch left it%s,\n%s",
            k->contract->args[what->subject.arg].name, left_words(k, race.shown, what->subject.arg),
            f->words);
        any = true;
    }
    return any;
}

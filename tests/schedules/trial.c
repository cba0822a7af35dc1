#include "trial.h"

#include "base/ds.h"
#include "launch/fill.h"
#include "launch/from_contract.h"
#include "launch/overlap.h"
#include "launch/predecessor.h"
#include "launch/search.h"
#include "interp/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 8, /* of up to MAX_BLOCKS blocks; where they do not show what is to be shown: */
    WITNESS_BLOCKS = 64, /* the launches that the checker finds, and */
    NEAR_LAUNCHES = 12,  /* launches like each of them; and at last: */
    MORE_LAUNCHES = 32,  /* of up to MORE_BLOCKS blocks */
    MAX_BLOCKS = 16,
    MORE_BLOCKS = 512,
    MAX_ELEMENTS = 1 << 18,
    MORE_ELEMENTS = 1 << 22,
    TRIES = 24, /* schedules of one launch beside the one in order, half of them weak */
    SHIFTS = 3, /* ways to let arrays of one launch overlap */
    FEW_BLOCKS = 4,
    EXPLORED = 4000, /* schedules, when all of one launch are tried */
};

static const interp_limits limits = {.steps = 40000000, .values = true};

/* ---- Launches ---- */

/* Whole numbers so small that any sum of them is exact. */
static void make_sums_exact(const ir_function *kernel, const concrete_launch *l)
{
    static const struct {
        ir_type_kind kind;
        int width;
        uint32_t one, sign;
    } formats[] = {{IR_F32, 4, 0x3f800000, 0x80000000},
                   {IR_F16, 2, 0x3c00, 0x8000},
                   {IR_BF16, 2, 0x3f80, 0x8000}};
    for (size_t i = 0; i < l->n_args; i++) {
        const ir_type *type = kernel->body->args[i]->type->elem;
        interp_buffer *b = l->args[i].buffer < 0 ? NULL : &l->buffers[l->args[i].buffer];
        int64_t bytes = b && b->data_bytes ? b->data_bytes : b ? b->bytes : 0;
        for (size_t f = 0; f < TR_COUNT(formats) && b && b->data; f++)
            for (int64_t at = 0; type->kind == IR_POINTER && type->elem->kind == formats[f].kind &&
                                 at + formats[f].width <= bytes;
                 at += formats[f].width) {
                uint32_t bits = 0;
                memcpy(&bits, b->data + at, (size_t)formats[f].width);
                bits = bits & 1 ? (bits & formats[f].sign) | formats[f].one : 0;
                memcpy(b->data + at, &bits, (size_t)formats[f].width);
            }
    }
}

/* Functions that not every number has a place in (roots, logarithms) may keep a loop going. */
static void drop_signs(const ir_function *kernel, const concrete_launch *l)
{
    for (size_t i = 0; i < l->n_args; i++) {
        const ir_type *type = kernel->body->args[i]->type->elem;
        interp_buffer *b = l->args[i].buffer < 0 ? NULL : &l->buffers[l->args[i].buffer];
        if (!b || !b->data || type->kind != IR_POINTER || !ir_type_is_float(type->elem))
            continue;
        int64_t bytes = b->data_bytes ? b->data_bytes : b->bytes, width = ir_type_bytes(type->elem);
        for (int64_t at = width - 1; at < bytes; at += width)
            b->data[at] &= 0x7F;
    }
}

static bool is_addition(const ir_op *op)
{
    bool atomic = ir_op_info_of(op->code)->effects & IR_ATOMIC;
    for (uint32_t i = 0; atomic && i < op->n_operands; i++)
        if (op->operands[i]->type->kind == IR_TILE && ir_type_is_float(op->operands[i]->type->elem))
            return true;
    return false;
}

static bool adds_floats(const ir_function *kernel)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        if (is_addition(op))
            return true;
    return false;
}

/* Are all elements that differ sums of atomic additions, and nearly equal? What is added may be
 * inexact whatever the inputs are. */
static bool only_rounds(const trial *t, const concrete_launch *l, const interp_difference *d)
{
    const ir_block *body = t->kernel->function->body;
    for (size_t i = 0; i < d->n_listed; i++) {
        const interp_differing *e = &d->elements[i];
        const ir_type *type = NULL;
        for (uint32_t k = 0; k < body->n_args; k++)
            if (l->args[k].buffer == e->buffer)
                type = body->args[k]->type->elem->elem;
        for (int side = 0; side < 2; side++)
            if (e->open[side] || e->writers[side] >= d->n_steps[side] ||
                !is_addition(d->steps[side][e->writers[side]].op))
                return false;
        if (!type || !ir_type_is_float(type))
            return false;
        double a = ir_float_value(type, e->values[0]), b = ir_float_value(type, e->values[1]);
        if (!(fabs(a - b) <= 1e-4 * (1 + fabs(a) + fabs(b))))
            return false;
    }
    return true;
}

/* ---- Looking ---- */

static void keep_launch(trial *t, const concrete_launch *l)
{
    tr_text text = {0};
    concrete_launch_print(&text, t->kernel->function, t->kernel->contract, l);
    t->saw->launch = tr_arena_strdup(t->arena, tr_text_get(&text));
    tr_text_free(&text);
}

/* The two ops, to aim at. */
static void look_for_events(trial *t, const concrete_launch *l, const interp_run *run,
                            interp_aim *aim)
{
    interp_race race;
    bool matters;
    if (!interp_find_races(run, false, &race, 1, &matters))
        return;
    const interp_event *events[] = {&race.a, &race.b};
    for (int i = 0; i < 2; i++) {
        const ir_op *op = interp_instance_of(run, events[i]->instance)->op;
        *(i ? &aim->second : &aim->first) = op;
        if (!t->saw->unordered)
            t->saw->lines[i] = op->place ? op->place->line : 0;
    }
    if (!t->saw->unordered)
        keep_launch(t, l);
    t->saw->unordered = true;
}

/* `blocks`: those that run; NULL: all. */
static bool finds_difference(trial *t, const concrete_launch *l, size_t n_blocks,
                             const uint32_t *blocks, const interp_aim *aim)
{
    const interp_difference *d = interp_find_difference(t->input->arena, t->kernel->function, l,
                                                        NULL, &limits, n_blocks, blocks, aim);
    t->saw->schedules += d ? d->runs : TRIES + 1;
    if (!d)
        return false;
    if (t->wants->observable == OBSERVABLE_UNSAID && only_rounds(t, l, d)) {
        t->saw->only_sums = true;
        return false;
    }
    t->saw->elements = d->n_elements;
    t->saw->adjacent = d->adjacent;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < d->n_steps[side]; i++)
            t->saw->weak |= d->steps[side][i].stale > 0;
    keep_launch(t, l);
    return true;
}

static void count_launch(seen *saw, int64_t blocks)
{
    saw->least_blocks = !saw->launches || blocks < saw->least_blocks ? blocks : saw->least_blocks;
    saw->most_blocks = blocks > saw->most_blocks ? blocks : saw->most_blocks;
    saw->launches++;
}

/* `at`: the ops of a race that the checker finds, or NULL. */
static void try_launch(trial *t, const concrete_launch *l, uint64_t seed, const ir_op *const at[2])
{
    bool clean = t->wants->observable == OBSERVABLE_UNSAID; /* locks order additions too */
    const ir_function *kernel = t->kernel->function;
    seen *saw = t->saw;
    l = concrete_with_predecessor(t->input->arena, t->made_up, kernel, t->kernel->contract, l);
    l = concrete_fill(t->input->arena, kernel, l, seed);
    count_launch(saw, concrete_launch_blocks(l));
    interp_schedule schedule = {.policy = INTERP_RANDOM, .seed = seed};
    interp_run *run = interp_execute_scheduled(kernel, l, NULL, &limits, 0, NULL, &schedule);
    if (clean && interp_run_status(run) == INTERP_LIMIT) {
        interp_run_free(run);
        drop_signs(kernel, l);
        run = interp_execute_scheduled(kernel, l, NULL, &limits, 0, NULL, &schedule);
    }
    interp_status status = interp_run_status(run);
    saw->ended |= status == INTERP_DONE;
    interp_aim aim = {.first_block = INTERP_ANY_BLOCK,
                      .second_block = INTERP_ANY_BLOCK,
                      .seed = seed,
                      .max_runs = TRIES};
    look_for_events(t, l, run, &aim);
    interp_run_free(run);
    if (at) {
        aim.first = at[0];
        aim.second = at[1];
    }
    bool sums = clean || adds_floats(kernel), differs = finds_difference(t, l, 0, NULL, &aim);
    if (differs && sums) {
        make_sums_exact(kernel, l);
        saw->only_sums |= !(differs = finds_difference(t, l, 0, NULL, &aim));
    }
    saw->differs |= differs;
}

static bool is_settled(const trial *t)
{
    const expectation *wants = t->wants;
    return (wants->observable == OBSERVABLE_YES && t->saw->differs) ||
           (wants->observable == OBSERVABLE_NO && t->saw->unordered &&
            t->saw->launches >= LAUNCHES);
}

void trial_launches(trial *t, bool more)
{
    interp_search search = {.wanted = more ? MORE_LAUNCHES : LAUNCHES,
                            .max_blocks = more ? MORE_BLOCKS : MAX_BLOCKS,
                            .max_elements = more ? MORE_ELEMENTS : MAX_ELEMENTS,
                            .seed = more};
    concrete_launch **found;
    tr_arena *arena = t->input->arena;
    const contract *c = t->kernel->contract;
    size_t n =
        concrete_enumerate_launches(arena, t->input->ctx, t->kernel->function, c, &search, &found);
    for (size_t i = 0; i < n && !is_settled(t); i++) {
        try_launch(t, found[i], i, NULL);
        for (uint64_t k = 0; k < SHIFTS && !is_settled(t); k++) {
            const concrete_launch *moved = concrete_overlap(
                arena, t->input->ctx, t->kernel->function, c, found[i], i * SHIFTS + k);
            if (moved)
                try_launch(t, moved, i, NULL);
        }
    }
}

/* What only two blocks of a large launch do. */
static void try_two_blocks(trial *t, const run_witness *w)
{
    const ir_function *kernel = t->kernel->function;
    const concrete_launch *filled = concrete_fill(t->input->arena, kernel, w->launch, 0);
    interp_run *run = interp_execute_blocks(kernel, filled, NULL, &limits, 2, w->blocks);
    interp_aim aim = {.first_block = w->blocks[0], .second_block = w->blocks[1], .max_runs = TRIES};
    look_for_events(t, filled, run, &aim);
    aim.first = w->ops[0];
    aim.second = w->ops[1];
    t->saw->differs |= finds_difference(t, filled, 2, w->blocks, &aim);
    count_launch(t->saw, concrete_launch_blocks(w->launch));
    interp_run_free(run);
}

/* The smallest launch that races may have too little in it for two results. */
static void try_near(trial *t, const run_witness *w)
{
    interp_search search = {.wanted = NEAR_LAUNCHES,
                            .max_blocks = WITNESS_BLOCKS,
                            .max_elements = MAX_ELEMENTS,
                            .near = w->launch};
    concrete_launch **found;
    size_t n = concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function,
                                           t->kernel->contract, &search, &found);
    for (size_t i = 0; i < n && !is_settled(t); i++)
        try_launch(t, found[i], i, w->ops);
}

void trial_witnesses(trial *t)
{
    run_target target = {.s = t->s, .input = t->input, .kernel = t->kernel};
    run_witness *witnesses = NULL;
    const char *required;
    run_check(&target, &witnesses, &required);
    for (ptrdiff_t i = 0; i < arrlen(witnesses) && !is_settled(t); i++) {
        const run_witness *w = &witnesses[i];
        if (concrete_launch_blocks(w->launch) <= WITNESS_BLOCKS) {
            for (uint64_t seed = 0; seed < 4 && !is_settled(t); seed++)
                try_launch(t, w->launch, seed, w->ops);
            try_near(t, w);
        } else {
            try_two_blocks(t, w);
        }
    }
    arrfree(witnesses);
}

/* ---- All of them ---- */

typedef struct ends { /* of all schedules of one launch */
    const concrete_launch *launch;
    uint16_t *first; /* stb_ds array: bytes of all buffers after the first; OPEN: not known */
    bool any, differ;
} ends;

enum { OPEN = 256 };

static bool take_end(void *user, const interp_run *run)
{
    ends *e = user;
    size_t at = 0;
    for (size_t i = 0; i < e->launch->n_buffers && !e->differ; i++)
        for (int64_t a = 0; a < e->launch->buffers[i].bytes; a++, at++) {
            uint64_t bits;
            uint16_t now =
                interp_read_back(run, (int)i, a, 1, &bits) ? (uint16_t)bits : (uint16_t)OPEN;
            if (e->any)
                e->differ |= e->first[at] != now;
            else
                arrput(e->first, now);
        }
    e->any = true;
    return !e->differ;
}

static uint64_t bytes_of(const concrete_launch *l)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < l->n_buffers; i++)
        bytes += (uint64_t)l->buffers[i].bytes;
    return bytes;
}

static bool is_bounded(const concrete_launch *l)
{
    for (size_t i = 0; i < l->n_buffers; i++)
        if (l->buffers[i].unbounded)
            return false;
    return true;
}

/* A launch that shows the two events, or two blocks of it (NULL: all): do all its schedules end
 * alike? */
static void explore(trial *t, const concrete_launch *l, const uint32_t *two)
{
    enum { MOST_WORK = 100000000, READING = 8 }; /* a byte that is read counts as so many steps */
    const ir_function *kernel = t->kernel->function;
    seen *saw = t->saw;
    if (!is_bounded(l) || saw->explored || saw->differs)
        return;
    l = concrete_with_predecessor(t->input->arena, t->made_up, kernel, t->kernel->contract, l);
    l = concrete_fill(t->input->arena, kernel, l, 1);
    interp_schedule in_order = {.policy = INTERP_IN_ORDER};
    interp_run *run =
        interp_execute_scheduled(kernel, l, NULL, &limits, two ? 2 : 0, two, &in_order);
    interp_race race;
    bool matters, races = interp_find_races(run, false, &race, 1, &matters);
    uint64_t most = MOST_WORK / (interp_work(run) + READING * bytes_of(l) + 1);
    interp_run_free(run);
    if (!races || most < 2)
        return;
    ends e = {.launch = l};
    interp_exploration all = interp_explore(kernel, l, NULL, &limits, two ? 2 : 0, two,
                                            most < EXPLORED ? most : EXPLORED, take_end, &e);
    arrfree(e.first);
    saw->differs |= e.differ;
    if (!all.complete || e.differ)
        return;
    keep_launch(t, l);
    saw->explored = all.runs;
    saw->two_blocks = two != NULL;
}

void trial_explore(trial *t)
{
    run_target target = {.s = t->s, .input = t->input, .kernel = t->kernel};
    run_witness *witnesses = NULL;
    const char *required;
    run_check(&target, &witnesses, &required);
    for (ptrdiff_t i = 0; i < arrlen(witnesses); i++)
        explore(t, witnesses[i].launch, NULL);
    interp_search search = {
        .wanted = LAUNCHES, .max_blocks = FEW_BLOCKS, .max_elements = MAX_ELEMENTS};
    concrete_launch **found;
    size_t n = concrete_enumerate_launches(t->input->arena, t->input->ctx, t->kernel->function,
                                           t->kernel->contract, &search, &found);
    for (size_t i = 0; i < n; i++)
        explore(t, found[i], NULL);
    for (ptrdiff_t i = 0; i < arrlen(witnesses); i++)
        if (witnesses[i].blocks[0] != witnesses[i].blocks[1])
            explore(t, witnesses[i].launch, witnesses[i].blocks);
    arrfree(witnesses);
}

/* ---- Verdict ---- */

bool trial_fits(const expectation *wants, const seen *saw)
{
    bool differs = saw->differs;
    switch (wants->observable) {
    case OBSERVABLE_YES:
        return differs;
    case OBSERVABLE_NO:
        return !differs && saw->unordered;
    case OBSERVABLE_UNSAID:
        return !differs && saw->ended && !saw->unordered;
    }
    return false;
}

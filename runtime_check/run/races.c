/* Races of the runs themselves: pairs of accesses that happens-before of an execution leaves
 * unordered, whatever the prover says of the kernel. */
#include "run/races.h"

#include "run/broken.h"
#include "run/contents.h"
#include "run/plan.h"
#include "run/report.h"
#include "run/target.h"

#include <string.h>

#include "interp/schedule.h"

enum { MOST_IN_A_RUN = 64 };

/* Pairs and steps of the searches of one report, and of one run: under a second in all. Where
 * blocks hand a lock on, each pair of sections is a search through all sections between them. */
#define MOST_CHECKS     ((uint64_t)200000000)
#define CHECKS_OF_A_RUN ((uint64_t)10000000)

/* ---- Section: Which rule a pair breaks ---- */

static bool writes(const ir_op *op)
{
    return ir_op_info_of(op->code)->effects & (IR_WRITES | IR_ATOMIC);
}

rule_id run_race_rule(const interp_run *run, const interp_race *race)
{
    const ir_op *a = interp_op_of(run, race->a.instance), *b = interp_op_of(run, race->b.instance);
    bool same_op = race->a.instance == race->b.instance;
    bool same_block = race->a.block == race->b.block;
    bool scoped_a = ir_memory_ordering(a) != IR_WEAK, scoped_b = ir_memory_ordering(b) != IR_WEAK;
    if (same_op)
        return RULE_SELF_OVERLAP;
    if (same_block)
        return RULE_UNORDERED_IN_BLOCK;
    if (scoped_a && scoped_b)
        return RULE_NARROW_SCOPE;
    if (scoped_a != scoped_b)
        return RULE_WEAK_ATOMIC;
    return writes(a) && writes(b) ? RULE_INTER_BLOCK_WRITE_WRITE : RULE_INTER_BLOCK_READ_WRITE;
}

/* ---- Section: Words ---- */

/* Bytes of an element of the buffer, as the parameter that points to it has them. */
static int width_of(const run_target *t, const concrete_launch *launch, int buffer)
{
    const ir_block *body = t->kernel->function->body;
    for (uint32_t i = 0; i < body->n_args && i < launch->n_args; i++)
        if (launch->args[i].buffer == buffer && body->args[i]->type->elem->kind == IR_POINTER)
            return ir_type_bytes(body->args[i]->type->elem->elem);
    return 1;
}

static run_access access_of(const run_target *t, const concrete_launch *launch,
                            const interp_run *run, const interp_event *event)
{
    tr_arena *arena = t->s->arena;
    const interp_instance *instance = interp_instance_of(run, event->instance);
    const tr_place *place = instance->op->place;
    run_access a = {.verb = interp_verb_of(instance->op),
                    .op = ir_op_info_of(instance->op->code)->mnemonic,
                    .op_ordinal = instance->op->ordinal,
                    .line = place ? place->line : 0,
                    .order = ir_memory_ordering(instance->op),
                    .scope = ir_memory_scope(instance->op),
                    .n_iterations = instance->n_loops};
    a.buffer = tr_arena_strdup(arena, event->buffer < 0 ? "memory"
                                                        : interp_buffer_name(run, event->buffer));
    a.element = event->address / width_of(t, launch, event->buffer);
    a.iterations =
        tr_arena_copy(arena, instance->iterations, instance->n_loops * sizeof *a.iterations);
    uint32_t count = (uint32_t)concrete_launch_blocks(launch);
    a.before = launch->before && event->block >= count;
    interp_block_of(run, event->block, a.block);
    return a;
}

static void words_of_access(tr_text *out, const run_access *a)
{
    tr_text_addf(out, "%stile block (%lld, %lld, %lld) %s %s[%lld]",
                 a->before ? "the preceding kernel's " : "", (long long)a->block[0],
                 (long long)a->block[1], (long long)a->block[2], a->verb, a->buffer,
                 (long long)a->element);
    if (a->line)
        tr_text_addf(out, " in line %u", a->line);
    for (uint32_t i = 0; i < a->n_iterations; i++)
        tr_text_addf(out, "%s%lld", i ? ", " : ", iteration ", (long long)a->iterations[i]);
}

const char *run_race_words(tr_arena *arena, const run_race *race)
{
    tr_text text = {0};
    words_of_access(&text, &race->events[0]);
    tr_text_add(&text, " and ");
    words_of_access(&text, &race->events[1]);
    const char *kept = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

/* ---- Section: Collecting ---- */

static bool same_pair(const run_race *a, const run_race *b)
{
    bool straight = a->events[0].op_ordinal == b->events[0].op_ordinal &&
                    a->events[1].op_ordinal == b->events[1].op_ordinal;
    bool crossed = a->events[0].op_ordinal == b->events[1].op_ordinal &&
                   a->events[1].op_ordinal == b->events[0].op_ordinal;
    return strcmp(a->rule, b->rule) == 0 && (straight || crossed);
}

/* One race for each pair of ops and rule: the first that is seen. */
static bool is_known(const run_report *report, const run_race *race)
{
    for (size_t i = 0; i < report->n_races; i++)
        if (same_pair(&report->races[i], race))
            return true;
    return false;
}

void run_collect_races(const run_target *t, const concrete_launch *launch, const interp_run *run,
                       const char *seen_by, run_report *report)
{
    interp_race found[MOST_IN_A_RUN];
    if (report->n_races == RUN_MOST_RACES)
        return;
    uint64_t left = report->race_checks < MOST_CHECKS ? MOST_CHECKS - report->race_checks : 0;
    uint64_t checks = left < CHECKS_OF_A_RUN ? left : CHECKS_OF_A_RUN, given = checks;
    size_t n = interp_find_races_within(run, false, found, MOST_IN_A_RUN, NULL, &checks);
    report->race_checks += given - checks;
    report->races_cut_short |= interp_races_cut_short(run);
    for (size_t i = 0; i < n && report->n_races < RUN_MOST_RACES; i++) {
        if (found[i].a.address < 0)
            continue; /* in front of the buffer nothing is stored */
        run_race race = {.rule = rule_info_of(run_race_rule(run, &found[i]))->code,
                         .events = {access_of(t, launch, run, &found[i].a),
                                    access_of(t, launch, run, &found[i].b)}};
        if (is_known(report, &race))
            continue;
        race.at = tr_arena_copy(t->s->arena, launch, sizeof *launch); /* it may be a local one */
        race.seen_by = tr_arena_strdup(t->s->arena, seen_by);
        race.launch = run_launch_words(t->s->arena, t, launch, NULL);
        race.n_broken = run_broken_preconditions(t, launch, run, &race.broken, &race.undecided);
        report->races[report->n_races++] = race;
    }
}

/* ---- Section: Judging a GPU ---- */

enum { JUDGING_RUNS = 4, JUDGING_STEPS = 5000000, JUDGING_EVENTS = 1000000 };

void run_judge(const run_target *t, const gpu_plan *plan, run_report *report)
{
    concrete_launch launch = run_filled_launch(t, plan);
    interp_limits limits = {.values = true};
    limits.steps = JUDGING_STEPS;
    limits.events = JUDGING_EVENTS;
    bool ends = true;
    for (unsigned n = 0; n < JUDGING_RUNS && ends; n++) {
        interp_schedule schedule = {.policy = n ? INTERP_RANDOM : INTERP_IN_ORDER,
                                    .seed = plan->seed + n};
        interp_run *run = interp_execute_scheduled(t->kernel->function, &launch, &t->s->rules.model,
                                                   &limits, 0, NULL, &schedule);
        run_collect_races(
            t, tr_arena_copy(t->input->arena, &launch, sizeof launch), run,
            tr_arena_printf(t->s->arena, "happens-before of the interpreter's run %u", n), report);
        ends = interp_run_status(run) != INTERP_LIMIT; /* the beginning of a long one will do */
        report->judged++;
        interp_run_free(run);
    }
}

/* Turns what the proof says of a kernel into stages. */
#include <string.h>

#include "base/ds.h"
#include "judge/private.h"

typedef struct rule_stage { /* where a finding of a rule counts */
    judge_stage stage;
    judge_class class_;
} rule_stage;

/* Rules that are only ever notes have no row: they make no candidate wrong. */
static const rule_stage stages[RULE_COUNT] = {
    [RULE_CONTRACT] = {JUDGE_STAGE_WELL_FORMED, JUDGE_MALFORMED},
    [RULE_INDEX_SPACE] = {JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS},
    [RULE_OUT_OF_BUFFER] = {JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS},
    [RULE_WRAP] = {JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS},
    [RULE_DIVISION] = {JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS},
    [RULE_ASSUME] = {JUDGE_STAGE_BOUNDS, JUDGE_OUT_OF_BOUNDS},
    [RULE_WEAK_ATOMIC] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_NARROW_SCOPE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_MISSING_RELEASE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_MISSING_ACQUIRE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_TOKEN_BEFORE_RELEASE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_TOKEN_AFTER_ACQUIRE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_UNGUARDED_ACQUIRE] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_WRONG_FLAG] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_WRONG_COUNT] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_LOCK_NOT_HELD] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_DIFFERENT_LOCKS] = {JUDGE_STAGE_SYNCHRONISATION, JUDGE_RACE},
    [RULE_INTER_BLOCK_WRITE_WRITE] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_INTER_BLOCK_READ_WRITE] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_UNORDERED_IN_BLOCK] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_SELF_OVERLAP] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_FRONT_END_NVCC] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_FRONT_END_CUTILE_RS] = {JUDGE_STAGE_RACES, JUDGE_RACE},
    [RULE_UNCOVERED] = {JUDGE_STAGE_WRITTEN, JUDGE_INCOMPLETE},
};

judge_stage judge_stage_of_rule(rule_id rule)
{
    return stages[rule].stage;
}

static const judge_stage proved[] = {JUDGE_STAGE_BOUNDS, JUDGE_STAGE_SYNCHRONISATION,
                                     JUDGE_STAGE_RACES};

/* The launch of a witness in a line, as the report's words have it first. */
static const char *launch_of(const judging *j, const finding *f)
{
    if (!f->witness)
        return NULL;
    tr_text words = {0};
    tr_text_addf(&words, "grid %lld x %lld x %lld", (long long)f->witness->grid[0],
                 (long long)f->witness->grid[1], (long long)f->witness->grid[2]);
    for (size_t i = 0; i < f->witness->n_params; i++)
        if (!f->witness->params[i].idle)
            tr_text_addf(&words, ", %s = %lld", f->witness->params[i].name,
                         (long long)f->witness->params[i].value);
    const char *kept = tr_arena_strdup(j->s->arena, tr_text_get(&words));
    tr_text_free(&words);
    return kept;
}

/* A repair that was proved, else what the rule says. */
static const char *help_of(const judging *j, const finding *f)
{
    for (size_t i = 0; i < f->n_fixes; i++)
        if (f->fixes[i].verified)
            return tr_arena_printf(j->s->arena, "%s (with it the kernel is proved race-free)",
                                   f->fixes[i].text);
    return rule_info_of(f->rule)->help;
}

static judge_fault fault_of(const judging *j, const judged_kernel *k, const finding *f)
{
    const rule_info *rule = rule_info_of(f->rule);
    return (judge_fault){.stage = stages[f->rule].stage,
                         .class_ = stages[f->rule].class_,
                         .rule = rule->code,
                         .kernel = k->report->kernel,
                         .place = f->n_locations ? f->locations[0].place : k->report->place,
                         .what = f->message,
                         .launch = launch_of(j, f),
                         .shown = f->words,
                         .help = help_of(j, f)};
}

/* Is a launch that breaks the precondition among those that the kernel is for? Contents that nobody
 * states are any, since data is not chosen to suit a kernel. Sizes and the grid are, by whoever
 * launches it: unless the context has chosen them. Of a kernel of which nothing is stated at all,
 * nobody knows what it is for. */
static bool is_of_context(const judging *j, const judged_kernel *k, const require *r)
{
    const contract *c = k->kernel->contract;
    bool stated = j->context->has_launch;
    if (r->what.class_ != PRECONDITION_CLASS_RACE || judge_is_silent(j, c))
        return false;
    switch (r->subject.kind) {
    case PRECONDITION_OF_BUFFER:
        return true;
    case PRECONDITION_OF_ARG:
        return stated && r->subject.arg < c->n_args && c->args[r->subject.arg].constrained;
    case PRECONDITION_OF_GRID:
        return stated && c->grid[r->subject.axis] != NULL;
    case PRECONDITION_OF_LAUNCH:
        return false;
    }
    return false;
}

/* The first precondition that the context itself breaks; n_requires: none. */
static size_t broken_by_context(const judging *j, const judged_kernel *k)
{
    size_t i = 0;
    while (i < k->report->n_requires && !is_of_context(j, k, &k->report->requires_[i]))
        i++;
    return i;
}

/* The launch that breaks that precondition and races. */
static const finding *example_of(const kernel_report *report, size_t broken)
{
    const finding *any = NULL;
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (f->is_example && f->breaks == broken)
            return f;
        any = f->is_example ? f : any;
    }
    return any;
}

static void take_conditional(judging *j, const judged_kernel *k)
{
    const kernel_report *report = k->report;
    size_t broken = broken_by_context(j, k);
    const finding *example = broken < report->n_requires ? example_of(report, broken) : NULL;
    if (example) {
        judge_fault fault = fault_of(j, k, example);
        fault.stage = JUDGE_STAGE_RACES;
        fault.class_ = JUDGE_CONDITIONAL;
        judge_add_fault(j, fault);
    } else if (broken < report->n_requires) {
        judge_leave_open(
            j, JUDGE_STAGE_RACES,
            tr_arena_printf(j->s->arena, "race-free only if %s", report->requires_[broken].brief));
    }
}

/* Adds each precondition once, though several variants or launches of a kernel ask for it. */
static void add_precondition(judging *j, const char *text)
{
    for (size_t i = 0; i < arrlenu(j->into->preconditions); i++)
        if (strcmp(j->into->preconditions[i], text) == 0)
            return;
    arrput(j->into->preconditions, text);
}

static void take_preconditions(judging *j, const kernel_report *report)
{
    for (size_t i = 0; i < report->n_requires; i++)
        if (report->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING)
            add_precondition(j, tr_arena_printf(j->s->arena, "%s: %s", report->kernel,
                                                report->requires_[i].brief));
}

static bool is_fault(const finding *f)
{
    bool counts = f->level == LEVEL_ERROR || rule_is_race(f->rule);
    return counts && f->level != LEVEL_NOTE && f->confidence == CONFIDENCE_CONFIRMED &&
           !f->is_example && stages[f->rule].stage != JUDGE_STAGE_READS;
}

void judge_take_proof(judging *j, const judged_kernel *k)
{
    const kernel_report *report = k->report;
    for (size_t i = 0; i < report->n_findings; i++)
        if (is_fault(&report->findings[i]))
            judge_add_fault(j, fault_of(j, k, &report->findings[i]));
    if (report->verdict == VERDICT_CONDITIONAL)
        take_conditional(j, k);
    take_preconditions(j, report);
    bool open = report->verdict == VERDICT_UNKNOWN || report->unknown > 0;
    for (size_t i = 0; i < TR_COUNT(proved) && open; i++)
        judge_leave_open(j, proved[i],
                         report->reason.text ? report->reason.text
                                             : "a part of the proof was not found");
}

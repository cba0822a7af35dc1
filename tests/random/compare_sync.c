/* The checker's verdict on a synchronising kernel against all executions of its small launches. */
#include "compare.h"

#include "executions/executions.h"
#include "launch/from_contract.h"
#include "interp/schedule.h"

typedef struct sync_judge {
    tr_text *out;
    tr_arena *arena;
    smt_ctx *ctx;
    const sample *s;
    const kernel_report *report;
    comparison result;
} sync_judge;

static void disagree(sync_judge *j, disagreement kind, const concrete_launch *launch,
                     const executions *x)
{
    if (j->result.kind != AGREES)
        return;
    j->result.kind = kind;
    j->result.what = disagreement_text(kind);
    tr_text_addf(j->out, "%s", disagreement_text(kind));
    if (launch) {
        tr_text_add(j->out, "\n  launch: ");
        concrete_launch_print(j->out, j->s->kernel, j->s->contract, launch);
    }
    for (int i = 0; x && x->answer == EXECUTIONS_RACE && i < 2; i++) {
        tr_text_addf(j->out, "\n  block %u, %s[byte %lld]: ", x->race[i].block, x->race[i].buffer,
                     (long long)x->race[i].address);
        ir_print_op(j->out, x->race[i].op);
    }
    tr_text_add(j->out, "\n");
}

static bool is_decided(const executions *x)
{
    return x && (x->answer == EXECUTIONS_RACE || x->answer == EXECUTIONS_RACE_FREE);
}

static const executions *executions_of(sync_judge *j, const concrete_launch *launch)
{
    executions_part part = {.kernel = j->s->kernel, .launch = launch};
    executions_limits limits = {.milliseconds = 2000};
    return executions_find(j->arena, 1, &part, NULL, &limits, EXECUTIONS_RACES);
}

/* With every read given its value, and no element left out, the answer has to be the same. */
static void judge_both_ways(sync_judge *j, const concrete_launch *launch, const executions *x)
{
    executions_part part = {.kernel = j->s->kernel, .launch = launch};
    executions_limits limits = {.milliseconds = 50};
    const executions *other =
        executions_find(j->arena, 1, &part, NULL, &limits, EXECUTIONS_OUTCOMES);
    if (is_decided(x) && is_decided(other) && x->answer != other->answer)
        disagree(j, INCONSISTENT, launch, x);
}

enum { SCHEDULES = 6 };

typedef struct seen_race { /* a pair that happens-before of one schedule leaves unordered */
    const ir_op *ops[2];
    uint32_t blocks[2];
    uint64_t schedule; /* its number */
} seen_race;

/* Does one of a few schedules of the launch race, weak ones among them? The order of each is known
 * exactly, so a race is certain; that none races says nothing of other schedules. */
static bool races_in_schedules(const ir_function *kernel, const concrete_launch *launch,
                               const model_choices *model, const interp_limits *limits,
                               seen_race *seen)
{
    for (uint64_t n = 0; n < SCHEDULES; n++) {
        interp_schedule schedule = {
            .policy = n ? INTERP_RANDOM : INTERP_IN_ORDER, .seed = n, .weak = n % 2 == 0 && n > 0};
        interp_run *run =
            interp_execute_scheduled(kernel, launch, model, limits, 0, NULL, &schedule);
        interp_race race;
        bool found = interp_find_races(run, false, &race, 1, NULL) > 0;
        if (found)
            *seen = (seen_race){
                .ops = {interp_op_of(run, race.a.instance), interp_op_of(run, race.b.instance)},
                .blocks = {race.a.block, race.b.block},
                .schedule = n};
        interp_run_free(run);
        if (found)
            return true;
    }
    return false;
}

/* What happens-before of a few runs says: a race seen there is one for the prover, whatever the
 * axioms were asked, and for the axioms. */
static void judge_schedules(sync_judge *j, const concrete_launch *launch, const executions *x)
{
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 100000, .events = 100000};
    seen_race seen;
    if (!races_in_schedules(j->s->kernel, launch, &model, &limits, &seen))
        return;
    bool missed = compare_proved(j->report->verdict) &&
                  compare_meets(j->arena, j->ctx, j->s, j->report, launch);
    if (!missed && !(x && x->answer == EXECUTIONS_RACE_FREE))
        return;
    disagree(j, missed ? MISSED : INCONSISTENT, launch, NULL);
    for (int i = 0; i < 2; i++) {
        tr_text_addf(j->out, "  by happens-before of schedule %llu, block %u: ",
                     (unsigned long long)seen.schedule, seen.blocks[i]);
        ir_print_op(j->out, seen.ops[i]);
        tr_text_add(j->out, "\n");
    }
}

/* `w`: with the contents that this witness shows; or NULL. */
static concrete_launch *launch_with(sync_judge *j, int64_t n, const witness *w)
{
    int64_t scalars[MAX_ARGS] = {n}, grid[3] = {0, 0, 0};
    if (!concrete_launch_holds(j->ctx, j->s->contract, scalars, grid))
        return NULL;
    size_t count = w ? w->n_contents : 0;
    interp_contents *contents = TR_NEW_ARRAY(j->arena, interp_contents, count + 1);
    for (size_t i = 0; i < count; i++) {
        const witness_contents *from = &w->contents[i];
        interp_cell *cells = TR_NEW_ARRAY(j->arena, interp_cell, from->count + 1);
        for (size_t k = 0; k < from->count; k++)
            cells[k] = (interp_cell){(int64_t)k, from->values[k]};
        contents[i] = (interp_contents){from->buffer, from->count, cells};
    }
    interp_filling filling = {.n_contents = count, .contents = contents};
    return concrete_launch_from(j->arena, j->ctx, j->s->kernel, j->s->contract, grid, scalars,
                                &filling, NULL);
}

/* A launch that a witness names has to race; and so has one of those tried when none is named. */
static void judge_alarm(sync_judge *j, bool decided)
{
    for (size_t i = 0; i < j->report->n_findings; i++) {
        const finding *f = &j->report->findings[i];
        if (!f->witness || f->confidence == CONFIDENCE_POSSIBLE || !rule_is_race(f->rule))
            continue;
        concrete_launch *launch = launch_with(j, f->witness->grid[0], f->witness);
        const executions *x = launch ? executions_of(j, launch) : NULL;
        if (x && x->answer == EXECUTIONS_RACE_FREE)
            disagree(j, FALSE_ALARM, launch, x);
        return;
    }
    if (decided && !j->result.races)
        disagree(j, FALSE_ALARM, NULL, NULL);
}

static void judge_launches(sync_judge *j)
{
    bool decided = true;
    for (int64_t n = j->s->low[0]; n <= j->s->high[0]; n++) {
        concrete_launch *launch = launch_with(j, n, NULL);
        const executions *x = launch ? executions_of(j, launch) : NULL;
        if (launch)
            judge_schedules(j, launch, x);
        if (!is_decided(x)) {
            j->result.left_out++;
            decided = false;
            continue;
        }
        j->result.launches++;
        j->result.stores = true;
        if (n == j->s->low[0])
            judge_both_ways(j, launch, x);
        j->result.races += x->answer == EXECUTIONS_RACE;
        if (x->answer == EXECUTIONS_RACE && compare_proved(j->report->verdict) &&
            compare_meets(j->arena, j->ctx, j->s, j->report, launch))
            disagree(j, MISSED, launch, x);
    }
    if (j->report->verdict == VERDICT_RACE)
        judge_alarm(j, decided);
}

comparison compare_sync_sample(tr_text *out, smt_ctx *ctx, smt_prover *prover, const sample *s,
                               smt_steps steps)
{
    sync_judge j = {.out = out, .arena = tr_arena_new(), .ctx = ctx, .s = s};
    tr_errors errors = tr_errors_make(j.arena);
    if (!ir_verify(s->module, &errors)) {
        j.result.kind = INVALID;
        tr_text_addf(out, "%s\n", errors.items ? errors.items[0].text : "no reason");
    } else {
        rules_options options = {.model = model_default_choices(), .steps = steps};
        j.report = rules_check(j.arena, ctx, prover, s->kernel, s->contract, &options);
        j.result.verdict = j.report->verdict;
        j.result.reason = j.report->reason.kind;
        j.result.check_ms = j.report->time_ms;
        judge_launches(&j);
        tr_text_addf(out, "checker: %s%s%s\n", verdict_info_of(j.report->verdict)->name,
                     j.report->verdict == VERDICT_UNKNOWN ? ": " : "",
                     j.report->verdict == VERDICT_UNKNOWN && j.report->reason.text
                         ? j.report->reason.text
                         : "");
        for (size_t i = 0; i < j.report->n_findings; i++)
            tr_text_addf(out, "  %s: %s\n", rule_info_of(j.report->findings[i].rule)->code,
                         j.report->findings[i].message);
    }
    tr_errors_free(&errors);
    tr_arena_free(j.arena);
    return j.result;
}

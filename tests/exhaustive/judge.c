#include "judge.h"

#include "contract/expression.h"
#include "emit.h"
#include "launch/private.h"

enum { MAX_CONDITIONS = 16, WIDE = 12, WIDE_P = 40 };

typedef struct judge {
    const grammar *g;
    const shape *s;
    const kernel *kernel;
    const kernel_report *report;
    smt_ctx *ctx;
    tr_arena *arena;
    smt_t conditions[MAX_CONDITIONS];
    size_t n_conditions;
    bool unreadable;   /* a precondition is no term */
    bool asks_of_race; /* has a race precondition */
} judge;

const char *outcome_text(outcome o)
{
    static const char *const texts[] = {
#define X(name, text) text,
        OUTCOMES(X)
#undef X
    };
    return texts[o];
}

/* ---- Preconditions ---- */

/* Every launch of the box keeps buffers, types and divisors in range: `x` is as long as it needs
 * to be. */
static bool holds_in_box(precondition_kind kind)
{
    return kind == PRECONDITION_IN_BOUNDS || kind == PRECONDITION_NO_WRAP ||
           kind == PRECONDITION_POSITIVE_DIVISOR || kind == PRECONDITION_INDEX_IN_SPACE;
}

static void read_conditions(judge *j)
{
    for (size_t i = 0; i < j->report->n_requires; i++) {
        const require *r = &j->report->requires_[i];
        precondition_class class_ = r->what.class_;
        if (class_ == PRECONDITION_CLASS_STANDING)
            continue;
        j->asks_of_race |= class_ == PRECONDITION_CLASS_RACE;
        if (r->what.term && j->n_conditions < MAX_CONDITIONS)
            j->conditions[j->n_conditions++] = r->what.term;
        else if (!holds_in_box(r->what.kind))
            j->unreadable = true;
    }
}

static bool meets_conditions(const judge *j, const launch *l)
{
    int64_t scalars[] = {l->p, 0, 0};
    binding b = binding_make(j->arena, j->ctx, j->kernel->contract, scalars);
    b.grid_values[0] = l->x;
    b.grid_values[1] = l->y;
    b.grid_values[2] = 1;
    for (size_t i = 0; i < j->n_conditions; i++) {
        int64_t holds;
        if (!binding_eval(&b, j->conditions[i], &holds) || !holds)
            return false;
    }
    return true;
}

/* A grid axis that is never read has extent 1: a standing assumption. */
static bool is_meant(const judge *j, const launch *l)
{
    unsigned reads = shape_reads(j->g, j->s);
    return l->p >= 1 && (l->x == 1 || reads & READS_X) && (l->y == 1 || reads & READS_Y) &&
           (l->p == 1 || reads & READS_P);
}

/* Is there a launch in which every axis and trip count that matters is at least two, and are there
 * two values of the parameter? A precondition that leaves none hides the race. */
static bool leaves_launches(const judge *j)
{
    unsigned reads = shape_reads(j->g, j->s);
    int64_t seen = 0;
    if (!j->n_conditions)
        return true;
    for (int64_t p = 2; p <= (reads & READS_P ? WIDE_P : 2); p++)
        for (int64_t y = reads & READS_Y ? 2 : 1; y <= (reads & READS_Y ? WIDE : 1); y++)
            for (int64_t x = reads & READS_X ? 2 : 1; x <= (reads & READS_X ? WIDE : 1); x++) {
                launch l = {x, y, p};
                if (!meets_conditions(j, &l))
                    continue;
                if (!(reads & READS_P) || (seen && seen != p))
                    return true;
                seen = p;
                y = x = WIDE;
            }
    return false;
}

static bool is_proved(verdict_kind verdict)
{
    return verdict == VERDICT_RACE_FREE || verdict == VERDICT_CONDITIONAL;
}

/* ---- Races ---- */

static bool event_of(const judge *j, const launch *l, const finding *f, size_t i, event *out)
{
    const witness_event *e = &f->witness->events[i];
    uint32_t here = f->locations[i < f->n_locations ? i : f->n_locations - 1].op_ordinal;
    uint32_t first = UINT32_MAX;
    for (const ir_op *op = ir_first_op(j->kernel->function); op && first == UINT32_MAX;
         op = ir_next_op(op))
        if (ir_is_memory_op(op))
            first = op->ordinal;
    point at = {e->block[0], e->block[1], e->n_iterations ? e->iterations[0] : 0, l->p, l->x};
    if (j->s->family == FLAGGED)
        at.i = 0;
    return e->block[2] == 0 && brute_event(j->g, j->s, l, &at, here != first, out);
}

static launch launch_of(const witness *w)
{
    launch l = {w->grid[0], w->grid[1], 1};
    for (size_t i = 0; i < w->n_params; i++)
        if (strcmp(w->params[i].name, "p") == 0)
            l.p = w->params[i].value;
    return l;
}

static outcome judge_witness(const judge *j, const finding *f, judgement *result)
{
    if (!f->witness || f->witness->n_events != 2)
        return NO_WITNESS;
    event events[2];
    launch l = result->at = launch_of(f->witness);
    if (l.p < 1 || f->witness->grid[2] != 1)
        return OUTSIDE;
    for (size_t i = 0; i < 2; i++)
        if (!event_of(j, &l, f, i, &events[i]))
            return FALSE_ALARM;
    if (!brute_pair_races(j->g, j->s, &l, &events[0], &events[1]))
        return FALSE_ALARM;
    return AGREES;
}

static outcome judge_witnesses(const judge *j, judgement *result)
{
    bool any = false;
    for (size_t i = 0; i < j->report->n_findings; i++) {
        const finding *f = &j->report->findings[i];
        if (!rule_is_race(f->rule) || f->confidence == CONFIDENCE_POSSIBLE)
            continue;
        any = true;
        outcome o = judge_witness(j, f, result);
        if (o != AGREES)
            return o;
    }
    return any ? AGREES : NO_WITNESS;
}

static outcome judge_box(const judge *j, judgement *result)
{
    bool proved = is_proved(j->report->verdict);
    event a, b;
    for (int64_t p = 1; p <= BOX_P; p++)
        for (int64_t y = 1; y <= BOX_Y; y++)
            for (int64_t x = 1; x <= BOX_X; x++) {
                launch l = {x, y, p};
                if (!is_meant(j, &l) || !brute_races(j->g, j->s, &l, &a, &b))
                    continue;
                result->races = true;
                if (!proved)
                    return AGREES;
                result->at = l;
                if (!j->unreadable && meets_conditions(j, &l))
                    return MISSED;
            }
    return AGREES;
}

static outcome judge_report(const judge *j, judgement *result)
{
    outcome o = judge_box(j, result);
    if (o != AGREES)
        return o;
    verdict_kind verdict = j->report->verdict;
    if (verdict == VERDICT_RACE || verdict == VERDICT_CONDITIONAL)
        o = judge_witnesses(j, result);
    if (o != AGREES || !is_proved(verdict))
        return o;
    if (j->unreadable)
        return UNREADABLE;
    if (j->asks_of_race != (verdict == VERDICT_CONDITIONAL))
        return MISCLASSED;
    if (verdict == VERDICT_CONDITIONAL && meets_conditions(j, &result->at))
        return NOT_EXCLUDED;
    return leaves_launches(j) ? AGREES : FORBIDDEN;
}

static void print_report(tr_text *out, const kernel_report *r)
{
    static const char *const verdicts[] = {"race-free", "conditional", "race", "unknown"};
    tr_text_addf(out, "verdict: %s", verdicts[r->verdict]);
    if (r->verdict == VERDICT_UNKNOWN)
        tr_text_addf(out, " (%s)", r->reason.text ? r->reason.text : reason_name(r->reason.kind));
    tr_text_add(out, "\n");
    for (size_t i = 0; i < r->n_requires; i++)
        if (r->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING)
            tr_text_addf(
                out, "  requires %s, %s: %s\n", precondition_name(r->requires_[i].what.kind),
                precondition_class_name(r->requires_[i].what.class_), r->requires_[i].text);
    for (size_t i = 0; i < r->n_findings; i++)
        tr_text_addf(out, "  %s: %s\n%s\n", rule_info_of(r->findings[i].rule)->code,
                     r->findings[i].message, r->findings[i].words ? r->findings[i].words : "");
}

static bool is_valid(const kernel *k, tr_arena *arena)
{
    tr_errors errors = tr_errors_make(arena);
    bool fine = ir_verify(k->module, &errors);
    tr_errors_free(&errors);
    return fine;
}

judgement judge_shape(const grammar *g, const shape *s, smt_steps steps, tr_text *report)
{
    judgement result = {0};
    smt_ctx *ctx = smt_ctx_new();
    smt_options solver = {0};
    smt_prover *prover = smt_prover_new(ctx, &solver);
    kernel k = kernel_make(ctx, g, s);
    judge j = {.g = g, .s = s, .kernel = &k, .ctx = ctx, .arena = tr_arena_new()};
    if (is_valid(&k, j.arena)) {
        rules_options options = {.model = model_default_choices(), .steps = steps};
        j.report = rules_check(j.arena, ctx, prover, k.function, k.contract, &options);
        read_conditions(&j);
        result.verdict = j.report->verdict;
        result.reason = j.report->reason.kind;
        result.asks = j.n_conditions > 0;
        result.ms = j.report->time_ms;
        result.outcome = judge_report(&j, &result);
        if (report)
            print_report(report, j.report);
    } else {
        result.outcome = INVALID;
    }
    kernel_free(&k);
    smt_prover_free(prover);
    smt_ctx_free(ctx);
    tr_arena_free(j.arena);
    return result;
}

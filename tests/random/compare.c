#include "compare_private.h"

#include <string.h>

#include "executions/executions.h"
#include "launch/from_contract.h"
#include "launch/random.h"

enum { MAX_BLOCKS = 48, MAX_QUANTITIES = MAX_ARGS + 3 };

const char *disagreement_text(disagreement d)
{
    static const char *const texts[] = {
#define X(name, text) text,
        DISAGREEMENTS(X)
#undef X
    };
    return texts[d];
}

/* `signature`: what of it is to stay while the kernel shrinks. */
void compare_disagree(judge *j, disagreement kind, const concrete_launch *launch, const ir_op *a,
                      const ir_op *b, const char *signature, const char *what)
{
    if (j->result.kind != AGREES)
        return;
    j->result.kind = kind;
    j->result.what = signature;
    tr_text_addf(j->out, "%s: %s", disagreement_text(kind), what);
    const ir_op *ops[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (ops[i]) {
            tr_text_addf(j->out, "\n  op %u: ", ops[i]->ordinal);
            ir_print_op(j->out, ops[i]);
        }
    if (launch) {
        tr_text_add(j->out, "\n  launch: ");
        concrete_launch_print(j->out, j->s->kernel, j->s->contract, launch);
        for (size_t i = 0; i < launch->n_args; i++) {
            int number = launch->args[i].buffer;
            if (number < 0 || !j->s->contract->args[i].contents.max)
                continue;
            const interp_buffer *buffer = &launch->buffers[number];
            tr_text_addf(j->out, ", %s =", buffer->name);
            for (int64_t at = 0; at + 4 <= buffer->data_bytes && at < 64; at += 4) {
                int32_t value;
                memcpy(&value, buffer->data + at, 4);
                tr_text_addf(j->out, " %d", value);
            }
        }
    }
    tr_text_add(j->out, "\n");
}

/* ---- Section: What the report says ---- */

bool compare_same_block(rule_id rule)
{
    return rule == RULE_UNORDERED_IN_BLOCK || rule == RULE_SELF_OVERLAP;
}

uint32_t compare_ordinal(const finding *f, size_t i)
{
    return f->locations[i < f->n_locations ? i : f->n_locations - 1].op_ordinal;
}

static bool is_listed(const judge *j, const ir_op *a, const ir_op *b, bool same_block)
{
    for (size_t i = 0; i < j->report->n_findings; i++) {
        const finding *f = &j->report->findings[i];
        if (f->is_example || !rule_is_race(f->rule) || compare_same_block(f->rule) != same_block)
            continue;
        uint32_t x = compare_ordinal(f, 0), y = compare_ordinal(f, 1);
        if ((x == a->ordinal && y == b->ordinal) || (x == b->ordinal && y == a->ordinal))
            return true;
    }
    return false;
}

/* Are there so many races between tile blocks that the report may have left others out? */
static bool lists_some(const judge *j)
{
    size_t races = 0;
    for (size_t i = 0; i < j->report->n_findings; i++) {
        const finding *f = &j->report->findings[i];
        races += !f->is_example && rule_is_race(f->rule) && !compare_same_block(f->rule);
    }
    return races >= RULES_MOST_ALIKE;
}

/* Does the report speak of undefined behaviour of this op, or leave launches out? That accesses
 * stay in memory that no contract describes is taken for granted (U3). */
static bool speaks_of_ub(const judge *j, const ir_op *op)
{
    if (j->s->own_memory && ir_is_memory_op(op))
        return true;
    for (size_t i = 0; i < j->report->n_findings; i++)
        if (!rule_is_race(j->report->findings[i].rule) &&
            compare_ordinal(&j->report->findings[i], 0) == op->ordinal)
            return true;
    for (size_t i = 0; i < j->report->n_requires; i++)
        if (!compare_kept_anyway(&j->report->requires_[i]))
            return true;
    return j->report->unknown > 0;
}

static bool asks_for(const judge *j, precondition_kind kind)
{
    for (size_t i = 0; i < j->report->n_requires; i++)
        if (j->report->requires_[i].what.kind == kind &&
            j->report->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING)
            return true;
    return false;
}

/* ---- Section: Which wraps matter ---- */

static bool is_data(const char *group)
{
    static const char *const names[] = {"tile", "value", "arg", "cmp", "val", "padding_value"};
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(group, names[i]) == 0)
            return true;
    return false;
}

/* Everything but what is only stored, generously: through loops and branches all or nothing. */
/* Does what a loop starts with, or a terminator passes on, matter: its result or the next
 * iteration's value? A value that is only carried round does not. */
static bool passed_on_matters(const judge *j, const ir_op *op, uint32_t i)
{
    bool starts = op->code == IR_OP_FOR || op->code == IR_OP_LOOP;
    const ir_op *target = starts ? op : op->parent->parent;
    while (target && !starts && op->code != IR_OP_YIELD && target->code != IR_OP_FOR &&
           target->code != IR_OP_LOOP)
        target = target->parent->parent;
    if (!target)
        return true;
    bool matters = i < target->n_results && j->matters[target->results[i].id];
    uint32_t arg = i + (target->code == IR_OP_FOR ? 1 : 0);
    if (starts || op->code == IR_OP_CONTINUE)
        matters |=
            arg < target->regions[0]->n_args && j->matters[target->regions[0]->args[arg]->id];
    return matters;
}

static void find_what_matters(judge *j)
{
    j->matters = TR_NEW_ARRAY(j->arena, bool, j->s->kernel->n_values + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (const ir_op *op = ir_first_op(j->s->kernel); op; op = ir_next_op(op)) {
            const ir_op_info *info = ir_op_info_of(op->code);
            bool memory = ir_is_memory_op(op), all = memory || op->n_results == 0 ||
                                                     (info->effects & IR_CONTROL) ||
                                                     op->code == IR_OP_MAKE_TENSOR_VIEW;
            for (uint32_t i = 0; i < op->n_results && !all; i++)
                all = j->matters[op->results[i].id];
            for (unsigned g = 0; g < info->n_operand_groups && all; g++) {
                uint32_t count;
                ir_value **values = ir_group(op, g, &count);
                for (uint32_t i = 0; i < count; i++) {
                    if ((memory && is_data(info->operand_groups[g].name)) ||
                        j->matters[values[i]->id])
                        continue;
                    bool passes = strcmp(info->operand_groups[g].name, "init_values") == 0 ||
                                  op->code == IR_OP_YIELD || op->code == IR_OP_CONTINUE ||
                                  op->code == IR_OP_BREAK;
                    if (passes && !passed_on_matters(j, op, i))
                        continue;
                    j->matters[values[i]->id] = changed = true;
                }
            }
        }
    }
}

/* ---- Section: One launch ---- */

interp_run *compare_run(const ir_function *kernel, const concrete_launch *launch)
{
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 400000, .events = 400000};
    return interp_execute(kernel, launch, &model, &limits, NULL);
}

size_t compare_races(const interp_run *run, interp_race *races, bool *synchronisation)
{
    size_t n = interp_find_races(run, false, races, COMPARE_MAX_RACES, synchronisation);
    return n < COMPARE_MAX_RACES ? n : COMPARE_MAX_RACES;
}

static bool wraps_unflagged(const judge *j, const concrete_launch *launch)
{
    interp_run *run = compare_run(j->flagged->kernel, launch);
    const interp_ub *ubs;
    bool wraps = false;
    for (size_t i = 0, n = interp_ubs(run, &ubs); i < n; i++)
        wraps |= ubs[i].kind == INTERP_UB_WRAP;
    interp_run_free(run);
    return wraps;
}

static bool is_promise(const interp_run *run)
{
    const interp_ub *ubs;
    for (size_t i = 0, n = interp_ubs(run, &ubs); i < n; i++)
        if (ubs[i].kind == INTERP_UB_ASSUME)
            return true;
    return false;
}

/* Behind the end of a buffer whose extent the contract leaves open: nothing is promised of that.
 * Nor of what lies in front of one, unless the report asks for it. */
static bool is_undecided(const judge *j, const concrete_launch *launch, const interp_run *run,
                         const interp_ub *ub)
{
    const interp_event *events;
    int32_t buffer = -1;
    bool in_front = false;
    if (ub->kind != INTERP_UB_OUT_OF_BUFFER)
        return false;
    for (size_t i = 0, n = interp_events(run, &events); i < n; i++)
        if (events[i].out_of_buffer && interp_instance_of(run, events[i].instance)->op == ub->op) {
            buffer = buffer < 0 ? events[i].buffer : buffer;
            in_front |= events[i].address < 0;
        }
    if (in_front && asks_for(j, PRECONDITION_IN_BOUNDS))
        return false;
    for (size_t i = 0; i < launch->n_args; i++)
        if (launch->args[i].buffer == buffer && j->s->contract->args[i].kind == CONTRACT_POINTER &&
            !j->s->contract->args[i].elements)
            return true;
    return false;
}

/* The first undefined behaviour of each block has to be spoken of: what comes later may be its
 * consequence. True when there was any that matters. */
static bool judge_ubs(judge *j, const concrete_launch *launch, const interp_run *run)
{
    static const char *const kinds[] = {[INTERP_UB_INDEX_SPACE] = "an index outside its space",
                                        [INTERP_UB_CLAIM] = "a tile that is not in bounds",
                                        [INTERP_UB_OUT_OF_BUFFER] = "an access outside its buffer",
                                        [INTERP_UB_WRAP] = "a wrap",
                                        [INTERP_UB_DIVISION] = "a division",
                                        [INTERP_UB_ASSUME] = "a promise",
                                        [INTERP_UB_SLICE] = "a slice outside its tile"};
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    bool any = false;
    uint32_t block = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        bool data = ubs[i].kind == INTERP_UB_WRAP && ubs[i].op->n_results &&
                    !j->matters[ubs[i].op->results[0].id];
        if (data || ubs[i].block == block || is_undecided(j, launch, run, &ubs[i]))
            continue;
        block = ubs[i].block;
        any = true;
        if (!speaks_of_ub(j, ubs[i].op))
            compare_disagree(j, MISSED_UB, launch, ubs[i].op, NULL, kinds[ubs[i].kind],
                             kinds[ubs[i].kind]);
    }
    return any || interp_run_status(run) == INTERP_UB;
}

/* Where synchronisation decides, one run does not: all executions do. */
static void judge_executions(judge *j, const concrete_launch *launch)
{
    executions_part part = {.kernel = j->s->kernel, .launch = launch};
    executions_limits limits = {.blocks = 6, .milliseconds = 300};
    const executions *x = executions_find(j->arena, 1, &part, NULL, &limits, EXECUTIONS_RACES);
    j->result.races += x->answer == EXECUTIONS_RACE;
    if (x->answer == EXECUTIONS_RACE && compare_proved(j->report->verdict))
        compare_disagree(j, MISSED, launch, x->race[0].op, x->race[1].op, "executions",
                         "in some execution");
}

/* The undefined behaviour of the run is a division or an assumption that the report calls an error:
 * it must not hide a race of accesses that do not depend on it. What depends on it has no known
 * address in the run. */
static bool is_reported_error(const judge *j, const interp_run *run)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n; i++) {
        bool reported = false;
        for (size_t f = 0; f < j->report->n_findings; f++) {
            const finding *found = &j->report->findings[f];
            reported |= (found->rule == RULE_DIVISION || found->rule == RULE_ASSUME) &&
                        found->locations[0].op_ordinal == ubs[i].op->ordinal;
        }
        if (!reported || (ubs[i].kind != INTERP_UB_DIVISION && ubs[i].kind != INTERP_UB_ASSUME))
            return false;
    }
    return n > 0;
}

static bool writes_memory(const interp_run *run)
{
    for (uint32_t i = 0; i < interp_instances(run); i++)
        if (ir_op_info_of(interp_instance_of(run, i)->op->code)->effects & (IR_WRITES | IR_ATOMIC))
            return true;
    return false;
}

static void exec_judge_launch(judge *j, const concrete_launch *launch)
{
    static interp_race races[COMPARE_MAX_RACES];
    bool synchronisation;
    interp_run *run = compare_run(j->s->kernel, launch);
    interp_status status = interp_run_status(run);
    bool ended = status == INTERP_DONE || status == INTERP_UB;
    bool wrapped = (asks_for(j, PRECONDITION_NO_WRAP) || j->report->verdict == VERDICT_UNKNOWN) &&
                   ended && wraps_unflagged(j, launch);
    bool undefined = ended && !wrapped && is_reported_error(j, run);
    if (!ended || wrapped || !compare_meets(j->arena, j->ctx, j->s, j->report, launch) ||
        (!undefined && (is_promise(run) || judge_ubs(j, launch, run)))) {
        j->result.left_out++;
        interp_run_free(run);
        return;
    }
    size_t n = compare_races(run, races, &synchronisation);
    j->result.launches++;
    j->result.stores |= writes_memory(run);
    j->result.races += n;
    if (synchronisation)
        judge_executions(j, launch);
    for (size_t i = 0; i < n; i++) {
        const ir_op *a = interp_instance_of(run, races[i].a.instance)->op;
        const ir_op *b = interp_instance_of(run, races[i].b.instance)->op;
        bool same_block = races[i].a.block == races[i].b.block;
        bool proved = compare_proved(j->report->verdict);
        /* Beside a race, other pairs may stay open: the report counts them as unknown. What a
         * conditional verdict lists are races of launches that its preconditions exclude. */
        if (!proved && (j->report->unknown > 0 || is_listed(j, a, b, same_block) ||
                        (!same_block && lists_some(j))))
            continue;
        compare_disagree(j, proved ? MISSED : INCOMPLETE, launch, a, b,
                         same_block ? "same" : "other",
                         same_block ? "in one tile block" : "between tile blocks");
    }
    interp_run_free(run);
}

/* ---- Section: All launches ---- */

typedef struct quantity { /* what a launch chooses */
    int64_t low, high, *at;
} quantity;

static size_t find_quantities(const judge *j, int64_t *scalars, int64_t *grid, int64_t *offsets,
                              quantity *out)
{
    const contract *c = j->s->contract;
    size_t n = 0;
    bool stated = c->grid[0] || c->grid[1] || c->grid[2];
    for (size_t i = 0; i < c->n_args; i++) {
        if (c->args[i].kind == CONTRACT_SCALAR)
            out[n++] = (quantity){j->s->low[i], j->s->high[i], &scalars[i]};
        else if (j->s->open_offset[i])
            out[n++] = (quantity){0, 5, &offsets[i]};
    }
    for (int axis = 0; axis < 3; axis++) {
        grid[axis] = c->grid[axis] ? 0 : 1;
        if (!stated && concrete_axis_is_open(j->s->kernel, axis))
            out[n++] = (quantity){1, 3, &grid[axis]};
    }
    return n;
}

static void try_launch(judge *j, const int64_t *scalars, const int64_t *grid,
                       const int64_t *offsets, uint64_t seed)
{
    int64_t extents[3] = {grid[0], grid[1], grid[2]};
    if (!concrete_launch_holds(j->ctx, j->s->contract, scalars, extents) ||
        extents[0] * extents[1] * extents[2] > MAX_BLOCKS)
        return;
    interp_filling filling = {.seed = seed, .offsets = offsets};
    concrete_launch *launch = concrete_launch_from(j->arena, j->ctx, j->s->kernel, j->s->contract,
                                                   extents, scalars, &filling, NULL);
    if (launch)
        exec_judge_launch(j, launch);
}

static void judge_launches(judge *j, size_t wanted)
{
    int64_t scalars[MAX_ARGS] = {0}, grid[3], offsets[MAX_ARGS] = {0};
    quantity quantities[MAX_QUANTITIES];
    size_t n = find_quantities(j, scalars, grid, offsets, quantities), total = 1;
    bool contents = false;
    for (size_t i = 0; i < n; i++)
        total *= (size_t)(quantities[i].high - quantities[i].low + 1);
    for (size_t i = 0; i < j->s->contract->n_args; i++)
        contents |= strcmp(j->s->contract->args[i].name, "idx") == 0;
    size_t fillings = contents ? 3 : 1, tries = total * fillings;
    bool all = tries <= wanted;
    uint64_t random = 1;
    for (size_t k = 0; k < (all ? tries : wanted) && j->result.kind == AGREES; k++) {
        size_t rest = all ? k / fillings : random_next(&random) % total;
        for (size_t i = 0; i < n; i++) {
            size_t size = (size_t)(quantities[i].high - quantities[i].low + 1);
            *quantities[i].at = quantities[i].low + (int64_t)(rest % size);
            rest /= size;
        }
        try_launch(j, scalars, grid, offsets, k);
    }
}

/* ---- Section: One kernel ---- */

static void print_report(judge *j)
{
    const kernel_report *r = j->report;
    tr_text_addf(j->out, "checker: %s%s%s, %zu obligations, %zu proved, %zu vacuous\n",
                 verdict_info_of(r->verdict)->name, r->verdict == VERDICT_UNKNOWN ? ": " : "",
                 r->verdict == VERDICT_UNKNOWN && r->reason.text ? r->reason.text : "", r->total,
                 r->proved, r->vacuous);
    for (size_t i = 0; i < r->n_findings; i++)
        tr_text_addf(j->out, "  %s %s ops %u %u: %s\n", rule_info_of(r->findings[i].rule)->code,
                     r->findings[i].confidence == CONFIDENCE_POSSIBLE ? "possible" : "confirmed",
                     compare_ordinal(&r->findings[i], 0), compare_ordinal(&r->findings[i], 1),
                     r->findings[i].message);
    for (size_t i = 0; i < r->n_requires; i++)
        if (r->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING)
            tr_text_addf(j->out, "  requires %s: %s\n",
                         precondition_name(r->requires_[i].what.kind), r->requires_[i].text);
}

static bool is_valid(judge *j)
{
    tr_errors errors = tr_errors_make(j->arena);
    bool fine = ir_verify(j->s->module, &errors);
    if (!fine) {
        j->result.kind = INVALID;
        tr_text_addf(j->out, "%s\n", errors.items ? errors.items[0].text : "no reason");
    }
    tr_errors_free(&errors);
    return fine;
}

comparison compare_sample(tr_text *out, smt_ctx *ctx, smt_prover *prover, const sample *s,
                          const sample *flagged, size_t launches, smt_steps steps)
{
    judge j = {.out = out, .arena = tr_arena_new(), .ctx = ctx, .s = s, .flagged = flagged};
    if (is_valid(&j)) {
        rules_options options = {.model = model_default_choices(), .steps = steps};
        j.report = rules_check(j.arena, ctx, prover, s->kernel, s->contract, &options);
        j.result.verdict = j.report->verdict;
        j.result.reason = j.report->reason.kind;
        j.result.check_ms = j.report->time_ms;
        find_what_matters(&j);
        compare_witnesses(&j);
        judge_launches(&j, launches);
        print_report(&j);
    }
    tr_arena_free(j.arena);
    return j.result;
}

/* Values that are not defined in the runs of a launch: what a buffer holds at the end that no
 * program may rely on, and where it comes from. */
#include "run/undefined.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "interp/schedule.h"
#include "run/contents.h"
#include "run/report.h"
#include "run/target.h"
#include "settings/shown.h"

/* ---- Section: Collecting ---- */

static uint32_t line_of(const ir_op *op)
{
    return op && op->place ? op->place->line : 0;
}

static int64_t element_of(const run_target *t, const concrete_launch *launch, int buffer,
                          int64_t address)
{
    const ir_block *body = t->kernel->function->body;
    for (uint32_t i = 0; i < body->n_args && i < launch->n_args; i++)
        if (launch->args[i].buffer == buffer && body->args[i]->type->elem->kind == IR_POINTER)
            return address / ir_type_bytes(body->args[i]->type->elem->elem);
    return address;
}

static run_undefined undefined_of(const run_target *t, const concrete_launch *launch,
                                  const interp_run *run, const ir_op *op,
                                  const interp_undefined *source, const char *seen_by)
{
    run_undefined is = {.op = op ? ir_op_info_of(op->code)->mnemonic : "",
                        .op_ordinal = op ? op->ordinal : 0,
                        .line = line_of(op),
                        .source = source->kind,
                        .source_op = ir_op_info_of(source->op->code)->mnemonic,
                        .source_ordinal = source->op->ordinal,
                        .source_line = line_of(source->op),
                        .seen_by = seen_by};
    if (source->kind == INTERP_UNDEFINED_MEMORY && source->buffer >= 0) {
        is.read = tr_arena_strdup(t->s->arena, interp_buffer_name(run, source->buffer));
        is.read_element = element_of(t, launch, source->buffer, source->address);
    }
    return is;
}

/* Its place in the report, where it is new to it or of this very run; NULL: a run before has shown
 * it, or there are too many. */
static run_undefined *place_for(run_report *report, const run_undefined *is)
{
    for (size_t i = 0; i < report->n_undefined; i++) {
        run_undefined *u = &report->undefined[i];
        if (u->op_ordinal == is->op_ordinal && u->source_ordinal == is->source_ordinal &&
            !u->buffer == !is->buffer && u->source == is->source)
            return u->seen_by == is->seen_by ? u : NULL;
    }
    if (report->n_undefined == RUN_MOST_UNDEFINED)
        return NULL;
    report->undefined[report->n_undefined] = *is;
    return &report->undefined[report->n_undefined++];
}

typedef struct stored_at {
    int64_t buffer, address;
} stored_at;

typedef struct stored_entry { /* stb_ds map */
    stored_at key;
    char value;
} stored_entry;

static void collect_stored(const run_target *t, const concrete_launch *launch,
                           const interp_run *run, const char *seen_by, run_report *report)
{
    const interp_unknown_store *stores;
    stored_entry *counted = NULL;
    for (size_t n = interp_unknown_stores(run, &stores), i = n; i-- > 0;) {
        /* from the last one: it is the one whose value stays */
        const interp_unknown_store *store = &stores[i];
        const interp_undefined *source = interp_undefined_at(run, store->source);
        stored_at at = {store->buffer, store->address};
        if (!source || hmgeti(counted, at) >= 0 || !interp_stays_unknown(run, store))
            continue;
        hmput(counted, at, 1);
        run_undefined is = undefined_of(t, launch, run, store->op, source, seen_by);
        is.buffer = tr_arena_strdup(t->s->arena, interp_buffer_name(run, store->buffer));
        run_undefined *u = place_for(report, &is);
        if (!u)
            continue;
        u->elements++;
        u->element = element_of(t, launch, store->buffer, store->address);
        interp_block_of(run, store->block, u->block);
    }
    hmfree(counted);
}

bool run_ends_by_undefined(const interp_run *run)
{
    return interp_run_undefined_by(run) != NULL;
}

void run_collect_undefined(const run_target *t, const concrete_launch *launch,
                           const interp_run *run, const char *seen_by, run_report *report)
{
    const interp_undefined *source = interp_run_undefined_by(run);
    if (interp_run_status(run) == INTERP_DONE) {
        collect_stored(t, launch, run, seen_by, report);
    } else if (source) {
        run_undefined is = undefined_of(t, launch, run, interp_run_where(run), source, seen_by);
        place_for(report, &is);
    }
}

enum { JUDGING_STEPS = 20000000, JUDGING_EVENTS = 2000000 };

void run_judge_undefined(const run_target *t, const gpu_plan *plan, run_report *report)
{
    bool any = false;
    for (size_t i = 0; i < plan->n_buffers; i++)
        any |= plan->buffers[i].fill == GPU_FILL_UNDEFINED;
    if (!any)
        return;
    concrete_launch launch = run_filled_launch(t, plan);
    interp_limits limits = {.values = true};
    limits.steps = JUDGING_STEPS;
    limits.events = JUDGING_EVENTS;
    interp_schedule schedule = {.policy = INTERP_IN_ORDER, .seed = plan->seed};
    interp_run *run = interp_execute_scheduled(t->kernel->function, &launch, &t->s->rules.model,
                                               &limits, 0, NULL, &schedule);
    run_collect_undefined(t, &launch, run, "the interpreter's run", report);
    if (interp_run_status(run) != INTERP_DONE && !run_ends_by_undefined(run))
        report->undefined_why = tr_arena_strdup(t->s->arena, interp_run_why(run));
    interp_run_free(run);
    run_conclude_undefined(t->s->arena, report);
}

/* ---- Section: Words ---- */

void run_conclude_undefined(tr_arena *arena, run_report *r)
{
    bool decides = false;
    for (size_t i = 0; i < r->n_undefined; i++)
        decides |= !r->undefined[i].buffer;
    if (r->n_undefined == 0)
        return;
    const char *what = decides ? "a branch, a mask or an address depends on a value that is not "
                                 "defined"
                               : "an output gets values that are not defined";
    r->words = r->words ? tr_arena_printf(arena, "%s; %s", what, r->words) : what;
}

static void add_line(tr_text *out, const char *what, uint32_t line)
{
    tr_text_add(out, what);
    if (line)
        tr_text_addf(out, " in line %u", line);
}

void run_undefined_text(tr_text *out, const run_report *r)
{
    for (size_t i = 0; i < r->n_undefined; i++) {
        const run_undefined *u = &r->undefined[i];
        tr_text_add(out, "  value that is not defined [undefined-value]: ");
        if (u->buffer)
            tr_text_addf(out,
                         "%zu element%s of %s: tile block (%lld, %lld, %lld) stores one to "
                         "%s[%lld]",
                         u->elements, u->elements == 1 ? "" : "s", u->buffer,
                         (long long)u->block[0], (long long)u->block[1], (long long)u->block[2],
                         u->buffer, (long long)u->element);
        else
            tr_text_addf(out, "%s depends on one", u->op);
        add_line(out, "", u->line);
        tr_text_addf(out, "\n    %s", u->source_op);
        add_line(out, "", u->source_line);
        tr_text_addf(out, " %s", interp_undefined_info_of(u->source)->does);
        if (u->read)
            tr_text_addf(out, ": %s[%lld]", u->read, (long long)u->read_element);
        tr_text_addf(out, " (%s)\n", u->seen_by);
    }
    if (r->undefined_why)
        tr_text_addf(out,
                     "  whether values that are not defined reach an output is not known: on the "
                     "interpreter %s\n",
                     r->undefined_why);
}

void run_note_undefined(const run_target *t, const gpu_plan *plan)
{
    run_report judged = {0};
    tr_text text = {0}, shown = {0};
    run_judge_undefined(t, plan, &judged);
    run_undefined_text(&text, &judged);
    if (text.length) {
        tr_say(t->s->err, "%s: %s\n", t->input->file, t->kernel->function->shown);
        shown_add_lines(&shown, tr_text_get(&text), text.length);
        fputs(tr_text_get(&shown), t->s->err);
    }
    tr_text_free(&text);
    tr_text_free(&shown);
}

/* ---- Section: JSON ---- */

static void add_number(cJSON *json, const char *key, bool is_there, double number)
{
    if (is_there)
        cJSON_AddNumberToObject(json, key, number);
    else
        cJSON_AddNullToObject(json, key);
}

cJSON *run_undefined_json(const run_report *r)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < r->n_undefined; i++) {
        const run_undefined *u = &r->undefined[i];
        cJSON *json = cJSON_CreateObject(), *source = cJSON_CreateObject();
        cJSON_AddItemToObject(json, "buffer",
                              u->buffer ? cJSON_CreateString(u->buffer) : cJSON_CreateNull());
        add_number(json, "element", u->buffer, (double)u->element);
        cJSON_AddNumberToObject(json, "elements", (double)u->elements);
        cJSON *block = u->buffer ? cJSON_CreateArray() : cJSON_CreateNull();
        for (int axis = 0; u->buffer && axis < 3; axis++)
            cJSON_AddItemToArray(block, cJSON_CreateNumber((double)u->block[axis]));
        cJSON_AddItemToObject(json, "block", block);
        cJSON_AddStringToObject(json, "op", u->op);
        add_number(json, "line", u->line, u->line);
        cJSON_AddStringToObject(source, "kind", interp_undefined_info_of(u->source)->name);
        cJSON_AddStringToObject(source, "op", u->source_op);
        add_number(source, "line", u->source_line, u->source_line);
        cJSON_AddItemToObject(source, "buffer",
                              u->read ? cJSON_CreateString(u->read) : cJSON_CreateNull());
        add_number(source, "element", u->read, (double)u->read_element);
        cJSON_AddItemToObject(json, "source", source);
        cJSON_AddStringToObject(json, "seen_by", u->seen_by);
        cJSON_AddItemToArray(list, json);
    }
    return list;
}

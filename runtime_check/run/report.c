#include "run/report.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "json/print.h"
#include "run/printed.h"
#include "run/races.h"
#include "run/tiles.h"
#include "run/undefined.h"
#include "settings/shown.h"

static const char *kept(tr_arena *arena, const char *text)
{
    return text ? tr_arena_strdup(arena, text) : NULL;
}

void run_report_of_gpu(tr_arena *arena, const char *file, const char *kernel, const gpu_plan *plan,
                       const gpu_result *result, run_report *report)
{
    *report = (run_report){
        .file = file,
        .kernel = tr_arena_strdup(arena, kernel),
        .device = "gpu",
        .launch = kept(arena, plan->launch),
        .source = kept(arena, plan->source),
        .source_name = kept(arena, plan->source_name),
        .runs = result->runs,
        .hang = result->status == GPU_HANG,
        .error = result->status == GPU_FAILED ? result->why : NULL,
        .words = plan_result_words(arena, plan, result),
        .gpu = result->gpu[0] ? result->gpu : NULL,
        .driver = result->driver,
        .grid = {plan->grid[0], plan->grid[1], plan->grid[2]},
        .outputs = TR_NEW_ARRAY(arena, run_output, plan->n_buffers + 1),
    };
    for (size_t i = 0; i < plan->n_buffers && result->runs; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        const gpu_output *from = &result->outputs[i];
        if (!b->output)
            continue;
        run_output *o = &report->outputs[report->n_outputs++];
        *o = (run_output){*b, *from, run_tiles_of(arena, b, from, result->runs)};
        o->buffer.name = tr_arena_strdup(arena, b->name);
        o->output.contents = o->output.other = NULL;
        o->output.per_run =
            tr_arena_copy(arena, from->per_run, result->runs * sizeof *from->per_run);
        o->output.heat = from->differing
                             ? tr_arena_copy(arena, from->heat, from->elements * sizeof *from->heat)
                             : NULL;
        if (b->order_dependent || plan_may_differ(plan))
            report->order_dependent |= from->differing > 0;
        else
            report->nondeterministic |= from->differing > 0;
        report->missed |= from->agreement == GPU_DIFFERENT;
    }
}

/* ---- Text ---- */

/* Schedules that differ in what a load sees alone. */
static bool same_steps(const run_difference *d)
{
    bool same = d->n_steps[0] == d->n_steps[1];
    for (size_t k = 0; same && k < d->n_steps[0]; k++)
        same =
            memcmp(d->steps[0][k].block, d->steps[1][k].block, sizeof d->steps[0][k].block) == 0 &&
            strcmp(d->steps[0][k].what, d->steps[1][k].what) == 0;
    return same;
}

/* Steps that matter alone: who did what, in which order. */
static void text_of_schedules(tr_text *out, const run_difference *d, const char *replayed)
{
    if (replayed)
        tr_text_addf(out, "  the race that the checker reports (%s), replayed\n", replayed);
    tr_text_addf(out, "  two schedules of %s%s:\n", d->launch,
                 d->adjacent ? ", equal but for the order of two steps" : "");
    for (int i = 0; i < 2; i++) {
        tr_text_addf(out, "    %s\n", i ? "second" : "first");
        for (size_t k = 0; k < d->n_steps[i]; k++) {
            const machine_step *step = &d->steps[i][k];
            if (step->matters)
                tr_text_addf(out, "      step %zu: block (%lld, %lld, %lld) %s\n", k,
                             (long long)step->block[0], (long long)step->block[1],
                             (long long)step->block[2], step->what);
        }
    }
    if (same_steps(d))
        tr_text_addf(out,
                     "    the steps are the same; at step %zu what is read differs: nothing orders "
                     "it behind the write\n",
                     d->at);
    for (size_t i = 0; i < d->n_listed; i++)
        tr_text_addf(out, "    %s\n", d->elements[i]);
    if (d->n_elements > d->n_listed)
        tr_text_addf(out, "    and %zu more\n", d->n_elements - d->n_listed);
}

static void text_of_races(tr_text *out, const run_report *r)
{
    tr_arena *arena = tr_arena_new();
    for (size_t i = 0; i < r->n_races; i++) {
        const run_race *race = &r->races[i];
        tr_text_addf(out, "  race [%s]: %s\n    nothing orders the two in %s (%s)\n", race->rule,
                     run_race_words(arena, race), race->seen_by, race->launch);
        for (size_t k = 0; k < race->n_broken; k++)
            tr_text_addf(out, "    %s: %s\n",
                         race->broken[k].reported ? "undefined behaviour in this launch"
                                                  : "the launch breaks the precondition",
                         race->broken[k].text);
    }
    if (r->contradiction && r->contradiction->folder)
        tr_text_addf(out, "  %s holds all that repeats the contradiction; please report it\n",
                     r->contradiction->folder);
    tr_arena_free(arena);
}

/* The lines below the first, as they are made: names in them are as they came. */
static void text_of_run(tr_text *out, const run_report *r)
{
    plan_text_launch(out, r->launch);
    plan_text_device(out, r->gpu, r->driver, r->runs);
    for (size_t i = 0; i < r->n_outputs; i++)
        plan_text_output(out, &r->outputs[i].buffer, &r->outputs[i].output, r->runs);
    plan_text_pairs(out, r->pairs, r->nobody);
    text_of_races(out, r);
    run_undefined_text(out, r);
    plan_text_checker(out, r->checker);
    if (r->difference)
        text_of_schedules(out, r->difference, r->replayed);
    else if (r->exhaustive)
        tr_text_addf(out, "  deterministic on the interpreter under all schedules of %s (%llu)%s\n",
                     r->explored_launch, (unsigned long long)r->explored,
                     r->checker && strncmp(r->checker, "race:", 5) == 0
                         ? "; the race remains one: what it leads to is undefined"
                         : "");
}

void run_report_text(tr_text *out, const run_report *r)
{
    tr_text text = {0};
    tr_text_addf(&text, "%s: %s: %s", r->file, r->kernel, r->error ? r->error : r->words);
    tr_text_add_shown(out, tr_text_get(&text), text.length);
    tr_text_clear(&text);
    tr_text_add(&text, "\n");
    text_of_run(&text, r);
    shown_add_lines(out, tr_text_get(&text), text.length);
    tr_text_free(&text);
}

/* ---- JSON ---- */

static cJSON *coordinates(int rank, const uint64_t *at)
{
    cJSON *list = cJSON_CreateArray();
    for (int d = 0; d < rank; d++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)at[d]));
    return list;
}

static void add_box(cJSON *boxes, const gpu_buffer *b, const uint64_t *low, const uint64_t *high)
{
    cJSON *box = cJSON_CreateObject();
    cJSON_AddStringToObject(box, "buffer", b->name);
    cJSON_AddItemToObject(box, "low", coordinates(b->rank, low));
    cJSON_AddItemToObject(box, "high", coordinates(b->rank, high));
    uint64_t first[GPU_MAX_RANK], last[GPU_MAX_RANK];
    bool tiled = true;
    for (int d = 0; d < b->rank; d++) {
        tiled &= b->tile[d] > 0;
        first[d] = tiled ? low[d] / b->tile[d] : 0;
        last[d] = tiled ? high[d] / b->tile[d] : 0;
    }
    if (tiled) {
        cJSON_AddItemToObject(box, "tile_low", coordinates(b->rank, first));
        cJSON_AddItemToObject(box, "tile_high", coordinates(b->rank, last));
    }
    cJSON_AddItemToArray(boxes, box);
}

/* Its coordinates where the shape is known, else its number. */
static cJSON *first_of(const run_output *o, bool shaped)
{
    uint64_t at[GPU_MAX_RANK], rest = o->output.first;
    if (!shaped)
        return coordinates(1, &rest);
    for (int d = o->buffer.rank; d-- > 0; rest /= o->buffer.shape[d])
        at[d] = rest % o->buffer.shape[d];
    return coordinates(o->buffer.rank, at);
}

static void add_output(cJSON *outputs, cJSON *boxes, const run_output *o)
{
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK];
    bool shaped = plan_bounding_box(&o->buffer, &o->output, low, high);
    cJSON *output = cJSON_CreateObject();
    cJSON_AddStringToObject(output, "buffer", o->buffer.name);
    cJSON_AddNumberToObject(output, "elements", (double)o->output.elements);
    cJSON_AddNumberToObject(output, "differing", (double)o->output.differing);
    cJSON_AddItemToObject(output, "first",
                          o->output.differing ? first_of(o, shaped) : cJSON_CreateNull());
    cJSON_AddItemToArray(outputs, output);
    if (shaped)
        add_box(boxes, &o->buffer, low, high);
}

static void add_reference(cJSON *json, const run_report *r)
{
    static const char *const names[] = {[GPU_NO_REFERENCE] = "none",
                                        [GPU_EQUAL] = "equal",
                                        [GPU_WITHIN_TOLERANCE] = "within-tolerance",
                                        [GPU_DIFFERENT] = "different"};
    gpu_agreement worst = GPU_NO_REFERENCE;
    double error = 0;
    cJSON *elements = cJSON_CreateArray();
    for (size_t i = 0; i < r->n_outputs; i++) {
        const gpu_output *o = &r->outputs[i].output;
        worst = o->agreement > worst ? o->agreement : worst;
        error = o->max_error > error ? o->max_error : error;
        for (size_t k = 0; k < o->n_listed; k++) {
            const gpu_mismatch *m = &o->listed[k];
            cJSON *element = cJSON_CreateObject();
            cJSON_AddStringToObject(element, "buffer", r->outputs[i].buffer.name);
            cJSON_AddNumberToObject(element, "element", (double)m->at);
            cJSON_AddNumberToObject(element, "is", m->got); /* null: a NaN or an infinity */
            cJSON_AddNumberToObject(element, "expected", m->want);
            cJSON_AddItemToArray(elements, element);
        }
    }
    cJSON *reference = cJSON_AddObjectToObject(json, "reference");
    cJSON_AddStringToObject(reference, "status", names[worst]);
    cJSON_AddNumberToObject(reference, "max_error", error);
    cJSON_AddItemToObject(reference, "elements", elements);
}

static void add_text(cJSON *json, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(json, key, text);
    else
        cJSON_AddNullToObject(json, key);
}

static cJSON *json_of_schedule(const run_difference *d, int which)
{
    cJSON *schedule = cJSON_CreateObject();
    cJSON_AddStringToObject(schedule, "launch", d->launch);
    cJSON *steps = cJSON_AddArrayToObject(schedule, "steps");
    for (size_t k = 0; k < d->n_steps[which]; k++) {
        const machine_step *from = &d->steps[which][k];
        cJSON *step = cJSON_CreateObject();
        cJSON *block = cJSON_AddArrayToObject(step, "block");
        for (int axis = 0; axis < 3; axis++)
            cJSON_AddItemToArray(block, cJSON_CreateNumber((double)from->block[axis]));
        cJSON_AddStringToObject(step, "op", from->what);
        if (from->line)
            cJSON_AddNumberToObject(step, "line", from->line);
        else
            cJSON_AddNullToObject(step, "line");
        cJSON_AddBoolToObject(step, "matters", from->matters);
        cJSON_AddItemToArray(steps, step);
    }
    return schedule;
}

static void add_schedules(cJSON *json, const run_report *r)
{
    cJSON *schedules = cJSON_AddArrayToObject(json, "schedules");
    cJSON *differ = cJSON_AddArrayToObject(json, "schedules_differ_in");
    for (int i = 0; r->difference && i < 2; i++)
        cJSON_AddItemToArray(schedules, json_of_schedule(r->difference, i));
    for (size_t i = 0; r->difference && i < r->difference->n_listed; i++)
        cJSON_AddItemToArray(differ, cJSON_CreateString(r->difference->elements[i]));
    if (r->difference)
        cJSON_AddNumberToObject(json, "schedules_part_at", (double)r->difference->at);
    else
        cJSON_AddNullToObject(json, "schedules_part_at");
    cJSON_AddNumberToObject(json, "schedules_differ_in_all",
                            r->difference ? (double)r->difference->n_elements : 0);
    cJSON_AddBoolToObject(json, "schedules_adjacent", r->difference && r->difference->adjacent);
    add_text(json, "replayed", r->replayed);
    cJSON_AddNumberToObject(json, "explored", (double)r->explored);
    add_text(json, "explored_launch", r->explored_launch);
    cJSON_AddBoolToObject(json, "exhaustive", r->exhaustive);
}

static cJSON *json_of_block(const int64_t block[3])
{
    cJSON *list = cJSON_CreateArray();
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)block[axis]));
    return list;
}

/* `blocks`: pairs alone; `pairs`: what they did, to how many elements, and what the checker says;
 * `pairs_why`: why there are none where something differs. */
static void add_blocks(cJSON *json, const run_report *r)
{
    cJSON *blocks = cJSON_AddArrayToObject(json, "blocks");
    cJSON *pairs = cJSON_AddArrayToObject(json, "pairs");
    for (size_t i = 0; r->pairs && i < r->pairs->n_listed; i++) {
        const gpu_pair *p = &r->pairs->listed[i];
        cJSON *pair = cJSON_CreateObject(), *both = cJSON_CreateArray();
        cJSON *accesses = cJSON_AddArrayToObject(pair, "accesses");
        for (int k = 0; k < 2; k++) {
            cJSON *access = cJSON_CreateObject();
            cJSON_AddItemToObject(access, "block", json_of_block(p->blocks[k]));
            cJSON_AddStringToObject(access, "op", p->what[k]);
            if (p->lines[k])
                cJSON_AddNumberToObject(access, "line", p->lines[k]);
            else
                cJSON_AddNullToObject(access, "line");
            cJSON_AddItemToArray(accesses, access);
            cJSON_AddItemToArray(both, json_of_block(p->blocks[k]));
        }
        cJSON_AddNumberToObject(pair, "elements", (double)p->elements);
        add_text(pair, "finding", p->finding);
        cJSON_AddItemToArray(pairs, pair);
        cJSON_AddItemToArray(blocks, both);
    }
    cJSON_AddNumberToObject(json, "pairs_in_all", r->pairs ? (double)r->pairs->n : 0);
    cJSON_AddNumberToObject(json, "pairs_as_reported",
                            r->pairs ? (double)r->pairs->as_reported : 0);
    add_text(json, "pairs_why", r->nobody);
    static const gpu_pairs none = {0};
    const gpu_pairs *p = r->pairs ? r->pairs : &none;
    cJSON *by = cJSON_AddObjectToObject(json, "differing_by");
    cJSON_AddNumberToObject(by, "several_blocks", (double)p->by_several);
    cJSON_AddNumberToObject(by, "one_block_unordered", (double)p->by_order);
    cJSON_AddNumberToObject(by, "one_block_reading", (double)p->by_reader);
    cJSON_AddNumberToObject(by, "one_block", (double)p->by_one);
    cJSON_AddNumberToObject(by, p->part ? "not_looked_at" : "nobody", (double)p->by_nobody);
}

static cJSON *json_of_access(const run_access *a)
{
    static const char *const orders[] = {[IR_WEAK] = "weak",
                                         [IR_RELAXED] = "relaxed",
                                         [IR_ACQUIRE] = "acquire",
                                         [IR_RELEASE] = "release",
                                         [IR_ACQ_REL] = "acq_rel"};
    static const char *const scopes[] = {
        [IR_SCOPE_TL_BLK] = "tl_blk", [IR_SCOPE_DEVICE] = "device", [IR_SCOPE_SYS] = "sys"};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "block", json_of_block(a->block));
    cJSON *iterations = cJSON_AddArrayToObject(json, "iterations");
    for (uint32_t i = 0; i < a->n_iterations; i++)
        cJSON_AddItemToArray(iterations, cJSON_CreateNumber((double)a->iterations[i]));
    cJSON_AddStringToObject(json, "access",
                            strcmp(a->verb, "stores") == 0  ? "store"
                            : strcmp(a->verb, "loads") == 0 ? "load"
                                                            : "atomic");
    cJSON_AddStringToObject(json, "order", orders[a->order]);
    add_text(json, "scope", a->order == IR_WEAK ? NULL : scopes[a->scope]);
    cJSON_AddStringToObject(json, "buffer", a->buffer);
    cJSON_AddNumberToObject(json, "element", (double)a->element);
    cJSON_AddStringToObject(json, "op", a->op);
    cJSON_AddNumberToObject(json, "op_ordinal", a->op_ordinal);
    if (a->line)
        cJSON_AddNumberToObject(json, "line", a->line);
    else
        cJSON_AddNullToObject(json, "line");
    return json;
}

static void add_broken(cJSON *list, const run_race *race)
{
    for (size_t k = 0; k < race->n_broken; k++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "kind", race->broken[k].kind);
        cJSON_AddStringToObject(one, "text", race->broken[k].text);
        cJSON_AddItemToArray(list, one);
    }
}

/* `broken`: what the launch of the first race breaks, as the words do; each race has its own. */
static void add_races(cJSON *json, const run_report *r)
{
    cJSON *races = cJSON_AddArrayToObject(json, "races");
    for (size_t i = 0; i < r->n_races; i++) {
        const run_race *from = &r->races[i];
        cJSON *race = cJSON_CreateObject();
        cJSON_AddStringToObject(race, "rule", from->rule);
        cJSON *events = cJSON_AddArrayToObject(race, "events");
        for (int k = 0; k < 2; k++)
            cJSON_AddItemToArray(events, json_of_access(&from->events[k]));
        cJSON_AddStringToObject(race, "seen_by", from->seen_by);
        cJSON_AddStringToObject(race, "launch", from->launch);
        add_broken(cJSON_AddArrayToObject(race, "broken"), from);
        cJSON_AddItemToArray(races, race);
    }
    cJSON *broken = cJSON_AddArrayToObject(json, "broken");
    if (r->n_races)
        add_broken(broken, &r->races[0]);
    if (!r->contradiction) {
        cJSON_AddNullToObject(json, "contradiction");
        return;
    }
    cJSON *contradiction = cJSON_AddObjectToObject(json, "contradiction");
    cJSON_AddStringToObject(contradiction, "verdict", r->contradiction->verdict);
    add_text(contradiction, "folder", r->contradiction->folder);
}

cJSON *run_report_object(const run_report *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "schema_version", 2);
    cJSON_AddStringToObject(json, "file", r->file);
    cJSON_AddStringToObject(json, "kernel", r->kernel);
    cJSON_AddStringToObject(json, "device", r->device);
    add_text(json, "launch", r->launch);
    add_text(json, "checker", r->checker);
    cJSON_AddNumberToObject(json, "runs", r->runs);
    cJSON_AddBoolToObject(json, "nondeterministic", r->nondeterministic);
    cJSON *outputs = cJSON_AddArrayToObject(json, "outputs");
    cJSON *boxes = cJSON_CreateArray(), *per_run = cJSON_CreateArray();
    for (size_t i = 0; i < r->n_outputs; i++)
        add_output(outputs, boxes, &r->outputs[i]);
    for (unsigned run = 0; run < r->runs; run++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < r->n_outputs; i++)
            sum += r->outputs[i].output.per_run[run];
        cJSON_AddItemToArray(per_run, cJSON_CreateNumber((double)sum));
    }
    add_schedules(json, r);
    cJSON_AddStringToObject(json, "words", r->words ? r->words : "");
    cJSON_AddBoolToObject(json, "order_dependent", r->order_dependent);
    cJSON_AddBoolToObject(json, "hang", r->hang);
    cJSON_AddItemToObject(json, "per_run", per_run);
    add_blocks(json, r);
    add_races(json, r);
    cJSON_AddItemToObject(json, "undefined", run_undefined_json(r));
    add_text(json, "undefined_why", r->undefined_why);
    cJSON_AddItemToObject(json, "printed", run_printed_json(r));
    cJSON_AddBoolToObject(json, "printed_cut", r->printed_cut);
    cJSON_AddItemToObject(json, "boxes", boxes);
    cJSON *environment = cJSON_AddObjectToObject(json, "environment");
    if (r->driver)
        cJSON_AddNumberToObject(environment, "driver", r->driver);
    else
        cJSON_AddNullToObject(environment, "driver");
    add_text(environment, "gpu", r->gpu);
    cJSON_AddNullToObject(environment, "tileiras"); /* its version is not asked for */
    add_reference(json, r);
    add_text(json, "error", r->error);
    return json;
}

void run_report_json(tr_text *out, size_t n, const run_report *reports)
{
    cJSON *json = n == 1 ? run_report_object(&reports[0]) : cJSON_CreateArray();
    for (size_t i = 0; n != 1 && i < n; i++)
        cJSON_AddItemToArray(json, run_report_object(&reports[i]));
    char *text = json_printed(json, JSON_LINES);
    tr_text_addf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
}

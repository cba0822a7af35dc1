#include "driver/run_report.h"

#include <cjson/cJSON.h>
#include <string.h>

void run_report_of_gpu(tr_arena *arena, const char *file, const char *kernel, const gpu_plan *plan,
                       const gpu_result *result, run_report *report)
{
    *report = (run_report){
        .file = file,
        .kernel = tr_arena_strdup(arena, kernel),
        .device = "gpu",
        .runs = result->runs,
        .hang = result->status == GPU_HANG,
        .error = result->status == GPU_FAILED ? result->why : NULL,
        .words = gpu_result_words(arena, plan, result),
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
        *o = (run_output){
            .buffer = tr_arena_strdup(arena, b->name),
            .elements = from->elements,
            .differing = from->differing,
            .first = from->first,
            .per_run = tr_arena_copy(arena, from->per_run, result->runs * sizeof *from->per_run),
            .agreement = from->agreement,
            .tolerance = b->tolerance,
            .max_error = from->max_error,
            .wrong = from->wrong,
            .first_wrong = from->first_wrong};
        memcpy(o->shape, b->shape, sizeof o->shape);
        memcpy(o->tile, b->tile, sizeof o->tile);
        if (gpu_bounding_box(b, from, o->low, o->high))
            o->rank = b->rank;
        if (b->order_dependent)
            report->order_dependent |= o->differing > 0;
        else
            report->nondeterministic |= o->differing > 0;
        report->missed |= o->agreement == GPU_DIFFERENT;
        o->tiles = run_tiles_of(arena, b, from, result->runs);
    }
}

/* ---- Text ---- */

static void text_of_output(tr_text *out, const run_output *o)
{
    tr_text_addf(out, "  %s: %llu of %llu elements differ (%.1f %%)", o->buffer,
                 (unsigned long long)o->differing, (unsigned long long)o->elements,
                 o->elements ? 100.0 * (double)o->differing / (double)o->elements : 0.0);
    for (int d = 0; d < o->rank; d++)
        tr_text_addf(out, "%s%llu..%llu%s", d ? ", " : ", within [", (unsigned long long)o->low[d],
                     (unsigned long long)o->high[d], d + 1 == o->rank ? "]" : "");
    tr_text_add(out, "\n");
    if (o->agreement == GPU_EQUAL)
        tr_text_add(out, "    equal to the reference\n");
    else if (o->agreement == GPU_WITHIN_TOLERANCE)
        tr_text_addf(out, "    as the reference within %g; largest difference %g\n", o->tolerance,
                     o->max_error);
    else if (o->agreement == GPU_DIFFERENT)
        tr_text_addf(out,
                     "    not as the reference: %llu elements beyond %g, the first is element "
                     "%llu\n",
                     (unsigned long long)o->wrong, o->tolerance,
                     (unsigned long long)o->first_wrong);
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
            const run_step *step = &d->steps[i][k];
            if (step->matters)
                tr_text_addf(out, "      step %zu: block (%lld, %lld, %lld) %s\n", k,
                             (long long)step->block[0], (long long)step->block[1],
                             (long long)step->block[2], step->what);
        }
    }
    for (size_t i = 0; i < d->n_listed; i++)
        tr_text_addf(out, "    %s\n", d->elements[i]);
    if (d->n_elements > d->n_listed)
        tr_text_addf(out, "    and %zu more\n", d->n_elements - d->n_listed);
}

void run_report_text(tr_text *out, const run_report *r)
{
    tr_text_addf(out, "%s: %s: %s\n", r->file, r->kernel, r->error ? r->error : r->words);
    if (r->launch)
        tr_text_addf(out, "  %s\n", r->launch);
    if (r->gpu)
        tr_text_addf(out, "  %s, driver for CUDA %d.%d, %u runs\n", r->gpu, r->driver / 1000,
                     r->driver % 1000 / 10, r->runs);
    for (size_t i = 0; i < r->n_outputs; i++)
        text_of_output(out, &r->outputs[i]);
    if (r->checker)
        tr_text_addf(out, "  the checker says %s\n", r->checker);
    if (r->difference)
        text_of_schedules(out, r->difference, r->replayed);
    else if (r->exhaustive)
        tr_text_addf(out, "  deterministic on the interpreter under all schedules of %s (%llu)%s\n",
                     r->explored_launch, (unsigned long long)r->explored,
                     r->checker && strncmp(r->checker, "race:", 5) == 0
                         ? "; the race stays one: what it leads to is undefined"
                         : "");
}

/* ---- JSON ---- */

static cJSON *coordinates(const run_output *o, const uint64_t *at)
{
    cJSON *list = cJSON_CreateArray();
    for (int d = 0; d < o->rank; d++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)at[d]));
    return list;
}

static void add_first(cJSON *json, const run_output *o)
{
    if (!o->differing) {
        cJSON_AddNullToObject(json, "first");
        return;
    }
    uint64_t at[GPU_MAX_RANK], rest = o->first;
    for (int d = o->rank; d-- > 0; rest /= o->shape[d])
        at[d] = rest % o->shape[d];
    if (o->rank)
        cJSON_AddItemToObject(json, "first", coordinates(o, at));
    else
        cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "first"),
                             cJSON_CreateNumber((double)o->first));
}

static void add_reference(cJSON *json, const run_report *r)
{
    static const char *const names[] = {[GPU_NO_REFERENCE] = "none",
                                        [GPU_EQUAL] = "equal",
                                        [GPU_WITHIN_TOLERANCE] = "within-tolerance",
                                        [GPU_DIFFERENT] = "different"};
    gpu_agreement worst = GPU_NO_REFERENCE;
    double error = 0;
    for (size_t i = 0; i < r->n_outputs; i++) {
        worst = r->outputs[i].agreement > worst ? r->outputs[i].agreement : worst;
        error = r->outputs[i].max_error > error ? r->outputs[i].max_error : error;
    }
    cJSON *reference = cJSON_AddObjectToObject(json, "reference");
    cJSON_AddStringToObject(reference, "status", names[worst]);
    cJSON_AddNumberToObject(reference, "max_error", error);
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
        const run_step *from = &d->steps[which][k];
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
    cJSON_AddNumberToObject(json, "explored", (double)r->explored);
    cJSON_AddBoolToObject(json, "exhaustive", r->exhaustive);
}

cJSON *run_report_object(const run_report *r)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "schema_version", 1);
    cJSON_AddStringToObject(json, "file", r->file);
    cJSON_AddStringToObject(json, "kernel", r->kernel);
    cJSON_AddStringToObject(json, "device", r->device);
    add_text(json, "launch", r->launch);
    add_text(json, "checker", r->checker);
    cJSON_AddNumberToObject(json, "runs", r->runs);
    cJSON_AddBoolToObject(json, "nondeterministic", r->nondeterministic);
    cJSON *outputs = cJSON_AddArrayToObject(json, "outputs");
    cJSON *boxes = cJSON_CreateArray(), *per_run = cJSON_CreateArray();
    for (size_t i = 0; i < r->n_outputs; i++) {
        const run_output *o = &r->outputs[i];
        cJSON *output = cJSON_CreateObject();
        cJSON_AddStringToObject(output, "buffer", o->buffer);
        cJSON_AddNumberToObject(output, "elements", (double)o->elements);
        cJSON_AddNumberToObject(output, "differing", (double)o->differing);
        add_first(output, o);
        cJSON_AddItemToArray(outputs, output);
        if (o->rank) {
            cJSON *box = cJSON_CreateObject();
            cJSON_AddStringToObject(box, "buffer", o->buffer);
            cJSON_AddItemToObject(box, "low", coordinates(o, o->low));
            cJSON_AddItemToObject(box, "high", coordinates(o, o->high));
            cJSON_AddItemToArray(boxes, box);
        }
    }
    for (unsigned run = 0; run < r->runs; run++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < r->n_outputs; i++)
            sum += r->outputs[i].per_run ? r->outputs[i].per_run[run] : 0;
        cJSON_AddItemToArray(per_run, cJSON_CreateNumber((double)sum));
    }
    add_schedules(json, r);
    cJSON_AddStringToObject(json, "words", r->words ? r->words : "");
    cJSON_AddBoolToObject(json, "order_dependent", r->order_dependent);
    cJSON_AddBoolToObject(json, "hang", r->hang);
    cJSON_AddItemToObject(json, "per_run", per_run);
    cJSON_AddItemToObject(json, "boxes", boxes);
    cJSON *environment = cJSON_AddObjectToObject(json, "environment");
    if (r->driver)
        cJSON_AddNumberToObject(environment, "driver", r->driver);
    else
        cJSON_AddNullToObject(environment, "driver");
    add_text(environment, "gpu", r->gpu);
    add_reference(json, r);
    add_text(json, "error", r->error);
    return json;
}

void run_report_json(tr_text *out, size_t n, const run_report *reports)
{
    cJSON *json = n == 1 ? run_report_object(&reports[0]) : cJSON_CreateArray();
    for (size_t i = 0; n != 1 && i < n; i++)
        cJSON_AddItemToArray(json, run_report_object(&reports[i]));
    char *text = cJSON_Print(json);
    tr_text_addf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
}

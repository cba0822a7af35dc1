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
            .compared = from->compared,
            .wrong = from->wrong,
            .first_wrong = from->first_wrong,
            .n_listed = from->n_listed,
            .listed = tr_arena_copy(arena, from->listed, sizeof from->listed),
            .heat = from->differing
                        ? tr_arena_copy(arena, from->heat, from->elements * sizeof *from->heat)
                        : NULL};
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

/* "[3, 17]" in the buffer's shape, "[1042]" where that is not known. */
static void text_of_element(tr_text *out, const run_output *o, uint64_t element)
{
    uint64_t at[GPU_MAX_RANK], product = 1, rest = element;
    int rank = 0;
    while (rank < GPU_MAX_RANK && o->shape[rank])
        product *= o->shape[rank++];
    if (product != o->elements)
        rank = 0;
    for (int d = rank; d-- > 0; rest /= o->shape[d])
        at[d] = rest % o->shape[d];
    for (int d = 0; d < rank; d++)
        tr_text_addf(out, "%s%llu", d ? ", " : "[", (unsigned long long)at[d]);
    if (!rank)
        tr_text_addf(out, "[%llu", (unsigned long long)element);
    tr_text_add(out, "]");
}

static void text_of_wrong(tr_text *out, const run_output *o)
{
    tr_text_addf(out, "    not as the reference: %llu of %llu elements beyond %g\n",
                 (unsigned long long)o->wrong, (unsigned long long)o->compared, o->tolerance);
    for (size_t i = 0; i < o->n_listed; i++) {
        tr_text_add(out, "      ");
        text_of_element(out, o, o->listed[i].at);
        tr_text_addf(out, " is %.9g, the reference has %.9g\n", o->listed[i].got,
                     o->listed[i].want);
    }
}

static void text_of_output(tr_text *out, const run_output *o)
{
    tr_text_addf(out, "  %s: %llu of %llu elements differ (%.1f %%)", o->buffer,
                 (unsigned long long)o->differing, (unsigned long long)o->elements,
                 o->elements ? 100.0 * (double)o->differing / (double)o->elements : 0.0);
    for (int d = 0; d < o->rank; d++)
        tr_text_addf(out, "%s%llu..%llu%s", d ? ", " : ", within [", (unsigned long long)o->low[d],
                     (unsigned long long)o->high[d], d + 1 == o->rank ? "]" : "");
    for (int d = 0; d < o->rank && o->tile[0]; d++)
        tr_text_addf(out, "%s%llu..%llu%s", d ? ", " : ", tiles [",
                     (unsigned long long)(o->low[d] / o->tile[d]),
                     (unsigned long long)(o->high[d] / o->tile[d]), d + 1 == o->rank ? "]" : "");
    tr_text_add(out, "\n");
    if (o->agreement == GPU_EQUAL)
        tr_text_add(out, "    equal to the reference\n");
    else if (o->agreement == GPU_WITHIN_TOLERANCE)
        tr_text_addf(out, "    as the reference within %g; largest difference %g\n", o->tolerance,
                     o->max_error);
    else if (o->agreement == GPU_DIFFERENT)
        text_of_wrong(out, o);
}

static void text_of_blocks(tr_text *out, const run_blocks *b)
{
    enum { SHOWN = 4 };
    if (b->by_several)
        tr_text_addf(out, "  %llu of them written by several tile blocks\n",
                     (unsigned long long)b->by_several);
    if (b->by_one)
        tr_text_addf(out,
                     "  %llu of them written by one tile block, which reads what others write\n",
                     (unsigned long long)b->by_one);
    for (size_t i = 0; i < b->n_listed && i < SHOWN; i++) {
        const run_pair *p = &b->pairs[i];
        tr_text_add(out, "   ");
        for (int k = 0; k < 2; k++) {
            tr_text_addf(out, "%s block (%lld, %lld, %lld) %s", k ? " and" : "",
                         (long long)p->blocks[k][0], (long long)p->blocks[k][1],
                         (long long)p->blocks[k][2], p->what[k]);
            if (p->lines[k])
                tr_text_addf(out, ", line %u", p->lines[k]);
        }
        tr_text_addf(out, ": %llu elements", (unsigned long long)p->elements);
        if (p->finding)
            tr_text_addf(out, ", as the checker reports (%s)", p->finding);
        tr_text_add(out, "\n");
    }
    if (!b->whole)
        tr_text_add(out, "    (of the run's beginning: it is too long to look at all of it)\n");
    if (b->n_pairs > SHOWN)
        tr_text_addf(out, "    and %zu more pairs\n", b->n_pairs - SHOWN);
    if (b->n_pairs)
        tr_text_addf(
            out, "  %zu of %zu pairs have the two accesses of a race that the checker reports\n",
            b->as_reported, b->n_pairs);
}

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
            const run_step *step = &d->steps[i][k];
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
    if (r->blocks)
        text_of_blocks(out, r->blocks);
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

static void add_tiles_of_box(cJSON *box, const run_output *o)
{
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK];
    for (int d = 0; d < o->rank; d++) {
        if (!o->tile[d])
            return;
        low[d] = o->low[d] / o->tile[d];
        high[d] = o->high[d] / o->tile[d];
    }
    cJSON_AddItemToObject(box, "tile_low", coordinates(o, low));
    cJSON_AddItemToObject(box, "tile_high", coordinates(o, high));
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
    cJSON *elements = cJSON_AddArrayToObject(reference, "elements");
    for (size_t i = 0; i < r->n_outputs; i++)
        for (size_t k = 0; k < r->outputs[i].n_listed; k++) {
            const gpu_mismatch *m = &r->outputs[i].listed[k];
            cJSON *element = cJSON_CreateObject();
            cJSON_AddStringToObject(element, "buffer", r->outputs[i].buffer);
            cJSON_AddNumberToObject(element, "element", (double)m->at);
            cJSON_AddNumberToObject(element, "is", m->got); /* null: a NaN or an infinity */
            cJSON_AddNumberToObject(element, "expected", m->want);
            cJSON_AddItemToArray(elements, element);
        }
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
    if (r->difference)
        cJSON_AddNumberToObject(json, "schedules_part_at", (double)r->difference->at);
    else
        cJSON_AddNullToObject(json, "schedules_part_at");
    cJSON_AddNumberToObject(json, "explored", (double)r->explored);
    cJSON_AddBoolToObject(json, "exhaustive", r->exhaustive);
}

static cJSON *json_of_block(const int64_t block[3])
{
    cJSON *list = cJSON_CreateArray();
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)block[axis]));
    return list;
}

/* `blocks`: pairs alone; `pairs`: what they did, to how many elements, and what the checker says.
 */
static void add_blocks(cJSON *json, const run_report *r)
{
    cJSON *blocks = cJSON_AddArrayToObject(json, "blocks");
    cJSON *pairs = cJSON_AddArrayToObject(json, "pairs");
    for (size_t i = 0; r->blocks && i < r->blocks->n_listed; i++) {
        const run_pair *p = &r->blocks->pairs[i];
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
    cJSON_AddNumberToObject(json, "pairs_in_all", r->blocks ? (double)r->blocks->n_pairs : 0);
    cJSON_AddNumberToObject(json, "pairs_as_reported",
                            r->blocks ? (double)r->blocks->as_reported : 0);
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
            add_tiles_of_box(box, o);
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
    add_blocks(json, r);
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

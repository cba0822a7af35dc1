/* --repro: a folder with all that repeats a contradiction between the prover and a run. */
#include "run/repro.h"

#include "driver/contract_command.h"
#include "run/folder.h"
#include "run/races.h"
#include "run/report.h"
#include "run/target.h"
#include "session/session.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct repro {
    const run_target *t;
    const concrete_launch *launch;
    run_folder to;
} repro;

/* ---- Section: The launch ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Contents of a buffer before the launch, in a file of its own; NULL where they are not known. */
static const char *put_contents(repro *r, size_t number)
{
    const interp_buffer *b = &r->launch->buffers[number];
    if (b->opaque || b->bytes <= 0 || b->unbounded)
        return NULL;
    unsigned char *bytes = tr_allocate_zeroed((size_t)b->bytes, 1);
    int64_t have = !b->data                                    ? 0
                   : b->data_bytes && b->data_bytes < b->bytes ? b->data_bytes
                                                               : b->bytes;
    if (have > 0)
        memcpy(bytes, b->data, (size_t)have);
    const char *name = tr_arena_printf(r->t->s->arena, "buffer%zu.bin", number);
    run_folder_bytes(&r->to, name, bytes, (size_t)b->bytes);
    free(bytes);
    return name;
}

static void set(cJSON *object, const char *key, cJSON *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddItemToObject(object, key, value);
}

static void fix_pointer(repro *r, cJSON *arg, const interp_arg *from, const ir_type *pointer)
{
    const interp_buffer *b = &r->launch->buffers[from->buffer];
    int width = ir_type_bytes(pointer->elem);
    if (!b->unbounded)
        set(arg, "elements", cJSON_CreateNumber((double)((b->bytes - from->value) / width)));
    if (from->value)
        set(arg, "offset", cJSON_CreateNumber((double)(from->value / width)));
    const char *file = from->value ? NULL : put_contents(r, (size_t)from->buffer);
    if (!file)
        return;
    cJSON *fill = cJSON_CreateObject();
    cJSON_AddStringToObject(fill, "file", file);
    set(arg, "fill", fill);
}

/* JSON has no numbers for the special ones: launch_special_number(). */
static cJSON *number_of(double value)
{
    if (isfinite(value))
        return cJSON_CreateNumber(value);
    return cJSON_CreateString(isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
}

static void fix_scalar(cJSON *arg, const interp_arg *from, const ir_type *elem)
{
    bool is_float = ir_type_is_float(elem);
    if (!is_float)
        set(arg, "value", cJSON_CreateNumber((double)from->value));
    else if (from->exact)
        set(arg, "value", number_of(ir_float_value(elem, (uint64_t)from->value)));
}

/* Elements in files that stay where they are: each buffer has a file of its own here. */
static void drop_raw_contents(cJSON *contents)
{
    for (int i = cJSON_GetArraySize(contents); i-- > 0;)
        if (cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(contents, i), "file"))
            cJSON_DeleteItemFromArray(contents, i);
}

/* The launch contract of the check with all numbers and contents fixed. */
static void put_launch(repro *r)
{
    const run_target *t = r->t;
    const contract *c = t->kernel->contract;
    cJSON *file = cJSON_CreateObject(), *launch = NULL;
    if (t->kernel->launch_json)
        launch = cJSON_Parse(t->kernel->launch_json);
    launch = launch ? launch : cJSON_CreateObject();
    cJSON_AddNumberToObject(file, "version", LAUNCH_FILE_VERSION);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(file, "launches"), launch);
    set(launch, "kernel", cJSON_CreateString(t->kernel->function->name));
    drop_raw_contents(cJSON_GetObjectItemCaseSensitive(launch, "contents"));
    cJSON *grid = cJSON_CreateArray();
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(grid, cJSON_CreateNumber((double)r->launch->grid[axis]));
    set(launch, "grid", grid);
    cJSON *args = cJSON_CreateArray();
    const cJSON *stated = cJSON_GetObjectItemCaseSensitive(launch, "args");
    for (size_t i = 0; i < r->launch->n_args && i < c->n_args; i++) {
        const cJSON *known = cJSON_GetArrayItem(stated, (int)i);
        cJSON *arg = known ? cJSON_Duplicate(known, true) : cJSON_CreateObject();
        const ir_type *elem = t->kernel->function->body->args[i]->type->elem;
        if (c->args[i].name)
            set(arg, "name", cJSON_CreateString(c->args[i].name));
        if (r->launch->args[i].buffer >= 0)
            fix_pointer(r, arg, &r->launch->args[i], elem);
        else
            fix_scalar(arg, &r->launch->args[i], elem);
        cJSON_AddItemToArray(args, arg);
    }
    set(launch, "args", args);
    run_folder_json(&r->to, "launch.json", file);
}

/* ---- Section: The reports, and how to repeat them ---- */

static void put_reports(repro *r, const run_report *report)
{
    const run_target *t = r->t;
    input_report input = {.file = t->checked->file, .n_kernels = 1};
    kernel_report kernel = *t->report;
    input.kernels = &kernel;
    full_report full = {.n_inputs = 1, .inputs = &input};
    report_options options = {.folder = t->s->working_folder};
    tr_text text = {0};
    report_write(&text, &full, REPORT_JSON, &options);
    run_folder_text(&r->to, "check.json", tr_text_get(&text));
    tr_text_free(&text);
    run_folder_text(&r->to, "contract.json",
                    driver_contract_as_required(t->checked, t->checked_kernel, t->report));
    run_folder_json(&r->to, "run.json", run_report_object(report));
}

static void put_readme(repro *r, const run_report *report)
{
    const run_target *t = r->t;
    const driver_options *o = t->s->options;
    const run_race *race = report->contradiction->race;
    tr_text text = {0};
    tr_text_addf(&text,
                 "The checker says that the kernel '%s' is %s, and a run of it races.\n\n"
                 "race: %s\nrule: %s, seen by %s\nlaunch: %s\n\nTo repeat it, in this folder:\n\n"
                 "    tilerace run %s --launch launch.json --device cpu --repeat %u",
                 report->kernel, report->contradiction->verdict, run_race_words(t->s->arena, race),
                 race->rule, race->seen_by, race->launch, base_name(t->input->file),
                 report->runs ? report->runs : 1);
    if (o->seed)
        tr_text_addf(&text, " --seed %lu", o->seed);
    for (size_t i = 0; i < o->n_behind; i++)
        tr_text_addf(&text, "%s%s", i ? " " : " -- ", o->behind[i]);
    tr_text_add(&text,
                "\n\nlaunch.json    the launch, with the contents of its buffers in buffer*.bin\n"
                "contract.json  the contract and the preconditions under which the verdict holds\n"
                "check.json     the report of the checker\n"
                "run.json       the report of the run\n");
    run_folder_text(&r->to, "README", tr_text_get(&text));
    tr_text_free(&text);
}

static void put_kernel(repro *r)
{
    tr_arena *arena = r->t->s->arena;
    size_t length = 0;
    const char *said = NULL, *file = r->t->input->file;
    const char *bytes = tr_read_file(arena, TR_FILE_KERNELS, file, &length, &said);
    if (bytes)
        run_folder_bytes(&r->to, base_name(file), bytes, length);
    else if (!r->to.why)
        r->to.why = tr_arena_printf(arena, "%s cannot be read: %s", file, said);
}

bool run_keep_contradiction(const run_target *t, run_report *report)
{
    session *s = t->s;
    const char *chosen = s->options->repro;
    const char *path =
        chosen ? chosen
               : tr_arena_printf(s->arena, "tilerace-repro-%s", t->kernel->function->shown);
    repro r = {
        .t = t, .launch = report->contradiction->race->at, .to = run_folder_at(s->arena, path)};
    run_contradiction *c = tr_arena_copy(s->arena, report->contradiction, sizeof *c);
    c->folder = tr_arena_strdup(s->arena, path);
    report->contradiction = c;
    if (!r.to.why) {
        put_kernel(&r);
        put_launch(&r);
        put_reports(&r, report);
        put_readme(&r, report);
    }
    if (r.to.why)
        c->folder = NULL;
    return r.to.why ? session_complain(s, "%s", r.to.why) == EXIT_CLEAN : true;
}

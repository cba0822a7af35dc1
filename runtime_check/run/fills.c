/* Reads what a launch file says for running alone: how buffers are filled, what they must hold
 * after. */
#include "run/fills.h"

#include "run/expect.h"
#include "run/target.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/ds.h"

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* Files are named relative to the launch file, as contracts name nothing else. */
static const char *path_of(const run_target *t, const char *file)
{
    const char *beside = t->s->options->launch ? t->s->options->launch : t->input->file;
    const char *slash = strrchr(beside, '/');
    return file[0] == '/' || !slash
               ? tr_arena_strdup(t->input->arena, file)
               : tr_arena_printf(t->input->arena, "%.*s/%s", (int)(slash - beside), beside, file);
}

static const unsigned char *bytes_of(const run_target *t, const char *file, const gpu_buffer *b,
                                     const char **why)
{
    tr_arena *arena = t->input->arena;
    const char *path = path_of(t, file);
    size_t size = 0;
    const char *data = tr_read_file(arena, TR_FILE_DATA, path, &size, why);
    if (!data)
        *why = tr_arena_printf(arena, "%s, for '%s': %s", path, b->name, *why);
    if (data && size != b->bytes) {
        *why = tr_arena_printf(arena, "%s holds %zu bytes, '%s' has %llu in this launch", path,
                               size, b->name, (unsigned long long)b->bytes);
        return NULL;
    }
    return (const unsigned char *)data;
}

static bool take_fill(const run_target *t, const cJSON *fill, gpu_buffer *b, const char **why)
{
    const char *kind = cJSON_IsString(fill) ? fill->valuestring : text_of(fill, "kind");
    const char *file = cJSON_IsObject(fill) ? text_of(fill, "file") : NULL;
    const cJSON *seed =
        cJSON_IsObject(fill) ? cJSON_GetObjectItemCaseSensitive(fill, "seed") : NULL;
    if (cJSON_IsNumber(seed))
        b->seed = (uint64_t)(int64_t)seed->valuedouble; /* it is exact (launch_keys.def) */
    if (file) {
        b->fill = GPU_FILL_RAW;
        b->data = bytes_of(t, file, b, why);
        return b->data != NULL;
    }
    if (!kind || !plan_fill_of_name(kind, &b->fill) || b->fill == GPU_FILL_RAW) {
        *why = tr_arena_printf(t->input->arena,
                               "fill of '%s': '%s' is none of unique, zeros, iota, random, "
                               "permutation, range and undefined",
                               b->name, kind ? kind : "");
        return false;
    }
    b->low = 0; /* of a range: the numbers 0 to 255 */
    b->high = 255;
    return true;
}

typedef struct by_kernel { /* buffers whose values another kernel gives: "FILE" or "FILE:KERNEL" */
    const char *words;
    size_t buffer;
} by_kernel;

static bool take_reference(const run_target *t, const cJSON *arg, gpu_plan *plan, size_t buffer,
                           by_kernel **kernels, const char **why)
{
    gpu_buffer *b = &plan->buffers[buffer];
    const cJSON *reference = cJSON_GetObjectItemCaseSensitive(arg, "reference");
    const cJSON *tolerance = cJSON_GetObjectItemCaseSensitive(arg, "tolerance");
    if (cJSON_IsNumber(tolerance))
        b->tolerance = tolerance->valuedouble;
    if (!reference)
        return true;
    b->output = true;
    const char *file =
        cJSON_IsString(reference) ? reference->valuestring : text_of(reference, "file");
    if (file) {
        b->expected = bytes_of(t, file, b, why);
        b->tolerance = fmax(0, b->tolerance);
        return b->expected != NULL;
    }
    const char *kernel = text_of(reference, "kernel");
    by_kernel entry = {kernel ? path_of(t, kernel) : "", buffer};
    arrput(*kernels, entry);
    return true;
}

/* Each kernel runs once, for all the buffers that it gives. */
static bool run_kernels(const run_target *t, gpu_plan *plan, const by_kernel *kernels,
                        const char **why)
{
    bool good = true;
    for (size_t i = 0; i < arrlenu(kernels) && good; i++) {
        size_t *buffers = NULL;
        bool done = false, is_defined;
        for (size_t k = 0; k < arrlenu(kernels); k++)
            if (strcmp(kernels[k].words, kernels[i].words) == 0) {
                done |= k < i;
                arrput(buffers, kernels[k].buffer);
            }
        good = done || run_expect_kernel(t, plan, kernels[i].words, arrlenu(buffers), buffers,
                                         &is_defined, why);
        arrfree(buffers);
    }
    return good;
}

/* A float's value, which no contract needs. */
static void take_number(const run_target *t, const cJSON *arg, size_t i, gpu_plan *plan)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(arg, "value");
    const ir_type *elem = t->kernel->function->body->args[i]->type->elem;
    double number;
    if (!ir_type_is_float(elem))
        return;
    if (cJSON_IsNumber(value))
        plan->args[i].bits = ir_float_bits(elem, value->valuedouble);
    else if (cJSON_IsString(value) && launch_special_number(value->valuestring, &number))
        plan->args[i].bits = ir_float_bits(elem, number);
}

/* The file's words for this launch; NULL where no file speaks of it. Alternatives of one kernel
 * stand one behind the other, in the order of the file. */
static const char *launch_text(const run_target *t)
{
    const launch_file *file = t->input->launches ? t->input->launches : t->s->launches;
    size_t which = 0;
    for (const loaded_kernel *k = t->kernel; k > t->input->kernels && k[-1].function == k->function;
         k--)
        which++;
    for (size_t i = 0; file && i < t->input->unit.n_kernels; i++)
        if (t->input->unit.kernels[i] == t->kernel->function &&
            launch_file_count(file, &t->input->shapes[i]) > which)
            return launch_file_text(file, &t->input->shapes[i], which);
    return NULL;
}

static cJSON *arguments_of(const run_target *t, cJSON **launch)
{
    const char *text = launch_text(t);
    *launch = text ? cJSON_Parse(text) : NULL;
    return cJSON_GetObjectItemCaseSensitive(*launch, "args");
}

/* Returns what the launch says of parameter number i: by its name where the file has names, as
 * contracts are read, else by its place. NULL: nothing. */
static const cJSON *argument_of(const run_target *t, const cJSON *args, size_t i)
{
    const contract_arg *known = &t->kernel->contract->args[i];
    const cJSON *arg;
    cJSON_ArrayForEach(arg, args)
    {
        const char *name = text_of(arg, "name");
        if (name && (strcmp(name, known->name) == 0 ||
                     (known->made_up && strcmp(name, known->made_up) == 0)))
            return arg;
    }
    arg = cJSON_GetArrayItem(args, (int)i);
    return arg && !text_of(arg, "name") ? arg : NULL;
}

bool run_has_reference_kernel(const run_target *t)
{
    cJSON *launch;
    const cJSON *args = arguments_of(t, &launch), *arg;
    bool any = false;
    cJSON_ArrayForEach(arg, args)
    {
        any |= text_of(cJSON_GetObjectItemCaseSensitive(arg, "reference"), "kernel") != NULL;
    }
    cJSON_Delete(launch);
    return any;
}

bool run_plan_fills(const run_target *t, gpu_plan *plan, const char **why)
{
    cJSON *launch;
    const cJSON *args = arguments_of(t, &launch);
    by_kernel *kernels = NULL;
    bool good = true;
    for (size_t i = 0; i < plan->n_args && good; i++) {
        const cJSON *arg = argument_of(t, args, i);
        if (arg && plan->args[i].buffer < 0)
            take_number(t, arg, i, plan);
        if (!arg || plan->args[i].buffer < 0)
            continue;
        size_t buffer = (size_t)plan->args[i].buffer;
        const cJSON *fill = cJSON_GetObjectItemCaseSensitive(arg, "fill");
        good = (!fill || take_fill(t, fill, &plan->buffers[buffer], why)) &&
               take_reference(t, arg, plan, buffer, &kernels, why);
    }
    good = good && run_kernels(t, plan, kernels, why);
    arrfree(kernels);
    cJSON_Delete(launch);
    return good;
}

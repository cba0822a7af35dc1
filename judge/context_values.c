/* Checks what the keys of a context may hold, key by key. */
#include "judge/context_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "contract/expression.h"
#include "json/print.h"
#include "judge/judge.h"

enum { VERSION = 1, MOST_SAMPLES = 1000 };
enum { MOST_SECONDS = 1000000, MOST_MEGABYTES = 1 << 24 };

static const char outside[] =
    "lies outside of the folders that requests may name files in (--root)";

/* Relative to the context's folder. `length`: of what names the file, as a colon and a kernel may
 * follow. */
static const char *beside_first(context_reader *r, const char *file, size_t length)
{
    const char *path = file[0] == '/' || !r->into->path
                           ? tr_arena_strdup(r->arena, file)
                           : tr_path_from(r->arena, tr_folder_of(r->arena, r->into->path), file);
    const char *named = tr_arena_strndup(r->arena, path, strlen(path) - strlen(file) + length);
    if (!judge_door_admits(r->door, named))
        context_complain(r, named, outside);
    return path;
}

static const char *beside(context_reader *r, const char *file)
{
    return beside_first(r, file, strlen(file));
}

/* "FILE" or "FILE:KERNEL". */
static const char *reference_beside(context_reader *r, const char *words)
{
    const char *colon = strrchr(words, ':');
    return beside_first(r, words, colon ? (size_t)(colon - words) : strlen(words));
}

/* ---- Section: Values ---- */

/* A whole number from `least` to `most`; else `least`, after an error. */
static uint64_t whole(context_reader *r, const char *key, const cJSON *value, uint64_t least,
                      uint64_t most)
{
    double number = value->valuedouble;
    if (number >= (double)least && number <= (double)most && number == (double)(uint64_t)number)
        return (uint64_t)number;
    context_complain(r, key,
                     tr_arena_printf(r->arena,
                                     "has to be a whole number from %" PRIu64 " to %" PRIu64, least,
                                     most));
    return least;
}

void context_take_version(context_reader *r, const cJSON *value)
{
    if (value->valuedouble != VERSION)
        context_complain(r, "version",
                         "has to be 1, the version of contexts that this program reads");
}

void context_take_samples(context_reader *r, const cJSON *value)
{
    r->into->samples = (size_t)whole(r, "samples", value, 1, MOST_SAMPLES);
}

void context_take_seed(context_reader *r, const cJSON *value)
{
    r->into->seed = whole(r, "seed", value, 0, (uint64_t)1 << 53);
}

void context_take_tolerance(context_reader *r, const cJSON *value)
{
    r->into->tolerance = value->valuedouble;
    if (!(value->valuedouble >= 0))
        context_complain(r, "tolerance", "has to be a number from 0");
}

void context_take_outputs(context_reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->outputs = TR_NEW_ARRAY(r->arena, const char *, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        if (cJSON_IsString(item))
            r->into->outputs[r->into->n_outputs++] = tr_arena_strdup(r->arena, item->valuestring);
        else
            context_complain(r, "outputs", "has to be a list of names of arguments");
    }
}

void context_take_kernel(context_reader *r, const cJSON *value)
{
    if (cJSON_IsString(value))
        r->into->file = beside(r, value->valuestring);
    else
        context_read_object(r, KERNEL, value);
}

void context_take_file(context_reader *r, const cJSON *value)
{
    r->into->file = beside(r, value->valuestring);
}

void context_take_source(context_reader *r, const cJSON *value)
{
    r->into->source = tr_arena_strdup(r->arena, value->valuestring);
    r->into->source_length = strlen(r->into->source);
}

void context_take_name(context_reader *r, const cJSON *value)
{
    r->into->kernel = tr_arena_strdup(r->arena, value->valuestring);
}

static bool is_name(const char *word)
{
    bool good = isalpha((unsigned char)word[0]) || word[0] == '_';
    for (const char *c = word; *c && good; c++)
        good = isalnum((unsigned char)*c) || *c == '_';
    return good;
}

/* A macro of the dialect source, and its value. */
void context_take_defines(context_reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->defines = TR_NEW_ARRAY(r->arena, const char *, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        const char *text = cJSON_IsString(item) ? item->valuestring : NULL;
        if (cJSON_IsNumber(item))
            text = tr_arena_printf(r->arena, "%.17g", item->valuedouble);
        if (!is_name(item->string) || !text) {
            context_complain(r, "kernel.defines", "has to give names of macros a number or a text");
            return;
        }
        r->into->defines[r->into->n_defines++] =
            tr_arena_printf(r->arena, "-D%s=%s", item->string, text);
    }
}

/* ---- Section: Tuning parameters ---- */

static bool is_whole(const cJSON *item)
{
    return cJSON_IsNumber(item) && fabs(item->valuedouble) <= (double)INT32_MAX &&
           item->valuedouble == (double)(int64_t)item->valuedouble;
}

static bool take_list(context_reader *r, const cJSON *list, judge_tuned *tuned)
{
    const cJSON *item;
    tuned->values = TR_NEW_ARRAY(r->arena, int64_t, (size_t)cJSON_GetArraySize(list) + 1);
    cJSON_ArrayForEach(item, list)
    {
        if (!is_whole(item))
            return false;
        tuned->values[tuned->n_values++] = (int64_t)item->valuedouble;
    }
    return tuned->n_values > 0;
}

/* {"from": 1, "to": 4}, and perhaps a "step". */
static bool take_range(context_reader *r, const cJSON *range, judge_tuned *tuned)
{
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(range, "from");
    const cJSON *to = cJSON_GetObjectItemCaseSensitive(range, "to");
    const cJSON *step = cJSON_GetObjectItemCaseSensitive(range, "step");
    if (!is_whole(from) || !is_whole(to) || (step && !is_whole(step)) ||
        cJSON_GetArraySize(range) != (step ? 3 : 2))
        return false;
    int64_t by = step ? (int64_t)step->valuedouble : 1;
    int64_t low = (int64_t)from->valuedouble, high = (int64_t)to->valuedouble;
    if (by < 1 || high < low || (high - low) / by >= JUDGE_MOST_COMBINATIONS)
        return false;
    tuned->values = TR_NEW_ARRAY(r->arena, int64_t, (size_t)((high - low) / by) + 1);
    for (int64_t v = low; v <= high; v += by)
        tuned->values[tuned->n_values++] = v;
    return true;
}

void context_take_tune(context_reader *r, const cJSON *value)
{
    const cJSON *item;
    size_t combinations = 1;
    r->into->tuned = TR_NEW_ARRAY(r->arena, judge_tuned, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        judge_tuned *tuned = &r->into->tuned[r->into->n_tuned++];
        bool good = cJSON_IsArray(item)    ? take_list(r, item, tuned)
                    : cJSON_IsObject(item) ? take_range(r, item, tuned)
                                           : false;
        tuned->name = tr_arena_strdup(r->arena, item->string);
        if (!is_name(item->string) || !good) {
            context_complain(
                r, tr_arena_printf(r->arena, "tune.%s", item->string),
                "has to be a macro's name with a list of whole numbers, or from, to and step");
            return;
        }
        combinations *= tuned->n_values;
        if (combinations > JUDGE_MOST_COMBINATIONS) {
            context_complain(r, "tune",
                             tr_arena_printf(r->arena, "has more than %d combinations of values",
                                             JUDGE_MOST_COMBINATIONS));
            return;
        }
    }
}

void context_take_reference(context_reader *r, const cJSON *value)
{
    if (cJSON_IsString(value))
        r->into->reference = reference_beside(r, value->valuestring);
    else
        context_read_object(r, REFERENCE, value);
    if (!r->into->reference)
        context_complain(r, "reference", "has to name a kernel, or to have its source");
}

void context_take_reference_kernel(context_reader *r, const cJSON *value)
{
    r->into->reference = reference_beside(r, value->valuestring);
}

void context_take_reference_source(context_reader *r, const cJSON *value)
{
    r->into->reference_source = tr_arena_strdup(r->arena, value->valuestring);
    r->into->reference = "reference.c";
}

/* A candidate is read, compiled and held to be well-formed in any case. */
void context_take_stages(context_reader *r, const cJSON *value)
{
    const char *names[JUDGE_STAGE_COUNT];
    const cJSON *item;
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        names[i] = judge_stage_of((judge_stage)i)->name;
    r->into->passed_over = ((1u << JUDGE_STAGE_COUNT) - 1) & ~((1u << JUDGE_STAGE_BOUNDS) - 1);
    if (cJSON_GetArraySize(value) == 0)
        context_complain(r, "stages", "has to be a list of names of stages");
    cJSON_ArrayForEach(item, value)
    {
        int i = 0;
        while (i < JUDGE_STAGE_COUNT && cJSON_IsString(item) && strcmp(names[i], item->valuestring))
            i++;
        if (!cJSON_IsString(item)) {
            context_complain(r, "stages", "has to be a list of names of stages");
        } else if (i < JUDGE_STAGE_COUNT) {
            r->into->passed_over &= ~(1u << i);
        } else {
            const char *near = contract_nearest(item->valuestring, JUDGE_STAGE_COUNT, names);
            context_complain(
                r, tr_arena_printf(r->arena, "stages: '%s'", item->valuestring),
                near ? tr_arena_printf(r->arena, "is not a stage; did you mean %s?", near)
                     : "is not a stage");
        }
    }
}

void context_take_limits(context_reader *r, const cJSON *value)
{
    context_read_object(r, LIMITS, value);
}

void context_take_seconds(context_reader *r, const cJSON *value)
{
    double seconds = value->valuedouble;
    if (seconds >= 0.001 && seconds <= MOST_SECONDS)
        r->into->limit_ms = (uint64_t)(seconds * 1e3);
    else
        context_complain(r, "limits.seconds", "has to be a number from 0.001 to 1000000");
}

void context_take_megabytes(context_reader *r, const cJSON *value)
{
    r->into->limit_mb = whole(r, "limits.megabytes", value, 1, MOST_MEGABYTES);
}

/* Launches have their own form, and what is wrong with them is said at once. NULL after errors. */
static tr_give launch_file *launches_in(context_reader *r, const char *text)
{
    return launch_file_parse(r->arena, r->into->path, text, strlen(text), r->errors);
}

static tr_give launch_file *read_launches(context_reader *r, const char *key, const char *path)
{
    const char *why = NULL;
    size_t length;
    const char *file = beside(r, path);
    const char *text = tr_read_file(r->arena, TR_FILE_CONTRACT, file, &length, &why);
    if (text && strlen(text) == length)
        return launch_file_parse(r->arena, file, text, length, r->errors);
    context_complain(r, tr_arena_printf(r->arena, "%s:", key),
                     tr_arena_printf(r->arena, "%s: %s", path, text ? "has a NUL in it" : why));
    return NULL;
}

/* An object is one launch as launch contracts have it, a string names a file of them. */
static tr_give launch_file *launches_of(context_reader *r, const cJSON *value)
{
    r->into->has_launch = true;
    if (cJSON_IsString(value))
        return read_launches(r, "launch", value->valuestring);
    const char *folder = r->into->path ? tr_folder_of(r->arena, r->into->path) : NULL;
    const char *stranger = judge_door_stranger(r->arena, r->door, folder, value);
    if (stranger)
        context_complain(r, stranger, outside);
    char *text = json_printed(value, JSON_ONE_LINE);
    const char *whole = tr_arena_printf(r->arena, "{\"version\":2,\"launches\":[%s]}", text);
    cJSON_free(text);
    return launches_in(r, whole);
}

/* The candidate is for launches that are filled so, and for no others. */
static launch_file *filled(launch_file *launches)
{
    if (launches)
        launch_file_take_fills(launches);
    return launches;
}

void context_take_launch(context_reader *r, const cJSON *value)
{
    r->into->launches = filled(launches_of(r, value));
}

void context_take_trials(context_reader *r, const cJSON *value)
{
    r->into->trials = read_launches(r, "trials", value->valuestring);
}

static judge_variant *last_variant(context_reader *r)
{
    return &r->into->variants[r->into->n_variants - 1];
}

void context_take_variant_file(context_reader *r, const cJSON *value)
{
    last_variant(r)->file = beside(r, value->valuestring);
}

void context_take_variant_launch(context_reader *r, const cJSON *value)
{
    last_variant(r)->launches = filled(launches_of(r, value));
}

void context_take_variant_trials(context_reader *r, const cJSON *value)
{
    last_variant(r)->trials = read_launches(r, "variants.trials", value->valuestring);
}

void context_take_variants(context_reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->variants =
        TR_NEW_ARRAY(r->arena, judge_variant, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        r->into->n_variants++;
        if (cJSON_IsObject(item))
            context_read_object(r, VARIANT, item);
        if (!last_variant(r)->file)
            context_complain(r, "variants", "has to be a list of objects, each with a file");
    }
}

/* ---- Section: What a front end says ---- */

void context_take_refused(context_reader *r, const cJSON *value)
{
    context_read_object(r, REFUSED, value);
    if (!r->into->refused.what)
        context_complain(r, "refused", "has to say what is wrong");
}

void context_take_doubt(context_reader *r, const cJSON *value)
{
    r->into->doubt = tr_arena_strdup(r->arena, value->valuestring);
}

void context_take_refused_what(context_reader *r, const cJSON *value)
{
    r->into->refused.what = tr_arena_strdup(r->arena, value->valuestring);
}

void context_take_refused_ours(context_reader *r, const cJSON *value)
{
    r->into->refused.is_ours = cJSON_IsTrue(value);
}

void context_take_refused_limit(context_reader *r, const cJSON *value)
{
    r->into->refused.is_limit = cJSON_IsTrue(value);
}

void context_take_refused_file(context_reader *r, const cJSON *value)
{
    r->into->refused.place.file = tr_arena_strdup(r->arena, value->valuestring);
}

void context_take_refused_line(context_reader *r, const cJSON *value)
{
    r->into->refused.place.line = (uint32_t)whole(r, "refused.line", value, 1, UINT32_MAX);
}

#include "judge/context.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/ds.h"
#include "contract/expression.h"
#include "json/take.h"

enum { VERSION = 1, MOST_SAMPLES = 1000, USUAL_SAMPLES = 8 };
enum { MOST_SECONDS = 1000000, MOST_MEGABYTES = 1 << 24 };

enum { IS_STRING = 1, IS_NUMBER = 2, IS_OBJECT = 4, IS_ARRAY = 8, IS_BOOL = 16 };

typedef enum object_kind {
    CONTEXT,
    KERNEL,
    VARIANT,
    REFUSED,
    REFERENCE,
    LIMITS,
    OBJECT_KINDS
} object_kind;

typedef struct reader {
    tr_arena *arena;
    judge_context *into;
    const judge_door *door;
    tr_errors *errors;
} reader;

static void complain(reader *r, const char *where, const char *what)
{
    tr_place place = {.file = r->into->path};
    if (where)
        tr_errors_add(r->errors, &place, "%s %s", where, what);
    else
        tr_errors_add(r->errors, &place, "%s", what);
}

static const char outside[] =
    "lies outside of the folders that requests may name files in (--root)";

/* Relative to the context's folder. `length`: of what names the file, as a colon and a kernel may
 * follow. */
static const char *beside_first(reader *r, const char *file, size_t length)
{
    const char *path = file[0] == '/' || !r->into->path
                           ? tr_arena_strdup(r->arena, file)
                           : tr_path_from(r->arena, tr_folder_of(r->arena, r->into->path), file);
    const char *named = tr_arena_strndup(r->arena, path, strlen(path) - strlen(file) + length);
    if (!judge_door_admits(r->door, named))
        complain(r, named, outside);
    return path;
}

static const char *beside(reader *r, const char *file)
{
    return beside_first(r, file, strlen(file));
}

/* "FILE" or "FILE:KERNEL". */
static const char *reference_beside(reader *r, const char *words)
{
    const char *colon = strrchr(words, ':');
    return beside_first(r, words, colon ? (size_t)(colon - words) : strlen(words));
}

/* ---- Section: Values ---- */

/* A whole number from `least` to `most`; else `least`, after an error. */
static uint64_t whole(reader *r, const char *key, const cJSON *value, uint64_t least, uint64_t most)
{
    double number = value->valuedouble;
    if (number >= (double)least && number <= (double)most && number == (double)(uint64_t)number)
        return (uint64_t)number;
    complain(r, key,
             tr_arena_printf(r->arena, "has to be a whole number from %" PRIu64 " to %" PRIu64,
                             least, most));
    return least;
}

static void take_version(reader *r, const cJSON *value)
{
    if (value->valuedouble != VERSION)
        complain(r, "version", "has to be 1, the version of contexts that this program reads");
}

static void take_samples(reader *r, const cJSON *value)
{
    r->into->samples = (size_t)whole(r, "samples", value, 1, MOST_SAMPLES);
}

static void take_seed(reader *r, const cJSON *value)
{
    r->into->seed = whole(r, "seed", value, 0, (uint64_t)1 << 53);
}

static void take_tolerance(reader *r, const cJSON *value)
{
    r->into->tolerance = value->valuedouble;
    if (!(value->valuedouble >= 0))
        complain(r, "tolerance", "has to be a number from 0");
}

static void take_outputs(reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->outputs = TR_NEW_ARRAY(r->arena, const char *, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        if (cJSON_IsString(item))
            r->into->outputs[r->into->n_outputs++] = tr_arena_strdup(r->arena, item->valuestring);
        else
            complain(r, "outputs", "has to be a list of names of arguments");
    }
}

static void read_object(reader *r, object_kind kind, const cJSON *object);

static void take_kernel(reader *r, const cJSON *value)
{
    if (cJSON_IsString(value))
        r->into->file = beside(r, value->valuestring);
    else
        read_object(r, KERNEL, value);
}

static void take_file(reader *r, const cJSON *value)
{
    r->into->file = beside(r, value->valuestring);
}

static void take_source(reader *r, const cJSON *value)
{
    r->into->source = tr_arena_strdup(r->arena, value->valuestring);
    r->into->source_length = strlen(r->into->source);
}

static void take_name(reader *r, const cJSON *value)
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
static void take_defines(reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->defines = TR_NEW_ARRAY(r->arena, const char *, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        const char *text = cJSON_IsString(item) ? item->valuestring : NULL;
        if (cJSON_IsNumber(item))
            text = tr_arena_printf(r->arena, "%.17g", item->valuedouble);
        if (!is_name(item->string) || !text) {
            complain(r, "kernel.defines", "has to give names of macros a number or a text");
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

static bool take_list(reader *r, const cJSON *list, judge_tuned *tuned)
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
static bool take_range(reader *r, const cJSON *range, judge_tuned *tuned)
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

static void take_tune(reader *r, const cJSON *value)
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
            complain(r, tr_arena_printf(r->arena, "tune.%s", item->string),
                     "has to be a macro's name with a list of whole numbers, or from, to and step");
            return;
        }
        combinations *= tuned->n_values;
        if (combinations > JUDGE_MOST_COMBINATIONS) {
            complain(r, "tune",
                     tr_arena_printf(r->arena, "has more than %d combinations of values",
                                     JUDGE_MOST_COMBINATIONS));
            return;
        }
    }
}

static void take_reference(reader *r, const cJSON *value)
{
    if (cJSON_IsString(value))
        r->into->reference = reference_beside(r, value->valuestring);
    else
        read_object(r, REFERENCE, value);
    if (!r->into->reference)
        complain(r, "reference", "has to name a kernel, or to have its source");
}

static void take_reference_kernel(reader *r, const cJSON *value)
{
    r->into->reference = reference_beside(r, value->valuestring);
}

static void take_reference_source(reader *r, const cJSON *value)
{
    r->into->reference_source = tr_arena_strdup(r->arena, value->valuestring);
    r->into->reference = "reference.c";
}

static void take_limits(reader *r, const cJSON *value)
{
    read_object(r, LIMITS, value);
}

static void take_seconds(reader *r, const cJSON *value)
{
    double seconds = value->valuedouble;
    if (seconds >= 0.001 && seconds <= MOST_SECONDS)
        r->into->limit_ms = (uint64_t)(seconds * 1e3);
    else
        complain(r, "limits.seconds", "has to be a number from 0.001 to 1000000");
}

static void take_megabytes(reader *r, const cJSON *value)
{
    r->into->limit_mb = whole(r, "limits.megabytes", value, 1, MOST_MEGABYTES);
}

/* Launches have their own form, and what is wrong with them is said at once. NULL after errors. */
static const char *checked(reader *r, const char *shown, const char *text)
{
    launch_file *file = launch_file_parse(r->arena, shown, text, strlen(text), r->errors);
    launch_file_free(file);
    return file ? text : NULL;
}

static const char *read_launches(reader *r, const char *key, const char *path)
{
    const char *why = NULL;
    size_t length;
    const char *file = beside(r, path);
    const char *text = tr_read_file(r->arena, TR_FILE_CONTRACT, file, &length, &why);
    if (text && strlen(text) == length)
        return checked(r, file, text);
    complain(r, tr_arena_printf(r->arena, "%s:", key),
             tr_arena_printf(r->arena, "%s: %s", path, text ? "has a NUL in it" : why));
    return NULL;
}

/* An object is one launch as launch contracts have it, a string names a file of them. */
static const char *launches_of(reader *r, const cJSON *value)
{
    r->into->has_launch = true;
    if (cJSON_IsString(value))
        return read_launches(r, "launch", value->valuestring);
    const char *folder = r->into->path ? tr_folder_of(r->arena, r->into->path) : NULL;
    const char *stranger = judge_door_stranger(r->arena, r->door, folder, value);
    if (stranger)
        complain(r, stranger, outside);
    char *text = cJSON_PrintUnformatted(value);
    if (!text)
        tr_no_memory();
    const char *whole = tr_arena_printf(r->arena, "{\"version\":2,\"launches\":[%s]}", text);
    cJSON_free(text);
    return checked(r, r->into->path, whole);
}

static void take_launch(reader *r, const cJSON *value)
{
    r->into->launches = launches_of(r, value);
}

static void take_trials(reader *r, const cJSON *value)
{
    r->into->trials = read_launches(r, "trials", value->valuestring);
}

static judge_variant *last_variant(reader *r)
{
    return &r->into->variants[r->into->n_variants - 1];
}

static void take_variant_file(reader *r, const cJSON *value)
{
    last_variant(r)->file = beside(r, value->valuestring);
}

static void take_variant_launch(reader *r, const cJSON *value)
{
    last_variant(r)->launches = launches_of(r, value);
}

static void take_variant_trials(reader *r, const cJSON *value)
{
    last_variant(r)->trials = read_launches(r, "variants.trials", value->valuestring);
}

static void take_variants(reader *r, const cJSON *value)
{
    const cJSON *item;
    r->into->variants =
        TR_NEW_ARRAY(r->arena, judge_variant, (size_t)cJSON_GetArraySize(value) + 1);
    cJSON_ArrayForEach(item, value)
    {
        r->into->n_variants++;
        if (cJSON_IsObject(item))
            read_object(r, VARIANT, item);
        if (!last_variant(r)->file)
            complain(r, "variants", "has to be a list of objects, each with a file");
    }
}

/* ---- Section: What a front end says ---- */

static void take_refused(reader *r, const cJSON *value)
{
    read_object(r, REFUSED, value);
    if (!r->into->refused.what)
        complain(r, "refused", "has to say what is wrong");
}

static void take_refused_what(reader *r, const cJSON *value)
{
    r->into->refused.what = tr_arena_strdup(r->arena, value->valuestring);
}

static void take_refused_limit(reader *r, const cJSON *value)
{
    r->into->refused.is_limit = cJSON_IsTrue(value);
}

static void take_refused_file(reader *r, const cJSON *value)
{
    r->into->refused.place.file = tr_arena_strdup(r->arena, value->valuestring);
}

static void take_refused_line(reader *r, const cJSON *value)
{
    r->into->refused.place.line = (uint32_t)whole(r, "refused.line", value, 1, UINT32_MAX);
}

/* ---- Section: Objects ---- */

typedef struct context_key {
    object_kind object;
    const char *name;
    unsigned kinds;
    void (*take)(reader *r, const cJSON *value);
} context_key;

static const context_key keys[] = {
#define KEY(object, name, kinds, take) {object, name, kinds, take},
#include "judge/context_keys.def"
};

static const char *const prefixes[OBJECT_KINDS] = {
    [CONTEXT] = "",         [KERNEL] = "kernel.",       [VARIANT] = "variants.",
    [REFUSED] = "refused.", [REFERENCE] = "reference.", [LIMITS] = "limits."};

static unsigned kind_of(const cJSON *value)
{
    return (cJSON_IsString(value) ? IS_STRING : 0) | (cJSON_IsNumber(value) ? IS_NUMBER : 0) |
           (cJSON_IsObject(value) ? IS_OBJECT : 0) | (cJSON_IsArray(value) ? IS_ARRAY : 0) |
           (cJSON_IsBool(value) ? IS_BOOL : 0);
}

static const char *kind_words(unsigned kinds)
{
    switch (kinds) {
    case IS_STRING:
        return "has to be a string";
    case IS_NUMBER:
        return "has to be a number";
    case IS_OBJECT:
        return "has to be an object";
    case IS_ARRAY:
        return "has to be a list";
    case IS_BOOL:
        return "has to be true or false";
    default:
        return "has to be a string or an object";
    }
}

/* A candidate of cuTile Python has to be run to be compiled, which the Python package does. */
static bool is_key_of_python(object_kind kind, const char *name)
{
    static const char *const theirs[] = {"sizes", "arguments", "grid", "limits"};
    for (size_t i = 0; i < TR_COUNT(theirs); i++)
        if (kind == CONTEXT && strcmp(theirs[i], name) == 0)
            return true;
    return false;
}

static void complain_of_key(reader *r, object_kind kind, const char *name)
{
    const char *names[TR_COUNT(keys)];
    size_t n = 0;
    if (is_key_of_python(kind, name)) {
        complain(r, name,
                 "is a key for candidates of cuTile Python, which `python3 -m tilerace judge` "
                 "compiles and judges");
        return;
    }
    for (size_t i = 0; i < TR_COUNT(keys); i++)
        if (keys[i].object == kind)
            names[n++] = keys[i].name;
    const char *near = contract_nearest(name, n, names);
    complain(r, tr_arena_printf(r->arena, "%s%s", prefixes[kind], name),
             near ? tr_arena_printf(r->arena, "is no key of a context: is %s meant?", near)
                  : "is no key of a context");
}

static void read_object(reader *r, object_kind kind, const cJSON *object)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        const context_key *key = NULL;
        for (size_t i = 0; i < TR_COUNT(keys) && !key; i++)
            if (keys[i].object == kind && strcmp(keys[i].name, item->string) == 0)
                key = &keys[i];
        const char *shown = tr_arena_printf(r->arena, "%s%s", prefixes[kind], item->string);
        if (!key)
            complain_of_key(r, kind, item->string);
        else if (!(kind_of(item) & key->kinds))
            complain(r, shown, kind_words(key->kinds));
        else
            key->take(r, item);
    }
}

/* ---- Section: Contexts ---- */

static judge_context *new_context(tr_arena *arena, const char *path)
{
    judge_context *c = TR_NEW(arena, judge_context);
    c->path = path ? tr_arena_strdup(arena, path) : NULL;
    c->tolerance = -1;
    c->samples = USUAL_SAMPLES;
    c->seed = 1;
    return c;
}

bool judge_is_context(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && isspace((unsigned char)text[i]))
        i++;
    return i < length && text[i] == '{';
}

judge_context *judge_context_of_kernel(tr_arena *arena, const char *file, const char *source,
                                       size_t length)
{
    judge_context *c = new_context(arena, NULL);
    c->file = tr_arena_strdup(arena, file);
    c->source = source;
    c->source_length = length;
    return c;
}

static bool names_one_kernel(reader *r)
{
    judge_context *c = r->into;
    size_t ways =
        (c->file != NULL) + (c->source != NULL) + (c->n_variants > 0) + (c->refused.what != NULL);
    if (ways == 0)
        complain(r, "kernel", "is missing: a file (\"file\"), its text (\"source\"), or variants");
    else if (ways > 1)
        complain(r, "kernel", "is stated twice: it is a file, a source, variants or refused");
    if (c->source)
        c->file = "candidate.c";
    else if (c->n_variants > 0)
        c->file = c->variants[0].file;
    else if (c->refused.what)
        c->file = c->refused.place.file ? c->refused.place.file : "candidate";
    return tr_errors_count(r->errors) == 0;
}

static void complain_of_json(reader *r, const char *text, const json_fault *fault)
{
    tr_place place = {.file = r->into->path, .line = fault->key ? 0 : 1};
    for (size_t i = 0; i < fault->at; i++)
        place.line += text[i] == '\n';
    tr_errors_add(r->errors, &place, "%s", json_fault_text(r->arena, fault));
}

judge_context *judge_context_parse(tr_arena *arena, const char *path, const char *text,
                                   size_t length, const judge_door *door, tr_errors *errors)
{
    reader r = {arena, new_context(arena, path), door, errors};
    json_fault fault;
    cJSON *root = json_take(arena, text, length, JSON_ALL_DIGITS, &fault);
    if (!root)
        complain_of_json(&r, text, &fault);
    else if (!cJSON_IsObject(root))
        complain(&r, NULL, "is no context: a context is an object");
    else
        read_object(&r, CONTEXT, root);
    cJSON_Delete(root);
    return tr_errors_count(errors) == 0 && names_one_kernel(&r) ? r.into : NULL;
}

judge_context *judge_context_read(tr_arena *arena, const char *path, const judge_door *door,
                                  tr_errors *errors)
{
    size_t length = 0;
    const char *why = NULL;
    char *text = tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
    if (!text) {
        tr_place place = {.file = tr_arena_strdup(arena, path)};
        tr_errors_add(errors, &place, "%s", why);
        return NULL;
    }
    return judge_is_context(text, length)
               ? judge_context_parse(arena, path, text, length, door, errors)
               : judge_context_of_kernel(arena, path, NULL, 0);
}

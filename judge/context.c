#include "judge/context_private.h"

#include <ctype.h>
#include <string.h>

#include "contract/expression.h"
#include "json/take.h"
#include "recordings/recordings.h"

enum { USUAL_SAMPLES = 8 };

enum { IS_STRING = 1, IS_NUMBER = 2, IS_OBJECT = 4, IS_ARRAY = 8, IS_BOOL = 16 };

void context_complain(context_reader *r, const char *where, const char *what)
{
    tr_place place = {.file = r->into->path};
    if (where)
        tr_errors_add(r->errors, &place, "%s %s", where, what);
    else
        tr_errors_add(r->errors, &place, "%s", what);
}

/* ---- Section: Objects ---- */

typedef struct context_key {
    context_object object;
    const char *name;
    unsigned kinds;
    void (*take)(context_reader *r, const cJSON *value);
} context_key;

static const context_key keys[] = {
#define KEY(object, name, kinds, take) {object, name, kinds, context_##take},
#include "judge/context_keys.def"
};

static const char *const prefixes[CONTEXT_OBJECTS] = {
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
static bool is_key_of_python(context_object kind, const char *name)
{
    static const char *const theirs[] = {"sizes", "arguments", "grid", "limits"};
    for (size_t i = 0; i < TR_COUNT(theirs); i++)
        if (kind == CONTEXT && strcmp(theirs[i], name) == 0)
            return true;
    return false;
}

static void complain_of_key(context_reader *r, context_object kind, const char *name)
{
    const char *names[TR_COUNT(keys)];
    size_t n = 0;
    if (is_key_of_python(kind, name)) {
        context_complain(
            r, name,
            "is a key for candidates of cuTile Python and for references in Python, which "
            "`python3 -m tilerace judge` reads");
        return;
    }
    for (size_t i = 0; i < TR_COUNT(keys); i++)
        if (keys[i].object == kind)
            names[n++] = keys[i].name;
    const char *near = contract_nearest(name, n, names);
    context_complain(
        r, tr_arena_printf(r->arena, "%s%s", prefixes[kind], name),
        near ? tr_arena_printf(r->arena, "is not a key of a context; did you mean %s?", near)
             : "is not a key of a context");
}

void context_read_object(context_reader *r, context_object kind, const cJSON *object)
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
            context_complain(r, shown, kind_words(key->kinds));
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

void judge_context_free(tr_take judge_context *c)
{
    if (!c)
        return;
    launch_file_free(c->launches);
    launch_file_free(c->trials);
    for (size_t i = 0; i < c->n_variants; i++) {
        launch_file_free(c->variants[i].launches);
        launch_file_free(c->variants[i].trials);
    }
}

tr_give judge_context *judge_context_of_kernel(tr_arena *arena, const char *file,
                                               const char *source, size_t length)
{
    judge_context *c = new_context(arena, NULL);
    c->file = tr_arena_strdup(arena, file);
    c->source = source;
    c->source_length = length;
    return c;
}

static bool names_one_kernel(context_reader *r)
{
    judge_context *c = r->into;
    size_t ways =
        (c->file != NULL) + (c->source != NULL) + (c->n_variants > 0) + (c->refused.what != NULL);
    if (ways == 0)
        context_complain(r, "kernel",
                         "is missing: a file (\"file\"), its text (\"source\"), or variants");
    else if (ways > 1)
        context_complain(r, "kernel",
                         "is stated twice: it is a file, a source, variants or refused");
    if (c->source)
        c->file = "candidate.c";
    else if (c->n_variants > 0)
        c->file = c->variants[0].file;
    else if (c->refused.what)
        c->file = c->refused.place.file ? c->refused.place.file : "candidate";
    return tr_errors_count(r->errors) == 0;
}

static void complain_of_json(context_reader *r, const char *text, const json_fault *fault)
{
    tr_place place = {.file = r->into->path, .line = fault->key ? 0 : 1};
    for (size_t i = 0; i < fault->at; i++)
        place.line += text[i] == '\n';
    tr_errors_add(r->errors, &place, "%s", json_fault_text(r->arena, fault));
}

tr_give judge_context *judge_context_parse(tr_arena *arena, const char *path, const char *text,
                                           size_t length, const judge_door *door, tr_errors *errors)
{
    context_reader r = {arena, new_context(arena, path), door, errors};
    json_fault fault;
    cJSON *root = json_take(arena, text, length, JSON_ALL_DIGITS, &fault);
    if (!root)
        complain_of_json(&r, text, &fault);
    else if (!cJSON_IsObject(root))
        context_complain(&r, NULL, "is not a context: a context is an object");
    else
        context_read_object(&r, CONTEXT, root);
    cJSON_Delete(root);
    if (tr_errors_count(errors) == 0 && names_one_kernel(&r))
        return r.into;
    judge_context_free(r.into);
    return NULL;
}

tr_give judge_context *judge_context_read(tr_arena *arena, const char *path, const judge_door *door,
                                          tr_errors *errors)
{
    size_t length = 0;
    const char *why = NULL;
    if (recording_is(path))
        return judge_context_of_kernel(arena, path, NULL, 0);
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

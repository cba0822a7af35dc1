/* The form of a launch-contract file: keys, types and enumerations, by the table launch_keys.def.
 */
#include "contract/expression.h"
#include "contract/launch_private.h"

#include <math.h>
#include <string.h>

static const launch_key keys[] = {
#define CHECK                                     false
#define RUN                                       true
#define KEY(object, key, values, run_only, since) {LAUNCH_##object, key, values, run_only, since},
#include "contract/launch_keys.def"
#undef CHECK
#undef RUN
};

const launch_key *launch_keys(size_t *count)
{
    *count = TR_COUNT(keys);
    return keys;
}

const char *launch_object_name(launch_object object)
{
    static const char *const names[] = {"file",     "launch", "arg",      "entry",
                                        "contents", "view",   "source",   "predecessor",
                                        "touched",  "fill",   "reference"};
    return object < LAUNCH_OBJECT_COUNT ? names[object] : "";
}

void launch_error(tr_errors *errors, const launch_file *file, const char *where, const char *format,
                  ...)
{
    tr_place place = {.file = file->path};
    va_list arguments;
    va_start(arguments, format);
    const char *sentence = tr_arena_vprintf(file->arena, format, arguments);
    va_end(arguments);
    if (where && *where)
        tr_errors_add(errors, &place, "%s: %s", where, sentence);
    else
        tr_errors_add(errors, &place, "%s", sentence);
}

/* ---- One value ---- */

bool launch_is_exact(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble == floor(item->valuedouble) &&
           fabs(item->valuedouble) < 9007199254740992.0;
}

static unsigned values_of(const cJSON *item)
{
    if (cJSON_IsNumber(item))
        return LAUNCH_NUMBER_VALUE | (launch_is_exact(item) ? LAUNCH_INTEGER_VALUE : 0u);
    if (cJSON_IsString(item))
        return LAUNCH_STRING_VALUE;
    if (cJSON_IsBool(item))
        return LAUNCH_BOOLEAN_VALUE;
    if (cJSON_IsObject(item))
        return LAUNCH_OBJECT_VALUE;
    return cJSON_IsArray(item) ? LAUNCH_ARRAY_VALUE : 0u;
}

static const char *describe_values(tr_arena *arena, unsigned values)
{
    static const struct {
        unsigned bit;
        const char *name;
    } table[] = {{LAUNCH_INTEGER_VALUE, "an integer"}, {LAUNCH_NUMBER_VALUE, "a number"},
                 {LAUNCH_STRING_VALUE, "a string"},    {LAUNCH_BOOLEAN_VALUE, "true or false"},
                 {LAUNCH_OBJECT_VALUE, "an object"},   {LAUNCH_ARRAY_VALUE, "an array"}};
    const char *text = NULL;
    if (values & LAUNCH_NUMBER_VALUE)
        values &= ~(unsigned)LAUNCH_INTEGER_VALUE;
    for (size_t i = 0; i < TR_COUNT(table); i++)
        if (values & table[i].bit)
            text = text ? tr_arena_printf(arena, "%s or %s", text, table[i].name) : table[i].name;
    return text ? text : "nothing";
}

static bool check_value(const launch_file *file, const cJSON *item, unsigned values,
                        const char *where, tr_errors *errors)
{
    if (values_of(item) & values)
        return true;
    if ((values & LAUNCH_INTEGER_VALUE) && cJSON_IsNumber(item) &&
        item->valuedouble == floor(item->valuedouble))
        launch_error(errors, file, where,
                     "this integer is too large for a JSON number; write it as a string.");
    else
        launch_error(errors, file, where, "this must be %s.", describe_values(file->arena, values));
    return false;
}

static bool check_word(const launch_file *file, const cJSON *item, size_t n,
                       const char *const *words, const char *where, tr_errors *errors)
{
    const char *list = words[0];
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(item->valuestring, words[i]))
            return true;
        if (i)
            list = tr_arena_printf(file->arena, "%s, %s", list, words[i]);
    }
    launch_error(errors, file, where, "`%s` is none of: %s.", item->valuestring, list);
    return false;
}

#define CHECK_WORD(file, item, words, where, errors)                                               \
    check_word(file, item, TR_COUNT(words), words, where, errors)

/* ---- One object ---- */

static bool check_key(const launch_file *file, launch_object object, const cJSON *item,
                      const char *where, tr_errors *errors)
{
    const char *names[TR_COUNT(keys)];
    size_t n = 0;
    for (size_t i = 0; i < TR_COUNT(keys); i++) {
        if (keys[i].object != object)
            continue;
        if (!strcmp(keys[i].key, item->string) && keys[i].since > file->version) {
            launch_error(errors, file, where, "this key is of version %d, and the file of %d.",
                         keys[i].since, file->version);
            return false;
        }
        if (!strcmp(keys[i].key, item->string))
            return check_value(file, item, keys[i].values, where, errors);
        names[n++] = keys[i].key;
    }
    const char *near = contract_nearest(item->string, n, names);
    if (near)
        launch_error(errors, file, where, "unknown key; did you mean `%s`?", near);
    else
        launch_error(errors, file, where, "unknown key.");
    return false;
}

static const char *below(const launch_file *file, const char *where, const char *key)
{
    return *where ? tr_arena_printf(file->arena, "%s.%s", where, key) : key;
}

enum { MAX_KEYS = 100 }; /* of one object; none has so many meanings */

static bool check_object(const launch_file *file, launch_object object, const cJSON *json,
                         const char *where, tr_errors *errors)
{
    bool good = true;
    if (!cJSON_IsObject(json)) {
        launch_error(errors, file, where, "this must be an object.");
        return false;
    }
    if (cJSON_GetArraySize(json) > MAX_KEYS) {
        launch_error(errors, file, where, "there are more than %d keys.", MAX_KEYS);
        return false;
    }
    for (const cJSON *item = json->child; item; item = item->next) {
        const char *path = below(file, where, item->string);
        for (const cJSON *other = json->child; other != item; other = other->next)
            if (!strcmp(other->string, item->string)) {
                launch_error(errors, file, path, "this key is there twice.");
                good = false;
            }
        good &= check_key(file, object, item, path, errors);
    }
    return good;
}

static const char *element(const launch_file *file, const char *where, size_t i)
{
    return tr_arena_printf(file->arena, "%s[%zu]", where, i);
}

static bool check_elements(const launch_file *file, const cJSON *array, unsigned values,
                           const char *where, tr_errors *errors)
{
    bool good = true;
    size_t i = 0;
    for (const cJSON *item = array ? array->child : NULL; item; item = item->next)
        good &= check_value(file, item, values, element(file, where, i++), errors);
    return good;
}

/* ---- The objects of a launch ---- */

static bool check_identifier(const launch_file *file, const cJSON *item, const char *where,
                             tr_errors *errors)
{
    const char *s = item->valuestring;
    bool is_name = *s && contract_name_length(s) == strlen(s);
    if (is_name && (file->version > 1 || contract_name_is_plain(s)) && strncmp(s, "grid.", 5) != 0)
        return true;
    launch_error(errors, file, where, "`%s` is not a name that expressions can use.", s);
    return false;
}

static bool check_fill(const launch_file *file, const cJSON *fill, const char *where,
                       tr_errors *errors)
{
    static const char *const kinds[] = {"zeros",       "iota",  "random",
                                        "permutation", "range", "undefined"};
    if (cJSON_IsString(fill))
        return CHECK_WORD(file, fill, kinds, where, errors);
    if (!check_object(file, LAUNCH_FILL, fill, where, errors))
        return false;
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(fill, "kind");
    const cJSON *raw = cJSON_GetObjectItemCaseSensitive(fill, "file");
    if (!kind == !raw) {
        launch_error(errors, file, where, "this needs either `kind` or `file`.");
        return false;
    }
    return !kind || CHECK_WORD(file, kind, kinds, below(file, where, "kind"), errors);
}

static bool check_reference(const launch_file *file, const cJSON *reference, const char *where,
                            tr_errors *errors)
{
    if (cJSON_IsString(reference))
        return true;
    if (!check_object(file, LAUNCH_REFERENCE, reference, where, errors))
        return false;
    if (cJSON_GetArraySize(reference) == 1)
        return true;
    launch_error(errors, file, where, "this needs either `file` or `kernel`.");
    return false;
}

static const char *const types[] = {"i1",  "i4",       "i8",     "i16",       "i32",
                                    "i64", "f16",      "bf16",   "f32",       "tf32",
                                    "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"};

static bool check_run_fields(const launch_file *file, const cJSON *arg, const char *where,
                             tr_errors *errors)
{
    bool good = true;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(arg, "dtype");
    if (item)
        good &= CHECK_WORD(file, item, types, below(file, where, "dtype"), errors);
    if ((item = cJSON_GetObjectItemCaseSensitive(arg, "fill")))
        good &= check_fill(file, item, below(file, where, "fill"), errors);
    if ((item = cJSON_GetObjectItemCaseSensitive(arg, "reference")))
        good &= check_reference(file, item, below(file, where, "reference"), errors);
    item = cJSON_GetObjectItemCaseSensitive(arg, "tolerance");
    if (item && item->valuedouble < 0) {
        launch_error(errors, file, below(file, where, "tolerance"), "this must not be negative.");
        good = false;
    }
    return good;
}

/* An array of a list: one entry of a table. */
static bool check_entry(const launch_file *file, const cJSON *entry, const char *where,
                        tr_errors *errors)
{
    static const char *const lists[] = {"extents", "strides"};
    if (!check_object(file, LAUNCH_ENTRY, entry, where, errors))
        return false;
    bool good = true;
    for (size_t i = 0; i < TR_COUNT(lists); i++)
        good &= check_elements(file, cJSON_GetObjectItemCaseSensitive(entry, lists[i]),
                               LAUNCH_INTEGER_VALUE | LAUNCH_STRING_VALUE,
                               below(file, where, lists[i]), errors);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, "dtype");
    if (item)
        good &= CHECK_WORD(file, item, types, below(file, where, "dtype"), errors);
    if (cJSON_GetObjectItemCaseSensitive(entry, "extents"))
        return good;
    launch_error(errors, file, where, "`extents` is missing: how large is the array?");
    return false;
}

static bool check_arg(const launch_file *file, const cJSON *arg, const char *where,
                      tr_errors *errors)
{
    static const char *const covered[] = {"all", "once"};
    bool good = check_object(file, LAUNCH_ARG, arg, where, errors);
    if (!good)
        return false;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(arg, "name");
    if (item)
        good &= check_identifier(file, item, below(file, where, "name"), errors);
    if ((item = cJSON_GetObjectItemCaseSensitive(arg, "covered")))
        good &= CHECK_WORD(file, item, covered, below(file, where, "covered"), errors);
    if (cJSON_GetObjectItemCaseSensitive(arg, "elements") &&
        cJSON_GetObjectItemCaseSensitive(arg, "bytes")) {
        launch_error(errors, file, where, "give `elements` or `bytes`, not both.");
        good = false;
    }
    if (cJSON_GetObjectItemCaseSensitive(arg, "spans") &&
        (cJSON_GetObjectItemCaseSensitive(arg, "elements") ||
         cJSON_GetObjectItemCaseSensitive(arg, "bytes"))) {
        launch_error(errors, file, where, "give `spans` alone, or the extent that is meant.");
        good = false;
    }
    size_t i = 0;
    const char *table = below(file, where, "table");
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(arg, "table")) good &=
        check_entry(file, item, element(file, table, i++), errors);
    return check_run_fields(file, arg, where, errors) && good;
}

static bool check_contents(const launch_file *file, const cJSON *contents, const char *where,
                           tr_errors *errors)
{
    static const char *const lists[] = {"extents", "strides"};
    if (!check_object(file, LAUNCH_CONTENTS, contents, where, errors))
        return false;
    const cJSON *view = cJSON_GetObjectItemCaseSensitive(contents, "view");
    const char *of_view = below(file, where, "view");
    bool good = check_elements(file, cJSON_GetObjectItemCaseSensitive(contents, "values"),
                               LAUNCH_INTEGER_VALUE | LAUNCH_STRING_VALUE,
                               below(file, where, "values"), errors);
    if (view)
        good &= check_object(file, LAUNCH_VIEW, view, of_view, errors);
    for (size_t i = 0; i < TR_COUNT(lists); i++)
        good &= check_elements(file, cJSON_GetObjectItemCaseSensitive(view, lists[i]),
                               LAUNCH_INTEGER_VALUE | LAUNCH_STRING_VALUE,
                               below(file, of_view, lists[i]), errors);
    if (cJSON_GetObjectItemCaseSensitive(contents, "buffer"))
        return good;
    launch_error(errors, file, where, "`buffer` is missing: which buffer's contents?");
    return false;
}

/* A buffer by its name, or bytes of one. */
static bool check_touched(const launch_file *file, const cJSON *list, const char *where,
                          tr_errors *errors)
{
    const unsigned values = LAUNCH_STRING_VALUE | (file->version > 1 ? LAUNCH_OBJECT_VALUE : 0u);
    bool good = check_elements(file, list, values, where, errors);
    size_t i = 0;
    for (const cJSON *item = list ? list->child : NULL; good && item; item = item->next, i++) {
        const char *at = element(file, where, i);
        if (cJSON_IsString(item))
            continue;
        good &= check_object(file, LAUNCH_TOUCHED, item, at, errors);
        if (good && !cJSON_GetObjectItemCaseSensitive(item, "buffer")) {
            launch_error(errors, file, at, "`buffer` is missing: bytes of which buffer?");
            good = false;
        }
    }
    return good;
}

static bool check_predecessor(const launch_file *file, const cJSON *launch, const char *where,
                              tr_errors *errors)
{
    static const char *const lists[] = {"writes", "reads"};
    const cJSON *predecessor = cJSON_GetObjectItemCaseSensitive(launch, "predecessor");
    const char *path = below(file, where, "predecessor");
    if (!predecessor)
        return true;
    if (!check_object(file, LAUNCH_PREDECESSOR, predecessor, path, errors))
        return false;
    bool good = true;
    for (size_t i = 0; i < TR_COUNT(lists); i++)
        good &= check_touched(file, cJSON_GetObjectItemCaseSensitive(predecessor, lists[i]),
                              below(file, path, lists[i]), errors);
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(launch, "pdl"))) {
        launch_error(errors, file, path, "this has a meaning only where `pdl` is true.");
        good = false;
    }
    return good;
}

static bool check_parameters(const launch_file *file, const cJSON *list, const char *where,
                             tr_errors *errors)
{
    if (!check_elements(file, list, LAUNCH_STRING_VALUE, where, errors))
        return false;
    const cJSON *item;
    bool good = true;
    size_t i = 0;
    cJSON_ArrayForEach(item, list) good &=
        check_identifier(file, item, element(file, where, i++), errors);
    return good;
}

static bool check_launch(const launch_file *file, const cJSON *launch, const char *where,
                         tr_errors *errors)
{
    static const char *const peers[] = {"device", "sys"};
    size_t i = 0;
    if (!check_object(file, LAUNCH_LAUNCH, launch, where, errors))
        return false;
    bool good = true;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(launch, "grid");
    int extents = cJSON_GetArraySize(item);
    if (item && (extents < 1 || extents > 3)) {
        launch_error(errors, file, below(file, where, "grid"), "a grid has 1 to 3 extents.");
        good = false;
    }
    good &= check_elements(file, item, LAUNCH_INTEGER_VALUE | LAUNCH_STRING_VALUE,
                           below(file, where, "grid"), errors);
    good &= check_elements(file, cJSON_GetObjectItemCaseSensitive(launch, "assume"),
                           LAUNCH_STRING_VALUE, below(file, where, "assume"), errors);
    good &= check_parameters(file, cJSON_GetObjectItemCaseSensitive(launch, "parameters"),
                             below(file, where, "parameters"), errors);
    good &= check_elements(file, cJSON_GetObjectItemCaseSensitive(launch, "observed"),
                           LAUNCH_STRING_VALUE, below(file, where, "observed"), errors);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(launch, "args")) good &=
        check_arg(file, item, element(file, below(file, where, "args"), i++), errors);
    i = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(launch, "contents")) good &=
        check_contents(file, item, element(file, below(file, where, "contents"), i++), errors);
    if ((item = cJSON_GetObjectItemCaseSensitive(launch, "source")))
        good &= check_object(file, LAUNCH_SOURCE, item, below(file, where, "source"), errors);
    if ((item = cJSON_GetObjectItemCaseSensitive(launch, "peers")))
        good &= CHECK_WORD(file, item, peers, below(file, where, "peers"), errors);
    return check_predecessor(file, launch, where, errors) && good;
}

bool launch_check_form(launch_file *file, tr_errors *errors)
{
    const cJSON *version, *launch;
    size_t i = 0;
    if (!cJSON_IsObject(file->root)) {
        launch_error(errors, file, "", "A launch contract is a JSON object.");
        return false;
    }
    version = cJSON_GetObjectItemCaseSensitive(file->root, "version");
    if (!version) {
        launch_error(errors, file, "", "`version` is missing; this program reads version 1 and 2.");
        return false;
    }
    if (!cJSON_IsNumber(version) ||
        (version->valuedouble != 1 && version->valuedouble != LAUNCH_FILE_VERSION)) {
        launch_error(errors, file, "version", "this program reads version 1 and 2 only.");
        return false;
    }
    file->version = (int)version->valuedouble;
    bool good = check_object(file, LAUNCH_FILE, file->root, "", errors);
    if (!file->launches) {
        launch_error(errors, file, "", "`launches` is missing.");
        return false;
    }
    if (!cJSON_IsArray(file->launches))
        return false;
    if (!file->launches->child) {
        launch_error(errors, file, "launches", "there is no launch in it.");
        good = false;
    }
    cJSON_ArrayForEach(launch, file->launches) good &=
        check_launch(file, launch, element(file, "launches", i++), errors);
    return good;
}

#include "launches/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/expression.h"
#include "json/print.h"
#include "json/take.h"

static const char *const part_words[NAMES_N_PARTS] = {
    [NAMES_POINTER] = "pointer", [NAMES_EXTENT] = "extent", [NAMES_STRIDE] = "stride",
    [NAMES_TABLE] = "table",     [NAMES_LENGTH] = "length",
};

static const char *text_at(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static const char *copy_of(tr_arena *arena, const char *text)
{
    return text && text[0] ? tr_arena_strdup(arena, text) : NULL;
}

/* ---- Section: One parameter ---- */

static bool read_part(const cJSON *object, names_part *part)
{
    const char *word = text_at(object, "part");
    *part = NAMES_ALL;
    for (names_part p = NAMES_ALL + 1; word && p < NAMES_N_PARTS; p++)
        if (strcmp(word, part_words[p]) == 0)
            *part = p;
    return !word || *part != NAMES_ALL;
}

/* Is it a whole number from 0 on and below `most`? */
static bool is_whole(const cJSON *item, double most)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < most &&
           item->valuedouble == floor(item->valuedouble);
}

static void read_fixed(const cJSON *list, size_t rank, int64_t *values)
{
    for (size_t d = 0; d < rank; d++) {
        const cJSON *item = cJSON_GetArrayItem(list, (int)d);
        bool known = is_whole(item, 1e15);
        values[d] = known ? (int64_t)item->valuedouble : -1;
    }
}

static const char *full_name(tr_arena *arena, const seen_name *p, const char *name)
{
    const char *full = name;
    if (p->part == NAMES_EXTENT || p->part == NAMES_STRIDE)
        full = tr_arena_printf(arena, "%s.%s[%u]", name,
                               p->part == NAMES_EXTENT ? "shape" : "stride", p->axis);
    else if (p->part == NAMES_LENGTH)
        full = tr_arena_printf(arena, "%s.length", name);
    bool usable = contract_name_length(full) == strlen(full) && strncmp(full, "grid.", 5) != 0;
    return usable ? tr_arena_strdup(arena, full) : NULL;
}

/* The bytes of a type, from the bits in its Tile IR name: "f16", "bf16", "f8E4M3FN", "i1". */
static unsigned bytes_of_type(const char *dtype)
{
    const char *digits = dtype ? dtype + strcspn(dtype, "0123456789") : "";
    long bits = strtol(digits, NULL, 10);
    return bits == 1 ? 1 : bits >= 8 && bits <= 64 ? (unsigned)bits / 8 : 0;
}

/* Reads a list of arrays, all of which have this rank and type. */
static bool read_table(const cJSON *object, seen_name *p)
{
    const cJSON *rank = cJSON_GetObjectItemCaseSensitive(object, "rank");
    bool good = is_whole(rank, NAMES_MOST_DIMENSIONS + 1);
    p->rank = good ? (size_t)rank->valuedouble : 0;
    p->element_bytes = good ? bytes_of_type(text_at(object, "dtype")) : 0;
    return good || !rank;
}

/* `array`: number of the pointer before it. */
static bool read_parameter(tr_arena *arena, const cJSON *object, seen_name *p)
{
    const char *name = text_at(object, "name");
    const cJSON *axis = cJSON_GetObjectItemCaseSensitive(object, "axis");
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(object, "shape");
    if (!name || !read_part(object, &p->part))
        return false;
    if ((axis && !is_whole(axis, NAMES_MOST_DIMENSIONS)) || (shape && !cJSON_IsArray(shape)))
        return false;
    p->axis = axis ? (unsigned)axis->valuedouble : 0;
    p->name = full_name(arena, p, name);
    p->rank = shape ? (size_t)cJSON_GetArraySize(shape) : 0;
    if (p->rank > NAMES_MOST_DIMENSIONS)
        return false;
    read_fixed(shape, p->rank, p->shape);
    read_fixed(cJSON_GetObjectItemCaseSensitive(object, "strides"), p->rank, p->strides);
    return p->part != NAMES_TABLE || read_table(object, p);
}

/* Extents and strides stand behind the pointer of their array. */
static bool find_arrays(seen_name *parameters, size_t n)
{
    size_t pointer = n;
    for (size_t i = 0; i < n; i++) {
        seen_name *p = &parameters[i];
        bool is_of_array = p->part == NAMES_EXTENT || p->part == NAMES_STRIDE;
        if (p->part == NAMES_POINTER)
            pointer = i;
        if (is_of_array && (pointer == n || p->axis >= parameters[pointer].rank))
            return false;
        p->array = pointer;
    }
    return true;
}

/* Two of one name: neither can be told by it. */
static void drop_doubles(seen_name *parameters, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i && parameters[i].name; k++)
            if (parameters[k].name && strcmp(parameters[k].name, parameters[i].name) == 0)
                parameters[i].name = NULL;
}

/* ---- Section: All of them ---- */

static const seen_names *read_root(tr_arena *arena, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "parameters"), *item;
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(root, "line");
    if (!cJSON_IsArray(list))
        return NULL;
    seen_names *all = TR_NEW(arena, seen_names);
    size_t n = (size_t)cJSON_GetArraySize(list);
    seen_name *parameters = TR_NEW_ARRAY(arena, seen_name, n + 1);
    cJSON_ArrayForEach(item,
                       list) if (!read_parameter(arena, item, &parameters[all->n++])) return NULL;
    if (!find_arrays(parameters, n))
        return NULL;
    drop_doubles(parameters, n);
    all->parameters = parameters;
    all->function = copy_of(arena, text_at(root, "function"));
    all->file = copy_of(arena, text_at(root, "file"));
    if (cJSON_IsNumber(line) && line->valuedouble >= 1 && line->valuedouble < 1e9)
        all->line = (unsigned)line->valuedouble;
    return all;
}

const seen_names *names_read(tr_arena *arena, const char *json)
{
    cJSON *root = json_take(arena, json, strlen(json), JSON_ALL_DIGITS, NULL);
    const seen_names *all = root ? read_root(arena, root) : NULL;
    cJSON_Delete(root);
    return all;
}

const char *names_write(tr_arena *arena, const char *function, const tr_place *place, size_t n,
                        const char *const *parameters)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "function", function);
    cJSON_AddStringToObject(root, "file", place->file);
    cJSON_AddNumberToObject(root, "line", place->line);
    cJSON *list = cJSON_AddArrayToObject(root, "parameters");
    for (size_t i = 0; i < n; i++) {
        cJSON *parameter = cJSON_CreateObject();
        cJSON_AddStringToObject(parameter, "name", parameters[i]);
        cJSON_AddItemToArray(list, parameter);
    }
    char *printed = json_printed(root, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(arena, printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return kept;
}

bool names_have_arrays(const seen_names *n)
{
    for (size_t i = 0; i < n->n; i++)
        if (n->parameters[i].part == NAMES_POINTER || n->parameters[i].part == NAMES_TABLE)
            return true;
    return false;
}

bool names_fit(const seen_names *n, const module_entry *e)
{
    if (n->n != e->n_parameters)
        return false;
    for (size_t i = 0; i < n->n; i++) {
        names_part part = n->parameters[i].part;
        bool wants_pointer = part == NAMES_POINTER || part == NAMES_TABLE;
        wire_parameter kind = e->parameters[i].kind;
        bool fits = wants_pointer ? kind == WIRE_POINTER || kind == WIRE_POINTER_TO_FLOATS
                                  : kind == WIRE_INTEGER;
        if (part != NAMES_ALL && !fits)
            return false;
    }
    return true;
}

static bool is_taken(const seen_names *n, const char *name)
{
    for (size_t i = 0; i < n->n; i++)
        if (n->parameters[i].name && strcmp(n->parameters[i].name, name) == 0)
            return true;
    return false;
}

/* A name for each parameter, made up where the front end's is none for contracts. In the arena. */
static const char *const *names_of_all(tr_arena *arena, const seen_names *n)
{
    const char **list = TR_NEW_ARRAY(arena, const char *, n->n + 1);
    for (size_t i = 0; i < n->n; i++) {
        list[i] = n->parameters[i].name;
        if (list[i])
            continue;
        list[i] = tr_arena_printf(arena, "parameter%zu", i);
        while (is_taken(n, list[i]))
            list[i] = tr_arena_printf(arena, "%s_", list[i]);
    }
    return list;
}

/* The parameter that holds it, or the number that the front end fixed it at; NULL: neither. */
static const char *part_of_array(tr_arena *arena, const seen_names *n, const char *const *list,
                                 size_t array, names_part part, unsigned axis)
{
    const seen_name *pointer = &n->parameters[array];
    int64_t fixed = part == NAMES_EXTENT ? pointer->shape[axis] : pointer->strides[axis];
    if (fixed >= 0)
        return tr_arena_printf(arena, "%lld", (long long)fixed);
    for (size_t i = 0; i < n->n; i++)
        if (n->parameters[i].part == part && n->parameters[i].array == array &&
            n->parameters[i].axis == axis)
            return list[i];
    return NULL;
}

/* Returns, as an expression, the number of elements from the first of the array to its last; NULL:
 * not known. A front end passes arrays that lie in memory whole. */
static const char *elements_of_array(tr_arena *arena, const seen_names *n, const char *const *list,
                                     size_t array)
{
    const char *elements = "1";
    for (unsigned axis = 0; axis < n->parameters[array].rank; axis++) {
        const char *extent = part_of_array(arena, n, list, array, NAMES_EXTENT, axis);
        const char *stride = part_of_array(arena, n, list, array, NAMES_STRIDE, axis);
        if (!extent || !stride)
            return NULL;
        elements = tr_arena_printf(arena, "%s + (%s - 1) * %s", elements, extent, stride);
    }
    return elements;
}

static void state_arrays(tr_arena *arena, const seen_names *n, const char *const *list,
                         cJSON *launch)
{
    cJSON *args = cJSON_AddArrayToObject(launch, "args");
    for (size_t i = 0; i < n->n; i++) {
        const seen_name *p = &n->parameters[i];
        const char *elements =
            p->part == NAMES_POINTER && p->rank ? elements_of_array(arena, n, list, i) : NULL;
        if (!elements)
            continue;
        cJSON *arg = cJSON_CreateObject();
        cJSON_AddItemToArray(args, arg);
        cJSON_AddStringToObject(arg, "name", list[i]);
        cJSON_AddStringToObject(arg, "spans", elements);
    }
}

const char *names_contract(tr_arena *arena, const seen_names *n, const module_entries *module)
{
    if (!n || module->n == 0)
        return NULL;
    const char *const *list = names_of_all(arena, n);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 2);
    cJSON *launches = cJSON_AddArrayToObject(root, "launches");
    for (size_t i = 0; i < module->n; i++) {
        cJSON *launch = cJSON_CreateObject();
        cJSON_AddItemToArray(launches, launch);
        cJSON_AddStringToObject(launch, "kernel", module->items[i].symbol);
        cJSON_AddItemToObject(launch, "parameters",
                              cJSON_CreateStringArray((const char *const *)list, (int)n->n));
        state_arrays(arena, n, list, launch);
    }
    char *printed = json_printed(root, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(arena, printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return kept;
}

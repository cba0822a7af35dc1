/* Launches that were seen, merged: what all launches of a kernel share. */
#include "launches/entries.h"
#include "json/print.h"
#include "recordings/private.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PARAMETERS = 1024,
    GRID_AXES = 3,
    LARGEST_TILE = 4096, /* of a tile's extent, in what a grid is taken to be made of */
};

/* A number of each launch: of a parameter, or of a grid axis. */
typedef struct series {
    const char *name;
    int64_t *values; /* n of the kernel's launches */
    bool is_known;   /* in all launches */
} series;

typedef struct seen_kernel { /* its launches, from whatever module they come */
    const char *name;
    const cJSON *parameters;
    const module_entry *entry; /* tells which are integers; NULL: unknown */
    size_t n_launches, room;
    const cJSON **launches;
    size_t n_series;
    series *all; /* parameters, then the grid */
} seen_kernel;

typedef struct merging {
    tr_arena *arena;
    size_t n, room;
    seen_kernel *kernels;
} merging;

/* ---- Section: Gathering ---- */

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void *grown(tr_arena *arena, void *old, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return old;
    *room = 2 * *room + 16;
    void *more = tr_arena_alloc(arena, *room * size);
    if (n > 0)
        memcpy(more, old, n * size);
    return more;
}

/* Specialisations of one function are one kernel where they have the same parameters. */
static seen_kernel *kernel_of(merging *m, const char *name, const cJSON *parameters)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->kernels[i].name, name) == 0 &&
            cJSON_Compare(m->kernels[i].parameters, parameters, true))
            return &m->kernels[i];
    m->kernels = grown(m->arena, m->kernels, m->n, &m->room, sizeof *m->kernels);
    m->kernels[m->n] = (seen_kernel){.name = name, .parameters = parameters};
    return &m->kernels[m->n++];
}

static const module_entries *entries_of_module(tr_arena *arena, const char *path)
{
    size_t size;
    const char *why;
    const char *bytes = tr_read_file(arena, TR_FILE_RECORDED, path, &size, &why);
    return bytes ? entries_read(arena, bytes, size, &why) : NULL;
}

static const module_entry *entry_called(const module_entries *all, const char *symbol)
{
    for (size_t i = 0; all && i < all->n; i++)
        if (strcmp(all->items[i].symbol, symbol) == 0)
            return &all->items[i];
    return NULL;
}

static void add_launches(merging *m, const recorded_module *module, const cJSON *root)
{
    const module_entries *entries = root ? entries_of_module(m->arena, module->path) : NULL;
    cJSON *about = cJSON_Parse(module->about);
    const char *function = cJSON_GetStringValue(at(about, "function"));
    const cJSON *launch;
    cJSON_ArrayForEach(launch, at(root, "launches"))
    {
        const char *symbol = cJSON_GetStringValue(at(launch, "kernel"));
        const cJSON *parameters = at(launch, "parameters");
        if (!symbol || cJSON_GetArraySize(parameters) > MOST_PARAMETERS)
            continue;
        seen_kernel *k =
            kernel_of(m, tr_arena_strdup(m->arena, function ? function : symbol), parameters);
        k->entry = entry_called(entries, symbol);
        k->launches = grown(m->arena, k->launches, k->n_launches, &k->room, sizeof *k->launches);
        k->launches[k->n_launches++] = launch;
    }
    cJSON_Delete(about);
}

/* ---- Section: Numbers ---- */

static bool integer_of(const cJSON *item, int64_t *value)
{
    char *end;
    if (cJSON_IsNumber(item) && fabs(item->valuedouble) < 0x1p53 &&
        item->valuedouble == floor(item->valuedouble)) {
        *value = (int64_t)item->valuedouble;
        return true;
    }
    if (!cJSON_IsString(item)) /* of 2^53 and more */
        return false;
    errno = 0;
    *value = strtoll(item->valuestring, &end, 10);
    return errno == 0 && end != item->valuestring && *end == 0;
}

/* Returns the value that the launch passes for a parameter, where that is an integer. */
static bool value_of(const cJSON *launch, const char *parameter, int64_t *value)
{
    const cJSON *arg;
    cJSON_ArrayForEach(arg, at(launch, "args"))
    {
        const char *name = cJSON_GetStringValue(at(arg, "name"));
        if (name && strcmp(name, parameter) == 0)
            return integer_of(at(arg, "value"), value);
    }
    return false;
}

static bool is_integer(const seen_kernel *k, size_t parameter)
{
    return k->entry && parameter < k->entry->n_parameters &&
           k->entry->parameters[parameter].kind == WIRE_INTEGER;
}

static void find_series(tr_arena *arena, seen_kernel *k)
{
    static const char *const axes[GRID_AXES] = {"grid.x", "grid.y", "grid.z"};
    size_t n = (size_t)cJSON_GetArraySize(k->parameters), i = 0;
    const cJSON *parameter;
    k->n_series = n + GRID_AXES;
    k->all = TR_NEW_ARRAY(arena, series, k->n_series);
    cJSON_ArrayForEach(parameter, k->parameters) k->all[i++].name =
        cJSON_GetStringValue(parameter) ? cJSON_GetStringValue(parameter) : "";
    for (size_t s = 0; s < k->n_series; s++) {
        series *one = &k->all[s];
        one->values = TR_NEW_ARRAY(arena, int64_t, k->n_launches);
        one->is_known = s >= n || is_integer(k, s);
        if (s >= n)
            one->name = axes[s - n];
        for (size_t l = 0; l < k->n_launches && one->is_known; l++)
            one->is_known =
                s < n ? value_of(k->launches[l], one->name, &one->values[l])
                      : integer_of(cJSON_GetArrayItem(at(k->launches[l], "grid"), (int)(s - n)),
                                   &one->values[l]);
    }
}

/* ---- Section: Facts ---- */

typedef struct facts {
    tr_arena *arena;
    const seen_kernel *kernel;
    cJSON *list;
} facts;

static void add_fact(facts *f, const char *text)
{
    cJSON_AddItemToArray(f->list, cJSON_CreateString(text));
}

static bool are_equal(const facts *f, const series *a, const series *b)
{
    return memcmp(a->values, b->values, f->kernel->n_launches * sizeof *a->values) == 0;
}

static bool is_constant(const facts *f, const series *s)
{
    for (size_t i = 1; i < f->kernel->n_launches; i++)
        if (s->values[i] != s->values[0])
            return false;
    return true;
}

static uint64_t common_divisor(const facts *f, const series *s)
{
    uint64_t divisor = 0;
    for (size_t i = 0; i < f->kernel->n_launches; i++) {
        uint64_t a = s->values[i] < 0 ? -(uint64_t)s->values[i] : (uint64_t)s->values[i];
        while (a) {
            uint64_t rest = divisor % a;
            divisor = a;
            a = rest;
        }
    }
    return divisor;
}

static void add_range(facts *f, const series *s)
{
    int64_t low = s->values[0], high = low;
    for (size_t i = 1; i < f->kernel->n_launches; i++) {
        low = s->values[i] < low ? s->values[i] : low;
        high = s->values[i] > high ? s->values[i] : high;
    }
    add_fact(f, tr_arena_printf(f->arena, "%s >= %lld", s->name, (long long)low));
    add_fact(f, tr_arena_printf(f->arena, "%s <= %lld", s->name, (long long)high));
    uint64_t divisor = common_divisor(f, s);
    if (divisor > 1)
        add_fact(
            f, tr_arena_printf(f->arena, "%s %% %llu == 0", s->name, (unsigned long long)divisor));
}

static bool is_cover(const facts *f, const series *axis, const series *of, int64_t tile)
{
    for (size_t i = 0; i < f->kernel->n_launches; i++)
        if (of->values[i] < 0 || (of->values[i] + tile - 1) / tile != axis->values[i])
            return false;
    return true;
}

/* A grid axis as launches make it: of an extent, or of tiles that cover one. */
static bool add_cover(facts *f, const series *axis)
{
    for (size_t i = 0; i + GRID_AXES < f->kernel->n_series; i++) {
        const series *of = &f->kernel->all[i];
        if (!of->is_known || is_constant(f, of))
            continue;
        for (int64_t tile = 2; tile <= LARGEST_TILE; tile *= 2)
            if (is_cover(f, axis, of, tile)) {
                add_fact(f, tr_arena_printf(f->arena, "%s == cdiv(%s, %lld)", axis->name, of->name,
                                            (long long)tile));
                return true;
            }
    }
    return false;
}

/* The first of those before it that is equal in all launches; NULL: none. */
static const series *equal_before(const facts *f, size_t which)
{
    const series *own = &f->kernel->all[which];
    for (size_t i = 0; i < which; i++)
        if (f->kernel->all[i].is_known && are_equal(f, &f->kernel->all[i], own))
            return &f->kernel->all[i];
    return NULL;
}

static void add_facts(facts *f, size_t which)
{
    const series *s = &f->kernel->all[which];
    if (!s->is_known)
        return;
    if (is_constant(f, s)) {
        add_fact(f, tr_arena_printf(f->arena, "%s == %lld", s->name, (long long)s->values[0]));
        return;
    }
    const series *same = equal_before(f, which);
    bool is_axis = which + GRID_AXES >= f->kernel->n_series;
    if (same)
        add_fact(f, tr_arena_printf(f->arena, "%s == %s", s->name, same->name));
    else if (!is_axis || !add_cover(f, s))
        add_range(f, s);
}

static cJSON *launch_of(tr_arena *arena, seen_kernel *k)
{
    cJSON *launch = cJSON_CreateObject();
    cJSON_AddStringToObject(launch, "kernel", k->name);
    if (k->parameters)
        cJSON_AddItemToObject(launch, "parameters", cJSON_Duplicate(k->parameters, true));
    facts f = {arena, k, cJSON_AddArrayToObject(launch, "observed")};
    find_series(arena, k);
    for (size_t i = 0; i < k->n_series; i++)
        add_facts(&f, i);
    return launch;
}

const char *recording_merge(tr_arena *arena, const recorded_folder *folder)
{
    merging m = {.arena = arena};
    cJSON **roots = TR_NEW_ARRAY(arena, cJSON *, folder->n + 1);
    for (size_t i = 0; i < folder->n; i++) {
        roots[i] = folder->modules[i].launches ? cJSON_Parse(folder->modules[i].launches) : NULL;
        add_launches(&m, &folder->modules[i], roots[i]);
    }
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 2);
    cJSON *launches = cJSON_AddArrayToObject(root, "launches");
    for (size_t i = 0; i < m.n; i++)
        cJSON_AddItemToArray(launches, launch_of(arena, &m.kernels[i]));
    char *printed = json_printed(root, JSON_LINES);
    const char *text = m.n > 0 ? tr_arena_printf(arena, "%s\n", printed) : NULL;
    cJSON_free(printed);
    cJSON_Delete(root);
    for (size_t i = 0; i < folder->n; i++)
        cJSON_Delete(roots[i]);
    return text;
}

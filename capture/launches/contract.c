/* A launch that was seen, as a contract of version 2 that states it and no other. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launches/seen.h"

enum {
    MOST_ELEMENTS = 1 << 20, /* that a contract states of one buffer */
    MOST_IN_TEXT = 64,       /* where there are files for more */
};

typedef struct pointer_range { /* of a parameter that is a pointer */
    size_t argument;
    uint64_t from, to; /* addresses; `to` UINT64_MAX: unknown */
    bool known;
    size_t group; /* parameter with the lowest address of those that it shares bytes with */
    uint64_t start;
} pointer_range;

typedef struct stating {
    tr_arena *arena;
    const seen_launch *launch;
    const tilerace_kernel *kernel;
    const seen_names *names;
    size_t n_ranges;
    pointer_range *ranges;    /* by address */
    const pointer_range **of; /* per parameter; NULL: no pointer */
    const seen_files *files;  /* or NULL */
    bool failed;
} stating;

/* ---- Section: Which pointers share a buffer ---- */

static int by_address(const void *a, const void *b)
{
    const pointer_range *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->argument < y->argument ? -1 : 1;
}

static pointer_range range_of(const stating *s, size_t argument, uint64_t address)
{
    uint64_t bytes;
    pointer_range range = {.argument = argument, .from = address, .to = UINT64_MAX};
    range.known = seen_bytes(s->launch, s->kernel, s->names, argument, &bytes) &&
                  bytes <= UINT64_MAX - address;
    if (range.known)
        range.to = address + bytes;
    return range;
}

static void find_ranges(stating *s, const tilerace_launch *launch)
{
    for (size_t i = 0; i < launch->n_arguments; i++)
        if (s->kernel->parameters[i]->kind == TILERACE_POINTER)
            s->ranges[s->n_ranges++] = range_of(s, i, launch->arguments[i]->address);
    qsort(s->ranges, s->n_ranges, sizeof *s->ranges, by_address);
    uint64_t end = 0; /* of the bytes of the group so far */
    for (size_t i = 0; i < s->n_ranges; i++) {
        pointer_range *range = &s->ranges[i];
        bool joins = i > 0 && range->from < end;
        range->group = joins ? s->ranges[i - 1].group : range->argument;
        range->start = joins ? s->ranges[i - 1].start : range->from;
        end = joins && end > range->to ? end : range->to;
        s->of[range->argument] = range;
    }
}

static bool shares(const stating *s, const pointer_range *range)
{
    for (size_t i = 0; i < s->n_ranges; i++)
        if (&s->ranges[i] != range && s->ranges[i].group == range->group)
            return true;
    return false;
}

/* ---- Section: Writing ---- */

/* JSON's numbers are doubles: a larger one is written as an expression. */
static cJSON *integer(int64_t value)
{
    if (value > -(1ll << 53) && value < 1ll << 53)
        return cJSON_CreateNumber((double)value);
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return cJSON_CreateString(text);
}

static void add_pointer(const stating *s, cJSON *arg, const pointer_range *range)
{
    const tilerace_parameter *p = s->kernel->parameters[range->argument];
    cJSON_AddStringToObject(arg, "buffer", s->kernel->parameters[range->group]->name);
    if (p->element_bytes == 0)
        return;
    if (range->known)
        cJSON_AddItemToObject(arg, "bytes", integer((int64_t)(range->to - range->from)));
    if (shares(s, range))
        cJSON_AddItemToObject(arg, "byte_offset", integer((int64_t)(range->from - range->start)));
}

/* Of 4 and 8 bytes; narrower floats have no one format. */
static void add_float(cJSON *arg, const seen_argument *a)
{
    double value;
    float narrow;
    if (a->bytes == sizeof narrow) {
        memcpy(&narrow, a->value, sizeof narrow);
        value = narrow;
    } else if (a->bytes == sizeof value) {
        memcpy(&value, a->value, sizeof value);
    } else {
        return;
    }
    if (isfinite(value))
        cJSON_AddNumberToObject(arg, "value", value);
    else
        cJSON_AddStringToObject(arg, "value", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void add_arguments(const stating *s, cJSON *out, const tilerace_launch *launch)
{
    cJSON *parameters = cJSON_AddArrayToObject(out, "parameters");
    cJSON *list = cJSON_AddArrayToObject(out, "args");
    for (size_t i = 0; i < launch->n_arguments; i++) {
        const tilerace_parameter *p = s->kernel->parameters[i];
        cJSON *arg = cJSON_CreateObject();
        cJSON_AddItemToArray(parameters, cJSON_CreateString(p->name));
        cJSON_AddItemToArray(list, arg);
        cJSON_AddStringToObject(arg, "name", p->name);
        if (p->kind == TILERACE_INTEGER)
            cJSON_AddItemToObject(arg, "value", integer(launch->arguments[i]->integer));
        else if (p->kind == TILERACE_FLOAT)
            add_float(arg, &s->launch->arguments[i]);
        else
            add_pointer(s, arg, s->of[i]);
    }
}

/* ---- Section: Contents ---- */

static int64_t element_at(const uint8_t *contents, size_t i, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned b = 0; b < bytes; b++)
        value |= (uint64_t)contents[i * bytes + b] << 8 * b;
    unsigned unused = 64 - 8 * bytes;
    return (int64_t)(value << unused) >> unused;
}

/* Elements of a buffer can be stated once, so where several pointers share one, those of the
 * pointer whose contents reach furthest are: what the others read lies among them, or stays open.
 */
static bool is_the_one(const stating *s, const pointer_range *range)
{
    const seen_argument *arguments = s->launch->arguments;
    uint64_t reach = arguments[range->argument].contents_bytes;
    for (size_t i = 0; i < s->n_ranges; i++) {
        const pointer_range *other = &s->ranges[i];
        uint64_t others = arguments[other->argument].contents_bytes;
        bool is_first = others > reach || (others == reach && other < range);
        if (other->group == range->group && arguments[other->argument].contents && is_first)
            return false;
    }
    return true;
}

static void add_values(stating *s, cJSON *out, const seen_argument *a, unsigned bytes)
{
    size_t n = a->contents_bytes / bytes;
    if (s->files && n > MOST_IN_TEXT) {
        const char *file = s->files->keep(s->files->user, s->arena, a->contents, n * bytes);
        s->failed |= !file;
        cJSON_AddStringToObject(out, "file", file ? file : "");
        return;
    }
    cJSON *values = cJSON_AddArrayToObject(out, "values");
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(values, integer(element_at(a->contents, i, bytes)));
}

static void add_contents(stating *s, cJSON *out)
{
    cJSON *list = NULL;
    for (size_t k = 0; k < s->n_ranges; k++) {
        const pointer_range *range = &s->ranges[k];
        const seen_argument *a = &s->launch->arguments[range->argument];
        const tilerace_parameter *p = s->kernel->parameters[range->argument];
        if (!a->contents || p->bits == 0 || p->element_bytes == 0 || p->element_bytes > 8 ||
            a->contents_bytes / p->element_bytes > MOST_ELEMENTS || !is_the_one(s, range))
            continue;
        cJSON *item = cJSON_CreateObject();
        list = list ? list : cJSON_AddArrayToObject(out, "contents");
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "buffer", s->kernel->parameters[range->group]->name);
        cJSON_AddStringToObject(item, "arg", p->name);
        add_values(s, item, a, p->element_bytes);
    }
}

/* A kernel before that writes and reads all that this one may touch. */
static void add_predecessor(const stating *s, cJSON *out)
{
    cJSON *before = cJSON_AddObjectToObject(out, "predecessor");
    cJSON *writes = cJSON_AddArrayToObject(before, "writes");
    for (size_t i = 0; i < s->kernel->n_parameters; i++)
        if (s->of[i] && s->of[i]->group == i)
            cJSON_AddItemToArray(writes, cJSON_CreateString(s->kernel->parameters[i]->name));
    cJSON_AddItemToObject(before, "reads", cJSON_Duplicate(writes, true));
}

/* ---- Section: The whole ---- */

static void add_source(cJSON *out, const seen_launch *launch, const char *program)
{
    if (!launch->file && !program)
        return;
    cJSON *source = cJSON_AddObjectToObject(out, "source");
    if (launch->file) {
        cJSON_AddStringToObject(source, "file", launch->file);
        cJSON_AddNumberToObject(source, "line", launch->line);
    }
    if (program)
        cJSON_AddStringToObject(source, "program", program);
}

const char *seen_as_contract(tr_arena *arena, const seen_launch *seen,
                             const tilerace_kernel *kernel, const seen_names *n,
                             const char *program, const seen_files *files)
{
    tilerace_launch launch = seen_as_launch(arena, seen, kernel, n);
    size_t count = launch.n_arguments;
    stating s = {.arena = arena, .launch = seen, .kernel = kernel, .names = n, .files = files};
    s.ranges = TR_NEW_ARRAY(arena, pointer_range, count + 1);
    s.of = TR_NEW_ARRAY(arena, const pointer_range *, count + 1);
    find_ranges(&s, &launch);

    cJSON *root = cJSON_CreateObject(), *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 2);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "launches"), out);
    cJSON_AddStringToObject(out, "kernel", seen->symbol);
    cJSON *grid = cJSON_AddArrayToObject(out, "grid");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(grid, integer(launch.grid[axis]));
    add_arguments(&s, out, &launch);
    add_contents(&s, out);
    if (seen->is_pdl)
        cJSON_AddTrueToObject(out, "pdl");
    if (seen->is_pdl && seen->after_any)
        add_predecessor(&s, out);
    add_source(out, seen, program);
    char *printed = cJSON_PrintUnformatted(root);
    const char *kept = tr_arena_strdup(arena, printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return s.failed ? NULL : kept;
}

/* A launch that was seen, as a contract of version 2 that states it and no other. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/print.h"
#include "launches/seen.h"

enum {
    MOST_ELEMENTS = 1 << 20, /* that a contract states of one buffer */
    MOST_IN_TEXT = 64,       /* where there are files for more */
};

enum { NO_ENTRY = -1, MOST_ENTRIES = 4096 };

typedef struct pointer_range { /* of a parameter that is a pointer, or an array of a list */
    size_t argument;
    int64_t entry;     /* of the list that the argument is; NO_ENTRY: the argument itself */
    uint64_t from, to; /* addresses; where the end is not known: as far as it is taken to reach */
    uint64_t address;  /* of its first element */
    bool known;
    size_t group; /* place of the first one of those that it shares bytes with */
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
    if (x->argument != y->argument)
        return x->argument < y->argument ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static pointer_range range_of(const stating *s, size_t argument, uint64_t address)
{
    uint64_t bytes;
    pointer_range range = {.argument = argument,
                           .entry = NO_ENTRY,
                           .from = address,
                           .to = UINT64_MAX,
                           .address = address};
    range.known = seen_bytes(s->launch, s->kernel, s->names, argument, &bytes) &&
                  bytes <= UINT64_MAX - address;
    if (range.known)
        range.to = address + bytes;
    return range;
}

/* The word of a row of the table that the argument is. */
static int64_t word_of(const stating *s, size_t argument, size_t row, size_t word)
{
    uint64_t value = 0;
    const uint8_t *at = s->launch->arguments[argument].contents +
                        row * seen_row_bytes(&s->names->parameters[argument]) + word * SEEN_WORD;
    for (unsigned b = 0; b < SEEN_WORD; b++)
        value |= (uint64_t)at[b] << 8 * b;
    return (int64_t)value;
}

/* The bytes between the ends of an array of a list; false: it reaches beyond the address space. */
static bool range_of_entry(const stating *s, size_t argument, size_t row, pointer_range *range)
{
    const seen_name *name = &s->names->parameters[argument];
    uint64_t address = (uint64_t)word_of(s, argument, row, 0);
    __extension__ typedef __int128 wide;
    wide from = (wide)address, to = from + name->element_bytes;
    bool is_empty = false;
    for (size_t d = 0; d < name->rank; d++) {
        int64_t extent = word_of(s, argument, row, 1 + d);
        int64_t stride = word_of(s, argument, row, 1 + name->rank + d);
        wide reach = ((wide)extent - 1) * stride;
        if (extent < 0 || reach > INT64_MAX / SEEN_WORD || reach < -(INT64_MAX / SEEN_WORD))
            return false;
        is_empty |= extent == 0;
        *(reach < 0 ? &from : &to) += reach * name->element_bytes;
    }
    if (is_empty)
        from = to = (wide)address;
    *range = (pointer_range){.argument = argument,
                             .entry = (int64_t)row,
                             .from = (uint64_t)from,
                             .to = (uint64_t)to,
                             .address = address,
                             .known = true};
    return from >= 0 && to <= (wide)UINT64_MAX;
}

/* Rows of a list of arrays whose table is at hand; false: it is none, or cannot be stated. */
static bool rows_of(const stating *s, size_t argument, size_t *rows)
{
    uint64_t n;
    const seen_argument *a = &s->launch->arguments[argument];
    if (!seen_rows(s->launch, s->kernel, s->names, argument, &n) || n > MOST_ENTRIES)
        return false;
    const seen_name *name = &s->names->parameters[argument];
    *rows = (size_t)n;
    if (!name->element_bytes || name->rank > 8 || (n > 0 && !a->contents) ||
        (n > 0 && a->contents_bytes < n * seen_row_bytes(name)))
        return false;
    pointer_range unused;
    for (size_t i = 0; i < *rows; i++)
        if (!range_of_entry(s, argument, i, &unused))
            return false;
    return true;
}

/* Compilers rely on how arrays are aligned, so where a list is stated a buffer begins at a multiple
 * of a number that is large enough for that. */
static void align_groups(stating *s)
{
    enum { ALIGNMENT = 256 };
    for (size_t i = 0; i < s->n_ranges; i++)
        if (s->ranges[i].entry != NO_ENTRY)
            for (size_t k = s->ranges[i].group;
                 k < s->n_ranges && s->ranges[k].group == s->ranges[i].group; k++)
                s->ranges[k].start =
                    s->ranges[s->ranges[k].group].from & ~(uint64_t)(ALIGNMENT - 1);
}

static void list_ranges(stating *s, const tilerace_launch *launch)
{
    size_t n = launch->n_arguments, rows;
    for (size_t i = 0; i < launch->n_arguments; i++)
        n += rows_of(s, i, &rows) ? rows : 0;
    s->ranges = TR_NEW_ARRAY(s->arena, pointer_range, n + 1);
    for (size_t i = 0; i < launch->n_arguments; i++) {
        if (s->kernel->parameters[i]->kind == TILERACE_POINTER)
            s->ranges[s->n_ranges++] = range_of(s, i, launch->arguments[i]->address);
        if (!rows_of(s, i, &rows))
            continue;
        for (size_t row = 0; row < rows; row++)
            range_of_entry(s, i, row, &s->ranges[s->n_ranges++]);
    }
    qsort(s->ranges, s->n_ranges, sizeof *s->ranges, by_address);
}

/* Ranges that share bytes are a group. One whose end is not known counts as an array of its own, as
 * those of front ends do: of its bytes only the first is known, and so it is in a group with those
 * that hold that one. It reaches to where the next group begins. */
static void group_ranges(stating *s)
{
    uint64_t end = 0; /* of the bytes of the group so far, as far as they are known */
    for (size_t i = 0; i < s->n_ranges; i++) {
        pointer_range *range = &s->ranges[i];
        bool joins = i > 0 && range->from < end;
        uint64_t to = range->known ? range->to : range->from + (range->from < UINT64_MAX);
        range->group = joins ? s->ranges[i - 1].group : i;
        range->start = joins ? s->ranges[i - 1].start : range->from;
        end = joins && end > to ? end : to;
    }
    uint64_t next = UINT64_MAX;
    for (size_t i = s->n_ranges; i-- > 0;) {
        pointer_range *range = &s->ranges[i];
        range->to = range->known ? range->to : next;
        next = range->group == i ? range->from : next;
    }
}

static void find_ranges(stating *s, const tilerace_launch *launch)
{
    list_ranges(s, launch);
    group_ranges(s);
    for (size_t i = 0; i < s->n_ranges; i++)
        if (s->ranges[i].entry == NO_ENTRY)
            s->of[s->ranges[i].argument] = &s->ranges[i];
    align_groups(s);
}

/* Returns the name of the buffer of the group: after its first pointer. */
static const char *buffer_of(const stating *s, const pointer_range *range)
{
    const pointer_range *first = &s->ranges[range->group];
    const char *name = s->kernel->parameters[first->argument]->name;
    if (first->entry == NO_ENTRY)
        return name;
    return tr_arena_printf(s->arena, "%s[%lld]", name, (long long)first->entry);
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
    cJSON_AddStringToObject(arg, "buffer", buffer_of(s, range));
    if (p->element_bytes == 0)
        return;
    if (range->known)
        cJSON_AddItemToObject(arg, "bytes", integer((int64_t)(range->to - range->from)));
    if (shares(s, range))
        cJSON_AddItemToObject(arg, "byte_offset", integer((int64_t)(range->from - range->start)));
}

static void add_words(const stating *s, cJSON *entry, const char *key, size_t argument, size_t row,
                      size_t from)
{
    cJSON *list = cJSON_AddArrayToObject(entry, key);
    for (size_t d = 0; d < s->names->parameters[argument].rank; d++)
        cJSON_AddItemToArray(list, integer(word_of(s, argument, row, from + d)));
}

static void add_table(const stating *s, cJSON *arg, size_t argument)
{
    size_t rows;
    if (!rows_of(s, argument, &rows))
        return;
    const pointer_range **of = TR_NEW_ARRAY(s->arena, const pointer_range *, rows + 1);
    for (size_t i = 0; i < s->n_ranges; i++)
        if (s->ranges[i].argument == argument && s->ranges[i].entry != NO_ENTRY)
            of[s->ranges[i].entry] = &s->ranges[i];
    cJSON *table = cJSON_AddArrayToObject(arg, "table");
    for (size_t i = 0; i < rows; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToArray(table, entry);
        if (of[i]->address) {
            cJSON_AddStringToObject(entry, "buffer", buffer_of(s, of[i]));
            cJSON_AddItemToObject(entry, "byte_offset",
                                  integer((int64_t)(of[i]->address - of[i]->start)));
        }
        add_words(s, entry, "extents", argument, i, 1);
        add_words(s, entry, "strides", argument, i, 1 + s->names->parameters[argument].rank);
    }
}

/* Adds a float of 4 or 8 bytes; narrower floats have no single format. */
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
        add_table(s, arg, i);
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
        if (other->entry != NO_ENTRY)
            continue;
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
        size_t rows;
        if (range->entry != NO_ENTRY || rows_of(s, range->argument, &rows) || !a->contents ||
            p->bits == 0 || p->element_bytes == 0 || p->element_bytes > 8 ||
            a->contents_bytes / p->element_bytes > MOST_ELEMENTS || !is_the_one(s, range))
            continue;
        cJSON *item = cJSON_CreateObject();
        list = list ? list : cJSON_AddArrayToObject(out, "contents");
        cJSON_AddItemToArray(list, item);
        cJSON_AddStringToObject(item, "buffer", buffer_of(s, range));
        cJSON_AddStringToObject(item, "arg", p->name);
        add_values(s, item, a, p->element_bytes);
    }
}

/* A kernel before that writes and reads all that this one may touch. */
static void add_any_predecessor(const stating *s, cJSON *out)
{
    cJSON *before = cJSON_AddObjectToObject(out, "predecessor");
    cJSON *writes = cJSON_AddArrayToObject(before, "writes");
    for (size_t i = 0; i < s->n_ranges; i++)
        if (s->ranges[i].group == i)
            cJSON_AddItemToArray(writes, cJSON_CreateString(buffer_of(s, &s->ranges[i])));
    cJSON_AddItemToObject(before, "reads", cJSON_Duplicate(writes, true));
}

/* Bytes of the buffer of a group that a launch before touches. */
static void add_touched(const stating *s, cJSON *list, size_t group, const seen_touched *t)
{
    uint64_t from = s->ranges[group].from, to = from, start = s->ranges[group].start;
    for (size_t i = group; i < s->n_ranges && s->ranges[i].group == group; i++)
        to = s->ranges[i].to > to ? s->ranges[i].to : to;
    from = t->from > from ? t->from : from;
    to = t->to < to ? t->to : to;
    if (from >= to)
        return;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "buffer", buffer_of(s, &s->ranges[group]));
    cJSON_AddItemToObject(item, "byte_offset", integer((int64_t)(from - start)));
    if (to != UINT64_MAX)
        cJSON_AddItemToObject(item, "bytes", integer((int64_t)(to - from)));
    if (t->by)
        cJSON_AddStringToObject(item, "by", t->by);
    if (t->is_bound)
        cJSON_AddTrueToObject(item, "bound");
    if (t->is_unwaited)
        cJSON_AddTrueToObject(item, "unwaited");
}

/* Adds what the preceding launches touch of this one's buffers; empty lists where that is
 * nothing. */
static void add_predecessor(const stating *s, cJSON *out)
{
    cJSON *before = cJSON_AddObjectToObject(out, "predecessor");
    cJSON *writes = cJSON_AddArrayToObject(before, "writes");
    cJSON *reads = cJSON_AddArrayToObject(before, "reads");
    for (size_t i = 0; i < s->launch->n_touched; i++)
        for (size_t group = 0; group < s->n_ranges; group++)
            if (s->ranges[group].group == group)
                add_touched(s, s->launch->touched[i].writes ? writes : reads, group,
                            &s->launch->touched[i]);
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
        add_any_predecessor(&s, out);
    else if (seen->is_pdl && seen->touched)
        add_predecessor(&s, out);
    add_source(out, seen, program);
    char *printed = json_printed(root, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(arena, printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return s.failed ? NULL : kept;
}

#include "launches/seen.h"

#include <string.h>

/* ---- Section: Reading ---- */

static char *read_text(tr_arena *arena, wire_reader *r)
{
    size_t length;
    const uint8_t *text = wire_read_bytes(r, &length);
    return tr_arena_strndup(arena, (const char *)text, length);
}

static seen_argument read_argument(wire_reader *r)
{
    seen_argument a = {0};
    a.value = wire_read_bytes(r, &a.bytes);
    a.allocation = wire_read_u64(r);
    a.allocation_bytes = wire_read_u64(r);
    a.readable = wire_read_u8(r) != 0;
    return a;
}

enum { LEAST_ARGUMENT = 4 + 8 + 8 + 1, LEAST_LAUNCH = 4 + 4 + 24 + 4 + 4 + 1 + 4 }; /* bytes */

static void read_launch(tr_arena *arena, wire_reader *r, seen_launch *launch)
{
    *launch = (seen_launch){.module = wire_read_u32(r)};
    launch->symbol = read_text(arena, r);
    for (int axis = 0; axis < 3; axis++)
        launch->grid[axis] = wire_read_u64(r);
    const char *file = read_text(arena, r);
    launch->line = wire_read_u32(r);
    launch->file = file[0] && launch->line ? file : NULL;
    uint8_t flags = wire_read_u8(r);
    launch->is_pdl = flags & WIRE_PDL;
    launch->is_unclear = flags & WIRE_UNCLEAR;
    launch->is_early = flags & WIRE_EARLY;
    launch->takes_finding = flags & WIRE_TAKES_FINDING;
    launch->stops = flags & WIRE_STOPS;
    launch->written_wholly = flags & WIRE_WRITTEN_WHOLLY;
    launch->n_arguments = wire_read_count(r, LEAST_ARGUMENT);
    launch->arguments = TR_NEW_ARRAY(arena, seen_argument, launch->n_arguments + 1);
    for (size_t i = 0; i < launch->n_arguments; i++)
        launch->arguments[i] = read_argument(r);
}

bool seen_read(tr_arena *arena, wire_reader *r, seen_launch *launch)
{
    read_launch(arena, r, launch);
    launch->before = wire_read_u8(r) == WIRE_BEFORE_TOLD ? WIRE_BEFORE_TOLD : WIRE_BEFORE_NOT_TOLD;
    launch->n_before = wire_read_count(r, LEAST_LAUNCH);
    launch->launches_before = TR_NEW_ARRAY(arena, seen_launch, launch->n_before + 1);
    for (size_t i = 0; i < launch->n_before; i++)
        read_launch(arena, r, &launch->launches_before[i]);
    return wire_read_all(r);
}

bool seen_read_contents(wire_reader *r, seen_launch *launch)
{
    for (uint32_t n = wire_read_count(r, 4 + 4); n > 0; n--) {
        uint32_t i = wire_read_u32(r);
        size_t length;
        const uint8_t *contents = wire_read_bytes(r, &length);
        if (r->failed || i >= launch->n_arguments)
            return false;
        launch->arguments[i].contents = contents;
        launch->arguments[i].contents_bytes = length;
    }
    return wire_read_all(r);
}

/* ---- Section: Values ---- */

static uint64_t raw_value(const seen_argument *a)
{
    uint64_t value = 0;
    for (size_t i = 0; i < a->bytes && i < 8; i++)
        value |= (uint64_t)a->value[i] << 8 * i;
    return value;
}

uint64_t seen_address(const seen_argument *pointer)
{
    return raw_value(pointer);
}

int64_t seen_integer(const seen_argument *a, unsigned bits)
{
    uint64_t value = raw_value(a);
    unsigned unused = bits && bits < 64 ? 64 - bits : 0;
    return (int64_t)(value << unused) >> unused;
}

bool seen_fits(const seen_launch *launch, const tilerace_kernel *kernel)
{
    if (launch->n_arguments != kernel->n_parameters)
        return false;
    for (size_t i = 0; i < launch->n_arguments; i++) {
        size_t bytes = launch->arguments[i].bytes;
        const tilerace_parameter *p = kernel->parameters[i];
        bool fits = p->kind == TILERACE_POINTER   ? bytes == 8
                    : p->kind == TILERACE_INTEGER ? bytes > 0 && bytes <= 8 && p->bits <= 8 * bytes
                                                  : bytes > 0;
        if (!fits)
            return false;
    }
    return true;
}

/* ---- Section: What a pointer stands for ---- */

/* Extent or stride of the array's dimension, where it is fixed or the launch passes it. */
static int64_t part_of(const seen_launch *launch, const tilerace_kernel *kernel,
                       const seen_names *n, size_t pointer, names_part part, size_t axis)
{
    const seen_name *p = &n->parameters[pointer];
    int64_t fixed = part == NAMES_EXTENT ? p->shape[axis] : p->strides[axis];
    for (size_t i = pointer + 1; i < n->n && n->parameters[i].array == pointer; i++)
        if (n->parameters[i].part == part && n->parameters[i].axis == axis)
            return seen_integer(&launch->arguments[i], kernel->parameters[i]->bits);
    return fixed;
}

/* Returns the span from the first element to behind the last one that the array's extents and
 * strides reach. */
static bool span_of_array(const seen_launch *launch, const tilerace_kernel *kernel,
                          const seen_names *n, size_t pointer, uint64_t *bytes)
{
    const seen_name *p = &n->parameters[pointer];
    unsigned __int128 elements = 1;
    unsigned size = kernel->parameters[pointer]->element_bytes;
    if (p->part != NAMES_POINTER || size == 0)
        return false;
    for (size_t d = 0; d < p->rank; d++) {
        int64_t extent = part_of(launch, kernel, n, pointer, NAMES_EXTENT, d);
        int64_t stride = part_of(launch, kernel, n, pointer, NAMES_STRIDE, d);
        if (extent < 0 || stride < 0)
            return false;
        if (extent == 0) {
            *bytes = 0;
            return true;
        }
        elements += (unsigned __int128)(extent - 1) * (uint64_t)stride;
        if (elements > (UINT64_MAX >> 8))
            return false;
    }
    *bytes = (uint64_t)elements * size;
    return true;
}

bool seen_rows(const seen_launch *launch, const tilerace_kernel *kernel, const seen_names *n,
               size_t argument, uint64_t *rows)
{
    size_t length = argument + 1;
    if (!n || length >= n->n || n->parameters[argument].part != NAMES_TABLE ||
        n->parameters[length].part != NAMES_LENGTH ||
        kernel->parameters[length]->kind != TILERACE_INTEGER)
        return false;
    int64_t value = seen_integer(&launch->arguments[length], kernel->parameters[length]->bits);
    *rows = value < 0 ? 0 : (uint64_t)value;
    return value <= INT32_MAX;
}

bool seen_bytes(const seen_launch *launch, const tilerace_kernel *kernel, const seen_names *n,
                size_t argument, uint64_t *bytes)
{
    const seen_argument *a = &launch->arguments[argument];
    uint64_t address = raw_value(a), end = a->allocation + a->allocation_bytes;
    if (n && span_of_array(launch, kernel, n, argument, bytes))
        return true;
    if (seen_rows(launch, kernel, n, argument, bytes)) {
        *bytes *= seen_row_bytes(&n->parameters[argument]);
        return true;
    }
    if (address == 0) {
        *bytes = 0;
        return true;
    }
    if (a->allocation == 0 || end < a->allocation || address < a->allocation || address > end)
        return false;
    *bytes = end - address;
    return true;
}

/* ---- Section: For the guard ---- */

tilerace_launch seen_as_launch(tr_arena *arena, const seen_launch *launch,
                               const tilerace_kernel *kernel, const seen_names *n)
{
    tilerace_argument *arguments = TR_NEW_ARRAY(arena, tilerace_argument, launch->n_arguments + 1);
    const tilerace_argument **list =
        TR_NEW_ARRAY(arena, const tilerace_argument *, launch->n_arguments + 1);
    for (size_t i = 0; i < launch->n_arguments; i++) {
        const seen_argument *a = &launch->arguments[i];
        const tilerace_parameter *p = kernel->parameters[i];
        list[i] = &arguments[i];
        if (p->kind == TILERACE_INTEGER)
            arguments[i].integer = seen_integer(a, p->bits);
        if (p->kind != TILERACE_POINTER)
            continue;
        arguments[i].address = raw_value(a);
        arguments[i].bytes_known = seen_bytes(launch, kernel, n, i, &arguments[i].bytes);
        arguments[i].contents = a->contents;
        arguments[i].contents_bytes = a->contents_bytes;
    }
    return (tilerace_launch){
        .grid = {(int64_t)launch->grid[0], (int64_t)launch->grid[1], (int64_t)launch->grid[2]},
        .n_arguments = launch->n_arguments,
        .arguments = list,
    };
}

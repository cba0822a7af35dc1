/* The elements of a buffer, stated one by one: in the file, or in a raw file beside it. */
#include "contract/launch_private.h"

#include "base/descriptors.h"
#include "base/ds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_VALUES = 1 << 20, MOST_RANK = 8 };

typedef struct layout { /* of the view that the values are of, in elements of the buffer */
    int64_t offset, extents[MOST_RANK], strides[MOST_RANK];
    size_t rank;
} layout;

/* ---- Section: the numbers ---- */

typedef struct numbers {
    int64_t *items; /* stb_ds array, read as signed */
    int bits;
    bool are_bools; /* a byte each, which is 0 or 1 */
} numbers;

/* A number of that width, signed or not; its signed reading. */
static bool as_element(const cJSON *item, const numbers *of, int64_t *out)
{
    int bits = of->bits;
    const char *text = cJSON_GetStringValue(item);
    if (!text && !launch_is_exact(item))
        return false;
    smt_int value = text ? 0 : (smt_int)item->valuedouble, half = (smt_int)1 << (bits - 1);
    if (text) { /* beyond 2^53 */
        char *end = NULL;
        errno = 0;
        value = *text == '-' ? (smt_int)strtoll(text, &end, 10) : (smt_int)strtoull(text, &end, 10);
        if (errno || end == text || *end)
            return false;
    }
    if (value < -half || value >= 2 * half || (of->are_bools && value != 0 && value != 1))
        return false;
    *out = (int64_t)(value >= half ? value - 2 * half : value);
    return true;
}

static void read_list(launch_builder *b, const cJSON *list, const char *where, numbers *out)
{
    const cJSON *item;
    int64_t value;
    cJSON_ArrayForEach(item, list)
    {
        if (!as_element(item, out, &value)) {
            launch_refuse(b, where, "element %zu is no integer of %d bits.", arrlenu(out->items),
                          out->are_bools ? 1 : out->bits);
            return;
        }
        arrput(out->items, value);
    }
}

/* A file beside the contract, by its name alone: a contract of a stranger names no other file. */
static int open_beside(launch_builder *b, const char *name, const char *where)
{
    const char *slash = b->file->path ? strrchr(b->file->path, '/') : NULL;
    int length = slash ? (int)(slash - b->file->path) + 1 : 0;
    if (!b->file->path || !*name || *name == '.' || strchr(name, '/')) {
        launch_refuse(b, where, "this must be the name of a file beside the contract.");
        return -1;
    }
    const char *path =
        tr_arena_printf(b->arena, "%.*s%s", length, b->file->path ? b->file->path : "", name);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        launch_refuse(b, where, "`%s` cannot be read: %s.", name, strerror(errno));
    return descriptor;
}

/* Reads the elements, little-endian and signed, from a file beside the contract: a regular file in
 * the same folder, of at most MOST_VALUES elements, and no link. */
static void read_raw(launch_builder *b, const char *name, const char *where, numbers *out)
{
    struct stat status;
    size_t width = (size_t)out->bits / 8;
    int descriptor = open_beside(b, name, where);
    if (descriptor < 0)
        return;
    unsigned char *bytes = NULL;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        launch_refuse(b, where, "`%s` is no file.", name);
    else if ((size_t)status.st_size % width)
        launch_refuse(b, where, "`%s` has %lld bytes, and an element %zu.", name,
                      (long long)status.st_size, width);
    else if ((size_t)status.st_size / width > MOST_VALUES)
        launch_refuse(b, where, "`%s` has more than 2^20 elements.", name);
    else if (bytes = tr_arena_alloc(b->arena, (size_t)status.st_size + 1),
             !tr_read_all(descriptor, bytes, (size_t)status.st_size, -1))
        launch_refuse(b, where, "`%s` cannot be read.", name);
    else
        for (size_t i = 0; i < (size_t)status.st_size / width; i++) {
            uint64_t bits = 0, sign = (uint64_t)1 << (out->bits - 1);
            for (size_t k = 0; k < width; k++)
                bits |= (uint64_t)bytes[i * width + k] << (8 * k);
            arrput(out->items, (int64_t)((bits ^ sign) - sign));
        }
    close(descriptor);
}

/* ---- Section: where they lie ---- */

static const launch_numbers places = {
    .least = -((int64_t)1 << 40),
    .most = (int64_t)1 << 40,
    .refusal = "a number must stand here, where elements are stated one by one.",
    .most_numbers = MOST_RANK,
    .too_many = "a view has at most %d dimensions.",
};

/* Reads the layout of a view. Without extents the view is one row of all values; without strides it
 * is dense. */
static bool read_layout(launch_builder *b, const cJSON *view, const char *where, size_t n,
                        layout *out)
{
    size_t n_strides = 0;
    int64_t count = 1;
    *out = (layout){.rank = 1, .extents = {(int64_t)n}, .strides = {1}};
    if (!view)
        return true;
    const cJSON *offset = launch_get(view, "offset"), *extents = launch_get(view, "extents"),
                *strides = launch_get(view, "strides");
    if (offset &&
        !launch_read_number(b, &places, offset, launch_path(b, where, "offset"), &out->offset))
        return false;
    if (extents && !launch_read_numbers(b, &places, extents, launch_path(b, where, "extents"),
                                        out->extents, &out->rank))
        return false;
    if (strides && !launch_read_numbers(b, &places, strides, launch_path(b, where, "strides"),
                                        out->strides, &n_strides))
        return false;
    for (size_t d = out->rank; d-- > 0;) {
        if (out->extents[d] < 0 ||
            __builtin_mul_overflow(count, out->extents[d] ? out->extents[d] : 1, &count)) {
            launch_refuse(b, launch_path(b, where, "extents"), "no view is that large.");
            return false;
        }
        if (!strides)
            out->strides[d] = count / (out->extents[d] ? out->extents[d] : 1);
    }
    for (size_t d = 0; d < out->rank; d++)
        count = out->extents[d] ? count : 0;
    if (strides && n_strides != out->rank)
        launch_refuse(b, launch_path(b, where, "strides"), "the view has %zu dimensions.",
                      out->rank);
    else if (count != (int64_t)n)
        launch_refuse(b, launch_path(b, where, "extents"),
                      "the view has %lld elements, and %zu are given.", (long long)count, n);
    else
        return true;
    return false;
}

/* The element of the buffer that value number i is. */
static int64_t element_of(const layout *view, size_t i)
{
    int64_t element = view->offset;
    for (size_t d = view->rank; d-- > 0;) {
        size_t extent = (size_t)view->extents[d];
        element += (int64_t)(i % extent) * view->strides[d];
        i /= extent;
    }
    return element;
}

/* The parameter that the values are counted from: the one that is named, the only one of that
 * buffer, or the last one that begins no later than they do. *start: where in the buffer, as the
 * view counts. */
static int owner_of(launch_builder *b, const char *buffer, const cJSON *view, int64_t first,
                    const char *where, int64_t *start)
{
    int found = -1, n = 0;
    *start = 0;
    if (b->has_contents_arg)
        return (int)b->contents_arg;
    for (size_t i = 0; i < b->c->n_args; i++)
        n += b->c->args[i].buffer && strcmp(b->c->args[i].buffer, buffer) == 0;
    for (size_t i = 0; i < b->c->n_args; i++) {
        const contract_arg *arg = &b->c->args[i];
        smt_int offset = 0;
        if (!arg->buffer || strcmp(arg->buffer, buffer) != 0)
            continue;
        bool known = arg->offset ? smt_is_const(arg->offset, &offset) : n == 1;
        if (!known || (view && offset > first) || (found >= 0 && offset < *start))
            continue;
        found = (int)i;
        *start = (int64_t)offset;
    }
    if (found >= 0 && !view && n > 1)
        launch_refuse(b, where,
                      "several arguments point into `%s`; say with `view` where in the "
                      "buffer the elements lie.",
                      buffer);
    else if (found < 0)
        launch_refuse(b, where,
                      "no pointer into `%s` begins at or before the view, at an offset "
                      "that is a number.",
                      buffer);
    else
        return found;
    return -1;
}

/* ---- Section: as facts ---- */

/* Turns the values of a view, which may be strided, into elements from the pointer on, of which
 * some may not be known. */
static bool place_values(launch_builder *b, const char *where, const layout *view, int64_t start,
                         const numbers *from, contract_values *out)
{
    int64_t end = 0;
    for (size_t i = 0; i < arrlenu(from->items); i++) {
        int64_t at = element_of(view, i) - start;
        if (at < 0 || at >= MOST_VALUES) {
            launch_refuse(b, where, "element %zu lies %s.", i,
                          at < 0 ? "before its pointer" : "more than 2^20 elements on");
            return false;
        }
        end = at >= end ? at + 1 : end;
    }
    int64_t *values = TR_NEW_ARRAY(b->arena, int64_t, (size_t)end + 1);
    bool *known = TR_NEW_ARRAY(b->arena, bool, (size_t)end + 1);
    for (size_t i = 0; i < arrlenu(from->items); i++) {
        int64_t at = element_of(view, i) - start;
        if (known[at] && values[at] != from->items[i]) {
            launch_refuse(b, where, "two values are given for one element of the view.");
            return false;
        }
        values[at] = from->items[i];
        known[at] = true;
    }
    bool all = true;
    for (int64_t i = 0; i < end; i++)
        all = all && known[i];
    *out = (contract_values){(size_t)end, values, all ? NULL : known};
    return true;
}

static bool says_more(const cJSON *contents)
{
    static const char *const facts[] = {"unique", "unique_with",   "increasing", "min",
                                        "max",    "prefix_sum_of", "regions"};
    for (size_t i = 0; i < TR_COUNT(facts); i++)
        if (launch_get(contents, facts[i]))
            return true;
    return false;
}

static bool holds_integers(const launch_param *param)
{
    const char *type = param->element_type;
    return param->element == LAUNCH_ELEMENT_INTEGER && param->element_bytes >= 1 &&
           param->element_bytes <= 8 && type && strcmp(type, "i4") != 0;
}

static bool points_into(const launch_builder *b, size_t i, const char *buffer)
{
    return b->c->args[i].buffer && strcmp(b->c->args[i].buffer, buffer) == 0;
}

/* The parameter that says how wide the elements are: the one that is named, or the first that
 * points into the buffer, which all others have to agree with. n_args: there is none. */
static size_t example_of(launch_builder *b, const char *buffer, const char *where)
{
    size_t first = b->has_contents_arg ? b->contents_arg : 0;
    while (first < b->c->n_args && !points_into(b, first, buffer))
        first++;
    for (size_t i = first; i < b->c->n_args && !b->has_contents_arg; i++)
        if (points_into(b, i, buffer) &&
            (b->kernel->params[i].element != b->kernel->params[first].element ||
             b->kernel->params[i].element_bytes != b->kernel->params[first].element_bytes)) {
            launch_refuse(b, where,
                          "pointers to several types point into `%s`; name one of them by `arg`.",
                          buffer);
            return b->c->n_args;
        }
    return first;
}

bool launch_read_values(launch_builder *b, const cJSON *contents, const char *where)
{
    const cJSON *list = launch_get(contents, "values"), *raw = launch_get(contents, "file"),
                *view = launch_get(contents, "view");
    const char *buffer = launch_get(contents, "buffer")->valuestring;
    if (!list && !raw)
        return false;
    const char *at = launch_path(b, where, list ? "values" : "file");
    size_t first = example_of(b, buffer, at);
    if (b->failed)
        return true;
    if (list && raw)
        launch_refuse(b, where, "give `values` or `file`, not both.");
    else if (first == b->c->n_args)
        launch_refuse(b, launch_path(b, where, "buffer"), "no argument's buffer is called `%s`.",
                      buffer);
    else if (says_more(contents))
        launch_refuse(b, where, "the elements say all; no other fact stands beside them.");
    else if (!holds_integers(&b->kernel->params[first]))
        launch_refuse(b, at, "`%s` holds no integers of 8 to 64 bits, and no bools.", buffer);
    if (b->failed)
        return true;
    const launch_param *param = &b->kernel->params[first];
    numbers from = {.bits = 8 * param->element_bytes,
                    .are_bools = strcmp(param->element_type, "i1") == 0};
    if (list)
        read_list(b, list, at, &from);
    else
        read_raw(b, raw->valuestring, at, &from);
    layout placed;
    int64_t start = 0;
    const char *of_view = launch_path(b, where, "view");
    contract_values *values = TR_NEW(b->arena, contract_values);
    int owner = -1;
    if (!b->failed && read_layout(b, view, of_view, arrlenu(from.items), &placed))
        owner = owner_of(b, buffer, view, placed.offset, view ? of_view : at, &start);
    if (owner >= 0 && b->values[owner])
        launch_refuse(b, at, "the elements are stated already.");
    else if (owner >= 0 && !view)
        placed.offset = start; /* counted from the pointer */
    if (owner >= 0 && !b->failed && place_values(b, at, &placed, start, &from, values))
        b->values[owner] = values;
    arrfree(from.items);
    return true;
}

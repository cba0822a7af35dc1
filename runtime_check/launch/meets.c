/* Does a launch meet everything that a contract states? Whoever made the launch was meant to see to
 * it; a witness is shown only after it was looked at again, fact by fact. */
#include "launch/meets.h"

#include "launch/private.h"

#include <string.h>

typedef struct seen_value {
    int64_t key;
    bool value;
} seen_value;

typedef struct contents { /* of the buffer of one argument, from the argument on */
    binding *b;
    const interp_buffer *buffer;
    int64_t base; /* of the argument, in elements */
    int64_t n;    /* elements that the facts are about and whose contents are known */
    int64_t *far; /* stb_ds array: indices of those that are given behind them, ascending */
    size_t width;
} contents;

/* If there are more elements than a witness has, they are not looked at one by one where that means
 * evaluating terms.
 */
enum { MAX_ELEMENTS = 1 << 15, MAX_TUPLES = 2048 };

/* 0 where none is given. */
static int64_t element_at(const contents *c, int64_t i)
{
    int64_t width = (int64_t)c->width, value;
    concrete_number_at(c->buffer, (c->base + i) * width, width, &value);
    return value;
}

static int64_t count(const contents *c)
{
    return c->n + (int64_t)arrlen(c->far);
}

/* The index of known element number `which`: first those that lie side by side. */
static int64_t index_of(const contents *c, int64_t which)
{
    return which < c->n ? which : c->far[which - c->n];
}

/* Returns the element's bits as an unsigned number; 64-bit elements stay as they are. */
static int64_t unsigned_at(const contents *c, int64_t i)
{
    int64_t value = element_at(c, i);
    return value < 0 && c->width < 8 ? value + ((int64_t)1 << (8 * c->width)) : value;
}

/* The term at element i; false where it has no value. */
static bool value_at(const contents *c, smt_t term, int64_t i, int64_t *value)
{
    c->b->has_element = true;
    c->b->index_now = i;
    c->b->value_now = element_at(c, i);
    bool known = binding_eval(c->b, term, value);
    c->b->has_element = false;
    return known;
}

static bool bounds_hold(const contents *c, const contract_contents *facts)
{
    if (!facts->min && !facts->max)
        return true;
    bool is_unsigned = contract_contents_are_unsigned(facts, (int)(8 * c->width));
    for (int64_t at = 0; at < count(c); at++) {
        int64_t i = index_of(c, at);
        if (at >= MAX_ELEMENTS && at < c->n)
            continue;
        int64_t bound, element = is_unsigned ? unsigned_at(c, i) : element_at(c, i);
        if (facts->min && value_at(c, facts->min, i, &bound) && element < bound)
            return false;
        if (facts->max && value_at(c, facts->max, i, &bound) && element > bound)
            return false;
    }
    return true;
}

/* Elements that the contract states one by one. */
static bool values_hold(const contents *c, const contract_contents *facts)
{
    int64_t stated;
    for (int64_t at = 0; facts->values && at < count(c); at++) {
        int64_t i = index_of(c, at);
        if (contract_values_at(facts->values, i, &stated) && element_at(c, i) != stated)
            return false;
    }
    return true;
}

static bool order_holds(const contents *c, const contract_contents *facts)
{
    bool is_unsigned = contract_contents_are_unsigned(facts, (int)(8 * c->width));
    for (int64_t at = 1; facts->increasing && at < count(c); at++) {
        int64_t i = index_of(c, at), before = index_of(c, at - 1);
        if (is_unsigned ? unsigned_at(c, i) < unsigned_at(c, before)
                        : element_at(c, i) < element_at(c, before))
            return false;
    }
    return true;
}

static bool differ(const contents *c, const contract_contents *facts)
{
    seen_value *seen = NULL;
    bool distinct = true;
    int64_t when;
    if (!facts->unique && !facts->unique_when)
        return true;
    for (int64_t at = 0; at < count(c) && distinct; at++) {
        int64_t i = index_of(c, at);
        if (facts->unique_when && ((at >= MAX_ELEMENTS && at < c->n) ||
                                   !value_at(c, facts->unique_when, i, &when) || !when))
            continue;
        int64_t value = element_at(c, i);
        distinct = hmgeti(seen, value) < 0;
        hmput(seen, value, true);
    }
    hmfree(seen);
    return distinct;
}

/* Elements whose contents lie side by side from the buffer's start; where none are given all are 0,
 * and more than are looked at need not be counted. */
static int64_t elements_of(const interp_buffer *buffer, int64_t width)
{
    int64_t bytes = buffer->data_bytes ? buffer->data_bytes : buffer->bytes;
    if (!buffer->data && bytes / width > MAX_ELEMENTS)
        return MAX_ELEMENTS;
    return bytes / width;
}

/* Collects the elements that a witness fixes behind those that lie side by side. */
static void collect_far(contents *c, int64_t end)
{
    for (size_t p = 0; p < c->buffer->n_pokes; p++) {
        int64_t i = c->buffer->pokes[p].address / (int64_t)c->width - c->base;
        size_t at = 0;
        while (at < arrlenu(c->far) && c->far[at] < i)
            at++;
        if (i >= c->n && i >= 0 && i < end && (at == arrlenu(c->far) || c->far[at] != i))
            arrins(c->far, at, i);
    }
}

/* The elements of the argument's buffer that have contents; none where they are not known. Its
 * `far` is the caller's to free. */
static contents contents_of(binding *b, const ir_function *kernel, const concrete_launch *launch,
                            size_t i)
{
    contents c = {.b = b};
    const ir_type *type = kernel->body->args[i]->type;
    if (launch->args[i].buffer < 0 || type->kind != IR_TILE || type->elem->kind != IR_POINTER ||
        !ir_type_is_int(type->elem->elem))
        return c;
    c.buffer = &launch->buffers[launch->args[i].buffer];
    c.width = (size_t)ir_type_bytes(type->elem->elem);
    c.base = launch->args[i].value / (int64_t)c.width;
    if (c.buffer->opaque || c.width == 0 || c.width > 8 || c.base < 0)
        return c;
    int64_t stated = INT64_MAX;
    if (b->contract->args[i].elements && !binding_eval(b, b->contract->args[i].elements, &stated))
        stated = INT64_MAX;
    c.n = elements_of(c.buffer, (int64_t)c.width) - c.base;
    c.n = stated < c.n ? stated : c.n;
    c.n = c.n > 0 ? c.n : 0;
    collect_far(&c, stated);
    return c;
}

/* Each element of the first is the sum of those before it of the second. */
static bool sums_up(const contents *sum, bool sums_unsigned, const contents *of, bool of_unsigned)
{
    uint64_t total = 0;
    for (int64_t i = 0; i < sum->n && i <= of->n; i++) {
        if ((sums_unsigned ? unsigned_at(sum, i) : element_at(sum, i)) != (int64_t)total)
            return false;
        if (i < of->n)
            total += (uint64_t)(of_unsigned ? unsigned_at(of, i) : element_at(of, i));
    }
    return true;
}

/* The first buffer holds the sums of the second, of the numbers that the facts mean; where they do
 * not tell the sign, in one of the two readings. */
static bool is_prefix_sum(const contents *sum, const contract_contents *of_sum, const contents *of,
                          const contract_contents *of_it)
{
    int sum_bits = (int)(8 * sum->width), bits = (int)(8 * of->width);
    for (int sign = 0; sign < 2; sign++) {
        bool sums_unsigned = contract_contents_are_unsigned(of_sum, sum_bits) ||
                             (sign && contract_contents_tell_no_sign(of_sum, sum_bits));
        bool of_unsigned = contract_contents_are_unsigned(of_it, bits) ||
                           (sign && contract_contents_tell_no_sign(of_it, bits));
        if (sums_up(sum, sums_unsigned, of, of_unsigned))
            return true;
    }
    return false;
}

typedef struct same_first {
    int64_t key, value; /* a number, and the last element so far that holds it */
} same_first;

static bool tuples_differ(binding *b, const ir_function *kernel, const concrete_launch *launch,
                          const contents *first, const contract_contents *facts)
{
    int64_t n = first->n < MAX_TUPLES ? first->n : MAX_TUPLES;
    contents *others = NULL;
    for (size_t t = 0; t < facts->n_tuple; t++) {
        contents other = contents_of(b, kernel, launch, (size_t)facts->tuple[t]);
        n = other.n < n ? other.n : n;
        arrfree(other.far);
        arrput(others, other);
    }
    bool differ = true;
    same_first *last = NULL;
    int64_t *before = NULL; /* the last element in front of it of the same first number; or -1 */
    for (int64_t i = 0; i < n && differ; i++) {
        int64_t number = element_at(first, i);
        ptrdiff_t at = hmgeti(last, number);
        arrput(before, at < 0 ? -1 : last[at].value);
        for (int64_t j = before[i]; j >= 0 && differ; j = before[j]) {
            bool same = true;
            for (size_t t = 0; t < arrlenu(others) && same; t++)
                same = element_at(&others[t], i) == element_at(&others[t], j);
            differ = !same;
        }
        hmput(last, number, i);
    }
    hmfree(last);
    arrfree(before);
    arrfree(others);
    return differ;
}

static bool contents_meet(binding *b, const ir_function *kernel, const concrete_launch *launch,
                          const contents *c, const contract_contents *facts, const char **why)
{
    *why = "an element lies outside the range that the contract states";
    if (!bounds_hold(c, facts))
        return false;
    *why = "an element is another than the contract states";
    if (!values_hold(c, facts))
        return false;
    *why = "elements decrease that the contract states to be increasing";
    if (!order_holds(c, facts))
        return false;
    *why = "two elements are equal that the contract states to be unique";
    if (!differ(c, facts))
        return false;
    *why = "two tuples are equal that the contract states to be unique";
    if (facts->n_tuple && !tuples_differ(b, kernel, launch, c, facts))
        return false;
    *why = "a buffer is not the prefix sum that the contract states";
    if (facts->prefix_sum_of < 0)
        return true;
    contents of = contents_of(b, kernel, launch, (size_t)facts->prefix_sum_of);
    const contract_contents *lengths = &b->contract->args[facts->prefix_sum_of].contents;
    bool is_sum = is_prefix_sum(c, facts, &of, lengths);
    arrfree(of.far);
    return is_sum;
}

static bool argument_meets(binding *b, const ir_function *kernel, const concrete_launch *launch,
                           size_t i, const char **why)
{
    contents c = contents_of(b, kernel, launch, i);
    bool meets =
        count(&c) == 0 || contents_meet(b, kernel, launch, &c, &b->contract->args[i].contents, why);
    arrfree(c.far);
    return meets;
}

bool concrete_launch_meets(smt_ctx *ctx, const ir_function *kernel, const contract *c,
                           const concrete_launch *launch, const char **why)
{
    tr_arena *arena = tr_arena_new();
    int64_t *scalars = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1), grid[3];
    for (size_t i = 0; i < c->n_args; i++)
        scalars[i] = launch->args[i].value;
    memcpy(grid, launch->grid, sizeof grid);
    *why = "a fact of the contract does not hold";
    bool meets = concrete_launch_holds(ctx, c, scalars, grid) &&
                 memcmp(grid, launch->grid, sizeof grid) == 0;
    binding b = binding_make(arena, ctx, c, scalars);
    memcpy(b.grid_values, launch->grid, sizeof b.grid_values);
    for (size_t i = 0; i < c->n_args && i < kernel->body->n_args && meets; i++)
        meets = argument_meets(&b, kernel, launch, i, why);
    tr_arena_free(arena);
    return meets;
}

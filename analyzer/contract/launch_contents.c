/* Facts on what buffers hold at launch. */
#include "contract/launch_private.h"

#include <string.h>

/* Need the buffer not begin at this pointer, as far as indices into its contents tell? */
static bool may_begin_before(const launch_builder *b, size_t i)
{
    if (b->has_contents_arg && i == b->contents_arg)
        return false; /* they are counted from it */
    return contract_is_shared(b->c, &b->c->args[i]) || b->c->args[i].offset != NULL;
}

static bool mentions_index(const launch_builder *b, smt_t term)
{
    return term && smt_contains(term, contract_index(b->ctx));
}

static void read_contents_bound(launch_builder *b, size_t i, const cJSON *contents, const char *key,
                                const char *where, smt_t *bound,
                                smt_t (*narrower)(smt_ctx *ctx, smt_t a, smt_t b_))
{
    const cJSON *item = launch_get(contents, key);
    smt_t term = item ? launch_expression(b, item, launch_path(b, where, key), false, true) : NULL;
    if (!term)
        return;
    if (mentions_index(b, term) && may_begin_before(b, i))
        launch_refuse(b, launch_path(b, where, key),
                      "`index` has no meaning: the pointer need not be the "
                      "start of its buffer.");
    *bound = *bound ? narrower(b->ctx, *bound, term) : term;
}

/* The lowest and highest integer that an element can be, signed or not. */
static void element_range(const launch_param *param, smt_int *low, smt_int *high)
{
    int bits =
        param->element_bytes > 0 && param->element_bytes <= 8 ? 8 * param->element_bytes : 64;
    *low = -((smt_int)1 << (bits - 1));
    *high = ((smt_int)1 << bits) - 1;
}

/* Bounds that leave no integer, as far as constants tell. */
static void check_contents_bounds(launch_builder *b, size_t i, const char *where,
                                  const contract_contents *facts)
{
    smt_int low, high, min, max;
    bool has_min = facts->min && smt_is_const(facts->min, &min);
    bool has_max = facts->max && smt_is_const(facts->max, &max);
    element_range(&b->kernel->params[i], &low, &high);
    if (has_min && min > high)
        launch_refuse(b, launch_path(b, where, "min"), "no element of `%s` is that large.",
                      b->c->args[i].name);
    else if (has_max && max < low)
        launch_refuse(b, launch_path(b, where, "max"), "no element of `%s` is that small.",
                      b->c->args[i].name);
    else if (has_min && has_max && min > max)
        launch_refuse(b, launch_path(b, where, "max"),
                      "this is below `min`: no element meets both.");
}

static void read_unique(launch_builder *b, const cJSON *contents, const char *where,
                        contract_contents *facts)
{
    const cJSON *unique = launch_get(contents, "unique");
    smt_t when = NULL;
    if (!unique || cJSON_IsFalse(unique))
        return;
    if (cJSON_IsString(unique)) {
        when = launch_expression(b, unique, launch_path(b, where, "unique"), true, true);
        if (!when)
            return;
        if (smt_is_true(when))
            when = NULL;
    }
    /* If there are two statements, the one about more elements implies the other. */
    smt_t stated = facts->unique ? facts->unique_when : NULL;
    smt_t either = stated && when ? smt_or(b->ctx, stated, when) : NULL;
    if (either && either != stated && either != when)
        launch_refuse(b, launch_path(b, where, "unique"),
                      "the contract already says among which elements they are unique.");
    else if (!facts->unique || !when || either == when)
        facts->unique_when = when;
    facts->unique = true;
}

/* The first argument of that buffer, which begins there; -1, and an error: there is none. */
static int buffer_named(launch_builder *b, const char *name, const char *path)
{
    for (size_t k = 0; k < b->c->n_args; k++) {
        if (!b->c->args[k].buffer || strcmp(b->c->args[k].buffer, name))
            continue;
        if (may_begin_before(b, k)) {
            launch_refuse(b, path, "a pointer into `%s` need not be its start.", name);
            return -1;
        }
        if (b->kernel->params[k].element == LAUNCH_ELEMENT_FLOAT) {
            launch_refuse(b, path, "`%s` holds floats; contents are stated of integers.", name);
            return -1;
        }
        return (int)k;
    }
    launch_refuse(b, path, "no argument's buffer is called `%s`.", name);
    return -1;
}

/* True where the statement is about tuples, and not about the one buffer. */
static bool read_tuple(launch_builder *b, size_t i, const cJSON *contents, const char *where,
                       contract_contents *facts)
{
    const cJSON *with = launch_get(contents, "unique_with"), *name;
    const char *path = launch_path(b, where, "unique_with");
    if (!with)
        return false;
    int *tuple = TR_NEW_ARRAY(b->arena, int, (size_t)cJSON_GetArraySize(with) + 1);
    size_t n = 0;
    if (!cJSON_IsTrue(launch_get(contents, "unique")))
        launch_refuse(b, path, "this needs `\"unique\": true` beside it.");
    else if (facts->n_tuple)
        launch_refuse(b, path, "tuples with this buffer are stated already.");
    else if (may_begin_before(b, i))
        launch_refuse(b, path, "a pointer into `%s` need not be its start.", b->c->args[i].buffer);
    else
        cJSON_ArrayForEach(name, with)
        {
            int found = cJSON_IsString(name) ? buffer_named(b, name->valuestring, path) : -1;
            if (!cJSON_IsString(name))
                launch_refuse(b, path, "names of buffers stand here.");
            if (found >= 0 && found != (int)i)
                tuple[n++] = found;
        }
    facts->n_tuple = n;
    facts->tuple = tuple;
    return true;
}

/* Of which other buffer this one holds the prefix sums. Both must begin where their pointers do,
 * since a sum is over all elements from the start. */
static void read_prefix_sum(launch_builder *b, size_t i, const cJSON *contents, const char *where,
                            contract_contents *facts)
{
    const cJSON *of = launch_get(contents, "prefix_sum_of");
    int found = -1, count = 0;
    if (!of)
        return;
    for (size_t k = 0; k < b->c->n_args; k++)
        if (b->c->args[k].buffer && !strcmp(b->c->args[k].buffer, of->valuestring)) {
            found = (int)k;
            count++;
        }
    if (count == 0)
        launch_refuse(b, launch_path(b, where, "prefix_sum_of"),
                      "no argument's buffer is called `%s`.", of->valuestring);
    else if (count > 1 || may_begin_before(b, (size_t)found))
        launch_refuse(b, launch_path(b, where, "prefix_sum_of"),
                      "a pointer into `%s` need not be its start.", of->valuestring);
    else if (may_begin_before(b, i))
        launch_refuse(b, launch_path(b, where, "prefix_sum_of"),
                      "a pointer into `%s` need not be its start.", b->c->args[i].buffer);
    else if (b->kernel->params[found].element > LAUNCH_ELEMENT_INTEGER ||
             b->kernel->params[i].element > LAUNCH_ELEMENT_INTEGER)
        launch_refuse(b, launch_path(b, where, "prefix_sum_of"),
                      "sums are stated of integers, and `%s` holds none.",
                      b->kernel->params[found].element > LAUNCH_ELEMENT_INTEGER
                          ? of->valuestring
                          : b->c->args[i].buffer);
    else if (found == (int)i || (facts->prefix_sum_of >= 0 && facts->prefix_sum_of != found))
        launch_refuse(b, launch_path(b, where, "prefix_sum_of"), "%s.",
                      found == (int)i ? "a buffer is not its own prefix sum"
                                      : "this contradicts what is stated already");
    else
        facts->prefix_sum_of = found;
}

static void read_regions(launch_builder *b, size_t i, const cJSON *contents, const char *where,
                         contract_contents *facts)
{
    const cJSON *item = launch_get(contents, "regions");
    smt_t bytes =
        item ? launch_expression(b, item, launch_path(b, where, "regions"), false, true) : NULL;
    if (!bytes)
        return;
    const launch_param *param = &b->kernel->params[i];
    smt_int size;
    if (param->element == LAUNCH_ELEMENT_INTEGER && param->element_bytes != 8)
        launch_refuse(b, launch_path(b, where, "regions"),
                      "`%s` holds no pointers: its elements have %d bits.", b->c->args[i].name,
                      8 * param->element_bytes);
    else if (smt_is_const(bytes, &size) && size < 1)
        launch_refuse(b, launch_path(b, where, "regions"), "a region has at least one byte.");
    else if (facts->regions && facts->regions != bytes)
        launch_refuse(b, launch_path(b, where, "regions"),
                      "this contradicts what is stated already.");
    else
        facts->regions = bytes;
}

static void read_contents_of(launch_builder *b, size_t i, const cJSON *contents, const char *where)
{
    contract_contents *facts = &b->c->args[i].contents;
    if (b->kernel->params[i].element == LAUNCH_ELEMENT_FLOAT) {
        launch_refuse(b, launch_path(b, where, "buffer"),
                      "`%s` holds floats; contents are stated of integers "
                      "and pointers.",
                      b->c->args[i].name);
        return;
    }
    if (!read_tuple(b, i, contents, where, facts))
        read_unique(b, contents, where, facts);
    facts->increasing |= cJSON_IsTrue(launch_get(contents, "increasing"));
    read_contents_bound(b, i, contents, "min", where, &facts->min, smt_max);
    read_contents_bound(b, i, contents, "max", where, &facts->max, smt_min);
    check_contents_bounds(b, i, where, facts);
    read_prefix_sum(b, i, contents, where, facts);
    read_regions(b, i, contents, where, facts);
}

/* The argument that the object names. False: it names none, or, with an error, a wrong one. */
static bool read_contents_arg(launch_builder *b, const cJSON *contents, const char *where)
{
    const cJSON *named = launch_get(contents, "arg");
    const char *buffer = launch_get(contents, "buffer")->valuestring;
    for (size_t i = 0; named && i < b->c->n_args; i++) {
        const contract_arg *arg = &b->c->args[i];
        if (!arg->buffer || strcmp(arg->buffer, buffer) != 0 ||
            strcmp(arg->name, named->valuestring) != 0)
            continue;
        b->contents_arg = i;
        return true;
    }
    if (named)
        launch_refuse(b, launch_path(b, where, "arg"), "no argument `%s` points into `%s`.",
                      named->valuestring, buffer);
    return false;
}

/* A fact on a buffer's contents holds for what each of its pointers addresses, or the one that is
 * named. */
void launch_read_contents(launch_builder *b)
{
    const cJSON *contents;
    size_t number = 0;
    cJSON_ArrayForEach(contents, launch_get(b->launch, "contents"))
    {
        const char *where = tr_arena_printf(b->arena, "%s.contents[%zu]", b->where, number++);
        const char *name = launch_get(contents, "buffer")->valuestring;
        bool found = false;
        b->has_contents_arg = read_contents_arg(b, contents, where);
        if (b->failed || launch_read_values(b, contents, where))
            continue;
        if (launch_get(contents, "view"))
            launch_refuse(b, launch_path(b, where, "view"),
                          "of a view the elements are stated one by one, in `values` or `file`.");
        for (size_t i = 0; i < b->c->n_args; i++) {
            if (!b->c->args[i].buffer || strcmp(b->c->args[i].buffer, name) ||
                (b->has_contents_arg && i != b->contents_arg))
                continue;
            read_contents_of(b, i, contents, where);
            found = true;
        }
        if (!found)
            launch_refuse(b, launch_path(b, where, "buffer"),
                          "no argument's buffer is called `%s`.", name);
    }
    launch_derive_facts(b);
}

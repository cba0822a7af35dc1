/* One launch of a file, read against a kernel's parameters: a contract. */
#include "contract/expression.h"
#include "contract/launch_private.h"
#include "contract/ranges.h"

#include "base/ds.h"

typedef struct builder {
    smt_ctx *ctx;
    tr_arena *arena;
    const launch_file *file;
    const launch_kernel *kernel;
    contract *c;
    tr_errors *errors;
    const char *where; /* "launches[0]" */
    const cJSON *launch;
    const cJSON **args; /* per parameter: its object in the file, or NULL */
    const char **paths; /* per parameter: where that object is */
    const char **names; /* per parameter: stated by the module, or made up */
    bool failed;
} builder;

static const cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void refuse(builder *b, const char *where, const char *format, ...) TR_PRINTF(3, 4);

static void refuse(builder *b, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    launch_error(b->errors, b->file, where, "%s", tr_arena_vprintf(b->arena, format, arguments));
    va_end(arguments);
    b->failed = true;
}

static const char *path(builder *b, const char *where, const char *key)
{
    return tr_arena_printf(b->arena, "%s.%s", where, key);
}

/* ---- Expressions ---- */

/* A value as the user wrote it, for the texts of facts. */
static const char *text_of(builder *b, const cJSON *item)
{
    if (cJSON_IsString(item))
        return tr_arena_strdup(b->arena, item->valuestring);
    return tr_arena_printf(b->arena, "%.0f", item->valuedouble);
}

static void add_defined(builder *b, smt_t defined, const char *text)
{
    if (!smt_is_true(defined))
        contract_add_fact(b->c, defined, text, NULL);
}

/* An integer or boolean expression; NULL (and an error) where it cannot be read. Contents
 * expressions hang on an element, so their definedness is no fact of the launch: a divisor there
 * must be a constant or otherwise known. */
static smt_t read_expression(builder *b, const cJSON *item, const char *where, bool boolean,
                             bool in_contents)
{
    const char *why = NULL;
    const char *text = text_of(b, item);
    contract_expression e = contract_expression_read(b->ctx, b->c, text, in_contents, &why);
    if (!e.term) {
        refuse(b, where, "%s", why);
        return NULL;
    }
    if (smt_is_bool(e.term) != boolean) {
        refuse(b, where, "`%s` is %s.", text,
               boolean ? "an integer; a condition is needed" : "a condition; an integer is needed");
        return NULL;
    }
    if (!in_contents)
        add_defined(b, e.defined, text);
    else if (!smt_is_true(e.defined)) {
        refuse(b, where, "`%s` may divide by zero.", text);
        return NULL;
    }
    return e.term;
}

static smt_t read_integer(builder *b, const cJSON *object, const char *key, const char *where)
{
    const cJSON *item = get(object, key);
    return item ? read_expression(b, item, path(b, where, key), false, false) : NULL;
}

/* ---- Names ---- */

/* What a parameter is called when neither module nor file name it; `array` is the name of the array
 * that it belongs to. */
static const char *made_up_name(builder *b, size_t i, const char *array)
{
    contract_member member = b->kernel->params[i].member;
    if (member.role == CONTRACT_ARRAY_EXTENT || member.role == CONTRACT_ARRAY_STRIDE)
        return tr_arena_printf(b->arena, "%s_%s%u", array,
                               member.role == CONTRACT_ARRAY_EXTENT ? "shape" : "stride",
                               member.dimension);
    if (member.role == CONTRACT_ALONE)
        return tr_arena_printf(b->arena, "arg%zu", i);
    size_t number = 0; /* of the array, among the kernel's */
    for (size_t k = 0; k < i; k++)
        number += b->kernel->params[k].member.role == CONTRACT_ARRAY_START;
    return tr_arena_printf(b->arena, "a%zu", number);
}

static const char *default_name(builder *b, size_t i)
{
    const launch_param *param = &b->kernel->params[i];
    return param->name ? param->name : made_up_name(b, i, b->c->args[param->member.array].name);
}

static void copy_params(builder *b)
{
    for (size_t i = 0; i < b->kernel->n_params; i++) {
        const launch_param *param = &b->kernel->params[i];
        contract_arg *arg = &b->c->args[i];
        arg->name = default_name(b, i);
        arg->member = param->member;
        arg->kind = param->kind;
        arg->bits = param->bits;
        arg->is_signed = param->is_signed;
        if (param->kind == CONTRACT_POINTER)
            arg->buffer = arg->name;
    }
}

static size_t param_called(const builder *b, const char *name)
{
    for (size_t i = 0; i < b->kernel->n_params; i++)
        if (!strcmp(b->names[i], name))
            return i;
    return b->kernel->n_params;
}

/* With names that the kernel has, or that were made up for it, arguments go by name and some may be
 * left out; else by position, and the file names them. */
static bool goes_by_name(const builder *b, const cJSON *list)
{
    const cJSON *arg;
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = get(arg, "name");
        if (!name || param_called(b, name->valuestring) == b->kernel->n_params)
            return false;
    }
    return true;
}

/* Gives parameter i the file's name. A made-up one yields; one that the module states, or that was
 * made up for another parameter, does not. */
static void name_arg(builder *b, size_t i, const cJSON *name)
{
    contract_arg *arg = &b->c->args[i];
    const char *stated = b->kernel->params[i].name, *where = path(b, b->paths[i], "name");
    size_t other = name ? param_called(b, name->valuestring) : b->kernel->n_params;
    if (name && stated && strcmp(stated, name->valuestring))
        refuse(b, where, "the kernel calls parameter %zu `%s`.", i, stated);
    else if (other != i && other < b->kernel->n_params)
        refuse(b, where, "`%s` is what parameter %zu is called; this is parameter %zu.",
               name->valuestring, other, i);
    else if (name)
        arg->name = tr_arena_strdup(b->arena, name->valuestring);
    else
        arg->name = default_name(b, i); /* its array may have got a name */
    if (arg->kind == CONTRACT_POINTER && !arg->buffer_stated)
        arg->buffer = arg->name;
}

static void refuse_count(builder *b, const cJSON *list)
{
    const cJSON *arg;
    size_t n = b->kernel->n_params, number = 0, known = 0;
    const char *unknown = NULL, *where = NULL;
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = get(arg, "name");
        bool is_known = name && param_called(b, name->valuestring) < n;
        known += is_known;
        if (name && !is_known && !unknown) {
            unknown = name->valuestring;
            where = tr_arena_printf(b->arena, "%s.args[%zu].name", b->where, number);
        }
        number++;
    }
    const char *near = unknown ? contract_nearest(unknown, n, b->names) : NULL;
    if (unknown && (known > 0 || near)) /* the file means to go by name */
        refuse(b, where,
               near ? "no parameter is called `%s`; did you mean `%s`?"
                    : "no parameter is called `%s`.",
               unknown, near);
    else
        refuse(b, path(b, b->where, "args"), "the kernel has %zu parameters, not %zu.", n, number);
}

static void place_args(builder *b)
{
    const cJSON *list = get(b->launch, "args"), *arg;
    size_t n = b->kernel->n_params, number = 0;
    bool by_name = goes_by_name(b, list);
    if (list && !by_name && (size_t)cJSON_GetArraySize(list) != n) {
        refuse_count(b, list);
        return;
    }
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = get(arg, "name");
        size_t i = by_name ? param_called(b, name->valuestring) : number;
        const char *where = tr_arena_printf(b->arena, "%s.args[%zu]", b->where, number++);
        if (b->args[i]) {
            refuse(b, where, "`%s` is there twice.", name->valuestring);
            continue;
        }
        b->args[i] = arg;
        b->paths[i] = where;
        name_arg(b, i, name);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (b->paths[i] && !strcmp(b->c->args[i].name, b->c->args[k].name))
                refuse(b, b->paths[i], "two arguments are called `%s`.", b->c->args[i].name);
}

/* ---- Arguments ---- */

static void refuse_keys(builder *b, size_t i, size_t n, const char *const *names, const char *what)
{
    for (size_t k = 0; k < n; k++)
        if (get(b->args[i], names[k]))
            refuse(b, path(b, b->paths[i], names[k]), "`%s` is %s.", b->c->args[i].name, what);
}

static void add_scalar_fact(builder *b, size_t i, const char *key, const char *relation,
                            smt_t (*make)(smt_ctx *ctx, smt_t a, smt_t b_))
{
    const cJSON *item = get(b->args[i], key);
    const char *where = path(b, b->paths[i], key);
    smt_int value, low, high;
    smt_t term = read_integer(b, b->args[i], key, b->paths[i]);
    if (!term)
        return;
    contract_type_range(&b->c->args[i], &low, &high);
    if (make == smt_eq && smt_is_const(term, &value) && (value < low || value > high)) {
        refuse(b, where, "the value does not fit the %d bits of `%s`.", b->c->args[i].bits,
               b->c->args[i].name);
        return;
    }
    contract_add_fact(
        b->c, make(b->ctx, contract_param(b->ctx, b->c, i), term),
        tr_arena_printf(b->arena, "%s %s %s", b->c->args[i].name, relation, text_of(b, item)),
        NULL);
}

static void read_multiple(builder *b, size_t i)
{
    smt_int value;
    smt_t divisor = read_integer(b, b->args[i], "multiple_of", b->paths[i]);
    if (!divisor)
        return;
    if (smt_is_const(divisor, &value) && value <= 0) {
        refuse(b, path(b, b->paths[i], "multiple_of"), "this must be positive.");
        return;
    }
    const char *text = tr_arena_printf(b->arena, "%s %% %s == 0", b->c->args[i].name,
                                       text_of(b, get(b->args[i], "multiple_of")));
    add_defined(b, smt_gt(b->ctx, divisor, smt_int_const(b->ctx, 0)), text);
    smt_t rest = smt_mod(b->ctx, contract_param(b->ctx, b->c, i), divisor);
    contract_add_fact(b->c, smt_eq(b->ctx, rest, smt_int_const(b->ctx, 0)), text, NULL);
}

static void read_scalar(builder *b, size_t i)
{
    static const char *const wrong[] = {"buffer", "elements", "bytes",     "offset",   "covered",
                                        "dtype",  "fill",     "reference", "tolerance"};
    const cJSON *value = get(b->args[i], "value");
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "no pointer");
    if (value && cJSON_IsNumber(value) && value->valuedouble != (double)(int64_t)value->valuedouble)
        refuse(b, path(b, b->paths[i], "value"), "`%s` is an integer.", b->c->args[i].name);
    else
        add_scalar_fact(b, i, "value", "==", smt_eq);
    add_scalar_fact(b, i, "min", ">=", smt_ge);
    add_scalar_fact(b, i, "max", "<=", smt_le);
    read_multiple(b, i);
}

static void read_float(builder *b, size_t i)
{
    static const char *const wrong[] = {"buffer",  "elements", "bytes",     "offset",
                                        "covered", "dtype",    "fill",      "reference",
                                        "min",     "max",      "tolerance", "multiple_of"};
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "a float scalar");
}

static void merge(builder *b, size_t i, const char *key, smt_t *stated, smt_t added)
{
    const char *text = tr_arena_printf(b->arena, "%s of %s", key, b->c->args[i].name);
    if (added && !launch_merge_term(b->ctx, b->c, stated, added, text))
        refuse(b, path(b, b->paths[i], key), "this contradicts the kernel's source.");
}

static void read_pointer(builder *b, size_t i)
{
    static const char *const wrong[] = {"value", "min", "max", "multiple_of"};
    contract_arg *arg = &b->c->args[i];
    const cJSON *covered = get(b->args[i], "covered");
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "a pointer");
    smt_t elements = read_integer(b, b->args[i], "elements", b->paths[i]);
    smt_t bytes = read_integer(b, b->args[i], "bytes", b->paths[i]);
    if (bytes && !b->kernel->params[i].element_bytes)
        refuse(b, path(b, b->paths[i], "bytes"),
               "the module does not say how large an element is; give `elements`.");
    else if (bytes)
        elements =
            smt_div(b->ctx, bytes, smt_int_const(b->ctx, b->kernel->params[i].element_bytes));
    merge(b, i, get(b->args[i], "bytes") ? "bytes" : "elements", &arg->elements, elements);
    merge(b, i, "offset", &arg->offset, read_integer(b, b->args[i], "offset", b->paths[i]));
    if (!covered)
        return;
    contract_covered wanted =
        !strcmp(covered->valuestring, "once") ? CONTRACT_COVERED_ONCE : CONTRACT_COVERED_ALL;
    if (arg->covered != CONTRACT_NOT_COVERED && arg->covered != wanted)
        refuse(b, path(b, b->paths[i], "covered"), "this contradicts the kernel's source.");
    arg->covered = wanted;
}

static void read_buffers(builder *b)
{
    const char **names = TR_NEW_ARRAY(b->arena, const char *, b->c->n_args + 1);
    const char *why = NULL;
    for (size_t i = 0; i < b->c->n_args; i++) {
        const cJSON *buffer = b->args[i] ? get(b->args[i], "buffer") : NULL;
        if (buffer && b->c->args[i].kind == CONTRACT_POINTER)
            names[i] = tr_arena_strdup(b->arena, buffer->valuestring);
    }
    if (!launch_merge_buffers(b->arena, b->c, names, &why))
        refuse(b, path(b, b->where, "args"), "%s", why);
}

static void read_args(builder *b)
{
    read_buffers(b);
    for (size_t i = 0; i < b->c->n_args; i++) {
        if (!b->args[i])
            continue;
        switch (b->c->args[i].kind) {
        case CONTRACT_SCALAR:
            read_scalar(b, i);
            break;
        case CONTRACT_POINTER:
            read_pointer(b, i);
            break;
        case CONTRACT_FLOAT:
            read_float(b, i);
            break;
        }
    }
}

/* ---- The grid, assumptions, the surroundings ---- */

static void read_grid(builder *b)
{
    static const char *const names[] = {"grid.x", "grid.y", "grid.z"};
    const cJSON *grid = get(b->launch, "grid");
    const cJSON *item = grid ? grid->child : NULL;
    for (int axis = 0; grid && axis < 3; axis++, item = item ? item->next : NULL) {
        const char *where = tr_arena_printf(b->arena, "%s.grid[%d]", b->where, axis);
        smt_t extent =
            item ? read_expression(b, item, where, false, false) : smt_int_const(b->ctx, 1);
        smt_int low, high;
        if (!extent)
            continue;
        smt_bounds(extent, &low, &high);
        if (high < 1 || low >= (smt_int)1 << 24)
            refuse(b, where, "an extent is 1 to 2^24 - 1 tile blocks.");
        else if (!launch_merge_term(b->ctx, b->c, &b->c->grid[axis], extent,
                                    tr_arena_printf(b->arena, "%s == %s", names[axis],
                                                    item ? text_of(b, item) : "1")))
            refuse(b, where, "this contradicts the kernel's source.");
    }
}

static void read_assumptions(builder *b)
{
    const cJSON *item;
    size_t number = 0;
    cJSON_ArrayForEach(item, get(b->launch, "assume"))
    {
        const char *where = tr_arena_printf(b->arena, "%s.assume[%zu]", b->where, number++);
        smt_t term = read_expression(b, item, where, true, false);
        if (term && smt_is_false(term))
            refuse(b, where, "`%s` cannot hold.", item->valuestring);
        else if (term)
            contract_add_fact(b->c, term, text_of(b, item), NULL);
    }
}

static bool is_buffer(const builder *b, const char *name)
{
    for (size_t i = 0; i < b->c->n_args; i++)
        if (b->c->args[i].buffer && !strcmp(b->c->args[i].buffer, name))
            return true;
    return false;
}

static const char *const *read_buffer_list(builder *b, const cJSON *list, const char *where,
                                           size_t *n)
{
    const cJSON *item;
    const char **names = TR_NEW_ARRAY(b->arena, const char *, (size_t)cJSON_GetArraySize(list) + 1);
    *n = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (!is_buffer(b, item->valuestring))
            refuse(b, where, "no argument's buffer is called `%s`.", item->valuestring);
        names[(*n)++] = tr_arena_strdup(b->arena, item->valuestring);
    }
    return names;
}

static void read_surroundings(builder *b)
{
    const cJSON *peers = get(b->launch, "peers"), *predecessor = get(b->launch, "predecessor");
    contract_predecessor *p = &b->c->predecessor;
    b->c->pdl |= cJSON_IsTrue(get(b->launch, "pdl"));
    if (peers)
        b->c->peers =
            !strcmp(peers->valuestring, "sys") ? CONTRACT_PEERS_SYS : CONTRACT_PEERS_DEVICE;
    if (!predecessor)
        return;
    const char *where = path(b, b->where, "predecessor");
    p->writes =
        read_buffer_list(b, get(predecessor, "writes"), path(b, where, "writes"), &p->n_writes);
    p->reads = read_buffer_list(b, get(predecessor, "reads"), path(b, where, "reads"), &p->n_reads);
}

/* ---- Contents ---- */

/* Does the buffer begin at this pointer, as far as indices into its contents tell? */
static bool shares_buffer(const builder *b, size_t i)
{
    for (size_t k = 0; k < b->c->n_args; k++)
        if (k != i && b->c->args[k].buffer && !strcmp(b->c->args[k].buffer, b->c->args[i].buffer))
            return true;
    return b->c->args[i].offset != NULL;
}

static bool mentions_index(const builder *b, smt_t term)
{
    return term && smt_contains(term, contract_index(b->ctx));
}

static void read_contents_bound(builder *b, size_t i, const cJSON *contents, const char *key,
                                const char *where, smt_t *bound,
                                smt_t (*narrower)(smt_ctx *ctx, smt_t a, smt_t b_))
{
    const cJSON *item = get(contents, key);
    smt_t term = item ? read_expression(b, item, path(b, where, key), false, true) : NULL;
    if (!term)
        return;
    if (mentions_index(b, term) && shares_buffer(b, i))
        refuse(b, path(b, where, key),
               "`index` has no meaning: the pointer need not be the "
               "start of its buffer.");
    *bound = *bound ? narrower(b->ctx, *bound, term) : term;
}

static void read_unique(builder *b, const cJSON *contents, const char *where,
                        contract_contents *facts)
{
    const cJSON *unique = get(contents, "unique");
    smt_t when = NULL;
    if (!unique || cJSON_IsFalse(unique))
        return;
    if (cJSON_IsString(unique)) {
        when = read_expression(b, unique, path(b, where, "unique"), true, true);
        if (!when)
            return;
        if (smt_is_true(when))
            when = NULL;
    }
    if (facts->unique && facts->unique_when && when && when != facts->unique_when)
        refuse(b, path(b, where, "unique"),
               "the contract already says among which elements they are unique.");
    else if (!facts->unique || !when)
        facts->unique_when = when;
    facts->unique = true;
}

static void read_prefix_sum(builder *b, size_t i, const cJSON *contents, const char *where,
                            contract_contents *facts)
{
    const cJSON *of = get(contents, "prefix_sum_of");
    int found = -1, count = 0;
    if (!of)
        return;
    for (size_t k = 0; k < b->c->n_args; k++)
        if (b->c->args[k].buffer && !strcmp(b->c->args[k].buffer, of->valuestring)) {
            found = (int)k;
            count++;
        }
    if (count != 1 || shares_buffer(b, (size_t)found) || shares_buffer(b, i))
        refuse(b, path(b, where, "prefix_sum_of"), "%s `%s`.",
               count ? "the pointer need not be the start of its buffer"
                     : "no argument's buffer is called",
               of->valuestring);
    else if (found == (int)i || (facts->prefix_sum_of >= 0 && facts->prefix_sum_of != found))
        refuse(b, path(b, where, "prefix_sum_of"), "%s.",
               found == (int)i ? "a buffer is not its own prefix sum"
                               : "this contradicts what is stated already");
    else
        facts->prefix_sum_of = found;
}

static void read_regions(builder *b, size_t i, const cJSON *contents, const char *where,
                         contract_contents *facts)
{
    const cJSON *item = get(contents, "regions");
    smt_t bytes = item ? read_expression(b, item, path(b, where, "regions"), false, true) : NULL;
    if (!bytes)
        return;
    if (b->kernel->params[i].element == LAUNCH_ELEMENT_FLOAT)
        refuse(b, path(b, where, "regions"), "`%s` holds no pointers.", b->c->args[i].name);
    else if (facts->regions && facts->regions != bytes)
        refuse(b, path(b, where, "regions"), "this contradicts what is stated already.");
    else
        facts->regions = bytes;
}

static void read_contents_of(builder *b, size_t i, const cJSON *contents, const char *where)
{
    contract_contents *facts = &b->c->args[i].contents;
    if (b->kernel->params[i].element == LAUNCH_ELEMENT_FLOAT) {
        refuse(b, path(b, where, "buffer"),
               "`%s` holds floats; contents are stated of integers "
               "and pointers.",
               b->c->args[i].name);
        return;
    }
    read_unique(b, contents, where, facts);
    facts->increasing |= cJSON_IsTrue(get(contents, "increasing"));
    read_contents_bound(b, i, contents, "min", where, &facts->min, smt_max);
    read_contents_bound(b, i, contents, "max", where, &facts->max, smt_min);
    read_prefix_sum(b, i, contents, where, facts);
    read_regions(b, i, contents, where, facts);
}

/* A fact on a buffer's contents holds for what each of its pointers addresses. */
static void read_contents(builder *b)
{
    const cJSON *contents;
    size_t number = 0;
    cJSON_ArrayForEach(contents, get(b->launch, "contents"))
    {
        const char *where = tr_arena_printf(b->arena, "%s.contents[%zu]", b->where, number++);
        const char *name = get(contents, "buffer")->valuestring;
        bool found = false;
        for (size_t i = 0; i < b->c->n_args; i++) {
            if (!b->c->args[i].buffer || strcmp(b->c->args[i].buffer, name))
                continue;
            read_contents_of(b, i, contents, where);
            found = true;
        }
        if (!found)
            refuse(b, path(b, where, "buffer"), "no argument's buffer is called `%s`.", name);
    }
}

/* ---- Start and end ---- */

static bool copy_stated(builder *b, const contract *stated)
{
    if (stated->n_args != b->c->n_args) {
        refuse(b, b->where, "the kernel's source has %zu parameters, the module %zu.",
               stated->n_args, b->c->n_args);
        return false;
    }
    for (int axis = 0; axis < 3; axis++)
        b->c->grid[axis] = stated->grid[axis];
    for (size_t i = 0; i < stated->n_args; i++) {
        b->c->args[i] = stated->args[i];
        if (!b->c->args[i].name)
            b->c->args[i].name = default_name(b, i);
    }
    for (ptrdiff_t i = 0; i < arrlen(stated->facts); i++)
        arrput(b->c->facts, stated->facts[i]);
    b->c->pdl = stated->pdl;
    b->c->predecessor = stated->predecessor;
    b->c->peers = stated->peers;
    b->c->ranges->settled = stated->ranges->settled;
    memcpy(b->c->ranges->params, stated->ranges->params,
           stated->n_args * sizeof *stated->ranges->params);
    return true;
}

tr_give contract *launch_file_contract(smt_ctx *ctx, const launch_file *file,
                                       const launch_kernel *kernel, const contract *stated,
                                       size_t which, tr_errors *errors)
{
    tr_arena *arena = smt_arena(ctx);
    size_t number;
    builder b = {.ctx = ctx, .arena = arena, .file = file, .kernel = kernel, .errors = errors};
    b.launch = launch_file_find(file, kernel, which, &number);
    b.where = tr_arena_printf(arena, "launches[%zu]", number);
    b.args = TR_NEW_ARRAY(arena, const cJSON *, kernel->n_params + 1);
    b.paths = TR_NEW_ARRAY(arena, const char *, kernel->n_params + 1);
    b.c = contract_new(ctx, kernel->symbol, kernel->n_params);
    b.c->source = CONTRACT_FILE;
    copy_params(&b);
    bool copied = !stated || copy_stated(&b, stated);
    b.names = TR_NEW_ARRAY(arena, const char *, kernel->n_params + 1);
    for (size_t i = 0; i < kernel->n_params; i++)
        b.names[i] = b.c->args[i].name;
    if (copied)
        place_args(&b);
    if (!b.failed) {
        read_args(&b);
        read_grid(&b);
        read_assumptions(&b);
        read_surroundings(&b);
        read_contents(&b);
    }
    if (!b.failed)
        return b.c;
    contract_free(b.c);
    return NULL;
}

tr_give contract *launch_default_contract(smt_ctx *ctx, const launch_kernel *kernel)
{
    builder b = {.ctx = ctx, .arena = smt_arena(ctx), .kernel = kernel};
    b.c = contract_new(ctx, kernel->symbol, kernel->n_params);
    copy_params(&b);
    return b.c;
}

/* One launch of a file, read against a kernel's parameters: a contract. */
#include "contract/expression.h"
#include "contract/launch_private.h"
#include "contract/ranges.h"

#include "base/ds.h"

#include <math.h>

/* ---- Expressions ---- */

static smt_t read_integer(launch_builder *b, const cJSON *object, const char *key,
                          const char *where)
{
    const cJSON *item = launch_get(object, key);
    return item ? launch_expression(b, item, launch_path(b, where, key), false, false) : NULL;
}

/* ---- Names ---- */

/* Makes a name for a parameter that neither the module nor the file names; `array` is the name of
 * the array that it belongs to. */
static const char *made_up_name(launch_builder *b, size_t i, const char *array)
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

static const char *default_name(launch_builder *b, size_t i)
{
    const launch_param *param = &b->kernel->params[i];
    if (param->name || param->suggested)
        return param->name ? param->name : param->suggested;
    return made_up_name(b, i, b->c->args[param->member.array].name);
}

/* Returns the name that the parameter would have without the author's source: a file may have been
 * written without it. */
static const char *second_name(launch_builder *b, size_t i)
{
    const launch_param *param = &b->kernel->params[i];
    const char *of_array = b->c->args[param->member.array].made_up;
    return !param->name && param->suggested ? made_up_name(b, i, of_array) : NULL;
}

static void copy_params(launch_builder *b)
{
    for (size_t i = 0; i < b->kernel->n_params; i++) {
        const launch_param *param = &b->kernel->params[i];
        contract_arg *arg = &b->c->args[i];
        arg->name = default_name(b, i);
        arg->made_up = second_name(b, i);
        arg->member = param->member;
        arg->kind = param->kind;
        arg->bits = param->bits;
        arg->is_signed = param->is_signed;
        if (param->kind == CONTRACT_POINTER)
            arg->buffer = arg->name;
    }
}

/* `parameters`: what the file calls them, in their order. The module's own names stay. */
static void name_params(launch_builder *b)
{
    const cJSON *list = launch_get(b->launch, "parameters"), *name;
    const char *where = launch_path(b, b->where, "parameters");
    size_t n = b->kernel->n_params, i = 0;
    if (list && (size_t)cJSON_GetArraySize(list) != n) {
        launch_refuse(b, where, "the kernel has %zu parameters, not %d.", n,
                      cJSON_GetArraySize(list));
        return;
    }
    cJSON_ArrayForEach(name, list)
    {
        const char *at = tr_arena_printf(b->arena, "%s[%zu]", where, i);
        const char *stated = b->kernel->params[i].name;
        contract_arg *arg = &b->c->args[i++];
        if (stated && strcmp(stated, name->valuestring) != 0)
            launch_refuse(b, at, "the kernel calls this parameter `%s`.", stated);
        arg->name = tr_arena_strdup(b->arena, name->valuestring);
        if (arg->kind == CONTRACT_POINTER && !arg->buffer_stated)
            arg->buffer = arg->name;
        for (size_t k = 0; k + 1 < i; k++)
            if (!strcmp(arg->name, b->c->args[k].name))
                launch_refuse(b, at, "two parameters are called `%s`.", arg->name);
    }
}

static size_t param_called(const launch_builder *b, const char *name)
{
    for (size_t i = 0; i < b->kernel->n_params; i++)
        if (!strcmp(b->names[i], name) ||
            (b->c->args[i].made_up && !strcmp(b->c->args[i].made_up, name)))
            return i;
    return b->kernel->n_params;
}

/* Are arguments given by name? They are if the kernel has names, or names were made up for it, and
 * then some may be left out. Otherwise they are given by position, and the file names them. */
static bool goes_by_name(const launch_builder *b, const cJSON *list)
{
    const cJSON *arg;
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = launch_get(arg, "name");
        if (!name || param_called(b, name->valuestring) == b->kernel->n_params)
            return false;
    }
    return true;
}

/* Gives parameter i the file's name. A made-up one yields; one that the module states, or that was
 * made up for another parameter, does not. */
static void name_arg(launch_builder *b, size_t i, const cJSON *name)
{
    contract_arg *arg = &b->c->args[i];
    const char *where = launch_path(b, b->paths[i], "name");
    const char *stated =
        launch_get(b->launch, "parameters") ? arg->name : b->kernel->params[i].name;
    size_t other = name ? param_called(b, name->valuestring) : b->kernel->n_params;
    if (name && stated && strcmp(stated, name->valuestring))
        launch_refuse(b, where, "the kernel calls parameter %zu `%s`.", i, stated);
    else if (other != i && other < b->kernel->n_params)
        launch_refuse(b, where, "`%s` is what parameter %zu is called; this is parameter %zu.",
                      name->valuestring, other, i);
    else if (name)
        arg->name = tr_arena_strdup(b->arena, name->valuestring);
    else if (!stated)
        arg->name = default_name(b, i); /* its array may have got a name */
    if (arg->kind == CONTRACT_POINTER && !arg->buffer_stated)
        arg->buffer = arg->name;
}

static void refuse_count(launch_builder *b, const cJSON *list)
{
    const cJSON *arg;
    size_t n = b->kernel->n_params, number = 0, known = 0;
    const char *unknown = NULL, *where = NULL;
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = launch_get(arg, "name");
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
        launch_refuse(b, where,
                      near ? "no parameter is called `%s`; did you mean `%s`?"
                           : "no parameter is called `%s`.",
                      unknown, near);
    else
        launch_refuse(b, launch_path(b, b->where, "args"),
                      "the kernel has %zu parameters, not %zu.", n, number);
}

/* Finds the parameter of each argument of the file: by name if the file names them, else by
 * position. */
static void place_args(launch_builder *b)
{
    const cJSON *list = launch_get(b->launch, "args"), *arg;
    size_t n = b->kernel->n_params, number = 0;
    bool by_name = goes_by_name(b, list);
    if (list && !by_name && (size_t)cJSON_GetArraySize(list) != n) {
        refuse_count(b, list);
        return;
    }
    cJSON_ArrayForEach(arg, list)
    {
        const cJSON *name = launch_get(arg, "name");
        size_t i = by_name ? param_called(b, name->valuestring) : number;
        const char *where = tr_arena_printf(b->arena, "%s.args[%zu]", b->where, number++);
        if (b->args[i]) {
            launch_refuse(b, where, "`%s` is there twice.", name->valuestring);
            continue;
        }
        b->args[i] = arg;
        b->paths[i] = where;
        name_arg(b, i, name);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (b->paths[i] && !strcmp(b->c->args[i].name, b->c->args[k].name))
                launch_refuse(b, b->paths[i], "two arguments are called `%s`.", b->c->args[i].name);
}

/* ---- Arguments ---- */

static void refuse_keys(launch_builder *b, size_t i, size_t n, const char *const *names,
                        const char *what)
{
    for (size_t k = 0; k < n; k++)
        if (launch_get(b->args[i], names[k]))
            launch_refuse(b, launch_path(b, b->paths[i], names[k]), "`%s` is %s.",
                          b->c->args[i].name, what);
}

static void add_scalar_fact(launch_builder *b, size_t i, const char *key, const char *relation,
                            smt_t (*make)(smt_ctx *ctx, smt_t a, smt_t b_))
{
    const cJSON *item = launch_get(b->args[i], key);
    const char *where = launch_path(b, b->paths[i], key);
    smt_int value, low, high;
    smt_t term = read_integer(b, b->args[i], key, b->paths[i]);
    if (!term)
        return;
    contract_type_range(&b->c->args[i], &low, &high);
    if (smt_is_const(term, &value) &&
        ((make != smt_le && value > high) || (make != smt_ge && value < low))) {
        launch_refuse(b, where,
                      make == smt_eq ? "the value does not fit the %d bits of `%s`."
                                     : "no value of the %d bits of `%s` meets this bound.",
                      b->c->args[i].bits, b->c->args[i].name);
        return;
    }
    contract_add_fact(b->c, make(b->ctx, contract_param(b->ctx, b->c, i), term),
                      tr_arena_printf(b->arena, "%s %s %s", b->c->args[i].name, relation,
                                      launch_as_written(b, item)),
                      NULL);
}

static void read_multiple(launch_builder *b, size_t i)
{
    smt_int value;
    smt_t divisor = read_integer(b, b->args[i], "multiple_of", b->paths[i]);
    if (!divisor)
        return;
    if (smt_is_const(divisor, &value) && value <= 0) {
        launch_refuse(b, launch_path(b, b->paths[i], "multiple_of"), "this must be positive.");
        return;
    }
    const char *text = tr_arena_printf(b->arena, "%s %% %s == 0", b->c->args[i].name,
                                       launch_as_written(b, launch_get(b->args[i], "multiple_of")));
    launch_add_defined(b, smt_gt(b->ctx, divisor, smt_int_const(b->ctx, 0)), text);
    smt_t rest = smt_mod(b->ctx, contract_param(b->ctx, b->c, i), divisor);
    contract_add_fact(b->c, smt_eq(b->ctx, rest, smt_int_const(b->ctx, 0)), text, NULL);
}

static void read_scalar(launch_builder *b, size_t i)
{
    static const char *const wrong[] = {"buffer",      "elements",  "bytes",    "offset",
                                        "byte_offset", "covered",   "dtype",    "fill",
                                        "table",       "reference", "tolerance"};
    const cJSON *value = launch_get(b->args[i], "value");
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "no pointer");
    if (value && cJSON_IsNumber(value) && value->valuedouble != floor(value->valuedouble))
        launch_refuse(b, launch_path(b, b->paths[i], "value"), "`%s` is an integer.",
                      b->c->args[i].name);
    else if (value && cJSON_IsNumber(value) && !launch_is_exact(value))
        launch_refuse(b, launch_path(b, b->paths[i], "value"),
                      "this integer is too large for a JSON number; write it as a string.");
    else
        add_scalar_fact(b, i, "value", "==", smt_eq);
    add_scalar_fact(b, i, "min", ">=", smt_ge);
    add_scalar_fact(b, i, "max", "<=", smt_le);
    read_multiple(b, i);
}

bool launch_special_number(const char *word, double *number)
{
    static const struct {
        const char *word;
        double number;
    } table[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < TR_COUNT(table); i++)
        if (!strcmp(word, table[i].word)) {
            *number = table[i].number;
            return true;
        }
    return false;
}

static void read_float(launch_builder *b, size_t i)
{
    static const char *const wrong[] = {"buffer",      "elements", "bytes",     "offset",
                                        "covered",     "dtype",    "fill",      "reference",
                                        "min",         "max",      "tolerance", "multiple_of",
                                        "byte_offset", "table",    "spans"};
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "a float scalar");
    const cJSON *value = launch_get(b->args[i], "value");
    double number = 0;
    bool is_special = b->file->version > 1 && cJSON_IsString(value);
    if (cJSON_IsNumber(value) ||
        (is_special && launch_special_number(value->valuestring, &number))) {
        b->c->args[i].has_number = true;
        b->c->args[i].number = is_special ? number : value->valuedouble;
    } else if (is_special)
        launch_refuse(b, launch_path(b, b->paths[i], "value"),
                      "`%s` is a float: a number, \"nan\", \"inf\" or \"-inf\".",
                      b->c->args[i].name);
}

static void merge(launch_builder *b, size_t i, const char *key, smt_t *stated, smt_t added)
{
    const char *text = tr_arena_printf(b->arena, "%s of %s", key, b->c->args[i].name);
    if (added && !launch_merge_term(b->ctx, b->c, stated, added, text))
        launch_refuse(b, launch_path(b, b->paths[i], key), "this contradicts the kernel's source.");
}

static void refuse_negative(launch_builder *b, size_t i, const char *key, smt_t term)
{
    smt_int value;
    if (term && smt_is_const(term, &value) && value < 0)
        launch_refuse(b, launch_path(b, b->paths[i], key), "this must not be negative.");
}

/* `dtype` says what the module leaves open. */
static void refuse_dtype(launch_builder *b, size_t i)
{
    const cJSON *type = launch_get(b->args[i], "dtype");
    const char *known = b->kernel->params[i].element_type;
    if (type && known && strcmp(type->valuestring, known))
        launch_refuse(b, launch_path(b, b->paths[i], "dtype"),
                      "`%s` points to %s in the module, not to %s.", b->c->args[i].name, known,
                      type->valuestring);
}

/* Offset in elements of one that is given in bytes, as of arrays of several types in one buffer. */
static smt_t read_byte_offset(launch_builder *b, size_t i)
{
    const char *where = launch_path(b, b->paths[i], "byte_offset");
    const char *type = b->kernel->params[i].element_type;
    smt_t bytes = read_integer(b, b->args[i], "byte_offset", b->paths[i]);
    int width = b->kernel->params[i].element_bytes;
    bool halves = type && (!strcmp(type, "i4") || !strcmp(type, "f4E2M1FN")); /* two to a byte */
    smt_int value;
    if (!bytes)
        return NULL;
    if (launch_get(b->args[i], "offset"))
        launch_refuse(b, where, "give `offset` or `byte_offset`, not both.");
    else if (!width)
        launch_refuse(b, where, "the module does not say how large an element is; give `offset`.");
    else if (!smt_is_const(bytes, &value))
        launch_refuse(b, where, "a number must stand here.");
    else if (value % width)
        launch_refuse(b, where,
                      "an element of `%s` has %d bytes, and begins at a multiple of them.",
                      b->c->args[i].name, width);
    else
        return smt_int_const(b->ctx, halves ? 2 * value : value / width);
    return NULL;
}

/* An argument that is a pointer: its extent and offset in elements, however the file gives them,
 * its table, and what covers it. What the kernel's source states is merged, and may not be
 * contradicted. */
static void read_pointer(launch_builder *b, size_t i)
{
    static const char *const wrong[] = {"value", "min", "max", "multiple_of"};
    contract_arg *arg = &b->c->args[i];
    const cJSON *covered = launch_get(b->args[i], "covered");
    refuse_keys(b, i, TR_COUNT(wrong), wrong, "a pointer");
    smt_t elements = read_integer(b, b->args[i], "elements", b->paths[i]);
    smt_t bytes = read_integer(b, b->args[i], "bytes", b->paths[i]);
    if (bytes && !b->kernel->params[i].element_bytes)
        launch_refuse(b, launch_path(b, b->paths[i], "bytes"),
                      "the module does not say how large an element is; give `elements`.");
    else if (bytes)
        elements =
            smt_div(b->ctx, bytes, smt_int_const(b->ctx, b->kernel->params[i].element_bytes));
    smt_t offset = read_integer(b, b->args[i], "offset", b->paths[i]);
    const char *extent = launch_get(b->args[i], "bytes") ? "bytes" : "elements";
    if (launch_get(b->args[i], "byte_offset"))
        offset = read_byte_offset(b, i);
    refuse_negative(b, i, extent, elements);
    refuse_negative(b, i, "offset", offset);
    refuse_dtype(b, i);
    merge(b, i, extent, &arg->elements, elements);
    merge(b, i, "offset", &arg->offset, offset);
    smt_t spans = read_integer(b, b->args[i], "spans", b->paths[i]);
    if (spans && !arg->elements) {
        arg->elements = spans;
        arg->spans = true;
    }
    if (launch_get(b->args[i], "table"))
        launch_read_table(b, i);
    if (!covered)
        return;
    contract_covered wanted =
        !strcmp(covered->valuestring, "once") ? CONTRACT_COVERED_ONCE : CONTRACT_COVERED_ALL;
    if (arg->covered != CONTRACT_NOT_COVERED && arg->covered != wanted)
        launch_refuse(b, launch_path(b, b->paths[i], "covered"),
                      "this contradicts the kernel's source.");
    arg->covered = wanted;
}

static void read_buffers(launch_builder *b)
{
    const char **names = TR_NEW_ARRAY(b->arena, const char *, b->c->n_args + 1);
    const char *why = NULL;
    for (size_t i = 0; i < b->c->n_args; i++) {
        const cJSON *buffer = b->args[i] ? launch_get(b->args[i], "buffer") : NULL;
        if (buffer && b->c->args[i].kind == CONTRACT_POINTER)
            names[i] = tr_arena_strdup(b->arena, buffer->valuestring);
    }
    if (!launch_merge_buffers(b->arena, b->c, names, &why))
        launch_refuse(b, launch_path(b, b->where, "args"), "%s", why);
}

static void read_args(launch_builder *b)
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

/* ---- Start and end ---- */

static bool copy_stated(launch_builder *b, const contract *stated)
{
    if (stated->n_args != b->c->n_args) {
        launch_refuse(b, b->where, "the kernel's source has %zu parameters, the module %zu.",
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
    launch_builder b = {
        .ctx = ctx, .arena = arena, .file = file, .kernel = kernel, .errors = errors};
    b.launch = launch_file_find(file, kernel, which, &number);
    b.where = tr_arena_printf(arena, "launches[%zu]", number);
    b.args = TR_NEW_ARRAY(arena, const cJSON *, kernel->n_params + 1);
    b.paths = TR_NEW_ARRAY(arena, const char *, kernel->n_params + 1);
    b.values = TR_NEW_ARRAY(arena, const contract_values *, kernel->n_params + 1);
    b.c = contract_new(ctx, kernel->symbol, kernel->n_params);
    b.c->source = CONTRACT_FILE;
    tr_place *place = TR_NEW(arena, tr_place);
    place->file = file->path;
    b.c->place = place;
    copy_params(&b);
    bool copied = !stated || copy_stated(&b, stated);
    if (copied)
        name_params(&b);
    b.names = TR_NEW_ARRAY(arena, const char *, kernel->n_params + 1);
    for (size_t i = 0; i < kernel->n_params; i++)
        b.names[i] = b.c->args[i].name;
    if (copied)
        place_args(&b);
    if (!b.failed) {
        read_args(&b);
        launch_read_surroundings(&b);
        launch_read_contents(&b);
        if (file->fills_are_facts && !b.failed)
            launch_read_fills(&b);
    }
    if (!b.failed)
        return b.c;
    contract_free(b.c);
    return NULL;
}

tr_give contract *launch_default_contract(smt_ctx *ctx, const launch_kernel *kernel)
{
    launch_builder b = {.ctx = ctx, .arena = smt_arena(ctx), .kernel = kernel};
    b.c = contract_new(ctx, kernel->symbol, kernel->n_params);
    copy_params(&b);
    return b.c;
}

/* Launch contracts, written: what is stated, and what a proof asks for besides. */
#include "contract/launch_writer.h"
#include "contract/expression.h"

#include "base/ds.h"
#include "contract/contract_json.h"
#include "contract/launch_file.h"
#include "json/print.h"

#include <string.h>

struct launch_writer {
    smt_ctx *ctx; /* borrowed */
    cJSON *root;  /* owned */
    cJSON *launches;
    cJSON *launch;     /* the last one added */
    const contract *c; /* of that launch */
};

launch_writer *launch_writer_new(smt_ctx *ctx)
{
    launch_writer *w = TR_NEW(smt_arena(ctx), launch_writer);
    w->ctx = ctx;
    w->root = cJSON_CreateObject();
    cJSON_AddNumberToObject(w->root, "version", 1); /* launch_writer_text() settles it */
    w->launches = cJSON_AddArrayToObject(w->root, "launches");
    return w;
}

void launch_writer_free(tr_take launch_writer *w)
{
    if (w)
        cJSON_Delete(w->root);
}

/* ---- Section: what the contract states ---- */

typedef struct statement { /* what is being written, and what no contract file can say */
    cJSON *launch;
    smt_ctx *ctx;
    const contract *c;
    const char ***lost; /* stb_ds array, or NULL */
} statement;

/* A statement that the file cannot express is left out: where the contract is given back, the
 * source still states it. */
static bool can_say(const statement *s, smt_t term, bool in_contents, const char *format,
                    const char *name)
{
    const char *text = term ? contract_term_text(s->ctx, term) : NULL;
    if (!term || smt_is_const(term, NULL) || contract_can_say(s->ctx, s->c, text, in_contents))
        return true;
    if (s->lost)
        arrput(*s->lost, tr_arena_printf(smt_arena(s->ctx), format, name, text));
    return false;
}

static void put_grid(const statement *s)
{
    static const char *const axes[3] = {"grid.x", "grid.y", "grid.z"};
    const contract *c = s->c;
    int n = 3;
    while (n > 0 && !c->grid[n - 1])
        n--;
    bool all = n > 0;
    for (int axis = 0; axis < n; axis++)
        all = all && c->grid[axis];
    if (!all)
        return;
    cJSON *holder = cJSON_CreateObject();
    cJSON *grid = cJSON_AddArrayToObject(s->launch, "grid");
    for (int axis = 0; axis < n; axis++) {
        bool said = can_say(s, c->grid[axis], false, "%s is %s", axes[axis]);
        contract_put_term(s->ctx, holder, "extent",
                          said ? c->grid[axis] : contract_grid(s->ctx, axis));
        cJSON_AddItemToArray(grid, cJSON_DetachItemFromObject(holder, "extent"));
    }
    cJSON_Delete(holder);
}

/* Bounds that the contract's facts gave the parameter: those facts are the term TRUE since. */
static void put_range(cJSON *object, smt_ctx *ctx, const contract *c, size_t i)
{
    smt_int low, high, type_low, type_high;
    smt_bounds(contract_param(ctx, c, i), &low, &high);
    contract_type_range(&c->args[i], &type_low, &type_high);
    if (low == high) {
        contract_put_term(ctx, object, "value", smt_int_const(ctx, low));
        return;
    }
    if (low > type_low)
        contract_put_term(ctx, object, "min", smt_int_const(ctx, low));
    if (high < type_high)
        contract_put_term(ctx, object, "max", smt_int_const(ctx, high));
}

enum { MOST_VALUES = 1 << 14 }; /* in the text of a contract */

/* Elements that are stated one by one: they say all that is known of the buffer. */
static bool put_values(const statement *s, const contract_arg *arg)
{
    const contract_values *values = arg->contents.values;
    if (!values || values->known || values->n > MOST_VALUES) {
        if (values && s->lost)
            arrput(*s->lost, tr_arena_printf(smt_arena(s->ctx), "what the elements of '%s' are",
                                             contract_buffer_of(arg)));
        return false;
    }
    cJSON *contents = contract_put_object(s->launch, s->c, arg);
    cJSON *list = cJSON_AddArrayToObject(contents, "values");
    for (size_t i = 0; i < values->n; i++) {
        cJSON *holder = cJSON_CreateObject();
        contract_put_term(s->ctx, holder, "value", smt_int_const(s->ctx, values->values[i]));
        cJSON_AddItemToArray(list, cJSON_DetachItemFromObject(holder, "value"));
        cJSON_Delete(holder);
    }
    return true;
}

static void put_contents(const statement *s, const contract_arg *arg)
{
    contract_contents said = arg->contents;
    const char *name = contract_buffer_of(arg);
    if (put_values(s, arg))
        return;
    if (!can_say(s, said.min, true, "elements of '%s' are at least %s", name))
        said.min = NULL;
    if (!can_say(s, said.max, true, "elements of '%s' are at most %s", name))
        said.max = NULL;
    if (!can_say(s, said.unique_when, true, "elements of '%s' are unique where %s", name))
        said.unique = false;
    if (!can_say(s, said.regions, false, "pointers in '%s' address regions of %s bytes", name))
        said.regions = NULL;
    contract_put_contents(s->ctx, s->launch, s->c, arg, &said);
}

static void put_args(const statement *s)
{
    smt_ctx *ctx = s->ctx;
    const contract *c = s->c;
    cJSON *args = cJSON_AddArrayToObject(s->launch, "args");
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", arg->name);
        if (arg->kind == CONTRACT_POINTER) {
            if (arg->buffer_stated && arg->buffer)
                cJSON_AddStringToObject(object, "buffer", arg->buffer);
            if (can_say(s, arg->elements, false, "'%s' has %s elements", arg->name))
                contract_put_term(ctx, object, arg->spans ? "spans" : "elements", arg->elements);
            if (can_say(s, arg->offset, false, "'%s' begins at element %s", arg->name))
                contract_put_term(ctx, object, "offset", arg->offset);
            if (arg->covered != CONTRACT_NOT_COVERED)
                cJSON_AddStringToObject(object, "covered",
                                        arg->covered == CONTRACT_COVERED_ONCE ? "once" : "all");
            put_contents(s, arg);
        } else if (arg->kind == CONTRACT_SCALAR) {
            put_range(object, ctx, c, i);
        }
        cJSON_AddItemToArray(args, object);
    }
}

static void put_assume(cJSON *launch, const char *text)
{
    cJSON *list = contract_list(launch, "assume");
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (strcmp(item->valuestring, text) == 0)
            return;
    }
    cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

static void put_facts(const statement *s)
{
    for (size_t i = 0; i < arrlenu(s->c->facts); i++) {
        const contract_fact *fact = &s->c->facts[i];
        if (smt_is_true(fact->term))
            continue;
        const char *text = contract_term_text(s->ctx, fact->term);
        if (contract_can_say(s->ctx, s->c, text, false))
            put_assume(s->launch, text);
        else if (s->lost)
            arrput(*s->lost, fact->text ? fact->text : text);
    }
}

/* ---- Section: what a proof asks for besides ---- */

static cJSON *item_named(cJSON *array, const char *key, const char *name)
{
    cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key));
        if (own && name && strcmp(own, name) == 0)
            return item;
    }
    return NULL;
}

/* The item of the list that speaks of what `other` speaks of: the same argument by name, the same
 * buffer, and the same argument that points into it. */
static cJSON *item_like(cJSON *array, const char *key, const cJSON *other)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(other, key));
    const char *arg = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(other, "arg"));
    cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key));
        const char *of = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "arg"));
        if (own && name && strcmp(own, name) == 0 && !arg == !of && (!arg || !strcmp(arg, of)))
            return item;
    }
    return NULL;
}

/* A bound as the text of an expression; in the arena. NULL: it is none. */
static const char *bound_text(smt_ctx *ctx, const cJSON *bound)
{
    if (cJSON_IsNumber(bound))
        return tr_arena_printf(smt_arena(ctx), "%.0f", bound->valuedouble);
    return cJSON_GetStringValue(bound);
}

/* Both bounds at once, where `own` is stated and `asked` is what the proof needs. */
static cJSON *tighter(smt_ctx *ctx, bool is_max, const cJSON *own, const cJSON *asked)
{
    if (cJSON_IsNumber(own) && cJSON_IsNumber(asked))
        return cJSON_Duplicate((own->valuedouble < asked->valuedouble) == is_max ? own : asked,
                               true);
    const char *a = bound_text(ctx, own), *b = bound_text(ctx, asked);
    if (!a || !b || strcmp(a, b) == 0)
        return NULL;
    return cJSON_CreateString(
        tr_arena_printf(smt_arena(ctx), "%s(%s, %s)", is_max ? "min" : "max", a, b));
}

/* Joins the stated member and the one that is asked for into one that says both; NULL: the stated
 * one. */
static cJSON *joined(smt_ctx *ctx, const cJSON *own, const cJSON *asked)
{
    if (strcmp(asked->string, "min") == 0 || strcmp(asked->string, "max") == 0)
        return tighter(ctx, strcmp(asked->string, "max") == 0, own, asked);
    const char *when = cJSON_GetStringValue(own), *also = cJSON_GetStringValue(asked);
    if (strcmp(asked->string, "unique") != 0 || !when)
        return NULL;
    if (cJSON_IsTrue(asked))
        return cJSON_CreateTrue();
    if (!also || strcmp(when, also) == 0)
        return NULL;
    return cJSON_CreateString(tr_arena_printf(smt_arena(ctx), "(%s) || (%s)", when, also));
}

/* The members of `from`, beside those that are stated already or in their place. */
static void add_members(smt_ctx *ctx, cJSON *into, const cJSON *from)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, from)
    {
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(into, member->string);
        cJSON *both = own ? joined(ctx, own, member) : NULL;
        if (!own)
            cJSON_AddItemToObject(into, member->string, cJSON_Duplicate(member, true));
        else if (both)
            cJSON_ReplaceItemInObjectCaseSensitive(into, member->string, both);
    }
}

/* Objects of a list that are known by one of their members: args by name, contents by buffer. */
static void merge_named(smt_ctx *ctx, cJSON *launch, const cJSON *fragment, const char *list,
                        const char *key)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(fragment, list))
    {
        cJSON *own = item_like(contract_list(launch, list), key, item);
        if (own)
            add_members(ctx, own, item);
        else
            cJSON_AddItemToArray(contract_list(launch, list), cJSON_Duplicate(item, true));
    }
}

/* The extents that a fragment states: one that only names its own axis states nothing, nor does
 * one that is missing. */
static void merge_grid(cJSON *launch, const cJSON *fragment)
{
    static const char *const axes[3] = {"grid.x", "grid.y", "grid.z"};
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(fragment, "grid");
    cJSON *grid = cJSON_GetObjectItemCaseSensitive(launch, "grid");
    if (!from || (grid && cJSON_GetArraySize(grid) < 3))
        return; /* what is missing in a grid that is stated is 1 already */
    if (!grid) {
        grid = cJSON_AddArrayToObject(launch, "grid");
        for (int axis = 0; axis < 3; axis++)
            cJSON_AddItemToArray(grid, cJSON_CreateString(axes[axis]));
    }
    for (int axis = 0; axis < cJSON_GetArraySize(from) && axis < 3; axis++) {
        const char *own = cJSON_GetStringValue(cJSON_GetArrayItem(grid, axis));
        if (own && strcmp(own, axes[axis]) == 0)
            cJSON_ReplaceItemInArray(grid, axis,
                                     cJSON_Duplicate(cJSON_GetArrayItem(from, axis), true));
    }
}

bool launch_writer_require(launch_writer *w, const precondition *p)
{
    cJSON *fragment = precondition_json(w->ctx, w->c, p);
    const cJSON *assume, *item;
    if (!fragment)
        return false;
    merge_named(w->ctx, w->launch, fragment, "args", "name");
    merge_named(w->ctx, w->launch, fragment, "contents", "buffer");
    merge_grid(w->launch, fragment);
    assume = cJSON_GetObjectItemCaseSensitive(fragment, "assume");
    cJSON_ArrayForEach(item, assume) put_assume(w->launch, item->valuestring);
    cJSON_Delete(fragment);
    return true;
}

/* ---- Section: a launch ---- */

/* A launch of a file, with the names that fragments go by. */
static void name_args(cJSON *launch, const contract *c)
{
    cJSON *args = contract_list(launch, "args"), *arg;
    size_t i = 0;
    cJSON_ArrayForEach(arg, args)
    {
        if (i < c->n_args && !cJSON_GetObjectItemCaseSensitive(arg, "name"))
            cJSON_AddStringToObject(arg, "name", c->args[i].name);
        i++;
    }
    for (i = 0; i < c->n_args; i++) /* a list that goes by names may leave some out */
        if (!item_named(args, "name", c->args[i].name)) {
            cJSON_AddItemToArray(args, arg = cJSON_CreateObject());
            cJSON_AddStringToObject(arg, "name", c->args[i].name);
        }
}

void launch_writer_add(launch_writer *w, const contract *c, const char *shown, const char *stated,
                       const char ***lost)
{
    w->c = c;
    w->launch = stated ? cJSON_Parse(stated) : NULL;
    if (w->launch) {
        name_args(w->launch, c);
    } else {
        w->launch = cJSON_CreateObject();
        cJSON_AddStringToObject(w->launch, "kernel", shown);
        const statement s = {w->launch, w->ctx, c, lost};
        put_grid(&s);
        put_args(&s);
        put_facts(&s);
    }
    cJSON_AddItemToArray(w->launches, w->launch);
}

/* ---- Section: the file ---- */

/* The first version that has all keys of the object. */
static int version_of(launch_object object, const cJSON *json)
{
    size_t count;
    int version = 1;
    const launch_key *keys = launch_keys(&count);
    for (size_t i = 0; i < count; i++)
        if (keys[i].object == object && keys[i].since > version &&
            cJSON_GetObjectItemCaseSensitive(json, keys[i].key))
            version = keys[i].since;
    return version;
}

static bool has_plain_name(const cJSON *json)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(json, "name");
    return !name || contract_name_is_plain(name->valuestring);
}

static int version_of_list(launch_object object, const cJSON *list)
{
    const cJSON *item;
    int version = 1;
    cJSON_ArrayForEach(item, list)
    {
        int own = has_plain_name(item) ? version_of(object, item) : LAUNCH_FILE_VERSION;
        version = own > version ? own : version;
    }
    return version;
}

static int version_of_all(const cJSON *launches)
{
    const cJSON *launch;
    int version = version_of_list(LAUNCH_LAUNCH, launches);
    cJSON_ArrayForEach(launch, launches)
    {
        int of[] = {
            version_of_list(LAUNCH_ARG, cJSON_GetObjectItemCaseSensitive(launch, "args")),
            version_of_list(LAUNCH_CONTENTS, cJSON_GetObjectItemCaseSensitive(launch, "contents")),
        };
        for (size_t i = 0; i < TR_COUNT(of); i++)
            version = of[i] > version ? of[i] : version;
    }
    return version;
}

const char *launch_writer_text(launch_writer *w)
{
    cJSON *version = cJSON_GetObjectItemCaseSensitive(w->root, "version");
    cJSON_SetNumberValue(version, version_of_all(w->launches));
    char *printed = json_printed(w->root, JSON_LINES);
    const char *kept = tr_arena_printf(smt_arena(w->ctx), "%s\n", printed);
    cJSON_free(printed);
    return kept;
}

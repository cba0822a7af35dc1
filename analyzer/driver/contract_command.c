/* tilerace contract: what the sources state and the proofs ask for, as a launch contract. */
#include "driver/session.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "contract/expression.h"

static void put_term(cJSON *object, const char *key, smt_t term)
{
    smt_int value;
    if (!term)
        return;
    if (smt_is_const(term, &value) && value >= -(1ll << 53) && value <= 1ll << 53) {
        cJSON_AddNumberToObject(object, key, (double)value);
        return;
    }
    tr_text text = {0};
    smt_print_c(&text, term);
    cJSON_AddStringToObject(object, key, tr_text_get(&text));
    tr_text_free(&text);
}

static cJSON *array_of(cJSON *object, const char *key)
{
    cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    return array ? array : cJSON_AddArrayToObject(object, key);
}

/* ---- What the contract states ---- */

static void put_grid(cJSON *launch, const contract *c)
{
    int n = 3;
    while (n > 0 && !c->grid[n - 1])
        n--;
    bool all = n > 0;
    for (int axis = 0; axis < n; axis++)
        all = all && c->grid[axis];
    if (!all)
        return;
    cJSON *holder = cJSON_CreateObject();
    cJSON *grid = cJSON_AddArrayToObject(launch, "grid");
    for (int axis = 0; axis < n; axis++) {
        put_term(holder, "extent", c->grid[axis]);
        cJSON_AddItemToArray(grid, cJSON_DetachItemFromObject(holder, "extent"));
    }
    cJSON_Delete(holder);
}

static void put_contents(cJSON *launch, const contract *c, const contract_arg *arg)
{
    const contract_contents *known = &arg->contents;
    if (!known->unique && !known->increasing && !known->min && !known->max && !known->regions &&
        known->prefix_sum_of < 0)
        return;
    cJSON *contents = cJSON_CreateObject();
    cJSON_AddStringToObject(contents, "buffer", arg->buffer ? arg->buffer : arg->name);
    if (known->unique && known->unique_when)
        put_term(contents, "unique", known->unique_when);
    else if (known->unique)
        cJSON_AddTrueToObject(contents, "unique");
    if (known->increasing)
        cJSON_AddTrueToObject(contents, "increasing");
    put_term(contents, "min", known->min);
    put_term(contents, "max", known->max);
    put_term(contents, "regions", known->regions);
    if (known->prefix_sum_of >= 0 && (size_t)known->prefix_sum_of < c->n_args)
        cJSON_AddStringToObject(contents, "prefix_sum_of", c->args[known->prefix_sum_of].name);
    cJSON_AddItemToArray(array_of(launch, "contents"), contents);
}

/* Bounds that the contract's facts gave the parameter: those facts are the term TRUE since. */
static void put_range(cJSON *object, smt_ctx *ctx, const contract *c, size_t i)
{
    smt_int low, high, type_low, type_high;
    smt_bounds(contract_param(ctx, c, i), &low, &high);
    contract_type_range(&c->args[i], &type_low, &type_high);
    if (low == high) {
        put_term(object, "value", smt_int_const(ctx, low));
        return;
    }
    if (low > type_low)
        put_term(object, "min", smt_int_const(ctx, low));
    if (high < type_high)
        put_term(object, "max", smt_int_const(ctx, high));
}

static void put_args(cJSON *launch, smt_ctx *ctx, const contract *c)
{
    cJSON *args = cJSON_AddArrayToObject(launch, "args");
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", arg->name);
        if (arg->kind == CONTRACT_POINTER) {
            if (arg->buffer_stated && arg->buffer)
                cJSON_AddStringToObject(object, "buffer", arg->buffer);
            put_term(object, "elements", arg->elements);
            put_term(object, "offset", arg->offset);
            if (arg->covered != CONTRACT_NOT_COVERED)
                cJSON_AddStringToObject(object, "covered",
                                        arg->covered == CONTRACT_COVERED_ONCE ? "once" : "all");
            put_contents(launch, c, arg);
        } else if (arg->kind == CONTRACT_SCALAR) {
            put_range(object, ctx, c, i);
        }
        cJSON_AddItemToArray(args, object);
    }
}

/* Not every term can be said in a contract's expressions. */
static bool can_say(smt_ctx *ctx, const contract *c, const char *text)
{
    const char *why;
    return text && contract_expression_read(ctx, c, text, false, &why).term;
}

static void put_assume(cJSON *launch, const char *text)
{
    cJSON *list = array_of(launch, "assume");
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (strcmp(item->valuestring, text) == 0)
            return;
    }
    cJSON_AddItemToArray(list, cJSON_CreateString(text));
}

static void put_facts(cJSON *launch, session *s, smt_ctx *ctx, const contract *c)
{
    for (size_t i = 0; i < arrlenu(c->facts); i++) {
        const contract_fact *fact = &c->facts[i];
        if (smt_is_true(fact->term))
            continue;
        tr_text text = {0};
        smt_print_c(&text, fact->term);
        if (can_say(ctx, c, tr_text_get(&text)))
            put_assume(launch, tr_text_get(&text));
        else
            fprintf(s->err,
                    "tilerace: note: the source of '%s' states what a contract file cannot "
                    "say: %s\n",
                    c->kernel, fact->text ? fact->text : tr_text_get(&text));
        tr_text_free(&text);
    }
}

/* ---- What the proofs ask for besides ---- */

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

static void add_missing_members(cJSON *into, const cJSON *from)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, from)
    {
        if (!cJSON_GetObjectItemCaseSensitive(into, member->string))
            cJSON_AddItemToObject(into, member->string, cJSON_Duplicate(member, true));
    }
}

/* Objects of a list that are known by one of their members: args by name, contents by buffer. */
static void merge_named(cJSON *launch, const cJSON *fragment, const char *list, const char *key)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(fragment, list))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key));
        cJSON *own = item_named(array_of(launch, list), key, name);
        if (own)
            add_missing_members(own, item);
        else
            cJSON_AddItemToArray(array_of(launch, list), cJSON_Duplicate(item, true));
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

/* False, and nothing done, where the fragment cannot be read back. */
static bool merge_fragment(cJSON *launch, smt_ctx *ctx, const contract *c, const char *json)
{
    cJSON *fragment = json ? cJSON_Parse(json) : NULL;
    const cJSON *assume = cJSON_GetObjectItemCaseSensitive(fragment, "assume"), *item;
    bool good = fragment != NULL;
    cJSON_ArrayForEach(item, assume) good = good && can_say(ctx, c, cJSON_GetStringValue(item));
    if (good) {
        merge_named(launch, fragment, "args", "name");
        merge_named(launch, fragment, "contents", "buffer");
        merge_grid(launch, fragment);
        cJSON_ArrayForEach(item, assume) put_assume(launch, item->valuestring);
    }
    cJSON_Delete(fragment);
    return good;
}

/* What the contract states: as its file has it, so that nothing of that is lost, or else what the
 * source says. */
static cJSON *stated_launch(session *s, smt_ctx *ctx, const loaded_kernel *kernel, const char *name)
{
    const contract *c = kernel->contract;
    cJSON *launch = kernel->launch_json ? cJSON_Parse(kernel->launch_json) : NULL;
    if (!launch) {
        launch = cJSON_CreateObject();
        cJSON_AddStringToObject(launch, "kernel", name);
        put_grid(launch, c);
        put_args(launch, ctx, c);
        put_facts(launch, s, ctx, c);
        return launch;
    }
    cJSON *args = array_of(launch, "args"), *arg;
    size_t i = 0;
    cJSON_ArrayForEach(arg, args) /* fragments go by the names */
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
    return launch;
}

static cJSON *file_of_launches(cJSON **launches)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", 1);
    *launches = cJSON_AddArrayToObject(root, "launches");
    return root;
}

/* What a contract cannot say goes to `notes`, where that is not NULL. */
static cJSON *launch_of(session *s, smt_ctx *ctx, const loaded_kernel *kernel,
                        const kernel_report *report, FILE *notes)
{
    cJSON *launch = stated_launch(s, ctx, kernel, report->kernel);
    for (size_t i = 0; i < report->n_requires; i++)
        if (!merge_fragment(launch, ctx, kernel->contract, report->requires_[i].contract_json) &&
            notes)
            fprintf(notes, "tilerace: note: '%s' requires what a contract cannot say: %s\n",
                    report->kernel, report->requires_[i].text);
    return launch;
}

const char *contract_as_required(session *s, const loaded *input, const loaded_kernel *kernel,
                                 const kernel_report *report)
{
    cJSON *launches, *root = file_of_launches(&launches);
    cJSON_AddItemToArray(launches, launch_of(s, input->ctx, kernel, report, NULL));
    char *printed = cJSON_Print(root);
    const char *text = tr_arena_strdup(input->arena, printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    return text;
}

/* What the file does not change goes to the error stream. */
static void complain_of(session *s, const kernel_report *report)
{
    if (report->verdict == VERDICT_RACE)
        fprintf(s->err, "tilerace: note: '%s' races; this contract does not change that\n",
                report->kernel);
    if (report->verdict == VERDICT_UNKNOWN)
        fprintf(s->err, "tilerace: note: '%s' is not decided: %s\n", report->kernel,
                report->reason.text ? report->reason.text : reason_name(report->reason.kind));
}

static int write_contract(session *s, loaded *input)
{
    cJSON *launches, *root = file_of_launches(&launches);
    bool race = false;
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        const kernel_report *report =
            rules_check(input->arena, input->ctx, input->prover, input->kernels[i].function,
                        input->kernels[i].contract, &s->rules);
        cJSON_AddItemToArray(launches,
                             launch_of(s, input->ctx, &input->kernels[i], report, s->err));
        complain_of(s, report);
        race = race || report->verdict == VERDICT_RACE;
    }
    char *printed = cJSON_Print(root);
    tr_text text = {0};
    tr_text_addf(&text, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(root);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code != EXIT_CLEAN ? code : race ? EXIT_FINDINGS : EXIT_CLEAN;
}

int command_contract(session *s)
{
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    loaded input;
    load_input(s, s->options->files[0], 0, &input);
    int code = EXIT_BAD;
    if (tr_errors_count(&input.errors) > 0)
        load_complain(s, &input);
    else
        code = write_contract(s, &input);
    load_free(&input);
    return code;
}

/* Facts as the JSON of launch contracts: terms, contents, preconditions. */
#include "contract/contract_json.h"

#include "contract/expression.h"
#include "json/print.h"

/* An index is not negative: `index / 2` truncates as it floors, and needs no choice. */
const char *contract_term_text(smt_ctx *ctx, smt_t term)
{
    smt_t from[2] = {contract_value(ctx), contract_index(ctx)};
    smt_t to[2] = {smt_var(ctx, "value", SMT_NO_LOW, SMT_NO_HIGH),
                   smt_var(ctx, "index", 0, SMT_NO_HIGH)};
    tr_text text = {0};
    smt_print_c(&text, smt_contains(term, from[0]) || smt_contains(term, from[1])
                           ? smt_substitute(ctx, term, 2, from, to)
                           : term);
    const char *kept = tr_arena_strdup(smt_arena(ctx), tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

bool contract_can_say(smt_ctx *ctx, const contract *c, const char *text, bool in_contents)
{
    const char *why;
    return text && contract_expression_read(ctx, c, text, in_contents, &why).term;
}

/* JSON numbers are doubles. */
static bool is_exact_number(smt_t term, smt_int *value)
{
    return smt_is_const(term, value) && *value >= -(1ll << 53) && *value <= 1ll << 53;
}

void contract_put_term(smt_ctx *ctx, cJSON *object, const char *key, smt_t term)
{
    smt_int value;
    if (!term)
        return;
    if (is_exact_number(term, &value))
        cJSON_AddNumberToObject(object, key, (double)value);
    else
        cJSON_AddStringToObject(object, key, contract_term_text(ctx, term));
}

cJSON *contract_list(cJSON *object, const char *key)
{
    cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
    return array ? array : cJSON_AddArrayToObject(object, key);
}

/* The buffers whose elements are unique together with those of this one. */
static void put_tuple(cJSON *contents, const contract *c, const contract_contents *known)
{
    cJSON *with = known->n_tuple ? cJSON_AddArrayToObject(contents, "unique_with") : NULL;
    for (size_t i = 0; i < known->n_tuple; i++) {
        const contract_arg *arg = &c->args[known->tuple[i]];
        cJSON_AddItemToArray(with, cJSON_CreateString(contract_buffer_of(arg)));
    }
}

cJSON *contract_put_object(cJSON *launch, const contract *c, const contract_arg *arg)
{
    cJSON *contents = cJSON_CreateObject();
    cJSON_AddStringToObject(contents, "buffer", contract_buffer_of(arg));
    if (contract_is_shared(c, arg)) /* then it must be said where the elements are counted */
        cJSON_AddStringToObject(contents, "arg", arg->name);
    cJSON_AddItemToArray(contract_list(launch, "contents"), contents);
    return contents;
}

void contract_put_contents(smt_ctx *ctx, cJSON *launch, const contract *c, const contract_arg *arg,
                           const contract_contents *known)
{
    if (!known->unique && !known->increasing && !known->min && !known->max && !known->regions &&
        known->prefix_sum_of < 0 && !known->n_tuple)
        return;
    cJSON *contents = contract_put_object(launch, c, arg);
    if (known->unique && known->unique_when)
        contract_put_term(ctx, contents, "unique", known->unique_when);
    else if (known->unique || known->n_tuple)
        cJSON_AddTrueToObject(contents, "unique");
    put_tuple(contents, c, known);
    if (known->increasing)
        cJSON_AddTrueToObject(contents, "increasing");
    contract_put_term(ctx, contents, "min", known->min);
    contract_put_term(ctx, contents, "max", known->max);
    contract_put_term(ctx, contents, "regions", known->regions);
    if (known->prefix_sum_of >= 0 && (size_t)known->prefix_sum_of < c->n_args)
        cJSON_AddStringToObject(contents, "prefix_sum_of", c->args[known->prefix_sum_of].name);
}

/* ---- Section: preconditions ---- */

static cJSON *list_of_arg(cJSON *fragment, const contract_arg *arg)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", arg->name);
    cJSON_AddItemToArray(contract_list(fragment, "args"), object);
    return object;
}

static bool sayable(smt_ctx *ctx, const contract *c, smt_t term, bool in_contents)
{
    smt_int value;
    return !term || is_exact_number(term, &value) ||
           contract_can_say(ctx, c, contract_term_text(ctx, term), in_contents);
}

static bool put_contents(smt_ctx *ctx, cJSON *fragment, const contract *c, const precondition *p)
{
    contract_contents said = p->contents;
    const contract_contents *known = &said;
    int *tuple = TR_NEW_ARRAY(smt_arena(ctx), int, p->n_args + 1);
    for (size_t i = 1; i < p->n_args; i++) /* the first one is the subject */
        tuple[said.n_tuple++] = (int)p->args[i];
    if (said.n_tuple)
        said.tuple = tuple;
    if ((said.n_tuple && known->unique_when) || !sayable(ctx, c, known->unique_when, true) ||
        !sayable(ctx, c, known->min, true) || !sayable(ctx, c, known->max, true) ||
        !sayable(ctx, c, known->regions, true))
        return false;
    contract_put_contents(ctx, fragment, c, &c->args[p->subject.arg], known);
    return cJSON_GetObjectItemCaseSensitive(fragment, "contents") != NULL;
}

static bool put_term(smt_ctx *ctx, cJSON *fragment, const contract *c, smt_t term)
{
    if (!sayable(ctx, c, term, false))
        return false;
    cJSON_AddItemToArray(contract_list(fragment, "assume"),
                         cJSON_CreateString(contract_term_text(ctx, term)));
    return true;
}

/* Writes one axis at 1, and nothing of the others; or all of them, where no single one is meant. */
static void put_axis(cJSON *fragment, precondition_subject subject)
{
    bool all = subject.kind != PRECONDITION_OF_GRID;
    static const char *const names[3] = {"grid.x", "grid.y", "grid.z"};
    cJSON *grid = cJSON_AddArrayToObject(fragment, "grid");
    for (int i = 0; i < 3; i++)
        cJSON_AddItemToArray(grid, all || i == subject.axis ? cJSON_CreateNumber(1)
                                                            : cJSON_CreateString(names[i]));
}

static bool put_extent(smt_ctx *ctx, cJSON *fragment, const contract *c, const precondition *p)
{
    if (!sayable(ctx, c, p->elements, false) || !sayable(ctx, c, p->bytes, false))
        return false;
    cJSON *object = list_of_arg(fragment, &c->args[p->subject.arg]);
    contract_put_term(ctx, object, "elements", p->elements);
    contract_put_term(ctx, object, "bytes", p->bytes);
    return true;
}

static bool put_buffers(cJSON *fragment, const contract *c, const precondition *p)
{
    for (size_t i = 0; i < p->n_args; i++) {
        const contract_arg *arg = &c->args[p->args[i]];
        cJSON_AddStringToObject(list_of_arg(fragment, arg), "buffer", contract_buffer_of(arg));
    }
    return p->n_args > 0;
}

cJSON *precondition_json(smt_ctx *ctx, const contract *c, const precondition *p)
{
    cJSON *fragment = cJSON_CreateObject();
    bool said = !p->unspeakable;
    if (!said)
        ;
    else if (p->kind == PRECONDITION_GRID_AXIS)
        put_axis(fragment, p->subject);
    else if (p->term)
        said = put_term(ctx, fragment, c, p->term);
    else if (p->of_contents)
        said = put_contents(ctx, fragment, c, p);
    else if (p->elements || p->bytes)
        said = put_extent(ctx, fragment, c, p);
    else
        said = put_buffers(fragment, c, p);
    if (said)
        return fragment;
    cJSON_Delete(fragment);
    return NULL;
}

const char *precondition_fragment(smt_ctx *ctx, const contract *c, const precondition *p)
{
    cJSON *fragment = precondition_json(ctx, c, p);
    if (!fragment)
        return NULL;
    char *printed = json_printed(fragment, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(smt_arena(ctx), printed);
    cJSON_free(printed);
    cJSON_Delete(fragment);
    return kept;
}

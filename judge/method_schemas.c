/* Describes what the methods take and give, from the table of parameters and the published
 * schemas. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/embed.h"
#include "contract/expression.h"
#include "judge/methods.h"
#include "lsp/json.h"

TR_EMBED(schema_judge, "docs/judge.schema.json");
TR_EMBED(schema_report, "docs/report.schema.json");
TR_EMBED(schema_compare, "docs/compare.schema.json");

enum { IS_STRING = 1, IS_NUMBER = 2, IS_OBJECT = 4, IS_BOOL = 8 };

enum {
#define METHOD(id, name, title, function, goes_on, schema, about) OF_##id = 1 << METHOD_##id,
#include "judge/methods.def"
};

typedef struct param {
    unsigned methods;
    const char *name;
    unsigned kind;
    const char *about;
} param;

static const param params[] = {
#define PARAM(methods, name, kind, about) {methods, name, kind, about},
#include "judge/params.def"
};

/* ---- Section: Parameters ---- */

static const param *find(method_id id, const char *name)
{
    for (size_t i = 0; i < TR_COUNT(params); i++)
        if ((params[i].methods & (1u << id)) && strcmp(params[i].name, name) == 0)
            return &params[i];
    return NULL;
}

static unsigned kind_of(const cJSON *item)
{
    return (cJSON_IsString(item) ? IS_STRING : 0) | (cJSON_IsNumber(item) ? IS_NUMBER : 0) |
           (cJSON_IsObject(item) ? IS_OBJECT : 0) | (cJSON_IsBool(item) ? IS_BOOL : 0);
}

static const char *kind_name(unsigned kind)
{
    switch (kind) {
    case IS_STRING:
        return "string";
    case IS_NUMBER:
        return "integer";
    case IS_OBJECT:
        return "object";
    default:
        return "boolean";
    }
}

static const char *strange(tr_arena *arena, method_id id, const char *name)
{
    const char *names[TR_COUNT(params)];
    size_t n = 0;
    for (size_t i = 0; i < TR_COUNT(params); i++)
        if (params[i].methods & (1u << id))
            names[n++] = params[i].name;
    const char *near = contract_nearest(name, n, names);
    return tr_arena_printf(arena, "'%s' is not a parameter of %s%s%s%s", name, method_of(id)->name,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

const char *method_check_params(tr_arena *arena, method_id id, const cJSON *given)
{
    const cJSON *item;
    if (!cJSON_IsObject(given))
        return "the parameters have to be an object";
    cJSON_ArrayForEach(item, given)
    {
        const param *p = find(id, item->string);
        if (!p)
            return strange(arena, id, item->string);
        if (kind_of(item) != p->kind)
            return tr_arena_printf(arena, "'%s' has to be a JSON %s", p->name, kind_name(p->kind));
        if (cJSON_GetObjectItemCaseSensitive(given, item->string) != item)
            return tr_arena_printf(arena, "'%s' is stated twice", p->name);
    }
    return NULL;
}

cJSON *method_input_schema(method_id id)
{
    cJSON *schema = lsp_json_with_text(lsp_json_object(), "type", "object");
    cJSON *properties = lsp_json_object();
    for (size_t i = 0; i < TR_COUNT(params); i++) {
        if (!(params[i].methods & (1u << id)))
            continue;
        cJSON *one = lsp_json_with_text(lsp_json_object(), "type", kind_name(params[i].kind));
        lsp_json_with(properties, params[i].name,
                      lsp_json_with_text(one, "description", params[i].about));
    }
    lsp_json_with(schema, "properties", properties);
    return lsp_json_with_bool(schema, "additionalProperties", false);
}

/* ---- Section: Results ---- */

typedef cJSON *schema_function(void);

static cJSON *schema_of_judge(void)
{
    return cJSON_ParseWithLength(schema_judge, (size_t)(schema_judge_end - schema_judge));
}

static cJSON *schema_of_report(void)
{
    return cJSON_ParseWithLength(schema_report, (size_t)(schema_report_end - schema_report));
}

static cJSON *schema_of_comparison(void)
{
    return cJSON_ParseWithLength(schema_compare, (size_t)(schema_compare_end - schema_compare));
}

static cJSON *typed(const char *type)
{
    return lsp_json_with_text(lsp_json_object(), "type", type);
}

/* An object with that one property, which is required. */
static cJSON *object_with(const char *name, tr_take cJSON *property)
{
    cJSON *required = lsp_json_array();
    lsp_json_append(required, cJSON_CreateString(name));
    cJSON *schema = lsp_json_with(typed("object"), "properties",
                                  lsp_json_with(lsp_json_object(), name, property));
    return lsp_json_with(schema, "required", required);
}

static cJSON *schema_of_runs(void)
{
    return object_with("runs", lsp_json_with(typed("array"), "items", typed("object")));
}

static cJSON *schema_of_contract(void)
{
    return object_with("contract", typed("object"));
}

static cJSON *schema_of_explained(void)
{
    return object_with("text", typed("string"));
}

cJSON *method_output_schema(method_id id)
{
    static schema_function *const functions[] = {
#define METHOD(id, name, title, function, goes_on, schema, about) schema_of_##schema,
#include "judge/methods.def"
    };
    return functions[id]();
}

/* Reads the numbers and expressions of a launch file, and says why one is refused. */
#include "contract/contract.h"
#include "contract/expression.h"
#include "contract/launch_private.h"

const cJSON *launch_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

void launch_refuse(launch_builder *b, const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    launch_error(b->errors, b->file, where, "%s", tr_arena_vprintf(b->arena, format, arguments));
    va_end(arguments);
    b->failed = true;
}

const char *launch_path(launch_builder *b, const char *where, const char *key)
{
    return tr_arena_printf(b->arena, "%s.%s", where, key);
}

const char *launch_as_written(launch_builder *b, const cJSON *item)
{
    if (cJSON_IsString(item))
        return tr_arena_strdup(b->arena, item->valuestring);
    return tr_arena_printf(b->arena, "%.0f", item->valuedouble);
}

void launch_add_defined(launch_builder *b, smt_t defined, const char *text)
{
    if (!smt_is_true(defined))
        contract_add_fact(b->c, defined, text, NULL);
}

smt_t launch_expression(launch_builder *b, const cJSON *item, const char *where, bool boolean,
                        bool in_contents)
{
    const char *why = NULL;
    const char *text = launch_as_written(b, item);
    contract_expression e = contract_expression_read(b->ctx, b->c, text, in_contents, &why);
    if (!e.term) {
        launch_refuse(b, where, "%s", why);
        return NULL;
    }
    if (smt_is_bool(e.term) != boolean) {
        launch_refuse(b, where, "`%s` is %s.", text,
                      boolean ? "an integer; a condition is needed"
                              : "a condition; an integer is needed");
        return NULL;
    }
    if (!in_contents)
        launch_add_defined(b, e.defined, text);
    else if (!smt_is_true(e.defined)) {
        launch_refuse(b, where, "`%s` may divide by zero.", text);
        return NULL;
    }
    return e.term;
}

bool launch_read_number(launch_builder *b, const launch_numbers *may_be, const cJSON *item,
                        const char *where, int64_t *out)
{
    smt_t term = launch_expression(b, item, where, false, false);
    smt_int value;
    if (!term)
        return false;
    if (!smt_is_const(term, &value) || value < may_be->least || value > may_be->most) {
        launch_refuse(b, where, "%s", may_be->refusal);
        return false;
    }
    *out = (int64_t)value;
    return true;
}

bool launch_read_numbers(launch_builder *b, const launch_numbers *may_be, const cJSON *list,
                         const char *where, int64_t *out, size_t *n)
{
    const cJSON *item;
    *n = 0;
    cJSON_ArrayForEach(item, list)
    {
        const char *at = tr_arena_printf(b->arena, "%s[%zu]", where, *n);
        if (*n == (size_t)may_be->most_numbers) {
            launch_refuse(b, where, may_be->too_many, may_be->most_numbers);
            return false;
        }
        if (!launch_read_number(b, may_be, item, at, &out[(*n)++]))
            return false;
    }
    return true;
}

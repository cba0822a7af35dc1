#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

cJSON *json_text(writer *w, const char *string)
{
    return string ? cJSON_CreateString(utf8_clean(w->arena, string)) : cJSON_CreateNull();
}

/* cJSON's numbers are doubles, so integers go in as text. */
cJSON *json_int(int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    return cJSON_CreateRaw(digits);
}

cJSON *json_unsigned(uint64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    return cJSON_CreateRaw(digits);
}

cJSON *json_floats(size_t n, const double *values)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
    return list;
}

cJSON *json_ints(size_t n, const int64_t *values)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(array, json_int(values[i]));
    return array;
}

void json_put(cJSON *object, const char *key, cJSON *value)
{
    cJSON_AddItemToObject(object, key, value);
}

void json_write(writer *w, cJSON *root)
{
    char *printed = cJSON_Print(root);
    tr_text_add(w->out, printed);
    tr_text_add(w->out, "\n");
    cJSON_free(printed);
    cJSON_Delete(root);
}

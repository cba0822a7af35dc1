#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json/print.h"

cJSON *report_json_text(writer *w, const char *string)
{
    return string ? cJSON_CreateString(utf8_clean(w->arena, string)) : cJSON_CreateNull();
}

/* cJSON's numbers are doubles, so integers go in as text. */
cJSON *report_json_int(int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    return cJSON_CreateRaw(digits);
}

cJSON *report_json_unsigned(uint64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    return cJSON_CreateRaw(digits);
}

cJSON *report_json_floats(size_t n, const double *values)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
    return list;
}

cJSON *report_json_ints(size_t n, const int64_t *values)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(array, report_json_int(values[i]));
    return array;
}

void report_json_put(cJSON *object, const char *key, cJSON *value)
{
    cJSON_AddItemToObject(object, key, value);
}

void report_json_write(writer *w, cJSON *root)
{
    char *printed = json_printed(root, JSON_LINES);
    tr_text_add(w->out, printed);
    tr_text_add(w->out, "\n");
    cJSON_free(printed);
    cJSON_Delete(root);
}

/* Lines but the first stand `depth` deeper; in texts no line ends. */
static void print_deeper(writer *w, cJSON *value, int depth)
{
    char *printed = json_printed(value, JSON_LINES);
    for (const char *at = printed; *at;) {
        size_t length = strcspn(at, "\n");
        tr_text_addn(w->out, at, length);
        at += length;
        if (!*at)
            break;
        tr_text_addn(w->out, "\n\t\t\t\t\t\t", (size_t)depth + 1);
        at++;
    }
    cJSON_free(printed);
    cJSON_Delete(value);
}

void report_json_begin(writer *w, cJSON *root)
{
    static const char end[] = "\n}";
    print_deeper(w, root, 0);
    w->out->length -= sizeof end - 1;
    w->out->data[w->out->length] = 0;
}

static void begin_member(writer *w, const char *key)
{
    tr_text_addf(w->out, ",\n\t\"%s\":\t", key);
}

void report_json_write_member(writer *w, const char *key, cJSON *value)
{
    begin_member(w, key);
    print_deeper(w, value, 1);
}

void report_json_begin_array(writer *w, const char *key)
{
    begin_member(w, key);
    tr_text_add(w->out, "[");
}

void report_json_element(writer *w, bool is_first, cJSON *value)
{
    report_json_element_at(w, 2, is_first, value);
}

void report_json_element_at(writer *w, int depth, bool is_first, cJSON *value)
{
    if (!is_first)
        tr_text_add(w->out, ", ");
    print_deeper(w, value, depth);
}

void report_json_end_array(writer *w)
{
    tr_text_add(w->out, "]");
}

void report_json_end(writer *w)
{
    tr_text_add(w->out, "\n}\n");
}

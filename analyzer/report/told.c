/* Messages as data, between the process that checks and the compiler that shows them. */
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "json/print.h"

/* Strings go over as they are: a file's name need not be UTF-8. */
void report_write_told(tr_text *out, const report_told *told)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "severity", told->severity);
    cJSON_AddStringToObject(object, "text", told->text);
    if (told->rule)
        cJSON_AddStringToObject(object, "rule", told->rule);
    if (told->file)
        cJSON_AddStringToObject(object, "file", told->file);
    cJSON_AddNumberToObject(object, "line", told->line);
    cJSON_AddNumberToObject(object, "column", told->column);
    char *printed = json_printed(object, JSON_ONE_LINE);
    tr_text_addf(out, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(object);
}

static const char *string_of(tr_arena *arena, const cJSON *object, const char *key)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return value ? tr_arena_strdup(arena, value) : NULL;
}

static uint32_t number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) && item->valuedouble > 0 && item->valuedouble <= UINT32_MAX
               ? (uint32_t)item->valuedouble
               : 0;
}

bool report_read_message(tr_arena *arena, const char **at, report_told *told)
{
    size_t length = strcspn(*at, "\n");
    cJSON *object = **at == '{' ? cJSON_ParseWithLength(*at, length) : NULL;
    *told = (report_told){.severity = (report_severity)number_of(object, "severity"),
                          .text = string_of(arena, object, "text"),
                          .rule = string_of(arena, object, "rule"),
                          .file = string_of(arena, object, "file"),
                          .line = number_of(object, "line"),
                          .column = number_of(object, "column")};
    cJSON_Delete(object);
    if (!told->text || told->severity == REPORT_NO_MESSAGE || told->severity > REPORT_FATAL_ERROR)
        return false;
    *at += length + ((*at)[length] == '\n');
    return true;
}

/* JSON that is printed: UTF-8 without a character that people cannot see as it is (tr_is_shown).
 * Data stays data: such a character of a string is written as an escape, and who reads the JSON has
 * the string to the last character. */
#ifndef JSON_PRINT_H
#define JSON_PRINT_H

#include <cjson/cJSON.h>

#include "base/base.h"

typedef enum json_layout { JSON_LINES, JSON_ONE_LINE } json_layout;

/* The value as text, without a line end behind it, with U+FFFD for each byte that is not UTF-8;
 * cJSON_free frees it. Want of memory ends the
 * program (tr_no_memory). */
tr_give char *json_printed(const cJSON *value, json_layout layout);
/* Appends JSON, which is UTF-8, for a script of a page to show: what people cannot see as it is
 * becomes U+FFFD, and no string ends the script. */
void json_add_to_page(tr_text *out, const char *json);

#endif

/* JSON as messages have it: read without trust, made in few words. */
#ifndef LSP_JSON_H
#define LSP_JSON_H

#include "lsp/position.h"

typedef struct cJSON cJSON;

/* The message as JSON; NULL: it is none, or nests too deep. NUL characters, escaped, and halves of
 * surrogate pairs become other characters of the same width: cJSON would cut a text at the first
 * and refuse the second. */
tr_give cJSON *lsp_json_parse(tr_arena *arena, const char *text, size_t length);

/* ---- Section: Reading. `object` may be NULL, or no object. ---- */

/* The member at a path, "position.line"; NULL: there is none. */
const cJSON *lsp_json_at(const cJSON *object, const char *path);
const char *lsp_json_text_at(const cJSON *object, const char *path); /* NULL: there is none */
bool lsp_json_true_at(const cJSON *object, const char *path);
/* A whole number from 0 to `most`. */
bool lsp_json_number_at(const cJSON *object, const char *path, int64_t most, int64_t *number);
bool lsp_json_position_at(const cJSON *object, const char *path, lsp_position *position);
bool lsp_json_range_at(const cJSON *object, const char *path, lsp_range *range);

/* ---- Section: Making. Values are taken over. ---- */

cJSON *lsp_json_object(void);
cJSON *lsp_json_array(void);
/* Puts the value there and returns the object. */
cJSON *lsp_json_with(cJSON *object, const char *key, tr_take cJSON *value);
cJSON *lsp_json_with_text(cJSON *object, const char *key, const char *text);
cJSON *lsp_json_with_number(cJSON *object, const char *key, int64_t number);
cJSON *lsp_json_with_bool(cJSON *object, const char *key, bool value);
cJSON *lsp_json_range(lsp_range range);
void lsp_json_append(cJSON *array, tr_take cJSON *item);
/* Prints the value on one line; the caller frees it with cJSON_free. */
tr_give char *lsp_json_print(const cJSON *value);

#endif

/* JSON from outside: what is wrong in it has a place, and no key is there twice. */
#ifndef REPORT_JSON_READ_H
#define REPORT_JSON_READ_H

#include <cjson/cJSON.h>

#include "base/base.h"

typedef struct json_reader {
    tr_arena *arena;
    const char *path; /* set by report_json_read */
    tr_errors *errors;
} json_reader;

/* The whole file; NULL, with an error, where it cannot be read, is not JSON from some place on, has
 * a NUL in a string, or a key twice in one object. */
tr_give cJSON *report_json_read(json_reader *r, tr_file_kind kind, const char *path);
/* Adds "WHERE: SENTENCE." to the errors. */
void report_json_refuse(const json_reader *r, const char *where, const char *format, ...)
    TR_PRINTF(3, 4);
/* The member of that name, of that cJSON type; NULL, with an error, where there is none. */
const cJSON *report_json_member(const json_reader *r, const cJSON *object, const char *where,
                                const char *key, int kind);
/* Like report_json_member(), for a text that is not empty, as report_json_shown gives it. */
const char *report_json_line(const json_reader *r, const cJSON *object, const char *where,
                             const char *key);
/* A copy in UTF-8 in which control characters are "\x0a": they would go to a terminal, or end a
 * line. */
const char *report_json_shown(tr_arena *arena, const char *text);
/* Is it a number without a fraction from 0 on? */
bool report_json_whole(const cJSON *value, uint32_t *number);
/* False, with an error, where the object has another key. */
bool report_json_has_only(const json_reader *r, const cJSON *object, const char *where, size_t n,
                          const char *const *keys);

#endif

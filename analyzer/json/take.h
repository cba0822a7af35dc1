/* JSON from outside: what stands in it is kept to the last character, or all of it is refused.
 *
 * cJSON alone ends strings at a NUL, keeps two members of one name, passes over what stands behind
 * the value, and makes another number of one that no double holds. Whoever reads a file or another
 * program's words reads them here; what cJSON_Parse may be called for is JSON of our own. Lone
 * surrogates, NaN and more than a thousand objects in one another are no JSON to cJSON. */
#ifndef JSON_TAKE_H
#define JSON_TAKE_H

#include <cjson/cJSON.h>

#include "base/base.h"

typedef enum json_fault_kind {
    JSON_IS_GOOD,
    JSON_IS_NONE,     /* no JSON from there on */
    JSON_HAS_NUL,     /* as a byte, or as an escape of a string */
    JSON_LOSES_DIGIT, /* an integer that no double holds, or a number that none comes near */
    JSON_KEY_TWICE,   /* in one object */
} json_fault_kind;

typedef struct json_fault {
    json_fault_kind kind;
    size_t at;       /* byte of the text; 0 of JSON_KEY_TWICE */
    const char *key; /* of JSON_KEY_TWICE, in the arena; else NULL */
} json_fault;

typedef enum json_digits {
    JSON_ALL_DIGITS,   /* JSON_LOSES_DIGIT is a fault */
    JSON_LONG_AS_TEXT, /* what no double holds becomes a string of its digits */
} json_digits;

/* The whole text as one value, with blanks around it. NULL and *fault (may be NULL) where it is
 * none. */
tr_give cJSON *json_take(tr_arena *arena, const char *text, size_t length, json_digits digits,
                         json_fault *fault);
/* A sentence without its place, in the arena. */
const char *json_fault_text(tr_arena *arena, const json_fault *fault);

#endif

/* TOML 1.0 as data, each value with its place. toml++ does the reading (toml_parse.cpp), the only
 * C++ of the program. */
#ifndef SETTINGS_TOML_H
#define SETTINGS_TOML_H

#include "base/base.h"

/* The most that a file may have. Deeper ones are no configurations, but attempts at the stack. */
enum { TOML_MOST_BYTES = 1 << 20, TOML_MOST_DEPTH = 64 };

typedef enum toml_kind {
    TOML_TEXT,
    TOML_WHOLE,
    TOML_FLOAT, /* its value is not kept */
    TOML_TRUTH,
    TOML_TIME, /* a date, a time or both; its value is not kept */
    TOML_LIST,
    TOML_TABLE,
} toml_kind;

typedef struct toml_value {
    toml_kind kind;
    uint32_t line, column; /* from 1; columns count bytes */
    const char *text;      /* TOML_TEXT: with a NUL behind it; it may hold others */
    size_t length;
    int64_t whole;
    bool truth;
    size_t n; /* of a list or a table, whose members are in the order of the file */
    struct toml_value *items;
    const char *key; /* where it is a member of a table */
    size_t key_length;
    uint32_t key_line, key_column;
} toml_value;

/* The table that is the file; NULL and one error, with its place in `file`, where the text is no
 * TOML or goes beyond what a file may have. Everything lives in the arena. */
const toml_value *toml_read(tr_arena *arena, const char *file, const char *text, size_t length,
                            tr_errors *errors);
/* The member of a table; NULL: there is none. */
const toml_value *toml_member(const toml_value *table, const char *key);
const char *toml_kind_name(toml_kind kind); /* "a string" */

#endif

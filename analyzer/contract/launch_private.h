/* Private to the room: a read launch file, and how its errors say where. */
#ifndef CONTRACT_LAUNCH_PRIVATE_H
#define CONTRACT_LAUNCH_PRIVATE_H

#include "contract/launch_file.h"

#include <cjson/cJSON.h>

struct launch_file {
    tr_arena *arena; /* borrowed */
    const char *path;
    int version;
    cJSON *root; /* owned */
    const cJSON *launches;
    bool fills_are_facts;
};

/* An error at a JSON path such as "launches[0].args[2].min". */
void launch_error(tr_errors *errors, const launch_file *file, const char *where, const char *format,
                  ...) TR_PRINTF(4, 5);
/* launch_check.c: keys, types, enumerations; every error is reported. */
bool launch_check_form(launch_file *file, tr_errors *errors);
/* launch_file.c: the `which`-th launch of the kernel, and its number in the file. */
const cJSON *launch_file_find(const launch_file *file, const launch_kernel *kernel, size_t which,
                              size_t *number);
/* launch_merge.c: joins what the source and the file say of one thing. False: they contradict. */
bool launch_merge_term(smt_ctx *ctx, contract *c, smt_t *stated, smt_t added, const char *text);
bool launch_merge_buffers(tr_arena *arena, contract *c, const char *const *file_names,
                          const char **why);

/* ---- Section: one launch, read against a kernel ---- */

typedef struct launch_builder {
    smt_ctx *ctx;
    tr_arena *arena;
    const launch_file *file;
    const launch_kernel *kernel;
    contract *c;
    tr_errors *errors;
    const char *where; /* "launches[0]" */
    const cJSON *launch;
    const cJSON **args; /* per parameter: its object in the file, or NULL */
    const char **paths; /* per parameter: where that object is */
    const char **names; /* per parameter: stated by the module, or made up */
    const contract_values *
        *values;         /* per parameter: elements that are stated one by one; or NULL */
    size_t contents_arg; /* where an object of `contents` names an argument */
    bool has_contents_arg;
    bool failed;
} launch_builder;

/* launch_expressions.c: values of the file */
const cJSON *launch_get(const cJSON *object, const char *key);
/* Is it the integer that was written? Beyond 2^53 a JSON number may have lost its last digits
 * before anybody saw it. */
bool launch_is_exact(const cJSON *item);
/* "launches[0].args[2]" and "min": "launches[0].args[2].min". */
const char *launch_path(launch_builder *b, const char *where, const char *key);
/* launch_error(), and the launch gives no contract. */
void launch_refuse(launch_builder *b, const char *where, const char *format, ...) TR_PRINTF(3, 4);
/* An integer or boolean expression; NULL (and an error) where it cannot be read. Contents
 * expressions depend on an element, so their definedness is no fact of the launch: a divisor there
 * must be a constant or otherwise known. */
smt_t launch_expression(launch_builder *b, const cJSON *item, const char *where, bool boolean,
                        bool in_contents);
/* Adds the fact that what is written so is defined, unless it always is. */
void launch_add_defined(launch_builder *b, smt_t defined, const char *text);
/* The numbers that a launch may have, and what an error says of others. */
typedef struct launch_numbers {
    int64_t least, most;
    const char *refusal;  /* for what is no such number */
    int most_numbers;     /* of a list */
    const char *too_many; /* a format with the most, for a longer list */
} launch_numbers;

/* A number of the launch: an integer, or an expression without parameters. False: an error. */
bool launch_read_number(launch_builder *b, const launch_numbers *may_be, const cJSON *item,
                        const char *where, int64_t *out);
/* A list of `*n` such numbers, into an array of `most_numbers`. */
bool launch_read_numbers(launch_builder *b, const launch_numbers *may_be, const cJSON *list,
                         const char *where, int64_t *out, size_t *n);
/* A value as the user wrote it, for the texts of facts. */
const char *launch_as_written(launch_builder *b, const cJSON *item);
/* launch_surroundings.c: all but the arguments and contents */
void launch_read_surroundings(launch_builder *b);
/* launch_contents.c */
void launch_read_contents(launch_builder *b);
/* launch_fills.c: what `fill` says of integer buffers, as facts on their contents. */
void launch_read_fills(launch_builder *b);
/* launch_values.c: reads the elements that an object of `contents` states one by one, into
 * b->values. False: it states none. */
bool launch_read_values(launch_builder *b, const cJSON *contents, const char *where);
/* launch_table.c: reads the arrays that the table of argument i holds, into the contract, and its
 * words into b->values. */
void launch_read_table(launch_builder *b, size_t i);
/* launch_derive.c: what b->values mean, as facts; an error where the kernel's source states other
 * contents of the same buffer. */
void launch_derive_facts(launch_builder *b);

#endif

/* Private to the room: how the keys of a context are taken. */
#ifndef JUDGE_CONTEXT_PRIVATE_H
#define JUDGE_CONTEXT_PRIVATE_H

#include <cjson/cJSON.h>

#include "judge/context.h"

typedef enum context_object {
    CONTEXT,
    KERNEL,
    VARIANT,
    REFUSED,
    REFERENCE,
    LIMITS,
    CONTEXT_OBJECTS
} context_object;

typedef struct context_reader {
    tr_arena *arena;
    judge_context *into;
    const judge_door *door;
    tr_errors *errors;
} context_reader;

/* An error: `where`, a key, and `what` is wrong with it. `where` may be NULL. */
void context_complain(context_reader *r, const char *where, const char *what);
/* The keys of an object that is none of launch contracts. */
void context_read_object(context_reader *r, context_object kind, const cJSON *object);

/* context_values.c: what the table context_keys.def names, each for one key. */
#define KEY(object, name, kinds, take) void context_##take(context_reader *r, const cJSON *value);
#include "judge/context_keys.def"

#endif

/* The methods of `tilerace serve` and `tilerace mcp`: one table, done in processes of their own. */
#ifndef JUDGE_METHODS_H
#define JUDGE_METHODS_H

#include "judge/door.h"
#include "judge/watch.h"
#include "session/session.h"

typedef struct cJSON cJSON;

typedef enum method_id {
#define METHOD(id, name, title, function, goes_on, schema, about) METHOD_##id,
#include "judge/methods.def"
    METHOD_COUNT
} method_id;

typedef struct method {
    const char *name, *title, *about;
    bool goes_on;
} method;

const method *method_of(method_id id);
bool method_by_name(const char *name, method_id *id);
const char *method_nearest(const char *name); /* NULL: none is near */

typedef enum serve_error {
    SERVE_GOOD,
#define SERVE_ERROR(id, name, code, about) SERVE_##id,
#include "judge/serve_errors.def"
    SERVE_ERROR_COUNT
} serve_error;

typedef struct serve_error_info {
    const char *name;
    int code; /* of JSON-RPC */
} serve_error_info;

const serve_error_info *serve_error_of(serve_error error);

enum { METHOD_MOST_ANSWER = 31 << 20 };

/* Does it with the parameters, an object as text. SERVE_GOOD, and the result is appended: an object
 * on one line; else a sentence. What it needs is its own, and is released. */
serve_error method_do(const session *s, const judge_door *door, method_id id, const char *params,
                      size_t length, const judge_watch *watch, tr_text *answer);
/* Loads what the first request would wait for. */
void method_warm(const session *s);

/* The error in the names and kinds of the parameters: a sentence in the arena; NULL: none. */
const char *method_check_params(tr_arena *arena, method_id id, const cJSON *params);

/* Schemas of JSON Schema 2020-12, for the caller to delete. */
cJSON *method_input_schema(method_id id);
cJSON *method_output_schema(method_id id);

#endif

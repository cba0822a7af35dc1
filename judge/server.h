/* Shared by `tilerace serve` and `tilerace mcp`: lines of JSON in, requests to a crew, answers out.
 */
#ifndef JUDGE_SERVER_H
#define JUDGE_SERVER_H

#include "judge/crew.h"
#include "judge/lines.h"
#include "judge/methods.h"

typedef struct server server;

/* The id, as JSON, of an answer to a message that has no valid id. */
#define SERVER_NO_ID "null"

typedef struct server_request { /* that is not answered yet */
    uint64_t number;            /* of the crew */
    const char *id;             /* as JSON */
    method_id method;
    const char *progress; /* what progress is told by, as the protocol has it; NULL: by nothing */
    unsigned told;        /* how often it was */
    unsigned revision;    /* of the protocol, as it has it */
} server_request;

typedef struct protocol {
    /* A line that is JSON. */
    void (*message)(server *s, const cJSON *message);
    /* Called for what is no request, or none that is taken; `id` as JSON. */
    void (*refused)(server *s, const char *id, serve_error error, const char *why);
    void (*answered)(server *s, const server_request *r, const char *result, size_t length);
    void (*failed)(server *s, const server_request *r, serve_error error, const char *why);
    void (*at)(server *s, server_request *r, uint64_t combination, judge_phase phase);
    size_t most_result; /* bytes */
} protocol;

/* Serves standard input until it ends, and answers what was asked; or until nobody reads the
 * answers. An exit code. */
int server_run(session *s, const protocol *p);

/* ---- Section: For protocols ---- */

/* The number of the line that is being read, from 1. */
uint64_t server_line(const server *s);
/* The protocol's own state, zero at first: what was negotiated. */
unsigned *server_state(server *s);
/* Writes a line, to which the newline is added. */
void server_say(server *s, const char *text, size_t length);
/* Takes on a request: `id` and `params`, which may be NULL for an empty object, are copied. Refuses
 * an id that is in use. `progress`: JSON, or NULL; copied. */
void server_ask(server *s, const cJSON *id, method_id which, const cJSON *params,
                const cJSON *progress, unsigned revision);
/* Ends a request; nothing more is said of it. False: there is none with this id. */
bool server_cancel(server *s, const cJSON *id);
/* Is it an id: a string, or a whole number? */
bool server_is_id(const cJSON *id);
/* A sentence for a name that is no method. In the arena. */
const char *server_no_method(tr_arena *arena, const char *name);

#endif

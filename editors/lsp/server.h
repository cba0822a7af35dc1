/* Shared by the parts of the server. */
#ifndef LSP_SERVER_H
#define LSP_SERVER_H

#include "lsp/frames.h"
#include "lsp/json.h"
#include "lsp/lsp.h"

enum rpc_error {
#define RPC_ERROR(id, code) RPC_##id = code,
#include "lsp/errors.def"
};

enum {
    LSP_PAUSE_MS = 20,        /* without an edit: then a document is checked */
    LSP_LOOK_AGAIN_MS = 1000, /* whether recordings have changed */
    LSP_MOST_DOCUMENTS = 4096,
    LSP_LARGEST_DOCUMENT = 16 << 20,
};

typedef struct document {
    char *uri, *path; /* path NULL: it is no file */
    lsp_kind kind;
    int64_t version;
    tr_text text;
    const char *lost; /* why its text is not the client's; NULL: it is */
    int64_t checked;  /* version of the text that the last check looked at */
    uint64_t check;   /* number of the one that runs; 0: none does */
    int64_t due;      /* when to check it; INT64_MAX: not */
    cJSON *found;     /* what the last check told: diagnostics, actions, files; or NULL */
    cJSON *hovers;    /* or NULL */
    bool is_dirty;    /* edited since it was opened or saved */
    bool was_told;    /* the check that runs has told its findings */
    bool has_failed;  /* people have been shown that a check of it came to nothing */
    char *stamp;      /* of its recording, as it was checked; or NULL */
} document;

typedef struct waiting { /* a request that waits for the check of its document */
    cJSON *message;
    document *document;
} waiting;

typedef enum server_state { BEFORE, READY, SHUT_DOWN, OVER } server_state;

struct lsp_server {
    const lsp_checks *checks;
    size_t at_once, n_running;
    uint64_t last_number;
    server_state state;
    bool is_initialized; /* the client may be told what it did not ask for */
    bool watches_files;  /* it takes registrations for changes of files */
    bool was_shut_down;
    lsp_encoding encoding;
    int64_t client, now, looks_again;
    frames in;
    tr_text out;
    document **documents; /* stb_ds arrays */
    waiting *waiting;
    char **roots;
    char **warnings; /* kept until the client is ready */
};

/* ---- Section: Messages (server.c) ---- */

void lsp_server_answer(lsp_server *s, const cJSON *request, tr_take cJSON *result);
void lsp_server_refuse(lsp_server *s, const cJSON *request, enum rpc_error code, const char *why);
void lsp_server_notify(lsp_server *s, const char *method, tr_take cJSON *params);
typedef enum message_level { SHOW_ERROR = 1, SHOW_WARNING, SHOW_INFO, SHOW_LOG } message_level;
void lsp_server_show(lsp_server *s, message_level level, const char *text);
void lsp_server_log(lsp_server *s, const char *format, ...) TR_PRINTF(2, 3);

/* Every function of methods.def. `params` may be anything; a request's function sees to an answer.
 */
typedef void method_function(lsp_server *s, const cJSON *message, const cJSON *params);
#define METHOD(kind, name, function) method_function function;
#include "lsp/methods.def"

/* ---- Section: Documents (documents.c) ---- */

document *document_find(const lsp_server *s,
                        const cJSON *params); /* of textDocument.uri; or NULL */
void document_free(tr_take document *d);
/* A message came that may have been an edit of one of them, and nobody knows of which. */
void documents_doubt(lsp_server *s);
/* Like documents_doubt(), for the one that `params` speak of, if it speaks of one. */
void documents_doubt_one(lsp_server *s, const cJSON *params);

/* ---- Section: Checks (checks.c) ---- */

void checks_touch(lsp_server *s, document *d, int64_t due); /* its text or its files changed */
/* Documents that include the file at that path; NULL: all. */
void checks_touch_users(lsp_server *s, const char *path, int64_t due);
void checks_stop(lsp_server *s, document *d);
void checks_publish(lsp_server *s, const document *d, const cJSON *diagnostics);
bool checks_pending(const document *d);

/* ---- Section: Questions (answers.c) ---- */

void answers_give(lsp_server *s, const document *d); /* to what waited for its check */
void answers_refuse(lsp_server *s, const document *d, enum rpc_error code, const char *why);
void waiting_free(waiting *w);

#endif

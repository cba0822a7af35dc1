/* A server of the Language Server Protocol 3.17: bytes of a client in, bytes for it out.
 *
 * It reads no files, waits for nothing and starts nothing itself: checks of documents are started
 * and stopped by whoever made the server (serve.c), who tells it what came of them. */
#ifndef LSP_LSP_H
#define LSP_LSP_H

#include "lsp/position.h"

typedef struct lsp_server lsp_server;

typedef enum lsp_kind {
    LSP_OTHER,    /* nothing of it is checked */
    LSP_SOURCE,   /* C with kernels of the dialect */
    LSP_RECORDED, /* a recording may know kernels of it */
} lsp_kind;

typedef struct lsp_task {
    lsp_kind kind;
    const char *path;
    lsp_encoding encoding;
    tr_unsaved unsaved; /* all that is open */
    size_t n_roots;     /* folders of the workspace */
    const char *const *roots;
} lsp_task;

typedef struct lsp_checks {
    void *user;
    /* Starts a check, for which the number stands from now on. What the task points to lives until
     * the call returns. False, and *why (a sentence). */
    bool (*start)(void *user, uint64_t number, const lsp_task *task, const char **why);
    void (*stop)(void *user, uint64_t number); /* nothing more is told of it */
    /* Returns a text that changes when a recording of the file does; freed by the server. */
    char *(*stamp)(void *user, const lsp_task *task);
} lsp_checks;

/* Makes a server that runs at most `at_once` checks at a time. */
tr_give lsp_server *lsp_server_new(const lsp_checks *checks, size_t at_once);
void lsp_server_free(tr_take lsp_server *s);

/* ---- Section: What happens. Times are those of tr_now_ms. ---- */

void lsp_server_take(lsp_server *s, const char *bytes, size_t n, int64_t now);
/* Starts what is due; it need not be called before lsp_server_due. */
void lsp_server_run(lsp_server *s, int64_t now);
int64_t lsp_server_due(const lsp_server *s); /* INT64_MAX: nothing is */
/* A line that a check wrote, as inspect.h says. */
void lsp_server_told(lsp_server *s, uint64_t number, const char *line, size_t length);
/* The check is over; `why` it came to nothing, or NULL. */
void lsp_server_ended(lsp_server *s, uint64_t number, const char *why);
/* Shows people a sentence, once the client is ready for it. */
void lsp_server_warn(lsp_server *s, const char *sentence);

/* ---- Section: What comes of it ---- */

tr_text *lsp_server_output(lsp_server *s); /* for the client; whoever sends it empties it */
bool lsp_server_is_over(const lsp_server *s);
/* Did the client end as it should, after `shutdown`? */
bool lsp_server_was_shut_down(const lsp_server *s);
int64_t lsp_server_client(const lsp_server *s); /* its process, while it has said; else 0 */

#endif

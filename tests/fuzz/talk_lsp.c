/* The server's side of the Language Server Protocol: framing, JSON, methods, documents, edits.
 *
 * An input that begins with '{' is messages, one a line, which get headers here; any other input is
 * the bytes as they come. Checks come to an end at once, in one of the ways that checks do. */
#include <stdlib.h>
#include <string.h>

#include "lsp/frames.h"
#include "lsp/lsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct talk {
    lsp_server *server;
    uint64_t running[4];
    size_t n;
    int64_t now;
} talk;

static bool start(void *user, uint64_t number, const lsp_task *task, const char **why)
{
    talk *t = user;
    for (size_t i = 0; i < task->unsaved.n; i++)
        if (strlen(task->unsaved.files[i].text) != task->unsaved.files[i].length)
            abort(); /* a text with a NUL in it would be cut off */
    if (number % 7 == 6) {
        *why = "there is no room for it";
        return false;
    }
    t->running[t->n++] = number;
    return true;
}

static void stop(void *user, uint64_t number)
{
    talk *t = user;
    for (size_t i = 0; i < t->n; i++)
        if (t->running[i] == number)
            t->running[i--] = t->running[--t->n];
}

static char *stamp(void *user, const lsp_task *task)
{
    talk *t = user;
    (void)task;
    return strdup(t->now % 3 ? "now" : "then");
}

static void end_checks(talk *t)
{
    static const char told[] =
        "{\"kind\":\"findings\",\"diagnostics\":[{\"range\":{\"start\":{\"line\":0,\"character\":0}"
        ",\"end\":{\"line\":0,\"character\":9}},\"message\":\"m\"}],\"actions\":[{\"diagnostic\":0,"
        "\"title\":\"t\",\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":0,"
        "\"character\":0}},\"text\":\"\"}],\"files\":[\"/k.h\"]}";
    static const char hovers[] =
        "{\"kind\":\"hovers\",\"items\":[{\"range\":{\"start\":{\"line\":0,\"character\":0},"
        "\"end\":"
        "{\"line\":1,\"character\":9}},\"contents\":{\"kind\":\"markdown\",\"value\":\"v\"}}]}";
    while (t->n > 0) {
        uint64_t number = t->running[--t->n];
        if (number % 5 != 4)
            lsp_server_told(t->server, number, told, strlen(told));
        if (number % 5 != 3)
            lsp_server_told(t->server, number, hovers, strlen(hovers));
        lsp_server_ended(t->server, number, number % 3 == 2 ? "it died" : NULL);
    }
}

static void take(talk *t, const char *bytes, size_t size)
{
    lsp_server_take(t->server, bytes, size, t->now += 17);
    lsp_server_run(t->server, t->now);
    if (t->now % 2)
        end_checks(t);
    if (lsp_server_output(t->server)->length > 0)
        tr_text_clear(lsp_server_output(t->server));
}

static void take_message(talk *t, const char *text, size_t size)
{
    tr_text framed = {0};
    char *message = strndup(text, size);
    frames_write(&framed, message);
    take(t, framed.data, framed.length);
    tr_text_free(&framed);
    free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    talk t = {0};
    const lsp_checks checks = {&t, start, stop, stamp};
    t.server = lsp_server_new(&checks, TR_COUNT(t.running));
    const char *text = (const char *)data, *end = text + size;
    for (const char *at = text; size > 0 && *text == '{' && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *to = newline ? newline : end;
        take_message(&t, at, (size_t)(to - at));
        at = to + 1;
    }
    for (size_t at = 0; size > 0 && *text != '{' && at < size; at += 97)
        take(&t, text + at, size - at < 97 ? size - at : 97);
    end_checks(&t);
    lsp_server_free(t.server);
    return 0;
}

/* Keeps what a thread has just copied to the device in a stream: small tables that a front end
 * passes by memory, as cuTile Python does with lists of arrays. The next launch of the thread in
 * that stream reads them. Whatever else the thread does in a stream forgets them, so that nothing
 * stands here which something later has changed. */
#include "preload/private.h"

#include <string.h>

enum { MOST_COPIES = 8, MOST_BYTES = 8 << 10 };

typedef struct copied {
    cu_address to;
    size_t bytes, start; /* in `data` */
} copied;

static _Thread_local struct {
    cu_handle stream;
    size_t n, used;
    copied copies[MOST_COPIES];
    unsigned char data[MOST_BYTES];
} last;

void copies_forget(void)
{
    last.n = last.used = 0;
}

void copies_add(cu_handle stream, cu_address to, const void *from, size_t bytes)
{
    if (last.n > 0 && last.stream != stream)
        copies_forget();
    if (!from || last.n == MOST_COPIES || bytes > MOST_BYTES - last.used)
        return;
    for (size_t i = 0; i < last.n; i++) {
        copied *c = &last.copies[i];
        if (to < c->to + c->bytes && c->to < to + bytes)
            c->bytes = 0; /* overwritten */
    }
    memcpy(last.data + last.used, from, bytes);
    last.copies[last.n++] = (copied){to, bytes, last.used};
    last.stream = stream;
    last.used += bytes;
}

const void *copies_at(cu_handle stream, cu_address at, uint64_t *bytes)
{
    for (size_t i = 0; i < last.n && last.stream == stream; i++) {
        const copied *c = &last.copies[i];
        if (at < c->to || at - c->to >= c->bytes)
            continue;
        *bytes = c->bytes - (at - c->to);
        return last.data + c->start + (at - c->to);
    }
    *bytes = 0;
    return NULL;
}

/* The base protocol of LSP: messages behind headers, of which Content-Length counts.
 *
 * What comes need not be what a client would send. A message that is too long is passed over and
 * told of; after a header that is wrong, reading goes on at the next Content-Length. */
#ifndef LSP_FRAMES_H
#define LSP_FRAMES_H

#include "base/base.h"

enum { LSP_LONGEST_HEADER = 8 << 10, LSP_LONGEST_MESSAGE = 64 << 20 };

typedef enum frames_result {
    FRAMES_NONE,    /* what is there is not whole yet */
    FRAMES_MESSAGE, /* its text */
    FRAMES_WRONG,   /* what was passed over is told of */
} frames_result;

typedef struct frames { /* all zero: nothing has come */
    tr_text bytes;
    size_t taken;     /* of `bytes` */
    uint64_t skip;    /* of a message that is too long, so much is still to come */
    bool lost;        /* after a header that is wrong: looking for the next one */
    const char *text; /* FRAMES_MESSAGE: until the next call; FRAMES_WRONG: a sentence */
    size_t length;
} frames;

void frames_add(frames *f, const char *bytes, size_t n);
/* The next message, in f->text with a NUL behind it. */
frames_result frames_next(frames *f);
void frames_free(frames *f);

/* Appends the message with its header. */
void frames_write(tr_text *out, const char *message);

#endif

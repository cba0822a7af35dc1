/* Lines in from one descriptor, bytes out to another: for a poll loop that never waits for either.
 */
#ifndef JUDGE_LINES_H
#define JUDGE_LINES_H

#include "base/base.h"

typedef enum line_kind {
    LINE_NONE, /* not yet */
    LINE_WHOLE,
    LINE_TOO_LONG, /* its bytes were passed over */
} line_kind;

typedef struct lines_in {
    int fd;
    size_t most; /* bytes of one line */
    tr_text held;
    size_t at;       /* of what was handed out */
    size_t searched; /* no line ends before that */
    bool skips;      /* the rest of a line that is too long */
    bool has_ended;
    int error; /* errno: it could not be read to its end, and a line without an end is left out */
    uint64_t number; /* of the line that was handed out last, from 1 */
} lines_in;

/* Reads what is there: only where poll says that there is something. */
void lines_read(lines_in *in);
/* The next line without its end; a last one without an end counts. Valid until the next call. */
line_kind lines_next(lines_in *in, const char **line, size_t *length);
/* No more lines come. */
bool lines_are_over(const lines_in *in);
void lines_free(lines_in *in);

typedef struct lines_out {
    int fd;
    tr_text held;
    size_t at;
    bool is_gone; /* nobody reads */
    int error;    /* errno of the write that failed; or 0 */
} lines_out;

/* Writes a part: only where poll says that there is room. */
void lines_write(lines_out *out);
size_t lines_left(const lines_out *out);

#endif

#include "judge/lines.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* The rest cannot be read: a line that was begun has no end. */
static void cut_short(lines_in *in, int error)
{
    size_t length = in->held.length - in->at;
    const char *end = length ? memrchr(in->held.data + in->at, '\n', length) : NULL;
    in->held.length = end ? (size_t)(end + 1 - in->held.data) : in->at;
    in->skips = in->skips && end;
    in->error = error;
}

void lines_read(lines_in *in)
{
    char piece[PIECE];
    ssize_t n = read(in->fd, piece, sizeof piece);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n < 0)
        cut_short(in, errno);
    if (n <= 0) {
        in->has_ended = true;
        return;
    }
    tr_text_addn(&in->held, piece, (size_t)n);
}

static void forget_handed_out(lines_in *in)
{
    if (in->at == 0)
        return;
    in->held.length -= in->at;
    memmove(in->held.data, in->held.data + in->at, in->held.length);
    in->searched -= in->searched < in->at ? in->searched : in->at;
    in->at = 0;
}

/* The line that ends at `end`, its newline or the end of all. */
static line_kind hand_out(lines_in *in, size_t end, const char **line, size_t *length)
{
    bool was_skipped = in->skips;
    *line = in->held.data + in->at;
    *length = end - in->at;
    in->at = in->searched = end + (end < in->held.length);
    in->skips = false;
    in->number++;
    return was_skipped || *length > in->most ? LINE_TOO_LONG : LINE_WHOLE;
}

line_kind lines_next(lines_in *in, const char **line, size_t *length)
{
    const char *end = NULL;
    if (in->searched < in->held.length)
        end = memchr(in->held.data + in->searched, '\n', in->held.length - in->searched);
    if (end)
        return hand_out(in, (size_t)(end - in->held.data), line, length);
    in->searched = in->held.length;
    if (in->has_ended && (in->held.length > in->at || in->skips))
        return hand_out(in, in->held.length, line, length);
    forget_handed_out(in);
    if (in->held.length > in->most) {
        in->skips = true;
        in->held.length = in->searched = 0;
    }
    return LINE_NONE;
}

bool lines_are_over(const lines_in *in)
{
    return in->has_ended && in->at == in->held.length && !in->skips;
}

void lines_free(lines_in *in)
{
    tr_text_free(&in->held);
}

size_t lines_left(const lines_out *out)
{
    return out->held.length - out->at;
}

/* A pipe that has room at all takes that many bytes without blocking. */
void lines_write(lines_out *out)
{
    size_t left = lines_left(out);
    ssize_t n =
        left ? write(out->fd, out->held.data + out->at, left < PIPE_BUF ? left : PIPE_BUF) : 0;
    if (n < 0 && errno != EINTR && errno != EAGAIN) {
        out->is_gone = true;
        out->error = errno;
    }
    if (n > 0)
        out->at += (size_t)n;
    if (out->at == out->held.length) {
        tr_text_clear(&out->held);
        out->at = 0;
    } else if (out->at >= PIECE) {
        out->held.length -= out->at;
        memmove(out->held.data, out->held.data + out->at, out->held.length);
        out->at = 0;
    }
}

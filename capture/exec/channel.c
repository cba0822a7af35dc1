#include "exec/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AT_ONCE = 64 << 10 };

/* Room for AT_ONCE more bytes behind what is there. */
static bool make_room(channel *c)
{
    if (c->start > 0) {
        memmove(c->data, c->data + c->start, c->length - c->start);
        c->length -= c->start;
        c->start = 0;
    }
    if (c->room - c->length >= AT_ONCE)
        return true;
    size_t room = 2 * c->room + AT_ONCE;
    uint8_t *data = room <= 2 * (size_t)WIRE_LONGEST ? realloc(c->data, room) : NULL;
    if (!data)
        return false;
    c->data = data;
    c->room = room;
    return true;
}

channel_state channel_fill(channel *c)
{
    if (!make_room(c))
        return CHANNEL_BROKEN;
    ssize_t got = read(c->fd, c->data + c->length, c->room - c->length);
    if (got > 0)
        c->length += (size_t)got;
    if (got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN)))
        return CHANNEL_OPEN;
    return got == 0 || errno == ECONNRESET ? CHANNEL_CLOSED : CHANNEL_BROKEN;
}

const uint8_t *channel_next(channel *c, size_t *length, bool *broken)
{
    *length = wire_frame(c->data + c->start, c->length - c->start, broken);
    if (*length == 0)
        return NULL;
    const uint8_t *frame = c->data + c->start;
    c->start += *length;
    return frame;
}

bool channel_send(int fd, const void *frame, size_t length)
{
    const uint8_t *at = frame;
    while (length > 0) {
        ssize_t sent = send(fd, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool channel_send_writer(int fd, wire_writer *w)
{
    return wire_end(w) && channel_send(fd, w->data, w->length);
}

void channel_close(channel *c)
{
    if (c->fd >= 0)
        close(c->fd);
    free(c->data);
    *c = (channel){.fd = -1};
}

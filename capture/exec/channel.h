/* A socket on which frames of the wire come and go. */
#ifndef EXEC_CHANNEL_H
#define EXEC_CHANNEL_H

#include "wire/wire.h"

typedef struct channel {
    int fd;
    uint8_t *data; /* what has come and was not taken yet; of malloc */
    size_t start, length, room;
} channel;

typedef enum channel_state {
    CHANNEL_OPEN,
    CHANNEL_CLOSED, /* the other side has gone; what came before can still be taken */
    CHANNEL_BROKEN, /* what came is no conversation, or it cannot be read */
} channel_state;

/* Takes in what is there; waits for it if the socket blocks and nothing is there. */
channel_state channel_fill(channel *c);
/* The next whole frame, valid until the next call of channel_fill(); NULL: there is none yet. */
const uint8_t *channel_next(channel *c, size_t *length, bool *broken);
/* Sends a frame whole. False: the other side has gone, or does not read. */
bool channel_send(int fd, const void *frame, size_t length);
bool channel_send_writer(int fd, wire_writer *w); /* a frame that is not ended yet */
void channel_close(channel *c);

#endif

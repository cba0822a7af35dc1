/* Fuzz target: what comes over the wire of a program under `tilerace exec`. Frames are cut off the
 * bytes, and their fields read as a script says; nothing is read beyond the frame, and what was
 * read, written again, is the frame.
 *
 * The first byte is the length of the script, a byte a field: it is repeated for each frame. */
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FIELDS = 64 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s does not hold\n", #condition);                                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void read_bytes(wire_reader *r, wire_writer *again)
{
    size_t length = 1;
    const uint8_t *at = wire_read_bytes(r, &length);
    CHECK(length <= (size_t)(r->end - at) && (!r->failed || length == 0));
    wire_bytes(again, at, length);
}

static void read_text(wire_reader *r, wire_writer *again)
{
    const wire_reader before = *r;
    char *text = wire_read_text(r);
    wire_reader same = before;
    size_t length;
    const uint8_t *bytes = wire_read_bytes(&same, &length);
    CHECK(text && same.at == r->at && strlen(text) == strnlen((const char *)bytes, length));
    wire_bytes(again, bytes, length); /* a text ends at a zero byte, its bytes go on */
    free(text);
}

static void read_count(wire_reader *r, wire_writer *again, size_t least)
{
    uint32_t n = wire_read_count(r, least);
    CHECK(r->failed ? n == 0 : n * least <= (size_t)(r->end - r->at));
    wire_u32(again, n);
}

static void read_field(wire_reader *r, wire_writer *again, uint8_t kind)
{
    switch (kind % 6) {
    case 0:
        wire_u8(again, wire_read_u8(r));
        break;
    case 1:
        wire_u32(again, wire_read_u32(r));
        break;
    case 2:
        wire_u64(again, wire_read_u64(r));
        break;
    case 3:
        read_bytes(r, again);
        break;
    case 4:
        read_text(r, again);
        break;
    default:
        read_count(r, again, 1 + kind / 6);
    }
}

static void read_frame(const uint8_t *frame, size_t length, size_t n, const uint8_t *script)
{
    wire_reader r;
    wire_writer again = {0};
    wire_kind kind = wire_open(frame, length, &r);
    CHECK(kind < WIRE_N_KINDS && r.at <= r.end && r.end == frame + length);
    wire_begin(&again, kind);
    for (size_t i = 0; i < n && !wire_read_all(&r) && !r.failed; i++)
        read_field(&r, &again, script[i]);
    if (wire_read_all(&r)) {
        CHECK(wire_end(&again));
        CHECK(again.length == length && memcmp(again.data, frame, length) == 0);
    }
    if (r.failed) {
        CHECK(wire_read_u64(&r) == 0 && wire_read_count(&r, 1) == 0 && !wire_read_all(&r));
    }
    wire_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t n = data[0] % (MOST_FIELDS + 1);
    if (n > size - 1)
        n = size - 1;
    const uint8_t *script = data + 1;
    for (size_t at = 1 + n; at < size;) {
        bool bad;
        size_t length = wire_frame(data + at, size - at, &bad);
        CHECK(!bad || length == 0);
        if (length == 0)
            return 0;
        CHECK(length <= size - at);
        /* Exactly its size, so that the sanitizer sees a read behind the end. */
        uint8_t *frame = malloc(length);
        CHECK(frame);
        memcpy(frame, data + at, length);
        read_frame(frame, length, n, script);
        free(frame);
        at += length;
    }
    return 0;
}

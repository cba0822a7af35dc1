#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 8, /* the u32 length of what follows it, and the u32 kind, which the length counts */
    LENGTH = 4,
};

/* ---- Section: Writing ---- */

static bool make_room(wire_writer *w, size_t more)
{
    if (w->failed || more > WIRE_LONGEST - w->length)
        return !(w->failed = true);
    if (w->length + more <= w->room)
        return true;

    size_t room = w->room ? w->room : 256;
    while (room < w->length + more)
        room *= 2;
    uint8_t *data = realloc(w->data, room);
    if (!data)
        return !(w->failed = true);
    w->data = data;
    w->room = room;
    return true;
}

static void append(wire_writer *w, const void *data, size_t length)
{
    if (!make_room(w, length) || !length)
        return;
    memcpy(w->data + w->length, data, length);
    w->length += length;
}

static void little_endian(uint8_t *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void wire_begin(wire_writer *w, wire_kind kind)
{
    w->length = 0;
    w->failed = false;
    wire_u32(w, 0); /* wire_end() fills it in */
    wire_u32(w, kind);
}

void wire_u8(wire_writer *w, uint8_t value)
{
    append(w, &value, 1);
}

void wire_u32(wire_writer *w, uint32_t value)
{
    uint8_t bytes[4];
    little_endian(bytes, value, sizeof bytes);
    append(w, bytes, sizeof bytes);
}

void wire_u64(wire_writer *w, uint64_t value)
{
    uint8_t bytes[8];
    little_endian(bytes, value, sizeof bytes);
    append(w, bytes, sizeof bytes);
}

void wire_bytes(wire_writer *w, const void *data, size_t length)
{
    if (length > WIRE_LONGEST) {
        w->failed = true;
        return;
    }
    wire_u32(w, (uint32_t)length);
    append(w, data, length);
}

uint8_t *wire_room(wire_writer *w, size_t length)
{
    if (length > WIRE_LONGEST) {
        w->failed = true;
        return NULL;
    }
    wire_u32(w, (uint32_t)length);
    if (!make_room(w, length))
        return NULL;
    w->length += length;
    return w->data + w->length - length;
}

void wire_drop_room(wire_writer *w, size_t length)
{
    if (w->failed)
        return;
    w->length -= length;
    little_endian(w->data + w->length - 4, 0, 4);
}

size_t wire_later(wire_writer *w)
{
    wire_u32(w, 0);
    return w->length - 4;
}

void wire_now(wire_writer *w, size_t at, uint32_t value)
{
    if (!w->failed)
        little_endian(w->data + at, value, 4);
}

void wire_fields(wire_writer *w, const void *data, size_t length)
{
    append(w, data, length);
}

void wire_text(wire_writer *w, const char *text)
{
    wire_bytes(w, text, text ? strlen(text) : 0);
}

bool wire_end(wire_writer *w)
{
    if (w->failed)
        return false;
    little_endian(w->data, w->length - LENGTH, LENGTH);
    return true;
}

void wire_free(wire_writer *w)
{
    free(w->data);
    *w = (wire_writer){0};
}

/* ---- Section: Reading ---- */

static uint64_t number_at(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

size_t wire_frame(const uint8_t *data, size_t length, bool *bad)
{
    *bad = false;
    if (length < HEADER)
        return 0;
    uint64_t follows = number_at(data, LENGTH), kind = number_at(data + LENGTH, 4);
    *bad = follows < HEADER - LENGTH || follows > WIRE_LONGEST - LENGTH || kind >= WIRE_N_KINDS;
    return *bad || follows > length - LENGTH ? 0 : (size_t)follows + LENGTH;
}

wire_kind wire_open(const uint8_t *frame, size_t length, wire_reader *r)
{
    *r = (wire_reader){.at = frame + HEADER, .end = frame + length};
    return (wire_kind)number_at(frame + LENGTH, 4);
}

static uint64_t read_number(wire_reader *r, size_t bytes)
{
    if (r->failed || (size_t)(r->end - r->at) < bytes) {
        r->failed = true;
        return 0;
    }
    uint64_t value = number_at(r->at, bytes);
    r->at += bytes;
    return value;
}

uint8_t wire_read_u8(wire_reader *r)
{
    return (uint8_t)read_number(r, 1);
}

uint32_t wire_read_u32(wire_reader *r)
{
    return (uint32_t)read_number(r, 4);
}

uint64_t wire_read_u64(wire_reader *r)
{
    return read_number(r, 8);
}

const uint8_t *wire_read_bytes(wire_reader *r, size_t *length)
{
    *length = wire_read_u32(r);
    if (r->failed || (size_t)(r->end - r->at) < *length) {
        r->failed = true;
        *length = 0;
        return r->at;
    }
    const uint8_t *data = r->at;
    r->at += *length;
    return data;
}

char *wire_read_text(wire_reader *r)
{
    size_t length;
    const uint8_t *data = wire_read_bytes(r, &length);
    return strndup((const char *)data, length);
}

uint32_t wire_read_count(wire_reader *r, size_t least)
{
    uint32_t n = wire_read_u32(r);
    if (!r->failed && n <= (size_t)(r->end - r->at) / least)
        return n;
    r->failed = true;
    return 0;
}

bool wire_read_all(const wire_reader *r)
{
    return !r->failed && r->at == r->end;
}

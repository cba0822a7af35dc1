/* A launch while it is told: its fields in messages. */
#include "recorder/private.h"

#include <string.h>

uint64_t telling_address_of(const telling *t, size_t argument)
{
    uint64_t address = 0;
    size_t bytes = t->parameters.items[argument].bytes;
    memcpy(&address, t->launch->arguments[argument],
           bytes < sizeof address ? bytes : sizeof address);
    return address;
}

bool telling_is_pointer(const telling *t, size_t argument)
{
    uint8_t kind = t->parameters.items[argument].kind;
    return kind == WIRE_POINTER || kind == WIRE_POINTER_TO_FLOATS;
}

bool telling_is_readable(const telling *t, size_t argument)
{
    return t->pointers[argument].readable || t->pointers[argument].copied;
}

void telling_add(wire_writer *w, const telling *t)
{
    unsigned line;
    const char *file = place_get(&line);
    wire_u32(w, t->module);
    wire_text(w, t->launch->symbol);
    for (int i = 0; i < 3; i++)
        wire_u64(w, t->launch->grid[i]);
    wire_text(w, file);
    wire_u32(w, line);
    wire_u8(w, (t->launch->is_pdl ? WIRE_PDL : 0) | findings_asks());
    telling_add_arguments(w, t);
    wire_u8(w, (uint8_t)t->before);
    wire_u32(w, t->n_before);
    wire_fields(w, t->before_fields, t->before_length);
}

void telling_add_arguments(wire_writer *w, const telling *t)
{
    wire_u32(w, (uint32_t)t->parameters.n);
    for (size_t i = 0; i < t->parameters.n; i++) {
        wire_bytes(w, t->launch->arguments[i], t->parameters.items[i].bytes);
        wire_u64(w, t->pointers[i].allocation);
        wire_u64(w, t->pointers[i].allocation_bytes);
        wire_u8(w, telling_is_readable(t, i));
    }
}

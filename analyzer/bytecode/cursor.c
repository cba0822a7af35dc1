/* Reading numbers, never past the end. */
#include "bytecode/read.h"

void bc_fail(bc_reader *r, size_t offset, const char *format, ...)
{
    if (r->failed) {
        return;
    }
    r->failed = true;
    va_list arguments;
    va_start(arguments, format);
    const char *sentence = tr_arena_vprintf(r->scratch, format, arguments);
    va_end(arguments);
    tr_place place = {.file = r->path};
    unsigned minor = r->module->version_minor;
    const char *about =
        minor <= BYTECODE_NEWEST_READ
            ? ""
            : tr_arena_printf(r->scratch, " (version 13.%u; versions 13.1 to 13.%d are known)",
                              minor, BYTECODE_NEWEST_READ);
    tr_errors_add(r->errors, &place, "at byte %zu: %s%s", offset, sentence, about);
}

bc_cursor bc_range(size_t start, size_t end)
{
    return (bc_cursor){start, start, end};
}

uint64_t bc_little(bc_reader *r, bc_cursor *c, unsigned bytes, const char *what)
{
    if (r->failed) {
        return 0;
    }
    if (c->end - c->at < bytes) {
        bc_fail(r, c->at, "the data ends within %s", what);
        return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)r->data[c->at++] << (8 * i);
    }
    return value;
}

uint8_t bc_byte(bc_reader *r, bc_cursor *c, const char *what)
{
    return (uint8_t)bc_little(r, c, 1, what);
}

uint64_t bc_varint(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint64_t value = 0;
    for (unsigned shift = 0; !r->failed; shift += 7) {
        uint64_t byte = bc_byte(r, c, what);
        if (shift == 63 && byte > 1) {
            bc_fail(r, start, "the number for %s takes more than 64 bits", what);
            break;
        }
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return r->failed ? 0 : value;
        }
    }
    return 0;
}

int64_t bc_signed_varint(bc_reader *r, bc_cursor *c, const char *what)
{
    uint64_t value = bc_varint(r, c, what);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

uint64_t bc_count(bc_reader *r, bc_cursor *c, size_t item_bytes, const char *what)
{
    size_t start = c->at;
    uint64_t count = bc_varint(r, c, what);
    size_t left = c->end - c->at;
    if (!r->failed && count > left / item_bytes) {
        bc_fail(r, start, "%s is %llu, but only %zu bytes are left", what,
                (unsigned long long)count, left);
        return 0;
    }
    return count;
}

int64_t *bc_numbers(bc_reader *r, bc_cursor *c, unsigned bytes, uint64_t *count, const char *what)
{
    *count = bc_count(r, c, bytes, what);
    int64_t *numbers = TR_NEW_ARRAY(r->scratch, int64_t, *count + 1);
    unsigned unused = 64 - 8 * bytes;
    for (uint64_t i = 0; i < *count && !r->failed; i++) {
        numbers[i] = (int64_t)(bc_little(r, c, bytes, what) << unused) >> unused;
    }
    if (r->failed) {
        *count = 0;
    }
    return numbers;
}

void bc_align(bc_reader *r, bc_cursor *c, size_t alignment, const char *what)
{
    size_t behind = (c->at - c->start) % alignment;
    if (!r->failed && behind) {
        size_t padding = alignment - behind;
        if (c->end - c->at < padding) {
            bc_fail(r, c->at, "the data ends within the padding before %s", what);
        } else {
            c->at += padding;
        }
    }
}

void bc_expect_end(bc_reader *r, const bc_cursor *c, const char *what)
{
    if (!r->failed && c->at != c->end) {
        bc_fail(r, c->at, "%zu bytes are left behind %s", c->end - c->at, what);
    }
}

bool bc_afford(bc_reader *r, size_t offset, uint64_t more)
{
    uint64_t limit = BYTECODE_MEMORY_ANYHOW + (uint64_t)BYTECODE_MEMORY * r->size;
    uint64_t used = tr_arena_used(r->module->arena);
    if (!r->failed && (used > limit || more > limit - used)) {
        bc_fail(r, offset, "the module takes more than %d bytes of memory for each of its file's",
                BYTECODE_MEMORY);
    }
    return !r->failed;
}

bool bc_enter(bc_reader *r, int *depth, size_t offset, int limit, const char *what)
{
    if (!r->failed && *depth >= limit) {
        bc_fail(r, offset, "%s nest more than %d deep", what, limit);
    }
    if (r->failed) {
        return false;
    }
    ++*depth;
    return true;
}

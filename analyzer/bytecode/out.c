/* Writing numbers, and tables without doubles. */
#include "bytecode/write.h"
#include "base/ds.h"

#include <stdlib.h>

void bc_write_fail(bc_writer *w, const tr_place *place, const char *format, ...)
{
    w->failed = true;
    va_list arguments;
    va_start(arguments, format);
    const char *sentence = tr_arena_vprintf(w->scratch, format, arguments);
    va_end(arguments);
    tr_errors_add(w->errors, place, "%s", sentence);
}

bool bc_write_since(bc_writer *w, uint8_t since, const tr_place *place, const char *what,
                    const char *name)
{
    if (since > w->minor) {
        bc_write_fail(w, place, "%s '%s' cannot be written as version 13.%u: it came with 13.%u",
                      what, name, w->minor, since);
    }
    return since <= w->minor;
}

/* ---- Bytes ---- */

void bc_put(bc_out *out, const void *bytes, size_t size)
{
    if (out->capacity - out->size < size) {
        out->capacity = 2 * out->capacity + size + 64;
        out->data = realloc(out->data, out->capacity);
        if (!out->data) {
            tr_no_memory();
        }
    }
    if (size) {
        memcpy(out->data + out->size, bytes, size);
        out->size += size;
    }
}

void bc_put_byte(bc_out *out, unsigned byte)
{
    unsigned char one = (unsigned char)byte;
    bc_put(out, &one, 1);
}

void bc_put_little(bc_out *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        bc_put_byte(out, value >> (8 * i) & 0xff);
    }
}

void bc_put_varint(bc_out *out, uint64_t value)
{
    for (; value > 0x7f; value >>= 7) {
        bc_put_byte(out, 0x80 | (value & 0x7f));
    }
    bc_put_byte(out, (unsigned)value);
}

void bc_put_signed_varint(bc_out *out, int64_t value)
{
    bc_put_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void bc_put_align(bc_out *out, size_t alignment)
{
    while (out->size % alignment) {
        bc_put_byte(out, BC_PADDING);
    }
}

void bc_out_free(bc_out *out)
{
    free(out->data);
    *out = (bc_out){0};
}

/* ---- Pools ---- */

static size_t pool_start(const bc_pool *pool, size_t entry)
{
    return entry ? pool->ends[entry - 1] : 0;
}

static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash;
}

/* The slot that holds these bytes, or the free one where they belong. */
static uint32_t *slot_of(bc_pool *pool, const unsigned char *bytes, size_t size)
{
    size_t at = hash_of(bytes, size) & (pool->n_slots - 1);
    for (;; at = (at + 1) & (pool->n_slots - 1)) {
        uint32_t *slot = &pool->slots[at];
        if (*slot == 0) {
            return slot;
        }
        size_t start = pool_start(pool, *slot - 1);
        if (pool->ends[*slot - 1] - start == size &&
            (size == 0 || memcmp(pool->bytes.data + start, bytes, size) == 0)) {
            return slot;
        }
    }
}

static void grow(bc_pool *pool)
{
    free(pool->slots);
    pool->n_slots = pool->n_slots ? 2 * pool->n_slots : 64;
    pool->slots = calloc(pool->n_slots, sizeof *pool->slots);
    if (!pool->slots) {
        tr_no_memory();
    }
    for (size_t i = 0; i < arrlenu(pool->ends); i++) {
        size_t start = pool_start(pool, i);
        *slot_of(pool, pool->bytes.data + start, pool->ends[i] - start) = (uint32_t)i + 1;
    }
}

uint32_t bc_pool_number(bc_pool *pool, const void *bytes, size_t size)
{
    if (2 * arrlenu(pool->ends) >= pool->n_slots) {
        grow(pool);
    }
    uint32_t *slot = slot_of(pool, bytes, size);
    if (*slot == 0) {
        bc_put(&pool->bytes, bytes, size);
        arrput(pool->ends, pool->bytes.size);
        *slot = (uint32_t)arrlenu(pool->ends);
    }
    return *slot - 1;
}

size_t bc_pool_count(const bc_pool *pool)
{
    return arrlenu(pool->ends);
}

void bc_put_pool(bc_out *out, const bc_pool *pool, unsigned width)
{
    size_t count = bc_pool_count(pool);
    bc_put_varint(out, count);
    bc_put_align(out, width);
    for (size_t i = 0; i < count; i++) {
        bc_put_little(out, pool_start(pool, i), width);
    }
    bc_put(out, pool->bytes.data, pool->bytes.size);
}

void bc_pool_free(bc_pool *pool)
{
    bc_out_free(&pool->bytes);
    arrfree(pool->ends);
    free(pool->slots);
    *pool = (bc_pool){0};
}

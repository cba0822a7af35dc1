/* 128-bit hashes, which stand for what was hashed, and tables of them. */
#include "recorder/private.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

hash128 hash_bytes(const void *data, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(data, size);
    return (hash128){hash.low64, hash.high64};
}

void hash_begin(hash_parts *parts)
{
    parts->n = 0;
}

/* A full buffer is replaced by its hash, and filled further. */
static void compress(hash_parts *parts)
{
    hash128 hash = hash_bytes(parts->data, parts->n);
    memcpy(parts->data, &hash, sizeof hash);
    parts->n = sizeof hash;
}

void hash_add(hash_parts *parts, const void *data, size_t size)
{
    if (size > sizeof parts->data / 4) {
        hash128 hash = hash_bytes(data, size);
        hash_add(parts, &hash, sizeof hash);
        return;
    }
    if (size > sizeof parts->data - parts->n)
        compress(parts);
    if (size)
        memcpy(parts->data + parts->n, data, size);
    parts->n += size;
}

void hash_add_u64(hash_parts *parts, uint64_t value)
{
    hash_add(parts, &value, sizeof value);
}

hash128 hash_end(hash_parts *parts)
{
    return hash_bytes(parts->data, parts->n);
}

/* ---- Section: Tables ---- */

static struct hash_slot *slot_of(const hash_table *table, hash128 key)
{
    for (size_t at = key.low;; at++) {
        struct hash_slot *slot = &table->slots[at & (table->room - 1)];
        if (!slot->value || (slot->key.low == key.low && slot->key.high == key.high))
            return slot;
    }
}

uint32_t table_find(const hash_table *table, hash128 key)
{
    return table->room ? slot_of(table, key)->value : 0;
}

static bool grow(hash_table *table)
{
    hash_table larger = {.room = table->room ? 2 * table->room : 64, .n = table->n};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < table->room; i++) {
        if (table->slots[i].value)
            *slot_of(&larger, table->slots[i].key) = table->slots[i];
    }
    free(table->slots);
    *table = larger;
    return true;
}

bool table_put(hash_table *table, hash128 key, uint32_t value)
{
    /* At least a quarter of the slots stays free, so a search ends. */
    if (4 * (table->n + 1) > 3 * table->room && !grow(table))
        return false;
    struct hash_slot *slot = slot_of(table, key);
    table->n += !slot->value;
    *slot = (struct hash_slot){key, value};
    return true;
}

void table_clear(hash_table *table)
{
    free(table->slots);
    *table = (hash_table){0};
}

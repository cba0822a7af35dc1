/* Tile IR as nvcc puts it into objects and programs: an entry of a fat binary. */
#include "bytecode/bytecode.h"
#include "bytecode/format.h"
#include "bytecode/packed.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    PACKED_BY_LZ4 = 0x2000,
    PACKED_BY_ZSTD = 0x8000,
    LARGEST = 1 << 30, /* of modules: many times more than any has */
};

typedef struct entry_head { /* of one that holds Tile IR or machine code */
    fatbin_entry start;
    uint32_t name, name_size;
    uint64_t flags, reserved;
    uint64_t unpacked; /* size; 0: it is not compressed */
} entry_head;

static bool read_head(const unsigned char *entry, size_t size, uint16_t kind, entry_head *head)
{
    if (size < sizeof *head)
        return false;
    memcpy(head, entry, sizeof *head);
    const fatbin_entry *start = &head->start;
    return start->kind == kind && start->head >= sizeof *head && start->head <= size &&
           start->size <= size - start->head && start->packed <= start->size &&
           head->unpacked <= LARGEST;
}

/* Seven bits a byte, the lowest first. False: the bytes end, or there are more than 64 bits. */
static bool next_number(const unsigned char *bytes, size_t size, size_t *at, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64 && *at < size; shift += 7) {
        unsigned char byte = bytes[(*at)++];
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

size_t bytecode_length(const unsigned char *bytes, size_t size)
{
    size_t at = BC_MAGIC_SIZE + 4; /* and the version */
    while (at < size && bytes[at] != BC_SECTION_END) {
        unsigned char head = bytes[at++];
        uint64_t length, alignment = 1;
        if (!next_number(bytes, size, &at, &length) ||
            ((head & BC_SECTION_ALIGNED) && !next_number(bytes, size, &at, &alignment)) ||
            alignment == 0 || alignment > size)
            return 0;
        at = (at + alignment - 1) / alignment * alignment;
        if (at > size || length > size - at)
            return 0;
        at += length;
    }
    return at < size ? at + 1 : 0;
}

/* Zeros fill up an image that is not compressed. What is no bytecode is left as it is, for the
 * reader to say so. */
static size_t without_fill(const unsigned char *bytes, size_t size)
{
    size_t length = bytecode_length(bytes, size);
    return length ? length : size;
}

static bool unpack(const entry_head *head, const unsigned char *image, unsigned char *to)
{
    if (head->flags & PACKED_BY_ZSTD)
        return ZSTD_decompress(to, head->unpacked, image, head->start.packed) == head->unpacked;
    if (head->flags & PACKED_BY_LZ4)
        return head->start.packed <= LZ4_MAX_INPUT_SIZE &&
               LZ4_decompress_safe((const char *)image, (char *)to, (int)head->start.packed,
                                   (int)head->unpacked) == (int)head->unpacked;
    return false;
}

unsigned char *fatbin_unpack(const unsigned char *entry, size_t size, uint16_t kind,
                             size_t *unpacked)
{
    entry_head head;
    if (!read_head(entry, size, kind, &head))
        return NULL;
    const unsigned char *image = entry + head.start.head;
    bool is_packed = head.flags & (PACKED_BY_ZSTD | PACKED_BY_LZ4);
    *unpacked = is_packed ? head.unpacked : head.start.size;
    unsigned char *bytes = malloc(*unpacked + 1);
    if (bytes && !is_packed) {
        memcpy(bytes, image, head.start.size);
        if (kind == FATBIN_TILE_IR)
            *unpacked = without_fill(bytes, head.start.size);
    }
    if (!bytes || !is_packed || unpack(&head, image, bytes))
        return bytes;
    free(bytes);
    return NULL;
}

/* Returns how many bytes there are; 0: damaged, or packed in a way that is not known. */
static size_t unpack_start(const entry_head *head, const unsigned char *image, unsigned char *to,
                           size_t most)
{
    const size_t packed = head->start.packed;
    if (head->flags & PACKED_BY_ZSTD) {
        ZSTD_DCtx *context = ZSTD_createDCtx();
        ZSTD_inBuffer in = {image, packed, 0};
        ZSTD_outBuffer out = {to, most, 0};
        bool good = context;
        while (good && out.pos < most && in.pos < packed)
            good = !ZSTD_isError(ZSTD_decompressStream(context, &out, &in));
        ZSTD_freeDCtx(context);
        return good ? out.pos : 0;
    }
    if (!(head->flags & PACKED_BY_LZ4) || packed > LZ4_MAX_INPUT_SIZE)
        return 0;
    int n = LZ4_decompress_safe_partial((const char *)image, (char *)to, (int)packed, (int)most,
                                        (int)most);
    return n > 0 ? (size_t)n : 0;
}

unsigned char *fatbin_unpack_start(const unsigned char *entry, size_t size, uint16_t kind,
                                   size_t most, size_t *unpacked)
{
    entry_head head;
    if (!read_head(entry, size, kind, &head))
        return NULL;
    const unsigned char *image = entry + head.start.head;
    bool is_packed = head.flags & (PACKED_BY_ZSTD | PACKED_BY_LZ4);
    size_t whole = is_packed ? head.unpacked : head.start.size;
    *unpacked = whole < most ? whole : most;
    unsigned char *bytes = malloc(*unpacked + 1);
    if (bytes && !is_packed)
        memcpy(bytes, image, *unpacked);
    else if (bytes)
        *unpacked = unpack_start(&head, image, bytes, *unpacked);
    return bytes;
}

unsigned char *bytecode_unpack(const unsigned char *entry, size_t size, size_t *unpacked)
{
    return fatbin_unpack(entry, size, FATBIN_TILE_IR, unpacked);
}

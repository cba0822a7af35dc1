/* Fat binaries: what holds the images of one program for several architectures. Their layout is not
 * published; it is read as nvcc and fatbinary 13.4 write it, and what does not fit is no fat
 * binary. */
#include "recorder/private.h"

#define FATBIN_MAGIC  0xba55ed50u
#define WRAPPER_MAGIC 0x466243b1u

typedef struct fatbin_head {
    uint32_t magic;
    uint16_t version, header;
    uint64_t size; /* of all entries */
} fatbin_head;

typedef struct fatbin_entry {
    uint16_t kind, version;
    uint32_t header;
    uint64_t size;
    uint32_t compressed, options;
    uint16_t minor, major;
    uint32_t architecture; /* 90 for compute capability 9.0 */
} fatbin_entry;

enum { ENTRY_ELF = 2, ENTRY_TILE_IR = 0x80 };

static bool is_fatbin(const void *image, fatbin_head *head)
{
    return memory_try_read(head, (uintptr_t)image, sizeof *head) && head->magic == FATBIN_MAGIC &&
           head->header >= sizeof *head && head->size <= WIRE_LONGEST;
}

/* Reads the entry at `*at` and moves `*at` behind it. False: there is none, or it lies outside.
 * Only headers are read: libraries have hundreds of megabytes, and a driver loads few pages of
 * them. */
static bool next_entry(const void *image, uint64_t end, uint64_t *at, fatbin_entry *entry)
{
    if (*at > end || end - *at < sizeof *entry ||
        !memory_try_read(entry, (uintptr_t)image + *at, sizeof *entry) ||
        entry->header < sizeof *entry || entry->header > end - *at ||
        entry->size > end - *at - entry->header)
        return false;
    *at += entry->header + entry->size;
    return true;
}

size_t fatbin_size(const void *image)
{
    fatbin_head head;
    fatbin_entry entry;
    char last;
    if (!is_fatbin(image, &head))
        return 0;
    uint64_t at = head.header, end = head.header + head.size;
    while (next_entry(image, end, &at, &entry))
        ;
    return at == end && memory_try_read(&last, (uintptr_t)image + end - 1, 1) ? end : 0;
}

bool fatbin_is_tile(const void *image, uint64_t size)
{
    fatbin_head head;
    fatbin_entry entry;
    if (!is_fatbin(image, &head))
        return false;
    bool is_tile = false;
    uint64_t at = head.header, end = head.header + head.size;
    while (!is_tile && end <= size && next_entry(image, end, &at, &entry))
        is_tile = entry.kind == ENTRY_TILE_IR ||
                  (entry.kind == ENTRY_ELF &&
                   elf_is_tile((uintptr_t)image + at - entry.size, entry.size));
    return is_tile;
}

const void *fatbin_tile_ir(const void *image, unsigned architecture, size_t *size)
{
    fatbin_head head;
    fatbin_entry entry;
    const void *best = NULL;
    unsigned best_for = 0;
    if (!is_fatbin(image, &head))
        return NULL;
    uint64_t at = head.header, end = head.header + head.size;
    while (next_entry(image, end, &at, &entry)) {
        uint64_t bytes = entry.header + entry.size;
        bool is_better = !best || (entry.architecture <= architecture &&
                                   (best_for > architecture || entry.architecture > best_for));
        const char *start = (const char *)image + at - bytes;
        if (entry.kind != ENTRY_TILE_IR || !is_better || !image_is_there(start, bytes))
            continue;
        best = start;
        best_for = entry.architecture;
        *size = bytes;
    }
    return best;
}

const void *recorder_image_start(const void *image)
{
    struct {
        uint32_t magic, version;
        const void *image;
    } wrapper;
    bool is_wrapper = memory_try_read(&wrapper, (uintptr_t)image, sizeof wrapper) &&
                      wrapper.magic == WRAPPER_MAGIC;
    return is_wrapper ? wrapper.image : image;
}

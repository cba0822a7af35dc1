/* The layout of fat binaries' entries, between the files that look into them. It is not published;
 * it is read as nvcc and fatbinary 13.4 write it. The recorder has one of its own
 * (capture/recorder/fat_binary.c), as it includes nothing of the checker. */
#ifndef BYTECODE_PACKED_H
#define BYTECODE_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { FATBIN_MACHINE_CODE = 2, FATBIN_TILE_IR = 0x80 }; /* kinds of entries */

typedef struct fatbin_entry { /* how each begins */
    uint16_t kind, version;
    uint32_t head;   /* bytes before the image; texts may be among them */
    uint64_t size;   /* of the image, filled up to a multiple of 8 */
    uint32_t packed; /* its size without that; 0: it is not compressed */
    uint32_t options;
    uint16_t minor, major; /* of the image's own format */
    uint32_t architecture; /* 90 for sm_90 */
} fatbin_entry;

/* Unpacks the entry at `entry`, which is of that kind, on the heap; NULL: another kind, damaged,
 * truncated, or compressed in an unknown way. */
tr_give unsigned char *fatbin_unpack(const unsigned char *entry, size_t size, uint16_t kind,
                                     size_t *unpacked);
/* Like fatbin_unpack(), and of it no more than the first `most` bytes. */
tr_give unsigned char *fatbin_unpack_start(const unsigned char *entry, size_t size, uint16_t kind,
                                           size_t most, size_t *unpacked);

#endif

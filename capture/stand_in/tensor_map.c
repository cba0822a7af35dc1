/* Tensor maps: here no more than what they were made from. */
#include "stand_in/private.h"

#include <string.h>

enum { MOST_RANK = 5, LAST_TYPE = 15 };

typedef struct map {
    uint64_t address, extents[MOST_RANK];
    uint32_t rank, box[MOST_RANK];
    int type;
} map;
_Static_assert(sizeof(map) <= CU_TENSOR_MAP_BYTES, "a map has 128 bytes");

API cuTensorMapEncodeTiled(void *to, int type, uint32_t rank, void *address,
                           const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                           const uint32_t *steps, int interleave UNUSED, int swizzle UNUSED,
                           int promotion UNUSED, int fill UNUSED)
{
    if (!to || (uintptr_t)to % 64 || type < 0 || type > LAST_TYPE || !rank || rank > MOST_RANK ||
        (uintptr_t)address % 16 || !extents || (rank > 1 && !strides) || !box || !steps)
        return CU_INVALID_VALUE;
    map is = {.address = (uintptr_t)address, .rank = rank, .type = type};
    for (uint32_t i = 0; i < rank; i++) {
        if (!extents[i] || !box[i] || box[i] > 256)
            return CU_INVALID_VALUE;
        is.extents[i] = extents[i];
        is.box[i] = box[i];
    }
    memset(to, 0, CU_TENSOR_MAP_BYTES);
    memcpy(to, &is, sizeof is);
    return CU_SUCCESS;
}

API cuTensorMapReplaceAddress(void *to, void *address)
{
    uint64_t number = (uintptr_t)address;
    if (!to || (uintptr_t)to % 64 || number % 16)
        return CU_INVALID_VALUE;
    memcpy((char *)to + offsetof(map, address), &number, sizeof number);
    return CU_SUCCESS;
}

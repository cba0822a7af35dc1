/* Copying and filling of boxes of memory, at once. */
#include "stand_in/private.h"

#include <string.h>

typedef enum side { DEVICE, HOST, EITHER } side;

typedef struct box_side {
    side kind;
    uint64_t start;
    size_t pitch, slice;
} box_side;

/* Whether a side of a copy may be touched. The program's own memory is taken as it is given. */
static bool is_good(uint64_t address, size_t bytes, side kind)
{
    if (kind == HOST || (kind == EITHER && !memory_find(address)))
        return address;
    return memory_holds(address, bytes);
}

static cu_result copy_row(uint64_t to, side to_kind, uint64_t from, side from_kind, size_t bytes)
{
    if (!bytes)
        return CU_SUCCESS;
    if (!is_good(to, bytes, to_kind) || !is_good(from, bytes, from_kind))
        return CU_INVALID_VALUE;
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CU_SUCCESS;
}

/* False: the side is an array, which this driver does not have, or its numbers do not fit. */
static bool side_of(box_side *is, int type, const void *host, cu_address device, size_t x, size_t y,
                    size_t z, size_t pitch, size_t height, const cu_copy_3d *box)
{
    is->kind = type == CU_HOST_MEMORY ? HOST : type == CU_DEVICE_MEMORY ? DEVICE : EITHER;
    is->pitch = pitch ? pitch : x + box->width;
    uint64_t base = is->kind == HOST ? (uintptr_t)host : device;
    size_t rows = height ? height : y + box->height;
    size_t planes, last, bytes;
    return type >= CU_HOST_MEMORY && type <= CU_UNIFIED_MEMORY && type != CU_ARRAY_MEMORY &&
           (box->height * box->depth == 1 || is->pitch >= x + box->width) &&
           !__builtin_mul_overflow(is->pitch, rows, &is->slice) &&
           !__builtin_add_overflow(z, box->depth, &planes) &&
           !__builtin_mul_overflow(is->slice, planes, &bytes) &&
           !__builtin_mul_overflow(is->pitch, y, &last) &&
           !__builtin_add_overflow(base, z * is->slice + last + x, &is->start);
}

cu_result copy_3d(const cu_copy_3d *c)
{
    box_side to, from;
    if (!c->width || !c->height || !c->depth)
        return CU_SUCCESS;
    if (c->from_type == CU_ARRAY_MEMORY || c->to_type == CU_ARRAY_MEMORY)
        return CU_NOT_SUPPORTED;
    if (!side_of(&from, c->from_type, c->from_host, c->from_device, c->from_x, c->from_y, c->from_z,
                 c->from_pitch, c->from_height, c) ||
        !side_of(&to, c->to_type, c->to_host, c->to_device, c->to_x, c->to_y, c->to_z, c->to_pitch,
                 c->to_height, c))
        return CU_INVALID_VALUE;
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++) {
            cu_result result =
                copy_row(to.start + z * to.slice + y * to.pitch, to.kind,
                         from.start + z * from.slice + y * from.pitch, from.kind, c->width);
            if (result != CU_SUCCESS)
                return result;
        }
    }
    return CU_SUCCESS;
}

static void fill_row(unsigned char *to, unsigned value, unsigned element, size_t n)
{
    if (element == 1) {
        memset(to, (int)(value & 0xff), n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * element, &value, element); /* little-endian: the low bytes */
}

/* `pitch` is in bytes; `width` counts elements. */
cu_result fill_2d(cu_address to, size_t pitch, unsigned value, unsigned element, size_t width,
                  size_t height)
{
    size_t row, rows, bytes;
    if (!width || !height)
        return CU_SUCCESS;
    if ((element != 1 && element != 2 && element != 4) || to % element ||
        __builtin_mul_overflow(width, element, &row) || (height > 1 && pitch < row) ||
        __builtin_mul_overflow(pitch, height - 1, &rows) ||
        __builtin_add_overflow(rows, row, &bytes) || !memory_holds(to, bytes))
        return CU_INVALID_VALUE;
    for (size_t y = 0; y < height; y++)
        fill_row((unsigned char *)(uintptr_t)to + y * pitch, value, element, width);
    return CU_SUCCESS;
}

/* Copying and filling. All of it has happened when a call returns, in the order of the calls. */
#include "stand_in/private.h"

#include <string.h>

/* ---- Section: One row ---- */

typedef enum side { DEVICE, HOST, EITHER } side;

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

static int type_of(side kind)
{
    return kind == HOST ? CU_HOST_MEMORY : kind == DEVICE ? CU_DEVICE_MEMORY : CU_UNIFIED_MEMORY;
}

static cu_result copy_later(cu_handle graph, uint64_t to, side to_kind, uint64_t from,
                            side from_kind, size_t bytes)
{
    const cu_copy_3d copy = {
        .from_type = type_of(from_kind),
        .from_host = (const void *)(uintptr_t)from,
        .from_device = from,
        .to_type = type_of(to_kind),
        .to_host = (void *)(uintptr_t)to,
        .to_device = to,
        .width = bytes,
        .height = 1,
        .depth = 1,
    };
    return graph_add_copy(graph, &copy);
}

static cu_result copy(uint64_t to, side to_kind, uint64_t from, side from_kind, size_t bytes,
                      cu_handle stream)
{
    cu_handle graph = capture_graph(stream);
    if (graph)
        return copy_later(graph, to, to_kind, from, from_kind, bytes);
    return stream_is(stream) ? stream_worked(stream, RECORDER_ORDERED,
                                             copy_row(to, to_kind, from, from_kind, bytes))
                             : CU_INVALID_HANDLE;
}

/* The host waits for a copy that is not asynchronous. */
static cu_result host_waits(cu_result result)
{
    return driver_enter() ? driver_leave(stream_worked(NULL, RECORDER_WAITED, result)) : result;
}

static cu_result copy_in_stream(uint64_t to, side to_kind, uint64_t from, side from_kind,
                                size_t bytes, cu_handle stream)
{
    return LOCKED(copy(to, to_kind, from, from_kind, bytes, stream));
}

API cuMemcpy(cu_address to, cu_address from, size_t bytes)
{
    return host_waits(copy_in_stream(to, EITHER, from, EITHER, bytes, NULL));
}
ALSO(cuMemcpy, _ptds);

API cuMemcpyAsync(cu_address to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, EITHER, from, EITHER, bytes, stream);
}
ALSO(cuMemcpyAsync, _ptsz);

API cuMemcpyPeer(cu_address to, cu_handle to_context UNUSED, cu_address from,
                 cu_handle from_context UNUSED, size_t bytes)
{
    return host_waits(copy_in_stream(to, DEVICE, from, DEVICE, bytes, NULL));
}
ALSO(cuMemcpyPeer, _ptds);

API cuMemcpyPeerAsync(cu_address to, cu_handle to_context UNUSED, cu_address from,
                      cu_handle from_context UNUSED, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, DEVICE, from, DEVICE, bytes, stream);
}
ALSO(cuMemcpyPeerAsync, _ptsz);

API cuMemcpyHtoD_v2(cu_address to, const void *from, size_t bytes)
{
    return host_waits(copy_in_stream(to, DEVICE, (uintptr_t)from, HOST, bytes, NULL));
}
ALSO(cuMemcpyHtoD_v2, _ptds);

API cuMemcpyDtoH_v2(void *to, cu_address from, size_t bytes)
{
    return host_waits(copy_in_stream((uintptr_t)to, HOST, from, DEVICE, bytes, NULL));
}
ALSO(cuMemcpyDtoH_v2, _ptds);

API cuMemcpyDtoD_v2(cu_address to, cu_address from, size_t bytes)
{
    return copy_in_stream(to, DEVICE, from, DEVICE, bytes, NULL);
}
ALSO(cuMemcpyDtoD_v2, _ptds);

API cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, DEVICE, (uintptr_t)from, HOST, bytes, stream);
}
ALSO(cuMemcpyHtoDAsync_v2, _ptsz);

API cuMemcpyDtoHAsync_v2(void *to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream((uintptr_t)to, HOST, from, DEVICE, bytes, stream);
}
ALSO(cuMemcpyDtoHAsync_v2, _ptsz);

API cuMemcpyDtoDAsync_v2(cu_address to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, DEVICE, from, DEVICE, bytes, stream);
}
ALSO(cuMemcpyDtoDAsync_v2, _ptsz);

/* ---- Section: Boxes ---- */

typedef struct box_side {
    side kind;
    uint64_t start;
    size_t pitch, slice;
} box_side;

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

static cu_result copy_now_or_later(const cu_copy_3d *box, cu_handle stream)
{
    cu_handle graph = capture_graph(stream);
    if (graph)
        return graph_add_copy(graph, box);
    return stream_is(stream) ? stream_worked(stream, RECORDER_ORDERED, copy_3d(box))
                             : CU_INVALID_HANDLE;
}

static cu_result copy_box(const cu_copy_3d *box, cu_handle stream)
{
    return LOCKED(copy_now_or_later(box, stream));
}

API cuMemcpy3DAsync_v2(const cu_copy_3d *copy, cu_handle stream)
{
    return copy ? copy_box(copy, stream) : CU_INVALID_VALUE;
}
ALSO(cuMemcpy3DAsync_v2, _ptsz);

API cuMemcpy3D_v2(const cu_copy_3d *copy)
{
    return host_waits(cuMemcpy3DAsync_v2(copy, NULL));
}
ALSO(cuMemcpy3D_v2, _ptds);

API cuMemcpy2DAsync_v2(const cu_copy_2d *c, cu_handle stream)
{
    if (!c)
        return CU_INVALID_VALUE;
    cu_copy_3d copy = {
        .from_x = c->from_x,
        .from_y = c->from_y,
        .from_type = c->from_type,
        .from_host = c->from_host,
        .from_device = c->from_device,
        .from_pitch = c->from_pitch,
        .to_x = c->to_x,
        .to_y = c->to_y,
        .to_type = c->to_type,
        .to_host = c->to_host,
        .to_device = c->to_device,
        .to_pitch = c->to_pitch,
        .width = c->width,
        .height = c->height,
        .depth = 1,
    };
    return copy_box(&copy, stream);
}
ALSO(cuMemcpy2DAsync_v2, _ptsz);

API cuMemcpy2D_v2(const cu_copy_2d *copy)
{
    return host_waits(cuMemcpy2DAsync_v2(copy, NULL));
}
ALSO(cuMemcpy2D_v2, _ptds);

API cuMemcpy2DUnaligned_v2(const cu_copy_2d *copy)
{
    return host_waits(cuMemcpy2DAsync_v2(copy, NULL));
}
ALSO(cuMemcpy2DUnaligned_v2, _ptds);

/* ---- Section: Filling ---- */

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

static cu_result fill_in_stream(const cu_memset_node *f, cu_handle stream)
{
    cu_handle graph = capture_graph(stream);
    if (graph)
        return graph_add_fill(graph, f);
    return stream_is(stream) ? stream_worked(stream, RECORDER_ORDERED,
                                             fill_2d(f->to, f->pitch, f->value, f->element_bytes,
                                                     f->width, f->height))
                             : CU_INVALID_HANDLE;
}

#define FILL(bits, type)                                                                           \
    API cuMemsetD2D##bits##Async(cu_address to, size_t pitch, type value, size_t width,            \
                                 size_t height, cu_handle stream)                                  \
    {                                                                                              \
        const cu_memset_node fill = {to, pitch, value, sizeof(type), width, height};               \
        return LOCKED(fill_in_stream(&fill, stream));                                              \
    }                                                                                              \
    ALSO(cuMemsetD2D##bits##Async, _ptsz);                                                         \
    API cuMemsetD2D##bits##_v2(cu_address to, size_t pitch, type value, size_t width,              \
                               size_t height)                                                      \
    {                                                                                              \
        return cuMemsetD2D##bits##Async(to, pitch, value, width, height, NULL);                    \
    }                                                                                              \
    ALSO(cuMemsetD2D##bits##_v2, _ptds);                                                           \
    API cuMemsetD##bits##Async(cu_address to, type value, size_t n, cu_handle stream)              \
    {                                                                                              \
        return cuMemsetD2D##bits##Async(to, 0, value, n, 1, stream);                               \
    }                                                                                              \
    ALSO(cuMemsetD##bits##Async, _ptsz);                                                           \
    API cuMemsetD##bits##_v2(cu_address to, type value, size_t n)                                  \
    {                                                                                              \
        return cuMemsetD2D##bits##Async(to, 0, value, n, 1, NULL);                                 \
    }                                                                                              \
    ALSO(cuMemsetD##bits##_v2, _ptds);

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

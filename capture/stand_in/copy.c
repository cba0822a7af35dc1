/* Copying and filling. All of it has happened when a call returns, in the order of the calls. */
#include "stand_in/private.h"

/* ---- Section: Rows ---- */

static cu_result copy_now_or_later(const cu_copy_3d *box, cu_handle stream)
{
    cu_handle graph = capture_graph(stream);
    if (graph)
        return graph_add_copy(graph, box);
    return stream_is(stream) ? stream_worked(stream, RECORDER_ORDERED, copy_3d(box))
                             : CU_INVALID_HANDLE;
}

static cu_result copy(uint64_t to, int to_type, uint64_t from, int from_type, size_t bytes,
                      cu_handle stream)
{
    const cu_copy_3d row = {
        .from_type = from_type,
        .from_host = (const void *)(uintptr_t)from,
        .from_device = from,
        .to_type = to_type,
        .to_host = (void *)(uintptr_t)to,
        .to_device = to,
        .width = bytes,
        .height = 1,
        .depth = 1,
    };
    return copy_now_or_later(&row, stream);
}

/* The host waits for a copy that is not asynchronous. */
static cu_result host_waits(cu_result result)
{
    return driver_enter() ? driver_leave(stream_worked(NULL, RECORDER_WAITED, result)) : result;
}

static cu_result copy_in_stream(uint64_t to, int to_type, uint64_t from, int from_type,
                                size_t bytes, cu_handle stream)
{
    return LOCKED(copy(to, to_type, from, from_type, bytes, stream));
}

API cuMemcpy(cu_address to, cu_address from, size_t bytes)
{
    return host_waits(copy_in_stream(to, CU_UNIFIED_MEMORY, from, CU_UNIFIED_MEMORY, bytes, NULL));
}
ALSO(cuMemcpy, _ptds);

API cuMemcpyAsync(cu_address to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, CU_UNIFIED_MEMORY, from, CU_UNIFIED_MEMORY, bytes, stream);
}
ALSO(cuMemcpyAsync, _ptsz);

API cuMemcpyPeer(cu_address to, cu_handle to_context UNUSED, cu_address from,
                 cu_handle from_context UNUSED, size_t bytes)
{
    return host_waits(copy_in_stream(to, CU_DEVICE_MEMORY, from, CU_DEVICE_MEMORY, bytes, NULL));
}
ALSO(cuMemcpyPeer, _ptds);

API cuMemcpyPeerAsync(cu_address to, cu_handle to_context UNUSED, cu_address from,
                      cu_handle from_context UNUSED, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, CU_DEVICE_MEMORY, from, CU_DEVICE_MEMORY, bytes, stream);
}
ALSO(cuMemcpyPeerAsync, _ptsz);

API cuMemcpyHtoD_v2(cu_address to, const void *from, size_t bytes)
{
    return host_waits(
        copy_in_stream(to, CU_DEVICE_MEMORY, (uintptr_t)from, CU_HOST_MEMORY, bytes, NULL));
}
ALSO(cuMemcpyHtoD_v2, _ptds);

API cuMemcpyDtoH_v2(void *to, cu_address from, size_t bytes)
{
    return host_waits(
        copy_in_stream((uintptr_t)to, CU_HOST_MEMORY, from, CU_DEVICE_MEMORY, bytes, NULL));
}
ALSO(cuMemcpyDtoH_v2, _ptds);

API cuMemcpyDtoD_v2(cu_address to, cu_address from, size_t bytes)
{
    return copy_in_stream(to, CU_DEVICE_MEMORY, from, CU_DEVICE_MEMORY, bytes, NULL);
}
ALSO(cuMemcpyDtoD_v2, _ptds);

API cuMemcpyHtoDAsync_v2(cu_address to, const void *from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, CU_DEVICE_MEMORY, (uintptr_t)from, CU_HOST_MEMORY, bytes, stream);
}
ALSO(cuMemcpyHtoDAsync_v2, _ptsz);

API cuMemcpyDtoHAsync_v2(void *to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream((uintptr_t)to, CU_HOST_MEMORY, from, CU_DEVICE_MEMORY, bytes, stream);
}
ALSO(cuMemcpyDtoHAsync_v2, _ptsz);

API cuMemcpyDtoDAsync_v2(cu_address to, cu_address from, size_t bytes, cu_handle stream)
{
    return copy_in_stream(to, CU_DEVICE_MEMORY, from, CU_DEVICE_MEMORY, bytes, stream);
}
ALSO(cuMemcpyDtoDAsync_v2, _ptsz);

/* ---- Section: Boxes ---- */

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

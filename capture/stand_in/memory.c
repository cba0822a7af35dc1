/* The driver's functions for device memory. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>

enum { DEVICE_KINDS = 1 << MEMORY_DEVICE | 1 << MEMORY_MANAGED };

static cu_result allocate(memory_kind kind, size_t bytes, cu_address *address)
{
    cu_result result = context_needed();
    return result == CU_SUCCESS ? memory_new(kind, bytes, address) : result;
}

API cuMemGetInfo_v2(size_t *left, size_t *total)
{
    if (!left || !total)
        return CU_INVALID_VALUE;
    return LOCKED((*total = device_memory(), *left = *total - memory_in_use(), CU_SUCCESS));
}

API cuMemAlloc_v2(cu_address *address, size_t bytes)
{
    return LOCKED(allocate(MEMORY_DEVICE, bytes, address));
}

API cuMemAllocManaged(cu_address *address, size_t bytes, unsigned flags UNUSED)
{
    return LOCKED(allocate(MEMORY_MANAGED, bytes, address));
}

API cuMemAllocPitch_v2(cu_address *address, size_t *pitch, size_t width, size_t height,
                       unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16) || width > SIZE_MAX / 2)
        return CU_INVALID_VALUE;
    size_t row = (width + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    if (!row || height > SIZE_MAX / row)
        return CU_INVALID_VALUE;
    cu_result result = LOCKED(allocate(MEMORY_DEVICE, row * height, address));
    if (result == CU_SUCCESS)
        *pitch = row;
    return result;
}

/* Freeing nothing is allowed. */
API cuMemFree_v2(cu_address address)
{
    recorder_streams_waited(false); /* drivers do, and no documentation says so */
    return LOCKED(address ? memory_free(address, DEVICE_KINDS) : CU_SUCCESS);
}

static cu_result get_range(cu_address *start, size_t *bytes, cu_address address)
{
    const allocation *is = memory_find(address);
    if (!is)
        return CU_NOT_FOUND;
    if (start)
        *start = is->start;
    if (bytes)
        *bytes = is->bytes;
    return CU_SUCCESS;
}

API cuMemGetAddressRange_v2(cu_address *start, size_t *bytes, cu_address address)
{
    return LOCKED(get_range(start, bytes, address));
}

API cuMemAdvise(cu_address address, size_t bytes, int advice UNUSED, cu_device device UNUSED)
{
    return LOCKED(memory_holds(address, bytes) ? CU_SUCCESS : CU_INVALID_VALUE);
}

API cuMemAdvise_v2(cu_address address, size_t bytes, int advice, cu_location location UNUSED)
{
    return cuMemAdvise(address, bytes, advice, 0);
}

API cuMemPrefetchAsync(cu_address address, size_t bytes, cu_device device UNUSED, cu_handle stream)
{
    return LOCKED(!stream_is(stream)             ? CU_INVALID_HANDLE
                  : memory_holds(address, bytes) ? CU_SUCCESS
                                                 : CU_INVALID_VALUE);
}
ALSO(cuMemPrefetchAsync, _ptsz);

API cuMemPrefetchAsync_v2(cu_address address, size_t bytes, cu_location location UNUSED,
                          unsigned flags UNUSED, cu_handle stream)
{
    return cuMemPrefetchAsync(address, bytes, 0, stream);
}
ALSO(cuMemPrefetchAsync_v2, _ptsz);

/* ---- Section: Pools, which here are names only ---- */

static cu_result allocate_async(size_t bytes, cu_address *address, cu_handle pool, cu_handle stream)
{
    if (!stream_is(stream))
        return CU_INVALID_HANDLE;
    cu_handle graph = capture_graph(stream);
    cu_result result =
        graph ? graph_add_memory(graph, bytes, address) : memory_new(MEMORY_DEVICE, bytes, address);
    if (result == CU_SUCCESS)
        memory_set_flags(*address, 0, pool);
    return result;
}

/* The default pool; NULL: no memory. */
static cu_handle default_pool(void)
{
    static cu_handle pool;
    if (!object_get(OBJECT_POOL, pool))
        pool = object_add(OBJECT_POOL, calloc(1, 1));
    return pool;
}

API cuMemAllocAsync(cu_address *address, size_t bytes, cu_handle stream)
{
    return LOCKED(allocate_async(bytes, address, default_pool(), stream));
}
ALSO(cuMemAllocAsync, _ptsz);

API cuMemAllocFromPoolAsync(cu_address *address, size_t bytes, cu_handle pool, cu_handle stream)
{
    return LOCKED(object_get(OBJECT_POOL, pool) ? allocate_async(bytes, address, pool, stream)
                                                : CU_INVALID_HANDLE);
}
ALSO(cuMemAllocFromPoolAsync, _ptsz);

/* In a capture the memory lives as long as its node, so that the graph can be launched again. */
API cuMemFreeAsync(cu_address address, cu_handle stream)
{
    return LOCKED(!stream_is(stream)                  ? CU_INVALID_HANDLE
                  : address && !capture_graph(stream) ? memory_free(address, DEVICE_KINDS)
                                                      : CU_SUCCESS);
}
ALSO(cuMemFreeAsync, _ptsz);

API cuDeviceGetDefaultMemPool(cu_handle *pool, cu_device device)
{
    if (!pool)
        return CU_INVALID_VALUE;
    return LOCKED(device_is(device) ? (*pool = default_pool(), CU_SUCCESS) : CU_INVALID_DEVICE);
}

API cuDeviceGetMemPool(cu_handle *pool, cu_device device)
{
    return cuDeviceGetDefaultMemPool(pool, device);
}

API cuDeviceSetMemPool(cu_device device, cu_handle pool)
{
    return LOCKED(!device_is(device)              ? CU_INVALID_DEVICE
                  : object_get(OBJECT_POOL, pool) ? CU_SUCCESS
                                                  : CU_INVALID_HANDLE);
}

API cuMemPoolCreate(cu_handle *pool, const cu_pool_props *props)
{
    if (!pool || !props)
        return CU_INVALID_VALUE;
    return LOCKED((*pool = object_add(OBJECT_POOL, calloc(1, 1))) ? CU_SUCCESS : CU_OUT_OF_MEMORY);
}

API cuMemPoolDestroy(cu_handle pool)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    void *object = object_take(OBJECT_POOL, pool);
    free(object);
    return driver_leave(object ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuMemPoolTrimTo(cu_handle pool, size_t bytes UNUSED)
{
    return LOCKED(object_get(OBJECT_POOL, pool) ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuMemPoolSetAttribute(cu_handle pool, int attribute UNUSED, void *value)
{
    return LOCKED(!object_get(OBJECT_POOL, pool) ? CU_INVALID_HANDLE
                  : value                        ? CU_SUCCESS
                                                 : CU_INVALID_VALUE);
}

/* The first three attributes are whether memory is used again, ints; the others are bytes. */
API cuMemPoolGetAttribute(cu_handle pool, int attribute, void *value)
{
    if (!value || attribute < 1 || attribute > 8)
        return CU_INVALID_VALUE;
    memset(value, 0, attribute <= 3 ? sizeof(int) : sizeof(uint64_t));
    return LOCKED(object_get(OBJECT_POOL, pool) ? CU_SUCCESS : CU_INVALID_HANDLE);
}

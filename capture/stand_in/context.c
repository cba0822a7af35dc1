/* Contexts, and the stack of them that each thread has. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 128,
    FIRST_PRIMARY_ID = 1,
    LEAST_PRIORITY = 0,
    GREATEST_PRIORITY = -5,
    LIMITS = 8
};

typedef struct context {
    uint64_t id;
    unsigned flags;
    int cache_config;
    bool is_primary;
} context;

/* Guarded by the driver's lock. */
static struct {
    cu_handle primary;
    unsigned n_retained, primary_flags;
    uint64_t next_id;
    size_t limits[LIMITS];
} c = {.next_id = FIRST_PRIMARY_ID, .limits = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0}};

static _Thread_local struct {
    cu_handle stack[DEEPEST];
    size_t n;
} mine;

static cu_handle new_context(unsigned flags, bool is_primary)
{
    context *new = calloc(1, sizeof *new);
    if (new)
        *new = (context){c.next_id++, flags, 0, is_primary};
    return object_add(OBJECT_CONTEXT, new);
}

/* The device's primary context, which is made when it is first needed; NULL: no memory. */
static cu_handle primary_context(void)
{
    if (!object_get(OBJECT_CONTEXT, c.primary))
        c.primary = new_context(c.primary_flags, true);
    return c.primary;
}

cu_handle context_current(void)
{
    return mine.n ? mine.stack[mine.n - 1] : NULL;
}

cu_result context_needed(void)
{
    cu_handle current = context_current();
    if (!current)
        return CU_INVALID_CONTEXT;
    return object_get(OBJECT_CONTEXT, current) ? CU_SUCCESS : CU_CONTEXT_IS_DESTROYED;
}

static bool is_context(cu_handle handle)
{
    return object_get(OBJECT_CONTEXT, handle);
}

/* ---- Section: The primary context ---- */

static cu_result retain(cu_handle *handle)
{
    *handle = primary_context();
    c.n_retained += *handle != NULL;
    return *handle ? CU_SUCCESS : CU_OUT_OF_MEMORY;
}

API cuDevicePrimaryCtxRetain(cu_handle *handle, cu_device device)
{
    if (!handle)
        return CU_INVALID_VALUE;
    return LOCKED(device_is(device) ? retain(handle) : CU_INVALID_DEVICE);
}

static cu_result release(void)
{
    if (!c.n_retained)
        return CU_INVALID_CONTEXT;
    if (--c.n_retained == 0)
        free(object_take(OBJECT_CONTEXT, c.primary));
    return CU_SUCCESS;
}

API cuDevicePrimaryCtxRelease_v2(cu_device device)
{
    return LOCKED(device_is(device) ? release() : CU_INVALID_DEVICE);
}
SAME(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);

API cuDevicePrimaryCtxReset_v2(cu_device device)
{
    return LOCKED(device_is(device) ? CU_SUCCESS : CU_INVALID_DEVICE);
}
SAME(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);

API cuDevicePrimaryCtxSetFlags_v2(cu_device device, unsigned flags)
{
    return LOCKED(device_is(device) ? (c.primary_flags = flags, CU_SUCCESS) : CU_INVALID_DEVICE);
}
SAME(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);

API cuDevicePrimaryCtxGetState(cu_device device, unsigned *flags, int *active)
{
    if (!flags || !active)
        return CU_INVALID_VALUE;
    return LOCKED(device_is(device)
                      ? (*flags = c.primary_flags, *active = is_context(c.primary), CU_SUCCESS)
                      : CU_INVALID_DEVICE);
}

/* ---- Section: The stack ---- */

static cu_result push(cu_handle handle)
{
    if (!is_context(handle))
        return CU_INVALID_CONTEXT;
    if (mine.n == DEEPEST)
        return CU_OUT_OF_MEMORY;
    mine.stack[mine.n++] = handle;
    return CU_SUCCESS;
}

static cu_result create(cu_handle *handle, unsigned flags, cu_device device)
{
    if (!device_is(device))
        return CU_INVALID_DEVICE;
    *handle = new_context(flags, false);
    return *handle ? push(*handle) : CU_OUT_OF_MEMORY;
}

API cuCtxCreate_v2(cu_handle *handle, unsigned flags, cu_device device)
{
    return handle ? LOCKED(create(handle, flags, device)) : CU_INVALID_VALUE;
}

API cuCtxCreate_v3(cu_handle *handle, void *affinity UNUSED, int n, unsigned flags,
                   cu_device device)
{
    return n ? CU_NOT_SUPPORTED : cuCtxCreate_v2(handle, flags, device);
}

API cuCtxCreate_v4(cu_handle *handle, void *options UNUSED, unsigned flags, cu_device device)
{
    return cuCtxCreate_v2(handle, flags, device);
}

static cu_result destroy(cu_handle handle)
{
    const context *is = object_get(OBJECT_CONTEXT, handle);
    if (!is || is->is_primary)
        return CU_INVALID_CONTEXT;
    free(object_take(OBJECT_CONTEXT, handle));
    if (context_current() == handle)
        mine.n--;
    return CU_SUCCESS;
}

API cuCtxDestroy_v2(cu_handle handle)
{
    return LOCKED(destroy(handle));
}
SAME(cuCtxDestroy, cuCtxDestroy_v2);

API cuCtxPushCurrent_v2(cu_handle handle)
{
    return LOCKED(push(handle));
}
SAME(cuCtxPushCurrent, cuCtxPushCurrent_v2);

API cuCtxPopCurrent_v2(cu_handle *handle)
{
    if (!driver_is_initialised())
        return CU_NOT_INITIALIZED;
    if (!mine.n)
        return CU_INVALID_CONTEXT;
    mine.n--;
    if (handle)
        *handle = mine.stack[mine.n];
    return CU_SUCCESS;
}
SAME(cuCtxPopCurrent, cuCtxPopCurrent_v2);

/* Replaces the top of the stack; NULL removes it. */
static cu_result set(cu_handle handle)
{
    if (handle && !is_context(handle))
        return CU_INVALID_CONTEXT;
    mine.n -= mine.n > 0;
    return handle ? push(handle) : CU_SUCCESS;
}

API cuCtxSetCurrent(cu_handle handle)
{
    return LOCKED(set(handle));
}

API cuCtxGetCurrent(cu_handle *handle)
{
    if (!driver_is_initialised())
        return CU_NOT_INITIALIZED;
    if (!handle)
        return CU_INVALID_VALUE;
    *handle = context_current();
    return CU_SUCCESS;
}

/* ---- Section: What a context says ---- */

/* The current context, or the one that is given. */
static const context *of(cu_handle handle)
{
    return object_get(OBJECT_CONTEXT, handle ? handle : context_current());
}

API cuCtxGetDevice_v2(cu_device *device, cu_handle handle)
{
    if (!device)
        return CU_INVALID_VALUE;
    return LOCKED(of(handle) ? (*device = 0, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxGetDevice(cu_device *device)
{
    return cuCtxGetDevice_v2(device, NULL);
}

API cuCtxGetId(cu_handle handle, uint64_t *id)
{
    if (!id)
        return CU_INVALID_VALUE;
    return LOCKED(of(handle) ? (*id = of(handle)->id, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxGetFlags(unsigned *flags)
{
    if (!flags)
        return CU_INVALID_VALUE;
    return LOCKED(of(NULL) ? (*flags = of(NULL)->flags, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxGetApiVersion(cu_handle handle, unsigned *version)
{
    if (!version)
        return CU_INVALID_VALUE;
    return LOCKED(of(handle) ? (*version = 3020, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxSynchronize_v2(cu_handle handle)
{
    cu_result result = LOCKED(of(handle) ? CU_SUCCESS : CU_INVALID_CONTEXT);
    if (result == CU_SUCCESS)
        recorder_streams_waited(true);
    return result;
}

API cuCtxSynchronize(void)
{
    return cuCtxSynchronize_v2(NULL);
}

API cuCtxGetLimit(size_t *value, int limit)
{
    if (!value || limit < 0 || limit >= LIMITS)
        return CU_INVALID_VALUE;
    return LOCKED(of(NULL) ? (*value = c.limits[limit], CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxSetLimit(int limit, size_t value)
{
    if (limit < 0 || limit >= LIMITS)
        return CU_INVALID_VALUE;
    return LOCKED(of(NULL) ? (c.limits[limit] = value, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

API cuCtxGetCacheConfig(int *config)
{
    if (!config)
        return CU_INVALID_VALUE;
    return LOCKED(of(NULL) ? (*config = of(NULL)->cache_config, CU_SUCCESS) : CU_INVALID_CONTEXT);
}

static cu_result set_cache_config(int config)
{
    context *is = object_get(OBJECT_CONTEXT, context_current());
    if (is)
        is->cache_config = config;
    return is ? CU_SUCCESS : CU_INVALID_CONTEXT;
}

API cuCtxSetCacheConfig(int config)
{
    return LOCKED(set_cache_config(config));
}

API cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    if (!driver_is_initialised())
        return CU_NOT_INITIALIZED;
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return CU_SUCCESS;
}

API cuCtxEnablePeerAccess(cu_handle handle UNUSED, unsigned flags UNUSED)
{
    return CU_PEER_ACCESS_UNSUPPORTED;
}

API cuCtxDisablePeerAccess(cu_handle handle UNUSED)
{
    return CU_PEER_ACCESS_UNSUPPORTED;
}

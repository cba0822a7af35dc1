/* Streams: names of an order in which everything has already happened. */
#include "stand_in/private.h"

#include <stdlib.h>

enum { NON_BLOCKING = 1, FIRST_ID = 16 };

typedef struct stream {
    cu_handle context;
    unsigned flags;
    int priority;
    uint64_t id;
    cu_handle capture; /* see capture.c */
} stream;

static bool is_default(cu_handle handle)
{
    return !handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
}

bool stream_is(cu_handle handle)
{
    return is_default(handle) || object_get(OBJECT_STREAM, handle);
}

cu_handle *stream_capture(cu_handle handle)
{
    stream *is = object_get(OBJECT_STREAM, handle);
    return is ? &is->capture : NULL;
}

/* Finds what is known of a stream; false: there is none. */
static bool find(cu_handle handle, stream *is)
{
    const stream *made = object_get(OBJECT_STREAM, handle);
    if (made)
        *is = *made;
    else
        *is = (stream){.context = context_current(), .id = (uintptr_t)handle};
    return made || is_default(handle);
}

recorder_stream stream_told(cu_handle handle)
{
    static _Thread_local char of_thread;
    const stream *made = object_get(OBJECT_STREAM, handle);
    uint64_t id = (uintptr_t)handle;
    if (capture_graph(handle))
        return (recorder_stream){0};
    if (made)
        return (recorder_stream){id, made->flags & NON_BLOCKING ? RECORDER_NON_BLOCKING
                                                                : RECORDER_BLOCKING};
    if (handle == CU_STREAM_PER_THREAD)
        return (recorder_stream){(uintptr_t)&of_thread, RECORDER_BLOCKING};
    return (recorder_stream){(uintptr_t)context_current(), RECORDER_LEGACY};
}

cu_result stream_worked(cu_handle handle, recorder_work work, cu_result result)
{
    const recorder_stream is = stream_told(handle);
    if (result == CU_SUCCESS && is.kind != RECORDER_NO_STREAM)
        recorder_stream_work(&is, work);
    return result;
}

static cu_result create(cu_handle *handle, unsigned flags, int priority)
{
    static uint64_t next_id = FIRST_ID; /* guarded by the driver's lock */
    cu_result needed = context_needed();
    if (needed != CU_SUCCESS)
        return needed;
    stream *new = malloc(sizeof *new);
    if (new)
        *new = (stream){context_current(), flags, priority, next_id++, NULL};
    *handle = object_add(OBJECT_STREAM, new);
    return *handle ? CU_SUCCESS : CU_OUT_OF_MEMORY;
}

API cuStreamCreateWithPriority(cu_handle *handle, unsigned flags, int priority)
{
    if (!handle || flags > NON_BLOCKING)
        return CU_INVALID_VALUE;
    return LOCKED(create(handle, flags, priority));
}

API cuStreamCreate(cu_handle *handle, unsigned flags)
{
    return cuStreamCreateWithPriority(handle, flags, 0);
}

API cuStreamDestroy_v2(cu_handle handle)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    const recorder_stream is = stream_told(handle);
    void *object = object_take(OBJECT_STREAM, handle);
    if (object)
        recorder_stream_ended(&is);
    free(object);
    return driver_leave(object ? CU_SUCCESS : CU_INVALID_HANDLE);
}
SAME(cuStreamDestroy, cuStreamDestroy_v2);

/* Nothing is waited for in a captured stream, since nothing is done in it. */
static cu_result wait_for(cu_handle handle, recorder_work work)
{
    return stream_is(handle) ? stream_worked(handle, work, capture_break(handle))
                             : CU_INVALID_HANDLE;
}

/* The stand-in's answer is always that all work is done; a GPU may have work left. */
API cuStreamQuery(cu_handle handle)
{
    return LOCKED(wait_for(handle, RECORDER_UNCLEAR));
}
ALSO(cuStreamQuery, _ptsz);

API cuStreamSynchronize(cu_handle handle)
{
    return LOCKED(wait_for(handle, RECORDER_WAITED));
}
ALSO(cuStreamSynchronize, _ptsz);

API cuStreamWaitEvent(cu_handle handle, cu_handle event, unsigned flags UNUSED)
{
    return LOCKED(stream_is(handle) && object_get(OBJECT_EVENT, event)
                      ? stream_worked(handle, RECORDER_UNCLEAR, capture_wait(handle, event))
                      : CU_INVALID_HANDLE);
}
ALSO(cuStreamWaitEvent, _ptsz);

/* ---- Section: What a stream says ---- */

API cuStreamGetCtx(cu_handle handle, cu_handle *context)
{
    stream is;
    if (!context)
        return CU_INVALID_VALUE;
    return LOCKED(!find(handle, &is) ? CU_INVALID_HANDLE
                  : !is.context      ? CU_INVALID_CONTEXT
                                     : (*context = is.context, CU_SUCCESS));
}
ALSO(cuStreamGetCtx, _ptsz);

API cuStreamGetCtx_v2(cu_handle handle, cu_handle *context, cu_handle *green)
{
    if (green)
        *green = NULL;
    return cuStreamGetCtx(handle, context);
}
ALSO(cuStreamGetCtx_v2, _ptsz);

API cuStreamGetDevice(cu_handle handle, cu_device *device)
{
    if (!device)
        return CU_INVALID_VALUE;
    return LOCKED(stream_is(handle) ? (*device = 0, CU_SUCCESS) : CU_INVALID_HANDLE);
}
ALSO(cuStreamGetDevice, _ptsz);

API cuStreamGetFlags(cu_handle handle, unsigned *flags)
{
    stream is;
    if (!flags)
        return CU_INVALID_VALUE;
    return LOCKED(find(handle, &is) ? (*flags = is.flags, CU_SUCCESS) : CU_INVALID_HANDLE);
}
ALSO(cuStreamGetFlags, _ptsz);

API cuStreamGetId(cu_handle handle, uint64_t *id)
{
    stream is;
    if (!id)
        return CU_INVALID_VALUE;
    return LOCKED(find(handle, &is) ? (*id = is.id, CU_SUCCESS) : CU_INVALID_HANDLE);
}
ALSO(cuStreamGetId, _ptsz);

API cuStreamGetPriority(cu_handle handle, int *priority)
{
    stream is;
    if (!priority)
        return CU_INVALID_VALUE;
    return LOCKED(find(handle, &is) ? (*priority = is.priority, CU_SUCCESS) : CU_INVALID_HANDLE);
}
ALSO(cuStreamGetPriority, _ptsz);

API cuStreamAttachMemAsync(cu_handle handle, cu_address address, size_t bytes UNUSED,
                           unsigned flags UNUSED)
{
    return LOCKED(!stream_is(handle)     ? CU_INVALID_HANDLE
                  : memory_find(address) ? CU_SUCCESS
                                         : CU_INVALID_VALUE);
}
ALSO(cuStreamAttachMemAsync, _ptsz);

/* ---- Section: Functions of the program, called at once ---- */

API cuStreamAddCallback(cu_handle handle, void (*callback)(cu_handle, cu_result, void *),
                        void *user, unsigned flags)
{
    if (!callback || flags)
        return CU_INVALID_VALUE;
    cu_result result = LOCKED(wait_for(handle, RECORDER_ORDERED));
    if (result == CU_SUCCESS)
        callback(handle, CU_SUCCESS, user);
    return result;
}
ALSO(cuStreamAddCallback, _ptsz);

API cuLaunchHostFunc(cu_handle handle, void (*function)(void *), void *user)
{
    const cu_host_node host = {function, user};
    if (!function)
        return CU_INVALID_VALUE;
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    cu_handle graph = capture_graph(handle);
    cu_result result = graph               ? graph_add_host(graph, &host)
                       : stream_is(handle) ? stream_worked(handle, RECORDER_ORDERED, CU_SUCCESS)
                                           : CU_INVALID_HANDLE;
    driver_leave(result);
    if (result == CU_SUCCESS && !graph)
        function(user);
    return result;
}
ALSO(cuLaunchHostFunc, _ptsz);

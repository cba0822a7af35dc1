/* Events: the time of a call. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <time.h>

enum { ALL_FLAGS = 7, NO_TIMING = 2 };

typedef struct event {
    unsigned flags;
    bool is_recorded;
    int64_t ns;
    cu_handle capture; /* that it was recorded in: see capture.c */
} event;

cu_handle *event_capture(cu_handle handle)
{
    event *is = object_get(OBJECT_EVENT, handle);
    return is ? &is->capture : NULL;
}

static cu_result create(cu_handle *handle, unsigned flags)
{
    cu_result needed = context_needed();
    if (needed != CU_SUCCESS)
        return needed;
    event *new = calloc(1, sizeof *new);
    if (new)
        new->flags = flags;
    *handle = object_add(OBJECT_EVENT, new);
    return *handle ? CU_SUCCESS : CU_OUT_OF_MEMORY;
}

API cuEventCreate(cu_handle *handle, unsigned flags)
{
    if (!handle || flags & ~(unsigned)ALL_FLAGS)
        return CU_INVALID_VALUE;
    return LOCKED(create(handle, flags));
}

API cuEventDestroy_v2(cu_handle handle)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    void *object = object_take(OBJECT_EVENT, handle);
    free(object);
    return driver_leave(object ? CU_SUCCESS : CU_INVALID_HANDLE);
}
SAME(cuEventDestroy, cuEventDestroy_v2);

bool event_record(cu_handle handle)
{
    event *is = object_get(OBJECT_EVENT, handle);
    if (!is)
        return false;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    is->ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    is->is_recorded = true;
    return true;
}

static cu_result record(cu_handle handle, cu_handle stream)
{
    if (!object_get(OBJECT_EVENT, handle))
        return CU_INVALID_HANDLE;
    capture_record(handle, stream);
    cu_handle graph = capture_graph(stream);
    if (graph)
        return graph_add_event(graph, handle);
    event_record(handle);
    const recorder_stream is = stream_told(stream);
    recorder_event((uintptr_t)handle, &is);
    return CU_SUCCESS;
}

API cuEventRecord(cu_handle handle, cu_handle stream)
{
    return LOCKED(stream_is(stream) ? record(handle, stream) : CU_INVALID_HANDLE);
}
ALSO(cuEventRecord, _ptsz);

API cuEventRecordWithFlags(cu_handle handle, cu_handle stream, unsigned flags UNUSED)
{
    return cuEventRecord(handle, stream);
}
ALSO(cuEventRecordWithFlags, _ptsz);

static cu_result wait_for(cu_handle handle, bool certainly)
{
    if (!object_get(OBJECT_EVENT, handle))
        return CU_INVALID_HANDLE;
    recorder_event_waited((uintptr_t)handle, certainly);
    return CU_SUCCESS;
}

/* The stand-in's answer is always that all work is done; a GPU may have work left. */
API cuEventQuery(cu_handle handle)
{
    return LOCKED(wait_for(handle, false));
}

API cuEventSynchronize(cu_handle handle)
{
    return LOCKED(wait_for(handle, true));
}

static cu_result elapsed(float *ms, cu_handle from, cu_handle to)
{
    const event *a = object_get(OBJECT_EVENT, from), *b = object_get(OBJECT_EVENT, to);
    if (!a || !b || !a->is_recorded || !b->is_recorded || (a->flags | b->flags) & NO_TIMING)
        return CU_INVALID_HANDLE;
    *ms = (float)((double)(b->ns - a->ns) / 1e6);
    return CU_SUCCESS;
}

API cuEventElapsedTime(float *ms, cu_handle from, cu_handle to)
{
    return ms ? LOCKED(elapsed(ms, from, to)) : CU_INVALID_VALUE;
}

API cuEventElapsedTime_v2(float *ms, cu_handle from, cu_handle to)
{
    return cuEventElapsedTime(ms, from, to);
}

/* Capture of streams: what a program does in a captured stream becomes nodes of a graph. Nodes are
 * done in the order of the calls, which keeps every order that streams and events ask for. */
#include "stand_in/private.h"

#include <stdlib.h>

typedef struct capture { /* its handle ends with it, and so no stream has to be told */
    cu_handle graph, origin;
    uint64_t id;
    bool is_broken;
} capture;

enum { ACTIVE = 1, BROKEN = 2, MODES = 3 };

static capture *capture_of(cu_handle stream)
{
    const cu_handle *handle = stream_capture(stream);
    return handle ? object_get(OBJECT_CAPTURE, *handle) : NULL;
}

cu_handle capture_graph(cu_handle stream)
{
    const capture *c = capture_of(stream);
    return c ? c->graph : NULL;
}

cu_result capture_break(cu_handle stream)
{
    capture *c = capture_of(stream);
    if (c)
        c->is_broken = true;
    return c ? CU_STREAM_CAPTURE_UNSUPPORTED : CU_SUCCESS;
}

void capture_record(cu_handle event, cu_handle stream)
{
    const cu_handle *from = stream_capture(stream);
    cu_handle *to = event_capture(event);
    if (to)
        *to = from ? *from : NULL;
}

cu_result capture_wait(cu_handle stream, cu_handle event)
{
    const cu_handle *from = event_capture(event);
    const capture *joined = from ? object_get(OBJECT_CAPTURE, *from) : NULL;
    capture *own = capture_of(stream);
    if (joined == own)
        return CU_SUCCESS;
    if (own) {
        own->is_broken = true;
        return joined ? CU_STREAM_CAPTURE_MERGE : CU_STREAM_CAPTURE_ISOLATION;
    }
    cu_handle *to = stream_capture(stream);
    if (!to)
        return CU_STREAM_CAPTURE_UNSUPPORTED; /* a default stream */
    *to = *from;
    return CU_SUCCESS;
}

/* ---- Section: The driver's functions ---- */

static cu_result begin(cu_handle stream, int mode)
{
    static uint64_t next_id = 1; /* guarded by the driver's lock */
    if (mode < 0 || mode >= MODES)
        return CU_INVALID_VALUE;
    if (!stream_is(stream))
        return CU_INVALID_HANDLE;
    cu_handle *handle = stream_capture(stream);
    if (!handle)
        return CU_STREAM_CAPTURE_UNSUPPORTED; /* a default stream */
    if (capture_of(stream))
        return CU_ILLEGAL_STATE;
    capture *new = calloc(1, sizeof *new);
    if (new)
        *new = (capture){.graph = graph_new(), .origin = stream, .id = next_id++};
    *handle = object_add(OBJECT_CAPTURE, new);
    return *handle && new->graph ? CU_SUCCESS : CU_OUT_OF_MEMORY;
}

API cuStreamBeginCapture_v2(cu_handle handle, int mode)
{
    return LOCKED(begin(handle, mode));
}
ALSO(cuStreamBeginCapture_v2, _ptsz);

static cu_result end(cu_handle stream, cu_handle *graph)
{
    const capture *c = capture_of(stream);
    *graph = NULL;
    if (!stream_is(stream))
        return CU_INVALID_HANDLE;
    if (!c)
        return CU_ILLEGAL_STATE;
    if (c->origin != stream)
        return CU_STREAM_CAPTURE_UNMATCHED;
    bool is_broken = c->is_broken;
    if (is_broken)
        graph_end(c->graph);
    else
        *graph = c->graph;
    free(object_take(OBJECT_CAPTURE, *stream_capture(stream)));
    return is_broken ? CU_STREAM_CAPTURE_INVALIDATED : CU_SUCCESS;
}

API cuStreamEndCapture(cu_handle handle, cu_handle *graph)
{
    return graph ? LOCKED(end(handle, graph)) : CU_INVALID_VALUE;
}
ALSO(cuStreamEndCapture, _ptsz);

static cu_result tell(cu_handle stream, int *status, uint64_t *id, cu_handle *graph)
{
    const capture *c = capture_of(stream);
    if (!status)
        return CU_INVALID_VALUE;
    if (!stream_is(stream))
        return CU_INVALID_HANDLE;
    *status = !c ? 0 : c->is_broken ? BROKEN : ACTIVE;
    if (id)
        *id = c ? c->id : 0;
    if (graph)
        *graph = c ? c->graph : NULL;
    return CU_SUCCESS;
}

API cuStreamIsCapturing(cu_handle handle, int *status)
{
    return LOCKED(tell(handle, status, NULL, NULL));
}
ALSO(cuStreamIsCapturing, _ptsz);

API cuStreamGetCaptureInfo(cu_handle handle, int *status, uint64_t *id)
{
    return LOCKED(tell(handle, status, id, NULL));
}
ALSO(cuStreamGetCaptureInfo, _ptsz);

API cuStreamGetCaptureInfo_v2(cu_handle handle, int *status, uint64_t *id, cu_handle *graph,
                              const cu_handle **nodes, size_t *n)
{
    if (nodes)
        *nodes = NULL;
    if (n)
        *n = 0;
    return LOCKED(tell(handle, status, id, graph));
}
ALSO(cuStreamGetCaptureInfo_v2, _ptsz);

API cuStreamGetCaptureInfo_v3(cu_handle handle, int *status, uint64_t *id, cu_handle *graph,
                              const cu_handle **nodes, const void **edges, size_t *n)
{
    if (edges)
        *edges = NULL;
    return cuStreamGetCaptureInfo_v2(handle, status, id, graph, nodes, n);
}
ALSO(cuStreamGetCaptureInfo_v3, _ptsz);

API cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int mine;
    if (!mode || *mode < 0 || *mode >= MODES)
        return CU_INVALID_VALUE;
    int before = mine;
    mine = *mode;
    *mode = before;
    return CU_SUCCESS;
}

/* Follows what a program does in streams besides launching kernels, as far as it tells which
 * launches may still run: each function is passed on as it is, and told when it has been done. */
#include "preload/private.h"

enum { NON_BLOCKING = 1 };

typedef cu_result ask_handle(cu_handle *);
typedef cu_result ask_stream(cu_handle, int *);
typedef cu_result ask_flags(cu_handle, unsigned *);

cu_handle stream_meant(cu_handle stream, bool per_thread)
{
    return stream ? stream : per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
}

recorder_stream stream_told(cu_handle given, bool per_thread)
{
    static _Thread_local char of_thread;
    DRIVER(ask_stream, is_capturing, "cuStreamIsCapturing");
    DRIVER(ask_flags, get_flags, "cuStreamGetFlags");
    DRIVER(ask_handle, get_context, "cuCtxGetCurrent");
    cu_handle stream = stream_meant(given, per_thread), context = NULL;
    unsigned flags = 0;
    int status = 0;
    if (is_capturing && (is_capturing(stream, &status) != CU_SUCCESS || status))
        return (recorder_stream){0}; /* nothing is done in it now */
    if (stream == CU_STREAM_PER_THREAD)
        return (recorder_stream){(uintptr_t)&of_thread, RECORDER_BLOCKING};
    if (stream == CU_STREAM_LEGACY) {
        if (get_context)
            get_context(&context);
        return (recorder_stream){(uintptr_t)context, RECORDER_LEGACY};
    }
    if (get_flags)
        get_flags(stream, &flags);
    return (recorder_stream){(uintptr_t)stream,
                             flags & NON_BLOCKING ? RECORDER_NON_BLOCKING : RECORDER_BLOCKING};
}

/* Whether there is anything to tell of what has been done. */
static bool is_to_be_told(cu_result result)
{
    return result == CU_SUCCESS && recorder_has_streams() && is_recording();
}

static cu_result worked(cu_result result, cu_handle stream, bool per_thread, recorder_work work)
{
    copies_forget();
    if (!is_to_be_told(result))
        return result;
    const recorder_stream is = stream_told(stream, per_thread);
    if (is.kind != RECORDER_NO_STREAM)
        recorder_stream_work(&is, work);
    return result;
}

static cu_result copied(cu_result result, cu_address to, const void *from, size_t bytes,
                        cu_handle stream, bool per_thread, recorder_work work)
{
    if (result != CU_SUCCESS || !is_recording())
        return result;
    const recorder_stream is = stream_told(stream, per_thread);
    if (is.kind == RECORDER_NO_STREAM)
        return result;
    if (recorder_has_streams())
        recorder_stream_work(&is, work);
    copies_add(stream_meant(stream, per_thread), to, from, bytes);
    return result;
}

#define COPY(symbol, suffix, name, since, work, stream, parameters, arguments)                     \
    cu_result symbol parameters                                                                    \
    {                                                                                              \
        return copied(CALL_WITH(symbol, arguments), to, from, bytes, stream, false, work);         \
    }                                                                                              \
    cu_result symbol##suffix parameters                                                            \
    {                                                                                              \
        return copied(CALL_WITH(symbol##suffix, arguments), to, from, bytes, stream, true, work);  \
    }
#define WORK(symbol, suffix, name, since, work, stream, parameters, arguments)                     \
    cu_result symbol parameters                                                                    \
    {                                                                                              \
        return worked(CALL_WITH(symbol, arguments), stream, false, work);                          \
    }                                                                                              \
    cu_result symbol##suffix parameters                                                            \
    {                                                                                              \
        return worked(CALL_WITH(symbol##suffix, arguments), stream, true, work);                   \
    }
#include "preload/worked.def"

/* ---- Section: All streams ---- */

static cu_result waited_for_all(cu_result result, bool certainly)
{
    if (is_to_be_told(result))
        recorder_streams_waited(certainly);
    return result;
}

cu_result cuCtxSynchronize(void)
{
    return waited_for_all(CALL_WITH(cuCtxSynchronize, ()), true);
}

/* The streams of another context than the current one are not told from others. */
cu_result cuCtxSynchronize_v2(cu_handle context)
{
    return waited_for_all(CALL(cuCtxSynchronize_v2, context), !context);
}

/* Drivers wait, and no documentation says so. */
cu_result cuMemFree_v2(cu_address address)
{
    return waited_for_all(CALL(cuMemFree_v2, address), false);
}

/* The stream's work goes on, and the next stream with that handle is another one. */
cu_result cuStreamDestroy_v2(cu_handle stream)
{
    const recorder_stream is = {(uintptr_t)stream, RECORDER_BLOCKING};
    cu_result result = CALL(cuStreamDestroy_v2, stream);
    if (is_to_be_told(result))
        recorder_stream_ended(&is);
    return result;
}

/* ---- Section: Events ---- */

static cu_result recorded(cu_result result, cu_handle event, cu_handle stream, bool per_thread)
{
    if (!is_to_be_told(result))
        return result;
    const recorder_stream is = stream_told(stream, per_thread);
    if (is.kind != RECORDER_NO_STREAM)
        recorder_event((uintptr_t)event, &is);
    return result;
}

#define RECORD(symbol, per_thread)                                                                 \
    cu_result symbol(cu_handle event, cu_handle stream)                                            \
    {                                                                                              \
        return recorded(CALL(symbol, event, stream), event, stream, per_thread);                   \
    }
RECORD(cuEventRecord, false)
RECORD(cuEventRecord_ptsz, true)

#define RECORD_WITH_FLAGS(symbol, per_thread)                                                      \
    cu_result symbol(cu_handle event, cu_handle stream, unsigned flags)                            \
    {                                                                                              \
        return recorded(CALL(symbol, event, stream, flags), event, stream, per_thread);            \
    }
RECORD_WITH_FLAGS(cuEventRecordWithFlags, false)
RECORD_WITH_FLAGS(cuEventRecordWithFlags_ptsz, true)

static cu_result waited_for(cu_result result, cu_handle event, bool certainly)
{
    if (is_to_be_told(result))
        recorder_event_waited((uintptr_t)event, certainly);
    return result;
}

cu_result cuEventSynchronize(cu_handle event)
{
    return waited_for(CALL(cuEventSynchronize, event), event, true);
}

cu_result cuEventQuery(cu_handle event)
{
    return waited_for(CALL(cuEventQuery, event), event, false);
}

/* ---- Section: Graphs ---- */

static cu_result launched_graph(cu_result result, cu_handle stream, bool per_thread)
{
    if (result != CU_SUCCESS || !is_recording())
        return result;
    const recorder_stream is = stream_told(stream, per_thread);
    recorder_kernel(&is, "a graph", false);
    return result;
}

#define LAUNCH_GRAPH(symbol, per_thread)                                                           \
    cu_result symbol(cu_handle exec, cu_handle stream)                                             \
    {                                                                                              \
        return launched_graph(CALL(symbol, exec, stream), stream, per_thread);                     \
    }
LAUNCH_GRAPH(cuGraphLaunch, false)
LAUNCH_GRAPH(cuGraphLaunch_ptsz, true)

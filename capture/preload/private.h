/* Shared by the files of the shim, a library that is preloaded into every program under `tilerace
 * exec`, most of which use no GPU: it must do nothing there. */
#ifndef PRELOAD_PRIVATE_H
#define PRELOAD_PRIVATE_H

#include <stdbool.h>

#include "stand_in/abi.h"
#include "recorder/recorder.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

#define LAUNCH_KERNEL_PARAMETERS                                                                   \
    (cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,      \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_handle stream,                  \
     void **parameters, void **extra)
#define LAUNCH_TOGETHER_PARAMETERS                                                                 \
    (cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,      \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_handle stream,                  \
     void **parameters)
#define LAUNCH_KERNEL_EX_PARAMETERS                                                                \
    (const cu_launch_config *config, cu_handle function, void **parameters, void **extra)
#define GRAPH_ADD_KERNEL_PARAMETERS                                                                \
    (cu_handle * node, cu_handle graph, const cu_handle *after, size_t n,                          \
     const cu_kernel_node *kernel)

/* The wrappers that other code calls in the driver's place, and the types of what they wrap. */
#define ROW(symbol, name, since, per_thread, parameters)                                           \
    __attribute__((visibility("default"))) cu_result symbol parameters;                            \
    typedef cu_result symbol##_type parameters;
#include "preload/wrapped.def"
#undef ROW

typedef enum wrapped {
#define ROW(symbol, name, since, per_thread, parameters) WRAPPED_##symbol,
#include "preload/wrapped.def"
#undef ROW
    N_WRAPPED,
} wrapped;

/* ---- Section: The driver behind (real.c) ---- */

/* A function of the real driver; NULL: it has none of this name, or there is no driver. */
void *real_function(wrapped which);
/* Like real_function(), for a function that is not wrapped. */
void *real_symbol(const char *symbol);
/* dlsym() of libc itself. */
void *real_dlsym(void *handle, const char *symbol);
/* The address to give a program in place of the one that the driver gave it for a name, a version
 * and flags. */
void *wrapper_of_name(const char *name, int version, uint64_t flags, void *address);
/* Whether launches are to be recorded here: not where the driver is the stand-in, which records
 * them itself. */
bool is_recording(void);

/* A function of the driver by its symbol, looked up once; NULL: it has none. */
#define DRIVER(type, name, symbol)                                                                 \
    static type *name;                                                                             \
    if (!name)                                                                                     \
    name = (type *)(uintptr_t)real_symbol(symbol)

/* The real function that is wrapped, or its result if there is none. */
#define REAL(symbol) ((symbol##_type *)(uintptr_t)real_function(WRAPPED_##symbol))
#define CALL_WITH(symbol, arguments)                                                               \
    (replay_takes() ? replay_result() : REAL(symbol) ? REAL(symbol) arguments : CU_NOT_INITIALIZED)
#define CALL(symbol, ...) CALL_WITH(symbol, (__VA_ARGS__))

/* ---- Section: The compiler at run time (nvrtc.c) ---- */

/* The address to give a program in place of nvrtcGetTileIR() at that address. */
void *nvrtc_wrapper(void *address);

/* ---- Section: Calls that were made already (injection.c) ---- */

/* Whether this thread's next call of the driver by a wrapper has been made, with that result. */
bool replay_takes(void);
cu_result replay_result(void);

/* ---- Section: Streams (streams.c) ---- */

/* The stream that the program means by none. */
cu_handle stream_meant(cu_handle stream, bool per_thread);
/* The stream as the recorder is told of it; none while it is captured. */
recorder_stream stream_told(cu_handle stream, bool per_thread);

/* ---- Section: What was copied to the device (copies.c) ---- */

void copies_forget(void);
/* Adds what has been asked of the driver: a copy from the host in a stream that is not captured. */
void copies_add(cu_handle stream, cu_address to, const void *from, size_t bytes);
/* The bytes that the next launch of this thread in the stream finds at an address, and how many of
 * them are known; NULL: none. Valid until the thread does something else. */
const void *copies_at(cu_handle stream, cu_address at, uint64_t *bytes);

/* ---- Section: What handles stand for (handles.c) ---- */

typedef struct meaning { /* of a module, library, function or kernel */
    uint32_t image;
    bool is_tile;
    const char *symbol; /* of a function that is one of ours; lives as long as the process */
} meaning;

void handle_put(cu_handle handle, meaning is);
bool handle_get(cu_handle handle, meaning *is);

/* ---- Section: Memory of the device (device.c) ---- */

typedef struct device_user { /* of the recorder's questions about a launch */
    cu_handle stream;
    bool is_graph; /* memory is as it will be some time */
} device_user;

extern const recorder_driver device_driver; /* without `user` */
unsigned device_architecture(void);         /* of the current device, or the first; 0: unknown */

#endif

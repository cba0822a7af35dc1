/* Shared by the files of the stand-in driver.
 *
 * A function of the driver looks like this: it enters, which takes the one lock, works on objects,
 * and leaves with its result. The recorder is never told of a launch or a module with the lock
 * held, since it may wait for the checker and asks this room about pointers. */
#ifndef STAND_IN_PRIVATE_H
#define STAND_IN_PRIVATE_H

#include <stdbool.h>

#include "stand_in/functions.h"
#include "recorder/recorder.h"

#define API         __attribute__((visibility("default"))) cu_result
#define UNUSED      __attribute__((unused))
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The variant of a function for the thread's own default stream: see functions.def. */
#define ALSO(symbol, suffix)                                                                       \
    extern __typeof__(symbol) symbol##suffix __attribute__((alias(#symbol), visibility("defaul"    \
                                                                                       "t")))

/* An older version of a function that does not differ on 64-bit machines. */
#define SAME(old, symbol)                                                                          \
    extern __typeof__(symbol) old __attribute__((alias(#symbol), visibility("default")))

/* ---- Section: The lock (driver.c) ---- */

/* Takes the lock. False: cuInit() was not called, and nothing is taken. */
bool driver_enter(void);
cu_result driver_leave(cu_result result); /* returns its argument */
/* Takes the lock, for functions that need no cuInit(). */
void driver_lock(void);
void driver_unlock(void);
bool driver_is_initialised(void);

/* The value of a whole function: `work` is done under the lock. */
#define LOCKED(work) (driver_enter() ? driver_leave(work) : CU_NOT_INITIALIZED)

/* ---- Section: Objects (objects.c), with the lock held ---- */

typedef enum object_kind {
    OBJECT_CONTEXT = 1,
    OBJECT_STREAM,
    OBJECT_EVENT,
    OBJECT_POOL,
    OBJECT_MODULE,   /* and library */
    OBJECT_FUNCTION, /* and kernel */
    OBJECT_GRAPH,
    OBJECT_NODE,
    OBJECT_EXEC,
    OBJECT_CAPTURE,
} object_kind;

/* A handle of an object of malloc; NULL, and the object is freed: no memory. */
cu_handle object_add(object_kind kind, void *object);
/* NULL: the handle is none of this kind, or no longer. */
void *object_get(object_kind kind, cu_handle handle);
/* Ends the handle and returns the object, which is then the caller's; NULL as above. */
void *object_take(object_kind kind, cu_handle handle);

/* ---- Section: The device and contexts, with the lock held ---- */

bool device_is(cu_device device);
size_t device_memory(void);
unsigned device_architecture(void); /* 90 for compute capability 9.0 */
cu_result context_needed(void);     /* CU_SUCCESS: the thread has a current context */
cu_handle context_current(void);
bool stream_is(cu_handle stream); /* one that is known; the default ones are */
/* The stream as the recorder is told of it; none while it is captured. */
recorder_stream stream_told(cu_handle stream);
/* Work other than kernels, which is done at once: see recorder.h. Returns `result`, and tells only
 * of what was done. */
cu_result stream_worked(cu_handle stream, recorder_work work, cu_result result);
bool event_record(cu_handle event); /* false: there is no such event */

/* ---- Section: Memory (allocations.c), with the lock held ---- */

enum { MEMORY_ALIGNMENT = 512 }; /* bytes */

typedef enum memory_kind {
    MEMORY_DEVICE,
    MEMORY_MANAGED,
    MEMORY_HOST,
    MEMORY_REGISTERED, /* the program's own */
} memory_kind;

typedef struct allocation {
    uint64_t start, bytes, id;
    memory_kind kind;
    bool is_mapped; /* of mmap, else of malloc */
    unsigned flags;
    cu_handle context, pool;
} allocation;

/* NULL: none holds the address. Good until the next call of this section. */
const allocation *memory_find(uint64_t address);
/* Whether a range lies in one allocation. */
bool memory_holds(uint64_t address, uint64_t bytes);
cu_result memory_new(memory_kind kind, size_t bytes, cu_address *address);
cu_result memory_register(void *pointer, size_t bytes, unsigned flags);
/* Frees the allocation that starts at an address and has one of the kinds (a set of bits). */
cu_result memory_free(uint64_t address, unsigned kinds);
void memory_set_flags(uint64_t address, unsigned flags, cu_handle pool);
size_t memory_in_use(void);

/* boxes.c, with the lock held; refuse what does not lie in an allocation. */
cu_result copy_3d(const cu_copy_3d *copy);
cu_result fill_2d(cu_address to, size_t pitch, unsigned value, unsigned element, size_t width,
                  size_t height);

/* ---- Section: Capture (capture.c), with the lock held ---- */

/* The capture that a stream of the program's is in, or that an event was recorded in; a handle that
 * may have ended, or NULL. NULL: a default stream, or no such stream or event. */
cu_handle *stream_capture(cu_handle stream);
cu_handle *event_capture(cu_handle event);
/* The graph to which work in the stream is added instead of being done; NULL: it is done. */
cu_handle capture_graph(cu_handle stream);
/* Called by what a captured stream may not do: its capture is lost. CU_SUCCESS: it is not
 * captured. */
cu_result capture_break(cu_handle stream);
void capture_record(cu_handle event, cu_handle stream);
/* A stream that waits for an event of a capture joins it. */
cu_result capture_wait(cu_handle stream, cu_handle event);

/* Graphs (graph.c): nodes that follow all that are there. */
cu_handle graph_new(void); /* NULL: no memory */
void graph_end(cu_handle graph);
cu_result graph_add_fill(cu_handle graph, const cu_memset_node *fill);
cu_result graph_add_copy(cu_handle graph, const cu_copy_3d *copy);
cu_result graph_add_host(cu_handle graph, const cu_host_node *host);
cu_result graph_add_event(cu_handle graph, cu_handle event);
cu_result graph_add_memory(cu_handle graph, size_t bytes, cu_address *address);
/* Takes the launch, which was prepared, also after an error. */
struct launch;
cu_result graph_add_launch(cu_handle graph, struct launch *prepared);

/* ---- Section: Kernels (module.c, function.c, prepared.c) ---- */

typedef struct kernel_module {
    uint32_t image;   /* the recorder's number; 0: nothing is known of it */
    bool is_tile;     /* else its launches are none of ours */
    bool has_entries; /* only these are functions; else all names that may be are */
    char *names;      /* of machine code that is not known: a copy of it; may be NULL */
    size_t names_bytes;
    cu_handle *functions; /* that were asked for */
    size_t n;
} kernel_module;

typedef struct kernel_function {
    cu_handle module;
    uint32_t image;
    bool is_told;
    const char *name; /* lives as long as the process: programs keep it */
    recorder_parameters parameters;
    int attributes[16];
} kernel_function;

/* Called with the lock held. */
cu_result function_of(cu_handle owner, const char *name, cu_handle *handle);
void functions_end(kernel_module *m);

enum { FEW_ARGUMENTS = 32 };

typedef struct launch {
    uint32_t image;
    bool is_told;
    const char *name; /* of a function: lives as long as the process */
    uint64_t grid[3];
    bool is_pdl;
    recorder_stream stream; /* none: of a graph */
    recorder_parameters parameters;
    const void *
        *arguments; /* one a parameter; where they point is the caller's until they are kept */
    const void *few[FEW_ARGUMENTS];
    void *kept; /* what they point to, of launch_keep */
} launch;

typedef struct launch_shape {
    unsigned grid[3], block[3];
    bool is_pdl;
} launch_shape;

/* Called with the lock held: checks a launch and fills `l`, which launch_free frees also after an
 * error.
 */
cu_result launch_prepare(launch *l, cu_handle function_or_kernel, const launch_shape *shape,
                         void **parameters, void **extra);
/* Gives the launch a copy of its arguments. */
cu_result launch_keep(launch *l);
/* Called without the lock: tells the recorder. */
cu_result launch_run(const launch *l);
void launch_free(launch *l);

#endif

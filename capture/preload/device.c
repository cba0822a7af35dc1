/* Asks the real driver about pointers, and reads what they point to without harm: nothing is waited
 * for that the program may have to finish itself, and no capture of a stream is disturbed.
 */
#include "preload/private.h"

#include <time.h>

enum {
    RELAXED = 2,      /* capture mode: calls of this thread end no capture of another */
    NON_BLOCKING = 1, /* a stream that waits for no other */
    WAIT_NS = 20000,  /* between two looks at the work before a launch */
    WAITS = 25000,    /* about two seconds */
};

typedef cu_result get_attributes(unsigned, int *, void **, cu_address);
typedef cu_result is_capturing(cu_handle, int *);
typedef cu_result query(cu_handle);
typedef cu_result exchange_mode(int *);
typedef cu_result create_stream(cu_handle *, unsigned);
typedef cu_result get_device(int *);
typedef cu_result get_attribute(int *, int, int);
typedef cu_result copy_to_host(void *, cu_address, size_t, cu_handle);

static void tell_pointer(void *user, uint64_t address, recorder_pointer *is)
{
    const device_user *of = user;
    DRIVER(get_attributes, get, "cuPointerGetAttributes");
    *is = (recorder_pointer){0};
    if (!of->is_graph)
        is->copied = copies_at(of->stream, address, &is->copied_bytes);
    cu_address start = 0;
    size_t bytes = 0;
    unsigned type = 0, is_managed = 0;
    int names[] = {CU_POINTER_RANGE_START, CU_POINTER_RANGE_SIZE, CU_POINTER_MEMORY_TYPE,
                   CU_POINTER_IS_MANAGED};
    void *values[] = {&start, &bytes, &type, &is_managed};
    if (!get || !address || get(COUNT(names), names, values, address) != CU_SUCCESS)
        return;
    is->allocation = start;
    is->allocation_bytes = bytes;
    is->readable = type == CU_HOST_MEMORY || is_managed;
}

unsigned device_architecture(void)
{
    DRIVER(get_device, get_current, "cuCtxGetDevice");
    DRIVER(get_attribute, get, "cuDeviceGetAttribute");
    int device = 0, major = 0, minor = 0; /* libraries may be loaded before there is a context */
    if (get_current && get_current(&device) != CU_SUCCESS)
        device = 0;
    if (!get || get(&major, CU_COMPUTE_CAPABILITY_MAJOR, device) != CU_SUCCESS ||
        get(&minor, CU_COMPUTE_CAPABILITY_MINOR, device) != CU_SUCCESS || major < 0 || minor < 0)
        return 0;
    return 10 * (unsigned)major + (unsigned)minor;
}

/* CU_SUCCESS: all work of the stream is done; CU_NOT_READY: not yet; else nothing can be said. */
static cu_result ask_stream(cu_handle stream)
{
    DRIVER(is_capturing, capturing, "cuStreamIsCapturing");
    DRIVER(query, ask, "cuStreamQuery");
    int status = 0;
    if (!capturing || !ask)
        return CU_NOT_SUPPORTED;
    cu_result result = capturing(stream, &status);
    if (result != CU_SUCCESS || status)
        return CU_NOT_SUPPORTED;
    return ask(stream);
}

/* Runs `work` so that it cannot end a capture of another thread. */
static bool relaxed(bool (*work)(void *), void *user)
{
    DRIVER(exchange_mode, exchange, "cuThreadExchangeStreamCaptureMode");
    int mode = RELAXED;
    if (!exchange || exchange(&mode) != CU_SUCCESS)
        return false;
    bool result = work(user);
    exchange(&mode);
    return result;
}

static bool is_done(void *user)
{
    return ask_stream(((device_user *)user)->stream) == CU_SUCCESS;
}

/* A program may itself have to do what its stream waits for, so this does not wait. */
static bool settled(void *user)
{
    return !((device_user *)user)->is_graph && relaxed(is_done, user);
}

typedef struct copying {
    device_user *user;
    void *to;
    uint64_t address, bytes;
} copying;

static bool wait_for_stream(cu_handle stream)
{
    cu_result result = ask_stream(stream);
    for (int i = 0; i < WAITS && result == CU_NOT_READY; i++) {
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
        result = ask_stream(stream);
    }
    return result == CU_SUCCESS;
}

static bool copy_now(void *user)
{
    copying *c = user;
    DRIVER(create_stream, create, "cuStreamCreate");
    DRIVER(query, destroy, "cuStreamDestroy_v2");
    DRIVER(query, synchronise, "cuStreamSynchronize");
    DRIVER(copy_to_host, to_host, "cuMemcpyDtoHAsync_v2");
    cu_handle own;
    if (!create || !destroy || !synchronise || !to_host || !wait_for_stream(c->user->stream) ||
        create(&own, NON_BLOCKING) != CU_SUCCESS)
        return false;
    bool good =
        to_host(c->to, c->address, c->bytes, own) == CU_SUCCESS && synchronise(own) == CU_SUCCESS;
    destroy(own);
    return good;
}

static bool copy(void *user, void *to, uint64_t address, uint64_t bytes)
{
    copying c = {user, to, address, bytes};
    return !c.user->is_graph && relaxed(copy_now, &c);
}

const recorder_driver device_driver = {.pointer = tell_pointer, .settled = settled, .copy = copy};

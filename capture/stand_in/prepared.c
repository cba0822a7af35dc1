/* Launches, from their arguments to what the recorder is told. */
#include "stand_in/private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 1024,
    LARGEST_GRID_X = 2147483647,
    LARGEST_GRID = 65535,
};

static bool fits(const launch_shape *shape)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!shape->grid[i] || shape->grid[i] > (i ? LARGEST_GRID : LARGEST_GRID_X) ||
            !shape->block[i] || shape->block[i] > MOST_THREADS)
            return false;
        threads *= shape->block[i];
    }
    return threads <= MOST_THREADS;
}

cu_result launch_prepare(launch *l, cu_handle handle, const launch_shape *shape, void **parameters,
                         void **extra)
{
    l->arguments = l->few;
    l->kept = NULL;
    const kernel_function *f = object_get(OBJECT_FUNCTION, handle);
    if (!f)
        return CU_INVALID_HANDLE;
    if (!fits(shape) || (parameters && extra))
        return CU_INVALID_VALUE;
    l->image = f->image;
    l->is_told = f->is_told;
    l->name = f->name;
    l->is_pdl = shape->is_pdl;
    l->stream = (recorder_stream){0};
    l->parameters = f->parameters;
    for (int i = 0; i < 3; i++)
        l->grid[i] = shape->grid[i];
    if (l->parameters.n > FEW_ARGUMENTS)
        l->arguments = malloc(l->parameters.n * sizeof *l->arguments);
    if (!l->arguments)
        return CU_OUT_OF_MEMORY;
    return recorder_arguments(&l->parameters, parameters, extra, l->arguments) ? CU_SUCCESS
                                                                               : CU_INVALID_VALUE;
}

cu_result launch_keep(launch *l)
{
    size_t bytes = 1;
    for (size_t i = 0; i < l->parameters.n; i++)
        bytes += l->parameters.items[i].bytes;
    char *to = l->kept = malloc(bytes);
    if (!to)
        return CU_OUT_OF_MEMORY;
    for (size_t i = 0; i < l->parameters.n; i++) {
        memcpy(to, l->arguments[i], l->parameters.items[i].bytes);
        l->arguments[i] = to;
        to += l->parameters.items[i].bytes;
    }
    return CU_SUCCESS;
}

void launch_free(launch *l)
{
    if (l->arguments != l->few)
        free(l->arguments);
    free(l->kept);
}

/* All memory is the host's, also what the program allocated without this driver. */
static void tell_pointer(void *user UNUSED, uint64_t address, recorder_pointer *is)
{
    driver_lock();
    const allocation *held = memory_find(address);
    *is = (recorder_pointer){.readable = true};
    if (held) {
        is->allocation = held->start;
        is->allocation_bytes = held->bytes;
    }
    driver_unlock();
}

/* Tells a client that wants kernels executed, once, that there is a kernel which cannot be. */
static void tell_not_run(const launch *l)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    if ((recorder_flags() & WIRE_INTERPRET) && !atomic_flag_test_and_set(&is_told))
        recorder_remark(WIRE_NOT_RUN, l->name);
}

cu_result launch_run(const launch *l)
{
    if (!l->is_told) {
        recorder_kernel(&l->stream, l->name, l->is_pdl);
        tell_not_run(l);
        return CU_SUCCESS;
    }
    static const recorder_driver driver = {.pointer = tell_pointer};
    recorder_launch told = {
        .image = l->image,
        .symbol = l->name,
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .is_pdl = l->is_pdl,
        .stream = l->stream,
        .arguments = l->arguments,
    };
    return recorder_launched(&told, &driver, NULL) ? CU_SUCCESS : CU_LAUNCH_FAILED;
}

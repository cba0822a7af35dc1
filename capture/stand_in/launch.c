/* Launches: checked as a driver checks them, and told to the recorder. */
#include "stand_in/private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 1024,
    LARGEST_GRID_X = 2147483647,
    LARGEST_GRID = 65535,
};

/* ---- Section: Checks ---- */

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

/* ---- Section: Telling ---- */

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

static cu_result run(cu_handle function, const launch_shape *shape, cu_handle stream,
                     void **parameters, void **extra)
{
    launch l;
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    cu_result result = launch_prepare(&l, function, shape, parameters, extra);
    if (result == CU_SUCCESS && !stream_is(stream))
        result = CU_INVALID_HANDLE;
    cu_handle graph = capture_graph(stream);
    if (result == CU_SUCCESS && graph)
        return driver_leave(graph_add_launch(graph, &l));
    if (result == CU_SUCCESS)
        l.stream = stream_told(stream);
    driver_leave(result);
    if (result == CU_SUCCESS)
        result = launch_run(&l);
    launch_free(&l);
    return result;
}

/* ---- Section: The driver's functions ---- */

API cuLaunchKernel(cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z,
                   unsigned shared_bytes UNUSED, cu_handle stream, void **parameters, void **extra)
{
    launch_shape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, false};
    return run(function, &shape, stream, parameters, extra);
}
ALSO(cuLaunchKernel, _ptsz);

API cuLaunchCooperativeKernel(cu_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z,
                              unsigned shared_bytes, cu_handle stream, void **parameters)
{
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                          stream, parameters, NULL);
}
ALSO(cuLaunchCooperativeKernel, _ptsz);

/* Reads the attributes: those that say which other work may run beside this launch are reported; a
 * cluster has to divide the grid. */
static cu_result read_attributes(const cu_launch_config *config, launch_shape *shape)
{
    if (config->n_attributes && !config->attributes)
        return CU_INVALID_VALUE;
    for (unsigned i = 0; i < config->n_attributes; i++) {
        const cu_launch_attribute *a = &config->attributes[i];
        if (a->id == CU_LAUNCH_PROGRAMMATIC_SERIALIZATION)
            shape->is_pdl = a->value.programmatic_serialization;
        for (int d = 0; a->id == CU_LAUNCH_CLUSTER_DIMENSION && d < 3; d++) {
            if (!a->value.cluster[d] || config->grid[d] % a->value.cluster[d])
                return CU_INVALID_CLUSTER_SIZE;
        }
    }
    return CU_SUCCESS;
}

API cuLaunchKernelEx(const cu_launch_config *config, cu_handle function, void **parameters,
                     void **extra)
{
    if (!config)
        return CU_INVALID_VALUE;
    launch_shape shape = {.is_pdl = false};
    memcpy(shape.grid, config->grid, sizeof shape.grid);
    memcpy(shape.block, config->block, sizeof shape.block);
    cu_result result = read_attributes(config, &shape);
    return result == CU_SUCCESS ? run(function, &shape, config->stream, parameters, extra) : result;
}
ALSO(cuLaunchKernelEx, _ptsz);

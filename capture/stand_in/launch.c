/* Launches: checked as a driver checks them, and told to the recorder. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 1024,
    LARGEST_GRID_X = 2147483647,
    LARGEST_GRID = 65535,
    LARGEST_ALIGNMENT = 8,
};

/* ---- Section: Where arguments lie in a buffer ---- */

/* Each parameter starts at a multiple of its size, of which the largest is that of a number. */
static size_t aligned(size_t at, size_t bytes)
{
    size_t alignment = 1;
    while (alignment < LARGEST_ALIGNMENT && 2 * alignment <= bytes)
        alignment *= 2;
    return (at + alignment - 1) / alignment * alignment;
}

size_t launch_offset(const recorder_parameters *parameters, size_t index)
{
    size_t at = 0;
    for (size_t i = 0;; i++) {
        at = aligned(at, parameters->items[i].bytes);
        if (i == index)
            return at;
        at += parameters->items[i].bytes;
    }
}

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

/* The buffer of `extra`; NULL: it names none. */
static const char *buffer_of(void **extra, size_t *bytes)
{
    const char *buffer = NULL;
    *bytes = 0;
    for (int i = 0; i < 8 && extra[i] != CU_EXTRA_END; i += 2) {
        if (extra[i] == CU_EXTRA_BUFFER)
            buffer = extra[i + 1];
        else if (extra[i] == CU_EXTRA_SIZE && extra[i + 1])
            memcpy(bytes, extra[i + 1], sizeof *bytes);
    }
    return buffer;
}

static cu_result arguments_of_buffer(launch *l, void **extra)
{
    size_t bytes;
    const char *buffer = buffer_of(extra, &bytes);
    for (size_t i = 0, at = 0; i < l->parameters.n; i++) {
        at = aligned(at, l->parameters.items[i].bytes);
        l->arguments[i] = buffer + at;
        at += l->parameters.items[i].bytes;
        if (!buffer || at > bytes)
            return CU_INVALID_VALUE;
    }
    return CU_SUCCESS;
}

static cu_result arguments_of_list(launch *l, void **parameters)
{
    for (size_t i = 0; i < l->parameters.n; i++) {
        if (!parameters || !parameters[i])
            return CU_INVALID_VALUE;
        l->arguments[i] = parameters[i];
    }
    return CU_SUCCESS;
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
    l->name = f->name;
    l->is_pdl = shape->is_pdl;
    l->parameters = f->parameters;
    for (int i = 0; i < 3; i++)
        l->grid[i] = shape->grid[i];
    if (l->parameters.n > FEW_ARGUMENTS)
        l->arguments = malloc(l->parameters.n * sizeof *l->arguments);
    if (!l->arguments)
        return CU_OUT_OF_MEMORY;
    return extra ? arguments_of_buffer(l, extra) : arguments_of_list(l, parameters);
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

cu_result launch_run(const launch *l)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    recorder_launch told = {
        .image = l->image,
        .symbol = l->name,
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .is_pdl = l->is_pdl,
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

/* Of the attributes, those that say which other work may run beside this launch are told; a cluster
 * has to divide the grid. */
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

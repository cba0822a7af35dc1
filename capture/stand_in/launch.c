/* The driver's functions that launch kernels. */
#include "stand_in/private.h"

#include <string.h>

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

/* The wrappers: each tells the recorder what it has to know, and passes the call on as it is. */
#include "preload/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 1 << 30, FEW_ARGUMENTS = 32, MOST_ARGUMENTS = 1 << 16 };

/* ---- Section: Functions by name ---- */

cu_result cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    cu_result result = CALL(cuGetProcAddress, name, function, version, flags);
    if (result == CU_SUCCESS && name && function && *function)
        *function = wrapper_of_name(name, version, flags, *function);
    return result;
}

cu_result cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                              int *found)
{
    cu_result result = CALL(cuGetProcAddress_v2, name, function, version, flags, found);
    if (result == CU_SUCCESS && name && function && *function)
        *function = wrapper_of_name(name, version, flags, *function);
    return result;
}

/* ---- Section: Loading ---- */

/* Is this a result with a handle that the driver gave? */
static bool is_new(cu_result result, const cu_handle *handle)
{
    return result == CU_SUCCESS && handle && *handle && is_recording();
}

static cu_result loaded(cu_result result, const cu_handle *handle, const void *image, size_t size)
{
    if (!is_new(result, handle))
        return result;
    int saved = errno;
    if (!size) {
        image = recorder_image_start(image);
        size = image ? recorder_image_size(image) : 0;
    }
    meaning is = {0};
    if (size)
        is.image = recorder_load(image, size, device_architecture(), &is.is_tile);
    handle_put(*handle, is);
    errno = saved;
    return result;
}

static void *read_file(const char *path, size_t *size)
{
    struct stat is;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *data = NULL;
    *size = 0;
    if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 && is.st_size < LARGEST_FILE)
        data = malloc((size_t)is.st_size);
    ssize_t n = 1;
    while (data && n > 0 && *size < (size_t)is.st_size) {
        n = read(fd, data + *size, (size_t)is.st_size - *size);
        *size += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    return data;
}

static cu_result loaded_file(cu_result result, const cu_handle *handle, const char *path)
{
    if (!is_new(result, handle) || !path)
        return result;
    int saved = errno;
    size_t size;
    void *data = read_file(path, &size);
    if (data && size)
        loaded(result, handle, data, size);
    free(data);
    errno = saved;
    return result;
}

cu_result cuModuleLoad(cu_handle *module, const char *path)
{
    return loaded_file(CALL(cuModuleLoad, module, path), module, path);
}

cu_result cuModuleLoadData(cu_handle *module, const void *image)
{
    return loaded(CALL(cuModuleLoadData, module, image), module, image, 0);
}

cu_result cuModuleLoadDataEx(cu_handle *module, const void *image, unsigned n, int *options,
                             void **values)
{
    return loaded(CALL(cuModuleLoadDataEx, module, image, n, options, values), module, image, 0);
}

cu_result cuModuleLoadFatBinary(cu_handle *module, const void *image)
{
    return loaded(CALL(cuModuleLoadFatBinary, module, image), module, image, 0);
}

cu_result cuLibraryLoadData(cu_handle *library, const void *image, int *jit_options,
                            void **jit_values, unsigned n_jit, int *options, void **values,
                            unsigned n)
{
    return loaded(
        CALL(cuLibraryLoadData, library, image, jit_options, jit_values, n_jit, options, values, n),
        library, image, 0);
}

cu_result cuLibraryLoadFromFile(cu_handle *library, const char *path, int *jit_options,
                                void **jit_values, unsigned n_jit, int *options, void **values,
                                unsigned n)
{
    return loaded_file(CALL(cuLibraryLoadFromFile, library, path, jit_options, jit_values, n_jit,
                            options, values, n),
                       library, path);
}

/* ---- Section: What is in a module ---- */

/* A function has the image of its module. One of a module that was never seen is not remembered. */
static cu_result got(cu_result result, const cu_handle *handle, cu_handle owner, const char *name)
{
    meaning is;
    if (!is_new(result, handle) || !handle_get(owner, &is))
        return result;
    is.is_tile |= recorder_is_missed(name);
    if (name)
        is.symbol = is.is_tile ? recorder_keep(name) : NULL;
    handle_put(*handle, is);
    return result;
}

cu_result cuModuleGetFunction(cu_handle *function, cu_handle module, const char *name)
{
    return got(CALL(cuModuleGetFunction, function, module, name), function, module, name);
}

cu_result cuLibraryGetKernel(cu_handle *kernel, cu_handle library, const char *name)
{
    return got(CALL(cuLibraryGetKernel, kernel, library, name), kernel, library, name);
}

cu_result cuFuncGetName(const char **name, cu_handle function)
{
    return CALL(cuFuncGetName, name, function);
}

cu_result cuKernelGetName(const char **name, cu_handle kernel)
{
    return CALL(cuKernelGetName, name, kernel);
}

cu_result cuModuleGetFunctionCount(unsigned *n, cu_handle module)
{
    return CALL(cuModuleGetFunctionCount, n, module);
}

cu_result cuLibraryGetKernelCount(unsigned *n, cu_handle library)
{
    return CALL(cuLibraryGetKernelCount, n, library);
}

/* `n` is what there is room for. */
cu_result cuModuleEnumerateFunctions(cu_handle *functions, unsigned n, cu_handle module)
{
    unsigned all = 0;
    const char *name;
    cu_result result = CALL(cuModuleEnumerateFunctions, functions, n, module);
    if (result == CU_SUCCESS && is_recording())
        CALL(cuModuleGetFunctionCount, &all, module);
    for (unsigned i = 0; i < n && i < all; i++) {
        if (CALL(cuFuncGetName, &name, functions[i]) == CU_SUCCESS)
            got(result, &functions[i], module, name);
    }
    return result;
}

cu_result cuLibraryEnumerateKernels(cu_handle *kernels, unsigned n, cu_handle library)
{
    unsigned all = 0;
    const char *name;
    cu_result result = CALL(cuLibraryEnumerateKernels, kernels, n, library);
    if (result == CU_SUCCESS && is_recording())
        CALL(cuLibraryGetKernelCount, &all, library);
    for (unsigned i = 0; i < n && i < all; i++) {
        if (CALL(cuKernelGetName, &name, kernels[i]) == CU_SUCCESS)
            got(result, &kernels[i], library, name);
    }
    return result;
}

cu_result cuLibraryGetModule(cu_handle *module, cu_handle library)
{
    return got(CALL(cuLibraryGetModule, module, library), module, library, NULL);
}

cu_result cuKernelGetFunction(cu_handle *function, cu_handle kernel)
{
    return got(CALL(cuKernelGetFunction, function, kernel), function, kernel, NULL);
}

/* ---- Section: Launches ---- */

typedef struct shape {
    const unsigned *grid, *block;
    bool is_pdl;
    device_user device;
    recorder_stream stream;
} shape;

static bool tell(const meaning *is, const shape *s, const recorder_parameters *p,
                 const void **arguments, void **list, void **extra)
{
    recorder_driver driver = device_driver;
    driver.user = (void *)&s->device;
    if (!recorder_arguments(p, list, extra, arguments))
        return true; /* the driver will refuse it, or it is a kernel of another shape */
    recorder_launch l = {
        .image = is->image,
        .symbol = is->symbol,
        .grid = {s->grid[0], s->grid[1], s->grid[2]},
        .is_pdl = s->is_pdl,
        .stream = s->stream,
        .arguments = arguments,
    };
    return recorder_launched(&l, &driver, NULL);
}

/* The meaning of a kernel whose loading was not seen, as a library may load its own: a tile kernel
 * is launched with one thread a block and cannot be launched otherwise. */
static meaning meaning_by_shape(const shape *s)
{
    bool is_one = s->block[0] == 1 && s->block[1] == 1 && s->block[2] == 1;
    return (meaning){.is_tile = is_one, .symbol = "a kernel whose loading was not seen"};
}

/* False: the launch must not happen. */
static bool tell_launch(cu_handle function, shape *s, bool per_thread, void **list, void **extra)
{
    meaning is;
    if (!function || !is_recording())
        return true;
    if (!s->device.is_graph)
        s->stream = stream_told(s->device.stream, per_thread);
    if (!handle_get(function, &is))
        is = meaning_by_shape(s);
    if (!is.is_tile || !is.symbol) {
        recorder_kernel(&s->stream, "a kernel", s->is_pdl);
        return true;
    }
    const void *few[FEW_ARGUMENTS], **arguments = few;
    recorder_parameters p;
    recorder_entry(is.image, is.symbol, &p);
    if (p.n > FEW_ARGUMENTS)
        arguments = p.n <= MOST_ARGUMENTS ? malloc(p.n * sizeof *arguments) : NULL;
    bool go_on = !arguments || tell(&is, s, &p, arguments, list, extra);
    if (arguments != few)
        free(arguments);
    return go_on;
}

static bool launched(cu_handle function, shape *s, bool per_thread, void **list, void **extra)
{
    bool go_on = tell_launch(function, s, per_thread, list, extra);
    copies_forget();
    return go_on;
}

static bool may_launch(cu_handle function, const unsigned grid[3], const unsigned block[3],
                       cu_handle stream, bool per_thread, void **list, void **extra)
{
    shape s = {grid, block, false, {stream_meant(stream, per_thread), false}, {0}};
    return launched(function, &s, per_thread, list, extra);
}

static bool may_launch_ex(const cu_launch_config *config, cu_handle function, bool per_thread,
                          void **list, void **extra)
{
    if (!config)
        return true;
    shape s = {
        config->grid, config->block, false, {stream_meant(config->stream, per_thread), false}, {0}};
    for (unsigned i = 0; config->attributes && i < config->n_attributes; i++) {
        if (config->attributes[i].id == CU_LAUNCH_PROGRAMMATIC_SERIALIZATION)
            s.is_pdl = config->attributes[i].value.programmatic_serialization;
    }
    return launched(function, &s, per_thread, list, extra);
}

#define LAUNCH(symbol, per_thread)                                                                 \
    cu_result symbol LAUNCH_KERNEL_PARAMETERS                                                      \
    {                                                                                              \
        unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};         \
        return may_launch(function, grid, block, stream, per_thread, parameters, extra)            \
                   ? CALL(symbol, function, grid_x, grid_y, grid_z, block_x, block_y, block_z,     \
                          shared_bytes, stream, parameters, extra)                                 \
                   : CU_LAUNCH_FAILED;                                                             \
    }
LAUNCH(cuLaunchKernel, false)
LAUNCH(cuLaunchKernel_ptsz, true)

#define LAUNCH_TOGETHER(symbol, per_thread)                                                        \
    cu_result symbol LAUNCH_TOGETHER_PARAMETERS                                                    \
    {                                                                                              \
        unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};         \
        return may_launch(function, grid, block, stream, per_thread, parameters, NULL)             \
                   ? CALL(symbol, function, grid_x, grid_y, grid_z, block_x, block_y, block_z,     \
                          shared_bytes, stream, parameters)                                        \
                   : CU_LAUNCH_FAILED;                                                             \
    }
LAUNCH_TOGETHER(cuLaunchCooperativeKernel, false)
LAUNCH_TOGETHER(cuLaunchCooperativeKernel_ptsz, true)

#define LAUNCH_EX(symbol, per_thread)                                                              \
    cu_result symbol LAUNCH_KERNEL_EX_PARAMETERS                                                   \
    {                                                                                              \
        return may_launch_ex(config, function, per_thread, parameters, extra)                      \
                   ? CALL(symbol, config, function, parameters, extra)                             \
                   : CU_LAUNCH_FAILED;                                                             \
    }
LAUNCH_EX(cuLaunchKernelEx, false)
LAUNCH_EX(cuLaunchKernelEx_ptsz, true)

/* A kernel of a graph counts as launched when it is added: when the graph is launched its arguments
 * may have been changed, and its memory is not known before. */
static bool may_add(const cu_kernel_node *k, cu_handle function)
{
    if (!k)
        return true;
    shape s = {k->grid, k->block, false, {NULL, true}, {0}};
    return launched(function, &s, false, k->parameters, k->extra);
}

cu_result cuGraphAddKernelNode GRAPH_ADD_KERNEL_PARAMETERS
{
    return may_add(kernel, kernel ? kernel->function : NULL)
               ? CALL(cuGraphAddKernelNode, node, graph, after, n, kernel)
               : CU_LAUNCH_FAILED;
}

cu_result cuGraphAddKernelNode_v2 GRAPH_ADD_KERNEL_PARAMETERS
{
    return may_add(kernel, !kernel            ? NULL
                           : kernel->function ? kernel->function
                                              : kernel->kernel)
               ? CALL(cuGraphAddKernelNode_v2, node, graph, after, n, kernel)
               : CU_LAUNCH_FAILED;
}

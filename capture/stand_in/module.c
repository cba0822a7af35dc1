/* Modules and libraries, which are the same here: an image that the recorder knows, or does not. */
#include "stand_in/private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAZY_LOADING = 2, LARGEST_FILE = 1 << 30 };

/* ---- Section: Loading ---- */

/* Text is PTX, whose kernels are none of ours. The magic numbers of Tile IR and ELF begin with a
 * DEL. */
static bool is_text(const char *image)
{
    for (int i = 0; i < 16; i++) {
        if (!image[i])
            return i > 0;
        if (((unsigned char)image[i] < ' ' && !strchr("\t\n\r", image[i])) || image[i] == '\177')
            return false;
    }
    return true;
}

static void free_module(kernel_module *m)
{
    if (m) {
        free(m->names);
        free(m->functions);
    }
    free(m);
}

/* Called without the lock: the recorder may wait for the checker. NULL: no memory. */
static kernel_module *new_module(const void *image, size_t size)
{
    kernel_module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    if (size)
        m->image = recorder_load(image, size, device_architecture(), &m->is_tile);
    m->has_entries = recorder_has_entries(m->image);
    if (!m->image && size && !recorder_tile_ir_size(image) && memcmp(image, "\177ELF", 4) == 0) {
        m->names = malloc(size);
        m->names_bytes = size;
        if (m->names)
            memcpy(m->names, image, size);
    }
    return m;
}

static cu_result load(cu_handle *handle, const void *image)
{
    if (!handle || !image)
        return CU_INVALID_VALUE;
    if (!driver_is_initialised())
        return CU_NOT_INITIALIZED;
    image = recorder_image_start(image);
    size_t size = recorder_image_size(image);
    if (!size && !is_text(image))
        return CU_INVALID_IMAGE;
    kernel_module *m = new_module(image, size);
    char *names = m ? m->names : NULL;
    driver_lock();
    *handle = object_add(OBJECT_MODULE, m); /* which frees the module where it fails */
    if (!*handle)
        free(names);
    return driver_leave(*handle ? CU_SUCCESS : CU_OUT_OF_MEMORY);
}

/* The whole file with a zero byte after it; NULL: it cannot be read. */
static char *read_file(const char *path)
{
    struct stat is;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *data = NULL;
    if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_size < LARGEST_FILE)
        data = calloc(1, (size_t)is.st_size + 16);
    size_t done = 0;
    ssize_t n = 1;
    while (data && n > 0 && done < (size_t)is.st_size) {
        n = read(fd, data + done, (size_t)is.st_size - done);
        done += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    return data;
}

static cu_result load_file(cu_handle *handle, const char *path)
{
    if (!handle || !path)
        return CU_INVALID_VALUE;
    char *data = read_file(path);
    cu_result result = data ? load(handle, data) : CU_FILE_NOT_FOUND;
    free(data);
    return result;
}

static cu_result load_in_context(cu_handle *handle, const void *image)
{
    cu_result needed = LOCKED(context_needed());
    return needed == CU_SUCCESS ? load(handle, image) : needed;
}

API cuModuleLoadData(cu_handle *handle, const void *image)
{
    return load_in_context(handle, image);
}

API cuModuleLoadDataEx(cu_handle *handle, const void *image, unsigned n UNUSED, int *options UNUSED,
                       void **values UNUSED)
{
    return load_in_context(handle, image);
}

API cuModuleLoadFatBinary(cu_handle *handle, const void *image)
{
    return load_in_context(handle, image);
}

API cuModuleLoad(cu_handle *handle, const char *path)
{
    cu_result needed = LOCKED(context_needed());
    return needed == CU_SUCCESS ? load_file(handle, path) : needed;
}

API cuLibraryLoadData(cu_handle *handle, const void *image, int *jit_options UNUSED,
                      void **jit_values UNUSED, unsigned n_jit UNUSED, int *options UNUSED,
                      void **values UNUSED, unsigned n UNUSED)
{
    return load(handle, image);
}

API cuLibraryLoadFromFile(cu_handle *handle, const char *path, int *jit_options UNUSED,
                          void **jit_values UNUSED, unsigned n_jit UNUSED, int *options UNUSED,
                          void **values UNUSED, unsigned n UNUSED)
{
    return load_file(handle, path);
}

API cuModuleUnload(cu_handle handle)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    kernel_module *m = object_take(OBJECT_MODULE, handle);
    if (m)
        functions_end(m);
    free_module(m);
    return driver_leave(m ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuLibraryUnload(cu_handle handle)
{
    return cuModuleUnload(handle);
}

/* ---- Section: What is in a module ---- */

static cu_result get_function(cu_handle *function, cu_handle owner, const char *name)
{
    if (!function || !name)
        return CU_INVALID_VALUE;
    *function = NULL;
    return LOCKED(function_of(owner, name, function));
}

API cuModuleGetFunction(cu_handle *function, cu_handle handle, const char *name)
{
    return get_function(function, handle, name);
}

API cuLibraryGetKernel(cu_handle *kernel, cu_handle library, const char *name)
{
    return get_function(kernel, library, name);
}

API cuLibraryGetModule(cu_handle *handle, cu_handle library)
{
    if (!handle)
        return CU_INVALID_VALUE;
    return LOCKED(object_get(OBJECT_MODULE, library) ? (*handle = library, CU_SUCCESS)
                                                     : CU_INVALID_HANDLE);
}

static cu_result count(unsigned *n, cu_handle handle)
{
    const kernel_module *m = object_get(OBJECT_MODULE, handle);
    if (!m)
        return CU_INVALID_HANDLE;
    if (!m->has_entries)
        return CU_NOT_SUPPORTED;
    *n = (unsigned)recorder_entries(m->image);
    return CU_SUCCESS;
}

API cuModuleGetFunctionCount(unsigned *n, cu_handle handle)
{
    return n ? LOCKED(count(n, handle)) : CU_INVALID_VALUE;
}

API cuLibraryGetKernelCount(unsigned *n, cu_handle library)
{
    return cuModuleGetFunctionCount(n, library);
}

/* The first `n` of them, as the driver does. */
static cu_result enumerate(cu_handle *functions, unsigned n, cu_handle handle)
{
    unsigned all;
    cu_result result = count(&all, handle);
    const kernel_module *m = object_get(OBJECT_MODULE, handle);
    for (unsigned i = 0; result == CU_SUCCESS && i < n && i < all; i++)
        result = function_of(handle, recorder_symbol(m->image, i), &functions[i]);
    return result;
}

API cuModuleEnumerateFunctions(cu_handle *functions, unsigned n, cu_handle handle)
{
    return functions ? LOCKED(enumerate(functions, n, handle)) : CU_INVALID_VALUE;
}

API cuLibraryEnumerateKernels(cu_handle *kernels, unsigned n, cu_handle library)
{
    return cuModuleEnumerateFunctions(kernels, n, library);
}

API cuModuleGetGlobal_v2(cu_address *address UNUSED, size_t *bytes UNUSED, cu_handle handle,
                         const char *name)
{
    if (!name)
        return CU_INVALID_VALUE;
    return LOCKED(object_get(OBJECT_MODULE, handle) ? CU_NOT_FOUND : CU_INVALID_HANDLE);
}

API cuLibraryGetGlobal(cu_address *address, size_t *bytes, cu_handle library, const char *name)
{
    return cuModuleGetGlobal_v2(address, bytes, library, name);
}

API cuModuleGetLoadingMode(int *mode)
{
    if (!mode)
        return CU_INVALID_VALUE;
    *mode = LAZY_LOADING;
    return CU_SUCCESS;
}

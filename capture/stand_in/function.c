/* Functions, which are kernels too: the driver takes either handle for the other. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 0,
    NUM_REGISTERS = 4,
    PTX_VERSION = 5,
    BINARY_VERSION = 6,
    MAX_DYNAMIC_SHARED_BYTES = 8,
    N_ATTRIBUTES = 16,
    THREADS_PER_MULTIPROCESSOR = 2048,
};

/* ---- Section: Looking one up ---- */

/* Whether a symbol of this name may be in machine code: its tables of names hold it. */
static bool may_have(const kernel_module *m, const char *text)
{
    size_t length = strlen(text) + 1;
    const char *at = m->names, *end = at + m->names_bytes;
    if (!m->names)
        return true;
    while ((at = memmem(at, (size_t)(end - at), text, length))) {
        if (at > m->names && !at[-1])
            return true;
        at++;
    }
    return false;
}

static kernel_function *find(const kernel_module *m, const char *text, cu_handle *handle)
{
    for (size_t i = 0; i < m->n; i++) {
        kernel_function *f = object_get(OBJECT_FUNCTION, m->functions[i]);
        if (f && strcmp(f->name, text) == 0) {
            *handle = m->functions[i];
            return f;
        }
    }
    return NULL;
}

static cu_result add(cu_handle owner, kernel_module *m, const char *text, cu_handle *handle)
{
    cu_handle *larger = realloc(m->functions, (m->n + 1) * sizeof *larger);
    if (!larger)
        return CU_OUT_OF_MEMORY;
    m->functions = larger;
    kernel_function *f = calloc(1, sizeof *f);
    if (!f)
        return CU_OUT_OF_MEMORY;
    f->module = owner;
    f->name = recorder_keep(text);
    f->is_told = m->is_tile || recorder_is_missed(text);
    if (m->has_entries && recorder_entry(m->image, text, &f->parameters))
        f->image = m->image;
    f->attributes[MAX_THREADS] = 1024;
    f->attributes[NUM_REGISTERS] = 32;
    f->attributes[PTX_VERSION] = f->attributes[BINARY_VERSION] = 90;
    if (f->name)
        *handle = object_add(OBJECT_FUNCTION, f);
    else
        free(f);
    if (!*handle)
        return CU_OUT_OF_MEMORY;
    m->functions[m->n++] = *handle;
    return CU_SUCCESS;
}

cu_result function_of(cu_handle owner, const char *text, cu_handle *handle)
{
    recorder_parameters parameters;
    kernel_module *m = object_get(OBJECT_MODULE, owner);
    if (!m)
        return CU_INVALID_HANDLE;
    if (find(m, text, handle))
        return CU_SUCCESS;
    bool is_there =
        m->has_entries ? recorder_entry(m->image, text, &parameters) : *text && may_have(m, text);
    return is_there ? add(owner, m, text, handle) : CU_NOT_FOUND;
}

void functions_end(kernel_module *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(object_take(OBJECT_FUNCTION, m->functions[i]));
    m->n = 0;
}

/* ---- Section: What a function says ---- */

static kernel_function *get(cu_handle handle)
{
    return object_get(OBJECT_FUNCTION, handle);
}

API cuKernelGetFunction(cu_handle *handle, cu_handle kernel)
{
    if (!handle)
        return CU_INVALID_VALUE;
    return LOCKED(get(kernel) ? (*handle = kernel, CU_SUCCESS) : CU_INVALID_HANDLE);
}

API cuFuncGetModule(cu_handle *handle, cu_handle function)
{
    if (!handle)
        return CU_INVALID_VALUE;
    return LOCKED(get(function) ? (*handle = get(function)->module, CU_SUCCESS)
                                : CU_INVALID_HANDLE);
}

API cuKernelGetLibrary(cu_handle *library, cu_handle kernel)
{
    return cuFuncGetModule(library, kernel);
}

API cuFuncGetName(const char **name, cu_handle function)
{
    if (!name)
        return CU_INVALID_VALUE;
    return LOCKED(get(function) ? (*name = get(function)->name, CU_SUCCESS) : CU_INVALID_HANDLE);
}

API cuKernelGetName(const char **name, cu_handle kernel)
{
    return cuFuncGetName(name, kernel);
}

static cu_result parameter_info(cu_handle handle, size_t index, size_t *offset, size_t *bytes)
{
    const kernel_function *f = get(handle);
    if (!f)
        return CU_INVALID_HANDLE;
    if (index >= f->parameters.n)
        return CU_INVALID_VALUE;
    if (offset)
        *offset = recorder_offset(&f->parameters, index);
    if (bytes)
        *bytes = f->parameters.items[index].bytes;
    return CU_SUCCESS;
}

API cuFuncGetParamInfo(cu_handle function, size_t index, size_t *offset, size_t *bytes)
{
    return LOCKED(parameter_info(function, index, offset, bytes));
}

API cuKernelGetParamInfo(cu_handle kernel, size_t index, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo(kernel, index, offset, bytes);
}

API cuFuncGetAttribute(int *value, int attribute, cu_handle function)
{
    if (!value || attribute < 0 || attribute >= N_ATTRIBUTES)
        return CU_INVALID_VALUE;
    return LOCKED(get(function) ? (*value = get(function)->attributes[attribute], CU_SUCCESS)
                                : CU_INVALID_HANDLE);
}

API cuFuncSetAttribute(cu_handle function, int attribute, int value)
{
    if (attribute < MAX_DYNAMIC_SHARED_BYTES || attribute >= N_ATTRIBUTES)
        return CU_INVALID_VALUE;
    return LOCKED(get(function) ? (get(function)->attributes[attribute] = value, CU_SUCCESS)
                                : CU_INVALID_HANDLE);
}

API cuKernelGetAttribute(int *value, int attribute, cu_handle kernel, cu_device device)
{
    return device_is(device) ? cuFuncGetAttribute(value, attribute, kernel) : CU_INVALID_DEVICE;
}

API cuKernelSetAttribute(int attribute, int value, cu_handle kernel, cu_device device)
{
    return device_is(device) ? cuFuncSetAttribute(kernel, attribute, value) : CU_INVALID_DEVICE;
}

API cuFuncLoad(cu_handle function)
{
    return LOCKED(get(function) ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuFuncIsLoaded(int *state, cu_handle function)
{
    if (!state)
        return CU_INVALID_VALUE;
    *state = 1;
    return cuFuncLoad(function);
}

API cuFuncSetCacheConfig(cu_handle function, int config UNUSED)
{
    return cuFuncLoad(function);
}

API cuFuncSetSharedMemConfig(cu_handle function, int config UNUSED)
{
    return cuFuncLoad(function);
}

API cuKernelSetCacheConfig(cu_handle kernel, int config UNUSED, cu_device device)
{
    return device_is(device) ? cuFuncLoad(kernel) : CU_INVALID_DEVICE;
}

API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, cu_handle function, int block,
                                                size_t shared_bytes UNUSED)
{
    if (!n || block <= 0)
        return CU_INVALID_VALUE;
    *n = THREADS_PER_MULTIPROCESSOR / block;
    return cuFuncLoad(function);
}

API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, cu_handle function, int block,
                                                         size_t shared_bytes, unsigned flags UNUSED)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(n, function, block, shared_bytes);
}

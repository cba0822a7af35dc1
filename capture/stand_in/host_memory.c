/* Host memory, what a pointer points to, and the handles for other processes, which do not exist.
 */
#include "stand_in/private.h"

#include <string.h>

enum { MAPPED_FLAG = 2, HOST_KINDS = 1 << MEMORY_HOST, REGISTERED_KINDS = 1 << MEMORY_REGISTERED };

static cu_result allocate(void **pointer, size_t bytes, unsigned flags)
{
    cu_address address;
    cu_result result = context_needed();
    if (result == CU_SUCCESS)
        result = memory_new(MEMORY_HOST, bytes, &address);
    if (result == CU_SUCCESS) {
        memory_set_flags(address, flags, NULL);
        *pointer = (void *)(uintptr_t)address;
    }
    return result;
}

API cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    return pointer ? LOCKED(allocate(pointer, bytes, flags)) : CU_INVALID_VALUE;
}

API cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    return cuMemHostAlloc(pointer, bytes, MAPPED_FLAG);
}

API cuMemFreeHost(void *pointer)
{
    return LOCKED(memory_free((uintptr_t)pointer, HOST_KINDS));
}

API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags)
{
    return LOCKED(memory_register(pointer, bytes, flags));
}
SAME(cuMemHostRegister, cuMemHostRegister_v2);

API cuMemHostUnregister(void *pointer)
{
    cu_result result = LOCKED(memory_free((uintptr_t)pointer, REGISTERED_KINDS));
    return result == CU_INVALID_VALUE ? CU_HOST_MEMORY_NOT_REGISTERED : result;
}

static const allocation *host_allocation(const void *pointer)
{
    const allocation *is = memory_find((uintptr_t)pointer);
    return is && is->kind != MEMORY_DEVICE ? is : NULL;
}

API cuMemHostGetDevicePointer_v2(cu_address *address, void *pointer, unsigned flags)
{
    if (!address || flags)
        return CU_INVALID_VALUE;
    return LOCKED(host_allocation(pointer) ? (*address = (uintptr_t)pointer, CU_SUCCESS)
                                           : CU_INVALID_VALUE);
}

API cuMemHostGetFlags(unsigned *flags, void *pointer)
{
    if (!flags)
        return CU_INVALID_VALUE;
    return LOCKED(host_allocation(pointer) ? (*flags = host_allocation(pointer)->flags, CU_SUCCESS)
                                           : CU_INVALID_VALUE);
}

/* ---- Section: Attributes of pointers ---- */

static bool is_host(const allocation *is)
{
    return is->kind == MEMORY_HOST || is->kind == MEMORY_REGISTERED;
}

/* Writes an attribute with the width that it has; of a pointer that is not known, nothing and 0. */
static cu_result get_attribute(void *value, int attribute, cu_address address, const allocation *is)
{
    static const allocation nothing = {.kind = MEMORY_HOST};
    bool known = is;
    is = known ? is : &nothing;
    uint64_t wide = 0;
    unsigned number = 0;
    switch ((cu_pointer_attribute)attribute) {
    case CU_POINTER_CONTEXT:
        wide = (uintptr_t)is->context;
        break;
    case CU_POINTER_POOL:
        wide = (uintptr_t)is->pool;
        break;
    case CU_POINTER_DEVICE_POINTER:
        wide = known ? address : 0;
        break;
    case CU_POINTER_HOST_POINTER:
        wide = is->kind != MEMORY_DEVICE ? address : 0;
        if (is->kind == MEMORY_DEVICE)
            return CU_INVALID_VALUE;
        break;
    case CU_POINTER_BUFFER_ID:
        wide = is->id;
        break;
    case CU_POINTER_RANGE_START:
    case CU_POINTER_MAPPING_BASE:
        wide = is->start;
        break;
    case CU_POINTER_RANGE_SIZE:
    case CU_POINTER_MAPPING_SIZE:
        wide = is->bytes;
        break;
    case CU_POINTER_ALLOWED_HANDLE_TYPES:
        break;
    case CU_POINTER_MEMORY_TYPE:
        number = !known ? 0 : is_host(is) ? CU_HOST_MEMORY : CU_DEVICE_MEMORY;
        memcpy(value, &number, sizeof number);
        return CU_SUCCESS;
    case CU_POINTER_ACCESS_FLAGS:
        number = known ? 3 : 0; /* reading and writing */
        memcpy(value, &number, sizeof number);
        return CU_SUCCESS;
    case CU_POINTER_DEVICE_ORDINAL:
        number = known ? 0 : (unsigned)-2;
        memcpy(value, &number, sizeof number);
        return CU_SUCCESS;
    case CU_POINTER_SYNC_MEMOPS:
    case CU_POINTER_IS_MANAGED:
    case CU_POINTER_MAPPED:
    case CU_POINTER_IS_LEGACY_IPC_CAPABLE:
    case CU_POINTER_IS_RDMA_CAPABLE:
        *(unsigned char *)value = attribute == CU_POINTER_IS_MANAGED ? is->kind == MEMORY_MANAGED
                                  : attribute == CU_POINTER_MAPPED   ? known
                                                                     : 0;
        return CU_SUCCESS;
    default:
        return CU_INVALID_VALUE;
    }
    memcpy(value, &wide, sizeof wide);
    return CU_SUCCESS;
}

static cu_result known_attribute(void *value, int attribute, cu_address address)
{
    const allocation *is = memory_find(address);
    return is ? get_attribute(value, attribute, address, is) : CU_INVALID_VALUE;
}

API cuPointerGetAttribute(void *value, int attribute, cu_address address)
{
    return value ? LOCKED(known_attribute(value, attribute, address)) : CU_INVALID_VALUE;
}

static cu_result all_attributes(unsigned n, const int *attributes, void **values,
                                cu_address address)
{
    const allocation *is = memory_find(address);
    for (unsigned i = 0; i < n; i++) {
        if (!values[i])
            return CU_INVALID_VALUE;
        cu_result result = get_attribute(values[i], attributes[i], address, is);
        if (result != CU_SUCCESS && attributes[i] != CU_POINTER_HOST_POINTER)
            return result;
    }
    return CU_SUCCESS;
}

API cuPointerGetAttributes(unsigned n, int *attributes, void **values, cu_address address)
{
    if (!attributes || !values)
        return CU_INVALID_VALUE;
    return LOCKED(all_attributes(n, attributes, values, address));
}

API cuPointerSetAttribute(const void *value, int attribute, cu_address address)
{
    if (!value || attribute != CU_POINTER_SYNC_MEMOPS)
        return CU_INVALID_VALUE;
    return LOCKED(memory_find(address) ? CU_SUCCESS : CU_INVALID_VALUE);
}

/* ---- Section: Other processes have no part in this memory ---- */

API cuIpcGetMemHandle(cu_ipc_handle *ipc UNUSED, cu_address address UNUSED)
{
    return CU_NOT_SUPPORTED;
}

API cuIpcOpenMemHandle_v2(cu_address *address UNUSED, cu_ipc_handle ipc UNUSED,
                          unsigned flags UNUSED)
{
    return CU_NOT_SUPPORTED;
}
SAME(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2);

API cuIpcCloseMemHandle(cu_address address UNUSED)
{
    return CU_NOT_SUPPORTED;
}

API cuIpcGetEventHandle(cu_ipc_handle *ipc UNUSED, cu_handle event UNUSED)
{
    return CU_NOT_SUPPORTED;
}

API cuIpcOpenEventHandle(cu_handle *event UNUSED, cu_ipc_handle ipc UNUSED)
{
    return CU_NOT_SUPPORTED;
}

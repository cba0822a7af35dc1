/* The part of the CUDA driver's binary interface that this room and the preloaded shim need: facts
 * of the public interface, under names of our own. All handles are pointers that nobody follows. */
#ifndef STAND_IN_ABI_H
#define STAND_IN_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_address; /* of device memory */
typedef void *cu_handle;

enum {
    CU_DRIVER_VERSION = 13000, /* CUDA 13.0 */
    CU_IPC_HANDLE_BYTES = 64,
    CU_TENSOR_MAP_BYTES = 128,
    CU_COMPUTE_CAPABILITY_MAJOR = 75, /* attributes of a device */
    CU_COMPUTE_CAPABILITY_MINOR = 76,
};

/* Streams that are not made by a call. */
#define CU_STREAM_LEGACY     ((cu_handle)1)
#define CU_STREAM_PER_THREAD ((cu_handle)2)

typedef enum cu_memory_type {
    CU_HOST_MEMORY = 1,
    CU_DEVICE_MEMORY,
    CU_ARRAY_MEMORY,
    CU_UNIFIED_MEMORY,
} cu_memory_type;

typedef enum cu_pointer_attribute {
    CU_POINTER_CONTEXT = 1,
    CU_POINTER_MEMORY_TYPE,
    CU_POINTER_DEVICE_POINTER,
    CU_POINTER_HOST_POINTER,
    CU_POINTER_P2P_TOKENS,
    CU_POINTER_SYNC_MEMOPS,
    CU_POINTER_BUFFER_ID,
    CU_POINTER_IS_MANAGED,
    CU_POINTER_DEVICE_ORDINAL,
    CU_POINTER_IS_LEGACY_IPC_CAPABLE,
    CU_POINTER_RANGE_START,
    CU_POINTER_RANGE_SIZE,
    CU_POINTER_MAPPED,
    CU_POINTER_ALLOWED_HANDLE_TYPES,
    CU_POINTER_IS_RDMA_CAPABLE,
    CU_POINTER_ACCESS_FLAGS,
    CU_POINTER_POOL,
    CU_POINTER_MAPPING_SIZE,
    CU_POINTER_MAPPING_BASE,
} cu_pointer_attribute;

typedef enum cu_launch_attribute_id {
    CU_LAUNCH_IGNORE = 0,
    CU_LAUNCH_CLUSTER_DIMENSION = 4,
    CU_LAUNCH_PROGRAMMATIC_SERIALIZATION = 6,
    CU_LAUNCH_PROGRAMMATIC_EVENT = 7,
} cu_launch_attribute_id;

typedef struct cu_launch_attribute {
    int id;
    int pad;
    union {
        char size[64];
        int programmatic_serialization;
        unsigned cluster[3];
    } value;
} cu_launch_attribute;

typedef struct cu_launch_config {
    unsigned grid[3], block[3], shared_bytes;
    cu_handle stream;
    cu_launch_attribute *attributes;
    unsigned n_attributes;
} cu_launch_config;

typedef struct cu_kernel_node { /* the first version ends before `kernel` */
    cu_handle function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters;
    void **extra;
    cu_handle kernel;
    cu_handle context;
} cu_kernel_node;

typedef struct cu_memset_node {
    cu_address to;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
} cu_memset_node;

typedef struct cu_pool_props {
    int allocation_type, handle_types;
    int location_type, location_id;
    void *security;
    size_t largest;
    unsigned short usage;
    unsigned char reserved[54];
} cu_pool_props;

typedef struct cu_alloc_node {
    cu_pool_props props;
    const void *access;
    size_t n_access;
    size_t bytes;
    cu_address address; /* out */
} cu_alloc_node;

typedef struct cu_host_node {
    void (*function)(void *user);
    void *user;
} cu_host_node;

typedef struct cu_copy_2d {
    size_t from_x, from_y;
    int from_type;
    const void *from_host;
    cu_address from_device;
    cu_handle from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_type;
    void *to_host;
    cu_address to_device;
    cu_handle to_array;
    size_t to_pitch;
    size_t width, height;
} cu_copy_2d;

typedef struct cu_copy_3d {
    size_t from_x, from_y, from_z, from_lod;
    int from_type;
    const void *from_host;
    cu_address from_device;
    cu_handle from_array;
    void *reserved0;
    size_t from_pitch, from_height;
    size_t to_x, to_y, to_z, to_lod;
    int to_type;
    void *to_host;
    cu_address to_device;
    cu_handle to_array;
    void *reserved1;
    size_t to_pitch, to_height;
    size_t width, height, depth;
} cu_copy_3d;

typedef struct cu_uuid {
    char bytes[16];
} cu_uuid;

typedef struct cu_ipc_handle {
    char bytes[CU_IPC_HANDLE_BYTES];
} cu_ipc_handle;

typedef struct cu_location {
    int type, id;
} cu_location;

enum cu_status {
#define STATUS(number, name, text) CU_##name = number,
#include "stand_in/status.def"
#undef STATUS
};

#endif

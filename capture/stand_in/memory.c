/* Device memory, which is the host's: a table of allocations, ordered by address. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 512,
    MAPPED_FROM = 1 << 20, /* larger ones are mapped: pages that nobody touches cost nothing */
};

/* Guarded by the driver's lock. */
static struct {
    allocation *items; /* by address, none overlaps another */
    size_t n, room;
    size_t in_use; /* bytes that were allocated, not registered */
    uint64_t next_id;
} m;

/* ---- Section: The table ---- */

/* The number of allocations that start at or before an address. */
static size_t place_of(uint64_t address)
{
    size_t low = 0, high = m.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static allocation *find(uint64_t address)
{
    size_t at = place_of(address);
    allocation *is = at ? &m.items[at - 1] : NULL;
    return is && address - is->start < is->bytes ? is : NULL;
}

const allocation *memory_find(uint64_t address)
{
    return find(address);
}

bool memory_holds(uint64_t address, uint64_t bytes)
{
    const allocation *is = find(address);
    return is && bytes <= is->bytes - (address - is->start);
}

size_t memory_in_use(void)
{
    return m.in_use;
}

static bool make_room(void)
{
    if (m.n < m.room)
        return true;
    size_t room = m.room ? 2 * m.room : 64;
    allocation *larger = realloc(m.items, room * sizeof *larger);
    if (!larger)
        return false;
    m.items = larger;
    m.room = room;
    return true;
}

/* With room made. */
static void insert(allocation new)
{
    size_t at = place_of(new.start);
    memmove(&m.items[at + 1], &m.items[at], (m.n - at) * sizeof *m.items);
    new.id = ++m.next_id;
    new.context = context_current();
    m.items[at] = new;
    m.n++;
}

/* ---- Section: Allocating ---- */

static void *get_memory(size_t bytes, bool *is_mapped)
{
    *is_mapped = bytes >= MAPPED_FROM;
    if (*is_mapped) {
        void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return p == MAP_FAILED ? NULL : p;
    }
    void *p = NULL;
    if (posix_memalign(&p, ALIGNMENT, bytes) != 0)
        return NULL;
    return memset(p, 0, bytes); /* so that runs are alike: a GPU's is what was there before */
}

cu_result memory_new(memory_kind kind, size_t bytes, cu_address *address)
{
    if (!address || !bytes)
        return CU_INVALID_VALUE;
    if (bytes > device_memory() - m.in_use || !make_room())
        return CU_OUT_OF_MEMORY;
    bool is_mapped;
    void *p = get_memory(bytes, &is_mapped);
    if (!p)
        return CU_OUT_OF_MEMORY;
    insert((allocation){(uintptr_t)p, bytes, .kind = kind, .is_mapped = is_mapped});
    m.in_use += bytes;
    *address = (uintptr_t)p;
    return CU_SUCCESS;
}

static bool overlaps(uint64_t address, size_t bytes)
{
    size_t at = place_of(address);
    return find(address) || (at < m.n && m.items[at].start - address < bytes);
}

cu_result memory_register(void *pointer, size_t bytes, unsigned flags)
{
    uint64_t address = (uintptr_t)pointer;
    if (!pointer || !bytes || bytes > UINT64_MAX - address)
        return CU_INVALID_VALUE;
    if (overlaps(address, bytes))
        return CU_HOST_MEMORY_ALREADY_REGISTERED;
    if (!make_room())
        return CU_OUT_OF_MEMORY;
    insert((allocation){address, bytes, .kind = MEMORY_REGISTERED, .flags = flags});
    return CU_SUCCESS;
}

void memory_set_flags(uint64_t address, unsigned flags, cu_handle pool)
{
    allocation *is = find(address);
    if (is) {
        is->flags = flags;
        is->pool = pool;
    }
}

cu_result memory_free(uint64_t address, unsigned kinds)
{
    allocation *is = find(address);
    if (!is || is->start != address || !(kinds >> is->kind & 1))
        return CU_INVALID_VALUE;
    if (is->is_mapped)
        munmap((void *)(uintptr_t)is->start, is->bytes);
    else if (is->kind != MEMORY_REGISTERED)
        free((void *)(uintptr_t)is->start);
    m.in_use -= is->kind == MEMORY_REGISTERED ? 0 : is->bytes;
    size_t at = (size_t)(is - m.items);
    memmove(is, is + 1, (m.n - at - 1) * sizeof *is);
    m.n--;
    return CU_SUCCESS;
}

/* ---- Section: The driver's functions ---- */

enum { DEVICE_KINDS = 1 << MEMORY_DEVICE | 1 << MEMORY_MANAGED };

static cu_result allocate(memory_kind kind, size_t bytes, cu_address *address)
{
    cu_result result = context_needed();
    return result == CU_SUCCESS ? memory_new(kind, bytes, address) : result;
}

API cuMemGetInfo_v2(size_t *left, size_t *total)
{
    if (!left || !total)
        return CU_INVALID_VALUE;
    return LOCKED((*total = device_memory(), *left = *total - memory_in_use(), CU_SUCCESS));
}

API cuMemAlloc_v2(cu_address *address, size_t bytes)
{
    return LOCKED(allocate(MEMORY_DEVICE, bytes, address));
}

API cuMemAllocManaged(cu_address *address, size_t bytes, unsigned flags UNUSED)
{
    return LOCKED(allocate(MEMORY_MANAGED, bytes, address));
}

API cuMemAllocPitch_v2(cu_address *address, size_t *pitch, size_t width, size_t height,
                       unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16) || width > SIZE_MAX / 2)
        return CU_INVALID_VALUE;
    size_t row = (width + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!row || height > SIZE_MAX / row)
        return CU_INVALID_VALUE;
    cu_result result = LOCKED(allocate(MEMORY_DEVICE, row * height, address));
    if (result == CU_SUCCESS)
        *pitch = row;
    return result;
}

/* Freeing nothing is allowed. */
API cuMemFree_v2(cu_address address)
{
    recorder_streams_waited(false); /* drivers do, and no documentation says so */
    return LOCKED(address ? memory_free(address, DEVICE_KINDS) : CU_SUCCESS);
}

static cu_result get_range(cu_address *start, size_t *bytes, cu_address address)
{
    const allocation *is = memory_find(address);
    if (!is)
        return CU_NOT_FOUND;
    if (start)
        *start = is->start;
    if (bytes)
        *bytes = is->bytes;
    return CU_SUCCESS;
}

API cuMemGetAddressRange_v2(cu_address *start, size_t *bytes, cu_address address)
{
    return LOCKED(get_range(start, bytes, address));
}

API cuMemAdvise(cu_address address, size_t bytes, int advice UNUSED, cu_device device UNUSED)
{
    return LOCKED(memory_holds(address, bytes) ? CU_SUCCESS : CU_INVALID_VALUE);
}

API cuMemAdvise_v2(cu_address address, size_t bytes, int advice, cu_location location UNUSED)
{
    return cuMemAdvise(address, bytes, advice, 0);
}

API cuMemPrefetchAsync(cu_address address, size_t bytes, cu_device device UNUSED, cu_handle stream)
{
    return LOCKED(!stream_is(stream)             ? CU_INVALID_HANDLE
                  : memory_holds(address, bytes) ? CU_SUCCESS
                                                 : CU_INVALID_VALUE);
}
ALSO(cuMemPrefetchAsync, _ptsz);

API cuMemPrefetchAsync_v2(cu_address address, size_t bytes, cu_location location UNUSED,
                          unsigned flags UNUSED, cu_handle stream)
{
    return cuMemPrefetchAsync(address, bytes, 0, stream);
}
ALSO(cuMemPrefetchAsync_v2, _ptsz);

/* ---- Section: Pools, which here are names only ---- */

static cu_result allocate_async(size_t bytes, cu_address *address, cu_handle pool, cu_handle stream)
{
    if (!stream_is(stream))
        return CU_INVALID_HANDLE;
    cu_handle graph = capture_graph(stream);
    cu_result result =
        graph ? graph_add_memory(graph, bytes, address) : memory_new(MEMORY_DEVICE, bytes, address);
    if (result == CU_SUCCESS)
        memory_set_flags(*address, 0, pool);
    return result;
}

/* The default pool; NULL: no memory. */
static cu_handle default_pool(void)
{
    static cu_handle pool;
    if (!object_get(OBJECT_POOL, pool))
        pool = object_add(OBJECT_POOL, calloc(1, 1));
    return pool;
}

API cuMemAllocAsync(cu_address *address, size_t bytes, cu_handle stream)
{
    return LOCKED(allocate_async(bytes, address, default_pool(), stream));
}
ALSO(cuMemAllocAsync, _ptsz);

API cuMemAllocFromPoolAsync(cu_address *address, size_t bytes, cu_handle pool, cu_handle stream)
{
    return LOCKED(object_get(OBJECT_POOL, pool) ? allocate_async(bytes, address, pool, stream)
                                                : CU_INVALID_HANDLE);
}
ALSO(cuMemAllocFromPoolAsync, _ptsz);

/* In a capture the memory stays while its node does, so that the graph can be launched again. */
API cuMemFreeAsync(cu_address address, cu_handle stream)
{
    return LOCKED(!stream_is(stream)                  ? CU_INVALID_HANDLE
                  : address && !capture_graph(stream) ? memory_free(address, DEVICE_KINDS)
                                                      : CU_SUCCESS);
}
ALSO(cuMemFreeAsync, _ptsz);

API cuDeviceGetDefaultMemPool(cu_handle *pool, cu_device device)
{
    if (!pool)
        return CU_INVALID_VALUE;
    return LOCKED(device_is(device) ? (*pool = default_pool(), CU_SUCCESS) : CU_INVALID_DEVICE);
}

API cuDeviceGetMemPool(cu_handle *pool, cu_device device)
{
    return cuDeviceGetDefaultMemPool(pool, device);
}

API cuDeviceSetMemPool(cu_device device, cu_handle pool)
{
    return LOCKED(!device_is(device)              ? CU_INVALID_DEVICE
                  : object_get(OBJECT_POOL, pool) ? CU_SUCCESS
                                                  : CU_INVALID_HANDLE);
}

API cuMemPoolCreate(cu_handle *pool, const cu_pool_props *props)
{
    if (!pool || !props)
        return CU_INVALID_VALUE;
    return LOCKED((*pool = object_add(OBJECT_POOL, calloc(1, 1))) ? CU_SUCCESS : CU_OUT_OF_MEMORY);
}

API cuMemPoolDestroy(cu_handle pool)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    void *object = object_take(OBJECT_POOL, pool);
    free(object);
    return driver_leave(object ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuMemPoolTrimTo(cu_handle pool, size_t bytes UNUSED)
{
    return LOCKED(object_get(OBJECT_POOL, pool) ? CU_SUCCESS : CU_INVALID_HANDLE);
}

API cuMemPoolSetAttribute(cu_handle pool, int attribute UNUSED, void *value)
{
    return LOCKED(!object_get(OBJECT_POOL, pool) ? CU_INVALID_HANDLE
                  : value                        ? CU_SUCCESS
                                                 : CU_INVALID_VALUE);
}

/* The first three attributes are whether memory is used again, ints; the others are bytes. */
API cuMemPoolGetAttribute(cu_handle pool, int attribute, void *value)
{
    if (!value || attribute < 1 || attribute > 8)
        return CU_INVALID_VALUE;
    memset(value, 0, attribute <= 3 ? sizeof(int) : sizeof(uint64_t));
    return LOCKED(object_get(OBJECT_POOL, pool) ? CU_SUCCESS : CU_INVALID_HANDLE);
}

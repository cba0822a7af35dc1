/* Device memory, which is the host's: a table of allocations, ordered by address. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAPPED_FROM = 1 << 20 }; /* larger ones are mapped: pages that nobody touches cost nothing */

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

/* Inserts the allocation, with room made for it. */
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
    if (posix_memalign(&p, MEMORY_ALIGNMENT, bytes) != 0)
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

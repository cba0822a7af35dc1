/* Memory that nothing has written yet, as the program says. The checker is told which bytes these
 * are when it runs a kernel that may read them.
 *
 * The host writes unseen. So such memory is filled with numbers made up from its address, and what
 * holds others has been written. A kernel's stores are seen, byte by byte. */
#include "recorder/private.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 8,            /* bytes that are filled by one number */
    FEW = 4,             /* bytes that may hold these numbers by accident */
    MOST_READ_ONLY = 64, /* arrays of a launch */
};

typedef struct range {
    uint64_t address, bytes;
    unsigned element_bytes;
    bool host_writes; /* something was found there that no kernel stored */
    uint8_t *which;   /* bit i % 8 of byte i / 8: nothing has written the byte i */
} range;

/* Guarded by the lock of the tables. */
static struct {
    range *items;
    size_t n;
} u;

static uint64_t filling(uint64_t address)
{
    uint64_t z = address + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint8_t filling_byte(const range *r, uint64_t i)
{
    return (uint8_t)(filling(r->address + i / UNIT * UNIT) >> i % UNIT * 8);
}

static void forget(uint64_t address)
{
    for (size_t i = u.n; i-- > 0;)
        if (u.items[i].address == address) {
            free(u.items[i].which);
            u.items[i] = u.items[--u.n];
        }
}

bool recorder_undefined(uint64_t address, uint64_t bytes, unsigned element_bytes)
{
    uint8_t *which = bytes ? malloc(bytes / 8 + 1) : NULL;
    bool good = which != NULL;
    tables_lock();
    forget(address);
    range *larger = good ? realloc(u.items, (u.n + 1) * sizeof *larger) : NULL;
    if (larger) {
        u.items = larger;
        range *r = &u.items[u.n++];
        *r = (range){address, bytes, element_bytes ? element_bytes : 1, false, which};
        memset(which, 0xff, bytes / 8 + 1);
        for (uint64_t i = 0; i < bytes; i += UNIT) {
            uint64_t number = filling(address + i), n = bytes - i < UNIT ? bytes - i : UNIT;
            memcpy((uint8_t *)(uintptr_t)address + i, &number, n);
        }
    } else {
        free(which);
    }
    tables_unlock();
    return larger != NULL;
}

void recorder_freed(uint64_t address)
{
    tables_lock();
    forget(address);
    tables_unlock();
}

static bool is_set(const uint8_t *which, uint64_t i)
{
    return which[i / 8] >> i % 8 & 1;
}

static void clear(uint8_t *which, uint64_t i)
{
    which[i / 8] &= (uint8_t)~(1u << i % 8);
}

/* The host has written a byte of this element. */
static void clear_element(range *r, uint64_t i)
{
    uint64_t first = i - i % r->element_bytes;
    for (uint64_t k = first; k < first + r->element_bytes && k < r->bytes; k++)
        clear(r->which, k);
    r->host_writes = true;
}

/* Looks at one unit, which begins at `first`: how many of its bytes nothing has written. */
static unsigned look_at_unit(range *r, uint64_t first, const uint8_t *now)
{
    uint64_t end = r->bytes - first < UNIT ? r->bytes : first + UNIT;
    unsigned left = 0;
    for (uint64_t i = first; i < end; i++)
        if (is_set(r->which, i) && now[i] != filling_byte(r, i))
            clear_element(r, i);
    for (uint64_t i = first; i < end; i++)
        left += is_set(r->which, i);
    return left >= FEW || !r->host_writes ? left : 0;
}

/* Sets the bits of what is undefined of `bytes` bytes at `address`. */
static bool look_at(range *r, uint64_t address, uint64_t bytes, uint8_t *undefined)
{
    bool any = false;
    const uint8_t *now = (const uint8_t *)(uintptr_t)r->address;
    uint64_t from = address > r->address ? address - r->address : 0;
    uint64_t to = address + bytes - r->address < r->bytes ? address + bytes - r->address : r->bytes;
    for (uint64_t unit = from / UNIT * UNIT; unit < to; unit += UNIT) {
        if (!r->which[unit / 8] || !look_at_unit(r, unit, now))
            continue;
        for (uint64_t i = unit < from ? from : unit; i < unit + UNIT && i < to; i++)
            if (is_set(r->which, i)) {
                uint64_t at = r->address + i - address;
                undefined[at / 8] |= (uint8_t)(1u << at % 8);
                any = true;
            }
    }
    return any;
}

static bool meets(const range *r, uint64_t address, uint64_t bytes)
{
    return address < r->address + r->bytes && r->address < address + bytes;
}

/* The bits of what is undefined there, of malloc; NULL: nothing is. */
static uint8_t *undefined_of(uint64_t address, uint64_t bytes)
{
    uint8_t *undefined = NULL;
    bool any = false;
    tables_lock();
    for (size_t i = 0; i < u.n; i++) {
        if (!meets(&u.items[i], address, bytes))
            continue;
        undefined = undefined ? undefined : calloc(1, bytes / 8 + 1);
        any |= undefined && look_at(&u.items[i], address, bytes, undefined);
    }
    tables_unlock();
    if (any)
        return undefined;
    free(undefined);
    return NULL;
}

bool undefined_is_part(uint64_t address, uint64_t bytes)
{
    uint8_t *undefined = undefined_of(address, bytes);
    bool any = undefined != NULL;
    free(undefined);
    return any;
}

void undefined_add(wire_writer *w, uint64_t address, uint64_t bytes)
{
    uint8_t *undefined = undefined_of(address, bytes);
    wire_bytes(w, undefined, undefined ? (bytes + 7) / 8 : 0);
    free(undefined);
}

void undefined_stored(uint64_t address, const uint8_t *which, size_t bytes)
{
    tables_lock();
    for (size_t k = 0; k < u.n; k++) {
        range *r = &u.items[k];
        for (size_t i = 0; meets(r, address, bytes) && i < bytes; i++)
            if (is_set(which, i) && address + i - r->address < r->bytes)
                clear(r->which, address + i - r->address);
    }
    tables_unlock();
}

/* ---- Section: Arrays that are read-only ---- */

static _Thread_local struct {
    size_t n;
    struct {
        uint64_t address, bytes;
    } items[MOST_READ_ONLY];
} kept;

void recorder_read_only(uint64_t address, uint64_t bytes)
{
    if (kept.n < MOST_READ_ONLY) {
        kept.items[kept.n].address = address;
        kept.items[kept.n++].bytes = bytes;
    }
}

void read_only_forget(void)
{
    kept.n = 0;
}

bool read_only_meets(uint64_t address, const uint8_t *which, size_t bytes)
{
    for (size_t k = 0; k < kept.n; k++)
        for (size_t i = 0; i < bytes; i++)
            if (is_set(which, i) && address + i - kept.items[k].address < kept.items[k].bytes)
                return true;
    return false;
}

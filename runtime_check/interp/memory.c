/* The memory of one execution: sparse pages over what the launch gave, so that a buffer of 2^40
 * bytes of which a kernel touches a few costs a few pages. */
#include "interp/private.h"

#include <stdlib.h>

#define MAX_PAGES   ((uint64_t)1 << 17) /* 512 MiB */
#define MAX_BUFFERS (1 << 18)

/* If a launch gives addresses of buffers, windows begin above all of them. */
#define ABOVE_PLACES ((uint64_t)1 << 60)

static uint64_t start_of(const interp_run *run, int32_t buffer)
{
    if (!run->has_places)
        return concrete_pointer(buffer, 0);
    uint64_t place = buffer < 0 ? 0 : run->buffers[buffer].place;
    return place ? place : ABOVE_PLACES + concrete_pointer(buffer, 0);
}

uint64_t pointer_number(const interp_run *run, int32_t buffer, int64_t address)
{
    return start_of(run, buffer) + (uint64_t)address;
}

static int32_t buffer_at_place(const interp_run *run, uint64_t number)
{
    for (size_t i = 0; i < run->n_launch_buffers; i++) {
        const memory_buffer *b = &run->buffers[i];
        if (b->place && number - b->place < (uint64_t)b->bytes)
            return (int32_t)i;
    }
    return NO_BUFFER;
}

int32_t pointer_buffer(const interp_run *run, uint64_t number)
{
    if (run->has_places && number < ABOVE_PLACES)
        return buffer_at_place(run, number);
    number -= run->has_places ? ABOVE_PLACES : 0;
    uint64_t window = (number + ((uint64_t)1 << (LAUNCH_WINDOW_SHIFT - 1))) >> LAUNCH_WINDOW_SHIFT;
    return window && window <= arrlenu(run->buffers) ? (int32_t)(window - 1) : NO_BUFFER;
}

int64_t pointer_address(const interp_run *run, uint64_t number, int32_t buffer)
{
    return (int64_t)(number - start_of(run, buffer));
}

int32_t memory_add(interp_run *run, memory_buffer buffer)
{
    if (arrlen(run->buffers) >= MAX_BUFFERS) {
        machine_stop(run, INTERP_LIMIT, NULL, "more than %d allocations", MAX_BUFFERS);
        return NO_BUFFER;
    }
    arrput(run->buffers, buffer);
    return (int32_t)arrlen(run->buffers) - 1;
}

static memory_buffer *buffer_of(const interp_run *run, int32_t buffer)
{
    return buffer < 0 || buffer >= arrlen(run->buffers) ? NULL : &run->buffers[buffer];
}

bool memory_may_be_known(const interp_run *run, int32_t buffer)
{
    const memory_buffer *b = buffer_of(run, buffer);
    return b && (!b->opaque || b->pages);
}

/* Returns one byte as the launch gave it; false when it did not say. */
static bool launch_byte(const memory_buffer *b, int64_t address, unsigned char *byte)
{
    *byte = 0;
    if (b->opaque)
        return false;
    if (address < 0 || (!b->unbounded && address >= b->bytes))
        return false;
    if (!b->data && !b->known)
        return true;
    if (address >= (b->data_bytes ? b->data_bytes : b->bytes))
        return false;
    if (b->data)
        *byte = b->data[address];
    return !b->known || b->known[address];
}

static page *find_page(memory_buffer *b, int64_t key)
{
    if (!b->pages)
        return NULL;
    if (!b->looked || b->last_key != key) {
        b->last_page = hmget(b->pages, key);
        b->last_key = key;
        b->looked = true;
    }
    return b->last_page;
}

/* Fills the page with what the launch gave there, as launch_byte has it; the page is all 0 and
 * unknown. */
static void fill_page(const memory_buffer *b, int64_t address, page *p)
{
    int64_t end = b->unbounded ? INT64_MAX : b->bytes;
    int64_t given = b->data_bytes ? b->data_bytes : b->bytes;
    if ((b->data || b->known) && given < end)
        end = given;
    if (b->opaque || address < 0 || address >= end)
        return;
    int64_t n = end - address < PAGE_BYTES ? end - address : PAGE_BYTES;
    if (b->data)
        memcpy(p->data, &b->data[address], (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        bool is_whole = !b->known && i % 64 == 0 && i + 64 <= n;
        if (is_whole || !b->known || b->known[address + i])
            p->known[i / 64] |= is_whole ? ~(uint64_t)0 : (uint64_t)1 << (i % 64);
        i += is_whole ? 63 : 0;
    }
}

static page *make_page(interp_run *run, memory_buffer *b, int64_t key)
{
    page *p = find_page(b, key);
    if (p)
        return p;
    if (run->pages >= MAX_PAGES) {
        machine_stop(run, INTERP_LIMIT, NULL, "the kernel writes more than %d MiB of memory",
                     (int)(MAX_PAGES * PAGE_BYTES >> 20));
        return NULL;
    }
    p = calloc(1, sizeof *p);
    if (!p)
        tr_no_memory();
    run->pages++;
    fill_page(b, key * PAGE_BYTES, p);
    hmput(b->pages, key, p);
    b->last_key = key;
    b->last_page = p;
    b->looked = true;
    return p;
}

static int64_t page_key(int64_t address)
{
    return address >= 0 ? address / PAGE_BYTES : -1 - (-1 - address) / PAGE_BYTES;
}

static bool all_known(const page *p, int64_t in_page, int width)
{
    uint64_t wanted = ((uint64_t)1 << width) - 1;
    int shift = (int)(in_page % 64);
    return shift + width <= 64 && (p->known[in_page / 64] >> shift & wanted) == wanted;
}

bool memory_page_equal(const interp_run *a, const interp_run *b, int32_t buffer, int64_t key)
{
    memory_buffer *in_a = buffer_of(a, buffer), *in_b = buffer_of(b, buffer);
    const page *x = in_a ? find_page(in_a, key) : NULL, *y = in_b ? find_page(in_b, key) : NULL;
    return x && y && memcmp(x->data, y->data, sizeof x->data) == 0 &&
           memcmp(x->known, y->known, sizeof x->known) == 0;
}

uint32_t memory_source(const interp_run *run, int32_t buffer, int64_t address)
{
    memory_buffer *b = buffer_of(run, buffer);
    const page *p = b ? find_page(b, page_key(address)) : NULL;
    return p ? p->source : b ? b->source : 0;
}

void memory_set_source(interp_run *run, int32_t buffer, int64_t address, uint32_t source)
{
    memory_buffer *b = buffer_of(run, buffer);
    page *p = b ? find_page(b, page_key(address)) : NULL;
    source = source ? source : NO_SOURCE;
    if (p)
        p->source = source;
    else if (b)
        b->source = source;
}

/* How many bytes from there on are known, one behind the other. */
static int64_t known_in_page(const page *p, int64_t in_page)
{
    int64_t at = in_page;
    while (at < PAGE_BYTES) {
        uint64_t unknown = ~p->known[at / 64] >> (at % 64);
        if (unknown)
            return at + __builtin_ctzll(unknown) - in_page;
        at += 64 - at % 64;
    }
    return PAGE_BYTES - in_page;
}

unsigned char *memory_written_row(interp_run *run, int32_t buffer, int64_t address, int64_t *bytes)
{
    memory_buffer *b = buffer_of(run, buffer);
    int64_t key = page_key(address), in_page = address - key * PAGE_BYTES;
    page *p = b && !run->hooks ? find_page(b, key) : NULL;
    *bytes = p ? known_in_page(p, in_page) : 0;
    return p ? &p->data[in_page] : NULL;
}

const unsigned char *memory_known_row(interp_run *run, int32_t buffer, int64_t address,
                                      int64_t *bytes)
{
    memory_buffer *b = buffer_of(run, buffer);
    *bytes = 0;
    if (!b || run->hooks || address < 0)
        return NULL;
    int64_t key = page_key(address), in_page = address - key * PAGE_BYTES;
    page *p = find_page(b, key);
    if (p) {
        *bytes = known_in_page(p, in_page);
        return &p->data[in_page];
    }
    int64_t end = b->data_bytes ? b->data_bytes : b->bytes;
    end = !b->unbounded && b->bytes < end ? b->bytes : end;
    if (b->opaque || !b->data || b->known || address >= end)
        return NULL;
    *bytes = end - address < PAGE_BYTES - in_page ? end - address : PAGE_BYTES - in_page;
    return &b->data[address];
}

/* Most reads: inside one page, or of what the launch gave and nobody wrote near. */
static bool read_whole(memory_buffer *b, int64_t address, int width, uint64_t *bits)
{
    int64_t key = page_key(address), in_page = address - key * PAGE_BYTES;
    if (in_page + width > PAGE_BYTES)
        return false;
    page *p = find_page(b, key);
    if (p && !all_known(p, in_page, width))
        return false;
    if (!p && (b->opaque || !b->data || b->known || address < 0 ||
               address > (b->data_bytes ? b->data_bytes : b->bytes) - width ||
               (!b->unbounded && address > b->bytes - width)))
        return false;
    memcpy(bits, p ? &p->data[in_page] : &b->data[address], (size_t)width);
    return true;
}

/* Most writes: of known bytes over known ones. */
static bool write_whole(interp_run *run, memory_buffer *b, int64_t address, int width,
                        uint64_t bits)
{
    int64_t key = page_key(address), in_page = address - key * PAGE_BYTES;
    page *p = find_page(b, key);
    if (!p || in_page + width > PAGE_BYTES || !all_known(p, in_page, width))
        return false;
    if (memcmp(&p->data[in_page], &bits, (size_t)width) != 0)
        run->version++;
    memcpy(&p->data[in_page], &bits, (size_t)width);
    return true;
}

bool interp_memory_holds(interp_run *run, int32_t buffer, int64_t address, int width,
                         uint64_t *bits)
{
    *bits = 0;
    memory_buffer *b = buffer_of(run, buffer);
    bool known = true;
    if (!b)
        return false;
    if (read_whole(b, address, width, bits))
        return true;
    for (int i = 0; i < width; i++) {
        int64_t at = (int64_t)((uint64_t)address + (uint64_t)i), key = page_key(at);
        page *p = find_page(b, key);
        unsigned char byte;
        if (p) {
            int64_t in_page = at - key * PAGE_BYTES;
            byte = p->data[in_page];
            known &= p->known[in_page / 64] >> (in_page % 64) & 1;
        } else {
            known &= launch_byte(b, at, &byte);
        }
        *bits |= (uint64_t)byte << (8 * i);
    }
    return known;
}

bool memory_read(interp_run *run, int32_t buffer, int64_t address, int width, uint64_t *bits)
{
    bool known = true;
    *bits = 0;
    if (run->hooks && run->hooks->read(run->hooks->user, run, buffer, address, width, bits, &known))
        return known;
    return interp_memory_holds(run, buffer, address, width, bits);
}

void memory_write(interp_run *run, int32_t buffer, int64_t address, int width, uint64_t bits,
                  bool known)
{
    memory_buffer *b = buffer_of(run, buffer);
    bool changes = false;
    if (run->hooks && run->hooks->write(run->hooks->user, run, bits, known, &changes)) {
        run->version += changes;
        return;
    }
    if (!b || (!known && b->opaque && !b->pages))
        return;
    if (known && write_whole(run, b, address, width, bits))
        return;
    for (int i = 0; i < width; i++) {
        int64_t at = (int64_t)((uint64_t)address + (uint64_t)i), key = page_key(at);
        page *p = make_page(run, b, key);
        if (!p)
            return;
        int64_t in_page = at - key * PAGE_BYTES;
        uint64_t mark = (uint64_t)1 << (in_page % 64), *word = &p->known[in_page / 64];
        unsigned char byte = known ? (unsigned char)(bits >> (8 * i)) : 0;
        bool was_known = *word & mark;
        if (was_known != known || p->data[in_page] != byte)
            run->version++;
        p->data[in_page] = byte;
        *word = known ? *word | mark : *word & ~mark;
    }
}

bool interp_read_back(const interp_run *run, int buffer, int64_t address, int width, uint64_t *bits)
{
    return memory_read((interp_run *)run, buffer, address, width, bits);
}

size_t interp_pages(const interp_run *run, int buffer)
{
    const memory_buffer *b = buffer_of(run, buffer);
    return b ? (size_t)hmlen(b->pages) : 0;
}

interp_page interp_page_at(const interp_run *run, int buffer, size_t number)
{
    const page_entry *entry = &buffer_of(run, buffer)->pages[number];
    return (interp_page){entry->key * PAGE_BYTES, entry->value->data, entry->value->known};
}

const char *interp_buffer_name(const interp_run *run, int buffer)
{
    const memory_buffer *b = buffer_of(run, buffer);
    return b ? b->name : "no buffer";
}

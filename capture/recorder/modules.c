/* Images that the checker was told of, and their entries. */
#include "recorder/private.h"

#include <stdlib.h>
#include <string.h>

typedef struct image { /* lives as long as the process */
    uint32_t module;   /* the checker's number; 0: it could not read it */
    size_t n;
    image_entry *entries;
} image;

/* Guarded by the lock of the tables. */
static struct {
    hash_table told;  /* Tile IR, front end and names: number of an image */
    hash_table loads; /* bytes that a driver may load: number of an image */
    hash_table sizes; /* of those bytes: 1 */
    image **images;   /* image number `i` is images[i - 1] */
    uint32_t n;
    uint32_t *compiled; /* numbers of images that the program may have assembled itself */
    size_t n_compiled;
} m;

/* ---- Section: What the checker answers ---- */

static void free_image(image *im)
{
    for (size_t i = 0; im && i < im->n; i++) {
        free(im->entries[i].symbol);
        free((void *)im->entries[i].parameters.items);
    }
    if (im)
        free(im->entries);
    free(im);
}

static bool read_entry(wire_reader *r, image_entry *entry)
{
    entry->symbol = wire_read_text(r);
    uint32_t n = wire_read_count(r, 2);
    struct recorder_parameter *items = calloc(n ? n : 1, sizeof *items);
    entry->parameters.items = items;
    if (!entry->symbol || !items)
        return false;
    entry->parameters.n = n;
    for (uint32_t i = 0; i < n; i++) {
        items[i].kind = wire_read_u8(r);
        items[i].bytes = wire_read_u8(r);
    }
    uint8_t waits = wire_read_u8(r);
    entry->waits = waits <= WIRE_WAITS_FIRST ? (wire_waits)waits : WIRE_WAITS_PERHAPS;
    return !r->failed;
}

/* NULL: no memory, or no ENTRIES. */
static image *read_entries(wire_reader *r)
{
    image *im = calloc(1, sizeof *im);
    uint32_t module = wire_read_u32(r), n = wire_read_count(r, 9);
    if (im)
        im->entries = calloc(n ? n : 1, sizeof *im->entries);
    bool good = im && im->entries;
    if (good)
        im->module = module;
    for (uint32_t i = 0; good && i < n; i++) {
        im->n = i + 1;
        good = read_entry(r, &im->entries[i]);
    }
    if (good && wire_read_all(r))
        return im;
    free_image(im);
    return NULL;
}

/* The number that the image gets; 0: no memory. With the tables locked. */
static uint32_t add_image(image *im)
{
    image **larger = realloc(m.images, (m.n + 1) * sizeof *larger);
    if (!larger)
        return 0;
    m.images = larger;
    m.images[m.n++] = im;
    return m.n;
}

static void message(const void *tile_ir, size_t size, const char *front_end, const char *names)
{
    wire_writer *w = conversation_begin(WIRE_MODULE);
    wire_bytes(w, tile_ir, size);
    wire_text(w, front_end);
    wire_text(w, names);
}

static uint32_t find(const hash_table *table, hash128 key)
{
    tables_lock();
    uint32_t number = table_find(table, key);
    tables_unlock();
    return number;
}

/* Tells the checker, unless another thread did so in the meantime; returns the image's number, 0:
 * the conversation is over. */
static uint32_t tell(hash128 key, const void *tile_ir, size_t size, const char *front_end,
                     const char *names)
{
    if (!conversation_enter())
        return 0;
    uint32_t number = find(&m.told, key);
    wire_reader r;
    if (!number) {
        message(tile_ir, size, front_end, names);
        image *im = conversation_ask(WIRE_ENTRIES, &r) ? read_entries(&r) : NULL;
        tables_lock();
        number = im ? add_image(im) : 0;
        if (number && !table_put(&m.told, key, number))
            number = 0; /* the image stays in the list */
        else if (!number)
            free_image(im);
        tables_unlock();
        if (!number)
            conversation_lose("a module could not be told");
    }
    conversation_leave();
    return number;
}

static hash128 module_key(hash128 tile_ir, const char *front_end, const char *names)
{
    hash_parts parts;
    hash_begin(&parts);
    hash_add(&parts, &tile_ir, sizeof tile_ir);
    hash_add_u64(&parts, front_end ? strlen(front_end) : 0);
    hash_add(&parts, front_end, front_end ? strlen(front_end) : 0);
    hash_add(&parts, names, names ? strlen(names) : 0);
    return hash_end(&parts);
}

static hash128 size_key(uint64_t size)
{
    return hash_bytes(&size, sizeof size);
}

static void remember_load(hash128 bytes, size_t size, uint32_t number)
{
    tables_lock();
    table_put(&m.loads, bytes, number);
    table_put(&m.sizes, size_key(size), 1);
    tables_unlock();
}

static const image *image_of(uint32_t number)
{
    tables_lock();
    const image *im = number && number <= m.n ? m.images[number - 1] : NULL;
    tables_unlock();
    return im;
}

/* ---- Section: Machine code of other processes ---- */

/* Other processes may load the code: by the checker they find out whose it is. */
static void tell_code(hash128 code, uint32_t number)
{
    const image *im = image_of(number);
    wire_reader r;
    if (!im || !im->module || !conversation_enter())
        return;
    wire_writer *w = conversation_begin(WIRE_CODE);
    wire_u32(w, im->module);
    wire_u64(w, code.low);
    wire_u64(w, code.high);
    conversation_ask(WIRE_NOTED, &r);
    conversation_leave();
}

/* The number of an image that another process told of; 0: none did. */
static uint32_t ask_whose(hash128 code, size_t size)
{
    wire_reader r;
    if (!conversation_enter())
        return 0;
    wire_writer *w = conversation_begin(WIRE_WHOSE);
    wire_u64(w, code.low);
    wire_u64(w, code.high);
    image *im = conversation_ask(WIRE_ENTRIES, &r) ? read_entries(&r) : NULL;
    conversation_leave();
    tables_lock();
    uint32_t number = im && im->module ? add_image(im) : 0;
    tables_unlock();
    if (number)
        remember_load(code, size, number);
    else
        free_image(im);
    return number;
}

/* ---- Section: Machine code that the program assembled itself ---- */

static void remember_compiled(uint32_t number)
{
    tables_lock();
    size_t i = 0;
    while (i < m.n_compiled && m.compiled[i] != number)
        i++;
    uint32_t *larger =
        i == m.n_compiled ? realloc(m.compiled, (m.n_compiled + 1) * sizeof *larger) : NULL;
    if (larger) {
        m.compiled = larger;
        m.compiled[m.n_compiled++] = number;
    }
    tables_unlock();
}

/* Whether a whole name stands in a table of names; there it may be the end of a longer one, as that
 * of the kernel's section. */
static bool has_name(const char *code, size_t size, const char *name)
{
    size_t length = strlen(name) + 1; /* with the zero behind it */
    const char *at = code, *end = code + size;
    while ((at = memmem(at, (size_t)(end - at), name, length))) {
        if (at > code && (at[-1] == 0 || at[-1] == '.'))
            return true;
        at++;
    }
    return false;
}

static bool has_kernels_of(const void *code, size_t size, const image *im)
{
    for (size_t i = 0; i < im->n; i++)
        if (!has_name(code, size, im->entries[i].symbol))
            return false;
    return im->module && im->n > 0;
}

/* 0: of none of them, or it may be of several. */
static uint32_t find_compiled(const void *code, size_t size)
{
    uint32_t found = 0;
    size_t n = 0;
    tables_lock();
    for (size_t i = 0; i < m.n_compiled; i++) {
        if (has_kernels_of(code, size, m.images[m.compiled[i] - 1])) {
            found = m.compiled[i];
            n++;
        }
    }
    tables_unlock();
    return n == 1 ? found : 0;
}

/* ---- Section: What front ends and drivers call ---- */

void recorder_module(const void *tile_ir, size_t size, const void *code, size_t code_size,
                     const char *front_end, const char *names)
{
    if (!tile_ir || !size || !recorder_is_on())
        return;
    hash128 bytes = hash_bytes(tile_ir, size), key = module_key(bytes, front_end, names);
    uint32_t number = find(&m.told, key);
    if (!number)
        number = tell(key, tile_ir, size, front_end, names);
    if (!number)
        return;
    remember_load(bytes, size, number);
    if (!code || !code_size)
        return;
    /* A driver is given the code without its size, and has to find the same bytes. */
    size_t known = recorder_image_size(code);
    code_size = known && known < code_size ? known : code_size;
    hash128 of_code = hash_bytes(code, code_size);
    if (find(&m.loads, of_code) == number)
        return;
    remember_load(of_code, code_size, number);
    tell_code(of_code, number);
}

void recorder_compiled(const void *tile_ir, size_t size, const char *front_end)
{
    recorder_module(tile_ir, size, NULL, 0, front_end, NULL);
    uint32_t number = recorder_is_on() ? find(&m.loads, hash_bytes(tile_ir, size)) : 0;
    if (number)
        remember_compiled(number);
}

uint32_t recorder_image(const void *bytes, size_t size, unsigned architecture)
{
    if (!bytes || !size || !recorder_is_on())
        return 0;
    const void *entry = fatbin_tile_ir(bytes, architecture, &size);
    bytes = entry ? entry : bytes;
    bool is_tile_ir = entry || recorder_tile_ir_size(bytes);
    if (!is_tile_ir && (!find(&m.sizes, size_key(size)) || !image_is_there(bytes, size)))
        return 0; /* none was told of this size: to read it all, which may take long, is no use */
    hash128 key = hash_bytes(bytes, size);
    uint32_t number = find(&m.loads, key);
    if (number || !is_tile_ir)
        return number;
    number = tell(module_key(key, NULL, NULL), bytes, size, NULL, NULL);
    if (number)
        remember_load(key, size, number);
    return number;
}

uint32_t recorder_load(const void *bytes, size_t size, unsigned architecture, bool *is_tile)
{
    uint32_t number = recorder_image(bytes, size, architecture);
    *is_tile = number || recorder_is_tile(bytes, size);
    bool is_code = *is_tile && !number && !recorder_tile_ir_size(bytes);
    if (!is_code || !recorder_is_on() || !image_is_there(bytes, size))
        return number;
    hash128 code = hash_bytes(bytes, size);
    number = ask_whose(code, size);
    if (number)
        return number;
    number = find_compiled(bytes, size);
    if (number)
        remember_load(code, size, number);
    return number;
}

uint32_t image_find(uint32_t number, const char *symbol, const image_entry **entry)
{
    const image *im = image_of(number);
    *entry = NULL;
    for (size_t i = 0; im && i < im->n && !*entry; i++) {
        if (strcmp(im->entries[i].symbol, symbol) == 0)
            *entry = &im->entries[i];
    }
    return im ? im->module : 0;
}

bool recorder_entry(uint32_t number, const char *symbol, recorder_parameters *parameters)
{
    const image_entry *entry;
    image_find(number, symbol, &entry);
    *parameters = entry ? entry->parameters : (recorder_parameters){0};
    return entry;
}

bool recorder_has_entries(uint32_t number)
{
    const image *im = image_of(number);
    return im && im->module;
}

size_t recorder_entries(uint32_t number)
{
    const image *im = image_of(number);
    return im ? im->n : 0;
}

const char *recorder_symbol(uint32_t number, size_t entry)
{
    const image *im = image_of(number);
    return im && entry < im->n ? im->entries[entry].symbol : NULL;
}

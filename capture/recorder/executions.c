/* Launches that the checker runs: it asks for the memory that the kernel may touch, and answers
 * with the bytes that have changed. */
#include "recorder/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BYTES = 4096,
    ROOM_FOR_HEADERS = 1 << 20, /* in a message */
};

/* The key of what a launch's execution looks at, which is not what its judgement looks at. */
static hash128 key_of_memory(const telling *t)
{
    hash_parts parts;
    hash_begin(&parts);
    hash_add(&parts, &t->key, sizeof t->key);
    hash_add_u64(&parts, WIRE_MEMORY);
    return hash_end(&parts);
}

/* ---- Section: Memory that is asked for ---- */

static bool fits_in_message(const watch *ranges)
{
    uint64_t all = ROOM_FOR_HEADERS;
    for (size_t i = 0; i < ranges->n; i++) {
        uint64_t bytes = ranges->items[i].bytes;
        if (bytes > WIRE_LONGEST || all + bytes > WIRE_LONGEST)
            return false;
        all += bytes;
    }
    return true;
}

static void add_range(wire_writer *w, const want *range)
{
    uint8_t *data = wire_room(w, range->bytes);
    bool good = data && memory_try_read(data, range->address, range->bytes);
    if (data && !good)
        wire_drop_room(w, range->bytes);
    if (good)
        undefined_add(w, range->address, range->bytes);
    else
        wire_bytes(w, NULL, 0);
}

/* The message MEMORY, in the writer of the conversation. */
static wire_writer *write_memory(const watch *ranges)
{
    wire_writer *w = conversation_begin(WIRE_MEMORY);
    bool fits = fits_in_message(ranges);
    wire_u32(w, (uint32_t)ranges->n);
    for (size_t i = 0; i < ranges->n; i++) {
        if (fits)
            add_range(w, &ranges->items[i]);
        else {
            wire_bytes(w, NULL, 0);
            wire_bytes(w, NULL, 0);
        }
    }
    return w;
}

/* Reads WANTED; NULL: it is none, or there is no memory. */
static watch *read_wanted(wire_reader *r)
{
    uint32_t n = wire_read_count(r, 16);
    watch *ranges = calloc(1, sizeof *ranges + n * sizeof(want));
    if (!ranges)
        return NULL;
    ranges->n = n;
    for (uint32_t i = 0; i < n; i++) {
        ranges->items[i].address = wire_read_u64(r);
        ranges->items[i].bytes = wire_read_u64(r);
    }
    if (wire_read_all(r))
        return ranges;
    free(ranges);
    return NULL;
}

/* ---- Section: What has changed ---- */

static bool is_set(const uint8_t *which, size_t i)
{
    return which[i / 8] >> i % 8 & 1;
}

/* Whether all the bytes lie in what the checker was told. */
static bool was_told(const watch *ranges, uint64_t address)
{
    for (size_t i = 0; i < ranges->n; i++) {
        if (address - ranges->items[i].address < ranges->items[i].bytes)
            return true;
    }
    return false;
}

/* The first and the last byte decide: a page lies in one range, of which it may reach out at both
 * ends, where nothing may be set. */
static bool page_is_told(const watch *ranges, uint64_t address, const uint8_t *which, size_t bytes)
{
    size_t first = 0, last = bytes;
    while (first < bytes && !is_set(which, first))
        first++;
    while (last > first && !is_set(which, last - 1))
        last--;
    return first == bytes ||
           (was_told(ranges, address + first) && was_told(ranges, address + last - 1));
}

typedef struct page {
    uint64_t address;
    const uint8_t *which, *contents;
    size_t bytes;
} page;

static bool read_page(wire_reader *r, const watch *ranges, page *p)
{
    size_t length;
    p->address = wire_read_u64(r);
    p->which = wire_read_bytes(r, &length);
    p->contents = wire_read_bytes(r, &p->bytes);
    return !r->failed && p->bytes <= PAGE_BYTES && length == (p->bytes + 7) / 8 &&
           page_is_told(ranges, p->address, p->which, p->bytes);
}

/* EXECUTED, but for its pages. */
typedef struct executed {
    wire_executed done;
    const char *why, *found; /* by recorder_keep(); NULL: none */
    bool prints;             /* its output has to be printed on standard output */
    uint32_t n_pages;
} executed;

static const char *read_kept(wire_reader *r)
{
    char *text = wire_read_text(r);
    const char *kept = text && text[0] ? recorder_keep(text) : NULL;
    free(text);
    return kept;
}

/* Prints as a driver does, by the buffer of C's standard output. */
static void print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

/* Writes nothing where an array is read-only: *done is false then. */
static bool write_pages(wire_reader *r, const watch *ranges, executed *is)
{
    page p;
    wire_reader look = *r;
    for (uint32_t i = 0; i < is->n_pages; i++)
        if (read_page(&look, ranges, &p) && read_only_meets(p.address, p.which, p.bytes)) {
            is->done = WIRE_NOT_EXECUTED;
            is->why = "it stores to an array that is read-only";
            return true;
        }
    for (uint32_t i = 0; i < is->n_pages; i++) {
        if (!read_page(r, ranges, &p) ||
            !memory_write_some(p.address, p.contents, p.bytes, p.which))
            return false;
        undefined_stored(p.address, p.which, p.bytes);
    }
    return true;
}

/* Reads EXECUTED and changes memory, where all of it is in order. */
static bool read_executed(wire_reader *r, const watch *ranges, executed *is)
{
    size_t length;
    uint8_t done = wire_read_u8(r);
    is->done = (wire_executed)done;
    wire_read_u32(r);
    wire_read_bytes(r, &length);
    is->why = read_kept(r);
    is->found = read_kept(r);
    for (uint32_t n = wire_read_count(r, 16); n > 0; n--) {
        wire_read_u64(r);
        wire_read_u64(r);
    }
    page p;
    char *printed = wire_read_text(r);
    is->prints = printed && printed[0];
    is->n_pages = wire_read_count(r, 16);
    wire_reader pages = *r;
    bool good = true;
    for (uint32_t i = 0; i < is->n_pages && good; i++)
        good = ranges && read_page(r, ranges, &p);
    good = good && wire_read_all(r) && done < WIRE_N_EXECUTED && write_pages(&pages, ranges, is);
    if (good && is->done == WIRE_DONE && is->prints)
        print(printed);
    free(printed);
    return good;
}

/* ---- Section: The conversation ---- */

/* A kernel that changed nothing changes nothing when it meets the same memory again. */
static bool changes_nothing(const telling *t)
{
    hash128 key = key_of_memory(t);
    watch *ranges = watch_find(key);
    if (!ranges)
        return false;
    wire_writer *w = write_memory(ranges);
    bool seen = !w->failed && contents_were_seen(contents_key(key, w));
    free(ranges);
    return seen;
}

/* False: the conversation is over. */
static bool ask_to_execute(const telling *t, executed *is)
{
    wire_kind kind;
    wire_reader r;
    watch *ranges = NULL;
    hash128 key = key_of_memory(t), of_memory = {0};
    telling_add(conversation_begin(WIRE_EXECUTE), t);
    bool good = conversation_ask_any(&kind, &r);
    while (good && kind == WIRE_WANTED) {
        free(ranges);
        ranges = read_wanted(&r);
        if (!ranges)
            break;
        of_memory = contents_key(key, write_memory(ranges));
        good = conversation_ask_any(&kind, &r);
    }
    good = good && kind == WIRE_EXECUTED && read_executed(&r, ranges, is);
    if (!good) {
        conversation_lose("a launch could not be executed");
    } else if (is->done == WIRE_DONE && is->n_pages == 0 && !is->found && !is->prints && ranges) {
        watch_remember(key, ranges);
        contents_remember(of_memory);
    }
    free(ranges);
    return good;
}

bool launch_execute(const telling *t, bool *done)
{
    executed is = {.done = WIRE_NOT_EXECUTED, .why = "the checker has stopped"};
    findings_not_executed(NULL);
    *done = t->module && changes_nothing(t);
    if (*done)
        return true;
    if (!t->module)
        is.why = "its Tile IR was never seen";
    else if (!ask_to_execute(t, &is))
        is = (executed){.done = WIRE_NOT_EXECUTED, .why = "the checker has stopped"};
    *done = is.done == WIRE_DONE;
    if (is.done != WIRE_NOT_EXECUTED)
        findings_add(is.found);
    else
        findings_not_executed(is.found ? is.found
                              : is.why ? is.why
                                       : "the checker cannot execute it");
    return is.done != WIRE_REFUSED;
}

/* Debug records: where each op comes from. */
#include "bytecode/read.h"

enum {
    MAX_SCOPE_DEPTH = 256, /* lexical blocks and call sites inside each other */
    MAX_CALL_SITES = 256,  /* of one place */
};

struct bc_debug_attr {
    bool read, in_progress;
    uint8_t tag;
    const char *function;  /* subprogram, and what lies in it: its name */
    const tr_place *place; /* loc, call site */
};
typedef struct bc_debug_attr bc_debug_attr;

static const bc_debug_attr *entry_of(bc_reader *r, uint64_t number);

static bool is_scope(const bc_debug_attr *attr)
{
    return attr->tag == BC_DEBUG_SUBPROGRAM || attr->tag == BC_DEBUG_LEXICAL_BLOCK;
}

static bool is_place(const bc_debug_attr *attr)
{
    return attr->tag == BC_DEBUG_LOC || attr->tag == BC_DEBUG_CALL_SITE ||
           attr->tag == BC_DEBUG_UNKNOWN;
}

static bool is_file(const bc_debug_attr *attr)
{
    return attr->tag == BC_DEBUG_FILE;
}

static bool is_compile_unit(const bc_debug_attr *attr)
{
    return attr->tag == BC_DEBUG_COMPILE_UNIT;
}

/* The record whose number stands at the cursor, of the wanted kind; number 0 is the unknown place.
 */
static const bc_debug_attr *record(bc_reader *r, bc_cursor *c,
                                   bool (*wanted)(const bc_debug_attr *), const char *what)
{
    static const bc_debug_attr unknown = {.read = true};
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, what);
    const bc_debug_attr *attr = number == 0 ? &unknown : entry_of(r, number - 1);
    if (!r->failed && !wanted(attr)) {
        bc_fail(r, start, "debug record %llu is no %s", (unsigned long long)number, what);
    }
    return r->failed ? NULL : attr;
}

static uint32_t line_or_column(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, what);
    if (number > UINT32_MAX) {
        bc_fail(r, start, "%s is %llu", what, (unsigned long long)number);
    }
    return (uint32_t)number;
}

static void read_loc(bc_reader *r, bc_cursor *c, bc_debug_attr *attr)
{
    const bc_debug_attr *scope = record(r, c, is_scope, "scope");
    const char *file = bc_string(r, c, "a place's file");
    uint32_t line = line_or_column(r, c, "a line");
    uint32_t column = line_or_column(r, c, "a column");
    if (!r->failed) {
        tr_place *place = TR_NEW(r->module->arena, tr_place);
        *place = (tr_place){.file = file,
                            .function = scope->function,
                            .line = line,
                            .column = column,
                            .end_line = line,
                            .end_column = column};
        attr->place = place;
    }
}

static const tr_place nowhere;

/* The callee's frames, then the caller's. */
static void read_call_site(bc_reader *r, bc_cursor *c, bc_debug_attr *attr)
{
    size_t start = c->at;
    const bc_debug_attr *callee = record(r, c, is_place, "place");
    const bc_debug_attr *caller = record(r, c, is_place, "place");
    if (r->failed) {
        return;
    }
    const tr_place *outer = caller->place ? caller->place : &nowhere;
    int frames = 0;
    for (const tr_place *p = outer; p; p = p->inlined_at) {
        frames++;
    }
    if (!bc_afford(r, start, MAX_CALL_SITES * sizeof(tr_place))) {
        return;
    }
    tr_place *first = NULL, *last = NULL;
    for (const tr_place *p = callee->place ? callee->place : &nowhere; p; p = p->inlined_at) {
        tr_place *copy = tr_arena_copy(r->module->arena, p, sizeof *p);
        if (last) {
            last->inlined_at = copy;
        } else {
            first = copy;
        }
        last = copy;
        frames++;
    }
    if (frames > MAX_CALL_SITES) {
        bc_fail(r, start, "a place has %d call sites; %d are the most", frames, MAX_CALL_SITES);
    }
    last->inlined_at = outer;
    attr->place = first;
}

static void read_subprogram(bc_reader *r, bc_cursor *c, bc_debug_attr *attr)
{
    record(r, c, is_file, "file");
    line_or_column(r, c, "a line");
    attr->function = bc_string(r, c, "a function's name");
    bc_string(r, c, "a function's linkage name");
    record(r, c, is_compile_unit, "compile unit");
    line_or_column(r, c, "a line");
    if (r->minor >= BC_SINCE_SUBPROGRAM_FLAGS) {
        bc_varint(r, c, "a function's flags");
    }
}

static void read_lexical_block(bc_reader *r, bc_cursor *c, bc_debug_attr *attr)
{
    const bc_debug_attr *scope = record(r, c, is_scope, "scope");
    record(r, c, is_file, "file");
    line_or_column(r, c, "a line");
    line_or_column(r, c, "a column");
    attr->function = scope ? scope->function : NULL;
}

/* Reads TAG and the fields that the tag calls for, up to the end of the record. */
static void read_record(bc_reader *r, bc_cursor *c, bc_debug_attr *attr)
{
    size_t start = c->at;
    attr->tag = (uint8_t)bc_byte(r, c, "a debug record's tag");
    switch (attr->tag) {
    case BC_DEBUG_UNKNOWN:
        c->at = c->end; /* says nothing, whatever it holds */
        break;
    case BC_DEBUG_COMPILE_UNIT:
        record(r, c, is_file, "file");
        break;
    case BC_DEBUG_FILE:
        bc_string(r, c, "a file's name");
        bc_string(r, c, "a file's folder");
        break;
    case BC_DEBUG_LEXICAL_BLOCK:
        read_lexical_block(r, c, attr);
        break;
    case BC_DEBUG_LOC:
        read_loc(r, c, attr);
        break;
    case BC_DEBUG_SUBPROGRAM:
        read_subprogram(r, c, attr);
        break;
    case BC_DEBUG_CALL_SITE:
        read_call_site(r, c, attr);
        break;
    default:
        bc_fail(r, start, "unknown tag %u of a debug record", attr->tag);
    }
    bc_expect_end(r, c, "a debug record");
}

/* Returns the entry of that number, which is NULL only if the read failed. */
static const bc_debug_attr *entry_of(bc_reader *r, uint64_t number)
{
    bc_debug *debug = &r->debug;
    if (r->failed) {
        return NULL;
    }
    if (number >= debug->attrs.count) {
        bc_fail(r, debug->indices, "debug record %llu of %llu", (unsigned long long)number + 1,
                (unsigned long long)debug->attrs.count);
        return NULL;
    }
    bc_debug_attr *attr = &debug->read[number];
    if (attr->read) {
        return attr;
    }
    bc_cursor c = bc_range(debug->attrs.at[number], debug->attrs.at[number + 1]);
    if (attr->in_progress) {
        bc_fail(r, c.at, "debug record %llu contains itself", (unsigned long long)number + 1);
        return NULL;
    }
    if (!bc_enter(r, &r->place_depth, c.at, MAX_SCOPE_DEPTH, "debug records")) {
        return NULL;
    }
    attr->in_progress = true;
    read_record(r, &c, attr);
    attr->in_progress = false;
    attr->read = true;
    r->place_depth--;
    return r->failed ? NULL : attr;
}

/* Offsets of functions into a list of record numbers, that list, and the records. */
void bc_read_debug(bc_reader *r, bc_cursor *c)
{
    bc_debug *debug = &r->debug;
    debug->n_functions = bc_count(r, c, 4, "the number of functions with debug records");
    bc_align(r, c, 4, "the debug records of functions");
    debug->function_starts = c->at;
    for (uint64_t i = 0; i < debug->n_functions && !r->failed; i++) {
        bc_little(r, c, 4, "the debug records of functions");
    }
    debug->n_indices = bc_count(r, c, 8, "the number of ops with debug records");
    bc_align(r, c, 8, "the debug records of ops");
    debug->indices = c->at;
    for (uint64_t i = 0; i < debug->n_indices && !r->failed; i++) {
        bc_little(r, c, 8, "the debug records of ops");
    }
    debug->attrs = bc_read_table(r, c, 4, "the debug records");
    debug->read = TR_NEW_ARRAY(r->scratch, bc_debug_attr, debug->attrs.count + 1);
    for (uint64_t i = 0; i < debug->attrs.count && !r->failed; i++) {
        entry_of(r, i);
    }
}

static uint64_t little_at(bc_reader *r, size_t at, unsigned bytes)
{
    bc_cursor c = bc_range(at, at + bytes);
    return bc_little(r, &c, bytes, "a debug record's number");
}

bc_places bc_places_of(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, "a function's debug records");
    if (r->failed || number == 0) {
        return (bc_places){0};
    }
    if (number > r->debug.n_functions) {
        bc_fail(r, start, "debug records of function %llu of %llu", (unsigned long long)number,
                (unsigned long long)r->debug.n_functions);
        return (bc_places){0};
    }
    size_t at = r->debug.function_starts + 4 * (size_t)(number - 1);
    uint64_t first = little_at(r, at, 4);
    uint64_t end = number < r->debug.n_functions ? little_at(r, at + 4, 4) : r->debug.n_indices;
    if (first > end || end > r->debug.n_indices) {
        bc_fail(r, at, "the debug records of a function have a wrong offset");
    }
    return (bc_places){.known = true, .next = first, .end = end};
}

const tr_place *bc_next_place(bc_reader *r, bc_places *places, size_t offset)
{
    if (!places->known || r->failed) {
        return NULL;
    }
    if (places->next >= places->end) {
        bc_fail(r, offset, "an op has no debug record, though its function has some");
        return NULL;
    }
    size_t at = r->debug.indices + 8 * (size_t)places->next++;
    uint64_t number = little_at(r, at, 8);
    if (number == 0) {
        return NULL;
    }
    if (number > r->debug.attrs.count) {
        bc_fail(r, at, "debug record %llu of %llu", (unsigned long long)number,
                (unsigned long long)r->debug.attrs.count);
        return NULL;
    }
    const bc_debug_attr *attr = entry_of(r, number - 1);
    if (!r->failed && !is_place(attr)) {
        bc_fail(r, at, "debug record %llu is no place", (unsigned long long)number);
    }
    return r->failed ? NULL : attr->place;
}

/* Places into debug records. */
#include "bytecode/write.h"
#include "base/ds.h"

#include <string.h>

/* Records are numbered from 1; 0 is the unknown place. */
static uint64_t record_of(bc_writer *w, bc_out *entry)
{
    uint64_t number = (uint64_t)bc_pool_number(&w->records, entry->data, entry->size) + 1;
    bc_out_free(entry);
    return number;
}

static uint64_t file_record(bc_writer *w, const char *path)
{
    const char *slash = strrchr(path, '/');
    bc_out entry = {0};
    bc_put_varint(&entry, BC_DEBUG_FILE);
    bc_put_string(w, &entry, slash ? slash + 1 : path);
    bc_put_string(w, &entry,
                  slash ? tr_arena_strndup(w->scratch, path, (size_t)(slash - path)) : "");
    return record_of(w, &entry);
}

/* The compile unit is the file that the kernel is in. */
static uint64_t subprogram_record(bc_writer *w, const char *file, uint32_t line, const char *name,
                                  const char *symbol, uint64_t compile_unit)
{
    bc_out entry = {0};
    bc_put_varint(&entry, BC_DEBUG_SUBPROGRAM);
    bc_put_varint(&entry, file_record(w, file));
    bc_put_varint(&entry, line);
    bc_put_string(w, &entry, name);
    bc_put_string(w, &entry, symbol);
    bc_put_varint(&entry, compile_unit);
    bc_put_varint(&entry, line);
    return record_of(w, &entry);
}

static uint64_t loc_record(bc_writer *w, const tr_place *place, uint64_t scope)
{
    bc_out entry = {0};
    bc_put_varint(&entry, BC_DEBUG_LOC);
    bc_put_varint(&entry, scope);
    bc_put_string(w, &entry, place->file);
    bc_put_varint(&entry, place->line);
    bc_put_varint(&entry, place->column);
    return record_of(w, &entry);
}

static bool is_known(const tr_place *place)
{
    return place && place->file;
}

/* The frame of the kernel itself. */
static const tr_place *outermost(const tr_place *place)
{
    while (place && place->inlined_at) {
        place = place->inlined_at;
    }
    return place;
}

/* An op's outermost frame must lie in the kernel's own subprogram; the others are functions that
 * were inlined, of which only the name is known. */
static uint64_t place_record(bc_writer *w, const tr_place *place)
{
    const tr_place *caller = place->inlined_at;
    uint64_t callee_record = 0;
    if (is_known(place)) {
        uint64_t scope = w->subprogram;
        if (caller) {
            const char *name = place->function ? place->function : "";
            scope = subprogram_record(w, place->file, 0, name, name, w->compile_unit);
        }
        callee_record = loc_record(w, place, scope);
    }
    if (!caller) {
        return callee_record;
    }
    uint64_t caller_record = place_record(w, caller);
    bc_out entry = {0};
    bc_put_varint(&entry, BC_DEBUG_CALL_SITE);
    bc_put_varint(&entry, callee_record);
    bc_put_varint(&entry, caller_record);
    return record_of(w, &entry);
}

/* Returns the place of the kernel: its own place, or that of its first op with one; NULL:
 * nowhere. */
static const tr_place *place_of_function(const ir_function *function)
{
    if (is_known(outermost(function->place))) {
        return outermost(function->place);
    }
    for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        if (is_known(outermost(op->place))) {
            return outermost(op->place);
        }
    }
    return NULL;
}

uint64_t bc_start_records(bc_writer *w, const ir_function *function)
{
    const tr_place *place = place_of_function(function);
    w->subprogram = w->compile_unit = 0;
    if (!place) {
        return 0;
    }
    bc_out unit = {0};
    bc_put_varint(&unit, BC_DEBUG_COMPILE_UNIT);
    bc_put_varint(&unit, file_record(w, place->file));
    w->compile_unit = record_of(w, &unit);
    const char *name = place->function ? place->function : function->shown;
    w->subprogram =
        subprogram_record(w, place->file, place->line, name, function->name, w->compile_unit);
    arrput(w->function_starts, (uint32_t)arrlenu(w->record_numbers));
    arrput(w->record_numbers, loc_record(w, place, w->subprogram));
    return arrlenu(w->function_starts);
}

void bc_put_record(bc_writer *w, const tr_place *place)
{
    if (w->subprogram) {
        arrput(w->record_numbers, place ? place_record(w, place) : 0);
    }
}

void bc_put_debug_section(bc_writer *w, bc_out *out)
{
    bc_put_varint(out, arrlenu(w->function_starts));
    bc_put_align(out, 4);
    for (size_t i = 0; i < arrlenu(w->function_starts); i++) {
        bc_put_little(out, w->function_starts[i], 4);
    }
    bc_put_varint(out, arrlenu(w->record_numbers));
    bc_put_align(out, 8);
    for (size_t i = 0; i < arrlenu(w->record_numbers); i++) {
        bc_put_little(out, w->record_numbers[i], 8);
    }
    bc_put_pool(out, &w->records, 4);
}

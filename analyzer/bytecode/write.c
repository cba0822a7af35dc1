/* Writing a module: header, functions, globals, then the tables that they filled. */
#include "bytecode/write.h"
#include "base/ds.h"

#include <stdlib.h>

static void put_section(bc_out *file, bc_section id, size_t alignment, const bc_out *payload)
{
    bc_put_byte(file, (unsigned)id | (alignment > 1 ? BC_SECTION_ALIGNED : 0));
    bc_put_varint(file, payload->size);
    if (alignment > 1) {
        bc_put_varint(file, alignment);
        bc_put_align(file, alignment);
    }
    bc_put(file, payload->data, payload->size);
}

/* ---- Globals ---- */

static void put_global(bc_writer *w, bc_out *out, const ir_global *global)
{
    bc_put_string(w, out, global->name);
    bc_put_type(w, out, global->value.type);
    bc_put_dense(w, out, &global->value);
    bc_put_varint(out, (uint64_t)global->alignment);
    if (w->minor >= BC_SINCE_GLOBAL_FLAGS) {
        bc_put_varint(out, global->is_private);
        bc_put_varint(out, global->is_constant);
    } else if (global->is_private || global->is_constant) {
        bc_write_since(w, BC_SINCE_GLOBAL_FLAGS, NULL, "private or constant global", global->name);
    }
}

static void put_globals(bc_writer *w, bc_out *file)
{
    size_t count = 0;
    for (const ir_global *global = w->module->globals; global; global = global->next) {
        count++;
    }
    if (count == 0) {
        return;
    }
    bc_out out = {0};
    bc_put_varint(&out, count);
    for (const ir_global *global = w->module->globals; global; global = global->next) {
        put_global(w, &out, global);
    }
    put_section(file, BC_SECTION_GLOBAL, 1, &out);
    bc_out_free(&out);
}

/* ---- Functions ---- */

static void put_function(bc_writer *w, bc_out *out, const ir_function *function)
{
    bool hints = function->hints.kind == IR_ATTR_NAMED;
    if (!function->is_entry) {
        bc_write_fail(w, function->place, "function '%s' is no entry: only entries can be written",
                      function->name);
        return;
    }
    bc_put_string(w, out, function->name);
    bc_put_type(w, out, function->type);
    bc_put_byte(out, BC_FUNCTION_ENTRY | (hints ? BC_FUNCTION_HINTS : 0));
    bc_put_varint(out, bc_start_records(w, function));
    if (hints) {
        bc_put_tagged_hints(w, out, &function->hints);
    }
    bc_out body = {0};
    bc_put_body(w, &body, function);
    bc_put_varint(out, body.size);
    bc_put(out, body.data, body.size);
    bc_out_free(&body);
}

static void put_functions(bc_writer *w, bc_out *file)
{
    bc_out out = {0};
    size_t count = 0;
    for (const ir_function *f = w->module->functions; f; f = f->next) {
        count++;
    }
    bc_put_varint(&out, count);
    for (const ir_function *f = w->module->functions; f && !w->failed; f = f->next) {
        put_function(w, &out, f);
    }
    put_section(file, BC_SECTION_FUNC, 8, &out);
    bc_out_free(&out);
}

/* ---- Tables ---- */

static void put_table(bc_out *file, bc_section id, const bc_pool *pool, unsigned width)
{
    bc_out out = {0};
    bc_put_pool(&out, pool, width);
    put_section(file, id, width, &out);
    bc_out_free(&out);
}

static void put_debug(bc_writer *w, bc_out *file)
{
    if (bc_pool_count(&w->records)) {
        bc_out out = {0};
        bc_put_debug_section(w, &out);
        put_section(file, BC_SECTION_DEBUG, 8, &out);
        bc_out_free(&out);
    }
}

static void put_producer(bc_writer *w, bc_out *file)
{
    if (w->module->producer && w->minor >= BC_SINCE_PRODUCER) {
        bc_out out = {0};
        bc_put_string(w, &out, w->module->producer);
        put_section(file, BC_SECTION_PRODUCER, 1, &out);
        bc_out_free(&out);
    }
}

/* The tables of constants, types and strings come last: what is before them fills them. */
static void put_module(bc_writer *w, bc_out *file)
{
    bc_put(file, BC_MAGIC, BC_MAGIC_SIZE);
    bc_put_byte(file, BC_MAJOR);
    bc_put_byte(file, w->minor);
    bc_put_little(file, 0, 2);
    put_globals(w, file);
    put_functions(w, file);
    put_table(file, BC_SECTION_CONSTANT, &w->constants, 8);
    put_debug(w, file);
    put_table(file, BC_SECTION_TYPE, &w->types, 4);
    put_producer(w, file);
    put_table(file, BC_SECTION_STRING, &w->strings, 4);
    bc_put_byte(file, BC_SECTION_END);
}

bool bytecode_write(const ir_module *module, uint8_t minor, unsigned char **data, size_t *size,
                    tr_errors *errors)
{
    TR_ASSERT(module && data && size);
    bc_writer w = {.module = module, .minor = minor, .errors = errors, .scratch = tr_arena_new()};
    bc_out file = {0};
    if (minor < 1 || minor > BYTECODE_NEWEST_WRITTEN) {
        bc_write_fail(&w, NULL, "versions 13.1 to 13.%d are written, not 13.%u",
                      BYTECODE_NEWEST_WRITTEN, minor);
    } else {
        put_module(&w, &file);
    }
    bc_pool_free(&w.strings);
    bc_pool_free(&w.types);
    bc_pool_free(&w.constants);
    bc_pool_free(&w.records);
    hmfree(w.type_numbers);
    arrfree(w.record_numbers);
    arrfree(w.function_starts);
    tr_arena_free(w.scratch);
    if (w.failed) {
        bc_out_free(&file);
        return false;
    }
    *data = file.data;
    *size = file.size;
    return true;
}

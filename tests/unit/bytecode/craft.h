/* Modules put together byte by byte, right or wrong. */
#ifndef TEST_CRAFT_H
#define TEST_CRAFT_H

#include "modules.h"
#include "bytecode/write.h"

#include <stdlib.h>

/* A module with one kernel `k` of no parameters. Tests change parts before craft_read(). */
typedef struct craft {
    uint8_t major, minor;
    uint16_t tag;
    bc_pool strings, types, constants;
    bc_out function; /* what stands behind the function's name and type */
    bc_out body;
    bc_out debug, more; /* sections' data: absent when empty; `more` is put before the end as is */
    bool no_return, no_end;
    uint32_t function_type; /* type number */
} craft;

enum { CRAFT_I1, CRAFT_I32, CRAFT_F32, CRAFT_TOKEN, CRAFT_KERNEL, CRAFT_TILE_I32, CRAFT_TILE_I1 };

#define BYTES(...)                                                                                 \
    (const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__})

static inline craft craft_make(void)
{
    craft c = {.major = 13, .minor = 1, .function_type = CRAFT_KERNEL};
    bc_pool_number(&c.strings, "k", 1);
    bc_pool_number(&c.types, BYTES(0));
    bc_pool_number(&c.types, BYTES(3));
    bc_pool_number(&c.types, BYTES(7));
    bc_pool_number(&c.types, BYTES(17));
    bc_pool_number(&c.types, BYTES(16, 0, 0));
    bc_pool_number(&c.types, BYTES(13, CRAFT_I32, 0));
    bc_pool_number(&c.types, BYTES(13, CRAFT_I1, 0));
    return c;
}

static inline void craft_op(craft *c, const unsigned char *bytes, size_t size)
{
    bc_put(&c->body, bytes, size);
}

static inline void craft_section(bc_out *file, bc_section id, size_t alignment, const bc_out *data)
{
    bc_put_byte(file, (unsigned)id | BC_SECTION_ALIGNED);
    bc_put_varint(file, data->size);
    bc_put_varint(file, alignment);
    bc_put_align(file, alignment);
    bc_put(file, data->data, data->size);
}

static inline void craft_table(bc_out *file, bc_section id, const bc_pool *pool, unsigned width)
{
    bc_out out = {0};
    bc_put_pool(&out, pool, width);
    craft_section(file, id, width, &out);
    bc_out_free(&out);
}

static inline void craft_function(craft *c, bc_out *file)
{
    bc_out out = {0};
    bc_put(&out, BYTES(1, 0)); /* one function called string 0 */
    bc_put_varint(&out, c->function_type);
    if (c->function.size) {
        bc_put(&out, c->function.data, c->function.size);
    } else {
        bc_put(&out, BYTES(BC_FUNCTION_ENTRY));
        bc_put_varint(&out, c->debug.size ? 1 : 0);
    }
    if (!c->no_return) {
        craft_op(c, BYTES(0x5c, 0, 0));
    }
    bc_put_varint(&out, c->body.size);
    bc_put(&out, c->body.data, c->body.size);
    craft_section(file, BC_SECTION_FUNC, 8, &out);
    bc_out_free(&out);
}

static inline bc_out craft_file(craft *c)
{
    bc_out file = {0};
    bc_put(&file, BC_MAGIC, BC_MAGIC_SIZE);
    bc_put_byte(&file, c->major);
    bc_put_byte(&file, c->minor);
    bc_put_little(&file, c->tag, 2);
    craft_function(c, &file);
    craft_table(&file, BC_SECTION_CONSTANT, &c->constants, 8);
    if (c->debug.size) {
        craft_section(&file, BC_SECTION_DEBUG, 8, &c->debug);
    }
    craft_table(&file, BC_SECTION_TYPE, &c->types, 4);
    craft_table(&file, BC_SECTION_STRING, &c->strings, 4);
    bc_put(&file, c->more.data, c->more.size);
    if (!c->no_end) {
        bc_put_byte(&file, BC_SECTION_END);
    }
    return file;
}

static inline void craft_free(craft *c)
{
    bc_pool_free(&c->strings);
    bc_pool_free(&c->types);
    bc_pool_free(&c->constants);
    bc_out_free(&c->function);
    bc_out_free(&c->body);
    bc_out_free(&c->debug);
    bc_out_free(&c->more);
}

static inline void craft_expect_valid(craft *c)
{
    fixture f = fixture_make();
    bc_out file = craft_file(c);
    ir_module *module = bytecode_read(file.data, file.size, "craft", &f.errors);
    if (!module) {
        fail_msg("%s", first_error(&f));
    }
    ir_module_free(module);
    bc_out_free(&file);
    fixture_free(&f);
    craft_free(c);
}

/* Reading fails with one error that says `part` and where. */
static inline void craft_expect_error(craft *c, const char *part)
{
    fixture f = fixture_make();
    bc_out file = craft_file(c);
    ir_module *module = bytecode_read(file.data, file.size, "craft", &f.errors);
    if (module || !strstr(first_error(&f), part) || strncmp(first_error(&f), "at byte ", 8) != 0) {
        fail_msg("expected 'at byte N: ... %s', got '%s'", part, first_error(&f));
    }
    assert_int_equal(tr_errors_count(&f.errors), 1);
    assert_string_equal(f.errors.items[0].place.file, "craft");
    bc_out_free(&file);
    fixture_free(&f);
    craft_free(c);
}

#endif

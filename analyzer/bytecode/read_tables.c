/* Tables of entries: strings and constants. */
#include "bytecode/read.h"

#include <string.h>

enum { MAX_CONSTANT_USES = 64 << 20 };

bc_table bc_read_table(bc_reader *r, bc_cursor *c, unsigned width, const char *what)
{
    bc_table table = {.count = bc_count(r, c, width, what)};
    table.at = TR_NEW_ARRAY(r->scratch, size_t, table.count + 1);
    bc_align(r, c, width, what);
    size_t offsets = c->at;
    size_t left = c->end - c->at;
    if (!r->failed && table.count > left / width) {
        bc_fail(r, c->at, "the data ends within the offsets of %s", what);
    }
    if (r->failed || table.count == 0) {
        table.count = 0;
        return table;
    }
    size_t data = c->at + (size_t)table.count * width;
    for (uint64_t i = 0; i < table.count; i++) {
        uint64_t offset = bc_little(r, c, width, what);
        if (offset > c->end - data || (i > 0 && data + offset < table.at[i - 1])) {
            bc_fail(r, offsets + i * width, "entry %llu of %s has a wrong offset",
                    (unsigned long long)i, what);
            table.count = 0;
            return table;
        }
        table.at[i] = data + offset;
    }
    table.at[table.count] = c->end;
    c->at = c->end;
    return table;
}

const char *bc_string(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, what);
    if (r->failed) {
        return "";
    }
    if (number >= r->strings.count) {
        bc_fail(r, start, "%s is string %llu of %llu", what, (unsigned long long)number,
                (unsigned long long)r->strings.count);
        return "";
    }
    if (!r->string_copies[number]) {
        const char *text = (const char *)r->data + r->strings.at[number];
        size_t length = r->strings.at[number + 1] - r->strings.at[number];
        if (memchr(text, 0, length)) {
            bc_fail(r, r->strings.at[number], "string %llu (%s) holds a zero byte",
                    (unsigned long long)number, what);
            return "";
        }
        r->string_copies[number] = tr_arena_strndup(r->module->arena, text, length);
    }
    return r->string_copies[number];
}

void bc_read_constants(bc_reader *r, bc_cursor *c)
{
    r->constants = bc_read_table(r, c, 8, "the constants");
    if (r->constants.count) {
        r->constant_splats = TR_NEW_ARRAY(r->scratch, uint16_t, r->constants.count);
        r->constant_copy_at = r->constants.at[0];
        r->constant_copy = tr_arena_copy(r->module->arena, r->data + r->constant_copy_at,
                                         c->end - r->constant_copy_at);
    }
}

/* Whether all elements of a constant's data are equal. Asked once for each constant and width, as
 * many ops may name a large one: of the two bits of a width, the first says that it was asked. */
static bool all_equal(bc_reader *r, uint64_t number, const unsigned char *bytes, size_t size,
                      const ir_type *elem)
{
    bool i1 = elem->kind == IR_I1;
    size_t width = i1 ? 1 : (size_t)ir_type_dense_bytes(elem);
    unsigned shift = i1 ? 0 : width == 8 ? 10 : 2 * (unsigned)width; /* widths 1, 2, 3, 4 and 8 */
    uint16_t *known = &r->constant_splats[number];
    if (!(*known >> shift & 1)) {
        bool equal = size >= width && memcmp(bytes, bytes + width, size - width) == 0 &&
                     (!i1 || bytes[0] == 0 || bytes[0] == 0xff);
        *known |= (uint16_t)((equal ? 3u : 1u) << shift);
    }
    return *known >> shift & 2;
}

/* Constants that are no splats are walked through by whoever prints or compares them: all uses
 * together are bounded, whatever number of ops names the same one. */
static void count_use(bc_reader *r, size_t offset, uint64_t size)
{
    r->constant_uses += size;
    if (r->constant_uses > MAX_CONSTANT_USES) {
        bc_fail(r, offset, "all uses of constants together take more than %d MiB",
                MAX_CONSTANT_USES >> 20);
    }
}

/* All uses of a constant share the module's one copy: many ops may name a large one. */
ir_attr bc_dense(bc_reader *r, bc_cursor *c, const ir_type *type)
{
    size_t start = c->at;
    uint64_t number = bc_varint(r, c, "a constant");
    if (!r->failed && number >= r->constants.count) {
        bc_fail(r, start, "constant %llu of %llu", (unsigned long long)number,
                (unsigned long long)r->constants.count);
    }
    if (!r->failed && (!type || type->kind != IR_TILE || type->elem->kind >= IR_POINTER)) {
        bc_fail(r, start, "a constant of a type that is no tile of numbers");
    }
    if (r->failed) {
        return (ir_attr){0};
    }
    bc_cursor entry = bc_range(r->constants.at[number], r->constants.at[number + 1]);
    uint64_t size = bc_count(r, &entry, 1, "the size of a constant");
    bool splat = false;
    if (!r->failed && !bc_dense_fits(type, r->data + entry.at, size, &splat)) {
        tr_text text = {0};
        ir_type_print(&text, type);
        bc_fail(r, entry.at, "%llu bytes of constant data for %s", (unsigned long long)size,
                tr_text_get(&text));
        tr_text_free(&text);
    }
    if (r->failed) {
        return (ir_attr){0};
    }
    size_t at = entry.at;
    entry.at += size;
    bc_expect_end(r, &entry, "a constant");
    if (!splat && all_equal(r, number, r->data + at, size, type->elem)) {
        splat = true;
        size = type->elem->kind == IR_I1 ? 1 : (uint64_t)ir_type_dense_bytes(type->elem);
    }
    count_use(r, start, splat ? 0 : size);
    return (ir_attr){.kind = IR_ATTR_DENSE,
                     .type = type,
                     .bytes = r->constant_copy + (at - r->constant_copy_at),
                     .n_bytes = size,
                     .splat = splat};
}

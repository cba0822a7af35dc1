/* Launches whose arguments are lists of arrays: a table of records, each the pointer, the extents
 * and the strides of one array. */
#include "launch/arrays.h"

#include "launch/private.h"

#include "base/ds.h"
#include "contract/tables.h"

#include <string.h>

enum { WORD = 8, WIDEST = 8 }; /* bytes of a record's number, and of an element */

static int64_t elements_of(const interp_array_table *t)
{
    int64_t n = 1;
    for (int d = 0; d < t->rank; d++)
        n *= t->extent;
    return n;
}

/* Appends an array's buffer; its number. */
static int32_t add_array(tr_arena *arena, interp_buffer **buffers, const char *table, int64_t i,
                         int64_t elements)
{
    interp_buffer array = {.name = tr_arena_printf(arena, "%s[%lld]", table, (long long)i),
                           .bytes = elements * WIDEST,
                           .opaque = true};
    arrput(*buffers, array);
    return (int32_t)arrlen(*buffers) - 1;
}

static void write_record(unsigned char *at, const interp_array_table *t, int32_t array)
{
    uint64_t words[1 + 2 * INTERP_MOST_RANK] = {concrete_pointer(array, 0)};
    uint64_t stride = 1;
    for (int d = t->rank - 1; d >= 0; d--) {
        words[1 + d] = (uint64_t)t->extent;
        words[1 + t->rank + d] = stride;
        stride *= (uint64_t)t->extent;
    }
    memcpy(at, words, (size_t)(1 + 2 * t->rank) * WORD);
}

const concrete_launch *concrete_with_arrays(tr_arena *arena, const concrete_launch *launch,
                                            size_t n, const interp_array_table *tables)
{
    concrete_launch *made = tr_arena_copy(arena, launch, sizeof *launch);
    interp_buffer *buffers = NULL;
    int32_t *first = TR_NEW_ARRAY(arena, int32_t, n + 1); /* the array of each table's record 0 */
    for (size_t i = 0; i < launch->n_buffers; i++)
        arrput(buffers, launch->buffers[i]);
    for (size_t t = 0; t < n; t++) {
        const interp_array_table *table = &tables[t];
        int number = launch->args[table->arg].buffer;
        size_t bytes = (size_t)table->records * (size_t)(1 + 2 * table->rank) * WORD;
        unsigned char *data = TR_NEW_ARRAY(arena, unsigned char, bytes + 1);
        int32_t array = table->same_as >= 0 ? first[table->same_as] : -1;
        for (int i = 0; i < table->records; i++) {
            if (array < 0 || (!table->one_array && table->same_as < 0))
                array = add_array(arena, &buffers, buffers[number].name, i, elements_of(table));
            if (i == 0)
                first[t] = array;
            write_record(data + bytes / (size_t)table->records * (size_t)i, table, array);
        }
        interp_buffer *buffer = &buffers[number];
        *buffer = (interp_buffer){.name = buffer->name,
                                  .bytes = (int64_t)bytes,
                                  .data = data,
                                  .data_bytes = (int64_t)bytes,
                                  .unbounded = buffer->unbounded};
    }
    made->n_buffers = arrlenu(buffers);
    made->buffers = tr_arena_copy(arena, buffers, made->n_buffers * sizeof *buffers);
    arrfree(buffers);
    return made;
}

/* ---- Section: lists that a contract states ---- */

/* Bytes of the largest element that the kernel accesses by an address that was loaded. */
static unsigned width_of_arrays(const ir_function *kernel)
{
    unsigned width = 1;
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        const ir_type *to = op->code == IR_OP_INT_TO_PTR ? op->results[0].type->elem : NULL;
        if (to && to->kind == IR_POINTER && (unsigned)ir_type_bytes(to->elem) > width)
            width = (unsigned)ir_type_bytes(to->elem);
    }
    return width;
}

static int32_t buffer_called(interp_buffer **buffers, const char *name)
{
    for (size_t i = 0; i < arrlenu(*buffers); i++)
        if (strcmp((*buffers)[i].name, name) == 0)
            return (int32_t)i;
    arrput(*buffers, ((interp_buffer){.name = name, .opaque = true}));
    return (int32_t)arrlen(*buffers) - 1;
}

/* The buffer reaches at least as far as the array. */
static void hold(interp_buffer *buffer, const contract_entry *entry, size_t rank, unsigned width)
{
    byte_box of = {.start = entry->byte_offset, .width = width, .rank = rank};
    smt_int from, to;
    for (size_t d = 0; d < rank; d++) {
        of.extents[d] = entry->extents[d];
        of.strides[d] = (smt_int)entry->strides[d] * width;
    }
    if (box_is_empty(&of) || !box_span(&of, &from, &to) || to > INT64_MAX / 2)
        return;
    if (buffer->data && !buffer->data_bytes)
        buffer->data_bytes = buffer->bytes; /* what lies behind is not given */
    if (buffer->bytes < (int64_t)to)
        buffer->bytes = (int64_t)to;
}

void concrete_give_arrays(const ir_function *kernel, const contract_arg *stated,
                          const interp_arg *arg, interp_buffer **buffers)
{
    const contract_table *table = stated->table;
    unsigned width = width_of_arrays(kernel);
    int64_t per_row = (1 + 2 * (int64_t)table->rank) * WORD;
    for (size_t i = 0; i < table->n; i++) {
        const contract_entry *entry = &table->entries[i];
        uint64_t address = 0;
        if (entry->buffer) {
            int32_t number = buffer_called(buffers, entry->buffer);
            hold(&(*buffers)[number], entry, table->rank, width);
            address = concrete_pointer(number, entry->byte_offset);
        }
        interp_buffer *rows = &(*buffers)[arg->buffer];
        int64_t at = arg->value + (int64_t)i * per_row;
        int64_t given = rows->data_bytes ? rows->data_bytes : rows->bytes;
        if (rows->data && at >= 0 && at <= given - WORD)
            memcpy(rows->data + at, &address, WORD);
    }
}

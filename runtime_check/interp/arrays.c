/* Launches whose arguments are lists of arrays: a table of records, each the pointer, the extents
 * and the strides of one array. */
#include "interp/launch.h"

#include "base/ds.h"
#include "interp/private.h"

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
    uint64_t words[1 + 2 * INTERP_MOST_RANK] = {pointer_number(array, 0)};
    uint64_t stride = 1;
    for (int d = t->rank - 1; d >= 0; d--) {
        words[1 + d] = (uint64_t)t->extent;
        words[1 + t->rank + d] = stride;
        stride *= (uint64_t)t->extent;
    }
    memcpy(at, words, (size_t)(1 + 2 * t->rank) * WORD);
}

const interp_launch *interp_with_arrays(tr_arena *arena, const interp_launch *launch, size_t n,
                                        const interp_array_table *tables)
{
    interp_launch *made = tr_arena_copy(arena, launch, sizeof *launch);
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

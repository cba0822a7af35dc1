/* A list of arrays: the table of their addresses, extents and strides. */
#include "contract/launch_private.h"

#include <string.h>

enum { WORD = 8, MOST_WORDS = 1 << 20 };

static const launch_numbers row_numbers = {
    .least = INT64_MIN,
    .most = INT64_MAX,
    .refusal = "a number of 64 bits must stand here.",
    .most_numbers = CONTRACT_MOST_RANK,
    .too_many = "an array has at most %d dimensions.",
};

/* Strides of an array whose elements lie one behind the other. */
static void read_dense(launch_builder *b, const char *where, size_t rank, contract_entry *entry)
{
    int64_t stride = 1;
    for (size_t d = rank; d-- > 0;) {
        int64_t extent = entry->extents[d] ? entry->extents[d] : 1;
        entry->strides[d] = stride;
        if (__builtin_mul_overflow(stride, extent, &stride) && d > 0)
            launch_refuse(b, where, "no array is that large; give `strides`.");
    }
}

static unsigned bits_of(const char *dtype)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{"i1", 8},   {"i4", 4},       {"i8", 8},     {"i16", 16},     {"i32", 32},
                 {"i64", 64}, {"f16", 16},     {"bf16", 16},  {"f32", 32},     {"tf32", 32},
                 {"f64", 64}, {"f4E2M1FN", 4}, {"f8E5M2", 8}, {"f8E4M3FN", 8}, {"f8E8M0FNU", 8}};
    for (size_t i = 0; i < TR_COUNT(types); i++)
        if (strcmp(types[i].name, dtype) == 0)
            return types[i].bits;
    return 0;
}

static void read_offset(launch_builder *b, const cJSON *item, const char *where,
                        contract_entry *entry)
{
    const cJSON *elements = launch_get(item, "offset"), *bytes = launch_get(item, "byte_offset");
    const char *dtype = cJSON_GetStringValue(launch_get(item, "dtype"));
    const char *at = launch_path(b, where, elements ? "offset" : "byte_offset");
    unsigned bits = dtype ? bits_of(dtype) : 0;
    if (elements && bytes)
        launch_refuse(b, where, "give `offset` or `byte_offset`, not both.");
    else if (elements && bits == 0)
        launch_refuse(b, where, "`offset` counts elements, so `dtype` has to be there, too.");
    else if (elements && launch_read_number(b, &row_numbers, elements, at, &entry->byte_offset)) {
        if (__builtin_mul_overflow(entry->byte_offset, (int64_t)bits, &entry->byte_offset) ||
            entry->byte_offset % 8)
            launch_refuse(b, at, "no array begins there.");
        entry->byte_offset /= 8;
    } else if (bytes)
        launch_read_number(b, &row_numbers, bytes, at, &entry->byte_offset);
    if (entry->byte_offset < 0 || entry->byte_offset > (int64_t)1 << 60)
        launch_refuse(b, at, "no array begins there.");
}

/* The contract's own name for a buffer that the file calls so. */
static const char *buffer_called(launch_builder *b, const char *name)
{
    for (size_t k = 0; k < b->c->n_args; k++) {
        const char *stated =
            b->args[k] ? cJSON_GetStringValue(launch_get(b->args[k], "buffer")) : NULL;
        if (stated && b->c->args[k].buffer && strcmp(stated, name) == 0)
            return b->c->args[k].buffer;
    }
    return tr_arena_strdup(b->arena, name);
}

static void read_entry(launch_builder *b, const cJSON *item, const char *where, size_t *rank,
                       contract_entry *entry)
{
    const char *buffer = cJSON_GetStringValue(launch_get(item, "buffer"));
    const cJSON *strides = launch_get(item, "strides");
    const char *extents = launch_path(b, where, "extents");
    size_t n_strides;
    if (!launch_read_numbers(b, &row_numbers, launch_get(item, "extents"), extents, entry->extents,
                             rank))
        return;
    for (size_t d = 0; d < *rank; d++)
        if (entry->extents[d] < 0)
            launch_refuse(b, extents, "an extent is not negative.");
    if (!strides)
        read_dense(b, extents, *rank, entry);
    else if (launch_read_numbers(b, &row_numbers, strides, launch_path(b, where, "strides"),
                                 entry->strides, &n_strides) &&
             n_strides != *rank)
        launch_refuse(b, launch_path(b, where, "strides"), "the array has %zu dimensions.", *rank);
    read_offset(b, item, where, entry);
    if (buffer)
        entry->buffer = buffer_called(b, buffer);
    else if (entry->byte_offset != 0)
        launch_refuse(b, where, "`buffer` is missing: a null pointer has no offset.");
}

/* Returns all words of the table but the addresses. */
static const contract_values *words_of(launch_builder *b, const contract_table *table)
{
    size_t per_row = 1 + 2 * table->rank, n = table->n * per_row;
    contract_values *words = TR_NEW(b->arena, contract_values);
    int64_t *values = TR_NEW_ARRAY(b->arena, int64_t, n + 1);
    bool *known = TR_NEW_ARRAY(b->arena, bool, n + 1);
    for (size_t i = 0; i < table->n; i++)
        for (size_t d = 0; d < table->rank; d++) {
            size_t extent = i * per_row + 1 + d, stride = extent + table->rank;
            values[extent] = table->entries[i].extents[d];
            values[stride] = table->entries[i].strides[d];
            known[extent] = known[stride] = true;
        }
    *words = (contract_values){.n = n, .values = values, .known = known};
    return words;
}

/* The table is at least as long as its rows, where nothing is said of its length. */
static void read_length(launch_builder *b, size_t i, const contract_table *table)
{
    contract_arg *arg = &b->c->args[i];
    smt_int rows = (smt_int)table->n * (1 + 2 * (smt_int)table->rank), stated;
    if (!arg->elements)
        arg->elements = smt_int_const(b->ctx, rows);
    else if (smt_is_const(arg->elements, &stated) && stated < rows)
        launch_refuse(b, launch_path(b, b->paths[i], "table"),
                      "its rows are longer than the buffer of `%s`.", arg->name);
}

void launch_read_table(launch_builder *b, size_t i)
{
    const cJSON *list = launch_get(b->args[i], "table"), *item;
    const char *where = launch_path(b, b->paths[i], "table");
    const launch_param *param = &b->kernel->params[i];
    contract_table *table = TR_NEW(b->arena, contract_table);
    contract_entry *entries =
        TR_NEW_ARRAY(b->arena, contract_entry, (size_t)cJSON_GetArraySize(list) + 1);
    if (param->element != LAUNCH_ELEMENT_INTEGER || param->element_bytes != WORD) {
        launch_refuse(b, where, "`%s` points to no words of 64 bits.", b->c->args[i].name);
        return;
    }
    cJSON_ArrayForEach(item, list)
    {
        size_t rank = 0;
        const char *at = tr_arena_printf(b->arena, "%s[%zu]", where, table->n);
        read_entry(b, item, at, &rank, &entries[table->n]);
        if (b->failed)
            return;
        if (table->n > 0 && rank != table->rank)
            launch_refuse(b, at, "the arrays of a list have one rank; the first has %zu.",
                          table->rank);
        table->rank = rank;
        if (++table->n * (1 + 2 * rank) > MOST_WORDS)
            launch_refuse(b, where, "a table has at most 2^20 words.");
    }
    table->entries = entries;
    read_length(b, i, table);
    b->c->args[i].table = table;
    b->values[i] = words_of(b, table);
}

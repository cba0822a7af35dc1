#include "contract/tables.h"

#include "base/ds.h"

#include <string.h>

static bool size_same(const table_size *a, const table_size *b)
{
    return a->word == b->word && (a->word ? a->bits == b->bits : a->number == b->number);
}

bool table_form_same(const table_form *a, const table_form *b)
{
    bool same = a->arg == b->arg && a->rows_arg == b->rows_arg && a->rows == b->rows &&
                a->words == b->words && a->rank == b->rank && a->width == b->width;
    for (size_t d = 0; same && d < a->rank; d++)
        same =
            size_same(&a->extents[d], &b->extents[d]) && size_same(&a->strides[d], &b->strides[d]);
    return same;
}

static int64_t size_of(const table_size *size, const int64_t *words)
{
    if (size->word == 0)
        return size->number;
    unsigned unused = 64 - (unsigned)size->bits;
    return (int64_t)((uint64_t)words[size->word] << unused) >> unused;
}

/* The array of the row with these words, which begins at `start`. */
static byte_box box_of_row(const table_form *form, const int64_t *words, smt_int start)
{
    byte_box b = {.start = start, .width = form->width, .rank = form->rank};
    for (size_t d = 0; d < form->rank; d++) {
        b.extents[d] = size_of(&form->extents[d], words);
        b.strides[d] = (smt_int)size_of(&form->strides[d], words) * form->width;
    }
    return b;
}

/* ---- Section: as a contract states them ---- */

typedef struct stated { /* by buffer */
    const char *buffer;
    boxed boxed;
} stated;

enum { MOST_ROWS = 4096 }; /* of a table; more are left to a run */

/* Rows that the kernel may take; false: more than are stated. */
static bool rows_of(smt_ctx *ctx, const contract *c, const table_form *form, size_t *rows)
{
    smt_int low, high = form->rows;
    if (form->rows_arg >= 0)
        smt_bounds(contract_param(ctx, c, (size_t)form->rows_arg), &low, &high);
    *rows = c->args[form->arg].table->n;
    if (high < 0)
        return form->rows_arg >= 0; /* none, or nobody says how many */
    if (high > (smt_int)*rows)
        return false;
    *rows = (size_t)high;
    return true;
}

static bool add_entries(smt_ctx *ctx, const contract *c, const table_form *form, stated **list)
{
    const contract_table *table = c->args[form->arg].table;
    int64_t words[1 + 2 * CONTRACT_MOST_RANK] = {0};
    size_t rows;
    if (!rows_of(ctx, c, form, &rows) || rows > MOST_ROWS ||
        (rows > 0 && form->words != 1 + 2 * table->rank))
        return false;
    for (size_t i = 0; i < rows; i++) {
        const contract_entry *entry = &table->entries[i];
        memcpy(words + 1, entry->extents, table->rank * sizeof *words);
        memcpy(words + 1 + table->rank, entry->strides, table->rank * sizeof *words);
        byte_box of = box_of_row(form, words, entry->byte_offset);
        if (box_is_empty(&of))
            continue;
        if (!entry->buffer || (uint64_t)entry->byte_offset % form->alignment)
            return false; /* it addresses nothing, or not what the kernel assumes */
        boxed one = {.box = of,
                     .is_written = form->is_written,
                     .is_asked = true,
                     .checks_itself = form->is_written,
                     .id = 1 + arrlenu(*list)};
        arrput(*list, ((stated){entry->buffer, one}));
    }
    return true;
}

static bool is_named(const stated *list, size_t n, const char *buffer)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].buffer, buffer) == 0)
            return true;
    return false;
}

/* Arguments that point into a buffer of some entry; all of them have the number 0, as they are
 * compared with each other by what is known of arguments. */
static bool add_arguments(const contract *c, const int *bytes, const bool *is_written,
                          stated **list)
{
    size_t n = arrlenu(*list);
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        smt_int offset = 0, elements;
        if (arg->kind != CONTRACT_POINTER || !is_named(*list, n, contract_buffer_of(arg)))
            continue;
        if ((arg->offset && !smt_is_const(arg->offset, &offset)) ||
            (!arg->offset && contract_is_shared(c, arg)) || !arg->elements ||
            !smt_is_const(arg->elements, &elements) || elements > INT64_MAX / 16 ||
            offset > INT64_MAX / 16)
            return false;
        boxed one = {.box = {.start = offset * bytes[i],
                             .width = 1,
                             .rank = 1,
                             .extents = {(int64_t)elements * bytes[i]},
                             .strides = {1}},
                     .is_written = is_written[i]};
        arrput(*list, ((stated){contract_buffer_of(arg), one}));
    }
    return true;
}

static bool are_apart(const stated *list)
{
    boxed *of_buffer = NULL;
    bool apart = true;
    for (size_t i = 0; i < arrlenu(list) && apart; i++) {
        size_t pair[2];
        if (is_named(list, i, list[i].buffer))
            continue;
        arrsetlen(of_buffer, 0);
        for (size_t k = i; k < arrlenu(list); k++)
            if (strcmp(list[k].buffer, list[i].buffer) == 0)
                arrput(of_buffer, list[k].boxed);
        apart = boxes_among(of_buffer, arrlenu(of_buffer), pair) == BOX_APART;
    }
    arrfree(of_buffer);
    return apart;
}

bool tables_are_apart(smt_ctx *ctx, const contract *c, size_t n, const table_form *forms,
                      const int *bytes, const bool *is_written)
{
    stated *list = NULL;
    bool apart = true;
    for (size_t i = 0; i < n && apart; i++)
        if (c->args[forms[i].arg].table)
            apart = add_entries(ctx, c, &forms[i], &list);
    apart = apart && add_arguments(c, bytes, is_written, &list) && are_apart(list);
    arrfree(list);
    return apart;
}

/* Finds how a kernel takes arrays out of a table: by a view of rows of words, where each row has
 * the address of an array and, mostly, its extents and strides. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <string.h>

/* Is it the number of words from the start of the table to the start of a row? */
static bool is_row(const summary *s, smt_t words, smt_int per_row)
{
    smt_int rest;
    return smt_is_const(smt_mod(s->ctx, words, smt_int_const(s->ctx, per_row)), &rest) && rest == 0;
}

static smt_t start_of(const summary *s, const table_form *form)
{
    enum { WORD = 8 };
    return smt_div(s->ctx, s->arg_bytes[form->arg], smt_int_const(s->ctx, WORD));
}

/* Reads the extent of the view of rows: a parameter, or a number. */
static bool read_rows(const summary *s, smt_t extent, table_form *form)
{
    smt_int number;
    form->rows_arg = -1;
    form->rows = -1;
    for (size_t i = 0; i < s->contract->n_args; i++)
        if (s->contract->args[i].kind == CONTRACT_SCALAR &&
            contract_param(s->ctx, s->contract, i) == extent)
            form->rows_arg = (int)i;
    if (form->rows_arg < 0 && smt_is_const(extent, &number) && number >= 0)
        form->rows = (int64_t)number;
    return form->rows_arg >= 0 || form->rows >= 0;
}

/* Reads the table. All its accesses have to be of one view of rows, at the table's start; they are
 * loads, since a table that the kernel writes has no regions. */
static bool read_table(const summary *s, int table, table_form *form)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *a = &s->accesses[i];
        const ix_tensor *rows = a->tensor;
        table_form own = {.arg = form->arg};
        smt_int words, length, one;
        if (a->allocation != table)
            continue;
        if (a->unknown || !rows || rows->rank != 2 || rows->bytes != s->arg_bytes[form->arg] ||
            !smt_is_const(rows->stride[0], &words) || !smt_is_const(rows->shape[1], &length) ||
            !smt_is_const(rows->stride[1], &one) || one != 1 || length != words || words < 1 ||
            words > 1 + 2 * BOX_MOST_RANK || !read_rows(s, rows->shape[0], &own))
            return false;
        own.words = (size_t)words;
        if (any &&
            (own.words != form->words || own.rows_arg != form->rows_arg || own.rows != form->rows))
            return false;
        *form = own;
        any = true;
    }
    return any;
}

/* Reads a size: a number, or a word of the row whose first word has the number `row`. */
static bool read_size(const summary *s, smt_t term, int table, smt_t row, size_t words,
                      table_size *size)
{
    smt_int number;
    *size = (table_size){.bits = 64};
    if (smt_is_const(term, &number)) {
        size->number = (int64_t)number;
        return number >= INT64_MIN && number <= INT64_MAX;
    }
    if (term->kind == SMT_APP && strncmp(term->name, "low.i", 5) == 0) {
        size->bits = atoi(term->name + 5);
        term = term->args[0];
    }
    if (summary_contents_of(s, term, NULL) != table ||
        !smt_is_const(smt_sub(s->ctx, term->args[0], row), &number) || number < 1 ||
        number >= (smt_int)words)
        return false;
    size->word = (int)number;
    return true;
}

static bool read_array(const summary *s, const ix_access *a, int table, table_form *form)
{
    _Static_assert((int)IR_MAX_RANK <= (int)BOX_MOST_RANK, "each array is a box");
    const ix_tensor *array = a->tensor;
    if (a->unknown || !array ||
        array->bytes != smt_scale(s->ctx, array->region, IX_REGION_DISTANCE) ||
        !is_row(s, smt_sub(s->ctx, array->region, start_of(s, form)), (smt_int)form->words))
        return false;
    form->rank = (size_t)array->rank;
    form->width = (unsigned)array->width;
    for (int d = 0; d < array->rank; d++)
        if (!read_size(s, array->shape[d], table, array->region, form->words, &form->extents[d]) ||
            !read_size(s, array->stride[d], table, array->region, form->words, &form->strides[d]))
            return false;
    return true;
}

/* The strictest alignment that the kernel assumes of a pointer. */
static uint64_t find_alignment(const ir_function *kernel)
{
    uint64_t alignment = 1;
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        if (op->code != IR_OP_ASSUME || ix_element_type(op->results[0].type)->kind != IR_POINTER)
            continue;
        const ir_attr *predicate = &op->attrs[IR_AT_ASSUME_predicate];
        if (predicate->assume.kind == IR_ASSUME_DIV_BY && predicate->assume.divisor > alignment)
            alignment = predicate->assume.divisor;
    }
    return alignment;
}

bool summary_table_form(const summary *s, int regions, table_form *form)
{
    int table = s->allocations[regions].table, arg = s->allocations[table].first_arg;
    bool any = false;
    TR_ASSERT(arg >= 0); /* only such tables have regions */
    *form = (table_form){.arg = (size_t)arg};
    if (!read_table(s, table, form))
        return false;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        table_form own = *form;
        if (s->accesses[i].allocation != regions)
            continue;
        if (!read_array(s, &s->accesses[i], table, &own) || (any && !table_form_same(&own, form)))
            return false;
        *form = own;
        any = true;
    }
    form->alignment = find_alignment(s->kernel);
    form->is_written = s->allocations[regions].written;
    return any;
}

/* ---- Section: tables that the contract states ---- */

static bool has_arrays(const summary *s, int regions)
{
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        if (s->accesses[i].allocation == regions)
            return true;
    return false;
}

bool ix_tables_are_apart(const summary *s)
{
    const contract *c = s->contract;
    table_form *forms = NULL;
    int *bytes = TR_NEW_ARRAY(s->arena, int, c->n_args + 1);
    bool *is_written = TR_NEW_ARRAY(s->arena, bool, c->n_args + 1), apart = true;
    for (size_t i = 0; i < c->n_args; i++) {
        if (c->args[i].kind != CONTRACT_POINTER)
            continue;
        bytes[i] = ir_type_bytes(ix_element_type(s->kernel->body->args[i]->type)->elem);
        for (size_t a = 0; a < s->n_allocations; a++)
            if (s->allocations[a].space == IX_ARGUMENT &&
                strcmp(s->allocations[a].name, contract_buffer_of(&c->args[i])) == 0)
                is_written[i] = s->allocations[a].written;
    }
    for (size_t a = 0; a < s->n_allocations && apart; a++) {
        table_form form;
        if (s->allocations[a].space != IX_REGIONS || !has_arrays(s, (int)a) ||
            !c->args[s->allocations[s->allocations[a].table].first_arg].table)
            continue;
        apart = summary_table_form(s, (int)a, &form);
        arrput(forms, form);
    }
    apart = apart && tables_are_apart(s->ctx, c, arrlenu(forms), forms, bytes, is_written);
    arrfree(forms);
    return apart;
}

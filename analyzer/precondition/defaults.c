/* Adds what every verdict takes for granted where the contract says nothing: buffers are distinct,
 * arrays of tables too, and an axis that no block reads has one block. */
#include "precondition/defaults.h"

#include "precondition/added.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

static void require_distinct_buffers(checker *k)
{
    /* Only a buffer that is written can race through another name. */
    size_t n = 0, *names = TR_NEW_ARRAY(k->arena, size_t, k->contract->n_args + 1);
    bool written = false;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER || arg->buffer_stated)
            continue;
        names[n++] = i;
        for (size_t a = 0; a < k->s->n_allocations; a++)
            if (k->s->allocations[a].space == IX_ARGUMENT &&
                strcmp(k->s->allocations[a].name, contract_buffer_of(arg)) == 0)
                written |= k->s->allocations[a].written;
    }
    size_t pointers = 0;
    for (size_t i = 0; i < k->contract->n_args; i++)
        pointers += k->contract->args[i].kind == CONTRACT_POINTER;
    if (!n || pointers < 2 || !written)
        return;
    precondition what = precondition_of(PRECONDITION_DISTINCT_BUFFERS);
    what.n_args = n;
    what.args = names;
    require_add(k, what, NULL);
}

/* Finds all tables that the kernel takes arrays from; none where the kernel does not tell which
 * elements the arrays have. */
static void find_tables(checker *k, precondition *what)
{
    table_form *forms = TR_NEW_ARRAY(k->arena, table_form, k->s->n_allocations + 1);
    size_t n = 0;
    for (size_t a = 0; a < k->s->n_allocations; a++) {
        bool used = false;
        for (size_t i = 0; i < arrlenu(k->s->accesses) && !used; i++)
            used = k->s->accesses[i].allocation == (int)a;
        if (!used || k->s->allocations[a].space != IX_REGIONS)
            continue;
        if (!summary_table_form(k->s, (int)a, &forms[n++]))
            return;
    }
    what->tables = forms;
    what->n_tables = n;
}

/* The regions that a table of pointers addresses are taken for allocations of their own. */
static void require_regions(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        int allocation = k->s->accesses[i].allocation;
        if (allocation < 0 || k->s->allocations[allocation].space != IX_REGIONS)
            continue;
        const ix_allocation *regions = &k->s->allocations[allocation];
        const ix_allocation *table = &k->s->allocations[regions->table];
        const contract_arg *arg = &k->contract->args[table->first_arg];
        if (arg->contents.regions || arg->table) /* of stated arrays none overlap: else their table
                                                    would have no regions */
            continue;
        precondition what = precondition_of(PRECONDITION_DISJOINT_REGIONS);
        what.subject =
            (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = (size_t)table->first_arg};
        what.words = tr_arena_printf(
            k->arena,
            regions->written ? "each pointer in '%s' addresses memory of its own"
                             : "no pointer in '%s' addresses memory that the kernel writes",
            table->name);
        find_tables(k, &what);
        require_add(k, what, NULL);
    }
}

void require_defaults(checker *k)
{
    require_regions(k);
    require_distinct_buffers(k);
    for (int axis = 0; axis < 3; axis++) {
        if (!k->s->axis_by_default[axis])
            continue;
        precondition what =
            precondition_of_term(PRECONDITION_GRID_AXIS, smt_eq(k->ctx, contract_grid(k->ctx, axis),
                                                                smt_int_const(k->ctx, 1)));
        what.subject = (precondition_subject){.kind = PRECONDITION_OF_GRID, .axis = axis};
        require_add(k, what, NULL);
    }
}

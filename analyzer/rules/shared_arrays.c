/* The race that `disjoint-regions` excludes: a launch whose lists of arrays name one array twice.
 *
 * Such a launch is no model of the solver's: a region is told apart by its entry in the list, not
 * by where its pointer goes. So it is made up: small lists of small arrays, all parameters alike.
 * What it shows is certain, as it is run. */
#include "rules/shared_arrays.h"

#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/checker.h"
#include "rules/stale.h"
#include "witness/launches.h"

#include "base/ds.h"

enum { RECORDS = 4, BLOCKS = 4 };

/* Numbers of a record: a pointer, extents, strides; 0: no record that is known. */
static smt_int record_of(const ix_access *a)
{
    smt_t region = a->region;
    if (!region)
        return 0;
    if (region->kind == SMT_SUM && region->n_args == 1 && region->value == 0)
        return region->coefs[0];
    return region->kind == SMT_VAR ? 1 : 0;
}

/* One table for each list of arrays of the kernel: stb_ds array; empty where one has no form that
 * is known. */
static interp_array_table *tables_of(checker *k, int64_t extent)
{
    interp_array_table *tables = NULL;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->allocation < 0 || k->s->allocations[a->allocation].space != IX_REGIONS)
            continue;
        size_t arg = (size_t)k->s->allocations[k->s->allocations[a->allocation].table].first_arg;
        smt_int record = record_of(a);
        bool known = false;
        for (size_t t = 0; t < arrlenu(tables); t++)
            known |= tables[t].arg == arg;
        if (record < 1 || record % 2 == 0 || record > 1 + 2 * INTERP_MOST_RANK) {
            arrfree(tables);
            return NULL;
        }
        interp_array_table table = {.arg = arg,
                                    .rank = (int)(record - 1) / 2,
                                    .records = RECORDS,
                                    .extent = extent,
                                    .same_as = -1};
        if (!known)
            arrput(tables, table);
    }
    return tables;
}

static bool is_written(const checker *k, size_t table_arg)
{
    for (size_t i = 0; i < k->s->n_allocations; i++) {
        const ix_allocation *a = &k->s->allocations[i];
        if (a->space == IX_REGIONS && a->written &&
            (size_t)k->s->allocations[a->table].first_arg == table_arg)
            return true;
    }
    return false;
}

/* Lets the entries of the list name one array: its own first one or, where the kernel only reads
 * it, that of a list that the kernel writes. That list has to be filled first. */
static void break_list(const checker *k, interp_array_table *tables, size_t arg)
{
    bool written = is_written(k, arg);
    size_t own = 0, other = 0, n = arrlenu(tables);
    while (own < n && tables[own].arg != arg)
        own++;
    while (other < n && !is_written(k, tables[other].arg))
        other++;
    if (own == n || other == n)
        return;
    if (written) {
        tables[own].one_array = true;
        return;
    }
    tables[own].same_as = 0;
    interp_array_table first = tables[other];
    tables[other] = tables[0];
    tables[0] = first;
}

static const concrete_launch *launch_of(checker *k, size_t arg, int64_t extent)
{
    size_t n = k->contract->n_args;
    int64_t grid[3], *scalars = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
    interp_filling filling = {.seed = 1, .most_filled = RULES_FILLED};
    const char *why;
    for (int axis = 0; axis < 3; axis++) {
        smt_int number;
        grid[axis] = smt_is_const(k->s->grid[axis], &number) ? (int64_t)number : BLOCKS;
    }
    for (size_t i = 0; i < n; i++)
        scalars[i] = RECORDS;
    interp_array_table *tables = tables_of(k, extent);
    concrete_launch *launch =
        arrlenu(tables) == 0 || !concrete_launch_holds(k->ctx, k->contract, scalars, grid)
            ? NULL
            : concrete_launch_from(k->arena, k->ctx, k->kernel, witness_with_indices(k), grid,
                                   scalars, &filling, &why);
    const concrete_launch *made = NULL;
    if (launch) {
        break_list(k, tables, arg);
        made = concrete_with_arrays(k->arena, launch, arrlenu(tables), tables);
    }
    arrfree(tables);
    return made;
}

static witness *race_of_shared_arrays(checker *k, size_t arg, obligation_of *pair)
{
    static const int64_t extents[] = {64, 8, 128, 16}; /* of one tile, most often */
    static const interp_limits limits = {.steps = 8000000, .events = 2000000};
    for (size_t i = 0; i < TR_COUNT(extents); i++) {
        const concrete_launch *launch = launch_of(k, arg, extents[i]);
        if (!launch || !witness_launch_holds(k, launch))
            continue;
        interp_run *run = interp_execute(k->kernel, launch, &k->options->model, &limits, NULL);
        witness *w = witness_run_is_defined(k, run) ? stale_first_race(k, launch, run, pair) : NULL;
        interp_run_free(run);
        if (w)
            return w;
    }
    return NULL;
}

witness *shared_arrays_require(checker *k, const precondition *what, obligation_of *pair)
{
    k->breaking = what;
    witness *w = race_of_shared_arrays(k, what->subject.arg, pair);
    k->breaking = NULL;
    return w;
}

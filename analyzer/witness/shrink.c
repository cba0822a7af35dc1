/* A race's launch made easier to read: small sizes, and no stride that the race does not need. Each
 * change is kept only where the race is still there when the launch is run. */
#include "witness/shrink.h"

#include "interp/interp.h"
#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "witness/launches.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <string.h>

typedef struct shrinking {
    checker *k;
    const ix_access *a, *b;
    copy_relation relation;
    const concrete_launch
        *launch; /* as it was found; its grid stands where the contract has none */
    const interp_filling *filling;
    int64_t *scalars; /* of the launch shown so far */
    witness *shown;   /* its witness */
    unsigned runs;
} shrinking;

/* Runs; fewer of a kernel with many accesses, as each costs by their pairs. */
enum { MAX_RUNS = 80, MANY_ACCESSES = 64 };

static unsigned most_runs(const checker *k)
{
    size_t n = arrlenu(k->s->accesses);
    return n <= MANY_ACCESSES ? MAX_RUNS : (unsigned)(MAX_RUNS * MANY_ACCESSES / n);
}

static witness *witness_of_launch(shrinking *s, const concrete_launch *launch)
{
    const char *why;
    uint64_t most = s->shown ? 2000000 : 4000000; /* a change that makes it long is none to keep */
    interp_run *run = ask_run(s->k, launch, most, most / 2, NULL);
    witness *w = witness_run_is_defined(s->k, run)
                     ? witness_in_run(s->k, launch, run, s->a, s->b, s->relation, &why)
                     : NULL;
    interp_run_free(run);
    return w;
}

/* Runs the launch with these parameter values; keeps its witness when the race is still there. */
static bool still_races(shrinking *s, const int64_t *scalars)
{
    checker *k = s->k;
    int64_t grid[3];
    const char *why;
    memcpy(grid, s->launch->grid, sizeof grid);
    if (s->runs++ >= most_runs(k) || smt_is_cut(k->ctx) ||
        !concrete_launch_holds(k->ctx, k->contract, scalars, grid))
        return false;
    concrete_launch *launch = concrete_launch_from(
        k->arena, k->ctx, k->kernel, witness_with_indices(k), grid, scalars, s->filling, &why);
    witness *w = launch && witness_launch_holds(k, launch) ? witness_of_launch(s, launch) : NULL;
    if (w)
        s->shown = w;
    return w != NULL;
}

/* Tries smaller values of parameter i, the smallest first; true when one of them still races. */
static bool shrink_parameter(shrinking *s, size_t n, size_t i)
{
    contract_role role = s->k->contract->args[i].member.role;
    if (role == CONTRACT_ARRAY_STRIDE)
        return false; /* they follow the extents */
    if (s->k->claims.open && role == CONTRACT_ARRAY_EXTENT)
        return false; /* arrays of one shape and without gaps, as callers pass them */
    /* Two of everything shows more than one, and nothing at all shows little. */
    const int64_t now = s->scalars[i], least = now >= 2 ? 2 : role == CONTRACT_ARRAY_EXTENT;
    const int64_t steps[] = {2, 3, 1, 0, now / 4, now / 2, now - now / 4, now - (now > 0)};
    int64_t *tried = TR_NEW_ARRAY(s->k->arena, int64_t, n + 1);
    for (size_t step = 0; step < TR_COUNT(steps); step++) {
        bool fills = now < least && steps[step] == least;
        if (!fills && (steps[step] < least || steps[step] >= now))
            continue;
        memcpy(tried, s->scalars, n * sizeof *tried);
        tried[i] = steps[step];
        if (still_races(s, tried)) {
            s->scalars = tried;
            return true;
        }
    }
    return false;
}

/* The scalar argument that a stride is; -1 where it is none, or is computed. */
static ptrdiff_t argument_of(checker *k, smt_t term)
{
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR &&
            contract_param(k->ctx, k->contract, i) == term)
            return (ptrdiff_t)i;
    return -1;
}

/* Makes the strides those of an array in row order for these sizes, each a multiple of `step` but
 * the last. */
static bool make_dense(const shrinking *s, const ix_tensor *t, int64_t step, int64_t *scalars)
{
    checker *k = s->k;
    concrete_launch launch = *s->launch;
    launch.args = tr_arena_copy(k->arena, launch.args, launch.n_args * sizeof *launch.args);
    for (size_t i = 0; i < launch.n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            launch.args[i].value = scalars[i];
    concrete_launch_values values = {k->ctx, k->contract, &launch};
    smt_int stride = 1, extent;
    for (int d = t->rank - 1; d >= 0; d--) {
        ptrdiff_t arg = argument_of(k, t->stride[d]);
        if (arg >= 0)
            scalars[arg] = (int64_t)stride;
        if (!smt_eval(t->shape[d], concrete_launch_lookup, &values, &extent) ||
            stride * extent > INT32_MAX)
            return false;
        stride *= extent > 1 ? extent : 1;
        stride = (stride + step - 1) / step * step;
    }
    return true;
}

/* A race that needs no odd strides is not shown with odd ones, since a reader would take them for
 * its cause. */
static void straighten(shrinking *s, size_t n)
{
    static const int64_t steps[] = {1, 16}; /* front ends assume rows of whole vectors */
    const ix_tensor *before = NULL;
    for (size_t i = 0; i < arrlenu(s->k->s->accesses); i++) {
        const ix_tensor *t = s->k->s->accesses[i].tensor;
        if (!t || t == before)
            continue;
        before = t;
        for (size_t step = 0; step < TR_COUNT(steps); step++) {
            int64_t *tried = tr_arena_copy(s->k->arena, s->scalars, n * sizeof *tried);
            if (!make_dense(s, t, steps[step], tried))
                continue;
            if (memcmp(tried, s->scalars, n * sizeof *tried) == 0 || still_races(s, tried)) {
                s->scalars = tried;
                break;
            }
        }
    }
}

static void shrink(shrinking *s, size_t n)
{
    for (bool smaller = true; smaller && s->runs < MAX_RUNS;) {
        smaller = false;
        for (size_t i = 0; i < n; i++)
            if (s->k->contract->args[i].kind == CONTRACT_SCALAR)
                smaller |= shrink_parameter(s, n, i);
    }
}

witness *witness_made_readable(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, const concrete_launch *launch,
                               const interp_filling *filling)
{
    size_t n = k->contract->n_args;
    shrinking s = {.k = k,
                   .a = a,
                   .b = b,
                   .relation = relation,
                   .launch = launch,
                   .filling = filling,
                   .scalars = TR_NEW_ARRAY(k->arena, int64_t, n + 1)};
    for (size_t i = 0; i < n; i++)
        s.scalars[i] = launch->args[i].value;
    s.shown = witness_of_launch(&s, launch);
    if (!s.shown) /* too long to run whole, again and again */
        return NULL;
    straighten(&s, n);
    shrink(&s, n);
    s.runs = s.runs < MAX_RUNS ? s.runs : MAX_RUNS - 8;
    straighten(&s, n); /* the extents are others now */
    return s.shown;
}

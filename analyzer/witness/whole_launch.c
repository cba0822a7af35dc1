/* Launches that the contract states whole: the grid, every number, and all elements that steer the
 * kernel. Where no tile block reads what another may write there is one execution up to the order
 * of its blocks, so a run that compares all its accesses decides what the prover left open.
 *
 * Claim. Let a run of the launch end, with a value for all that it branches on, masks by or
 * addresses with, nothing undefined but accesses outside their buffers, no race, and let every load
 * be weak and share no buffer with an access that is not. Then no execution of the launch races.
 *
 * Proof. Take an execution, and suppose that some load of it has another value than in the run, or
 * is not in the run. Dependence and reads-from have no circle (A9), so there is a first such load:
 * all that it depends on is as in the run. So the load itself is in the run, at the same address,
 * and so are the writes that it can read from, with the same values: a write that comes before it
 * in that order depends on loads that are as in the run. In the run none of these writes is
 * another block's, as the load is weak and the two would race; and each of its own block's is
 * ordered before the load or after it by tokens, as is each pair of them, all being weak. Tokens
 * order the same operations in every execution, so the load reads the same write in both (A7), or
 * the contents at launch: no such load exists. So all executions have the accesses of the run, and
 * its order between them, which comes from tokens alone: no load acquires. Two that race in one
 * execution race in the run, and one that leaves its buffer or index space does so in the run. What
 * is loaded outside a buffer has no value in the run, and nothing that the run does depends on it.
 *
 * What is undefined in the run is an error in any case: the run is an execution of the only launch
 * that the contract allows, and all that led it there is stated. */
#include "witness/whole_launch.h"

#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "witness/replay.h"
#include "witness/whole_tables.h"

#include "base/ds.h"

enum { MOST_STEPS = 256 * 1000 * 1000, MOST_ROWS = 4 * 1000 * 1000 };

/* ---- Section: Is the launch stated whole? ---- */

static bool numbers_of(checker *k, int64_t grid[3], int64_t *scalars)
{
    const contract *c = k->contract;
    smt_int value, low, high;
    for (int axis = 0; axis < 3; axis++) {
        if (!c->grid[axis] || !smt_is_const(c->grid[axis], &value))
            return false;
        grid[axis] = (int64_t)value;
    }
    for (size_t i = 0; i < c->n_args; i++) {
        if (c->args[i].kind != CONTRACT_SCALAR)
            continue;
        smt_bounds(contract_param(k->ctx, c, i), &low, &high);
        if (low != high && arg_is_used(k, i))
            return false;
        scalars[i] = (int64_t)low;
    }
    return true;
}

/* Does the contract state where pointers into one buffer point, how long buffers are, and that no
 * other kernel runs at the same time? */
static bool memory_is_stated(const contract *c)
{
    if (c->pdl || c->peers != CONTRACT_PEERS_NONE)
        return false;
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        if (arg->kind != CONTRACT_POINTER)
            continue;
        bool is_placed =
            arg->offset ? smt_is_const(arg->offset, NULL) : !contract_is_shared(c, arg);
        bool is_long = !arg->elements || smt_is_const(arg->elements, NULL);
        if (!is_placed || !is_long || arg->covered != CONTRACT_NOT_COVERED)
            return false;
    }
    return true;
}

/* Does nothing that the kernel reads depend on another block, or on what no contract states? */
static bool reads_weakly(const ir_function *kernel, bool tables_are_stated)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        unsigned effects = ir_op_info_of(op->code)->effects;
        bool is_shared = effects & IR_ATOMIC || ir_memory_ordering(op) != IR_WEAK;
        if (effects & IR_UNKNOWN_EFFECT || op->code == IR_OP_GET_GLOBAL ||
            op->code == IR_OP_ALLOCA || (op->code == IR_OP_INT_TO_PTR && !tables_are_stated) ||
            op->code == IR_OP_PTR_TO_INT || op->code == IR_OP_GDC_WAIT_TKO)
            return false;
        if (!ir_is_memory_op(op) || !is_shared || !(effects & (IR_READS | IR_ATOMIC)))
            continue;
        for (uint32_t i = 0; i < op->n_results; i++)
            if (&op->results[i] != ir_token_out(op) && ir_is_used(kernel, &op->results[i]))
                return false;
    }
    return true;
}

/* ---- Section: the launch ---- */

typedef struct stated_bytes { /* of one buffer */
    unsigned char *data;
    bool *known;
    int64_t n;
    bool any;
} stated_bytes;

static void put_element(stated_bytes *b, int64_t at, int64_t width, int64_t value)
{
    if (at < 0 || at > b->n - width)
        return;
    for (int64_t i = 0; i < width; i++) {
        b->data[at + i] = (unsigned char)((uint64_t)value >> (8 * i));
        b->known[at + i] = true;
    }
    b->any = true;
}

static void put_stated(const checker *k, const concrete_launch *launch, size_t arg, stated_bytes *b)
{
    const ir_type *type = k->kernel->body->args[arg]->type;
    const contract_contents *facts = &k->contract->args[arg].contents;
    if (type->kind != IR_TILE || type->elem->kind != IR_POINTER ||
        !ir_type_is_int(type->elem->elem))
        return;
    int64_t width = ir_type_bytes(type->elem->elem), start = launch->args[arg].value, element;
    for (size_t i = 0; facts->values && i < facts->values->n; i++)
        if (contract_values_at(facts->values, (smt_int)i, &element))
            put_element(b, start + (int64_t)i * width, width, element);
    const contract_table *table = k->contract->args[arg].table;
    for (size_t i = 0; table && i < table->n; i++) { /* addresses, as the launch has them */
        int64_t at = start + (int64_t)(i * (1 + 2 * table->rank)) * width, address;
        if (concrete_number_at(&launch->buffers[launch->args[arg].buffer], at, width, &address))
            put_element(b, at, width, address);
    }
}

/* The run knows only the contents that the contract states. */
static void forget_the_rest(checker *k, concrete_launch *launch)
{
    for (size_t i = 0; i < launch->n_buffers; i++) {
        interp_buffer *buffer = &launch->buffers[i];
        stated_bytes b = {.n = buffer->data_bytes ? buffer->data_bytes : buffer->bytes};
        b.n = buffer->data ? b.n : 0;
        b.data = TR_NEW_ARRAY(k->arena, unsigned char, (size_t)b.n + 1);
        b.known = TR_NEW_ARRAY(k->arena, bool, (size_t)b.n + 1);
        for (size_t arg = 0; arg < k->contract->n_args; arg++)
            if (launch->args[arg].buffer == (int)i)
                put_stated(k, launch, arg, &b);
        buffer->n_pokes = 0;
        buffer->opaque = !b.any;
        buffer->data = b.any ? b.data : NULL;
        buffer->known = b.any ? b.known : NULL;
        buffer->data_bytes = b.any ? b.n : 0;
    }
}

static const concrete_launch *stated_launch(checker *k)
{
    const contract *c = k->contract;
    int64_t grid[3], *scalars = TR_NEW_ARRAY(k->arena, int64_t, c->n_args + 1);
    const char *why;
    if (!numbers_of(k, grid, scalars) || !memory_is_stated(c))
        return NULL;
    const interp_filling filling = {.seed = 1};
    concrete_launch *launch =
        concrete_launch_from(k->arena, k->ctx, k->kernel, c, grid, scalars, &filling, &why);
    if (!launch || !concrete_launch_meets(k->ctx, k->kernel, c, launch, &why))
        return NULL;
    forget_the_rest(k, launch);
    return launch;
}

/* ---- Section: the run ---- */

/* Does no load share a buffer with an access that is not weak? */
static bool loads_are_apart(checker *k, const concrete_launch *launch, const interp_run *run)
{
    enum { LOADED = 1, SHARED = 2 };
    unsigned char *seen = TR_NEW_ARRAY(k->arena, unsigned char, launch->n_buffers + 1);
    for (size_t i = 0; i < interp_rows(run); i++) {
        const interp_row row = interp_row_at(run, i);
        unsigned effects = ir_op_info_of(row.op->code)->effects;
        bool is_shared = effects & IR_ATOMIC || ir_memory_ordering(row.op) != IR_WEAK;
        if (row.buffer < 0 || (size_t)row.buffer >= launch->n_buffers)
            return false;
        seen[row.buffer] |= is_shared ? SHARED : effects & IR_READS ? LOADED : 0;
    }
    for (size_t i = 0; i < launch->n_buffers; i++)
        if (seen[i] == (LOADED | SHARED))
            return false;
    return true;
}

/* Is all undefined behaviour of the run an access outside its buffer? It leaves no doubt about what
 * the run does. */
static bool only_leaves_buffers(const interp_run *run)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n; i++)
        if (ubs[i].kind != INTERP_UB_OUT_OF_BUFFER)
            return false;
    return true;
}

static bool run_is_clean(checker *k, const concrete_launch *launch, const interp_run *run)
{
    interp_race race;
    return interp_run_status(run) == INTERP_DONE && only_leaves_buffers(run) &&
           loads_are_apart(k, launch, run) && ask_races(k, run, 1, &race) == 0 &&
           !interp_races_cut_short(run);
}

typedef struct undefined_in_run {
    const ir_op *op;
    bool index_space;
    witness *shown;
} undefined_in_run;

typedef struct whole_launch {
    bool is_free;                /* the claim holds of it */
    bool is_inside;              /* and no access of it is undefined */
    undefined_in_run *undefined; /* in the arena */
    size_t n_undefined;
} whole_launch;

static const undefined_in_run *find_undefined(const whole_launch *w, const ir_op *op,
                                              bool index_space)
{
    for (size_t i = 0; i < w->n_undefined; i++)
        if (w->undefined[i].op == op && w->undefined[i].index_space == index_space)
            return &w->undefined[i];
    return NULL;
}

static void keep_undefined(checker *k, const concrete_launch *launch, const interp_run *run,
                           whole_launch *w)
{
    enum { MOST_KEPT = 64 };
    const interp_ub *ubs;
    size_t n = interp_ubs(run, &ubs);
    w->undefined = TR_NEW_ARRAY(k->arena, undefined_in_run, MOST_KEPT);
    for (size_t i = 0; i < n && w->n_undefined < MOST_KEPT; i++) {
        bool index_space = interp_ub_is_of_index(ubs[i].kind);
        if (find_undefined(w, ubs[i].op, index_space))
            continue;
        witness *shown = witness_undefined_in_run(k, launch, run, ubs[i].op, index_space);
        if (shown)
            w->undefined[w->n_undefined++] = (undefined_in_run){ubs[i].op, index_space, shown};
    }
}

/* Runs the launch, once; what came of it. */
static const whole_launch *whole_launch_of(checker *k)
{
    if (k->whole)
        return k->whole;
    whole_launch *w = TR_NEW(k->arena, whole_launch);
    k->whole = w;
    const concrete_launch *launch =
        k->wraps.by_runs || k->wraps.machine_values || k->undefined.any_sign ? NULL
                                                                             : stated_launch(k);
    if (!launch)
        return w;
    const interp_ub *undefined;
    interp_run *run = ask_run(k, launch, MOST_STEPS, MOST_ROWS, NULL);
    keep_undefined(k, launch, run, w);
    w->is_free =
        reads_weakly(k->kernel, whole_tables_are_stated(k)) && run_is_clean(k, launch, run);
    w->is_inside = w->is_free && interp_ubs(run, &undefined) == 0;
    interp_run_free(run);
    return w;
}

bool whole_launch_is_free(checker *k)
{
    return whole_launch_of(k)->is_free;
}

bool whole_launch_is_inside(checker *k)
{
    return whole_launch_of(k)->is_inside;
}

witness *whole_launch_undefined(checker *k, const ir_op *op, bool index_space)
{
    const undefined_in_run *found = find_undefined(whole_launch_of(k), op, index_space);
    return found ? found->shown : NULL;
}

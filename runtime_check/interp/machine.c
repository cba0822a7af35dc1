/* Runs tile blocks one after the other: values, control flow, limits. */
#include "interp/schedule_private.h"

#include <stdlib.h>

#define DEFAULT_STEPS 200000000
#define MAX_DEPTH     200 /* of nested regions: the C stack must hold it */
#define MAX_TILE      ((int64_t)1 << 24)

void machine_stop(interp_run *run, interp_status status, const ir_op *op, const char *format, ...)
{
    if (run->status != INTERP_DONE)
        return;
    va_list arguments;
    va_start(arguments, format);
    run->status = status;
    run->where = op;
    run->why = tr_arena_vprintf(run->arena, format, arguments);
    va_end(arguments);
}

bool machine_stopped(const interp_run *run)
{
    return run->status != INTERP_DONE;
}

enum { LOOK_EVERY = 4096 }; /* steps; at the clock of the budget */

bool machine_step(interp_run *run, const ir_op *op, uint64_t elements)
{
    uint64_t limit = run->limits.steps ? run->limits.steps : DEFAULT_STEPS;
    uint64_t before = run->steps;
    run->steps += elements + 1;
    if (before / LOOK_EVERY != run->steps / LOOK_EVERY && tr_budget_is_spent(run->limits.budget))
        machine_stop(run, INTERP_LIMIT, op, "no time is left");
    if (run->steps > limit)
        machine_stop(run, INTERP_LIMIT, op, "more than %llu steps", (unsigned long long)limit);
    return !machine_stopped(run);
}

void machine_note(interp_run *run, interp_ub_kind kind, const ir_op *op, int dimension,
                  int64_t value, int64_t bound)
{
    enum { MAX_KEPT = 100000 };
    run->ubs_total++;
    if (arrlen(run->ubs) >= MAX_KEPT)
        return;
    interp_ub ub = {.kind = kind,
                    .op = op,
                    .block = run->block,
                    .n_loops = run->n_loops < INTERP_MAX_LOOPS ? run->n_loops : INTERP_MAX_LOOPS,
                    .dimension = dimension,
                    .value = value,
                    .bound = bound};
    memcpy(ub.iterations, run->iterations, sizeof ub.iterations);
    arrput(run->ubs, ub);
}

/* ---- Section: Values of this block ---- */

ssa *machine_value(interp_run *run, const ir_value *v)
{
    return &run->values[v->id];
}

reader machine_reader(interp_run *run, const ir_value *v)
{
    return reader_of(run->values[v->id].cells);
}

int64_t machine_elements(const interp_run *run, const ir_type *type)
{
    return type->kind == IR_TILE && type->rank == 0 ? run->lanes : ir_type_elements(type);
}

void machine_set_cells(interp_run *run, const ir_value *v, cells *c)
{
    value_drop(&run->values[v->id]);
    run->values[v->id].cells = c;
}

void machine_set_view(interp_run *run, const ir_value *v, view *w)
{
    value_drop(&run->values[v->id]);
    run->values[v->id].view = w;
}

void machine_set_token(interp_run *run, const ir_value *v, uint32_t token)
{
    uint32_t *slot = &run->values[v->id].token;
    /* D17, static reading: the name stands for all its instances so far. */
    if (run->choices.loop_tokens == MODEL_PER_NAME && *slot && *slot != token)
        token = !token      ? *slot
                : run->task ? schedule_join(run, 2, (uint32_t[]){*slot, token})
                            : tokens_node(run, 2, (uint32_t[]){*slot, token});
    *slot = token;
}

void machine_set(interp_run *run, const ir_value *v, const ssa *from)
{
    if (v->type->kind == IR_TOKEN) {
        machine_set_token(run, v, from->token);
        return;
    }
    ssa copy = *from;
    value_keep(&copy);
    value_drop(&run->values[v->id]);
    run->values[v->id] = copy;
}

bool machine_scalar(interp_run *run, const ir_op *op, const ir_value *v, const char *what,
                    uint64_t *bits)
{
    reader r = machine_reader(run, v);
    if (!reader_known(&r, 0)) {
        run->stopped_source = machine_value(run, v)->source;
        machine_stop(run, INTERP_UNDECIDED, op, "%s depends on a value that the run does not know",
                     what);
        return false;
    }
    *bits = reader_bits(&r, 0);
    return true;
}

/* ---- Section: Control flow ---- */

/* Several values at once: a source may itself be one of the targets. */
static void set_all(interp_run *run, uint32_t n, ir_value *const *sources,
                    ir_value *const *arguments, const ir_value *results)
{
    ssa few[16], *held = n <= TR_COUNT(few) ? few : calloc(n, sizeof *held);
    if (!held)
        tr_no_memory();
    if (run->hooks)
        run->hooks->pass(run->hooks->user, n, sources, arguments, results);
    for (uint32_t i = 0; i < n; i++) {
        held[i] = *machine_value(run, sources[i]);
        value_keep(&held[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        machine_set(run, arguments ? arguments[i] : &results[i], &held[i]);
        value_drop(&held[i]);
    }
    if (held != few)
        free(held);
}

static void execute_if(interp_run *run, const ir_op *op, ending *end)
{
    uint64_t condition;
    if (!machine_scalar(run, op, ir_operand(op, IR_IF_condition), "which way an 'if' goes",
                        &condition))
        return;
    const ir_block *region = op->regions[condition ? IR_RG_IF_then : IR_RG_IF_else];
    if (!region)
        return;
    *end = machine_region(run, region);
    if (end->flow == FLOW_YIELD) {
        if (end->terminator && op->n_results)
            set_all(run, op->n_results, end->terminator->operands, NULL, op->results);
        *end = (ending){FLOW_NEXT, NULL};
    }
}

static void enter_loop(interp_run *run)
{
    if (run->n_loops < INTERP_MAX_LOOPS)
        run->iterations[run->n_loops] = 0;
    run->n_loops++;
}

static void next_iteration(interp_run *run)
{
    if (run->n_loops <= INTERP_MAX_LOOPS)
        run->iterations[run->n_loops - 1]++;
}

static void leave_loop(interp_run *run)
{
    run->n_loops--;
    if (run->n_loops < INTERP_MAX_LOOPS)
        run->iterations[run->n_loops] = 0;
}

/* A body that hands nothing on may leave its terminator out. */
static bool goes_on(const ending *end, uint32_t n_carried)
{
    if (!end->terminator)
        return end->flow == FLOW_YIELD && n_carried == 0;
    return end->flow == FLOW_CONTINUE && end->terminator->n_operands == n_carried;
}

/* Is what the terminator hands to the next iteration what this one began with? Tokens carry no
 * value, so they do not count. */
static bool same_state(interp_run *run, const ir_block *body, const ir_op *terminator)
{
    for (uint32_t i = 0; i < body->n_args; i++)
        if (body->args[i]->type->kind != IR_TOKEN &&
            !cells_equal(machine_value(run, body->args[i])->cells,
                         machine_value(run, terminator->operands[i])->cells))
            return false;
    return true;
}

/* An open loop: its body again until it breaks or returns. An iteration that changed nothing waits
 * for another block: a run with a schedule lets others go on, and one block after another can only
 * hang, unless hooks give the next iteration something else to read. */
static void execute_loop(interp_run *run, const ir_op *op, ending *end)
{
    const ir_block *body = op->regions[IR_RG_LOOP_body];
    set_all(run, body->n_args, op->operands, body->args, NULL);
    enter_loop(run);
    if (run->task)
        run->task->open_loops++;
    uint32_t stutters = 0; /* hooks may give the next iteration something else to read */
    while (machine_step(run, op, 0)) {
        uint64_t version = run->version;
        schedule_mark start = run->task ? schedule_iteration(run) : (schedule_mark){0};
        ending last = machine_region(run, body);
        if (last.flow == FLOW_BREAK) {
            set_all(run, op->n_results, last.terminator->operands, NULL, op->results);
            break;
        }
        if (last.flow == FLOW_RETURN || last.flow == FLOW_STOP) {
            *end = last;
            break;
        }
        if (!goes_on(&last, body->n_args)) {
            machine_stop(run, INTERP_UNSUPPORTED, op,
                         "a loop's body ends in neither continue nor "
                         "break");
            break;
        }
        if (run->task) {
            if (same_state(run, body, last.terminator) && !schedule_spin(run, op, start))
                break;
        } else if (run->version == version && same_state(run, body, last.terminator) &&
                   (!run->hooks || run->hooks->goes_on(run->hooks->user, run, stutters++))) {
            machine_stop(
                run, INTERP_HANG, op,
                "the loop waits for memory that no block will change: all blocks before this "
                "one have finished, and the loop itself changes nothing");
            break;
        }
        if (body->n_args)
            set_all(run, body->n_args, last.terminator->operands, body->args, NULL);
        next_iteration(run);
    }
    if (run->task)
        run->task->open_loops--;
    leave_loop(run);
}

/* A counted loop. The counter has 128 bits, so that its last step cannot wrap. */
static void execute_for(interp_run *run, const ir_op *op, ending *end)
{
    ir_value *low_value = ir_operand(op, IR_FOR_lower_bound);
    int bits = ir_type_bits(low_value->type->elem);
    uint64_t counter, bound, step;
    if (!machine_scalar(run, op, low_value, "a loop's lower bound", &counter) ||
        !machine_scalar(run, op, ir_operand(op, IR_FOR_upper_bound), "a loop's upper bound",
                        &bound) ||
        !machine_scalar(run, op, ir_operand(op, IR_FOR_step), "a loop's step", &step))
        return;
    bool is_unsigned = ir_attr_int(op, IR_AT_FOR_unsigned_cmp, 0) != 0;
    __extension__ typedef __int128 wide;
    wide at = is_unsigned ? (wide)counter : sign_extend(counter, bits);
    wide end_at = is_unsigned ? (wide)bound : sign_extend(bound, bits);
    wide stride = sign_extend(step, bits);
    /* Undefined, but its first iteration needs no step: it is run, so that undefined behaviour does
     * not hide the accesses in it and those behind the loop. */
    bool once = stride <= 0;
    if (once)
        machine_note(run, INTERP_UB_DIVISION, op, -1, (int64_t)stride, 0);
    uint32_t n;
    ir_value **init = ir_group(op, IR_FOR_init_values, &n);
    const ir_block *body = op->regions[IR_RG_FOR_body];
    set_all(run, n, init, body->args + 1, NULL);
    enter_loop(run);
    if (once && end_at > at)
        stride = end_at - at;
    for (; at < end_at && machine_step(run, op, 0); at += stride, next_iteration(run)) {
        machine_set_cells(run, body->args[0], cells_splat(mask_to((uint64_t)at, bits)));
        ending last = machine_region(run, body);
        if (last.flow == FLOW_RETURN || last.flow == FLOW_STOP) {
            *end = last;
            break;
        }
        if (!goes_on(&last, n)) {
            machine_stop(run, INTERP_UNSUPPORTED, op,
                         "a 'for' body ends in something else than "
                         "continue");
            break;
        }
        if (n)
            set_all(run, n, last.terminator->operands, body->args + 1, NULL);
    }
    leave_loop(run);
    if (end->flow == FLOW_NEXT && !machine_stopped(run) && n)
        set_all(run, n, body->args + 1, NULL, op->results);
}

static const struct {
    ir_opcode code;
    flow flow;
} terminators[] = {
    {IR_OP_YIELD, FLOW_YIELD},
    {IR_OP_CONTINUE, FLOW_CONTINUE},
    {IR_OP_BREAK, FLOW_BREAK},
    {IR_OP_RETURN, FLOW_RETURN},
};

static bool (*const rooms[])(interp_run *run, const ir_op *op) = {
    ops_integer, ops_shape, ops_view, ops_memory, ops_float, ops_fold, ops_mma,
};

/* One op. A terminator only says in *end how its block ends, since the op around the block knows
 * what that means. Which room knows an op is found once a run (run->room_of). */
static void execute(interp_run *run, const ir_op *op, ending *end)
{
    if (run->task) {
        schedule_need(run, op);
        if (machine_stopped(run))
            return;
    }
    for (size_t i = 0; i < TR_COUNT(terminators); i++)
        if (op->code == terminators[i].code) {
            *end = (ending){terminators[i].flow, op};
            return;
        }
    switch (op->code) {
    case IR_OP_IF:
        execute_if(run, op, end);
        return;
    case IR_OP_FOR:
        execute_for(run, op, end);
        return;
    case IR_OP_LOOP:
        execute_loop(run, op, end);
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        const ir_type *type = op->results[i].type;
        if (type->kind == IR_TILE && ir_type_elements(type) > MAX_TILE) {
            machine_stop(run, INTERP_LIMIT, op, "a tile of more than %lld elements",
                         (long long)MAX_TILE);
            return;
        }
    }
    uint8_t *known = &run->room_of[op->code];
    if (*known && rooms[*known - 1](run, op))
        return;
    for (size_t i = 0; i < TR_COUNT(rooms); i++)
        if (rooms[i](run, op)) {
            *known = (uint8_t)(i + 1);
            return;
        }
    machine_stop(run, INTERP_UNSUPPORTED, op, "the interpreter does not know the op '%s'",
                 ir_op_info_of(op->code)->mnemonic);
}

ending machine_region(interp_run *run, const ir_block *block)
{
    ending end = {FLOW_NEXT, NULL};
    if (run->depth >= MAX_DEPTH) {
        machine_stop(run, INTERP_UNSUPPORTED, block->parent, "regions nested deeper than %d",
                     MAX_DEPTH);
        return (ending){FLOW_STOP, NULL};
    }
    run->depth++;
    for (const ir_op *op = block->first; op && end.flow == FLOW_NEXT; op = op->next) {
        if (machine_step(run, op, 0)) {
            if (run->hooks)
                run->hooks->before(run->hooks->user, run, op);
            execute(run, op, &end);
            if (run->limits.values && op->n_results && !machine_stopped(run))
                undefined_pass_on(run, op);
            if (run->hooks)
                run->hooks->after(run->hooks->user, run, op);
        }
        if (machine_stopped(run))
            end = (ending){FLOW_STOP, NULL};
    }
    run->depth--;
    if (end.flow == FLOW_NEXT) /* the terminator may be left out where it says nothing */
        end = (ending){FLOW_YIELD, NULL};
    return end;
}

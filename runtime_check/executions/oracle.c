/* Decides what a block reads, as it is told from outside, and what each value depends on. */
#include "executions/oracle.h"

#include <stdio.h>
#include <stdlib.h>

static void add(taint *into, const taint *other)
{
    for (size_t w = 0; w < ORACLE_WORDS; w++)
        into->bits[w] |= other->bits[w];
}

void oracle_free(oracle *o)
{
    free(o->values);
    o->values = NULL;
    arrfree(o->saved);
    arrfree(o->elements);
    arrfree(o->instances);
}

static taint of_control(const oracle *o)
{
    taint t = o->control;
    add(&t, &o->ended);
    return t;
}

taint oracle_taint_of(const oracle *o, const ir_op *op)
{
    taint t = of_control(o);
    for (uint32_t i = 0; i < op->n_operands;
         i++) /* a token's value is never set: it carries none */
        add(&t, &o->values[op->operands[i]->id]);
    return t;
}

static bool touches_memory(const ir_op *op)
{
    model_access access;
    return model_access_of(op, &access);
}

static bool is_control(const ir_op *op)
{
    return op->code == IR_OP_IF || ir_is_loop(op);
}

/* Can an `if` end the loop's iteration, the loop or the block? */
static bool may_leave(const ir_op *op)
{
    for (uint32_t r = 0; r < op->n_regions; r++)
        for (const ir_op *o = op->regions[r] ? op->regions[r]->first : NULL; o; o = o->next)
            if (o->code == IR_OP_BREAK || o->code == IR_OP_CONTINUE || o->code == IR_OP_RETURN ||
                (o->code == IR_OP_IF && may_leave(o)))
                return true;
    return false;
}

static void before_op(void *user, interp_run *run, const ir_op *op)
{
    (void)run;
    oracle *o = user;
    if (touches_memory(op)) {
        o->op = op;
        oracle_instance fresh = {.number = UINT32_MAX,
                                 .first = (uint32_t)arrlen(o->elements),
                                 .hangs_on = oracle_taint_of(o, op)};
        arrput(o->instances, fresh);
        return;
    }
    if (!is_control(op))
        return;
    arrput(o->saved, o->control);
    if (op->code == IR_OP_IF) {
        add(&o->control, &o->values[ir_operand(op, IR_IF_condition)->id]);
    } else if (op->code == IR_OP_FOR) {
        static const unsigned bounds[] = {IR_FOR_lower_bound, IR_FOR_upper_bound, IR_FOR_step};
        for (size_t i = 0; i < TR_COUNT(bounds); i++)
            add(&o->control, &o->values[ir_operand(op, bounds[i])->id]);
        o->values[op->regions[IR_RG_FOR_body]->args[0]->id] = of_control(o);
    }
}

/* The op's element records become those of the instance that the run made of it; without events
 * (all masked off) there is none. */
static void close_instance(interp_run *run, oracle *o)
{
    oracle_instance *mine = &arrlast(o->instances);
    uint32_t number = (uint32_t)interp_instances(run) - 1; /* of none: no instance's number */
    bool made =
        interp_op_of(run, number) == o->op &&
        (arrlen(o->instances) == 1 || o->instances[arrlen(o->instances) - 2].number != number);
    mine->end = (uint32_t)arrlen(o->elements);
    if (made)
        mine->number = number;
    else
        arrpop(o->instances);
    if (arrlen(o->instances) > ORACLE_BITS) {
        char why[64];
        snprintf(why, sizeof why, "a tile block executes more than %d memory operations",
                 ORACLE_BITS);
        interp_stop(run, INTERP_LIMIT, o->op, why);
    }
}

static void after_op(void *user, interp_run *run, const ir_op *op)
{
    oracle *o = user;
    if (is_control(op)) {
        o->control = arrpop(o->saved);
        if (op->code == IR_OP_IF && may_leave(op)) /* what comes later comes only if it did not */
            add(&o->ended, &o->values[ir_operand(op, IR_IF_condition)->id]);
        return;
    }
    taint t = oracle_taint_of(o, op);
    if (o->op == op) {
        if (interp_has_stopped(run)) /* who asks why wants to know what it was about to do */
            return;
        size_t before = arrlenu(o->instances);
        close_instance(run, o);
        o->op = NULL;
        if (arrlenu(o->instances) == before && before <= ORACLE_BITS) /* its own result */
            t.bits[(before - 1) / 64] |= (uint64_t)1 << ((before - 1) % 64);
    }
    for (uint32_t i = 0; i < op->n_results; i++)
        if (op->results[i].type->kind != IR_TOKEN)
            o->values[op->results[i].id] = t;
}

static void pass_values(void *user, uint32_t n, ir_value *const *sources,
                        ir_value *const *arguments, const ir_value *results)
{
    oracle *o = user;
    taint few[16], *held = n <= TR_COUNT(few) ? few : calloc(n, sizeof *held);
    if (!held)
        tr_no_memory();
    for (uint32_t i = 0; i < n; i++) {
        held[i] = o->values[sources[i]->id];
        add(&held[i], &o->control);
        add(&held[i], &o->ended);
    }
    for (uint32_t i = 0; i < n; i++)
        if (sources[i]->type->kind != IR_TOKEN)
            o->values[arguments ? arguments[i]->id : results[i].id] = held[i];
    if (held != few)
        free(held);
}

static bool answer_read(void *user, interp_run *run, int32_t buffer, int64_t address, int width,
                        uint64_t *bits, bool *known)
{
    oracle *o = user;
    if (!o->op)
        return false;
    oracle_element e = {
        .buffer = buffer, .address = address, .width = (uint32_t)width, .reads = true};
    if (!o->read(o->user, run, o->op, buffer, address, width, &e.read, &e.read_known, &e.decided))
        e.read_known = interp_memory_holds(run, buffer, address, width, &e.read);
    arrput(o->elements, e);
    *bits = e.read_known ? e.read : 0;
    *known = e.read_known;
    return true;
}

static bool take_write(void *user, interp_run *run, uint64_t bits, bool known, bool *changes)
{
    (void)run;
    oracle *o = user;
    model_access access;
    if (!o->op || !model_access_of(o->op, &access))
        return false;
    if (access == MODEL_WRITE) { /* an atomic update has read its element before */
        oracle_element fresh = {0};
        arrput(o->elements, fresh);
    }
    oracle_element *e = &arrlast(o->elements);
    e->writes = true;
    e->write_known = known;
    e->written = known ? bits : 0;
    *changes = !(e->reads && e->read_known && known && e->read == bits);
    return true;
}

static bool goes_on(void *user, const interp_run *run, uint32_t earlier)
{
    const oracle *o = user;
    const int64_t *iterations;
    size_t depth = interp_iterations_now(run, &iterations), n = 0;
    for (ptrdiff_t i = arrlen(o->instances); i-- > 0; n++) {
        const interp_instance *one = interp_instance_of(run, o->instances[i].number);
        if (one->n_loops < depth ||
            memcmp(one->iterations, iterations, depth * sizeof one->iterations[0]) != 0)
            break;
    }
    return earlier || (n == 1 && o->waits_on && o->waits_on(o->user));
}

void oracle_start(oracle *o, const ir_function *kernel)
{
    o->values = calloc((size_t)kernel->n_values + 1, sizeof o->values[0]);
    if (!o->values)
        tr_no_memory();
    memset(&o->control, 0, sizeof o->control);
    memset(&o->ended, 0, sizeof o->ended);
    o->op = NULL;
    o->hooks = (interp_hooks){.user = o,
                              .before = before_op,
                              .after = after_op,
                              .pass = pass_values,
                              .read = answer_read,
                              .write = take_write,
                              .goes_on = goes_on};
}

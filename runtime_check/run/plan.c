/* A launch as a plan to run: its buffers, their contents and shapes, its arguments. */
#include "run/plan.h"

#include "run/choose.h"
#include "run/fills.h"
#include "run/target.h"

#include <string.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "interp/interp.h"
#include "launch/from_contract.h"

#define MOST_BYTES      ((int64_t)1 << 37) /* of all buffers: no GPU holds more */
#define CPU_BYTES       ((int64_t)1 << 30) /* copies of them are kept */
#define DEFAULT_RUNS    20
#define DEFAULT_TIMEOUT 20000

static const char *parameter_name(const run_target *t, size_t i)
{
    const char *name = t->kernel->contract->args[i].name;
    name = name ? name : t->kernel->function->body->args[i]->name;
    return name ? name : tr_arena_printf(t->input->arena, "arg%zu", i);
}

const char *run_launch_words(tr_arena *arena, const run_target *t, const concrete_launch *launch,
                             const gpu_plan *plan)
{
    tr_text words = {0};
    tr_text_addf(&words, "grid %lld x %lld x %lld", (long long)launch->grid[0],
                 (long long)launch->grid[1], (long long)launch->grid[2]);
    for (size_t i = 0; i < launch->n_args; i++) {
        const interp_arg *arg = &launch->args[i];
        const ir_type *elem = t->kernel->function->body->args[i]->type->elem;
        if (arg->buffer >= 0 && arg->value)
            tr_text_addf(&words, ", %s = %lld bytes on", parameter_name(t, i),
                         (long long)arg->value);
        else if (arg->buffer < 0 && !ir_type_is_float(elem))
            tr_text_addf(&words, ", %s = %lld", parameter_name(t, i), (long long)arg->value);
        else if (arg->buffer < 0 && (plan || arg->exact))
            tr_text_addf(&words, ", %s = %g", parameter_name(t, i),
                         ir_float_value(elem, plan ? plan->args[i].bits : (uint64_t)arg->value));
    }
    const char *kept = tr_arena_strdup(arena, tr_text_get(&words));
    tr_text_free(&words);
    return kept;
}

/* ---- Buffers ---- */

gpu_element run_element(const ir_type *elem)
{
    if (!elem)
        return GPU_I8;
    switch (elem->kind) {
    case IR_I16:
        return GPU_I16;
    case IR_I32:
        return GPU_I32;
    case IR_I64:
    case IR_POINTER:
        return GPU_I64;
    case IR_F16:
        return GPU_F16;
    case IR_BF16:
        return GPU_BF16;
    case IR_F32:
        return GPU_F32;
    case IR_TF32:
        return GPU_TF32;
    case IR_F64:
        return GPU_F64;
    case IR_F8E4M3FN:
        return GPU_F8E4M3;
    case IR_F8E5M2:
        return GPU_F8E5M2;
    default: /* bytes: i1, i8, formats of eight bits and less */
        return GPU_I8;
    }
}

static const ir_type *pointee_of_buffer(const run_target *t, size_t buffer)
{
    const ir_block *body = t->kernel->function->body;
    for (uint32_t i = 0; i < body->n_args; i++) {
        const ir_type *type = body->args[i]->type;
        if (t->launch->args[i].buffer == (int)buffer && type->kind == IR_TILE &&
            type->elem->kind == IR_POINTER)
            return type->elem->elem;
    }
    return NULL;
}

/* A buffer that cannot be held is refused before it is asked for. */
static bool can_be_held(const run_target *t, const int64_t *ends, const char **why)
{
    const concrete_launch *l = t->launch;
    const char *device = t->s->options->device;
    int64_t most = device && strcmp(device, "cpu") == 0 ? CPU_BYTES : MOST_BYTES, sum = 0;
    for (size_t i = 0; i < l->n_buffers; i++) {
        const interp_buffer *b = &l->buffers[i];
        if (__builtin_add_overflow(sum, b->unbounded ? ends[i] : b->bytes, &sum) || sum > most) {
            *why = tr_arena_printf(t->input->arena,
                                   "the launch (%s) is too large to run: with '%s' its buffers "
                                   "take more than %lld MiB; state smaller values in a launch "
                                   "contract (--launch)",
                                   run_launch_words(t->input->arena, t, l, NULL), b->name,
                                   (long long)(most >> 20));
            return false;
        }
    }
    return true;
}

/* Numbers that tell blocks apart may be large: what a softmax makes of them depends on last bits,
 * as the inverse of a sum depends on those of numbers that cancel. */
static gpu_fill default_fill(const run_target *t)
{
    return t->s->options->against_interpreter ? GPU_FILL_SMALL : GPU_FILL_UNIQUE;
}

static bool make_buffers(const run_target *t, gpu_plan *plan, const char **why)
{
    tr_arena *arena = t->input->arena;
    const concrete_launch *l = t->launch;
    int64_t *ends = TR_NEW_ARRAY(arena, int64_t, l->n_buffers + 1);
    if ((run_has_open_buffers(l) && !run_measure(t, l, NULL, ends, why)) ||
        !can_be_held(t, ends, why))
        return false;
    plan->n_buffers = l->n_buffers;
    plan->buffers = TR_NEW_ARRAY(arena, gpu_buffer, l->n_buffers + 1);
    for (size_t i = 0; i < l->n_buffers; i++) {
        const interp_buffer *from = &l->buffers[i];
        gpu_buffer *b = &plan->buffers[i];
        int64_t bytes = from->unbounded ? ends[i] : from->bytes;
        b->element = run_element(pointee_of_buffer(t, i));
        int64_t width = plan_element_bytes(b->element);
        *b = (gpu_buffer){.name = from->name,
                          .element = b->element,
                          .bytes = (uint64_t)((bytes < 1 ? 1 : bytes) + width - 1) /
                                   (uint64_t)width * (uint64_t)width,
                          .seed = t->s->options->seed + i,
                          .tolerance = -1,
                          .fill = default_fill(t)};
        if (from->opaque)
            continue;
        /* Integers are what the contract says of them: indices, offsets, flags. */
        unsigned char *data = tr_arena_alloc(arena, b->bytes);
        int64_t have = from->data ? (from->data_bytes ? from->data_bytes : from->bytes) : 0;
        if (have > (int64_t)b->bytes)
            have = (int64_t)b->bytes;
        if (have > 0)
            memcpy(data, from->data, (size_t)have);
        b->fill = GPU_FILL_RAW;
        b->data = data;
    }
    return true;
}

/* ---- Shapes and outputs, from the access summary ---- */

/* Shape and tile of the view, where it covers the buffer from its start without gaps. */
static void take_shape(concrete_launch_values *v, const ix_access *a, gpu_buffer *b)
{
    const ix_tensor *tensor = a->tensor;
    if (!tensor || tensor->rank > GPU_MAX_RANK || a->rank != tensor->rank || b->rank)
        return;
    smt_int start, extent, stride, expected = 1;
    uint64_t shape[GPU_MAX_RANK];
    if (!smt_eval(tensor->bytes, concrete_launch_lookup, v, &start) || start != 0)
        return;
    for (int d = tensor->rank; d-- > 0;) {
        if (!smt_eval(tensor->shape[d], concrete_launch_lookup, v, &extent) || extent < 1 ||
            !smt_eval(tensor->stride[d], concrete_launch_lookup, v, &stride) || stride != expected)
            return;
        shape[d] = (uint64_t)extent;
        expected *= extent;
        if (expected > INT64_MAX)
            return;
    }
    if ((uint64_t)expected * (uint64_t)tensor->width != b->bytes)
        return;
    b->rank = tensor->rank;
    for (int d = 0; d < b->rank; d++) {
        b->shape[d] = shape[d];
        b->tile[d] = (uint64_t)a->tile[d];
    }
}

/* An atomic float addition: its sum depends on the order, by rounding, without any race. */
static bool adds_floats(const ir_op *op)
{
    return (op->code == IR_OP_ATOMIC_RMW_TKO &&
            ir_attr_int(op, IR_AT_ATOMIC_RMW_TKO_mode, -1) == IR_ATOMIC_ADDF) ||
           (op->code == IR_OP_ATOMIC_RED_VIEW_TKO &&
            ir_attr_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, -1) == IR_ATOMIC_ADDF);
}

static void find_outputs(const run_target *t, gpu_plan *plan)
{
    summary *s =
        summary_build(t->input->arena, t->input->ctx, t->kernel->function, t->kernel->contract);
    concrete_launch_values v = {t->input->ctx, t->kernel->contract, t->launch};
    for (size_t i = 0; i < plan->n_buffers; i++) {
        gpu_buffer *b = &plan->buffers[i];
        bool float_atomics = false, others = false;
        for (size_t k = 0; k < s->n_allocations; k++)
            if (s->allocations[k].space == IX_ARGUMENT &&
                strcmp(s->allocations[k].name, b->name) == 0)
                b->output = s->allocations[k].written;
        for (size_t k = 0; k < arrlenu(s->accesses); k++) {
            const ix_access *a = &s->accesses[k];
            if (!a->writes)
                continue;
            if (a->allocation < 0) { /* where it goes is not known */
                b->output = others = true;
            } else if (strcmp(s->allocations[a->allocation].name, b->name) == 0) {
                take_shape(&v, a, b);
                *(adds_floats(a->op) ? &float_atomics : &others) = true;
            }
        }
        b->order_dependent = float_atomics && !others;
    }
    summary_free(s);
}

bool run_takes_addresses(const run_target *t)
{
    summary *s =
        summary_build(t->input->arena, t->input->ctx, t->kernel->function, t->kernel->contract);
    bool takes = false;
    for (size_t i = 0; i < s->n_allocations; i++)
        takes = takes || s->allocations[i].space == IX_REGIONS;
    summary_free(s);
    return takes;
}

/* ---- Arguments ---- */

static void make_args(const run_target *t, gpu_plan *plan)
{
    const ir_block *body = t->kernel->function->body;
    plan->n_args = body->n_args;
    plan->args = TR_NEW_ARRAY(t->input->arena, gpu_arg, body->n_args + 1);
    for (uint32_t i = 0; i < body->n_args; i++) {
        const interp_arg *from = &t->launch->args[i];
        gpu_arg *a = &plan->args[i];
        const ir_type *elem = body->args[i]->type->elem;
        a->buffer = from->buffer;
        if (from->buffer >= 0) {
            a->offset = (uint64_t)from->value;
            continue;
        }
        a->width = ir_type_bytes(elem);
        a->bits = ir_type_is_float(elem) && !from->exact ? ir_float_bits(elem, RUN_FLOAT)
                                                         : (uint64_t)from->value;
        if (a->width < 8)
            a->bits &= ((uint64_t)1 << (8 * a->width)) - 1;
    }
}

static bool has_variables(const ir_module *module)
{
    for (const ir_global *g = module->globals; g; g = g->next)
        if (!g->is_constant)
            return true;
    return false;
}

gpu_plan *run_plan(const run_target *t, const char **why)
{
    const driver_options *o = t->s->options;
    gpu_plan *plan = TR_NEW(t->input->arena, gpu_plan);
    plan->kernel = t->kernel->function->name;
    plan->repeat = o->repeat ? (unsigned)o->repeat : DEFAULT_RUNS;
    plan->seed = o->seed;
    plan->timeout_ms = o->timeout ? (int64_t)o->timeout : DEFAULT_TIMEOUT;
    plan->perturb = GPU_PERTURB_FLUSH | GPU_PERTURB_NOISE | GPU_PERTURB_DELAY;
    if (!has_variables(t->input->unit.module)) /* a twin would share them */
        plan->perturb |= GPU_PERTURB_TWIN;
    for (int axis = 0; axis < 3; axis++)
        plan->grid[axis] = (unsigned)t->launch->grid[axis];
    if (!make_buffers(t, plan, why))
        return NULL;
    find_outputs(t, plan);
    make_args(t, plan);
    return run_plan_fills(t, plan, why) ? plan : NULL;
}

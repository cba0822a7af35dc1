/* Finds what a run is compared with: the interpreter's results, or those of another kernel. */
#include "run/expect.h"

#include <string.h>

#include "base/ds.h"
#include "inputs/load.h"
#include "launch/from_contract.h"
#include "run/contents.h"
#include "run/plan.h"
#include "run/target.h"

/* Largest relative difference, and absolute below 1, that sums in another order and functions of
 * the hardware's own rounding may make: a few units in the last place of the format, times the
 * square root of some ten thousand terms. */
static double tolerance_of(gpu_element element)
{
    switch (element) {
    case GPU_F64:
        return 1e-12;
    case GPU_F32:
        return 1e-4;
    case GPU_TF32:
    case GPU_F16:
        return 1e-2;
    case GPU_BF16:
        return 5e-2;
    case GPU_F8E4M3:
    case GPU_F8E5M2:
        return 0.25;
    default:
        return 0;
    }
}

/* The tolerance for floats that the kernel rounds to a coarser format on the way: attention weights
 * in f16 before a product make sums in f32 differ as much as sums in f16. */
static double tolerance_on_the_way(const ir_function *kernel)
{
    double coarsest = 0;
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        bool rounds = op->code == IR_OP_FTOF && op->n_results == 1;
        double own = rounds ? tolerance_of(run_element(op->results[0].type->elem)) : 0;
        coarsest = own > coarsest ? own : coarsest;
    }
    return coarsest;
}

double run_tolerance(const ir_function *kernel, gpu_element element)
{
    double own = tolerance_of(element), coarsest = tolerance_on_the_way(kernel);
    return own > 0 && own < coarsest ? coarsest : own; /* integers are exact */
}

/* Buffer number `from` after the run of the kernel becomes what `b` has to hold. */
static void expect(tr_arena *arena, const ir_function *kernel, const interp_run *run, size_t from,
                   gpu_buffer *b)
{
    uint64_t elements = b->bytes / (uint64_t)plan_element_bytes(b->element);
    unsigned char *bytes = tr_arena_alloc(arena, b->bytes);
    bool *known = TR_NEW_ARRAY(arena, bool, elements);
    run_read_buffer(run, from, b, bytes, known);
    b->expected = bytes;
    b->expected_known = (const unsigned char *)known; /* false is 0, true 1 */
    if (b->tolerance < 0)
        b->tolerance = run_tolerance(kernel, b->element);
}

static bool came_to_its_end(tr_arena *arena, const interp_run *run, const char *which,
                            const char **why)
{
    if (interp_run_status(run) == INTERP_DONE)
        return true;
    *why = tr_arena_printf(arena, "the interpreter did not come to the %s's end: %s", which,
                           interp_run_why(run) ? interp_run_why(run) : "");
    return false;
}

bool run_expect_interpreter(const run_target *t, gpu_plan *plan, const char **why)
{
    tr_arena *arena = t->input->arena;
    concrete_launch launch = run_filled_launch(t, plan);
    interp_run *run = run_in_turns(t->s, t->kernel->function, &launch, plan->seed, 0);
    bool good = came_to_its_end(arena, run, "kernel", why);
    for (size_t i = 0; i < plan->n_buffers && good; i++)
        if (plan->buffers[i].output && !plan->buffers[i].expected)
            expect(arena, t->kernel->function, run, i, &plan->buffers[i]);
    interp_run_free(run);
    return good;
}

/* ---- Another kernel ---- */

typedef struct other { /* the kernel that gives the values */
    loaded input;
    const loaded_kernel *kernel;
    const concrete_launch *launch;
    size_t *ours; /* per buffer of its launch: the plan's */
} other;

static const char *parameter(const loaded_kernel *k, size_t i)
{
    const char *name = k->contract->args[i].name;
    return name ? name : k->function->body->args[i]->name;
}

/* The argument of our launch with that name; n_args when there is none. */
static size_t argument_named(const run_target *t, const char *name)
{
    size_t i = 0;
    for (; i < t->launch->n_args; i++) {
        const char *ours = parameter(t->kernel, i);
        if (name && ours && strcmp(ours, name) == 0)
            break;
    }
    return i;
}

const loaded_kernel *run_open_reference(const session *s, const char *words, loaded *input,
                                        const char **why)
{
    tr_arena *arena = s->arena;
    const char *colon = strrchr(words, ':'), *name = colon ? colon + 1 : NULL;
    const char *file = colon ? tr_arena_strndup(arena, words, (size_t)(colon - words)) : words;
    session alone = *s; /* the launch file speaks of our kernel */
    driver_options options = *s->options;
    const loaded_kernel *kernel = NULL;
    options.launch = NULL;
    alone.options = &options;
    alone.launches = NULL;
    alone.solver = NULL;
    alone.unsaved = s->unsaved_reference; /* a file of its own */
    load_input(&alone, file, 0, input);
    if (tr_errors_count(&input->errors) > 0) {
        *why = tr_arena_printf(arena, "the reference %s: %s", file, input->errors.items[0].text);
        return NULL;
    }
    for (size_t i = 0; i < arrlenu(input->kernels) && !kernel; i++)
        if (!name || strcmp(input->kernels[i].function->shown, name) == 0)
            kernel = &input->kernels[i];
    if (!kernel)
        *why =
            tr_arena_printf(arena, "the reference %s holds no kernel '%s'", file, name ? name : "");
    else if (!name && input->unit.n_kernels > 1)
        *why = tr_arena_printf(arena, "the reference %s holds %zu kernels: name one as %s:KERNEL",
                               file, input->unit.n_kernels, file);
    return name || input->unit.n_kernels == 1 ? kernel : NULL;
}

/* A buffer of the other launch gets our contents; they are of equal length, or its is open. */
static bool share_buffer(const run_target *t, const gpu_plan *plan, size_t ours, other *o,
                         const interp_arg *arg, const char **why)
{
    interp_buffer *b = &o->launch->buffers[arg->buffer];
    const gpu_buffer *from = &plan->buffers[plan->args[ours].buffer];
    bool is_empty = b->bytes == 0; /* a plan's buffer has one element at least */
    if (!b->unbounded && !is_empty && b->bytes != (int64_t)from->bytes) {
        *why = tr_arena_printf(t->input->arena,
                               "the reference takes '%s' of %lld bytes, it has %llu in this launch",
                               from->name, (long long)b->bytes, (unsigned long long)from->bytes);
        return false;
    }
    *b = (interp_buffer){.name = b->name,
                         .bytes = (int64_t)from->bytes,
                         .data_bytes = (int64_t)from->bytes,
                         .data = tr_arena_alloc(o->input.arena, from->bytes),
                         .opaque = from->fill == GPU_FILL_UNDEFINED};
    plan_fill_bytes(from, b->data);
    o->ours[arg->buffer] = (size_t)plan->args[ours].buffer;
    return true;
}

/* Launches the other kernel on our values and contents, matched by the parameters' names. */
static bool launch_other(const run_target *t, const gpu_plan *plan, other *o, const char **why)
{
    tr_arena *arena = o->input.arena;
    const contract *c = o->kernel->contract;
    size_t n = o->kernel->function->body->n_args, *match = TR_NEW_ARRAY(arena, size_t, n + 1);
    int64_t *scalars = TR_NEW_ARRAY(arena, int64_t, n + 1), grid[3];
    for (size_t i = 0; i < n; i++) {
        match[i] = argument_named(t, parameter(o->kernel, i));
        if (match[i] == t->launch->n_args) {
            *why = tr_arena_printf(t->input->arena,
                                   "the reference has a parameter '%s', the kernel none",
                                   parameter(o->kernel, i) ? parameter(o->kernel, i) : "?");
            return false;
        }
        scalars[i] = t->launch->args[match[i]].value;
    }
    for (int axis = 0; axis < 3; axis++)
        grid[axis] = c->grid[axis] ? 0 : t->launch->grid[axis];
    interp_filling filling = {.seed = plan->seed};
    concrete_launch *launch = concrete_launch_from(arena, o->input.ctx, o->kernel->function, c,
                                                   grid, scalars, &filling, why);
    if (!launch) {
        *why = tr_arena_printf(t->input->arena, "the reference: %s", *why);
        return false;
    }
    o->launch = launch;
    o->ours = TR_NEW_ARRAY(arena, size_t, launch->n_buffers + 1);
    for (size_t i = 0; i < n; i++) {
        interp_arg *arg = &launch->args[i];
        bool is_pointer = plan->args[match[i]].buffer >= 0;
        if ((arg->buffer >= 0) != is_pointer) {
            *why = tr_arena_printf(t->input->arena, "the reference has '%s' as %s, the kernel not",
                                   parameter(o->kernel, i), is_pointer ? "a number" : "a pointer");
            return false;
        }
        if (is_pointer && !share_buffer(t, plan, match[i], o, arg, why))
            return false;
        if (is_pointer)
            arg->value = (int64_t)plan->args[match[i]].offset;
        else if (ir_type_is_float(o->kernel->function->body->args[i]->type->elem))
            *arg = (interp_arg){
                .value = (int64_t)plan->args[match[i]].bits, .buffer = -1, .exact = true};
    }
    return true;
}

bool run_expect_kernel(const run_target *t, gpu_plan *plan, const char *words, size_t n,
                       const size_t *buffers, bool *is_defined, const char **why)
{
    other o = {0};
    const interp_ub *ubs;
    const run_reference *opened = t->reference;
    bool is_open = opened && strcmp(opened->words, words) == 0;
    *is_defined = false;
    if (is_open)
        o = (other){.input = *opened->input, .kernel = opened->kernel};
    else
        o.kernel = run_open_reference(t->s, words, &o.input, why);
    bool good = o.kernel && launch_other(t, plan, &o, why);
    if (good) {
        interp_run *run = run_in_turns(t->s, o.kernel->function, o.launch, plan->seed, 0);
        good = came_to_its_end(t->input->arena, run, "reference", why);
        *is_defined = good && interp_ubs(run, &ubs) == 0;
        for (size_t i = 0; i < n && good; i++) {
            gpu_buffer *b = &plan->buffers[buffers[i]];
            size_t from = 0;
            while (from < o.launch->n_buffers && o.ours[from] != buffers[i])
                from++;
            good = from < o.launch->n_buffers;
            if (good)
                expect(t->input->arena, t->kernel->function, run, from, b);
            else
                *why = tr_arena_printf(t->input->arena, "the reference %s has no parameter '%s'",
                                       words, b->name);
        }
        interp_run_free(run);
    }
    if (!is_open)
        load_free(&o.input);
    return good;
}

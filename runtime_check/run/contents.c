/* The interpreter on the launch of a plan: with the plan's contents, one run, what it leaves. */
#include "run/contents.h"

#include "run/target.h"

#include <string.h>

#include "interp/schedule.h"

concrete_launch run_filled_launch(const run_target *t, const gpu_plan *plan)
{
    tr_arena *arena = t->input->arena;
    concrete_launch launch = *t->launch;
    launch.buffers =
        tr_arena_copy(arena, launch.buffers, launch.n_buffers * sizeof *launch.buffers);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        interp_buffer *b = &launch.buffers[i];
        b->data = tr_arena_alloc(arena, plan->buffers[i].bytes);
        plan_fill_bytes(&plan->buffers[i], b->data);
        b->bytes = b->data_bytes = (int64_t)plan->buffers[i].bytes;
        b->known = NULL;
        b->opaque = plan->buffers[i].fill == GPU_FILL_UNDEFINED;
        b->unbounded = false;
        b->n_pokes = 0;
    }
    launch.args = tr_arena_copy(arena, launch.args, launch.n_args * sizeof *launch.args);
    for (size_t i = 0; i < plan->n_args; i++)
        if (plan->args[i].buffer < 0) {
            launch.args[i].exact = true;
            if (ir_type_is_float(t->kernel->function->body->args[i]->type->elem))
                launch.args[i].value = (int64_t)plan->args[i].bits;
        }
    return launch;
}

interp_run *run_in_turns(const session *s, const ir_function *kernel, const concrete_launch *launch,
                         uint64_t seed, unsigned number)
{
    interp_limits limits = {.values = true};
    limits.prints = number == 0;
    interp_schedule schedule = {.policy = number ? INTERP_RANDOM : INTERP_IN_ORDER,
                                .seed = seed + number};
    return interp_execute_scheduled(kernel, launch, &s->rules.model, &limits, 0, NULL, &schedule);
}

void run_read_buffer(const interp_run *run, size_t buffer, const gpu_buffer *b,
                     unsigned char *bytes, bool *known)
{
    int width = plan_element_bytes(b->element);
    uint64_t elements = b->bytes / (uint64_t)width;
    for (uint64_t i = 0; i < elements; i++) {
        uint64_t bits = 0;
        known[i] = interp_read_back(run, (int)buffer, (int64_t)i * width, width, &bits);
        memcpy(bytes + i * (uint64_t)width, &bits, (size_t)width);
    }
}

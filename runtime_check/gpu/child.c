/* The process that runs the kernel: it may hang or be killed, and takes nothing with it. */
#include "gpu/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cuda.h"

#define FLUSH_BYTES ((size_t)256 << 20) /* several times any level-2 cache */
#define NOISE_BYTES ((size_t)64 << 20)
#define MAX_DELAY   2000 /* microseconds */

typedef struct device_buffer {
    cuda_address work, pristine, twin;
} device_buffer;

typedef struct child {
    tr_arena *arena;
    const gpu_plan *plan;
    const shared *memory;
    cuda_api api;
    cuda_stream main, beside;
    cuda_event before, after;
    cuda_address scratch; /* FLUSH_BYTES; 0 where there was no room for it */
    device_buffer *buffers;
    unsigned char *host; /* as long as the longest buffer */
    uint64_t random;
} child;

static bool fail(child *c, const char *sentence)
{
    snprintf(c->memory->state->why, sizeof c->memory->state->why, "%s", sentence);
    return false;
}

/* True for CUDA_OK; else the sentence says what was being done. */
static bool check(child *c, int error, const char *doing)
{
    return error == CUDA_OK || fail(c, tr_arena_printf(c->arena, "%s: %s", doing,
                                                       cuda_error(c->arena, &c->api, error)));
}

static unsigned next_random(child *c)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
    return (unsigned)(c->random >> 33);
}

/* ---- Before the first run ---- */

static bool open_device(child *c)
{
    const char *why = NULL;
    if (!cuda_open(c->arena, &c->api, &why))
        return fail(c, why);
    shared_state *state = c->memory->state;
    cuda_api *api = &c->api;
    int count = 0, device = 0, major = 0, minor = 0;
    cuda_context context;
    if (!check(c, api->init(0), "the driver cannot be started") ||
        !check(c, api->driver_version(&state->driver), "the driver's version") ||
        !check(c, api->device_count(&count), "counting GPUs"))
        return false;
    if (count == 0)
        return fail(c, "the driver sees no GPU (CUDA_VISIBLE_DEVICES may hide it)");
    if (!check(c, api->device_get(&device, 0), "the first GPU") ||
        !check(c, api->device_name(state->gpu, sizeof state->gpu, device), "the GPU's name") ||
        !check(c, api->device_attribute(&major, CUDA_ATTRIBUTE_MAJOR, device), "its version") ||
        !check(c, api->device_attribute(&minor, CUDA_ATTRIBUTE_MINOR, device), "its version"))
        return false;
    state->capability = 10 * major + minor;
    return check(c, api->context_retain(&context, device), "the GPU cannot be opened") &&
           check(c, api->context_set(context), "the GPU cannot be used") &&
           check(c, api->stream_create(&c->main, CUDA_STREAM_NON_BLOCKING), "a stream") &&
           check(c, api->stream_create(&c->beside, CUDA_STREAM_NON_BLOCKING), "a stream") &&
           check(c, api->event_create(&c->before, 0), "an event") &&
           check(c, api->event_create(&c->after, 0), "an event");
}

static bool allocate(child *c, size_t bytes, cuda_address *address, const char *what)
{
    int error = c->api.memory_alloc(address, bytes);
    if (error != CUDA_ERROR_OUT_OF_MEMORY)
        return check(c, error, what);
    size_t free = 0, total = 0;
    c->api.memory_info(&free, &total);
    return fail(c, tr_arena_printf(c->arena,
                                   "the GPU's memory does not hold %s: %zu bytes are asked for, "
                                   "%zu of %zu are free",
                                   what, bytes, free, total));
}

static bool fill_buffers(child *c)
{
    const gpu_plan *plan = c->plan;
    uint64_t longest = 1;
    for (size_t i = 0; i < plan->n_buffers; i++)
        longest = plan->buffers[i].bytes > longest ? plan->buffers[i].bytes : longest;
    c->host = malloc(longest);
    if (!c->host)
        return fail(c, "no memory for a copy of the largest buffer");
    c->buffers = TR_NEW_ARRAY(c->arena, device_buffer, plan->n_buffers + 1);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        device_buffer *d = &c->buffers[i];
        if (!allocate(c, b->bytes, &d->work, b->name) ||
            !allocate(c, b->bytes, &d->pristine, b->name) ||
            ((plan->perturb & GPU_PERTURB_TWIN) && !allocate(c, b->bytes, &d->twin, b->name)))
            return false;
        plan_fill_bytes(b, c->host);
        if (!check(c, c->api.copy_in(d->pristine, c->host, b->bytes), "copying inputs"))
            return false;
    }
    if ((plan->perturb & (GPU_PERTURB_FLUSH | GPU_PERTURB_NOISE)) &&
        c->api.memory_alloc(&c->scratch, FLUSH_BYTES) != CUDA_OK)
        c->scratch = 0;
    return true;
}

/* ---- One run ---- */

static bool launch(child *c, cuda_function function, bool twin, cuda_stream stream)
{
    const gpu_plan *plan = c->plan;
    uint64_t values[plan->n_args + 1];
    void *arguments[plan->n_args + 1];
    for (size_t i = 0; i < plan->n_args; i++) {
        const gpu_arg *a = &plan->args[i];
        values[i] = a->bits;
        if (a->buffer >= 0) {
            const device_buffer *d = &c->buffers[a->buffer];
            values[i] = (twin ? d->twin : d->work) + a->offset;
        }
        arguments[i] = &values[i];
    }
    /* A tile kernel wants 1 x 1 x 1 threads a block: the machine code brings its own. */
    return check(c,
                 c->api.launch(function, plan->grid[0], plan->grid[1], plan->grid[2], 1, 1, 1, 0,
                               stream, arguments, NULL),
                 "the launch was refused");
}

static bool restore(child *c)
{
    for (size_t i = 0; i < c->plan->n_buffers; i++) {
        const device_buffer *d = &c->buffers[i];
        uint64_t bytes = c->plan->buffers[i].bytes;
        if (!check(c, c->api.copy_within(d->work, d->pristine, bytes, c->main), "copying inputs") ||
            (d->twin &&
             !check(c, c->api.copy_within(d->twin, d->pristine, bytes, c->main), "copying inputs")))
            return false;
    }
    return check(c, c->api.stream_synchronize(c->main), "copying inputs");
}

/* Run 0 is left alone: what one gets without trying. */
static bool perturb(child *c, unsigned run, cuda_function function)
{
    unsigned perturb = run ? c->plan->perturb : 0;
    if ((perturb & GPU_PERTURB_FLUSH) && c->scratch &&
        (!check(c, c->api.set_bytes(c->scratch, (unsigned char)run, FLUSH_BYTES, c->main),
                "overwriting the cache") ||
         !check(c, c->api.stream_synchronize(c->main), "overwriting the cache")))
        return false;
    if (perturb & GPU_PERTURB_DELAY)
        usleep(next_random(c) % MAX_DELAY);
    if ((perturb & GPU_PERTURB_TWIN) && run % 3 == 1 && !launch(c, function, true, c->beside))
        return false;
    if ((perturb & GPU_PERTURB_NOISE) && c->scratch && run % 3 == 2)
        for (unsigned i = 0; i < 4; i++)
            if (!check(c, c->api.set_bytes(c->scratch, (unsigned char)i, NOISE_BYTES, c->beside),
                       "noise beside the kernel"))
                return false;
    return true;
}

static bool look_at_outputs(child *c, unsigned run)
{
    uint64_t most = 0;
    for (size_t i = 0; i < c->plan->n_buffers; i++) {
        const gpu_buffer *b = &c->plan->buffers[i];
        const shared_output *o = &c->memory->outputs[i];
        if (!b->output)
            continue;
        unsigned char *to = run ? c->host : o->contents;
        if (!check(c, c->api.copy_out(to, c->buffers[i].work, b->bytes), "copying outputs"))
            return false;
        if (run == 0)
            continue;
        o->per_run[run] = plan_compare_runs(b, o->contents, c->host, o->heat, o->spread);
        for (unsigned r = most = 0; r < run; r++)
            most = o->per_run[r] > most ? o->per_run[r] : most;
        if (o->per_run[run] > most)
            memcpy(o->other, c->host, b->bytes);
    }
    return true;
}

static bool one_run(child *c, unsigned run)
{
    const gpu_code *code = &c->plan->codes[run % c->plan->n_codes];
    cuda_module module;
    cuda_function function;
    /* Loaded anew for every run: module globals start from their initial values. */
    int error = c->api.module_load(&module, code->image);
    if (error == CUDA_ERROR_NO_BINARY_FOR_GPU)
        return fail(c, tr_arena_printf(c->arena,
                                       "the code was made for %s and this GPU is a %s of compute "
                                       "capability %d.%d: compile with --gpu-name sm_%d",
                                       c->plan->gpu ? c->plan->gpu : "another GPU",
                                       c->memory->state->gpu, c->memory->state->capability / 10,
                                       c->memory->state->capability % 10,
                                       c->memory->state->capability));
    if (!check(c, error, "the code cannot be loaded"))
        return false;
    if (!check(c, c->api.module_function(&function, module, c->plan->kernel),
               tr_arena_printf(c->arena, "the code has no kernel '%s'", c->plan->kernel)) ||
        !restore(c) || !perturb(c, run, function) ||
        !check(c, c->api.event_record(c->before, c->main), "an event") ||
        !launch(c, function, false, c->main) ||
        !check(c, c->api.event_record(c->after, c->main), "an event") ||
        !check(c, c->api.context_synchronize(), "the kernel failed"))
        return false;
    c->api.event_elapsed(&c->memory->ms[run], c->before, c->after);
    return look_at_outputs(c, run) && check(c, c->api.module_unload(module), "unloading the code");
}

void gpu_child(const gpu_plan *plan, const shared *memory)
{
    child c = {.arena = tr_arena_new(), .plan = plan, .memory = memory, .random = plan->seed};
    if (open_device(&c) && fill_buffers(&c)) {
        memory->state->started = 1;
        for (unsigned run = 0; run < plan->repeat && one_run(&c, run); run++)
            memory->state->runs = run + 1;
    }
    free(c.host);
    tr_arena_free(c.arena);
}

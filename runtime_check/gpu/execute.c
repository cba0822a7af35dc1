/* The process that asks: shared memory, the child, its time-out. */
#include "gpu/private.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"

#define START_UP_MS 120000 /* the driver's own start and the first transfer of big inputs */
#define POLL_NS     2000000

/* Computes where each part lies in the shared memory; called twice, first with base NULL to
 * count. */
static size_t lay_out(const gpu_plan *plan, unsigned char *base, shared *s)
{
    size_t at = 0;
#define PART(pointer, bytes)                                                                       \
    do {                                                                                           \
        if (base)                                                                                  \
            (pointer) = (void *)(base + at);                                                       \
        at += ((size_t)(bytes) + 63) & ~(size_t)63;                                                \
    } while (0)
    PART(s->state, sizeof *s->state);
    PART(s->ms, plan->repeat * sizeof *s->ms);
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        if (!b->output)
            continue;
        shared_output *o = &s->outputs[i];
        PART(o->per_run, plan->repeat * sizeof *o->per_run);
        PART(o->heat, b->bytes / (uint64_t)plan_element_bytes(b->element) * sizeof *o->heat);
        PART(o->spread, sizeof *o->spread);
        PART(o->contents, b->bytes);
        PART(o->other, b->bytes);
    }
#undef PART
    return at;
}

/* Waits for the child; kills it when no run ends within the time that one may take. */
static gpu_status follow(pid_t child, const gpu_plan *plan, const shared *s, gpu_progress progress,
                         void *user, int *ended)
{
    unsigned seen = 0;
    int64_t since = tr_now_ms();
    bool started = false;
    for (;;) {
        pid_t done = waitpid(child, ended, WNOHANG);
        if (done == child || (done < 0 && errno != EINTR))
            return GPU_DONE;
        unsigned now = s->state->runs;
        if (now != seen || (s->state->started && !started)) {
            if (now != seen && progress)
                progress(user, now, plan->repeat);
            started = s->state->started;
            seen = now;
            since = tr_now_ms();
        }
        if (tr_now_ms() - since > (started ? plan->timeout_ms : START_UP_MS)) {
            kill(child, SIGKILL);
            while (waitpid(child, ended, 0) < 0 && errno == EINTR)
                ;
            return started ? GPU_HANG : GPU_FAILED;
        }
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
}

static void take_over(tr_arena *arena, const gpu_plan *plan, const shared *s, gpu_result *result)
{
    result->runs = s->state->runs;
    result->driver = s->state->driver;
    result->capability = s->state->capability;
    result->gpu = tr_arena_strdup(arena, s->state->gpu);
    result->ms = s->ms;
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        gpu_output *o = &result->outputs[i];
        if (!b->output || !result->runs)
            continue;
        const shared_output *from = &s->outputs[i];
        *o = (gpu_output){.elements = b->bytes / (uint64_t)plan_element_bytes(b->element),
                          .per_run = from->per_run,
                          .heat = from->heat,
                          .spread = *from->spread,
                          .contents = from->contents,
                          .other = from->other};
        for (unsigned run = 1; run < result->runs; run++)
            if (from->per_run[run] > from->per_run[o->other_run])
                o->other_run = run;
        plan_summarise(b, o);
    }
}

gpu_result *gpu_execute(tr_arena *arena, const gpu_plan *plan, gpu_progress progress, void *user)
{
    gpu_result *result = TR_NEW(arena, gpu_result);
    result->status = GPU_FAILED;
    result->gpu = "";
    result->outputs = TR_NEW_ARRAY(arena, gpu_output, plan->n_buffers + 1);
    shared s = {.outputs = TR_NEW_ARRAY(arena, shared_output, plan->n_buffers + 1)};
    result->memory_bytes = lay_out(plan, NULL, &s);
    result->memory = mmap(NULL, result->memory_bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (result->memory == MAP_FAILED) {
        result->memory = NULL;
        result->why = tr_arena_printf(arena, "%zu bytes for the results cannot be had: %s",
                                      result->memory_bytes, strerror(errno));
        return result;
    }
    lay_out(plan, result->memory, &s);

    pid_t child = fork();
    if (child < 0) {
        result->why = tr_arena_printf(arena, "no process can be started: %s", strerror(errno));
        return result;
    }
    if (child == 0) {
        gpu_child(plan, &s);
        _exit(s.state->why[0] != 0);
    }
    int ended = 0;
    result->status = follow(child, plan, &s, progress, user, &ended);
    if (s.state->why[0]) {
        result->status = GPU_FAILED;
        result->why = tr_arena_strdup(arena, s.state->why);
    } else if (result->status == GPU_FAILED) {
        result->why = "the driver did not come up within two minutes";
    } else if (result->status == GPU_DONE && WIFSIGNALED(ended)) {
        result->status = GPU_FAILED;
        result->why = tr_arena_printf(arena,
                                      "the process that runs the kernel was ended by "
                                      "signal %d (%s)",
                                      WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    } else if (result->status == GPU_DONE && s.state->runs < plan->repeat) {
        result->status = GPU_FAILED;
        result->why = tr_arena_printf(
            arena, "the process that runs the kernel ended before its runs did, with exit code %d",
            WEXITSTATUS(ended));
    }
    take_over(arena, plan, &s, result);
    return result;
}

void gpu_result_free(gpu_result *result)
{
    if (result && result->memory)
        munmap(result->memory, result->memory_bytes);
}

#include "exec/worker.h"

#include <stdlib.h>

#include "exec/channel.h"

typedef struct serving {
    int fd;
    judge *judge;
    wire_writer out;
    /* The launch whose contents were asked for. */
    tr_arena *arena; /* NULL: none is pending */
    seen_launch launch;
    performing performing;
} serving;

static void send_entries(serving *s, uint32_t number)
{
    const module_entries *e = exec_judge_entries(s->judge);
    wire_begin(&s->out, WIRE_ENTRIES);
    wire_u32(&s->out, e ? number : 0);
    wire_u32(&s->out, e ? (uint32_t)e->n : 0);
    for (size_t i = 0; e && i < e->n; i++) {
        wire_text(&s->out, e->items[i].symbol);
        wire_u32(&s->out, (uint32_t)e->items[i].n_parameters);
        for (size_t k = 0; k < e->items[i].n_parameters; k++) {
            wire_u8(&s->out, (uint8_t)e->items[i].parameters[k].kind);
            wire_u8(&s->out, (uint8_t)e->items[i].parameters[k].bytes);
        }
        wire_u8(&s->out, (uint8_t)e->items[i].waits);
    }
    channel_send_writer(s->fd, &s->out);
}

/* Sends the verdict of each kernel, with a report of those that are undecided or have an error. */
static void send_checked(serving *s)
{
    size_t n = exec_judge_n_kernels(s->judge);
    wire_begin(&s->out, WIRE_CHECKED);
    wire_u32(&s->out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        const tilerace_kernel *kernel = exec_judge_kernel(s->judge, i);
        tr_text report = {0};
        bool allowed = exec_judge_allows_kernel(s->judge, i); /* which the text tells of */
        bool undecided = kernel->verdict == TILERACE_UNKNOWN;
        if (undecided || exec_judge_has_error(kernel))
            exec_judge_write(s->judge, i, undecided, &report);
        wire_text(&s->out, exec_judge_entries(s->judge)->items[i].symbol);
        wire_text(&s->out, kernel->name);
        wire_u8(&s->out, (uint8_t)kernel->verdict);
        wire_u32(&s->out, (uint32_t)kernel->n_preconditions);
        wire_u8(&s->out, allowed);
        wire_text(&s->out, tr_text_get(&report));
        tr_text_free(&report);
    }
    wire_text(&s->out, exec_judge_error(s->judge));
    tr_arena *arena = tr_arena_new();
    wire_text(&s->out, exec_judge_record_module(s->judge, arena));
    tr_arena_free(arena);
    channel_send_writer(s->fd, &s->out);
}

static void send_key(serving *s, const worker_task *task)
{
    uint64_t key[2] = {0};
    entries_key(task->bytes, task->size, key);
    wire_begin(&s->out, WIRE_KEY);
    wire_u64(&s->out, key[0]);
    wire_u64(&s->out, key[1]);
    channel_send_writer(s->fd, &s->out);
}

static void forget_launch(serving *s)
{
    if (s->arena)
        tr_arena_free(s->arena);
    s->arena = NULL;
}

/* Judges the launch and sends the judgement. One that asks for contents is not final: the launch
 * is kept until they come. */
static void answer(serving *s, bool asked_before)
{
    judgement j = exec_judge_launch(s->judge, s->arena, &s->launch, asked_before);
    wire_begin(&s->out, WIRE_JUDGED);
    wire_u32(&s->out, (uint32_t)j.kernel);
    wire_u8(&s->out, (uint8_t)j.kind);
    wire_text(&s->out, tr_text_get(&j.about));
    wire_u64(&s->out, j.rules);
    wire_u32(&s->out, (uint32_t)j.n_wanted);
    for (size_t i = 0; i < j.n_wanted; i++) {
        wire_u32(&s->out, j.wanted[i].argument);
        wire_u64(&s->out, j.wanted[i].address);
        wire_u64(&s->out, j.wanted[i].bytes);
    }
    wire_u32(&s->out, (uint32_t)j.n_written);
    for (size_t i = 0; i < j.n_written; i++) {
        wire_u64(&s->out, j.written[i].address);
        wire_u64(&s->out, j.written[i].bytes);
    }
    bool is_last_word = j.n_wanted == 0;
    s->launch.touched = j.touched;
    s->launch.n_touched = j.n_touched;
    wire_text(&s->out, is_last_word
                           ? exec_judge_record_launch(s->judge, s->arena, &s->launch, j.kernel)
                           : NULL);
    channel_send_writer(s->fd, &s->out);
    tr_text_free(&j.about);
    if (is_last_word)
        perform_judged(&s->performing, &s->launch, j.kind);
    if (is_last_word)
        forget_launch(s);
}

/* Keeps a copy of the frame: contents that are asked for come in a later one. */
static bool take_launch(serving *s, const uint8_t *frame, size_t length)
{
    forget_launch(s);
    s->arena = tr_arena_new();
    wire_reader r;
    wire_open(tr_arena_copy(s->arena, frame, length), length, &r);
    return seen_read(s->arena, &r, &s->launch);
}

static bool take_beside(serving *s, wire_reader *r)
{
    uint32_t number = wire_read_u32(r);
    size_t size;
    const uint8_t *bytes = wire_read_bytes(r, &size);
    char *names = wire_read_text(r);
    bool good = wire_read_all(r) && names;
    if (good)
        exec_judge_add_other(s->judge, number, bytes, size, names);
    free(names);
    return good;
}

static bool take_program(serving *s, wire_reader *r)
{
    char *program = wire_read_text(r);
    bool good = wire_read_all(r) && program;
    if (good)
        exec_judge_take_program(s->judge, program);
    free(program);
    return good;
}

/* Takes in a message of the watcher and answers it. False: it is malformed. */
static bool take_frame(serving *s, const uint8_t *frame, size_t length)
{
    wire_reader r;
    switch (wire_open(frame, length, &r)) {
    case WIRE_LAUNCH:
    case WIRE_PASSED:
        if (!take_launch(s, frame, length))
            return false;
        answer(s, false);
        return true;
    case WIRE_BESIDE:
        return take_beside(s, &r);
    case WIRE_PROGRAM:
        return take_program(s, &r);
    case WIRE_CONTENTS:
        if (!s->arena || !seen_read_contents(&r, &s->launch))
            return false;
        answer(s, true);
        return true;
    case WIRE_EXECUTE:
        return perform_launch(&s->performing, frame, length, &s->out) &&
               channel_send_writer(s->fd, &s->out);
    case WIRE_MEMORY:
        return perform_memory(&s->performing, &r, &s->out) && channel_send_writer(s->fd, &s->out);
    default:
        return false;
    }
}

void exec_worker_serve(int fd, const worker_task *task)
{
    serving s = {.fd = fd};
    channel in = {.fd = fd};
    s.judge = exec_judge_new(task->bytes, task->size, task->names, task->options);
    s.performing = (performing){.judge = s.judge, .options = task->options};
    send_key(&s, task);
    send_entries(&s, task->number);
    exec_judge_check(s.judge);
    send_checked(&s);
    bool good = true, broken = false;
    while (good && !broken && channel_fill(&in) == CHANNEL_OPEN) {
        size_t length;
        const uint8_t *frame;
        while (good && (frame = channel_next(&in, &length, &broken)))
            good = take_frame(&s, frame, length);
    }
    forget_launch(&s);
    perform_free(&s.performing);
    wire_free(&s.out);
    channel_close(&in);
    exec_judge_free(s.judge);
}

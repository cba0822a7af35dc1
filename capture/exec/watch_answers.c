#include "exec/watch_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "base/process.h"

void watch_count(tally **tallies, const char *about)
{
    size_t i = 0;
    while (i < arrlenu(*tallies) && strcmp((*tallies)[i].about, about) != 0)
        i++;
    if (i == arrlenu(*tallies))
        arrput(*tallies, ((tally){.about = about}));
    (*tallies)[i].launches++;
}

void watch_say(watch *w, const char *text)
{
    fputs(text, w->err);
    fflush(w->err);
}

void watch_answer_launch_by(conversation *c, wire_outcome outcome, const char *found)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_LAUNCHED);
    wire_u8(&out, outcome);
    wire_u32(&out, 0);
    wire_text(&out, found);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

void watch_answer_launch(conversation *c, size_t n_wanted, const uint8_t *wanted,
                         size_t wanted_bytes)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_LAUNCHED);
    wire_u8(&out, WIRE_GO_ON);
    wire_u32(&out, (uint32_t)n_wanted);
    wire_fields(&out, wanted, wanted_bytes);
    wire_text(&out, NULL);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

void watch_answer_entries(conversation *c, const module *m)
{
    wire_writer out = {0};
    if (m && m->entries) {
        channel_send(c->channel.fd, m->entries, m->entries_length);
        return;
    }
    wire_begin(&out, WIRE_ENTRIES);
    wire_u32(&out, 0);
    wire_u32(&out, 0);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

void watch_distrust_memory(watch *w)
{
    if (!w->runs_kernels)
        written_add(&w->written, 0, UINT64_MAX);
}

static void answer_not_executed(watch *w, conversation *c, const char *why)
{
    wire_writer out = {0};
    watch_count(&w->not_executed, why);
    watch_distrust_memory(w);
    wire_begin(&out, WIRE_EXECUTED);
    wire_u8(&out, WIRE_NOT_EXECUTED);
    wire_u32(&out, 0);
    wire_text(&out, NULL);
    wire_text(&out, why);
    wire_text(&out, NULL);
    wire_u32(&out, 0);
    wire_text(&out, NULL);
    wire_u32(&out, 0);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

void watch_answer_lost(conversation *c, const char *why)
{
    tr_text text = {0};
    if (c->takes_finding && c->where)
        tr_text_addf(&text, WIRE_NOT_LOOKED_AT WIRE_END_OF_RULES "%s is not checked: %s\n",
                     c->where, why);
    watch_answer_launch_by(c, WIRE_GO_ON, tr_text_get(&text));
    tr_text_free(&text);
}

static void free_passed(watch *w, conversation *c)
{
    for (size_t i = 0; i < arrlenu(w->unjudged); i++)
        if (w->unjudged[i] == c) {
            arrdel(w->unjudged, i);
            break;
        }
    w->unjudged_bytes -= c->length;
    free(c->frame);
    free(c->where);
    free(c);
}

/* Launches that came later may wait to learn what this one would have written. */
static void hand_on_all(watch *w)
{
    for (size_t i = 0; i < arrlenu(w->modules.items); i++)
        if (arrlenu(w->modules.items[i]->waiting) > 0)
            watch_hand_on(w, w->modules.items[i]);
}

void watch_end_launch(watch *w, conversation *c)
{
    if (!c)
        return;
    c->module = NULL;
    if (!c->is_passed)
        return;
    free_passed(w, c);
    if (!w->runs_kernels)
        hand_on_all(w);
}

/* A launch that is not judged is counted as lost, and the program goes on. */
static void answer_lost(watch *w, module *m, conversation *c)
{
    if (c->executes) {
        answer_not_executed(w, c, m->error ? m->error : "its process cannot be started");
    } else {
        m->lost++;
        watch_distrust_memory(w);
        if (!c->is_passed)
            watch_answer_lost(c, m->error ? m->error : "its process cannot be started");
    }
    watch_end_launch(w, c);
}

void watch_let_go(watch *w, module *m, conversation *c)
{
    c->module = NULL;
    if (!c->frame) {
        watch_answer_entries(c, m);
        return;
    }
    free(c->frame);
    c->frame = NULL;
    answer_lost(w, m, c);
}

void watch_give_up(watch *w, module *m, const char *why)
{
    modules_stop(&w->modules, m, true);
    m->error = m->error ? m->error : why;
    if (m->holder) {
        conversation *c = m->holder;
        m->holder = NULL;
        answer_lost(w, m, c);
    }
    while (arrlenu(m->waiting) > 0)
        watch_let_go(w, m, arrpop(m->waiting));
}

void watch_give_up_sending(watch *w, module *m)
{
    bool has_died = errno == EPIPE || errno == ECONNRESET;
    watch_give_up(w, m, has_died ? "its process died" : "its process does not answer");
}

int64_t watch_patience(const conversation *c)
{
    return c->executes ? EXECUTION_PATIENCE_MS : WORKER_PATIENCE_MS;
}

/* Contents may be asked for what an earlier launch, that is not judged yet, would have written. */
static bool is_behind_others(const watch *w, const conversation *c)
{
    return !w->runs_kernels && !c->is_passed && arrlenu(w->unjudged) > 0 &&
           w->unjudged[0]->launch < c->launch;
}

static bool knows(const module *m, uint32_t number)
{
    for (size_t i = 0; i < arrlenu(m->others); i++)
        if (m->others[i] == number)
            return true;
    return m->number == number;
}

static bool send_other(module *m, const module *other)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_BESIDE);
    wire_u32(&out, other->number);
    wire_bytes(&out, other->bytes, other->size);
    wire_text(&out, other->names);
    bool sent = channel_send_writer(m->channel.fd, &out);
    wire_free(&out);
    arrput(m->others, other->number);
    return sent;
}

static bool send_program(module *m, const conversation *c)
{
    if (!c->program || !c->program[0] || (m->program && strcmp(m->program, c->program) == 0))
        return true;
    wire_writer out = {0};
    wire_begin(&out, WIRE_PROGRAM);
    wire_text(&out, c->program);
    bool sent = channel_send_writer(m->channel.fd, &out);
    wire_free(&out);
    m->program = c->program;
    return sent;
}

/* Sends a launch to the process of its module, and first its program, and the modules of those
 * before it. */
static bool send_launch(watch *w, module *m, conversation *c)
{
    wire_reader r;
    seen_launch launch;
    bool sent = send_program(m, c);
    tr_arena *arena = tr_arena_new();
    wire_open(c->frame, c->length, &r);
    if (!c->executes && seen_read(arena, &r, &launch)) {
        for (size_t i = 0; i < launch.n_before; i++) {
            const module *other = modules_at(&w->modules, launch.launches_before[i].module);
            if (other && !other->error && !knows(m, other->number))
                sent &= send_other(m, other);
        }
    }
    tr_arena_free(arena);
    return sent && channel_send(m->channel.fd, c->frame, c->length);
}

void watch_hand_on(watch *w, module *m)
{
    while (!m->holder && arrlenu(m->waiting) > 0 && m->waiting[0]->frame &&
           !is_behind_others(w, m->waiting[0])) {
        conversation *c = m->waiting[0];
        arrdel(m->waiting, 0);
        if (!modules_start(&w->modules, m)) {
            watch_let_go(w, m, c);
            continue;
        }
        bool sent = send_launch(w, m, c);
        free(c->frame);
        c->frame = NULL;
        m->holder = c;
        m->answer = patience_begin(m->pid, watch_patience(c));
        if (!sent)
            watch_give_up_sending(w, m);
    }
}

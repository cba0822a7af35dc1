/* Handles what the checker's processes say. */
#include "exec/watch_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "base/process.h"
#include "verdict/findings.h"

static bool take_entries(module *m, const uint8_t *frame, size_t length, wire_reader *r)
{
    if (!m->entries && wire_read_u32(r) != 0) {
        m->entries = malloc(length);
        if (!m->entries)
            return false;
        memcpy(m->entries, frame, length);
        m->entries_length = length;
    }
    for (size_t i = arrlenu(m->waiting); i-- > 0;) {
        conversation *c = m->waiting[i];
        if (c->frame)
            continue;
        arrdel(m->waiting, i);
        c->module = NULL;
        watch_answer_entries(c, m);
    }
    return true;
}

/* A fault of a kernel is told when a launch shows it, or at the end if there was none. */
static void say_checked(watch *w, const module *m)
{
    if (m->error)
        tr_say(w->err, "tilerace: a module is not checked: %s\n", m->error);
}

typedef struct wanted { /* bytes of the message LAUNCHED */
    wire_writer out;
    size_t n;
} wanted;

/* Reads what the program is to be asked for: not for what kernels would have written, that do not
 * run. */
static wanted read_wanted(watch *w, wire_reader *r, size_t *asked_for)
{
    enum { LEAST = 4 + 8 + 8 };
    wanted want = {0};
    *asked_for = wire_read_count(r, LEAST);
    wire_begin(&want.out, WIRE_LAUNCHED);
    for (size_t i = 0; i < *asked_for; i++) {
        uint32_t argument = wire_read_u32(r);
        uint64_t address = wire_read_u64(r), bytes = wire_read_u64(r);
        if (written_meets(&w->written, address, bytes)) {
            w->unwritten++;
            continue;
        }
        wire_u32(&want.out, argument);
        wire_u64(&want.out, bytes);
        want.n++;
    }
    return want;
}

/* Reads what a launch writes, or would write. */
static void read_written(watch *w, wire_reader *r, bool is_there)
{
    for (size_t n = wire_read_count(r, 8 + 8); n > 0; n--) {
        uint64_t address = wire_read_u64(r), bytes = wire_read_u64(r);
        if (!is_there)
            written_add(&w->written, address, bytes);
    }
}

void watch_send_no_contents(watch *w, module *m)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_CONTENTS);
    wire_u32(&out, 0);
    m->answer = patience_begin(m->pid, WORKER_PATIENCE_MS);
    if (!channel_send_writer(m->channel.fd, &out))
        watch_give_up_sending(w, m);
    wire_free(&out);
}

static void count_judged(module *m, uint32_t entry, uint8_t kind, const char *about)
{
    module_kernel *k = modules_kernel(m, entry);
    if (!k) {
        m->lost++;
        return;
    }
    k->launches[kind]++;
    /* Processes of a program launch in any order. */
    if (about[0] && (!k->words[kind] || strverscmp(about, k->words[kind]) < 0))
        k->words[kind] = about;
}

/* The field `finding` of LAUNCHED. */
static void write_found(tr_text *out, const char *about, uint64_t rules)
{
    const char *before = "";
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (!(rules >> i & 1))
            continue;
        tr_text_addf(out, "%s%s", before, rule_info_of((rule_id)i)->code);
        before = " ";
    }
    tr_text_addf(out, WIRE_END_OF_RULES "%s", about);
}

/* The last word on a launch: to its program, if it waits for it, and to people, unless the program
 * has words of its own for what is found. */
static void say_judged(watch *w, conversation *c, judgement_kind kind, const char *about,
                       uint64_t rules)
{
    bool is_wrong = kind == JUDGED_RACED || kind == JUDGED_BROKE;
    bool waits = c && !c->is_passed, takes = waits && c->takes_finding;
    if (is_wrong && !takes) {
        w->told++;
        watch_say(w, about);
    } else if (kind == JUDGED_ALLOWED && !takes) {
        watch_say(w, about);
    }
    if (!waits)
        return;
    tr_text found = {0};
    if (is_wrong && takes)
        write_found(&found, about, rules);
    bool stops = w->stop_at_race || c->stops;
    watch_answer_launch_by(c, stops && is_wrong ? WIRE_STOP : WIRE_GO_ON, tr_text_get(&found));
    tr_text_free(&found);
}

/* Takes in the judgement of a launch. It either asks for contents, which are passed on to the
 * program or refused, or is final. False: it is malformed. */
static bool take_judged(watch *w, module *m, wire_reader *r)
{
    enum { HEADER = 8 }; /* of a frame */
    uint32_t entry = wire_read_u32(r);
    uint8_t kind = wire_read_u8(r);
    const char *about = watch_read_text(w, r);
    uint64_t rules = wire_read_u64(r);
    size_t asked_for;
    wanted want = read_wanted(w, r, &asked_for);
    read_written(w, r, asked_for > 0 || w->runs_kernels || w->flags & WIRE_INTERPRET);
    const char *lost = watch_read_text(w, r);
    bool good = wire_read_all(r) && kind < JUDGEMENT_COUNT && !want.out.failed;
    conversation *c = m->holder;
    m->answer = (patience){0};
    bool is_asking = asked_for > 0 && c;
    if (good && is_asking && (want.n == 0 || c->is_passed)) {
        watch_send_no_contents(w, m);
    } else if (good && is_asking) {
        watch_answer_launch(c, want.n, want.out.data + HEADER, want.out.length - HEADER);
    } else if (good) { /* the last word */
        modules_not_recorded(&w->modules, lost);
        count_judged(m, entry, kind, about);
        say_judged(w, c, (judgement_kind)kind, about, rules);
        m->holder = NULL;
        watch_end_launch(w, c);
        watch_hand_on(w, m);
    }
    wire_free(&want.out);
    return good;
}

/* The process needs memory of the program to execute a launch. */
static bool take_wanted(watch *w, module *m, const uint8_t *frame, size_t length)
{
    conversation *c = m->holder;
    m->answer = (patience){0};
    if (c && c->executes && c->is_passed) { /* the program has gone */
        m->holder = NULL;
        watch_end_launch(w, c);
        watch_hand_on(w, m);
        return true;
    }
    return c && c->executes && channel_send(c->channel.fd, frame, length);
}

enum { MOST_WRONG_TOLD = 20 }; /* launches, in words: one may be made again and again */

/* Takes in that a launch has been executed, or why not, and passes it on to the program. False: it
 * is malformed or answers nothing. */
static bool take_executed(watch *w, module *m, const uint8_t *frame, size_t length, wire_reader *r)
{
    conversation *c = m->holder;
    uint8_t done = wire_read_u8(r);
    wire_read_u32(r);
    const char *about = watch_read_text(w, r), *why = watch_read_text(w, r);
    const char *found = watch_read_text(w, r);
    read_written(w, r, done != WIRE_NOT_EXECUTED);
    if (r->failed || (c && !c->executes))
        return false;
    m->answer = (patience){0};
    m->holder = NULL;
    w->executed += done == WIRE_DONE;
    w->wrong += done != WIRE_NOT_EXECUTED && found[0];
    watch_say(w, about);
    bool takes = c && c->takes_finding;
    w->told += !takes && done != WIRE_NOT_EXECUTED && found[0];
    if (!takes && w->wrong <= MOST_WRONG_TOLD)
        watch_say(w, found);
    if (done == WIRE_NOT_EXECUTED)
        watch_count(&w->not_executed, why);
    if (c && !c->is_passed)
        channel_send(c->channel.fd, frame, length);
    watch_end_launch(w, c);
    watch_hand_on(w, m);
    return true;
}

/* A module that differs from another one in hints alone: that one answers in its place. */
static void take_key(watch *w, module *m, wire_reader *r)
{
    uint64_t high = wire_read_u64(r), low = wire_read_u64(r);
    if (m->key[0] || m->key[1] || !modules_same(&w->modules, m, high, low))
        return; /* a process after the first says the same again */
    modules_stop(&w->modules, m, true);
    while (arrlenu(m->waiting) > 0)
        watch_ask_entries(w, m->same, arrpop(m->waiting));
}

/* Takes in a message of the process that checks a module. False: it is not one that such a process
 * sends. */
static bool take_from_worker(watch *w, module *m, const uint8_t *frame, size_t length)
{
    wire_reader r;
    bool was_checked = m->is_checked;
    switch (wire_open(frame, length, &r)) {
    case WIRE_KEY:
        take_key(w, m, &r);
        return wire_read_all(&r);
    case WIRE_ENTRIES:
        return take_entries(m, frame, length, &r);
    case WIRE_CHECKED:
        if (!modules_read_checked(&w->modules, m, &r))
            return false;
        if (!was_checked)
            say_checked(w, m);
        if (m->holder) /* its launch is judged from now on */
            m->answer = patience_begin(m->pid, WORKER_PATIENCE_MS);
        return true;
    case WIRE_JUDGED:
        return take_judged(w, m, &r);
    case WIRE_WANTED:
        return take_wanted(w, m, frame, length);
    case WIRE_EXECUTED:
        return take_executed(w, m, frame, length, &r);
    default:
        return false;
    }
}

void watch_hear_worker(watch *w, module *m)
{
    bool has_ended = channel_fill(&m->channel) != CHANNEL_OPEN, broken = false;
    size_t length;
    const uint8_t *frame;
    while (m->pid && !broken && (frame = channel_next(&m->channel, &length, &broken)))
        broken = !take_from_worker(w, m, frame, length);
    if (m->pid && (broken || has_ended))
        watch_give_up(w, m, "its process died");
}

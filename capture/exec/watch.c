#include "exec/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"
#include "bytecode/bytecode.h"

typedef struct conversation { /* with one process of the program */
    channel channel;
    module *module; /* whose process is to answer it; or NULL */
    uint8_t *frame; /* LAUNCH or EXECUTE that waits for its turn; of malloc; or NULL */
    size_t length;
    bool executes;        /* the last of these was EXECUTE */
    uint32_t last_module; /* that it told of */
} conversation;

/* ---- Section: Listening ---- */

bool watch_listen(watch *w, const char *path, const char **why)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        *why = "the path of its socket is too long";
        return false;
    }
    strcpy(address.sun_path, path);
    w->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = w->listener >= 0 &&
                bind(w->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
                listen(w->listener, SOMAXCONN) == 0;
    if (!good)
        *why = tr_arena_strdup(w->arena, strerror(errno));
    return good;
}

static void welcome_all(watch *w)
{
    for (;;) {
        int fd = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return;
        /* A program that does not read must not hang us. */
        struct timeval patience = {.tv_sec = 1};
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        conversation *c = calloc(1, sizeof *c);
        if (!c) {
            close(fd);
            return;
        }
        c->channel.fd = fd;
        arrput(w->conversations, c);
    }
}

static void forget_waiting(module *m, const conversation *c)
{
    for (size_t i = arrlenu(m->waiting); i-- > 0;)
        if (m->waiting[i] == c)
            arrdel(m->waiting, i);
    if (m->holder == c)
        m->holder = NULL;
}

static void hand_on(watch *w, module *m);

static void end_conversation(watch *w, conversation *c)
{
    module *m = c->module;
    if (m) {
        bool held = m->holder == c;
        forget_waiting(m, c);
        if (held && m->deadline == 0) /* it was asked for contents, and has gone */
            hand_on(w, m);
    }
    for (size_t i = 0; i < arrlenu(w->conversations); i++)
        if (w->conversations[i] == c) {
            arrdelswap(w->conversations, i);
            break;
        }
    channel_close(&c->channel);
    free(c->frame);
    free(c);
}

/* ---- Section: Answers ---- */

static void say(watch *w, const char *text)
{
    fputs(text, w->err);
    fflush(w->err);
}

static void answer_launch_by(conversation *c, wire_outcome outcome, size_t n_wanted,
                             const uint8_t *wanted, size_t wanted_bytes)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_LAUNCHED);
    wire_u8(&out, outcome);
    wire_u32(&out, (uint32_t)n_wanted);
    for (size_t i = 0; i < wanted_bytes; i++)
        wire_u8(&out, wanted[i]);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

static void answer_launch(conversation *c, size_t n_wanted, const uint8_t *wanted,
                          size_t wanted_bytes)
{
    answer_launch_by(c, WIRE_GO_ON, n_wanted, wanted, wanted_bytes);
}

static void answer_entries(conversation *c, const module *m)
{
    wire_writer out = {0};
    if (m->entries) {
        channel_send(c->channel.fd, m->entries, m->entries_length);
        return;
    }
    wire_begin(&out, WIRE_ENTRIES);
    wire_u32(&out, 0);
    wire_u32(&out, 0);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

static void count_not_executed(watch *w, const char *why)
{
    size_t i = 0;
    while (i < arrlenu(w->not_executed) && strcmp(w->not_executed[i].why, why) != 0)
        i++;
    if (i == arrlenu(w->not_executed))
        arrput(w->not_executed, ((not_executed){.why = why}));
    w->not_executed[i].launches++;
}

/* A launch may write anywhere of which nothing else is known. */
static void distrust_memory(watch *w)
{
    if (!w->runs_kernels)
        written_add(&w->written, 0, UINT64_MAX);
}

static void answer_not_executed(watch *w, conversation *c, const char *why)
{
    wire_writer out = {0};
    count_not_executed(w, why);
    distrust_memory(w);
    wire_begin(&out, WIRE_EXECUTED);
    wire_u8(&out, false);
    wire_u32(&out, 0);
    wire_text(&out, NULL);
    wire_text(&out, NULL);
    wire_u32(&out, 0);
    wire_u32(&out, 0);
    channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
}

/* A launch that is not judged is counted as lost, and the program goes on. */
static void answer_lost(watch *w, module *m, conversation *c)
{
    c->module = NULL;
    if (c->executes) {
        answer_not_executed(w, c, m->error ? m->error : "its process cannot be started");
        return;
    }
    m->lost++;
    distrust_memory(w);
    answer_launch(c, 0, NULL, 0);
}

/* What waits for its turn, and gets none. */
static void let_go(watch *w, module *m, conversation *c)
{
    c->module = NULL;
    if (!c->frame) {
        answer_entries(c, m);
        return;
    }
    free(c->frame);
    c->frame = NULL;
    answer_lost(w, m, c);
}

/* The module's process came to nothing. */
static void give_up(watch *w, module *m, const char *why)
{
    modules_stop(&w->modules, m, true);
    m->error = m->error ? m->error : why;
    if (m->holder) {
        conversation *c = m->holder;
        m->holder = NULL;
        answer_lost(w, m, c);
    }
    while (arrlenu(m->waiting) > 0)
        let_go(w, m, arrpop(m->waiting));
}

static int64_t patience(const conversation *c)
{
    return c->executes ? EXECUTION_PATIENCE_MS : WORKER_PATIENCE_MS;
}

/* Lets the next launch that waits be judged, or executed. */
static void hand_on(watch *w, module *m)
{
    while (!m->holder && arrlenu(m->waiting) > 0 && m->waiting[0]->frame) {
        conversation *c = m->waiting[0];
        arrdel(m->waiting, 0);
        if (!modules_start(&w->modules, m)) {
            let_go(w, m, c);
            continue;
        }
        bool sent = channel_send(m->channel.fd, c->frame, c->length);
        free(c->frame);
        c->frame = NULL;
        m->holder = c;
        m->deadline = tr_now_ms() + patience(c);
        if (!sent)
            give_up(w, m, "its process does not answer");
    }
}

/* ---- Section: What programs say ---- */

static char *read_text(watch *w, wire_reader *r)
{
    size_t length;
    const uint8_t *text = wire_read_bytes(r, &length);
    return tr_arena_strndup(w->arena, (const char *)text, length);
}

static bool take_hello(watch *w, conversation *c, wire_reader *r)
{
    if (wire_read_u32(r) != WIRE_VERSION)
        return false;
    w->programs++;
    wire_writer out = {0};
    wire_begin(&out, WIRE_WELCOME);
    wire_u32(&out, WIRE_VERSION);
    wire_u32(&out, w->flags);
    bool sent = channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
    return sent;
}

/* Answers with the module's entries, now or when its process has read it. */
static void ask_entries(watch *w, module *m, conversation *c)
{
    c->last_module = m->number;
    c->module = NULL;
    if (m->entries || m->error || (!m->pid && !modules_start(&w->modules, m))) {
        answer_entries(c, m);
        return;
    }
    c->module = m;
    arrput(m->waiting, c);
}

/* NULL: no memory. An entry of a fat binary that can't be unpacked is a module that can't be read.
 */
static module *add_module(watch *w, const uint8_t *bytes, size_t size, const char *front_end,
                          const char *names)
{
    size_t unpacked_size;
    unsigned char *unpacked = bytecode_unpack(bytes, size, &unpacked_size);
    module *m = unpacked ? modules_add(&w->modules, unpacked, unpacked_size, front_end, names)
                         : modules_add(&w->modules, bytes, size, front_end, names);
    free(unpacked);
    return m;
}

static bool take_module(watch *w, conversation *c, wire_reader *r)
{
    size_t size;
    const uint8_t *bytes = wire_read_bytes(r, &size);
    char *front_end = wire_read_text(r), *names = wire_read_text(r);
    bool good = wire_read_all(r) && front_end && names;
    module *m = good ? add_module(w, bytes, size, front_end, names) : NULL;
    free(front_end);
    free(names);
    if (!m)
        return false;
    ask_entries(w, m->same ? m->same : m, c);
    return true;
}

static void count_unseen(watch *w, const char *symbol)
{
    size_t i = 0;
    while (i < arrlenu(w->unseen) && strcmp(w->unseen[i].symbol, symbol) != 0)
        i++;
    if (i == arrlenu(w->unseen))
        arrput(w->unseen, ((unseen_kernel){.symbol = symbol}));
    w->unseen[i].launches++;
}

/* LAUNCH, or EXECUTE that comes after it. */
static bool take_launch(watch *w, conversation *c, bool executes, wire_reader *r,
                        const uint8_t *frame, size_t length)
{
    module *m = modules_at(&w->modules, wire_read_u32(r));
    if (!m) {
        count_unseen(w, read_text(w, r));
        distrust_memory(w);
        if (w->flags & WIRE_INTERPRET)
            count_not_executed(w, "its Tile IR was never seen");
        answer_launch(c, 0, NULL, 0);
        return !r->failed;
    }
    c->frame = malloc(length);
    if (!c->frame)
        return false;
    memcpy(c->frame, frame, length);
    c->length = length;
    c->module = m;
    c->executes = executes;
    if (m->error) {
        let_go(w, m, c);
        return true;
    }
    arrput(m->waiting, c);
    hand_on(w, m);
    return true;
}

/* CONTENTS of a launch, or MEMORY of one that is executed. */
static bool take_contents(watch *w, conversation *c, bool executes, const uint8_t *frame,
                          size_t length)
{
    module *m = c->module;
    if (!m || m->holder != c || m->deadline != 0 || c->executes != executes)
        return false; /* nobody asked */
    m->deadline = tr_now_ms() + patience(c);
    if (!channel_send(m->channel.fd, frame, length))
        give_up(w, m, "its process does not answer");
    return true;
}

static void say_what_is_known(watch *w, const module *m)
{
    for (size_t i = 0; i < m->n_kernels; i++) {
        const module_kernel *k = &m->kernels[i];
        fprintf(w->err, "tilerace: the assembler failed on '%s', of which is known: %s\n%s",
                k->shown, report_verdict_name((verdict_kind)k->verdict), k->report);
    }
    if (!m->is_checked || m->error)
        fprintf(w->err, "tilerace: the assembler failed on a module that is not checked%s%s\n",
                m->error ? ": " : "", m->error ? m->error : "");
    fflush(w->err);
}

static bool take_remark(watch *w, conversation *c, wire_reader *r)
{
    uint32_t remark = wire_read_u32(r);
    const char *about = read_text(w, r);
    if (!wire_read_all(r) || remark >= WIRE_N_REMARKS)
        return false;
    if (w->remarks[remark]++ == 0)
        w->remark_about[remark] = about;
    const module *m = modules_at(&w->modules, c->last_module);
    if (remark == WIRE_NOT_RUN) {
        count_not_executed(w, "it is no tile kernel");
        distrust_memory(w);
    }
    if (remark == WIRE_ASSEMBLER_FAILED && m)
        say_what_is_known(w, m);
    return true;
}

static bool take_frame(watch *w, conversation *c, const uint8_t *frame, size_t length)
{
    wire_reader r;
    wire_kind kind = wire_open(frame, length, &r);
    if (c->module && kind != WIRE_CONTENTS && kind != WIRE_MEMORY)
        return false; /* it has not got its answer yet */
    switch (kind) {
    case WIRE_HELLO:
        return take_hello(w, c, &r);
    case WIRE_MODULE:
        return take_module(w, c, &r);
    case WIRE_LAUNCH:
    case WIRE_EXECUTE:
        return take_launch(w, c, kind == WIRE_EXECUTE, &r, frame, length);
    case WIRE_CONTENTS:
    case WIRE_MEMORY:
        return take_contents(w, c, kind == WIRE_MEMORY, frame, length);
    case WIRE_REMARK:
        return take_remark(w, c, &r);
    case WIRE_BYE:
        return true;
    default:
        return false;
    }
}

static void hear_program(watch *w, conversation *c)
{
    channel_state state = channel_fill(&c->channel);
    bool broken = state == CHANNEL_BROKEN;
    size_t length;
    const uint8_t *frame;
    while (!broken && (frame = channel_next(&c->channel, &length, &broken)))
        broken = !take_frame(w, c, frame, length);
    w->cut += broken;
    if (broken || state != CHANNEL_OPEN)
        end_conversation(w, c);
}

/* ---- Section: What the checker's processes say ---- */

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
        answer_entries(c, m);
    }
    return true;
}

/* What is wrong with a kernel is told when a launch shows it, or at the end if there was none. */
static void say_checked(watch *w, const module *m)
{
    if (m->error)
        fprintf(w->err, "tilerace: a module is not checked: %s\n", m->error);
}

typedef struct wanted { /* bytes of the message LAUNCHED */
    wire_writer out;
    size_t n;
} wanted;

/* What the program is to be asked for: not for what kernels would have written, that do not run. */
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

/* What a launch writes, or would write. */
static void read_written(watch *w, wire_reader *r, bool is_there)
{
    for (size_t n = wire_read_count(r, 8 + 8); n > 0; n--) {
        uint64_t address = wire_read_u64(r), bytes = wire_read_u64(r);
        if (!is_there)
            written_add(&w->written, address, bytes);
    }
}

/* The process asked for contents, and there are none to be had. */
static void send_no_contents(watch *w, module *m)
{
    wire_writer out = {0};
    wire_begin(&out, WIRE_CONTENTS);
    wire_u32(&out, 0);
    m->deadline = tr_now_ms() + WORKER_PATIENCE_MS;
    if (!channel_send_writer(m->channel.fd, &out))
        give_up(w, m, "its process does not answer");
    wire_free(&out);
}

static void count_judged(watch *w, module *m, uint32_t entry, uint8_t kind, const char *about)
{
    module_kernel *k = modules_kernel(m, entry);
    if (!k) {
        m->lost++;
        return;
    }
    k->launches[kind]++;
    if (about[0] && !k->words[kind])
        k->words[kind] = about;
    if (kind == JUDGED_RACED || kind == JUDGED_BROKE)
        say(w, about);
}

/* The answer to the last word on a launch. */
static void answer_judged(const watch *w, conversation *c, judgement_kind kind)
{
    bool is_wrong = kind == JUDGED_RACED || kind == JUDGED_BROKE;
    answer_launch_by(c, w->stop_at_race && is_wrong ? WIRE_STOP : WIRE_GO_ON, 0, NULL, 0);
}

static bool take_judged(watch *w, module *m, wire_reader *r)
{
    enum { HEADER = 8 }; /* of a frame */
    uint32_t entry = wire_read_u32(r);
    uint8_t kind = wire_read_u8(r);
    const char *about = read_text(w, r);
    size_t asked_for;
    wanted want = read_wanted(w, r, &asked_for);
    read_written(w, r, asked_for > 0 || w->runs_kernels || w->flags & WIRE_INTERPRET);
    const char *lost = read_text(w, r);
    bool good = wire_read_all(r) && kind < JUDGEMENT_COUNT && !want.out.failed;
    conversation *c = m->holder;
    m->deadline = 0;
    if (good && asked_for > 0 && want.n == 0) {
        send_no_contents(w, m);
    } else if (good) {
        if (c && asked_for > 0)
            answer_launch(c, want.n, want.out.data + HEADER, want.out.length - HEADER);
        if (!c || asked_for == 0) { /* the last word */
            modules_not_recorded(&w->modules, lost);
            count_judged(w, m, entry, kind, about);
            if (c)
                answer_judged(w, c, kind);
            if (c)
                c->module = NULL;
            m->holder = NULL;
            hand_on(w, m);
        }
    }
    wire_free(&want.out);
    return good;
}

/* The process needs memory of the program to execute a launch. */
static bool take_wanted(module *m, const uint8_t *frame, size_t length)
{
    conversation *c = m->holder;
    m->deadline = 0;
    return c && c->executes && channel_send(c->channel.fd, frame, length);
}

static bool take_executed(watch *w, module *m, const uint8_t *frame, size_t length, wire_reader *r)
{
    conversation *c = m->holder;
    bool done = wire_read_u8(r);
    wire_read_u32(r);
    const char *about = read_text(w, r), *why = read_text(w, r);
    read_written(w, r, done);
    if (r->failed || (c && !c->executes))
        return false;
    m->deadline = 0;
    m->holder = NULL;
    w->executed += done;
    say(w, about);
    if (!done)
        count_not_executed(w, why);
    if (c) {
        c->module = NULL;
        channel_send(c->channel.fd, frame, length);
    }
    hand_on(w, m);
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
        ask_entries(w, m->same, arrpop(m->waiting));
}

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
            m->deadline = tr_now_ms() + WORKER_PATIENCE_MS;
        return true;
    case WIRE_JUDGED:
        return take_judged(w, m, &r);
    case WIRE_WANTED:
        return take_wanted(m, frame, length);
    case WIRE_EXECUTED:
        return take_executed(w, m, frame, length, &r);
    default:
        return false;
    }
}

static void hear_worker(watch *w, module *m)
{
    channel_state state = channel_fill(&m->channel);
    bool broken = state != CHANNEL_OPEN;
    size_t length;
    const uint8_t *frame;
    while (m->pid && (frame = channel_next(&m->channel, &length, &broken)))
        if (!take_from_worker(w, m, frame, length)) {
            broken = true;
            break;
        }
    if (broken)
        give_up(w, m, "its process died");
}

/* ---- Section: One round ---- */

static void end_patience(watch *w)
{
    int64_t now = tr_now_ms();
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        if (m->pid && m->deadline && now > m->deadline)
            give_up(w, m, "its process hung");
    }
}

/* Whoever is heard may end others, so who is there is asked again. */
static bool still_speaks(const watch *w, const conversation *c)
{
    for (size_t i = 0; i < arrlenu(w->conversations); i++)
        if (w->conversations[i] == c)
            return true;
    return false;
}

void watch_round(watch *w, int also, int patience_ms)
{
    struct pollfd *polled = NULL;
    conversation **speakers = NULL;
    module **workers = NULL;
    arrput(polled, ((struct pollfd){also, POLLIN, 0}));
    arrput(polled, ((struct pollfd){w->listener, POLLIN, 0}));
    for (size_t i = 0; i < arrlenu(w->conversations); i++) {
        arrput(speakers, w->conversations[i]);
        arrput(polled, ((struct pollfd){w->conversations[i]->channel.fd, POLLIN, 0}));
    }
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        if (!m->pid)
            continue;
        arrput(workers, m);
        arrput(polled, ((struct pollfd){m->channel.fd, POLLIN, 0}));
    }
    size_t at = 2, n_speakers = arrlenu(speakers), n_workers = arrlenu(workers);
    if (poll(polled, arrlenu(polled), patience_ms) > 0) {
        for (size_t i = 0; i < n_speakers; i++, at++)
            if (polled[at].revents && still_speaks(w, speakers[i]))
                hear_program(w, speakers[i]);
        for (size_t i = 0; i < n_workers; i++, at++)
            if (polled[at].revents && workers[i]->pid && workers[i]->channel.fd == polled[at].fd)
                hear_worker(w, workers[i]);
        if (polled[1].revents)
            welcome_all(w);
    }
    end_patience(w);
    arrfree(polled);
    arrfree(speakers);
    arrfree(workers);
}

bool watch_is_idle(const watch *w)
{
    for (size_t i = 0; i < arrlenu(w->modules.items); i++)
        if (w->modules.items[i]->deadline)
            return false;
    return true;
}

bool watch_is_quiet(const watch *w)
{
    return watch_is_idle(w) && arrlenu(w->conversations) == 0;
}

void watch_free(watch *w)
{
    while (arrlenu(w->conversations) > 0)
        end_conversation(w, arrlast(w->conversations));
    arrfree(w->conversations);
    modules_free(&w->modules);
    arrfree(w->unseen);
    arrfree(w->not_executed);
    written_free(&w->written);
    if (w->listener >= 0)
        close(w->listener);
}

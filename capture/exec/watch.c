#include "exec/watch_private.h"

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
        struct timeval longest = {.tv_sec = 1};
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
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

/* A launch that is being judged, or waits for its turn, is judged to its end although its program
 * has gone: without contents that the program did not send, and nobody is answered. */
static bool stays_for_launch(watch *w, conversation *c)
{
    module *m = c->module;
    bool waits = c->frame, holds = m && m->holder == c, is_asked = holds && m->answer.deadline == 0;
    if (!waits && !holds)
        return false;
    if (c->executes && (waits || is_asked))
        return false; /* what it works on has gone too */
    c->is_passed = true;
    c->length = waits ? c->length : 0;
    arrput(w->unjudged, c);
    w->unjudged_bytes += c->length;
    if (is_asked)
        watch_send_no_contents(w, m);
    else
        watch_hand_on(w, m); /* it need not wait any more for those before it */
    return true;
}

static void end_conversation(watch *w, conversation *c)
{
    for (size_t i = 0; i < arrlenu(w->conversations); i++)
        if (w->conversations[i] == c) {
            arrdelswap(w->conversations, i);
            break;
        }
    channel_close(&c->channel);
    if (stays_for_launch(w, c))
        return;
    module *m = c->module;
    if (m) {
        forget_waiting(m, c);
        watch_hand_on(w, m); /* it may have been asked for memory */
    }
    free(c->frame);
    free(c->where);
    free(c);
}

/* ---- Section: What programs say ---- */

char *watch_read_text(watch *w, wire_reader *r)
{
    size_t length;
    const uint8_t *text = wire_read_bytes(r, &length);
    return tr_arena_strndup(w->arena, (const char *)text, length);
}

static bool take_hello(watch *w, conversation *c, wire_reader *r)
{
    if (wire_read_u32(r) != WIRE_VERSION)
        return false;
    wire_read_u32(r); /* its process, and that one's parent */
    wire_read_u32(r);
    c->program = watch_read_text(w, r);
    w->programs++;
    wire_writer out = {0};
    wire_begin(&out, WIRE_WELCOME);
    wire_u32(&out, WIRE_VERSION);
    wire_u32(&out, w->flags);
    bool sent = channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
    return sent;
}

void watch_ask_entries(watch *w, module *m, conversation *c)
{
    c->last_module = m->number;
    c->module = NULL;
    if (m->entries || m->error || (!m->pid && !modules_start(&w->modules, m))) {
        watch_answer_entries(c, m);
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

/* An assembler tells of a module first, without the names that a front end knows. */
static void replace_unnamed(watch *w, module *named)
{
    module *unnamed = modules_unnamed(&w->modules, named);
    if (!unnamed)
        return;
    for (size_t i = 0; i < arrlenu(unnamed->waiting); i++)
        if (unnamed->waiting[i]->frame)
            return; /* a launch of it waits to be judged */
    modules_replace(&w->modules, unnamed, named);
    while (arrlenu(unnamed->waiting) > 0)
        watch_ask_entries(w, named, arrpop(unnamed->waiting));
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
    replace_unnamed(w, m);
    watch_ask_entries(w, m->same ? m->same : m, c);
    return true;
}

static bool take_code(watch *w, conversation *c, wire_reader *r)
{
    uint32_t number = wire_read_u32(r);
    struct code_key code = {.low = wire_read_u64(r)};
    code.high = wire_read_u64(r);
    if (!wire_read_all(r) || !modules_at(&w->modules, number))
        return false;
    hmput(w->codes, code, number);
    wire_writer out = {0};
    wire_begin(&out, WIRE_NOTED);
    bool sent = channel_send_writer(c->channel.fd, &out);
    wire_free(&out);
    return sent;
}

static bool take_whose(watch *w, conversation *c, wire_reader *r)
{
    struct code_key code = {.low = wire_read_u64(r)};
    code.high = wire_read_u64(r);
    if (!wire_read_all(r))
        return false;
    ptrdiff_t at = w->codes ? hmgeti(w->codes, code) : -1;
    module *m = at >= 0 ? modules_at(&w->modules, w->codes[at].value) : NULL;
    if (m)
        watch_ask_entries(w, m->same ? m->same : m, c);
    else
        watch_answer_entries(c, NULL);
    return true;
}

static void take_unseen(watch *w, wire_reader *r)
{
    watch_count(&w->unseen, watch_read_text(w, r));
    watch_distrust_memory(w);
    if (w->flags & WIRE_INTERPRET)
        watch_count(&w->not_executed, "its Tile IR was never seen");
}

/* Puts a launch in the queue of its module. */
static bool queue_launch(watch *w, module *m, conversation *c, const uint8_t *frame, size_t length)
{
    c->frame = malloc(length);
    if (!c->frame)
        return false;
    memcpy(c->frame, frame, length);
    c->length = length;
    c->module = m;
    c->launch = ++w->launches;
    if (c->is_passed) {
        arrput(w->unjudged, c);
        w->unjudged_bytes += length;
    }
    if (m->error) {
        watch_let_go(w, m, c);
        return true;
    }
    arrput(m->waiting, c);
    watch_hand_on(w, m);
    return true;
}

/* Reads who reports the findings of this launch, and where the launch is made. */
static void read_where(conversation *c, wire_reader r)
{
    char *symbol = wire_read_text(&r);
    for (int i = 0; i < 3; i++)
        wire_read_u64(&r);
    char *file = wire_read_text(&r);
    uint32_t line = wire_read_u32(&r);
    uint8_t flags = wire_read_u8(&r);
    c->takes_finding = flags & WIRE_TAKES_FINDING;
    c->stops = flags & WIRE_STOPS;
    free(c->where);
    c->where = NULL;
    tr_text where = {0};
    if (c->takes_finding && symbol && file) {
        if (file[0])
            tr_text_addf(&where, "%s:%u: ", file, line);
        tr_text_addf(&where, "error: the launch of '%s'", symbol);
        c->where = strdup(tr_text_get(&where));
    }
    tr_text_free(&where);
    free(symbol);
    free(file);
}

/* LAUNCH, or EXECUTE that comes after it. */
static bool take_launch(watch *w, conversation *c, bool executes, wire_reader *r,
                        const uint8_t *frame, size_t length)
{
    module *m = modules_at(&w->modules, wire_read_u32(r));
    read_where(c, *r);
    if (!m) {
        take_unseen(w, r);
        watch_answer_lost(c, "its Tile IR was never seen");
        return !r->failed;
    }
    c->executes = executes;
    return queue_launch(w, m, c, frame, length);
}

static bool take_passed(watch *w, const conversation *by, wire_reader *r, const uint8_t *frame,
                        size_t length)
{
    module *m = modules_at(&w->modules, wire_read_u32(r));
    if (!m) {
        take_unseen(w, r);
        return !r->failed;
    }
    conversation *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    c->channel.fd = -1;
    c->is_passed = true;
    c->program = by->program;
    bool good = queue_launch(w, m, c, frame, length);
    if (!good)
        free(c);
    return good;
}

/* CONTENTS of a launch, or MEMORY of one that is executed. */
static bool take_contents(watch *w, conversation *c, bool executes, const uint8_t *frame,
                          size_t length)
{
    module *m = c->module;
    if (!m || m->holder != c || m->answer.deadline != 0 || c->executes != executes)
        return false; /* nobody asked */
    m->answer = patience_begin(m->pid, watch_patience(c));
    if (!channel_send(m->channel.fd, frame, length))
        watch_give_up_sending(w, m);
    return true;
}

static void say_what_is_known(watch *w, const module *m)
{
    for (size_t i = 0; i < m->n_kernels; i++) {
        const module_kernel *k = &m->kernels[i];
        tr_say(w->err, "tilerace: the assembler failed on '%s', of which is known: %s\n", k->shown,
               report_verdict_name((verdict_kind)k->verdict));
        fputs(k->report, w->err);
    }
    if (!m->is_checked || m->error)
        tr_say(w->err, "tilerace: the assembler failed on a module that is not checked%s%s\n",
               m->error ? ": " : "", m->error ? m->error : "");
    fflush(w->err);
}

static bool take_remark(watch *w, conversation *c, wire_reader *r)
{
    uint32_t remark = wire_read_u32(r);
    const char *about = watch_read_text(w, r);
    if (!wire_read_all(r) || remark >= WIRE_N_REMARKS)
        return false;
    if (w->remarks[remark]++ == 0 || strcmp(about, w->remark_about[remark]) < 0)
        w->remark_about[remark] = about;
    const module *m = modules_at(&w->modules, c->last_module);
    if (remark == WIRE_NOT_RUN) {
        watch_count(&w->not_executed, "it is not a tile kernel");
        watch_distrust_memory(w);
    }
    if (remark == WIRE_ASSEMBLER_FAILED && m)
        say_what_is_known(w, m);
    return true;
}

/* Takes in a message of a program. False: it is none, or comes before the answer to the last one.
 */
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
    case WIRE_CODE:
        return take_code(w, c, &r);
    case WIRE_WHOSE:
        return take_whose(w, c, &r);
    case WIRE_LAUNCH:
    case WIRE_EXECUTE:
        return take_launch(w, c, kind == WIRE_EXECUTE, &r, frame, length);
    case WIRE_PASSED:
        return take_passed(w, c, &r, frame, length);
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

/* ---- Section: One round ---- */

static void end_patience(watch *w)
{
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        if (m->pid && patience_is_over(&m->answer))
            watch_give_up(w, m, "its process hung");
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

/* Enough is to be done. What a program says is left unread, so that in the end it waits. */
static bool is_busy(const watch *w)
{
    enum { MOST_BYTES = 16 << 20, LEAST = 4 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = processors < LEAST          ? LEAST
                  : processors > MOST_WORKERS ? MOST_WORKERS
                                              : (size_t)processors;
    size_t busy = 0;
    for (size_t i = 0; i < arrlenu(w->modules.items); i++)
        busy += w->modules.items[i]->answer.deadline != 0;
    return busy >= most || w->unjudged_bytes > MOST_BYTES;
}

/* Tells the programs that may wait for an answer, from time to time, that it takes longer. One that
 * does not read it needs no other. */
static void tell_to_wait(watch *w)
{
    enum { EVERY_MS = 3000 };
    int64_t now = tr_now_ms();
    if (now - w->told_to_wait < EVERY_MS)
        return;
    w->told_to_wait = now;
    wire_writer out = {0};
    wire_begin(&out, WIRE_WAIT);
    bool whole = wire_end(&out), busy = is_busy(w);
    for (size_t i = 0; i < arrlenu(w->conversations); i++)
        if (whole && (busy || w->conversations[i]->module))
            (void)!send(w->conversations[i]->channel.fd, out.data, out.length,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    wire_free(&out);
}

static bool is_to_be_checked(const module *m)
{
    return m->is_wanted && !m->is_checked && !m->error && !m->same && !m->pid;
}

/* Starts those that are wanted, as far as there is time for them. */
static void start_wanted(watch *w)
{
    for (size_t i = 0; i < arrlenu(w->modules.items) && !is_busy(w); i++)
        if (is_to_be_checked(w->modules.items[i]))
            modules_start(&w->modules, w->modules.items[i]);
}

void watch_check(watch *w, const void *bytes, size_t size, const char *front_end)
{
    module *m = modules_add(&w->modules, bytes, size, front_end, "");
    if (m)
        m->is_wanted = true;
}

void watch_tie_by_name(watch *w)
{
    for (size_t i = arrlenu(w->unseen); i-- > 0;) {
        module_kernel *found = NULL;
        for (size_t m = 0; m < arrlenu(w->modules.items) && !found; m++)
            for (uint32_t k = 0;
                 w->modules.items[m]->is_wanted && k < w->modules.items[m]->n_kernels; k++)
                if (strcmp(w->modules.items[m]->kernels[k].symbol, w->unseen[i].about) == 0)
                    found = &w->modules.items[m]->kernels[k];
        if (!found)
            continue;
        found->by_name += w->unseen[i].launches;
        arrdel(w->unseen, i);
    }
}

bool watch_round(watch *w, int also, int patience_ms)
{
    start_wanted(w);
    struct pollfd *polled = NULL;
    conversation **speakers = NULL;
    module **workers = NULL;
    arrput(polled, ((struct pollfd){also, POLLIN, 0}));
    arrput(polled, ((struct pollfd){w->listener, POLLIN, 0}));
    bool busy = is_busy(w);
    for (size_t i = 0; i < arrlenu(w->conversations); i++) {
        if (busy && !w->conversations[i]->module) /* else it may have been asked for something */
            continue;
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
    int ready = poll(polled, arrlenu(polled), patience_ms);
    bool has_come = ready > (polled[0].revents != 0);
    if (ready > 0) {
        for (size_t i = 0; i < n_speakers; i++, at++)
            if (polled[at].revents && still_speaks(w, speakers[i]))
                hear_program(w, speakers[i]);
        for (size_t i = 0; i < n_workers; i++, at++)
            if (polled[at].revents && workers[i]->pid && workers[i]->channel.fd == polled[at].fd)
                watch_hear_worker(w, workers[i]);
        if (polled[1].revents)
            welcome_all(w);
    }
    end_patience(w);
    tell_to_wait(w);
    arrfree(polled);
    arrfree(speakers);
    arrfree(workers);
    return has_come;
}

/* A launch that nothing keeps from being judged. */
static bool has_work(const module *m)
{
    return !m->holder && arrlenu(m->waiting) > 0 && m->waiting[0]->frame;
}

bool watch_is_idle(const watch *w)
{
    for (size_t i = 0; i < arrlenu(w->modules.items); i++)
        if (w->modules.items[i]->answer.deadline || has_work(w->modules.items[i]) ||
            is_to_be_checked(w->modules.items[i]))
            return false;
    return true;
}

bool watch_is_quiet(const watch *w)
{
    return watch_is_idle(w) && arrlenu(w->conversations) == 0;
}

void watch_stop(watch *w, const char *why)
{
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        if (m->answer.deadline || m->holder || arrlenu(m->waiting) > 0)
            watch_give_up(w, m, why);
        else if (is_to_be_checked(m))
            m->error = why;
    }
}

void watch_free(watch *w)
{
    while (arrlenu(w->conversations) > 0)
        end_conversation(w, arrlast(w->conversations));
    arrfree(w->conversations);
    for (size_t i = 0; i < arrlenu(w->unjudged); i++) {
        free(w->unjudged[i]->frame);
        free(w->unjudged[i]->where);
        free(w->unjudged[i]);
    }
    arrfree(w->unjudged);
    modules_free(&w->modules);
    arrfree(w->unseen);
    hmfree(w->codes);
    arrfree(w->not_executed);
    written_free(&w->written);
    if (w->listener >= 0)
        close(w->listener);
}

/* A small checker in a thread, for tests of what is loaded into foreign programs, and programs that
 * run in a child of the test, since what the recorder remembers lasts as long as a process. */
#ifndef TESTS_RECORDER_CHECKER_H
#define TESTS_RECORDER_CHECKER_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/wire.h"

typedef enum fault { /* what the checker does when it is asked for the last time */
                     NO_FAULT,
                     CUTS,         /* half an answer, then the end of the connection */
                     DIES,         /* no answer, the end of the connection */
                     HANGS,        /* no answer */
                     ANSWERS_ELSE, /* an answer of another kind */
                     ANSWERS_LONG, /* a frame that claims more bytes than any may have */
                     LASTS,        /* WAIT, for longer than it may be silent, then the answer */
                     READS_LATE,   /* the same before it takes in the message behind its header */
} fault;

typedef struct checker_parameter {
    uint8_t kind, bytes;
} checker_parameter;

enum { CHECKER_BEFORE = 8 };

typedef struct checker_before { /* a launch that may still run */
    uint32_t module, line;
    char symbol[64];
    uint64_t grid[3];
    uint8_t flags;
    unsigned n_arguments;
} checker_before;

typedef struct checker { /* set before checker_start, or read after checker_stop */
    uint32_t flags;
    fault fault;
    wire_kind faulty;              /* the message that the fault answers */
    unsigned n_waits, wait_us;     /* how many WAIT, and how long before each */
    checker_parameter entries[16]; /* the parameters of entry "kernel" of every module */
    unsigned n_entries;
    bool stops;          /* WIRE_STOP for every launch */
    const char *finding; /* told with the last word on each launch; or NULL */
    bool is_unreadable;  /* modules: number 0, no entries */
    bool knows_no_code;  /* answers WHOSE by nobody's */
    uint32_t wants[4];   /* arguments whose contents are asked for */
    uint64_t wants_bytes;
    unsigned n_wants;
    void (*execute)(uint8_t *data, size_t bytes); /* changes the first argument's allocation */
    const char *printed;                          /* by each execution; or NULL */
    bool reaches_out;                             /* and a byte behind it */

    atomic_uint seen[WIRE_N_KINDS];
    pthread_mutex_t lock;
    uint32_t module; /* of the last launch */
    uint64_t grid[3];
    char file[64], symbol[64], remark[64];
    uint32_t line, remark_kind;
    uint8_t waits; /* how the kernel does: wire_waits */
    uint8_t launch_flags, before;
    unsigned n_before;
    checker_before launches_before[CHECKER_BEFORE];
    unsigned n_arguments;
    uint64_t values[16], allocations[16], allocation_bytes[16];
    uint8_t readable[16];
    unsigned n_contents; /* of the last CONTENTS */
    unsigned n_memory;   /* bytes of the last MEMORY */
    uint8_t contents[64];
    int connections;

    int listener;
    char path[108];
    pthread_t thread;
} checker;

/* ---- Section: Answers ---- */

static inline bool checker_receive(int fd, uint8_t *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = recv(fd, to + done, n - done, 0);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static inline void checker_copy_text(wire_reader *r, char *to, size_t room)
{
    char *text = wire_read_text(r);
    snprintf(to, room, "%s", text ? text : "");
    free(text);
}

static inline void checker_read_before(checker *c, wire_reader *r, unsigned i)
{
    size_t length;
    checker_before *b = &c->launches_before[i < CHECKER_BEFORE ? i : CHECKER_BEFORE - 1];
    b->module = wire_read_u32(r);
    checker_copy_text(r, b->symbol, sizeof b->symbol);
    for (int axis = 0; axis < 3; axis++)
        b->grid[axis] = wire_read_u64(r);
    wire_read_bytes(r, &length); /* the file */
    b->line = wire_read_u32(r);
    b->flags = wire_read_u8(r);
    b->n_arguments = wire_read_u32(r);
    for (unsigned k = 0; k < b->n_arguments && !r->failed; k++) {
        wire_read_bytes(r, &length);
        wire_read_u64(r);
        wire_read_u64(r);
        wire_read_u8(r);
    }
}

static inline void checker_read_launch(checker *c, wire_reader *r)
{
    c->module = wire_read_u32(r);
    checker_copy_text(r, c->symbol, sizeof c->symbol);
    for (int i = 0; i < 3; i++)
        c->grid[i] = wire_read_u64(r);
    checker_copy_text(r, c->file, sizeof c->file);
    c->line = wire_read_u32(r);
    c->launch_flags = wire_read_u8(r);
    c->n_arguments = wire_read_u32(r);
    for (unsigned i = 0; i < c->n_arguments; i++) {
        size_t length;
        const uint8_t *value = wire_read_bytes(r, &length);
        uint64_t number = 0;
        memcpy(&number, value, length < 8 ? length : 8);
        unsigned at = i < 16 ? i : 15;
        c->values[at] = number;
        c->allocations[at] = wire_read_u64(r);
        c->allocation_bytes[at] = wire_read_u64(r);
        c->readable[at] = wire_read_u8(r);
    }
    c->before = wire_read_u8(r);
    c->n_before = wire_read_u32(r);
    for (unsigned i = 0; i < c->n_before; i++)
        checker_read_before(c, r, i);
}

static inline void checker_read_contents(checker *c, wire_reader *r)
{
    c->n_contents = wire_read_u32(r);
    for (unsigned i = 0; i < c->n_contents; i++) {
        size_t length;
        wire_read_u32(r);
        const uint8_t *data = wire_read_bytes(r, &length);
        memcpy(c->contents, data, length < sizeof c->contents ? length : sizeof c->contents);
    }
}

static inline void checker_entries(checker *c, wire_writer *w, uint32_t module)
{
    wire_begin(w, WIRE_ENTRIES);
    wire_u32(w, c->is_unreadable ? 0 : module);
    wire_u32(w, c->is_unreadable ? 0 : 1);
    if (c->is_unreadable)
        return;
    wire_text(w, "kernel");
    wire_u32(w, c->n_entries);
    for (unsigned i = 0; i < c->n_entries; i++) {
        wire_u8(w, c->entries[i].kind);
        wire_u8(w, c->entries[i].bytes);
    }
    wire_u8(w, c->waits);
}

static inline void checker_launched(checker *c, wire_writer *w, bool first)
{
    wire_begin(w, WIRE_LAUNCHED);
    wire_u8(w, c->stops ? WIRE_STOP : WIRE_GO_ON);
    wire_u32(w, first ? c->n_wants : 0);
    for (unsigned i = 0; first && i < c->n_wants; i++) {
        wire_u32(w, c->wants[i]);
        wire_u64(w, c->wants_bytes);
    }
    wire_text(w, !first || c->n_wants == 0 ? c->finding : NULL);
}

/* Asks for the allocation of the first argument. */
static inline void checker_wants_memory(checker *c, wire_reader *r, wire_writer *w)
{
    checker_read_launch(c, r);
    wire_begin(w, WIRE_WANTED);
    wire_u32(w, 1);
    wire_u64(w, c->allocations[0]);
    wire_u64(w, c->allocation_bytes[0]);
}

/* Changes it; a byte behind it as well, where that is asked for. */
static inline void checker_executed(checker *c, wire_reader *r, wire_writer *w)
{
    uint8_t now[4096] = {0}, which[512] = {0};
    size_t length;
    wire_read_u32(r);
    const uint8_t *old = wire_read_bytes(r, &length);
    assert_true(length < sizeof now);
    memcpy(now, old, length);
    c->n_memory = (unsigned)length;
    if (length)
        c->execute(now, length);
    bool changed = memcmp(now, old, length) != 0;
    for (size_t i = 0; i < length; i++)
        which[i / 8] |= (uint8_t)((now[i] != old[i]) << i % 8);
    if (c->reaches_out)
        which[length / 8] |= (uint8_t)(1 << length % 8);
    wire_begin(w, WIRE_EXECUTED);
    wire_u8(w, length > 0 ? WIRE_DONE : WIRE_NOT_EXECUTED);
    wire_u32(w, 0);
    wire_text(w, "");
    wire_text(w, "");
    wire_text(w, "");
    wire_u32(w, 0);
    wire_text(w, c->printed);
    wire_u32(w, changed);
    if (changed) {
        wire_u64(w, c->allocations[0]);
        wire_bytes(w, which, length / 8 + 1);
        wire_bytes(w, now, length + 1);
    }
}

/* Writes the answer; false: the message has none. */
static inline bool checker_answer(checker *c, wire_kind kind, wire_reader *r, wire_writer *w)
{
    unsigned seen = atomic_fetch_add(&c->seen[kind], 1) + 1;
    switch (kind) {
    case WIRE_HELLO:
        wire_begin(w, WIRE_WELCOME);
        wire_u32(w, WIRE_VERSION);
        wire_u32(w, c->flags);
        return true;
    case WIRE_MODULE:
        checker_entries(c, w, 100 + seen);
        return true;
    case WIRE_WHOSE:
        if (c->knows_no_code) {
            wire_begin(w, WIRE_ENTRIES);
            wire_u32(w, 0);
            wire_u32(w, 0);
        } else {
            checker_entries(c, w, 200 + seen);
        }
        return true;
    case WIRE_CODE:
        wire_begin(w, WIRE_NOTED);
        return true;
    case WIRE_LAUNCH:
        checker_read_launch(c, r);
        checker_launched(c, w, true);
        return true;
    case WIRE_PASSED:
        checker_read_launch(c, r);
        return false;
    case WIRE_CONTENTS:
        checker_read_contents(c, r);
        checker_launched(c, w, false);
        return true;
    case WIRE_EXECUTE:
        checker_wants_memory(c, r, w);
        return true;
    case WIRE_MEMORY:
        checker_executed(c, r, w);
        return true;
    case WIRE_REMARK:
        c->remark_kind = wire_read_u32(r);
        checker_copy_text(r, c->remark, sizeof c->remark);
        return false;
    default:
        return false;
    }
}

/* ---- Section: Connections ---- */

static inline void checker_wait(const checker *c, int fd)
{
    static const uint8_t wait[] = {4, 0, 0, 0, WIRE_WAIT, 0, 0, 0};
    for (unsigned i = 0; i < c->n_waits; i++) {
        usleep(c->wait_us);
        send(fd, wait, sizeof wait, MSG_NOSIGNAL);
    }
}

static inline void checker_misbehave(const checker *c, int fd, const wire_writer *w)
{
    static const uint8_t else_[] = {4, 0, 0, 0, WIRE_BYE, 0, 0, 0};
    static const uint8_t long_[] = {0xff, 0xff, 0xff, 0xff, WIRE_ENTRIES, 0, 0, 0};
    char unused;
    if (c->fault == CUTS)
        send(fd, w->data, w->length / 2, MSG_NOSIGNAL);
    else if (c->fault == ANSWERS_ELSE)
        send(fd, else_, sizeof else_, MSG_NOSIGNAL);
    else if (c->fault == ANSWERS_LONG)
        send(fd, long_, sizeof long_, MSG_NOSIGNAL);
    else if (c->fault == HANGS)
        while (recv(fd, &unused, 1, 0) > 0)
            ;
    checker_wait(c, fd);
    if (c->fault == LASTS)
        send(fd, w->data, w->length, MSG_NOSIGNAL);
}

typedef struct checker_connection {
    checker *c;
    int fd;
} checker_connection;

static inline void *checker_serve(void *user)
{
    checker_connection k = *(checker_connection *)user;
    free(user);
    uint8_t header[8], *frame = NULL;
    wire_writer w = {0};
    while (checker_receive(k.fd, header, sizeof header)) {
        uint32_t length = (uint32_t)header[0] | (uint32_t)header[1] << 8 |
                          (uint32_t)header[2] << 16 | (uint32_t)header[3] << 24;
        if (k.c->fault == READS_LATE && header[4] == k.c->faulty)
            checker_wait(k.c, k.fd);
        frame = realloc(frame, length + 4);
        memcpy(frame, header, sizeof header);
        if (!checker_receive(k.fd, frame + 8, length - 4))
            break;
        wire_reader r;
        pthread_mutex_lock(&k.c->lock);
        wire_kind kind = wire_open(frame, length + 4, &r);
        bool answers = checker_answer(k.c, kind, &r, &w) && wire_end(&w);
        pthread_mutex_unlock(&k.c->lock);
        if (k.c->fault && k.c->fault != READS_LATE && kind == k.c->faulty) {
            checker_misbehave(k.c, k.fd, &w);
            if (k.c->fault != LASTS)
                break;
        } else if (answers) {
            send(k.fd, w.data, w.length, MSG_NOSIGNAL);
        }
    }
    free(frame);
    wire_free(&w);
    close(k.fd);
    return NULL;
}

static inline void *checker_listen(void *user)
{
    checker *c = user;
    pthread_t threads[64];
    for (;;) {
        int fd = accept(c->listener, NULL, NULL);
        if (fd < 0 || c->connections == 64)
            break;
        checker_connection *k = malloc(sizeof *k);
        *k = (checker_connection){c, fd};
        pthread_create(&threads[c->connections++], NULL, checker_serve, k);
    }
    for (int i = 0; i < c->connections; i++)
        pthread_join(threads[i], NULL);
    return NULL;
}

/* Opens the socket; connections wait until checker_start. */
static inline void checker_open(checker *c)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv(WIRE_SOCKET_VARIABLE));
    snprintf(c->path, sizeof c->path, "%s", address.sun_path);
    unlink(c->path);
    pthread_mutex_init(&c->lock, NULL);
    c->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(c->listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(c->listener, 64), 0);
}

static inline void checker_start(checker *c)
{
    assert_int_equal(pthread_create(&c->thread, NULL, checker_listen, c), 0);
}

/* Waits for all connections to end. */
static inline void checker_stop(checker *c)
{
    shutdown(c->listener, SHUT_RDWR);
    pthread_join(c->thread, NULL);
    close(c->listener);
    unlink(c->path);
}

/* ---- Section: Programs ---- */

/* In a program: ends it where a condition does not hold. */
#define EXPECT(condition)                                                                          \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), _exit(1)))

/* Runs a program in a child, beside a checker, to its end by exit(). The checker's thread starts
 * after the fork: a lock that it held, of the allocator for one, would stay held in the child. */
static inline void run_program(checker *c, void (*program)(void))
{
    checker_open(c);
    pid_t child = fork();
    if (child == 0) {
        close(c->listener);
        program();
        exit(0);
    }
    checker_start(c);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    checker_stop(c);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Starts the test again with the name of a socket in its environment, which the recorder reads when
 * it is loaded. */
static inline void need_socket(char **argv)
{
    if (getenv(WIRE_SOCKET_VARIABLE))
        return;
    char path[100];
    snprintf(path, sizeof path, "/tmp/tilerace-test-%d", (int)getpid());
    setenv(WIRE_SOCKET_VARIABLE, path, 1);
    execv("/proc/self/exe", argv);
    _exit(127);
}

#endif

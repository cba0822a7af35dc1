/* The connection to the checker: opened when the first thing is told, one message and its answer at
 * a time, closed for good at the first error. */
#include "recorder/private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    SECONDS_TO_GREET = 10,
    SECONDS_TO_ANSWER = 60, /* or to say that it takes longer: else the checker counts as hung */
    FRAME_HEADER = 8,
    LOW_DESCRIPTORS = 200, /* left to the program: scripts and daemons count on low numbers */
    RECORDER_PRIORITY = 101,
    KEPT_BYTES = 64 << 20, /* a writer that grew beyond this is freed after use */
};

enum { NOT_TRIED, OFF, ON, LOST }; /* c.state */

/* There is one conversation a process, as there is one socket path. */
static struct {
    struct sockaddr_un address; /* an empty path: there is no checker */
    pthread_mutex_t lock;       /* held for a message and its answer */
    atomic_int state;
    atomic_uint flags;
    int fd;
    dev_t device; /* of the socket: a program may close any descriptor and use its number again */
    ino_t inode;
    pid_t process; /* whose connection it is */
    int cancel;    /* thread cancellation as the caller had it */
    int saved_errno;
    wire_writer out;
    uint8_t *in;
    size_t in_room;
} c = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ---- Section: Bytes ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_ours(void)
{
    struct stat is;
    return c.fd >= 0 && fstat(c.fd, &is) == 0 && S_ISSOCK(is.st_mode) && is.st_dev == c.device &&
           is.st_ino == c.inode;
}

static int64_t after_seconds(int seconds)
{
    return now_ms() + seconds * 1000;
}

/* Waits until the socket is ready for one of the events, and returns for which; 0: for none by the
 * deadline. */
static short await(short events, int64_t deadline)
{
    for (;;) {
        int64_t left = deadline - now_ms();
        struct pollfd p = {.fd = c.fd, .events = events};
        int n = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (n > 0)
            return p.revents;
        if (n == 0 || errno != EINTR)
            return 0;
    }
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool receive_all(uint8_t *data, size_t length, int64_t deadline)
{
    while (length > 0) {
        ssize_t n = recv(c.fd, data, length, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && !(would_block() && await(POLLIN, deadline))))
            return false;
        data += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Waits until something can be sent. The checker takes in nothing while it is busy, and says WAIT
 * meanwhile; it has as many seconds again after each. Nothing else comes before a message has been
 * sent whole. */
static bool await_room(int seconds)
{
    for (;;) {
        uint8_t frame[FRAME_HEADER];
        wire_reader r;
        bool bad;
        short ready = await(POLLIN | POLLOUT, after_seconds(seconds));
        if (ready & POLLOUT || !(ready & POLLIN))
            return ready & POLLOUT;
        if (!receive_all(frame, sizeof frame, after_seconds(seconds)) ||
            wire_frame(frame, sizeof frame, &bad) != sizeof frame ||
            wire_open(frame, sizeof frame, &r) != WIRE_WAIT)
            return false;
    }
}

static bool send_all(const uint8_t *data, size_t length, int seconds)
{
    while (length > 0) {
        ssize_t n = send(c.fd, data, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && !(would_block() && await_room(seconds)))
            return false;
        data += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool make_room(size_t size)
{
    if (size <= c.in_room)
        return true;
    uint8_t *larger = realloc(c.in, size);
    if (!larger)
        return false;
    c.in = larger;
    c.in_room = size;
    return true;
}

/* Receives one frame of any kind. */
static bool receive_frame(wire_kind *kind, wire_reader *r, int64_t deadline)
{
    if (!make_room(FRAME_HEADER) || !receive_all(c.in, FRAME_HEADER, deadline))
        return false;
    wire_reader header = {.at = c.in, .end = c.in + FRAME_HEADER};
    size_t length = (size_t)wire_read_u32(&header) + FRAME_HEADER / 2;
    if (length < FRAME_HEADER || length > WIRE_LONGEST || !make_room(length) ||
        !receive_all(c.in + FRAME_HEADER, length - FRAME_HEADER, deadline))
        return false;

    bool bad;
    if (wire_frame(c.in, length, &bad) != length)
        return false;
    *kind = wire_open(c.in, length, r);
    return true;
}

/* Receives an answer. The checker has so many seconds for it, and as many again after each WAIT. */
static bool receive_answer(wire_kind *kind, wire_reader *r, int seconds)
{
    do {
        if (!receive_frame(kind, r, after_seconds(seconds)))
            return false;
    } while (*kind == WIRE_WAIT);
    return true;
}

/* ---- Section: Beginning and end ---- */

static void hang_up(void)
{
    if (is_ours())
        close(c.fd);
    c.fd = -1;
}

void conversation_lose(const char *why)
{
    if (is_ours()) {
        wire_begin(&c.out, WIRE_REMARK);
        wire_u32(&c.out, WIRE_LOST);
        wire_text(&c.out, why);
        if (wire_end(&c.out))
            (void)!send(c.fd, c.out.data, c.out.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    hang_up();
    atomic_store(&c.state, LOST);
}

/* How much of a command line, words that end with a 0, names the program: its first word, and of
 * Python also the script or module. What follows may be nobody else's business. */
static size_t program_length(const char *words, size_t length)
{
    size_t first = strlen(words), at = first + 1;
    const char *slash = strrchr(words, '/');
    if (strncmp(slash ? slash + 1 : words, "python", 6) != 0)
        return first;
    while (at < length) {
        const char *word = words + at;
        size_t end = at + strlen(word);
        bool has_argument = strcmp(word, "-X") == 0 || strcmp(word, "-W") == 0;
        bool is_module = strcmp(word, "-m") == 0;
        if (word[0] != '-')
            return end;
        if (strcmp(word, "-c") == 0)
            return first;
        at = end + 1;
        if ((has_argument || is_module) && at < length)
            at += strlen(words + at) + 1;
        if (is_module)
            return at - 1 < length ? at - 1 : length;
    }
    return first;
}

/* Adds the part of this process's command line that names the program. */
static void add_program(wire_writer *w)
{
    char text[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    size_t length = n > 0 ? (size_t)n : 0;
    text[length] = 0;
    length = program_length(text, length);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] ? text[i] : ' ';
    text[length] = 0;
    wire_text(w, text);
}

static bool connect_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    c.fd = fcntl(fd, F_DUPFD_CLOEXEC, LOW_DESCRIPTORS);
    if (c.fd < 0)
        c.fd = fd;
    else
        close(fd);

    struct timeval limit = {.tv_sec = SECONDS_TO_GREET}; /* of a wait in a full backlog */
    setsockopt(c.fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    int failed;
    do
        failed = connect(c.fd, (struct sockaddr *)&c.address, sizeof c.address);
    while (failed && errno == EINTR);

    struct stat is;
    if (failed || fstat(c.fd, &is) != 0) {
        close(c.fd);
        c.fd = -1;
        return false;
    }
    c.device = is.st_dev;
    c.inode = is.st_ino;
    return true;
}

static bool greet(void)
{
    wire_kind answer;
    wire_begin(&c.out, WIRE_HELLO);
    wire_u32(&c.out, WIRE_VERSION);
    wire_u32(&c.out, (uint32_t)c.process);
    wire_u32(&c.out, (uint32_t)getppid());
    add_program(&c.out);
    wire_reader r;
    if (!wire_end(&c.out) || !send_all(c.out.data, c.out.length, SECONDS_TO_GREET) ||
        !receive_answer(&answer, &r, SECONDS_TO_GREET) || answer != WIRE_WELCOME)
        return false;
    uint32_t version = wire_read_u32(&r), flags = wire_read_u32(&r);
    atomic_store(&c.flags, flags);
    return wire_read_all(&r) && version == WIRE_VERSION;
}

static void begin(void)
{
    c.process = getpid();
    if (!connect_socket()) {
        atomic_store(&c.state, OFF);
    } else if (!greet()) {
        hang_up();
        atomic_store(&c.state, LOST);
    } else {
        atomic_store(&c.state, ON);
    }
}

/* A process that was made without fork() has its parent's connection, and a program that closes all
 * descriptors has none: both begin anew. */
static void begin_again_if_needed(void)
{
    if (atomic_load(&c.state) != ON || (c.process == getpid() && is_ours()))
        return;
    hang_up();
    tables_lock();
    launches_forget();
    tables_unlock();
    begin();
}

/* ---- Section: For the other files ---- */

static bool is_over(void)
{
    int is = atomic_load(&c.state);
    return is == OFF || is == LOST;
}

/* A thread that is cancelled while it holds the lock would stop all others. */
static void take(void)
{
    int cancel, saved = errno;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&c.lock);
    c.cancel = cancel;
    c.saved_errno = saved;
}

void conversation_leave(void)
{
    if (c.out.room > KEPT_BYTES)
        wire_free(&c.out);
    if (c.in_room > KEPT_BYTES) {
        free(c.in);
        c.in = NULL;
        c.in_room = 0;
    }
    int cancel = c.cancel, saved = c.saved_errno;
    pthread_mutex_unlock(&c.lock);
    pthread_setcancelstate(cancel, NULL);
    errno = saved;
}

bool conversation_enter(void)
{
    if (is_over())
        return false;
    take();
    if (atomic_load(&c.state) == NOT_TRIED)
        begin();
    else
        begin_again_if_needed();
    if (atomic_load(&c.state) == ON)
        return true;
    conversation_leave();
    return false;
}

wire_writer *conversation_begin(wire_kind kind)
{
    wire_begin(&c.out, kind);
    return &c.out;
}

bool conversation_tell(void)
{
    if (atomic_load(&c.state) != ON)
        return false;
    if (!wire_end(&c.out)) {
        conversation_lose("a message was too large");
        return false;
    }
    if (!send_all(c.out.data, c.out.length, SECONDS_TO_ANSWER)) {
        hang_up(); /* in the middle of a message nothing more can be said */
        atomic_store(&c.state, LOST);
        return false;
    }
    return true;
}

bool conversation_ask_any(wire_kind *answer, wire_reader *r)
{
    if (!conversation_tell())
        return false;
    if (receive_answer(answer, r, SECONDS_TO_ANSWER))
        return true;
    conversation_lose("the checker did not answer");
    return false;
}

bool conversation_ask(wire_kind answer, wire_reader *r)
{
    wire_kind is;
    if (!conversation_ask_any(&is, r))
        return false;
    if (is == answer)
        return true;
    conversation_lose("the checker did not answer");
    return false;
}

bool recorder_is_on(void)
{
    if (atomic_load(&c.state) == ON)
        return true;
    if (!conversation_enter())
        return false;
    conversation_leave();
    return true;
}

uint32_t recorder_flags(void)
{
    return recorder_is_on() ? atomic_load(&c.flags) : 0;
}

void recorder_remark(wire_remark remark, const char *about)
{
    if (!conversation_enter())
        return;
    wire_writer *w = conversation_begin(WIRE_REMARK);
    wire_u32(w, remark);
    wire_text(w, about);
    conversation_tell();
    conversation_leave();
}

/* ---- Section: The life of the process ---- */

static void before_fork(void)
{
    pthread_mutex_lock(&c.lock);
    tables_lock();
}

static void after_fork_in_parent(void)
{
    tables_unlock();
    pthread_mutex_unlock(&c.lock);
}

/* Images keep their numbers, which are the checker's; launches are told again. */
static void after_fork_in_child(void)
{
    launches_forget();
    streams_forget();
    if (atomic_load(&c.state) == ON) {
        hang_up();
        atomic_store(&c.state, NOT_TRIED);
    }
    after_fork_in_parent();
}

/* The path is kept: a program may clear its environment. Runs before the constructors of drivers:
 * the last that registers is the first whose locks a fork takes, and a driver asks the recorder
 * with its own lock held. */
__attribute__((constructor(RECORDER_PRIORITY))) static void prepare(void)
{
    const char *path = getenv(WIRE_SOCKET_VARIABLE);
    c.address.sun_family = AF_UNIX;
    if (!path || !*path || strlen(path) >= sizeof c.address.sun_path) {
        atomic_store(&c.state, OFF);
        return;
    }
    strcpy(c.address.sun_path, path);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

__attribute__((destructor)) static void say_goodbye(void)
{
    if (atomic_load(&c.state) != ON || pthread_mutex_trylock(&c.lock) != 0)
        return;
    if (atomic_load(&c.state) == ON && c.process == getpid() && is_ours()) {
        wire_begin(&c.out, WIRE_BYE);
        if (wire_end(&c.out))
            (void)!send(c.fd, c.out.data, c.out.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    hang_up();
    atomic_store(&c.state, OFF);
    wire_free(&c.out);
    free(c.in);
    c.in = NULL;
    c.in_room = 0;
    pthread_mutex_unlock(&c.lock);
}

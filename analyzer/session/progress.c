#include "session/progress.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/process.h"
#include "processes/children.h"

enum {
    SHOWN_AFTER_MS = 500,
    DRAWN_EVERY_MS = 100,
    DEFAULT_WIDTH = 80,
    PATIENCE_MS = 300, /* for workers that were asked to stop */
};

typedef enum file_state { FILE_WAITS, FILE_RUNS, FILE_DONE } file_state;

typedef struct file_slot {
    atomic_int state; /* file_state */
    progress_step step;
    int64_t began_ms;
    unsigned kernels; /* that were taken up */
    char name[200], kernel[100];
} file_slot;

struct progress {
    FILE *err;
    bool shown, told;
    bool drawn;        /* something is on the line */
    int signals, wake; /* signalfd, eventfd */
    sigset_t before;   /* the mask of the thread that started us */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below, and of what is written to `err` */
    pthread_cond_t changed;
    bool ends;
    bool runs;    /* progress_run waits for `work` */
    bool is_over; /* the thread that draws has come to its end */
    int signal;   /* the first that came; 0: none */
    atomic_bool stop;
    int64_t began_ms;
    size_t n;
    file_slot *files;
    void (*work)(void *user);
    void *user;
};

/* ---- Words ---- */

/* Bytes of the letter of UTF-8 that begins there; 0: none does, or it is a control character, which
 * a terminal would obey. */
static size_t letter(const char *text)
{
    const unsigned char *u = (const unsigned char *)text;
    size_t size = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    if (u[0] < 0x20 || u[0] == 0x7f || u[0] > 0xf4 || (u[0] == 0xc2 && u[1] < 0xa0))
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

/* Names come from outside: what is no letter becomes `?`. Cut where there is no room. */
static void keep_name(char *to, size_t size, const char *name)
{
    size_t n = 0;
    while (*name) {
        size_t length = letter(name), kept = length ? length : 1;
        if (n + kept + 1 > size)
            break;
        memcpy(to + n, length ? name : "?", kept);
        n += kept;
        name += kept;
    }
    to[n] = 0;
}

/* Columns: a letter beyond ASCII may take two. */
static void cut(tr_text *text, size_t width)
{
    size_t columns = 0, at = 0;
    while (at < text->length) {
        size_t size = letter(text->data + at);
        columns += size == 1 ? 1 : 2;
        if (columns > width)
            break;
        at += size;
    }
    if (at < text->length) {
        text->length = at;
        text->data[at] = 0;
    }
}

static const char *step_words(progress_step step)
{
    static const char *const words[] = {
#define PROGRESS_STEP(id, words) words,
#include "session/progress_steps.def"
    };
    return words[step];
}

/* The file that has run longest, how many run and how many are done. */
static const file_slot *longest(const progress *p, size_t *running, size_t *done)
{
    const file_slot *found = NULL;
    *running = *done = 0;
    for (size_t i = 0; i < p->n; i++) {
        int state = atomic_load(&p->files[i].state);
        *done += state == FILE_DONE;
        *running += state == FILE_RUNS;
        if (state == FILE_RUNS && (!found || p->files[i].began_ms < found->began_ms))
            found = &p->files[i];
    }
    return found;
}

/* Adds the line, without what moves the cursor, at most `width` columns wide: "tilerace: 3 of 12
 * files; a.c: 'softmax', proving". */
static void add_words(tr_text *out, const progress *p, size_t width)
{
    size_t running, done;
    const file_slot *file = longest(p, &running, &done);
    tr_text_addf(out, "tilerace: %zu of %zu file%s", done, p->n, p->n == 1 ? "" : "s");
    if (file) {
        tr_text_addf(out, "; %s: ", file->name);
        if (file->kernel[0])
            tr_text_addf(out, "'%s', ", file->kernel);
        tr_text_add(out, step_words(file->step));
        if (running > 1)
            tr_text_addf(out, " (and %zu more)", running - 1);
    }
    cut(out, width);
}

/* ---- The line; the lock is held ---- */

static void clear(progress *p)
{
    if (!p->drawn)
        return;
    fputs("\r\033[K", p->err);
    fflush(p->err);
    p->drawn = false;
}

static size_t width_of(FILE *stream)
{
    struct winsize size;
    bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return (known ? size.ws_col : DEFAULT_WIDTH) - (size_t)1;
}

static void draw(progress *p)
{
    if (!p->shown || !p->runs || p->is_over || p->signal ||
        tr_now_ms() - p->began_ms < SHOWN_AFTER_MS)
        return;
    tr_text line = {0};
    add_words(&line, p, width_of(p->err));
    fprintf(p->err, "\r\033[K%s", tr_text_get(&line));
    fflush(p->err);
    p->drawn = true;
    tr_text_free(&line);
}

/* ---- The end by a signal ---- */

__attribute__((noreturn)) static void end_now(int signal)
{
    children_kill();
    _exit(128 + signal);
}

/* False: there is nobody to write a report, or it is being written. */
static bool interrupt(progress *p, int signal)
{
    bool is_first = !p->signal;
    p->signal = is_first ? signal : p->signal;
    clear(p);
    atomic_store(&p->stop, true);
    if (!is_first || !p->runs || p->is_over)
        return false;
    children_kill(); /* solvers: whoever waits for one goes on */
    pthread_cond_broadcast(&p->changed);
    return true;
}

static void *watch(void *user)
{
    progress *p = user;
    struct pollfd of[2] = {{.fd = p->signals, .events = POLLIN}, {.fd = p->wake, .events = POLLIN}};
    for (;;) {
        int ready = poll(of, 2, p->shown ? DRAWN_EVERY_MS : -1);
        struct signalfd_siginfo info;
        pthread_mutex_lock(&p->lock);
        bool ends = p->ends;
        if (!ends && ready > 0 && (of[0].revents & POLLIN) &&
            read(p->signals, &info, sizeof info) == (ssize_t)sizeof info &&
            !interrupt(p, (int)info.ssi_signo))
            end_now((int)info.ssi_signo);
        if (!ends && ready == 0)
            draw(p);
        pthread_mutex_unlock(&p->lock);
        if (ends)
            return NULL;
    }
}

/* ---- Start and stop ---- */

/* Takes over the signals. A signal that is ignored stays ignored, as under `nohup` or for jobs that
 * a shell runs in the background. */
static void take_signals(sigset_t *set)
{
    static const int ours[] = {SIGINT, SIGTERM};
    sigemptyset(set);
    for (size_t i = 0; i < TR_COUNT(ours); i++) {
        struct sigaction action;
        if (sigaction(ours[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, ours[i]);
    }
}

tr_give progress *progress_start(FILE *err, bool shown, bool told)
{
    progress *p = calloc(1, sizeof *p);
    if (!p)
        tr_no_memory();
    p->err = err;
    p->shown = shown;
    p->told = told;
    p->began_ms = tr_now_ms();
    atomic_init(&p->stop, false);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    sigset_t set;
    take_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, &p->before);
    p->signals = signalfd(-1, &set, SFD_CLOEXEC);
    p->wake = eventfd(0, EFD_CLOEXEC);
    if (p->signals >= 0 && p->wake >= 0 && pthread_create(&p->thread, NULL, watch, p) == 0)
        return p;
    progress_stop(p); /* signals end the process as they do any */
    return NULL;
}

static void release(progress *p)
{
    if (p->signals >= 0)
        close(p->signals);
    if (p->wake >= 0)
        close(p->wake);
    pthread_sigmask(SIG_SETMASK, &p->before, NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
    free(p->files);
    free(p);
}

void progress_stop(tr_take progress *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_mutex_unlock(&p->lock);
    if (p->thread) {
        const uint64_t one = 1;
        if (write(p->wake, &one, sizeof one) == (ssize_t)sizeof one)
            pthread_join(p->thread, NULL);
    }
    release(p);
}

/* ---- The run ---- */

static void *run_work(void *user)
{
    progress *p = user;
    p->work(p->user);
    pthread_mutex_lock(&p->lock);
    p->is_over = true;
    clear(p);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void progress_heed(progress *p, bool heeds)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->runs = heeds;
    pthread_mutex_unlock(&p->lock);
}

bool progress_run(progress *p, size_t n, void (*work)(void *user), void *user)
{
    pthread_t thread;
    if (!p) {
        work(user);
        return true;
    }
    pthread_mutex_lock(&p->lock);
    p->files = calloc(n + 1, sizeof *p->files);
    if (!p->files)
        tr_no_memory();
    p->n = n;
    p->work = work;
    p->user = user;
    p->runs = true;
    p->is_over = false;
    pthread_mutex_unlock(&p->lock);
    if (pthread_create(&thread, NULL, run_work, p) !=
        0) { /* no thread to be had: not interrupted */
        run_work(p);
        return true;
    }
    pthread_mutex_lock(&p->lock);
    while (!p->is_over && !p->signal)
        pthread_cond_wait(&p->changed, &p->lock);
    /* Workers that were told to stop may be faster than this thread: their end is none of the run.
     */
    bool is_over = p->is_over, is_whole = !p->signal;
    p->runs = false; /* from here on a signal ends the process at once */
    pthread_mutex_unlock(&p->lock);
    if (is_over)
        pthread_join(thread, NULL);
    return is_whole;
}

bool progress_is_done(const progress *p, size_t file)
{
    return !p || atomic_load(&p->files[file].state) == FILE_DONE;
}

__attribute__((noreturn)) void progress_quit(progress *p)
{
    fflush(NULL);
    int64_t until = tr_now_ms() + PATIENCE_MS;
    for (bool is_over = false; !is_over && tr_now_ms() < until;) {
        children_kill(); /* also what a worker started before it saw that it should stop */
        struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&p->lock);
        is_over = p->is_over;
        pthread_mutex_unlock(&p->lock);
    }
    end_now(p->signal);
}

const atomic_bool *progress_stop_flag(const progress *p)
{
    return p ? &p->stop : NULL;
}

/* ---- What workers report ---- */

void progress_begin_file(progress *p, size_t file, const char *name)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    file_slot *slot = &p->files[file];
    keep_name(slot->name, sizeof slot->name, name);
    slot->kernel[0] = 0;
    slot->step = PROGRESS_READING;
    slot->began_ms = tr_now_ms();
    atomic_store(&slot->state, FILE_RUNS);
    pthread_mutex_unlock(&p->lock);
}

void progress_kernel(progress *p, size_t file, const char *kernel)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    keep_name(p->files[file].kernel, sizeof p->files[file].kernel, kernel ? kernel : "");
    p->files[file].kernels++;
    pthread_mutex_unlock(&p->lock);
}

void progress_phase(progress *p, size_t file, progress_step step)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->files[file].step = step;
    pthread_mutex_unlock(&p->lock);
}

void progress_end_file(progress *p, size_t file)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    file_slot *slot = &p->files[file];
    if (!p->signal) { /* what ends after a signal may have lost its solver to it */
        atomic_store(&slot->state, FILE_DONE);
        if (p->told) {
            clear(p);
            fprintf(p->err, "tilerace: %s: %u kernel%s, %.2f s\n", slot->name, slot->kernels,
                    slot->kernels == 1 ? "" : "s", (double)(tr_now_ms() - slot->began_ms) / 1e3);
        }
    }
    pthread_mutex_unlock(&p->lock);
}

#include "exec/modules.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"

enum { FIRST_DESCRIPTOR = 3 };

/* ---- Section: Which modules there are ---- */

static uint64_t hash_of(const void *bytes, size_t size, const char *names)
{
    return stbds_hash_bytes((void *)bytes, size, 1) ^
           stbds_hash_bytes((void *)names, strlen(names), 2);
}

static module *find(const modules *all, uint64_t hash, const void *bytes, size_t size,
                    const char *names)
{
    for (size_t i = 0; i < arrlenu(all->items); i++) {
        module *m = all->items[i];
        if (m->hash == hash && m->size == size && memcmp(m->bytes, bytes, size) == 0 &&
            strcmp(m->names, names) == 0)
            return m;
    }
    return NULL;
}

static bool has_bytes(const module *m, const void *bytes, size_t size)
{
    return m->size == size && memcmp(m->bytes, bytes, size) == 0;
}

/* An assembler knows no names, and its module may be one that a front end tells with them. */
static bool is_of_assembler(const char *front_end, const char *names)
{
    return !names[0] && strcmp(front_end, "tileiras") == 0;
}

/* NULL: there is none. */
static module *find_named(const modules *all, const void *bytes, size_t size)
{
    for (size_t i = 0; i < arrlenu(all->items); i++)
        if (all->items[i]->names[0] && has_bytes(all->items[i], bytes, size))
            return all->items[i];
    return NULL;
}

static bool was_launched(const module *m)
{
    for (size_t k = 0; k < m->n_kernels; k++)
        for (size_t j = 0; j < JUDGEMENT_COUNT; j++)
            if (m->kernels[k].launches[j] > 0)
                return true;
    return m->lost > 0;
}

module *modules_unnamed(const modules *all, const module *named)
{
    for (size_t i = 0; named->names[0] && i < arrlenu(all->items); i++) {
        module *m = all->items[i];
        if (is_of_assembler(m->front_end, m->names) && !m->same &&
            has_bytes(m, named->bytes, named->size) && !m->holder && !was_launched(m))
            return m;
    }
    return NULL;
}

void modules_replace(modules *all, module *unnamed, module *named)
{
    modules_stop(all, unnamed, true);
    unnamed->same = named;
    named->is_wanted |= unnamed->is_wanted;
    unnamed->is_checked = false;
    unnamed->n_kernels = 0;
    unnamed->error = NULL;
}

static void free_module(module *m)
{
    free(m->bytes);
    free(m->front_end);
    free(m->names);
    free(m->entries);
    arrfree(m->waiting);
    arrfree(m->others);
    free(m);
}

module *modules_add(modules *all, const void *bytes, size_t size, const char *front_end,
                    const char *names)
{
    uint64_t hash = hash_of(bytes, size, names);
    module *m = find(all, hash, bytes, size, names);
    if (!m && is_of_assembler(front_end, names))
        m = find_named(all, bytes, size);
    if (m)
        return m;
    m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (module){.size = size, .hash = hash, .channel = {.fd = -1}};
    m->bytes = malloc(size + 1);
    m->front_end = strdup(front_end);
    m->names = strdup(names);
    if (!m->bytes || !m->front_end || !m->names) {
        free_module(m);
        return NULL;
    }
    memcpy(m->bytes, bytes, size);
    arrput(all->items, m);
    m->number = (uint32_t)arrlenu(all->items);
    return m;
}

module *modules_same(modules *all, module *m, uint64_t high, uint64_t low)
{
    m->key[0] = high;
    m->key[1] = low;
    for (size_t i = 0; (high || low) && i < arrlenu(all->items); i++) {
        module *other = all->items[i];
        if (other != m && !other->same && other->key[0] == high && other->key[1] == low &&
            strcmp(other->names, m->names) == 0)
            return m->same = other;
    }
    return NULL;
}

module *modules_at(const modules *all, uint32_t number)
{
    return number > 0 && number <= arrlenu(all->items) ? all->items[number - 1] : NULL;
}

module_kernel *modules_kernel(module *m, uint32_t number)
{
    return number < m->n_kernels ? &m->kernels[number] : NULL;
}

void modules_free(modules *all)
{
    for (size_t i = 0; i < arrlenu(all->items); i++) {
        modules_stop(all, all->items[i], true);
        free_module(all->items[i]);
    }
    arrfree(all->items);
}

/* ---- Section: Their processes ---- */

/* Makes the child a process of its own beside the watcher. A signal that a terminal, or `timeout`,
 * sends to a whole group is for the program, whose launches are judged to the end. The child ends
 * when the watcher does. */
static void become_worker(int fd)
{
    static const int of_group[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < TR_COUNT(of_group); i++)
        signal(of_group[i], SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef __SANITIZE_ADDRESS__
    rlim_t memory = (rlim_t)8 << 30;
    setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
#endif
    for (int other = FIRST_DESCRIPTOR, most = (int)sysconf(_SC_OPEN_MAX);
         other < most && other < 4096; other++)
        if (other != fd)
            close(other);
}

static void serve(const modules *all, const module *m, int fd)
{
    worker_task task = {.bytes = m->bytes,
                        .size = m->size,
                        .names = m->names,
                        .number = m->number,
                        .options = all->options};
    become_worker(fd);
    exec_worker_serve(fd, &task);
    _exit(0);
}

/* Stops the module that was used longest ago, among those that nobody waits for. */
static void stop_oldest(modules *all)
{
    module *oldest = NULL;
    for (size_t i = 0; i < arrlenu(all->items); i++) {
        module *m = all->items[i];
        bool is_idle = m->pid && m->is_checked && !m->holder && arrlenu(m->waiting) == 0;
        if (is_idle && (!oldest || m->last_used < oldest->last_used))
            oldest = m;
    }
    if (oldest)
        modules_stop(all, oldest, false);
}

bool modules_start(modules *all, module *m)
{
    int ends[2];
    m->last_used = ++all->clock;
    if (m->pid || m->error)
        return m->pid != 0;
    if (all->n_workers >= MOST_WORKERS)
        stop_oldest(all);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        m->error = tr_arena_strdup(all->arena, strerror(errno));
        return false;
    }
    pid_t pid = fork();
    if (pid == 0)
        serve(all, m, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        m->error = tr_arena_strdup(all->arena, strerror(errno));
        close(ends[0]);
        return false;
    }
    /* A process that hangs must not hang us. */
    struct timeval longest = {.tv_sec = WORKER_PATIENCE_MS / 1000};
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    m->channel = (channel){.fd = ends[0]};
    m->pid = pid;
    m->answer = patience_begin(m->pid, WORKER_PATIENCE_MS);
    all->n_workers++;
    return true;
}

void modules_stop(modules *all, module *m, bool at_once)
{
    if (!m->pid)
        return;
    if (at_once)
        kill(m->pid, SIGKILL);
    channel_close(&m->channel);
    m->pid = 0;
    m->answer = (patience){0};
    m->program = NULL;
    arrsetlen(m->others, 0);
    all->n_workers--;
}

/* ---- Section: What they say ---- */

static const char *read_text(tr_arena *arena, wire_reader *r)
{
    size_t length;
    const uint8_t *text = wire_read_bytes(r, &length);
    return tr_arena_strndup(arena, (const char *)text, length);
}

void modules_not_recorded(modules *all, const char *why)
{
    if (!why[0])
        return;
    if (all->not_recorded++ == 0)
        all->why_not_recorded = why;
}

bool modules_read_checked(modules *all, module *m, wire_reader *r)
{
    enum { LEAST = 4 + 4 + 1 + 4 + 1 + 4 };
    m->answer = (patience){0};
    if (m->is_checked)
        return true; /* by a process before this one */
    size_t n = wire_read_count(r, LEAST);
    module_kernel *kernels = TR_NEW_ARRAY(all->arena, module_kernel, n + 1);
    for (size_t i = 0; i < n; i++) {
        kernels[i].symbol = read_text(all->arena, r);
        kernels[i].shown = tr_shown(all->arena, read_text(all->arena, r));
        kernels[i].verdict = (tilerace_verdict)wire_read_u8(r);
        kernels[i].n_preconditions = wire_read_u32(r);
        kernels[i].is_allowed = wire_read_u8(r);
        kernels[i].report = read_text(all->arena, r);
    }
    const char *error = read_text(all->arena, r), *lost = read_text(all->arena, r);
    if (!wire_read_all(r))
        return false;
    modules_not_recorded(all, lost);
    m->is_checked = true;
    m->kernels = kernels;
    m->n_kernels = n;
    m->error = error[0] ? error : NULL;
    return true;
}

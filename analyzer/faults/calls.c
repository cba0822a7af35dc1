/* The functions that stand before those of the C library (calls.def): each counts, and fails where
 * the plan says so as the C library's would. */
#include "faults/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Declares __real_NAME, the C library's, and __wrap_NAME, and begins to define that. */
#define CALL(type, name, ...)                                                                      \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)
#define COMES(kind)        fault_comes(FAULT_##kind, -1, __builtin_return_address(0))
#define COMES_ON(kind, fd) fault_comes(FAULT_##kind, fd, __builtin_return_address(0))
#define FAIL(error, value)                                                                         \
    do {                                                                                           \
        errno = error;                                                                             \
        return value;                                                                              \
    } while (0)

/* ---- Section: Memory ---- */

CALL(void *, malloc, size_t size)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_malloc(size);
}

CALL(void *, calloc, size_t n, size_t size)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_calloc(n, size);
}

CALL(void *, realloc, void *memory, size_t size)
{
    if (size > 0 && COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_realloc(memory, size);
}

CALL(int, posix_memalign, void **memory, size_t alignment, size_t size)
{
    return COMES(ALLOC) ? ENOMEM : __real_posix_memalign(memory, alignment, size);
}

CALL(void *, aligned_alloc, size_t alignment, size_t size)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_aligned_alloc(alignment, size);
}

CALL(char *, strdup, const char *text)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_strdup(text);
}

CALL(char *, strndup, const char *text, size_t length)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_strndup(text, length);
}

CALL(char *, realpath, const char *path, char *to)
{
    if (!to && COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_realpath(path, to);
}

CALL(FILE *, open_memstream, char **text, size_t *length)
{
    if (COMES(ALLOC))
        FAIL(ENOMEM, NULL);
    return __real_open_memstream(text, length);
}

CALL(void *, mmap, void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (COMES(MAP))
        FAIL(ENOMEM, MAP_FAILED);
    return __real_mmap(at, size, protection, flags, fd, offset);
}

/* ---- Section: Reading and writing ---- */

CALL(ssize_t, read, int fd, void *to, size_t size)
{
    if (COMES(READ))
        FAIL(EIO, -1);
    if (COMES(INTERRUPT))
        FAIL(EINTR, -1);
    return __real_read(fd, to, size > 1 && COMES(READ_SHORT) ? 1 : size);
}

CALL(ssize_t, write, int fd, const void *from, size_t size)
{
    if (COMES_ON(WRITE, fd))
        FAIL(ENOSPC, -1);
    if (COMES(INTERRUPT))
        FAIL(EINTR, -1);
    return __real_write(fd, from, size > 1 && COMES(WRITE_SHORT) ? 1 : size);
}

int __real_fflush(FILE *stream);

/* The C library writes by itself, so that the stream really goes to a full device, and knows of the
 * failure afterwards. */
static int flush_to_full_device(FILE *stream)
{
    int fd = fileno(stream);
    if (fd < 0)
        return __real_fflush(stream); /* in memory */
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    int full = (int)syscall(SYS_openat, AT_FDCWD, "/dev/full", O_WRONLY | O_CLOEXEC, 0);
    dup2(full, fd);
    int result = __real_fflush(stream), error = errno;
    __fpurge(stream);
    dup2(kept, fd);
    close(full);
    close(kept);
    errno = error;
    return result;
}

static bool is_written(FILE *stream)
{
    return stream && __fwritable(stream) && fileno(stream) >= 0;
}

/* Whether what is in the buffer goes the way of all of it. */
static bool write_fails(FILE *stream, const void *caller)
{
    return is_written(stream) && fault_comes(FAULT_WRITE, fileno(stream), caller);
}

CALL(size_t, fwrite, const void *from, size_t size, size_t n, FILE *stream)
{
    bool fails = size * n > 0 && write_fails(stream, __builtin_return_address(0));
    size_t written = __real_fwrite(from, size, n, stream);
    return fails && flush_to_full_device(stream) != 0 ? 0 : written;
}

CALL(int, fputs, const char *text, FILE *stream)
{
    bool fails = text[0] && write_fails(stream, __builtin_return_address(0));
    int written = __real_fputs(text, stream);
    return fails && flush_to_full_device(stream) != 0 ? EOF : written;
}

CALL(int, fflush, FILE *stream)
{
    if (stream && __fpending(stream) > 0 && write_fails(stream, __builtin_return_address(0)))
        return flush_to_full_device(stream);
    return __real_fflush(stream);
}

CALL(int, fclose, FILE *stream)
{
    bool fails = __fpending(stream) > 0 && write_fails(stream, __builtin_return_address(0)) &&
                 flush_to_full_device(stream) != 0;
    int error = errno, closed = __real_fclose(stream);
    if (fails)
        FAIL(error, EOF);
    return closed;
}

CALL(size_t, fread, void *to, size_t size, size_t n, FILE *stream)
{
    if (COMES(READ)) { /* the descriptor gives an error, and so the stream knows of it */
        int nothing = (int)syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_CLOEXEC, 0);
        int kept = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 100);
        dup2(nothing, fileno(stream));
        size_t got = __real_fread(to, size, n, stream);
        int error = errno;
        dup2(kept, fileno(stream));
        close(nothing);
        close(kept);
        errno = error;
        return got;
    }
    return __real_fread(to, size, n, stream);
}

/* ---- Section: Opening ---- */

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (number == SYS_openat && COMES(OPEN))
        FAIL(EMFILE, -1);
    if (number == SYS_openat && COMES(INTERRUPT))
        FAIL(EINTR, -1);
    return __real_syscall(number, a, b, c, d, e, f);
}

CALL(FILE *, fopen, const char *path, const char *mode)
{
    if (COMES(OPEN))
        FAIL(EMFILE, NULL);
    return __real_fopen(path, mode);
}

CALL(DIR *, opendir, const char *path)
{
    if (COMES(OPEN))
        FAIL(EMFILE, NULL);
    return __real_opendir(path);
}

/* ---- Section: Processes ---- */

CALL(pid_t, fork, void)
{
    if (COMES(FORK))
        FAIL(EAGAIN, -1);
    return __real_fork();
}

CALL(int, posix_spawnp, pid_t *id, const char *file, const posix_spawn_file_actions_t *actions,
     const posix_spawnattr_t *attributes, char *const *argv, char *const *environment)
{
    return COMES(FORK) ? EAGAIN
                       : __real_posix_spawnp(id, file, actions, attributes, argv, environment);
}

CALL(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
     void *argument)
{
    return COMES(FORK) ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

CALL(int, pipe2, int ends[2], int flags)
{
    if (COMES(PIPE))
        FAIL(EMFILE, -1);
    return __real_pipe2(ends, flags);
}

CALL(int, socket, int domain, int type, int protocol)
{
    if (COMES(PIPE))
        FAIL(EMFILE, -1);
    return __real_socket(domain, type, protocol);
}

CALL(int, socketpair, int domain, int type, int protocol, int ends[2])
{
    if (COMES(PIPE))
        FAIL(EMFILE, -1);
    return __real_socketpair(domain, type, protocol, ends);
}

CALL(int, signalfd, int fd, const sigset_t *mask, int flags)
{
    if (COMES(PIPE))
        FAIL(EMFILE, -1);
    return __real_signalfd(fd, mask, flags);
}

CALL(int, eventfd, unsigned count, int flags)
{
    if (COMES(PIPE))
        FAIL(EMFILE, -1);
    return __real_eventfd(count, flags);
}

CALL(int, poll, struct pollfd *fds, nfds_t n, int timeout)
{
    if (COMES(INTERRUPT))
        FAIL(EINTR, -1);
    return __real_poll(fds, n, timeout);
}

CALL(pid_t, waitpid, pid_t id, int *status, int options)
{
    if (!(options & WNOHANG) && COMES(INTERRUPT))
        FAIL(EINTR, -1);
    return __real_waitpid(id, status, options);
}

/* ---- Section: Files ---- */

#define CHANGE(name, parameters, ...)                                                              \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        if (COMES(CHANGE))                                                                         \
            FAIL(EIO, -1);                                                                         \
        return __real_##name(__VA_ARGS__);                                                         \
    }
CHANGE(rename, (const char *from, const char *to), from, to)
CHANGE(link, (const char *from, const char *to), from, to)
CHANGE(unlink, (const char *path), path)
CHANGE(mkdir, (const char *path, mode_t mode), path, mode)
CHANGE(fchmod, (int fd, mode_t mode), fd, mode)

CALL(char *, mkdtemp, char *name)
{
    if (COMES(CHANGE))
        FAIL(EIO, NULL);
    return __real_mkdtemp(name);
}

CALL(int, fstat, int fd, struct stat *info)
{
    if (COMES(LOOK))
        FAIL(EIO, -1);
    return __real_fstat(fd, info);
}

/* ---- Section: The program ---- */

/* Standard output may still be in its buffer when the program has said how it ended; then it is
 * written where nobody asks whether that succeeded. */
static void end(int code)
{
    if (__fpending(stdout) > 0 && fault_comes(FAULT_WRITE, STDOUT_FILENO, (const void *)end))
        flush_to_full_device(stdout);
    exit(code);
}

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

static int run_program(int argc, char **argv)
{
    const char *file = getenv("TR_FAULTS_PLAN");
    if (file)
        faults_take_plan(file);
    end(__real_main(argc, argv));
    return 0;
}

int __wrap_main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--serve-faults") == 0)
        return faults_serve(run_program);
    return run_program(argc, argv);
}

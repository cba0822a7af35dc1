/* The calls by which a program looks at files, its environment and the clock, before those of the C
 * library: libclang and LLVM, which are loaded later, call these. Each does what the C library's
 * does and tells of it (lookups.h). Part of the program alone; no library of ours has them.
 *
 * The names are given to the linker by hand, since headers of older C libraries have functions of
 * their own in their places. */
#include "lookups/lookups.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern const bool watch_calls_are_linked;
const bool watch_calls_are_linked = true;

extern char **environ;

#define SHOWN(name) __asm__(name) __attribute__((visibility("default"), used))

/* ---- Section: Open ---- */

/* A file that is written is no input. */
static void saw_open(const char *path, int flags)
{
    if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC)))
        lookups_saw(flags & O_DIRECTORY ? LOOKUP_STATUS : LOOKUP_CONTENT, 0, path);
}

static int open_from(int folder, const char *path, int flags, unsigned mode)
{
    if (folder == AT_FDCWD || path[0] == '/')
        saw_open(path, flags);
    else
        lookups_spoil(); /* relative to an open folder: no name for it, so nothing is kept */
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static bool takes_mode(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#define MODE_AFTER(flags)                                                                          \
    unsigned mode = 0;                                                                             \
    if (takes_mode(flags)) {                                                                       \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, unsigned);                                                             \
        va_end(more);                                                                              \
    }

int watched_open(const char *path, int flags, ...) SHOWN("open");
int watched_open(const char *path, int flags, ...)
{
    MODE_AFTER(flags)
    return open_from(AT_FDCWD, path, flags, mode);
}

int watched_open64(const char *path, int flags, ...) SHOWN("open64");
int watched_open64(const char *path, int flags, ...)
{
    MODE_AFTER(flags)
    return open_from(AT_FDCWD, path, flags, mode);
}

int watched_openat(int folder, const char *path, int flags, ...) SHOWN("openat");
int watched_openat(int folder, const char *path, int flags, ...)
{
    MODE_AFTER(flags)
    return open_from(folder, path, flags, mode);
}

int watched_openat64(int folder, const char *path, int flags, ...) SHOWN("openat64");
int watched_openat64(int folder, const char *path, int flags, ...)
{
    MODE_AFTER(flags)
    return open_from(folder, path, flags, mode);
}

int watched_open_2(const char *path, int flags) SHOWN("__open_2");
int watched_open_2(const char *path, int flags)
{
    return open_from(AT_FDCWD, path, flags, 0);
}

int watched_open64_2(const char *path, int flags) SHOWN("__open64_2");
int watched_open64_2(const char *path, int flags)
{
    return open_from(AT_FDCWD, path, flags, 0);
}

typedef FILE *open_stream(const char *path, const char *mode);

static FILE *stream(const char *name, const char *path, const char *mode)
{
    open_stream *real;
    *(void **)&real = dlsym(RTLD_NEXT, name);
    if (mode[0] == 'r' && !strchr(mode, '+'))
        lookups_saw(LOOKUP_CONTENT, 0, path);
    return real(path, mode);
}

FILE *watched_fopen(const char *path, const char *mode) SHOWN("fopen");
FILE *watched_fopen(const char *path, const char *mode)
{
    return stream("fopen", path, mode);
}

FILE *watched_fopen64(const char *path, const char *mode) SHOWN("fopen64");
FILE *watched_fopen64(const char *path, const char *mode)
{
    return stream("fopen64", path, mode);
}

DIR *watched_opendir(const char *path) SHOWN("opendir");
DIR *watched_opendir(const char *path)
{
    DIR *(*real)(const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "opendir");
    lookups_saw(LOOKUP_NAMES, 0, path);
    return real(path);
}

/* ---- Section: Status ---- */

static int status_of(int folder, const char *path, struct stat *info, int flags)
{
    bool of_link = flags & AT_SYMLINK_NOFOLLOW;
    if (folder == AT_FDCWD || path[0] == '/')
        lookups_saw(of_link ? LOOKUP_LINK_STATUS : LOOKUP_STATUS, 0, path);
    else if (path[0])
        lookups_spoil();
#ifdef SYS_newfstatat
    return (int)syscall(SYS_newfstatat, folder, path, info, flags);
#else
    return (int)syscall(SYS_fstatat, folder, path, info, flags);
#endif
}

#define STATUS_CALL(name, flags)                                                                   \
    int watched_##name(const char *path, struct stat *info) SHOWN(#name);                          \
    int watched_##name(const char *path, struct stat *info)                                        \
    {                                                                                              \
        return status_of(AT_FDCWD, path, info, flags);                                             \
    }
STATUS_CALL(stat, 0)
STATUS_CALL(stat64, 0)
STATUS_CALL(lstat, AT_SYMLINK_NOFOLLOW)
STATUS_CALL(lstat64, AT_SYMLINK_NOFOLLOW)

/* These are the calls of programs that were built for a C library before 2.33. */
#define OLD_STATUS_CALL(name, flags)                                                               \
    int watched_old_##name(int version, const char *path, struct stat *info) SHOWN("__x" #name);   \
    int watched_old_##name(int version, const char *path, struct stat *info)                       \
    {                                                                                              \
        (void)version;                                                                             \
        return status_of(AT_FDCWD, path, info, flags);                                             \
    }
OLD_STATUS_CALL(stat, 0)
OLD_STATUS_CALL(stat64, 0)

int watched_old_lstat(int version, const char *path, struct stat *info) SHOWN("__lxstat");
int watched_old_lstat(int version, const char *path, struct stat *info)
{
    (void)version;
    return status_of(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int watched_old_lstat64(int version, const char *path, struct stat *info) SHOWN("__lxstat64");
int watched_old_lstat64(int version, const char *path, struct stat *info)
{
    (void)version;
    return status_of(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW);
}

int watched_fstatat(int folder, const char *path, struct stat *info, int flags) SHOWN("fstatat");
int watched_fstatat(int folder, const char *path, struct stat *info, int flags)
{
    return status_of(folder, path, info, flags);
}

int watched_fstatat64(int folder, const char *path, struct stat *info, int flags)
    SHOWN("fstatat64");
int watched_fstatat64(int folder, const char *path, struct stat *info, int flags)
{
    return status_of(folder, path, info, flags);
}

int watched_statx(int folder, const char *path, int flags, unsigned mask, void *info)
    SHOWN("statx");
int watched_statx(int folder, const char *path, int flags, unsigned mask, void *info)
{
    bool of_link = flags & AT_SYMLINK_NOFOLLOW;
    if (path && (folder == AT_FDCWD || path[0] == '/'))
        lookups_saw(of_link ? LOOKUP_LINK_STATUS : LOOKUP_STATUS, 0, path);
    else if (path && path[0])
        lookups_spoil();
    return (int)syscall(SYS_statx, folder, path, flags, mask, info);
}

int watched_access(const char *path, int mode) SHOWN("access");
int watched_access(const char *path, int mode)
{
    lookups_saw(LOOKUP_ACCESS, mode, path);
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

/* ---- Section: Links ---- */

ssize_t watched_readlink(const char *path, char *to, size_t size) SHOWN("readlink");
ssize_t watched_readlink(const char *path, char *to, size_t size)
{
    lookups_saw(LOOKUP_LINK, 0, path);
    return syscall(SYS_readlinkat, AT_FDCWD, path, to, size);
}

char *watched_realpath(const char *path, char *to) SHOWN("realpath");
char *watched_realpath(const char *path, char *to)
{
    char *(*real)(const char *, char *);
    *(void **)&real = dlvsym(RTLD_NEXT, "realpath", "GLIBC_2.3"); /* an older one takes no NULL */
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "realpath");
    lookups_saw(LOOKUP_REAL, 0, path);
    return real(path, to);
}

/* ---- Section: Environment and clock ---- */

static char *variable(const char *name)
{
    size_t length = strlen(name);
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

char *watched_getenv(const char *name) SHOWN("getenv");
char *watched_getenv(const char *name)
{
    lookups_saw(LOOKUP_VARIABLE, 0, name);
    return variable(name);
}

char *watched_secure_getenv(const char *name) SHOWN("secure_getenv");
char *watched_secure_getenv(const char *name)
{
    char *(*real)(const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "secure_getenv");
    lookups_saw(LOOKUP_VARIABLE, 0, name);
    return real(name);
}

time_t watched_time(time_t *to) SHOWN("time");
time_t watched_time(time_t *to)
{
    struct timespec now;
    lookups_spoil();
    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

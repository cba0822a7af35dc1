/* Loaded into tilerace by LD_PRELOAD: a worker that tries to do what it must not. It tries as soon
 * as it is confined, in place of its first thread, and says what came of each attempt in a file
 * that was mapped before: "NAME ERRNO" a line, 0 where it succeeded.
 *
 * ATTEMPTS: the file; ATTEMPTS_IN: a folder with the files `there` and
 * `other` and the folder `empty`. ATTEMPTS_FREE: it is not
 * confined, so that what would harm the program or the machine is not tried. ATTEMPTS_LACK:
 * "landlock", "seccomp", "fork" or several: that call fails as on a system which has none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

static char *results;
static pid_t program;

__attribute__((constructor)) static void map_results(void)
{
    const char *path = getenv("ATTEMPTS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, ROOM) != 0)
        return;
    results = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (results == MAP_FAILED)
        results = NULL;
    close(file);
    program = getpid();
}

/* ---- Section: A system that lacks something ---- */

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    const char *lacks = getenv("ATTEMPTS_LACK");
    long words[6];
    va_list all;
    va_start(all, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(all, long);
    va_end(all);
    if (lacks && ((strstr(lacks, "landlock") && number >= 444 && number <= 446) ||
                  (strstr(lacks, "seccomp") && number == SYS_seccomp))) {
        errno = ENOSYS;
        return -1;
    }
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* The program's own fork; those that it starts fork as they do. */
pid_t fork(void)
{
    static pid_t (*real)(void);
    const char *lacks = getenv("ATTEMPTS_LACK");
    if (lacks && strstr(lacks, "fork") && strcmp(program_invocation_short_name, "tilerace") == 0) {
        errno = EAGAIN;
        return -1;
    }
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    return real();
}

/* ---- Section: Attempts ---- */

static char there[4096], fresh[4096];

static void note(const char *name, long result)
{
    int why = result < 0 ? errno : 0;
    size_t used = strlen(results);
    snprintf(results + used, ROOM - used, "%s %d\n", name, why);
}

static void try_open(const char *name, const char *path, int flags)
{
    long file = syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
    note(name, file);
    if (file >= 0)
        close((int)file);
    if (path == fresh && !(flags & O_DIRECTORY))
        syscall(SYS_unlinkat, AT_FDCWD, fresh, 0);
}

static void try_writing(const char *folder)
{
    try_open("open-write", there, O_WRONLY);
    try_open("open-both", there, O_RDWR);
    try_open("open-append", there, O_WRONLY | O_APPEND);
    try_open("open-truncate", there, O_RDONLY | O_TRUNC);
    try_open("open-create", fresh, O_WRONLY | O_CREAT | O_EXCL);
    try_open("open-create-read", fresh, O_RDONLY | O_CREAT);
    try_open("open-unnamed", folder, O_TMPFILE | O_RDWR);
    try_open("open-own-memory", "/proc/self/mem", O_RDWR);
    try_open("open-device", "/dev/null", O_WRONLY);
    const struct {
        uint64_t flags, mode, resolve;
    } how = {O_WRONLY, 0, 0};
    note("openat2", syscall(437, AT_FDCWD, there, &how, sizeof how));
    note("truncate", syscall(SYS_truncate, there, 1L));
    note("io_uring", syscall(425, 1L, (char[256]){0}));
}

/* `name` in the folder. */
static const char *in_folder(char path[4200], const char *name)
{
    snprintf(path, 4200, "%s/%s", getenv("ATTEMPTS_IN"), name);
    return path;
}

static void try_changing(void)
{
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    char path[4200];
    note("mkdir", syscall(SYS_mkdirat, AT_FDCWD, in_folder(path, "made"), 0700));
    note("symlink", syscall(SYS_symlinkat, "there", AT_FDCWD, in_folder(path, "symlink")));
    note("link", syscall(SYS_linkat, AT_FDCWD, there, AT_FDCWD, in_folder(path, "link"), 0));
    note("mkfifo", syscall(SYS_mknodat, AT_FDCWD, in_folder(path, "fifo"), S_IFIFO | 0600, 0));
    note("chmod", syscall(SYS_fchmodat, AT_FDCWD, there, 0777));
    note("chown", syscall(SYS_fchownat, AT_FDCWD, there, getuid(), getgid(), 0));
    note("utimens", syscall(SYS_utimensat, AT_FDCWD, there, times, 0));
    note("setxattr", syscall(SYS_setxattr, there, "user.x", "y", 1L, 0));
    note("rename", syscall(SYS_renameat2, AT_FDCWD, in_folder(path, "other"), AT_FDCWD, fresh, 0));
    note("rmdir", syscall(SYS_unlinkat, AT_FDCWD, in_folder(path, "empty"), AT_REMOVEDIR));
    note("unlink", syscall(SYS_unlinkat, AT_FDCWD, there, 0));
}

static void try_network(void)
{
    static const struct {
        const char *name;
        int family, type;
    } kinds[] = {{"socket-tcp", AF_INET, SOCK_STREAM},
                 {"socket-udp", AF_INET, SOCK_DGRAM},
                 {"socket-tcp6", AF_INET6, SOCK_STREAM},
                 {"socket-unix", AF_UNIX, SOCK_STREAM},
                 {"socket-netlink", AF_NETLINK, SOCK_RAW}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        note(kinds[i].name, syscall(SYS_socket, kinds[i].family, kinds[i].type | SOCK_CLOEXEC, 0));
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0x7f000001)}};
    long end = syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    note("connect", syscall(SYS_connect, end < 0 ? 3 : end, &to, sizeof to));
    to.sin_port = 0;
    note("bind", syscall(SYS_bind, end < 0 ? 3 : end, &to, sizeof to));
}

/* In a child: what became of it. */
static long start(const char *const *words)
{
    int why[2];
    if (pipe2(why, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        syscall(SYS_execve, words[0], words, environ);
        int failed = errno;
        ssize_t ignored = write(why[1], &failed, sizeof failed);
        (void)ignored;
        _exit(127);
    }
    int status = 0, failed = 0;
    close(why[1]);
    ssize_t n = read(why[0], &failed, sizeof failed);
    close(why[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    errno = n == sizeof failed ? failed : 0;
    return n == sizeof failed ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static void try_programs(void)
{
    unsetenv("LD_PRELOAD");
    note("exec-true", start((const char *const[]){"/bin/true", NULL}));
    note("exec-shell", start((const char *const[]){"/bin/sh", "-c", "exit 0", NULL}));
    note("exec-self", start((const char *const[]){"/proc/self/exe", "--version", NULL}));
    note("execveat", syscall(SYS_execveat, AT_FDCWD, "/bin/nothing", NULL, NULL, 0));
    /* What the loader runs is no other program than what a worker could do itself. */
    long code =
        start((const char *const[]){"/lib64/ld-linux-x86-64.so.2", "/bin/touch", fresh, NULL});
    errno = code != 0 ? EACCES : 0;
    note("loader-writes", code != 0 ? -1 : 0);
}

static void try_processes(pid_t parent)
{
    char path[64], byte;
    struct iovec to = {&byte, 1}, from = {(void *)&program, 1};
    struct rlimit limit = {1, 1};
    snprintf(path, sizeof path, "/proc/%ld/mem", (long)parent);
    note("ptrace", syscall(SYS_ptrace, PTRACE_SEIZE, (long)parent, 0L, 0L));
    note("read-memory", syscall(SYS_process_vm_readv, (long)parent, &to, 1L, &from, 1L, 0L));
    note("write-memory", syscall(SYS_process_vm_writev, (long)parent, &to, 1L, &from, 1L, 0L));
    note("open-memory", syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
    note("signal", syscall(SYS_kill, (long)parent, 0L));
    note("limit", syscall(SYS_prlimit64, (long)parent, RLIMIT_CPU, &limit, NULL));
    note("priority", syscall(SYS_setpriority, 0L, (long)parent, 19L));
    note("unshare", syscall(SYS_unshare, (long)CLONE_NEWUSER));
    note("clone", syscall(SYS_clone, (long)(CLONE_NEWUSER | SIGCHLD), 0L, 0L, 0L, 0L));
    note("mount", syscall(SYS_mount, "none", there, "tmpfs", 0L, NULL));
}

/* What a check needs. */
static void try_what_is_allowed(void)
{
    int ends[2];
    note("may-read", syscall(SYS_openat, AT_FDCWD, there, O_RDONLY | O_CLOEXEC));
    note("may-list", syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    note("may-pipe", pipe2(ends, O_CLOEXEC));
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    note("may-fork", waitpid(child, NULL, 0));
    note("may-map",
         mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
             ? -1
             : 0);
}

static void try_all(pid_t parent)
{
    const char *folder = getenv("ATTEMPTS_IN");
    snprintf(there, sizeof there, "%s/there", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    try_what_is_allowed();
    try_writing(folder);
    try_network();
    if (!getenv("ATTEMPTS_FREE"))
        try_processes(parent);
    try_programs();
    try_changing();
}

/* ---- Section: The worker ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *user)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (results && getpid() != program && getsid(0) == getpid() && !results[0])
        try_all(program);
    return real(thread, how, work, user);
}

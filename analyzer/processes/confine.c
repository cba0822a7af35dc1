#include "processes/confine.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "processes/landlock.h"
#include "solver/command.h"

/* ---- Section: The plan ---- */

typedef enum program_kind { NO_PROGRAM, ELF_PROGRAM, OTHER_PROGRAM } program_kind;

/* The program that loads this one, as its file names it; *loader "" where it needs none. False: the
 * file is none that is understood. */
static bool read_loader(int file, char *loader, size_t room)
{
    Elf64_Ehdr head;
    loader[0] = 0;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr part;
        if (pread(file, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)) !=
            (ssize_t)sizeof part)
            return false;
        if (part.p_type != PT_INTERP)
            continue;
        if (part.p_filesz == 0 || part.p_filesz > room ||
            pread(file, loader, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz)
            return false;
        loader[part.p_filesz - 1] = 0;
    }
    return true;
}

static void add_program(confinement *c, const char *path)
{
    for (size_t i = 0; i < c->n_programs; i++)
        if (strcmp(c->programs[i], path) == 0)
            return;
    TR_ASSERT(c->n_programs < CONFINE_MOST_PROGRAMS);
    c->programs[c->n_programs++] = path;
}

/* Adds the program and what loads it. */
static program_kind take_program(tr_arena *arena, confinement *c, const char *path)
{
    char loader[PATH_MAX];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NO_PROGRAM;
    bool is_elf = read_loader(file, loader, sizeof loader);
    close(file);
    if (!is_elf)
        return OTHER_PROGRAM;
    add_program(c, path);
    if (loader[0])
        add_program(c, tr_arena_strdup(arena, loader));
    return ELF_PROGRAM;
}

static void take_solver(tr_arena *arena, confinement *c, const char *command)
{
    const char *const *words = smt_split_command(arena, command);
    const char *path = words[0];
    if (path && !strchr(path, '/'))
        path = tr_find_program(arena, path, NULL);
    if (!path)
        return; /* nothing is started */
    if (words[1])
        c->why_not = "the solver is a command line, which may start any program";
    else if (take_program(arena, c, path) != ELF_PROGRAM)
        c->why_not = tr_arena_printf(
            arena, "the solver %s is a script or may not be read, and may start any program", path);
}

confinement confine_plan(tr_arena *arena, const char *solver, const char *git, const char *folder)
{
    confinement c = {.folder = folder};
    const char *guard = tr_process_guard(arena);
    if (solver)
        take_solver(arena, &c, solver);
    if (guard && !c.why_not && take_program(arena, &c, guard) != ELF_PROGRAM)
        c.why_not = "tilerace-guard cannot be read";
    if (git && !c.why_not && take_program(arena, &c, git) != ELF_PROGRAM)
        c.why_not = tr_arena_printf(
            arena, "%s is a script or may not be read, and may start any program", git);
    c.has_git = git != NULL;
    return c;
}

/* ---- Section: Landlock ---- */

static unsigned use_landlock(const confinement *c)
{
    enum { BESIDE_PROGRAMS = 2 };
    landlock_grant granted[CONFINE_MOST_PROGRAMS + BESIDE_PROGRAMS];
    size_t n = 0;
    for (size_t i = 0; i < c->n_programs; i++)
        granted[n++] = (landlock_grant){c->programs[i], LANDLOCK_EXECUTE};
    if (c->folder)
        granted[n++] = (landlock_grant){c->folder, LANDLOCK_WRITE | LANDLOCK_REMOVE |
                                                       LANDLOCK_MAKE | LANDLOCK_TRUNCATE};
    if (c->has_git)
        granted[n++] = (landlock_grant){"/dev/null", LANDLOCK_WRITE};
    landlock_answer is =
        landlock_restrict(LANDLOCK_ALL & ~(LANDLOCK_READ | LANDLOCK_LIST), n, granted);
    return (is.in_force ? CONFINE_FILES : 0u) | (is.holds_network ? CONFINE_NETWORK : 0u) |
           (is.holds_processes ? CONFINE_PROCESSES : 0u);
}

/* ---- Section: The filter of system calls ---- */

#if defined(__x86_64__)
#define OWN_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_MACHINE

enum { FOREIGN_CALLS = 0x40000000 }; /* of x32, and what is no call */

static const struct {
    int number;
    bool is_write;
} refused[] = {
#define NEVER(name)         {SYS_##name, false},
#define WRITES(name)        {SYS_##name, true},
#define SINCE(name, number) {number, false},
#include "processes/confine_calls.def"
};

enum { CLONE3 = 435, FILTER_ROOM = 2 * TR_COUNT(refused) + 40 };

typedef struct filter {
    struct sock_filter at[FILTER_ROOM];
    unsigned short n;
} filter;

static void add(filter *f, unsigned short code, uint32_t k, uint8_t yes, uint8_t no)
{
    TR_ASSERT(f->n < FILTER_ROOM);
    f->at[f->n++] = (struct sock_filter){code, yes, no, k};
}

static void load(filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(filter *f, uint32_t what)
{
    add(f, BPF_RET | BPF_K, what, 0, 0);
}

static uint32_t fails_with(int why)
{
    return SECCOMP_RET_ERRNO | (uint32_t)why;
}

static void refuse(filter *f, int call, int why)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1);
    answer(f, fails_with(why));
}

/* The lower half of an argument, on machines that store it first. */
static size_t argument(int number)
{
    return offsetof(struct seccomp_data, args) + 8 * (size_t)number;
}

/* Refuses the call where its argument has one of the bits, and allows it else. */
static void refuse_bits(filter *f, int call, int number, uint32_t bits, int why)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
    load(f, argument(number));
    add(f, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(f, fails_with(why));
    answer(f, SECCOMP_RET_ALLOW);
}

/* `writes`: files may be made and replaced; `opens`: Landlock says which may be opened for writing.
 */
static void make_filter(filter *f, bool writes, bool opens)
{
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    const uint32_t worlds = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
                            CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, OWN_MACHINE, 1, 0);
    answer(f, fails_with(EPERM));
    load(f, offsetof(struct seccomp_data, nr));
    add(f, BPF_JMP | BPF_JGE | BPF_K, FOREIGN_CALLS, 0, 1);
    answer(f, fails_with(EPERM));
    for (size_t i = 0; i < TR_COUNT(refused); i++)
        if (!writes || !refused[i].is_write)
            refuse(f, refused[i].number, EPERM);
    /* The flags of clone3 are in memory, where no filter looks. Without it the C library falls back
     * to clone. */
    refuse(f, CLONE3, ENOSYS);
    refuse_bits(f, SYS_clone, 0, worlds, EPERM);
    refuse_bits(f, SYS_prlimit64, 0, UINT32_MAX, EPERM); /* of another process */
    if (!opens) {
        refuse_bits(f, SYS_openat, 2, writing, EACCES);
#ifdef SYS_open
        refuse_bits(f, SYS_open, 1, writing, EACCES);
#endif
    }
    answer(f, SECCOMP_RET_ALLOW);
}

static unsigned use_filter(const confinement *c, bool has_landlock)
{
    /* Nothing is hidden from what a worker runs, so it needs no slower processor. */
    const unsigned flags[] = {1u << 2 /* SECCOMP_FILTER_FLAG_SPEC_ALLOW */, 0};
    filter f = {.n = 0};
    make_filter(&f, c->folder != NULL, c->folder || (c->has_git && has_landlock));
    const struct sock_fprog program = {f.n, f.at};
    for (size_t i = 0; i < TR_COUNT(flags); i++)
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &program) == 0)
            return CONFINE_CALLS;
    return 0;
}

#else

static unsigned use_filter(const confinement *c, bool has_landlock)
{
    (void)has_landlock;
    (void)c;
    return 0;
}

#endif

/* ---- Section: Both ---- */

unsigned confine_process(const confinement *c)
{
    if (c->why_not || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 0;
    unsigned in_force = use_landlock(c);
    return in_force | use_filter(c, in_force & CONFINE_FILES);
}

bool confine_offered(unsigned *in_force)
{
    const confinement none = {0};
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit((int)confine_process(&none));
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    *in_force = WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) : 0;
    errno = 0;
    return WIFEXITED(status);
}

const char *confine_words(unsigned in_force)
{
    return !in_force ? "not confined: there is neither Landlock nor seccomp"
           : !(in_force & CONFINE_FILES)
               ? "confined by seccomp alone: without Landlock a worker may start programs"
           : !(in_force & CONFINE_CALLS)
               ? "confined by Landlock alone: without seccomp a worker may use networks and change "
                 "the modes of files"
           : !(in_force & CONFINE_PROCESSES)
               ? "confined by Landlock and seccomp, but may send signals"
               : "confined by Landlock and seccomp";
}

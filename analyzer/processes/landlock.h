/* Landlock: what a process and all that it starts may do to files, networks and other processes.
 * The layouts and numbers are the kernel's (Documentation/userspace-api/landlock.rst); headers may
 * be older than it. */
#ifndef PROCESSES_LANDLOCK_H
#define PROCESSES_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { /* rights over files; those of later versions are left out where the kernel has them not */
       LANDLOCK_EXECUTE = 1 << 0,
       LANDLOCK_WRITE = 1 << 1,
       LANDLOCK_READ = 1 << 2,
       LANDLOCK_LIST = 1 << 3,
       LANDLOCK_REMOVE = 1 << 5,
       LANDLOCK_MAKE = 1 << 8,
       LANDLOCK_TRUNCATE = 1 << 14,
       LANDLOCK_DEVICES = 1 << 15, /* ioctl of them */
       LANDLOCK_ALL = (1 << 16) - 1,
};

typedef struct landlock_grant {
    const char *path; /* a file, or a folder with all below it */
    uint64_t rights;
} landlock_grant;

typedef struct landlock_answer {
    bool is_there;                       /* the kernel has Landlock */
    bool in_force;                       /* of the files; then also: */
    bool holds_network, holds_processes; /* TCP; signals and abstract sockets that leave it */
} landlock_answer;

/* Takes the rights `taken` from the calling process, which has one thread, but for what is granted,
 * and with it TCP and signals to others where the kernel's version has that. Needs
 * PR_SET_NO_NEW_PRIVS. Not in force where a path cannot be granted. */
landlock_answer landlock_restrict(uint64_t taken, size_t n, const landlock_grant *granted);

#endif

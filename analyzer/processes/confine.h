/* Limits what a worker may do, by means of the kernel of the system: Landlock and a seccomp filter.
 *
 * A confined process writes no file, makes no socket, starts no program but those it needs, and
 * reaches into no other process; nor does anything that it starts. It reads what its user may read:
 * which headers a source includes is known when it is read. docs/security.md says what holds where
 * one of the two is missing. */
#ifndef PROCESSES_CONFINE_H
#define PROCESSES_CONFINE_H

#include "base/base.h"

enum { CONFINE_MOST_PROGRAMS = 6 };

/* The limits of all workers of a run; made by confine_plan in its arena. */
typedef struct confinement {
    const char *why_not; /* why no worker is confined, a clause; NULL: each is */
    size_t n_programs;   /* that may be started: files, their loaders among them */
    const char *programs[CONFINE_MOST_PROGRAMS];
    const char *folder; /* the one in which files may be made and replaced; or NULL */
    bool has_git;       /* which opens /dev/null for writing: Landlock lets it, and nothing else */
} confinement;

/* The parts that are in force, a set. */
typedef enum confine_part {
    CONFINE_FILES = 1,     /* Landlock: no file is written, no program started */
    CONFINE_NETWORK = 2,   /* Landlock: no TCP connection, whatever the filter says */
    CONFINE_PROCESSES = 4, /* Landlock: no signal leaves the worker and what it started */
    CONFINE_CALLS = 8,     /* seccomp */
    CONFINE_ALL = 15,
} confine_part;

/* `solver`: its command; NULL: none is asked. One that is a script, or is started by the words of a
 * command line, may do anything, so the worker that starts it is not confined. `git`: the path of
 * the one that tells of a revision; or NULL. `folder`: of --keep-obligations; or NULL. */
confinement confine_plan(tr_arena *arena, const char *solver, const char *git, const char *folder);
/* Confines the calling process, which has one thread, for good; returns what is in force. What the
 * system lacks is left out. */
unsigned confine_process(const confinement *c);
/* Like confine_process(), tried in a child: what the system has. False where there is no child, and
 * errno says why; it is 0 where a signal ended the child. */
bool confine_offered(unsigned *in_force);
/* "confined by Landlock and seccomp", "not confined: ..." */
const char *confine_words(unsigned in_force);

#endif

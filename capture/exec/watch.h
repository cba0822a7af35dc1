/* The watcher: listens to a program and its children, hands each module to a process that checks it
 * and each launch to that process, and answers. It parses nothing of a module itself and lives on
 * when a checker's process does not. */
#ifndef EXEC_WATCH_H
#define EXEC_WATCH_H

#include <stdio.h>

#include "exec/modules.h"
#include "exec/written.h"

typedef struct tally { /* of launches that have something in common */
    const char *about;
    size_t launches;
} tally;

typedef struct watch {
    tr_arena *arena;
    FILE *err;
    uint32_t flags;      /* wire_flags for programs */
    bool stop_at_race;   /* launches that race or broke must not happen */
    bool runs_kernels;   /* the program's kernels run: memory holds what they have written */
    written written;     /* where they do not, and are not executed */
    size_t unwritten;    /* how often contents were wanted that kernels would have written */
    size_t executed;     /* launches, on the interpreter */
    size_t wrong;        /* launches of which executing them has shown an error */
    tally *not_executed; /* stb_ds array: by reason */
    modules modules;
    struct module_of_code {
        struct code_key {
            uint64_t low, high;
        } key;
        uint32_t value;
    } *codes;      /* stb_ds map: of the hash of machine code the module it was made of */
    tally *unseen; /* stb_ds array: launched by a symbol whose Tile IR was not seen */
    size_t remarks[WIRE_N_REMARKS];           /* how often */
    const char *remark_about[WIRE_N_REMARKS]; /* the least, as processes tell in any order */
    size_t programs;                          /* processes that have spoken */
    size_t cut;                               /* conversations that broke */
    size_t told;   /* launches that raced or broke, and of which no program has words of its own */
    size_t unread; /* files of modules that are not whole */
    uint64_t launches;              /* messages that have come */
    struct conversation **unjudged; /* stb_ds array: launches that the program went on from, in the
                                        order in which they came */
    size_t unjudged_bytes;          /* of their messages */
    int64_t told_to_wait;           /* when programs were, by tr_now_ms */
    int listener;
    struct conversation **conversations; /* stb_ds array */
} watch;

/* Listens on a socket at `path`; NULL and *why where it cannot. */
bool watch_listen(watch *w, const char *path, const char **why);
/* Has a module checked of which no program told, as soon as there is time for it. */
void watch_check(watch *w, const void *bytes, size_t size, const char *front_end);
/* The launches of kernels that were never seen, but whose name is that of a kernel in such a
 * module: its launches by name. */
void watch_tie_by_name(watch *w);
/* Serves one round: until something has come, or `patience_ms` have passed. `also`: a descriptor
 * that ends the round when it can be read; -1: none. False: nothing has come, but for `also`. */
bool watch_round(watch *w, int also, int patience_ms);
/* Nothing is being checked or judged, or waits for that. */
bool watch_is_idle(const watch *w);
/* Is it idle, and is nobody there who could ask for more? */
bool watch_is_quiet(const watch *w);
/* Ends all processes of the checker: what is not judged yet is lost. */
void watch_stop(watch *w, const char *why);
void watch_free(watch *w);

#endif

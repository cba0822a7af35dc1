/* The modules that were seen, each with the process that checks it and what is known of its
 * launches. */
#ifndef EXEC_MODULES_H
#define EXEC_MODULES_H

#include <sys/types.h>

#include "exec/channel.h"
#include "exec/worker.h"
#include "processes/patience.h"

enum {
    MOST_WORKERS = 32,          /* processes that are kept; a module whose process has gone gets a
                                   new one when it is launched again */
    WORKER_PATIENCE_MS = 45000, /* that a process may work on one answer (processes/patience.h) */
    EXECUTION_PATIENCE_MS = 600000, /* or on executing a launch */
};

typedef struct module_kernel {
    const char *symbol, *shown;
    const char *report; /* findings, and the verdict where it is unknown, as text */
    tilerace_verdict verdict;
    size_t n_preconditions;
    bool is_allowed; /* comments allow all that is wrong with it */
    size_t launches[JUDGEMENT_COUNT];
    const char *words[JUDGEMENT_COUNT]; /* of a launch that was judged so: the least; or NULL */
    size_t by_name; /* launches that are known to be of a kernel of this name, and no more */
} module_kernel;

typedef struct module {
    uint32_t number; /* from 1 */
    void *bytes;     /* of malloc, as are the texts and `entries` */
    size_t size;
    uint64_t hash;
    char *front_end, *names;
    uint64_t key[2];     /* of the module without hints; 0, 0: it has none, or is not known yet */
    struct module *same; /* that differs in hints alone and is checked in its place; or NULL */
    uint8_t *entries;    /* the frame that answers MODULE; NULL: not known yet */
    size_t entries_length;
    bool is_checked;
    bool is_wanted;    /* to be checked, though no program asks */
    const char *error; /* why it is not checked; NULL: it is, or will be */
    size_t n_kernels;
    module_kernel *kernels;
    size_t lost; /* launches that were not judged, since the process came to nothing */
    /* The process that judges it. */
    pid_t pid;       /* 0: there is none */
    channel channel; /* fd -1: there is none */
    patience answer; /* until its next answer; {0}: none is due */
    uint64_t last_used;
    struct conversation *holder;   /* whose launch is being judged; or NULL */
    struct conversation **waiting; /* stb_ds array: for ENTRIES or for their turn */
    uint32_t *others;              /* stb_ds array: modules that the process was told of */
    const char *program;           /* of the launch that it was sent last; NULL: not told */
} module;

typedef struct modules {
    tr_arena *arena; /* for texts that live as long as this */
    const judge_options *options;
    module **items; /* stb_ds array, by number - 1 */
    uint64_t clock; /* of uses */
    size_t n_workers;
    size_t not_recorded;          /* modules and launches */
    const char *why_not_recorded; /* the first of them */
} modules;

/* The module of these bytes and names, added if it is new; of an assembler, which knows no names,
 * that of these bytes. They are copied. NULL: no memory. */
module *modules_add(modules *all, const void *bytes, size_t size, const char *front_end,
                    const char *names);
/* Takes the module's key, and finds the one before it that has the same names and key. */
module *modules_same(modules *all, module *m, uint64_t high, uint64_t low);
/* The module of the same bytes that an assembler told of and that was not launched; NULL: none. */
module *modules_unnamed(const modules *all, const module *named);
/* Makes the module with names stand for the other from now on. */
void modules_replace(modules *all, module *unnamed, module *named);
module *modules_at(const modules *all, uint32_t number); /* NULL: there is none */
/* Starts the module's process if it has none. False: it cannot be started, and m->error says why.
 * The child keeps no descriptor of ours but its own. */
bool modules_start(modules *all, module *m);
/* Ends it: at once, where it hangs. */
void modules_stop(modules *all, module *m, bool at_once);
/* Counts what the recording lacks; "": nothing. */
void modules_not_recorded(modules *all, const char *why);
/* Fields of CHECKED; false: they are none. */
bool modules_read_checked(modules *all, module *m, wire_reader *r);
module_kernel *modules_kernel(module *m, uint32_t number); /* NULL: there is none */
void modules_free(modules *all);

#endif

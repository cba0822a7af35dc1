/* The checker's process for one module: reads and checks it, then judges its launches, and executes
 * them where that is asked for.
 *
 * Frames that come are those of a program (LAUNCH or PASSED, CONTENTS, EXECUTE, MEMORY), and
 * BESIDE; those that go are KEY, ENTRIES, CHECKED and then, for each that came, JUDGED, or of the
 * last two WANTED or EXECUTED.
 */
#ifndef EXEC_WORKER_H
#define EXEC_WORKER_H

#include "exec/judge.h"

typedef struct worker_task {
    const void *bytes; /* of the module */
    size_t size;
    const char *names; /* field of MODULE */
    uint32_t number;   /* of the module, for ENTRIES */
    const judge_options *options;
} worker_task;

/* Serves until `fd` is closed by the other side. */
void exec_worker_serve(int fd, const worker_task *task);

/* ---- Section: Executing (perform.c) ---- */

enum {
    LAUNCHES_TOGETHER = 20, /* so many times the steps of one may all launches of a module take */
};

typedef struct performing { /* all zero but `judge`: nothing is executed */
    const judge *judge;
    const judge_options *options;
    uint64_t steps; /* that launches have taken */
    size_t told;    /* launches that were not executed, and told of in words */
    struct performing_judged {
        uint64_t key;
        judgement_kind value;
    } *judged; /* stb_ds map: what was said of launches, by their symbol, grid and arguments */
    tr_arena *arena; /* of the launch in hand; NULL: none is */
    seen_launch launch;
    size_t kernel;
    struct execution *execution; /* NULL: the launch cannot be executed */
    const char *why;             /* then */
} performing;

/* A frame EXECUTE or MEMORY; writes the answer. False: it comes out of turn. */
bool perform_launch(performing *p, const uint8_t *frame, size_t length, wire_writer *out);
bool perform_memory(performing *p, wire_reader *r, wire_writer *out);
/* The judgement of a launch that may be executed. */
void perform_judged(performing *p, const seen_launch *launch, judgement_kind kind);
void perform_free(performing *p);

#endif

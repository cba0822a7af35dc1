/* The progress of a judgement, told to the process that may have to end it; and the parts that are
 * passed over since an earlier process ended in them. */
#ifndef JUDGE_WATCH_H
#define JUDGE_WATCH_H

#include "base/base.h"

typedef enum judge_phase {
#define PHASE(id, name, words) JUDGE_AT_##id,
#include "judge/phases.def"
    JUDGE_PHASE_COUNT
} judge_phase;

typedef enum judge_death_kind {
    JUDGE_DEATH_TIME,
    JUDGE_DEATH_MEMORY,
    JUDGE_DEATH_SIGNAL, /* or an exit code: the process failed by itself */
} judge_death_kind;

typedef struct judge_death { /* a process that judged the same candidate ended there */
    uint64_t combination;    /* of tuning values */
    judge_phase phase;
    judge_death_kind kind;
    uint64_t value; /* milliseconds, megabytes or the signal; of a process that exited, 0 */
} judge_death;

typedef struct judge_watch {
    void *user;
    /* It begins with this; NULL: nobody wants to know. */
    void (*at)(void *user, uint64_t combination, judge_phase phase);
    /* Returns what the context allows each phase, where it says so (0: nothing); or NULL. */
    void (*limit)(void *user, uint64_t ms, uint64_t megabytes);
    size_t n_deaths;
    const judge_death *deaths;
} judge_watch;

const char *judge_phase_name(judge_phase phase); /* "proving" */
/* "the proof takes more than 30 s" */
const char *judge_death_words(tr_arena *arena, const judge_death *death);

#endif

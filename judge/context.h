/* A kernel context: the candidate, the launches that it is for, and what it should compute. */
#ifndef JUDGE_CONTEXT_H
#define JUDGE_CONTEXT_H

#include "contract/launch_file.h"
#include "judge/door.h"

enum { JUDGE_MOST_COMBINATIONS = 4096 }; /* of tuning values */

typedef struct judge_tuned { /* a tuning parameter: a macro of a dialect source */
    const char *name;
    size_t n_values;
    int64_t *values; /* in the order in which they are stated */
} judge_tuned;

typedef struct judge_variant { /* the candidate as its front end specialises it for some launches */
    const char *file;
    launch_file *launches, *trials; /* as of the context */
} judge_variant;

typedef struct judge_refusal { /* what a front end outside of this program says of the candidate */
    bool is_limit;             /* it took too long or too much; else it is no kernel */
    bool is_ours;     /* the front end could not be asked, so nothing is known of the candidate */
    const char *what; /* NULL: it was not refused */
    tr_place place;
} judge_refusal;

struct judge_built;

typedef struct judge_context {
    const char *path;   /* of the context; what it names lies beside it. NULL: a bare kernel */
    bool has_launch;    /* it says something of the launches */
    const char *file;   /* the candidate: a path, or the name of `source` */
    const char *source; /* its text where it is in no file; or NULL */
    size_t source_length;
    const char *kernel;    /* which of the file's; NULL: all of them */
    launch_file *launches; /* owned by the context, as are those of variants; or NULL */
    launch_file *trials;   /* the same: launches that are tried as they are; or NULL */
    judge_refusal refused;
    const char *doubt; /* why modules may not be what the candidate's text states; or NULL */
    const struct judge_built *built; /* what its compiler made of `file` (built.h); or NULL */
    size_t n_variants;               /* 0: `file` is all there is */
    judge_variant *variants;
    const char *reference; /* "FILE" or "FILE:KERNEL": what gives the expected values; or NULL */
    const char *reference_source; /* the text of `reference` where it is in no file; or NULL */
    size_t n_outputs;
    const char **outputs; /* arguments that have to be written wholly */
    double tolerance;     /* of the outputs; negative: not stated */
    size_t samples;       /* launches that are tried */
    uint64_t seed;
    size_t n_tuned;
    judge_tuned *tuned;
    uint32_t passed_over;        /* a bit for each judge_stage that is not asked */
    uint64_t limit_ms, limit_mb; /* of each phase (phases.def); 0: not stated */
    size_t n_defines;            /* -D options of a dialect source: tuning values among them */
    const char **defines;
} judge_context;

/* Reads a context, or makes that of a bare kernel out of a file's name. NULL, with errors that have
 * a place, where it is wrong: then nothing of it is judged. The door is asked for each file that is
 * named. The context lives in the arena, and is given back by judge_context_free before that. */
tr_give judge_context *judge_context_read(tr_arena *arena, const char *path, const judge_door *door,
                                          tr_errors *errors);
tr_give judge_context *judge_context_parse(tr_arena *arena, const char *path, const char *text,
                                           size_t length, const judge_door *door,
                                           tr_errors *errors);
/* A context for a bare kernel: `source` may be NULL. */
tr_give judge_context *judge_context_of_kernel(tr_arena *arena, const char *file,
                                               const char *source, size_t length);
void judge_context_free(tr_take judge_context *c); /* NULL: nothing */
/* Does the text begin as a context does? */
bool judge_is_context(const char *text, size_t length);

#endif

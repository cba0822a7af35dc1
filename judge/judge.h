/* A candidate kernel and what it is for -> one of a few classes, stage by stage, with what an
 * author or an agent needs to correct it. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "judge/context.h"
#include "judge/watch.h"
#include "processes/confine.h"
#include "session/session.h"

typedef enum judge_class {
#define CLASS(id, name, is_wrong, about, help) JUDGE_##id,
#include "judge/classes.def"
    JUDGE_CLASS_COUNT
} judge_class;

typedef struct judge_class_info {
    const char *name; /* "out-of-bounds" */
    bool is_wrong;
    const char *about; /* follows "the kernel" */
    const char *help;
} judge_class_info;

const judge_class_info *judge_class_of(judge_class which);

typedef enum judge_stage {
#define STAGE(id, name, weight, about) JUDGE_STAGE_##id,
#include "judge/stages.def"
    JUDGE_STAGE_COUNT
} judge_stage;

typedef struct judge_stage_info {
    const char *name;
    int weight; /* in the score */
    const char *about;
} judge_stage_info;

const judge_stage_info *judge_stage_of(judge_stage stage);

typedef enum judge_state {
    JUDGE_NOT_ASKED,   /* it has no meaning for this context: there is no reference, no GPU */
    JUDGE_NOT_REACHED, /* something before it failed */
    JUDGE_UNDECIDED,
    JUDGE_FAILED,
    JUDGE_HELD,
    JUDGE_STATE_COUNT
} judge_state;

const char *judge_state_name(judge_state state); /* "passed" of JUDGE_HELD */

/* A fault, found by the proof or by a run. Texts are sentences of the rooms that found it. */
typedef struct judge_fault {
    judge_stage stage;
    judge_class class_;
    const char *rule;      /* "TR001"; NULL: it is no rule's */
    const char *kernel;    /* or NULL */
    const tr_place *place; /* or NULL */
    const char *what;      /* one sentence */
    const char *launch;    /* the smallest launch that shows it: "grid 2 x 1 x 1, n = 5"; or NULL */
    const char *shown;     /* lines: the two accesses, elements, values; or NULL */
    const char *help;      /* what is known to help; or NULL */
} judge_fault;

typedef struct judge_result { /* of one stage */
    judge_state state;
    double ms;        /* that it took */
    const char *why;  /* it is not decided, or not asked: a sentence; or NULL */
    size_t n_tried;   /* launches, of the stages that run some */
    size_t n_reached; /* those of them whose run came far enough to say something */
} judge_result;

/* A launch that the solver gives, since a mistake would show there (samples.h). */
typedef struct judge_launch {
    const char *file; /* of the candidate, or of the variant of it that the launch is for */
    const char *kernel;
    int64_t grid[3];
    size_t n; /* parameters that are numbers */
    const char **names;
    const int64_t *values;
} judge_launch;

typedef struct judgement {
    const char *file;
    judge_class class_;
    judge_result stages[JUDGE_STAGE_COUNT];
    judge_fault *faults; /* stb_ds array, in the order of the stages */
    /* Preconditions that the launches have to meet for this to hold, beyond the context: lines;
     * stb_ds array. */
    const char **preconditions;
    size_t n_kernels;
    bool stores_nothing;    /* to one of the outputs, at some launch */
    judge_launch *launches; /* stb_ds array: what is asked for in place of all of these, or empty */
} judgement;

typedef struct judge_combination { /* of tuning values */
    const int64_t *values;         /* one a parameter, in the context's order */
    judgement judgement;
} judge_combination;

typedef struct judge_answer {
    const judge_context *context;
    judgement whole; /* the judgement of the combination that stands for all of them */
    double score;    /* over all of them */
    judge_combination *combinations; /* stb_ds array; one where nothing is tuned */
} judge_answer;

/* Judges the candidate of a context, with every combination of its tuning values. Everything but
 * the arrays lives in the session's arena. `watch` may be NULL. */
judge_answer judge_run(session *s, const judge_context *context, const judge_watch *watch);
void judge_answer_free(judge_answer *a);

/* How many combinations of tuning values a context has; 1 where nothing is tuned. */
size_t judge_combinations(const judge_context *context);
/* The values of combination number `number`, in the session's arena: the last parameter changes
 * first. */
const int64_t *judge_values_of(const session *s, const judge_context *context, size_t number);
/* The session's options with the context's macros, and those of the values, behind them; in the
 * session's arena. */
driver_options *judge_options_with(const session *s, const judge_context *context,
                                   const int64_t *values);

/* Judges the candidate with these values of its tuning parameters, which are combination number
 * `combination`. */
judgement judge_candidate(session *s, const judge_context *context, const judge_watch *watch,
                          size_t combination, const int64_t *values);
void judgement_free(judgement *j);

/* Why no GPU is asked: a sentence; NULL: there is one, and what makes code for it. */
const char *judge_lacks_gpu(const session *s);
/* The rights of the processes that judge: where a GPU is asked, anything that its driver and the
 * assembler do. In the session's arena; after session_find_solver. */
const confinement *judge_confinement(const session *s);

/* 0 to 1 over the stages that the context asks for: 1 for what holds, 1/2 for what could not be
 * decided, by their weights; from BOUNDS on only as far as the values are right that the candidate
 * gives. It does not depend on times, and not on the machine. */
double judge_score(const judgement *j);
/* Like judge_score(), for one stage. */
double judge_stage_score(const judgement *j, judge_stage stage);

/* Appends what an agent needs to go on, the most useful first, in at most that many bytes (0: any
 * number). */
void judge_feedback(tr_text *out, const judge_answer *a, size_t most);
typedef struct judge_writing {
    size_t most_feedback; /* bytes; 0: any number */
    bool times;           /* how long each stage took: no two runs are equal in that */
} judge_writing;

void judge_write_text(tr_text *out, const judge_answer *a, const judge_writing *how);
/* The launches that the candidate's session asks for with --worst-launches: one line of JSON. */
void judge_write_launches(tr_text *out, const judge_answer *a);
/* The object of docs/judge.schema.json. */
void judge_write_json(tr_text *out, const judge_answer *a, const judge_writing *how);

#endif

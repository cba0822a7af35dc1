/* Private to the room: a candidate on its way through the stages. */
#ifndef JUDGE_PRIVATE_H
#define JUDGE_PRIVATE_H

#include "run/broken.h"
#include "run/choose.h"
#include "run/code.h"
#include "run/contents.h"
#include "run/expect.h"
#include "run/narrow.h"
#include "run/plan.h"
#include "run/races.h"
#include "run/report.h"
#include "run/target.h"
#include "judge/judge.h"
#include "recordings/recordings.h"

typedef struct judge_numbers { /* of a launch that is worth trying */
    int64_t grid[3];
    int64_t *scalars; /* one a parameter; of pointers and floats anything */
} judge_numbers;

typedef struct judging {
    session *s; /* a copy that sees the candidate alone */
    const judge_context *context;
    judgement *into;
    const judge_watch *watch; /* or NULL */
    size_t combination;
    bool is_built;                   /* the input is what a compiler made of the candidate */
    const recorded_module *recorded; /* that the input is, of a recording; or NULL */
    loaded reference_input;          /* while the reference is open */
    run_reference reference;         /* without words: none is open */
    judge_numbers *worst;            /* stb_ds array: of the kernel in hand (worst.c) */
} judging;

typedef struct judged_kernel { /* one launch of one kernel of the candidate */
    loaded *input;
    const loaded_kernel *kernel;
    kernel_report *report;
    /* The input that the report is of, where `input` was read anew under what its verdict requires;
     * or NULL.
     */
    loaded *checked;
    const loaded_kernel *checked_kernel;
} judged_kernel;

/* The launch of the kernel, as runtime_check/run takes it (samples.c). */
run_target judge_target(const judging *j, const judged_kernel *k, const concrete_launch *launch);

/* Tells that the phase begins. NULL; or, where it ended a process before, why it is passed over: a
 * sentence in the session's arena. */
const char *judge_begin(judging *j, judge_phase phase);

/* Adds a fault, copied with all that it points to, and marks its stage failed. */
void judge_add_fault(judging *j, judge_fault fault);
/* Makes the stage undecided, unless it has failed. `why` is copied. */
void judge_leave_open(judging *j, judge_stage stage, const char *why);
/* Nothing that was given says what the stage would have to hold. */
void judge_not_asked(judging *j, judge_stage stage, const char *why);

/* Removes the results of stages that the context does not ask for: no fault remains, and no state
 * but that. */
void judge_keep_asked(judging *j);
/* Is one of the stages asked that launches decide? */
bool judge_asks_runs(const judging *j);

/* Does neither the context nor the source say anything of the kernel's launches? Then nobody knows
 * which sizes and contents belong together, and launches that are made up show nothing. */
bool judge_is_silent(const judging *j, const contract *contract);

/* Returns the stage that a finding of the rule counts for; JUDGE_STAGE_READS: nowhere, it is only
 * ever a note. */
judge_stage judge_stage_of_rule(rule_id rule);

/* The stages that the proof decides: BOUNDS, SYNCHRONISATION and RACES, and WRITTEN where a
 * contract says what is covered. */
void judge_take_proof(judging *j, const judged_kernel *k);

/* Does what the candidate's source states of its launches exclude one that the context allows? Then
 * it is a fault: an author may not narrow what the kernel is for. */
void judge_compare_statements(judging *j, const judged_kernel *k);

typedef struct judge_output {
    const char *name; /* of the argument, or of its buffer */
    bool is_read;     /* by the reference too, so that what it holds at launch matters */
} judge_output;

typedef struct judge_outputs {
    size_t n;
    judge_output *items;
} judge_outputs;

/* Finds the outputs that the candidate has to write: once for all launches. False, with *why, if
 * the reference cannot be read; else it stays open until judge_close_reference. */
bool judge_find_outputs(judging *j, judge_outputs *outputs, const char **why);
void judge_close_reference(judging *j);

/* Marks the buffers of the plan that are outputs, or whose contents the launch itself states. */
bool *judge_mark_outputs(const gpu_plan *plan, const judge_outputs *outputs, tr_arena *arena);
/* Lets outputs that are no inputs hold nothing at launch: else a candidate could pass that leaves
 * memory as it was, where the right values lay before. */
void judge_begin_undefined(gpu_plan *plan, const judge_outputs *outputs);

/* The stages that launches decide: WRITTEN, DEFINED, AGREES and SCHEDULES, and what a run shows of
 * those before. */
void judge_take_samples(judging *j, const judged_kernel *k, const judge_outputs *outputs);

/* Like judge_take_samples(), on the launches that the context states to be tried as they are: what
 * they say of contents and references is in files beside it. */
void judge_take_trials(judging *j, const judged_kernel *k, const judge_outputs *outputs);

/* Do two runs of the plan leave the same in what the kernel writes? Floats that are added in
 * another order may round otherwise. If not, *buffer and *at say where. */
bool judge_ends_alike(const gpu_plan *plan, tr_arena *arena, const interp_run *a,
                      const interp_run *b, size_t *buffer, uint64_t *at);

/* The stage GPU: the launch on a GPU, where nothing is wrong so far. */
void judge_try_gpu(judging *j, const judged_kernel *k, const judge_outputs *outputs,
                   const concrete_launch *launch);

#endif

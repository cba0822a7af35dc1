/* What `tilerace run` says, whichever device ran. */
#ifndef DRIVER_RUN_REPORT_H
#define DRIVER_RUN_REPORT_H

#include "driver/run.h"
#include "plan/text.h"

typedef struct run_output { /* one buffer that was compared */
    gpu_buffer buffer;
    gpu_output output;       /* without contents; heat: NULL where nothing differs */
    struct run_tiles *tiles; /* NULL where nothing was compared */
} run_output;

/* A compared buffer as a grid of tiles, row-major. */
typedef struct run_tiles {
    bool flat; /* pieces of a buffer whose shape is not known */
    int rank;
    size_t n, counts[GPU_MAX_RANK];
    uint64_t shape[GPU_MAX_RANK], tile[GPU_MAX_RANK];
    double *heat; /* share of elements and runs that differ from the first run */
    /* NULL: not known. Linear ids of a block that writes it and of one more, or GPU_NOBODY. */
    uint32_t *writer, *other;
    bool *racing; /* two accesses meet in it in a race (gpu_is_racing) */
    bool part;    /* who wrote is known of the launch's beginning alone */
} run_tiles;

typedef struct run_step { /* of one of two schedules */
    int64_t block[3];
    const char *what; /* "store_view_tko, file.c:21, m = 3" */
    uint32_t line;    /* 0: unknown */
    bool matters;
} run_step;

typedef struct run_difference { /* two schedules of a small launch that end differently */
    const char *launch;         /* words */
    int64_t grid[3];
    bool adjacent; /* they differ in the order of two steps alone */
    size_t at;     /* where they part */
    size_t n_steps[2];
    const run_step *steps[2];
    bool rounds;       /* nearly equal: floats added in another order */
    size_t n_elements; /* that differ, of which are listed: */
    size_t n_listed;
    const char **elements; /* "dst[3]: 1 or 2" */
} run_difference;

typedef struct run_access { /* one side of a race of a run */
    int64_t block[3];
    bool before;      /* of the preceding kernel, which may still run */
    const char *verb; /* "stores" */
    const char *op;   /* "store_ptr_tko" */
    uint32_t op_ordinal, line;
    ir_ordering order;
    ir_scope scope;
    uint32_t n_iterations;
    const int64_t *iterations;
    const char *buffer;
    int64_t element;
} run_access;

typedef struct run_broken { /* a precondition of the verdict that a launch breaks ... */
    const char *kind, *text;
    bool reported; /* ... or undefined behaviour in it that the checker reports as an error */
} run_broken;

typedef struct run_race { /* a conflicting pair that happens-before of a run leaves unordered */
    const char *rule;     /* "TR001" */
    run_access events[2];
    const char *seen_by; /* "happens-before of run 3" */
    const char *launch;  /* words */
    size_t n_broken;
    const run_broken *broken;
    const interp_launch *at; /* that launch: it lives as long as the input does */
    const char *undecided;   /* a precondition of which nobody knows whether the launch keeps it */
} run_race;

typedef struct run_contradiction { /* a race that no verdict of the checker allows */
    const char *verdict;           /* "race-free" */
    const run_race *race;
    const char *folder; /* with all that repeats it; NULL: it could not be written */
} run_contradiction;

/* A value that no program may rely on, and what becomes of it. */
typedef struct run_undefined {
    const char *buffer; /* that holds it at the end; NULL: a branch, a mask or an address depends on
                           it, and the run ends there */
    int64_t element;    /* the first of them, which this tile block stores */
    size_t elements;
    int64_t block[3];
    const char *op; /* that stores it, or depends on it: "store_view_tko" */
    uint32_t op_ordinal, line;
    interp_undefined_kind source;
    const char *source_op;
    uint32_t source_ordinal, source_line;
    const char *read; /* of memory: the buffer that was read, or NULL; and its element */
    int64_t read_element;
    const char *seen_by; /* "run 3" */
} run_undefined;

typedef struct run_printed { /* by one execution of a print */
    int64_t block[3];
    uint32_t line;    /* 0: unknown */
    const char *text; /* UTF-8 */
} run_printed;

enum { RUN_MOST_RACES = 16, RUN_MOST_UNDEFINED = 16 }; /* that one report lists */

typedef struct run_report {
    const char *file, *kernel, *device; /* "cpu", "gpu" */
    const char *source, *source_name;   /* text with the kernel's lines, its file; or NULL */
    int64_t grid[3];
    const char *launch; /* words; or NULL */
    unsigned runs;
    bool nondeterministic, hang, missed; /* missed: a reference that is not met */
    bool order_dependent;                /* differences that float atomics alone may cause */
    size_t n_outputs;
    run_output *outputs;
    size_t n_races;
    run_race races[RUN_MOST_RACES];
    size_t n_undefined;
    run_undefined undefined[RUN_MOST_UNDEFINED];
    const char *undefined_why; /* why that is not known of a GPU's launch; or NULL */
    size_t n_printed;          /* of run 0, by the tile blocks in their order */
    const run_printed *printed;
    bool printed_cut;                       /* the kernel prints more */
    unsigned judged;                        /* runs of the interpreter beside those of a GPU */
    uint64_t race_checks;                   /* of the searches for them */
    bool races_cut_short;                   /* some run was not searched for races to its end */
    const run_contradiction *contradiction; /* or NULL */
    const char *words;                      /* the verdict line */
    const char *error;                      /* or NULL */
    const char *checker;              /* what `check` says: "race: TR001 at line 21"; or NULL */
    const char *replayed;             /* the witness whose launch `difference` shows; or NULL */
    const run_difference *difference; /* or NULL */
    uint64_t explored;                /* schedules that were run to look for it */
    bool exhaustive;                  /* all that there are of `explored_launch` */
    const char *explored_launch;      /* words; or NULL */
    const gpu_pairs *pairs;           /* behind what differs; or NULL */
    const char *nobody;               /* why no blocks are named where something differs; or NULL */
    const char *gpu;                  /* its name; or NULL */
    int driver;
    const char *blas;       /* that computed products of float tiles; NULL: none did */
    const char *arithmetic; /* what hangs on the machine in the interpreter's numbers; or NULL */
} run_report;

typedef struct run_witness { /* a launch in which two accesses race, as the checker reports it */
    const interp_launch *launch;
    const ir_op *ops[2]; /* the same one twice where it races with itself */
    uint32_t blocks[2];  /* linear ids */
    const char *words;   /* "TR001 at line 21" */
} run_witness;

/* What the checker finds in the kernel, as words ("race: TR001 at line 21") and as witnesses
 * (stb_ds array; release with arrfree). NULL and no witnesses where there is no solver. Of a kernel
 * that is race-free where the launch meets more than its contract, *required is that as a
 * launch-contract file; else NULL. */
const char *run_check(run_target *target, run_witness **witnesses, const char **required);
/* The witnesses of this kernel in a report of `check --format json`; appended. False with *why. */
bool run_read_witnesses(const run_target *target, const char *path, run_witness **witnesses,
                        const char **why);
/* Two schedules that end differently, or the word that no schedule of a small launch does, into the
 * report: first in the witnesses' launches, aimed at their accesses. */
void run_show_schedules(const run_target *target, size_t n_witnesses, const run_witness *witnesses,
                        run_report *report);
void run_report_of_gpu(tr_arena *arena, const char *file, const char *kernel, const gpu_plan *plan,
                       const gpu_result *result, run_report *report);
/* The grid of tiles with its heat, or of pieces where shape or tile are not known or tiles are too
 * many; NULL where nothing was compared. */
run_tiles *run_tiles_of(tr_arena *arena, const gpu_buffer *buffer, const gpu_output *output,
                        unsigned runs);
/* How often each element of a tile differed, row-major over what of it lies in the shape: a digit
 * of base 64 (RFC 4648) each, 0 for never and 63 for every run. */
void run_tile_digits(const run_tiles *tiles, size_t tile, const uint16_t *heat, unsigned runs,
                     tr_text *digits);
/* Who wrote each tile, and which blocks lie behind the elements that differ: into the report. */
void run_take_blocks(tr_arena *arena, const gpu_plan *plan, const gpu_blocks *blocks,
                     run_report *report);
/* A page that needs no other file. */
void run_report_html(tr_text *out, size_t n, const run_report *reports);
void run_report_text(tr_text *out, const run_report *report);
struct cJSON;
/* The object of the run schema; the caller's. */
struct cJSON *run_report_object(const run_report *report);
/* An object of the run schema; an array of them for several kernels. */
void run_report_json(tr_text *out, size_t n, const run_report *reports);

/* ---- Races of the runs ---- */

/* The races of this execution, by its happens-before, into the report: each pair of ops once. */
void run_collect_races(const run_target *target, const interp_launch *launch, const interp_run *run,
                       const char *seen_by, run_report *report);
/* Runs the plan's launch on the interpreter and looks for races: what a GPU shows is judged by
 * that. */
void run_judge(const run_target *target, const gpu_plan *plan, run_report *report);
/* Which rule the pair breaks in that run. */
rule_id run_race_rule(const interp_run *run, const interp_race *race);
const char *run_race_words(tr_arena *arena, const run_race *race);

/* ---- Values that are not defined (run_undefined.c) ---- */

/* Those of this execution that buffers hold at its end, or that it ends by, into the report: each
 * pair of an op and where its value comes from once. */
void run_collect_undefined(const run_target *target, const interp_launch *launch,
                           const interp_run *run, const char *seen_by, run_report *report);
/* The same of one run of the interpreter on a launch that a GPU runs, where the plan has memory
 * that begins undefined. */
void run_judge_undefined(const run_target *target, const gpu_plan *plan, run_report *report);
/* The same onto the error stream: the machine that runs a bundle has no interpreter. */
void run_note_undefined(const run_target *target, const gpu_plan *plan);
/* Is the execution at its end since it depends on such a value? */
bool run_ends_by_undefined(const interp_run *run);
/* What the report's list means beside its words. */
void run_conclude_undefined(tr_arena *arena, run_report *report);
void run_undefined_text(tr_text *out, const run_report *report);
struct cJSON *run_undefined_json(const run_report *report);

/* ---- What kernels print (run_printed.c) ---- */

/* Of an execution that kept it (interp_limits.prints), into the report. */
void run_collect_printed(tr_arena *arena, const interp_run *run, run_report *report);
/* Onto the error stream, the first lines of it. */
void run_say_printed(const session *s, const run_report *report);
struct cJSON *run_printed_json(const run_report *report);
/* The preconditions of the verdict that the launch breaks, in the session's arena; *undecided: one
 * of which that is not known, or NULL. */
size_t run_broken_preconditions(const run_target *target, const interp_launch *launch,
                                const interp_run *run, const run_broken **broken,
                                const char **undecided);
/* What the runs and their races mean beside the checker's verdict: words, and the contradiction
 * between the two, where there is one. */
void run_conclude(const run_target *target, run_report *report);
/* The exit code that the report asks for. */
int run_exit_code(const run_report *report);
/* Writes a folder with all that repeats the contradiction, and names it in the report. False after
 * a complaint. */
bool run_keep_contradiction(const run_target *target, run_report *report);

int run_execute_plan(session *s, const char *file, const char *kernel, const gpu_plan *plan,
                     run_report *report);
int run_on_interpreter(run_target *target, const gpu_plan *plan, size_t n_witnesses,
                       const run_witness *witnesses, run_report *report);
/* ---- The interpreter on a plan ---- */

/* Floats get values where hardware is free in them, too: one of those that it may give. */
interp_limits run_limits(const session *s);
/* The launch with the contents that the GPU would get; in the input's arena. */
interp_launch run_filled_launch(const run_target *target, const gpu_plan *plan);
/* A run with tile blocks taking turns: number 0 in order, the others as the seed gives. */
tr_give interp_run *run_in_turns(const session *s, const ir_function *kernel,
                                 const interp_launch *launch, uint64_t seed, unsigned number);
/* A buffer after a run: its bytes, and per element whether they are known. */
void run_read_buffer(const interp_run *run, size_t buffer, const gpu_buffer *b,
                     unsigned char *bytes, bool *known);
/* Who touches which element of the launch, by a run of the interpreter; in the session's arena. */
gpu_blocks *run_trace_blocks(const run_target *target, const gpu_plan *plan, size_t n_witnesses,
                             const run_witness *witnesses);
/* The same, and into the report. */
void run_name_blocks(const run_target *target, const gpu_plan *plan, size_t n_witnesses,
                     const run_witness *witnesses, run_report *report);
/* Reads the kernel that "FILE" or "FILE:KERNEL" names, by itself. NULL, with *why in the session's
 * arena. `input` is to be released by load_free, whatever comes of it. */
const loaded_kernel *run_open_reference(const session *s, const char *words, loaded *input,
                                        const char **why);
/* How far results of that type may be apart where sums are taken in another order: relative above
 * 1, absolute below. */
double run_tolerance(const ir_function *kernel, gpu_element element);
typedef struct run_reference { /* opened once, for many launches */
    const char *words;
    const loaded *input;
    const loaded_kernel *kernel;
} run_reference;

/* What another kernel ("FILE" or "FILE:KERNEL") makes of the plan's inputs, on the interpreter,
 * becomes what these buffers are compared with; its parameters are matched by name. *is_defined: it
 * does nothing undefined on these inputs. False with *why. */
bool run_expect_kernel(const run_target *target, gpu_plan *plan, const char *words, size_t n,
                       const size_t *buffers, bool *is_defined, const char **why);
/* What the interpreter makes of the plan's inputs becomes what the outputs are compared with, where
 * no reference is stated. False with *why. */
bool run_expect_interpreter(const run_target *target, gpu_plan *plan, const char **why);
int run_write_bundle(session *s, const gpu_plan *plan);
/* What one run of the interpreter leaves in the buffers that the kernel writes goes into the folder
 * of --outputs. NULL, or why not: a sentence. */
const char *run_leave_outputs(const run_target *target, const gpu_plan *plan);

#endif

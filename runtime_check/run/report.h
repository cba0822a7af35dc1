/* The report of `tilerace run`, whichever device ran. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "interp/interp.h"
#include "plan/text.h"
#include "run/target.h"

struct cJSON;
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
    bool *racing; /* two accesses meet in it in a race (plan_is_racing) */
    bool part;    /* who wrote is known of the launch's beginning alone */
} run_tiles;

typedef struct machine_step { /* of one of two schedules */
    int64_t block[3];
    const char *what; /* "store_view_tko, file.c:21, m = 3" */
    uint32_t line;    /* 0: unknown */
    bool matters;
} machine_step;

typedef struct run_difference { /* two schedules of a small launch that end differently */
    const char *launch;         /* words */
    int64_t grid[3];
    bool adjacent; /* they differ in the order of two steps alone */
    size_t at;     /* where they part */
    size_t n_steps[2];
    const machine_step *steps[2];
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

typedef struct run_broken { /* a precondition of the verdict that a launch breaks */
    const char *kind, *text;
    bool reported; /* it is undefined behaviour in it that the checker reports as an error */
} run_broken;

typedef struct run_race { /* a conflicting pair that happens-before of a run leaves unordered */
    const char *rule;     /* "TR001" */
    run_access events[2];
    const char *seen_by; /* "happens-before of run 3" */
    const char *launch;  /* words */
    size_t n_broken;
    const run_broken *broken;
    const concrete_launch *at; /* that launch: it lives as long as the input does */
    const char *undecided; /* a precondition of which nobody knows whether the launch keeps it */
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
} run_report;

/* Makes a report of a GPU's results. */
void run_report_of_gpu(tr_arena *arena, const char *file, const char *kernel, const gpu_plan *plan,
                       const gpu_result *result, run_report *report);
/* Lines for people. */
void run_report_text(tr_text *out, const run_report *report);
/* The object of the run schema; the caller's. */
struct cJSON *run_report_object(const run_report *report);
/* An object of the run schema; an array of them for several kernels. */
void run_report_json(tr_text *out, size_t n, const run_report *reports);

#endif

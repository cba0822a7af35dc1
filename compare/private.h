/* Private to the room: two kernels on their way. */
#ifndef COMPARE_PRIVATE_H
#define COMPARE_PRIVATE_H

#include "compare/compare.h"
#include "run/choose.h"
#include "run/contents.h"
#include "run/expect.h"
#include "run/plan.h"
#include "run/target.h"
#include "index_space/summary.h"

typedef struct compare_side {
    loaded input;
    loaded_kernel *kernel; /* the launch of it that is compared */
    ir_function *function; /* the kernel's, which edits change and change back */
    kernel_report *report; /* NULL: not checked */
    summary *summary;
    bool *reads, *writes; /* by argument: does it access what that points to? */
} compare_side;

typedef struct compare_match {
    int *other[2];     /* by argument of that side: the other side's, or -1 */
    size_t n_arrays;   /* pairs of pointers that correspond */
    int (*arrays)[2];  /* the pairs, in the order of A's arguments */
    const int **axes;  /* by pair: B's axes in terms of A's; NULL: the same */
    int *rank;         /* by pair: of `axes` */
    bool *starts_zero; /* by pair */
} compare_match;

typedef struct outcome_array { /* of one pair, seen as A has it */
    uint64_t n;
    int width;
    gpu_element element;
    unsigned char *bytes;
    bool *known, *stored, *loaded; /* by element */
} outcome_array;

typedef struct outcome { /* what one run leaves */
    interp_status status;
    bool is_undefined; /* it does what is undefined on its way */
    const char *why;   /* how it ended, or what was undefined; or NULL */
    uint64_t beyond;   /* a hash of what was undefined, and of what was stored beyond the arrays */
    outcome_array *arrays;
} outcome;

typedef struct compare_sample { /* one launch of both */
    concrete_launch launch[2];  /* with contents */
    gpu_plan *plan[2];
    run_target target[2];
    const char *words;
    size_t number; /* that its contents are made by */
    outcome outcome[2];
    bool differs;
} compare_sample;

typedef struct comparing {
    session *s;
    tr_arena *arena; /* of this comparison */
    compare_side side[2];
    compare_match match;
    compare_sample *samples; /* stb_ds array, the smallest first; those at which both are defined */
    double *tolerance;       /* by pair: relative above 1, absolute below */
    comparison *into;
    bool bits_differ; /* of results that agree */
} comparing;

/* ---- Parameters (pairing.c) ---- */

/* Matches the parameters of the two as the options say. False, with *why, where they cannot be. */
bool compare_pair(comparing *c, const char **why);

/* ---- Launches and their outcomes (samples.c, outcome.c) ---- */

/* The element of an array with permuted axes that element `at` of the packed array `of` becomes. */
uint64_t compare_permuted(const gpu_buffer *of, const int *axes, uint64_t at);

/* Draws launches that both contracts allow and runs both kernels on each. */
void compare_draw(comparing *c);
/* Sorts the samples, the smallest first. */
void compare_sort(comparing *c);
/* The sample anew, with what is known of layouts by now; its outcomes stay. False: it cannot be. */
bool compare_redo(const comparing *c, compare_sample *sample);
/* Runs one side at a sample. In `arena`. */
outcome compare_execute(const comparing *c, int side, const compare_sample *sample,
                        const concrete_launch *launch, uint64_t steps, tr_arena *arena,
                        interp_run **kept);

typedef struct mismatch {
    bool is_there;
    int array;        /* number of the pair, or -1: they end in different ways */
    uint64_t element; /* the first that differs */
    bool is_footprint;
} mismatch;

/* Do they leave the same, by the tolerance? *bits_differ is set where some bit differs. */
mismatch compare_outcomes(const comparing *c, const outcome *a, const outcome *b,
                          bool *bits_differ);
/* Are all elements loaded by both, or by neither? */
bool compare_loads(const comparing *c, const outcome *a, const outcome *b);
/* Finds the first element that differs in the first sample that does, and puts it into the result.
 */
void compare_locate(comparing *c);

/* ---- Changes (patch.c, edits*.c, naming.c) ---- */

typedef struct patch patch; /* changes of a function that can be taken back */

tr_give patch *patch_new(ir_function *function);
/* Takes everything back, and renumbers. */
void patch_undo(tr_take patch *p);
void patch_set(patch *p, void *where, const void *what, size_t size);
void patch_operand(patch *p, ir_op *op, uint32_t operand, ir_value *value);
void patch_number(patch *p, ir_op *op, unsigned attr, int64_t number);
void patch_type(patch *p, ir_value *value, const ir_type *type);
/* Every use of the value but those by `but` becomes `with`. */
void patch_uses(patch *p, const ir_value *value, ir_value *with, const ir_op *but);
/* A new op in front of that one, or behind it. */
ir_op *patch_build(patch *p, ir_op *at, bool behind, ir_opcode code, const ir_operand_list *groups,
                   uint32_t n_results, const ir_type *const *types);
/* Makes, in front of `at`, an op whose results are one group. */
ir_op *patch_build_many(patch *p, ir_op *at, ir_opcode code, const ir_operand_list *groups,
                        uint32_t n_results, const ir_type *const *types);
/* Takes out ops whose results nobody takes, and which do nothing else; false: there are none. */
bool patch_remove_idle(patch *p);
ir_function *patch_function(const patch *p);
ir_value *patch_constant(patch *p, ir_op *at, bool behind, const ir_type *type, int64_t number);
ir_value *patch_sum(patch *p, ir_op *at, bool behind, ir_value *value, int64_t number);

typedef struct edit {
    compare_edit_kind kind;
    ir_op *op; /* what is changed, or what it stands at */
    uint32_t operand;
    int64_t number;
    ir_value *value; /* or NULL */
    const ir_type *type;
} edit;

/* All changes that are known of the function; stb_ds array. */
edit *edits_of(ir_function *function);
void edits_of_types(ir_function *function, edit **edits);
/* The parameter that a number is, whatever its type and what is assumed of it; or NULL. */
const ir_value *edit_root_of(const ir_value *value);
/* Makes the change. */
void edit_apply(patch *p, const edit *e);
void edit_apply_type(patch *p, const edit *e); /* of those of edits_types.c */

/* Are the two op for op the same, and launched alike? */
bool compare_is_one_code(const comparing *c);
/* Names the arrays whose axes, permuted, make the two equal. */
void compare_find_layouts(comparing *c);
/* Tries changes, and names those that make the two equal. */
void compare_name_difference(comparing *c);

/* ---- Proof (footprint.c) ---- */

/* Do both store to the same elements at all launches? True where that is proved; else *why. */
bool compare_prove_stores(comparing *c, const char **why);
bool compare_same_grids(const comparing *c);
/* Adds to the result the preconditions that one of the two has and the other does not. False: at
 * some launches one of them races and the other does not (preconditions.c). */
bool compare_preconditions(comparing *c);

#endif

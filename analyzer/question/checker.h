/* The state of the check of one kernel. The rooms from question to rules share it: question asks
 * the prover, order proves order between tile blocks, precondition searches for facts on the
 * launch, witness makes launches and replays them, rules decide. Each room calls those before it.
 */
#ifndef QUESTION_CHECKER_H
#define QUESTION_CHECKER_H

#include "index_space/summary.h"
#include "interp/interp.h"
#include "interp/schedule.h"
#include "launch/launch.h"
#include "question/query.h"
#include "strategies/prove.h"
#include "verdict/findings.h"
#include "verdict/options.h"

typedef struct contents_range { /* contents of an argument that are required to lie in a range */
    int arg;
    smt_t low, high; /* NULL: no such bound; they may use contract_value() */
} contents_range;

typedef struct contents_tuple { /* tuples of elements with one index that are required to differ */
    int arg;
    size_t n; /* in `with`, without `arg` */
    const int *with;
} contents_tuple;

/* An obligation: the two events must not both happen on one location. */
typedef struct obligation_of {
    const struct ix_access *a, *b; /* NULL: the obligation is about a single event */
    int relation;                  /* copy_relation */
    smt_t also;
} obligation_of;

typedef struct required { /* a precondition that a proof of this check uses */
    precondition what;
    smt_t fact;            /* what it says of the launch, as proofs use it; or NULL */
    smt_t fails;           /* for one in words: when an event breaks it; else NULL */
    obligation_of purpose; /* the obligation that first needed it */
    bool unsettled;        /* words hold 0; open is whether they do at the next launch */
    bool unenforced;       /* a launch that breaks it may be defined: no proof uses it */
    bool claimed;          /* it is for tiles that are marked as in bounds */
    bool of_wrap;          /* it is for arithmetic that may wrap by definition */
    bool only_wraps;       /* launches that break it are undefined by such arithmetic at most */
} required;

/* An op that is undefined where `path` leads to it and `safe` does not hold. */
typedef struct undefined_place {
    const ir_op *op;
    smt_t path, assumed, safe; /* as of an access or a hazard */
    bool of_wrap;              /* not undefined: arithmetic that may wrap by definition */
} undefined_place;

typedef struct wrap_meeting { /* two tile blocks on one axis that meet by a value that wraps: block
                                 i by the op, block j by the other one, which may be the same */
    const ir_op *op, *other;
    int axis;
    int64_t i, j;
    smt_t taken; /* what parameters and tables have to be for that; NULL: anything */
} wrap_meeting;

typedef struct asked_wrap {
    smt_t fact;   /* over the parameters as stated; NULL: it speaks of contents, or is words */
    size_t which; /* of the report's preconditions */
} asked_wrap;

/* Facts on the contents of buffers that the check requires, and that every question assumes. */
typedef struct known_contents {
    const contents_range *ranges;
    const contents_tuple *tuples;
    size_t n_ranges, n_tuples;
    uint64_t unique;       /* by argument: its elements differ */
    smt_t unique_when[64]; /* they differ among the elements for which this holds; NULL: all */
    uint64_t increasing;   /* by argument: they do not decrease */
    uint64_t prefix;       /* by argument: they are the prefix sum */
    int prefix_of[64];     /* the argument whose prefix sum they are */
} known_contents;

/* Facts on the launch that questions may use. It is a value: to leave something out for a while,
 * copy it, change it, and assign the copy back. What it points to lies in the arena and is never
 * changed: a list that grows is another list. */
typedef struct known_launch {
    smt_t launch;   /* s->launch, and the requires found so far */
    smt_t required; /* the requires alone, as far as they are facts; NULL: none yet */
    smt_t presumed; /* see require_presumed; NULL: not asked yet */
    smt_t presumed_arrays, presumed_tables; /* its parts */
    known_contents contents;
    const struct layout_answer *layouts; /* answers about layouts by these facts: layout.c */
    struct order_state *sync;            /* what is known of locks and tickets: order/state.h. It is
                                           added to while questions are asked; NULL: nothing yet */
} known_launch;

typedef enum basis_kind {
    BASIS_CLEARED_ARG,    /* the words of an argument's buffer hold 0 at launch */
    BASIS_CLEARED_GLOBAL, /* the words of a global hold 0 at launch; `which` is its allocation */
    BASIS_ARRAYS_APART,   /* no two elements of an array in the regions of an allocation share bytes
                           */
    BASIS_CHOICE,         /* a trust_choice of the model */
} basis_kind;

typedef struct basis_item {
    basis_kind kind;
    int which;
} basis_item;

/* Like known_launch, this is a value: items that are noted after it was copied are forgotten when
 * the copy is assigned back. */
typedef struct known_basis {
    const basis_item *items;
    size_t n;
} known_basis;

/* Preconditions for which the prover did not decide whether they are enough, or whether they may be
 * asked for: see precondition/hope.h. */
typedef struct hoped_for {
    smt_t facts;             /* about the launch's numbers; NULL: nothing is hoped for */
    known_contents contents; /* what is known of contents, and hoped */
    smt_unknown_kind why;    /* the gravest reason of those without an answer */
} hoped_for;

/* The effort that a check has spent, and how much of it decided nothing. */
typedef struct check_effort {
    smt_steps steps;         /* the most that this check may take */
    smt_steps began;         /* the context's count when the check began */
    size_t leaned_at;        /* number of answers by the solver when the obligation began */
    bool leaned;             /* did the preceding obligation need any */
    size_t failures_before;  /* the solver's failures when this check began */
    size_t failures_of_pair; /* and when the pair, or another obligation, began */
    unsigned unshown;        /* pairs for which no launch of a model was replayed as a race */
    unsigned endless_runs;   /* runs not at their end after many accesses: see ask_run */
    unsigned in_vain;        /* undecided questions whether candidates are enough */
    unsigned events_in_vain; /* undecided questions whether a fact keeps an event defined */
} check_effort;

/* Pairs are decided one after the other, each with the facts that every pair may use: see
 * precondition/pairs.c. */
typedef struct checked_pairs {
    known_launch *base;           /* what every pair may use; NULL: none asked yet */
    known_launch *found;          /* what all pairs have found, while one of them is decided */
    size_t first_require;         /* number of the first require that a pair asked for */
    const contract *entered_with; /* the contract before the pair that is decided */
    bool inside;                  /* a pair is being decided */
} checked_pairs;

/* Which arguments may be required to have elements that differ: bits by argument. */
typedef struct differing {
    uint64_t asked, refused;         /* see require_may_differ */
    uint64_t all_asked, all_refused; /* see require_may_all_differ */
} differing;

/* Tiles that are marked as in bounds. */
typedef struct bounds_claims {
    bool asking;          /* what is required now is for them */
    const ir_op **broken; /* stb_ds array: ops whose marks are errors */
    bool open;            /* the search is for a launch that breaks a precondition of such a mark */
} bounds_claims;

/* Sizes that a launch states, by argument: see rules/sizes.c. */
typedef struct launch_sizes {
    bool *asked; /* the launch is asked that it is not small */
    bool *open;  /* nothing that is stated bounds it from below */
} launch_sizes;

/* Undefined behaviour of single events. */
typedef struct undefined_events {
    bool open;               /* some of it is neither excluded nor required to be excluded */
    bool any_sign;           /* divisors are only required not to be 0 */
    undefined_place *places; /* stb_ds array: for which facts on the launch were asked */
    const ir_op **kept_ops;  /* stb_ds array: ops whose definedness is a precondition in words */
    const ir_op **run_ops;   /* stb_ds array: ops whose precondition no proof uses, though the
                                launch decides it: a run shows whether it holds */
    struct leaned_event *leaned; /* stb_ds array: events that the solver has proved to be defined;
                                    see rules/second_look.c */
} undefined_events;

/* Arithmetic that may wrap by definition: see rules/wraps.h. */
typedef struct wrapping_values {
    bool asking;               /* it asks for what is required now */
    bool machine_values;       /* all of it is followed, and every access is in its buffer */
    const bool *doubted;       /* by op ordinal: see doubt_undefined, follow_wraps; or NULL */
    wrap_meeting *meetings;    /* stb_ds array; see follow_wraps */
    summary **replaced;        /* stb_ds array: summaries that were replaced */
    const asked_wrap *by_runs; /* stb_ds array, or NULL: runs alone are to show a race of launches
                                  that break one of these; the solver is asked nothing */
} wrapping_values;

/* The results of runs of small launches: see witness/enumerate.c. */
typedef struct small_launches {
    struct enumerated *races;                 /* stb_ds array */
    struct enumerated_undefined *undefined;   /* stb_ds array: undefined behaviour */
    struct enumerated_first *first_undefined; /* stb_ds array: the first of each of them */
    bool done;
    bool brief; /* there were only a few short runs */
} small_launches;

typedef struct checker {
    /* Adds to a question what a room above knows of the values in it; never NULL. */
    void (*add_known)(struct checker *k, query *conjuncts);
    /* The kernel that is checked, and how. */
    tr_arena *arena;
    smt_ctx *ctx;
    smt_prover *prover;
    const ir_function *kernel;
    const contract *contract;
    const rules_options *options;
    summary *s;
    bool *args_used; /* by argument; in the arena */
    const model_tokens *tokens;
    const model_tokens *tokens_per_name; /* the other reading of D17; NULL: not asked yet */

    /* The facts known of the launch, and those that are only asked for. */
    known_launch known; /* facts on the launch that questions are about */
    known_basis basis;  /* what answers rest on: see question/basis.h */
    smt_t given;        /* known of every launch beside s->launch, without any precondition */
    smt_t unenforced; /* launch preconditions that no proof uses; launches that meet them come first
                         in the search for a witness. NULL: none */
    /* Facts that were dropped because the requires that are shown imply them: those of launch
     * preconditions that proofs use, and those of launch preconditions that no proof uses; or NULL.
     */
    smt_t implied, implied_unenforced;
    hoped_for hoped;              /* in the search for the pair that is decided */
    const precondition *breaking; /* the search is for a launch that breaks it; or NULL */
    unsigned specialised;  /* bits: axes required to have one block, see precondition/specialised.c
                            */
    unsigned compiled_for; /* those of them where every launch of several blocks is undefined */
    uint64_t unsettled;    /* by argument: words that hold 0, but perhaps not at the next launch */
    smt_t *apps;           /* stb_ds array: launch-time contents that the last question spoke of */

    /* The obligation that is decided, and the results so far. */
    obligation_of deciding; /* the pair that is being decided; `a` is NULL where there is none */
    checked_pairs pairs;
    kernel_report *report;
    finding *findings;     /* stb_ds array */
    required *requires_;   /* stb_ds array */
    smt_t *seen_paths;     /* stb_ds array: path pairs known to be reachable */
    bool proved_something; /* a pair that is not vacuous was proved */
    bool any_vacuous;
    bool proved_near; /* a pair is proved only for accesses that lie in the first bytes of their
                         buffers */

    differing differ;
    bounds_claims claims;
    launch_sizes sizes;
    undefined_events undefined;
    wrapping_values wraps;
    small_launches small;
    struct whole_launch *whole; /* NULL: it has not been run yet; see witness/whole_launch.c */
    check_effort effort;
} checker;

/* Elements of a table that get values in the launches of a search: more are hardly ever read by the
 * few blocks of such a launch, and filling a large table takes longer than running the kernel. */
enum { RULES_FILLED = 1 << 14 };

/* Tells the watcher, if there is one, which step begins. */
static inline void step_begins(const checker *k, rules_step step)
{
    if (k->options->watch.begins)
        k->options->watch.begins(k->options->watch.user, step);
}

#endif

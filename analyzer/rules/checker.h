/* Private to rules: what the rules of one kernel's check share.
 *
 * The schedule is in check.c. A rule makes obligations ("these conjuncts cannot all hold"), asks,
 * and turns a model into a replayed witness and a finding. */
#ifndef RULES_CHECKER_H
#define RULES_CHECKER_H

#include "index_space/summary.h"
#include "interp/interp.h"
#include "interp/launch.h"
#include "interp/schedule.h"
#include "rules/rules.h"

typedef struct contents_range { /* contents of an argument that are required to lie in a range */
    int arg;
    smt_t low, high; /* NULL: no such bound; they may use contract_value() */
} contents_range;

typedef struct contents_tuple { /* tuples of elements with one index that are required to differ */
    int arg;
    size_t n; /* in `with`, without `arg` */
    const int *with;
} contents_tuple;

/* Two events that shall not both happen on one location. */
typedef struct obligation_of {
    const struct ix_access *a, *b; /* NULL: the obligation is about a single event */
    int relation;                  /* copy_relation */
    smt_t also;
} obligation_of;

typedef struct required { /* a precondition that a proof of this check uses */
    precondition what;
    smt_t fact;            /* what it says of the launch, as proofs use it; or NULL */
    smt_t fails;           /* when an event breaks it, where it is said in words; or NULL */
    obligation_of purpose; /* what it was first needed for */
    bool unsettled;        /* of words that hold 0: whether they do at the next launch, too */
    bool unenforced;       /* a launch that breaks it may be defined: no proof uses it */
    bool claimed;          /* tiles that are marked as in bounds ask for it */
    bool of_wrap;          /* arithmetic asks for it that may wrap by definition */
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

typedef struct checker {
    /* Adds what a room above knows of values in a question; never NULL. */
    void (*add_known)(struct checker *k, smt_t **conjuncts);
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
    kernel_report *report;
    smt_t given; /* known of every launch beside s->launch, without any precondition */
    const precondition *breaking; /* a launch is looked for that breaks it; or NULL */
    smt_t launch;                 /* s->launch and the requires found so far */
    smt_t required;               /* the requires alone, as far as they are facts; NULL: none yet */
    smt_t unenforced; /* launch preconditions that no proof uses; launches that meet them come first
                         in the search for a witness. NULL: none */
    /* What was dropped as the requires that are shown imply it, as far as it is a launch
     * precondition that proofs use, and that none uses; or NULL. */
    smt_t implied, implied_unenforced;
    smt_t hoped; /* facts of a search for requires that limits cut short; NULL: none */
    smt_unknown_kind hoped_why;             /* ... the graver reason of those */
    smt_t presumed;                         /* see require_presumed; NULL: not asked yet */
    smt_t presumed_arrays, presumed_tables; /* its parts */
    bool asking_claims; /* what is required now, tiles ask for that are marked as in bounds ... */
    const ir_op **broken_claims; /* stb_ds array: ops whose marks are errors */
    bool claims_open;    /* ... and a launch is looked for that breaks such a precondition */
    bool *sizes_asked;   /* by argument: sizes.c asks of the launch that it is not small */
    bool *sizes_open;    /* ... and nothing that is stated bounds it from below */
    bool asking_wrap;    /* what is required now, arithmetic asks for that may wrap by definition */
    bool machine_values; /* all such arithmetic is followed, and every access is in its buffer */
    bool proved_near;    /* ... a pair is proved of accesses alone that lie in the first bytes of
                            their buffers */
    unsigned unshown;    /* pairs for which no launch of a model was replayed as a race */
    unsigned endless_runs;   /* see ask_run: runs that were not at their end after many accesses */
    unsigned in_vain;        /* questions whether candidates are enough that were not decided */
    unsigned events_in_vain; /* the same of facts for which an event is defined */
    const asked_wrap *by_runs; /* stb_ds array, or NULL: runs alone are to show a race of launches
                                  that break one of these; the solver is asked nothing */
    bool any_sign;             /* of a divisor nothing is asked but that it is not 0 */
    bool undefined_open;       /* some undefined behaviour is neither excluded nor required to be */
    unsigned specialised;      /* bits: axes required to have one block, see specialised.c ... */
    unsigned compiled_for;     /* ... as every launch of several is undefined */
    finding *findings;         /* stb_ds array */
    required *requires_;       /* stb_ds array */
    obligation_of deciding;    /* the pair that is being decided; `a` is NULL where there is none */
    signed char
        *tensor_state; /* by tensor number: distinct coordinates proved distinct addresses? */
    const ix_tensor **tensors;      /* stb_ds array: numbers of tensors */
    contents_range *assumed_ranges; /* stb_ds array */
    contents_tuple *assumed_tuples; /* stb_ds array */
    uint64_t assumed_prefix;        /* by argument: contents required to be a prefix sum ... */
    int prefix_of[64];              /* ... of this argument's */
    uint64_t assumed_increasing;    /* by argument: contents required not to decrease */
    uint64_t differ_asked, differ_refused;         /* by argument: see require_may_differ */
    uint64_t all_differ_asked, all_differ_refused; /* see require_may_all_differ */
    uint64_t assumed_unique;                       /* by argument: contents required to be unique */
    smt_t unique_when[64]; /* ... among the elements for which this holds; NULL: all */
    smt_t *apps;           /* stb_ds array: launch-time contents that the last question spoke of */
    struct enumerated *enumerated; /* stb_ds array: races of small launches; see enumerate.c */
    struct enumerated_undefined
        *undefined; /* stb_ds array: undefined behaviour of small launches */
    struct enumerated_first *first_undefined; /* stb_ds array: the first of each of them */
    struct leaned_event *leaned_events; /* stb_ds array: single events that the solver has proved
                                           to be defined; see second_look.c */
    bool enumeration_done;
    bool enumerated_briefly;       /* ... in a few short runs */
    undefined_place *event_places; /* stb_ds array: that facts on the launch were asked for */
    const ir_op **kept_ops;  /* stb_ds array: ops whose definedness is a precondition in words */
    const ir_op **run_ops;   /* ... which no proof uses, though the launch decides it: a run shows
                                whether it holds */
    const bool *doubted;     /* by op ordinal: see doubt_undefined, follow_wraps; or NULL */
    wrap_meeting *meetings;  /* stb_ds array; see follow_wraps */
    summary **replaced;      /* stb_ds array: summaries that others took the place of */
    struct sync_state *sync; /* what is known of locks and tickets; see sync.c */
    struct whole_launch *whole; /* NULL: it has not been run yet; see whole_launch.c */
    struct premises *base;  /* what every pair may use; see require_pairs.c. NULL: none asked yet */
    struct premises *found; /* what all pairs have found, while one of them is decided */
    size_t first_of_pairs;  /* number of the first require that a pair asked for */
    const contract *entered_with; /* the contract before the pair that is decided */
    bool in_pair;
    smt_t *seen_paths;     /* stb_ds array: path pairs known to be reachable */
    uint64_t unsettled;    /* by argument: words that hold 0, but perhaps not at the next launch */
    bool proved_something; /* a pair that is not vacuous was proved */
    bool any_vacuous;
    size_t leaned_at;        /* answers by the solver when the obligation was begun ... */
    bool leaned;             /* ... and whether the one before it needed any */
    size_t failures_before;  /* of the solver when this check began ... */
    size_t failures_of_pair; /* ... and the pair, or what is decided instead of one */
    smt_steps steps;         /* that this check may take ... */
    smt_steps began;         /* ... beyond the context's count of then */
} checker;

/* ---- copies.c: two events of one or two accesses ---- */

typedef enum copy_relation {
    COPY_OTHER_BLOCK, /* two different tile blocks */
    COPY_SAME_BLOCK,  /* one tile block: block ids shared, counters and coordinates each its own */
    COPY_SAME_OP,     /* one execution of one op: counters shared too */
    COPY_NONE,        /* a single event: nothing renamed */
} copy_relation;

bool copy_is_block_id(const checker *k, smt_t variable);
/* The term as copy 0 or 1 has it. */
smt_t copy_term(checker *k, smt_t term, copy_relation relation, int copy);
/* "The two blocks are different": at least one axis' id differs. */
smt_t copy_blocks_differ(checker *k);
/* When an event of the access happens: launch, path, facts, mask and the ranges of coordinates. */
void copy_add_event(checker *k, smt_t **conjuncts, const ix_access *access, copy_relation relation,
                    int copy);
/* Same location: coordinates where both go through one layout without overlap, else bytes. */
smt_t copy_same_location(checker *k, const ix_access *a, const ix_access *b,
                         copy_relation relation);
/* Do elements of those widths at those byte offsets share a byte? */
smt_t copy_bytes_overlap(checker *k, smt_t a, int width_a, smt_t b, int width_b);
/* Both events of a pair, a's as copy 0 and b's as copy 1. */
void copy_add_pair(checker *k, smt_t **conjuncts, const ix_access *a, const ix_access *b,
                   copy_relation relation);
/* The loop counters of a copy, and the block ids: what a small witness keeps small. */
void copy_add_small(checker *k, smt_t **small, const ix_access *access, copy_relation relation,
                    int copy);

/* When an earlier event's iteration of one loop, `mine`, is among those that the step names
 * (MODEL_SAME, ...). `last`: the loop's last iteration, NULL: not known; `others`: the later
 * event's iteration of the same loop, NULL: it is in another run of the loop, or in none. */
smt_t copy_step(smt_ctx *ctx, unsigned steps, smt_t mine, smt_t last, smt_t others);

/* Does any op read the kernel's argument? Looked up once for all of them. */
bool arg_is_used(const checker *k, size_t argument);
/* The access of a memory op; NULL when it has none. */
const ix_access *access_of_op(const checker *k, const ir_op *op);
/* An op whose pointer is one of several buffers' has an access for each: the one of this buffer, or
 * the op's first where no buffer of that name is among them. */
const ix_access *access_of_buffer(const checker *k, const ir_op *op, const char *buffer);

/* ---- ask.c: the solver, with the facts on contents that the query's terms call for ---- */

/* The argument whose contract speaks of the launch-time contents that an application reads; NULL
 * when none does. Its element's number, counted from the parameter on; is that in the extent? */
const contract_arg *contents_facts_of(const checker *k, smt_t app);
smt_t contents_index_of(checker *k, const contract_arg *arg, smt_t app);
/* Does an element, read as the signed number `value` of so many bits, lie between the bounds
 * (either may be NULL)? Contracts speak of the number that the host stored, which may be unsigned:
 * where its two readings differ, what is stated is taken for the one that can hold it. */
smt_t contents_between(checker *k, smt_t value, int bits, smt_t index, smt_t low, smt_t high);
/* Width of the elements whose launch-time contents the application stands for. */
int contents_bits_of(smt_t app);
/* The contract gives the argument's buffer an element with that index, which may be `value`, read
 * as a signed number of so many bits. */
smt_t contents_stated_of(checker *k, const contract_arg *arg, int bits, smt_t index, smt_t value);
/* The number that the contract speaks of where the element is `value`, read as a signed one. */
smt_t contents_as_stated(checker *k, const contract_contents *facts, int bits, smt_t value);
smt_t contents_in_extent(checker *k, const contract_arg *arg, smt_t index);
/* exact_contents.c: what the contract says of the element with that index, where it states the
 * elements one by one; NULL: nothing that is of use. */
smt_t contents_exact_fact(checker *k, const contract_arg *arg, smt_t index, smt_t element);
/* The same of two elements a and b, with indices i and j: which of them can be equal. */
smt_t contents_exact_pair(checker *k, const contract_arg *arg, smt_t i, smt_t j, smt_t a, smt_t b);
/* Are the elements of the argument's buffer stated one by one? Nothing can be asked of them then:
 * they are what they are. */
bool contents_are_exact(const checker *k, int arg);
bool contents_are_bools(const checker *k, int arg);
/* Can nothing be asked of the elements of the argument's buffer: are they stated one by one, or
 * bools, of which each may be either? */
bool contents_are_given(const checker *k, int arg);
/* Of which argument's contents they are the prefix sum, as stated or required; -1: of none. */
int contents_prefix_of(const checker *k, const contract_arg *arg);
bool contents_increase(const checker *k, const contract_arg *arg);
bool contents_are_ordered(const checker *k, const contract_arg *arg); /* or assumed to be */
/* prefix_sum.c: adds to k->apps the offsets that belong to the lengths in it; what prefix sums
 * among k->apps say of each other. */
void prefix_sum_complete(checker *k);
void prefix_sum_add(checker *k, smt_t **conjuncts);
/* running_sums.c: the same of the sums that a block makes of a tile. */
void running_sums_add(checker *k, smt_t **conjuncts);
/* Every query goes through here. Counts nothing. */
smt_answer ask(checker *k, const smt_t *conjuncts, const char *name);
smt_answer ask_for(checker *k, const smt_t *conjuncts, const char *name, smt_steps most);
/* Where any model will do, be it one of an earlier question. */
smt_verdict ask_verdict(checker *k, const smt_t *conjuncts, const char *name, smt_steps most);
/* For a first try: most questions are answered in a few thousand steps or not soon. */
enum { ASK_BRIEF = 250 * 1000 };
smt_verdict ask_briefly(checker *k, const smt_t *conjuncts, const char *name);
/* No launch meets the condition: asked of what no block and no memory has a part in, so that it can
 * be asked before tokens are known. False where that is not found within the steps. */
bool ask_never(checker *k, smt_t condition, const char *name, smt_steps most);
smt_answer ask_small(checker *k, const smt_t *conjuncts, const smt_t *small, const char *name);
/* About undefined behaviour of one event. Where nobody stated anything, what takes long is rather
 * required. */
smt_answer ask_event(checker *k, const smt_t *conjuncts, const char *name);
bool ask_is_unsat(checker *k, const smt_t *conjuncts, const char *name);
/* Steps that this check has taken, and may still take: none when the user's budget is spent.
 * Verdict code measures effort by these alone, and looks at no clock. */
smt_steps ask_taken(const checker *k);
smt_steps ask_left(const checker *k);
/* The answer to a question that no steps are left for. */
smt_answer ask_refusal(const checker *k);
/* Runs a launch of the kernel on the interpreter, within so many of its steps and events; by the
 * schedule, or block after block where that is NULL. What it does counts as steps of the check. */
tr_give interp_run *ask_run(checker *k, const interp_launch *launch, uint64_t steps,
                            uint64_t events, const interp_schedule *schedule);
/* The same of these n blocks alone, one after the other. */
tr_give interp_run *ask_run_blocks(checker *k, const interp_launch *launch, uint64_t steps,
                                   size_t n, const uint32_t *blocks);
/* The races of a run, `limit` at most, as interp_find_races; looking for them counts, too. */
size_t ask_races(checker *k, const interp_run *run, size_t limit, interp_race *races);
void count_proved(checker *k);
/* So many at once, by the answers that were used since the window began. */
void count_proved_together(checker *k, size_t n);
void count_refuted(checker *k);
/* An obligation stays open: the verdict is unknown, with this reason unless there is one already.
 */
void count_unknown(checker *k, reason_kind kind, const tr_place *place, const char *format, ...)
    TR_PRINTF(4, 5);
/* The answer left it open, or a failure of the solver while it was being decided, if that is
 * graver. */
void count_unknown_answer(checker *k, const smt_answer *answer, const tr_place *place,
                          const char *what);
/* A search for a launch found none. Where the solver has failed, that is why. */
void count_unknown_search(checker *k, reason_kind kind, const tr_place *place, const char *format,
                          ...) TR_PRINTF(4, 5);
/* Has the solver failed while this was being decided? */
bool solver_has_failed(const checker *k);
/* Begins an obligation: what is asked from now on is asked for it. Counting it does so, too. */
void solver_window(checker *k);
/* Has an answer of the solver been used since? */
bool solver_was_needed(const checker *k);
/* Whether the verdict rests on the solver; none that is proved does on one that contradicts itself.
 */
void decided_conclude(const smt_prover *prover, size_t leaned_before, kernel_report *r);

/* ---- layout.c ---- */

/* Are different coordinates of the tensor different addresses, at every launch? Asked once each. */
bool layout_is_injective(checker *k, const ix_tensor *tensor);
/* Asks again: more is known of the launch now, or less. */
void layout_forget(checker *k);
/* The dimension of the largest stride, where these inequalities hold; -1: none is longer than 1. */
int layout_outermost(checker *k, const ix_tensor *tensor);
/* The inequalities between strides and extents that make it so. */
smt_t layout_chain(checker *k, const ix_tensor *tensor);
/* Are both tensors one layout, the same in all blocks, so that coordinates stand for addresses? */
bool layout_is_shared(checker *k, const ix_tensor *a, const ix_tensor *b);
bool term_is_launch_constant(const checker *k, smt_t term);
/* Can a caller compute it too: of arguments, the grid and elements that buffers have at launch, and
 * of no result of an op, say the sum of a table, although all blocks compute the same? */
bool term_is_of_launch(const checker *k, smt_t term);
/* Does it speak of such results? No reader of a report knows them by a name. */
bool term_has_results(const checker *k, smt_t term);
/* An element as a buffer has it at launch that the term looks up; NULL: none. */
smt_t term_element_in(const checker *k, smt_t term);
/* nearby.c: appends the parts of the conjunction `all` whose variables and applications all occur
 * in `core`. Fewer facts are often sooner refuted. */
void term_parts_within(smt_ctx *ctx, smt_t all, smt_t core, smt_t **parts);

/* ---- pair.c: one obligation about two events, from question to replayed witness ---- */

typedef enum pair_outcome {
    PAIR_PROVED,   /* the events cannot both happen on one location */
    PAIR_RACE,     /* a witness was replayed */
    PAIR_POSSIBLE, /* the solver has a model, and the replay shows nothing; or it shows a race, and
                      the solver failed in the search for a precondition: counted unknown */
    PAIR_OPEN,     /* no answer: counted unknown */
} pair_outcome;

model_access pair_access_kind(const ix_access *a);
/* May the two conflict at all (A1), in one allocation, without mutual scope (A2)? Scopes do not
 * help where they may overlap in part (D6). */
bool pair_may_conflict(checker *k, const ix_access *a, const ix_access *b, bool same_block);
/* Decides "events of a and b on one location, and `also`"; counts the obligation. `what` names it
 * in reasons: "disjointness of different tile blocks". *w is set for PAIR_RACE,
 * and may be for PAIR_POSSIBLE. */
/* The events are on one location, and the two are not morally strong. */
smt_t pair_in_conflict(checker *k, const ix_access *a, const ix_access *b, copy_relation relation);
/* A replayed witness of the conjuncts, which a model shows to be satisfiable; NULL, and *why, where
 * no replay shows the race. */
witness *pair_find_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, const smt_t *conjuncts, const smt_model *model,
                           const char *name, const char **why);
pair_outcome pair_decide(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also, const char *name, const char *what, witness **w);

/* equal_elements.c: the pair where both addresses look up a long table whose elements the contract
 * states one by one. The conjuncts say that the two events meet; *w is set for a race. */
typedef enum equal_outcome { EQUAL_OPEN, EQUAL_NEVER, EQUAL_RACE } equal_outcome;
equal_outcome equal_elements_decide(checker *k, const ix_access *a, const ix_access *b,
                                    copy_relation relation, const smt_t *conjuncts,
                                    const char *name, witness **w);

/* ---- witness.c: model -> launch -> replay ---- */

/* Replays the model's launch on the interpreter. Finds a race between the two ops in the relation
 * and describes it; NULL, and *why, when the replay shows none. */
witness *witness_of_race(checker *k, const smt_model *model, const ix_access *a, const ix_access *b,
                         copy_relation relation, const char **why);
/* The launch that a model names; NULL, and *why, when it cannot be one. In the arena. */
const interp_launch *witness_launch(checker *k, const smt_model *model, const char **why);
/* A single event of undefined behaviour of that op. */
witness *witness_of_event(checker *k, const smt_model *model, const ir_op *op, bool index_space,
                          const char **why);
/* Describes the race of such a pair that a run shows; NULL when it shows none. */
witness *witness_in_run(checker *k, const interp_launch *launch, const interp_run *run,
                        const ix_access *a, const ix_access *b, copy_relation relation,
                        const char **why);
struct sync_seen_run;
/* As that; the ops that race, whichever, are noted there. */
witness *witness_among_races(checker *k, const interp_launch *launch, const interp_run *run,
                             const ix_access *a, const ix_access *b, copy_relation relation,
                             const char **why, struct sync_seen_run *seen);
const char *witness_words(checker *k, const witness *w);

/* The first time that this op touches its buffer in a run; NULL when it never does. */
witness *witness_of_access(checker *k, const interp_launch *launch, const interp_run *run,
                           const ir_op *op);
/* The same where no token orders it after a wait for the kernel before. */
witness *witness_of_early_access(checker *k, const interp_launch *launch, const interp_run *run,
                                 const ir_op *op);
/* An event of the access that touches one of these bytes of its buffer. */
typedef struct bytes_touched {
    smt_int from, to;
    bool early; /* no token orders it after a wait for the preceding kernel */
} bytes_touched;
/* Replays the block that the model names; NULL, and *why, where it shows no such event. */
witness *witness_of_bytes(checker *k, const smt_model *model, const ix_access *a,
                          const bytes_touched *part, const char **why);
witness *witness_undefined_in_run(checker *k, const interp_launch *launch, const interp_run *run,
                                  const ir_op *op, bool index_space);

/* ---- witness_describe.c: what the interpreter saw, for people ---- */

/* The launch, its numbers and contents, without events; in the arena. NULL where the launch breaks
 * what the contract states: every witness passes here, so none that is shown does. */
witness *witness_describe_launch(checker *k, const interp_launch *launch, const interp_run *run);
/* An access that a race, or another rule, is about. */
witness_event witness_describe_event(checker *k, const interp_launch *launch, const interp_run *run,
                                     const interp_event *event);
/* An event of undefined behaviour: of an index into a view's index space, or another. */
witness_event witness_describe_undefined(checker *k, const interp_launch *launch,
                                         const interp_ub *ub, bool index_space);
/* The value that a witness for that contract has of the variable, an extent of the grid or a number
 * that is passed; false: it tells of no such variable. */
bool witness_tells(smt_ctx *ctx, const contract *c, const witness *w, smt_t variable,
                   smt_int *value);

/* Elements of a table that get values in the launches of a search: more are hardly ever read by the
 * few blocks of such a launch, and filling a large table takes longer than running the kernel. */
enum { RULES_FILLED = 1 << 14 };

/* table_signs.c: are the elements of the argument's buffer unsigned, so that one of them is the
 * number that comes next? */
bool table_is_unsigned(const checker *k, size_t arg);
int64_t table_number(const ir_type *elem, bool is_unsigned, int64_t value);

/* ---- whole_launch.c: a launch of which nothing is left open ---- */

/* Does the contract state the whole launch, and does a run show that no execution of it races, or
 * is undefined but for accesses outside their buffers? */
bool whole_launch_is_free(checker *k);
/* ... and nowhere leaves a buffer of stated size or the index space of a view either? */
bool whole_launch_is_inside(checker *k);
/* The contract states the whole launch, and a run of it is undefined at this op; else NULL. */
witness *whole_launch_undefined(checker *k, const ir_op *op, bool index_space);
/* witness_tables.c: the array of a list that the event touched, where the contract states the list:
 * "target[2]", and where it begins in its buffer; else leaves both as they are. */
void witness_array(checker *k, const interp_launch *launch, const interp_run *run,
                   const interp_event *event, const char **name, int64_t *start);
/* The number, counted from the buffer's start, of the element that the event's access looked up by
 * this application; false: numbers of the launch alone do not tell. */
bool witness_looked_up(checker *k, const interp_launch *launch, const ix_access *a,
                       const witness_event *event, smt_t app, int64_t *element);
/* reach.c: how far the kernel goes in its buffers, as preconditions on their bytes; in the arena.
 * Returns how many. */
size_t reach_find(checker *k, precondition **out);
/* witness_sources.c: the contract states these bytes of the buffer, as they are at launch. */
bool witness_is_stated(const checker *k, const interp_launch *launch, int buffer, int64_t address,
                       int64_t width);
/* An argument through which the kernel reads the buffer and whose elements the contract does not
 * state; NULL: none. */
const char *witness_open_table(const checker *k, const interp_launch *launch, int buffer);
/* Elements at launch that lead the event to its address and that the contract does not state. */
void witness_sources(checker *k, const interp_launch *launch, const interp_run *run,
                     const interp_event *event, const ix_access *a, witness_event *out);
/* ... as this read is one. */
void witness_add_source(const checker *k, const interp_launch *launch, const interp_run *run,
                        const interp_event *read, witness_event *out);
/* whole_tables.c: every pointer that is made of a number is an address of a table that the contract
 * states, and nothing else is done with these addresses. */
bool whole_tables_are_stated(const checker *k);

/* ---- second_look.c: single events that the solver alone has proved to be defined ---- */

/* Counts one as proved, and notes it where the solver was needed. */
void count_proved_event(checker *k, const ir_op *op, bool index_space);
/* Notes one that is counted elsewhere. */
void note_leaned_event(checker *k, const ir_op *op, bool index_space);
/* Once all is proved: do short runs agree with it? If not, it is unknown. */
void second_look_at_events(checker *k);

/* ---- enumerate.c: small launches tried one by one, when the solver has no model to offer ---- */

typedef struct enumerated_first {
    const ir_op *op;
    bool index_space;
    const interp_launch *launch;
} enumerated_first;

witness *enumerate_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* A race of two accesses of which the solver has said that there is none: a few short runs are
 * cheaper than trust. NULL: none was seen. */
witness *enumerate_second_look(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation);
/* The first undefined behaviour of each short run, with its launch; runs them if none has been
 * run. */
size_t enumerate_first_undefined(checker *k, const enumerated_first **first);
/* A launch that is certain to meet all that is required, and whose run shows a race. */
bool enumerate_shows_race(checker *k);
/* A few small launches that meet the contract, those that people read easily first; in the arena.
 */
size_t enumerate_launches(checker *k, interp_launch ***launches);
/* The same for undefined behaviour of one op. */
witness *enumerate_undefined(checker *k, const ir_op *op, bool index_space);
/* Forgets which races were seen: another set of launches counts now. */
void enumerate_again(checker *k);
void enumerate_free(checker *k);

/* Tells who watches what is done now. */
static inline void step_begins(const checker *k, rules_step step)
{
    if (k->options->watch.begins)
        k->options->watch.begins(k->options->watch.user, step);
}

/* ---- shrink.c ---- */

/* invent.c: the race of a launch whose replay depends on floats, with contents for them that show
 * it; then *launch and *filling have these contents. NULL where no trial shows it. */
typedef struct float_question {
    const ix_access *a, *b;
    copy_relation relation;
    size_t n_blocks;
    const uint32_t *blocks; /* that are replayed, by linear number */
} float_question;
witness *witness_with_floats(checker *k, const float_question *q, struct interp_launch **launch,
                             struct interp_filling *filling);
/* The race of a launch that shows it, by a launch as small and as plain as still shows it; NULL
 * where the launch is too long to be run whole. `filling` is what the launch was made with. */
witness *witness_made_readable(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, const interp_launch *launch,
                               const interp_filling *filling);

/* ---- words.c ---- */

/* "b * H + h < H" as people write it; in the arena. */
const char *term_words(checker *k, smt_t term);

/* ---- findings.c ---- */

finding *finding_add(checker *k, rule_id rule, confidence_kind confidence, const ix_access *a,
                     const ix_access *b, witness *w, const char *format, ...) TR_PRINTF(7, 8);
bool finding_exists(const checker *k, rule_id rule, const ir_op *a, const ir_op *b);
finding *finding_add_op(checker *k, rule_id rule, confidence_kind confidence, const ir_op *op,
                        witness *w, const char *format, ...) TR_PRINTF(6, 7);
/* Turns a race into the example of a conditional verdict: a warning that names the race, and the
 * precondition (number `which`, in words) that excludes it. */
void finding_make_example(tr_arena *arena, finding *f, size_t which,
                          const char *precondition_words);
/* What can be done, in words. */
void finding_add_fix(tr_arena *arena, finding *f, const char *text);
/* A precondition as reports show it. */
require require_printed(smt_ctx *ctx, const contract *c, const precondition *what);
void findings_finish(checker *k);
const char *buffer_name(const checker *k, const ix_access *access);

/* ---- fingerprint.c ---- */

/* What the fingerprint of a finding knows of one of its ops: its name, its buffer, its index. */
const char *fingerprint_op(const checker *k, const ir_op *op);
void fingerprint_set(const ir_function *kernel, finding *f);

/* ---- require.c ---- */

/* Adds the precondition to those of the verdict. `fact`: what it says of the launch, which every
 * later question may use; NULL: that is known otherwise (contents, defaults). */
void require_add(checker *k, precondition what, smt_t fact);
/* What is being decided uses the precondition too, as one of that class. */
void require_use(checker *k, required *r, precondition_class class_);
/* One that has no formal statement; `fails`: when an event breaks it. */
void require_add_words(checker *k, precondition_kind kind, smt_t fails, const char *format, ...)
    TR_PRINTF(4, 5);
/* The same of a value that the op computes or reads; `format` has a %s for what it is called. */
void require_add_value(checker *k, precondition_kind kind, smt_t fails, const char *format,
                       const ir_op *op, smt_t value);
void require_defaults(checker *k);
/* Every later question may use this, which no precondition states. */
void launch_add_given(checker *k, smt_t fact);
/* Drops what the others imply and writes the rest as contracts say it. */
void require_finish(checker *k);
/* require_met.c: does a launch meet the contract and all preconditions, as they are shown? */
bool require_is_met(checker *k);
/* Does every launch break it, or every one with two blocks on an axis that it mentions? `fails`:
 * when an event breaks it. Such a precondition would prove everything. */
bool require_keeps_nothing_open(checker *k, smt_t fails);
/* require_example.c: shows, for each race precondition, a race of a launch that breaks it and meets
 * all others. True when there is at least one. After require_finish. */
bool require_show_examples(checker *k);
/* The stated contract, with words that hold 0 at the first launch and may hold another number at
 * the next being counters that have risen; NULL where they are not all counters that only rise. Its
 * `args` are in the arena. After require_show_examples. */
contract *require_risen_contract(checker *k, const contract *stated);
/* The same where they are the words of ticket locks, which no launch resets: each holds any number
 * that earlier launches may have left (KEPT of sync_turn.c), its tickets up to 2^30. */
contract *require_turned_contract(checker *k, const contract *stated);
/* Does the contract speak of every quantity of the term (parameters, grid extents, contents)? */
bool contract_constrains(const checker *k, smt_t term);
/* Does nothing that it states bound the parameter on that side, nor relate it to something else or
 * to the extent of a buffer? */
bool contract_leaves_end(const checker *k, smt_t parameter, bool low);
/* And does it say how large each parameter of it gets, and how small? */
bool contract_sizes(const checker *k, smt_t term);
/* Is there a loop's counter in it, and the contract does not say how far the loop counts? */
bool contract_leaves_count(const checker *k, smt_t term);

/* ---- rule_assume.c: undefined behaviour that is no race ---- */

/* Makes it a precondition, in words, that the hazard's op is defined. `kept`: proofs may use it.
 * `format` takes the words of the term. */
void require_defined_op(checker *k, precondition_kind kind, const ix_hazard *h, bool kept,
                        const char *format, smt_t named);
/* rule_hazards.c: the hazard is no error and no precondition, and nothing is proved beyond it. */
void hazard_leave_open(checker *k, const ix_hazard *h);
/* Asks again about arithmetic that may wrap by definition, without the preconditions of other ops
 * that no undefined behaviour enforces. To be called before require_keep_enforced. */
void rule_hazards_again(checker *k);
/* To be called when all undefined behaviour has been decided. Where some of it stays open, the
 * questions that follow no longer rest on divisors, steps and assumes. */
void doubt_undefined(checker *k);

/* ---- wraps.c ---- */

/* Where arithmetic that promises nothing may leave its type: builds the summary of machine values,
 * if the contract allows that or if only a bound of the grid would exclude a race by it. */
void follow_wraps(checker *k);
/* Does the contract allow the value to leave its type? It does where it says how large all is that
 * the value is made of. Who states `s > 0` alone has said nothing of `bid * s`, unless no launch is
 * left then in which it stays in range. */
bool wraps_are_stated(checker *k, const ix_hazard *h);
/* A race that this found of the access with itself, replayed; or NULL. */
witness *wraps_witness(checker *k, const ix_access *a, const ix_access *b);
/* From now on this is the summary. */
void summary_take(checker *k, summary *s);

/* ---- sizes.c ---- */

/* The contract, with what the kernel's own use of its parameters says of their least values where
 * nobody states anything; NULL when that is nothing. */
tr_give contract *sizes_find(checker *k);
/* Is the divisor, or the step, meant to be positive: where all parameters are, is it never negative
 * in the first block and iteration, and does it change from one to the next by 1 at most? `n` and
 * `(n + 63) / 64` are; `n - grid.x` and `n - 5` are divisors of either sign, of which only 0 is
 * undefined. */
bool sizes_is_divisor(checker *k, const ix_hazard *h);
/* Is there a launch whose first tile block does nothing undefined in its first iterations? Any
 * other launch is undefined whatever its other blocks do. */
bool sizes_first_block_is_defined(checker *k);
/* Requires what k->contract says of parameters beyond the stated one. */
void sizes_require(checker *k, const contract *stated);
/* Facts that were asked of the signs of divisors, over the parameters as they were stated: stb_ds
 * array. Before sizes_finish. */
smt_t *sizes_signs(checker *k, const contract *stated);
/* The fact of a precondition that asks for the sign of a divisor; NULL: it does not. */
smt_t sizes_sign_of(checker *k, const contract *stated, const precondition *what);
/* The precondition's term, over the parameters as they were stated. */
smt_t sizes_fact_of(checker *k, const contract *stated, const precondition *what);
/* The stated contract with what the verdict asks beside that so that nothing races; its `facts` are
 * the caller's to free (contract_free). */
contract *sizes_contract(checker *k, const contract *stated);
/* Drops those that the other requires imply; before require_finish. */
void sizes_finish(checker *k, const contract *stated);

/* ---- trust.c: which inferred choices of the model the verdict rests on ---- */

/* After the verdict is known, before the findings are handed over. */
void trust_conclude(checker *k);

/* ---- The rules, one file each ---- */

/* Findings that name two accesses as a race of that kind; for rules and examples. */
finding *inter_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                            const ix_access *b, witness *w);
finding *in_block_report(checker *k, confidence_kind confidence, const ix_access *a,
                         const ix_access *b, witness *w);
/* The two elements of one execution are different ones of its tile. */
smt_t self_overlap_elements_differ(checker *k, const ix_access *a);
finding *self_overlap_report(checker *k, confidence_kind confidence, const ix_access *a,
                             witness *w);
/* contents_fit.c: steps for a question whether no launch meets the contract. */
enum { CONTRACT_NEVER = 100 * 1000 };
/* Why some buffer of the contract cannot be filled as it says, and *place, where that is stated;
 * NULL: as far as one sees each can. */
const char *contract_impossible_contents(checker *k, const contract *c, const tr_place **place);
/* Can contents be as the contract states them, as far as one sees? */
bool contract_contents_fit(checker *k, const contract *c);
/* Does every launch read more elements of the argument than they have values, so that two of them
 * are equal? */
bool contract_reads_too_many(checker *k, int arg);
void rule_contract(checker *k);      /* TR011; sets the verdict when no launch is allowed */
void rule_assumes(checker *k);       /* TR028 */
void rule_hazards(checker *k);       /* TR009, TR010 */
void rule_index_space(checker *k);   /* TR007 */
void rule_out_of_buffer(checker *k); /* TR008 */
void rule_self_overlap(checker *k);  /* TR004 */
void rule_in_block(checker *k);      /* TR003, TR013 */
void rule_inter_block(checker *k);   /* TR001, TR002, TR005, TR006 */
void rule_outside(checker *k);       /* TR001, TR002, TR006 with the kernel before and with peers */
void rule_covered(checker *k);       /* TR012 */
void rule_notes(checker *k);         /* TR023, TR025, TR026, TR027 */

/* rule_front_end.c: whose mistake is it that nothing orders the two accesses of one tile block? The
 * rule that names the front end, and *suspect its name, where the module is of one that leaves
 * such tokens out; else TR003 and NULL. `vanishes_per_name`: the static reading of loop tokens
 * orders them. */
rule_id front_end_rule(const checker *k, const ix_access *a, const ix_access *b,
                       bool vanishes_per_name, const char **suspect);

#endif

/* The results of the rules for the report room: verdicts, findings, witnesses. Plain data in an
 * arena. */
#ifndef RULES_FINDINGS_H
#define RULES_FINDINGS_H

#include "contract/precondition.h"
#include "ir/ir.h"

typedef enum rule_id {
#define RULE(id, ...) RULE_##id,
#include "verdict/rules.def"
    RULE_COUNT
} rule_id;

typedef enum rule_level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } rule_level;

typedef struct rule_info {
    rule_id id;
    const char *code; /* "TR001"; never reused */
    const char *name; /* "inter-block-write-write" */
    rule_level level;
    bool is_race;
    const char *summary; /* one sentence */
    const char *help;    /* a paragraph: why it is wrong and what to do */
} rule_info;

const rule_info *rule_info_of(rule_id id);
const rule_info *rule_by_code(const char *code); /* "TR001" or its name; NULL when there is none */
bool rule_is_race(rule_id id); /* a confirmed finding of it makes the verdict race */

typedef enum verdict_kind {
#define VERDICT(id, name, summary, help) VERDICT_##id,
#include "verdict/verdicts.def"
    VERDICT_COUNT
} verdict_kind;
typedef enum confidence_kind { CONFIDENCE_CONFIRMED, CONFIDENCE_POSSIBLE } confidence_kind;

typedef enum reason_kind { /* of verdict unknown */
#define REASON(id, text, passing) REASON_##id,
#include "verdict/reasons.def"
                           REASON_COUNT
} reason_kind;

typedef enum trust_choice {
#define TRUST(id, name, listed) TRUST_##id,
#include "verdict/trusts.def"
    TRUST_COUNT
} trust_choice;

#define TRUST_BIT(choice) ((uint32_t)1 << (choice))

typedef struct trust_info {
    const char *name; /* "D17" */
    bool is_listed;   /* by reports: it is inferred, and not published */
} trust_info;

const trust_info *trust_info_of(trust_choice choice);

typedef struct verdict_info {
    const char *name;    /* "race-free" */
    const char *summary; /* one sentence */
    const char *help;    /* a paragraph */
} verdict_info;

const verdict_info *verdict_info_of(verdict_kind verdict);
const char *reason_name(reason_kind kind);      /* "solver-timeout" */
bool reason_is_passing(reason_kind kind);       /* a clock or an accident decided */
bool reason_is_failed_solver(reason_kind kind); /* the solver is none that can be asked */

typedef struct finding_location {
    const char *role;      /* "first access", "second access", "access" */
    const tr_place *place; /* or NULL: then ordinal and text say where */
    uint32_t op_ordinal;
    const char *op_text;
    const char *expression; /* the index expressions as the source writes them; or NULL */
    const char *known_by;   /* what the fingerprint holds of it; or NULL */
} finding_location;

typedef struct witness_value { /* a name and its value, for messages and JSON */
    const char *name;
    int64_t value;
    /* Set for a parameter: */
    const struct contract_arg *arg;
    bool idle; /* neither kernel nor contract reads it, so words leave it out */
} witness_value;

/* The word is an unsigned number from 2^63 on. */
static inline bool witness_is_large(const witness_value *v)
{
    return v->arg && contract_number_of(v->arg, v->value) > INT64_MAX;
}

typedef struct witness_lookup { /* an element of a table that says where an access goes */
    const char *buffer;
    int64_t element, value;
} witness_lookup;

enum { WITNESS_MOST_LOOKUPS = 4 };

typedef struct witness_event {
    int64_t block[3];
    size_t n_iterations;
    int64_t *iterations; /* counters of the loops around it, outermost first */
    const char *access;  /* "load", "store", "atomic" */
    const char *order;   /* "weak", "relaxed", ... */
    const char *scope;   /* "tl_blk", "device", "sys", or NULL */
    const char *buffer;  /* argument name */
    int64_t element;     /* linear element number in the buffer */
    int rank;
    int64_t coordinate[IR_MAX_RANK]; /* in the tensor; rank 0 for pointer tiles */
    int tile_rank;
    int64_t in_tile[IR_MAX_RANK];
    size_t n_index;
    witness_value *index; /* the op's index operands: source text or "index 0", and value */
    size_t n_lookups;     /* what the tile block looked up for it */
    witness_lookup lookups[WITNESS_MOST_LOOKUPS];
    /* Arguments whose elements at launch are not stated and tell whether it runs, and where: */
    size_t n_tables;
    const char *tables[WITNESS_MOST_LOOKUPS];
    /* The tables among whose elements its address comes from: */
    size_t n_sources;
    const char *sources[WITNESS_MOST_LOOKUPS];
} witness_event;

typedef struct witness_contents { /* a buffer's contents where they matter */
    const char *buffer;
    size_t count;
    size_t n_read;         /* up to the last one that the replayed tile blocks read */
    const int64_t *values; /* of floats: bit patterns */
    const double *floats;  /* the same as numbers; NULL: integers. A float scalar is told as one */
} witness_contents;

typedef struct witness {
    int64_t grid[3];
    bool from_one; /* words count from 1, and name the fastest dimension first (Julia) */
    size_t n_params;
    witness_value *params; /* scalars only */
    size_t n_contents;
    witness_contents *contents;
    size_t n_events; /* 2 for a race, 1 for an index outside its space */
    witness_event events[2];
} witness;

typedef struct finding_fix {
    const char *text;
    tr_place replace; /* range to replace; line 0: words only */
    const char *with;
    bool verified; /* the kernel so repaired was proved race-free */
} finding_fix;

typedef enum hidden_by {
    HIDDEN_BY_NOTHING, /* it counts */
#define HIDDEN(id, json, sarif, words, heading) HIDDEN_BY_##id,
#include "verdict/hidden.def"
    HIDDEN_BY_COUNT
} hidden_by;

typedef struct hidden_info {
    const char *json, *sarif, *words, *heading; /* hidden.def says what they are */
} hidden_info;

const hidden_info *hidden_info_of(hidden_by by); /* of one that is not HIDDEN_BY_NOTHING */

typedef struct finding_hidden {
    hidden_by by;
    const char *reason;    /* never NULL of one that is hidden */
    const tr_place *place; /* of the comment; or NULL */
} finding_hidden;

/* The version of how fingerprints are made: two are compared only if this number is the same. */
#define FINGERPRINT_VERSION 2

typedef struct finding {
    rule_id rule;
    rule_level level;
    confidence_kind confidence;
    const char *message; /* one sentence, names things as the source does */
    size_t n_locations;
    finding_location *locations; /* the first is where the finding is reported */
    witness *witness;            /* or NULL */
    const char *words;           /* the witness in words, lines separated by '\n'; or NULL */
    size_t n_fixes;
    finding_fix *fixes;
    char fingerprint[33];    /* fingerprint.c; hex: 16 digits of the kernel, 16 of the rest */
    const char *race;        /* the message, without what excludes the race of an example */
    bool is_example;         /* of a conditional verdict: a launch that breaks a precondition */
    size_t breaks;           /* the number in `requires_` of that precondition */
    bool by_solver;          /* an answer of the solver led to it, and no strategy alone */
    bool only_per_iteration; /* D17: a loop's token read per name would order the two */
    finding_hidden hidden;   /* who says that it does not count: then it gives no exit code */
    /* Set if a configuration sets the level: the line of it, and the level that it was. */
    const tr_place *set_level;
    rule_level was;
    bool is_known; /* the baseline has it, or will have it once it is written */
} finding;

/* A precondition of the verdict, and what contract/precondition.h prints of it. */
typedef struct require {
    precondition what;
    const char *text;     /* whole */
    const char *brief;    /* in one line */
    const char *term;     /* or NULL */
    const char *fragment; /* of a launch contract, as JSON; or NULL */
    precondition_subject subject;
    const char *name; /* of the subject's argument; or NULL */
    const char *part; /* "shape[0]", "grid.x"; or NULL */
} require;

typedef struct verdict_reason {
    reason_kind kind;
    const char *text;
    const tr_place *place; /* or NULL */
} verdict_reason;

typedef struct signature_value { /* what a kernel was compiled for, of one parameter */
    const char *name;
    const char *text; /* of a type its words; else a number, true or false, as in JSON */
    bool is_literal;  /* the latter: a constant */
} signature_value;

/* Tells which one of the compilations of a kernel this is. */
typedef struct kernel_signature {
    size_t n;
    const signature_value *values; /* in the order of the parameters; none: nobody states them */
    size_t which, of;              /* from 1; `of` is how many its source asks for */
} kernel_signature;

typedef struct kernel_report {
    const char *kernel; /* as shown to people */
    /* NULL: it is compiled for nothing in particular, or that is not known. */
    const kernel_signature *signature;
    const tr_place *place;
    verdict_kind verdict;
    verdict_reason reason; /* VERDICT_UNKNOWN */
    contract_source contract;
    bool is_empty; /* the launch runs no tile block: nothing was looked at */
    size_t n_requires;
    require *requires_;
    contract_origin origin; /* of a recorded launch */
    size_t n_observed;
    const char *const *observed; /* what launches had in common, in no proof */
    bool tokens_per_name;        /* how a loop's tokens are read (D17) */
    uint32_t rests_on;           /* bits, TRUST_BIT: choices of the model */
    size_t n_orders;
    const char **orders; /* how tile blocks are ordered where they meet: ops, and why; sentences */
    size_t total, proved, refuted, unknown, vacuous; /* obligations */
    size_t proved_by_solver;                         /* of `proved`: not by strategies alone */
    bool by_solver;        /* an answer of the solver was used on the way to the verdict */
    const bool *only_read; /* of each parameter: no op writes what it points to; NULL: not known */
    /* Set if asked for (rules_options): how far the kernel goes in buffers, as their sizes in bytes
     * from the argument on; buffers of which that is not known are not among them. */
    size_t n_reaches;
    precondition *reaches;
    double time_ms;
    /* JSON that the HTML report draws: who writes which tile of the outputs, at one launch
     * (checking/picture.h). NULL where it is not asked for: no other format shows it. */
    const char *picture;
    /* The guard of its launches as characters (checking/guards.h); NULL where it is not asked for.
     */
    const char *guard;
    size_t n_findings;
    finding *findings; /* sorted: place of the first location, then rule */
} kernel_report;

typedef enum remark_kind {
    REMARK_UNUSED, /* a comment allows what is not there */
    REMARK_WRONG,  /* a comment is written so that it allows nothing */
    REMARK_KINDS
} remark_kind;

typedef struct input_remark { /* on the source itself: a warning */
    remark_kind kind;
    const tr_place *place;
    const char *text; /* a sentence */
} input_remark;

typedef struct left_out_kernel { /* that the change since a revision cannot affect */
    const char *kernel;
    const tr_place *place; /* or NULL */
    size_t number;         /* among the kernels of the input, those of the report included */
} left_out_kernel;

typedef struct input_report {
    const char *file;       /* as given */
    const tr_error *errors; /* n_errors > 0: not checked */
    size_t n_errors;
    size_t n_kernels;
    kernel_report *kernels; /* module order */
    size_t n_remarks;
    const input_remark *remarks;          /* by the comments of its sources (report/allowed.c) */
    size_t n_hidden_remarks;              /* others, that are not selected */
    const struct report_failing *failing; /* what gives an exit code here; NULL: as in all */
    size_t n_left_out;
    left_out_kernel *left_out; /* by number */
} input_report;

typedef enum skip_reason {
#define SKIPPED(id, name, words) SKIPPED_##id,
#include "verdict/skipped.def"
    SKIPPED_COUNT
} skip_reason;

typedef struct skip_info {
    const char *name, *words;
} skip_info;

const skip_info *skip_info_of(skip_reason reason);

typedef struct skipped_file { /* found and not checked */
    skip_reason reason;
    const char *path; /* of a file, or of a folder that was not gone into */
} skipped_file;

typedef struct full_report {
    const char *solver; /* "Z3 5.4.0" */
    size_t n_inputs;
    input_report *inputs; /* by report_input alone */
    /* NULL: all inputs are whole. Else it makes that one whole, and the one before it empty but for
     * its name and its remarks. */
    void (*read)(void *user, size_t i);
    void *user;
    size_t n_skipped;
    const skipped_file *skipped; /* in the order in which they were found */
    const char *since;           /* the revision that kernels are left out by; or NULL */
    size_t n_left_out;           /* kernels of all inputs */
    bool has_baseline;           /* finding.is_known says something */
} full_report;

#endif

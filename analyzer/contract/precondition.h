/* Preconditions: facts that a proof uses of a launch although no contract states them.
 *
 * They are data. Text, the term and the launch-contract fragment are printed from the data by the
 * functions below, and by nothing else; no program recognises a precondition by its sentence. */
#ifndef CONTRACT_PRECONDITION_H
#define CONTRACT_PRECONDITION_H

#include "contract/tables.h"

typedef enum precondition_kind {
#define PRECONDITION(id, name, weight, summary, help) PRECONDITION_##id,
#include "contract/preconditions.def"
    PRECONDITION_COUNT
} precondition_kind;

typedef enum precondition_class {
    PRECONDITION_CLASS_STANDING, /* every front end makes it of every launch */
    PRECONDITION_CLASS_LAUNCH,   /* its violation is undefined behaviour or an error in itself */
    PRECONDITION_CLASS_RACE, /* its violation is a race: a verdict that needs it is conditional */
} precondition_class;

const char *precondition_name(precondition_kind kind);    /* "distinct-buffers" */
const char *precondition_summary(precondition_kind kind); /* one sentence */
const char *precondition_help(precondition_kind kind);    /* a paragraph */
precondition_class precondition_default_class(precondition_kind kind);
const char *precondition_class_name(precondition_class which); /* "standing", "launch", "race" */
/* False where there is no kind of that name. */
bool precondition_by_name(const char *name, precondition_kind *kind);

typedef enum precondition_subject_kind {
    PRECONDITION_OF_LAUNCH, /* of no single thing */
    PRECONDITION_OF_ARG,    /* a parameter: a scalar, or an array's extent or stride */
    PRECONDITION_OF_BUFFER, /* what an argument points to */
    PRECONDITION_OF_GRID,   /* an axis of the grid */
} precondition_subject_kind;

typedef struct precondition_subject {
    precondition_subject_kind kind;
    size_t arg; /* argument number, of an argument or a buffer */
    int axis;   /* of the grid */
} precondition_subject;

/* One fact. Which of the members below say it is tried in this order; exactly one of them does. */
typedef struct precondition {
    precondition_kind kind;
    precondition_class class_;
    precondition_subject subject;
    smt_t term; /* boolean, over contract_param() and contract_grid() variables */
    /* The contents of the subject's buffer at launch: what is set here holds of them. With `args`,
     * `unique` is said of the tuples of elements that have one index in all those buffers. */
    contract_contents contents;
    bool of_contents;
    smt_t elements, bytes; /* the subject's buffer is at least as large as that */
    size_t n_args;         /* DISTINCT_BUFFERS: arguments that do not overlap each other */
    const size_t *args;
    /* DISJOINT_REGIONS: all tables that the kernel takes arrays from, the subject's among them; 0:
     * how it does is not known, and no launch can be held against it. */
    size_t n_tables;
    const table_form *tables;
    const char *words; /* a sentence, where there is no formal statement */
    smt_t about;       /* the value that `words` names, over what a block has; or NULL */
    /* Given beside the statement: */
    const char *reason; /* which finding it excludes, in words; or NULL */
    bool by_solver;     /* that it is needed, or that it is enough, the solver said */
    bool unspeakable;   /* no contract expression means the same, though the term can be printed */
} precondition;

/* A precondition of that kind, with the kind's own class and nothing said yet. */
precondition precondition_of(precondition_kind kind);
precondition precondition_of_term(precondition_kind kind, smt_t term);
/* A precondition on the contents of an argument's buffer, which says nothing of them yet. */
precondition precondition_of_contents(precondition_kind kind, size_t arg);

/* Do both say the same of the same thing? Class and reason do not count. */
bool precondition_same(const precondition *a, const precondition *b);

/* Says the fact over the parameters of `to` in place of those of `from`, the same contract with
 * narrower ranges: as it is printed. Nothing is meant where a parameter has a value that `from`
 * excludes; a precondition of its own then says so. */
void precondition_restate(smt_ctx *ctx, const contract *from, const contract *to, precondition *p);

/* Has it no formal statement? Then nothing but a run tells whether it holds. */
bool precondition_is_in_words(const precondition *p);

/* Is it the standing assumption that the words of its buffer hold 0 at launch? */
bool precondition_clears_words(const precondition *p);

/* The subject that is stated, or the first thing that the term speaks of: a grid axis before
 * parameters. */
precondition_subject precondition_subject_of(smt_ctx *ctx, const contract *c,
                                             const precondition *p);
/* ("q", "shape[0]"), ("n", NULL), (NULL, "grid.x"); both NULL where there is no single subject. In
 * the arena of `ctx`. */
void precondition_subject_print(smt_ctx *ctx, const contract *c, precondition_subject subject,
                                const char **name, const char **part);

/* ---- Section: the printers; all in the arena of `ctx` ---- */

/* Returns the precondition as people read it. */
const char *precondition_text(smt_ctx *ctx, const contract *c, const precondition *p);
/* Like precondition_text(), where it fits in a line; else the formula is named and cut. */
const char *precondition_brief(smt_ctx *ctx, const contract *c, const precondition *p);
/* The fact in the expression syntax of contracts, over `value` and `index` where it is about
 * contents; NULL: it has none. */
const char *precondition_term(smt_ctx *ctx, const contract *c, const precondition *p);
/* The fact as a fragment of a launch (JSON); NULL: no contract can say it. */
const char *precondition_fragment(smt_ctx *ctx, const contract *c, const precondition *p);

#endif

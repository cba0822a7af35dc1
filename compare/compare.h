/* Two kernels that should do the same -> whether they do, and what the difference is called. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "session/session.h"

typedef enum compare_name {
#define NAME(id, name, sentence, help) COMPARE_##id,
#include "compare/names.def"
    COMPARE_NAME_COUNT
} compare_name;

typedef struct compare_name_info {
    const char *name;     /* "ids-from-one" */
    const char *sentence; /* without a full stop */
    const char *help;
} compare_name_info;

const compare_name_info *compare_name_of(compare_name name);

typedef enum compare_edit_kind {
#define EDIT(id, name, words) COMPARE_EDIT_##id,
#include "compare/edits.def"
    COMPARE_EDIT_COUNT,
    COMPARE_EDIT_NONE /* the difference was seen without a change */
} compare_edit_kind;

compare_name compare_name_of_edit(compare_edit_kind kind);
const char *compare_words_of_edit(compare_edit_kind kind);

typedef enum compare_result { COMPARE_SAME, COMPARE_DIFFERENT, COMPARE_UNDECIDED } compare_result;

const char *compare_result_name(compare_result result); /* "same", "different", "unknown" */

enum { COMPARE_A, COMPARE_B };

typedef struct compare_difference { /* a name that fits, and what shows that */
    compare_name name;
    compare_edit_kind edit; /* of that side, which makes the two equal */
    int side;
    const tr_place *place; /* of what is changed; or NULL */
    bool is_exact;         /* changed so, it is the other kernel op for op */
    size_t n_launches;     /* at which the two are equal then */
    size_t pair;           /* of a layout: number of the array among those of both */
    const int *axes;       /* B's axes in terms of A's */
    int rank;
} compare_difference;

typedef struct compare_access { /* of one of the two, to the first element that differs */
    bool is_there;
    int64_t block[3];
    const tr_place *place; /* or NULL */
    const char *value;     /* what stands there after the run; "nothing" where it is not defined */
    size_t n_loads;
    const char **loads; /* what that tile block has loaded before: "a[0] to a[31] in line 12" */
} compare_access;

typedef struct compare_first { /* the first element that differs, at the smallest such launch */
    bool is_there;
    const char *launch; /* words */
    const char *buffer; /* A's name of the argument; NULL: it is no element that differs */
    int64_t element;
    compare_access access[2];
    const char *ends[2]; /* how that side's run ended, where not as it should; or NULL */
} compare_first;

typedef struct compare_argument {
    const char *names[2]; /* NULL: that kernel has no such parameter */
    bool is_array, is_written;
    bool starts_zero; /* one of the two adds to what is there, the other overwrites it */
    const int *axes;  /* B's array has A's axes in this order; NULL: the same */
    int rank;
} compare_argument;

typedef enum compare_footprint {
    COMPARE_FOOTPRINT_PROVED, /* equal for all launches that both contracts allow */
    COMPARE_FOOTPRINT_TRIED,  /* equal at the launches that were tried */
    COMPARE_FOOTPRINT_DIFFERS
} compare_footprint;

typedef enum compare_order { /* of the additions and the like behind a result */
                             COMPARE_ORDER_EQUAL, /* every bit was equal */
                             COMPARE_ORDER_DIFFERS,
                             COMPARE_ORDER_UNKNOWN
} compare_order;

typedef struct comparison {
    compare_result result;
    const char *file[2], *kernel[2];
    const char *why;               /* it is not decided: a sentence; or NULL */
    compare_argument *arguments;   /* stb_ds array */
    const char *verdict[2];        /* "race-free"; NULL: not asked */
    const char **preconditions[2]; /* stb_ds arrays: those that the other one does not ask for */
    compare_footprint stores, loads;
    const char *stores_why; /* it is not proved: a sentence; or NULL */
    bool is_one_code;       /* the two are op for op the same */
    compare_order order;
    size_t n_tried, n_outside; /* launches that were compared, and those where neither is defined */
    compare_difference *differences; /* stb_ds array */
    bool cut;                        /* not every change was tried */
    compare_first first;
} comparison;

/* Compares two kernels, "FILE" or "FILE:KERNEL". False, after a complaint, where one of them cannot
 * be had. All but the arrays lives in the session's arena. */
bool compare_run(session *s, const char *a, const char *b, comparison *result);
void comparison_free(comparison *c);

void compare_write_text(tr_text *out, const comparison *c);
/* The object of docs/compare.schema.json. */
void compare_write_json(tr_text *out, const comparison *c);

#endif

/* Reads what comments say of findings:
 *
 *     y[b / 2] = 1; // tilerace: allow(TR001): both blocks write the same value on purpose
 *     y[b / 2] = 1; // NOLINT(TR001)
 */
#ifndef REPORT_ALLOW_H
#define REPORT_ALLOW_H

#include "report/comments.h"
#include "verdict/findings.h"

/* The placeholder that an editor inserts where a person has to write a reason: it is none. */
#define ALLOW_PLACEHOLDER "REASON"

typedef enum allow_kind {
    ALLOW_FINDING,  /* allow(...): of this line, the next one, or a kernel */
    ALLOW_LINE,     /* NOLINT(...) */
    ALLOW_NEXT_LINE /* NOLINTNEXTLINE(...) */
} allow_kind;

typedef struct allow {
    allow_kind kind;
    size_t comment;     /* which of the source's */
    tr_place place;     /* of its word; without a file */
    const char *reason; /* never NULL */
    bool allows[RULE_COUNT];
    bool used[RULE_COUNT]; /* set by whoever asks */
} allow;

typedef struct allow_problem {
    tr_place place; /* without a file */
    const char *text;
} allow_problem;

typedef struct allows {
    allow *items;            /* stb_ds arrays */
    allow_problem *problems; /* what is written so that it allows nothing */
} allows;

/* Reads the comments of a source. */
allows allows_read(tr_arena *arena, const commented *source);
void allows_free(allows *all);

#endif

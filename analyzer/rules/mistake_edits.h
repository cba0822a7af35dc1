/* Edited copies of the summary, in which one mistake is corrected. */
#ifndef RULES_MISTAKE_EDITS_H
#define RULES_MISTAKE_EDITS_H

#include "question/checker.h"

/* Changes to all operations that may synchronise, as bits. */
typedef enum sync_edit {
    SYNC_EDIT_SCOPE = 1,    /* scopes include every block */
    SYNC_EDIT_RELEASE = 2,  /* writes release, and are strong */
    SYNC_EDIT_ACQUIRE = 4,  /* reads acquire, and are strong */
    SYNC_EDIT_BEFORE = 8,   /* a release takes the tokens of all that comes before it; beside
                               SYNC_EDIT_RELEASE, only one that did not release */
    SYNC_EDIT_AFTER = 16,   /* what comes after an acquire takes its token; in the same way */
    SYNC_EDIT_PER_NAME = 32 /* tokens are read per name (D17) */
} sync_edit;

/* Changes to the wait of the later access. */
typedef enum sync_wait {
    SYNC_WAIT_INITIAL, /* it does not proceed with a value that is there at launch */
    SYNC_WAIT_VALUE, /* the value with which it proceeds is the one that the other block releases */
    SYNC_WAIT_COUNT, /* the value with which it proceeds is reached when every block has counted */
    SYNC_WAIT_ELEMENT /* the element that it looks at is the one that the other block writes */
} sync_wait;

typedef struct sync_ends { /* the ops that then synchronise, in the unedited summary; or NULL */
    const ix_access *release, *acquire;
} sync_ends;

/* Would synchronisation order the two accesses with all these edits? */
bool corrected_would_order(checker *k, unsigned edits, const ix_access *a, const ix_access *b,
                           sync_ends *ends);
/* Would it order them with this edit for one value that steers one of the two? */
bool corrected_wait_would_order(checker *k, sync_wait wait, const ix_access *a, const ix_access *b,
                                sync_ends *ends);

#endif

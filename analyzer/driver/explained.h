/* The meaning of a rule, a verdict or a precondition: one look-up for `tilerace explain` and the
 * library. */
#ifndef DRIVER_EXPLAINED_H
#define DRIVER_EXPLAINED_H

#include "verdict/findings.h"

typedef enum explained_kind {
    EXPLAINED_RULE,
    EXPLAINED_VERDICT,
    EXPLAINED_PRECONDITION,
} explained_kind;

typedef struct explained {
    explained_kind kind;
    const char *code; /* of a rule; else NULL */
    const char *name;
    rule_level level;          /* of a rule */
    precondition_class class_; /* of a precondition, unless a finding says another */
    const char *summary;       /* of a rule it begins in lower case and has no full stop */
    const char *help;
    const char *page; /* in the repository, without ".md": "docs/rules/TR001" */
} explained;

/* Whether there is such a word. Codes and names in any case; texts in the arena or for ever. */
bool explained_find(tr_arena *arena, const char *word, explained *found);
/* The word nearest to one that is none; NULL: none is near. */
const char *explained_nearest(const char *word);

/* A word that explained_find knows. */
typedef struct explained_word {
    explained_kind kind;
    const char *word, *about;
    bool is_code; /* of a rule: its code, not its name */
} explained_word;

/* Word number i; false: there are no more. */
bool explained_word_at(size_t i, explained_word *word);

#endif

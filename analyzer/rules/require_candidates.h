/* Private to rules: facts that a proof might ask of the launch. */
#ifndef RULES_REQUIRE_CANDIDATES_H
#define RULES_REQUIRE_CANDIDATES_H

#include "rules/require_search.h"

typedef struct candidate {
    precondition_kind kind;
    smt_t fact;
    int unique_arg; /* PRECONDITION_UNIQUE_CONTENTS: which argument's contents; else -1 */
    smt_t when;     /* ... among the elements for which this holds; NULL: all */
    int range_arg;  /* PRECONDITION_CONTENTS_RANGE: likewise, 0 <= contents < end; else -1 */
    smt_int end;
    smt_int step; /* of range_arg: 0, or contents do not decrease and are multiples of that many */
    bool alone;   /* says how an array lies: of those that do, one at most holds */
} candidate;

/* Those that speak of quantities that the contract leaves open: stb_ds array, weakest first. */
candidate *require_candidates(checker *k, const ix_access *a, const ix_access *b);

#endif

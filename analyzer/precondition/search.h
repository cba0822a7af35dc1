/* The weakest precondition with which a proof succeeds. */
#ifndef PRECONDITION_SEARCH_H
#define PRECONDITION_SEARCH_H

#include "question/checker.h"
#include "question/two_events.h"

/* Searches for a precondition that proves the obligation `conjuncts` (of the pair, in that
 * relation, with `also`), which is not proved without one. True: one was found; it is then among
 * the requires and in k->known.launch. False: none was found. */
bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, query conjuncts);
/* Do preconditions that were found for other pairs prove the obligation, and may they be asked of
 * the launch for this one alone? */
bool require_found_suffices(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, query conjuncts);
/* Asks again about an obligation that was not decided in a short time. First it is tried with what
 * the verdict requires anyway, and with pointers seen as views, which asks nothing more of the
 * launch; then as it is, for longer, but with time left for a search. */
smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, query conjuncts, const char *name);

#endif

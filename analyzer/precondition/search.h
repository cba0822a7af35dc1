/* The weakest precondition with which a proof succeeds. */
#ifndef PRECONDITION_SEARCH_H
#define PRECONDITION_SEARCH_H

#include "question/checker.h"
#include "question/two_events.h"

/* The obligation `conjuncts` (of the pair, in that relation, with `also`) is not proved. True when
 * a natural precondition proves it; it is then among the requires and in k->known.launch. */
bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, query conjuncts);
/* Do preconditions that were found for other pairs prove the obligation, and may they be asked of
 * the launch for this one alone? */
bool require_found_suffices(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, query conjuncts);
/* The obligation was not decided in a short time. Tries it with what the verdict requires anyway,
 * and with pointers seen as views, which asks nothing more of the launch; then plainly, for longer,
 * but leaves time for a search. */
smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, query conjuncts, const char *name);

#endif

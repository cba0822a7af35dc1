/* Whether a buffer can be filled as the contract says. */
#ifndef PRECONDITION_CONTENTS_FIT_H
#define PRECONDITION_CONTENTS_FIT_H

#include "question/checker.h"

/* Steps for a question whether no launch meets the contract. */
enum { CONTRACT_NEVER = 100 * 1000 };

/* Returns why some buffer cannot be filled as the contract says, and in *place where that is
 * stated; NULL: no such buffer was found. */
const char *require_impossible_contents(checker *k, const contract *c, const tr_place **place);
/* Can contents be as the contract states them? False: certainly not. True: no buffer was found that
 * cannot be filled. */
bool require_contents_fit(checker *k, const contract *c);
/* Does every launch read more elements of the argument than they have values, so that two of them
 * are equal? */
bool require_reads_too_many(checker *k, int arg);

#endif

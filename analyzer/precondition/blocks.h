/* Guesses for how many blocks a kernel is meant, best first. Each function fills an array of
 * REQUIRE_MOST_GUESSES and returns the number of guesses; the caller has to prove that one is
 * enough. */
#ifndef PRECONDITION_BLOCKS_H
#define PRECONDITION_BLOCKS_H

#include "question/checker.h"

enum { REQUIRE_MOST_GUESSES = 8 };

/* Guesses about sizes: how an extent compares with another that the same index keeps to. */
size_t require_guess_sizes(checker *k, smt_t safe, smt_t *guesses);
/* Guesses about how many blocks a swizzle is meant for. */
size_t require_guess_swizzle(checker *k, smt_t safe, smt_t *guesses);
/* Finds the numbers of rows of tiles that the swizzles in the term go over. */
size_t require_guess_rows(checker *k, smt_t term, smt_t *rows);
/* Guesses about how many blocks the kernel is meant for, from the ends of indices. `all`: the
 * condition and those beside it. */
size_t require_guess_blocks(checker *k, smt_t safe, smt_t all, smt_t *guesses);
/* Does the term take a block id apart? */
bool require_has_remainder(checker *k, smt_t term);

#endif

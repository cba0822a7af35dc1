/* A kernel is made from a list of choices, so that a shorter or simpler list is a simpler kernel:
 * shrinking needs to know nothing of kernels. */
#ifndef RANDOM_CHOICES_H
#define RANDOM_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct choices {
    uint32_t *made; /* stb_ds array: every choice so far */
    const uint32_t *given;
    size_t n_given;
    bool replay; /* the given ones, then zeros; else drawn at random */
    uint64_t state;
} choices;

choices choices_random(uint64_t seed);
choices choices_given(size_t n, const uint32_t *given);
void choices_free(choices *c);

/* 0 .. n-1. 0 is the simplest and what a list that is used up gives. */
uint32_t choose(choices *c, uint32_t n);
/* True in that many of a hundred cases. */
bool chance(choices *c, unsigned percent);
/* low .. high, low being the simplest. */
int64_t choose_between(choices *c, int64_t low, int64_t high);
/* Position in `weights` (ended by 0), the first being the simplest. */
unsigned choose_weighted(choices *c, const unsigned *weights);

#endif

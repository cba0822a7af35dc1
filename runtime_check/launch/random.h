#ifndef LAUNCH_RANDOM_H
#define LAUNCH_RANDOM_H

#include <stdint.h>

/* A repeatable stream of numbers. Inline, as buffers are filled with it. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* low <= result <= high */
static inline int64_t random_between(uint64_t *state, int64_t low, int64_t high)
{
    uint64_t size = (uint64_t)high - (uint64_t)low + 1;
    uint64_t r = random_next(state);
    return (int64_t)((uint64_t)low + (size ? r % size : r));
}

#endif

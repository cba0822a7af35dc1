#include "choices.h"

#include "base/ds.h"

choices choices_random(uint64_t seed)
{
    return (choices){.state = seed};
}

choices choices_given(size_t n, const uint32_t *given)
{
    return (choices){.given = given, .n_given = n, .replay = true};
}

void choices_free(choices *c)
{
    arrfree(c->made);
}

static uint64_t next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t choose(choices *c, uint32_t n)
{
    uint32_t value = 0;
    size_t at = arrlenu(c->made);
    if (!c->replay)
        value = (uint32_t)(next(&c->state) % n);
    else if (at < c->n_given)
        value = c->given[at] % n;
    arrput(c->made, value);
    return value;
}

bool chance(choices *c, unsigned percent)
{
    return choose(c, 100) >= 100 - percent;
}

int64_t choose_between(choices *c, int64_t low, int64_t high)
{
    return low + choose(c, (uint32_t)(high - low + 1));
}

unsigned choose_weighted(choices *c, const unsigned *weights)
{
    unsigned sum = 0, at = 0;
    for (const unsigned *w = weights; *w; w++)
        sum += *w;
    for (uint32_t drawn = choose(c, sum); drawn >= weights[at]; at++)
        drawn -= weights[at];
    return at;
}

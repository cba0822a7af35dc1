#include "brute.h"

enum { MAX_EVENTS = BOX_X * BOX_Y * BOX_P * 2 };

static bool same_block(const event *a, const event *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y;
}

/* Blocks with x == 0 set flags; does one other than (0, except) set that flag? -1: any counts. */
static bool some_block_sets(const grammar *g, const shape *s, const launch *l, int64_t flag,
                            int64_t except)
{
    for (int64_t y = 0; y < l->y; y++) {
        point at = {0, y, 0, l->p, l->x};
        if (y != except && expr_value(g, s->set, &at) == flag)
            return true;
    }
    return false;
}

static bool mask_holds(const grammar *g, const shape *s, const point *at, int which)
{
    if (s->mask == MASK_NONE || which != (s->family == ONE_ACCESS ? 0 : 1))
        return true;
    return expr_value(g, shape_masked(g, s, which ? s->second : s->first), at) < at->p;
}

bool brute_event(const grammar *g, const shape *s, const launch *l, const point *at, int which,
                 event *out)
{
    int64_t trips = s->trip == TRIP_P ? l->p : s->trip == TRIP_3 ? 3 : 1;
    if (at->x < 0 || at->x >= l->x || at->y < 0 || at->y >= l->y || at->i < 0 || at->i >= trips ||
        at->p != l->p)
        return false;
    *out = (event){*at, (uint8_t)which, which == 0 || s->second_stores,
                   expr_value(g, which ? s->second : s->first, at)};
    if (s->family != FLAGGED)
        return mask_holds(g, s, at, which);
    if ((at->x == 0) != (which == 0))
        return false;
    return which == 0 || some_block_sets(g, s, l, expr_value(g, s->awaited, at), -1);
}

/* Program order inside a block, as far as tokens keep it. */
static bool tokens_order(const shape *s, const event *a, const event *b)
{
    bool same_iteration = a->at.i == b->at.i;
    return s->tokens == TOKENS_CHAINED || (s->tokens == TOKENS_IN_ITERATION && same_iteration);
}

/* A reader is ordered after the store of a block only if every flag value that lets it go on
 * comes from that block's release, and its access waits for the acquire. */
static bool flag_orders(const grammar *g, const shape *s, const launch *l, const event *store,
                        const event *reader)
{
    if (s->waiting == WAIT_RELAXED || s->waiting == WAIT_NO_TOKEN)
        return false;
    return !some_block_sets(g, s, l, expr_value(g, s->awaited, &reader->at), store->at.y);
}

bool brute_pair_races(const grammar *g, const shape *s, const launch *l, const event *a,
                      const event *b)
{
    if (a->element != b->element || !(a->stores || b->stores))
        return false;
    if (same_block(a, b)) {
        bool same = a->which == b->which && a->at.i == b->at.i;
        return !same && !tokens_order(s, a, b);
    }
    if (s->family != FLAGGED || a->which == b->which)
        return true;
    return !flag_orders(g, s, l, a->which ? b : a, a->which ? a : b);
}

bool brute_races(const grammar *g, const shape *s, const launch *l, event *a, event *b)
{
    event events[MAX_EVENTS];
    size_t n = 0;
    int accesses = s->family == ONE_ACCESS ? 1 : 2;
    int64_t trips = s->trip == TRIP_P ? l->p : s->trip == TRIP_3 ? 3 : 1;
    for (int64_t y = 0; y < l->y; y++)
        for (int64_t x = 0; x < l->x; x++)
            for (int64_t i = 0; i < trips; i++)
                for (int which = 0; which < accesses && n < MAX_EVENTS; which++) {
                    point at = {x, y, i, l->p, l->x};
                    n += brute_event(g, s, l, &at, which, &events[n]);
                }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (brute_pair_races(g, s, l, &events[i], &events[k])) {
                *a = events[k];
                *b = events[i];
                return true;
            }
    return false;
}

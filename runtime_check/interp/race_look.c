/* One segment of a buffer, which the same accesses cover: which of them race? */
#include "interp/races_private.h"

#include <stdlib.h>

/* ---- Section: One segment ---- */

static int by_instance(const void *a, const void *b)
{
    const covering *x = a, *y = b;
    if (x->instance != y->instance)
        return x->instance < y->instance ? -1 : 1;
    return x->in_tile < y->in_tile ? -1 : x->in_tile > y->in_tile;
}

static int by_block(const void *a, const void *b)
{
    const covering *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return by_instance(a, b);
}

/* Are two classes here that still have a race to show? Which, `wanted` tells by class. */
static bool worth_a_look(sweep *w)
{
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (i == j && w->classes[a].active < 2)
                continue;
            uint8_t bits = *races_pair(w, a, b);
            bool cross = bits & (CROSS_FULL | CROSS_PART) && !races_pair_done(w, a, b, CROSS_DONE);
            bool same = bits & (SAME_FULL | SAME_PART) && !races_pair_done(w, a, b, SAME_DONE);
            if (races_possible(w, a, b) && (cross || same))
                return true;
        }
    return false;
}

static void gather(sweep *w, int64_t position)
{
    const interp_run *run = w->run;
    arrsetlen(w->over, 0);
    for (ptrdiff_t i = 0; i < arrlen(w->heap); i++) {
        const span *s = &run->spans[w->heap[i]];
        uint32_t k = (uint32_t)((uint64_t)(position - s->address) / s->width);
        const instance *n = &run->instances[s->instance];
        covering c = {.instance = s->instance,
                      .class = w->class_of[s->instance],
                      .block = n->block,
                      .node = n->node,
                      .width = s->width,
                      .in_tile = s->in_tile + k * s->step,
                      .address = (int64_t)((uint64_t)s->address + (uint64_t)k * s->width)};
        arrput(w->over, c);
    }
    qsort(w->over, arrlenu(w->over), sizeof w->over[0], by_instance);
    w->mixed = false;
    for (ptrdiff_t i = 1; i < arrlen(w->over); i++)
        w->mixed |=
            w->over[i].address != w->over[0].address || w->over[i].width != w->over[0].width;
}

/* Writes in a chain of tokens, every read between its neighbours: then all pairs are ordered, and a
 * loop of a thousand iterations costs a thousand looks, not a million. */
static bool is_chain(sweep *w, const covering *group, size_t n)
{
    const covering *write = NULL;
    size_t first_read = 0; /* reads since the last write: [first_read, i) */
    for (size_t i = 0; i < n; i++) {
        const covering *c = &group[i];
        bool writes = w->classes[c->class].access & MODEL_WRITE;
        w->checks++;
        if (write &&
            (write->instance == c->instance || !tokens_reach(w->run, write->node, c->node, false)))
            return false;
        if (!writes)
            continue;
        for (size_t r = first_read; r < i; r++)
            if (!tokens_reach(w->run, group[r].node, c->node, false))
                return false;
        write = c;
        first_read = i + 1;
    }
    return true;
}

static uint64_t hash_group(const covering *group, size_t n, int64_t position)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) {
        uint64_t words[] = {group[i].instance, (uint64_t)(position - group[i].address),
                            group[i].width};
        for (size_t k = 0; k < TR_COUNT(words); k++) {
            h = (h ^ words[k]) * 0x9e3779b97f4a7c15u;
            h ^= h >> 29;
        }
    }
    return h;
}

/* The members of the group that are of a class, in order, into `list`. */
static const covering **members(const covering *group, size_t n, uint32_t c, const covering **list)
{
    arrsetlen(list, 0);
    for (size_t i = 0; i < n; i++)
        if (group[i].class == c)
            arrput(list, &group[i]);
    return list;
}

/* Pairs of an event and an earlier one. For each later event the earlier ones come in order, so
 * that one search through the tokens serves them all. */
static void look_back(sweep *w, const covering **later, const covering **earlier, bool same_block)
{
    uint8_t done = same_block ? SAME_DONE : CROSS_DONE;
    for (ptrdiff_t j = 0; j < arrlen(later); j++)
        for (ptrdiff_t i = 0; i < arrlen(earlier) && earlier[i] < later[j]; i++) {
            if (races_finished(w))
                return;
            if ((earlier[i]->block == later[j]->block) != same_block)
                continue;
            if (!races_between(w, earlier[i], later[j]))
                continue;
            races_report(w, earlier[i], later[j], done);
            if (!w->all)
                return;
        }
}

/* Are all accesses in the group that are of two classes in a chain? */
static bool pair_in_chain(sweep *w, const covering *group, size_t n, uint32_t a, uint32_t b)
{
    arrsetlen(w->chain, 0);
    for (size_t i = 0; i < n; i++)
        if (group[i].class == a || group[i].class == b)
            arrput(w->chain, group[i]);
    return is_chain(w, w->chain, arrlenu(w->chain));
}

/* Do they all cover each other? A wide access to a word does not make the narrow ones to it
 * overlap each other in part. */
static bool one_extent(const covering **first, const covering **second)
{
    for (ptrdiff_t i = 0; i < arrlen(first) + arrlen(second); i++) {
        const covering *c = i < arrlen(first) ? first[i] : second[i - arrlen(first)];
        if (c->address != first[0]->address || c->width != first[0]->width)
            return false;
    }
    return true;
}

/* The accesses of two classes in a group, unless none of them can race with another. */
static bool look_at_pair(sweep *w, const covering *group, size_t n, uint32_t a, uint32_t b,
                         bool same_block)
{
    uint8_t full = same_block ? SAME_FULL : CROSS_FULL, part = same_block ? SAME_PART : CROSS_PART;
    uint8_t bits = *races_pair(w, a, b);
    if (!(bits & (w->mixed ? full | part : full)))
        return false;
    w->first = members(group, n, a, w->first);
    w->second = members(group, n, b, w->second);
    w->checks += arrlenu(w->first) + arrlenu(w->second);
    if (!arrlen(w->first) || !arrlen(w->second))
        return false;
    if (!(bits & full) && one_extent(w->first, w->second))
        return false;
    return !same_block || !pair_in_chain(w, group, n, a, b);
}

/* A group of accesses in program order, all of one block or of several. */
static void look_at_pairs(sweep *w, const covering *group, size_t n, bool same_block)
{
    uint8_t done = same_block ? SAME_DONE : CROSS_DONE;
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present) && !races_finished(w); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (races_pair_done(w, a, b, done) || !look_at_pair(w, group, n, a, b, same_block))
                continue;
            look_back(w, w->second, w->first, same_block);
            if (a != b && !races_pair_done(w, a, b, done))
                look_back(w, w->first, w->second, same_block);
        }
}

static void look_in_block(sweep *w, const covering *group, size_t n, int64_t position)
{
    uint64_t hash = hash_group(group, n, position);
    if (w->clean && hmgeti(w->clean, hash) >= 0)
        return;
    size_t before = w->found;
    if (!is_chain(w, group, n))
        look_at_pairs(w, group, n, true);
    if (w->found == before || !w->all) /* the same accesses on other bytes show nothing new */
        hmput(w->clean, hash, true);
}

/* Looks at accesses of two different blocks. If every access of one class races with every access
 * of another class, one access a class is enough to find a pair. */
static void look_across(sweep *w)
{
    if (w->all || w->mixed || w->synchronised) {
        look_at_pairs(w, w->over, arrlenu(w->over), false);
        return;
    }
    size_t n_classes = arrlenu(w->classes);
    const covering **first = calloc(2 * n_classes + 1, sizeof *first), **other = first + n_classes;
    if (!first)
        tr_no_memory();
    for (ptrdiff_t i = 0; i < arrlen(w->over); i++) {
        const covering *c = &w->over[i];
        if (!first[c->class])
            first[c->class] = c;
        else if (!other[c->class] && c->block != first[c->class]->block)
            other[c->class] = c;
    }
    for (ptrdiff_t i = 0; i < arrlen(w->present); i++)
        for (ptrdiff_t j = i; j < arrlen(w->present); j++) {
            uint32_t a = w->present[i], b = w->present[j];
            if (races_pair_done(w, a, b, CROSS_DONE) || !(*races_pair(w, a, b) & CROSS_FULL))
                continue;
            const covering *x = first[a], *y = first[b];
            if (x->block == y->block)
                y = other[b];
            if (!y)
                x = other[a], y = first[b];
            if (x && y && x->block != y->block && !races_finished(w))
                races_report(w, x->instance < y->instance ? x : y,
                             x->instance < y->instance ? y : x, CROSS_DONE);
        }
    free(first);
}

/* How often the block changes from one access to the next. */
static size_t count_changes(const covering *over, size_t n)
{
    size_t changes = 0;
    for (size_t i = 1; i < n; i++)
        changes += over[i].block != over[i - 1].block;
    return changes;
}

void races_look(sweep *w, int64_t position)
{
    if (!worth_a_look(w))
        return;
    gather(w, position);
    size_t n = arrlenu(w->over), changes = count_changes(w->over, n);
    /* If blocks take turns, the accesses of one block do not lie together. */
    if (changes > 1)
        qsort(w->over, n, sizeof w->over[0], by_block);
    for (size_t i = 0, end; i < n && !races_finished(w); i = end) {
        for (end = i + 1; end < n && w->over[end].block == w->over[i].block;)
            end++;
        if (end - i > 1)
            look_in_block(w, &w->over[i], end - i, position);
    }
    if (!changes)
        return;
    if (changes > 1)
        qsort(w->over, n, sizeof w->over[0], by_instance);
    look_across(w);
}

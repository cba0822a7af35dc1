/* Token order of one execution: a graph of nodes, one for each execution of a memory op and one for
 * each join, whose edges go to earlier nodes only (D12, D15). Built from what the tokens of this
 * run carried, not from the static graph of models/, so that each can catch the other. */
#include "interp/private.h"

uint32_t tokens_node(interp_run *run, size_t n, const uint32_t *earlier)
{
    for (size_t i = 0; i < n; i++)
        arrput(run->edges, earlier[i]);
    arrput(run->node_end, (uint32_t)arrlen(run->edges));
    return (uint32_t)arrlen(run->node_end) - 1;
}

enum { MAX_CLOSED = 16384, FEW_SEARCHES = 64 };

/* Finds out what comes before each node up to this one, from what comes before those that its edges
 * lead to; false for large graphs, for which that takes too much memory. */
static bool close_up_to(const interp_run *run, uint32_t node, bool synchronisation)
{
    lazy *l = run->lazy;
    if (node >= MAX_CLOSED)
        return false;
    while (arrlenu(l->above[synchronisation]) <= node) {
        uint32_t at = (uint32_t)arrlen(l->above[synchronisation]);
        uint64_t *row = TR_NEW_ARRAY(run->arena, uint64_t, at / 64 + 1);
        for (uint32_t e = at ? run->node_end[at - 1] : 0; e < run->node_end[at]; e++) {
            uint32_t to = run->edges[e] & ~EDGE_SYNCHRONISES;
            if (run->edges[e] & EDGE_SYNCHRONISES && !synchronisation)
                continue;
            const uint64_t *before = l->above[synchronisation][to];
            for (uint32_t w = 0; w <= to / 64; w++)
                row[w] |= before[w];
            row[to / 64] |= (uint64_t)1 << (to % 64);
        }
        arrput(l->above[synchronisation], row);
    }
    return true;
}

/* Stamps all nodes from `low` on that come before `later`, along edges of tokens, and of
 * synchronisation where it counts. Stamps of an earlier search are void by their epoch. */
static void search(const interp_run *run, uint32_t later, uint32_t low, bool synchronisation)
{
    lazy *l = run->lazy;
    size_t n = arrlenu(run->node_end);
    size_t had = arrlenu(l->stamps);
    if (had < n) { /* while the run goes on the graph grows */
        size_t room = 2 * had > n ? 2 * had : n;
        arrsetlen(l->stamps, room);
        memset(l->stamps + had, 0, (room - had) * sizeof l->stamps[0]);
        arrsetlen(l->stack, room);
    }
    if (++l->epoch == 0) {
        memset(l->stamps, 0, arrlenu(l->stamps) * sizeof l->stamps[0]);
        l->epoch = 1;
    }
    size_t height = 0;
    l->stack[height++] = later;
    while (height) {
        uint32_t node = l->stack[--height];
        l->visited++;
        for (uint32_t e = node ? run->node_end[node - 1] : 0; e < run->node_end[node]; e++) {
            uint32_t edge = run->edges[e], to = edge & ~EDGE_SYNCHRONISES;
            if ((edge & EDGE_SYNCHRONISES && !synchronisation) || to < low ||
                l->stamps[to] == l->epoch)
                continue;
            l->stamps[to] = l->epoch;
            l->stack[height++] = to;
        }
    }
    l->last_later = later;
    l->last_low = low;
    l->last_synchronisation = synchronisation;
    l->last_valid = true;
}

bool tokens_reach(const interp_run *run, uint32_t earlier, uint32_t later, bool synchronisation)
{
    if (earlier >= later)
        return false;
    lazy *l = run->lazy;
    if (l->searches > FEW_SEARCHES && close_up_to(run, later, synchronisation))
        return l->above[synchronisation][later][earlier / 64] >> (earlier % 64) & 1;
    /* Edges go backwards only, so a search that went back to `last_low` has met all it ever will
     * down to there. */
    bool same =
        l->last_valid && l->last_later == later && l->last_synchronisation == synchronisation;
    l->searches += !same || l->last_low > earlier;
    if (!same)
        search(run, later, earlier, synchronisation);
    else if (l->last_low > earlier) /* who asks for one after the other goes far in a few steps */
        search(run, later, earlier < l->last_low / 2 ? earlier : l->last_low / 2, synchronisation);
    return l->stamps[earlier] == l->epoch;
}

bool interp_token_before(const interp_run *run, uint32_t instance_a, uint32_t instance_b)
{
    size_t n = arrlenu(run->instances);
    if (instance_a >= n || instance_b >= n)
        return false;
    const instance *a = &run->instances[instance_a], *b = &run->instances[instance_b];
    return a->block == b->block && tokens_reach(run, a->node, b->node, false);
}

bool interp_token_follows(interp_run *run, const ir_value *token, uint32_t number)
{
    uint32_t later = token ? machine_value(run, token)->token : 0;
    uint32_t node = run->instances[number].node;
    return later && (later == node || tokens_reach(run, node, later, false));
}

bool interp_comes_after_wait(const interp_run *run, uint32_t number)
{
    bool comes = false;
    for (ptrdiff_t i = 0; i < arrlen(run->waits) && number < arrlenu(run->instances); i++)
        comes |= tokens_reach(run, run->waits[i], run->instances[number].node, false);
    return comes;
}

bool interp_happens_before(const interp_run *run, uint32_t instance_a, uint32_t instance_b)
{
    size_t n = arrlenu(run->instances);
    return instance_a < n && instance_b < n &&
           tokens_reach(run, run->instances[instance_a].node, run->instances[instance_b].node,
                        true);
}

/* Relations as bit matrices. */
#include "tileir_memory/relation.h"

#include <stdlib.h>
#include <string.h>

model_relation model_relation_new(tr_arena *arena, size_t n)
{
    model_relation r = {.n = n, .words = n / 64 + 1};
    r.rows = TR_NEW_ARRAY(arena, uint64_t, (n + 1) * r.words);
    return r;
}

void model_relation_clear(model_relation *r)
{
    memset(r->rows, 0, r->n * r->words * sizeof r->rows[0]);
}

void model_relation_copy(model_relation *into, const model_relation *from)
{
    memcpy(into->rows, from->rows, from->n * from->words * sizeof from->rows[0]);
}

void model_relation_unite(model_relation *into, const model_relation *other)
{
    for (size_t i = 0; i < into->n * into->words; i++)
        into->rows[i] |= other->rows[i];
}

void model_relation_intersect(model_relation *into, const model_relation *other)
{
    for (size_t i = 0; i < into->n * into->words; i++)
        into->rows[i] &= other->rows[i];
}

void model_relation_close(model_relation *r)
{
    for (size_t via = 0; via < r->n; via++) {
        const uint64_t *onward = &r->rows[via * r->words];
        for (size_t a = 0; a < r->n; a++) {
            if (!model_related(r, a, via))
                continue;
            uint64_t *row = &r->rows[a * r->words];
            for (size_t w = 0; w < r->words; w++)
                row[w] |= onward[w];
        }
    }
}

bool model_relation_irreflexive(const model_relation *r)
{
    for (size_t a = 0; a < r->n; a++)
        if (model_related(r, a, a))
            return false;
    return true;
}

/* Removes, as long as there are any, events that no remaining event comes before. */
bool model_relation_acyclic(const model_relation *r)
{
    uint32_t *earlier = calloc(r->n + 1, sizeof *earlier), *ready = calloc(r->n + 1, sizeof *ready);
    if (!earlier || !ready)
        tr_no_memory();
    size_t n_ready = 0, taken = 0;
    for (size_t a = 0; a < r->n; a++)
        for (size_t b = 0; b < r->n; b++)
            earlier[b] += model_related(r, a, b);
    for (size_t a = 0; a < r->n; a++)
        if (!earlier[a])
            ready[n_ready++] = (uint32_t)a;
    while (taken < n_ready) {
        size_t a = ready[taken++];
        for (size_t b = 0; b < r->n; b++)
            if (model_related(r, a, b) && --earlier[b] == 0)
                ready[n_ready++] = (uint32_t)b;
    }
    free(earlier);
    free(ready);
    return taken == r->n;
}

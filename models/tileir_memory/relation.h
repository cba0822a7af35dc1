/* A relation between the events of one execution, as a matrix of bits. Private to the room and its
 * tests. */
#ifndef MODEL_RELATION_H
#define MODEL_RELATION_H

#include "base/base.h"

typedef struct model_relation {
    size_t n, words; /* events; words of a row */
    uint64_t *rows;  /* bit b of row a: a is related to b */
} model_relation;

model_relation model_relation_new(tr_arena *arena, size_t n);
void model_relation_clear(model_relation *r);
/* Both of one size. */
void model_relation_copy(model_relation *into, const model_relation *from);
void model_relation_unite(model_relation *into, const model_relation *other);
void model_relation_intersect(model_relation *into, const model_relation *other);
/* Replaces the relation by its transitive closure. */
void model_relation_close(model_relation *r);
bool model_relation_irreflexive(const model_relation *r);
/* No cycle; the relation need not be closed and stays as it is. */
bool model_relation_acyclic(const model_relation *r);

static inline const uint64_t *model_relation_row(const model_relation *r, size_t a)
{
    return &r->rows[a * r->words];
}

static inline bool model_related(const model_relation *r, size_t a, size_t b)
{
    return r->rows[a * r->words + b / 64] >> (b % 64) & 1;
}

static inline void model_relate(model_relation *r, size_t a, size_t b)
{
    r->rows[a * r->words + b / 64] |= (uint64_t)1 << (b % 64);
}

#endif

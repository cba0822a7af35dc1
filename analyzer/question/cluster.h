/* Accesses that differ in constants alone, asked about together. */
#ifndef QUESTION_CLUSTER_H
#define QUESTION_CLUSTER_H

#include "question/checker.h"

typedef struct cluster {
    uint32_t *members; /* stb_ds array: access numbers; one for an access that has no like */
    ix_access whole;   /* stands for all of them: may touch more than they do */
} cluster;

/* All accesses of the summary, in order of their first member. */
cluster *clusters_make(checker *k); /* stb_ds array; release with clusters_free */
void clusters_free(cluster *clusters);

#endif

/* The distinct subterms of terms, children first. */
#ifndef SMT_TERMS_WALK_H
#define SMT_TERMS_WALK_H

#include "terms/node.h"

/* The distinct subterms of some roots, children first, and where each one's children are. */
typedef struct smt_order {
    smt_t *terms;    /* stb_ds arrays */
    uint32_t *first; /* of terms[i]: children[first[i] .. first[i] + n_args) are indices */
    uint32_t *children;
    struct smt_kept_order *kept; /* they are its, not the order's own; or NULL */
} smt_order;

void smt_order_make(smt_order *order, size_t n_roots, const smt_t *roots);
void smt_order_free(smt_order *order);
void smt_orders_forget(smt_ctx *ctx); /* those that the context keeps */
size_t smt_order_count(const smt_order *order);
uint32_t smt_order_find(const smt_order *order, smt_t term); /* must occur */
void smt_sort_by_id(smt_t *terms, size_t n);                 /* rising */

static inline bool smt_mark(smt_t term, uint32_t epoch)
{
    smt_node *node = (smt_node *)term; /* marks are no part of the term */
    if (node->mark == epoch)
        return false;
    node->mark = epoch;
    return true;
}

#endif

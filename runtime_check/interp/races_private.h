/* Declarations that the files of the race search share: races.c sweeps, race_pairs.c says which
 * accesses could race, race_look.c looks at one segment. */
#ifndef INTERP_RACES_PRIVATE_H
#define INTERP_RACES_PRIVATE_H

#include "interp/private.h"

#define MAX_CHECKS ((uint64_t)400000000)

typedef struct class
{ /* the events of one op */
    const ir_op *op;
    model_access access;
    ir_ordering ordering;
    ir_scope scope;
    uint32_t active; /* spans of it over the segment */
} class;

typedef struct class_number {
    const ir_op *key;
    uint32_t value;
} class_number;

/* Facts about two classes; bits. */
enum pair_bits {
    CROSS_FULL = 1, /* events of two blocks race when they cover each other */
    CROSS_PART = 2, /* events of two blocks race when they overlap in part */
    SAME_FULL = 4,  /* events of one block race unless a token orders them */
    SAME_PART = 8,
    CROSS_DONE = 16, /* reported */
    SAME_DONE = 32,
};

typedef struct covering { /* one access to the segment at hand */
    uint32_t instance;
    uint32_t class;
    uint32_t block;
    uint32_t node;
    uint32_t width;
    uint32_t in_tile;
    int64_t address;
} covering;

typedef struct signature {
    uint64_t key;
    bool value;
} signature;

typedef struct sweep {
    const interp_run *run;
    bool all;
    interp_race *out;
    size_t limit, found;
    uint64_t max_checks;
    class *classes;      /* stb_ds */
    uint8_t *pairs;      /* n_classes x n_classes, pair_bits */
    uint32_t *class_of;  /* by instance */
    uint32_t *present;   /* stb_ds: classes active in the segment */
    uint64_t racy_pairs; /* of classes that are active together and could race */
    uint32_t *heap;      /* stb_ds: active spans, a min-heap by their end */
    int32_t buffer;
    covering *over;                   /* stb_ds: the accesses to the segment at hand */
    bool mixed;                       /* they do not all cover each other */
    covering *chain;                  /* stb_ds: scratch */
    const covering **first, **second; /* stb_ds: scratch */
    signature *clean; /* stb_ds map: groups of accesses of one block known to be race-free */
    uint64_t checks;
    uint64_t visited;  /* nodes, by searches before this one */
    bool partial;      /* accesses to this buffer differ in alignment or width */
    bool synchronised; /* some release was acquired */
    bool synchronisation_matters;
    uint32_t active_synchronising;
} sweep;

static inline int64_t span_end(const span *s)
{
    return (int64_t)((uint64_t)s->address + (uint64_t)s->count * s->width);
}

/* ---- Section: race_pairs.c ---- */

/* Finds the classes and what is known of each two of them. */
void races_classify(sweep *w);
uint8_t *races_pair(sweep *w, uint32_t a, uint32_t b);
/* Could accesses of these classes race on some segment? */
bool races_possible(sweep *w, uint32_t a, uint32_t b);
bool races_pair_done(sweep *w, uint32_t a, uint32_t b, uint8_t bit);
bool races_finished(const sweep *w);
bool races_too_many(const sweep *w);
/* Do they race? They overlap, `a` was executed no later than `b`. */
bool races_between(sweep *w, const covering *a, const covering *b);
void races_report(sweep *w, const covering *a, const covering *b, uint8_t done);

/* ---- Section: race_look.c ---- */

/* Looks at the accesses active at this address. */
void races_look(sweep *w, int64_t position);

#endif

/* Arrays as sets of bytes: do two of them share one? Exact, by the extents and strides alone. */
#ifndef CONTRACT_BOXES_H
#define CONTRACT_BOXES_H

#include "terms/term.h"

enum { BOX_MOST_RANK = 8 };

/* The elements start + sum(i[d] * strides[d]) for 0 <= i[d] < extents[d], of `width` bytes each; an
 * extent below 1 leaves none. Strides are in bytes. */
typedef struct byte_box {
    smt_int start;
    unsigned width;
    size_t rank;
    int64_t extents[BOX_MOST_RANK];
    smt_int strides[BOX_MOST_RANK];
} byte_box;

typedef enum box_answer {
    BOX_APART,
    BOX_MEET,
    BOX_OPEN, /* not decided: it reaches beyond the address space, or the search takes too long */
} box_answer;

bool box_is_empty(const byte_box *b);
/* First byte, and the one behind the last. False: beyond the address space, on either side. */
bool box_span(const byte_box *b, smt_int *from, smt_int *to);

/* Does an element of the one share a byte with an element of the other? This and the next are shown
 * for tests. */
box_answer boxes_meet(const byte_box *a, const byte_box *b);
/* Do two different elements of it share a byte? */
box_answer box_meets_itself(const byte_box *b);

typedef struct boxed { /* one of many */
    byte_box box;
    bool is_written;
    bool is_asked;      /* of two that are not, nothing is asked */
    bool checks_itself; /* its own elements must not overlap each other */
    size_t id;          /* two with the same number are not compared; the caller's */
} boxed;

/* Does an element of one share a byte with another one's, where one of the two is written and
 * one asked about, or with an element of its own? `pair` has their places in the list; the same
 * place twice: with itself. */
box_answer boxes_among(const boxed *list, size_t n, size_t pair[2]);

#endif

/* Whether arrays share bytes: a search over the differences of coordinates.
 *
 * Elements i of A and j of B share a byte where |start_A + sum(i_d * s_d) - start_B - sum(j_d *
 * t_d)| is below the width. Each summand is a step times a number of a range; they are tried from
 * the largest step on. What all smaller ones can add leaves few values for each, and mostly one:
 * so arrays of many elements cost no more than small ones. */
#include "contract/boxes.h"

#include <stdlib.h>

enum { MOST_STEPS = 2 * BOX_MOST_RANK, MOST_TRIED = 1 << 14 };
static const smt_int space = (smt_int)1 << 64;

bool box_is_empty(const byte_box *b)
{
    for (size_t d = 0; d < b->rank; d++)
        if (b->extents[d] < 1)
            return true;
    return false;
}

bool box_span(const byte_box *b, smt_int *from, smt_int *to)
{
    *from = b->start;
    *to = b->start + b->width;
    for (size_t d = 0; d < b->rank; d++) {
        smt_int reach;
        if (b->strides[d] > space || b->strides[d] < -space ||
            __builtin_mul_overflow(b->strides[d], (smt_int)b->extents[d] - 1, &reach) ||
            reach > space || reach < -space)
            return false;
        *(reach < 0 ? from : to) += reach;
    }
    return *from >= 0 && *to <= space;
}

/* ---- Section: the search ---- */

typedef struct step { /* a number between low and high, times this */
    smt_int size, low, high;
} step;

typedef struct search {
    step steps[MOST_STEPS]; /* largest first */
    size_t n;
    int tried;
} search;

static smt_int floored(smt_int a, smt_int b)
{
    smt_int quotient = a / b;
    return quotient - (a % b < 0);
}

/* Is a sum of the steps from `at` on between low and high? */
static box_answer reaches(search *s, size_t at, smt_int low, smt_int high)
{
    if (at == s->n)
        return low <= 0 && 0 <= high ? BOX_MEET : BOX_APART;
    if (s->tried++ >= MOST_TRIED)
        return BOX_OPEN;
    smt_int least = 0, most = 0; /* of all behind this one */
    for (size_t i = at + 1; i < s->n; i++) {
        least += s->steps[i].size * s->steps[i].low;
        most += s->steps[i].size * s->steps[i].high;
    }
    const step *own = &s->steps[at];
    smt_int first = -floored(-(low - most), own->size), last = floored(high - least, own->size);
    first = first < own->low ? own->low : first;
    last = last > own->high ? own->high : last;
    box_answer answer = BOX_APART;
    for (smt_int v = first; v <= last && answer == BOX_APART; v++)
        answer = reaches(s, at + 1, low - v * own->size, high - v * own->size);
    return answer;
}

static int larger_first(const void *a, const void *b)
{
    const step *x = a, *y = b;
    return (x->size < y->size) - (x->size > y->size);
}

/* Adds -count..0 or 0..count times the stride; steps of one size become one. */
static void add(search *s, smt_int stride, smt_int count, bool negated)
{
    bool below = (stride < 0) != negated;
    step new = {stride < 0 ? -stride : stride, below ? -count : 0, below ? 0 : count};
    if (count == 0 || stride == 0)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->steps[i].size == new.size) {
            s->steps[i].low += new.low;
            s->steps[i].high += new.high;
            return;
        }
    s->steps[s->n++] = new;
}

box_answer boxes_meet(const byte_box *a, const byte_box *b)
{
    search s = {.n = 0};
    smt_int from[2], to[2];
    if (box_is_empty(a) || box_is_empty(b))
        return BOX_APART;
    if (!box_span(a, &from[0], &to[0]) || !box_span(b, &from[1], &to[1]))
        return BOX_OPEN;
    if (to[0] <= from[1] || to[1] <= from[0])
        return BOX_APART;
    for (size_t d = 0; d < a->rank; d++)
        add(&s, a->strides[d], (smt_int)a->extents[d] - 1, false);
    for (size_t d = 0; d < b->rank; d++)
        add(&s, b->strides[d], (smt_int)b->extents[d] - 1, true);
    qsort(s.steps, s.n, sizeof *s.steps, larger_first);
    smt_int apart = b->start - a->start; /* the sum that makes the two start together */
    return reaches(&s, 0, apart - a->width + 1, apart + b->width - 1);
}

box_answer box_meets_itself(const byte_box *b)
{
    search s = {.n = 0};
    smt_int from, to;
    if (box_is_empty(b))
        return BOX_APART;
    if (!box_span(b, &from, &to))
        return BOX_OPEN;
    for (size_t d = 0; d < b->rank; d++) {
        if (b->extents[d] > 1 && b->strides[d] == 0)
            return BOX_MEET;
        if (b->extents[d] > 1)
            s.steps[s.n++] = (step){b->strides[d] < 0 ? -b->strides[d] : b->strides[d],
                                    -((smt_int)b->extents[d] - 1), (smt_int)b->extents[d] - 1};
    }
    qsort(s.steps, s.n, sizeof *s.steps, larger_first);
    /* A difference and its negative are one case: take the one whose first number that is not 0 is
     * positive. */
    box_answer answer = BOX_APART;
    for (size_t first = 0; first < s.n && answer == BOX_APART; first++) {
        search rest = s;
        rest.steps[first].low = 1;
        answer = reaches(&rest, first, -(smt_int)b->width + 1, (smt_int)b->width - 1);
    }
    return answer;
}

/* ---- Section: many of them ---- */

typedef struct placed {
    smt_int from, to;
    size_t at; /* in the list */
} placed;

static int by_start(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

enum { MOST_PAIRS = 1 << 16 }; /* whose spans overlap */

static void note(box_answer answer, size_t a, size_t b, box_answer *all, size_t pair[2])
{
    if (answer == BOX_OPEN && *all == BOX_APART)
        *all = BOX_OPEN;
    if (answer != BOX_MEET || *all == BOX_MEET)
        return;
    *all = BOX_MEET;
    pair[0] = a < b ? a : b;
    pair[1] = a < b ? b : a;
}

static bool are_compared(const boxed *a, const boxed *b)
{
    return a->id != b->id && (a->is_written || b->is_written) && (a->is_asked || b->is_asked);
}

box_answer boxes_among(const boxed *list, size_t n, size_t pair[2])
{
    placed *places = malloc((n + 1) * sizeof *places);
    box_answer all = BOX_APART;
    size_t n_placed = 0, n_pairs = 0;
    pair[0] = pair[1] = 0;
    if (!places)
        return BOX_OPEN;
    for (size_t i = 0; i < n; i++) {
        placed p = {.at = i};
        if (box_is_empty(&list[i].box))
            continue;
        if (list[i].checks_itself)
            note(box_meets_itself(&list[i].box), i, i, &all, pair);
        if (box_span(&list[i].box, &p.from, &p.to))
            places[n_placed++] = p;
        else
            note(BOX_OPEN, i, i, &all, pair);
    }
    qsort(places, n_placed, sizeof *places, by_start);
    for (size_t i = 0; i < n_placed && all != BOX_MEET; i++)
        for (size_t k = i + 1; k < n_placed && places[k].from < places[i].to && all != BOX_MEET;
             k++) {
            const boxed *a = &list[places[i].at], *b = &list[places[k].at];
            if (n_pairs++ >= MOST_PAIRS)
                note(BOX_OPEN, 0, 0, &all, pair);
            else if (are_compared(a, b))
                note(boxes_meet(&a->box, &b->box), places[i].at, places[k].at, &all, pair);
            if (n_pairs > MOST_PAIRS)
                break;
        }
    free(places);
    return all;
}

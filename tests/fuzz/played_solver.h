/* A solver that is no process: what it does is a text, so that a fuzzer decides it. The functions
 * of base/process.h that a solver is spoken to by are defined here, in place of those of the
 * library.
 *
 * The text is what the solver prints, but for what begins with a '$':
 *
 *   $m  the marker of the question, a line of its own: the answer ends
 *   $q  the same in quotes
 *   $o  the marker of the question before
 *   $v  what was asked for as (get-value ...), each with a value that the next byte chooses
 *   $s  silence for a while
 *   $e  the end: it has exited with status 1
 *   $k  the end: a signal has ended it
 *   $c  it closes its output, and lives on
 *   $r  it takes no more questions: writing to it fails
 *   $$  a dollar
 *
 * A process that is started says its name by itself. The clock is one of its own, which silence
 * moves. */
#ifndef FUZZ_PLAYED_SOLVER_H
#define FUZZ_PLAYED_SOLVER_H

#include "base/base.h"

enum { PLAYED_MOST_ANSWERS = 64 };

typedef struct played_answer { /* what was printed between one marker and the next */
    bool asks_sat;             /* the question before was a (check-sat) */
    bool has_marker;           /* the right one came behind it */
    tr_text text;
} played_answer;

typedef struct played {
    const char *at, *end; /* of the text that is left */
    size_t n;
    played_answer answers[PLAYED_MOST_ANSWERS]; /* those after it is full are not kept */
    int running;                                /* processes that are not freed */
} played;

/* What is started from now on by this thread plays that text. */
void played_begin(played *p, const char *text, size_t length);
void played_end(played *p);
/* How many (check-sat) were answered by that line alone, with the right marker behind it. */
size_t played_count(const played *p, const char *line);
/* A value that a byte stands for: edges of what fits, and small ones. As a solver writes it. */
void played_value(tr_text *out, uint8_t choice);

#endif

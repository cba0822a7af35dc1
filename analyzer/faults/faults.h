/* Faults by number, for tests: one call of the C library fails, and what the program makes of it is
 * looked at (tests/faults). Part of the program tilerace-faults alone (option TR_FAULTS); the
 * product has nothing of it.
 *
 * The plan is a page of a file that the environment names (TR_FAULTS_PLAN). Processes that the
 * program forks share it, so that a number is that of a call in whichever of them, and one call
 * fails. */
#ifndef TR_FAULTS_H
#define TR_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fault_kind {
#define FAULT_KIND(id, name, about) FAULT_##id,
#include "faults/kinds.def"
    FAULT_KIND_COUNT
} fault_kind;

enum { FAULT_NONE = FAULT_KIND_COUNT };

/* The plan as it lies in the file; tests/faults/server.py has the same. */
typedef struct fault_plan {
    uint64_t kind, number;   /* the call of that kind that fails, from 1; FAULT_NONE: none does */
    _Atomic uint64_t failed; /* calls that failed */
    _Atomic uint64_t on_stderr; /* of these: writes to the error stream, where all is told */
    _Atomic uint64_t site;      /* the caller, from the program's start in memory */
    _Atomic uint64_t counts[FAULT_KIND_COUNT];
} fault_plan;

/* Takes the plan of the file; without one nothing fails. */
void faults_take_plan(const char *file);
/* Counts a call; true: it has to fail. `stream` is what it writes to, or -1. */
bool fault_comes(fault_kind kind, int stream, const void *caller);

/* Runs the command lines that come on standard input, each in a process of its own, so that the
 * program and libclang are loaded once (serve.c). */
int faults_serve(int (*program)(int argc, char **argv));

#endif

/* One block run alone, with somebody else saying what its reads give: the machine asks by its
 * hooks.
 *
 * The oracle also follows taint: which executions of memory ops a value depends on. Data and
 * address dependence go through every op's operands; what an `if` or a loop decides taints what is
 * inside it and what it yields; how a loop with a `break` ends, or that a block returned, taints
 * all that comes later, for only then does that come at all. One bit an execution of an op,
 * whatever its elements. */
#ifndef EXECUTIONS_ORACLE_H
#define EXECUTIONS_ORACLE_H

#include <string.h>

#include "base/ds.h"
#include "interp/hooks.h"
#include "tileir_memory/model.h"

#define ORACLE_WORDS 4 /* executions of memory ops that taint tells apart: 64 each */
#define ORACLE_BITS  (ORACLE_WORDS * 64)

typedef struct taint {
    uint64_t bits[ORACLE_WORDS];
} taint;

typedef struct oracle_element { /* what happened at one element of one execution of an op */
    int32_t buffer;
    int64_t address;
    uint32_t width;
    bool reads, read_known, decided; /* decided: the oracle chose the value */
    bool writes, write_known;
    uint64_t read, written;
} oracle_element;

typedef struct oracle_instance { /* one execution of a memory op */
    uint32_t number;             /* of the run */
    uint32_t first, end;         /* its elements */
    taint hangs_on;              /* operands and control */
} oracle_instance;

typedef struct oracle {
    /* Gives the value of a read. False: memory says. `decided`: a choice was made. */
    bool (*read)(void *user, interp_run *run, const ir_op *op, int32_t buffer, int64_t address,
                 int width, uint64_t *bits, bool *known, bool *decided);
    /* An iteration of a loop that was one memory op has changed nothing: shall the loop wait for
     * ever? */
    bool (*waits_on)(void *user);
    void *user;
    /* State during a run. */
    const ir_op *op;    /* the memory op being executed, or NULL */
    taint *values;      /* by value id */
    taint control;      /* of the regions around */
    taint ended;        /* of an `if` that could have left a loop or the block */
    taint *saved;       /* stb_ds: control outside of the region ops being executed */
    interp_hooks hooks; /* how the machine asks */
    /* The result of a run. */
    oracle_element *elements;   /* stb_ds */
    oracle_instance *instances; /* stb_ds */
} oracle;

void oracle_start(oracle *o, const ir_function *kernel);
void oracle_free(oracle *o);
static inline bool taint_has(const taint *t, size_t i)
{
    return t->bits[i / 64] >> (i % 64) & 1;
}
/* The taint of all operands of an operation, and of the control around it, after the run ended
 * there. */
taint oracle_taint_of(const oracle *o, const ir_op *op);

#endif

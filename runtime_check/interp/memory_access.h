/* One memory op while it is executed: which elements (memory_touch.c), then their data
 * (memory_data.c). Between the two a scheduler may let time pass, so an access keeps what it needs
 * of the op's operands. */
#ifndef INTERP_MEMORY_ACCESS_H
#define INTERP_MEMORY_ACCESS_H

#include "interp/private.h"

#define NONE (-1)

/* What happens to each element. An UPDATE whose row has no mode exchanges it. */
typedef enum transfer { LOAD, STORE, UPDATE, COMPARE_AND_SWAP } transfer;

/* Operand groups, results and attributes of the memory ops; NONE: it has none. */
typedef struct memory_row {
    ir_opcode code;
    transfer transfer;
    int where; /* view, or tile of pointers */
    int index; /* views */
    int value, compare, mask, padding, token;
    int result, result_token;
    int mode, inbounds;
} memory_row;

/* The op at hand, its operands found. */
typedef struct access {
    const memory_row *row;
    const ir_op *op;
    const ir_type *elem;
    int width;        /* bytes */
    int64_t elements; /* of the tile */
    const ir_value *where;
    int n_index;
    int64_t index[IR_MAX_RANK];
    uint64_t padding;
    bool scoped; /* not weak */
    bool padded; /* elements that are not loaded are known: `padding` each, or the operand */
    reader value, compare, padding_tile; /* operands; those that are not there are unknown */
    uint32_t source;                     /* of `value`, as of ssa */
} access;

typedef struct nibble { /* an element of 4 bits */
    int64_t place;      /* counted in halves of bytes from the buffer's start */
    uint32_t number;    /* in the op's tile */
} nibble;

/* Makes them the touched elements of the op. */
void nibbles_touch(interp_run *run, int32_t buffer, tr_take nibble *list);
void nibbles_load(interp_run *run, const access *a, const span *s, cells *out);
void nibbles_store(interp_run *run, const access *a, const span *s, const reader *value);
/* Puts what memory holds into element `number` of a tile. */
void memory_deliver(const interp_run *run, const access *a, cells *out, uint32_t number,
                    uint64_t bits, bool known);
/* It reads what the run does not know. */
void memory_not_known(interp_run *run, const access *a, int32_t buffer, int64_t address);
/* Does it write halves of bytes alone, and so read the others? */
bool memory_reads_back(const access *a, const span *touched);

static inline ir_value *access_operand(const access *a, int group)
{
    return group == NONE ? NULL : ir_operand(a->op, (unsigned)group);
}

/* Finds the elements: they are in run->touched. False: the run has stopped. */
bool memory_touch(interp_run *run, access *a);
/* Reads and writes memory, the elements in run->touched; what the op gives back, or NULL. */
tr_give cells *memory_perform(interp_run *run, const access *a);
/* Does both at once, as an event of the run: its node. */
uint32_t memory_commit(interp_run *run, const access *a, uint32_t token_in, tr_give cells **result);

#endif

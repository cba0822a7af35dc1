/* Shared by the lowerings of memory operations: reading their arguments. */
#ifndef DIALECT_MEMORY_H
#define DIALECT_MEMORY_H

#include "dialect/lower.h"

typedef struct dl_reader { /* takes the arguments of a call one by one */
    const dl_args *args;
    int at;
} dl_reader;

CXCursor dl_next(dl_reader *reader);
/* How an access is ordered: the order and scope, the tokens. reads, writes and order are set. */
bool dl_read_ordering(dl *L, dl_reader *reader, bool has_order, dl_access *access);
bool dl_read_after(dl *L, dl_reader *reader, dl_access *access);
bool dl_read_token_out(dl *L, dl_reader *reader, dl_access *access);
/* The operation's token joins its class's order, or goes where the program wants it. */
dl_value dl_ordered(dl *L, const dl_access *access, ir_value *token, dl_value result);
void dl_set_ordering(ir_op *op, const dl_access *access, unsigned ordering, unsigned scope);
/* A value to be stored where elements are of that type and signedness, in that shape. */
bool dl_fit(dl *L, CXCursor where, const char *what, dl_value *value, dl_element element, int rank,
            const int64_t *shape);
/* May this operation stand here, on memory that is not const? */
bool dl_may_access(dl *L, CXCursor where, const dl_value *base, bool writes);
/* Keeps how the source writes operand number `operand`. */
void dl_note_operand(dl *L, ir_op *op, uint32_t operand, CXCursor source);
bool dl_atomic_mode(dl *L, CXCursor where, int mode, bool from_header, dl_element element,
                    ir_atomic_mode *out);

#endif

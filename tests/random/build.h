/* Ops by one call each, at the end of the current block. */
#ifndef RANDOM_BUILD_H
#define RANDOM_BUILD_H

#include "ir/ir.h"

typedef ir_value *val;

const ir_type *tile_of(ir_builder *b, ir_type_kind elem, int rank, const int64_t *shape);
const ir_type *same_shape(ir_builder *b, const ir_type *elem, val like);

/* An op whose operand groups have at most one value each, in order; NULL: absent. */
ir_op *op_of(ir_builder *b, ir_opcode code, uint32_t n_results, const ir_type *const *types, ...);
val unary(ir_builder *b, ir_opcode code, const ir_type *type, val a);
val binary(ir_builder *b, ir_opcode code, val a, val c);
/* With overflow flags. */
val arithmetic(ir_builder *b, ir_opcode code, val a, val c, int flags);
val compare(ir_builder *b, ir_predicate predicate, ir_signedness sign, val a, val c);
val select_of(ir_builder *b, val condition, val yes, val no);
/* Integer constants: n 1 is the same everywhere. */
val constant(ir_builder *b, const ir_type *type, size_t n, const int64_t *values);
val number(ir_builder *b, ir_type_kind elem, int64_t value);
val zeros(ir_builder *b, const ir_type *type);
/* A scalar as a tile of that shape. */
val spread(ir_builder *b, val scalar, int rank, const int64_t *shape);
val reshape(ir_builder *b, val tile, int rank, const int64_t *shape);
val broadcast(ir_builder *b, val tile, const int64_t *shape);

typedef struct how { /* order and scope of an access */
    ir_ordering ordering;
    ir_scope scope;
} how;

/* The token is the last result. */
ir_op *load_view(ir_builder *b, how h, val view, const val *index, val token);
ir_op *store_view(ir_builder *b, how h, val view, val tile, const val *index, val token);
ir_op *reduce_view(ir_builder *b, how h, val view, val tile, const val *index, val token);
ir_op *load_pointer(ir_builder *b, how h, val p, val mask, val padding, val token);
ir_op *store_pointer(ir_builder *b, how h, val p, val value, val mask, val token);
ir_op *atomic_update(ir_builder *b, how h, ir_atomic_mode mode, val p, val value, val mask,
                     val token);
ir_op *atomic_add(ir_builder *b, how h, val p, val value, val mask, val token);
ir_op *atomic_swap(ir_builder *b, how h, val p, val expected, val wanted, val mask, val token);
val token_of(ir_op *op);
val make_token(ir_builder *b);
val join(ir_builder *b, val first, val second);

void end_block(ir_builder *b, ir_opcode code, uint32_t n, const val *values);

#endif

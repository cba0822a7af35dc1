/* Declarations that the files of the verifier share. Each check adds errors and returns; later
 * checks of the same op may rely on what earlier ones established only where the table in
 * verify_ops.c says so. */
#ifndef IR_VERIFY_H
#define IR_VERIFY_H

#include "ir/ir.h"

/* A set of type kinds, of which this is one. */
#define KIND(kind) (1u << (kind))

typedef struct verifier {
    const ir_module *module;
    const ir_function *function;
    tr_errors *errors;
    unsigned char *type_state; /* by type id: 0 not yet looked at, 1 good, 2 bad */
    uint32_t n_types;
    unsigned char *visible; /* by value id: 1 defined in a region around the op at hand */
    unsigned depth;
} verifier;

/* Adds "mnemonic: ..." at the op's place; returns false for `return ir_fail(...)`. */
bool ir_fail(verifier *v, const ir_op *op, const char *format, ...) TR_PRINTF(3, 4);
/* A type's text in the errors' arena. */
const char *ir_type_text(const verifier *v, const ir_type *type);

/* NULL, or what is wrong with the type: a sentence. Parts are taken to be right. */
const char *ir_type_fault(tr_arena *arena, const ir_type *type);

/* Operand, result and attribute rules of one op, whose counts are right (verify_ops.c). */
bool ir_verify_op_rules(verifier *v, const ir_op *op);

/* Checks of single ops, by family. */
typedef bool ir_check(verifier *v, const ir_op *op);
ir_check ir_check_view_load, ir_check_view_store, ir_check_load_ptr, ir_check_store_ptr,
    ir_check_rmw, ir_check_cas, ir_check_red_view, ir_check_multimem_load, ir_check_multimem_store,
    ir_check_multimem_reduce, ir_check_make_tensor_view, ir_check_make_view, ir_check_view_rank,
    ir_check_tensor_rank, ir_check_get_global, ir_check_alloca, ir_check_join, ir_check_print;
ir_check ir_check_for, ir_check_loop, ir_check_if, ir_check_continue, ir_check_break,
    ir_check_yield, ir_check_return, ir_check_reduction, ir_check_assume;
ir_check ir_check_constant, ir_check_iota, ir_check_broadcast, ir_check_reshape, ir_check_permute,
    ir_check_cat, ir_check_slice, ir_check_pack, ir_check_mmaf, ir_check_mma, ir_check_mma_scaled,
    ir_check_bitcast, ir_check_widen, ir_check_narrow, ir_check_ftof, ir_check_ftoi, ir_check_itof,
    ir_check_ieee, ir_check_flush, ir_check_divf, ir_check_sqrt, ir_check_full_or_approx,
    ir_check_divi, ir_check_negi;

#endif

/* Declarations that the files of this room share. */
#ifndef IR_MODULE_H
#define IR_MODULE_H

#include "ir/ir.h"

struct ir_types *ir_types_new(tr_arena *arena);
void ir_types_free(struct ir_types *types);

/* A group's number by its name, for the printer's table; -1 when the op has none such. */
int ir_operand_group_by_name(const ir_op_info *info, const char *name, size_t length);
int ir_result_group_by_name(const ir_op_info *info, const char *name, size_t length);
int ir_attr_by_name(const ir_op_info *info, const char *name, size_t length);
ir_value *ir_result_group(const ir_op *op, unsigned group, uint32_t *count);

/* Attribute text (print_attr.c, float_text.c). */
void ir_print_symbol(tr_text *out, const char *name);
void ir_print_quoted(tr_text *out, const char *text);
void ir_print_dense(tr_text *out, const ir_attr *attr);
void ir_print_float_bits(tr_text *out, const ir_type *elem, uint64_t bits);
void ir_print_typed_number(tr_text *out, const ir_attr *attr);
void ir_print_hints(tr_text *out, const ir_attr *hints);
void ir_print_assume(tr_text *out, const ir_attr *attr);
/* The keyword of an enum attribute; NULL when the number is none of its values. */
const char *ir_enum_keyword(ir_attr_coding coding, int64_t number);

#endif

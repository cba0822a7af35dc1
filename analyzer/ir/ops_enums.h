/* Names for the columns of ops.def: IR_<OP>_<operand group>, IR_RS_<OP>_<result group>,
 * IR_AT_<OP>_<attribute>, IR_RG_<OP>_<region>, each counting from 0 in its op, and the macros that
 * walk a row's lists. Included by ir.h alone. */
#ifndef IR_OPS_ENUMS_H
#define IR_OPS_ENUMS_H

/* IR_EACH(MACRO, op, list...): MACRO(op, item) for each item; a list has at most 6. */
#define IR_EACH(M, op, ...)         __VA_OPT__(IR_EACH_1(M, op, __VA_ARGS__))
#define IR_EACH_1(M, op, item, ...) M(op, item) __VA_OPT__(IR_EACH_2(M, op, __VA_ARGS__))
#define IR_EACH_2(M, op, item, ...) M(op, item) __VA_OPT__(IR_EACH_3(M, op, __VA_ARGS__))
#define IR_EACH_3(M, op, item, ...) M(op, item) __VA_OPT__(IR_EACH_4(M, op, __VA_ARGS__))
#define IR_EACH_4(M, op, item, ...) M(op, item) __VA_OPT__(IR_EACH_5(M, op, __VA_ARGS__))
#define IR_EACH_5(M, op, item, ...) M(op, item) __VA_OPT__(IR_EACH_6(M, op, __VA_ARGS__))
#define IR_EACH_6(M, op, item)      M(op, item)
#define IR_UNWRAP(...)              __VA_ARGS__
#define IR_EACH_IN(M, op, list)     IR_EACH_IN_1(M, op, IR_UNWRAP list)
#define IR_EACH_IN_1(M, op, ...)    IR_EACH(M, op, __VA_ARGS__)

/* The name in an item such as one(view) or at_since(overflow, OVERFLOW, 2, IR_WRAP). */
#define IR_NAME_OF_one(name)                            name
#define IR_NAME_OF_opt(name)                            name
#define IR_NAME_OF_many(name)                           name
#define IR_NAME_OF_opt_since(name, since)               name
#define IR_NAME_OF_one_as(name, role)                   name
#define IR_NAME_OF_opt_as(name, role)                   name
#define IR_NAME_OF_many_as(name, role)                  name
#define IR_NAME_OF_opt_since_as(name, since, role)      name
#define IR_NAME_OF_at(name, kind)                       name
#define IR_NAME_OF_at_since(name, kind, since, missing) name
#define IR_NAME_OF_opt_at(name, kind)                   name
#define IR_NAME_OF_opt_at_since(name, kind, since)      name
#define IR_NAME_OF_unit(name)                           name
#define IR_NAME_OF_unit_since(name, since)              name

#define IR_PASTE(a, b, c, d)             a##b##c##d
#define IR_PASTE_NAMES(prefix, op, name) IR_PASTE(prefix, op, _, name)
#define IR_ENUM_OPERAND(op, item)        IR_PASTE_NAMES(IR_, op, IR_NAME_OF_##item),
#define IR_ENUM_RESULT(op, item)         IR_PASTE_NAMES(IR_RS_, op, IR_NAME_OF_##item),
#define IR_ENUM_ATTR(op, item)           IR_PASTE_NAMES(IR_AT_, op, IR_NAME_OF_##item),
#define IR_ENUM_REGION(op, item)         IR_PASTE_NAMES(IR_RG_, op, item),

#define OP(...) IR_OP_ENUMS(__VA_ARGS__)
#define IR_OP_ENUMS(op, mnemonic, code, since, effects, encoding, operands, results, attrs,        \
                    regions)                                                                       \
    enum { IR_EACH_IN(IR_ENUM_OPERAND, op, operands) IR_##op##_END };                              \
    enum { IR_EACH_IN(IR_ENUM_RESULT, op, results) IR_RS_##op##_END };                             \
    enum { IR_EACH_IN(IR_ENUM_ATTR, op, attrs) IR_AT_##op##_END };                                 \
    enum { IR_EACH_IN(IR_ENUM_REGION, op, regions) IR_RG_##op##_END };
#include "ir/ops.def"

#endif

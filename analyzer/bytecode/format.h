/* Numbers of the bytecode format that reader and writer share. */
#ifndef BYTECODE_FORMAT_H
#define BYTECODE_FORMAT_H

#include "ir/ir.h"

#define BC_MAGIC "\177TileIR" /* with its NUL: 8 bytes */
enum { BC_MAGIC_SIZE = 8, BC_MAJOR = 13, BC_PADDING = 0xcb };

/* Versions 13.x in which something changed for all types or functions. */
enum {
    BC_SINCE_TYPE_FLAGS = 3, /* optional parts of a type: one word of flags before them */
    BC_SINCE_PRODUCER = 3,
    BC_SINCE_GLOBAL_FLAGS = 3,   /* globals say whether they are private and constant */
    BC_SINCE_POINTER_FLAGS = 4,  /* pointers and tensor views have an optional part */
    BC_SINCE_ARGUMENT_ATTRS = 5, /* functions carry hints always, and argument attributes */
    BC_SINCE_SUBPROGRAM_FLAGS = 5,
    BC_SINCE_NEAREST_AWAY = 4, /* the last rounding mode */
    BC_SINCE_MULTICAST = 5,    /* and unicast: pointer attributes */
};

typedef enum bc_section {
    BC_SECTION_END,
    BC_SECTION_STRING,
    BC_SECTION_FUNC,
    BC_SECTION_DEBUG,
    BC_SECTION_CONSTANT,
    BC_SECTION_TYPE,
    BC_SECTION_GLOBAL,
    BC_SECTION_PRODUCER,
    BC_SECTION_COUNT,
} bc_section;

enum { BC_SECTION_ID = 0x7f, BC_SECTION_ALIGNED = 0x80 };

enum { BC_FUNCTION_PRIVATE = 1, BC_FUNCTION_ENTRY = 2, BC_FUNCTION_HINTS = 4 };

typedef enum bc_attr_tag {
    BC_ATTR_INTEGER = 1,
    BC_ATTR_FLOAT,
    BC_ATTR_BOOL,
    BC_ATTR_TYPE,
    BC_ATTR_STRING,
    BC_ATTR_ARRAY,
    BC_ATTR_DENSE,
    BC_ATTR_DIV_BY,
    BC_ATTR_SAME_ELEMENTS,
    BC_ATTR_DICTIONARY,
    BC_ATTR_HINTS,
    BC_ATTR_BOUNDED,
} bc_attr_tag;

typedef enum bc_debug_tag {
    BC_DEBUG_UNKNOWN,
    BC_DEBUG_COMPILE_UNIT,
    BC_DEBUG_FILE,
    BC_DEBUG_LEXICAL_BLOCK,
    BC_DEBUG_LOC,
    BC_DEBUG_SUBPROGRAM,
    BC_DEBUG_CALL_SITE,
} bc_debug_tag;

typedef struct bc_type_row {
    uint32_t tag;
    ir_type_kind kind;
    uint8_t since_minor;
    const char *name;
} bc_type_row;

/* The row of a type's tag or kind; NULL: there is none (format.c, from types.def). */
const bc_type_row *bc_type_of_tag(uint64_t tag);
const bc_type_row *bc_type_of_kind(ir_type_kind kind);

/* Number of values that version 13.`minor` knows of an enum coding (values run from 0); 0: it is no
 * enum. */
unsigned bc_enum_size(ir_attr_coding coding, uint8_t minor);
/* The last pointer attribute that version 13.`minor` knows. */
ir_ptr_attr bc_last_ptr_attr(uint8_t minor);

/* Tells what the flags word of an operation holds in version 13.`minor`: whether there is one, and
 * the bit of an optional or unit attribute or of an optional operand group. -1: it has none. */
bool bc_has_flags(const ir_op_info *info, uint8_t minor);
int bc_attr_flag(const ir_op_info *info, int attr);
int bc_operand_flag(const ir_op_info *info, int group);
/* All bits that version 13.`minor` knows. */
uint64_t bc_known_flags(const ir_op_info *info, uint8_t minor);

/* Constant data of a tile type: whether `size` bytes fit it, and whether they are one element for
 * all. The rule for i1, packed by eight, is that one byte of all zeros or ones is a splat. */
bool bc_dense_fits(const ir_type *tile, const unsigned char *bytes, size_t size, bool *splat);

#endif

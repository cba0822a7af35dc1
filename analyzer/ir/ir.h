/* The tile IR: CUDA Tile IR (13.1 to 13.5), op for op.
 *
 * A module holds globals and functions; a function is one block; an op has operands, results,
 * attributes and regions of one block each (Tile IR's control flow is structured). Which ops exist
 * and what they carry is one table, ops.def, read by builder, verifier, printer, interpreter and
 * the bytecode reader and writer.
 *
 * Everything lives in the module's arena and dies with it. Types are interned in the module: equal
 * types are the same pointer. */
#ifndef IR_H
#define IR_H

#include "base/base.h"

typedef struct ir_module ir_module;
typedef struct ir_function ir_function;
typedef struct ir_block ir_block;
typedef struct ir_op ir_op;
typedef struct ir_value ir_value;
typedef struct ir_type ir_type;
typedef struct ir_attr ir_attr;

/* ---- Section: Types ---- */

typedef enum ir_type_kind {
    /* Element types, in order: integers, then floats. */
    IR_I1,
    IR_I4,
    IR_I8,
    IR_I16,
    IR_I32,
    IR_I64,
    IR_F16,
    IR_BF16,
    IR_F32,
    IR_TF32,
    IR_F64,
    IR_F8E4M3FN,
    IR_F8E5M2,
    IR_F8E8M0FNU,
    IR_F4E2M1FN,
    IR_FNV8E5M3FNU, /* unsigned, no infinity; since 13.4 */
    IR_POINTER,     /* element type too: elem = pointee */
    /* Value types. */
    IR_TILE,                /* elem, rank, shape; a scalar is a rank-0 tile */
    IR_TENSOR_VIEW,         /* elem, rank, shape, strides */
    IR_PARTITION_VIEW,      /* tile_shape, dim_map, padding over `tensor` */
    IR_STRIDED_VIEW,        /* the same and traversal_strides */
    IR_GATHER_SCATTER_VIEW, /* the same and sparse_dim */
    IR_TOKEN,
    IR_FUNCTION_TYPE, /* params, results */
} ir_type_kind;

/* Facts in a pointer or tensor view type about the memory behind it (from 13.4 on). */
typedef enum ir_ptr_attr {
    IR_PTR_ATTR_ABSENT,
    IR_PTR_ATTR_NONE,
    IR_PTR_ATTR_UNICAST,
    IR_PTR_ATTR_MULTICAST, /* an address of several devices at once: multimem ops only */
} ir_ptr_attr;

#define IR_DYNAMIC  INT64_MIN /* an extent or stride given by an operand ("?") */
#define IR_MAX_RANK 8

typedef enum ir_padding {
    IR_PAD_NONE,
    IR_PAD_ZERO,
    IR_PAD_NEG_ZERO,
    IR_PAD_NAN,
    IR_PAD_POS_INF,
    IR_PAD_NEG_INF,
} ir_padding;

struct ir_type {
    ir_type_kind kind;
    uint32_t id;         /* order of creation in the module */
    const ir_type *elem; /* tile, tensor view: element; pointer: pointee */
    int rank;            /* tile, tensor view; of a tile view: its tile's and index space's rank */
    const int64_t
        *shape; /* tile: extents; tensor view: extents or IR_DYNAMIC; tile view: the tile's */
    const int64_t *strides; /* tensor view, in elements, or IR_DYNAMIC */
    /* Tile views (partition, strided, gather-scatter). */
    const ir_type *tensor;            /* the tensor view underneath */
    const int32_t *dim_map;           /* tile dimension i runs along tensor dimension dim_map[i] */
    const int64_t *traversal_strides; /* strided view, in tile-dimension order */
    int sparse_dim;                   /* gather-scatter view */
    ir_padding padding;
    ir_ptr_attr ptr_attr; /* pointer, tensor view */
    /* Function types. */
    int n_params, n_results;
    const ir_type *const *params, *const *results;
};

const ir_type *ir_type_scalar(ir_module *module, ir_type_kind kind); /* an element type */
const ir_type *ir_type_pointer(ir_module *module, const ir_type *pointee);
const ir_type *ir_type_pointer_with(ir_module *module, const ir_type *pointee, ir_ptr_attr attr);
const ir_type *ir_type_tile(ir_module *module, const ir_type *elem, int rank, const int64_t *shape);
const ir_type *ir_type_tensor_view(ir_module *module, const ir_type *elem, int rank,
                                   const int64_t *shape, const int64_t *strides);
const ir_type *ir_type_tensor_view_with(ir_module *module, const ir_type *elem, int rank,
                                        const int64_t *shape, const int64_t *strides,
                                        ir_ptr_attr attr);
const ir_type *ir_type_partition_view(ir_module *module, const ir_type *tensor, int rank,
                                      const int64_t *tile, const int32_t *dim_map,
                                      ir_padding padding);
const ir_type *ir_type_strided_view(ir_module *module, const ir_type *tensor, int rank,
                                    const int64_t *tile, const int64_t *traversal_strides,
                                    const int32_t *dim_map, ir_padding padding);
const ir_type *ir_type_gather_scatter_view(ir_module *module, const ir_type *tensor, int rank,
                                           const int64_t *tile, int sparse_dim, ir_padding padding);
const ir_type *ir_type_token(ir_module *module);
const ir_type *ir_type_function(ir_module *module, int n_params, const ir_type *const *params,
                                int n_results, const ir_type *const *results);

bool ir_type_is_int(const ir_type *type);         /* an integer element type, i1 to i64 */
bool ir_type_is_float(const ir_type *type);       /* a float element type */
bool ir_type_is_tile_of_int(const ir_type *type); /* a tile with integer elements */
bool ir_type_is_tile_view(const ir_type *type);
/* Width in bits of an integer or float element type (i1: 1, tf32: 32, pointer: 64). */
int ir_type_bits(const ir_type *elem);
/* Bytes that one element takes in memory (i1: 1; 4-bit types: 1, as two share a byte). */
int ir_type_bytes(const ir_type *elem);
/* Bytes that one element takes in an IR_ATTR_DENSE payload (tf32: 3; i1 is packed, eight a byte,
 * and has no answer here: 0). */
int ir_type_dense_bytes(const ir_type *elem);
/* Product of a tile's extents; INT64_MAX when it does not fit. */
int64_t ir_type_elements(const ir_type *tile);
void ir_type_print(tr_text *out, const ir_type *type);

/* ---- Section: Attributes ---- */

typedef enum ir_ordering { IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL } ir_ordering;
typedef enum ir_scope { IR_SCOPE_NONE, IR_SCOPE_TL_BLK, IR_SCOPE_DEVICE, IR_SCOPE_SYS } ir_scope;
typedef enum ir_signedness { IR_UNSIGNED, IR_SIGNED } ir_signedness;
/* Bits: which wraps are undefined behaviour. */
typedef enum ir_overflow { IR_WRAP = 0, IR_NSW = 1, IR_NUW = 2, IR_NW = 3 } ir_overflow;
typedef enum ir_predicate { IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE } ir_predicate;
typedef enum ir_float_order { IR_UNORDERED, IR_ORDERED } ir_float_order;
typedef enum ir_rounding {
    IR_ROUND_NEAREST_EVEN,
    IR_ROUND_ZERO,
    IR_ROUND_NEGATIVE_INF,
    IR_ROUND_POSITIVE_INF,
    IR_ROUND_APPROX,
    IR_ROUND_FULL,
    IR_ROUND_NEAREST_INT_TO_ZERO,
    IR_ROUND_NEAREST_AWAY,
} ir_rounding;
typedef enum ir_atomic_mode {
    IR_ATOMIC_AND,
    IR_ATOMIC_OR,
    IR_ATOMIC_XOR,
    IR_ATOMIC_ADD,
    IR_ATOMIC_ADDF,
    IR_ATOMIC_MAX,
    IR_ATOMIC_MIN,
    IR_ATOMIC_UMAX,
    IR_ATOMIC_UMIN,
    IR_ATOMIC_XCHG,
} ir_atomic_mode;
typedef enum ir_multimem_kind {
    IR_MULTIMEM_ADD,
    IR_MULTIMEM_MIN,
    IR_MULTIMEM_MAX,
    IR_MULTIMEM_AND,
    IR_MULTIMEM_OR,
    IR_MULTIMEM_XOR,
    IR_MULTIMEM_UMIN,
    IR_MULTIMEM_UMAX,
} ir_multimem_kind;
typedef enum ir_assume_kind {
    IR_ASSUME_DIV_BY,
    IR_ASSUME_SAME_ELEMENTS,
    IR_ASSUME_BOUNDED
} ir_assume_kind;

typedef enum ir_attr_kind {
    IR_ATTR_NONE, /* an optional attribute that is not there */
    IR_ATTR_INT,  /* number: also every enum above and booleans */
    IR_ATTR_STRING,
    IR_ATTR_TYPE,
    IR_ATTR_INTS,   /* numbers[count] */
    IR_ATTR_DENSE,  /* constant data: type (a tile), bytes as in the bytecode */
    IR_ATTR_ASSUME, /* assume's predicate */
    IR_ATTR_LIST,   /* items[count]: reduce's identities, hints */
    IR_ATTR_NAMED,  /* items[count] with names[count]: optimisation hints */
    IR_ATTR_FLOAT,  /* a float scalar of `type`, its bit pattern in `number` */
} ir_attr_kind;

struct ir_attr {
    ir_attr_kind kind;
    int64_t number;
    const char *string;
    const ir_type *type;
    size_t count;
    const int64_t *numbers;
    const struct ir_attr *items;
    const char *const *names;
    /* IR_ATTR_DENSE: little-endian elements, i1 one bit an element packed as the bytecode does, or
     * one element for a splat. */
    const unsigned char *bytes;
    size_t n_bytes;
    bool splat;
    /* IR_ATTR_ASSUME */
    struct {
        ir_assume_kind kind;
        uint64_t divisor;          /* div_by */
        bool has_every, has_along; /* div_by<d, every n along k> */
        int64_t every, along;
        bool has_low, has_high; /* bounded<low, high> */
        int64_t low, high;
        size_t n_values; /* same_elements<[...]> */
        const int64_t *values;
    } assume;
};

/* Attributes from plain values; strings, numbers and bytes are copied into the module. */
ir_attr ir_attr_of_int(int64_t value);
ir_attr ir_attr_of_string(ir_module *module, const char *string);
ir_attr ir_attr_of_ints(ir_module *module, size_t count, const int64_t *numbers);
/* Constant data of a tile type: `bytes` as IR_ATTR_DENSE says; splat: one element. */
ir_attr ir_attr_of_dense(ir_module *module, const ir_type *type, const void *bytes, size_t n_bytes,
                         bool splat);
/* Every element of an integer tile is `value` (cut to the width). */
ir_attr ir_attr_splat_int(ir_module *module, const ir_type *type, int64_t value);
/* Every element of a float tile is `value`, rounded to nearest even in the tile's format. */
ir_attr ir_attr_splat_float(ir_module *module, const ir_type *type, double value);
/* A number with an element type, as reduce's identities are: integer or float by that type. */
ir_attr ir_attr_typed_int(const ir_type *elem, int64_t value);
ir_attr ir_attr_typed_float(const ir_type *elem, double value);
/* Number of elements in a dense attribute (as its type says), element `index` as a sign-extended
 * integer (i1: 0 or 1) or as a float's bit pattern. */
int64_t ir_dense_int(const ir_attr *attr, int64_t index);
uint64_t ir_dense_bits(const ir_attr *attr, int64_t index);
/* True when all elements are equal, whether stored once or not. */
bool ir_dense_is_splat(const ir_attr *attr);
/* A float element's bit pattern as a double, and a double rounded (nearest even, overflow to
 * infinity or to the format's NaN or largest number) to a pattern. Exact for every format. */
double ir_float_value(const ir_type *elem, uint64_t bits);
uint64_t ir_float_bits(const ir_type *elem, double value);

/* ---- Section: Ops, from ops.def ---- */

typedef enum ir_opcode {
#define OP(name, ...) IR_OP_##name,
#include "ir/ops.def"
    IR_OP_COUNT
} ir_opcode;

/* Operand groups, result groups, attributes and regions of an op, by their Tile IR names:
 * IR_LOAD_VIEW_TKO_index is a group number for ir_group(), IR_AT_LOAD_VIEW_TKO_memory_scope an
 * index into op->attrs, IR_RS_LOAD_VIEW_TKO_token a result group, IR_RG_IF_else a region. Generated
 * by ops_enums.h from ops.def. */
#include "ir/ops_enums.h"

typedef enum ir_arity { IR_ONE, IR_OPTIONAL, IR_MANY } ir_arity;
/* Effects of an operation on memory: the columns of ops.def. */
typedef enum ir_effect {
    IR_PURE = 0,
    IR_READS = 1,
    IR_WRITES = 2,
    IR_ATOMIC = 4,          /* reads and writes each element in one piece */
    IR_TERMINATOR = 8,      /* ends its block */
    IR_TOKENS = 16,         /* consumes or produces tokens */
    IR_CONTROL = 32,        /* has regions that are control flow: if, for, loop */
    IR_UNKNOWN_EFFECT = 64, /* may touch anything: preview calls */
} ir_effect;

/* The role of an operand group in its op. An op has one group of a role at most, but for
 * IR_ROLE_NONE, DATA and SUBJECT. */
typedef enum ir_role {
    IR_ROLE_NONE,
    IR_ROLE_ADDRESS, /* pointers that a memory op goes to */
    IR_ROLE_VIEW,    /* the view that it goes through */
    IR_ROLE_INDEX,   /* the indices into that view */
    IR_ROLE_MASK,    /* which elements it touches */
    IR_ROLE_PADDING, /* what it gives for elements that it does not touch */
    IR_ROLE_DATA,    /* what it stores, adds or compares */
    IR_ROLE_TOKEN,   /* the token that it waits for */
    IR_ROLE_INITIAL, /* what a loop carries into its first iteration */
    IR_ROLE_SUBJECT, /* what an op that touches no memory works on, where one operand is that */
} ir_role;

typedef struct ir_op_group { /* an operand or a result group of ops.def */
    const char *name;
    ir_arity arity;
    uint8_t since_minor; /* first version 13.x whose bytecode has it */
    ir_role role;        /* of an operand group */
} ir_op_group;

/* How an attribute stands in the bytecode, and so which ir_attr it becomes. All numbers, booleans
 * and enums are IR_ATTR_INT with the enum's value of this header. */
typedef enum ir_attr_coding {
    IR_CODE_INT,    /* variable-length integer */
    IR_CODE_BOOL,   /* one byte */
    IR_CODE_UNIT,   /* no byte: its flag bit is its value; IR_ATTR_INT 0 or 1 */
    IR_CODE_STRING, /* string table index: IR_ATTR_STRING */
    IR_CODE_TYPE,   /* type table index: IR_ATTR_TYPE */
    IR_CODE_DENSE,  /* constant table index: IR_ATTR_DENSE */
    IR_CODE_I32S,   /* IR_ATTR_INTS, 4 bytes each behind a count */
    IR_CODE_BOOLS,  /* IR_ATTR_INTS, 1 byte each behind a count */
    IR_CODE_ARRAY,  /* IR_ATTR_LIST of tagged attributes */
    IR_CODE_HINTS,  /* IR_ATTR_NAMED of IR_ATTR_NAMED */
    IR_CODE_ASSUME, /* one tagged attribute: IR_ATTR_ASSUME */
    /* One byte each: the enums of this section. A scope's byte is ir_scope less one. */
    IR_CODE_ORDERING,
    IR_CODE_SCOPE,
    IR_CODE_SIGNEDNESS,
    IR_CODE_OVERFLOW,
    IR_CODE_PREDICATE,
    IR_CODE_FLOAT_ORDER,
    IR_CODE_ROUNDING,
    IR_CODE_ATOMIC_MODE,
    IR_CODE_MULTIMEM_KIND,
    IR_CODE_VISIBILITY,
} ir_attr_coding;

typedef struct ir_attr_info { /* an attribute column of ops.def */
    const char *name;
    ir_attr_coding coding;
    bool optional;       /* has a flag bit */
    uint8_t since_minor; /* first version 13.x whose bytecode has it */
    int64_t missing;     /* what older bytecode means by leaving it out */
} ir_attr_info;

typedef struct ir_op_info {
    const char *mnemonic; /* "load_view_tko" */
    uint32_t bytecode;    /* opcode number in the bytecode */
    uint8_t since_minor;  /* 1..5: first version 13.x that has it */
    unsigned effects;     /* ir_effect bits */
    uint8_t n_operand_groups, n_result_groups, n_attrs, n_regions;
    const ir_op_group *operand_groups, *result_groups;
    const char *const *attr_names;
    const char *const *region_names;
    const ir_attr_info *attrs;
    bool counts_results;  /* bytecode: a count stands before the result types */
    bool counts_operands; /* bytecode: one count before all operands, no flags and group lengths */
} ir_op_info;

const ir_op_info *ir_op_info_of(ir_opcode code);

struct ir_value {
    const ir_type *type;
    ir_op *def;       /* the op whose result it is, or NULL for a block argument */
    ir_block *block;  /* the block whose argument it is, or NULL */
    uint32_t index;   /* result or argument number */
    uint32_t id;      /* unique in its function, dense from 0: an index for side tables */
    const char *name; /* the user's name for it where the front end knows one; or NULL */
};

struct ir_op {
    ir_opcode code;
    uint32_t ordinal; /* position in its function, depth first, from 0: an index for side tables */
    uint32_t n_operands, n_results;
    ir_value **operands;       /* all groups one after the other */
    const uint32_t *group_end; /* operand group g is operands[group_end[g-1] .. group_end[g]) */
    const uint32_t *result_group_end;
    ir_value *results; /* n_results of them */
    ir_attr *attrs;    /* as many as the op's row has */
    uint32_t n_regions;
    ir_block **regions;    /* one block each; an absent optional region is NULL */
    const tr_place *place; /* or NULL */
    /* How the source writes each operand (n_operands entries, text NULL where it does not), for
     * messages and fixes; both NULL when the module came from bytecode. */
    const char **operand_texts;
    const tr_place *operand_places;
    ir_block *parent;
    ir_op *next, *prev; /* in its block */
};

struct ir_block {
    uint32_t n_args;
    ir_value **args;
    ir_op *first, *last;
    ir_op *parent; /* the op whose region it is; NULL: a function's body */
    ir_function *function;
};

struct ir_function {
    const char *name;  /* symbol */
    const char *shown; /* demangled or source name; never NULL */
    const ir_type *type;
    ir_block *body;        /* its arguments are the kernel's parameters, with names where known */
    const tr_place *place; /* or NULL */
    bool is_entry;
    const char *unread; /* why its ops are not in the body, which has a return alone: they are of a
                           later version; NULL: they are */
    ir_attr hints;      /* optimisation hints, IR_ATTR_NONE when absent */
    uint32_t n_values, n_ops;
    ir_module *module;
    ir_function *next;
};

typedef struct ir_global {
    const char *name;
    ir_attr value; /* IR_ATTR_DENSE */
    int64_t alignment;
    bool is_constant;
    bool is_private; /* not visible outside the module */
    struct ir_global *next;
} ir_global;

struct ir_module {
    tr_arena *arena; /* owned */
    const char *name;
    const char *producer;  /* or NULL */
    const char *writer;    /* the library that encoded it, where only that shows; or NULL */
    uint8_t version_minor; /* 13.x */
    uint16_t version_tag;
    /* The author counts as Julia does: indices and dimensions from 1, the fastest dimension first.
     */
    bool counts_from_one;
    ir_function *functions, *last_function;
    ir_global *globals, *last_global;
    struct ir_types *types; /* private: the interning table */
};

tr_give ir_module *ir_module_new(const char *name);
void ir_module_free(tr_take ir_module *module);
/* Does its producer section contain this text? Where it names no producer: did the library `writer`
 * (or NULL) encode it? */
bool ir_is_made_by(const ir_module *module, const char *producer, const char *writer);

/* Operand group g of an op (an IR_<OP>_<group> number) and its size; value or NULL for one operand.
 */
ir_value **ir_group(const ir_op *op, unsigned group, uint32_t *count);
ir_value *ir_operand(const ir_op *op, unsigned group); /* first of the group, NULL when empty */
ir_role ir_role_of(const ir_op *op, unsigned group);
/* The operands of the first group with a role, as ir_group() gives them; NULL when there is none.
 */
ir_value **ir_group_in_role(const ir_op *op, ir_role role, uint32_t *count);
/* The first of them, NULL when there is none. */
ir_value *ir_operand_in_role(const ir_op *op, ir_role role);
/* Are they values of elements: what a memory op stores, compares or gives instead? */
bool ir_is_data(const ir_op *op, unsigned group);
/* Is it what the op is about, as a diagnostic names it: the pointers or indices of a memory op, the
 * subject of another one? */
bool ir_is_named_in_text(const ir_op *op, unsigned group);
ir_value *ir_result(const ir_op *op,
                    unsigned result_group); /* first of the group, NULL when empty */
int64_t ir_attr_int(const ir_op *op, unsigned attr, int64_t when_absent);

/* Uniform access to memory ops (any op with IR_READS, IR_WRITES or IR_ATOMIC); the tokens of every
 * op with IR_TOKENS. */
bool ir_is_memory_op(const ir_op *op);
/* Do a memory op's operands of that group tell where it accesses memory, or whether: view, index,
 * pointers, mask? Not what it stores or compares there. */
bool ir_tells_place(const ir_op *op, unsigned group);
ir_ordering ir_memory_ordering(const ir_op *op); /* IR_WEAK when the op has none */
ir_scope ir_memory_scope(const ir_op *op);
ir_value *ir_token_in(const ir_op *op);  /* NULL when it takes none */
ir_value *ir_token_out(const ir_op *op); /* NULL when it gives none */

/* ---- Section: Building ---- */

/* The position of new ops: at the end of a block, at a place. */
typedef struct ir_builder {
    ir_module *module;
    ir_function *function;
    ir_block *block;
    const tr_place *place; /* given to every op built; arena memory of the module */
} ir_builder;

ir_function *ir_function_add(ir_module *module, const char *name, const ir_type *type);
ir_block *ir_block_new(ir_module *module, ir_function *function, uint32_t n_args,
                       const ir_type *const *arg_types);

typedef struct ir_operand_list { /* one operand group while building */
    ir_value *const *values;
    uint32_t count;
} ir_operand_list;

/* Appends an op. `groups` has one entry per operand group of the op's row (count 0: absent);
 * attributes start absent and are set through op->attrs (absent means: optional ones not there, no
 * overflow flag, the op's usual rounding, for `inbounds` all false; all others must be set);
 * regions start NULL and are set through op->regions (set block->parent too, or use ir_set_region).
 * result_counts may be NULL when every result group is IR_ONE. */
ir_op *ir_build(ir_builder *builder, ir_opcode code, const ir_operand_list *groups,
                uint32_t n_results, const ir_type *const *result_types,
                const uint32_t *result_counts);
void ir_set_int(ir_op *op, unsigned attr, int64_t value);
void ir_set_region(ir_op *op, unsigned region, ir_block *block);
/* Gives ops their ordinals and values their ids again after building or editing. */
void ir_renumber(ir_function *function);

/* ---- Section: Walking, checking, printing ---- */

bool ir_is_loop(const ir_op *op); /* for, loop */
/* Does an op of the function take the value? */
bool ir_is_used(const ir_function *function, const ir_value *value);

/* Is what an assume claims of no consequence: is its result nothing but the stride of axes that
 * have one element? Front ends claim of such a stride what they claim of all of an array. */
bool ir_claim_is_idle(const ir_op *assume);

/* The loops and ifs around an op, outermost first; returns their number (at most `limit` filled).
 */
size_t ir_enclosing(const ir_op *op, ir_opcode code_or_count, const ir_op **out, size_t limit);
/* Next op of the function in depth-first order, regions included; NULL at the end.
 * Start with ir_first_op. */
ir_op *ir_first_op(const ir_function *function);
ir_op *ir_next_op(const ir_op *op);

/* False, with errors, when the module breaks a rule of the dialect (types, counts, dominance,
 * terminators, orderings): those of NVIDIA's verifier at 13.3 and of tileirdisasm 13.5.37 where
 * they are known, and at most 8 dimensions and 1000 nested regions. Values must be numbered:
 * unique ids below n_values, as ir_build and ir_renumber give them. */
bool ir_verify(const ir_module *module, tr_errors *errors);

/* The text of NVIDIA's tileirdisasm; with locations as its -g does, debug scopes left out (the IR
 * does not keep them). The module must pass ir_verify. */
void ir_print_module(tr_text *out, const ir_module *module, bool locations);
/* Prints everything that one entry depends on: the module's text without places and without its
 * other entries. */
void ir_print_entry(tr_text *out, const ir_module *module, const ir_function *entry);
/* One op on one line as the module's printer would print it, regions left out. */
void ir_print_op(tr_text *out, const ir_op *op);

/* The printer's names for a function's values (%0, %arg1, %for#1, ...). Naming takes the whole
 * function: whoever prints many ops makes it once. Lives in the arena; stale after an edit. */
typedef struct ir_names ir_names;
ir_names *ir_names_of(tr_arena *arena, const ir_function *function);
/* Returns the name without the '%'. */
const char *ir_name_of(const ir_names *names, const ir_value *value);

#endif

/* Private to the dialect room: one kernel's lowering from Clang's tree to tile IR.
 *
 * Every expression becomes a dl_value. Locals are numbered variables whose present value is kept in
 * a table with a trail of changes: leaving a branch or a loop rolls the trail back and merges what
 * changed, which gives SSA form for structured control flow without phi placement. Token chains of
 * plain accesses are hidden variables of the same table, so they are carried by the same code. */
#ifndef DIALECT_LOWER_H
#define DIALECT_LOWER_H

#include "dialect/dialect.h"
#include "dialect/libclang.h"

typedef struct dl_builtin dl_builtin;

/* ---- Values ---- */

typedef enum dl_kind {
    DL_POISON, /* an error was reported: be silent about what follows from it */
    DL_VOID,
    DL_UNSET, /* a variable without a value on some path */
    DL_VALUE,
} dl_kind;

typedef struct dl_value {
    dl_kind kind;
    const ir_type *type; /* DL_VALUE: a tile (numbers, pointers), a view, a tensor view, a token */
    ir_value *ir;        /* NULL: a constant that no op holds yet; dl_ir() builds it */
    bool number;         /* of a C arithmetic type: adapts to the element type of a tile */
    bool is_unsigned;
    bool constant; /* a rank-0 constant: integer or real holds it */
    bool fixed;    /* a constant expression by C's rules, so it may shape a tile */
    int64_t integer;
    double real;
    int order;      /* pointers, tensors, views: number of the order class */
    bool read_only; /* pointers, tensors, views: made of a pointer to const */
} dl_value;

typedef struct dl_element { /* what a C type means as an element */
    const ir_type *type;    /* NULL: it is none */
    bool is_unsigned;
} dl_element;

typedef enum dl_class { /* what a C type means for a variable */
                        DL_CLASS_NONE,
                        DL_CLASS_NUMBER,
                        DL_CLASS_TILE,
                        DL_CLASS_POINTER,
                        DL_CLASS_TOKEN,
                        DL_CLASS_TENSOR,
                        DL_CLASS_VIEW,
} dl_class;

typedef struct dl_var {
    CXCursor decl; /* null for hidden variables */
    const char *name;
    dl_class class;
    dl_element element; /* numbers: its type; pointers: the pointee */
    bool is_const;
    bool no_assign; /* a kernel's pointer parameter */
    uint32_t stamp; /* last change list that has it */
    dl_value now;
} dl_var;

typedef struct dl_change {
    uint32_t var;
    dl_value value;
} dl_change;

/* ---- Control flow ---- */

typedef enum dl_flow {
    DL_FLOW_ON,
    DL_FLOW_JUMPED,   /* break or continue: the block has its terminator */
    DL_FLOW_RETURNED, /* return: what follows in the function is dead */
    DL_FLOW_MAYBE,    /* perhaps returned: the frame's `returned` variable tells */
} dl_flow;

typedef struct dl_branch { /* one region of an if while it is lowered */
    ir_block *block;
    size_t trail;       /* length at entry */
    size_t n_vars;      /* at entry: later ones are its own */
    size_t n_orders;    /* at entry */
    dl_change *changes; /* stb_ds; after dl_branch_close */
    dl_flow flow;
} dl_branch;

typedef struct dl_carried { /* a variable that a loop carries */
    uint32_t var;
    dl_value init;
    ir_value *arg;
    bool unset;      /* had no value before the loop: init is a stand-in that nobody reads */
    bool unset_left; /* and there is a break at which it still has none */
    bool dropped;
    uint32_t same_as; /* dropped in favour of this column; UINT32_MAX: of init */
} dl_carried;

typedef struct dl_loop {
    struct dl_loop *outer;
    struct dl_frame *frame;
    ir_opcode code;               /* IR_OP_FOR or IR_OP_LOOP */
    dl_carried *carried;          /* stb_ds */
    ir_op **exits;                /* stb_ds: its break and continue ops */
    bool has_step, has_condition; /* run before the next iteration: for's third part, do's test */
    CXCursor step, condition;
    bool has_return;
} dl_loop;

typedef struct dl_frame { /* the kernel or a helper that is being inlined */
    struct dl_frame *caller;
    CXCursor function;
    const char *name;
    const tr_place *call;      /* call site; NULL for the kernel */
    dl_loop *outer_loop;       /* innermost loop when it was entered */
    uint32_t returned, result; /* hidden variables */
    bool gives_value;
    bool has_early_return; /* somewhere in an if or a loop */
    dl_class result_class;
    dl_element result_element;
} dl_frame;

/* Facts about a piece of the tree, found before it is lowered. */
typedef struct dl_scan {
    CXCursor *assigned; /* stb_ds: declarations of variables that it assigns */
    bool breaks;        /* leaves this loop by break */
    bool returns;
    bool touches; /* memory, or calls something that might */
    bool divides;
    bool assigns_unknown; /* through something else than a name */
} dl_scan;

/* ---- Order of plain accesses ---- */

typedef struct dl_order { /* one may-alias class */
    uint32_t store;       /* hidden variable: token after the last store */
    uint32_t all;         /* hidden variable: token after all accesses, but those in `loads` */
    ir_value **loads;     /* stb_ds: tokens of loads since then */
} dl_order;

#define DL_ORDER_SHARED 0  /* pointers that are not restrict, globals */
#define DL_ORDER_ANY    -1 /* could be any: ordered with all */

/* ---- The lowering of one translation unit ---- */

typedef struct dl_file {
    CXFile file;
    const char *name; /* module arena */
    const char *text;
    size_t length;
} dl_file;

typedef struct dl_var_key {
    uint32_t hash, salt;
} dl_var_key;

typedef struct dl {
    tr_arena *arena;   /* the unit's */
    tr_arena *scratch; /* dies with the lowering */
    tr_arena *keep;    /* the module's */
    tr_errors *errors;
    smt_ctx *ctx;
    CXTranslationUnit unit;
    dl_file *files; /* stb_ds */

    ir_module *module;
    ir_builder b;
    CXCursor at; /* what is being lowered: place of the next op */
    bool placed; /* b.place belongs to it */
    int depth;   /* of recursion into the tree */
    uint32_t n_ops;
    bool stop; /* too large: errors were given */

    dl_var *vars; /* stb_ds */
    struct {
        dl_var_key key;
        uint32_t value;
    } *var_of;        /* stb_ds map */
    dl_change *trail; /* stb_ds: old values */
    uint32_t stamp;
    struct {
        ir_value *from, *to;
    } *forward; /* stb_ds: dropped loop arguments and what they are */

    dl_frame *frame;
    dl_loop *loop;
    bool in_combine;   /* inside the region of a reduce or scan */
    dl_order *orders;  /* stb_ds */
    uint32_t acquired; /* hidden variable: token of the last acquire */
    ir_value *entry_token;

    contract *contract;
    bool contract_open; /* statements at the top of the kernel */
    const char *kernel_name;
    const tr_place **aliasing; /* per argument: statement about its allocation, or NULL */
    bool *distinct;
    CXCursor *globals; /* stb_ds: file-scope variables that the module holds */
    struct {
        char *key;
        const dl_builtin *value;
    } *builtins; /* stb_ds map */
} dl;

/* ---- ast.c: reading Clang's tree ---- */

size_t ast_children(dl *L, CXCursor cursor, CXCursor **children);
/* Returns the expression without implicit casts and parentheses. */
CXCursor ast_strip(dl *L, CXCursor cursor);
const tr_place *ast_place(dl *L, CXCursor cursor);
/* The source as written, at most 160 bytes, spaces collapsed. */
const char *ast_text(dl *L, CXCursor cursor);
const char *ast_spelling(dl *L, CXCursor cursor);
bool ast_has_annotation(dl *L, CXCursor decl, const char *annotation);
CXCursor ast_callee(dl *L, CXCursor call, CXCursor first_child);
/* Elements of the compound literal that a list macro makes. False: it is no such list (an error was
 * given); *n 0 for a null list. */
bool ast_list(dl *L, CXCursor argument, CXCursor **items, size_t *n);
/* Parts of a for statement; a part that is absent is the null cursor. */
bool ast_for_parts(dl *L, CXCursor statement, CXCursor *init, CXCursor *condition, CXCursor *step,
                   CXCursor *body);
void ast_scan(dl *L, CXCursor cursor, dl_scan *scan);
void ast_scan_free(dl_scan *scan);
/* May it be evaluated without being asked for? No memory, calls of helpers, division, assignment.
 */
bool ast_is_harmless(dl *L, CXCursor expression);
bool ast_contains_return(dl *L, CXCursor cursor);
bool ast_always_returns(dl *L, CXCursor statement);

/* ---- types.c ---- */

dl_element dl_element_of(dl *L, CXType type);
dl_class dl_class_of(dl *L, CXType type, dl_element *element);
bool dl_is_tile_type(CXType type); /* C's `tile`, or a number on its way there */
/* The element that a type argument `(const T *)0` names. */
bool dl_type_argument(dl *L, CXCursor argument, dl_element *element);
const char *dl_type_text(dl *L, const ir_type *type);

/* ---- build.c: errors ---- */

dl_value dl_fail(dl *L, CXCursor where, const char *hint, const char *format, ...) TR_PRINTF(4, 5);
dl_value dl_poison(void);
dl_value dl_void(void);

/* ---- build.c: ops ---- */

ir_op *dl_build(dl *L, ir_opcode code, const ir_operand_list *groups, uint32_t n_results,
                const ir_type *const *result_types, const uint32_t *result_counts);
/* An op whose operands are all `one` groups, with one result. */
ir_value *dl_emit(dl *L, ir_opcode code, const ir_type *type, int n, ir_value *const *operands);
ir_op *dl_emit_op(dl *L, ir_opcode code, const ir_type *type, int n, ir_value *const *operands);
ir_value *dl_ir(dl *L, const dl_value *value);
dl_value dl_of(ir_value *ir, bool number, bool is_unsigned);
dl_value dl_integer(dl *L, ir_type_kind kind, bool is_unsigned, int64_t value);
dl_value dl_real(dl *L, ir_type_kind kind, double value);
/* A constant tile with all elements equal; elem and value of `value`, a constant. */
ir_value *dl_splat(dl *L, const dl_value *value, int rank, const int64_t *shape);
ir_attr dl_scalar_attr(dl *L, const ir_type *elem, int64_t integer, double real);
void dl_finish_function(dl *L, ir_function *function);
const ir_type *dl_tile_type(dl *L, const ir_type *elem, int rank, const int64_t *shape);
const ir_type *dl_scalar_type(dl *L, ir_type_kind kind); /* a rank-0 tile */
bool dl_check_tile_shape(dl *L, CXCursor where, int rank, const int64_t *shape);

/* ---- vars.c ---- */

uint32_t dl_declare(dl *L, CXCursor decl, dl_class class, dl_element element, dl_value value);
uint32_t dl_hidden(dl *L, const char *name, dl_value value);
bool dl_find(dl *L, CXCursor decl, uint32_t *var);
void dl_set(dl *L, uint32_t var, dl_value value);
dl_value dl_unset(void);
void dl_branch_open(dl *L, dl_branch *branch);
void dl_branch_close(dl *L, dl_branch *branch);
/* Builds the if; NULL for an absent else. Merged changes become the variables' values; `results`
 * (of values a and b, when given) gives one value more. */
dl_flow dl_branch_merge(dl *L, CXCursor where, ir_value *condition, dl_branch *then,
                        dl_branch *otherwise, dl_value *a, dl_value *b, dl_value *result);

/* ---- number.c, arith.c ---- */

typedef enum dl_arith {
    DL_ADD,
    DL_SUB,
    DL_MUL,
    DL_DIV,
    DL_REM,
    DL_CEIL_DIV,
    DL_FLOOR_DIV,
    DL_MIN,
    DL_MAX,
    DL_MULHI,
    DL_AND,
    DL_OR,
    DL_XOR,
    DL_SHL,
    DL_SHR,
    DL_POW,
    DL_ATAN2,
} dl_arith;

/* Converts to another element type; the shape stays. */
dl_value dl_convert(dl *L, dl_value value, dl_element to);
/* C's conversion of a number, or of a rank-0 tile used as one. */
dl_value dl_to_number(dl *L, CXCursor where, dl_value value, dl_element to);
dl_value dl_to_bool(dl *L, CXCursor where, dl_value value);
dl_value dl_not(dl *L, dl_value condition); /* of an i1 */
/* Converts both to one element type and shape. */
bool dl_unify(dl *L, CXCursor where, dl_value *a, dl_value *b);
dl_value dl_binary(dl *L, CXCursor where, dl_arith op, dl_value a, dl_value b);
dl_value dl_compare(dl *L, CXCursor where, ir_predicate predicate, dl_value a, dl_value b);
dl_value dl_negate(dl *L, CXCursor where, dl_value a);
dl_value dl_complement(dl *L, CXCursor where, dl_value a);
dl_value dl_select(dl *L, CXCursor where, dl_value condition, dl_value yes, dl_value no);
dl_value dl_broadcast(dl *L, CXCursor where, dl_value value, int rank, const int64_t *shape);
dl_value dl_reshape(dl *L, dl_value value, int rank, const int64_t *shape);

/* ---- expr.c ---- */

dl_value dl_expr(dl *L, CXCursor cursor);
/* Lowers as dl_expr does, and adds an error where the result is no value. */
dl_value dl_operand(dl *L, CXCursor cursor);
dl_value dl_tile_operand(dl *L, CXCursor cursor);            /* numbers or pointers, any shape */
dl_value dl_number(dl *L, CXCursor cursor);                  /* converted to its C type */
dl_value dl_condition(dl *L, CXCursor cursor, bool negated); /* an i1 */
bool dl_constant(dl *L, CXCursor cursor, const char *what, int64_t low, int64_t high,
                 int64_t *value);
bool dl_constant_list(dl *L, CXCursor argument, const char *what, int64_t low, int64_t high,
                      int64_t *values, int *n);
dl_value dl_call(dl *L, CXCursor cursor);
dl_value dl_inline(dl *L, CXCursor where, CXCursor function, size_t n, dl_value *args);
dl_value dl_assign(dl *L, CXCursor where, uint32_t var, dl_value value);

/* ---- switch.c ---- */

dl_flow dl_switch(dl *L, CXCursor cursor);

/* ---- stmt.c, loop.c ---- */

dl_flow dl_statement(dl *L, CXCursor cursor);
dl_flow dl_statements(dl *L, const CXCursor *statements, size_t n);
/* Does a function with this body return from inside an if or a loop? */
bool dl_has_early_return(dl *L, const CXCursor *statements, size_t n);
dl_flow dl_for(dl *L, CXCursor cursor);
dl_flow dl_while(dl *L, CXCursor cursor);
dl_flow dl_do(dl *L, CXCursor cursor);
void dl_jump(dl *L, CXCursor where, ir_opcode code); /* ends the block */

/* ---- order.c ---- */

typedef struct dl_access {
    int order; /* class */
    bool reads, writes;
    ir_ordering ordering;
    ir_scope scope;
    bool by_hand;      /* a _tko form: exactly `after` */
    ir_value *after;   /* by hand: the token given, or NULL */
    CXCursor after_at; /* where that token is given */
    bool has_token_out;
    uint32_t token_out; /* by hand: the variable that takes the token of a load */
} dl_access;

int dl_order_new(dl *L);
void dl_order_flush(dl *L);
ir_value *dl_order_before(dl *L, const dl_access *access);
void dl_order_after(dl *L, const dl_access *access, ir_value *token);
ir_value *dl_order_everything(dl *L); /* after all plain accesses so far */
/* A token after dl_order_everything: all later plain accesses come after it. */
void dl_order_fence(dl *L, ir_value *token);
ir_value *dl_order_of(dl *L, int order);
void dl_order_join(dl *L, int order, ir_value *token);
ir_value *dl_join(dl *L, ir_value **tokens, size_t n);

/* ---- pointer.c, sync.c ---- */

dl_value dl_load_scalar(dl *L, CXCursor where, dl_value pointer);
dl_value dl_store_scalar(dl *L, CXCursor where, dl_value pointer, dl_value value);
dl_value dl_offset(dl *L, CXCursor where, dl_value pointer, dl_value offset);
bool dl_is_pointers(const dl_value *value);
/* Selects element by element: `yes` where the condition holds, else `no`; shapes broadcast. The
 * result is ordered with the buffers of both. */
dl_value dl_select_pointers(dl *L, CXCursor where, dl_value condition, dl_value yes, dl_value no);
dl_value dl_global(dl *L, CXCursor where, CXCursor decl);

/* ---- contract statements (contracts.c) ---- */

bool dl_contract_statement(dl *L, CXCursor cursor); /* false: it is none */

/* ---- kernel.c ---- */

bool dl_kernel(dl *L, CXCursor function, contract **out, const ir_function **kernel);

/* ---- Calls of what tile.h declares: builtins.def ---- */

typedef struct dl_args {
    CXCursor call;
    const dl_builtin *row;
    int n;
    CXCursor arg[12];
} dl_args;

struct dl_builtin {
    const char *name;
    dl_value (*lower)(dl *L, const dl_args *args);
    int a, b;     /* what the rows of one function differ in */
    bool touches; /* memory, or its order */
};

enum { DL_MASKED = 1, DL_ORDERED = 2, DL_BY_HAND = 4 };

typedef enum dl_state {
    DL_STATE_GRID,
    DL_STATE_ASSUME,
    DL_STATE_EXTENT,
    DL_STATE_MAY_ALIAS,
    DL_STATE_DISTINCT,
    DL_STATE_ALIAS_OFFSET,
    DL_STATE_UNIQUE,
    DL_STATE_INCREASING,
    DL_STATE_CONTENTS,
    DL_STATE_UNIQUE_WHEN,
    DL_STATE_PREFIX_SUM,
    DL_STATE_REGIONS,
    DL_STATE_COVERED,
    DL_STATE_COVERED_ONCE,
    DL_STATE_PREDECESSOR_WRITES,
    DL_STATE_PREDECESSOR_READS,
    DL_STATE_DEPENDENT_LAUNCH,
    DL_STATE_PEERS,
    DL_STATE_VALUE,
    DL_STATE_INDEX,
} dl_state;

/* NULL: tile.h declares no such function. */
const dl_builtin *dl_builtin_find(dl *L, const char *name);

#define PURE(name, function, a, b)   dl_value function(dl *L, const dl_args *args);
#define MEMORY(name, function, a, b) dl_value function(dl *L, const dl_args *args);
#include "dialect/builtins.def"

#endif

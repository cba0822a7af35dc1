/* The guarantees of the host when it launches a kernel: facts, from the kernel's source or a file.
 *
 * Scalars are mathematical integers. The parameters of a kernel are the variables contract_param()
 * makes, the grid's extents those of contract_grid(); every later room uses the same variables, so
 * a fact of the contract needs no translation. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "terms/term.h"

typedef enum contract_source { CONTRACT_NONE, CONTRACT_SOURCE, CONTRACT_FILE } contract_source;

typedef enum contract_arg_kind {
    CONTRACT_SCALAR,
    CONTRACT_POINTER,
    CONTRACT_FLOAT
} contract_arg_kind;

/* The elements of a buffer at launch, one by one: element i, counted from the parameter on, is
 * values[i], read as a signed number, if known[i] holds (NULL: everywhere). Nothing is said of
 * elements from n on. */
typedef struct contract_values {
    size_t n;
    const int64_t *values;
    const bool *known;
    /* The ascending indices of elements whose value occurs more than once, where all values are
     * known. NULL: there are more than CONTRACT_MOST_REPEATED. */
    size_t n_repeated;
    const size_t *repeated;
} contract_values;

enum { CONTRACT_MOST_REPEATED = 128 };

/* Facts on the contents of one integer buffer at launch. In `value_*` terms the variables
 * contract_value() and contract_index() stand for the element and its index. */
typedef struct contract_contents {
    bool unique;       /* no two elements equal */
    smt_t unique_when; /* they differ among the elements for which this holds; NULL: among all */
    bool increasing;   /* non-decreasing */
    smt_t min, max;    /* of every element; NULL: nothing known. They may use contract_index() */
    /* No two indices have equal elements in this buffer and in all of these arguments' buffers,
     * taken together; n_tuple 0: not stated. Says nothing of this buffer alone. */
    size_t n_tuple;
    const int *tuple;
    int prefix_sum_of; /* argument number, or -1 */
    smt_t regions;     /* table of pointers: bytes of each region; or NULL */
    /* The elements themselves; or NULL. What follows from them (bounds, order, uniqueness) is
     * stated above as well. */
    const contract_values *values;
    const tr_place *place; /* of the last statement; NULL: no line of the kernel's source has it */
} contract_contents;

enum { CONTRACT_MOST_RANK = 8 };

/* A list of arrays, as front ends hand it to a kernel: a table with a row for each array, of its
 * address, its extents and its strides, in words of 64 bits. */
typedef struct contract_entry {
    const char *buffer;  /* the allocation that it points into; NULL: it is the null pointer */
    int64_t byte_offset; /* from the buffer's start */
    int64_t extents[CONTRACT_MOST_RANK], strides[CONTRACT_MOST_RANK]; /* in elements */
} contract_entry;

typedef struct contract_table {
    size_t n, rank; /* all arrays have one rank */
    const contract_entry *entries;
} contract_table;

typedef enum contract_covered {
    CONTRACT_NOT_COVERED,
    CONTRACT_COVERED_ALL,
    CONTRACT_COVERED_ONCE
} contract_covered;

/* Arguments can form an array, where the module tells (cuTile Python, cutile-rs): its pointer,
 * then an extent and a stride for each dimension. Who asks for them goes by this, never by names.
 */
typedef enum contract_role {
    CONTRACT_ALONE, /* belongs to no array that is known */
    CONTRACT_ARRAY_START,
    CONTRACT_ARRAY_EXTENT,
    CONTRACT_ARRAY_STRIDE,
} contract_role;

typedef struct contract_member {
    contract_role role;
    uint32_t array;     /* argument number of the array's pointer */
    uint32_t dimension; /* of an extent or stride */
} contract_member;

typedef struct contract_arg {
    const char *name;    /* the name that expressions use */
    const char *made_up; /* a second one that they may use; or NULL */
    contract_arg_kind kind;
    contract_member member;
    int bits; /* scalar: width of its type */
    bool is_signed;
    bool has_number; /* float: its value is stated */
    double number;
    /* pointer */
    const char *buffer; /* allocation: equal names may overlap anywhere, others never */
    bool buffer_stated; /* the contract says so; else it is the default */
    smt_t elements;     /* extent from this pointer on, in elements; NULL: unknown */
    bool spans;         /* the extent is as a front end passes it, which states no size */
    smt_t offset;       /* element offset into the buffer; NULL: unknown when shared, else 0 */
    contract_contents contents;
    const contract_table *table; /* the arrays whose addresses the buffer holds; or NULL. Extents
                                    and strides are in `contents` as well */
    contract_covered covered;
    const tr_place *place; /* where its extent or aliasing is stated; or NULL */
    /* Set by contract_settle_ranges: a fact, an extent, a grid axis, a bound of contents or another
     * argument's statement mentions this scalar. A fact that the range took over (`B > 0`) is the
     * term TRUE afterwards, so facts no longer tell. */
    bool constrained;
} contract_arg;

typedef struct contract_fact {
    smt_t term;            /* boolean, over parameters and grid extents */
    const char *text;      /* as the user wrote it */
    const tr_place *place; /* or NULL */
} contract_fact;

typedef enum contract_peers {
    CONTRACT_PEERS_NONE,
    CONTRACT_PEERS_DEVICE,
    CONTRACT_PEERS_SYS
} contract_peers;

/* Bytes of a buffer that a launch before this one writes or reads. */
typedef struct contract_touched {
    const char *buffer;
    bool writes;      /* else it reads them */
    smt_int from, to; /* byte offsets in the buffer, the second one behind the last byte */
    const char *by;   /* which launch, for people: "'fill' at user.py:4"; NULL: the preceding one */
    bool is_bound;    /* it touches none beside these bytes, but not all of them for certain */
    bool is_unwaited; /* by a launch before the preceding one, which did not wait for it: no wait of
                         this kernel waits for it either */
} contract_touched;

/* The kernel that may still run when this one starts (programmatic dependent launch). */
typedef struct contract_predecessor {
    size_t n_writes, n_reads;
    const char *const *writes, *const *reads; /* buffer names */
    bool is_stated;                           /* what is not listed is not touched */
    size_t n_touched;
    const contract_touched *touched; /* parts of buffers */
} contract_predecessor;

/* The place where a recorded launch was made. */
typedef struct contract_origin {
    const char *file;    /* or NULL */
    uint32_t line;       /* 0: unknown */
    const char *program; /* or NULL */
} contract_origin;

typedef struct contract {
    contract_source source;
    const char *kernel;
    const tr_place *place; /* the file that states it, without a line; NULL: the kernel's source */
    /* Set by contract_settle_ranges where it sees that no launch meets the contract: the clause
     * that says why, "no value of `n` meets `n >= 5`, `n <= 3`"; else NULL. */
    const char *contradiction;
    bool says_nothing; /* private, set by contract_settle_ranges: see contract_is_silent */
    smt_t grid[3];     /* extents as terms; NULL: not stated for that axis */
    bool is_empty; /* an extent is 0: the launch runs no tile block, and its grid says nothing else
                    */
    size_t n_args;
    contract_arg *args;   /* one per kernel parameter, in order */
    contract_fact *facts; /* stb_ds array: assume statements, bounds of scalars */
    contract_origin origin;
    size_t n_observed;
    const char *const *observed;      /* what launches had in common: in no proof */
    bool pdl;                         /* launched so that its predecessor may still run */
    contract_predecessor predecessor; /* when pdl */
    contract_peers peers;             /* who else may access the buffers during the launch */
    struct contract_ranges *ranges;   /* private: variables of the parameters and their ranges */
} contract;

/* The extent that the contract states of a pointer argument, in elements; NULL: none, or nothing
 * but what a front end makes of every launch. */
smt_t contract_stated_elements(const contract_arg *arg);
/* Did nobody say how large anything is, or what memory holds? So it is where no contract is stated,
 * and where one only tells the parameters' names and how a front end passes its arrays. Of a
 * settled contract, and of those that are made of it. */
bool contract_is_silent(const contract *c);
/* Argument number of the array's extent or stride of that dimension; n_args: it has none. `array`
 * is the argument number of the array's pointer. */
size_t contract_array_part(const contract *c, size_t array, contract_role role, size_t dimension);

/* An empty contract for a kernel of n arguments (all fields of `args` zero but prefix_sum_of), in
 * the arena of `ctx`; give it back with contract_free, which releases the array of facts. */
contract *contract_new(smt_ctx *ctx, const char *kernel, size_t n_args);
void contract_free(tr_take contract *c);
void contract_add_fact(contract *c, smt_t term, const char *text, const tr_place *place);

/* ---- Section: Ranges ----
 *
 * A variable's range is fixed when the variable is made, yet facts that narrow it (`B > 0`) are
 * terms over that variable. So a parameter has two variables: while the contract is being read,
 * contract_param() gives a provisional one ("B?", ranged by its type); contract_settle_ranges()
 * then makes the final one ("B", ranged by type and facts) and rewrites everything that the
 * contract holds. Who reads a contract (front ends, launch files) never settles; who made the last
 * addition does, once, before any term over the parameters is made elsewhere. */

/* Variable of scalar parameter number i: provisional before contract_settle_ranges, final after it.
 * The same term at every call in between. */
smt_t contract_param(smt_ctx *ctx, const contract *c, size_t i);
/* Makes the final variables: the type and the facts' linear bounds give the ranges.
 * May be called again (it does nothing then). False, with an error that quotes the fact, when the
 * contract contradicts itself as far as interval reasoning sees; the contract is settled anyway.
 * `errors` may be NULL. */
bool contract_settle_ranges(smt_ctx *ctx, contract *c, tr_errors *errors);
/* The settled contract with its parameters at least that large (SMT_NO_LOW: as before); in the
 * arena of `ctx`, to be freed by contract_free like any. */
contract *contract_narrowed(smt_ctx *ctx, const contract *c, const smt_int *least);
/* The settled contract with these facts beside its own, its variables the same; to be freed by
 * contract_free like any. */
contract *contract_with_facts(smt_ctx *ctx, const contract *c, size_t n, const smt_t *facts);
/* Does the contract say what element `index` is? Then it is in *value, as a signed number. */
bool contract_values_at(const contract_values *values, smt_int index, int64_t *value);
/* Do the facts speak of the elements as unsigned numbers? So they do where no signed element of
 * that many bits is as large as the stated upper bound. Those of 64 bits have no such bound here.
 */
bool contract_contents_are_unsigned(const contract_contents *facts, int bits);
/* The facts hold of the elements as signed or as unsigned numbers and do not tell which: elements
 * of fewer than CONTRACT_NARROW bits that no number bounds. Wider ones are signed then. */
enum { CONTRACT_NARROW = 32 };
bool contract_contents_tell_no_sign(const contract_contents *facts, int bits);
/* The allocation that a pointer argument is taken to point into: the stated one, else one of its
 * own name. */
const char *contract_buffer_of(const contract_arg *arg);
/* Do both arguments point into one buffer? */
bool contract_share_buffer(const contract_arg *a, const contract_arg *b);
/* Do other arguments point into the argument's buffer, too? */
bool contract_is_shared(const contract *c, const contract_arg *arg);
/* Range of the type of scalar argument i. */
void contract_type_range(const contract_arg *arg, smt_int *low, smt_int *high);
/* The range of the scalar when nothing is stated of it: the extent of an array is never below 0. */
void contract_unstated_range(const contract_arg *arg, smt_int *low, smt_int *high);

/* Extent of grid axis 0..2 as a variable "grid.x"; range 1 .. 2^24-1. */
smt_t contract_grid(smt_ctx *ctx, int axis);
/* The number that the argument is at a launch that passes this word: a word of 64 bits holds the
 * unsigned numbers from 2^63 on as negative ones. */
static inline smt_int contract_number_of(const contract_arg *arg, int64_t word)
{
    bool is_large = arg->kind == CONTRACT_SCALAR && arg->bits == 64 && !arg->is_signed && word < 0;
    return is_large ? (smt_int)(uint64_t)word : word;
}
/* The element in a contents expression, and its index: variables without a range. Facts on contents
 * hold for indices inside the buffer only; who substitutes an index guards it. */
smt_t contract_value(smt_ctx *ctx);
smt_t contract_index(smt_ctx *ctx);

#endif

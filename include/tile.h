/* The C tile dialect: all that a kernel author includes. docs/dialect.md teaches it by example.
 *
 * A kernel is plain C against this header. It describes what one tile block does; every function
 * below stands for one operation of CUDA Tile IR (or a few) and has no body in C. Index and shape
 * lists become compound literals, so Clang types every element and editors complete them.
 *
 * `tile` is C's one built-in type that numbers convert to and that neither pointers nor tokens do.
 * So a number may stand wherever a tile may (it is a rank-0 tile, as in Tile IR, and is broadcast),
 * `+ - * /` work on tiles, and a rank-0 tile may be used as a number. It is never evaluated. */
#ifndef TILE_H
#define TILE_H

#include <stdbool.h>

/* ---- Types ---- */

typedef long double _Complex tile;                    /* a tile of numbers or pointers, any shape */
typedef const struct tile_token_opaque *token;        /* an order on memory, from an access */
typedef const struct tile_tensor_opaque *tile_tensor; /* shape and strides over a pointer */
typedef const struct tile_view_opaque *tile_view;     /* tiles of a tensor, by index */

/* Element types that C lacks. `_Float16` is the same element type as f16. */
typedef struct tile_f16 {
    unsigned short tile_bits;
} f16;
typedef struct tile_bf16 {
    unsigned short tile_bits;
} bf16;
typedef struct tile_tf32 {
    unsigned int tile_bits;
} tf32;
typedef struct tile_f8e4m3 {
    unsigned char tile_bits;
} f8e4m3;
typedef struct tile_f8e5m2 {
    unsigned char tile_bits;
} f8e5m2;
typedef struct tile_f8e8m0 {
    unsigned char tile_bits;
} f8e8m0;
typedef struct tile_f4e2m1 { /* two of them share a byte in memory */
    unsigned char tile_bits;
} f4e2m1;

typedef enum tile_order {
    TILE_WEAK,
    TILE_RELAXED,
    TILE_ACQUIRE,
    TILE_RELEASE,
    TILE_ACQ_REL
} tile_order;
typedef enum tile_scope { TILE_NO_SCOPE, TILE_BLOCK, TILE_DEVICE, TILE_SYS } tile_scope;
typedef enum tile_mode { /* of atomics; MAX and MIN follow the signedness of the buffer */
                         TILE_AND,
                         TILE_OR,
                         TILE_XOR,
                         TILE_ADD,
                         TILE_MAX,
                         TILE_MIN,
                         TILE_UMAX,
                         TILE_UMIN,
                         TILE_XCHG,
} tile_mode;
typedef enum tile_padding { /* what a load gives beyond the tensor */
                            TILE_UNSPECIFIED,
                            TILE_PAD_ZERO,
                            TILE_PAD_NEG_ZERO,
                            TILE_PAD_NAN,
                            TILE_PAD_INF,
                            TILE_PAD_NEG_INF,
} tile_padding;

#define TILE_INF (__builtin_inff())
#define TILE_NAN (__builtin_nanf(""))

/* ---- Kernels and module globals ---- */

#if defined(__clang__)
#define tile_kernel __attribute__((annotate("tile_kernel")))
#define tile_global __attribute__((annotate("tile_global")))
#else
#define tile_kernel
#define tile_global
#endif

/* ---- Contract: what the host guarantees, at the top of a kernel's body ----
 *
 * Values are C expressions over the parameters; they mean mathematical integers. */

#define tile_grid(...) tile_grid_list((const long[]){__VA_ARGS__}) /* extents x, y, z in blocks */
void tile_assume(bool condition);
void tile_extent(const volatile void *pointer, long elements); /* allocated from the pointer on */
/* Buffers that may lie in one allocation and overlap. */
#define tile_may_alias(...) tile_may_alias_list((const volatile void *const[]){__VA_ARGS__})
/* Buffers each of which has an allocation of its own. */
#define tile_distinct(...) tile_distinct_list((const volatile void *const[]){__VA_ARGS__})
void tile_alias_offset(const volatile void *pointer,
                       long elements); /* from its allocation's start */

/* Contents of an integer buffer at launch. */
void tile_unique(const volatile void *pointer);     /* no two elements are equal */
void tile_increasing(const volatile void *pointer); /* no element is smaller than the one before */
void tile_contents(const volatile void *pointer, long min, long max); /* both inclusive */
void tile_unique_when(const volatile void *pointer, bool condition);  /* among those elements */
long tile_value(void); /* in tile_unique_when and tile_contents: the element */
long tile_index(void); /* and its index */
void tile_prefix_sum(const volatile void *pointer, const volatile void *of);
void tile_regions(const volatile void *pointer_table,
                  long bytes); /* of each pointer's own region */

/* Asks the checker to prove that the kernel writes every element. */
void tile_covered(const volatile void *pointer);
void tile_covered_once(const volatile void *pointer);

/* Other work that runs at the same time: the preceding kernel (programmatic dependent launch),
 * other kernels. */
#define tile_predecessor_writes(...)                                                               \
    tile_predecessor_writes_list((const volatile void *const[]){__VA_ARGS__})
#define tile_predecessor_reads(...)                                                                \
    tile_predecessor_reads_list((const volatile void *const[]){__VA_ARGS__})
void tile_dependent_launch(void); /* the predecessor may still run */
void tile_peers(tile_scope who);  /* TILE_DEVICE or TILE_SYS accesses the buffers meanwhile */

/* ---- Lists ---- */

#define tile_shape(...)   ((const long[]){__VA_ARGS__})
#define tile_strides(...) ((const long[]){__VA_ARGS__}) /* in elements */
#define tile_steps(...)   ((const long[]){__VA_ARGS__}) /* traversal strides, in elements */
#define tile_dims(...)    ((const long[]){__VA_ARGS__}) /* dim_map: tile dimension i runs along it */
#define after(...)        ((const token[]){__VA_ARGS__})
#define after_none        ((const token *)0)

/* ---- Tensors and views ---- */

/* tile_tensor(pointer, extents...): row-major. */
#define tile_tensor(pointer, ...) tile_tensor_list(pointer, (const long[]){__VA_ARGS__})
tile_tensor tile_tensor_strided(const volatile void *pointer, const long *shape,
                                const long *strides);
int tile_tensor_extent(tile_tensor tensor, int dim);

/* tile_partition(tensor, tile extents...): tile (i, j) starts at element (i*t0, j*t1). */
#define tile_partition(tensor, ...) tile_partition_list(tensor, (const long[]){__VA_ARGS__})
#define tile_partition_padded(tensor, padding, ...)                                                \
    tile_partition_padded_list(tensor, padding, (const long[]){__VA_ARGS__})
tile_view tile_partition_mapped(tile_tensor tensor, const long *tile, const long *dims,
                                tile_padding padding);
/* Strided view: tile (i, j) starts at element (i*step0, j*step1); tiles may overlap or leave gaps.
 */
tile_view tile_strided(tile_tensor tensor, const long *tile, const long *steps);
tile_view tile_strided_mapped(tile_tensor tensor, const long *tile, const long *steps,
                              const long *dims, tile_padding padding);
/* Gather-scatter view: in the sparse dimension the index is a rank-1 integer tile of rows, in the
 * others it is the first element (not a tile number). */
#define tile_gather_scatter(tensor, sparse_dim, ...)                                               \
    tile_gather_scatter_list(tensor, sparse_dim, (const long[]){__VA_ARGS__})
#define tile_gather_scatter_padded(tensor, sparse_dim, padding, ...)                               \
    tile_gather_scatter_padded_list(tensor, sparse_dim, padding, (const long[]){__VA_ARGS__})
int tile_tiles(tile_view view, int dim); /* extent of the view's index space */

/* ---- Blocks ---- */

int tile_bid(int axis);           /* this tile block's id, 0 <= id < tile_grid_extent(axis) */
int tile_grid_extent(int axis);   /* number of tile blocks along an axis */
void tile_assert(bool condition); /* stops the kernel where it does not hold */

/* ---- Views: load, store, reduce ----
 *
 * Plain and `_at` forms keep program order among accesses to the same buffer (pointers that are
 * `restrict` or tile_distinct are buffers of their own, all others count as one). A `_tko` form is
 * ordered after the tokens it is given and after nothing else. */

/* tile_load(view, indices...) and tile_store(view, value, indices...) */
#define tile_load(view, ...)         tile_load_list(view, (const tile[]){__VA_ARGS__})
#define tile_store(view, value, ...) tile_store_list(view, value, (const tile[]){__VA_ARGS__})
#define tile_load_at(view, order, scope, ...)                                                      \
    tile_load_at_list(view, order, scope, (const tile[]){__VA_ARGS__})
#define tile_store_at(view, value, order, scope, ...)                                              \
    tile_store_at_list(view, value, order, scope, (const tile[]){__VA_ARGS__})
/* tile t = tile_load_tko(view, after(a, b), &loaded, indices...); */
#define tile_load_tko(view, after_tokens, token_out, ...)                                          \
    tile_load_tko_list(view, after_tokens, token_out, (const tile[]){__VA_ARGS__})
#define tile_load_tko_at(view, order, scope, after_tokens, token_out, ...)                         \
    tile_load_tko_at_list(view, order, scope, after_tokens, token_out, (const tile[]){__VA_ARGS__})
/* token stored = tile_store_tko(view, value, after(loaded), indices...); */
#define tile_store_tko(view, value, after_tokens, ...)                                             \
    tile_store_tko_list(view, value, after_tokens, (const tile[]){__VA_ARGS__})
#define tile_store_tko_at(view, value, order, scope, after_tokens, ...)                            \
    tile_store_tko_at_list(view, value, order, scope, after_tokens, (const tile[]){__VA_ARGS__})
/* Atomic reduction into a view: mode, TILE_RELAXED, TILE_BLOCK or TILE_DEVICE; gives no value. */
#define tile_red(mode, view, value, order, scope, ...)                                             \
    tile_red_list(mode, view, value, order, scope, (const tile[]){__VA_ARGS__})
#define tile_red_add(view, value, ...)                                                             \
    tile_red_list(TILE_ADD, view, value, TILE_RELAXED, TILE_DEVICE, (const tile[]){__VA_ARGS__})
#define tile_red_tko(mode, view, value, order, scope, after_tokens, ...)                           \
    tile_red_tko_list(mode, view, value, order, scope, after_tokens, (const tile[]){__VA_ARGS__})

/* ---- Pointers: gather, scatter, atomics ----
 *
 * A single element is plain C: `int n = length[b];`, `sum[b] = x;`. */

tile tile_pointers(const volatile void *pointer, tile offset); /* pointer + offset, per element */
tile tile_offset(tile pointers, tile offset);
tile tile_load_ptr(tile pointers);
tile tile_load_masked(tile pointers, tile mask, tile padding); /* padding where mask is false */
tile tile_load_ptr_at(tile pointers, tile_order order, tile_scope scope);
tile tile_load_masked_at(tile pointers, tile mask, tile padding, tile_order order,
                         tile_scope scope);
tile tile_load_ptr_tko(tile pointers, const token *after_tokens, token *token_out);
tile tile_load_masked_tko(tile pointers, tile mask, tile padding, tile_order order,
                          tile_scope scope, const token *after_tokens, token *token_out);
void tile_store_ptr(tile pointers, tile value);
void tile_store_masked(tile pointers, tile value, tile mask);
void tile_store_ptr_at(tile pointers, tile value, tile_order order, tile_scope scope);
void tile_store_masked_at(tile pointers, tile value, tile mask, tile_order order, tile_scope scope);
token tile_store_ptr_tko(tile pointers, tile value, const token *after_tokens);
token tile_store_masked_tko(tile pointers, tile value, tile mask, tile_order order,
                            tile_scope scope, const token *after_tokens);

/* Read-modify-write; each gives the old value. A mask of `true` is no mask. */
tile tile_atomic_and(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_or(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_xor(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_add(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_max(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_min(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_xchg(tile pointers, tile value, tile_order order, tile_scope scope);
tile tile_atomic_masked(tile_mode mode, tile pointers, tile value, tile mask, tile_order order,
                        tile_scope scope);
tile tile_atomic_tko(tile_mode mode, tile pointers, tile value, tile mask, tile_order order,
                     tile_scope scope, const token *after_tokens, token *token_out);
tile tile_atomic_cas(tile pointers, tile expected, tile desired, tile_order order,
                     tile_scope scope);
tile tile_atomic_cas_masked(tile pointers, tile expected, tile desired, tile mask, tile_order order,
                            tile_scope scope);
tile tile_atomic_cas_tko(tile pointers, tile expected, tile desired, tile mask, tile_order order,
                         tile_scope scope, const token *after_tokens, token *token_out);

/* Pointers as numbers: tables of pointers, other element types. */
#define tile_int_to_ptr(integers, type) tile_int_to_ptr_as(integers, (const type *)0)
#define tile_ptr_cast(pointers, type)   tile_ptr_cast_as(pointers, (const type *)0)
tile tile_ptr_to_int(tile pointers);

/* ---- Tokens ---- */

token make_token(void); /* ordered after nothing */
#define join_tokens(...) tile_join_tokens_list((const token[]){__VA_ARGS__})
/* Later plain accesses to the pointer's buffer come after these tokens. */
#define tile_join_order(pointer, ...) tile_join_order_list(pointer, (const token[]){__VA_ARGS__})
/* A token after all plain accesses to the pointer's buffer so far. */
token tile_order_token(const volatile void *pointer);

/* Programmatic dependent launch and the alias-proxy fence; plain forms order all buffers. */
void tile_gdc_wait(void);
void tile_gdc_launch_dependents(void);
void tile_fence_alias(void);
token tile_gdc_wait_tko(const token *after_tokens);
token tile_gdc_launch_dependents_tko(const token *after_tokens);
token tile_fence_alias_tko(const token *after_tokens);

/* Prints numbers and tiles: tile_print("sum %f\n", sum); touches no memory. Prints come in any
 * order unless their tokens order them. */
#define tile_print(format, ...) tile_print_list(format, (const tile[]){__VA_ARGS__})
#define tile_print_tko(after_tokens, format, ...)                                                  \
    tile_print_tko_list(after_tokens, format, (const tile[]){__VA_ARGS__})

/* Memory of this tile block: float *p = tile_alloca(float, 64); the global form may be shared. */
#define tile_alloca(type, elements) ((type *)tile_alloca_as((const type *)0, elements))
#define tile_alloca_global(type, elements)                                                         \
    ((type *)tile_alloca_global_as((const type *)0, elements))

/* ---- Making tiles ---- */

#define tile_full(value, ...) tile_full_list(value, (const long[]){__VA_ARGS__})
#define tile_zeros(type, ...) tile_zeros_list((const type *)0, (const long[]){__VA_ARGS__})
tile tile_iota(int n); /* int: 0, 1, ... n-1 */
#define tile_iota_as(type, n) tile_iota_type((const type *)0, n)

/* ---- Shapes ---- */

#define tile_reshape(t, ...)   tile_reshape_list(t, (const long[]){__VA_ARGS__})
#define tile_permute(t, ...)   tile_permute_list(t, (const long[]){__VA_ARGS__})
#define tile_broadcast(t, ...) tile_broadcast_list(t, (const long[]){__VA_ARGS__})
tile tile_expand(tile t, int dim); /* a new dimension of extent 1 at dim */
/* tile_extract(t, tile_shape(8, 8), i, j): subtile number (i, j). */
#define tile_extract(t, shape, ...)  tile_extract_list(t, shape, (const long[]){__VA_ARGS__})
#define tile_insert(t, subtile, ...) tile_insert_list(t, subtile, (const long[]){__VA_ARGS__})
tile tile_cat(tile a, tile b, int dim);

/* ---- Arithmetic, element by element; shapes broadcast as in NumPy ---- */

tile tile_add(tile a, tile b);
tile tile_sub(tile a, tile b);
tile tile_mul(tile a, tile b);
tile tile_div(tile a, tile b); /* integers: truncating, as in C */
tile tile_rem(tile a, tile b);
tile tile_ceil_div(tile a, tile b);  /* integers */
tile tile_floor_div(tile a, tile b); /* integers */
tile tile_minimum(tile a, tile b);
tile tile_maximum(tile a, tile b);
tile tile_mulhi(tile a, tile b); /* integers: the upper half of the product */
tile tile_fma(tile a, tile b, tile c);
tile tile_neg(tile a);
tile tile_abs(tile a);
tile tile_and(tile a, tile b); /* integers and masks */
tile tile_or(tile a, tile b);
tile tile_xor(tile a, tile b);
tile tile_not(tile a);
tile tile_shl(tile a, tile b);
tile tile_shr(tile a, tile b); /* arithmetic on signed elements, logical on unsigned */

tile tile_exp(tile a);
tile tile_exp2(tile a);
tile tile_log(tile a);
tile tile_log2(tile a);
tile tile_pow(tile a, tile b);
tile tile_sqrt(tile a);
tile tile_rsqrt(tile a);
tile tile_sin(tile a);
tile tile_cos(tile a);
tile tile_tan(tile a);
tile tile_sinh(tile a);
tile tile_cosh(tile a);
tile tile_tanh(tile a);
tile tile_atan2(tile y, tile x);
tile tile_ceil(tile a);
tile tile_floor(tile a);

/* Masks (tiles of bool). A NaN equals nothing, as in C. */
tile tile_eq(tile a, tile b);
tile tile_ne(tile a, tile b);
tile tile_lt(tile a, tile b);
tile tile_le(tile a, tile b);
tile tile_gt(tile a, tile b);
tile tile_ge(tile a, tile b);
tile tile_isnan(tile a);
tile tile_select(tile mask, tile yes, tile no);

#define tile_cast(t, type)    tile_cast_as(t, (const type *)0)    /* the value */
#define tile_bitcast(t, type) tile_bitcast_as(t, (const type *)0) /* the bits */
tile tile_pack(tile t);                                           /* rank-1 tile to bytes */
#define tile_unpack(t, type) tile_unpack_as(t, (const type *)0)

/* a (M x K) times b (K x N) plus acc (M x N), or all of them with a leading batch dimension. */
tile tile_mma(tile a, tile b, tile acc);
tile tile_mma_scaled(tile a, tile b, tile acc, tile a_scale, tile b_scale);

/* ---- Along one dimension ---- */

tile tile_reduce_sum(tile t, int dim); /* the dimension goes away */
tile tile_reduce_prod(tile t, int dim);
tile tile_reduce_max(tile t, int dim);
tile tile_reduce_min(tile t, int dim);
tile tile_reduce_and(tile t, int dim); /* integers and masks */
tile tile_reduce_or(tile t, int dim);
tile tile_reduce_xor(tile t, int dim);
tile tile_reduce(tile t, int dim, tile identity, tile (*combine)(tile a, tile b));
tile tile_scan_sum(tile t, int dim); /* inclusive */
tile tile_scan_prod(tile t, int dim);
tile tile_scan_max(tile t, int dim);
tile tile_scan_min(tile t, int dim);
tile tile_scan(tile t, int dim, bool reverse, tile identity, tile (*combine)(tile a, tile b));

/* ---- Numbers ---- */

int tile_to_int(tile t); /* of a tile with one element */
long tile_to_long(tile t);
float tile_to_float(tile t);
bool tile_to_bool(tile t);

#define TILE_NUMBER(function, a, b)                                                                \
    _Generic((a) + (b),                                                                            \
        int: function##_int,                                                                       \
        unsigned: function##_unsigned,                                                             \
        long: function##_long,                                                                     \
        unsigned long: function##_unsigned_long,                                                   \
        float: function##_float,                                                                   \
        double: function##_double)(a, b)
#define tile_min(a, b)  TILE_NUMBER(tile_min, a, b)
#define tile_max(a, b)  TILE_NUMBER(tile_max, a, b)
#define tile_cdiv(a, b) /* rounds up */                                                            \
    _Generic((a) + (b),                                                                            \
        int: tile_cdiv_int,                                                                        \
        unsigned: tile_cdiv_unsigned,                                                              \
        long: tile_cdiv_long,                                                                      \
        unsigned long: tile_cdiv_unsigned_long)(a, b)

/* ---- What the macros call ---- */

void tile_grid_list(const long *extents);
void tile_may_alias_list(const volatile void *const *pointers);
void tile_distinct_list(const volatile void *const *pointers);
void tile_predecessor_writes_list(const volatile void *const *pointers);
void tile_predecessor_reads_list(const volatile void *const *pointers);
tile_tensor tile_tensor_list(const volatile void *pointer, const long *shape);
tile_view tile_partition_list(tile_tensor tensor, const long *tile);
tile_view tile_partition_padded_list(tile_tensor tensor, tile_padding padding, const long *tile);
tile_view tile_gather_scatter_list(tile_tensor tensor, int sparse_dim, const long *tile);
tile_view tile_gather_scatter_padded_list(tile_tensor tensor, int sparse_dim, tile_padding padding,
                                          const long *tile);
tile tile_load_list(tile_view view, const tile *index);
tile tile_load_at_list(tile_view view, tile_order order, tile_scope scope, const tile *index);
tile tile_load_tko_list(tile_view view, const token *after_tokens, token *token_out,
                        const tile *index);
tile tile_load_tko_at_list(tile_view view, tile_order order, tile_scope scope,
                           const token *after_tokens, token *token_out, const tile *index);
void tile_store_list(tile_view view, tile value, const tile *index);
void tile_store_at_list(tile_view view, tile value, tile_order order, tile_scope scope,
                        const tile *index);
token tile_store_tko_list(tile_view view, tile value, const token *after_tokens, const tile *index);
token tile_store_tko_at_list(tile_view view, tile value, tile_order order, tile_scope scope,
                             const token *after_tokens, const tile *index);
void tile_red_list(tile_mode mode, tile_view view, tile value, tile_order order, tile_scope scope,
                   const tile *index);
token tile_red_tko_list(tile_mode mode, tile_view view, tile value, tile_order order,
                        tile_scope scope, const token *after_tokens, const tile *index);
tile tile_int_to_ptr_as(tile integers, const volatile void *type);
tile tile_ptr_cast_as(tile pointers, const volatile void *type);
token tile_join_tokens_list(const token *tokens);
void tile_join_order_list(const volatile void *pointer, const token *tokens);
void tile_print_list(const char *format, const tile *values);
token tile_print_tko_list(const token *after_tokens, const char *format, const tile *values);
void *tile_alloca_as(const volatile void *type, long elements);
void *tile_alloca_global_as(const volatile void *type, long elements);
tile tile_full_list(tile value, const long *shape);
tile tile_zeros_list(const volatile void *type, const long *shape);
tile tile_iota_type(const volatile void *type, int n);
tile tile_reshape_list(tile t, const long *shape);
tile tile_permute_list(tile t, const long *dims);
tile tile_broadcast_list(tile t, const long *shape);
tile tile_extract_list(tile t, const long *shape, const long *index);
tile tile_insert_list(tile t, tile subtile, const long *index);
tile tile_cast_as(tile t, const volatile void *type);
tile tile_bitcast_as(tile t, const volatile void *type);
tile tile_unpack_as(tile t, const volatile void *type);
int tile_min_int(int a, int b);
unsigned tile_min_unsigned(unsigned a, unsigned b);
long tile_min_long(long a, long b);
unsigned long tile_min_unsigned_long(unsigned long a, unsigned long b);
float tile_min_float(float a, float b);
double tile_min_double(double a, double b);
int tile_max_int(int a, int b);
unsigned tile_max_unsigned(unsigned a, unsigned b);
long tile_max_long(long a, long b);
unsigned long tile_max_unsigned_long(unsigned long a, unsigned long b);
float tile_max_float(float a, float b);
double tile_max_double(double a, double b);
int tile_cdiv_int(int a, int b);
unsigned tile_cdiv_unsigned(unsigned a, unsigned b);
long tile_cdiv_long(long a, long b);
unsigned long tile_cdiv_unsigned_long(unsigned long a, unsigned long b);

#endif

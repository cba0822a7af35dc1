/* Shared by the files of this room; no other room includes it. */
#ifndef INTERP_PRIVATE_H
#define INTERP_PRIVATE_H

#include "base/ds.h"
#include "interp/hooks.h"
#include "launch/floats.h"

/* ---- Section: Values ---- */

/* The elements of a tile: bit patterns, zero-extended. Shared and never changed once a second value
 * holds them. A value without cells is a tile of which nothing is known. */
typedef struct cells {
    uint32_t refs;
    bool splat;       /* bits[0] stands for every element; always so for one element */
    int64_t stored;   /* entries of bits: 1 when splat */
    uint8_t *marks;   /* per entry: 1 known, 0 unknown; NULL: all known */
    int32_t buffer;   /* pointers: the buffer of every element, NO_BUFFER: of none */
    int32_t *buffers; /* pointers: per entry; NULL: `buffer` holds for all */
    uint64_t bits[];
} cells;

#define NO_BUFFER    (-1)
#define BUFFER_UNSET INT32_MIN /* no element has been given one yet */

/* A tensor view or a tile view: which view kind it is, its type says. */
typedef struct view {
    uint32_t refs;
    bool known; /* base, shape and strides are known */
    int32_t buffer;
    int64_t base; /* byte address in the buffer */
    uint64_t shape[IR_MAX_RANK];
    uint64_t strides[IR_MAX_RANK]; /* in elements */
} view;

typedef struct ssa { /* what an SSA value holds; which of the fields, its type says */
    cells *cells;
    view *view;
    uint32_t token;
    uint32_t source; /* of elements that are not known: number of an interp_undefined, or 0 */
} ssa;

/* One tile operand while it is read: element i is bits[i * step]. */
typedef struct reader {
    const uint64_t *bits;
    const uint8_t *marks;
    const int32_t *buffers;
    int64_t step; /* 0: splat */
    int32_t buffer;
    bool unknown; /* no element is known; the pointers are NULL */
} reader;

cells *cells_new(int64_t elements, bool splat);
cells *cells_splat(uint64_t bits);
void cells_mark_unknown(cells *c, int64_t entry);
void cells_mark_all_unknown(cells *c);
void cells_set_buffer(cells *c, int64_t entry, int32_t buffer);
/* Drops what says nothing: marks that are all 1; gives NULL when they are all 0. */
tr_give cells *cells_settle(tr_take cells *c);
void cells_keep(cells *c);
void cells_drop(cells *c);
void value_keep(ssa *v);
void value_drop(ssa *v);
bool cells_equal(const cells *a, const cells *b);
reader reader_of(const cells *c);

/* These are inline, since they are called for each element of each op. */
static inline bool reader_known(const reader *r, int64_t i)
{
    return !r->unknown && (!r->marks || r->marks[i * r->step]);
}

static inline uint64_t reader_bits(const reader *r, int64_t i)
{
    return r->bits[i * r->step];
}

static inline int32_t reader_buffer(const reader *r, int64_t i)
{
    int32_t buffer = r->buffers ? r->buffers[i * r->step] : r->buffer;
    return buffer == BUFFER_UNSET ? NO_BUFFER : buffer;
}

int64_t sign_extend(uint64_t bits, int width);
uint64_t mask_to(uint64_t bits, int width);

/* ---- Section: Memory (memory.c) ---- */

#define PAGE_BYTES INTERP_PAGE_BYTES

typedef struct page {
    unsigned char data[PAGE_BYTES];
    uint64_t known[PAGE_BYTES / 64];
    uint32_t source; /* as of ssa: what was stored there last that is not known */
} page;

typedef struct page_entry {
    int64_t key;
    page *value;
} page_entry;

typedef struct memory_buffer { /* a buffer of the launch, a module global or an alloca */
    const char *name;
    int64_t bytes;
    bool unbounded;
    bool opaque;               /* at launch no byte of it is known */
    const unsigned char *data; /* borrowed from the launch; NULL: zero */
    const bool *known;
    int64_t data_bytes;
    page_entry *pages; /* stb_ds map; what was written, and what was near it */
    int64_t last_key;
    page *last_page; /* what the map has for it, once looked */
    bool looked;
    uint32_t source; /* as of page, where there is none: of memory of which nothing is known */
    int64_t sync_begin, sync_end; /* where releases were, if anywhere */
    uint32_t private_to;          /* alloca: 1 + the block whose own it is; 0: everybody's */
    uint64_t place;               /* as of interp_buffer */
} memory_buffer;

/* The number that a pointer is: in a window (concrete_pointer), or at the place that the launch
 * gave its buffer. */
uint64_t pointer_number(const interp_run *run, int32_t buffer, int64_t address);
int32_t pointer_buffer(const interp_run *run, uint64_t number);
int64_t pointer_address(const interp_run *run, uint64_t number, int32_t buffer);

int32_t memory_add(interp_run *run, memory_buffer buffer);
bool memory_may_be_known(const interp_run *run, int32_t buffer);
/* Reads `width` bytes; false when one of them is not known. */
bool memory_read(interp_run *run, int32_t buffer, int64_t address, int width, uint64_t *bits);
/* Bytes from there on that are all known, where they lie one behind the other; how many (perhaps 0)
 * is in *bytes. Until the next write; none of a run whose reads hooks answer. */
const unsigned char *memory_known_row(interp_run *run, int32_t buffer, int64_t address,
                                      int64_t *bytes);
/* Like memory_known_row(), to write to, of memory that has been written before; who changes it
 * raises run->version. */
unsigned char *memory_written_row(interp_run *run, int32_t buffer, int64_t address, int64_t *bytes);
/* The source that makes unknown bytes there undefined; 0: nothing did, as they have not been
 * stored; NO_SOURCE: nothing did. */
#define NO_SOURCE UINT32_MAX
uint32_t memory_source(const interp_run *run, int32_t buffer, int64_t address);
void memory_set_source(interp_run *run, int32_t buffer, int64_t address, uint32_t source);
/* Did both runs make this page of a buffer (bytes key * PAGE_BYTES on), the same one? */
bool memory_page_equal(const interp_run *a, const interp_run *b, int32_t buffer, int64_t key);
void memory_write(interp_run *run, int32_t buffer, int64_t address, int width, uint64_t bits,
                  bool known);

/* ---- Section: Events and tokens (events.c, tokens.c) ---- */

/* Elements of one op instance that lie one behind the other: element k is at address + k * width
 * and has number in_tile + k * step in the op's tile. */
typedef struct span {
    int64_t address;
    uint32_t instance;
    int32_t buffer;
    uint32_t count;
    uint32_t in_tile;
    uint32_t step;
    uint16_t width;
    uint16_t halves; /* 0, or which halves of its byte: memory_nibbles.c */
} span;

enum { LOW_HALF = 1, HIGH_HALF = 2 };

typedef struct instance { /* interp_instance, packed */
    const ir_op *op;
    uint32_t block;
    uint32_t node;
    uint32_t pool; /* iterations, then index tuple, in run->pool */
    uint8_t n_loops, n_index;
} instance;

typedef struct cached_instance {
    uint32_t key;
    interp_instance *value;
} cached_instance;

/* Synchronisation (sync.c). Keys have no padding: the maps hash them byte by byte. */
typedef struct order_place { /* what an op wrote */
    int64_t address;
    int32_t buffer;
    int32_t width;
    bool certain; /* it did write */
} order_place;
typedef struct sync_head { /* a release; or, with scope for all, several */
    uint32_t node;
    uint32_t block;
    ir_scope scope;
    uint32_t reached; /* of a release: the last write that was found to be token-after it; or 0 */
} sync_head;
typedef struct sync_write { /* a write that an acquirer can observe releases by */
    int64_t address;
    int32_t width;
    uint32_t block;
    ir_ordering ordering;
    ir_scope scope;
    sync_head *heads; /* stb_ds */
} sync_write;
typedef struct sync_byte {
    int64_t address;
    int64_t buffer;
} sync_byte;
typedef struct sync_byte_entry {
    sync_byte key;
    uint32_t value; /* 1 + index into sync_writes */
} sync_byte_entry;
typedef struct sync_own {
    int64_t address;
    int32_t buffer;
    int32_t width;
    int64_t block;
} sync_own;
typedef struct sync_own_entry {
    sync_own key;
    sync_head *value; /* stb_ds: the block's releases to the place, in order */
} sync_own_entry;

#define EDGE_SYNCHRONISES 0x80000000u /* an edge of the node graph that is sw, not a token */

/* ---- Section: One execution ---- */

/* Results that are computed when they are first asked for. They lie behind a pointer, since the
 * questions take a const run. */
typedef struct lazy {
    interp_event *events; /* stb_ds */
    bool listed;
    cached_instance *cache; /* stb_ds map */
    /* The last search backwards in the node graph: its end, how far back, and what it met. */
    uint32_t *stamps; /* stb_ds */
    uint32_t *stack;  /* stb_ds */
    uint32_t epoch;
    uint32_t last_later, last_low;
    bool last_synchronisation, last_valid;
    bool races_cut_short;
    uint64_t visited;    /* nodes, by all searches */
    uint32_t searches;   /* after many, all is found out at once: */
    uint64_t **above[2]; /* stb_ds: per node, bits of the nodes before it; by tokens, and by
                            synchronisation too. In the run's arena */
} lazy;

struct interp_run {
    tr_arena *arena;
    interp_status status;
    const char *why;
    const ir_op *where;

    const ir_function *kernel; /* while it runs: of the block at hand */
    int64_t grid[3];           /* the same */
    const interp_before *before;
    const ir_module *module; /* of the launch's kernel */
    model_choices choices;
    interp_limits limits;
    uint64_t steps;

    /* State during a run. */
    uint8_t room_of[IR_OP_COUNT]; /* 1 + which of the op rooms knows an op; 0: not asked yet */
    ssa *values;                  /* by ir_value id */
    uint32_t block;
    int64_t block_id[3];
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
    int64_t lanes;    /* elements that a scalar of a reduce or scan body stands for; else 1 */
    uint32_t depth;   /* of nested regions */
    uint64_t version; /* counts changes of memory */
    uint64_t pages;
    span *touched;        /* stb_ds: the elements of the memory op being executed */
    bool backwards;       /* its elements take effect last first */
    uint32_t *sync_edges; /* stb_ds: releases that the op being executed has observed */
    order_place *written; /* stb_ds: locations it wrote, where that matters to synchronisation */

    memory_buffer *buffers; /* stb_ds */
    size_t n_launch_buffers;
    bool has_places;  /* some of them have */
    int32_t *globals; /* stb_ds: buffer of the i-th global of the module, or NO_BUFFER */

    sync_byte_entry *sync_bytes; /* stb_ds map */
    sync_write *sync_writes;     /* stb_ds */
    sync_own_entry *sync_owns;   /* stb_ds map */
    bool narrow, narrow_known;   /* some op synchronises within its block only */

    interp_undefined *undefined;   /* stb_ds: number n is undefined[n - 1] */
    interp_unknown_store *unknown; /* stb_ds */
    tr_text printed;
    interp_print *prints;    /* stb_ds */
    uint32_t loaded_source;  /* of the load that was performed last */
    uint32_t stopped_source; /* of what the run could not decide */

    uint32_t reserved_node; /* of the op being performed, made earlier; 0: none */
    struct task *task; /* schedule_private.h: the block's, where blocks take turns; else NULL */

    /* Result. */
    struct interp_step *steps_taken; /* stb_ds: of a scheduled run */
    int64_t (*coordinates)[3];       /* stb_ds: of blocks that were given by coordinates; or NULL */
    span *spans;                     /* stb_ds */
    uint64_t n_events;
    instance *instances; /* stb_ds */
    int64_t *pool;       /* stb_ds */
    uint32_t *node_end;  /* stb_ds: edges of node n are edges[node_end[n-1] .. node_end[n]) */
    uint32_t *waits;     /* stb_ds: nodes of waits for the kernel before */
    uint32_t *edges;     /* stb_ds: earlier nodes, perhaps with EDGE_SYNCHRONISES */
    interp_ub *ubs;      /* stb_ds */
    uint64_t ubs_total;

    lazy *lazy;
    const interp_hooks *hooks; /* asked while it runs; NULL: nobody is */
};

/* Synchronisation (sync.c): before an op reads an element, after it wrote one, and when its
 * instance has its node. */
void sync_read(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width);
void sync_wrote(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width,
                bool certain);
void sync_publish(interp_run *run, const ir_op *op, uint32_t node);
void sync_forget(interp_run *run);

/* Ends the run; the first call wins. */
void machine_stop(interp_run *run, interp_status status, const ir_op *op, const char *format, ...)
    TR_PRINTF(4, 5);
bool machine_stopped(const interp_run *run);
/* Counts work; ends the run when it was too much. */
bool machine_step(interp_run *run, const ir_op *op, uint64_t elements);
void machine_note(interp_run *run, interp_ub_kind kind, const ir_op *op, int dimension,
                  int64_t value, int64_t bound);

ssa *machine_value(interp_run *run, const ir_value *v);
reader machine_reader(interp_run *run, const ir_value *v);
/* Elements of a tile type, lanes included. */
int64_t machine_elements(const interp_run *run, const ir_type *type);
void machine_set_cells(interp_run *run, const ir_value *v, tr_give cells *c);
void machine_set_view(interp_run *run, const ir_value *v, tr_give view *w);
void machine_set_token(interp_run *run, const ir_value *v, uint32_t token);
/* Sets the value as the run_set_* function does that its type asks for; keeps what it is given. */
void machine_set(interp_run *run, const ir_value *v, const ssa *from);
/* A scalar operand's bits; ends the run as undecided when they are not known. */
bool machine_scalar(interp_run *run, const ir_op *op, const ir_value *v, const char *what,
                    uint64_t *bits);

/* Values that are not defined (undefined.c). The number of what makes them so, made where it is
 * needed: one for each op and kind. */
uint32_t undefined_source(interp_run *run, interp_undefined_kind kind, const ir_op *op,
                          int32_t buffer, int64_t address);
/* Called after an op: what is not known of its results is so by its operands. Of a run with
 * values. */
void undefined_pass_on(interp_run *run, const ir_op *op);
void undefined_store(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width,
                     uint32_t source);

uint32_t tokens_node(interp_run *run, size_t n, const uint32_t *earlier);
/* Earlier: by tokens, or by tokens and synchronisation. */
bool tokens_reach(const interp_run *run, uint32_t earlier, uint32_t later, bool synchronisation);

/* Adds elements that the op being executed touches: `count` of `width` bytes each, one behind the
 * other from `address` on. The first has the number in_tile in the op's tile, each other one `step`
 * more than the one before. */
void events_touch(interp_run *run, int32_t buffer, int64_t address, int width, uint32_t count,
                  uint32_t in_tile, uint32_t step);
/* Records the touched elements as one instance of the op. Returns its node in the token order, or
 * `token_in` if no element is touched. */
uint32_t events_commit(interp_run *run, const ir_op *op, int n_index, const int64_t *index,
                       uint32_t token_in);

/* ---- Section: Ops ---- */

typedef enum flow { FLOW_NEXT, FLOW_YIELD, FLOW_CONTINUE, FLOW_BREAK, FLOW_RETURN, FLOW_STOP } flow;

/* How a region ended: by which terminator. */
typedef struct ending {
    flow flow;
    const ir_op *terminator;
} ending;

/* Executes the block that the run is set to. */
void machine_block_body(interp_run *run, const interp_arg *args);
void machine_forget_allocas(interp_run *run, uint32_t block);
void machine_delinearise(const int64_t grid[3], uint64_t linear, int64_t id[3]);

ending machine_region(interp_run *run, const ir_block *block);

/* Each executes one op and says whether the op is one of its own. */
bool ops_integer(interp_run *run, const ir_op *op);
bool ops_float(interp_run *run, const ir_op *op);
bool ops_shape(interp_run *run, const ir_op *op);
bool ops_fold(interp_run *run, const ir_op *op);
bool ops_mma(interp_run *run, const ir_op *op);
bool ops_view(interp_run *run, const ir_op *op);
bool ops_memory(interp_run *run, const ir_op *op);
/* print_tko, but for its token (ops_print.c). */
void ops_print(interp_run *run, const ir_op *op);
/* Does an op of this code work element by element, on lanes too? */
bool ops_is_integer_elementwise(ir_opcode code);
bool ops_is_float_elementwise(ir_opcode code);
/* Tile dimension i of a tile view: the tensor dimension it runs along, how far one index goes in
 * elements, and how many indices there are (memory-model.md 3). */
int view_tensor_dimension(const ir_type *type, int i);
uint64_t view_step(const ir_type *type, int i);
uint64_t view_index_space(const ir_type *type, const view *w, int i);
/* A tile of this shape whose element at coordinates c is source[base + sum c[d] * strides[d]]. */
tr_give cells *cells_remap(const cells *source, int rank, const int64_t *shape,
                           const int64_t *strides, int64_t base);
/* Strides of a row-major array. */
void row_major(int rank, const int64_t *shape, int64_t *strides);

/* Reads an attribute's constant data into the cells of a tile. */
tr_give cells *constant_cells(const ir_attr *attr, const ir_type *elem);

#endif

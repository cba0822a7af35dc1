/* Makes up the kernel that may still run when the launch begins (programmatic dependent launch):
 * one that reads and writes what the contract says, so that runs can show its races with the
 * launch. */
#include "launch/predecessor.h"

#include "base/ds.h"
#include "launch/floats.h"

enum {
    TILE = 256,           /* elements that the made-up kernel reads or writes at once */
    UNKNOWN_BYTES = 4096, /* that it reaches of a buffer whose end nobody knows */
};

typedef struct writer { /* writes the made-up kernel */
    tr_arena *arena;
    ir_module *module;
    const ir_function *successor;
    const contract *contract;
    const concrete_launch *launch;
    ir_builder b;
    interp_arg *args;       /* stb_ds */
    const ir_type **types;  /* stb_ds: of its parameters */
    interp_buffer *buffers; /* stb_ds: those of the launch, then its own */
} writer;

typedef struct place { /* consecutive elements, from the address in a parameter on */
    uint32_t param;    /* of the made-up kernel */
    ir_type_kind elem;
    int64_t elements;
} place;

/* Finds the first argument of the launch that points into the buffer of that name, and passes it to
 * the made-up kernel as well. False: there is none, or it points to no whole element. */
static bool find_place(writer *w, const char *name, place *p)
{
    for (size_t i = 0; i < w->launch->n_args; i++) {
        const interp_arg *arg = &w->launch->args[i];
        const ir_type *type = w->successor->body->args[i]->type;
        if (arg->buffer < 0 || strcmp(w->launch->buffers[arg->buffer].name, name) != 0 ||
            type->elem->kind != IR_POINTER || type->elem->elem->kind == IR_POINTER)
            continue;
        const interp_buffer *b = &w->launch->buffers[arg->buffer];
        int64_t bytes = b->unbounded ? UNKNOWN_BYTES : b->bytes - arg->value;
        p->elem = type->elem->elem->kind;
        p->elements = bytes * 8 / ir_type_bits(type->elem->elem);
        p->param = (uint32_t)arrlen(w->args);
        if (p->elements > 0)
            arrput(w->args, *arg);
        return p->elements > 0;
    }
    return false;
}

/* Makes a place as long as `like`, in a new buffer that only the made-up kernel has. */
static place own_place(writer *w, const char *name, const place *like)
{
    int64_t bits = ir_type_bits(ir_type_scalar(w->module, like->elem));
    interp_buffer kept = {.name =
                              tr_arena_printf(w->arena, "%s as the preceding kernel read it", name),
                          .bytes = (like->elements * bits + 7) / 8};
    interp_arg arg = {.buffer = (int)arrlen(w->buffers)};
    place p = {(uint32_t)arrlen(w->args), like->elem, like->elements};
    arrput(w->buffers, kept);
    arrput(w->args, arg);
    return p;
}

/* ---- Section: Ops. Each function adds ops at the end of w->b.block. ---- */

/* Adds an op with one result, and returns that. */
static ir_value *value_of(writer *w, ir_opcode code, const ir_operand_list *groups,
                          const ir_type *type)
{
    return &ir_build(&w->b, code, groups, 1, &type, NULL)->results[0];
}

/* Adds a constant of a tile type, all of whose elements have these bits. */
static ir_value *number(writer *w, const ir_type *type, uint64_t bits)
{
    ir_value *v = value_of(w, IR_OP_CONSTANT, NULL, type);
    int bytes = ir_type_bytes(type->elem);
    unsigned char *data = tr_arena_alloc(w->arena, 8);
    for (int i = 0; i < bytes; i++)
        data[i] = (unsigned char)(bits >> (8 * i));
    v->def->attrs[IR_AT_CONSTANT_value] = (ir_attr){.kind = IR_ATTR_DENSE,
                                                    .type = type,
                                                    .bytes = data,
                                                    .n_bytes = (size_t)bytes,
                                                    .splat = true};
    return v;
}

/* Adds a view that cuts a place into tiles of TILE elements. */
static ir_value *view_of(writer *w, const place *p)
{
    const int64_t shape[] = {p->elements}, stride[] = {1}, tile[] = {TILE};
    const ir_type *elem = ir_type_scalar(w->module, p->elem);
    const ir_type *tensor = ir_type_tensor_view(w->module, elem, 1, shape, stride);
    ir_value *base = w->b.function->body->args[p->param];
    ir_operand_list groups[] = {{&base, 1}, {NULL, 0}, {NULL, 0}};
    ir_value *t = value_of(w, IR_OP_MAKE_TENSOR_VIEW, groups, tensor);
    const int32_t map[] = {0};
    ir_operand_list of = {&t, 1};
    return value_of(w, IR_OP_MAKE_PARTITION_VIEW, &of,
                    ir_type_partition_view(w->module, tensor, 1, tile, map, IR_PAD_NONE));
}

static void store(writer *w, ir_value *in, ir_value *tile, ir_value *index)
{
    const ir_type *token = ir_type_token(w->module);
    ir_operand_list groups[] = {{&tile, 1}, {&in, 1}, {&index, 1}, {NULL, 0}};
    ir_op *op = ir_build(&w->b, IR_OP_STORE_VIEW_TKO, groups, 1, &token, NULL);
    ir_set_int(op, IR_AT_STORE_VIEW_TKO_memory_ordering_semantics, IR_WEAK);
}

/* Returns the tile that is loaded. */
static ir_value *load(writer *w, ir_value *from, ir_value *index)
{
    const int64_t shape[] = {TILE};
    const ir_type *types[] = {ir_type_tile(w->module, from->type->tensor->elem, 1, shape),
                              ir_type_token(w->module)};
    ir_operand_list groups[] = {{&from, 1}, {&index, 1}, {NULL, 0}};
    ir_op *op = ir_build(&w->b, IR_OP_LOAD_VIEW_TKO, groups, 2, types, NULL);
    ir_set_int(op, IR_AT_LOAD_VIEW_TKO_memory_ordering_semantics, IR_WEAK);
    return &op->results[0];
}

/* Adds a tile of the value that the made-up kernel stores. Of floats it is 3, since concrete_fill()
 * gives numbers between -2 and 2; of integers, and of types without a 3, it has the bits of 1. */
static ir_value *stored_tile(writer *w, const place *to)
{
    const int64_t shape[] = {TILE};
    const ir_type *elem = ir_type_scalar(w->module, to->elem);
    uint64_t bits;
    if (!ir_type_is_float(elem) || !float_encode(to->elem, 3, &bits))
        bits = 1;
    return number(w, ir_type_tile(w->module, elem, 1, shape), bits);
}

typedef struct tile_loop {
    ir_block *outer; /* goes on after the loop */
    ir_value *index; /* of the tile, in the body */
} tile_loop;

/* Adds a loop over n tiles. Until end_loop(), ops are added to its body. */
static tile_loop begin_loop(writer *w, int64_t n)
{
    const ir_type *i64 = ir_type_tile(w->module, ir_type_scalar(w->module, IR_I64), 0, NULL);
    ir_value *low = number(w, i64, 0), *high = number(w, i64, (uint64_t)n),
             *step = number(w, i64, 1);
    ir_operand_list groups[] = {{&low, 1}, {&high, 1}, {&step, 1}, {NULL, 0}};
    ir_op *op = ir_build(&w->b, IR_OP_FOR, groups, 0, NULL, NULL);
    ir_block *body = ir_block_new(w->module, w->b.function, 1, &i64);
    ir_set_region(op, IR_RG_FOR_body, body);
    tile_loop loop = {.outer = w->b.block, .index = body->args[0]};
    w->b.block = body;
    return loop;
}

static void end_loop(writer *w, const tile_loop *loop)
{
    ir_build(&w->b, IR_OP_CONTINUE, NULL, 0, NULL, NULL);
    w->b.block = loop->outer;
}

/* Adds a loop that copies `from` to `to`, as long as it is; NULL: that fills `to`. */
static void sweep(writer *w, const place *to, const place *from)
{
    ir_value *target = view_of(w, to), *source = from ? view_of(w, from) : NULL;
    tile_loop loop = begin_loop(w, (to->elements + TILE - 1) / TILE);
    ir_value *tile = source ? load(w, source, loop.index) : stored_tile(w, to);
    store(w, target, tile, loop.index);
    end_loop(w, &loop);
}

/* ---- Section: The kernel ---- */

static const ir_type *parameter_type(writer *w, const place *p)
{
    const ir_type *pointer = ir_type_pointer(w->module, ir_type_scalar(w->module, p->elem));
    return ir_type_tile(w->module, pointer, 0, NULL);
}

typedef struct job { /* a sweep of the made-up kernel */
    place to, from;
    bool reads; /* copies from `from`; false: fills `to` */
} job;

/* Lists what the contract says the preceding kernel reads and writes, and its parameters. */
static void find_jobs(writer *w, job **jobs)
{
    const contract_predecessor *p = &w->contract->predecessor;
    for (size_t i = 0; i < p->n_reads; i++) {
        job j = {.reads = true};
        if (!find_place(w, p->reads[i], &j.from))
            continue;
        j.to = own_place(w, p->reads[i], &j.from);
        arrput(*jobs, j);
        arrput(w->types, parameter_type(w, &j.from));
        arrput(w->types, parameter_type(w, &j.to));
    }
    for (size_t i = 0; i < p->n_writes; i++) {
        job j = {.reads = false};
        if (!find_place(w, p->writes[i], &j.to))
            continue;
        arrput(*jobs, j);
        arrput(w->types, parameter_type(w, &j.to));
    }
}

static ir_function *write_kernel(writer *w, const job *jobs)
{
    uint32_t n = (uint32_t)arrlen(w->types);
    ir_function *f = ir_function_add(w->module, "kernel_before",
                                     ir_type_function(w->module, (int)n, w->types, 0, NULL));
    f->is_entry = true;
    if (!f->body)
        f->body = ir_block_new(w->module, f, n, w->types);
    w->b = (ir_builder){.module = w->module, .function = f, .block = f->body};
    for (ptrdiff_t i = 0; i < arrlen(jobs); i++)
        sweep(w, &jobs[i].to, jobs[i].reads ? &jobs[i].from : NULL);
    ir_build(&w->b, IR_OP_RETURN, NULL, 0, NULL, NULL);
    ir_renumber(f);
    return f;
}

static void *kept_copy(tr_arena *arena, const void *array, size_t bytes)
{
    void *copy = tr_arena_alloc(arena, bytes + 1);
    if (bytes)
        memcpy(copy, array, bytes);
    return copy;
}

const concrete_launch *concrete_with_predecessor(tr_arena *arena, ir_module *module,
                                                 const ir_function *kernel, const contract *c,
                                                 const concrete_launch *launch)
{
    if (!c || !c->pdl || launch->before)
        return launch;
    writer w = {
        .arena = arena, .module = module, .successor = kernel, .contract = c, .launch = launch};
    for (size_t i = 0; i < launch->n_buffers; i++)
        arrput(w.buffers, launch->buffers[i]);
    job *jobs = NULL;
    find_jobs(&w, &jobs);
    concrete_launch *both = tr_arena_copy(arena, launch, sizeof *launch);
    if (arrlen(jobs)) {
        interp_before *before = TR_NEW(arena, interp_before);
        *before =
            (interp_before){.kernel = write_kernel(&w, jobs),
                            .grid = {1, 1, 1},
                            .n_args = arrlenu(w.args),
                            .args = kept_copy(arena, w.args, sizeof w.args[0] * arrlenu(w.args))};
        both->before = before;
        both->n_buffers = arrlenu(w.buffers);
        both->buffers = kept_copy(arena, w.buffers, sizeof w.buffers[0] * arrlenu(w.buffers));
    }
    arrfree(jobs);
    arrfree(w.args);
    arrfree(w.types);
    arrfree(w.buffers);
    return both;
}

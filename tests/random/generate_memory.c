/* Views, tokens and accesses. */
#include "generate_private.h"

/* ---- Tokens ---- */

void use_token(generator *g, val token)
{
    if (g->in.n_tokens < MAX_TOKENS)
        g->tokens[g->in.n_tokens++] = token;
}

static val some_token(generator *g)
{
    return g->in.n_tokens ? g->tokens[choose(g->c, (uint32_t)g->in.n_tokens)] : NULL;
}

/* The chain's token, or one that leaves a hole. */
val any_token(generator *g)
{
    if (!chance(g->c, g->holes))
        return g->in.token;
    switch (choose(g->c, 4)) {
    case 0:
        return NULL;
    case 1:
        return make_token(&g->b);
    case 2:
        return some_token(g);
    default: {
        val a = some_token(g), b = some_token(g);
        return a && b ? join(&g->b, a, b) : NULL;
    }
    }
}

/* What a region passes on of its tokens. */
val carried_token(generator *g, val before)
{
    if (!chance(g->c, g->holes))
        return g->in.token;
    val some = some_token(g);
    return chance(g->c, 50) || !some ? before : some;
}

static void after_access(generator *g, ir_op *op, bool reads)
{
    val token = token_of(op);
    use_token(g, token);
    if (chance(g->c, g->holes) && chance(g->c, 50))
        return;
    bool forked = reads && chance(g->c, 40);
    g->in.token = forked ? join(&g->b, g->in.token, token) : token;
}

/* ---- Order and scope ---- */

typedef enum kind { LOAD, STORE, UPDATE, REDUCE } kind;

static how any_how(generator *g, kind k)
{
    static const ir_scope scopes[] = {IR_SCOPE_DEVICE, IR_SCOPE_TL_BLK, IR_SCOPE_SYS};
    if (k < UPDATE && !chance(g->c, g->scoped))
        return (how){IR_WEAK, IR_SCOPE_NONE};
    how h = {IR_RELAXED, scopes[choose(g->c, k == REDUCE ? 2 : 3)]};
    static const ir_ordering updates[] = {IR_ACQ_REL, IR_ACQUIRE, IR_RELEASE};
    if (g->synchronises && k != REDUCE && chance(g->c, 40))
        h.ordering = k == LOAD    ? IR_ACQUIRE
                     : k == STORE ? IR_RELEASE
                                  : updates[choose(g->c, TR_COUNT(updates))];
    return h;
}

/* ---- Views ---- */

static const buffer *any_buffer(generator *g)
{
    for (int tries = 0; tries < 3; tries++) {
        const buffer *b = &g->buffers[choose(g->c, (uint32_t)g->in.n_buffers)];
        if (!b->index)
            return b;
    }
    return &g->buffers[0];
}

static int64_t tile_extent(generator *g)
{
    static const int64_t extents[] = {1, 2, 4};
    return extents[choose(g->c, 3)];
}

typedef struct extents { /* of a tensor, constant or not */
    int64_t stated[IR_MAX_RANK];
    val given[IR_MAX_RANK];
} extents;

static val value_of(generator *g, const extents *e, int d)
{
    return e->stated[d] == IR_DYNAMIC ? e->given[d] : scalar(g, e->stated[d]);
}

static void state(extents *e, int d, int64_t value)
{
    e->stated[d] = value;
}

static void give(extents *e, int d, val value)
{
    e->stated[d] = IR_DYNAMIC;
    e->given[d] = value;
}

static void make_shape(generator *g, int rank, extents *shape)
{
    for (int d = 0; d < rank; d++) {
        if (!chance(g->c, 50)) {
            state(shape, d, 8 - choose(g->c, 8));
            continue;
        }
        val v = any_int(g, 1);
        if (chance(g->c, 50))
            v = product(g, v, scalar(g, choose_between(g->c, 1, 4)));
        give(shape, d, v);
    }
}

static void make_strides(generator *g, int rank, const extents *shape, extents *strides)
{
    bool columns = chance(g->c, 10);
    val taken = NULL;
    int64_t known = 1;
    for (int i = 0; i < rank; i++) {
        int d = columns ? i : rank - 1 - i;
        if (chance(g->c, 15)) {
            if (chance(g->c, 50))
                state(strides, d, choose_between(g->c, 1, 6));
            else
                give(strides, d, any_int(g, 1));
        } else if (taken) {
            give(strides, d, taken);
        } else {
            state(strides, d, known);
        }
        if (shape->stated[d] == IR_DYNAMIC || taken)
            taken = product(g, value_of(g, shape, d), taken ? taken : scalar(g, known));
        else
            known *= shape->stated[d];
    }
}

static val make_tensor(generator *g, const buffer *on, int rank)
{
    extents shape = {{0}, {0}}, strides = {{0}, {0}};
    make_shape(g, rank, &shape);
    make_strides(g, rank, &shape, &strides);
    val base = on->pointer, sizes[IR_MAX_RANK], steps[IR_MAX_RANK];
    if (chance(g->c, 20)) {
        val by = any_int(g, 1);
        base = &op_of(&g->b, IR_OP_OFFSET, 1, &base->type, base, by)->results[0];
    }
    uint32_t n_sizes = 0, n_steps = 0;
    for (int d = 0; d < rank; d++) {
        if (shape.stated[d] == IR_DYNAMIC)
            sizes[n_sizes++] = shape.given[d];
        if (strides.stated[d] == IR_DYNAMIC)
            steps[n_steps++] = strides.given[d];
    }
    const ir_type *type = ir_type_tensor_view(g->b.module, base->type->elem->elem, rank,
                                              shape.stated, strides.stated);
    ir_operand_list groups[] = {{&base, 1}, {sizes, n_sizes}, {steps, n_steps}};
    return &ir_build(&g->b, IR_OP_MAKE_TENSOR_VIEW, groups, 1, &type, NULL)->results[0];
}

static val make_view(generator *g, val tensor)
{
    static const unsigned weights[] = {70, 15, 15, 0};
    ir_module *m = g->b.module;
    int rank = tensor->type->rank;
    int64_t tile[IR_MAX_RANK], steps[IR_MAX_RANK];
    int32_t map[IR_MAX_RANK];
    bool swapped = rank > 1 && chance(g->c, 15);
    for (int i = 0; i < rank; i++) {
        tile[i] = tile_extent(g);
        map[i] = swapped ? rank - 1 - i : i;
    }
    ir_padding padding = chance(g->c, 20) ? IR_PAD_ZERO : IR_PAD_NONE;
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return unary(&g->b, IR_OP_MAKE_PARTITION_VIEW,
                     ir_type_partition_view(m, tensor->type, rank, tile, map, padding), tensor);
    case 1:
        for (int i = 0; i < rank; i++)
            steps[i] = choose_between(g->c, 1, 4);
        return unary(&g->b, IR_OP_MAKE_STRIDED_VIEW,
                     ir_type_strided_view(m, tensor->type, rank, tile, steps, map, padding),
                     tensor);
    default:
        return unary(&g->b, IR_OP_MAKE_GATHER_SCATTER_VIEW,
                     ir_type_gather_scatter_view(m, tensor->type, rank, tile,
                                                 (int)choose(g->c, (uint32_t)rank), padding),
                     tensor);
    }
}

static val new_view(generator *g)
{
    static const unsigned weights[] = {60, 35, 5, 0};
    const buffer *on = any_buffer(g);
    val view = make_view(g, make_tensor(g, on, 1 + (int)choose_weighted(g->c, weights)));
    if (g->in.n_views < MAX_VIEWS)
        g->views[g->in.n_views++] = view;
    return view;
}

void make_views(generator *g)
{
    for (int n = (int)choose(g->c, 4); n > 0; n--)
        new_view(g);
}

/* ---- Indices ---- */

static val within_space(generator *g, val e, val space, unsigned way)
{
    if (way == 1) {
        val last = arithmetic(&g->b, IR_OP_SUBI, space, scalar(g, 1), IR_NSW);
        val low = binary(&g->b, IR_OP_MAXI, e, scalar(g, 0));
        ir_set_int(low->def, IR_AT_MAXI_signedness, IR_SIGNED);
        val v = binary(&g->b, IR_OP_MINI, low, last);
        ir_set_int(v->def, IR_AT_MINI_signedness, IR_SIGNED);
        return v;
    }
    val v = binary(&g->b, IR_OP_REMI, e, space);
    ir_set_int(v->def, IR_AT_REMI_signedness, chance(g->c, 30) ? IR_UNSIGNED : IR_SIGNED);
    return v;
}

typedef struct guard { /* an if around an access */
    bool open;
    ir_op *op;
    ir_block *outer;
    scope before;
} guard;

static void open_guard(generator *g, guard *gd, val condition)
{
    const ir_type *type = ir_type_token(g->b.module);
    ir_operand_list group = {&condition, 1};
    gd->open = true;
    gd->outer = g->b.block;
    gd->before = g->in;
    gd->op = ir_build(&g->b, IR_OP_IF, &group, 1, &type, (uint32_t[]){1});
    ir_block *body = ir_block_new(g->b.module, g->b.function, 0, NULL);
    ir_set_region(gd->op, IR_RG_IF_then, body);
    g->b.block = body;
}

static void close_guard(generator *g, guard *gd)
{
    if (!gd->open)
        return;
    val token = carried_token(g, gd->before.token);
    end_block(&g->b, IR_OP_YIELD, 1, &token);
    ir_block *other = ir_block_new(g->b.module, g->b.function, 0, NULL);
    ir_set_region(gd->op, IR_RG_IF_else, other);
    g->b.block = other;
    end_block(&g->b, IR_OP_YIELD, 1, &gd->before.token);
    g->b.block = gd->outer;
    g->in = gd->before;
    g->in.token = &gd->op->results[0];
    use_token(g, g->in.token);
}

static void make_indices(generator *g, val view, val *index, guard *gd)
{
    static const unsigned ways[] = {15, 20, 15, 50, 0};
    const ir_type *type = view->type;
    const ir_type *types[IR_MAX_RANK];
    bool gather = type->kind == IR_GATHER_SCATTER_VIEW;
    unsigned way = gather ? 0 : choose_weighted(g->c, ways);
    val *space = NULL;
    if (way) {
        for (int i = 0; i < type->rank; i++)
            types[i] = tile_of(&g->b, g->elem, 0, NULL);
        ir_operand_list group = {&view, 1};
        ir_op *shape = ir_build(&g->b, IR_OP_GET_INDEX_SPACE_SHAPE, &group, (uint32_t)type->rank,
                                types, (uint32_t[]){(uint32_t)type->rank});
        space = TR_NEW_ARRAY(g->b.module->arena, val, type->rank);
        for (int i = 0; i < type->rank; i++)
            space[i] = &shape->results[i];
    }
    val inside = NULL;
    for (int i = 0; i < type->rank; i++) {
        if (gather && i == type->sparse_dim) {
            index[i] = any_offsets(g, 1, &type->shape[i]);
            continue;
        }
        index[i] = i && chance(g->c, 50) ? scalar(g, 0) : any_index(g);
        if (way == 1 || way == 2)
            index[i] = within_space(g, index[i], space[i], way);
        if (way == 3) {
            val low = compare(&g->b, IR_LE, IR_SIGNED, scalar(g, 0), index[i]);
            val high = compare(&g->b, IR_LT, IR_SIGNED, index[i], space[i]);
            val both = binary(&g->b, IR_OP_ANDI, low, high);
            inside = inside ? binary(&g->b, IR_OP_ANDI, inside, both) : both;
        }
    }
    if (inside)
        open_guard(g, gd, inside);
}

/* ---- Accesses ---- */

static val data_of(generator *g, const ir_type *type)
{
    if (ir_type_is_int(type->elem) && type->elem->kind == g->elem && chance(g->c, 30))
        return spread(&g->b, any_int(g, 1), type->rank, type->shape);
    return zeros(&g->b, type);
}

/* Loaded integers may be used as indices. */
static void keep_loaded(generator *g, val loaded)
{
    if (!ir_type_is_int(loaded->type->elem))
        return;
    if (loaded->type->rank == 0)
        use_int(g, as_elem(g, loaded, g->elem));
    else
        use_tile(g, loaded);
}

static kind any_kind(generator *g, ir_type_kind elem)
{
    static const unsigned weights[] = {50, 35, 15, 0};
    static const kind kinds[] = {STORE, LOAD, UPDATE};
    kind k = kinds[choose_weighted(g->c, weights)];
    return k == UPDATE && elem != IR_I32 && elem != IR_F32 ? STORE : k;
}

static void by_view(generator *g)
{
    bool fresh = g->in.n_views == 0 || chance(g->c, 15);
    val view = fresh ? new_view(g) : g->views[choose(g->c, (uint32_t)g->in.n_views)];
    const ir_type *type = view->type;
    const ir_type *tile = ir_type_tile(g->b.module, type->tensor->elem, type->rank, type->shape);
    val index[IR_MAX_RANK];
    guard gd = {0};
    kind k = any_kind(g, type->tensor->elem->kind);
    if (k == UPDATE && (type->kind == IR_GATHER_SCATTER_VIEW || type->padding != IR_PAD_NONE ||
                        type->tensor->elem->kind != IR_I32))
        k = STORE;
    make_indices(g, view, index, &gd);
    how h = any_how(g, k == UPDATE ? REDUCE : k);
    val token = any_token(g);
    ir_op *op = k == LOAD    ? load_view(&g->b, h, view, index, token)
                : k == STORE ? store_view(&g->b, h, view, data_of(g, tile), index, token)
                             : reduce_view(&g->b, h, view, data_of(g, tile), index, token);
    after_access(g, op, k == LOAD);
    if (k == LOAD)
        keep_loaded(g, &op->results[0]);
    close_guard(g, &gd);
}

/* Sometimes of another element type, or one of two buffers'. */
static val any_pointer(generator *g)
{
    static const ir_type_kind others[] = {IR_I8, IR_I16, IR_I32};
    const buffer *on = any_buffer(g);
    val p = on->pointer;
    if (chance(g->c, 8)) {
        const buffer *other = any_buffer(g);
        if (other->pointer->type == p->type)
            p = select_of(&g->b, any_condition(g), p, other->pointer);
    }
    if (chance(g->c, 8)) {
        const ir_type *pointee = ir_type_scalar(g->b.module, others[choose(g->c, 3)]);
        const ir_type *type =
            ir_type_tile(g->b.module, ir_type_pointer(g->b.module, pointee), 0, NULL);
        if (type != p->type)
            p = unary(&g->b, IR_OP_PTR_TO_PTR, type, p);
    }
    return p;
}

static ir_atomic_mode any_mode(generator *g)
{
    static const unsigned weights[] = {60, 10, 10, 5, 5, 5, 5, 0};
    static const ir_atomic_mode modes[] = {IR_ATOMIC_ADD, IR_ATOMIC_XCHG, IR_ATOMIC_OR,
                                           IR_ATOMIC_AND, IR_ATOMIC_MAX,  IR_ATOMIC_UMIN,
                                           IR_ATOMIC_XOR};
    return modes[choose_weighted(g->c, weights)];
}

static void by_pointers(generator *g)
{
    static const unsigned ranks[] = {25, 55, 20, 0};
    int rank = (int)choose_weighted(g->c, ranks);
    int64_t shape[2] = {tile_extent(g), rank > 1 ? tile_extent(g) : 1};
    val base = any_pointer(g);
    val offsets = any_offsets(g, rank, shape);
    val p = spread(&g->b, base, rank, shape);
    p = &op_of(&g->b, IR_OP_OFFSET, 1, &p->type, p, offsets)->results[0];
    val mask = chance(g->c, 50) ? any_mask(g, offsets) : NULL;
    const ir_type *elem = p->type->elem->elem;
    const ir_type *tile = ir_type_tile(g->b.module, elem, rank, shape);
    kind k = any_kind(g, elem->kind);
    if (k == UPDATE && elem->kind != IR_I32)
        k = STORE;
    how h = any_how(g, k);
    val token = any_token(g), data = k == LOAD ? NULL : data_of(g, tile);
    ir_op *op;
    if (k == LOAD)
        op = load_pointer(&g->b, h, p, mask, mask && chance(g->c, 50) ? zeros(&g->b, tile) : NULL,
                          token);
    else if (k == STORE)
        op = store_pointer(&g->b, h, p, data, mask, token);
    else if (chance(g->c, 70))
        op = atomic_update(&g->b, h, any_mode(g), p, data, mask, token);
    else
        op = atomic_swap(&g->b, h, p, zeros(&g->b, tile), data, mask, token);
    after_access(g, op, k == LOAD);
    if (k != STORE)
        keep_loaded(g, &op->results[0]);
}

void access_statement(generator *g)
{
    if (chance(g->c, 45))
        by_pointers(g);
    else
        by_view(g);
}

/* Index arithmetic. */
#include "generate_private.h"

void use_int(generator *g, val v)
{
    if (g->in.n_ints < MAX_INTS)
        g->ints[g->in.n_ints++] = v;
}

void use_tile(generator *g, val v)
{
    if (g->in.n_tiles < MAX_TILES)
        g->tiles[g->in.n_tiles++] = v;
}

val scalar(generator *g, int64_t value)
{
    return number(&g->b, g->elem, value);
}

val as_elem(generator *g, val v, ir_type_kind elem)
{
    ir_builder *b = &g->b;
    int from = ir_type_bits(v->type->elem), to = ir_type_bits(ir_type_scalar(b->module, elem));
    if (from == to)
        return v;
    const ir_type *type = same_shape(b, ir_type_scalar(b->module, elem), v);
    val result = unary(b, from < to ? IR_OP_EXTI : IR_OP_TRUNCI, type, v);
    if (from < to)
        ir_set_int(result->def, IR_AT_EXTI_signedness, chance(g->c, 30) ? IR_UNSIGNED : IR_SIGNED);
    else
        ir_set_int(result->def, IR_AT_TRUNCI_overflow, IR_WRAP);
    return result;
}

static int flags(generator *g)
{
    bool wraps = chance(g->c, g->unflagged);
    return g->flag_all || !wraps ? IR_NSW : IR_WRAP;
}

val sum(generator *g, val a, val b)
{
    return arithmetic(&g->b, IR_OP_ADDI, a, b, flags(g));
}

val product(generator *g, val a, val b)
{
    return arithmetic(&g->b, IR_OP_MULI, a, b, flags(g));
}

static ir_signedness sign(generator *g)
{
    return chance(g->c, 20) ? IR_UNSIGNED : IR_SIGNED;
}

static val like(generator *g, val v, int64_t value)
{
    return constant(&g->b, v->type, 1, &value);
}

static val extreme(generator *g, ir_opcode code, val a, val b)
{
    val v = binary(&g->b, code, a, b);
    ir_set_int(v->def, code == IR_OP_MINI ? IR_AT_MINI_signedness : IR_AT_MAXI_signedness, sign(g));
    return v;
}

static val divide(generator *g, val a, val b)
{
    static const ir_rounding roundings[] = {IR_ROUND_ZERO, IR_ROUND_NEGATIVE_INF,
                                            IR_ROUND_POSITIVE_INF};
    val v = binary(&g->b, IR_OP_DIVI, a, b);
    ir_signedness signedness = sign(g);
    ir_set_int(v->def, IR_AT_DIVI_signedness, signedness);
    uint32_t rounding = choose(g->c, 3);
    ir_set_int(v->def, IR_AT_DIVI_rounding, roundings[signedness == IR_SIGNED ? rounding : 0]);
    return v;
}

static val remainder_of(generator *g, val a, val b)
{
    val v = binary(&g->b, IR_OP_REMI, a, b);
    ir_set_int(v->def, IR_AT_REMI_signedness, sign(g));
    return v;
}

static val condition_on(generator *g, val a, val b)
{
    static const ir_predicate predicates[] = {IR_LT, IR_EQ, IR_NE, IR_LE, IR_GT, IR_GE};
    return compare(&g->b, predicates[choose(g->c, 6)], sign(g), a, b);
}

static val shift(generator *g, val a)
{
    val by = like(g, a, (int64_t)choose(g->c, 4));
    if (chance(g->c, 50))
        return arithmetic(&g->b, IR_OP_SHLI, a, by, flags(g));
    val v = binary(&g->b, IR_OP_SHRI, a, by);
    ir_set_int(v->def, IR_AT_SHRI_signedness, sign(g));
    return v;
}

static val bits(generator *g, val a)
{
    static const ir_opcode codes[] = {IR_OP_XORI, IR_OP_ANDI, IR_OP_ORI};
    static const int64_t masks[] = {1, 3, 2, -1, -2, 7, 5};
    return binary(&g->b, codes[choose(g->c, 3)], a, like(g, a, masks[choose(g->c, 7)]));
}

static val negate(generator *g, val a)
{
    if (chance(g->c, 30))
        return unary(&g->b, IR_OP_ABSI, a->type, a);
    val v = unary(&g->b, IR_OP_NEGI, a->type, a);
    ir_set_int(v->def, IR_AT_NEGI_overflow, flags(g));
    return v;
}

static val round_trip(generator *g, val a)
{
    ir_type_kind narrow = g->elem == IR_I8 ? IR_I16 : IR_I8;
    return as_elem(g, as_elem(g, a, narrow), g->elem);
}

/* One op on scalars or tiles of one shape: `other` makes the second operand. */
static val combine(generator *g, val a, val b)
{
    static const unsigned weights[] = {20, 8, 8, 10, 10, 8, 8, 4, 6, 3, 4, 2, 2, 0};
    static const int64_t factors[] = {2, 3, 4, 1, -1, 0, 100};
    static const int64_t divisors[] = {2, 3, 4, 1, -2};
    val zero, one;
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return sum(g, a, b);
    case 1:
        return arithmetic(&g->b, IR_OP_SUBI, a, b, flags(g));
    case 2:
        return product(g, a, b);
    case 3:
        return product(g, a, like(g, a, factors[choose(g->c, g->elem == IR_I8 ? 7 : 6)]));
    case 4:
        return divide(g, a, like(g, a, divisors[choose(g->c, 5)]));
    case 5:
        return remainder_of(g, a, like(g, a, divisors[choose(g->c, 5)]));
    case 6:
        return extreme(g, chance(g->c, 50) ? IR_OP_MAXI : IR_OP_MINI, a, b);
    case 7:
        return select_of(&g->b, condition_on(g, a, b), a, b);
    case 8:
        return bits(g, a);
    case 9:
        return shift(g, a);
    case 10:
        one = chance(g->c, 50) ? like(g, a, 1) : NULL;
        b = one ? extreme(g, IR_OP_MAXI, b, one) : b;
        return chance(g->c, 50) ? remainder_of(g, a, b) : divide(g, a, b);
    case 11:
        return negate(g, a);
    default:
        zero = like(g, a, 0);
        return select_of(&g->b, condition_on(g, b, zero), a, zero);
    }
}

/* One element of an index buffer. */
static val loaded(generator *g, int depth)
{
    for (size_t i = 0; i < g->in.n_buffers; i++) {
        const buffer *from = &g->buffers[i];
        if (!from->index)
            continue;
        val p = from->pointer, at = any_int(g, depth - 1);
        p = &op_of(&g->b, IR_OP_OFFSET, 1, &p->type, p, at)->results[0];
        ir_op *load =
            load_pointer(&g->b, (how){IR_WEAK, IR_SCOPE_NONE}, p, NULL, NULL, any_token(g));
        use_token(g, token_of(load));
        return as_elem(g, &load->results[0], g->elem);
    }
    return scalar(g, 0);
}

static val leaf(generator *g)
{
    static const unsigned weights[] = {30, 30, 25, 6, 0};
    static const int64_t numbers[] = {0, 1, 2, 3, -1, 4, 5, 30};
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return scalar(g, numbers[choose(g->c, 8)]);
    case 1:
        return g->in.n_ints ? g->ints[choose(g->c, (uint32_t)g->in.n_ints)] : scalar(g, 1);
    case 2:
        return g->block_id[choose(g->c, 3)];
    default:
        return g->extent[choose(g->c, 3)];
    }
}

val any_int(generator *g, int depth)
{
    static const unsigned weights[] = {50, 40, 6, 4, 0};
    if (depth <= 0)
        return leaf(g);
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return leaf(g);
    case 1: {
        val a = any_int(g, depth - 1), b = any_int(g, depth - 1);
        return combine(g, a, b);
    }
    case 2:
        return loaded(g, depth);
    default:
        return round_trip(g, any_int(g, depth - 1));
    }
}

/* x + extent * y */
static val linear_block(generator *g)
{
    val id = g->block_id[0];
    for (int axis = 1; axis < 3; axis++) {
        if (!chance(g->c, 40))
            break;
        val reach = chance(g->c, 80) ? g->extent[axis - 1] : scalar(g, 2);
        id = sum(g, id, product(g, reach, g->block_id[axis]));
    }
    return id;
}

static val latest_int(generator *g)
{
    return g->in.n_ints ? g->ints[g->in.n_ints - 1] : scalar(g, 0);
}

val any_index(generator *g)
{
    static const unsigned weights[] = {30, 20, 15, 20, 10, 5, 0};
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return linear_block(g);
    case 1: {
        val id = linear_block(g), by = chance(g->c, 50) ? any_int(g, 0) : scalar(g, 2);
        return sum(g, product(g, id, by), latest_int(g));
    }
    case 2:
        return latest_int(g);
    case 3:
        return any_int(g, 3);
    case 4:
        return scalar(g, choose_between(g->c, 0, 3));
    default:
        return loaded(g, 2);
    }
}

val any_condition(generator *g)
{
    static const unsigned weights[] = {30, 40, 10, 0};
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return condition_on(g, g->block_id[choose(g->c, 3)], any_int(g, 1));
    case 1: {
        val a = any_int(g, 2);
        return condition_on(g, a, any_int(g, 1));
    }
    default: {
        val a = any_condition(g), b = any_condition(g);
        static const ir_opcode codes[] = {IR_OP_ANDI, IR_OP_ORI, IR_OP_XORI};
        return binary(&g->b, codes[choose(g->c, 3)], a, b);
    }
    }
}

/* ---- Tiles ---- */

static val row(generator *g, int64_t extent)
{
    const int64_t shape[] = {extent};
    const ir_type *type = tile_of(&g->b, g->elem, 1, shape);
    static const unsigned weights[] = {40, 10, 10, 10, 10, 10, 0};
    val iota = &ir_build(&g->b, IR_OP_IOTA, NULL, 1, &type, NULL)->results[0];
    int64_t table[8];
    switch (choose_weighted(g->c, weights)) {
    case 0:
        return iota;
    case 1:
        return arithmetic(&g->b, IR_OP_SUBI, like(g, iota, extent - 1), iota, IR_NSW);
    case 2:
        return combine(g, iota, like(g, iota, choose_between(g->c, 0, 3)));
    case 3:
        for (int64_t i = 0; i < extent; i++)
            table[i] = choose_between(g->c, 0, 5);
        return constant(&g->b, type, (size_t)extent, table);
    case 4:
        for (size_t i = 0; i < g->in.n_tiles; i++)
            if (g->tiles[i]->type->rank == 1 && g->tiles[i]->type->shape[0] == extent)
                return as_elem(g, g->tiles[i], g->elem);
        return iota;
    default:
        if (extent >= 2) { /* halves swapped */
            const int64_t half[] = {extent / 2};
            const ir_type *slice = tile_of(&g->b, g->elem, 1, half);
            val parts[2];
            for (int i = 0; i < 2; i++) {
                val at = number(&g->b, IR_I32, 1 - i);
                ir_operand_list groups[] = {{&iota, 1}, {&at, 1}};
                parts[i] = &ir_build(&g->b, IR_OP_EXTRACT, groups, 1, &slice, NULL)->results[0];
            }
            ir_op *cat = op_of(&g->b, IR_OP_CAT, 1, &type, parts[0], parts[1]);
            ir_set_int(cat, IR_AT_CAT_dim, 0);
            return &cat->results[0];
        }
        return iota;
    }
}

val any_offsets(generator *g, int rank, const int64_t *shape)
{
    if (rank == 0)
        return any_index(g);
    val start = any_index(g);
    if (rank == 1) {
        val offsets = row(g, shape[0]);
        if (chance(g->c, 60)) /* as `block * extent + iota` */
            start = product(g, start, scalar(g, shape[0]));
        offsets = sum(g, offsets, spread(&g->b, start, 1, shape));
        return chance(g->c, 20) ? combine(g, offsets, spread(&g->b, any_int(g, 1), 1, shape))
                                : offsets;
    }
    const int64_t tall[] = {shape[0], 1}, wide[] = {1, shape[1]};
    val rows = broadcast(&g->b, reshape(&g->b, row(g, shape[0]), 2, tall), shape);
    val columns = broadcast(&g->b, reshape(&g->b, row(g, shape[1]), 2, wide), shape);
    val pitch = chance(g->c, 50) ? any_int(g, 1) : scalar(g, shape[1]);
    val offsets = sum(g, product(g, rows, spread(&g->b, pitch, 2, shape)), columns);
    if (chance(g->c, 50))
        start = product(g, start, scalar(g, shape[0] * shape[1]));
    return sum(g, offsets, spread(&g->b, start, 2, shape));
}

val any_mask(generator *g, val offsets)
{
    int rank = offsets->type->rank;
    const int64_t *shape = offsets->type->shape;
    val end = spread(&g->b, any_int(g, 2), rank, shape);
    if (chance(g->c, 30))
        return condition_on(g, offsets, end);
    return compare(&g->b, IR_LT, IR_SIGNED, offsets, end);
}

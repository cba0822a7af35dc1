/* Reductions and scans along one dimension. */
#include "dialect/lower.h"

#include <math.h>

typedef struct folding { /* a reduction while its op is made */
    const dl_args *args;
    dl_value value;
    int64_t dim;
    bool scan, reverse;
    dl_value identity; /* a constant of the element type */
    ir_block *body;
    dl_value a, b; /* the body's arguments: the element, what was combined so far */
} folding;

static bool open_folding(dl *L, const dl_args *args, bool scan, folding *f)
{
    *f = (folding){.args = args, .scan = scan};
    f->value = dl_tile_operand(L, args->arg[0]);
    if (f->value.kind != DL_VALUE)
        return false;
    const ir_type *type = f->value.type;
    if (type->elem->kind == IR_POINTER || type->rank == 0) {
        dl_fail(L, args->call, NULL, "%s has no dimension to reduce or scan along",
                type->rank ? "a tile of pointers" : dl_type_text(L, type));
        return false;
    }
    return dl_constant(L, args->arg[1], "the dimension", 0, type->rank - 1, &f->dim);
}

static void open_body(dl *L, folding *f)
{
    L->at = f->args->call;
    L->placed = false;
    const ir_type *scalar = dl_tile_type(L, f->value.type->elem, 0, NULL);
    const ir_type *types[] = {scalar, scalar};
    f->value.ir = dl_ir(L, &f->value);
    f->body = ir_block_new(L->module, L->b.function, 2, types);
    f->a = dl_of(f->body->args[0], false, f->value.is_unsigned);
    f->b = dl_of(f->body->args[1], false, f->value.is_unsigned);
}

/* Ends the body with the combined value and makes the op behind it. */
static dl_value close_folding(dl *L, folding *f, ir_block *outside, ir_value *combined)
{
    ir_operand_list yielded = {&combined, 1};
    dl_build(L, IR_OP_YIELD, &yielded, 0, NULL, NULL);
    L->b.block = outside;
    L->at = f->args->call;
    L->placed = false;
    const ir_type *type = f->value.type;
    if (!f->scan) {
        int64_t shape[IR_MAX_RANK];
        for (int i = 0, at = 0; i < type->rank; i++)
            if (i != f->dim)
                shape[at++] = type->shape[i];
        type = dl_tile_type(L, type->elem, type->rank - 1, shape);
    }
    ir_operand_list operand = {&f->value.ir, 1};
    ir_op *op = dl_build(L, f->scan ? IR_OP_SCAN : IR_OP_REDUCE, &operand, 1, &type, NULL);
    ir_attr item = dl_scalar_attr(L, type->elem, f->identity.integer, f->identity.real);
    ir_attr list = {
        .kind = IR_ATTR_LIST, .count = 1, .items = tr_arena_copy(L->keep, &item, sizeof item)};
    if (f->scan) {
        ir_set_int(op, IR_AT_SCAN_dim, f->dim);
        ir_set_int(op, IR_AT_SCAN_reverse, f->reverse);
        op->attrs[IR_AT_SCAN_identities] = list;
        ir_set_region(op, IR_RG_SCAN_body, f->body);
    } else {
        ir_set_int(op, IR_AT_REDUCE_dim, f->dim);
        op->attrs[IR_AT_REDUCE_identities] = list;
        ir_set_region(op, IR_RG_REDUCE_body, f->body);
    }
    return dl_of(&op->results[0], false, f->value.is_unsigned);
}

static int64_t least(int bits, bool is_unsigned)
{
    return is_unsigned ? 0 : bits >= 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
}

static int64_t greatest(int bits, bool is_unsigned)
{
    if (is_unsigned)
        return bits >= 64 ? -1 : ((int64_t)1 << bits) - 1;
    return bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
}

/* The value that changes nothing under the operation, in the element type of `value`. */
static dl_value identity_of(dl *L, dl_arith op, const dl_value *value)
{
    const ir_type *elem = value->type->elem;
    dl_value identity = {.kind = DL_VALUE, .constant = true, .is_unsigned = value->is_unsigned};
    identity.type = dl_tile_type(L, elem, 0, NULL);
    int bits = ir_type_bits(elem);
    switch (op) {
    case DL_MUL:
        identity.integer = 1;
        identity.real = 1;
        break;
    case DL_MAX:
        identity.integer = least(bits, value->is_unsigned);
        identity.real = -INFINITY;
        break;
    case DL_MIN:
        identity.integer = greatest(bits, value->is_unsigned);
        identity.real = INFINITY;
        break;
    case DL_AND:
        identity.integer = bits == 1 ? 1 : -1;
        break;
    default:
        break;
    }
    return identity;
}

dl_value lower_reduce(dl *L, const dl_args *args)
{
    folding f;
    if (!open_folding(L, args, args->row->b, &f))
        return dl_poison();
    dl_arith op = (dl_arith)args->row->a;
    f.identity = identity_of(L, op, &f.value);
    open_body(L, &f);
    ir_block *outside = L->b.block;
    L->b.block = f.body;
    dl_value combined = dl_binary(L, args->call, op, f.a, f.b);
    if (combined.kind != DL_VALUE) {
        L->b.block = outside;
        return dl_poison();
    }
    return close_folding(L, &f, outside, combined.ir);
}

/* The helper that the last argument names is inlined into the op's body. */
dl_value lower_combine(dl *L, const dl_args *args)
{
    folding f;
    bool scan = args->row->a;
    if (!open_folding(L, args, scan, &f))
        return dl_poison();
    CXCursor identity_at = args->arg[scan ? 3 : 2], function_at = args->arg[scan ? 4 : 3];
    int64_t reverse = 0;
    if (scan && !dl_constant(L, args->arg[2], "whether it is reverse", 0, 1, &reverse))
        return dl_poison();
    f.reverse = reverse;
    f.identity = dl_operand(L, identity_at);
    if (f.identity.kind == DL_VALUE && f.identity.constant)
        f.identity =
            dl_convert(L, f.identity, (dl_element){f.value.type->elem, f.value.is_unsigned});
    if (f.identity.kind != DL_VALUE || !f.identity.constant)
        return dl_fail(L, identity_at, NULL, "the identity must be a constant number");
    CXCursor function = clang_getCursorReferenced(ast_strip(L, function_at));
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return dl_fail(L, function_at, "Write `static tile combine(tile a, tile b)` and name it.",
                       "this is no function");
    open_body(L, &f);
    ir_block *outside = L->b.block;
    bool before = L->in_combine;
    L->b.block = f.body;
    L->in_combine = true;
    dl_value arguments[] = {f.a, f.b};
    dl_value combined = dl_inline(L, args->call, function, 2, arguments);
    L->in_combine = before;
    const ir_type *scalar = f.a.type;
    if (combined.kind != DL_VALUE || combined.type != scalar) {
        L->b.block = outside;
        if (combined.kind == DL_VALUE)
            dl_fail(L, function_at, NULL, "this gives %s where %s is combined",
                    dl_type_text(L, combined.type), dl_type_text(L, scalar));
        return dl_poison();
    }
    L->at = args->call;
    L->placed = false;
    return close_folding(L, &f, outside, dl_ir(L, &combined));
}

/* A kernel as a module: inputs are loaded, results stored, through pointers. */
#include "values.h"

#include "base/ds.h"

static const how weak = {IR_WEAK, IR_SCOPE_NONE};

static const ir_type *pointer_to(ir_builder *b, ir_type_kind elem)
{
    return ir_type_tile(b->module, ir_type_pointer(b->module, ir_type_scalar(b->module, elem)), 0,
                        NULL);
}

/* base + block * n + 0 .. n - 1 */
static val pointers(ir_builder *b, val base, val block, int64_t n)
{
    const ir_type *type = tile_of(b, IR_I32, 1, &n);
    val lane = &ir_build(b, IR_OP_IOTA, NULL, 1, &type, NULL)->results[0];
    val start = arithmetic(b, IR_OP_MULI, block, number(b, IR_I32, n), IR_WRAP);
    val at = arithmetic(b, IR_OP_ADDI, lane, spread(b, start, 1, &n), IR_WRAP);
    return binary(b, IR_OP_OFFSET, spread(b, base, 1, &n), at);
}

/* What memory can hold: truth values as bytes. */
static val storable(ir_builder *b, val value)
{
    if (value->type->elem->kind == IR_I1) {
        value = unary(b, IR_OP_EXTI, same_shape(b, ir_type_scalar(b->module, IR_I8), value), value);
        ir_set_int(value->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
    }
    int64_t n = ir_type_elements(value->type);
    return value->type->rank == 1 ? value : reshape(b, value, 1, &n);
}

/* Each item once, to learn what its result is. */
static val try_item(ir_builder *b, const kernel *k, const item *it)
{
    const int64_t n = BLOCK;
    val in[MAX_INPUTS];
    for (size_t i = 0; i < k->n_inputs; i++) {
        const ir_type *type = tile_of(b, k->inputs[i].type, 1, &n);
        in[i] = &ir_build(b, IR_OP_CONSTANT, NULL, 1, &type, NULL)->results[0];
    }
    return storable(b, it->make(b, it, in));
}

int64_t values_result(const kernel *k, size_t which, ir_type_kind *type)
{
    ir_module *m = ir_module_new("shape");
    ir_function *f = ir_function_add(m, "shape", ir_type_function(m, 0, NULL, 0, NULL));
    if (!f->body)
        f->body = ir_block_new(m, f, 0, NULL);
    ir_builder b = {.module = m, .function = f, .block = f->body};
    val result = try_item(&b, k, &k->items[which]);
    int64_t n = ir_type_elements(result->type);
    *type = result->type->elem->kind;
    ir_module_free(m);
    return n;
}

ir_module *values_module(const kernel *k, const bool *wanted)
{
    ir_module *m = ir_module_new(k->name);
    ir_builder b = {.module = m};
    size_t n_items = arrlenu(k->items), n = k->n_inputs;
    const ir_type **types = TR_NEW_ARRAY(m->arena, const ir_type *, n + n_items + 1);
    for (size_t i = 0; i < n; i++)
        types[i] = pointer_to(&b, k->inputs[i].type);
    int64_t *elements = TR_NEW_ARRAY(m->arena, int64_t, n_items + 1);
    for (size_t i = 0; i < n_items; i++) {
        ir_type_kind kind;
        if (wanted && !wanted[i])
            continue;
        elements[i] = values_result(k, i, &kind);
        types[n++] = pointer_to(&b, kind);
    }
    ir_function *f = ir_function_add(m, k->name, ir_type_function(m, (int)n, types, 0, NULL));
    f->is_entry = true;
    if (!f->body)
        f->body = ir_block_new(m, f, (uint32_t)n, types);
    b.function = f;
    b.block = f->body;
    const ir_type *i32 = tile_of(&b, IR_I32, 0, NULL), *ids[] = {i32, i32, i32};
    val block = &ir_build(&b, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, ids, NULL)->results[0];
    val in[MAX_INPUTS] = {0};
    for (size_t i = 0; i < k->n_inputs; i++)
        in[i] =
            &load_pointer(&b, weak, pointers(&b, f->body->args[i], block, BLOCK), NULL, NULL, NULL)
                 ->results[0];
    size_t at = k->n_inputs;
    for (size_t i = 0; i < n_items; i++)
        if (!wanted || wanted[i])
            store_pointer(&b, weak, pointers(&b, f->body->args[at++], block, elements[i]),
                          storable(&b, k->items[i].make(&b, &k->items[i], in)), NULL, NULL);
    end_block(&b, IR_OP_RETURN, 0, NULL);
    ir_renumber(f);
    return m;
}

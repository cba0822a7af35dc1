/* The verifier's table: which types the groups of an op have. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/verify.h"

#include <string.h>

/* ---- Classes of types ---- */

#define INTS        (KIND(IR_I1) | KIND(IR_I8) | KIND(IR_I16) | KIND(IR_I32) | KIND(IR_I64))
#define BASE_FLOATS (KIND(IR_F16) | KIND(IR_BF16) | KIND(IR_F32) | KIND(IR_F64))
#define FLOATS                                                                                     \
    (BASE_FLOATS | KIND(IR_TF32) | KIND(IR_F8E4M3FN) | KIND(IR_F8E5M2) | KIND(IR_F8E8M0FNU) |      \
     KIND(IR_F4E2M1FN) | KIND(IR_FNV8E5M3FNU))
#define VIEWS (KIND(IR_PARTITION_VIEW) | KIND(IR_STRIDED_VIEW) | KIND(IR_GATHER_SCATTER_VIEW))

static const struct type_class {
    const char *name;
    const char *meaning;
    unsigned elements; /* of a tile; 0: the type is no tile */
    unsigned kinds;    /* of a type that is no tile */
    bool scalar;
} classes[] = {
    {"any", "a tile", INTS | FLOATS | KIND(IR_POINTER), 0, false},
    {"any4", "a tile of numbers", INTS | FLOATS | KIND(IR_I4), 0, false},
    {"number", "a tile of numbers", INTS | FLOATS, 0, false},
    {"int", "a tile of integers", INTS, 0, false},
    {"int4", "a tile of integers", INTS | KIND(IR_I4), 0, false},
    {"int0", "a scalar integer", INTS, 0, true},
    {"i1", "a tile of i1", KIND(IR_I1), 0, false},
    {"i1_0", "a scalar i1", KIND(IR_I1), 0, true},
    {"i8", "a tile of i8", KIND(IR_I8), 0, false},
    {"i32", "a tile of i32", KIND(IR_I32), 0, false},
    {"i32_0", "a scalar i32", KIND(IR_I32), 0, true},
    {"i64", "a tile of i64", KIND(IR_I64), 0, false},
    {"float", "a tile of f16, bf16, f32 or f64", BASE_FLOATS, 0, false},
    {"anyfloat", "a tile of floats", FLOATS, 0, false},
    {"ptr", "a tile of pointers", KIND(IR_POINTER), 0, false},
    {"ptr0", "a scalar pointer", KIND(IR_POINTER), 0, true},
    {"token", "a token", 0, KIND(IR_TOKEN), false},
    {"tensor", "a tensor view", 0, KIND(IR_TENSOR_VIEW), false},
    {"view", "a tile view", 0, VIEWS, false},
    {"partition", "a partition view", 0, KIND(IR_PARTITION_VIEW), false},
    {"strided", "a strided view", 0, KIND(IR_STRIDED_VIEW), false},
    {"gather", "a gather-scatter view", 0, KIND(IR_GATHER_SCATTER_VIEW), false},
};

static const struct type_class *class_named(const char *name, size_t length)
{
    for (size_t i = 0; i < TR_COUNT(classes); i++) {
        if (strncmp(classes[i].name, name, length) == 0 && classes[i].name[length] == '\0') {
            return &classes[i];
        }
    }
    return NULL;
}

static bool is_of_class(const ir_type *type, const struct type_class *of)
{
    if (of->kinds) {
        return of->kinds & KIND(type->kind);
    }
    return type->kind == IR_TILE && (of->elements & KIND(type->elem->kind)) &&
           (!of->scalar || type->rank == 0);
}

/* ---- Rows ---- */

typedef struct rule {
    const char *same_types, *same_shapes, *classes;
    ir_check *check;
} rule;

#define RULE(op, types, shapes, words, function) [IR_OP_##op] = {types, shapes, words, function},
static const rule rules[IR_OP_COUNT] = {
#include "ir/verify.def"
};

/* The values of a group, operands and results of that name alike. */
typedef struct group_walk {
    const ir_op *op;
    int operands, results; /* group numbers or -1 */
} group_walk;

static group_walk walk_of(const ir_op *op, const char *name, size_t length)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    return (group_walk){op, ir_operand_group_by_name(info, name, length),
                        ir_result_group_by_name(info, name, length)};
}

static const ir_value *value_at(const group_walk *walk, uint32_t index)
{
    uint32_t count = 0;
    if (walk->operands >= 0) {
        ir_value **values = ir_group(walk->op, (unsigned)walk->operands, &count);
        if (index < count) {
            return values[index];
        }
        index -= count;
    }
    if (walk->results >= 0) {
        ir_value *results = ir_result_group(walk->op, (unsigned)walk->results, &count);
        return index < count ? &results[index] : NULL;
    }
    return NULL;
}

static bool same_shape(const ir_type *a, const ir_type *b)
{
    return a->kind == IR_TILE && b->kind == IR_TILE && a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

/* Compares all values of the groups named in `words` with the first of them. */
static bool all_alike(verifier *v, const ir_op *op, const char *words, bool shapes_only)
{
    const ir_value *first = NULL;
    while (*words) {
        size_t length = strcspn(words, " ");
        group_walk walk = walk_of(op, words, length);
        const ir_value *value;
        for (uint32_t i = 0; (value = value_at(&walk, i)) != NULL; i++) {
            first = first ? first : value;
            bool alike =
                shapes_only ? same_shape(first->type, value->type) : first->type == value->type;
            if (!alike) {
                return ir_fail(v, op, "'%.*s' has type %s, which does not have the %s of %s",
                               (int)length, words, ir_type_text(v, value->type),
                               shapes_only ? "shape" : "type", ir_type_text(v, first->type));
            }
        }
        words += length;
        words += strspn(words, " ");
    }
    return true;
}

static bool all_of_class(verifier *v, const ir_op *op, const char *words)
{
    while (*words) {
        size_t name = strcspn(words, ":"), length = strcspn(words, " ");
        const struct type_class *of = class_named(words + name + 1, length - name - 1);
        group_walk walk = walk_of(op, words, name);
        const ir_value *value;
        for (uint32_t i = 0; of && (value = value_at(&walk, i)) != NULL; i++) {
            if (!is_of_class(value->type, of)) {
                return ir_fail(v, op, "'%.*s' must be %s, not %s", (int)name, words, of->meaning,
                               ir_type_text(v, value->type));
            }
        }
        words += length;
        words += strspn(words, " ");
    }
    return true;
}

bool ir_verify_op_rules(verifier *v, const ir_op *op)
{
    const rule *row = &rules[op->code];
    if (!row->classes) {
        return true; /* an op whose rules nobody published */
    }
    return all_of_class(v, op, row->classes) && all_alike(v, op, row->same_types, false) &&
           all_alike(v, op, row->same_shapes, true) && (!row->check || row->check(v, op));
}

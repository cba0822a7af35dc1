/* Attributes as text. */
#include "ir/ir.h"
#include "ir/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names and strings ---- */

static bool is_bare_symbol(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_') {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("_$.", *c)) {
            return false;
        }
    }
    return true;
}

void ir_print_quoted(tr_text *out, const char *text)
{
    tr_text_add(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '\\') {
            tr_text_add(out, "\\\\");
        } else if (*c >= ' ' && *c <= '~' && *c != '"') {
            tr_text_addn(out, c, 1);
        } else {
            tr_text_addf(out, "\\%02X", (unsigned char)*c);
        }
    }
    tr_text_add(out, "\"");
}

void ir_print_symbol(tr_text *out, const char *name)
{
    tr_text_add(out, "@");
    if (is_bare_symbol(name)) {
        tr_text_add(out, name);
    } else {
        ir_print_quoted(out, name);
    }
}

/* ---- Enums ---- */

static const char *const orderings[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
static const char *const scopes[] = {NULL, "tl_blk", "device", "sys"};
static const char *const signs[] = {"unsigned", "signed"};
static const char *const overflows[] = {"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"};
static const char *const predicates[] = {"equal",        "not_equal",
                                         "less_than",    "less_than_or_equal",
                                         "greater_than", "greater_than_or_equal"};
static const char *const float_orders[] = {"unordered", "ordered"};
static const char *const roundings[] = {"nearest_even",        "zero",        "negative_inf",
                                        "positive_inf",        "approx",      "full",
                                        "nearest_int_to_zero", "nearest_away"};
static const char *const atomic_modes[] = {"and", "or",  "xor",  "add",  "addf",
                                           "max", "min", "umax", "umin", "xchg"};
static const char *const multimem_kinds[] = {"add", "min", "max",  "and",
                                             "or",  "xor", "umin", "umax"};
static const char *const visibilities[] = {"public", "private"};

static const struct keyword_list {
    const char *const *words;
    size_t count;
} keywords[] = {
    [IR_CODE_ORDERING] = {orderings, TR_COUNT(orderings)},
    [IR_CODE_SCOPE] = {scopes, TR_COUNT(scopes)},
    [IR_CODE_SIGNEDNESS] = {signs, TR_COUNT(signs)},
    [IR_CODE_OVERFLOW] = {overflows, TR_COUNT(overflows)},
    [IR_CODE_PREDICATE] = {predicates, TR_COUNT(predicates)},
    [IR_CODE_FLOAT_ORDER] = {float_orders, TR_COUNT(float_orders)},
    [IR_CODE_ROUNDING] = {roundings, TR_COUNT(roundings)},
    [IR_CODE_ATOMIC_MODE] = {atomic_modes, TR_COUNT(atomic_modes)},
    [IR_CODE_MULTIMEM_KIND] = {multimem_kinds, TR_COUNT(multimem_kinds)},
    [IR_CODE_VISIBILITY] = {visibilities, TR_COUNT(visibilities)},
};

const char *ir_enum_keyword(ir_attr_coding coding, int64_t number)
{
    if (coding >= TR_COUNT(keywords) || number < 0 || (size_t)number >= keywords[coding].count) {
        return NULL;
    }
    return keywords[coding].words[number];
}

/* ---- Constant data ---- */

static void print_element(tr_text *out, const ir_attr *attr, int64_t index)
{
    const ir_type *elem = attr->type->elem;
    if (elem->kind == IR_I1) {
        tr_text_add(out, ir_dense_bits(attr, index) ? "true" : "false");
    } else if (ir_type_is_float(elem)) {
        ir_print_float_bits(out, elem, ir_dense_bits(attr, index));
    } else {
        tr_text_addf(out, "%lld", (long long)ir_dense_int(attr, index));
    }
}

/* Nested brackets, one pair a dimension; returns the index behind the last element. */
static int64_t print_nested(tr_text *out, const ir_attr *attr, int dim, int64_t index)
{
    if (dim == attr->type->rank) {
        print_element(out, attr, index);
        return index + 1;
    }
    tr_text_add(out, "[");
    for (int64_t i = 0; i < attr->type->shape[dim]; i++) {
        tr_text_add(out, i ? ", " : "");
        index = print_nested(out, attr, dim + 1, index);
    }
    tr_text_add(out, "]");
    return index;
}

/* Long constants: their bytes, i1 a byte each. */
static void print_hex(tr_text *out, const ir_attr *attr, int64_t count)
{
    int width = ir_type_dense_bytes(attr->type->elem);
    tr_text_add(out, "\"0x");
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = ir_dense_bits(attr, i);
        for (int byte = 0; byte < (width ? width : 1); byte++) {
            tr_text_addf(out, "%02X", (unsigned)(bits >> (8 * byte) & 0xff));
        }
    }
    tr_text_add(out, "\"");
}

void ir_print_dense(tr_text *out, const ir_attr *attr)
{
    enum { HEX_ABOVE = 100 };
    int64_t count = ir_type_elements(attr->type);
    tr_text_add(out, "<");
    ir_type_print(out, attr->type->elem);
    tr_text_add(out, ": ");
    if (ir_dense_is_splat(attr)) {
        print_element(out, attr, 0);
    } else if (count > HEX_ABOVE) {
        print_hex(out, attr, count);
    } else {
        print_nested(out, attr, 0, 0);
    }
    tr_text_add(out, "> : ");
    ir_type_print(out, attr->type);
}

/* ---- Numbers with a type, hints, predicates ---- */

void ir_print_typed_number(tr_text *out, const ir_attr *attr)
{
    if (attr->kind == IR_ATTR_FLOAT) {
        ir_print_float_bits(out, attr->type, (uint64_t)attr->number);
    } else if (attr->type && attr->type->kind == IR_I1) {
        tr_text_add(out, attr->number & 1 ? "true" : "false");
        return;
    } else {
        tr_text_addf(out, "%lld", (long long)attr->number);
    }
    if (attr->type) {
        tr_text_add(out, " : ");
        ir_type_print(out, attr->type);
    }
}

static void print_hint_value(tr_text *out, const ir_attr *attr)
{
    if (attr->kind == IR_ATTR_STRING) {
        ir_print_quoted(out, attr->string);
    } else if (attr->type && attr->type->kind == IR_I1) {
        tr_text_add(out, attr->number & 1 ? "true" : "false");
    } else {
        tr_text_addf(out, "%lld", (long long)attr->number);
    }
}

/* Number of the `rank`-th name in alphabetical order: dictionaries are printed sorted. */
static size_t sorted_at(const ir_attr *dictionary, size_t rank)
{
    for (size_t i = 0; i < dictionary->count; i++) {
        size_t before = 0;
        for (size_t j = 0; j < dictionary->count; j++) {
            int order = strcmp(dictionary->names[j], dictionary->names[i]);
            before += order < 0 || (order == 0 && j < i);
        }
        if (before == rank) {
            return i;
        }
    }
    return rank;
}

void ir_print_hints(tr_text *out, const ir_attr *hints)
{
    tr_text_add(out, "<");
    for (size_t i = 0; i < hints->count; i++) {
        size_t at = sorted_at(hints, i);
        tr_text_addf(out, "%s%s = {", i ? ", " : "", hints->names[at]);
        const ir_attr *inner = &hints->items[at];
        for (size_t j = 0; j < inner->count; j++) {
            size_t inner_at = sorted_at(inner, j);
            tr_text_addf(out, "%s%s = ", j ? ", " : "", inner->names[inner_at]);
            print_hint_value(out, &inner->items[inner_at]);
        }
        tr_text_add(out, "}");
    }
    tr_text_add(out, ">");
}

static void print_bound(tr_text *out, bool has, int64_t bound)
{
    if (has) {
        tr_text_addf(out, "%lld", (long long)bound);
    } else {
        tr_text_add(out, "?");
    }
}

void ir_print_assume(tr_text *out, const ir_attr *attr)
{
    switch (attr->assume.kind) {
    case IR_ASSUME_DIV_BY:
        tr_text_addf(out, "div_by<%llu", (unsigned long long)attr->assume.divisor);
        if (attr->assume.has_every) {
            tr_text_addf(out, ", every %lld along %lld", (long long)attr->assume.every,
                         (long long)attr->assume.along);
        }
        break;
    case IR_ASSUME_SAME_ELEMENTS:
        tr_text_add(out, "same_elements<[");
        for (size_t i = 0; i < attr->assume.n_values; i++) {
            tr_text_addf(out, "%s%lld", i ? ", " : "", (long long)attr->assume.values[i]);
        }
        tr_text_add(out, "]");
        break;
    case IR_ASSUME_BOUNDED:
        tr_text_add(out, "bounded<");
        print_bound(out, attr->assume.has_low, attr->assume.low);
        tr_text_add(out, ", ");
        print_bound(out, attr->assume.has_high, attr->assume.high);
        break;
    }
    tr_text_add(out, ">");
}

/* Attributes. */
#include "bytecode/read.h"

#include <string.h>

enum { MAX_ATTR_DEPTH = 16, MAX_DICTIONARY = 64 };

static int64_t sign_extend(uint64_t value, int bits)
{
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static ir_attr number_attr(int64_t number, const ir_type *type)
{
    return (ir_attr){.kind = IR_ATTR_INT, .number = number, .type = type};
}

/* ---- Attributes that say what they are ---- */

static ir_attr read_integer(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    const ir_type *type = bc_type(r, c, "the type of a number");
    if (type && !ir_type_is_int(type)) {
        bc_fail(r, start, "an integer attribute of a type that is no integer");
    }
    if (r->failed) {
        return (ir_attr){0};
    }
    if (type->kind == IR_I1) {
        return number_attr(bc_byte(r, c, "a boolean") != 0, type);
    }
    start = c->at;
    uint64_t value = bc_varint(r, c, "a number");
    int bits = ir_type_bits(type);
    if (bits < 64 && value >> bits) {
        bc_fail(r, start, "%llu does not fit in %d bits", (unsigned long long)value, bits);
    }
    return number_attr(sign_extend(value, bits), type);
}

/* tf32 is 19 bits wide here, though it takes 32 in memory. */
static int float_bits(const ir_type *type)
{
    return type->kind == IR_TF32 ? 19 : ir_type_bits(type);
}

static ir_attr read_float(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    const ir_type *type = bc_type(r, c, "the type of a number");
    if (type && !ir_type_is_float(type)) {
        bc_fail(r, start, "a float attribute of a type that is no float");
    }
    if (r->failed) {
        return (ir_attr){0};
    }
    start = c->at;
    int bits = float_bits(type);
    uint64_t value =
        bits <= 8 ? bc_byte(r, c, "a float") : (uint64_t)bc_signed_varint(r, c, "a float");
    if (bits < 64 && value >> bits) {
        bc_fail(r, start, "0x%llx does not fit in %d bits", (unsigned long long)value, bits);
    }
    return (ir_attr){.kind = IR_ATTR_FLOAT, .number = (int64_t)value, .type = type};
}

static ir_attr read_list(bc_reader *r, bc_cursor *c)
{
    uint64_t count = bc_count(r, c, 1, "the length of a list");
    /* Grown as items are read: an ir_attr is far larger than the byte that a count promises. */
    ir_attr *items = TR_NEW_ARRAY(r->module->arena, ir_attr, count < 4 ? count + 1 : 4);
    size_t capacity = count < 4 ? count : 4;
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        if (i == capacity) {
            ir_attr *more = TR_NEW_ARRAY(r->module->arena, ir_attr, 2 * capacity);
            for (size_t j = 0; j < capacity; j++) {
                more[j] = items[j];
            }
            items = more;
            capacity *= 2;
        }
        items[i] = bc_tagged_attr(r, c);
    }
    return (ir_attr){.kind = IR_ATTR_LIST, .count = r->failed ? 0 : count, .items = items};
}

/* Reads COUNT, then for each entry NAME and a tagged attribute. Fails if a name is empty or there
 * twice. */
static ir_attr read_dictionary(bc_reader *r, bc_cursor *c)
{
    size_t at = c->at;
    uint64_t count = bc_count(r, c, 2, "the length of a dictionary");
    if (count > MAX_DICTIONARY) {
        bc_fail(r, at, "a dictionary of %llu entries; %d are the most", (unsigned long long)count,
                MAX_DICTIONARY);
        count = 0;
    }
    const char **names = TR_NEW_ARRAY(r->module->arena, const char *, count + 1);
    ir_attr *items = TR_NEW_ARRAY(r->module->arena, ir_attr, count + 1);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        size_t start = c->at;
        names[i] = bc_string(r, c, "the name of a dictionary's entry");
        if (!r->failed && !names[i][0]) {
            bc_fail(r, start, "an entry of a dictionary has no name");
        }
        for (uint64_t j = 0; j < i; j++) {
            if (strcmp(names[j], names[i]) == 0) {
                bc_fail(r, start, "two entries of a dictionary are called '%s'", names[i]);
            }
        }
        items[i] = bc_tagged_attr(r, c);
    }
    return (ir_attr){
        .kind = IR_ATTR_NAMED, .count = r->failed ? 0 : count, .names = names, .items = items};
}

/* Hints: architectures, each with a dictionary of its own. */
static ir_attr read_hints(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    ir_attr hints = read_dictionary(r, c);
    for (size_t i = 0; i < hints.count && !r->failed; i++) {
        if (hints.items[i].kind != IR_ATTR_NAMED) {
            bc_fail(r, start, "the optimization hints for '%s' are no dictionary", hints.names[i]);
        }
    }
    return hints;
}

static uint8_t read_bounds_flags(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint8_t flags = bc_byte(r, c, what);
    if (flags > 3) {
        bc_fail(r, start, "unknown flags 0x%x of %s", flags, what);
    }
    return flags;
}

static ir_attr read_div_by(bc_reader *r, bc_cursor *c)
{
    ir_attr attr = {.kind = IR_ATTR_ASSUME, .assume.kind = IR_ASSUME_DIV_BY};
    attr.assume.divisor = bc_varint(r, c, "div_by's divisor");
    size_t start = c->at;
    uint8_t flags = read_bounds_flags(r, c, "div_by");
    if (flags == 1 || flags == 2) {
        bc_fail(r, start, "div_by has one of 'every' and 'along' without the other");
    }
    attr.assume.has_every = flags & 1;
    attr.assume.has_along = flags & 2;
    attr.assume.every = flags & 1 ? bc_signed_varint(r, c, "div_by's 'every'") : 0;
    attr.assume.along = flags & 2 ? bc_signed_varint(r, c, "div_by's 'along'") : 0;
    return attr;
}

static ir_attr read_same_elements(bc_reader *r, bc_cursor *c)
{
    ir_attr attr = {.kind = IR_ATTR_ASSUME, .assume.kind = IR_ASSUME_SAME_ELEMENTS};
    uint64_t count;
    int64_t *values = bc_numbers(r, c, 8, &count, "same_elements");
    attr.assume.n_values = count;
    attr.assume.values = tr_arena_copy(r->module->arena, values, count * sizeof *values);
    return attr;
}

static ir_attr read_bounded(bc_reader *r, bc_cursor *c)
{
    ir_attr attr = {.kind = IR_ATTR_ASSUME, .assume.kind = IR_ASSUME_BOUNDED};
    uint8_t flags = read_bounds_flags(r, c, "bounded");
    attr.assume.has_low = flags & 1;
    attr.assume.has_high = flags & 2;
    attr.assume.low = flags & 1 ? bc_signed_varint(r, c, "a lower bound") : 0;
    attr.assume.high = flags & 2 ? bc_signed_varint(r, c, "an upper bound") : 0;
    return attr;
}

static ir_attr read_dense(bc_reader *r, bc_cursor *c)
{
    const ir_type *type = bc_type(r, c, "the type of a constant");
    return bc_dense(r, c, type);
}

static ir_attr read_string(bc_reader *r, bc_cursor *c)
{
    return (ir_attr){.kind = IR_ATTR_STRING, .string = bc_string(r, c, "a string attribute")};
}

static ir_attr read_type(bc_reader *r, bc_cursor *c)
{
    return (ir_attr){.kind = IR_ATTR_TYPE, .type = bc_type(r, c, "a type attribute")};
}

static ir_attr read_bool(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint8_t value = bc_byte(r, c, "a boolean");
    if (value > 1) {
        bc_fail(r, start, "a boolean is %u", value);
    }
    return number_attr(value, ir_type_scalar(r->module, IR_I1));
}

typedef ir_attr tagged_reader(bc_reader *r, bc_cursor *c);

static tagged_reader *const tagged_readers[] = {
    [BC_ATTR_INTEGER] = read_integer,
    [BC_ATTR_FLOAT] = read_float,
    [BC_ATTR_BOOL] = read_bool,
    [BC_ATTR_TYPE] = read_type,
    [BC_ATTR_STRING] = read_string,
    [BC_ATTR_ARRAY] = read_list,
    [BC_ATTR_DENSE] = read_dense,
    [BC_ATTR_DIV_BY] = read_div_by,
    [BC_ATTR_SAME_ELEMENTS] = read_same_elements,
    [BC_ATTR_DICTIONARY] = read_dictionary,
    [BC_ATTR_HINTS] = read_hints,
    [BC_ATTR_BOUNDED] = read_bounded,
};

ir_attr bc_tagged_attr(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint64_t tag = bc_varint(r, c, "an attribute's tag");
    if (!r->failed && (tag >= TR_COUNT(tagged_readers) || !tagged_readers[tag])) {
        bc_fail(r, start, "unknown attribute tag %llu", (unsigned long long)tag);
    }
    if (!bc_enter(r, &r->attr_depth, start, MAX_ATTR_DEPTH, "attributes")) {
        return (ir_attr){0};
    }
    ir_attr attr = tagged_readers[tag](r, c);
    r->attr_depth--;
    return attr;
}

/* ---- Attributes whose op says what they are ---- */

static ir_attr read_enum(bc_reader *r, bc_cursor *c, const ir_attr_info *info)
{
    size_t start = c->at;
    uint64_t value = bc_varint(r, c, info->name);
    if (!r->failed && value >= bc_enum_size(info->coding, r->minor)) {
        bc_fail(r, start, "version 13.%u knows no value %llu of '%s'", r->minor,
                (unsigned long long)value, info->name);
    }
    return ir_attr_of_int((int64_t)value + (info->coding == IR_CODE_SCOPE));
}

static ir_attr read_plain_int(bc_reader *r, bc_cursor *c, const ir_attr_info *info)
{
    size_t start = c->at;
    uint64_t value = bc_varint(r, c, info->name);
    if (value > INT64_MAX) {
        bc_fail(r, start, "'%s' is larger than 2^63 - 1", info->name);
    }
    return ir_attr_of_int((int64_t)value);
}

static ir_attr read_ints(bc_reader *r, bc_cursor *c, const ir_attr_info *info)
{
    size_t start = c->at;
    bool bools = info->coding == IR_CODE_BOOLS;
    uint64_t count;
    int64_t *numbers = bc_numbers(r, c, bools ? 1 : 4, &count, info->name);
    for (uint64_t i = 0; i < count && bools; i++) {
        if (numbers[i] != 0 && numbers[i] != 1) {
            bc_fail(r, start, "entry %llu of '%s' is no boolean", (unsigned long long)i,
                    info->name);
        }
    }
    return r->failed ? (ir_attr){0} : ir_attr_of_ints(r->module, count, numbers);
}

static ir_attr read_assume(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    ir_attr attr = bc_tagged_attr(r, c);
    if (!r->failed && attr.kind != IR_ATTR_ASSUME) {
        bc_fail(r, start, "assume's predicate is an attribute of another kind");
    }
    return attr;
}

ir_attr bc_attr(bc_reader *r, bc_cursor *c, const ir_attr_info *info, const ir_type *type)
{
    switch (info->coding) {
    case IR_CODE_INT:
        return read_plain_int(r, c, info);
    case IR_CODE_BOOL:
        return ir_attr_of_int(read_bool(r, c).number);
    case IR_CODE_UNIT:
        return ir_attr_of_int(1);
    case IR_CODE_STRING:
        return read_string(r, c);
    case IR_CODE_TYPE:
        return read_type(r, c);
    case IR_CODE_DENSE:
        return bc_dense(r, c, type);
    case IR_CODE_I32S:
    case IR_CODE_BOOLS:
        return read_ints(r, c, info);
    case IR_CODE_ARRAY:
        return read_list(r, c);
    case IR_CODE_HINTS:
        return read_hints(r, c);
    case IR_CODE_ASSUME:
        return read_assume(r, c);
    default:
        return read_enum(r, c, info);
    }
}

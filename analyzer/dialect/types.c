/* Gives C's types their meaning in Tile IR. */
#include "dialect/lower.h"

#include <string.h>

typedef struct number_type {
    enum CXTypeKind c;
    ir_type_kind ir;
    bool is_unsigned;
} number_type;

/* The target triple is fixed, so `long` has 64 bits. */
static const number_type number_types[] = {
    {CXType_Bool, IR_I1, true},       {CXType_Char_S, IR_I8, false},
    {CXType_Char_U, IR_I8, true},     {CXType_SChar, IR_I8, false},
    {CXType_UChar, IR_I8, true},      {CXType_Short, IR_I16, false},
    {CXType_UShort, IR_I16, true},    {CXType_Int, IR_I32, false},
    {CXType_UInt, IR_I32, true},      {CXType_Long, IR_I64, false},
    {CXType_ULong, IR_I64, true},     {CXType_LongLong, IR_I64, false},
    {CXType_ULongLong, IR_I64, true}, {CXType_Half, IR_F16, false},
    {CXType_Float16, IR_F16, false},  {CXType_BFloat16, IR_BF16, false},
    {CXType_Float, IR_F32, false},    {CXType_Double, IR_F64, false},
};

typedef struct named_type {
    const char *name;
    ir_type_kind ir;
} named_type;

static const named_type named_types[] = {
    {"tile_f16", IR_F16},         {"tile_bf16", IR_BF16},     {"tile_tf32", IR_TF32},
    {"tile_f8e4m3", IR_F8E4M3FN}, {"tile_f8e5m2", IR_F8E5M2}, {"tile_f8e8m0", IR_F8E8M0FNU},
    {"tile_f4e2m1", IR_F4E2M1FN},
};

static CXType canonical(CXType type)
{
    CXType c = clang_getCanonicalType(type);
    if (c.kind == CXType_Enum)
        c = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(c)));
    return c;
}

static bool record_is(CXType type, const char *name)
{
    CXString string = clang_getCursorSpelling(clang_getTypeDeclaration(type));
    const char *text = clang_getCString(string);
    bool is = text && strcmp(text, name) == 0;
    clang_disposeString(string);
    return is;
}

dl_element dl_element_of(dl *L, CXType type)
{
    CXType c = canonical(type);
    for (size_t i = 0; i < TR_COUNT(number_types); i++)
        if (number_types[i].c == c.kind)
            return (dl_element){ir_type_scalar(L->module, number_types[i].ir),
                                number_types[i].is_unsigned};
    if (c.kind == CXType_Record)
        for (size_t i = 0; i < TR_COUNT(named_types); i++)
            if (record_is(c, named_types[i].name))
                return (dl_element){ir_type_scalar(L->module, named_types[i].ir), false};
    return (dl_element){0};
}

bool dl_is_tile_type(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Complex || kind == CXType_LongDouble;
}

dl_class dl_class_of(dl *L, CXType type, dl_element *element)
{
    static const struct {
        const char *record;
        dl_class class;
    } opaque[] = {
        {"tile_token_opaque", DL_CLASS_TOKEN},
        {"tile_tensor_opaque", DL_CLASS_TENSOR},
        {"tile_view_opaque", DL_CLASS_VIEW},
    };
    CXType c = canonical(type);
    *element = dl_element_of(L, c);
    if (element->type)
        return DL_CLASS_NUMBER;
    if (c.kind == CXType_Complex)
        return DL_CLASS_TILE;
    if (c.kind != CXType_Pointer)
        return DL_CLASS_NONE;
    CXType pointee = canonical(clang_getPointeeType(c));
    *element = dl_element_of(L, pointee);
    if (element->type)
        return DL_CLASS_POINTER;
    for (size_t i = 0; i < TR_COUNT(opaque) && pointee.kind == CXType_Record; i++)
        if (record_is(pointee, opaque[i].record))
            return opaque[i].class;
    return DL_CLASS_NONE;
}

bool dl_type_argument(dl *L, CXCursor argument, dl_element *element)
{
    CXCursor cursor = ast_strip(L, argument);
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    *element = (dl_element){0};
    if (type.kind == CXType_Pointer)
        *element = dl_element_of(L, clang_getPointeeType(type));
    if (element->type)
        return true;
    dl_fail(L, argument,
            "Element types are bool, the integer types, float, double and those that "
            "tile.h declares.",
            "this type is no element type of tiles");
    return false;
}

const char *dl_type_text(dl *L, const ir_type *type)
{
    tr_text text = {0};
    ir_type_print(&text, type);
    const char *copy = tr_arena_strdup(L->scratch, tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

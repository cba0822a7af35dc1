/* tile_print: for people who look at a run. It touches no memory and orders nothing by itself. */
#include "dialect/memory.h"

static const char *format_text(dl *L, CXCursor argument)
{
    /* (with the array's conversion to a pointer: of the literal alone libclang tells nothing) */
    CXEvalResult result = clang_Cursor_Evaluate(argument);
    const char *text = NULL;
    if (result && clang_EvalResult_getKind(result) == CXEval_StrLiteral)
        text = tr_arena_strdup(L->scratch, clang_EvalResult_getAsStr(result));
    if (result)
        clang_EvalResult_dispose(result);
    if (!text)
        dl_fail(L, argument, "Write the text in place.", "the format is no string literal");
    return text;
}

dl_value lower_print(dl *L, const dl_args *args)
{
    dl_reader reader = {args, 0};
    dl_access access = {.by_hand = true};
    bool by_hand = args->row->a;
    if (by_hand && !dl_read_after(L, &reader, &access))
        return dl_poison();
    const char *format = format_text(L, dl_next(&reader));
    CXCursor *items;
    size_t n;
    if (!format || !ast_list(L, dl_next(&reader), &items, &n))
        return dl_poison();
    ir_value **values = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (size_t i = 0; i < n; i++) {
        dl_value value = dl_operand(L, items[i]);
        if (value.kind != DL_VALUE)
            return dl_poison();
        if (value.type->kind != IR_TILE || value.type->elem->kind == IR_POINTER)
            return dl_fail(L, items[i], NULL, "only numbers and tiles of numbers can be printed");
        L->at = items[i];
        L->placed = false;
        values[i] = dl_ir(L, &value);
    }
    L->at = args->call;
    L->placed = false;
    ir_operand_list groups[] = {{values, (uint32_t)n}, {&access.after, access.after ? 1 : 0}};
    const ir_type *type = ir_type_token(L->module);
    ir_op *op = dl_build(L, IR_OP_PRINT_TKO, groups, 1, &type, NULL);
    op->attrs[IR_AT_PRINT_TKO_str] = ir_attr_of_string(L->module, format);
    return by_hand ? dl_of(&op->results[0], false, false) : dl_void();
}

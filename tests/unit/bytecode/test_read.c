/* Modules of other writers: their text, places and names. */
#include "modules.h"

static void text_equals_the_disassemblers(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        fixture f = fixture_make();
        size_t size;
        const char *expected = (const char *)read_data(&f, module_names[i], ".txt", &size);
        ir_module *module = read_module(&f, module_names[i]);
        tr_text text = {0};
        ir_print_module(&text, module, false);
        assert_string_equal(tr_text_get(&text), expected);
        tr_text_free(&text);
        ir_module_free(module);
        fixture_free(&f);
    }
}

/* Every op of the table occurs in the modules, so that its row is tried. */
static void modules_hold_every_op(void **state)
{
    (void)state;
    bool seen[IR_OP_COUNT] = {
        /* Never in a function's body, or of preview versions alone. */
        [IR_OP_MODULE] = true,
        [IR_OP_GLOBAL] = true,
        [IR_OP_ENTRY] = true,
        [IR_OP_PREVIEW_CALL] = true,
    };
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        fixture f = fixture_make();
        ir_module *module = read_module(&f, module_names[i]);
        for (ir_op *op = ir_first_op(module->functions); op; op = ir_next_op(op)) {
            seen[op->code] = true;
        }
        ir_module_free(module);
        fixture_free(&f);
    }
    for (int i = 0; i < IR_OP_COUNT; i++) {
        if (!seen[i]) {
            fail_msg("no module has %s", ir_op_info_of((ir_opcode)i)->mnemonic);
        }
    }
}

static void recognises_its_magic_number(void **state)
{
    (void)state;
    fixture f = fixture_make();
    size_t size;
    unsigned char *data = read_data(&f, "control_13_1", ".tilebc", &size);
    assert_true(bytecode_is(data, size));
    assert_false(bytecode_is(data, 7));
    data[3] ^= 1;
    assert_false(bytecode_is(data, size));
    assert_null(bytecode_read(data, size, "control", &f.errors));
    assert_non_null(strstr(first_error(&f), "magic number"));
    fixture_free(&f);
}

static void module_and_functions_say_who_they_are(void **state)
{
    (void)state;
    fixture f = fixture_make();
    ir_module *module = read_module(&f, "inlined_cpp");
    assert_int_equal(module->version_minor, 5);
    assert_non_null(strstr(module->producer, "release 13.5"));
    assert_string_equal(module->functions->name, "inlined");
    assert_string_equal(module->functions->shown, "inlined");
    assert_true(module->functions->is_entry);
    assert_null(module->functions->next);
    ir_module_free(module);
    module = read_module(&f, "memory_13_3");
    assert_null(module->producer);
    assert_string_equal(module->globals->name, "table");
    assert_int_equal(module->globals->alignment, 16);
    assert_false(module->globals->is_private);
    assert_true(module->last_global->is_private && module->last_global->is_constant);
    assert_int_equal(module->functions->hints.kind, IR_ATTR_NAMED);
    ir_module_free(module);
    fixture_free(&f);
}

static void expect_place(const tr_place *place, const char *file, uint32_t line, uint32_t column,
                         const char *function)
{
    assert_non_null(place);
    assert_string_equal(place->file, file);
    assert_int_equal(place->line, line);
    assert_int_equal(place->column, column);
    assert_non_null(strstr(place->function, function));
}

static void places_name_line_and_call_sites(void **state)
{
    (void)state;
    static const struct expectation {
        const char *module, *file;
        uint32_t load_line, load_column, call_line, call_column, store_line, store_column;
    } expectations[] = {
        {"inlined_cpp", "/tests/unit/bytecode/data/inlined_cpp.cu", 9, 29, 18, 14, 18, 5},
        {"inlined_python", "tests/unit/bytecode/data/inlined_python.py", 8, 13, 15, 31, 15, 4},
    };
    for (size_t i = 0; i < TR_COUNT(expectations); i++) {
        const struct expectation *e = &expectations[i];
        fixture f = fixture_make();
        ir_module *module = read_module(&f, e->module);
        const tr_place *load = find_op(module, IR_OP_LOAD_VIEW_TKO)->place;
        expect_place(load, e->file, e->load_line, e->load_column, "twice");
        expect_place(load->inlined_at, e->file, e->call_line, e->call_column, "inlined");
        assert_null(load->inlined_at->inlined_at);
        const tr_place *store = find_op(module, IR_OP_STORE_VIEW_TKO)->place;
        expect_place(store, e->file, e->store_line, e->store_column, "inlined");
        assert_null(store->inlined_at);
        expect_place(module->functions->place, e->file, 13, i ? 0 : 46, "inlined");
        ir_module_free(module);
        fixture_free(&f);
    }
}

static void modules_without_places_have_none(void **state)
{
    (void)state;
    fixture f = fixture_make();
    ir_module *module = read_module(&f, "memory_13_4");
    assert_null(module->functions->place);
    for (ir_op *op = ir_first_op(module->functions); op; op = ir_next_op(op)) {
        assert_null(op->place);
    }
    ir_module_free(module);
    fixture_free(&f);
}

/* 13.1 knows no token of print_tko: the op has one all the same, which nobody uses. */
static void later_results_are_there(void **state)
{
    (void)state;
    fixture f = fixture_make();
    ir_module *module = read_module(&f, "memory_13_1");
    const ir_op *print = find_op(module, IR_OP_PRINT_TKO);
    assert_int_equal(print->n_results, 1);
    assert_int_equal(print->results[0].type->kind, IR_TOKEN);
    assert_null(ir_operand(print, IR_PRINT_TKO_token));
    const ir_op *load = find_op(module, IR_OP_LOAD_VIEW_TKO);
    assert_int_equal(load->attrs[IR_AT_LOAD_VIEW_TKO_inbounds].kind, IR_ATTR_INTS);
    ir_module_free(module);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_equals_the_disassemblers),
        cmocka_unit_test(modules_hold_every_op),
        cmocka_unit_test(recognises_its_magic_number),
        cmocka_unit_test(module_and_functions_say_who_they_are),
        cmocka_unit_test(places_name_line_and_call_sites),
        cmocka_unit_test(modules_without_places_have_none),
        cmocka_unit_test(later_results_are_there),
    };
    return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}

/* Writing: what is read and written again says the same, and what a version cannot say is refused.
 */
#include "modules.h"

#include <stdlib.h>

static ir_module *written_and_read(fixture *f, const ir_module *module, uint8_t minor)
{
    unsigned char *data = NULL;
    size_t size = 0;
    if (!bytecode_write(module, minor, &data, &size, &f->errors)) {
        return NULL;
    }
    assert_int_equal(data[9], minor);
    ir_module *again = bytecode_read(data, size, "written", &f->errors);
    if (!again) {
        fail_msg("version 13.%u: %s", minor, first_error(f));
    }
    free(data);
    return again;
}

static void expect_same_text(const ir_module *left, const ir_module *right, bool locations)
{
    tr_text a = {0}, b = {0};
    ir_print_module(&a, left, locations);
    ir_print_module(&b, right, locations);
    assert_string_equal(tr_text_get(&a), tr_text_get(&b));
    tr_text_free(&a);
    tr_text_free(&b);
}

static void own_version_keeps_text_and_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        fixture f = fixture_make();
        ir_module *module = read_module(&f, module_names[i]);
        if (module->version_minor <= BYTECODE_NEWEST_WRITTEN) {
            ir_module *again = written_and_read(&f, module, module->version_minor);
            if (!again) {
                fail_msg("%s: %s", module_names[i], first_error(&f));
            }
            expect_same_text(module, again, false);
            expect_same_text(module, again, true);
            ir_module_free(again);
        }
        ir_module_free(module);
        fixture_free(&f);
    }
}

/* A module of 13.1 can be written as every version. */
static void every_version_says_what_the_oldest_says(void **state)
{
    (void)state;
    static const char *const names[] = {"arithmetic_13_1", "constants_13_1", "control_13_1",
                                        "memory_13_1", "inlined_python"};
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        fixture f = fixture_make();
        ir_module *module = read_module(&f, names[i]);
        for (uint8_t minor = 1; minor <= BYTECODE_NEWEST_WRITTEN; minor++) {
            ir_module *again = written_and_read(&f, module, minor);
            if (!again) {
                fail_msg("%s as 13.%u: %s", names[i], minor, first_error(&f));
            }
            expect_same_text(module, again, true);
            ir_module_free(again);
        }
        ir_module_free(module);
        fixture_free(&f);
    }
}

static void call_sites_are_written(void **state)
{
    (void)state;
    fixture f = fixture_make();
    ir_module *module = read_module(&f, "inlined_python");
    ir_module *again = written_and_read(&f, module, 4);
    const tr_place *load = find_op(again, IR_OP_LOAD_VIEW_TKO)->place;
    assert_int_equal(load->line, 8);
    assert_string_equal(load->function, "twice");
    assert_int_equal(load->inlined_at->line, 15);
    assert_string_equal(load->inlined_at->function, "inlined");
    ir_module_free(again);
    ir_module_free(module);
    fixture_free(&f);
}

static void what_came_later_is_refused_by_name(void **state)
{
    (void)state;
    static const struct expectation {
        const char *module;
        uint8_t minor;
        const char *part;
    } expectations[] = {
        {"memory_13_5", 3, "'inbounds'"},
        {"memory_13_4", 2, "global 'one'"},
        {"memory_13_2", 1, "'token'"},
        {"arithmetic_13_4", 3, "'fpowi'"},
        {"arithmetic_13_3", 2, "'rounding_mode'"},
        {"arithmetic_13_2", 1, "'rounding_mode'"},
        {"constants_13_4", 3, "fnv8E5M3FNU"},
        {"control_13_2", 1, "'unsigned_cmp'"},
        {"multimem_13_5", 4, "13.4"},
        {"control_13_1", 5, "13.1 to 13.4"},
        {"control_13_1", 0, "13.1 to 13.4"},
    };
    for (size_t i = 0; i < TR_COUNT(expectations); i++) {
        const struct expectation *e = &expectations[i];
        fixture f = fixture_make();
        ir_module *module = read_module(&f, e->module);
        ir_module *again = written_and_read(&f, module, e->minor);
        bool named = false;
        for (size_t j = 0; j < tr_errors_count(&f.errors); j++) {
            named = named || strstr(f.errors.items[j].text, e->part);
        }
        if (again || !named) {
            fail_msg("%s as 13.%u: expected '%s', got %s", e->module, e->minor, e->part,
                     first_error(&f));
        }
        ir_module_free(module);
        fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_version_keeps_text_and_places),
        cmocka_unit_test(every_version_says_what_the_oldest_says),
        cmocka_unit_test(call_sites_are_written),
        cmocka_unit_test(what_came_later_is_refused_by_name),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}

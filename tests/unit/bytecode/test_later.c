/* Modules of preview versions and of versions that come: what is understood of them is read, and a
 * kernel with anything else has no ops. */
#include "craft.h"

enum { MINOR_AT = 9, TAG_AT = 10 };

static ir_module *read_known(fixture *f, const unsigned char *data, size_t size)
{
    return bytecode_read_known(data, size, "later", &f->errors);
}

static const char *const newest[] = {"arithmetic_13_5", "constants_13_5", "control_13_5",
                                     "memory_13_5", "multimem_13_5"};

/* A later version that uses nothing new reads as the newest known one does, where kernels are
 * looked at, and not where something is made of them. */
static void test_nothing_new(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(newest); i++) {
        fixture f = fixture_make();
        size_t size;
        unsigned char *data = read_data(&f, newest[i], ".tilebc", &size);
        ir_module *plain = read_known(&f, data, size);
        assert_non_null(plain);
        data[MINOR_AT] = 7;
        assert_null(bytecode_read(data, size, "later", &f.errors));
        assert_non_null(strstr(first_error(&f), "13.7.0 is unknown"));
        ir_module *later = read_known(&f, data, size);
        assert_non_null(later);
        assert_int_equal(later->version_minor, 7);
        const ir_function *a = plain->functions, *b = later->functions;
        for (; a && b; a = a->next, b = b->next) {
            assert_int_equal(a->n_ops, b->n_ops);
            assert_null(b->unread);
        }
        assert_true(!a && !b);
        ir_module_free(plain);
        ir_module_free(later);
        fixture_free(&f);
    }
}

static void test_preview(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(newest); i++) {
        fixture f = fixture_make();
        size_t size;
        unsigned char *data = read_data(&f, newest[i], ".tilebc", &size);
        data[TAG_AT] = 1;
        ir_module *module = bytecode_read(data, size, "preview", &f.errors);
        assert_non_null(module);
        assert_int_equal(module->version_tag, 1);
        ir_module_free(module);
        fixture_free(&f);
    }
}

/* ---- Section: Something new ---- */

static ir_module *read_crafted(fixture *f, craft *c, bool known)
{
    bc_out file = craft_file(c);
    ir_module *module = known ? read_known(f, file.data, file.size)
                              : bytecode_read(file.data, file.size, "craft", &f->errors);
    bc_out_free(&file);
    return module;
}

static void expect_unread(craft *c, const char *part)
{
    fixture f = fixture_make();
    ir_module *module = read_crafted(&f, c, true);
    if (!module)
        fail_msg("%s", first_error(&f));
    assert_int_equal(tr_errors_count(&f.errors), 0);
    assert_non_null(module->functions->unread);
    assert_non_null(strstr(module->functions->unread, part));
    assert_int_equal(module->functions->n_ops, 1); /* the return */
    assert_null(read_crafted(&f, c, false));
    craft_free(c);
    ir_module_free(module);
    fixture_free(&f);
}

/* A preview version with the layout of 13.1. */
static craft preview(void)
{
    craft c = craft_make();
    c.tag = 1;
    return c;
}

static void test_unknown_things(void **state)
{
    (void)state;
    craft c = preview();
    craft_op(&c, BYTES(0xfe, 0x7f, 1, 2, 3)); /* an opcode of two bytes */
    expect_unread(&c, "unknown opcode 16382");
    c = preview();
    craft_op(&c, BYTES(0x71)); /* alloca, of 13.3 */
    expect_unread(&c, "came with 13.3");
    c = preview();
    craft_op(&c, BYTES(0x10, CRAFT_TILE_I32, 200)); /* a constant that is not there */
    expect_unread(&c, "constant");
    c = preview();
    craft_op(&c, BYTES(0x10, 99, 0)); /* a type that is not there */
    expect_unread(&c, "type");
}

/* What has no number of a version or is not inside a kernel is an error as ever. */
static void test_what_stays_an_error(void **state)
{
    (void)state;
    fixture f = fixture_make();
    craft c = craft_make();
    craft_op(&c, BYTES(0xfe, 0x7f));
    assert_null(read_crafted(&f, &c, true));
    assert_non_null(strstr(first_error(&f), "unknown opcode"));
    craft_free(&c);
    fixture_free(&f);
    f = fixture_make();
    c = preview();
    c.no_end = true;
    assert_null(read_crafted(&f, &c, true));
    craft_free(&c);
    fixture_free(&f);
}

/* A function that is no entry, as preview versions have, is passed over. */
static void test_no_entry(void **state)
{
    (void)state;
    fixture f = fixture_make();
    craft c = preview();
    bc_put(&c.function, BYTES(0, 0));
    ir_module *module = read_crafted(&f, &c, false);
    assert_non_null(module);
    assert_null(module->functions);
    ir_module_free(module);
    craft_free(&c);
    fixture_free(&f);
}

/* Any byte of a later version may be what it is not known for: nothing breaks, and a kernel is read
 * whole, or not at all. */
static void test_any_byte(void **state)
{
    (void)state;
    static const unsigned char values[] = {0, 0x7f, 0xff};
    size_t unread = 0;
    for (size_t i = 0; i < TR_COUNT(newest); i++) {
        fixture f = fixture_make();
        size_t size;
        unsigned char *data = read_data(&f, newest[i], ".tilebc", &size);
        data[MINOR_AT] = 9;
        for (size_t at = TAG_AT + 2; at < size; at += 7)
            for (size_t v = 0; v < TR_COUNT(values); v++) {
                unsigned char kept = data[at];
                data[at] = values[v];
                ir_module *module = read_known(&f, data, size);
                for (ir_function *k = module ? module->functions : NULL; k; k = k->next) {
                    unread += k->unread != NULL;
                    assert_true(!k->unread || k->n_ops == 1);
                }
                assert_true(module || tr_errors_count(&f.errors) > 0);
                if (module)
                    ir_module_free(module);
                data[at] = kept;
            }
        fixture_free(&f);
    }
    assert_true(unread > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_new),    cmocka_unit_test(test_preview),
        cmocka_unit_test(test_unknown_things), cmocka_unit_test(test_what_stays_an_error),
        cmocka_unit_test(test_no_entry),       cmocka_unit_test(test_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

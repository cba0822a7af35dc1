/* Bytes that are no module: one error that says what and where, no crash, no hang, little memory.
 */
#include "craft.h"

#include <stdio.h>

/* Exactly `size` bytes on the heap, so that the sanitizer sees a read behind them. */
static bool reads(const unsigned char *data, size_t size, tr_errors *errors)
{
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    ir_module *module = bytecode_read(copy, size, "input", errors);
    free(copy);
    if (module) {
        ir_module_free(module);
    }
    return module != NULL;
}

/* Versions 13.2 and 13.4 differ little from those beside them. */
static bool is_skipped(const char *name)
{
    return strstr(name, "_13_2") || strstr(name, "_13_4");
}

static void truncated_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        if (is_skipped(module_names[i])) {
            continue;
        }
        fixture f = fixture_make();
        size_t size;
        const unsigned char *data = read_data(&f, module_names[i], ".tilebc", &size);
        for (size_t kept = 0; kept < size; kept++) {
            tr_errors errors = tr_errors_make(f.arena);
            assert_false(reads(data, kept, &errors));
            assert_int_equal(tr_errors_count(&errors), 1);
            unsigned long long offset = 0;
            assert_int_equal(sscanf(errors.items[0].text, "at byte %llu:", &offset), 1);
            assert_true(offset <= kept);
            tr_errors_free(&errors);
        }
        fixture_free(&f);
    }
}

static void every_byte_changed(void **state)
{
    (void)state;
    static const unsigned char changes[] = {0xff, 0x01};
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        if (is_skipped(module_names[i])) {
            continue;
        }
        fixture f = fixture_make();
        size_t size, wrong = 0;
        unsigned char *data = read_data(&f, module_names[i], ".tilebc", &size);
        for (size_t at = 0; at < size; at++) {
            for (size_t c = 0; c < TR_COUNT(changes); c++) {
                tr_errors errors = tr_errors_make(f.arena);
                data[at] ^= changes[c];
                bool read = reads(data, size, &errors);
                assert_true(read == (tr_errors_count(&errors) == 0));
                wrong += !read;
                data[at] ^= changes[c];
                tr_errors_free(&errors);
            }
        }
        assert_true(2 * wrong > size); /* of two changes a byte, most are seen */
        fixture_free(&f);
    }
}

/* ---- Header and sections ---- */

static void crafted_modules_are_right_to_begin_with(void **state)
{
    (void)state;
    craft c = craft_make();
    craft_expect_valid(&c);
}

static void unknown_versions(void **state)
{
    (void)state;
    static const struct version {
        uint8_t major, minor;
        uint16_t tag;
        const char *part;
    } versions[] = {
        {13, 0, 0, "13.0.0 is unknown"},
        {13, 6, 0, "13.6.0 is unknown"},
        {12, 1, 0, "12.1.0 is unknown"},
        {14, 1, 0, "14.1.0 is unknown"},
    };
    for (size_t i = 0; i < TR_COUNT(versions); i++) {
        craft c = craft_make();
        c.major = versions[i].major;
        c.minor = versions[i].minor;
        c.tag = versions[i].tag;
        craft_expect_error(&c, versions[i].part);
    }
}

static void wrong_sections(void **state)
{
    (void)state;
    static const struct wrong {
        unsigned char bytes[4];
        size_t size;
        const char *part;
    } wrongs[] = {
        {{8, 0}, 2, "unknown section 8"},           {{0x80, 0}, 2, "unknown section 128"},
        {{1, 0}, 2, "a second string section"},     {{7, 100}, 2, "a section's length is 100"},
        {{0x87, 0, 3}, 3, "alignment is 3"},        {{0x87, 0, 0}, 3, "alignment is 0"},
        {{0, 0}, 2, "left behind the end section"},
    };
    for (size_t i = 0; i < TR_COUNT(wrongs); i++) {
        craft c = craft_make();
        bc_put(&c.more, wrongs[i].bytes, wrongs[i].size);
        craft_expect_error(&c, wrongs[i].part);
    }
    craft c = craft_make();
    c.no_end = true;
    craft_expect_error(&c, "no end section");
}

/* ---- Types ---- */

static void unknown_types(void **state)
{
    (void)state;
    craft c = craft_make();
    bc_pool_number(&c.types, BYTES(99));
    craft_expect_error(&c, "unknown type tag 99");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(22));
    craft_expect_error(&c, "type i4 (tag 22) in version 13.1; it came with 13.3");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(3, 0));
    craft_expect_error(&c, "1 bytes are left behind a type");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(12, 200, 1));
    craft_expect_error(&c, "type 200 of 8");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(13, CRAFT_I32, 9));
    craft_expect_error(&c, "the extents of a type is 9, but only 0 bytes are left");
}

static void types_that_contain_themselves(void **state)
{
    (void)state;
    craft c = craft_make();
    bc_pool_number(&c.types, BYTES(12, 7));
    craft_expect_error(&c, "type 7 contains itself");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(13, 8, 0));
    bc_pool_number(&c.types, BYTES(12, 7));
    craft_expect_error(&c, "contains itself");
    c = craft_make();
    bc_pool_number(&c.types, BYTES(16, 1, 7, 0));
    craft_expect_error(&c, "contains itself");
}

static void types_nested_deeply(void **state)
{
    (void)state;
    craft c = craft_make();
    for (unsigned char i = 8; i < 100; i++) {
        bc_pool_number(&c.types, BYTES(12, i));
    }
    bc_pool_number(&c.types, BYTES(4));
    craft_expect_error(&c, "types nest more than 16 deep");
}

/* ---- Ops ---- */

static void expect_op_error(const unsigned char *bytes, size_t size, const char *part)
{
    craft c = craft_make();
    bc_pool_number(&c.strings, "a\0b", 3);
    bc_pool_number(&c.constants, BYTES(4, 1, 0, 0, 0));
    craft_op(&c, bytes, size);
    craft_expect_error(&c, part);
}

static void wrong_ops(void **state)
{
    (void)state;
    enum { CONSTANT = 0x10, ADDI = 0x03, FOR = 0x29, ASSUME = 0x06, PRINT = 0x55 };
    expect_op_error(BYTES(0xc8, 0x01), "unknown opcode 200");
    expect_op_error(BYTES(0x80, 0x80, 0x04), "unknown opcode 65536");
    expect_op_error(BYTES(0x71), "op 'alloca' (opcode 113) in version 13.1; it came with 13.3");
    expect_op_error(BYTES(0x16), "op 'entry' (opcode 22) inside a function");
    expect_op_error(BYTES(CONSTANT, 99), "a result's type is type 99 of 7");
    expect_op_error(BYTES(CONSTANT, CRAFT_I32), "a type that values cannot have");
    expect_op_error(BYTES(CONSTANT, CRAFT_TILE_I32, 1), "constant 1 of 1");
    expect_op_error(BYTES(CONSTANT, CRAFT_TILE_I1, 0), "4 bytes of constant data for tile<i1>");
    expect_op_error(BYTES(ADDI, CRAFT_TILE_I32, 0, 0, 0), "value 0 of 0");
    expect_op_error(BYTES(ADDI, CRAFT_TILE_I32, 9), "no value 9 of 'overflow'");
    expect_op_error(BYTES(0x3e, 0), "op 'load_view_tko' with 0 results");
    expect_op_error(BYTES(0x3d, CRAFT_TILE_I32, CRAFT_TOKEN, 0x40), "unknown flags 0x40");
    expect_op_error(BYTES(FOR, 0, 2), "op 'for' with 2 operands");
    expect_op_error(BYTES(PRINT, 0, 1), "string 1 (a string attribute) holds a zero byte");
    expect_op_error(BYTES(PRINT, 0, 7), "string 7 of 2");
    expect_op_error(BYTES(ASSUME, CRAFT_TILE_I32, 13), "unknown attribute tag 13");
    expect_op_error(BYTES(ASSUME, CRAFT_TILE_I32, 3, 1),
                    "assume's predicate is an attribute of another kind");
    expect_op_error(BYTES(0x41, 0, 0, 2), "op 'loop' with 2 regions");
    expect_op_error(BYTES(0x41, 0, 0, 1, 2), "a region of op 'loop' has 2 blocks");
}

static void regions_nested_deeply(void **state)
{
    (void)state;
    craft c = craft_make();
    for (int i = 0; i < 1000; i++) {
        craft_op(&c, BYTES(0x41, 0, 0, 1, 1, 0, 1)); /* loop { one op: */
    }
    craft_expect_error(&c, "regions nest more than 64 deep");
}

static void attributes_nested_deeply(void **state)
{
    (void)state;
    craft c = craft_make();
    bc_put(&c.function, BYTES(BC_FUNCTION_ENTRY | BC_FUNCTION_HINTS, 0));
    for (int i = 0; i < 1000; i++) {
        bc_put(&c.function, BYTES(BC_ATTR_ARRAY, 1));
    }
    craft_expect_error(&c, "attributes nest more than 16 deep");
}

static void wrong_functions(void **state)
{
    (void)state;
    static const struct wrong {
        unsigned char flags;
        const char *part;
    } wrongs[] = {{0, "'k' is not an entry"},
                  {BC_FUNCTION_ENTRY | BC_FUNCTION_PRIVATE, "'k' is private"},
                  {8, "unknown flags 0x8 of a function"}};
    for (size_t i = 0; i < TR_COUNT(wrongs); i++) {
        craft c = craft_make();
        bc_put(&c.function, BYTES(wrongs[i].flags, 0));
        craft_expect_error(&c, wrongs[i].part);
    }
    craft c = craft_make();
    c.function_type = CRAFT_TILE_I32;
    craft_expect_error(&c, "the type of function 'k' is not a function type");
}

/* ---- Debug records ---- */

/* One function with records for itself and its one op; `records` and the function's record. */
static void expect_debug_error(const bc_pool *records, uint64_t of_function, const char *part)
{
    craft c = craft_make();
    bc_put_varint(&c.debug, 1);
    bc_put_align(&c.debug, 4);
    bc_put_little(&c.debug, 0, 4);
    bc_put_varint(&c.debug, 1);
    bc_put_align(&c.debug, 8);
    bc_put_little(&c.debug, of_function, 8);
    bc_put_pool(&c.debug, records, 4);
    craft_expect_error(&c, part);
}

static void wrong_debug_records(void **state)
{
    (void)state;
    bc_pool records = {0};
    bc_pool_number(&records, BYTES(BC_DEBUG_FILE, 0, 0));
    expect_debug_error(&records, 2, "debug record 2 of 1");
    expect_debug_error(&records, 1, "debug record 1 is no place");
    expect_debug_error(&records, 0, "an op has no debug record");
    bc_pool_number(&records, BYTES(BC_DEBUG_CALL_SITE, 2, 2));
    expect_debug_error(&records, 2, "debug record 2 contains itself");
    bc_pool_free(&records);
    bc_pool_number(&records, BYTES(9));
    expect_debug_error(&records, 1, "unknown tag 9 of a debug record");
    bc_pool_free(&records);
    bc_pool_number(&records, BYTES(BC_DEBUG_FILE, 0, 5));
    expect_debug_error(&records, 1, "a file's folder is string 5 of 1");
    bc_pool_free(&records);
}

/* Each call site has the one before as caller and callee: 2^40 frames when written out. */
static void call_sites_that_double(void **state)
{
    (void)state;
    bc_pool records = {0};
    bc_pool_number(&records, BYTES(BC_DEBUG_CALL_SITE, 0, 0));
    for (unsigned char i = 1; i < 40; i++) {
        bc_pool_number(&records, BYTES(BC_DEBUG_CALL_SITE, i, i));
    }
    expect_debug_error(&records, 40, "call sites; 256 are the most");
    bc_pool_free(&records);
}

/* ---- Sizes ---- */

/* Every count of a module at its extremes: 2^63 and one more than there is. */
static void huge_counts(void **state)
{
    (void)state;
    static const unsigned char huge[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    for (size_t i = 0; i < TR_COUNT(module_names); i++) {
        if (is_skipped(module_names[i])) {
            continue;
        }
        fixture f = fixture_make();
        size_t size;
        const unsigned char *data = read_data(&f, module_names[i], ".tilebc", &size);
        unsigned char *copy = malloc(size + sizeof huge);
        for (size_t at = BC_MAGIC_SIZE + 4; at < size; at++) {
            memcpy(copy, data, at);
            memcpy(copy + at, huge, sizeof huge);
            memcpy(copy + at + sizeof huge, data + at + 1, size - at - 1);
            tr_errors errors = tr_errors_make(f.arena);
            reads(copy, size + sizeof huge - 1, &errors);
            tr_errors_free(&errors);
        }
        free(copy);
        fixture_free(&f);
    }
}

static void number_of_more_than_64_bits(void **state)
{
    (void)state;
    craft c = craft_make();
    craft_op(&c, BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f));
    craft_expect_error(&c, "more than 64 bits");
}

/* Few bytes that ask for much: 4,000 functions with 4,000 parameters each. */
static void many_functions_of_a_large_type(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    craft c = craft_make();
    c.minor = 1;
    bc_out type = {0}, functions = {0};
    bc_put_byte(&type, 16);
    bc_put_varint(&type, COUNT);
    for (int i = 0; i < COUNT; i++) {
        bc_put_byte(&type, CRAFT_TILE_I32);
    }
    bc_put_byte(&type, 0);
    uint32_t number = bc_pool_number(&c.types, type.data, type.size);
    bc_out_free(&type);
    bc_put(&functions, BC_MAGIC, BC_MAGIC_SIZE);
    bc_put(&functions, BYTES(13, 1, 0, 0));
    bc_out list = {0};
    bc_put_varint(&list, COUNT);
    for (int i = 0; i < COUNT; i++) {
        bc_put_byte(&list, 0);
        bc_put_varint(&list, number);
        bc_put(&list, BYTES(BC_FUNCTION_ENTRY, 0, 3, 0x5c, 0, 0));
    }
    craft_section(&functions, BC_SECTION_FUNC, 8, &list);
    bc_out_free(&list);
    craft_table(&functions, BC_SECTION_TYPE, &c.types, 4);
    craft_table(&functions, BC_SECTION_STRING, &c.strings, 4);
    bc_put_byte(&functions, BC_SECTION_END);
    fixture f = fixture_make();
    assert_false(reads(functions.data, functions.size, &f.errors));
    assert_non_null(strstr(first_error(&f), "bytes of memory for each"));
    fixture_free(&f);
    bc_out_free(&functions);
    craft_free(&c);
}

/* The printer's name for an assume holds the names of all below it. */
static void long_chains_of_assumes(void **state)
{
    (void)state;
    craft c = craft_make();
    bc_pool_number(&c.constants, BYTES(4, 1, 0, 0, 0));
    craft_op(&c, BYTES(0x10, CRAFT_TILE_I32, 0));
    for (unsigned char i = 0; i < 100; i++) {
        craft_op(&c, BYTES(0x06, CRAFT_TILE_I32, BC_ATTR_DIV_BY, 2, 0, i));
    }
    craft_expect_error(&c, "more than 64 assumes");
}

/* Two strings of the string table may be equal. */
static void names_twice_in_a_dictionary(void **state)
{
    (void)state;
    craft c = craft_make();
    bc_put_varint(&c.function, BC_FUNCTION_ENTRY | BC_FUNCTION_HINTS);
    bc_put(&c.function, BYTES(0, BC_ATTR_HINTS, 2, 0, BC_ATTR_DICTIONARY, 0));
    bc_put(&c.function, BYTES(0, BC_ATTR_DICTIONARY, 0));
    craft_expect_error(&c, "two entries of a dictionary are called 'k'");
}

/* One large constant that many ops name is kept once, and not walked through again and again. */
static void many_uses_of_a_large_constant(void **state)
{
    (void)state;
    enum { BYTES_OF_DATA = 4 << 16, USES = 2000 };
    for (int equal = 0; equal < 2; equal++) {
        craft c = craft_make();
        unsigned char *data = calloc(1, BYTES_OF_DATA);
        data[BYTES_OF_DATA - 1] = !equal;
        bc_out constant = {0};
        bc_put_varint(&constant, BYTES_OF_DATA);
        bc_put(&constant, data, BYTES_OF_DATA);
        free(data);
        bc_pool_number(&c.constants, constant.data, constant.size);
        bc_out_free(&constant);
        bc_out type = {0};
        bc_put(&type, BYTES(13, CRAFT_I32, 1));
        bc_put_little(&type, BYTES_OF_DATA / 4, 8);
        uint32_t number = bc_pool_number(&c.types, type.data, type.size);
        bc_out_free(&type);
        for (int i = 0; i < USES; i++) {
            craft_op(&c, BYTES(0x10, (unsigned char)number, 0));
        }
        if (equal) {
            craft_expect_valid(&c);
        } else {
            craft_expect_error(&c, "all uses of constants together");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncated_at_every_byte),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(crafted_modules_are_right_to_begin_with),
        cmocka_unit_test(unknown_versions),
        cmocka_unit_test(wrong_sections),
        cmocka_unit_test(unknown_types),
        cmocka_unit_test(types_that_contain_themselves),
        cmocka_unit_test(types_nested_deeply),
        cmocka_unit_test(wrong_ops),
        cmocka_unit_test(regions_nested_deeply),
        cmocka_unit_test(attributes_nested_deeply),
        cmocka_unit_test(wrong_functions),
        cmocka_unit_test(wrong_debug_records),
        cmocka_unit_test(call_sites_that_double),
        cmocka_unit_test(huge_counts),
        cmocka_unit_test(number_of_more_than_64_bits),
        cmocka_unit_test(many_functions_of_a_large_type),
        cmocka_unit_test(long_chains_of_assumes),
        cmocka_unit_test(names_twice_in_a_dictionary),
        cmocka_unit_test(many_uses_of_a_large_constant),
    };
    return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}

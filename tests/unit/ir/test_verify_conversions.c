/* The verifier on conversions between element types: all pairs of formats. */
#include "build.h"

static kernel start(void)
{
    return kernel_start_in(ir_module_new("m"), "k", NULL, 0);
}

/* The roundings of a conversion that pass, one letter each in the order of ir_rounding, "." for one
 * that does not. */
static void roundings_that_pass(ir_type_kind from, ir_type_kind to, char *letters)
{
    static const char all[] = "eznpAFIa";
    for (int mode = 0; mode <= IR_ROUND_NEAREST_AWAY; mode++) {
        kernel k = start();
        ir_op *op = OP1(&k, IR_OP_FTOF, tile(k.module, to, SHAPE(2)),
                        constant(&k, tile(k.module, from, SHAPE(2)), 0));
        ir_set_int(op, IR_AT_FTOF_rounding_mode, mode);
        finish(&k, IR_OP_RETURN, NULL, 0);
        tr_arena *arena = tr_arena_new();
        tr_errors errors = tr_errors_make(arena);
        letters[mode] = ir_verify(k.module, &errors) ? all[mode] : '.';
        if (letters[mode] == '.')
            assert_non_null(strstr(errors.items[0].text,
                                   from == to ? "it converts nothing" : "it does not round by"));
        tr_errors_free(&errors);
        tr_arena_free(arena);
        ir_module_free(k.module);
    }
    letters[IR_ROUND_NEAREST_AWAY + 1] = 0;
}

/* All pairs of formats, as tileiras 13.5.37 takes or refuses them: rows are sources. */
static void test_roundings_of_conversions(void **state)
{
    (void)state;
    static const ir_type_kind kinds[] = {IR_F64,       IR_F32,      IR_TF32,   IR_F16,
                                         IR_BF16,      IR_F8E4M3FN, IR_F8E5M2, IR_FNV8E5M3FNU,
                                         IR_F8E8M0FNU, IR_F4E2M1FN};
#define NONE   "........"
#define EVEN   "e......."
#define NARROW "ez......"
#define IEEE   "eznp...."
#define WIDE   "eznp...a"
#define TF32   "ez.....a"
#define SCALE  ".z.p...."
    static const char *const passes[][TR_COUNT(kinds)] = {
        {NONE, IEEE, NARROW, NARROW, NARROW, EVEN, EVEN, EVEN, SCALE, EVEN},
        {WIDE, NONE, TF32, NARROW, NARROW, EVEN, EVEN, EVEN, SCALE, EVEN},
        {WIDE, WIDE, NONE, NARROW, NARROW, EVEN, EVEN, EVEN, SCALE, EVEN},
        {WIDE, WIDE, WIDE, NONE, NARROW, EVEN, EVEN, EVEN, SCALE, EVEN},
        {WIDE, WIDE, WIDE, NARROW, NONE, EVEN, EVEN, EVEN, SCALE, EVEN},
        {WIDE, WIDE, WIDE, WIDE, WIDE, NONE, EVEN, EVEN, SCALE, EVEN},
        {WIDE, WIDE, WIDE, WIDE, WIDE, EVEN, NONE, EVEN, SCALE, EVEN},
        {WIDE, WIDE, WIDE, NARROW, WIDE, EVEN, EVEN, NONE, SCALE, EVEN},
        {WIDE, NARROW, NARROW, NARROW, NARROW, EVEN, EVEN, EVEN, NONE, EVEN},
        {WIDE, WIDE, WIDE, WIDE, WIDE, EVEN, EVEN, EVEN, SCALE, NONE},
    };
    for (size_t from = 0; from < TR_COUNT(kinds); from++) {
        for (size_t to = 0; to < TR_COUNT(kinds); to++) {
            char letters[IR_ROUND_NEAREST_AWAY + 2];
            roundings_that_pass(kinds[from], kinds[to], letters);
            if (strcmp(letters, passes[from][to]) != 0) {
                fail_msg("format %zu to %zu: %s, not %s", from, to, letters, passes[from][to]);
            }
        }
    }
    kernel k = start();
    ir_op *op =
        OP1(&k, IR_OP_FTOF, scalar(k.module, IR_F8E5M2), constant(&k, scalar(k.module, IR_F32), 0));
    ir_set_int(op, IR_AT_FTOF_rounding_mode, IR_ROUND_ZERO);
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_invalid(&k, "from f32 to f8E5M2 it does not round by zero, but by nearest_even");
    ir_module_free(k.module);
}

static void test_integers_to_floats(void **state)
{
    (void)state;
    for (ir_type_kind to = IR_F16; to <= IR_FNV8E5M3FNU; to++) {
        kernel k = start();
        OP1(&k, IR_OP_ITOF, tile(k.module, to, SHAPE(2)),
            constant(&k, tile(k.module, IR_I32, SHAPE(2)), 0));
        finish(&k, IR_OP_RETURN, NULL, 0);
        if (to == IR_F8E8M0FNU) {
            expect_invalid(&k, "i32 does not become f8E8M0FNU at once");
        } else {
            expect_valid(&k);
        }
        ir_module_free(k.module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roundings_of_conversions),
        cmocka_unit_test(test_integers_to_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Integer ops, every signedness, rounding and width, against numbers worked out by hand. */
#include "scalars.h"

/* Result of one integer op on one element of a width, read back as stored in an i64. */
typedef struct sample {
    ir_opcode code;
    ir_type_kind kind;
    int64_t a, b;
    int attr; /* attribute number or -1 */
    int64_t attr_value;
    int attr2;
    int64_t attr2_value;
    int64_t expected;
} sample;

#define NO                    -1, 0
#define ATTR(op, name, value) IR_AT_##op##_##name, (value)

static const sample samples[] = {
    {IR_OP_ADDI, IR_I8, 127, 1, NO, NO, -128},
    {IR_OP_ADDI, IR_I64, INT64_MAX, 1, NO, NO, INT64_MIN},
    {IR_OP_SUBI, IR_I16, -32768, 1, NO, NO, 32767},
    {IR_OP_MULI, IR_I32, 65536, 65536, NO, NO, 0},
    {IR_OP_MULI, IR_I64, INT64_MIN, -1, NO, NO, INT64_MIN},
    {IR_OP_MULHII, IR_I32, INT32_MIN, 2, NO, NO, 1},
    {IR_OP_MULHII, IR_I64, -1, -1, NO, NO, -2},
    {IR_OP_MULHII, IR_I8, -1, 2, NO, NO, 1},
    {IR_OP_DIVI, IR_I32, -7, 2, ATTR(DIVI, signedness, IR_SIGNED), NO, -3},
    {IR_OP_DIVI, IR_I32, -7, 2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_NEGATIVE_INF), -4},
    {IR_OP_DIVI, IR_I32, -7, 2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_POSITIVE_INF), -3},
    {IR_OP_DIVI, IR_I32, 7, 2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_POSITIVE_INF), 4},
    {IR_OP_DIVI, IR_I32, 7, -2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_NEGATIVE_INF), -4},
    {IR_OP_DIVI, IR_I32, -6, 2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_NEGATIVE_INF), -3},
    {IR_OP_DIVI, IR_I32, 6, -2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_NEGATIVE_INF), -3},
    {IR_OP_DIVI, IR_I32, -6, 2, ATTR(DIVI, signedness, IR_SIGNED),
     ATTR(DIVI, rounding, IR_ROUND_POSITIVE_INF), -3},
    {IR_OP_DIVI, IR_I32, -1, 2, ATTR(DIVI, signedness, IR_UNSIGNED), NO, INT32_MAX},
    {IR_OP_DIVI, IR_I32, -1, 2, ATTR(DIVI, signedness, IR_UNSIGNED),
     ATTR(DIVI, rounding, IR_ROUND_POSITIVE_INF), INT32_MIN},
    {IR_OP_REMI, IR_I32, -7, 3, ATTR(REMI, signedness, IR_SIGNED), NO, -1},
    {IR_OP_REMI, IR_I32, 7, -3, ATTR(REMI, signedness, IR_SIGNED), NO, 1},
    {IR_OP_REMI, IR_I8, -1, 7, ATTR(REMI, signedness, IR_UNSIGNED), NO, 255 % 7},
    {IR_OP_REMI, IR_I64, INT64_MIN, -1, ATTR(REMI, signedness, IR_SIGNED), NO, 0},
    {IR_OP_MAXI, IR_I32, -1, 1, ATTR(MAXI, signedness, IR_SIGNED), NO, 1},
    {IR_OP_MAXI, IR_I32, -1, 1, ATTR(MAXI, signedness, IR_UNSIGNED), NO, -1},
    {IR_OP_MINI, IR_I32, -1, 1, ATTR(MINI, signedness, IR_SIGNED), NO, -1},
    {IR_OP_MINI, IR_I32, -1, 1, ATTR(MINI, signedness, IR_UNSIGNED), NO, 1},
    {IR_OP_ANDI, IR_I32, 12, 10, NO, NO, 8},
    {IR_OP_ORI, IR_I32, 12, 10, NO, NO, 14},
    {IR_OP_XORI, IR_I32, 12, 10, NO, NO, 6},
    {IR_OP_SHLI, IR_I8, 3, 7, NO, NO, -128},
    {IR_OP_SHRI, IR_I8, -128, 3, ATTR(SHRI, signedness, IR_SIGNED), NO, -16},
    {IR_OP_SHRI, IR_I8, -128, 3, ATTR(SHRI, signedness, IR_UNSIGNED), NO, 16},
    {IR_OP_SHRI, IR_I64, -1, 63, ATTR(SHRI, signedness, IR_UNSIGNED), NO, 1},
};

static void integer_ops(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        const sample *s = &samples[i];
        val r = binary(k, s->code, scalar(k, s->kind, s->a), scalar(k, s->kind, s->b));
        if (s->attr >= 0)
            ir_set_int(r->def, (unsigned)s->attr, s->attr_value);
        if (s->attr2 >= 0)
            ir_set_int(r->def, (unsigned)s->attr2, s->attr2_value);
        store_i64(k, extended(k, r), (int64_t)i);
    }
    execute(k, 1, 1);
    assert_int_equal(interp_run_status(k->run), INTERP_DONE);
    assert_int_equal(n_ubs(k), 0);
    for (size_t i = 0; i < TR_COUNT(samples); i++)
        if (read_i64(k, (int64_t)i) != samples[i].expected)
            fail_msg("sample %zu (%s): %lld, not %lld", i, ir_op_info_of(samples[i].code)->mnemonic,
                     (long long)read_i64(k, (int64_t)i), (long long)samples[i].expected);
    kit_free(k);
}

static void unary_and_conversions(void **state)
{
    (void)state;
    kit *k = kit_new("p");
    val minus = scalar(k, IR_I8, -5), big = scalar(k, IR_I32, 0x12345);
    store_i64(k, extended(k, unary(k, IR_OP_NEGI, minus->type, minus)), 0);
    store_i64(k, extended(k, unary(k, IR_OP_ABSI, minus->type, minus)), 1);
    val wide = unary(k, IR_OP_EXTI, scalar_type(k, IR_I64), minus);
    ir_set_int(wide->def, IR_AT_EXTI_signedness, IR_UNSIGNED);
    store_i64(k, wide, 2);
    store_i64(k, extended(k, unary(k, IR_OP_TRUNCI, scalar_type(k, IR_I16), big)), 3);
    val yes = compare(k, IR_EQ, big, big);
    store_i64(k, extended(k, yes), 4); /* a signed i1 is -1 */
    execute(k, 1, 1);
    assert_int_equal(read_i64(k, 0), 5);
    assert_int_equal(read_i64(k, 1), 5);
    assert_int_equal(read_i64(k, 2), 251);
    assert_int_equal(read_i64(k, 3), 0x2345);
    assert_int_equal(read_i64(k, 4), -1);
    kit_free(k);
}

static void comparisons(void **state)
{
    (void)state;
    static const struct {
        ir_predicate predicate;
        int64_t a, b;
        bool is_signed, expected;
    } rows[] = {
        {IR_EQ, 3, 3, true, true},    {IR_NE, 3, 3, true, false},  {IR_LT, -1, 1, true, true},
        {IR_LT, -1, 1, false, false}, {IR_LE, 2, 2, true, true},   {IR_GT, -1, 1, false, true},
        {IR_GE, -1, 1, true, false},  {IR_GE, -1, 1, false, true},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val r = compare(k, rows[i].predicate, i32(k, rows[i].a), i32(k, rows[i].b));
        ir_set_int(r->def, IR_AT_CMPI_signedness, rows[i].is_signed ? IR_SIGNED : IR_UNSIGNED);
        store_i64(k, extended(k, r), (int64_t)i);
    }
    execute(k, 1, 1);
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        assert_int_equal(read_i64(k, (int64_t)i), rows[i].expected ? -1 : 0);
    kit_free(k);
}

static void undefined_arithmetic_is_noted(void **state)
{
    (void)state;
    static const struct {
        ir_opcode code;
        int64_t a, b;
        int attr;
        int64_t value;
        interp_ub_kind kind;
        int64_t noted;
    } rows[] = {
        {IR_OP_ADDI, INT32_MAX, 1, IR_AT_ADDI_overflow, IR_NSW, INTERP_UB_WRAP, 2147483648},
        {IR_OP_ADDI, -1, 1, IR_AT_ADDI_overflow, IR_NUW, INTERP_UB_WRAP, 4294967296},
        {IR_OP_SUBI, 0, 1, IR_AT_SUBI_overflow, IR_NUW, INTERP_UB_WRAP, -1},
        {IR_OP_MULI, 65536, 65536, IR_AT_MULI_overflow, IR_NW, INTERP_UB_WRAP, 4294967296},
        {IR_OP_SHLI, 1, 31, IR_AT_SHLI_overflow, IR_NSW, INTERP_UB_WRAP, 2147483648},
        {IR_OP_SHLI, 1, 32, -1, 0, INTERP_UB_DIVISION, 1},
        {IR_OP_DIVI, 5, 0, -1, 0, INTERP_UB_DIVISION, 5},
        {IR_OP_REMI, 5, 0, -1, 0, INTERP_UB_DIVISION, 5},
        {IR_OP_DIVI, INT32_MIN, -1, IR_AT_DIVI_signedness, IR_SIGNED, INTERP_UB_DIVISION,
         INT32_MIN},
    };
    kit *k = kit_new("p");
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        val r = binary(k, rows[i].code, i32(k, rows[i].a), i32(k, rows[i].b));
        if (rows[i].attr >= 0)
            ir_set_int(r->def, (unsigned)rows[i].attr, rows[i].value);
    }
    execute(k, 1, 1);
    assert_int_equal(n_ubs(k), TR_COUNT(rows));
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        assert_int_equal(ub(k, i)->kind, rows[i].kind);
        assert_int_equal(ub(k, i)->op->code, rows[i].code);
        if (ub(k, i)->value != rows[i].noted)
            fail_msg("row %zu: %lld", i, (long long)ub(k, i)->value);
    }
    kit_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_ops),
        cmocka_unit_test(unary_and_conversions),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(undefined_arithmetic_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

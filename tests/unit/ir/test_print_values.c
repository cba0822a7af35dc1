/* The printer against the text that tileirdisasm 13.5.37 gives for bytecode of the same modules:
 * constants, arithmetic, conversions, tile shapes. */
#include "build.h"

static void expect_line(const ir_op *op, const char *expected)
{
    tr_text text = {0};
    ir_print_op(&text, op);
    assert_string_equal(tr_text_get(&text), expected);
    tr_text_free(&text);
}

static ir_op *dense(kernel *k, ir_type_kind kind, size_t rank, const int64_t *shape,
                    const void *bytes, size_t n_bytes)
{
    const ir_type *type = tile(k->module, kind, rank, shape);
    ir_op *op = ir_build(&k->builder, IR_OP_CONSTANT, NULL, 1, &type, NULL);
    op->attrs[0] = ir_attr_of_dense(k->module, type, bytes, n_bytes, false);
    return op;
}

static void test_integer_constants(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    kernel k = kernel_start_in(m, "k", NULL, 0);
    ir_op *a = constant(&k, scalar(m, IR_I32), -5)->def;
    ir_op *b = dense(&k, IR_I32, SHAPE(2, 2), (int32_t[]){1, 2, 3, -4}, 16);
    ir_op *c = dense(&k, IR_I32, SHAPE(2), (int32_t[]){7, 7}, 8);
    ir_op *d = constant(&k, scalar(m, IR_I1), 1)->def;
    ir_op *e = dense(&k, IR_I1, SHAPE(8), "\x05", 1);
    ir_op *f = constant(&k, tile(m, IR_I1, SHAPE(8)), 0)->def;
    ir_op *g = constant(&k, scalar(m, IR_I64), -1)->def;
    ir_op *h = constant(&k, scalar(m, IR_I8), 254)->def;
    int16_t many[128];
    for (int i = 0; i < 128; i++) {
        many[i] = (int16_t)(i * 258);
    }
    ir_op *i = dense(&k, IR_I16, SHAPE(128), many, sizeof many);
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_line(a, "%cst_-5_i32 = constant <i32: -5> : tile<i32>");
    expect_line(b, "%cst_i32 = constant <i32: [[1, 2], [3, -4]]> : tile<2x2xi32>");
    expect_line(c, "%cst_7_i32 = constant <i32: 7> : tile<2xi32>");
    expect_line(d, "%true = constant <i1: true> : tile<i1>");
    expect_line(e, "%cst_i1 = constant <i1: [true, false, true, false, false, false, false, "
                   "false]> : tile<8xi1>");
    expect_line(f, "%false = constant <i1: false> : tile<8xi1>");
    expect_line(g, "%cst_-1_i64 = constant <i64: -1> : tile<i64>");
    expect_line(h, "%cst_-2_i8 = constant <i8: -2> : tile<i8>");
    tr_text text = {0};
    ir_print_op(&text, i);
    assert_int_equal(strncmp(text.data, "%cst_i16 = constant <i16: \"0x000002010402", 40), 0);
    assert_non_null(strstr(text.data, "FE7F\"> : tile<128xi16>"));
    tr_text_free(&text);
    ir_module_free(m);
}

static void test_float_constants(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    kernel k = kernel_start_in(m, "k", NULL, 0);
    const float singles[] = {0.1f,         0.2f,  0.3f,          0.9f,    0.7f,    1 / 3.0f,
                             131072.0625f, 1e-5f, 1.17e-38f,     1e-45f,  3.4e38f, 123456,
                             1234567,      -0.0f, 0.0001234567f, 16777216};
    ir_op *a = dense(&k, IR_F32, SHAPE(16), singles, sizeof singles);
    const double doubles[] = {0.1, 0.2, 1 / 3.0, 1e22, 5e-324, 1.7976931348623157e308, -2.5, 1e21};
    ir_op *b = dense(&k, IR_F64, SHAPE(8), doubles, sizeof doubles);
    ir_op *c = dense(&k, IR_F16, SHAPE(4), "\x66\x2e\xff\x7b\x00\x7e\x00\xfc", 8);
    ir_op *d = dense(&k, IR_BF16, SHAPE(4), "\x00\x3f\xcd\x3d\x7f\x7f\x01\x00", 8);
    ir_op *e = dense(&k, IR_F8E4M3FN, SHAPE(4), "\x7e\x7f\x01\x33", 4);
    ir_op *f = dense(&k, IR_F8E5M2, SHAPE(4), "\x7c\x7d\x01\x33", 4);
    ir_op *g = dense(&k, IR_F8E8M0FNU, SHAPE(4), "\x00\xff\x01\xfe", 4);
    ir_op *h = dense(&k, IR_TF32, SHAPE(4), "\xff\xff\x07\x00\x00\x00\x01\x00\x00\xcd\xcc\x01", 12);
    ir_op *i = dense(&k, IR_FNV8E5M3FNU, SHAPE(4), "\x00\xff\x01\xfe", 4);
    ir_op *j = dense(&k, IR_F4E2M1FN, SHAPE(2), "\x02\x03", 2);
    ir_op *l = constant(&k, scalar(m, IR_F32), -1)->def;
    ir_op *n = constant(&k, scalar(m, IR_F32), 10000000000)->def;
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_line(a, "%cst_f32 = constant <f32: [1.000000e-01, 2.000000e-01, 3.000000e-01, "
                   "0.899999976, 0.699999988, 0.333333343, 131072.063, 9.99999974E-6, "
                   "1.170000e-38, 1.401300e-45, 3.400000e+38, 1.234560e+05, 0x4996B438, "
                   "-0.000000e+00, 1.23456703E-4, 0x4B800000]> : tile<16xf32>");
    expect_line(b, "%cst_f64 = constant <f64: [1.000000e-01, 2.000000e-01, 0.33333333333333331, "
                   "1.000000e+22, 4.940660e-324, 1.7976931348623157E+308, -2.500000e+00, "
                   "1.000000e+21]> : tile<8xf64>");
    expect_line(c, "%cst_f16 = constant <f16: [9.997550e-02, 6.550400e+04, 0x7E00, 0xFC00]> : "
                   "tile<4xf16>");
    expect_line(d, "%cst_bf16 = constant <bf16: [5.000000e-01, 1.000980e-01, 3.389530e+38, "
                   "9.183550e-41]> : tile<4xbf16>");
    expect_line(e, "%cst_f8E4M3FN = constant <f8E4M3FN: [4.480000e+02, 0x7F, 1.953130e-03, "
                   "6.875000e-01]> : tile<4xf8E4M3FN>");
    expect_line(f, "%cst_f8E5M2 = constant <f8E5M2: [0x7C, 0x7D, 1.525880e-05, 2.187500e-01]> : "
                   "tile<4xf8E5M2>");
    expect_line(g, "%cst_f8E8M0FNU = constant <f8E8M0FNU: [5.877470e-39, 0xFF, 1.175490e-38, "
                   "1.701410e+38]> : tile<4xf8E8M0FNU>");
    expect_line(h, "%cst_tf32 = constant <tf32: [0x7FFFF, 0.000000e+00, 1.147940e-41, "
                   "2.930160e-04]> : tile<4xtf32>");
    expect_line(i, "%cst_fnv8E5M3FNU = constant <fnv8E5M3FNU: [0.000000e+00, 0xFF, 7.629390e-06, "
                   "1.146880e+05]> : tile<4xfnv8E5M3FNU>");
    expect_line(j, "%cst_f4E2M1FN = constant <f4E2M1FN: [1.000000e+00, 1.500000e+00]> : "
                   "tile<2xf4E2M1FN>");
    expect_line(l, "%cst_f32_0 = constant <f32: -1.000000e+00> : tile<f32>");
    expect_line(n, "%cst_10000000000_f32 = constant <f32: 1.000000e+10> : tile<f32>");
    ir_module_free(m);
}

static ir_op *with(ir_op *op, unsigned attr, int64_t value)
{
    ir_set_int(op, attr, value);
    return op;
}

static void test_integer_arithmetic(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i32 = scalar(m, IR_I32), *i1 = scalar(m, IR_I1);
    kernel k = kernel_start_in(m, "k", TYPES(i32));
    ir_value *a = param(&k, 0);
    OP1(&k, IR_OP_ADDI, i32, a, a);
    with(OP1(&k, IR_OP_MULI, i32, a, a), IR_AT_MULI_overflow, IR_NSW);
    with(OP1(&k, IR_OP_SHLI, i32, a, a), IR_AT_SHLI_overflow, IR_NUW);
    with(OP1(&k, IR_OP_SUBI, i32, a, a), IR_AT_SUBI_overflow, IR_NW);
    ir_op *floor = with(OP1(&k, IR_OP_DIVI, i32, a, a), IR_AT_DIVI_signedness, IR_SIGNED);
    ir_set_int(floor, IR_AT_DIVI_rounding, IR_ROUND_NEGATIVE_INF);
    ir_op *plain = OP1(&k, IR_OP_DIVI, i32, a, a);
    ir_set_int(plain, IR_AT_DIVI_rounding, IR_ROUND_ZERO);
    with(OP1(&k, IR_OP_MINI, i32, a, a), IR_AT_MINI_signedness, IR_SIGNED);
    OP1(&k, IR_OP_MULHII, i32, a, a);
    OP1(&k, IR_OP_NEGI, i32, a);
    ir_op *less = with(OP1(&k, IR_OP_CMPI, i1, a, a), IR_AT_CMPI_signedness, IR_SIGNED);
    ir_set_int(less, IR_AT_CMPI_comparison_predicate, IR_LT);
    OP1(&k, IR_OP_XORI, i32, a, a);
    OP1(&k, IR_OP_SELECT, i32, less->results, a, a);
    with(OP1(&k, IR_OP_EXTI, scalar(m, IR_I64), a), IR_AT_EXTI_signedness, IR_UNSIGNED);
    with(OP1(&k, IR_OP_TRUNCI, scalar(m, IR_I8), a), IR_AT_TRUNCI_overflow, IR_NSW);
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_text(&k, "entry @k(%arg0: tile<i32>) {\n"
                    "  %0 = addi %arg0, %arg0 : tile<i32>\n"
                    "  %1 = muli %arg0, %arg0 overflow<no_signed_wrap> : tile<i32>\n"
                    "  %2 = shli %arg0, %arg0 overflow<no_unsigned_wrap> : tile<i32>\n"
                    "  %3 = subi %arg0, %arg0 overflow<no_wrap> : tile<i32>\n"
                    "  %4 = divi %arg0, %arg0 signed rounding<negative_inf> : tile<i32>\n"
                    "  %5 = divi %arg0, %arg0 unsigned : tile<i32>\n"
                    "  %6 = mini %arg0, %arg0 signed : tile<i32>\n"
                    "  %7 = mulhii %arg0, %arg0 : tile<i32>\n"
                    "  %8 = negi %arg0 : tile<i32>\n"
                    "  %9 = cmpi less_than %arg0, %arg0, signed : tile<i32> -> tile<i1>\n"
                    "  %10 = xori %arg0, %arg0 : tile<i32>\n"
                    "  %11 = select %9, %arg0, %arg0 : tile<i1>, tile<i32>\n"
                    "  %12 = exti %arg0 unsigned : tile<i32> -> tile<i64>\n"
                    "  %13 = trunci %arg0 overflow<no_signed_wrap> : tile<i32> -> tile<i8>\n"
                    "  return\n"
                    "}\n");
    ir_module_free(m);
}

static void test_float_arithmetic(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *f32 = scalar(m, IR_F32), *i32 = scalar(m, IR_I32);
    kernel k = kernel_start_in(m, "k", TYPES(f32, i32));
    ir_value *a = param(&k, 0), *n = param(&k, 1);
    OP1(&k, IR_OP_ADDF, f32, a, a);
    with(with(OP1(&k, IR_OP_FMA, f32, a, a, a), IR_AT_FMA_rounding_mode, IR_ROUND_ZERO),
         IR_AT_FMA_flush_to_zero, 1);
    with(OP1(&k, IR_OP_DIVF, f32, a, a), IR_AT_DIVF_rounding_mode, IR_ROUND_FULL);
    with(OP1(&k, IR_OP_MAXF, f32, a, a), IR_AT_MAXF_propagate_nan, 1);
    with(with(OP1(&k, IR_OP_MINF, f32, a, a), IR_AT_MINF_propagate_nan, 1),
         IR_AT_MINF_flush_to_zero, 1);
    with(OP1(&k, IR_OP_EXP, f32, a), IR_AT_EXP_rounding_mode, IR_ROUND_APPROX);
    OP1(&k, IR_OP_TANH, f32, a);
    with(OP1(&k, IR_OP_RSQRT, f32, a), IR_AT_RSQRT_flush_to_zero, 1);
    OP1(&k, IR_OP_SQRT, f32, a);
    OP1(&k, IR_OP_ABSF, f32, a);
    OP1(&k, IR_OP_FPOWI, f32, a, n);
    ir_op *c =
        with(OP1(&k, IR_OP_CMPF, scalar(m, IR_I1), a, a), IR_AT_CMPF_comparison_predicate, IR_NE);
    ir_set_int(c, IR_AT_CMPF_comparison_ordering, IR_ORDERED);
    OP1(&k, IR_OP_FTOF, scalar(m, IR_F16), a);
    ir_op *i = with(OP1(&k, IR_OP_FTOI, i32, a), IR_AT_FTOI_signedness, IR_SIGNED);
    ir_set_int(i, IR_AT_FTOI_rounding_mode, IR_ROUND_NEAREST_INT_TO_ZERO);
    with(OP1(&k, IR_OP_ITOF, f32, n), IR_AT_ITOF_signedness, IR_SIGNED);
    OP1(&k, IR_OP_BITCAST, i32, a);
    finish(&k, IR_OP_RETURN, NULL, 0);
    for (ir_op *op = ir_first_op(k.function); op; op = op->next) {
        if (op->code == IR_OP_TANH) {
            ir_set_int(op, IR_AT_TANH_rounding_mode, IR_ROUND_FULL);
        }
    }
    expect_valid(&k);
    expect_text(&k, "entry @k(%arg0: tile<f32>, %arg1: tile<i32>) {\n"
                    "  %0 = addf %arg0, %arg0  : tile<f32>\n"
                    "  %1 = fma %arg0, %arg0, %arg0 rounding<zero> flush_to_zero : tile<f32>\n"
                    "  %2 = divf %arg0, %arg0 rounding<full> : tile<f32>\n"
                    "  %3 = maxf %arg0, %arg0 propagate_nan : tile<f32>\n"
                    "  %4 = minf %arg0, %arg0 flush_to_zero propagate_nan : tile<f32>\n"
                    "  %5 = exp %arg0 rounding<approx> : tile<f32>\n"
                    "  %6 = tanh %arg0  : tile<f32>\n"
                    "  %7 = rsqrt %arg0 flush_to_zero : tile<f32>\n"
                    "  %8 = sqrt %arg0  : tile<f32>\n"
                    "  %9 = absf %arg0 : tile<f32>\n"
                    "  %10 = fpowi %arg0, %arg1 : tile<f32>, tile<i32>\n"
                    "  %11 = cmpf not_equal ordered %arg0, %arg0 : tile<f32> -> tile<i1>\n"
                    "  %12 = ftof %arg0  : tile<f32> -> tile<f16>\n"
                    "  %13 = ftoi %arg0 signed  : tile<f32> -> tile<i32>\n"
                    "  %14 = itof %arg1 signed  : tile<i32> -> tile<f32>\n"
                    "  %15 = bitcast %arg0 : tile<f32> -> tile<i32>\n"
                    "  return\n"
                    "}\n");
    ir_module_free(m);
}

static void test_tile_shapes(void **state)
{
    (void)state;
    ir_module *m = ir_module_new("m");
    const ir_type *i32 = scalar(m, IR_I32);
    kernel k = kernel_start_in(m, "k", TYPES(i32));
    ir_value *n = param(&k, 0);
    ir_value *iota = V1(&k, IR_OP_IOTA, tile(m, IR_I32, SHAPE(8)), );
    ir_value *r = V1(&k, IR_OP_RESHAPE, tile(m, IR_I32, SHAPE(2, 4)), iota);
    ir_op *p = OP1(&k, IR_OP_PERMUTE, tile(m, IR_I32, SHAPE(4, 2)), r);
    p->attrs[0] = ir_attr_of_ints(m, SHAPE(1, 0));
    ir_value *c = V1(&k, IR_OP_CAT, tile(m, IR_I32, SHAPE(4, 4)), r, r);
    ir_value *nn[] = {n, n};
    ir_operand_list take[] = {{&c, 1}, {nn, 2}}, put[] = {{&p->results, 1}, {&c, 1}, {nn, 2}};
    const ir_type *small = tile(m, IR_I32, SHAPE(2, 2));
    ir_build(&k.builder, IR_OP_EXTRACT, take, 1, &small, NULL);
    ir_build(&k.builder, IR_OP_INSERT, put, 1, &c->type, NULL);
    ir_value *bytes = V1(&k, IR_OP_PACK, tile(m, IR_I8, SHAPE(32)), iota);
    V1(&k, IR_OP_UNPACK, tile(m, IR_F4E2M1FN, SHAPE(64)), bytes);
    ir_value *a = constant(&k, tile(m, IR_F16, SHAPE(16, 32)), 0),
             *b = constant(&k, tile(m, IR_F16, SHAPE(32, 8)), 0),
             *s = constant(&k, tile(m, IR_F32, SHAPE(16, 8)), 0);
    with(OP1(&k, IR_OP_MMAF, s->type, a, b, s), IR_AT_MMAF_fast_acc, 1);
    ir_value *ia = constant(&k, tile(m, IR_I8, SHAPE(2, 16, 32)), 1),
             *ib = constant(&k, tile(m, IR_I8, SHAPE(2, 32, 8)), 1),
             *is = constant(&k, tile(m, IR_I32, SHAPE(2, 16, 8)), 1);
    with(OP1(&k, IR_OP_MMAI, is->type, ia, ib, is), IR_AT_MMAI_signedness_lhs, IR_SIGNED);
    finish(&k, IR_OP_RETURN, NULL, 0);
    expect_valid(&k);
    expect_text(&k, "entry @k(%arg0: tile<i32>) {\n"
                    "  %0 = iota : tile<8xi32>\n"
                    "  %reshape = reshape %0 : tile<8xi32> -> tile<2x4xi32>\n"
                    "  %1 = permute %reshape [1, 0] : tile<2x4xi32> -> tile<4x2xi32>\n"
                    "  %2 = cat %reshape, %reshape dim = 0 : tile<2x4xi32>, tile<2x4xi32> -> "
                    "tile<4x4xi32>\n"
                    "  %3 = extract %2[%arg0, %arg0] : tile<4x4xi32> -> tile<2x2xi32>\n"
                    "  %4 = insert %1, %2[%arg0, %arg0] : tile<4x2xi32>, tile<4x4xi32>\n"
                    "  %5 = pack %0 : tile<8xi32> -> tile<32xi8>\n"
                    "  %6 = unpack %5 : tile<32xi8> -> tile<64xf4E2M1FN>\n"
                    "  %cst_0_f16 = constant <f16: 0.000000e+00> : tile<16x32xf16>\n"
                    "  %cst_0_f16_0 = constant <f16: 0.000000e+00> : tile<32x8xf16>\n"
                    "  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x8xf32>\n"
                    "  %7 = mmaf %cst_0_f16, %cst_0_f16_0, %cst_0_f32 fast_acc : tile<16x32xf16>, "
                    "tile<32x8xf16>, tile<16x8xf32>\n"
                    "  %cst_1_i8 = constant <i8: 1> : tile<2x16x32xi8>\n"
                    "  %cst_1_i8_1 = constant <i8: 1> : tile<2x32x8xi8>\n"
                    "  %cst_1_i32 = constant <i32: 1> : tile<2x16x8xi32>\n"
                    "  %8 = mmai %cst_1_i8, %cst_1_i8_1, %cst_1_i32 signed unsigned : "
                    "tile<2x16x32xi8>, tile<2x32x8xi8>, tile<2x16x8xi32>\n"
                    "  return\n"
                    "}\n");
    ir_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_constants),  cmocka_unit_test(test_float_constants),
        cmocka_unit_test(test_integer_arithmetic), cmocka_unit_test(test_float_arithmetic),
        cmocka_unit_test(test_tile_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

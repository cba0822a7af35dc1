/* Which ops are tried in which types. */
#include "make.h"

#include "base/ds.h"

/* ---- Tables ---- */

typedef struct adding {
    tr_arena *arena;
    kernel *k;
} adding;

static item *add(adding *a, const char *name, ir_opcode code, int operands, ir_type_kind to)
{
    item it = {.name = name, .make = make_op, .code = code, .operands = operands, .to = to};
    arrput(a->k->items, it);
    return &arrlast(a->k->items);
}

static item *add_set(adding *a, const char *name, ir_opcode code, int operands, ir_type_kind to,
                     unsigned attr, int64_t value)
{
    item *it = add(a, name, code, operands, to);
    it->settings[it->n_settings++] = (setting){attr, value};
    return it;
}

#define NAME(...) tr_arena_printf(a->arena, __VA_ARGS__)

static const char *const type_names[] = {
    [IR_I1] = "i1",           [IR_I8] = "i8",
    [IR_I16] = "i16",         [IR_I32] = "i32",
    [IR_I64] = "i64",         [IR_F16] = "f16",
    [IR_BF16] = "bf16",       [IR_F32] = "f32",
    [IR_TF32] = "tf32",       [IR_F64] = "f64",
    [IR_F8E4M3FN] = "f8e4m3", [IR_F8E5M2] = "f8e5m2",
    [IR_I4] = "i4",           [IR_F8E8M0FNU] = "f8e8m0",
    [IR_F4E2M1FN] = "f4e2m1",
};
static const char *const predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};
static const struct {
    const char *name;
    ir_rounding mode;
} roundings[] = {{"rn", IR_ROUND_NEAREST_EVEN},
                 {"rz", IR_ROUND_ZERO},
                 {"rm", IR_ROUND_NEGATIVE_INF},
                 {"rp", IR_ROUND_POSITIVE_INF}};
static const ir_type_kind int_types[] = {IR_I8, IR_I16, IR_I32, IR_I64};
static const ir_type_kind base_floats[] = {IR_F16, IR_BF16, IR_F32, IR_F64};
static const ir_type_kind all_floats[] = {IR_F16, IR_BF16,     IR_F32,    IR_TF32,
                                          IR_F64, IR_F8E4M3FN, IR_F8E5M2, IR_F8E8M0FNU};

static int bits_of(ir_type_kind kind)
{
    ir_module *m = ir_module_new("widths");
    int bits = ir_type_bits(ir_type_scalar(m, kind));
    ir_module_free(m);
    return bits;
}

static void add_integers(adding *a, ir_type_kind t)
{
    static const struct {
        const char *name;
        ir_opcode code;
        int operands;
    } plain[] = {{"absi", IR_OP_ABSI, 1}, {"negi", IR_OP_NEGI, 1}, {"addi", IR_OP_ADDI, 2},
                 {"subi", IR_OP_SUBI, 2}, {"muli", IR_OP_MULI, 2}, {"mulhii", IR_OP_MULHII, 2},
                 {"andi", IR_OP_ANDI, 2}, {"ori", IR_OP_ORI, 2},   {"xori", IR_OP_XORI, 2}};
    for (size_t i = 0; i < TR_COUNT(plain); i++)
        add(a, plain[i].name, plain[i].code, plain[i].operands, t);
    for (int sign = 0; sign < 2; sign++) {
        const char *s = sign == IR_SIGNED ? "s" : "u";
        add_set(a, NAME("remi_%s", s), IR_OP_REMI, 2, t, IR_AT_REMI_signedness, sign);
        add_set(a, NAME("maxi_%s", s), IR_OP_MAXI, 2, t, IR_AT_MAXI_signedness, sign);
        add_set(a, NAME("mini_%s", s), IR_OP_MINI, 2, t, IR_AT_MINI_signedness, sign);
        add_set(a, NAME("shri_%s", s), IR_OP_SHRI, 2, t, IR_AT_SHRI_signedness, sign)->make =
            make_shift;
        for (size_t r = 1; r < TR_COUNT(roundings); r++) {
            if (roundings[r].mode == IR_ROUND_NEGATIVE_INF && sign == IR_UNSIGNED)
                continue;
            item *it = add_set(a, NAME("divi_%s_%s", s, roundings[r].name), IR_OP_DIVI, 2, t,
                               IR_AT_DIVI_signedness, sign);
            it->settings[it->n_settings++] = (setting){IR_AT_DIVI_rounding, roundings[r].mode};
        }
        for (int p = 0; p < 6; p++) {
            item *it = add_set(a, NAME("cmpi_%s_%s", predicates[p], s), IR_OP_CMPI, 2, IR_I1,
                               IR_AT_CMPI_signedness, sign);
            it->settings[it->n_settings++] = (setting){IR_AT_CMPI_comparison_predicate, p};
        }
    }
    add(a, "shli", IR_OP_SHLI, 2, t)->make = make_shift;
    add(a, "select", IR_OP_SELECT, 3, t)->make = make_select;
}

static void add_integer_conversions(adding *a, ir_type_kind t)
{
    ir_module *m = ir_module_new("widths");
    int bits = ir_type_bits(ir_type_scalar(m, t));
    for (int sign = 0; sign < 2; sign++) {
        const char *s = sign == IR_SIGNED ? "s" : "u";
        for (size_t i = 0; i < TR_COUNT(int_types); i++)
            if (ir_type_bits(ir_type_scalar(m, int_types[i])) > bits)
                add_set(a, NAME("exti_%s_%s", s, type_names[int_types[i]]), IR_OP_EXTI, 1,
                        int_types[i], IR_AT_EXTI_signedness, sign);
        for (size_t i = 0; i < TR_COUNT(all_floats); i++) {
            if (all_floats[i] == IR_F8E8M0FNU)
                continue;
            item *it = add_set(a, NAME("itof_%s_%s", s, type_names[all_floats[i]]), IR_OP_ITOF, 1,
                               all_floats[i], IR_AT_ITOF_signedness, sign);
            it->settings[it->n_settings++] =
                (setting){IR_AT_ITOF_rounding_mode, IR_ROUND_NEAREST_EVEN};
        }
    }
    for (size_t i = 0; i < TR_COUNT(int_types); i++)
        if (ir_type_bits(ir_type_scalar(m, int_types[i])) < bits)
            add(a, NAME("trunci_%s", type_names[int_types[i]]), IR_OP_TRUNCI, 1, int_types[i]);
    if (t != IR_I8)
        add(a, "trunci_i1", IR_OP_TRUNCI, 1, IR_I1);
    for (size_t i = 0; i < TR_COUNT(all_floats); i++)
        if (ir_type_bits(ir_type_scalar(m, all_floats[i])) == bits && all_floats[i] != IR_TF32 &&
            all_floats[i] != IR_F8E8M0FNU)
            add(a, NAME("bitcast_%s", type_names[all_floats[i]]), IR_OP_BITCAST, 1, all_floats[i]);
    ir_module_free(m);
}

/* Arithmetic that is rounded once: in every direction, with subnormals and without. */
static void add_floats(adding *a, ir_type_kind t)
{
    static const struct {
        const char *name;
        ir_opcode code;
        int operands;
        unsigned rounding, flush;
    } rounded[] = {
        {"addf", IR_OP_ADDF, 2, IR_AT_ADDF_rounding_mode, IR_AT_ADDF_flush_to_zero},
        {"subf", IR_OP_SUBF, 2, IR_AT_SUBF_rounding_mode, IR_AT_SUBF_flush_to_zero},
        {"mulf", IR_OP_MULF, 2, IR_AT_MULF_rounding_mode, IR_AT_MULF_flush_to_zero},
        {"divf", IR_OP_DIVF, 2, IR_AT_DIVF_rounding_mode, IR_AT_DIVF_flush_to_zero},
        {"fma", IR_OP_FMA, 3, IR_AT_FMA_rounding_mode, IR_AT_FMA_flush_to_zero},
        {"sqrt", IR_OP_SQRT, 1, IR_AT_SQRT_rounding_mode, IR_AT_SQRT_flush_to_zero},
    };
    for (size_t i = 0; i < TR_COUNT(rounded); i++)
        for (size_t r = 0; r < TR_COUNT(roundings); r++)
            for (int flush = 0; flush < (t == IR_F32 ? 2 : 1); flush++) {
                item *it = add_set(
                    a, NAME("%s_%s%s", rounded[i].name, roundings[r].name, flush ? "_ftz" : ""),
                    rounded[i].code, rounded[i].operands, t, rounded[i].rounding,
                    roundings[r].mode);
                if (flush)
                    it->settings[it->n_settings++] = (setting){rounded[i].flush, 1};
            }
    for (int nan = 0; nan < 2; nan++)
        for (int flush = 0; flush < (t == IR_F32 ? 2 : 1); flush++) {
            const char *words = NAME("%s%s", nan ? "_nan" : "", flush ? "_ftz" : "");
            item *it = add(a, NAME("maxf%s", words), IR_OP_MAXF, 2, t);
            it->n_settings = 2;
            it->settings[0] = (setting){IR_AT_MAXF_propagate_nan, nan};
            it->settings[1] = (setting){IR_AT_MAXF_flush_to_zero, flush};
            it = add(a, NAME("minf%s", words), IR_OP_MINF, 2, t);
            it->n_settings = 2;
            it->settings[0] = (setting){IR_AT_MINF_propagate_nan, nan};
            it->settings[1] = (setting){IR_AT_MINF_flush_to_zero, flush};
        }
    for (int ordered = 0; ordered < 2; ordered++)
        for (int p = 0; p < 6; p++) {
            item *it = add_set(a, NAME("cmpf_%s_%s", predicates[p], ordered ? "o" : "u"),
                               IR_OP_CMPF, 2, IR_I1, IR_AT_CMPF_comparison_predicate, p);
            it->settings[it->n_settings++] =
                (setting){IR_AT_CMPF_comparison_ordering, ordered ? IR_ORDERED : IR_UNORDERED};
        }
    add(a, "absf", IR_OP_ABSF, 1, t);
    add(a, "negf", IR_OP_NEGF, 1, t);
    add(a, "ceil", IR_OP_CEIL, 1, t);
    add(a, "floor", IR_OP_FLOOR, 1, t);
    add(a, "remf", IR_OP_REMF, 2, t);
}

static void add_functions(adding *a, ir_type_kind t)
{
    static const struct {
        const char *name;
        ir_opcode code;
        int operands;
    } plain[] = {{"rsqrt", IR_OP_RSQRT, 1}, {"exp", IR_OP_EXP, 1},   {"exp2", IR_OP_EXP2, 1},
                 {"log", IR_OP_LOG, 1},     {"log2", IR_OP_LOG2, 1}, {"sin", IR_OP_SIN, 1},
                 {"cos", IR_OP_COS, 1},     {"tan", IR_OP_TAN, 1},   {"sinh", IR_OP_SINH, 1},
                 {"cosh", IR_OP_COSH, 1},   {"tanh", IR_OP_TANH, 1}, {"atan2", IR_OP_ATAN2, 2},
                 {"fpowf", IR_OP_FPOWF, 2}};
    for (size_t i = 0; i < TR_COUNT(plain); i++) {
        item *it = add(a, plain[i].name, plain[i].code, plain[i].operands, t);
        if (it->code == IR_OP_EXP)
            it->settings[it->n_settings++] = (setting){IR_AT_EXP_rounding_mode, IR_ROUND_FULL};
        if (it->code == IR_OP_TANH)
            it->settings[it->n_settings++] = (setting){IR_AT_TANH_rounding_mode, IR_ROUND_FULL};
    }
    add(a, "fpowi", IR_OP_FPOWI, 2, t)->make = make_power;
    if (t != IR_F32)
        return;
    add_set(a, "exp_approx", IR_OP_EXP, 1, t, IR_AT_EXP_rounding_mode, IR_ROUND_APPROX);
    add_set(a, "tanh_approx", IR_OP_TANH, 1, t, IR_AT_TANH_rounding_mode, IR_ROUND_APPROX);
    add_set(a, "sqrt_approx", IR_OP_SQRT, 1, t, IR_AT_SQRT_rounding_mode, IR_ROUND_APPROX);
    add_set(a, "divf_approx", IR_OP_DIVF, 2, t, IR_AT_DIVF_rounding_mode, IR_ROUND_APPROX);
    add_set(a, "divf_full", IR_OP_DIVF, 2, t, IR_AT_DIVF_rounding_mode, IR_ROUND_FULL);
    add_set(a, "exp2_ftz", IR_OP_EXP2, 1, t, IR_AT_EXP2_flush_to_zero, 1);
    add_set(a, "rsqrt_ftz", IR_OP_RSQRT, 1, t, IR_AT_RSQRT_flush_to_zero, 1);
}

static void add_float_conversions(adding *a, ir_type_kind t)
{
    for (size_t i = 0; i < TR_COUNT(all_floats); i++) {
        ir_type_kind to = all_floats[i];
        if (to == t)
            continue;
        bool narrow = to == IR_F8E4M3FN || to == IR_F8E5M2; /* these are rounded to nearest alone */
        for (size_t r = 0; r < (narrow ? 1 : 2); r++)
            if (to != IR_F8E8M0FNU)
                add_set(a, NAME("ftof_%s_%s", roundings[r].name, type_names[to]), IR_OP_FTOF, 1, to,
                        IR_AT_FTOF_rounding_mode, roundings[r].mode);
    }
    for (size_t i = 0; i < TR_COUNT(int_types); i++)
        for (int sign = 0; sign < 2; sign++)
            for (int saturating = 0; saturating < 2; saturating++) {
                item *it = add_set(a,
                                   NAME("ftoi_%s_%s%s", sign == IR_SIGNED ? "s" : "u",
                                        type_names[int_types[i]], saturating ? "_sat" : ""),
                                   IR_OP_FTOI, 1, int_types[i], IR_AT_FTOI_signedness, sign);
                it->n_settings = 3;
                it->settings[1] = (setting){IR_AT_FTOI_rounding_mode, IR_ROUND_NEAREST_INT_TO_ZERO};
                it->settings[2] = (setting){IR_AT_FTOI_saturating, saturating};
            }
    ir_module *m = ir_module_new("widths");
    int bits = ir_type_bits(ir_type_scalar(m, t));
    for (size_t i = 0; i < TR_COUNT(int_types) && t != IR_TF32; i++)
        if (ir_type_bits(ir_type_scalar(m, int_types[i])) == bits)
            add(a, NAME("bitcast_%s", type_names[int_types[i]]), IR_OP_BITCAST, 1, int_types[i]);
    ir_module_free(m);
}

static void add_fold(adding *a, const char *name, ir_opcode code, ir_signedness sign,
                     ir_type_kind t)
{
    for (int dim = 0; dim < 2; dim++)
        for (int kind = 0; kind < 3; kind++) { /* reduce, scan, scan from the end */
            item *it = add(a,
                           NAME("%s_%s_dim%d",
                                kind == 0   ? "reduce"
                                : kind == 1 ? "scan"
                                            : "scan_back",
                                name, dim),
                           kind ? IR_OP_SCAN : IR_OP_REDUCE, 1, t);
            it->make = make_fold;
            it->n_settings = 3;
            it->settings[0].value = dim;
            it->settings[1].value = kind == 2;
            it->settings[2] = (setting){code, sign};
        }
}

static void add_folds(adding *a, ir_type_kind t, bool is_float)
{
    if (is_float) {
        add_fold(a, "addf", IR_OP_ADDF, 0, t);
        add_fold(a, "maxf", IR_OP_MAXF, 0, t);
        add_fold(a, "minf", IR_OP_MINF, 0, t);
        return;
    }
    add_fold(a, "addi", IR_OP_ADDI, 0, t);
    add_fold(a, "muli", IR_OP_MULI, 0, t);
    add_fold(a, "andi", IR_OP_ANDI, 0, t);
    add_fold(a, "ori", IR_OP_ORI, 0, t);
    add_fold(a, "xori", IR_OP_XORI, 0, t);
    add_fold(a, "maxi_s", IR_OP_MAXI, IR_SIGNED, t);
    add_fold(a, "maxi_u", IR_OP_MAXI, IR_UNSIGNED, t);
    add_fold(a, "mini_s", IR_OP_MINI, IR_SIGNED, t);
    add_fold(a, "mini_u", IR_OP_MINI, IR_UNSIGNED, t);
}

static void add_shapes(adding *a, ir_type_kind t, bool is_int)
{
    static const struct {
        const char *name;
        ir_opcode code;
        int operands;
    } moves[] = {{"permute", IR_OP_PERMUTE, 1},     {"cat", IR_OP_CAT, 2},
                 {"extract", IR_OP_EXTRACT, 1},     {"insert", IR_OP_INSERT, 2},
                 {"broadcast", IR_OP_BROADCAST, 1}, {"copy", IR_OP_RESHAPE, 1}};
    for (size_t i = 0; i < TR_COUNT(moves); i++)
        add(a, moves[i].name, moves[i].code, moves[i].operands, t)->make = make_shape;
    if (is_int)
        add(a, "iota", IR_OP_IOTA, 1, t)->make = make_shape;
    if (t != IR_I8) {
        if (bits_of(t) != 8)
            add(a, "pack", IR_OP_PACK, 1, IR_I8)->make = make_shape;
        return;
    }
    for (size_t i = 0; i < TR_COUNT(int_types); i++)
        if (int_types[i] != IR_I8)
            add(a, NAME("unpack_%s", type_names[int_types[i]]), IR_OP_UNPACK, 1, int_types[i])
                ->make = make_shape;
    for (size_t i = 0; i < TR_COUNT(all_floats); i++)
        if (bits_of(all_floats[i]) != 8)
            add(a, NAME("unpack_%s", type_names[all_floats[i]]), IR_OP_UNPACK, 1, all_floats[i])
                ->make = make_shape;
    for (int sign = 0; sign < 2; sign++) {
        const char *s = sign == IR_SIGNED ? "s" : "u";
        item *it = add(a, NAME("unpack_i4_%s", s), IR_OP_UNPACK, 1, IR_I4);
        it->make = make_nibbles;
        it->settings[0].value = sign;
    }
    add(a, "pack_i4", IR_OP_PACK, 1, IR_I4)->make = make_nibbles;
}

/* What GPUs before sm_100 lack: exponents alone, floats of four bits, products that are scaled. */
static void add_small(adding *a)
{
    add(a, "unpack_f4e2m1", IR_OP_UNPACK, 1, IR_F4E2M1FN)->make = make_nibbles;
    add(a, "pack_f4e2m1", IR_OP_PACK, 1, IR_F4E2M1FN)->make = make_nibbles;
}

static void add_scales(adding *a)
{
    for (size_t r = 1; r < TR_COUNT(roundings); r++)
        if (roundings[r].mode != IR_ROUND_NEGATIVE_INF)
            add_set(a, NAME("ftof_%s_f8e8m0", roundings[r].name), IR_OP_FTOF, 1, IR_F8E8M0FNU,
                    IR_AT_FTOF_rounding_mode, roundings[r].mode);
}

/* ---- Kernels ---- */

static void open_kernel(adding *a, kernel **all, const char *name, int64_t blocks)
{
    kernel k = {.name = name, .gpu = "sm_90", .blocks = blocks};
    arrput(*all, k);
    a->k = &arrlast(*all);
}

static void take_input(adding *a, const char *name, ir_type_kind type, pattern how_filled)
{
    a->k->inputs[a->k->n_inputs++] = (input){name, type, how_filled};
}

/* Three inputs of one type; of a type of few bits the first runs through all patterns. */
static void three(adding *a, kernel **all, const char *what, ir_type_kind t)
{
    bool few = bits_of(t) <= 16;
    open_kernel(a, all, NAME("%s_%s", what, type_names[t]), few ? 64 : 16);
    take_input(a, "a", t, few ? PATTERN_ALL : PATTERN_EDGES);
    take_input(a, "b", t, PATTERN_EDGES);
    take_input(a, "c", t, PATTERN_EDGES);
}

static void one(adding *a, kernel **all, const char *what, ir_type_kind t)
{
    int bits = bits_of(t);
    open_kernel(a, all, NAME("%s_%s", what, type_names[t]), bits == 16 ? 64 : bits < 16 ? 1 : 16);
    take_input(a, "a", t, bits <= 16 ? PATTERN_ALL : PATTERN_EDGES);
}

static void mma_kernel(adding *a, kernel **all, ir_type_kind t, ir_type_kind sum, pattern p)
{
    open_kernel(
        a, all,
        NAME("mma_%s_%s%s", type_names[t], type_names[sum], p == PATTERN_WHOLE ? "_whole" : ""), 8);
    take_input(a, "a", t, p);
    take_input(a, "b", t, p);
    take_input(a, "c", sum, p);
    if (t == IR_I8) {
        for (int left = 0; left < 2; left++)
            for (int right = 0; right < 2; right++) {
                item *it = add_set(a, NAME("mmai_%s%s", left ? "s" : "u", right ? "s" : "u"),
                                   IR_OP_MMAI, 3, sum, IR_AT_MMAI_signedness_lhs, left);
                it->settings[it->n_settings++] = (setting){IR_AT_MMAI_signedness_rhs, right};
                it->make = make_mma;
            }
        return;
    }
    add(a, "mmaf", IR_OP_MMAF, 3, sum)->make = make_mma;
}

kernel *values_kernels(tr_arena *arena, uint64_t seed, size_t chains)
{
    kernel *all = NULL;
    adding of = {.arena = arena}, *a = &of;
    for (size_t i = 0; i < TR_COUNT(int_types); i++) {
        ir_type_kind t = int_types[i];
        three(a, &all, "integer", t);
        add_integers(a, t);
        one(a, &all, "convert", t);
        add_integer_conversions(a, t);
        open_kernel(a, &all, NAME("fold_%s", type_names[t]), 4);
        take_input(a, "a", t, PATTERN_EDGES);
        add_folds(a, t, false);
        open_kernel(a, &all, NAME("move_%s", type_names[t]), 2);
        take_input(a, "a", t, PATTERN_EDGES);
        take_input(a, "b", t, PATTERN_EDGES);
        add_shapes(a, t, true);
    }
    for (size_t i = 0; i < TR_COUNT(base_floats); i++) {
        ir_type_kind t = base_floats[i];
        three(a, &all, "float", t);
        add_floats(a, t);
        three(a, &all, "function", t);
        take_input(a, "n", IR_I32, PATTERN_EXPONENT);
        add_functions(a, t);
        for (int whole = 0; whole < 2; whole++) {
            open_kernel(a, &all, NAME("fold_%s%s", type_names[t], whole ? "_whole" : ""), 4);
            take_input(a, "a", t, whole ? PATTERN_WHOLE : PATTERN_MODERATE);
            add_folds(a, t, true);
        }
    }
    for (size_t i = 0; i < TR_COUNT(all_floats); i++) {
        const char *gpu = all_floats[i] == IR_F8E8M0FNU ? "sm_100" : "sm_90";
        one(a, &all, "convert", all_floats[i]);
        a->k->gpu = gpu;
        add_float_conversions(a, all_floats[i]);
        open_kernel(a, &all, NAME("move_%s", type_names[all_floats[i]]), 2);
        a->k->gpu = gpu;
        take_input(a, "a", all_floats[i], PATTERN_EDGES);
        take_input(a, "b", all_floats[i], PATTERN_EDGES);
        add_shapes(a, all_floats[i], false);
    }
    for (size_t i = 0; i < TR_COUNT(base_floats); i++) {
        one(a, &all, "scales", base_floats[i]);
        a->k->gpu = "sm_100";
        add_scales(a);
    }
    open_kernel(a, &all, "nibbles_f4e2m1", 1);
    a->k->gpu = "sm_100";
    take_input(a, "a", IR_I8, PATTERN_ALL);
    add_small(a);
    open_kernel(a, &all, "mma_scaled_f8e4m3", 8);
    a->k->gpu = "sm_100";
    take_input(a, "a", IR_F8E4M3FN, PATTERN_WHOLE);
    take_input(a, "b", IR_F8E4M3FN, PATTERN_WHOLE);
    take_input(a, "c", IR_F32, PATTERN_WHOLE);
    take_input(a, "d", IR_F8E8M0FNU, PATTERN_ALL);
    add(a, "mmaf_scaled", IR_OP_MMAF_SCALED, 4, IR_F32)->make = make_scaled;
    static const ir_type_kind products[][2] = {
        {IR_F16, IR_F16},    {IR_F16, IR_F32},    {IR_BF16, IR_F32},     {IR_TF32, IR_F32},
        {IR_F32, IR_F32},    {IR_F64, IR_F64},    {IR_F8E4M3FN, IR_F16}, {IR_F8E4M3FN, IR_F32},
        {IR_F8E5M2, IR_F16}, {IR_F8E5M2, IR_F32}, {IR_I8, IR_I32}};
    for (size_t i = 0; i < TR_COUNT(products); i++) {
        if (products[i][0] == IR_I8) {
            mma_kernel(a, &all, IR_I8, IR_I32, PATTERN_EDGES);
            continue;
        }
        mma_kernel(a, &all, products[i][0], products[i][1], PATTERN_WHOLE);
        mma_kernel(a, &all, products[i][0], products[i][1], PATTERN_MODERATE);
    }
    static const ir_type_kind lines[][3] = {
        {IR_I32, IR_F32, IR_I8}, {IR_F16, IR_F64, IR_I64}, {IR_BF16, IR_I16, IR_F32}};
    enum { CHAINS_A_KERNEL = 8 };
    for (size_t i = 0; i < chains; i++) {
        if (i % CHAINS_A_KERNEL == 0) {
            open_kernel(a, &all, NAME("chains_%zu", i / CHAINS_A_KERNEL), 4);
            static const char *const names[] = {"a", "b", "c"};
            for (size_t k = 0; k < 3; k++)
                take_input(a, names[k], lines[i / CHAINS_A_KERNEL % TR_COUNT(lines)][k],
                           PATTERN_EDGES);
        }
        values_chain(arena, a->k, seed + i);
    }
    return all;
}

/* Integer ops that are written as something simpler where their operands allow it: they have the
 * value that the ops say, whatever operands they have. */
#include "kernel_sketch.h"

/* ---- Section: Python's remainder ---- */

typedef struct remainder { /* a select that looks like Python's remainder, r and then r + n */
    ir_opcode op;          /* of the sum, */
    bool of_n[2];          /* of these two, r where not n */
    bool turned;           /* chosen where nothing is to be mended */
    bool is_unsigned;
    int64_t less;   /* by which r and n are compared with 0 */
    bool not_asked; /* whether r is 0 */
} remainder;

static int64_t chosen_value(const remainder *m, int64_t a, int64_t n)
{
    int64_t r = m->is_unsigned ? (int64_t)(int32_t)((uint32_t)a % (uint32_t)n) : a % n;
    int64_t x = m->of_n[0] ? n : r, y = m->of_n[1] ? n : r;
    int64_t sum = m->op == IR_OP_ADDI ? x + y : m->op == IR_OP_SUBI ? x - y : x * y;
    bool differ = m->less == IR_LT ? (r < 0) != (n < 0) : (r <= 0) != (n <= 0);
    bool mended = differ && (m->not_asked || r != 0);
    return mended != m->turned ? sum : r;
}

static ir_value *both(kernel_sketch *k, ir_opcode code, ir_value *a, ir_value *b)
{
    ir_operand_list groups[] = {ONE(a), ONE(b)};
    return &ir_build(&k->at, code, groups, 1, &k->flag, NULL)->results[0];
}

static ir_value *choice_of(kernel_sketch *k, ir_value *condition, ir_value *yes, ir_value *no)
{
    ir_operand_list of[] = {ONE(condition), ONE(yes), ONE(no)};
    return &ir_build(&k->at, IR_OP_SELECT, of, 1, &k->i32, NULL)->results[0];
}

/* p[...] = 0 */
static void store_remainder(kernel_sketch *k, const remainder *m)
{
    ir_value *zero = number(k, 0), *a = binary(k, IR_OP_SUBI, block_id(k), number(k, 5));
    ir_value *r = binary(k, IR_OP_REMI, a, k->n);
    ir_set_int(r->def, IR_AT_REMI_signedness, m->is_unsigned ? IR_UNSIGNED : IR_SIGNED);
    ir_value *mended =
        both(k, IR_OP_XORI, compare(k, m->less, r, zero), compare(k, m->less, k->n, zero));
    if (!m->not_asked)
        mended = both(k, IR_OP_ANDI, mended, compare(k, IR_NE, r, zero));
    ir_value *sum = binary(k, m->op, m->of_n[0] ? k->n : r, m->of_n[1] ? k->n : r);
    ir_value *chosen = choice_of(k, mended, m->turned ? r : sum, m->turned ? sum : r);
    store(k, offset(k, k->p, chosen), zero);
    walk(k);
}

static void expect_remainder(kernel_sketch *k, const remainder *m)
{
    store_remainder(k, m);
    numbers v = {.n = contract_param(k->ctx, k->c, 2)};
    for (v.bid_value = 0; v.bid_value < 12; v.bid_value++)
        for (v.n_value = -4; v.n_value <= 4; v.n_value++) {
            smt_int got;
            if (v.n_value == 0)
                continue;
            assert_true(smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &got));
            int64_t want = chosen_value(m, (int64_t)v.bid_value - 5, (int64_t)v.n_value);
            assert_int_equal((int64_t)got, 4 * want);
        }
}

/* p[(bid - 5) % n] as Python means it: r = remi, and r + n where the signs differ */
static void floored_remainder_is_exact(void **state)
{
    kernel_sketch *k = *state;
    const remainder python = {.op = IR_OP_ADDI, .of_n = {false, true}, .less = IR_LT};
    expect_remainder(k, &python);
    smt_t bytes = k->s->accesses[0].bytes, n = contract_param(k->ctx, k->c, 2);
    smt_t a = smt_sub(k->ctx, k->s->block_id[0], smt_int_const(k->ctx, 5));
    assert_true(smt_contains(bytes, n));
    assert_ptr_equal(smt_assume(k->ctx, bytes, smt_gt(k->ctx, n, smt_int_const(k->ctx, 0))),
                     smt_scale(k->ctx, smt_mod(k->ctx, a, n), 4));
}

/* The same with one part changed is what it is, and no remainder; n + r is one. */
static void other_choices_are_no_remainder(void **state)
{
    const ir_opcode ops[] = {IR_OP_ADDI, IR_OP_SUBI, IR_OP_MULI};
    for (int which = 0; which < 3 * 4 * 2 * 2 * 2 * 2; which++) {
        int rest = which / 12;
        const remainder m = {.op = ops[which % 3],
                             .of_n = {which / 3 & 1, which / 6 & 1},
                             .turned = rest & 1,
                             .is_unsigned = rest & 2,
                             .less = rest & 4 ? IR_LE : IR_LT,
                             .not_asked = rest & 8};
        close_kernel(state);
        open_kernel(state);
        expect_remainder(*state, &m);
    }
}

/* ---- Section: Shifts and single bits ---- */

static ir_value *shifted(kernel_sketch *k, ir_opcode code, ir_value *x, ir_value *by,
                         bool is_signed)
{
    ir_value *result = binary(k, code, x, by);
    if (code == IR_OP_SHRI)
        ir_set_int(result->def, IR_AT_SHRI_signedness, is_signed ? IR_SIGNED : IR_UNSIGNED);
    return result;
}

static const ir_opcode steps[] = {IR_OP_SHLI, IR_OP_SHRI, IR_OP_ADDI, IR_OP_MULI};

static int64_t step(ir_opcode code, int64_t x, int by, bool is_signed)
{
    switch (code) {
    case IR_OP_SHLI:
        return x * ((int64_t)1 << by);
    case IR_OP_SHRI:
        return is_signed ? x >> by : (int32_t)((uint32_t)x >> by);
    default:
        return code == IR_OP_ADDI ? x + by : x * by;
    }
}

typedef struct two_steps { /* p[(n FIRST by) SECOND back] */
    ir_opcode first, second;
    int by, back;
    bool is_signed, between; /* the second number is made between the two */
} two_steps;

static void store_steps(kernel_sketch *k, const two_steps *t)
{
    ir_value *by = number(k, t->by), *back = t->between ? NULL : number(k, t->back);
    ir_value *x = shifted(k, t->first, k->n, by, t->is_signed);
    back = t->between ? number(k, t->back) : back;
    store(k, offset(k, k->p, shifted(k, t->second, x, back, t->is_signed)), k->n);
    walk(k);
}

/* Only what is shifted to the left and back by as much may leave its type. */
static void expect_steps(kernel_sketch *k, const two_steps *t)
{
    static const int samples[] = {INT32_MIN, -70000, -33, -1, 0, 1, 31, 32, 100000, INT32_MAX};
    bool drops = t->first == IR_OP_SHLI && t->second == IR_OP_SHRI && t->by == t->back;
    numbers v = {.n = contract_param(k->ctx, k->c, 2)};
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        bool safe = true;
        smt_int got, truth;
        v.n_value = samples[i];
        for (size_t h = 0; h < arrlenu(k->s->hazards); h++) {
            assert_true(smt_eval(k->s->hazards[h].safe, lookup_numbers, &v, &truth));
            safe &= truth != 0;
        }
        int64_t first = step(t->first, samples[i], t->by, t->is_signed);
        int64_t second = step(t->second, (int32_t)first, t->back, t->is_signed);
        bool fits = (drops || first == (int32_t)first) && second == (int32_t)second;
        assert_int_equal(safe, fits);
        assert_true(smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &got));
        assert_true(!fits || got == 4 * second);
    }
}

/* Shifted to and fro: the low bits of what was shifted, and nothing has to fit. */
static void what_is_shifted_back_drops_bits(void **state)
{
    for (int which = 0; which < 4 * 32; which++) {
        const two_steps t = {IR_OP_SHLI, IR_OP_SHRI, which / 4, which / 4, which & 1, which & 2};
        close_kernel(state);
        open_kernel(state);
        kernel_sketch *k = *state;
        store_steps(k, &t);
        expect_steps(k, &t);
        smt_t n = contract_param(k->ctx, k->c, 2);
        smt_t low = smt_mod(k->ctx, n, smt_int_const(k->ctx, (smt_int)1 << (32 - t.by)));
        if (!t.is_signed && t.by > 0)
            assert_ptr_equal(k->s->accesses[0].bytes, smt_scale(k->ctx, low, 4));
    }
}

static void other_steps_drop_nothing(void **state)
{
    for (int which = 0; which < 4 * 4 * 2 * 4; which++) {
        const two_steps t = {.first = steps[which % 4],
                             .second = steps[which / 4 % 4],
                             .by = 5,
                             .back = which / 16 % 2 ? 5 : 4,
                             .is_signed = which / 32 % 2,
                             .between = which / 64};
        close_kernel(state);
        open_kernel(state);
        store_steps(*state, &t);
        expect_steps(*state, &t);
    }
}

/* What an op between two shifts says is said once, and a count that nobody knows is none. */
static void counts_between_shifts_are_read_once(void **state)
{
    kernel_sketch *k = *state;
    ir_value *left = shifted(k, IR_OP_SHLI, k->n, number(k, 3), true);
    ir_operand_list of = ONE(k->n);
    ir_op *count = ir_build(&k->at, IR_OP_ASSUME, &of, 1, &k->i32, NULL);
    count->attrs[IR_AT_ASSUME_predicate] =
        (ir_attr){.kind = IR_ATTR_ASSUME, .assume = {.kind = IR_ASSUME_BOUNDED, .has_low = true}};
    ir_value *back = shifted(k, IR_OP_SHRI, left, &count->results[0], true);
    store(k, offset(k, k->p, back), k->n);
    walk(k);
    size_t assumed = 0, wraps = 0;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        assumed += k->s->hazards[i].kind == IX_ASSUME;
        wraps += k->s->hazards[i].kind == IX_WRAP;
    }
    assert_int_equal(assumed, 1);
    assert_int_equal(wraps, 1);
}

typedef struct launch_shift { /* p[(bid - 5) CODE n] where low <= n <= high is a fact */
    ir_opcode code;
    bool is_signed, turned; /* turned: n CODE bid */
    int low, high;
} launch_shift;

static void store_launch_shift(kernel_sketch *k, const launch_shift *t)
{
    smt_t n = contract_param(k->ctx, k->c, 2);
    contract_fact facts[] = {{.term = smt_le(k->ctx, smt_int_const(k->ctx, t->low), n)},
                             {.term = smt_le(k->ctx, n, smt_int_const(k->ctx, t->high))}};
    for (size_t i = 0; i < TR_COUNT(facts); i++)
        arrput(k->c->facts, facts[i]);
    ir_value *id = block_id(k);
    ir_value *x = t->turned ? k->n : binary(k, IR_OP_SUBI, id, number(k, 5));
    store(k, offset(k, k->p, shifted(k, t->code, x, t->turned ? id : k->n, t->is_signed)), k->n);
    walk(k);
}

/* Shifts by n that are exact, of those from `from` to `to`: the others are of no known value. */
static void expect_launch_shift(kernel_sketch *k, const launch_shift *t, int from, int to)
{
    numbers v = {.n = contract_param(k->ctx, k->c, 2)};
    for (v.bid_value = 0; v.bid_value < 12; v.bid_value++)
        for (v.n_value = t->low; v.n_value <= t->high; v.n_value++) {
            smt_int got;
            bool known = smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &got);
            assert_int_equal(known, from <= v.n_value && v.n_value <= to);
            int64_t want =
                known ? step(t->code, (int64_t)v.bid_value - 5, (int)v.n_value, t->is_signed) : 0;
            assert_true(!known || got == 4 * want);
        }
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++)
        assert_int_not_equal(k->s->hazards[i].kind, IX_WRAP);
}

/* By a number that the launch decides: each of them in turn, as far as no bit is lost. */
static void shifts_by_the_launch_are_exact(void **state)
{
    const launch_shift cases[] = {
        {IR_OP_SHLI, true, false, 0, 7},   {IR_OP_SHLI, true, false, 3, 5},
        {IR_OP_SHRI, true, false, 0, 31},  {IR_OP_SHRI, true, false, 2, 9},
        {IR_OP_SHRI, false, false, 0, 31}, {IR_OP_SHRI, false, false, 31, 31}};
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        close_kernel(state);
        open_kernel(state);
        store_launch_shift(*state, &cases[i]);
        expect_launch_shift(*state, &cases[i], cases[i].low, cases[i].high);
    }
}

/* A negative number, or the width of the type, is no count: what it gives is not known. */
static void counts_out_of_range_give_no_known_value(void **state)
{
    const launch_shift cases[] = {
        {IR_OP_SHLI, true, false, -3, 4},   {IR_OP_SHRI, true, false, -1, 31},
        {IR_OP_SHRI, true, false, 0, 32},   {IR_OP_SHRI, true, false, 30, 40},
        {IR_OP_SHRI, false, false, -2, 33}, {IR_OP_SHRI, false, false, 32, 33},
        {IR_OP_SHLI, true, false, -9, -1}};
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        close_kernel(state);
        open_kernel(state);
        store_launch_shift(*state, &cases[i]);
        expect_launch_shift(*state, &cases[i], 0, 31);
        assert_int_equal(((kernel_sketch *)*state)->s->hazards[0].kind, IX_SHIFT);
    }
}

/* Where a bit may be lost, or the count is another in each block, nothing is known. */
static void shifts_that_may_lose_bits_are_not_followed(void **state)
{
    const launch_shift cases[] = {
        {IR_OP_SHLI, true, false, 0, 8},   {IR_OP_SHLI, true, false, 8, 9},
        {IR_OP_SHLI, true, false, 0, 31},  {IR_OP_SHLI, true, false, 31, 31},
        {IR_OP_SHLI, true, false, -1, 40}, {IR_OP_SHLI, true, true, 0, 3},
        {IR_OP_SHRI, true, true, 0, 3},    {IR_OP_SHRI, false, true, 1, 3}};
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        close_kernel(state);
        open_kernel(state);
        store_launch_shift(*state, &cases[i]);
        expect_launch_shift(*state, &cases[i], 1, 0);
    }
}

/* p[bit ? 7 : 2], or p[bit], where the bit is the lowest of n */
static void one_bit_is_the_lowest(void **state)
{
    for (int which = 0; which < 3; which++) {
        close_kernel(state);
        open_kernel(state);
        kernel_sketch *k = *state;
        ir_operand_list of = ONE(k->n);
        ir_value *bit = &ir_build(&k->at, IR_OP_TRUNCI, &of, 1, &k->flag, NULL)->results[0];
        ir_operand_list extended = ONE(bit);
        ir_op *number_of = ir_build(&k->at, IR_OP_EXTI, &extended, 1, &k->i32, NULL);
        ir_set_int(number_of, IR_AT_EXTI_signedness, which == 1 ? IR_SIGNED : IR_UNSIGNED);
        ir_value *chosen = choice_of(k, bit, number(k, 7), number(k, 2));
        store(k, offset(k, k->p, which == 2 ? chosen : &number_of->results[0]), k->n);
        walk(k);
        numbers v = {.n = contract_param(k->ctx, k->c, 2)};
        for (v.n_value = -3; v.n_value <= 4; v.n_value++) {
            smt_int got, odd = v.n_value & 1;
            assert_true(smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &got));
            assert_int_equal(got, 4 * (which == 2 ? (odd ? 7 : 2) : which == 1 ? -odd : odd));
        }
    }
}

/* ---- Section: Comparisons of truth values ---- */

static bool compared(int64_t predicate, int64_t a, int64_t b)
{
    switch (predicate) {
    case IR_EQ:
        return a == b;
    case IR_NE:
        return a != b;
    case IR_LT:
        return a < b;
    case IR_LE:
        return a <= b;
    case IR_GT:
        return a > b;
    default:
        return a >= b;
    }
}

/* Of two truth values the one that is set is greater, and as a signed number it is -1. */
static void truth_values_are_compared(void **state)
{
    static const int64_t predicates[] = {IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE};
    for (int which = 0; which < 12; which++) {
        bool is_signed = which & 1;
        int64_t predicate = predicates[which / 2];
        close_kernel(state);
        open_kernel(state);
        kernel_sketch *k = *state;
        ir_value *zero = number(k, 0), *a = compare(k, IR_LT, k->n, zero);
        ir_value *b = compare(k, IR_LT, block_id(k), number(k, 3));
        ir_value *both_of = compare(k, predicate, a, b);
        ir_set_int(both_of->def, IR_AT_CMPI_signedness, is_signed ? IR_SIGNED : IR_UNSIGNED);
        store(k, offset(k, k->p, choice_of(k, both_of, number(k, 7), number(k, 2))), zero);
        walk(k);
        numbers v = {.n = contract_param(k->ctx, k->c, 2)};
        for (int i = 0; i < 4; i++) {
            smt_int got;
            int64_t x = i & 1, y = i >> 1, sign = is_signed ? -1 : 1;
            v.n_value = x ? -9 : 9;
            v.bid_value = y ? 2 : 3;
            assert_true(smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &got));
            assert_int_equal(got, compared(predicate, sign * x, sign * y) ? 28 : 8);
        }
        /* Equal truth values are equal conditions, without numbers for them. */
        smt_t zero_term = smt_int_const(k->ctx, 0), three = smt_int_const(k->ctx, 3);
        smt_t same = smt_iff(k->ctx, smt_lt(k->ctx, v.n, zero_term),
                             smt_lt(k->ctx, k->s->block_id[0], three));
        smt_t seven = smt_int_const(k->ctx, 7), two = smt_int_const(k->ctx, 2);
        smt_t same_or = predicate == IR_EQ ? smt_ite(k->ctx, same, seven, two)
                                           : smt_ite(k->ctx, same, two, seven);
        if (predicate == IR_EQ || predicate == IR_NE)
            assert_ptr_equal(k->s->accesses[0].bytes, smt_scale(k->ctx, same_or, 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(floored_remainder_is_exact, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(other_choices_are_no_remainder, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(what_is_shifted_back_drops_bits, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(other_steps_drop_nothing, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(truth_values_are_compared, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(counts_between_shifts_are_read_once, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(shifts_by_the_launch_are_exact, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(counts_out_of_range_give_no_known_value, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(shifts_that_may_lose_bits_are_not_followed, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(one_bit_is_the_lowest, open_kernel, close_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Each integer op alone: the term that the summary makes of it is the number that the interpreter
 * computes, for every op, attribute and arrangement of its operands, wherever the summary says that
 * the term is safe to believe. */
#include "kernel_sketch.h"

#include "interp/interp.h"

enum { BLOCKS = 13, LESS = 6 };

typedef enum use { /* how the op's result becomes an index of i32 */
                   AS_IT_IS,
                   CHOOSES, /* it is a condition: 5 where it holds, else 9 */
                   NARROWED /* its operand is cut to i8 before, or its result is i8 and extended
                               again */
} use;

typedef struct form { /* an op of i32 with attributes; -1: it has no such attribute */
    ir_opcode code;
    int attr;
    int64_t value;
    int attr2;
    int64_t value2;
    bool is_unary;
    use use;
} form;

#define NO           -1, 0
#define SIGN(op, of) IR_AT_##op##_signedness, IR_##of
#define ROUND(how)   IR_AT_DIVI_rounding, IR_ROUND_##how
#define COMPARE(how) IR_AT_CMPI_comparison_predicate, IR_##how

static const form forms[] = {
    {IR_OP_ADDI, NO, NO},
    {IR_OP_SUBI, NO, NO},
    {IR_OP_MULI, NO, NO},
    {IR_OP_NEGI, NO, NO, .is_unary = true},
    {IR_OP_ABSI, NO, NO, .is_unary = true},
    {IR_OP_DIVI, SIGN(DIVI, SIGNED), ROUND(ZERO)},
    {IR_OP_DIVI, SIGN(DIVI, SIGNED), ROUND(NEGATIVE_INF)},
    {IR_OP_DIVI, SIGN(DIVI, SIGNED), ROUND(POSITIVE_INF)},
    {IR_OP_DIVI, SIGN(DIVI, UNSIGNED), ROUND(ZERO)},
    {IR_OP_DIVI, SIGN(DIVI, UNSIGNED), ROUND(POSITIVE_INF)},
    {IR_OP_REMI, SIGN(REMI, SIGNED), NO},
    {IR_OP_REMI, SIGN(REMI, UNSIGNED), NO},
    {IR_OP_MINI, SIGN(MINI, SIGNED), NO},
    {IR_OP_MINI, SIGN(MINI, UNSIGNED), NO},
    {IR_OP_MAXI, SIGN(MAXI, SIGNED), NO},
    {IR_OP_MAXI, SIGN(MAXI, UNSIGNED), NO},
    {IR_OP_ANDI, NO, NO},
    {IR_OP_ORI, NO, NO},
    {IR_OP_XORI, NO, NO},
    {IR_OP_SHLI, NO, NO},
    {IR_OP_SHRI, SIGN(SHRI, SIGNED), NO},
    {IR_OP_SHRI, SIGN(SHRI, UNSIGNED), NO},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(LT), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(LE), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(GT), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(GE), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(EQ), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, SIGNED), COMPARE(NE), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, UNSIGNED), COMPARE(LT), .use = CHOOSES},
    {IR_OP_CMPI, SIGN(CMPI, UNSIGNED), COMPARE(GE), .use = CHOOSES},
    {IR_OP_TRUNCI, NO, NO, .is_unary = true, .use = NARROWED},
    {IR_OP_EXTI, SIGN(EXTI, SIGNED), NO, .is_unary = true, .use = NARROWED},
    {IR_OP_EXTI, SIGN(EXTI, UNSIGNED), NO, .is_unary = true, .use = NARROWED},
};

/* Which two operands: X is the block id less 6, so that it is negative, too. */
typedef enum operand { X, N, THREE, FOUR, MINUS_SEVEN, LARGE } operand;
static const operand arrangements[][2] = {
    {X, N},           {N, X},     {X, X},     {X, THREE}, {X, FOUR},
    {X, MINUS_SEVEN}, {THREE, X}, {LARGE, X}, {X, LARGE}, {N, THREE},
};
static const int64_t numbers_of_n[] = {0,  1,   2,  3,  4,  5,    7,       8,         31,
                                       32, 100, -1, -2, -7, -100, 1 << 20, INT32_MAX, INT32_MIN};

static ir_value *operand_of(kernel_sketch *k, ir_value *x, operand which)
{
    static const int32_t constants[] = {
        [THREE] = 3, [FOUR] = 4, [MINUS_SEVEN] = -7, [LARGE] = 1 << 28};
    return which == X ? x : which == N ? k->n : number(k, constants[which]);
}

static ir_value *unary(kernel_sketch *k, ir_opcode code, const ir_type *type, ir_value *of)
{
    ir_operand_list group = ONE(of);
    return &ir_build(&k->at, code, &group, 1, &type, NULL)->results[0];
}

static ir_value *result_of(kernel_sketch *k, const form *f, ir_value *a, ir_value *b)
{
    const ir_type *byte = ir_type_tile(k->module, ir_type_scalar(k->module, IR_I8), 0, NULL);
    if (f->code == IR_OP_EXTI)
        a = unary(k, IR_OP_TRUNCI, byte, a);
    const ir_type *type = f->use == CHOOSES ? k->flag : f->code == IR_OP_TRUNCI ? byte : k->i32;
    ir_operand_list groups[] = {ONE(a), ONE(b)};
    ir_op *op = ir_build(&k->at, f->code, groups, 1, &type, NULL);
    if (f->attr >= 0)
        ir_set_int(op, (unsigned)f->attr, f->value);
    if (f->attr2 >= 0)
        ir_set_int(op, (unsigned)f->attr2, f->value2);
    ir_value *result = &op->results[0];
    if (f->use == CHOOSES) {
        ir_operand_list of[] = {ONE(result), ONE(number(k, 5)), ONE(number(k, 9))};
        return &ir_build(&k->at, IR_OP_SELECT, of, 1, &k->i32, NULL)->results[0];
    }
    if (f->code == IR_OP_TRUNCI) {
        result = unary(k, IR_OP_EXTI, k->i32, result);
        ir_set_int(result->def, IR_AT_EXTI_signedness, IR_SIGNED);
    }
    return result;
}

/* p[the op's result] = 0 */
static void build(kernel_sketch *k, const form *f, const operand of[2])
{
    ir_value *x = binary(k, IR_OP_SUBI, block_id(k), number(k, LESS));
    ir_value *a = operand_of(k, x, of[0]), *b = f->is_unary ? NULL : operand_of(k, x, of[1]);
    store(k, offset(k, k->p, result_of(k, f, a, b)), number(k, 0));
    walk(k);
}

typedef struct point { /* what the terms are evaluated at */
    const kernel_sketch *k;
    smt_t n;
    int64_t block, n_value;
} point;

static bool lookup(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const point *at = user;
    (void)args;
    bool id = term == at->k->s->block_id[0], zero = false;
    for (int axis = 1; axis < 3; axis++)
        zero |= term == at->k->s->block_id[axis];
    *value = term == at->n ? at->n_value : id ? at->block : 0;
    return n_args == 0 && (term == at->n || id || zero);
}

/* Neither undefined, nor beyond what the term speaks of. */
static bool is_believed(const kernel_sketch *k, const point *at)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        smt_int safe;
        if (!smt_eval(k->s->hazards[i].safe, lookup, (void *)at, &safe) || !safe)
            return false;
    }
    return true;
}

static interp_run *run(const kernel_sketch *k, int64_t n)
{
    interp_buffer buffers[] = {{.name = "p", .bytes = 4}, {.name = "q", .bytes = 4}};
    interp_arg args[] = {{.buffer = 0}, {.buffer = 1}, {.value = n, .buffer = -1}};
    const concrete_launch launch = {
        .grid = {BLOCKS, 1, 1}, .n_args = 3, .args = args, .n_buffers = 2, .buffers = buffers};
    const model_choices choices = model_default_choices();
    const interp_limits limits = {0};
    return interp_execute(k->function, &launch, &choices, &limits, NULL);
}

/* The points at which the term was compared; each of them is the same. */
static size_t compare_with_runs(kernel_sketch *k, const form *f)
{
    size_t compared = 0;
    smt_t bytes = k->s->accesses[0].bytes;
    for (size_t i = 0; i < TR_COUNT(numbers_of_n) && !k->s->accesses[0].unknown; i++) {
        point at = {k, contract_param(k->ctx, k->c, 2), 0, numbers_of_n[i]};
        interp_run *r = run(k, at.n_value);
        const interp_event *events;
        size_t n = interp_events(r, &events);
        for (size_t e = 0; e < n; e++) {
            smt_int got;
            at.block = events[e].block;
            if (events[e].buffer != 0 || !is_believed(k, &at) ||
                !smt_eval(bytes, lookup, &at, &got))
                continue;
            compared++;
            if (got != events[e].address)
                fail_msg("%s: block %lld, n = %lld: the term is %lld and the run has %lld",
                         ir_op_info_of(f->code)->mnemonic, (long long)at.block,
                         (long long)at.n_value, (long long)got, (long long)events[e].address);
        }
        interp_run_free(r);
    }
    return compared;
}

static void terms_are_what_runs_compute(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(forms); i++) {
        size_t compared = 0;
        for (size_t a = 0; a < TR_COUNT(arrangements); a++) {
            void *kernel;
            open_kernel(&kernel);
            build(kernel, &forms[i], arrangements[a]);
            compared += compare_with_runs(kernel, &forms[i]);
            close_kernel(&kernel);
        }
        print_message("%s: %zu points\n", ir_op_info_of(forms[i].code)->mnemonic, compared);
        assert_true(compared > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_what_runs_compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

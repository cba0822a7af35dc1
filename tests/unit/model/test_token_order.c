/* Token order inside a block, by the shapes that kernels have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sketch.h"

static int set_up(void **state)
{
    static sketch s;
    sketch_open(&s);
    *state = &s;
    return 0;
}

static int tear_down(void **state)
{
    sketch_close(*state);
    return 0;
}

#define ORDER(first, second, expected) assert_string_equal(order(s, first, second), expected)

/* ---- Straight line: litmus rows 1 to 12 ---- */

static void test_chain(void **state)
{
    sketch *s = *state;
    ir_op *a = load(s, NULL), *b = store(s, out(a)), *c = load(s, out(b)), *d = store(s, NULL);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "yes");
    ORDER(b, c, "yes");
    ORDER(a, c, "yes"); /* waits-for is transitive */
    ORDER(b, a, "-");
    ORDER(a, d, "-"); /* row 1: program order is nothing without a token */
    ORDER(a, a, "-");
}

static void test_siblings(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    ir_op *a = store(s, t), *b = store(s, t); /* row 6 */
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "-");
    ORDER(b, a, "-");
}

static void test_join(void **state)
{
    sketch *s = *state;
    ir_op *a = load(s, NULL), *b = load(s, NULL);
    ir_op *c = store(s, join(s, out(a), out(b))), *d = store(s, out(a));
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, c, "yes"); /* row 11 */
    ORDER(b, c, "yes");
    ORDER(a, d, "yes");
    ORDER(b, d, "-"); /* row 12 */
}

static void test_fence_and_print_carry_tokens(void **state)
{
    sketch *s = *state;
    ir_op *a = store(s, NULL);
    ir_operand_list group = ONE(out(a));
    ir_op *fence = ir_build(&s->at, IR_OP_MEMORY_FENCE_ALIAS_TKO, &group, 1, &s->token, NULL);
    ir_op *b = load(s, out(fence));
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "yes");
    ORDER(fence, b, "yes");
    const ir_op *const *ops;
    assert_int_equal(model_memory_ops(s->tokens, &ops), 2);
    assert_ptr_equal(ops[0], a);
    assert_ptr_equal(ops[1], b);
}

/* ---- if ---- */

static void test_if_yield(void **state)
{
    sketch *s = *state;
    ir_op *before = store(s, NULL);
    ir_op *branch = begin_if(s, 1);
    ir_op *a = store(s, out(before));
    otherwise(s, IR_OP_YIELD, TOKENS(out(a)));
    end_if(s, IR_OP_YIELD, TOKENS(out(before)));
    ir_op *b = load(s, &branch->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "yes"); /* row 13: if the branch ran, its token came out */
    ORDER(before, b, "yes");
    ORDER(before, a, "yes");
}

static void test_if_drop(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    begin_if(s, 0);
    ir_op *a = store(s, t);
    otherwise(s, IR_OP_YIELD, 0, NULL);
    end_if(s, IR_OP_YIELD, 0, NULL);
    ir_op *b = load(s, t); /* row 14 */
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "-");
}

static void test_if_forgets_what_one_branch_does_not_yield(void **state)
{
    sketch *s = *state;
    ir_op *before = store(s, NULL);
    ir_value *fresh = make_token(s);
    ir_op *branch = begin_if(s, 2);
    ir_op *a = store(s, out(before));
    otherwise(s, IR_OP_YIELD, TOKENS(out(a), fresh));
    ir_op *c = store(s, fresh);
    end_if(s, IR_OP_YIELD, TOKENS(out(c), out(c)));
    ir_op *b = load(s, &branch->results[0]), *d = load(s, &branch->results[1]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(before, b, "-"); /* not when the other branch ran */
    ORDER(a, b, "yes");
    ORDER(c, b, "yes");
    ORDER(a, d, "-"); /* then's second yield is fresh */
    ORDER(c, d, "yes");
}

/* ---- Loops: rows 15 to 21 ---- */

static void test_serial(void **state)
{
    sketch *s = *state;
    ir_op *before = store(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(before)));
    ir_op *a = load(s, carried(loop, 0)), *b = store(s, out(a));
    end_loop(s, TOKENS(out(b)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(before, a, "yes");
    ORDER(before, after, "yes");
    ORDER(b, b, "PO"); /* row 15 */
    ORDER(a, a, "PO");
    ORDER(a, b, "SPO");
    ORDER(b, a, "PO");
    ORDER(b, after, "LX");
    ORDER(after, a, "-");
}

static void test_constant_index_uncarried(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    begin_for(s, 0, NULL);
    ir_op *a = store(s, t), *b = load(s, out(a));
    end_loop(s, 0, NULL);
    ir_op *after = load(s, t);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "-"); /* row 16 */
    ORDER(a, b, "S");
    ORDER(a, after, "-");
}

static void test_fork_and_accumulate(void **state)
{
    sketch *s = *state;
    ir_op *before = load(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(before)));
    ir_op *a = store(s, out(before));
    end_loop(s, TOKENS(join(s, carried(loop, 0), out(a))));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "-");      /* row 17: the iterations themselves are unordered */
    ORDER(a, after, "LX"); /* row 19 */
    ORDER(before, a, "yes");
    ORDER(before, after, "yes");
}

static void test_fork_and_last(void **state)
{
    sketch *s = *state;
    ir_op *before = load(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(before)));
    ir_op *a = store(s, out(before));
    end_loop(s, TOKENS(out(a)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, after, "L"); /* row 20 */
    ORDER(a, a, "-");
    ORDER(before, after, "yes"); /* both with and without an iteration */
}

static void test_fork_and_last_per_name(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    ir_op *loop = begin_for(s, TOKENS(t));
    ir_op *a = store(s, t), *b = load(s, out(a));
    end_loop(s, TOKENS(out(a)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_NAME);
    ORDER(a, after, "LX");
    ORDER(a, b, "SPO");
    ORDER(b, after, "-");
    ORDER(a, a, "-"); /* its own input does not depend on its name */
}

static void test_zero_trips(void **state)
{
    sketch *s = *state;
    ir_op *p = store(s, NULL), *q = store(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(p)));
    ir_op *a = store(s, NULL);
    end_loop(s, TOKENS(join(s, out(q), out(a))));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(p, after, "-"); /* dropped by the first iteration */
    ORDER(q, after, "-"); /* not there when no iteration runs */
    ORDER(a, after, "L");
}

static void test_carried_by_two_steps(void **state)
{
    /* a' = b, b' = st a: the token of an iteration comes back two iterations later. */
    sketch *s = *state;
    ir_op *p = store(s, NULL), *q = store(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(p), out(q)));
    ir_op *a = store(s, carried(loop, 0));
    end_loop(s, TOKENS(carried(loop, 1), out(a)));
    ir_op *after = load(s, join(s, &loop->results[0], &loop->results[1]));
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "-"); /* neither the one before nor all older ones */
    ORDER(p, a, "-");
    ORDER(a, after, "L"); /* the second to last one too, which no case can say */
    ORDER(p, after, "-"); /* one of the two holds it, now this, now that one */
}

static void test_if_in_a_loop(void **state)
{
    sketch *s = *state;
    ir_op *loop = begin_for(s, TOKENS(make_token(s)));
    ir_op *branch = begin_if(s, 1);
    ir_op *a = store(s, carried(loop, 0));
    otherwise(s, IR_OP_YIELD, TOKENS(out(a)));
    end_if(s, IR_OP_YIELD, TOKENS(carried(loop, 0)));
    ir_op *b = load(s, &branch->results[0]);
    end_loop(s, TOKENS(&branch->results[0]));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "PO");
    ORDER(a, b, "SPO");
    ORDER(a, after, "LX");
}

static void test_if_in_a_loop_that_drops(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    ir_op *loop = begin_for(s, TOKENS(t));
    ir_op *branch = begin_if(s, 1);
    ir_op *a = store(s, carried(loop, 0));
    otherwise(s, IR_OP_YIELD, TOKENS(out(a)));
    end_if(s, IR_OP_YIELD, TOKENS(t)); /* forgets what the earlier iterations did */
    ir_op *b = load(s, &branch->results[0]);
    end_loop(s, TOKENS(&branch->results[0]));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "S");
    ORDER(a, a, "P"); /* if the previous iteration stored, its token is the carried one */
    ORDER(a, after, "L");
}

static void test_continue_in_an_if(void **state)
{
    sketch *s = *state;
    ir_op *loop = begin_for(s, TOKENS(make_token(s)));
    ir_op *first = store(s, carried(loop, 0));
    begin_if(s, 0);
    ir_op *early = store(s, out(first));
    otherwise(s, IR_OP_CONTINUE, TOKENS(out(early)));
    end_if(s, IR_OP_YIELD, 0, NULL);
    ir_op *late = store(s, out(first));
    end_loop(s, TOKENS(out(late)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(first, first, "PO");
    ORDER(early, first, "PO"); /* `early` ran only in iterations that carried it on */
    ORDER(late, first, "PO");
    ORDER(late, early, "PO");
    ORDER(early, late, "PO");
    ORDER(early, after, "LX");
    ORDER(late, after, "LX");
}

static void test_continue_that_drops(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    ir_op *loop = begin_for(s, TOKENS(t));
    ir_op *first = store(s, carried(loop, 0));
    begin_if(s, 0);
    otherwise(s, IR_OP_CONTINUE, TOKENS(t));
    end_if(s, IR_OP_YIELD, 0, NULL);
    ir_op *late = store(s, out(first));
    end_loop(s, TOKENS(out(late)));
    finish(s, MODEL_PER_ITERATION);
    ORDER(first, first, "-");
    ORDER(late, first, "P"); /* an iteration that reached `late` carried it on */
    ORDER(late, late, "P");
}

static void test_break_in_the_middle(void **state)
{
    sketch *s = *state;
    ir_op *before = store(s, NULL);
    ir_op *loop = begin_loop(s, IR_OP_LOOP, TOKENS(out(before)), 1);
    ir_op *a = store(s, carried(loop, 0));
    begin_if(s, 0);
    ir_op *b = load(s, out(a));
    otherwise(s, IR_OP_BREAK, TOKENS(out(b)));
    end_if(s, IR_OP_YIELD, 0, NULL);
    ir_op *c = store(s, out(a));
    end_loop(s, TOKENS(out(c)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(before, after, "yes");
    ORDER(a, after, "LX");
    ORDER(b, after, "LX");
    ORDER(c, after, "LX"); /* never in the last iteration, in all others */
    ORDER(c, a, "PO");
    ORDER(a, b, "SPO");
    ORDER(c, b, "PO");
}

static void test_two_breaks(void **state)
{
    sketch *s = *state;
    ir_op *before = store(s, NULL);
    ir_op *loop = begin_loop(s, IR_OP_LOOP, TOKENS(out(before)), 1);
    ir_op *a = store(s, carried(loop, 0));
    begin_if(s, 0);
    otherwise(s, IR_OP_BREAK, TOKENS(carried(loop, 0))); /* without this iteration's store */
    end_if(s, IR_OP_YIELD, 0, NULL);
    begin_if(s, 0);
    otherwise(s, IR_OP_BREAK, TOKENS(out(a)));
    end_if(s, IR_OP_YIELD, 0, NULL);
    end_loop(s, TOKENS(out(a)));
    ir_op *after = load(s, &loop->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, after, "X");
    ORDER(before, after, "yes");
}

/* ---- Nests ---- */

static void test_nest_serial_across_both(void **state)
{
    sketch *s = *state;
    ir_op *outer = begin_for(s, TOKENS(make_token(s)));
    ir_op *inner = begin_for(s, TOKENS(carried(outer, 0)));
    ir_op *a = store(s, carried(inner, 0));
    end_loop(s, TOKENS(out(a)));
    ir_op *b = load(s, &inner->results[0]);
    end_loop(s, TOKENS(out(b)));
    ir_op *after = load(s, &outer->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "S,PO + PO,LX");
    ORDER(a, b, "SPO,LX");
    ORDER(b, a, "PO");
    ORDER(b, b, "PO");
    ORDER(a, after, "LX,LX");
    ORDER(b, after, "LX");
}

static void test_nest_inner_accumulates(void **state)
{
    sketch *s = *state;
    ir_op *outer = begin_for(s, TOKENS(make_token(s)));
    ir_op *inner = begin_for(s, TOKENS(carried(outer, 0)));
    ir_op *a = store(s, carried(outer, 0));
    end_loop(s, TOKENS(join(s, carried(inner, 0), out(a))));
    end_loop(s, TOKENS(&inner->results[0]));
    ir_op *after = load(s, &outer->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "PO,LX"); /* other outer iterations are ordered, the inner ones are not */
    ORDER(a, after, "LX,LX");
}

static void test_nest_inner_last_only(void **state)
{
    sketch *s = *state;
    ir_op *outer = begin_for(s, TOKENS(make_token(s)));
    ir_op *inner = begin_for(s, TOKENS(carried(outer, 0)));
    ir_op *a = store(s, carried(outer, 0));
    end_loop(s, TOKENS(out(a)));
    end_loop(s, TOKENS(&inner->results[0]));
    ir_op *after = load(s, &outer->results[0]);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "PO,L");
    ORDER(a, after, "LX,L");
}

static void test_nest_uncarried(void **state)
{
    sketch *s = *state;
    begin_for(s, 0, NULL);
    begin_for(s, 0, NULL);
    ir_op *a = store(s, NULL); /* row 21 */
    end_loop(s, 0, NULL);
    end_loop(s, 0, NULL);
    finish(s, MODEL_PER_NAME);
    ORDER(a, a, "-"); /* under both readings: no token leaves it */
}

static void test_nest_outer_not_carried(void **state)
{
    sketch *s = *state;
    ir_value *t = make_token(s);
    begin_for(s, 0, NULL);
    ir_op *inner = begin_for(s, TOKENS(t));
    ir_op *a = store(s, carried(inner, 0));
    end_loop(s, TOKENS(out(a)));
    ir_op *b = load(s, &inner->results[0]);
    end_loop(s, 0, NULL);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "S,PO");
    ORDER(a, b, "S,LX");
}

static void test_two_loops_in_a_row(void **state)
{
    sketch *s = *state;
    ir_op *first = begin_for(s, TOKENS(make_token(s)));
    ir_op *a = store(s, carried(first, 0));
    end_loop(s, TOKENS(out(a)));
    ir_op *second = begin_for(s, TOKENS(&first->results[0]));
    ir_op *b = load(s, carried(second, 0)), *c = load(s, &first->results[0]);
    end_loop(s, TOKENS(out(b)));
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, b, "LX");
    ORDER(a, c, "LX");
    ORDER(b, c, "-");
    ORDER(c, b, "-");
}

static void test_loop_in_a_branch(void **state)
{
    sketch *s = *state;
    ir_op *outer = begin_for(s, TOKENS(make_token(s)));
    ir_op *branch = begin_if(s, 1);
    ir_op *inner = begin_for(s, TOKENS(carried(outer, 0)));
    ir_op *a = store(s, carried(inner, 0));
    end_loop(s, TOKENS(out(a)));
    otherwise(s, IR_OP_YIELD, TOKENS(&inner->results[0]));
    ir_op *b = store(s, carried(outer, 0));
    end_if(s, IR_OP_YIELD, TOKENS(out(b)));
    end_loop(s, TOKENS(&branch->results[0]));
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, a, "S,PO + PO,LX");
    ORDER(a, b, "PO,LX"); /* one branch runs in an iteration */
    ORDER(b, a, "PO");
}

static void test_very_deep_nest_claims_nothing(void **state)
{
    sketch *s = *state;
    ir_value *token = make_token(s);
    ir_op *loops[MODEL_MAX_LOOPS + 1];
    for (size_t i = 0; i < TR_COUNT(loops); i++) {
        loops[i] = begin_for(s, TOKENS(token));
        token = carried(loops[i], 0);
    }
    ir_op *a = store(s, token), *b = store(s, out(a));
    ir_value *last = out(b);
    for (size_t i = TR_COUNT(loops); i-- > 0;) {
        end_loop(s, TOKENS(last));
        last = &loops[i]->results[0];
    }
    ir_op *after = load(s, last);
    finish(s, MODEL_PER_ITERATION);
    assert_true(model_tokens_complete(s->tokens));
    ORDER(a, b, "-");
    ORDER(a, after, "-");
}

static void test_deepest_nest(void **state)
{
    sketch *s = *state;
    ir_value *token = make_token(s);
    ir_op *loops[MODEL_MAX_LOOPS];
    for (size_t i = 0; i < TR_COUNT(loops); i++) {
        loops[i] = begin_for(s, TOKENS(token));
        token = carried(loops[i], 0);
    }
    ir_op *a = store(s, token);
    ir_value *last = out(a);
    for (size_t i = TR_COUNT(loops); i-- > 0;) {
        end_loop(s, TOKENS(last));
        last = &loops[i]->results[0];
    }
    ir_op *after = load(s, last);
    finish(s, MODEL_PER_ITERATION);
    ORDER(a, after, "LX,LX,LX,LX,LX,LX,LX,LX");
}

static void test_many_ops(void **state)
{
    enum { OPS = 3000 };
    sketch *s = *state;
    static ir_op *ops[OPS];
    ir_op *outer = begin_for(s, TOKENS(make_token(s)));
    ir_op *inner = begin_for(s, TOKENS(carried(outer, 0)));
    ir_value *token = carried(inner, 0);
    for (size_t i = 0; i < OPS; i++) {
        ops[i] = store(s, token);
        token = out(ops[i]);
    }
    end_loop(s, TOKENS(token));
    end_loop(s, TOKENS(&inner->results[0]));
    finish(s, MODEL_PER_ITERATION);
    assert_true(model_tokens_complete(s->tokens));
    ORDER(ops[0], ops[OPS - 1], "S,SPO + PO,LX");
    ORDER(ops[OPS - 1], ops[0], "S,PO + PO,LX");
}

static void test_covers(void **state)
{
    (void)state;
    const model_order_case cases[] = {{{MODEL_SAME, MODEL_PREV | MODEL_OLDER}},
                                      {{MODEL_PREV | MODEL_OLDER, MODEL_LAST}}};
    const model_order o = {2, cases, 2};
    const bool neither[] = {false, false}, inner_last[] = {false, true};
    assert_true(model_order_covers(&o, 2, (int64_t[]){3, 1}, (int64_t[]){3, 2}, neither));
    assert_false(model_order_covers(&o, 2, (int64_t[]){3, 2}, (int64_t[]){3, 2}, inner_last));
    assert_false(model_order_covers(&o, 2, (int64_t[]){3, 3}, (int64_t[]){3, 2}, inner_last));
    assert_true(model_order_covers(&o, 2, (int64_t[]){1, 9}, (int64_t[]){3, 2}, inner_last));
    assert_false(model_order_covers(&o, 2, (int64_t[]){1, 9}, (int64_t[]){3, 2}, neither));
    assert_false(model_order_covers(&o, 2, (int64_t[]){4, 9}, (int64_t[]){3, 2}, inner_last));
}

static void test_print(void **state)
{
    sketch *s = *state;
    ir_op *a = store(s, NULL);
    ir_op *loop = begin_for(s, TOKENS(out(a)));
    ir_op *b = load(s, carried(loop, 0)), *c = store(s, out(b));
    end_loop(s, TOKENS(out(c)));
    finish(s, MODEL_PER_ITERATION);
    tr_text text = {0};
    model_tokens_print(&text, s->tokens);
    const char *lines = tr_text_get(&text);
    assert_non_null(strstr(lines, "token order of sketch"));
    assert_non_null(strstr(lines, "#0    store_ptr_tko\n        after nothing\n"));
    assert_non_null(strstr(lines, "#2    load_ptr_tko\n        after #0 #2(previous|older) "
                                  "#3(previous|older)\n"));
    assert_non_null(strstr(lines, "#3    store_ptr_tko\n        after #2(same)\n"));
    tr_text_free(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_chain),
        TEST(test_siblings),
        TEST(test_join),
        TEST(test_fence_and_print_carry_tokens),
        TEST(test_if_yield),
        TEST(test_if_drop),
        TEST(test_if_forgets_what_one_branch_does_not_yield),
        TEST(test_serial),
        TEST(test_constant_index_uncarried),
        TEST(test_fork_and_accumulate),
        TEST(test_fork_and_last),
        TEST(test_fork_and_last_per_name),
        TEST(test_zero_trips),
        TEST(test_carried_by_two_steps),
        TEST(test_if_in_a_loop),
        TEST(test_if_in_a_loop_that_drops),
        TEST(test_continue_in_an_if),
        TEST(test_continue_that_drops),
        TEST(test_break_in_the_middle),
        TEST(test_two_breaks),
        TEST(test_nest_serial_across_both),
        TEST(test_nest_inner_accumulates),
        TEST(test_nest_inner_last_only),
        TEST(test_nest_uncarried),
        TEST(test_nest_outer_not_carried),
        TEST(test_two_loops_in_a_row),
        TEST(test_loop_in_a_branch),
        TEST(test_very_deep_nest_claims_nothing),
        TEST(test_deepest_nest),
        TEST(test_many_ops),
        TEST(test_covers),
        TEST(test_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

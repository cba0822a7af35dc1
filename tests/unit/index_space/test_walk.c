/* The walk: what loops carry, what a load gives, where pointers go. */
#include "kernel_sketch.h"

static void assert_term(smt_t term, const char *text)
{
    tr_text out = {0};
    smt_print_c(&out, term);
    assert_string_equal(tr_text_get(&out), text);
    tr_text_free(&out);
}

/* for (i = bid; i < n; i += 4) p[i] = 0 */
static void counted_loop_is_an_induction(void **state)
{
    kernel_sketch *k = *state;
    ir_value *bid = block_id(k), *four = number(k, 4);
    ir_operand_list groups[] = {ONE(bid), ONE(k->n), ONE(four), NONE};
    ir_op *loop = ir_build(&k->at, IR_OP_FOR, groups, 0, NULL, (uint32_t[]){0});
    ir_block *body = ir_block_new(k->module, k->function, 1, &k->i32);
    ir_set_region(loop, 0, body);
    k->at.block = body;
    store(k, offset(k, k->p, body->args[0]), body->args[0]);
    end(k, IR_OP_CONTINUE, 0, NULL);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    const ix_access *a = &k->s->accesses[0];
    assert_null(a->unknown);
    assert_int_equal(a->n_loops, 1);
    smt_t index = smt_add(k->ctx, k->s->block_id[0], smt_scale(k->ctx, a->loops[0]->counter, 4));
    assert_ptr_equal(a->bytes, smt_scale(k->ctx, index, 4));
    assert_true(smt_contains(a->path, a->loops[0]->counter));
}

/* t = bid; loop { if (t < n) {} else break; p[t] = 0; t += n } : a while loop's carried value */
static void open_loop_is_an_induction(void **state)
{
    kernel_sketch *k = *state;
    ir_value *bid = block_id(k);
    ir_operand_list inits = ONE(bid);
    ir_op *loop = ir_build(&k->at, IR_OP_LOOP, &inits, 1, &k->i32, (uint32_t[]){1});
    ir_block *body = ir_block_new(k->module, k->function, 1, &k->i32);
    ir_set_region(loop, 0, body);
    k->at.block = body;
    ir_value *t = body->args[0];
    ir_operand_list compare[] = {ONE(t), ONE(k->n)};
    ir_op *less = ir_build(&k->at, IR_OP_CMPI, compare, 1, &k->flag, NULL);
    ir_set_int(less, IR_AT_CMPI_comparison_predicate, IR_GE);
    ir_set_int(less, IR_AT_CMPI_signedness, IR_SIGNED);
    ir_operand_list condition = ONE(&less->results[0]);
    ir_op *branch = ir_build(&k->at, IR_OP_IF, &condition, 0, NULL, (uint32_t[]){0});
    ir_block *leave = ir_block_new(k->module, k->function, 0, NULL);
    ir_block *stay = ir_block_new(k->module, k->function, 0, NULL);
    ir_set_region(branch, 0, leave);
    ir_set_region(branch, 1, stay);
    k->at.block = leave;
    end(k, IR_OP_BREAK, 1, &t);
    k->at.block = stay;
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = body;
    store(k, offset(k, k->p, t), t);
    ir_value *next = binary(k, IR_OP_ADDI, t, k->n);
    end(k, IR_OP_CONTINUE, 1, &next);
    k->at.block = k->function->body;
    store(k, offset(k, k->p, &loop->results[0]), bid);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 2);
    const ix_access *inside = &k->s->accesses[0], *after = &k->s->accesses[1];
    smt_t n = contract_param(k->ctx, k->c, 2);
    smt_t value = smt_add(k->ctx, k->s->block_id[0], smt_mul(k->ctx, inside->loops[0]->counter, n));
    assert_ptr_equal(inside->bytes, smt_scale(k->ctx, value, 4));
    assert_ptr_equal(inside->path, smt_lt(k->ctx, value, n));
    assert_int_equal(after->n_loops, 0);
    assert_null(after->unknown);
    assert_false(smt_contains(after->bytes, inside->loops[0]->counter));
    assert_false(smt_is_true(after->facts)); /* the exit's condition */
}

/* An if with results of i32; its blocks are left to be filled. */
static ir_op *branch(kernel_sketch *k, ir_value *condition, uint32_t n_results, ir_block **sides)
{
    ir_operand_list group = ONE(condition);
    ir_op *op = ir_build(&k->at, IR_OP_IF, &group, n_results, &k->i32, (uint32_t[]){n_results});
    for (int side = 0; side < 2; side++) {
        sides[side] = ir_block_new(k->module, k->function, 0, NULL);
        ir_set_region(op, side, sides[side]);
    }
    return op;
}

/* loop { if (bid < n) return; break; } p[0] = 0: who returns does not come to the store. */
static void return_inside_of_a_loop_is_not_followed(void **state)
{
    kernel_sketch *k = *state;
    ir_block *sides[2];
    ir_value *bid = block_id(k), *zero = number(k, 0);
    ir_operand_list none = NONE;
    ir_op *loop = ir_build(&k->at, IR_OP_LOOP, &none, 0, NULL, (uint32_t[]){0});
    ir_block *body = ir_block_new(k->module, k->function, 0, NULL);
    ir_set_region(loop, 0, body);
    k->at.block = body;
    branch(k, compare(k, IR_LT, bid, k->n), 0, sides);
    k->at.block = sides[0];
    end(k, IR_OP_RETURN, 0, NULL);
    k->at.block = sides[1];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = body;
    end(k, IR_OP_BREAK, 0, NULL);
    k->at.block = k->function->body;
    store(k, k->p, zero);
    walk(k);
    assert_string_equal(k->s->unsupported, "it returns inside of a loop");
    assert_int_equal(k->s->unsupported_op->code, IR_OP_RETURN);
}

/* if (n > 3) { if (bid == FIRST) return; } else { if (bid == SECOND) return; } p[0] = 0; a negative
 * number: no block returns on that side. */
static const ix_access *store_behind_returns(kernel_sketch *k, const int *returning)
{
    ir_value *bid = block_id(k), *zero = number(k, 0);
    ir_block *sides[2], *inner[2];
    branch(k, compare(k, IR_GT, k->n, number(k, 3)), 0, sides);
    for (int side = 0; side < 2; side++) {
        k->at.block = sides[side];
        if (returning[side] >= 0) {
            branch(k, compare(k, IR_EQ, bid, number(k, returning[side])), 0, inner);
            k->at.block = inner[0];
            end(k, IR_OP_RETURN, 0, NULL);
            k->at.block = inner[1];
            end(k, IR_OP_YIELD, 0, NULL);
            k->at.block = sides[side];
        }
        end(k, IR_OP_YIELD, 0, NULL);
    }
    k->at.block = k->function->body;
    store(k, k->p, zero);
    walk(k);
    assert_null(k->s->unsupported); /* there is no loop */
    assert_int_equal(arrlen(k->s->accesses), 1);
    return &k->s->accesses[0];
}

/* Does the access happen for exactly the blocks that do not return, for n of either side? */
static void assert_behind_returns(kernel_sketch *k, const ix_access *stored, const int *returning)
{
    smt_t from[] = {contract_param(k->ctx, k->c, 2), k->s->block_id[0]};
    for (int n = 3; n < 5; n++)
        for (int b = 0; b < 9; b++) {
            smt_t to[] = {smt_int_const(k->ctx, n), smt_int_const(k->ctx, b)};
            smt_t path = smt_and(k->ctx, stored->path, stored->facts);
            bool returns = b == returning[n > 3 ? 0 : 1];
            assert_int_equal(smt_is_true(smt_substitute(k->ctx, path, 2, from, to)), !returns);
            assert_int_equal(smt_is_false(smt_substitute(k->ctx, path, 2, from, to)), returns);
        }
}

/* Those come behind a branch that did not return on the side that they took. */
static void returns_on_both_sides(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_behind_returns(k, (int[]){7, 5});
    assert_behind_returns(k, stored, (int[]){7, 5});
}

static void return_on_the_first_side(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_behind_returns(k, (int[]){7, -1});
    assert_behind_returns(k, stored, (int[]){7, -1});
}

static void return_on_the_second_side(void **state)
{
    kernel_sketch *k = *state;
    const ix_access *stored = store_behind_returns(k, (int[]){-1, 5});
    assert_behind_returns(k, stored, (int[]){-1, 5});
}

/* i = 0; p = FIRST; loop { for each pointer, if (i == number) break by it; i += 1 } result[0] = 0
 */
static void store_by_one_of(kernel_sketch *k, size_t n, ir_value **pointers)
{
    const ir_type *types[] = {k->i32, k->pointer};
    ir_operand_list inits = {(ir_value *[]){number(k, 0), pointers[0]}, 2};
    ir_op *loop = ir_build(&k->at, IR_OP_LOOP, &inits, 2, types, (uint32_t[]){2});
    ir_block *body = ir_block_new(k->module, k->function, 2, types), *sides[2];
    ir_set_region(loop, 0, body);
    k->at.block = body;
    for (size_t i = 0; i < n; i++) {
        ir_value *at = i ? number(k, (int32_t)i) : k->n;
        branch(k, compare(k, IR_EQ, body->args[0], at), 0, sides);
        k->at.block = sides[0];
        end(k, IR_OP_BREAK, 2, (ir_value *[]){body->args[0], pointers[i]});
        k->at.block = sides[1];
        end(k, IR_OP_YIELD, 0, NULL);
        k->at.block = body;
    }
    ir_value *next = binary(k, IR_OP_ADDI, body->args[0], number(k, 1));
    end(k, IR_OP_CONTINUE, 2, (ir_value *[]){next, body->args[1]});
    k->at.block = k->function->body;
    store(k, &loop->results[1], number(k, 0));
    walk(k);
}

/* The buffers that the store is known to be in, as the digits of a number: 0 of p, 1 of q, 9 any.
 */
static int buffers_of(const kernel_sketch *k)
{
    int all = 0;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        all = 10 * all + (k->s->accesses[i].unknown ? 9 : k->s->accesses[i].allocation + 1);
    return all;
}

/* The buffers that are written: 1 for p, and 2 for q. */
static int written_of(const kernel_sketch *k)
{
    return k->s->allocations[0].written + 2 * k->s->allocations[1].written;
}

/* A loop with several breaks leaves with the pointer of one of them, be it the last or not. */
static void one_of_two_breaks(void **state)
{
    kernel_sketch *k = *state;
    store_by_one_of(k, 2, (ir_value *[]){k->p, k->q});
    assert_int_equal(buffers_of(k), 21); /* each under its condition */
    assert_int_equal(written_of(k), 3);
}

static void one_of_three_breaks(void **state)
{
    kernel_sketch *k = *state;
    store_by_one_of(k, 3, (ir_value *[]){k->p, k->q, k->p});
    assert_int_equal(buffers_of(k), 12);
    assert_int_equal(written_of(k), 3);
}

static void breaks_of_one_buffer(void **state)
{
    kernel_sketch *k = *state;
    store_by_one_of(k, 3, (ir_value *[]){k->q, k->q, k->q});
    assert_int_equal(buffers_of(k), 2);
    assert_int_equal(written_of(k), 2);
}

/* More breaks than are told apart. */
static void one_of_many_breaks(void **state)
{
    kernel_sketch *k = *state;
    store_by_one_of(k, 6, (ir_value *[]){k->p, k->q, k->p, k->p, k->q, k->p});
    assert_int_equal(buffers_of(k), 9);
    assert_int_equal(written_of(k), 3);
}

static void many_breaks_of_one_buffer(void **state)
{
    kernel_sketch *k = *state;
    store_by_one_of(k, 6, (ir_value *[]){k->p, k->p, k->p, k->p, k->p, k->p});
    assert_int_equal(buffers_of(k), 1);
    assert_int_equal(written_of(k), 1);
}

/* i = 0; p; loop { p[0] = 0; if (i == n) break; for each step, if (i == number) continue with it;
 * continue with the pointer itself }: where the stored pointer may be. A negative step is another
 * buffer. */
static void store_in_loop(kernel_sketch *k, size_t n, const int *steps)
{
    const ir_type *types[] = {k->i32, k->pointer};
    ir_operand_list inits = {(ir_value *[]){number(k, 0), k->p}, 2};
    ir_op *loop = ir_build(&k->at, IR_OP_LOOP, &inits, 2, types, (uint32_t[]){2});
    ir_block *body = ir_block_new(k->module, k->function, 2, types), *sides[2];
    ir_set_region(loop, 0, body);
    k->at.block = body;
    ir_value *i = body->args[0], *pointer = body->args[1];
    store(k, pointer, number(k, 0));
    branch(k, compare(k, IR_EQ, i, k->n), 0, sides);
    k->at.block = sides[0];
    end(k, IR_OP_BREAK, 2, (ir_value *[]){i, pointer});
    k->at.block = sides[1];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = body;
    ir_value *next = binary(k, IR_OP_ADDI, i, number(k, 1));
    for (size_t s = 0; s < n; s++) {
        branch(k, compare(k, IR_EQ, i, number(k, (int32_t)s)), 0, sides);
        k->at.block = sides[0];
        ir_value *moved = steps[s] < 0 ? k->q : offset(k, pointer, number(k, steps[s]));
        end(k, IR_OP_CONTINUE, 2, (ir_value *[]){next, moved});
        k->at.block = sides[1];
        end(k, IR_OP_YIELD, 0, NULL);
        k->at.block = body;
    }
    end(k, IR_OP_CONTINUE, 2, (ir_value *[]){next, pointer});
    walk(k);
}

static void continues_in_one_buffer(void **state)
{
    kernel_sketch *k = *state;
    store_in_loop(k, 2, (int[]){1, 2});
    assert_int_equal(buffers_of(k), 1);
    assert_int_equal(written_of(k), 1);
}

/* Different steps leave the pointer's place open, before or behind the one that changes the buffer.
 */
static void continue_changes_the_buffer_at_last(void **state)
{
    kernel_sketch *k = *state;
    store_in_loop(k, 3, (int[]){1, 2, -1});
    assert_int_equal(buffers_of(k), 9);
    assert_int_equal(written_of(k), 3);
}

static void continue_changes_the_buffer_at_first(void **state)
{
    kernel_sketch *k = *state;
    store_in_loop(k, 3, (int[]){-1, 1, 2});
    assert_int_equal(buffers_of(k), 9);
    assert_int_equal(written_of(k), 3);
}

/* t = bid, first = 1; loop { if (!first) t += n; if (t >= n) break; p[t] = 0; first = 0 } */
static void first_iteration_apart_is_an_induction(void **state)
{
    kernel_sketch *k = *state;
    ir_value *bid = block_id(k), *one = number(k, 1), *zero = number(k, 0);
    ir_operand_list inits = {(ir_value *[]){bid, one}, 2};
    const ir_type *types[] = {k->i32, k->i32};
    ir_op *loop = ir_build(&k->at, IR_OP_LOOP, &inits, 2, types, (uint32_t[]){2});
    ir_block *body = ir_block_new(k->module, k->function, 2, types), *sides[2];
    ir_set_region(loop, 0, body);
    k->at.block = body;
    ir_value *t = body->args[0];
    ir_op *step = branch(k, compare(k, IR_NE, body->args[1], zero), 1, sides);
    k->at.block = sides[0];
    end(k, IR_OP_YIELD, 1, &t);
    k->at.block = sides[1];
    ir_value *more = binary(k, IR_OP_ADDI, t, k->n);
    end(k, IR_OP_YIELD, 1, &more);
    k->at.block = body;
    ir_value *now = &step->results[0], *passed[] = {now, zero};
    branch(k, compare(k, IR_LT, now, k->n), 0, sides);
    k->at.block = sides[0];
    store(k, offset(k, k->p, now), now);
    end(k, IR_OP_CONTINUE, 2, passed);
    k->at.block = sides[1];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = body;
    end(k, IR_OP_BREAK, 2, passed);
    k->at.block = k->function->body;
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 1);
    const ix_access *a = &k->s->accesses[0];
    smt_t counter = a->loops[0]->counter, n = contract_param(k->ctx, k->c, 2);
    smt_t value = smt_add(k->ctx, k->s->block_id[0], smt_mul(k->ctx, counter, n));
    assert_ptr_equal(a->bytes, smt_scale(k->ctx, value, 4));
    assert_ptr_equal(a->path, smt_lt(k->ctx, value, n));
    /* the addition knows that the iteration before it did not leave */
    smt_t stayed = smt_lt(k->ctx, smt_sub(k->ctx, value, n), n);
    assert_int_equal(arrlen(k->s->hazards), 1);
    const ix_hazard *sum = &k->s->hazards[0];
    smt_t at_one = smt_ge(k->ctx, counter, smt_int_const(k->ctx, 1));
    assert_true(smt_is_true(smt_assume(k->ctx, smt_assume(k->ctx, sum->facts, at_one), stayed)));
    assert_false(smt_is_true(sum->facts));
}

/* t = bid; total = 0; for (g = 0; g < n; g++) { total += q[g]; loop { if (t >= total) break;
 * p[t - total] = 0; t += by } } : t moves by multiples of `by`, the total is the same in all
 * blocks. `by` is the parameter n or 12. */
static void follow_counters(kernel_sketch *k, ir_value *by)
{
    ir_value *bid = block_id(k), *zero = number(k, 0), *one = number(k, 1);
    const ir_type *types[] = {k->i32, k->i32};
    ir_operand_list groups[] = {ONE(zero), ONE(k->n), ONE(one), {(ir_value *[]){bid, zero}, 2}};
    ir_op *outer = ir_build(&k->at, IR_OP_FOR, groups, 2, types, (uint32_t[]){2});
    const ir_type *args[] = {k->i32, k->i32, k->i32};
    ir_block *groups_body = ir_block_new(k->module, k->function, 3, args), *sides[2];
    ir_set_region(outer, 0, groups_body);
    k->at.block = groups_body;
    ir_value *row = load(k, offset(k, k->q, groups_body->args[0]));
    ir_value *total = binary(k, IR_OP_ADDI, groups_body->args[2], row);
    ir_operand_list inits = ONE(groups_body->args[1]);
    ir_op *inner = ir_build(&k->at, IR_OP_LOOP, &inits, 1, &k->i32, (uint32_t[]){1});
    ir_block *body = ir_block_new(k->module, k->function, 1, &k->i32);
    ir_set_region(inner, 0, body);
    k->at.block = body;
    ir_value *t = body->args[0];
    branch(k, compare(k, IR_LT, t, total), 0, sides);
    k->at.block = sides[0];
    end(k, IR_OP_YIELD, 0, NULL);
    k->at.block = sides[1];
    end(k, IR_OP_BREAK, 1, &t);
    k->at.block = body;
    store(k, offset(k, k->p, binary(k, IR_OP_SUBI, t, total)), t);
    ir_value *next = binary(k, IR_OP_ADDI, t, by);
    end(k, IR_OP_CONTINUE, 1, &next);
    k->at.block = groups_body;
    ir_value *passed[] = {&inner->results[0], total};
    end(k, IR_OP_CONTINUE, 2, passed);
    k->at.block = k->function->body;
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 2);
    const ix_access *a = &k->s->accesses[1];
    smt_t g = a->loops[0]->counter,
          step = by == k->n ? contract_param(k->ctx, k->c, 2) : smt_int_const(k->ctx, 12);
    smt_t args_of_times[] = {k->s->block_id[0], k->s->block_id[1], k->s->block_id[2], g};
    char name[40];
    snprintf(name, sizeof name, "times.%u.1", outer->ordinal);
    smt_t times = smt_app(k->ctx, name, 4, args_of_times, 0, SMT_NO_HIGH);
    snprintf(name, sizeof name, "shared.%u.2", outer->ordinal);
    smt_t shared = smt_app(k->ctx, name, 1, &g, INT32_MIN, INT32_MAX);
    assert_true(smt_contains(a->bytes, times));
    assert_true(smt_contains(a->bytes, shared));
    /* no iteration after the first begins before the total: the one before has ended there */
    smt_t reached = smt_add(k->ctx, k->s->block_id[0], smt_mul(k->ctx, step, times));
    smt_t later = smt_assume(k->ctx, a->facts, smt_ge(k->ctx, g, smt_int_const(k->ctx, 1)));
    assert_true(smt_is_true(smt_implies(k->ctx, later, smt_le(k->ctx, shared, reached))));
}

static void counters_of_nested_loops_are_followed(void **state)
{
    kernel_sketch *k = *state;
    follow_counters(k, k->n);
}

static void counters_that_move_by_a_number_are_followed(void **state)
{
    kernel_sketch *k = *state;
    follow_counters(k, number(k, 12));
}

/* p[q[bid]]: a buffer that nobody writes is a function of its address; one that is written is not.
 */
static void loads_of_read_only_buffers_are_shared(void **state)
{
    kernel_sketch *k = *state;
    ir_value *bid = block_id(k);
    ir_value *row = load(k, offset(k, k->q, bid));
    store(k, offset(k, k->p, row), row);
    ir_value *other = load(k, offset(k, k->p, bid));
    store(k, offset(k, k->p, other), other);
    walk(k);
    assert_int_equal(arrlen(k->s->accesses), 4);
    int width;
    smt_t bytes = k->s->accesses[1].bytes;
    assert_int_equal(bytes->kind, SMT_SUM);
    smt_t shared = bytes->args[0];
    assert_int_equal(summary_contents_of(k->s, shared, &width), 1);
    assert_int_equal(width, 4);
    assert_ptr_equal(shared->args[0], k->s->block_id[0]);
    smt_t own = k->s->accesses[3].bytes->args[0];
    assert_int_equal(summary_contents_of(k->s, own, NULL), -1);
}

/* An axis that is neither read nor stated has extent 1, marked as a default. */
static void unread_axes_are_one_by_default(void **state)
{
    kernel_sketch *k = *state;
    ir_value *bid = block_id(k);
    store(k, offset(k, k->p, bid), bid);
    walk(k);
    assert_true(k->s->reads_axis[0]);
    assert_false(k->s->axis_by_default[0]);
    assert_true(k->s->axis_by_default[1]);
    assert_true(smt_is_const(k->s->block_id[1], NULL));
    assert_term(k->s->accesses[0].bytes, "bid.x * 4");
}

/* ---- Section: values that leave their type ---- */

static size_t wraps_of(const summary *s, const ir_op *op)
{
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(s->hazards); i++)
        n += s->hazards[i].kind == IX_WRAP && s->hazards[i].op == op;
    return n;
}

/* for (unsigned i = 0; i < n; i += 4) p[is_read ? i : 0] = i */
static ir_op *count_unsigned(kernel_sketch *k, bool is_read)
{
    ir_value *zero = number(k, 0), *four = number(k, 4);
    ir_operand_list groups[] = {ONE(zero), ONE(k->n), ONE(four), NONE};
    ir_op *loop = ir_build(&k->at, IR_OP_FOR, groups, 0, NULL, (uint32_t[]){0});
    ir_set_int(loop, IR_AT_FOR_unsigned_cmp, 1);
    ir_block *body = ir_block_new(k->module, k->function, 1, &k->i32);
    ir_set_region(loop, 0, body);
    k->at.block = body;
    store(k, offset(k, k->p, is_read ? body->args[0] : zero), body->args[0]);
    end(k, IR_OP_CONTINUE, 0, NULL);
    walk(k);
    return loop;
}

/* An offset is a signed number: the count is exact and may be none, or it is doubted and wraps. */
static void unsigned_counts_leave_a_hazard_or_wrap(void **state)
{
    kernel_sketch *k = *state;
    const ir_op *loop = count_unsigned(k, true);
    assert_int_equal(wraps_of(k->s, loop), 1);
    smt_t counter = k->s->accesses[0].loops[0]->counter;
    assert_ptr_equal(k->s->accesses[0].bytes, smt_scale(k->ctx, counter, 16));
    bool *doubted = TR_NEW_ARRAY(k->arena, bool, k->function->n_ops + 1);
    doubted[loop->ordinal] = true;
    summary_free(k->s);
    k->s = summary_build_doubting(k->arena, k->ctx, k->function, k->c, doubted);
    assert_int_equal(wraps_of(k->s, loop), 0);
    numbers v = {.bid_value = 600000001}; /* iterations before this one */
    smt_int bytes;
    assert_true(smt_eval(k->s->accesses[0].bytes, lookup_numbers, &v, &bytes));
    assert_true(bytes == (2400000004 - ((smt_int)1 << 32)) * 4);
}

static void counts_that_are_stored_leave_none(void **state)
{
    kernel_sketch *k = *state;
    const ir_op *loop = count_unsigned(k, false);
    assert_int_equal(wraps_of(k->s, loop), 0);
}

/* v = *q where bid < n, else bid * n; p[is_read ? v : bid] = v */
static ir_op *load_or_product(kernel_sketch *k, bool is_read)
{
    ir_value *bid = block_id(k), *product = binary(k, IR_OP_MULI, bid, k->n);
    ir_value *mask = compare(k, IR_LT, bid, k->n);
    ir_operand_list groups[] = {ONE(k->q), ONE(mask), ONE(product), NONE};
    const ir_type *results[] = {k->i32, k->token};
    ir_value *v = &ir_build(&k->at, IR_OP_LOAD_PTR_TKO, groups, 2, results, NULL)->results[0];
    store(k, offset(k, k->p, is_read ? v : bid), v);
    walk(k);
    return product->def;
}

static void padding_matters_where_the_load_does(void **state)
{
    kernel_sketch *k = *state;
    const ir_op *product = load_or_product(k, true);
    assert_int_equal(wraps_of(k->s, product), 1);
}

static void padding_that_is_stored_matters_not(void **state)
{
    kernel_sketch *k = *state;
    const ir_op *product = load_or_product(k, false);
    assert_int_equal(wraps_of(k->s, product), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counted_loop_is_an_induction, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(open_loop_is_an_induction, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(returns_on_both_sides, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(return_on_the_first_side, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(return_on_the_second_side, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(one_of_two_breaks, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(one_of_three_breaks, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(breaks_of_one_buffer, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(one_of_many_breaks, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(many_breaks_of_one_buffer, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(continues_in_one_buffer, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(continue_changes_the_buffer_at_last, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(continue_changes_the_buffer_at_first, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(return_inside_of_a_loop_is_not_followed, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(first_iteration_apart_is_an_induction, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(counters_of_nested_loops_are_followed, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(counters_that_move_by_a_number_are_followed, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(loads_of_read_only_buffers_are_shared, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(unread_axes_are_one_by_default, open_kernel, close_kernel),
        cmocka_unit_test_setup_teardown(unsigned_counts_leave_a_hazard_or_wrap, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(counts_that_are_stored_leave_none, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(padding_matters_where_the_load_does, open_kernel,
                                        close_kernel),
        cmocka_unit_test_setup_teardown(padding_that_is_stored_matters_not, open_kernel,
                                        close_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

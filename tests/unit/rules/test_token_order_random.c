/* The static token order against the reference interpreter: random nests of loops and branches,
 * every order that the graph claims must hold between the instances of a run. The interpreter
 * follows the tokens of the run and knows nothing of the graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../model/sketch.h"
#include "base/ds.h"
#include "interp/interp.h"

enum { PROGRAMS = 1500, RUNS = 4, MAX_DEPTH = 4, MAX_TOKENS = 3, MAX_LOOPS = 8 };

typedef struct maker {
    sketch *s;
    uint64_t seed;
    int budget;
    ir_value *tokens[256]; /* in scope */
    size_t n_tokens;
    ir_value *counters[MAX_LOOPS]; /* of the loops around, outermost first */
    size_t n_counters;
    const ir_op *loop; /* innermost */
} maker;

static uint32_t below(maker *m, uint32_t n)
{
    m->seed ^= m->seed << 13;
    m->seed ^= m->seed >> 7;
    m->seed ^= m->seed << 17;
    return (uint32_t)(m->seed >> 20) % n;
}

/* ---- Integers ---- */

static ir_value *constant(maker *m, int32_t value)
{
    ir_op *op = ir_build(&m->s->at, IR_OP_CONSTANT, NULL, 1, &m->s->i32, NULL);
    op->attrs[IR_AT_CONSTANT_value] =
        (ir_attr){.kind = IR_ATTR_DENSE,
                  .type = m->s->i32,
                  .count = 1,
                  .bytes = tr_arena_copy(m->s->module->arena, &value, sizeof value),
                  .n_bytes = sizeof value};
    return &op->results[0];
}

static ir_op *binary(maker *m, ir_opcode code, ir_value *a, ir_value *b, const ir_type *type)
{
    ir_operand_list groups[] = {ONE(a), ONE(b)};
    return ir_build(&m->s->at, code, groups, 1, &type, NULL);
}

static ir_value *add(maker *m, ir_value *a, ir_value *b)
{
    ir_op *op = binary(m, IR_OP_ADDI, a, b, m->s->i32);
    ir_set_int(op, IR_AT_ADDI_overflow, IR_WRAP);
    return &op->results[0];
}

static ir_value *is_zero(maker *m, ir_predicate predicate, ir_value *a, ir_value *b)
{
    ir_op *op = binary(m, IR_OP_CMPI, a, b, m->s->flag);
    ir_set_int(op, IR_AT_CMPI_comparison_predicate, predicate);
    ir_set_int(op, IR_AT_CMPI_signedness, IR_SIGNED);
    return &op->results[0];
}

/* (counter + parameter + constant) % 2 or 3 == 0: other branches in other iterations and runs. */
static ir_value *any_condition(maker *m)
{
    ir_value *sum = add(m, m->s->number, constant(m, (int32_t)below(m, 6)));
    if (m->n_counters)
        sum = add(m, sum, m->counters[below(m, (uint32_t)m->n_counters)]);
    ir_op *rest = binary(m, IR_OP_REMI, sum, constant(m, 2 + (int32_t)below(m, 2)), m->s->i32);
    ir_set_int(rest, IR_AT_REMI_signedness, IR_SIGNED);
    return is_zero(m, IR_EQ, &rest->results[0], constant(m, 0));
}

/* ---- Programs ---- */

static ir_value *any_token(maker *m)
{
    if (!m->n_tokens || below(m, 10) == 0)
        return make_token(m->s);
    uint32_t back = below(m, 2) ? below(m, 3) : below(m, (uint32_t)m->n_tokens);
    return m->tokens[m->n_tokens - 1 - (back < m->n_tokens ? back : 0)];
}

static void in_scope(maker *m, ir_value *token)
{
    if (m->n_tokens < TR_COUNT(m->tokens))
        m->tokens[m->n_tokens++] = token;
}

static uint32_t choose(maker *m, uint32_t n, ir_value **values)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = any_token(m);
    return n;
}

static void make_block(maker *m, int depth);

/* The next iteration: a `loop` counts by hand, as its first carried value. */
static void go_on(maker *m)
{
    ir_value *values[MAX_TOKENS + 1];
    if (m->loop->code == IR_OP_FOR) {
        uint32_t n = choose(m, m->loop->n_results, values);
        terminate(m->s, IR_OP_CONTINUE, n, values);
        return;
    }
    values[0] = add(m, m->counters[m->n_counters - 1], constant(m, 1));
    choose(m, m->loop->regions[0]->n_args - 1, values + 1);
    terminate(m->s, IR_OP_CONTINUE, m->loop->regions[0]->n_args, values);
}

static void break_off(maker *m)
{
    ir_value *values[MAX_TOKENS];
    uint32_t n = choose(m, m->loop->n_results, values);
    terminate(m->s, IR_OP_BREAK, n, values);
}

static void end_branch(maker *m, uint32_t n)
{
    ir_value *values[MAX_TOKENS];
    uint32_t what = m->loop ? below(m, 8) : 7;
    if (what == 0) {
        go_on(m);
    } else if (what == 1 && m->loop->code == IR_OP_LOOP) {
        break_off(m);
    } else {
        choose(m, n, values);
        terminate(m->s, IR_OP_YIELD, n, values);
    }
}

static void make_if(maker *m, int depth)
{
    uint32_t n = below(m, MAX_TOKENS);
    size_t scope = m->n_tokens;
    m->s->condition = any_condition(m);
    ir_op *op = begin_if(m->s, n);
    make_block(m, depth + 1);
    end_branch(m, n);
    m->n_tokens = scope;
    m->s->at.block = op->regions[1];
    if (below(m, 2))
        make_block(m, depth + 1);
    end_branch(m, n);
    m->n_tokens = scope;
    leave_region(m->s);
    for (uint32_t i = 0; i < n; i++)
        in_scope(m, &op->results[i]);
}

static ir_op *open_for(maker *m, uint32_t n)
{
    ir_value *initial[MAX_TOKENS], *low = constant(m, 0), *step = constant(m, 1);
    ir_value *high = constant(m, (int32_t)below(m, 4));
    const ir_type *types[MAX_TOKENS + 1] = {m->s->i32, m->s->token, m->s->token, m->s->token};
    choose(m, n, initial);
    ir_operand_list groups[] = {ONE(low), ONE(high), ONE(step), {initial, n}};
    ir_op *op = ir_build(&m->s->at, IR_OP_FOR, groups, n, types + 1, &n);
    ir_set_region(op, 0, ir_block_new(m->s->module, m->s->function, n + 1, types));
    return op;
}

static ir_op *open_loop(maker *m, uint32_t n, uint32_t results)
{
    ir_value *initial[MAX_TOKENS + 1] = {constant(m, 0)};
    const ir_type *types[MAX_TOKENS + 1] = {m->s->i32, m->s->token, m->s->token, m->s->token};
    choose(m, n, initial + 1);
    ir_operand_list groups[] = {{initial, n + 1}};
    ir_op *op = ir_build(&m->s->at, IR_OP_LOOP, groups, results, types + 1, &results);
    ir_set_region(op, 0, ir_block_new(m->s->module, m->s->function, n + 1, types));
    return op;
}

static void make_loop(maker *m, int depth)
{
    bool is_for = below(m, 3) != 0;
    uint32_t n = 1 + below(m, MAX_TOKENS - 1);
    uint32_t results = is_for ? n : 1 + below(m, MAX_TOKENS - 1);
    const ir_op *around = m->loop;
    size_t scope = m->n_tokens;
    ir_op *op = is_for ? open_for(m, n) : open_loop(m, n, results);
    ir_block *body = op->regions[0];
    m->s->at.block = body;
    m->loop = op;
    m->counters[m->n_counters++] = body->args[0];
    load(m->s, NULL); /* tells how many iterations there were */
    for (uint32_t i = 0; i < n; i++)
        in_scope(m, body->args[i + 1]);
    make_block(m, depth + 1);
    if (!is_for) {
        m->s->condition = is_zero(m, IR_GE, body->args[0], constant(m, (int32_t)below(m, 4)));
        begin_if(m->s, 0);
        break_off(m);
        m->s->at.block = m->s->at.block->parent->regions[1];
        terminate(m->s, IR_OP_YIELD, 0, NULL);
        leave_region(m->s);
        make_block(m, depth + 1);
    }
    go_on(m);
    m->n_counters--;
    m->loop = around;
    m->n_tokens = scope;
    leave_region(m->s);
    for (uint32_t i = 0; i < results; i++)
        in_scope(m, &op->results[i]);
}

static void make_block(maker *m, int depth)
{
    uint32_t statements = 1 + below(m, 4);
    for (uint32_t i = 0; i < statements && m->budget > 0; i++) {
        uint32_t what = below(m, 10);
        m->budget--;
        if (what < 2 && depth < MAX_DEPTH)
            make_loop(m, depth);
        else if (what < 4 && depth < MAX_DEPTH)
            make_if(m, depth);
        else if (what < 6)
            in_scope(m, join(m->s, any_token(m), any_token(m)));
        else
            in_scope(m, out(store(m->s, below(m, 8) ? any_token(m) : NULL)));
    }
}

static void make_program(sketch *s, uint64_t seed)
{
    sketch_open(s);
    maker m = {.s = s, .seed = seed * 0x9E3779B97F4A7C15u + 1};
    m.budget = 6 + (int)below(&m, 16);
    make_block(&m, 0);
    in_scope(&m, out(store(s, any_token(&m))));
    finish(s, MODEL_PER_ITERATION);
}

/* ---- Comparing ---- */

/* Instances in a table by their index; the run keeps them until the first index it does not know.
 */
static size_t instances_of(const interp_run *run, const interp_instance **all, size_t limit)
{
    const interp_event *events;
    size_t n_events = interp_events(run, &events), n = 0;
    for (size_t e = 0; e < n_events; e++)
        if (events[e].instance < limit) {
            all[events[e].instance] = interp_instance_of(run, events[e].instance);
            n = events[e].instance + 1 > n ? events[e].instance + 1 : n;
        }
    return n;
}

static const ir_op *loop_around(const ir_op *op, size_t up)
{
    const ir_op *o = op->parent->parent;
    while (o && ((o->code != IR_OP_FOR && o->code != IR_OP_LOOP) || up-- > 0))
        o = o->parent->parent;
    return o;
}

/* Was the instance's iteration of loop d the last of that run of the loop? The load at the top of
 * the loop's body was executed once in every iteration. */
static bool is_last(const interp_instance *const *all, size_t n, const interp_instance *a, size_t d)
{
    const ir_op *loop = loop_around(a->op, a->n_loops - 1 - d);
    for (size_t i = 0; i < n; i++) {
        if (!all[i] || all[i]->op->parent != loop->regions[0] ||
            all[i]->op->code != IR_OP_LOAD_PTR_TKO)
            continue;
        if (!memcmp(all[i]->iterations, a->iterations, d * sizeof a->iterations[0]) &&
            all[i]->iterations[d] > a->iterations[d])
            return false;
    }
    return true;
}

static size_t loops_around_both(const interp_instance *a, const interp_instance *b)
{
    size_t n = 0;
    while (n < a->n_loops && n < b->n_loops &&
           loop_around(a->op, a->n_loops - 1 - n) == loop_around(b->op, b->n_loops - 1 - n))
        n++;
    return n;
}

typedef struct tally {
    size_t runs, ordered, claimed;
} tally;

static void compare(sketch *s, const interp_run *run, uint64_t seed, tally *t)
{
    enum { LIMIT = 160 };
    const interp_instance *all[LIMIT] = {NULL};
    size_t n = instances_of(run, all, LIMIT);
    for (size_t a = 0; a < n; a++) {
        bool last[INTERP_MAX_LOOPS];
        for (size_t d = 0; all[a] && d < all[a]->n_loops; d++)
            last[d] = is_last(all, n, all[a], d);
        for (size_t b = 0; all[a] && b < n; b++) {
            if (!all[b] || a == b)
                continue;
            model_order claim = model_token_order(s->tokens, all[a]->op, all[b]->op);
            bool claimed = model_order_covers(&claim, loops_around_both(all[a], all[b]),
                                              all[a]->iterations, all[b]->iterations, last);
            bool ordered = interp_token_before(run, (uint32_t)a, (uint32_t)b);
            t->claimed += claimed;
            t->ordered += ordered;
            if (claimed && !ordered) {
                tr_text text = {0};
                model_tokens_print(&text, s->tokens);
                ir_print_module(&text, s->module, false);
                fail_msg("seed %llu: #%u is not before #%u\n%s", (unsigned long long)seed,
                         all[a]->op->ordinal, all[b]->op->ordinal, tr_text_get(&text));
            }
        }
    }
}

static void run_program(sketch *s, uint64_t seed, int64_t parameter, tally *t)
{
    interp_buffer buffer = {.name = "x", .bytes = 64};
    interp_arg args[] = {{0, 0}, {parameter, -1}, {1, -1}};
    concrete_launch launch = {{1, 1, 1}, TR_COUNT(args), args, 1, &buffer};
    interp_limits limits = {.steps = 20000, .events = 160};
    model_choices choices = model_default_choices();
    interp_run *run = interp_execute(s->function, &launch, &choices, &limits, NULL);
    if (interp_run_status(run) == INTERP_DONE) {
        t->runs++;
        compare(s, run, seed, t);
    }
    interp_run_free(run);
}

static void test_claims_hold_in_the_interpreter(void **state)
{
    tally t = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        sketch s;
        make_program(&s, seed);
        tr_errors errors = tr_errors_make(s.arena);
        if (!ir_verify(s.module, &errors))
            fail_msg("seed %llu: %s", (unsigned long long)seed, errors.items[0].text);
        tr_errors_free(&errors);
        for (int64_t run = 0; run < RUNS; run++)
            run_program(&s, seed, run, &t);
        sketch_close(&s);
    }
    print_message("%zu runs, %zu ordered, %zu claimed\n", t.runs, t.ordered, t.claimed);
    assert_true(t.runs > PROGRAMS * RUNS / 2);
    assert_true(t.claimed > t.ordered / 10 * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_hold_in_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

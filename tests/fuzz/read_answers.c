/* Fuzz target: what solvers answer. Whatever one prints, and whenever it ends, each question has an
 * answer, and none is believed that was not printed in due form for that question.
 *
 * The first byte chooses:
 *   v  a list of values, as a text: the next byte says how many are asked for
 *   w  values of our choice, one a byte, written as solvers write them, and cut off: after the
 *      second and third byte, the place of the cut
 *   s  questions put to a solver (played_solver.h): the next byte says which
 *   p  the same by the prover, which asks twice and checks models */
#include "played_solver.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/model.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "solver/values.h"
#include "terms/print_smtlib.h"
#include "terms/range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_VALUES = 9, MOST_QUESTIONS = 4, STEPS = 4000 };

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- Section: Lists of values ---- */

static void add_number(tr_text *out, smt_int value)
{
    char digits[48];
    size_t n = sizeof digits;
    unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    do
        digits[--n] = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (value < 0)
        tr_text_add(out, "(- ");
    tr_text_addn(out, digits + n, sizeof digits - n);
    if (value < 0)
        tr_text_add(out, ")");
}

static void read_values(const char *text, size_t n)
{
    smt_int values[MOST_VALUES], again[MOST_VALUES];
    if (!smt_read_values(text, n, values))
        return;
    tr_text written = {0};
    tr_text_add(&written, "(");
    for (size_t i = 0; i < n; i++) {
        tr_text_addf(&written, "(v%zu ", i);
        add_number(&written, values[i]);
        tr_text_add(&written, ")");
    }
    tr_text_add(&written, ")");
    CHECK(smt_read_values(tr_text_get(&written), n, again), "not read: %s\n",
          tr_text_get(&written));
    for (size_t i = 0; i < n; i++)
        CHECK(values[i] == again[i], "another value %zu: %s\n", i, tr_text_get(&written));
    tr_text_free(&written);
}

/* A value of 128 bits or fewer, by two bytes: edges of powers of two. */
static smt_int value_of(uint8_t power, uint8_t beside)
{
    smt_int value = ((smt_int)1 << (power % 127)) - 8 + beside % 16;
    return beside >= 128 ? -value : value;
}

/* They are read as they are, and no text that is cut off is read. */
static void write_values(const uint8_t *data, size_t size)
{
    static const char *const terms[] = {"x", "|a b)|", "(f x |y|)", "(select (g 1) \"()\")"};
    static const char *const blanks[] = {"", " ", "\n  ", "\t\r\n"};
    smt_int expected[MOST_VALUES], values[MOST_VALUES + 1];
    bool fit = true;
    tr_text text = {0};
    size_t n = 0;
    tr_text_add(&text, "(");
    for (size_t at = 2; at + 2 < size && n < MOST_VALUES; at += 3, n++) {
        const char *blank = blanks[data[at] / 4 % TR_COUNT(blanks)];
        expected[n] = value_of(data[at + 1], data[at + 2]);
        fit &= smt_fits(expected[n]);
        tr_text_addf(&text, "%s(%s%s ", blank, terms[data[at] % TR_COUNT(terms)], blank);
        add_number(&text, expected[n]);
        tr_text_addf(&text, "%s)", blank);
    }
    tr_text_add(&text, ")\n");
    CHECK(smt_read_values(tr_text_get(&text), n, values) == fit, "%s: %s",
          fit ? "not read" : "read", tr_text_get(&text));
    for (size_t i = 0; i < n && fit; i++)
        CHECK(values[i] == expected[i], "another value %zu: %s", i, tr_text_get(&text));
    CHECK(!smt_read_values(tr_text_get(&text), n + 1, values), "one more: %s", tr_text_get(&text));
    size_t cut = ((size_t)data[0] << 8 | data[1]) % (text.length - 1);
    text.data[cut] = 0;
    CHECK(!smt_read_values(text.data, n, values), "cut off at %zu: %s", cut, text.data);
    tr_text_free(&text);
}

/* ---- Section: Questions ---- */

typedef struct question {
    smt_t facts[3];
    size_t n;
    bool has_solution, has_none; /* as is known */
} question;

static void make_question(smt_ctx *c, uint8_t which, question *q)
{
    smt_t x = smt_var(c, "x", SMT_NO_LOW, SMT_NO_HIGH), y = smt_var(c, "y", 1, SMT_NO_HIGH);
    smt_t n = smt_var(c, "|odd name", 0, 1000), b = smt_bvar(c, "b");
    smt_t fx = smt_app(c, "f", 1, &x, 0, 100), ffx = smt_app(c, "f", 1, &fx, 0, 100);
    smt_t zero = smt_int_const(c, 0), square = smt_mul(c, x, x);
    switch (which % 6) {
    case 0: /* Pell: the least solution is 1766319049, 226153980 */
        *q = (question){{smt_eq(c, smt_sub(c, square, smt_scale(c, smt_mul(c, y, y), 61)),
                                smt_int_const(c, 1))},
                        1,
                        true,
                        false};
        break;
    case 1: /* x = 7 y + 3 n, n > 5: linear */
        *q = (question){{smt_eq(c, x, smt_add(c, smt_scale(c, y, 7), smt_scale(c, n, 3))),
                         smt_gt(c, n, smt_int_const(c, 5))},
                        2,
                        true,
                        false};
        break;
    case 2: /* f(x) > x, f(f(x)) < f(x), x > 0 */
        *q = (question){{smt_gt(c, fx, x), smt_lt(c, ffx, fx), smt_gt(c, x, zero)}, 3, true, false};
        break;
    case 3: /* a divisor that may be zero */
        *q = (question){{smt_eq(c, smt_div(c, x, n), smt_int_const(c, 2)),
                         smt_eq(c, smt_mod(c, x, y), smt_int_const(c, 1))},
                        2,
                        true,
                        false};
        break;
    case 4: /* cases */
        *q = (question){
            {smt_or(c, smt_lt(c, x, zero), smt_gt(c, n, y)), smt_implies(c, b, smt_eq(c, x, n))},
            2,
            true,
            false};
        break;
    default: /* no square is 3 */
        *q = (question){{smt_eq(c, square, smt_int_const(c, 3)), smt_gt(c, y, x)}, 2, false, true};
    }
}

/* What the solver's own words come to. */
static void check_reply(const played *p, size_t before, const smt_reply *reply)
{
    const played_answer *answer = before < p->n ? &p->answers[before] : NULL;
    const char *text = answer ? tr_text_get(&answer->text) : "";
    bool is_whole = answer && answer->asks_sat && answer->has_marker;
    CHECK((reply->verdict == SMT_UNSAT) == (is_whole && strcmp(text, "unsat\n") == 0),
          "verdict %d of: %s\n", (int)reply->verdict, text);
    CHECK(reply->verdict != SMT_SAT || (is_whole && strcmp(text, "sat\n") == 0),
          "verdict %d of: %s\n", (int)reply->verdict, text);
    CHECK(reply->verdict != SMT_UNKNOWN || (reply->why != SMT_WHY_NONE && reply->text),
          "unknown, and no word why\n");
}

static void ask_solver(smt_ctx *ctx, const question *q, played *p)
{
    tr_arena *arena = tr_arena_new();
    smt_solver *solver = smt_solver_new(arena, "played", 400);
    for (int i = 0; i < MOST_QUESTIONS && p->n + 4 < PLAYED_MOST_ANSWERS; i++) {
        smt_script script = {0};
        size_t before = p->n;
        smt_script_make(&script, q->n, q->facts, true);
        smt_solver_set_form(solver, i % 2 ? SMT_SECOND_FORM : SMT_FIRST_FORM);
        smt_reply reply = smt_solver_ask(solver, &script, i < 2 ? SMT_ASK_ANY : SMT_ASK_LINEAR,
                                         STEPS, smt_budget(ctx));
        check_reply(p, before, &reply);
        CHECK(p->running <= 1, "%d processes\n", p->running);
        smt_script_free(&script);
    }
    smt_solver_free(solver);
    tr_arena_free(arena);
}

static void prove(smt_ctx *ctx, const question *q, played *p)
{
    smt_prover *prover =
        smt_prover_new(ctx, &(smt_options){.solver = "played", .patience_ms = 400});
    for (int i = 0; i < MOST_QUESTIONS && p->n + 16 < PLAYED_MOST_ANSWERS; i++) {
        size_t denied = played_count(p, "unsat\n");
        smt_task task = {.prover = prover,
                         .ctx = ctx,
                         .n_original = q->n,
                         .original = q->facts,
                         .answer = {.verdict = SMT_UNKNOWN},
                         .deadline = smt_steps_taken(ctx) + STEPS};
        smt_goal goal;
        smt_goal_init(&goal, q->n, q->facts);
        bool decided = smt_ask(&task, &goal, STEPS, "played");
        smt_goal_free(&goal);
        const smt_answer *answer = &task.answer;
        CHECK(decided == (answer->verdict != SMT_UNKNOWN && (answer->model || task.leaned)),
              "decided, and no verdict\n");
        for (size_t k = 0; decided && answer->verdict == SMT_SAT && k < q->n; k++) {
            smt_int value = 0;
            CHECK(!q->has_none && smt_model_eval(answer->model, q->facts[k], &value) && value == 1,
                  "a model that is none\n");
        }
        CHECK(!decided || answer->verdict != SMT_UNSAT || played_count(p, "unsat\n") >= denied + 2,
              "proved by less than two answers\n");
    }
    smt_prover_free(prover);
}

static void put_questions(const uint8_t *data, size_t size, bool by_prover)
{
    smt_ctx *ctx = smt_ctx_new();
    tr_budget budget = {0};
    question q;
    played p;
    played_begin(&p, (const char *)data + 1, size - 1);
    smt_set_budget(ctx, &budget);
    make_question(ctx, data[0], &q);
    if (by_prover)
        prove(ctx, &q, &p);
    else
        ask_solver(ctx, &q, &p);
    CHECK(p.running == 0, "%d processes are left\n", p.running);
    played_end(&p);
    smt_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    if (data[0] == 'v') {
        tr_arena *arena = tr_arena_new();
        read_values(tr_arena_strndup(arena, (const char *)data + 2, size - 2),
                    data[1] % (MOST_VALUES + 1));
        tr_arena_free(arena);
    } else if (data[0] == 'w') {
        write_values(data + 1, size - 1);
    } else {
        put_questions(data + 1, size - 1, data[0] == 'p');
    }
    return 0;
}

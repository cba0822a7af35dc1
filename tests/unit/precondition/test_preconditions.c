/* What verdicts ask of a launch: small kernels, each with its verdict and the exact words and class
 * of every precondition. Most stand beside a neighbour that differs in one detail, so that what is
 * asked for is neither too little nor too much, nor a form that the design forbids. And the
 * launches that are shown: a person would write them down. */
#include "../dialect/reading.h"
#include "rules/rules.h"

#include "contract/precondition.h"

typedef struct precondition_case {
    const char *what, *arguments, *facts, *body, *verdict, *required;
} precondition_case;

static const precondition_case cases[] = {
#define CASE(what, arguments, facts, body, verdict, required)                                      \
    {what, arguments, facts, body, verdict, required},
#include "second_check_cases.def"
#include "precondition_cases.def"
};

static const char *const verdicts[] = {[VERDICT_RACE_FREE] = "race-free",
                                       [VERDICT_CONDITIONAL] = "conditional",
                                       [VERDICT_RACE] = "race",
                                       [VERDICT_UNKNOWN] = "unknown"};

/* And the rules of the findings. */
static void describe_verdict(tr_text *out, const kernel_report *report)
{
    tr_text_add(out, verdicts[report->verdict]);
    for (size_t i = 0; i < report->n_findings; i++)
        tr_text_addf(out, " %s", rule_info_of(report->findings[i].rule)->code);
}

/* One line: the class and the words of each, without the axes that are not read. */
static void describe(tr_text *out, const kernel_report *report)
{
    for (size_t i = 0; i < report->n_requires; i++) {
        const struct require *r = &report->requires_[i];
        if (r->what.kind != PRECONDITION_GRID_AXIS)
            tr_text_addf(out, "%s%s: %s", *tr_text_get(out) ? "; " : "",
                         precondition_class_name(r->what.class_), r->text);
    }
}

static reading read_kernel(const char *arguments, const char *facts, const char *body)
{
    tr_text kernel = {0};
    tr_text_addf(&kernel,
                 "tile_kernel void k(%s)\n{\n    %s\n    int b = tile_bid(0);\n    %s\n}\n",
                 arguments, facts, body);
    reading r = read_text(tr_text_get(&kernel));
    tr_text_free(&kernel);
    show_errors(&r);
    assert_true(r.ok);
    contract_settle_ranges(r.ctx, r.unit.contracts[0], NULL);
    return r;
}

static kernel_report *check(reading *r, smt_prover *prover)
{
    rules_options options = {.model = model_default_choices()};
    return rules_check(r->arena, r->ctx, prover, r->unit.kernels[0], r->unit.contracts[0],
                       &options);
}

static const smt_options no_solver = {.solver = ""};

/* Marks all dimensions of each access of a view as in bounds, as other front ends may. */
static void mark_accesses(const reading *r)
{
    static const int64_t all[] = {1, 1, 1};
    for (ir_op *op = ir_first_op(r->unit.kernels[0]); op; op = ir_next_op(op)) {
        const ir_op_info *info = ir_op_info_of(op->code);
        for (unsigned i = 0; i < info->n_attrs; i++)
            if (strcmp(info->attr_names[i], "inbounds") == 0)
                op->attrs[i] =
                    (ir_attr){.kind = IR_ATTR_INTS, .count = TR_COUNT(all), .numbers = all};
    }
}

/* `seen`: the kinds of preconditions that some verdict has had; NULL: it does not matter. */
static bool is_as_stated(const precondition_case *c, void (*change)(const reading *), bool *seen)
{
    tr_text verdict = {0}, required = {0};
    reading r = read_kernel(c->arguments, c->facts, c->body);
    if (change)
        change(&r);
    smt_prover *prover = smt_prover_new(r.ctx, &no_solver);
    kernel_report *report = check(&r, prover);
    describe_verdict(&verdict, report);
    describe(&required, report);
    for (size_t i = 0; i < report->n_requires && seen; i++)
        seen[report->requires_[i].what.kind] = true;
    bool same = strcmp(tr_text_get(&verdict), c->verdict) == 0 &&
                strcmp(tr_text_get(&required), c->required) == 0;
    if (!same)
        print_message("%s: is \"%s\", \"%s\"\n    expected \"%s\", \"%s\"\n", c->what,
                      tr_text_get(&verdict), tr_text_get(&required), c->verdict, c->required);
    tr_text_free(&verdict);
    tr_text_free(&required);
    smt_prover_free(prover);
    reading_free(&r);
    return same;
}

/* Of the launch that is shown: all parameters lie between these two. */
typedef struct shown_case {
    const char *what, *arguments, *facts, *body;
    int64_t least, most;
} shown_case;

static const shown_case shown[] = {
    {"rows longer than their pitch", "float *restrict x, int n, int m", "",
     "for (int c = 0; c < m; c++) x[b * n + c] = 1.0f;", 1, 8},
    {"rows of two parameters", "float *restrict x, int n, int m, int l", "",
     "for (int i = 0; i < m; i++) for (int c = 0; c < l; c++) x[b * n + i * l + c] = 1.0f;", 1, 8},
    {"two strides", "float *restrict x, int n, int m", "",
     "int c = tile_bid(1); x[b * n + c * m] = 1.0f;", 1, 8},
    {"a size beside the race", "float *restrict x, float *y, const int *restrict t, int n, int m",
     "tile_extent(y, m);", "if (t[b] > 0) y[b + 5] = 1.0f; if (n > 1000000) x[b / 2] = 1.0f;", 1,
     1000001},
};

static bool is_modest(const shown_case *c)
{
    reading r = read_kernel(c->arguments, c->facts, c->body);
    smt_prover *prover = smt_prover_new(r.ctx, &no_solver);
    kernel_report *report = check(&r, prover);
    assert_int_equal(report->n_findings, 1);
    const witness *w = report->findings[0].witness;
    assert_non_null(w);
    bool modest = w->n_params > 0;
    for (size_t i = 0; i < w->n_params; i++)
        modest &= w->params[i].value >= c->least && w->params[i].value <= c->most;
    if (!modest)
        print_message("%s: %s\n", c->what, report->findings[0].words);
    smt_prover_free(prover);
    reading_free(&r);
    return modest;
}

static void test_shown_launches(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(shown); i++)
        wrong += !is_modest(&shown[i]);
    assert_int_equal(wrong, 0);
}

static void test_cases(void **state)
{
    (void)state;
    size_t wrong = 0;
    bool seen[PRECONDITION_COUNT] = {false};
    for (size_t i = 0; i < TR_COUNT(cases); i++)
        wrong += !is_as_stated(&cases[i], NULL, seen);
    for (int kind = 0; kind < PRECONDITION_COUNT; kind++)
        if (!seen[kind]) {
            print_message("no case of precondition_cases.def has a precondition of the kind '%s'\n",
                          precondition_name((precondition_kind)kind));
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

/* Sets of arguments are words of 64 bits: the last one that they hold is as good as the first. */
static void test_last_of_64(void **state)
{
    (void)state;
    enum { BEFORE = 62 };
    tr_text arguments = {0};
    tr_text_add(&arguments, "float *restrict x");
    for (int i = 0; i < BEFORE; i++)
        tr_text_addf(&arguments, ", int p%d", i);
    tr_text_add(&arguments, ", const int *restrict t");
    const char *own = tr_text_get(&arguments), *body = "x[t[b]] = 1.0f;";
    const precondition_case few = {"the last of 64 arguments has too few values",
                                   own,
                                   "tile_grid(8); tile_contents(t, 0, 6);",
                                   body,
                                   "race TR001",
                                   ""};
    const precondition_case enough = {"the last of 64 arguments has just enough values",
                                      own,
                                      "tile_grid(8); tile_contents(t, 0, 7);",
                                      body,
                                      "conditional TR001",
                                      "race: no two elements of 't' are equal"};
    assert_true(is_as_stated(&few, NULL, NULL));
    assert_true(is_as_stated(&enough, NULL, NULL));
    tr_text_free(&arguments);
}

/* ---- Section: tiles that are marked as in bounds ---- */

static const precondition_case marked[] = {
#define CASE(what, arguments, facts, body, verdict, required)                                      \
    {what, arguments, facts, body, verdict, required},
#include "marked_cases.def"
};

static void test_marked_tiles(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(marked); i++)
        wrong += !is_as_stated(&marked[i], mark_accesses, NULL);
    assert_int_equal(wrong, 0);
}

/* ---- Section: contents of which one bound alone is stated ---- */

static void leave_out_greatest(const reading *r)
{
    const contract *c = r->unit.contracts[0];
    for (size_t i = 0; i < c->n_args; i++)
        c->args[i].contents.max = NULL;
}

static void leave_out_least(const reading *r)
{
    const contract *c = r->unit.contracts[0];
    for (size_t i = 0; i < c->n_args; i++)
        c->args[i].contents.min = NULL;
}

/* The flag of 'g' is left set, so that the next launch races: it is shown with words in 'c' that
 * meet the bound. */
#define BESIDE_A_FLAG(stated)                                                                      \
    "int *restrict x, int *restrict y, int *restrict c, int *restrict g",                          \
        "tile_grid(4); tile_contents(c, " stated ");",                                             \
        "if (b == 0) { x[0] = 1; tile_store_ptr_at(tile_pointers(c, 1), 7, TILE_RELEASE, "         \
        "TILE_DEVICE); tile_store_ptr_at(tile_pointers(g, 0), 1, TILE_RELEASE, TILE_DEVICE); } "   \
        "else { while (tile_to_int(tile_load_ptr_at(tile_pointers(g, 0), TILE_ACQUIRE, "           \
        "TILE_DEVICE)) == 0) ; y[b] = x[0] + tile_to_int(tile_load_ptr_at(tile_pointers(c, 0), "   \
        "TILE_ACQUIRE, TILE_DEVICE)); }",                                                          \
        "conditional TR002",                                                                       \
        "race: every element of 'g' is 0 at launch, also at the next one: the kernel leaves "      \
        "other values behind"

static void test_half_stated(void **state)
{
    (void)state;
    const precondition_case least = {"a least value beside a flag", BESIDE_A_FLAG("5, 100")};
    const precondition_case greatest = {"a greatest value beside a flag", BESIDE_A_FLAG("-9, -5")};
    assert_true(is_as_stated(&least, leave_out_greatest, NULL));
    assert_true(is_as_stated(&greatest, leave_out_least, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_last_of_64),
        cmocka_unit_test(test_shown_launches), cmocka_unit_test(test_marked_tiles),
        cmocka_unit_test(test_half_stated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

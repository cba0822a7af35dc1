/* Preconditions are printed from their data alone, and what is printed is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/ds.h"
#include "contract/launch_file.h"
#include "contract/launch_writer.h"

enum { N_PARAMS = 4 };

static const launch_param params[N_PARAMS] = {
    {.name = "row",
     .kind = CONTRACT_POINTER,
     .element = LAUNCH_ELEMENT_INTEGER,
     .element_bytes = 4},
    {.name = "len",
     .kind = CONTRACT_POINTER,
     .element = LAUNCH_ELEMENT_INTEGER,
     .element_bytes = 4},
    {.name = "n", .kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true},
    {.name = "K", .kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true},
};
static const launch_kernel kernel = {"k", "k", true, N_PARAMS, params};

typedef struct fixture {
    smt_ctx *ctx;
    contract *c;
    smt_t n, k, grid;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f.ctx = smt_ctx_new();
    f.c = launch_default_contract(f.ctx, &kernel);
    contract_settle_ranges(f.ctx, f.c, NULL);
    f.n = contract_param(f.ctx, f.c, 2);
    f.k = contract_param(f.ctx, f.c, 3);
    f.grid = contract_grid(f.ctx, 0);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    contract_free(f->c);
    smt_ctx_free(f->ctx);
    return 0;
}

static void expect(fixture *f, const precondition *p, const char *text, const char *term,
                   const char *fragment)
{
    assert_string_equal(precondition_text(f->ctx, f->c, p), text);
    const char *shown = precondition_term(f->ctx, f->c, p);
    assert_int_equal(shown == NULL, term == NULL);
    if (term)
        assert_string_equal(shown, term);
    shown = precondition_fragment(f->ctx, f->c, p);
    assert_int_equal(shown == NULL, fragment == NULL);
    if (fragment)
        assert_string_equal(shown, fragment);
}

static void test_terms(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_term(PRECONDITION_GRID_BOUND, smt_le(f->ctx, f->grid, f->k));
    assert_int_equal(p.class_, PRECONDITION_CLASS_RACE);
    expect(f, &p, "grid.x <= K", "grid.x <= K", "{\"assume\":[\"grid.x <= K\"]}");
    p.unspeakable = true;
    expect(f, &p, "grid.x <= K", "grid.x <= K", NULL);
}

static void test_contents(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, 0);
    p.contents.unique = true;
    expect(f, &p, "no two elements of 'row' are equal", NULL,
           "{\"contents\":[{\"buffer\":\"row\",\"unique\":true}]}");
    p.contents.unique_when = smt_lt(f->ctx, contract_value(f->ctx), f->n);
    expect(f, &p, "no two elements of 'row' are equal, among those with value < n", NULL,
           "{\"contents\":[{\"buffer\":\"row\",\"unique\":\"value < n\"}]}");
    size_t both[] = {0, 1};
    p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, 0);
    p.contents.unique = true;
    p.n_args = 2;
    p.args = both;
    expect(f, &p, "no two indices have equal elements in 'row' and 'len' together", NULL,
           "{\"contents\":[{\"buffer\":\"row\",\"unique\":true,\"unique_with\":[\"len\"]}]}");
    p = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, 0);
    p.contents.min = smt_int_const(f->ctx, 0);
    p.contents.max = smt_sub(f->ctx, f->n, smt_int_const(f->ctx, 1));
    expect(f, &p, "every element of 'row' is at least 0 and below n", "value >= 0 && value < n",
           "{\"contents\":[{\"buffer\":\"row\",\"min\":0,\"max\":\"n - 1\"}]}");
    p = precondition_of_contents(PRECONDITION_INCREASING_CONTENTS, 0);
    p.contents.increasing = true;
    expect(f, &p, "the elements of 'row' do not decrease", NULL,
           "{\"contents\":[{\"buffer\":\"row\",\"increasing\":true}]}");
    p = precondition_of_contents(PRECONDITION_PREFIX_SUM, 0);
    p.contents.prefix_sum_of = 1;
    expect(f, &p, "'row' holds the exclusive prefix sum of 'len'", NULL,
           "{\"contents\":[{\"buffer\":\"row\",\"prefix_sum_of\":\"len\"}]}");
}

static void test_buffers(void **state)
{
    fixture *f = *state;
    size_t both[] = {0, 1};
    precondition p = precondition_of(PRECONDITION_DISTINCT_BUFFERS);
    p.n_args = 2;
    p.args = both;
    expect(f, &p, "'row' and 'len' do not overlap", NULL,
           "{\"args\":[{\"name\":\"row\",\"buffer\":\"row\"},{\"name\":\"len\",\"buffer\":"
           "\"len\"}]}");
    p = precondition_of(PRECONDITION_IN_BOUNDS);
    p.subject = (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = 1};
    p.elements = smt_scale(f->ctx, f->n, 64);
    expect(f, &p, "'len' holds at least n * 64 elements", NULL,
           "{\"args\":[{\"name\":\"len\",\"elements\":\"n * 64\"}]}");
}

static void test_words(void **state)
{
    fixture *f = *state;
    precondition p = precondition_of(PRECONDITION_NO_WRAP);
    p.words = "the index stays in the range of its type";
    expect(f, &p, p.words, NULL, NULL);
}

static void test_subjects(void **state)
{
    fixture *f = *state;
    const char *name, *part;
    precondition p = precondition_of_term(PRECONDITION_STRIDE_RELATION, smt_le(f->ctx, f->n, f->k));
    precondition_subject subject = precondition_subject_of(f->ctx, f->c, &p);
    assert_int_equal(subject.kind, PRECONDITION_OF_ARG);
    precondition_subject_print(f->ctx, f->c, subject, &name, &part);
    assert_string_equal(name, "n");
    assert_null(part);
    p.term = smt_le(f->ctx, f->grid, f->n);
    subject = precondition_subject_of(f->ctx, f->c, &p);
    assert_int_equal(subject.kind, PRECONDITION_OF_GRID);
}

static void test_same(void **state)
{
    fixture *f = *state;
    precondition a = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, 0), b = a;
    a.contents.unique = b.contents.unique = true;
    b.reason = "another one";
    b.class_ = PRECONDITION_CLASS_LAUNCH;
    assert_true(precondition_same(&a, &b));
    b.subject.arg = 1;
    assert_false(precondition_same(&a, &b));
    b = a;
    b.contents.unique_when = smt_lt(f->ctx, contract_value(f->ctx), f->n);
    assert_false(precondition_same(&a, &b));
    b = precondition_of_term(a.kind, smt_le(f->ctx, f->n, f->k));
    assert_false(precondition_same(&a, &b));
}

static void test_brief(void **state)
{
    fixture *f = *state;
    smt_t sum = f->n;
    for (int i = 2; i < 40; i++)
        sum = smt_or(f->ctx, smt_eq(f->ctx, f->n, smt_int_const(f->ctx, i)),
                     i == 2 ? smt_bool_const(f->ctx, false) : sum);
    precondition p = precondition_of_term(PRECONDITION_STRIDE_RELATION, sum);
    assert_true(strlen(precondition_text(f->ctx, f->c, &p)) > 160);
    const char *brief = precondition_brief(f->ctx, f->c, &p);
    assert_true(strlen(brief) < 160);
    assert_non_null(strstr(brief, "a condition of n ("));
    assert_non_null(strstr(brief, "--verbose"));
}

/* What the writer writes, the reader reads, and nothing is left to say. */
static void test_written_and_read(void **state)
{
    fixture *f = *state;
    launch_writer *w = launch_writer_new(f->ctx);
    launch_writer_add(w, f->c, "k", NULL, NULL);
    precondition bound =
        precondition_of_term(PRECONDITION_GRID_BOUND, smt_le(f->ctx, f->grid, f->k));
    precondition unique = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, 0);
    unique.contents.unique = true;
    precondition words = precondition_of(PRECONDITION_NO_WRAP);
    words.words = "nothing wraps";
    assert_true(launch_writer_require(w, &bound));
    assert_true(launch_writer_require(w, &unique));
    assert_false(launch_writer_require(w, &words));
    const char *text = launch_writer_text(w);
    launch_writer_free(w);
    tr_errors errors = tr_errors_make(smt_arena(f->ctx));
    launch_file *file =
        launch_file_parse(smt_arena(f->ctx), "written.json", text, strlen(text), &errors);
    assert_non_null(file);
    contract *read = launch_file_contract(f->ctx, file, &kernel, NULL, 0, &errors);
    assert_non_null(read);
    assert_true(read->args[0].contents.unique);
    assert_int_equal(arrlenu(read->facts), 1);
    contract_free(read);
    launch_file_free(file);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < PRECONDITION_COUNT; i++) {
        precondition_kind found;
        assert_true(precondition_by_name(precondition_name((precondition_kind)i), &found));
        assert_int_equal(found, i);
        assert_true(strlen(precondition_summary((precondition_kind)i)) > 10);
        assert_true(strlen(precondition_help((precondition_kind)i)) > 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),    cmocka_unit_test(test_contents),
        cmocka_unit_test(test_buffers),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_subjects), cmocka_unit_test(test_same),
        cmocka_unit_test(test_brief),    cmocka_unit_test(test_written_and_read),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

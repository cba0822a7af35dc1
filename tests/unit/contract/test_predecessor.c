/* What a launch contract says of launches that may still run: what it means, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "launch_kit.h"

static const launch_param params[] = {
    {"src", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT, .element_bytes = 4},
    {"dst", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT, .element_bytes = 4},
    {"B", CONTRACT_SCALAR, 32, true},
};
static const launch_kernel kernel = {"kernel", "kernel", true, TR_COUNT(params), params};

static int set_up(void **state)
{
    static fixture f;
    fixture_begin(&f);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_end(*state);
    return 0;
}

static contract *read(fixture *f, const char *text)
{
    return fixture_read(f, &kernel, text);
}

static void assert_refused(fixture *f, int version, const char *launch, const char *part)
{
    assert_null(
        read(f, tr_arena_printf(f->arena, "{'version': %d, 'launches': [%s]}", version, launch)));
    const char *said = tr_errors_count(&f->errors) ? f->errors.items[0].text : "no error";
    if (!strstr(said, part))
        fail_msg("%s: %s", launch, said);
}

static void test_buffers_by_name(void **state)
{
    fixture *f = *state;
    contract *c = read(f, "{'version': 1, 'launches': [{'pdl': true, 'predecessor': "
                          "{'writes': ['dst'], 'reads': ['src']}}]}");
    assert_non_null(c);
    assert_true(c->pdl);
    assert_int_equal(c->predecessor.n_writes, 1);
    assert_string_equal(c->predecessor.writes[0], "dst");
    assert_int_equal(c->predecessor.n_reads, 1);
    assert_string_equal(c->predecessor.reads[0], "src");
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    assert_refused(f, 1, "{'predecessor': {'writes': ['src']}}", "only where `pdl` is true");
    assert_refused(f, 1, "{'pdl': true, 'predecessor': {'writes': ['src', 'x']}}",
                   "launches[0].predecessor.writes[1]: no argument's buffer is called `x`");
    assert_refused(f, 1, "{'pdl': true, 'predecessor': {'write': ['src']}}",
                   "did you mean `writes`");
}

/* With version 2 bytes of buffers, also of buffers that the launch does not have, and lists without
 * an entry say that nothing is touched. */
static void test_bytes_that_the_predecessor_touches(void **state)
{
    fixture *f = *state;
    contract *c =
        read(f, "{'version': 2, 'launches': [{'pdl': true, 'predecessor': {'writes': ['dst',"
                " {'buffer': 'src', 'byte_offset': 8, 'bytes': '4 * 3', 'by': 'the launch',"
                "  'bound': true}, {'buffer': 'elsewhere'}],"
                " 'reads': [{'buffer': 'src', 'byte_offset': 1, 'unwaited': true}]}}]}");
    assert_non_null(c);
    const contract_predecessor *p = &c->predecessor;
    assert_true(p->is_stated && c->pdl);
    assert_int_equal(p->n_writes, 1);
    assert_string_equal(p->writes[0], "dst");
    assert_int_equal(p->n_reads, 0);
    assert_int_equal(p->n_touched, 3);
    assert_string_equal(p->touched[0].buffer, "src");
    assert_true(p->touched[0].writes && p->touched[0].is_bound && !p->touched[0].is_unwaited);
    assert_true(p->touched[0].from == 8 && p->touched[0].to == 20);
    assert_string_equal(p->touched[0].by, "the launch");
    assert_string_equal(p->touched[1].buffer, "elsewhere");
    assert_true(p->touched[1].from == 0 && p->touched[1].to >= (smt_int)1 << 60);
    assert_true(!p->touched[2].writes && p->touched[2].is_unwaited && !p->touched[2].is_bound);
    assert_true(p->touched[2].from == 1);

    c = read(f, "{'version': 2, 'launches': [{'pdl': true, 'predecessor': {}}]}");
    assert_true(c && c->predecessor.is_stated && c->predecessor.n_touched == 0);
    c = read(f, "{'version': 1, 'launches': [{'pdl': true, 'predecessor': {}}]}");
    assert_true(c && !c->predecessor.is_stated);
    c = read(f, "{'version': 2, 'launches': [{'pdl': true}]}");
    assert_true(c && !c->predecessor.is_stated);
}

static void test_bad_bytes_of_the_predecessor(void **state)
{
    static const struct {
        int version;
        const char *list, *part;
    } table[] = {
        {1, "{'buffer': 'src'}", "predecessor.reads[0]: this must be a string"},
        {2, "3", "predecessor.reads[0]: this must be a string or an object"},
        {2, "{'bytes': 4}", "`buffer` is missing"},
        {2, "{'buffer': 4}", "reads[0].buffer: this must be a string"},
        {2, "{'buffer': 'src', 'bytes': -1}", "reads[0].bytes: this is no number of bytes"},
        {2, "{'buffer': 'src', 'byte_offset': 'B'}", "reads[0].byte_offset"},
        {2, "{'buffer': 'src', 'wait': true}", "unknown key"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(table); i++)
        assert_refused(f, table[i].version,
                       tr_arena_printf(f->arena, "{'pdl': true, 'predecessor': {'reads': [%s]}}",
                                       table[i].list),
                       table[i].part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_buffers_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes_that_the_predecessor_touches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_bytes_of_the_predecessor, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launch-contract files: what they mean, what is refused, how they join the source's contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/ds.h"
#include "launch_kit.h"

static const launch_param permute_params[] = {
    {"src", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT, .element_type = "f32",
     .element_bytes = 4},
    {"dst", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT, .element_bytes = 4},
    {"B", CONTRACT_SCALAR, 32, true},
    {"H", CONTRACT_SCALAR, 32, true},
    {"M", CONTRACT_SCALAR, 32, true},
    {"index", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_INTEGER, .element_bytes = 4},
    {"alpha", CONTRACT_FLOAT},
};

static launch_param unnamed_params[TR_COUNT(permute_params)];

/* Two arrays, a scalar between them, as a signature groups them; nobody names them. */
static const launch_param grouped_params[] = {
    {.kind = CONTRACT_POINTER, .member = {CONTRACT_ARRAY_START, 0, 0}},
    {.kind = CONTRACT_SCALAR,
     .bits = 32,
     .is_signed = true,
     .member = {CONTRACT_ARRAY_EXTENT, 0, 0}},
    {.kind = CONTRACT_SCALAR,
     .bits = 32,
     .is_signed = true,
     .member = {CONTRACT_ARRAY_STRIDE, 0, 0}},
    {.kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true},
    {.kind = CONTRACT_POINTER, .member = {CONTRACT_ARRAY_START, 4, 0}},
    {.kind = CONTRACT_SCALAR,
     .bits = 32,
     .is_signed = true,
     .member = {CONTRACT_ARRAY_EXTENT, 4, 0}},
    {.kind = CONTRACT_SCALAR,
     .bits = 32,
     .is_signed = true,
     .member = {CONTRACT_ARRAY_STRIDE, 4, 0}},
};

static const launch_kernel kernels[] = {
    {"permute", "ops::permute(float const*, float*)", true, TR_COUNT(permute_params),
     permute_params},
    {"permute", "permute", true, TR_COUNT(permute_params), unnamed_params},
    {"scale", "scale", true, TR_COUNT(grouped_params), grouped_params},
};

enum { NAMED, UNNAMED, GROUPED };

static int set_up(void **state)
{
    static fixture f;
    fixture_begin(&f);
    memcpy(unnamed_params, permute_params, sizeof permute_params);
    for (size_t i = 0; i < TR_COUNT(unnamed_params); i++)
        unnamed_params[i].name = NULL;
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_end(*state);
    return 0;
}

static contract *read(fixture *f, int kernel, const char *text)
{
    return fixture_read(f, &kernels[kernel], text);
}

static contract *read_launch(fixture *f, int kernel, const char *launch)
{
    return read(f, kernel, tr_arena_printf(f->arena, "{'version': 1, 'launches': [%s]}", launch));
}

static contract *expect_launch(fixture *f, int kernel, const char *launch)
{
    contract *c = read_launch(f, kernel, launch);
    if (!c)
        fail_msg("%s", tr_errors_count(&f->errors) ? f->errors.items[0].text : "no error");
    return c;
}

static void assert_range(fixture *f, size_t i, int64_t low, int64_t high)
{
    smt_int l, h;
    smt_bounds(contract_param(f->ctx, f->c, i), &l, &h);
    assert_int_equal((int64_t)l, low);
    assert_int_equal((int64_t)h, high);
}

static const char *c_text(fixture *f, smt_t term)
{
    tr_text text = {0};
    smt_print_c(&text, term);
    const char *copy = tr_arena_strdup(f->arena, tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

static void test_every_field(void **state)
{
    fixture *f = *state;
    contract *c = expect_launch(
        f, NAMED,
        "{'kernel': 'permute', 'grid': ['B * H', 3], 'args': ["
        "  {'name': 'src', 'buffer': 'shared', 'bytes': 'B * H * 4', 'offset': 16,"
        "   'dtype': 'f32', 'fill': {'kind': 'random', 'seed': 7}},"
        "  {'name': 'dst', 'buffer': 'shared', 'elements': 'B * H', 'covered': 'once',"
        "   'reference': 'expected.bin', 'tolerance': 1e-3},"
        "  {'name': 'B', 'min': 1, 'max': 'H'}, {'name': 'H', 'max': 128},"
        "  {'name': 'M', 'value': 1024, 'multiple_of': 64},"
        "  {'name': 'index', 'covered': 'all'}, {'name': 'alpha', 'value': 0.5}],"
        " 'assume': ['M % 64 == 0', 'B * H <= 4096'],"
        " 'contents': [{'buffer': 'index', 'unique': 'value < M', 'increasing': true,"
        "               'min': 0, 'max': 'M - 1 + index'}],"
        " 'pdl': true, 'predecessor': {'writes': ['shared'], 'reads': ['index']},"
        " 'peers': 'sys'}");
    assert_int_equal(c->source, CONTRACT_FILE);
    assert_true(contract_settle_ranges(f->ctx, c, &f->errors));
    assert_string_equal(c->args[0].buffer, "shared");
    assert_string_equal(c->args[1].buffer, "shared");
    assert_true(c->args[0].buffer_stated);
    assert_string_equal(c->args[5].buffer, "index");
    assert_false(c->args[5].buffer_stated);
    assert_ptr_equal(c->args[0].elements, c->args[1].elements); /* bytes / 4 */
    assert_ptr_equal(c->args[0].offset, smt_int_const(f->ctx, 16));
    assert_null(c->args[1].offset);
    assert_int_equal(c->args[0].covered, CONTRACT_NOT_COVERED);
    assert_int_equal(c->args[1].covered, CONTRACT_COVERED_ONCE);
    assert_int_equal(c->args[5].covered, CONTRACT_COVERED_ALL);
    assert_range(f, 2, 1, 128);
    assert_range(f, 3, 1, 128);
    assert_range(f, 4, 1024, 1024);
    assert_ptr_equal(c->grid[0],
                     smt_mul(f->ctx, contract_param(f->ctx, c, 2), contract_param(f->ctx, c, 3)));
    assert_ptr_equal(c->grid[1], smt_int_const(f->ctx, 3));
    assert_ptr_equal(c->grid[2], smt_int_const(f->ctx, 1));
    const contract_contents *contents = &c->args[5].contents;
    assert_true(contents->unique);
    assert_true(smt_contains(contents->unique_when, contract_value(f->ctx)));
    assert_true(contents->increasing);
    assert_ptr_equal(contents->min, smt_int_const(f->ctx, 0));
    assert_true(smt_contains(contents->max, contract_index(f->ctx)));
    assert_int_equal(contents->prefix_sum_of, -1);
    assert_true(c->pdl);
    assert_int_equal(c->predecessor.n_writes, 1);
    assert_string_equal(c->predecessor.reads[0], "index");
    assert_int_equal(c->peers, CONTRACT_PEERS_SYS);
    const char *texts[] = {"B >= 1", "B <= H", "H <= 128", "M == 1024", "M % 64 == 0"};
    for (size_t i = 0; i < TR_COUNT(texts); i++)
        assert_string_equal(c->facts[i].text, texts[i]);
}

static void test_nothing_stated(void **state)
{
    fixture *f = *state;
    contract *c = expect_launch(f, UNNAMED, "{}");
    assert_string_equal(c->args[0].name, "arg0");
    assert_string_equal(c->args[6].name, "arg6");
    assert_string_equal(c->args[1].buffer, "arg1");
    assert_null(c->grid[0]);
    assert_int_equal(arrlen(c->facts), 0);
    assert_int_equal(c->args[0].contents.prefix_sum_of, -1);
    contract *plain = launch_default_contract(f->ctx, &kernels[NAMED]);
    assert_int_equal(plain->source, CONTRACT_NONE);
    assert_string_equal(plain->args[1].buffer, "dst");
    contract_free(plain);
}

static void test_arguments_by_position_and_by_name(void **state)
{
    fixture *f = *state;
    contract *c = expect_launch(f, NAMED, "{'args': [{'name': 'M', 'min': 3}]}");
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_range(f, 4, 3, INT32_MAX);
    c = expect_launch(f, UNNAMED,
                      "{'args': [{'name': 'x'}, {}, {'name': 'n', 'min': 2}, {}, {}, {}, {}],"
                      " 'assume': ['n < arg3', 'arg3 < 10']}");
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_string_equal(c->args[0].buffer, "x");
    assert_range(f, 2, 2, 8);
    assert_string_equal(contract_param(f->ctx, c, 2)->name, "n");
}

static void assert_names(const contract *c, const char *const *names)
{
    for (size_t i = 0; i < c->n_args; i++)
        assert_string_equal(c->args[i].name, names[i]);
}

static void test_made_up_names_yield(void **state)
{
    static const char *const made_up[] = {"a0", "a0_shape0", "a0_stride0", "arg3",
                                          "a1", "a1_shape0", "a1_stride0"};
    static const char *const given[] = {"src", "n",          "src_stride0", "scale",
                                        "dst", "dst_shape0", "dst_stride0"};
    fixture *f = *state;
    assert_names(expect_launch(f, GROUPED, "{}"), made_up);
    contract *c = expect_launch(f, GROUPED,
                                "{'args': [{'name': 'src'}, {'name': 'n', 'min': 3}, {}, "
                                "{'name': 'scale'}, {'name': 'dst'}, {}, {}], "
                                "'assume': ['dst_shape0 == n', 'src_stride0 == 1']}");
    assert_names(c, given);
    assert_string_equal(c->args[4].buffer, "dst");
    /* What forms an array does not depend on names. */
    assert_int_equal(contract_array_part(c, 0, CONTRACT_ARRAY_EXTENT, 0), 1);
    assert_int_equal(contract_array_part(c, 4, CONTRACT_ARRAY_STRIDE, 0), 6);
    assert_int_equal(contract_array_part(c, 4, CONTRACT_ARRAY_STRIDE, 1), c->n_args);
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_range(f, 1, 3, INT32_MAX);
    assert_range(f, 5, 3, INT32_MAX);
}

/* A parameter may be called by what it is of an argument of the host's language. */
static void test_names_of_parts(void **state)
{
    static const char *const given[] = {"q",    "q.shape[0]",  "q.stride[0]", "pair[1].scale",
                                        "list", "list[0][12]", "a_1.b"};
    fixture *f = *state;
    const char *launch =
        "{'args': [{'name': 'q'}, {'name': 'q.shape[0]', 'min': 3}, "
        "{'name': 'q.stride[0]'}, {'name': 'pair[1].scale'}, {'name': 'list'}, "
        "{'name': 'list[0][12]'}, {'name': 'a_1.b'}], "
        "'assume': ['list[0][12]>=q.shape[0]', '2*a_1.b == q.stride[0] + grid.x']}";
    contract *c =
        read(f, GROUPED, tr_arena_printf(f->arena, "{'version': 2, 'launches': [%s]}", launch));
    assert_non_null(c);
    assert_names(c, given);
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_range(f, 1, 3, INT32_MAX);
    assert_range(f, 5, 3, INT32_MAX);
    read_launch(f, GROUPED, launch);
    assert_non_null(
        strstr(f->errors.items[0].text, "launches[0].args[1].name: `q.shape[0]` is not a name"));
    static const char *const wrong[] = {"q.", "q[",   "q[]", "q[x]",  "q[1",    "q.[1]", "1q",
                                        ".q", "q..r", "q.1", "q [1]", "grid.x", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        read(f, GROUPED,
             tr_arena_printf(f->arena,
                             "{'version': 2, 'launches': [{'args': [{'name': '%s'}, {}, {}, {}, "
                             "{}, {}, {}]}]}",
                             wrong[i]));
        assert_non_null(strstr(f->errors.items[0].text, "is not a name that expressions can use"));
    }
}

/* With `parameters` no name can be taken for one that was made up. */
static void test_names_of_parameters(void **state)
{
    static const char *const given[] = {"a1", "arg3", "a0_shape0", "alpha", "a0", "y", "x"};
    static const char *const format =
        "{'version': %d, 'launches': [{'parameters': [%s], 'args': [%s]}]}";
    static const char names[] = "'a1', 'arg3', 'a0_shape0', 'alpha', 'a0', 'y', 'x'";
    fixture *f = *state;
    contract *c = read(f, GROUPED,
                       tr_arena_printf(f->arena, format, 2, names,
                                       "{'name': 'arg3', 'min': 3}, {'name': 'a0', "
                                       "'elements': 'arg3'}"));
    assert_non_null(c);
    assert_names(c, given);
    assert_string_equal(c->args[0].buffer, "a1");
    assert_non_null(c->args[4].elements);
    assert_null(c->args[0].elements);
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_range(f, 1, 3, INT32_MAX);
    static const struct {
        int kernel, version;
        const char *names, *args, *part;
    } table[] = {
        {GROUPED, 1, names, "", "launches[0].parameters: this key is of version 2"},
        {GROUPED, 2, "'a', 'b'", "", "parameters: the kernel has 7 parameters, not 2"},
        {GROUPED, 2, "'a', 'b', 'c', 'd', 'b', 'f', 'g'", "",
         "parameters[4]: two parameters are called `b`"},
        {GROUPED, 2, "'a', 'b', 'c', '1', 'e', 'f', 'g'", "", "parameters[3]: `1` is not a name"},
        {GROUPED, 2, names, "{'name': 'q'}, {}, {}, {}, {}, {}, {}",
         "args[0].name: the kernel calls parameter 0 `a1`"},
        {NAMED, 2, "'a', 'b', 'c', 'd', 'e', 'f', 'g'", "",
         "parameters[0]: the kernel calls this parameter `src`"},
    };
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        assert_null(read(
            f, table[i].kernel,
            tr_arena_printf(f->arena, format, table[i].version, table[i].names, table[i].args)));
        if (!strstr(f->errors.items[0].text, table[i].part))
            fail_msg("%s: %s", table[i].names, f->errors.items[0].text);
    }
}

/* Facts that nobody has confirmed are read, and used in nothing. */
static void test_observed_facts(void **state)
{
    fixture *f = *state;
    const char *format = "{'version': %d, 'launches': [{'%s': ['B == 3', 'H >= B']}]}";
    contract *c = read(f, NAMED, tr_arena_printf(f->arena, format, 2, "observed"));
    assert_non_null(c);
    assert_int_equal(c->n_observed, 2);
    assert_string_equal(c->observed[1], "H >= B");
    assert_int_equal(arrlen(c->facts), 0);
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_true(contract_is_silent(c));
    assert_range(f, 2, INT32_MIN, INT32_MAX);
    assert_null(read(f, NAMED, tr_arena_printf(f->arena, format, 1, "observed")));
    assert_null(read(f, NAMED, "{'version': 2, 'launches': [{'observed': ['B ==']}]}"));
    assert_non_null(strstr(f->errors.items[0].text, "launches[0].observed[0]: `B ==`"));
    assert_null(read(f, NAMED, "{'version': 2, 'launches': [{'observed': ['B']}]}"));
    assert_non_null(strstr(f->errors.items[0].text, "a condition is needed"));
}

/* `spans` gives an extent as `elements` does, but states nothing of the sizes in it. */
static void test_spans(void **state)
{
    fixture *f = *state;
    const char *format = "{'version': %d, 'launches': [{'args': [{'name': 'src', '%s': '(B - 1) * "
                         "H + 1'%s}]}]}";
    for (int spans = 0; spans < 2; spans++) {
        const char *key = spans ? "spans" : "elements";
        contract *c = read(f, NAMED, tr_arena_printf(f->arena, format, 2, key, ""));
        assert_non_null(c);
        assert_true(contract_settle_ranges(f->ctx, c, NULL));
        smt_t rows = smt_sub(f->ctx, contract_param(f->ctx, c, 2), smt_int_const(f->ctx, 1));
        smt_t reach = smt_mul(f->ctx, rows, contract_param(f->ctx, c, 3));
        smt_t elements = smt_add(f->ctx, reach, smt_int_const(f->ctx, 1));
        assert_true(c->args[0].elements == elements);
        assert_true(contract_stated_elements(&c->args[0]) == (spans ? NULL : elements));
        assert_int_equal(c->args[2].constrained, !spans);
        assert_int_equal(c->args[3].constrained, !spans);
        assert_int_equal(contract_is_silent(c), spans);
    }
    assert_null(read(f, NAMED, tr_arena_printf(f->arena, format, 1, "spans", "")));
    assert_null(read(f, NAMED, tr_arena_printf(f->arena, format, 2, "spans", ", 'elements': 3")));
    assert_non_null(strstr(f->errors.items[0].text, "give `spans` alone"));
    assert_null(read(f, NAMED, tr_arena_printf(f->arena, format, 2, "spans", ", 'bytes': 3")));
}

/* Names, what arrays span and what was observed are no statements on sizes or contents. */
static void test_silent_contracts(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *launch;
        bool silent;
    } table[] = {
        {"{}", true},
        {"{'args': [{'name': 'src', 'buffer': 'one'}]}", true},
        {"{'args': [{'name': 'dst', 'covered': 'once'}]}", true},
        {"{'args': [{'name': 'B', 'min': 1}]}", false},
        {"{'args': [{'name': 'B', 'multiple_of': 2}]}", false},
        {"{'args': [{'name': 'src', 'elements': 64}]}", false},
        {"{'assume': ['B <= H']}", false},
        {"{'grid': ['B', 1, 1]}", false},
    };
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        contract *c = expect_launch(f, NAMED, table[i].launch);
        assert_true(contract_settle_ranges(f->ctx, c, NULL));
        assert_int_equal(contract_is_silent(c), table[i].silent);
    }
}

static void test_made_up_names_are_names(void **state)
{
    fixture *f = *state;
    contract *c = expect_launch(
        f, GROUPED, "{'args': [{'name': 'a1_shape0', 'max': 9}, {'name': 'arg3', 'min': 2}]}");
    assert_true(contract_settle_ranges(f->ctx, c, NULL));
    assert_range(f, 5, 0, 9);
    assert_range(f, 3, 2, INT32_MAX);
    static const struct {
        const char *launch, *part;
    } table[] = {
        {"{'args': [{'name': 'a1_shape0'}, {'name': 'a1_shpe0'}]}",
         "launches[0].args[1].name: no parameter is called `a1_shpe0`; did you mean `a1_shape0`?"},
        {"{'args': [{'name': 'dst'}]}", "launches[0].args: the kernel has 7 parameters, not 1"},
        {"{'args': [{'name': 'a1'}, {'name': 'n'}, {}, {}, {}, {}, {}]}",
         "launches[0].args[0].name: `a1` is what parameter 4 is called; this is parameter 0"},
    };
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        assert_null(read_launch(f, GROUPED, table[i].launch));
        if (!strstr(f->errors.items[0].text, table[i].part))
            fail_msg("%s: %s", table[i].launch, f->errors.items[0].text);
    }
}

static void test_division_adds_its_condition(void **state)
{
    fixture *f = *state;
    contract *c = expect_launch(f, NAMED, "{'assume': ['M % B == 0', 'H == 0 || M / H == 2']}");
    assert_int_equal(arrlen(c->facts), 3);
    assert_string_equal(
        c_text(f, c->facts[0].term),
        c_text(f, smt_ne(f->ctx, contract_param(f->ctx, c, 2), smt_int_const(f->ctx, 0))));
}

static void test_alternatives(void **state)
{
    fixture *f = *state;
    contract *first =
        expect_launch(f, NAMED,
                      "{'args': [{'name': 'B', 'value': 1}]},"
                      "{'kernel': 'other'},"
                      "{'kernel': 'ops::permute', 'args': [{'name': 'B', 'min': 2}]}");
    assert_int_equal(launch_file_count(f->file, &kernels[NAMED]), 2);
    assert_true(contract_settle_ranges(f->ctx, first, NULL));
    contract *second = launch_file_contract(f->ctx, f->file, &kernels[NAMED], NULL, 1, &f->errors);
    assert_true(contract_settle_ranges(f->ctx, second, NULL));
    smt_int low, high;
    smt_bounds(contract_param(f->ctx, second, 2), &low, &high);
    assert_true(low == 2 && high == INT32_MAX);
    assert_range(f, 2, 1, 1);
    contract_free(second);
    assert_false(launch_file_check_kernels(f->file, 1, kernels, &f->errors));
    assert_non_null(
        strstr(f->errors.items[0].text, "launches[1]: the module has no kernel `other`"));
}

static void test_refusals(void **state)
{
    static const struct {
        const char *launch, *part;
    } table[] = {
        {"{'kernle': 'permute'}", "launches[0].kernle: unknown key; did you mean `kernel`?"},
        {"{'kernel': 'permute', 'kernel': 'permute'}",
         "launches[0].kernel: this key is there twice"},
        {"{'grid': 3}", "launches[0].grid: this must be an array"},
        {"{'grid': []}", "launches[0].grid: a grid has 1 to 3 extents"},
        {"{'grid': [1, 1, 1, 1]}", "1 to 3 extents"},
        {"{'grid': [0]}", "launches[0].grid[0]: an extent is 1 to"},
        {"{'grid': [16777216]}", "launches[0].grid[0]: an extent is 1 to"},
        {"{'grid': ['B *']}",
         "launches[0].grid[0]: `B *`, column 4: the expression ends too early"},
        {"{'grid': ['B < 3']}", "is a condition; an integer is needed"},
        {"{'grid': [1.5]}", "launches[0].grid[0]: this must be an integer or a string"},
        {"{'grid': [9007199254740993]}", "too large for a JSON number"},
        {"{'assume': ['B']}", "launches[0].assume[0]: `B` is an integer; a condition is needed"},
        {"{'assume': ['1 == 2']}", "launches[0].assume[0]: `1 == 2` cannot hold"},
        {"{'assume': ['K > 1']}", "`K` is not known here"},
        {"{'args': [{}]}", "launches[0].args: the kernel has 7 parameters, not 1"},
        {"{'args': [{'name': 'B'}, {'name': 'B'}]}", "launches[0].args[1]: `B` is there twice"},
        {"{'args': [{'name': 'source'},{},{},{},{},{},{}]}",
         "launches[0].args[0].name: the kernel calls parameter 0 `src`"},
        {"{'args': [{'name': 'a b'}]}", "launches[0].args[0].name: `a b` is not a name"},
        {"{'args': [{'name': 'B', 'elements': 3}]}",
         "launches[0].args[0].elements: `B` is no pointer"},
        {"{'args': [{'name': 'src', 'min': 3}]}", "launches[0].args[0].min: `src` is a pointer"},
        {"{'args': [{'name': 'alpha', 'min': 3}]}", "`alpha` is a float scalar"},
        {"{'args': [{'name': 'B', 'value': 0.5}]}", "launches[0].args[0].value: `B` is an integer"},
        {"{'args': [{'name': 'B', 'value': 4294967296}]}", "does not fit the 32 bits of `B`"},
        {"{'args': [{'name': 'B', 'multiple_of': 0}]}", "multiple_of: this must be positive"},
        {"{'args': [{'name': 'src', 'elements': 3, 'bytes': 12}]}",
         "launches[0].args[0]: give `elements` or `bytes`, not both"},
        {"{'args': [{'name': 'src', 'covered': 'twice'}]}", "`twice` is none of: all, once"},
        {"{'args': [{'name': 'src', 'fill': 'ones'}]}", "`ones` is none of: zeros, iota"},
        {"{'args': [{'name': 'src', 'fill': {}}]}", "fill: this needs either `kind` or `file`"},
        {"{'args': [{'name': 'src', 'dtype': 'float'}]}", "dtype: `float` is none of"},
        {"{'args': [{'name': 'src', 'reference': {}}]}", "this needs either `file` or `kernel`"},
        {"{'args': [{'name': 'src', 'tolerance': -1}]}", "tolerance: this must not be negative"},
        {"{'args': [3]}", "launches[0].args[0]: this must be an object"},
        {"{'contents': [{}]}", "launches[0].contents[0]: `buffer` is missing"},
        {"{'contents': [{'buffer': 'x'}]}", "no argument's buffer is called `x`"},
        {"{'contents': [{'buffer': 'src', 'min': 0}]}", "`src` holds floats"},
        {"{'contents': [{'buffer': 'index', 'max': 'value / index'}]}", "may divide by zero"},
        {"{'contents': [{'buffer': 'index', 'prefix_sum_of': 'index'}]}", "not its own prefix sum"},
        {"{'contents': [{'buffer': 'index', 'regions': true}]}", "must be an integer or a string"},
        {"{'contents': [{'buffer': 'index', 'regions': 8}]}",
         "launches[0].contents[0].regions: `index` holds no pointers: its elements have 32 bits"},
        {"{'contents': [{'buffer': 'index', 'min': 5, 'max': 4}]}",
         "launches[0].contents[0].max: this is below `min`"},
        {"{'contents': [{'buffer': 'index', 'min': 4294967296}]}",
         "launches[0].contents[0].min: no element of `index` is that large"},
        {"{'contents': [{'buffer': 'index', 'max': -2147483649}]}",
         "launches[0].contents[0].max: no element of `index` is that small"},
        {"{'contents': [{'buffer': 'index', 'unique': 'index + 1'}]}",
         "launches[0].contents[0].unique: `index + 1` is an integer; a condition is needed"},
        {"{'contents': [{'buffer': 'index', 'max': 'index < 2'}]}",
         "launches[0].contents[0].max: `index < 2` is a condition; an integer is needed"},
        {"{'contents': [{'buffer': 'index', 'increasing': 1}]}",
         "launches[0].contents[0].increasing: this must be true or false"},
        {"{'contents': [{'buffer': 'index', 'prefix_sum_of': 'counts'}]}",
         "launches[0].contents[0].prefix_sum_of: no argument's buffer is called `counts`"},
        {"{'contents': [{'buffer': 'index', 'prefix_sum_of': 'src'}]}",
         "launches[0].contents[0].prefix_sum_of: sums are stated of integers, and `src` holds"},
        {"{'args': [{'name': 'src', 'buffer': 'x'}, {'name': 'dst', 'buffer': 'x'}],"
         " 'contents': [{'buffer': 'index', 'prefix_sum_of': 'x'}]}",
         "launches[0].contents[0].prefix_sum_of: a pointer into `x` need not be its start"},
        {"{'contents': [{'buffer': 'index', 'sorted': true}]}",
         "launches[0].contents[0].sorted: unknown key"},
        {"{'contents': [{'buffer': 'B', 'min': 0}]}",
         "launches[0].contents[0].buffer: no argument's buffer is called `B`"},
        {"{'args': [{'name': 'B', 'min': 2147483648}]}",
         "launches[0].args[0].min: no value of the 32 bits of `B` meets this bound"},
        {"{'args': [{'name': 'B', 'max': -2147483649}]}",
         "launches[0].args[0].max: no value of the 32 bits of `B` meets this bound"},
        {"{'args': [{'name': 'B', 'value': 9007199254740993}]}",
         "launches[0].args[0].value: this integer is too large for a JSON number"},
        {"{'args': [{'name': 'B', 'value': 1e30}]}", "too large for a JSON number"},
        {"{'args': [{'name': 'B', 'value': 1.5}]}", "`B` is an integer"},
        {"{'args': [{'name': 'src', 'elements': -1}]}",
         "launches[0].args[0].elements: this must not be negative"},
        {"{'args': [{'name': 'src', 'offset': '0 - 4'}]}",
         "launches[0].args[0].offset: this must not be negative"},
        {"{'args': [{'name': 'src', 'dtype': 'f16'}]}",
         "launches[0].args[0].dtype: `src` points to f32 in the module, not to f16"},
        {"{'args': [{'name': 'index', 'offset': 3}],"
         " 'contents': [{'buffer': 'index', 'max': 'index'}]}",
         "`index` has no meaning"},
        {"{'peers': 'all'}", "launches[0].peers: `all` is none of: device, sys"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        assert_null(read_launch(f, NAMED, table[i].launch));
        if (!tr_errors_count(&f->errors))
            fail_msg("%s: no error", table[i].launch);
        if (!strstr(f->errors.items[0].text, table[i].part))
            fail_msg("%s: %s", table[i].launch, f->errors.items[0].text);
        assert_string_equal(f->errors.items[0].place.file, "k.launch.json");
    }
}

static void test_sizes_are_bounded(void **state)
{
    fixture *f = *state;
    tr_text text = {0};
    for (int i = 0; i < 101; i++)
        tr_text_addf(&text, "%c'key%d': 1", i ? ',' : '{', i);
    tr_text_add(&text, "}");
    assert_null(read_launch(f, NAMED, tr_text_get(&text)));
    assert_int_equal(tr_errors_count(&f->errors), 1);
    assert_non_null(strstr(f->errors.items[0].text, "launches[0]: there are more than 100 keys"));
    tr_text_clear(&text);
    for (int i = 0; i < 16 << 20; i++)
        tr_text_add(&text, " ");
    tr_text_add(&text, "{}");
    assert_null(read(f, NAMED, tr_text_get(&text)));
    assert_non_null(strstr(f->errors.items[0].text, "too large for a launch contract"));
    tr_text_free(&text);
}

static void test_bad_files(void **state)
{
    static const struct {
        const char *text, *part;
    } table[] = {
        {"", "not JSON"},
        {"{", "not JSON"},
        {"{} x", "not JSON"},
        {"[]", "is a JSON object"},
        {"{}", "`version` is missing"},
        {"{'version': 3, 'launches': [], 'new': 1}", "reads version 1 and 2 only"},
        {"{'version': '1'}", "reads version 1 and 2 only"},
        {"{'version': 1}", "`launches` is missing"},
        {"{'version': 1, 'launches': {}}", "launches: this must be an array"},
        {"{'version': 1, 'launches': []}", "there is no launch in it"},
        {"{'version': 1, 'launch': []}", "did you mean `launches`"},
        {"{'version': 1, 'launches': [{'assume': ['B == 4\\u0000 && B > 5']}]}", "has a NUL in it"},
        {"{'version': 1, 'launches': [{'kernel': '\\\\\\u0000'}]}", "has a NUL in it"},
        {"{'version': 1, 'launches': [{'kernel': '\\ud800'}]}", "not JSON"},
        {"{'version': 1, 'launches': [{'kernel': '\\udc00\\ud800'}]}", "not JSON"},
        {"{'version': 1, 'launches': [{'grid': [NaN]}]}", "not JSON"},
        {"{'version': 1, 'launches': [{'grid': [1e400]}]}", "too large for a JSON number"},
        {"{'version': 1, 'launches': [], 'launches': []}", "this key is there twice"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        assert_null(read(f, NAMED, table[i].text));
        if (!tr_errors_count(&f->errors) || !strstr(f->errors.items[0].text, table[i].part))
            fail_msg("%s: %s", table[i].text,
                     tr_errors_count(&f->errors) ? f->errors.items[0].text : "no error");
    }
    read(f, NAMED, "{'version': 1,\n 'launches': oops}");
    assert_int_equal(f->errors.items[0].place.line, 2);
    fixture_drop(f);
    assert_null(launch_file_read(f->arena, "/nonexistent/k.launch.json", &f->errors));
    assert_int_equal(tr_errors_count(&f->errors), 1);
}

/* ---- A file for a kernel whose source states a contract ---- */

static contract *source_contract(fixture *f)
{
    contract *c = launch_default_contract(f->ctx, &kernels[NAMED]);
    smt_t b = contract_param(f->ctx, c, 2);
    c->source = CONTRACT_SOURCE;
    c->grid[0] = smt_mul(f->ctx, b, contract_param(f->ctx, c, 3));
    c->grid[1] = c->grid[2] = smt_int_const(f->ctx, 1);
    contract_add_fact(c, smt_ge(f->ctx, b, smt_int_const(f->ctx, 1)), "B >= 1", NULL);
    c->args[0].buffer = c->args[1].buffer = "both";
    c->args[0].buffer_stated = c->args[1].buffer_stated = true;
    c->args[0].elements = smt_int_const(f->ctx, 64);
    c->args[1].covered = CONTRACT_COVERED_ALL;
    f->stated = c;
    return c;
}

static void test_a_file_adds(void **state)
{
    fixture *f = *state;
    contract *stated = source_contract(f);
    contract *c = expect_launch(
        f, NAMED,
        "{'grid': [4096], 'assume': ['H > B'],"
        " 'args': [{'name': 'B', 'max': 8}, {'name': 'src', 'buffer': 'a', 'elements': 64},"
        "          {'name': 'dst', 'buffer': 'a', 'elements': 'B * 2'},"
        "          {'name': 'index', 'buffer': 'a'}]}");
    assert_ptr_equal(c->grid[0], stated->grid[0]); /* and a fact that it is 4096 */
    assert_true(contract_settle_ranges(f->ctx, c, &f->errors));
    assert_range(f, 2, 1, 8);
    assert_string_equal(c->args[5].buffer, "both"); /* by way of src and dst */
    assert_non_null(c->args[1].elements);
    assert_int_equal(c->args[1].covered, CONTRACT_COVERED_ALL);
    bool found = false;
    for (ptrdiff_t i = 0; i < arrlen(c->facts); i++)
        found |= !strcmp(c->facts[i].text, "grid.x == 4096");
    assert_true(found);
    /* What the source states is as it was. */
    assert_int_equal(arrlen(stated->facts), 1);
    assert_null(stated->args[1].elements);
    assert_string_equal(stated->args[5].buffer, "index");
}

static void test_a_file_contradicts(void **state)
{
    static const struct {
        const char *launch, *part;
    } table[] = {
        {"{'grid': ['B * H', 2]}", "launches[0].grid[1]: this contradicts the kernel's source"},
        {"{'args': [{'name': 'src', 'elements': 65}]}", "elements: this contradicts"},
        {"{'args': [{'name': 'src', 'buffer': 'a'}, {'name': 'dst', 'buffer': 'b'}]}",
         "`src` and `dst` share a buffer"},
        {"{'args': [{'name': 'dst', 'covered': 'once'}]}", "covered: this contradicts"},
    };
    fixture *f = *state;
    source_contract(f);
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        assert_null(read_launch(f, NAMED, table[i].launch));
        if (!strstr(f->errors.items[0].text, table[i].part))
            fail_msg("%s: %s", table[i].launch, f->errors.items[0].text);
    }
    contract *c = expect_launch(f, NAMED, "{'args': [{'name': 'B', 'max': 0}]}");
    assert_false(contract_settle_ranges(f->ctx, c, &f->errors));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_stated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arguments_by_position_and_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_made_up_names_yield, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_of_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_of_parameters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_observed_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_silent_contracts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_made_up_names_are_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_division_adds_its_condition, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_alternatives, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sizes_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_spans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_adds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_contradicts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launches that were seen, as contracts: which pointers share a buffer, what is stated of them. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "launches/seen.h"

enum { MOST = 8 };

typedef struct fixture {
    tr_arena *arena;
    tilerace_parameter parameters[MOST];
    const tilerace_parameter *list[MOST];
    tilerace_kernel kernel;
    seen_argument arguments[MOST];
    uint64_t values[MOST];
    seen_launch launch;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.arena = tr_arena_new();
    f.kernel = (tilerace_kernel){.name = "k", .parameters = f.list};
    f.launch = (seen_launch){.symbol = "k", .grid = {4, 2, 1}, .arguments = f.arguments};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    tr_arena_free(f->arena);
    return 0;
}

static seen_argument *add(fixture *f, tilerace_parameter p, uint64_t value, size_t bytes)
{
    size_t i = f->kernel.n_parameters++;
    f->launch.n_arguments++;
    f->parameters[i] = p;
    f->list[i] = &f->parameters[i];
    f->values[i] = value;
    f->arguments[i] = (seen_argument){.value = (const uint8_t *)&f->values[i], .bytes = bytes};
    return &f->arguments[i];
}

static seen_argument *add_pointer(fixture *f, const char *name, unsigned element, uint64_t address,
                                  uint64_t allocation, uint64_t bytes)
{
    tilerace_parameter p = {.name = name, .kind = TILERACE_POINTER, .element_bytes = element};
    p.bits = element == 8 ? 64 : 0; /* integers, in these tests */
    seen_argument *a = add(f, p, address, 8);
    a->allocation = allocation;
    a->allocation_bytes = bytes;
    return a;
}

static void add_integer(fixture *f, const char *name, unsigned bits, int64_t value)
{
    tilerace_parameter p = {.name = name, .kind = TILERACE_INTEGER, .bits = bits};
    add(f, p, (uint64_t)value, bits / 8);
}

static void expect(fixture *f, const seen_names *n, const char *const *parts)
{
    const char *text = seen_as_contract(f->arena, &f->launch, &f->kernel, n, "program", NULL);
    assert_non_null(text);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("%s\nis not in\n%s", *parts, text);
}

#define EXPECT(f, n, ...) expect(f, n, (const char *const[]){__VA_ARGS__, NULL})

static void test_allocations_apart(void **state)
{
    fixture *f = *state;
    add_pointer(f, "a", 4, 0x1000, 0x1000, 256);
    add_pointer(f, "b", 4, 0x1100, 0x1100, 256); /* begins where the other one ends */
    EXPECT(f, NULL, "{\"name\":\"a\",\"buffer\":\"a\",\"bytes\":256}",
           "{\"name\":\"b\",\"buffer\":\"b\",\"bytes\":256}", "\"grid\":[4,2,1]");
}

static void test_one_allocation(void **state)
{
    fixture *f = *state;
    add_pointer(f, "a", 4, 0x1080, 0x1000, 256);
    add_pointer(f, "b", 2, 0x1000, 0x1000, 256);
    add_pointer(f, "c", 4, 0x1081, 0x1000, 256);
    EXPECT(f, NULL, "{\"name\":\"a\",\"buffer\":\"b\",\"bytes\":128,\"byte_offset\":128}",
           "{\"name\":\"b\",\"buffer\":\"b\",\"bytes\":256,\"byte_offset\":0}",
           "{\"name\":\"c\",\"buffer\":\"b\",\"bytes\":127,\"byte_offset\":129}");
}

/* One that reaches far over others that share nothing with each other. */
static void test_chains_are_one_buffer(void **state)
{
    fixture *f = *state;
    add_pointer(f, "long", 4, 0x1000, 0x1000, 4096);
    add_pointer(f, "x", 4, 0x1100, 0x1100, 16);
    add_pointer(f, "y", 4, 0x1800, 0x1800, 16);
    add_pointer(f, "z", 4, 0x2000, 0x2000, 16);
    EXPECT(f, NULL, "{\"name\":\"x\",\"buffer\":\"long\",\"bytes\":16,\"byte_offset\":256}",
           "{\"name\":\"y\",\"buffer\":\"long\",\"bytes\":16,\"byte_offset\":2048}",
           "{\"name\":\"z\",\"buffer\":\"z\",\"bytes\":16}");
}

/* What is not known to end is a buffer of its own, unless it begins inside of another. */
static void test_unknown_sizes(void **state)
{
    fixture *f = *state;
    add_pointer(f, "before", 4, 0x1000, 0x1000, 64);
    add_pointer(f, "open", 4, 0x2000, 0, 0);
    add_pointer(f, "behind", 4, 0x9000, 0x9000, 64);
    add_pointer(f, "outside", 4, 0x500, 0x1000, 64); /* not in the allocation that is told */
    add_pointer(f, "null", 4, 0, 0, 0);
    add_pointer(f, "inside", 4, 0x9020, 0, 0);
    add_pointer(f, "at_end", 4, 0x9040, 0, 0);
    add_pointer(f, "again", 4, 0x2000, 0, 0);
    EXPECT(f, NULL, "{\"name\":\"before\",\"buffer\":\"before\",\"bytes\":64}",
           "{\"name\":\"open\",\"buffer\":\"open\",\"byte_offset\":0}",
           "{\"name\":\"behind\",\"buffer\":\"behind\",\"bytes\":64,\"byte_offset\":0}",
           "{\"name\":\"outside\",\"buffer\":\"outside\"}",
           "{\"name\":\"null\",\"buffer\":\"null\",\"bytes\":0}",
           "{\"name\":\"inside\",\"buffer\":\"behind\",\"byte_offset\":32}",
           "{\"name\":\"at_end\",\"buffer\":\"at_end\"}",
           "{\"name\":\"again\",\"buffer\":\"open\",\"byte_offset\":0}");
}

/* Bytes that a launch before touches belong to the last array that begins before them. */
static void test_touched_where_ends_are_unknown(void **state)
{
    fixture *f = *state;
    add_pointer(f, "low", 4, 0x1000, 0, 0);
    add_pointer(f, "middle", 4, 0x2000, 0x2000, 64);
    add_pointer(f, "high", 4, 0x3000, 0, 0);
    static const seen_touched touched[] = {
        {.from = 0x1010, .to = 0x1020, .writes = true},
        {.from = 0x2010, .to = 0x2080, .writes = true},
        {.from = 0x1ff0, .to = 0x2004},
        {.from = 0x3004, .to = UINT64_MAX},
    };
    f->launch.is_pdl = true;
    f->launch.touched = touched;
    f->launch.n_touched = 4;
    EXPECT(f, NULL,
           "\"writes\":[{\"buffer\":\"low\",\"byte_offset\":16,\"bytes\":16},"
           "{\"buffer\":\"middle\",\"byte_offset\":16,\"bytes\":48}]",
           "\"reads\":[{\"buffer\":\"low\",\"byte_offset\":4080,\"bytes\":16},"
           "{\"buffer\":\"middle\",\"byte_offset\":0,\"bytes\":4},"
           "{\"buffer\":\"high\",\"byte_offset\":4}]");
}

static void test_numbers(void **state)
{
    fixture *f = *state;
    double infinite = -INFINITY, half = 0.5;
    float nan = NAN;
    add_integer(f, "i", 32, -5);
    add_integer(f, "byte", 8, 0x80);
    add_integer(f, "large", 64, INT64_MIN);
    f->arguments[2].bytes = 8;
    tilerace_parameter real = {.name = "d", .kind = TILERACE_FLOAT};
    uint64_t bits = 0;
    memcpy(&bits, &infinite, 8);
    add(f, real, bits, 8);
    real.name = "h";
    memcpy(&bits, &half, 8);
    add(f, real, bits, 8);
    real.name = "f";
    bits = 0;
    memcpy(&bits, &nan, 4);
    add(f, real, bits, 4);
    real.name = "narrow";
    add(f, real, 0x3c00, 2);
    EXPECT(f, NULL, "{\"name\":\"i\",\"value\":-5}", "{\"name\":\"byte\",\"value\":-128}",
           "{\"name\":\"large\",\"value\":\"-9223372036854775808\"}",
           "{\"name\":\"d\",\"value\":\"-inf\"}", "{\"name\":\"h\",\"value\":0.5}",
           "{\"name\":\"f\",\"value\":\"nan\"}", "{\"name\":\"narrow\"}");
}

static const char matrix[] =
    "{\"function\":\"k\",\"file\":\"k.py\",\"line\":3,\"parameters\":["
    "{\"name\":\"q\",\"part\":\"pointer\",\"dtype\":\"f32\",\"shape\":[null,8],"
    "\"strides\":[null,1]},"
    "{\"name\":\"q\",\"part\":\"extent\",\"axis\":0},"
    "{\"name\":\"q\",\"part\":\"stride\",\"axis\":0}]}";

/* Bytes of an array are those that its extents and strides reach. */
static void test_arrays_span_what_they_reach(void **state)
{
    fixture *f = *state;
    const seen_names *n = names_read(f->arena, matrix);
    assert_non_null(n);
    assert_string_equal(n->parameters[1].name, "q.shape[0]");
    assert_string_equal(n->parameters[2].name, "q.stride[0]");
    add_pointer(f, "q", 4, 0x1000, 0x1000, 1 << 20);
    add_integer(f, "q.shape[0]", 32, 10);
    add_integer(f, "q.stride[0]", 32, 16);
    EXPECT(f, n, "\"bytes\":608"); /* (9 * 16 + 7 + 1) * 4 */
    f->values[1] = 0;
    EXPECT(f, n, "\"bytes\":0");
    f->values[1] = 10;
    f->values[2] = (uint64_t)-1; /* backwards: its allocation is all that is known */
    EXPECT(f, n, "\"bytes\":1048576");
    uint64_t bytes;
    f->values[1] = f->values[2] = 1 << 20;
    assert_true(seen_bytes(&f->launch, &f->kernel, n, 0, &bytes));
    assert_true(bytes == (((uint64_t)1 << 40) - (1 << 20) + 8) * 4);
    f->values[1] = f->values[2] = INT32_MAX; /* more than there is of memory */
    assert_true(seen_bytes(&f->launch, &f->kernel, n, 0, &bytes));
    assert_int_equal(bytes, 1 << 20);
}

static void test_contents(void **state)
{
    fixture *f = *state;
    static const int64_t elements[3] = {1, -2, INT64_MAX};
    seen_argument *a = add_pointer(f, "t", 8, 0x1000, 0x1000, 24);
    a->contents = (const uint8_t *)elements;
    a->contents_bytes = sizeof elements;
    seen_argument *b = add_pointer(f, "u", 8, 0x1008, 0x1000, 24);
    b->contents = (const uint8_t *)(elements + 1);
    b->contents_bytes = sizeof elements - 8;
    EXPECT(f, NULL,
           "\"contents\":[{\"buffer\":\"t\",\"arg\":\"t\",\"values\":[1,-2,"
           "\"9223372036854775807\"]}]");
}

static void test_names_that_are_none(void **state)
{
    fixture *f = *state;
    static const char *const wrong[] = {
        "",
        "{",
        "[]",
        "{\"parameters\":{}}",
        "{\"parameters\":[1]}",
        "{\"parameters\":[{\"part\":\"pointer\"}]}",
        "{\"parameters\":[{\"name\":\"a\",\"part\":\"other\"}]}",
        "{\"parameters\":[{\"name\":\"a\",\"part\":\"extent\",\"axis\":0}]}",
        "{\"parameters\":[{\"name\":\"a\",\"part\":\"pointer\",\"shape\":[1]},"
        "{\"name\":\"a\",\"part\":\"extent\",\"axis\":1}]}",
        "{\"parameters\":[{\"name\":\"a\",\"part\":\"pointer\",\"axis\":-1}]}",
        "{\"parameters\":[{\"name\":\"a\",\"part\":\"pointer\",\"shape\":"
        "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}]}",
    };
    for (size_t i = 0; i < TR_COUNT(wrong); i++)
        assert_null(names_read(f->arena, wrong[i]));
}

/* Each parameter gets a name of its own, whatever the author calls it. */
static void test_names_of_contracts(void **state)
{
    fixture *f = *state;
    const seen_names *n = names_read(
        f->arena, "{\"parameters\":[{\"name\":\"x\"},{\"name\":\"x\"},{\"name\":\"\\u00e9\"},"
                  "{\"name\":\"parameter1\"},{\"name\":\"grid.x\"},{\"name\":\"p[1].q\"}]}");
    assert_non_null(n);
    const module_entry entry = {.symbol = "k", .n_parameters = 6};
    const char *contract = names_contract(f->arena, n, &(module_entries){1, &entry});
    assert_non_null(strstr(contract, "\"parameters\":[\"x\",\"parameter1_\",\"parameter2\","
                                     "\"parameter1\",\"parameter4\",\"p[1].q\"]"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_allocations_apart),
        TEST(test_one_allocation),
        TEST(test_chains_are_one_buffer),
        TEST(test_unknown_sizes),
        TEST(test_touched_where_ends_are_unknown),
        TEST(test_numbers),
        TEST(test_arrays_span_what_they_reach),
        TEST(test_contents),
        TEST(test_names_that_are_none),
        TEST(test_names_of_contracts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which launches are told to be still running when a dependent one starts. Each case launches in
 * streams, at last a dependent launch, whose list is looked at. */
#include "checker.h"

#include "recorder/recorder.h"

enum { TILE_IR_BYTES = 13 };

static const char tile_ir[] = "\177TileIR\0\15\1\0\0";
static int32_t array[16];

static void tell_pointer(void *user, uint64_t address, recorder_pointer *is)
{
    (void)user;
    (void)address;
    *is = (recorder_pointer){(uintptr_t)array, sizeof array, true};
}

static const recorder_stream legacy = {1, RECORDER_LEGACY}, blocking = {2, RECORDER_BLOCKING},
                             apart = {3, RECORDER_NON_BLOCKING}, none;

/* The count tells launches apart. */
static bool launch_in(const recorder_stream *stream, int64_t count, bool is_dependent)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    void *pointer = array;
    const void *arguments[] = {&pointer, &count};
    recorder_launch l = {recorder_image(tile_ir, TILE_IR_BYTES, 90),
                         "kernel",
                         {(uint64_t)count, 1, 1},
                         .is_pdl = is_dependent,
                         .stream = *stream,
                         .arguments = arguments};
    return recorder_launched(&l, &driver, NULL);
}

/* What the last launch told: "2 1" are the grids of those before it, "?" is unclear, "e" early, "-"
 * unknown.
 */
static const char *before(const checker *c)
{
    static char text[256];
    size_t n = 0;
    text[0] = 0;
    if (c->before != WIRE_BEFORE_TOLD)
        return "not told";
    for (unsigned i = 0; i < c->n_before; i++) {
        const checker_before *b = &c->launches_before[i];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%llu%s", i ? " " : "",
                              b->module ? "" : "-", (unsigned long long)b->grid[0],
                              b->flags & WIRE_UNCLEAR ? "?" : "");
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", b->flags & WIRE_EARLY ? "e" : "");
    }
    return text;
}

static void expect_before(void (*program)(void), wire_waits waits, const char *list)
{
    checker c = {
        .entries = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}}, .n_entries = 2, .waits = (uint8_t)waits};
    run_program(&c, program);
    assert_string_equal(before(&c), list);
}

/* Launches 1, does something, and launches 9 as a dependent one. */
#define CASE(name, work)                                                                           \
    static void name(void)                                                                         \
    {                                                                                              \
        EXPECT(launch_in(&blocking, 1, false));                                                    \
        work;                                                                                      \
        EXPECT(launch_in(&blocking, 9, true));                                                     \
    }

CASE(elsewhere_first, (void)launch_in(&apart, 9, true))
CASE(nothing_between, (void)0)
CASE(a_launch_between, launch_in(&blocking, 2, false))
CASE(a_chain, launch_in(&blocking, 2, true); launch_in(&blocking, 3, true))
CASE(ordered, recorder_stream_work(&blocking, RECORDER_ORDERED))
CASE(ordered_elsewhere, recorder_stream_work(&apart, RECORDER_ORDERED))
CASE(ordered_in_legacy, launch_in(&legacy, 2, false);
     recorder_stream_work(&legacy, RECORDER_ORDERED))
CASE(waited, recorder_stream_work(&blocking, RECORDER_WAITED))
CASE(waited_elsewhere, launch_in(&apart, 2, false); recorder_stream_work(&apart, RECORDER_WAITED))
CASE(waited_for_legacy, recorder_stream_work(&legacy, RECORDER_WAITED))
CASE(unclear, recorder_stream_work(&blocking, RECORDER_UNCLEAR))
CASE(unclear_then_clear, recorder_stream_work(&blocking, RECORDER_UNCLEAR);
     launch_in(&blocking, 2, true))
CASE(all_waited, recorder_streams_waited(true))
CASE(all_unclear, recorder_streams_waited(false))
CASE(in_legacy, launch_in(&legacy, 2, false))
CASE(in_another, launch_in(&apart, 2, false))
CASE(in_none, launch_in(&none, 2, false))
CASE(ended, recorder_stream_ended(&blocking))
CASE(other_kernel, recorder_kernel(&blocking, "other", false))
CASE(other_dependent, recorder_kernel(&blocking, "other", true))
CASE(an_event, recorder_event(77, &blocking); recorder_event_waited(77, true))
CASE(an_event_asked, recorder_event(77, &blocking); recorder_event_waited(77, false))
CASE(an_earlier_event, recorder_event(77, &blocking); launch_in(&blocking, 2, true);
     launch_in(&blocking, 3, true); recorder_event_waited(77, true))
CASE(an_event_elsewhere, recorder_event(77, &apart); recorder_event_waited(77, true))
CASE(an_unknown_event, recorder_event_waited(78, true))
CASE(other_in_chain, recorder_kernel(&blocking, "other", true); launch_in(&blocking, 4, true))
CASE(other_behind_chain, launch_in(&blocking, 2, true); launch_in(&blocking, 3, true);
     recorder_kernel(&blocking, "other", true))
CASE(many, for (int i = 2; i < 9; i++) launch_in(&blocking, i, true))
CASE(too_many, for (int i = 0; i < 30; i++) launch_in(&blocking, 10 + i, true))

static void the_first(void)
{
    EXPECT(launch_in(&apart, 1, false) && launch_in(&blocking, 9, true));
}

static void test_lists(void **state)
{
    (void)state;
    static const struct {
        void (*program)(void);
        const char *list;
    } table[] = {
        {elsewhere_first, "1"},
        {the_first, ""},
        {nothing_between, "1"},
        {a_launch_between, "2"},
        {a_chain, "3 2 1"},
        {ordered, ""},
        {ordered_elsewhere, "1"},
        {ordered_in_legacy, "1?"},
        {waited, ""},
        {waited_elsewhere, "1"},
        {waited_for_legacy, ""},
        {unclear, "1?"},
        {unclear_then_clear, "2 1?"},
        {all_waited, ""},
        {all_unclear, "1?"},
        {in_legacy, "1?"},
        {in_another, "1"},
        {in_none, "1"},
        {ended, ""},
        {other_kernel, "-1"},
        {other_dependent, "-1 1?"},
        {an_event, ""},
        {an_event_asked, "1?"},
        {an_earlier_event, "3 2"},
        {an_event_elsewhere, "1"},
        {an_unknown_event, "1?"},
        {many, "8 7 6 5 4 3 2 1"},
        {too_many, "39 38 37 36 35 34 33 -1?"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        print_message("%s\n", table[i].list);
        expect_before(table[i].program, WIRE_WAITS_NEVER, table[i].list);
    }
}

/* Launches that wait: what they wait for has ended before they do. */
static void test_waits(void **state)
{
    (void)state;
    expect_before(nothing_between, WIRE_WAITS_FIRST, "1");
    expect_before(a_launch_between, WIRE_WAITS_FIRST, "2");
    expect_before(a_chain, WIRE_WAITS_FIRST, "3");
    expect_before(a_chain, WIRE_WAITS, "3 2?e 1?e");
    expect_before(a_chain, WIRE_WAITS_PERHAPS, "3 2? 1?");
    expect_before(many, WIRE_WAITS_FIRST, "8");
    expect_before(too_many, WIRE_WAITS_FIRST, "39");
    expect_before(too_many, WIRE_WAITS, "39 38?e 37?e 36?e 35?e 34?e 33?e -1?e");
    expect_before(other_dependent, WIRE_WAITS_FIRST, "-1 1?");
    expect_before(other_in_chain, WIRE_WAITS_FIRST, "4 1?");
    expect_before(other_in_chain, WIRE_WAITS, "4 -1?e 1?");
    expect_before(other_behind_chain, WIRE_WAITS, "-1 3? 2? 1?");
    expect_before(other_behind_chain, WIRE_WAITS_FIRST, "-1 3?");
}

static void not_dependent(void)
{
    EXPECT(launch_in(&blocking, 1, false) && launch_in(&blocking, 9, false));
}

static void of_no_stream(void)
{
    EXPECT(launch_in(&blocking, 1, false) && launch_in(&none, 9, true));
}

static void test_not_told(void **state)
{
    (void)state;
    expect_before(not_dependent, WIRE_WAITS_NEVER, "not told");
    expect_before(of_no_stream, WIRE_WAITS_NEVER, "not told");
}

/* Equal launches are told again where those before them differ, and else not. */
static void after_others(void)
{
    for (int i = 0; i < 10; i++) {
        EXPECT(launch_in(&blocking, 1 + i % 2, false));
        EXPECT(launch_in(&blocking, 9, true));
    }
}

static void test_equal_launches(void **state)
{
    (void)state;
    checker c = {.entries = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}}, .n_entries = 2};
    run_program(&c, after_others);
    assert_int_equal(c.seen[WIRE_LAUNCH], 4);
}

/* A launch that the checker refuses does not happen. */
static void is_refused(void)
{
    for (int i = 1; i < 4; i++)
        EXPECT(!launch_in(&blocking, i, i == 2));
    EXPECT(!launch_in(&blocking, 9, true));
}

static void test_refused_launches(void **state)
{
    (void)state;
    checker c = {.entries = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}}, .n_entries = 2, .stops = true};
    run_program(&c, is_refused);
    assert_string_equal(before(&c), "");
}

int main(int argc, char **argv)
{
    (void)argc;
    need_socket(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_not_told),
        cmocka_unit_test(test_equal_launches),
        cmocka_unit_test(test_refused_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

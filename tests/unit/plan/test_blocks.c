/* Who touched what: written, read, and turned into pairs of tile blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "plan/text.h"

#define NOBODY {GPU_NOBODY, 0}

static gpu_buffer buffers[] = {{.name = "in", .bytes = 8, .element = GPU_I8},
                               {.name = "out", .bytes = 16, .element = GPU_I16, .output = true}};
static gpu_plan plan = {.kernel = "k", .grid = {2, 3, 1}, .n_buffers = 2, .buffers = buffers};

static gpu_op ops[] = {{"load", 4}, {"store", 5}, {"store_again", 0}};
static gpu_race races[] = {{{1, 1}, false, "TR001 at line 5"}, {{1, 2}, true, "TR003 at line 5"}};
static gpu_touch touches[] = {
    {NOBODY, NOBODY, NOBODY}, {{0, 1}, NOBODY, NOBODY}, {{0, 1}, {5, 1}, NOBODY},
    {{3, 1}, {3, 2}, NOBODY}, {{1, 1}, {2, 2}, NOBODY}, {{4, 1}, NOBODY, {1, 0}},
};
static gpu_source sources[] = {{{0, 0}, {4, 1}}, {{0, 0}, {2, 2}}};
static uint32_t out[] = {1, 1, 2, 2, 3, 4, 0, 5};
static uint32_t *elements[] = {NULL, out};
static const gpu_blocks blocks = {.checker = "race: TR001 at line 5",
                                  .n_ops = 3,
                                  .ops = ops,
                                  .n_races = 2,
                                  .races = races,
                                  .n_touches = 6,
                                  .touches = touches,
                                  .n_sources = 2,
                                  .sources = sources,
                                  .elements = elements};

static const char *file_of(tr_arena *arena, const gpu_blocks *of)
{
    tr_text text = {0};
    plan_blocks_write(&text, &plan, of);
    const char *kept = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

static gpu_blocks *read(tr_arena *arena, const char *text)
{
    const char *why = NULL;
    gpu_blocks *back = plan_blocks_read(arena, &plan, tr_arena_strdup(arena, text), &why);
    if (!back)
        fail_msg("%s", why);
    return back;
}

static void test_round_trip(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char *text = file_of(arena, &blocks);
    assert_non_null(strstr(text, "\nelements out 2*1 2*2 1*3 1*4 1*0 1*5\n"));
    gpu_blocks *back = read(arena, text);
    assert_string_equal(back->checker, blocks.checker);
    assert_null(back->nobody);
    assert_false(back->part);
    assert_int_equal(back->n_ops, 3);
    assert_string_equal(back->ops[2].name, "store_again");
    assert_true(back->races[1].inside);
    assert_string_equal(back->races[1].words, "TR003 at line 5");
    assert_int_equal(back->n_touches, 6);
    assert_memory_equal(back->touches, touches, sizeof touches);
    assert_memory_equal(back->sources, sources, sizeof sources);
    assert_null(back->elements[0]);
    assert_memory_equal(back->elements[1], out, sizeof out);
    assert_string_equal(file_of(arena, back), text);
    tr_arena_free(arena);
}

static void test_nobody(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    gpu_blocks *none = plan_blocks_nobody(arena, "race-free", "it is too long");
    gpu_blocks *back = read(arena, file_of(arena, none));
    assert_string_equal(back->nobody, "it is too long");
    assert_string_equal(back->checker, "race-free");
    gpu_blocks part = blocks;
    part.part = true;
    assert_true(read(arena, file_of(arena, &part))->part);
    assert_false(back->synchronises);
    none->synchronises = true;
    assert_true(read(arena, file_of(arena, none))->synchronises);
    tr_arena_free(arena);
}

static void test_racing(void **state)
{
    (void)state;
    const bool racing[] = {false, false, true, true, false, true};
    for (uint32_t i = 0; i < TR_COUNT(racing); i++)
        assert_int_equal(plan_is_racing(&blocks, i), racing[i]);
    gpu_blocks unchecked = blocks;
    unchecked.checker = NULL;
    unchecked.n_races = 0;
    assert_true(plan_is_racing(&unchecked, 4)); /* nobody knows better */
}

static gpu_pairs *pairs_of(tr_arena *arena, const char *differs)
{
    uint16_t *heat = TR_NEW_ARRAY(arena, uint16_t, 8);
    gpu_output outputs[2] = {{0}, {.elements = 8, .heat = heat}};
    for (size_t i = 0; i < 8; i++)
        heat[i] = differs[i] == 'x';
    outputs[1].differing = 1;
    return plan_name_pairs(arena, &plan, outputs, &blocks);
}

static void test_pairs(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    gpu_pairs *p = pairs_of(arena, "..xxx.xx");
    assert_int_equal(p->by_several, 2);
    assert_int_equal(p->by_order, 1);
    assert_int_equal(p->by_nobody, 1);
    assert_int_equal(p->by_one, 1); /* block 4 reads nothing of others */
    assert_int_equal(p->by_reader, 0);
    assert_int_equal(p->n, 2);
    assert_int_equal(p->as_reported, 2);
    assert_int_equal(p->listed[0].elements, 2);
    assert_string_equal(p->listed[0].finding, "TR001 at line 5");
    assert_int_equal(p->listed[0].blocks[1][0], 1); /* block 5 of a grid 2 x 3 x 1 */
    assert_int_equal(p->listed[0].blocks[1][1], 2);
    assert_string_equal(p->listed[1].finding, "TR003 at line 5");
    assert_string_equal(p->listed[1].what[1], "store_again");

    p = pairs_of(arena, "xx...x..");
    assert_int_equal(p->by_reader, 2); /* block 0 reads what 4 and 2 write, in no race */
    assert_int_equal(p->by_several, 1);
    assert_int_equal(p->n, 3);
    assert_int_equal(p->as_reported, 0);
    assert_int_equal(p->listed[0].elements, 2);
    assert_null(p->listed[0].finding);

    p = pairs_of(arena, "xx..x...");
    assert_int_equal(p->listed[0].elements, 1); /* what is reported comes first */
    assert_int_equal(p->listed[1].elements, 2);
    assert_int_equal(p->as_reported, 1);
    tr_arena_free(arena);
}

static void test_text(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_text text = {0};
    plan_text_pairs(&text, pairs_of(arena, "..xxx..."), NULL);
    assert_string_equal(
        tr_text_get(&text),
        "  2 of them written by several tile blocks (two of them are named)\n"
        "  1 of them written twice by one tile block, with nothing that orders the two\n"
        "    block (0, 0, 0) store, line 5 and block (1, 2, 0) store, line 5: 2 elements, as the "
        "checker reports (TR001 at line 5)\n"
        "    block (1, 1, 0) store, line 5 and store_again: 1 element, as the checker reports "
        "(TR003 at line 5)\n"
        "  2 of 2 pairs have the two accesses of a race that the checker reports\n");
    tr_text_clear(&text);
    plan_text_share(&text, 1, 3);
    plan_text_share(&text, 1, 100000);
    plan_text_share(&text, 0, 5);
    plan_text_share(&text, 9999999, 10000000);
    assert_string_equal(tr_text_get(&text), "33.3 %0.001 %0.0 %more than 99.9 %");
    tr_text_free(&text);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_racing),     cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

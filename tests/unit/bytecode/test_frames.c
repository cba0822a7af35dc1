/* Which frame of a place findings point at. */
#include "modules.h"

#include "bytecode/frames.h"

enum { MOST_FRAMES = 5 };

/* Innermost first; a file NULL ends the list, "-" is a frame without a file. */
typedef struct frame_row {
    const char *file;
    uint32_t line, column;
} frame_row;

typedef struct chain_row {
    frame_row given[MOST_FRAMES], kept[MOST_FRAMES];
} chain_row;

#define NVCC   "/usr/local/cuda/include/crt/cuda_tile.h"
#define CUTILE "/v/lib/python3.11/site-packages/cuda/tile/_stub.py"
#define OTHERS "/v/lib/python3.11/site-packages/gemms/matmul.py"

static const chain_row chains[] = {
    {{{"k.cu", 3, 4}}, {{"k.cu", 3, 4}}},
    {{{NVCC, 700, 1}, {"k.cu", 3, 4}}, {{"k.cu", 3, 4}}},
    {{{"-", 0, 0}, {"k.cu", 0, 2}, {"k.cu", 3, 4}}, {{"k.cu", 3, 4}}},
    /* A helper of the user's called through a header: what lies between is not shown. */
    {{{"h.cuh", 1, 1}, {NVCC, 7, 7}, {"k.cu", 3, 4}, {"-", 0, 0}, {"main.cu", 9, 9}},
     {{"h.cuh", 1, 1}, {"k.cu", 3, 4}, {"main.cu", 9, 9}}},
    {{{CUTILE, 666, 4}, {OTHERS, 5, 0}, {"k.py", 3, 4}}, {{"k.py", 3, 5}}},
    {{{"k.py", 3, 4}, {OTHERS, 5, 0}}, {{"k.py", 3, 5}, {OTHERS, 5, 1}}},
    {{{CUTILE, 666, 4}, {OTHERS, 5, 0}}, {{OTHERS, 5, 1}}},
    {{{"/cuda/tile/_stub.py", 666, 4}, {"/src/cuda/tile/own.py", 5, 0}},
     {{"/src/cuda/tile/own.py", 5, 1}}},
    {{{NVCC, 7, 7}, {NVCC, 8, 8}}, {{NVCC, 7, 7}, {NVCC, 8, 8}}},
    {{{"/crt/k.cu", 7, 7}, {"/mycuda_tile.h", 8, 8}},
     {{"/crt/k.cu", 7, 7}, {"/mycuda_tile.h", 8, 8}}},
    {{{"-", 0, 0}, {"k.cu", 0, 0}}, {{NULL}}},
    {{{"lib.rs", 5, 8}, {"lib.rs", 3, 4}}, {{"lib.rs", 5, 9}, {"lib.rs", 3, 5}}},
};

static const tr_place *place_of(tr_arena *arena, const frame_row *rows)
{
    const tr_place *place = NULL;
    for (int i = MOST_FRAMES - 1; i >= 0; i--) {
        if (!rows[i].file)
            continue;
        tr_place *frame = TR_NEW(arena, tr_place);
        *frame = (tr_place){.file = rows[i].file[0] == '-' ? NULL : rows[i].file,
                            .line = rows[i].line,
                            .column = rows[i].column,
                            .inlined_at = place};
        place = frame;
    }
    return place;
}

static void keeps_the_frames_of_the_user(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(chains); i++) {
        fixture f = fixture_make();
        ir_module *module = read_module(&f, "inlined_cpp");
        ir_op *first = ir_first_op(module->functions), *second = ir_next_op(first);
        const tr_place *given = place_of(module->arena, chains[i].given);
        first->place = second->place = module->functions->place = given;
        bc_frames_keep_of_user(module);
        assert_ptr_equal(first->place, second->place); /* equal places stay one */
        assert_ptr_equal(first->place, module->functions->place);
        const tr_place *at = first->place;
        for (int n = 0; n < MOST_FRAMES && chains[i].kept[n].file; n++, at = at->inlined_at) {
            if (!at)
                fail_msg("chain %zu ends before frame %d", i, n);
            assert_string_equal(at->file, chains[i].kept[n].file);
            assert_int_equal(at->line, chains[i].kept[n].line);
            assert_int_equal(at->column, chains[i].kept[n].column);
        }
        if (at)
            fail_msg("chain %zu has more frames: %s:%u", i, at->file, at->line);
        ir_module_free(module);
        fixture_free(&f);
    }
}

/* cuTile Rust calls the author's function at the function itself. */
static void leaves_out_the_call_of_an_entry(void **state)
{
    static const frame_row own[MOST_FRAMES] = {{"lib.rs", 3, 4}},
                           called[MOST_FRAMES] = {{"lib.rs", 5, 8}, {"lib.rs", 3, 4}},
                           helped[MOST_FRAMES] = {{"lib.rs", 9, 8}, {"lib.rs", 3, 6}};
    (void)state;
    fixture f = fixture_make();
    ir_module *module = read_module(&f, "inlined_cpp");
    ir_op *first = ir_first_op(module->functions), *second = ir_next_op(first);
    module->functions->place = place_of(module->arena, own);
    first->place = place_of(module->arena, called);
    second->place = place_of(module->arena, helped);
    bc_frames_keep_of_user(module);
    assert_int_equal(first->place->line, 5);
    assert_null(first->place->inlined_at);
    assert_int_equal(second->place->inlined_at->line, 3);
    assert_int_equal(module->functions->place->column, 5);
    ir_module_free(module);
    fixture_free(&f);
}

static void modules_of_compilers_point_at_their_sources(void **state)
{
    static const char *const names[] = {"inlined_cpp", "inlined_python"};
    (void)state;
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        fixture f = fixture_make();
        ir_module *module = read_module(&f, names[i]);
        bc_frames_keep_of_user(module);
        size_t known = 0;
        for (ir_op *op = ir_first_op(module->functions); op; op = ir_next_op(op)) {
            known += op->place != NULL;
            for (const tr_place *at = op->place; at; at = at->inlined_at)
                if (!strstr(at->file, names[i]) || !at->line || !at->column)
                    fail_msg("%s:%u:%u", at->file, at->line, at->column);
        }
        assert_true(known > 3);
        ir_module_free(module);
        fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_frames_of_the_user),
        cmocka_unit_test(leaves_out_the_call_of_an_entry),
        cmocka_unit_test(modules_of_compilers_point_at_their_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

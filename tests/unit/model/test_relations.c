/* Conflicts, scopes, moral strength, races: the relations that take two accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tileir_memory/model.h"

static void test_conflict(void **state)
{
    (void)state;
    assert_false(model_conflict(MODEL_READ, MODEL_READ));
    assert_true(model_conflict(MODEL_READ, MODEL_WRITE));
    assert_true(model_conflict(MODEL_WRITE, MODEL_WRITE));
    assert_true(model_conflict(MODEL_UPDATE, MODEL_READ));
    assert_true(model_conflict(MODEL_UPDATE, MODEL_UPDATE));
}

static void test_scopes(void **state)
{
    (void)state;
    for (int same = 0; same <= 1; same++) {
        assert_false(model_scope_includes(IR_WEAK, IR_SCOPE_NONE, same));
        assert_int_equal(model_scope_includes(IR_RELAXED, IR_SCOPE_TL_BLK, same), same);
        assert_true(model_scope_includes(IR_RELAXED, IR_SCOPE_DEVICE, same));
        assert_true(model_scope_includes(IR_ACQUIRE, IR_SCOPE_SYS, same));
    }
}

static void test_mutual_scope(void **state)
{
    (void)state;
    assert_true(
        model_mutual_scope(IR_RELAXED, IR_SCOPE_DEVICE, IR_RELEASE, IR_SCOPE_SYS, false, true));
    assert_false(
        model_mutual_scope(IR_RELAXED, IR_SCOPE_DEVICE, IR_RELAXED, IR_SCOPE_TL_BLK, false, true));
    assert_true(
        model_mutual_scope(IR_RELAXED, IR_SCOPE_DEVICE, IR_RELAXED, IR_SCOPE_TL_BLK, true, true));
    assert_false(
        model_mutual_scope(IR_RELAXED, IR_SCOPE_DEVICE, IR_WEAK, IR_SCOPE_NONE, true, true));
    assert_false(
        model_mutual_scope(IR_RELAXED, IR_SCOPE_DEVICE, IR_RELAXED, IR_SCOPE_DEVICE, true, false));
}

/* Rows of the litmus catalogue that depend on order and scope alone. */
static void test_races(void **state)
{
    static const struct {
        int row;
        model_access a;
        ir_ordering oa;
        ir_scope sa;
        model_access b;
        ir_ordering ob;
        ir_scope sb;
        bool same_block, token, race;
    } rows[] = {
#define WEAK           IR_WEAK, IR_SCOPE_NONE
#define RELAXED(scope) IR_RELAXED, IR_SCOPE_##scope
        {1, MODEL_READ, WEAK, MODEL_WRITE, WEAK, true, false, true},
        {2, MODEL_READ, WEAK, MODEL_WRITE, WEAK, true, true, false},
        {5, MODEL_WRITE, WEAK, MODEL_WRITE, WEAK, true, false, true},
        {9, MODEL_READ, WEAK, MODEL_READ, WEAK, true, false, false},
        {22, MODEL_WRITE, RELAXED(TL_BLK), MODEL_READ, RELAXED(TL_BLK), true, false, false},
        {23, MODEL_WRITE, RELAXED(TL_BLK), MODEL_READ, WEAK, true, false, true},
        {24, MODEL_WRITE, WEAK, MODEL_WRITE, WEAK, true, false, true},
        {25, MODEL_WRITE, RELAXED(TL_BLK), MODEL_WRITE, RELAXED(TL_BLK), true, false, false},
        {29, MODEL_UPDATE, RELAXED(DEVICE), MODEL_UPDATE, RELAXED(DEVICE), true, false, false},
        {42, MODEL_READ, WEAK, MODEL_READ, WEAK, false, false, false},
        {43, MODEL_WRITE, WEAK, MODEL_WRITE, WEAK, false, false, true},
        {62, MODEL_UPDATE, RELAXED(DEVICE), MODEL_UPDATE, RELAXED(DEVICE), false, false, false},
        {63, MODEL_UPDATE, RELAXED(DEVICE), MODEL_READ, WEAK, false, false, true},
        {64, MODEL_UPDATE, RELAXED(DEVICE), MODEL_READ, RELAXED(DEVICE), false, false, false},
        {65, MODEL_UPDATE, RELAXED(TL_BLK), MODEL_UPDATE, RELAXED(TL_BLK), false, false, true},
        /* A token says nothing between blocks. */
        {0, MODEL_WRITE, WEAK, MODEL_WRITE, WEAK, false, true, true},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        for (int swap = 0; swap <= 1; swap++) {
            bool race = swap ? model_race(rows[i].b, rows[i].ob, rows[i].sb, rows[i].a, rows[i].oa,
                                          rows[i].sa, rows[i].same_block, true, rows[i].token)
                             : model_race(rows[i].a, rows[i].oa, rows[i].sa, rows[i].b, rows[i].ob,
                                          rows[i].sb, rows[i].same_block, true, rows[i].token);
            if (race != rows[i].race)
                fail_msg("litmus row %d", rows[i].row);
        }
}

/* The access kinds of all ops that touch memory, out of the op table. */
static void test_access_kinds(void **state)
{
    static const struct {
        ir_opcode code;
        int access; /* 0: none */
    } table[] = {
        {IR_OP_LOAD_VIEW_TKO, MODEL_READ},
        {IR_OP_LOAD_PTR_TKO, MODEL_READ},
        {IR_OP_STORE_VIEW_TKO, MODEL_WRITE},
        {IR_OP_STORE_PTR_TKO, MODEL_WRITE},
        {IR_OP_ATOMIC_RMW_TKO, MODEL_UPDATE},
        {IR_OP_ATOMIC_CAS_TKO, MODEL_UPDATE},
        {IR_OP_ATOMIC_RED_VIEW_TKO, MODEL_UPDATE},
        {IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO, MODEL_READ},
        {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, MODEL_UPDATE},
        {IR_OP_MULTIMEM_STORE_VIEW_TKO, MODEL_WRITE},
        {IR_OP_PRINT_TKO, 0},
        {IR_OP_GDC_WAIT_TKO, 0},
        {IR_OP_MEMORY_FENCE_ALIAS_TKO, 0},
        {IR_OP_JOIN_TOKENS, 0},
        {IR_OP_MAKE_TENSOR_VIEW, 0},
        {IR_OP_ALLOCA, 0},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(table); i++) {
        ir_op op = {.code = table[i].code};
        model_access access = 0;
        assert_int_equal(model_access_of(&op, &access), table[i].access != 0);
        assert_int_equal(access, table[i].access);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conflict),     cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_mutual_scope), cmocka_unit_test(test_races),
        cmocka_unit_test(test_access_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

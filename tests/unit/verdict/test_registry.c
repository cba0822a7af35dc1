/* The tables of rules, verdicts and reasons: who asks by a code, a name or a number gets one row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "verdict/findings.h"

#include <string.h>

static void test_rules_by_code_and_name(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const rule_info *info = rule_info_of((rule_id)i);
        assert_int_equal(info->id, i);
        assert_ptr_equal(rule_by_code(info->code), info);
        assert_ptr_equal(rule_by_code(info->name), info);
        assert_true(info->summary[0] && info->help[0]);
    }
    assert_null(rule_by_code("TR000"));
    assert_null(rule_by_code(""));
    assert_null(rule_by_code("tr001"));
}

/* Codes are never used twice, and a row that moves in the table keeps its code. */
static void test_codes(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++)
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(rule_info_of((rule_id)i)->code, rule_info_of((rule_id)j)->code);
            assert_string_not_equal(rule_info_of((rule_id)i)->name, rule_info_of((rule_id)j)->name);
        }
    assert_string_equal(rule_info_of(RULE_CONTRACT)->code, "TR011");
    assert_string_equal(rule_info_of(RULE_FRONT_END_NVCC)->code, "TR013");
}

static bool is_among(const char *code, const char *const *codes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(codes[i], code) == 0)
            return true;
    return false;
}

static void test_which_are_races(void **state)
{
    static const char *const races[] = {"TR001", "TR002", "TR003", "TR004", "TR005", "TR006",
                                        "TR013", "TR014", "TR015", "TR016", "TR017", "TR018",
                                        "TR019", "TR020", "TR021", "TR022", "TR024"};
    static const char *const others[] = {"TR007", "TR008", "TR009", "TR010", "TR011", "TR012",
                                         "TR023", "TR025", "TR026", "TR027", "TR028"};
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const char *code = rule_info_of((rule_id)i)->code;
        bool race = is_among(code, races, TR_COUNT(races));
        if (race == is_among(code, others, TR_COUNT(others)))
            fail_msg("%s of rules.def is in none or both of the lists `races` and `others` of this "
                     "test",
                     code);
        if (race != rule_is_race((rule_id)i))
            fail_msg("%s is %s in rules.def, but in the list `%s` of this test", code,
                     race ? "NO_RACE" : "RACE", race ? "races" : "others");
    }
    assert_int_equal(TR_COUNT(races) + TR_COUNT(others), RULE_COUNT);
}

static void test_verdicts_and_reasons(void **state)
{
    (void)state;
    for (int i = 0; i < VERDICT_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(verdict_info_of((verdict_kind)i)->name,
                                    verdict_info_of((verdict_kind)j)->name);
    for (int i = 0; i < REASON_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(reason_name((reason_kind)i), reason_name((reason_kind)j));
    assert_true(reason_is_failed_solver(REASON_SOLVER_CONTRADICTION));
    assert_false(reason_is_failed_solver(REASON_UNSUPPORTED_OP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_by_code_and_name),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_which_are_races),
        cmocka_unit_test(test_verdicts_and_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

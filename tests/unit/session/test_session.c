/* What a run says, where it says it, and what the environment asks of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/asked.h"
#include "session/session.h"

typedef struct run {
    session s;
    driver_options options;
    char *out, *err;
    size_t n_out, n_err;
} run;

static int begin(void **state)
{
    run *r = calloc(1, sizeof *r);
    r->s = (session){.arena = tr_arena_new(),
                     .options = &r->options,
                     .out = open_memstream(&r->out, &r->n_out),
                     .err = open_memstream(&r->err, &r->n_err)};
    unsetenv("TILERACE");
    unsetenv("NO_COLOR");
    unsetenv("FORCE_COLOR");
    *state = r;
    return 0;
}

static int end(void **state)
{
    run *r = *state;
    fclose(r->s.out);
    fclose(r->s.err);
    free(r->out);
    free(r->err);
    tr_arena_free(r->s.arena);
    free(r);
    return 0;
}

static void complaints_go_to_the_error_stream(void **state)
{
    run *r = *state;
    assert_int_equal(session_complain(&r->s, "%d is none", 7), EXIT_BAD);
    fflush(r->s.err);
    assert_string_equal(r->err, "tilerace: error: 7 is none\n");
    assert_true(r->s.complained);
    tr_text text = {0};
    tr_text_add(&text, "a result\n");
    assert_int_equal(session_emit(&r->s, &text), EXIT_CLEAN);
    assert_string_equal(r->out, "a result\n");
    tr_text_free(&text);
}

static void the_option_goes_before_the_environment(void **state)
{
    static const struct {
        const char *option, *no_color, *force_color;
        bool colours;
    } cases[] = {
        {NULL, NULL, NULL, false}, /* no terminal */
        {"always", NULL, NULL, true}, {"always", "1", NULL, true}, {"never", NULL, "1", false},
        {"auto", NULL, "1", true},    {NULL, NULL, "1", true},     {NULL, "1", "1", false},
        {NULL, "", "1", true}, /* an empty one is not set */
    };
    run *r = *state;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        unsetenv("NO_COLOR");
        unsetenv("FORCE_COLOR");
        r->options.color = cases[i].option;
        if (cases[i].no_color)
            setenv("NO_COLOR", cases[i].no_color, 1);
        if (cases[i].force_color)
            setenv("FORCE_COLOR", cases[i].force_color, 1);
        assert_int_equal(session_color(&r->s, r->s.out), cases[i].colours);
    }
}

static void the_environment_asks_in_words(void **state)
{
    static const struct {
        const char *word;
        asked is;
    } cases[] = {{"", ASKED_NOTHING},    {"off", ASKED_OFF},       {"warn", ASKED_WARN},
                 {"error", ASKED_ERROR}, {"strict", ASKED_STRICT}, {"interpret", ASKED_INTERPRET}};
    run *r = *state;
    asked is = ASKED_WARN;
    assert_int_equal(asked_read(&r->s, &is), EXIT_CLEAN);
    assert_int_equal(is, ASKED_NOTHING);
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        setenv("TILERACE", cases[i].word, 1);
        assert_int_equal(asked_read(&r->s, &is), EXIT_CLEAN);
        assert_int_equal(is, cases[i].is);
    }
    setenv("TILERACE", "Warn", 1);
    assert_int_equal(asked_read(&r->s, &is), EXIT_BAD);
    assert_true(r->s.complained);
}

/* What its configuration says of an input goes before what holds for the whole run, but for the
 * model, which a configuration has no word for. */
static void an_input_has_its_own_rules(void **state)
{
    run *r = *state;
    settings *own = tr_arena_alloc(r->s.arena, sizeof *own);
    memset(own, 0, sizeof *own);
    own->of[SETTING_strict].truth = true;
    own->of[SETTING_steps].number = 12;
    r->s.rules.model.loop_tokens = MODEL_PER_NAME;
    r->s.settings = (const settings *[]){own};
    rules_options rules = session_rules(&r->s, 0);
    assert_ptr_equal(session_settings(&r->s, 0), own);
    assert_true(rules.strict);
    assert_false(rules.notes);
    assert_int_equal(rules.steps, 12);
    assert_int_equal(rules.model.loop_tokens, MODEL_PER_NAME);
    own->of[SETTING_notes].truth = true;
    assert_true(session_rules(&r->s, 0).notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(complaints_go_to_the_error_stream, begin, end),
        cmocka_unit_test_setup_teardown(the_option_goes_before_the_environment, begin, end),
        cmocka_unit_test_setup_teardown(the_environment_asks_in_words, begin, end),
        cmocka_unit_test_setup_teardown(an_input_has_its_own_rules, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the tables of the driver's functions owe each other: a function that launches kernels is in
 * each of them, and a program of these tests calls it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PER_THREAD_SINCE = 7000 };
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct function { /* of the stand-in */
    const char *symbol, *suffix, *name;
    int since;
    const char *parameters;
} functions[] = {
#define ROW(symbol, suffix, name, since, parameters) {#symbol, #suffix, name, since, #parameters},
#include "stand_in/functions.def"
#undef ROW
};

static const struct wrapped { /* by the shim */
    const char *symbol, *name;
    int since;
    bool is_per_thread;
} wrapped[] = {
#define ROW(symbol, name, since, per_thread, parameters) {#symbol, name, since, per_thread},
#include "preload/wrapped.def"
#undef ROW
};

static const char *const injected[] = {
#define ROW(symbol, when, fields, arguments) #symbol,
#include "preload/injected.def"
#undef ROW
};

/* Functions that launch take the arguments of a kernel. */
static bool is_launch(const struct function *f)
{
    return strstr(f->parameters, "void **parameters") || strstr(f->parameters, "cu_kernel_node *");
}

static bool is_wrapped(const char *symbol)
{
    for (size_t i = 0; i < COUNT(wrapped); i++)
        if (strcmp(wrapped[i].symbol, symbol) == 0)
            return true;
    return false;
}

static bool is_injected(const char *symbol)
{
    for (size_t i = 0; i < COUNT(injected); i++)
        if (strcmp(injected[i], symbol) == 0)
            return true;
    return false;
}

static unsigned missing(bool is_there, const char *symbol, const char *sentence)
{
    if (!is_there)
        print_error("%s launches kernels, and %s\n", symbol, sentence);
    return !is_there;
}

static unsigned missing_in_shim(const char *symbol)
{
    return missing(is_wrapped(symbol), symbol, "capture/preload/wrapped.def has no row of it") +
           missing(is_injected(symbol), symbol, "capture/preload/injected.def has no row of it");
}

static void test_launches(void **state)
{
    (void)state;
    unsigned launches = 0, wrong = 0;
    for (const struct function *f = functions; f < functions + COUNT(functions); f++) {
        if (!is_launch(f))
            continue;
        char variant[128];
        snprintf(variant, sizeof variant, "%s%s", f->symbol, f->suffix);
        launches++;
        wrong += missing_in_shim(f->symbol);
        if (*f->suffix)
            wrong += missing_in_shim(variant);
        wrong += missing(*f->suffix || !strncmp(f->symbol, "cuGraph", 7), f->symbol,
                         "its row in capture/stand_in/functions.def has no suffix for the variant "
                         "that uses the thread's own default stream");
    }
    assert_true(launches >= 5);
    assert_int_equal(wrong, 0);
}

/* program.c calls each of them, by `CU_AS(symbol, ...)`. */
static void test_program(void **state)
{
    (void)state;
    static char text[1 << 16];
    unsigned wrong = 0;
    FILE *file = fopen(TILERACE_SOURCE_DIR "/tests/capture/program.c", "r");
    assert_non_null(file);
    assert_in_range(fread(text, 1, sizeof text - 1, file), 1, sizeof text - 2);
    fclose(file);
    for (const struct function *f = functions; f < functions + COUNT(functions); f++) {
        char call[128];
        snprintf(call, sizeof call, "CU_AS(%s,", f->symbol);
        if (is_launch(f))
            wrong += missing(strstr(text, call), f->symbol,
                             "tests/capture/program.c has no function that calls it (a way of "
                             "tests/capture/ways.def)");
    }
    assert_int_equal(wrong, 0);
}

/* NULL: the stand-in has no such function. */
static const struct function *function_of(const struct wrapped *w)
{
    for (const struct function *f = functions; f < functions + COUNT(functions); f++) {
        size_t length = strlen(f->symbol);
        if (strncmp(w->symbol, f->symbol, length) == 0 && strcmp(w->name, f->name) == 0 &&
            strcmp(w->symbol + length, w->is_per_thread ? f->suffix : "") == 0)
            return f;
    }
    return NULL;
}

/* What the shim wraps is found in the stand-in under the same symbol, name and version, so that
 * tests without a GPU reach it. */
static void test_wrapped(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (const struct wrapped *w = wrapped; w < wrapped + COUNT(wrapped); w++) {
        const struct function *f = function_of(w);
        int since = !f                                                ? 0
                    : w->is_per_thread && f->since < PER_THREAD_SINCE ? PER_THREAD_SINCE
                                                                      : f->since;
        if (!f)
            print_error("%s is wrapped in capture/preload/wrapped.def, and "
                        "capture/stand_in/functions.def has no such symbol and name\n",
                        w->symbol);
        else if (w->since != since)
            print_error("%s is since %d in capture/preload/wrapped.def, and since %d by "
                        "capture/stand_in/functions.def\n",
                        w->symbol, w->since, since);
        wrong += !f || w->since != since;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Names and messages from outside stay text in each language that a report is written in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/report_private.h"

#define NO_CHARACTER "\xef\xbf\xbd"

/* Whatever may stand in a file's name or a symbol's. */
static const char hostile[] =
    "a|b <i>&\"' ]]>\r\n::error::x,y:100% `c` [l](u) \x01\x1b[31m \xff\xc3 ä \xef\xbf\xbf\t$x$";

static void expect(tr_text *text, const char *expected)
{
    assert_string_equal(tr_text_get(text), expected);
    tr_text_free(text);
}

static void test_xml(void **state)
{
    (void)state;
    tr_text text = {0};
    escape_xml(&text, hostile, false);
    expect(&text, "a|b &lt;i&gt;&amp;&quot;' ]]&gt;&#13;\n::error::x,y:100% `c` "
                  "[l](u) " NO_CHARACTER NO_CHARACTER "[31m " NO_CHARACTER NO_CHARACTER
                  " ä " NO_CHARACTER "\t$x$");
    escape_xml(&text, "a\tb\nc\rd", true);
    expect(&text, "a&#9;b&#10;c&#13;d");
}

static void test_markdown(void **state)
{
    (void)state;
    tr_text text = {0};
    escape_markdown(&text, hostile);
    expect(&text, "a\\|b &lt;i&gt;&amp;\"' \\]\\]&gt;  ::error::x,y:100% \\`c\\` "
                  "\\[l\\](u) " NO_CHARACTER NO_CHARACTER "\\[31m " NO_CHARACTER NO_CHARACTER
                  " ä \xef\xbf\xbf \\$x\\$");
    escape_markdown(&text, "\\|");
    expect(&text, "\\\\\\|");
}

static void test_command(void **state)
{
    (void)state;
    tr_text text = {0};
    escape_command(&text, hostile, false);
    expect(&text, "a|b <i>&\"' ]]>%0D%0A::error::x,y:100%25 `c` [l](u) " NO_CHARACTER NO_CHARACTER
                  "[31m " NO_CHARACTER NO_CHARACTER " ä \xef\xbf\xbf\t$x$");
    escape_command(&text, "a:b,c%\n", true);
    expect(&text, "a%3Ab%2Cc%25%0A");
}

/* A sequence that the text's end cuts off is not read beyond it. */
static void test_cut(void **state)
{
    (void)state;
    tr_text text = {0};
    escape_xml(&text, "\xf0\x9d\x95", false);
    expect(&text, NO_CHARACTER NO_CHARACTER NO_CHARACTER);
    escape_xml(&text, "", true);
    expect(&text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xml),
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

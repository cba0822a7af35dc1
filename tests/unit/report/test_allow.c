/* Comments that allow findings, in each language: where they stand, what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "report/allow.h"
#include "report/report.h"

#define REASON "tilerace: allow(TR001): why"

typedef struct row {
    const char *file, *text;
    uint32_t kernel, finding, end; /* lines; end 0: the same one */
    const char *reason;            /* NULL: it is not allowed */
    size_t n_unused, n_wrong;
} row;

static void check(const row *r)
{
    tr_arena *arena = tr_arena_new();
    const tr_unsaved_file file = {r->file, r->text, strlen(r->text)};
    const tr_unsaved unsaved = {1, &file};
    const tr_place kernel_place = {.file = r->file, .line = r->kernel, .column = 1};
    const tr_place place = {.file = r->file,
                            .line = r->finding,
                            .column = 1,
                            .end_line = r->end ? r->end : r->finding,
                            .end_column = 2};
    finding_location location = {.place = &place};
    finding f = {.rule = RULE_INTER_BLOCK_WRITE_WRITE,
                 .level = LEVEL_ERROR,
                 .n_locations = 1,
                 .locations = &location};
    kernel_report kernel = {.kernel = "k",
                            .place = &kernel_place,
                            .verdict = VERDICT_RACE,
                            .n_findings = 1,
                            .findings = &f};
    input_report input = {.file = r->file, .n_kernels = 1, .kernels = &kernel};
    report_mark_allowed(arena, &unsaved, &input);
    size_t n[REMARK_KINDS] = {0};
    for (size_t i = 0; i < input.n_remarks; i++)
        n[input.remarks[i].kind]++;
    bool is_allowed = f.hidden.by == HIDDEN_BY_COMMENT;
    bool good = is_allowed == (r->reason != NULL) &&
                (!is_allowed || strcmp(f.hidden.reason, r->reason) == 0) &&
                n[REMARK_UNUSED] == r->n_unused && n[REMARK_WRONG] == r->n_wrong;
    if (!good)
        fail_msg("%s, expected '%s', %zu, %zu; got '%s', %zu, %zu:\n%s", r->file,
                 r->reason ? r->reason : "-", r->n_unused, r->n_wrong,
                 is_allowed ? f.hidden.reason : "-", n[REMARK_UNUSED], n[REMARK_WRONG], r->text);
    if (is_allowed)
        assert_string_equal(f.hidden.place->file, r->file);
    tr_arena_free(arena);
}

static void check_all(size_t n, const row *rows)
{
    for (size_t i = 0; i < n; i++)
        check(&rows[i]);
}

static void test_c(void **state)
{
    (void)state;
    static const row rows[] = {
        {"k.c", "void k()\n{\n  y = 1; // " REASON "\n}\n", 1, 3, 0, "why"},
        {"k.c", "void k()\n{\n  y = 1; /* " REASON " */\n}\n", 1, 3, 0, "why"},
        {"k.c", "void k()\n{\n  // " REASON "\n  y = 1;\n}\n", 1, 4, 0, "why"},
        {"k.c", "void k()\n{\n  // " REASON "\n\n  // more\n  y = 1;\n}\n", 1, 6, 0, "why"},
        {"k.c", "void k()\n{\n  /* a\n   * " REASON "\n   * and so */\n  y = 1;\n}\n", 1, 6, 0,
         "why and so"},
        {"k.c", "void k()\n{\n  /* " REASON " */ y = 1;\n}\n", 1, 3, 0, "why"},
        {"k.c", "void k()\n{\n  y(1,\n    2); // " REASON "\n}\n", 1, 3, 4, "why"},
        {"k.c", "void k()\n{\n  z = 1; // " REASON "\n  y = 1;\n}\n", 1, 4, 0, NULL, 1},
        {"k.c", "void k()\n{\n  y = 1;\n  // " REASON "\n}\n", 1, 3, 0, NULL, 1},
        {"k.c", "void k()\n{\n  y = \"// " REASON "\";\n}\n", 1, 3, 0, NULL},
        {"k.c", "void k()\n{\n  y = \"\\\"// " REASON "\";\n}\n", 1, 3, 0, NULL},
        {"k.c", "void k()\n{\n  y = '\"'; // " REASON "\n}\n", 1, 3, 0, "why"},
        {"k.c", "void k()\n{\n  y = 1'000 + '\\''; // " REASON "\n}\n", 1, 3, 0, "why"},
        {"k.cu", "void k()\n{\n  y = R\"a(\" // " REASON "\n)a\";\n}\n", 1, 3, 0, NULL},
        {"k.cu", "void k()\n{\n  y = R\"(\")\"; // " REASON "\n}\n", 1, 3, 0, "why"},
        {"k.c", "void k()\n{\n  // a \\\n  " REASON "\n  y = 1;\n}\n", 1, 5, 0, "why"},
        /* CRLF, the end of the file, bytes that are no UTF-8 */
        {"k.c", "void k()\r\n{\r\n  y = 1; // " REASON "\r\n}\r\n", 1, 3, 0, "why"},
        {"k.c", "void k() {\n y = 1; // " REASON, 1, 2, 0, "why"},
        {"k.c", "void k() {\n y = 1; // \xff\xfe " REASON, 1, 2, 0, "why"},
        {"k.c", "void k() {\n y = 1; /* " REASON, 1, 2, 0, "why"}, /* which Clang refuses */
        {"k.c", "", 7, 9, 0, NULL},
    };
    check_all(TR_COUNT(rows), rows);
}

static void test_kernels(void **state)
{
    (void)state;
    static const row rows[] = {
        {"k.c", "// " REASON "\ntile_kernel void k()\n{\n  y = 1;\n}\n", 2, 4, 0, "why"},
        {"k.c", "// " REASON "\n\n/* it is\n so */\nstatic\ntile_kernel void k()\n{\n  y = 1;\n}\n",
         6, 8, 0, "why"},
        {"k.c", "tile_kernel void k() // " REASON "\n{\n  y = 1;\n}\n", 1, 3, 0, "why"},
        {"k.c", "// " REASON "\nint g;\ntile_kernel void k()\n{\n  y = 1;\n}\n", 3, 5, 0, NULL, 1},
        {"k.c", "// " REASON "\nvoid h() {}\ntile_kernel void k()\n{\n  y = 1;\n}\n", 3, 5, 0, NULL,
         1},
        {"k.c", "void h() {} // " REASON "\ntile_kernel void k()\n{\n  y = 1;\n}\n", 2, 4, 0, NULL,
         1},
        {"k.cu",
         "// " REASON "\n#define A {\n[[a(\"{\")]] __attribute__((b({ 1; })))\ntemplate <int N>\n"
         "__tile_global__ void k()\n{\n  y = 1;\n}\n",
         5, 7, 0, "why"},
        {"k.py", "# " REASON "\n@kernel(a={1: 2},\n        b=3)\ndef k(x):\n    y = 1\n", 4, 5, 0,
         "why"},
        {"k.py", "# " REASON "\n@kernel\ndef k(x):\n    y = 1\n", 2, 4, 0, "why"},
        {"k.py", "@kernel\n# " REASON "\ndef k(x):\n    y = 1\n", 1, 4, 0, "why"},
        {"k.py", "@kernel\n# " REASON "\ndef k(x):\n    y = 1\n", 3, 4, 0, "why"},
        {"k.py", "@kernel\ndef k(x):  # " REASON "\n    y = 1\n", 2, 3, 0, "why"},
        {"k.py", "@kernel  # " REASON "\ndef k(x):\n    y = 1\n", 2, 3, 0, "why"},
        {"k.py", "# " REASON "\na = 1\n@kernel\ndef k(x):\n    y = 1\n", 4, 5, 0, NULL, 1},
        {"k.py", "@kernel\ndef k(x):\n    # " REASON "\n    z = 1\n    y = 1\n", 1, 5, 0, NULL, 1},
        {"k.rs", "// " REASON "\n#[entry(a = \"{\")]\npub fn k<'a>(x: &'a T)\n{\n  y = 1;\n}\n", 3,
         5, 0, "why"},
        {"k.rs", "// " REASON "\nuse a;\nfn k()\n{\n  y = 1;\n}\n", 3, 5, 0, NULL, 1},
        {"k.jl", "# " REASON "\n\"\"\"\nwords\n\"\"\"\nfunction k(x)\n  y = 1\nend\n", 5, 6, 0,
         "why"},
        {"k.jl", "# " REASON "\na = 1\nfunction k(x)\n  y = 1\nend\n", 3, 4, 0, NULL, 1},
    };
    check_all(TR_COUNT(rows), rows);
}

static void test_languages(void **state)
{
    (void)state;
    static const row rows[] = {
        {"k.py", "def k():\n  y = 1  # " REASON "\n", 1, 2, 0, "why"},
        {"k.py", "def k():\n  y = 1 // 2  # " REASON "\n", 1, 2, 0, "why"},
        {"k.py", "def k():\n  y = 1  // " REASON "\n", 1, 2, 0, NULL},
        {"k.py", "def k():\n  y = '# " REASON "'\n", 1, 2, 0, NULL},
        {"k.py", "def k():\n  y = '''\n# " REASON "\n'''; z = 1\n", 1, 4, 0, NULL},
        {"k.py", "def k():\n  y = r'\\'; z = '# " REASON "'\n", 1, 2, 0, "why'"},
        {"k.py", "def k():\n  y = f\"{a[\"# " REASON "\"]}\"\n", 1, 2, 0, NULL},
        {"k.py", "def k():\n  y = f\"{{\" # " REASON "\n", 1, 2, 0, "why"},
        {"k.py", "def k():\n  y = 'it''s'  # " REASON "\n", 1, 2, 0, "why"},
        {"k.rs", "fn k() {\n  y = 'a'; // " REASON "\n}", 1, 2, 0, "why"},
        {"k.rs", "fn k() {\n  y = '\"'; // " REASON "\n}", 1, 2, 0, "why"},
        {"k.rs", "fn k() {\n  y::<'a>(\"// " REASON "\");\n}", 1, 2, 0, NULL},
        {"k.rs", "fn k() {\n  y = r#\"\"// " REASON "\"#;\n}", 1, 2, 0, NULL},
        {"k.rs", "fn k() {\n  /* /* */ " REASON " */ y = 1;\n}", 1, 2, 0, "why"},
        {"k.rs", "fn k() {\n  y = \"\n // " REASON "\n\"; z = 1;\n}", 1, 4, 0, NULL},
        {"k.jl", "function k()\n  y = x' # " REASON "\n", 1, 2, 0, "why"},
        {"k.jl", "function k()\n  y = '\"' # " REASON "\n", 1, 2, 0, "why"},
        {"k.jl", "function k()\n  y = \"# " REASON "\"\n", 1, 2, 0, NULL},
        {"k.jl", "function k()\n  y = \"$(a[\"# " REASON "\"])\"\n", 1, 2, 0, NULL},
        {"k.jl", "function k()\n  #= a #= b =# " REASON " =#\n  y = 1\n", 1, 3, 0, "why"},
    };
    check_all(TR_COUNT(rows), rows);
}

static void test_words(void **state)
{
    (void)state;
#define LINE(comment) "void k() {\n  y = 1; // " comment "\n}\n", 1, 2, 0
    static const row rows[] = {
        {"k.c", LINE("tilerace: allow(TR008, TR001): why"), "why", 1},
        {"k.c", LINE("tilerace: allow( inter-block-write-write ): why"), "why"},
        {"k.c", LINE("tilerace:allow(TR001):why"), "why"},
        {"k.c", LINE("tilerace: allow (TR001): why"), NULL, 0, 1},
        {"k.c", LINE("mind tilerace: allow(TR001): why"), "why"},
        {"k.c", LINE("nottilerace: allow(TR001): why"), NULL},
        {"k.c", LINE("tilerace: allow(TR001)"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR001):  "), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR001) why"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR001): REASON"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR001"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(): why"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR999): why"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(tr001): why"), NULL, 0, 1},
        {"k.c", LINE("tilerace: allow(TR999, TR001): why"), "why", 0, 1},
        {"k.c", LINE("tilerace: disallow(TR001): why"), NULL, 0, 1},
        {"k.c", LINE("tilerace: it says so"), NULL},
        {"k.c", LINE("tilerace: allow(TR002): why"), NULL, 1},
        {"k.c", LINE("tilerace: allow(TR002): a tilerace: allow(TR001): b"), "b", 1},
        {"k.c", LINE("NOLINT(TR001)"), "NOLINT(TR001)"},
        {"k.c", LINE("NOLINT(bugprone-*, TR001): why"), "NOLINT(bugprone-*, TR001)"},
        {"k.c", LINE("NOLINT(TR0*)"), "NOLINT(TR0*)"},
        {"k.c", LINE("NOLINT(inter-block-*)"), NULL},
        {"k.c", LINE("NOLINT(TR0*,-TR001)"), NULL, 1},
        {"k.c", LINE("NOLINT (TR001)"), NULL},
        {"k.c", LINE("NOLINT"), NULL},
        {"k.c", LINE("NOLINT(*)"), NULL},
        {"k.c", LINE("NOLINT(bugprone-infinite-loop"), NULL},
        {"k.c", LINE("NOLINT(TR001"), NULL, 0, 1},
        {"k.c", LINE("NOLINT(TR999)"), NULL, 0, 1},
        {"k.c", LINE("NOLINTBEGIN(TR001)"), NULL, 0, 1},
        {"k.c", LINE("NOLINTNEXTLINE(TR001)"), NULL, 1},
        {"k.c", "void k() {\n  // NOLINTNEXTLINE(TR001)\n  y = 1;\n}\n", 1, 3, 0,
         "NOLINTNEXTLINE(TR001)"},
        {"k.c", "void k() {\n  // NOLINTNEXTLINE(TR001)\n\n  y = 1;\n}\n", 1, 4, 0, NULL, 1},
        {"k.c", "// NOLINT(TR001)\nvoid k() {\n  y = 1;\n}\n", 2, 3, 0, NULL, 1},
    };
    check_all(TR_COUNT(rows), rows);
}

/* Whoever does not know all of a file calls no comment of it unused. */
static void test_unused(void **state)
{
    (void)state;
    const char *text = "void k() {\n  y = 1; // tilerace: allow(TR001): why\n}\n";
    tr_arena *arena = tr_arena_new();
    const tr_unsaved_file file = {"k.c", text, strlen(text)};
    const tr_unsaved unsaved = {1, &file};
    const tr_place place = {.file = "k.c", .line = 1, .column = 1};
    for (int i = 0; i < 4; i++) {
        kernel_report kernel = {.kernel = "k", .place = &place, .verdict = VERDICT_RACE_FREE};
        input_report input = {.file = "k.c", .n_kernels = 1, .kernels = &kernel};
        kernel.verdict = i == 1 ? VERDICT_UNKNOWN : VERDICT_RACE_FREE;
        kernel.unknown = i == 2;
        input.file = i == 3 ? "module" : "k.c"; /* of which other kernels may not be there */
        report_mark_allowed(arena, &unsaved, &input);
        assert_int_equal(input.n_remarks, i == 0);
    }
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c),         cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_languages), cmocka_unit_test(test_words),
        cmocka_unit_test(test_unused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

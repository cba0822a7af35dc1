/* Which files of a tree are meant: patterns, .gitignore files by folder, names within a repository,
 * and the order of a walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "folders/folder.h"
#include "folders/ignore.h"
#include "folders/pattern.h"
#include "folders/repository.h"

/* ---- Section: A tree of files ---- */

static char tree[PATH_MAX];

static const char *in_tree(const char *name)
{
    static char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    return path;
}

static void make_file(const char *name, const char *text)
{
    FILE *file = fopen(in_tree(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(in_tree(name), 0700), 0);
}

static int make_tree(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(tree, sizeof tree, "%s/folders-XXXXXX", base ? base : P_tmpdir);
    assert_non_null(mkdtemp(tree));
    make_folder(".git");
    make_file(".git/HEAD", "ref: refs/heads/main\n");
    make_folder(".git/objects");
    make_folder(".git/refs");
    make_folder("a");
    make_folder("a/b");
    make_file(".gitignore", "*.o\n/made/\n");
    make_file("a/.gitignore", "!kept.o\n");
    make_file("a/one.c", "");
    make_file("a/b/two.c", "");
    make_file("a/kept.o", "");
    return 0;
}

static int remove_tree(void **state)
{
    static const char *const files[] = {"a/kept.o",     "a/b/two.c", "a/one.c", "a/.gitignore",
                                        ".gitignore",   "a/b",       "a",       ".git/HEAD",
                                        ".git/objects", ".git/refs", ".git"};
    (void)state;
    for (size_t i = 0; i < TR_COUNT(files); i++)
        remove(in_tree(files[i]));
    return rmdir(tree);
}

/* ---- Section: Patterns ---- */

static void last_match_decides(void **state)
{
    static const struct {
        const char *lines, *path;
        bool is_folder, found, negated;
    } cases[] = {
        {"*.c", "x/y.c", false, true, false},        {"*.c\n!y.c", "x/y.c", false, true, true},
        {"!y.c\n*.c", "x/y.c", false, true, false},  {"/y.c", "x/y.c", false, false, false},
        {"x/*.c", "x/y.c", false, true, false},      {"x/*.c", "x/z/y.c", false, false, false},
        {"x/**/y.c", "x/z/y.c", false, true, false}, {"made/", "made", true, true, false},
        {"made/", "made", false, false, false},      {"# y.c\n\n", "y.c", false, false, false},
        {"[a-c]?.c", "bx.c", false, true, false},    {"[!a-c]?.c", "bx.c", false, false, false},
    };
    (void)state;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        tr_arena *arena = tr_arena_new();
        patterns all = {0};
        patterns_add_file(arena, &all, cases[i].lines, strlen(cases[i].lines));
        const pattern *found = patterns_find(&all, cases[i].path, cases[i].is_folder);
        assert_int_equal(found != NULL, cases[i].found);
        if (found)
            assert_int_equal(found->negated, cases[i].negated);
        tr_arena_free(arena);
    }
}

static void folders_have_their_own(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_errors warnings = tr_errors_make(arena);
    ignore_stack *g = ignore_open();
    ignore_enter_above(g, tree, &warnings);
    ignore_enter(g, tree, &warnings);
    assert_true(ignore_has(g, "kept.o", false));
    assert_true(ignore_has(g, "made", true));
    assert_false(ignore_has(g, "a", true));
    ignore_enter(g, in_tree("a"), &warnings);
    assert_false(ignore_has(g, "kept.o", false));
    assert_true(ignore_has(g, "other.o", false));
    assert_false(ignore_has(g, "made", true)); /* it speaks of the one at the root */
    ignore_leave(g);
    assert_true(ignore_has(g, "kept.o", false));
    ignore_close(g);
    assert_int_equal(tr_errors_count(&warnings), 0);
    tr_errors_free(&warnings);
    tr_arena_free(arena);
}

/* ---- Section: Repositories and walks ---- */

static void names_start_at_the_root(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    assert_true(ignore_is_root(tree));
    assert_false(ignore_is_root(in_tree("a")));
    const char *root = repository_root(arena, in_tree("a/b"));
    assert_string_equal(root, tree);
    assert_string_equal(repository_name(arena, root, in_tree("a//b/./two.c")), "a/b/two.c");
    assert_true(repository_holds("a/b/two.c"));
    assert_false(repository_holds("../two.c"));
    tr_arena_free(arena);
}

static void walks_by_name(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char **files = folder_files(arena, in_tree("a"), NULL, NULL);
    static const char *const expected[] = {"a/.gitignore", "a/b/two.c", "a/kept.o", "a/one.c"};
    assert_int_equal(arrlenu(files), TR_COUNT(expected));
    for (size_t i = 0; i < TR_COUNT(expected); i++)
        assert_string_equal(files[i], in_tree(expected[i]));
    arrfree(files);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_match_decides),
        cmocka_unit_test_setup_teardown(folders_have_their_own, make_tree, remove_tree),
        cmocka_unit_test_setup_teardown(names_start_at_the_root, make_tree, remove_tree),
        cmocka_unit_test_setup_teardown(walks_by_name, make_tree, remove_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

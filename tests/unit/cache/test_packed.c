/* The packed form of a result: every member comes back, reports of what comes back are the same
 * bytes in every format, and no other bytes are taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "cache/packed.h"
#include "driver/prepare.h"
#include "inputs/load.h"
#include "report/report.h"
#include "session/session.h"

/* ---- Section: Values in which no two members are alike ---- */

typedef struct maker {
    tr_arena *arena;
    int64_t next;
    int depth; /* so many structs may still hold each other by a pointer */
} maker;

enum { SOME = 2 };

static const char *text_of(maker *m)
{
    return tr_arena_printf(m->arena, "text %lld \xc3\xa9\n", (long long)m->next++);
}

static void fill(maker *m, const packed_type *type, char *to);

static void fill_list(maker *m, const packed_field *f, char *of)
{
    size_t n;
    memcpy(&n, of + f->count, sizeof n);
    char *list = tr_arena_alloc(m->arena, n * (f->type ? f->type->size : 8) + 8);
    *(char **)(of + f->offset) = list;
    for (size_t i = 0; i < n; i++) {
        if (f->kind == PACKED_TEXT_LIST)
            ((const char **)list)[i] = text_of(m);
        else if (f->kind == PACKED_I64_LIST)
            ((int64_t *)list)[i] = -(int64_t)((uint64_t)m->next++ << 40);
        else if (f->kind == PACKED_SIZE_LIST)
            ((size_t *)list)[i] = (size_t)m->next++;
        else if (f->kind == PACKED_DOUBLE_LIST)
            ((double *)list)[i] = 1.0 / (double)m->next++;
        else
            fill(m, f->type, list + i * f->type->size);
    }
}

static void fill_field(maker *m, const packed_field *f, char *of)
{
    char *at = of + f->offset;
    switch (f->kind) {
    case PACKED_TEXT:
    case PACKED_WORDS:
        *(const char **)at = text_of(m);
        break;
    case PACKED_CHARS:
        snprintf(at, f->count, "%032lld", (long long)m->next++);
        break;
    case PACKED_U32:
        *(uint32_t *)at = UINT32_MAX - (uint32_t)m->next++;
        break;
    case PACKED_BOOL:
        *(bool *)at = true;
        break;
    case PACKED_I64:
        *(int64_t *)at = INT64_MIN + m->next++;
        break;
    case PACKED_DOUBLE:
        *(double *)at = 1.0 / (double)m->next++;
        break;
    case PACKED_INT:
    case PACKED_ENUM:
        *(int *)at = (int)f->most;
        break;
    case PACKED_COUNT:
        *(size_t *)at = SOME;
        break;
    case PACKED_SIZE:
        *(size_t *)at = SIZE_MAX - (size_t)m->next++;
        break;
    case PACKED_I64S:
        for (size_t i = 0; i < f->count; i++)
            ((int64_t *)at)[i] = m->next++;
        break;
    case PACKED_TEXTS_IN:
        for (size_t i = 0; i < f->count; i++)
            ((const char **)at)[i] = text_of(m);
        break;
    case PACKED_ONE:
        if (m->depth == 0)
            break;
        m->depth--;
        *(char **)at = tr_arena_alloc(m->arena, f->type->size);
        fill(m, f->type, *(char **)at);
        m->depth++;
        break;
    case PACKED_IN:
        fill(m, f->type, at);
        break;
    case PACKED_IN_ARRAY:
        for (size_t i = 0; i < f->count; i++)
            fill(m, f->type, at + i * f->type->size);
        break;
    case PACKED_LEFT:
        break;
    default:
        fill_list(m, f, of);
    }
}

static void fill(maker *m, const packed_type *type, char *to)
{
    for (size_t i = 0; i < type->n; i++)
        fill_field(m, &type->fields[i], to);
}

static checked_input whole(tr_arena *arena)
{
    maker m = {.arena = arena, .next = 1, .depth = 4};
    checked_input input = {0};
    fill(&m, packed_table(), (char *)&input);
    return input;
}

static void every_member_comes_back(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    checked_input before = whole(arena), after;
    tr_text bytes = {0}, again = {0};
    assert_true(packed_write(&bytes, &before));
    assert_true(packed_read(arena, bytes.data, bytes.length, &after));
    assert_true(packed_write(&again, &after));
    assert_int_equal(bytes.length, again.length);
    assert_memory_equal(bytes.data, again.data, bytes.length);
    /* The writer may not know of what the reader lost: a few of each kind, by hand. */
    const finding *f = &after.report.kernels[1].findings[1];
    const finding *g = &before.report.kernels[1].findings[1];
    assert_string_equal(f->fingerprint, g->fingerprint);
    assert_string_equal(f->witness->events[1].sources[3], g->witness->events[1].sources[3]);
    assert_true(f->witness->contents[1].floats[1] == g->witness->contents[1].floats[1]);
    assert_int_equal(f->witness->events[1].iterations[1], g->witness->events[1].iterations[1]);
    assert_string_equal(f->witness->params[1].arg->place->inlined_at->file,
                        g->witness->params[1].arg->place->inlined_at->file);
    assert_string_equal(f->locations[1].place->file, g->locations[1].place->file);
    assert_int_equal(after.report.kernels[1].requires_[1].what.args[1],
                     before.report.kernels[1].requires_[1].what.args[1]);
    assert_string_equal(after.kernels[1].symbol, before.kernels[1].symbol);
    tr_text_free(&bytes);
    tr_text_free(&again);
    tr_arena_free(arena);
}

/* Each member has a row of its own, and no two rows are of one. */
static void every_byte_has_a_row(const packed_type *type, int depth)
{
    char *seen = calloc(1, type->size);
    assert_non_null(seen);
    for (size_t i = 0; i < type->n; i++) {
        const packed_field *f = &type->fields[i];
        for (size_t k = 0; k < f->size; k++) {
            if (seen[f->offset + k])
                fail_msg("%s.%s has two rows", type->name, f->name);
            seen[f->offset + k] = 1;
        }
        if (f->type && f->type != type && depth < 8)
            every_byte_has_a_row(f->type, depth + 1);
    }
    size_t run = 0;
    for (size_t i = 0; i < type->size; i++) {
        run = seen[i] ? 0 : run + 1;
        if (run >= 8)
            fail_msg("%s has a member without a row at byte %zu", type->name, i);
    }
    free(seen);
}

static void the_table_covers_the_structs(void **state)
{
    (void)state;
    every_byte_has_a_row(packed_table(), 0);
}

static void what_is_cut_or_longer_is_refused(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    checked_input before = whole(arena), after;
    tr_text bytes = {0};
    assert_true(packed_write(&bytes, &before));
    size_t step = getenv("TILERACE_ALL") ? 1 : 7;
    for (size_t n = 0; n < bytes.length; n += n < 4096 ? 1 : step) {
        tr_arena *own = tr_arena_new();
        char *cut = malloc(n + 1); /* of its own size: what is read beyond it is seen */
        assert_non_null(cut);
        memcpy(cut, bytes.data, n);
        assert_false(packed_read(own, cut, n, &after));
        if (n >= 24) { /* the head says the shorter length */
            for (int i = 0; i < 8; i++)
                cut[16 + i] = (char)((n - 24) >> (8 * i));
            assert_false(packed_read(own, cut, n, &after));
            assert_null(after.report.file);
        }
        free(cut);
        tr_arena_free(own);
    }
    tr_text_addn(&bytes, "", 1);
    assert_false(packed_read(arena, bytes.data, bytes.length, &after));
    tr_text_free(&bytes);
    tr_arena_free(arena);
}

static void another_version_is_refused(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    checked_input before = whole(arena), after;
    tr_text bytes = {0};
    assert_true(packed_write(&bytes, &before));
    for (size_t i = 0; i < 24; i++) {
        bytes.data[i] ^= 1;
        assert_false(packed_read(arena, bytes.data, bytes.length, &after));
        bytes.data[i] ^= 1;
    }
    assert_true(packed_read(arena, bytes.data, bytes.length, &after));
    tr_text_free(&bytes);
    tr_arena_free(arena);
}

/* A count that is not true asks for no memory: no more than the bytes can be is taken. */
static void wrong_bytes_cost_nothing(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    checked_input before = whole(arena), after;
    tr_text bytes = {0};
    assert_true(packed_write(&bytes, &before));
    for (size_t i = 24; i < bytes.length; i += 5)
        for (int k = 0; k < 3; k++) {
            static const char others[] = {'\x7f', '\xff', 0};
            char kept = bytes.data[i];
            tr_arena *own = tr_arena_new();
            bytes.data[i] = others[k];
            packed_read(own, bytes.data, bytes.length, &after);
            assert_true(tr_arena_used(own) < 64 * bytes.length + (1 << 16));
            bytes.data[i] = kept;
            tr_arena_free(own);
        }
    tr_text_free(&bytes);
    tr_arena_free(arena);
}

static void nests_no_deeper_than_it_reads(void **state)
{
    (void)state;
    enum { FRAMES = 1000 };
    tr_place *frames = calloc(FRAMES, sizeof *frames);
    assert_non_null(frames);
    for (size_t i = 0; i + 1 < FRAMES; i++)
        frames[i].inlined_at = &frames[i + 1];
    kernel_report kernel = {.kernel = "k", .tokens_per_name = true, .place = frames};
    checked_input input = {.report = {.file = "a.c", .n_kernels = 1, .kernels = &kernel}};
    tr_text bytes = {0};
    assert_false(packed_write(&bytes, &input));
    assert_int_equal(bytes.length, 0);
    frames[200].inlined_at = NULL;
    assert_true(packed_write(&bytes, &input));
    tr_text_free(&bytes);
    free(frames);
}

/* ---- Section: Reports of the repository ---- */

static void reports_are_equal(const checked_input *a, const checked_input *b, const char *folder)
{
    full_report of_a = {.solver = a->solver, .n_inputs = 1, .inputs = (input_report *)&a->report};
    full_report of_b = {.solver = b->solver, .n_inputs = 1, .inputs = (input_report *)&b->report};
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        for (int verbose = 0; verbose < 2; verbose++) {
            report_options options = {.verbose = verbose, .color = verbose, .folder = folder};
            tr_text from_a = {0}, from_b = {0};
            report_write(&from_a, &of_a, (report_format)f, &options);
            report_write(&from_b, &of_b, (report_format)f, &options);
            if (strcmp(tr_text_get(&from_a), tr_text_get(&from_b)) != 0)
                fail_msg("%s differs as %s", a->report.file, report_format_name((report_format)f));
            tr_text_free(&from_a);
            tr_text_free(&from_b);
        }
}

/* TILERACE_SEEDS=FOLDER: the packed forms there, as seeds for tests/fuzz/read_packed.c. */
static void keep_as_seed(session *s, const char *file, const tr_text *bytes)
{
    const char *folder = getenv("TILERACE_SEEDS"), *name = strrchr(file, '/'), *why = NULL;
    if (folder)
        assert_true(tr_write_whole(s->arena, tr_arena_printf(s->arena, "%s%s", folder, name),
                                   bytes->data, bytes->length, &why));
}

static void compare(session *s, const char *file)
{
    loaded input;
    load_input(s, file, 0, &input);
    checked_input before = {.report = {.file = file,
                                       .errors = input.errors.items,
                                       .n_errors = arrlenu(input.errors.items)}};
    size_t n = before.report.n_errors ? 0 : arrlenu(input.kernels);
    before.report.kernels = TR_NEW_ARRAY(input.arena, kernel_report, n + 1);
    for (size_t i = 0; i < n; i++)
        before.report.kernels[before.report.n_kernels++] =
            *load_check(s, &input, &input.kernels[i], &s->rules);
    before.solver = "a solver";
    checked_input after;
    tr_text bytes = {0};
    tr_arena *arena = tr_arena_new();
    assert_true(packed_write(&bytes, &before));
    keep_as_seed(s, file, &bytes);
    assert_true(packed_read(arena, bytes.data, bytes.length, &after));
    reports_are_equal(&before, &after, s->working_folder);
    load_free(&input); /* nothing of it is needed any more */
    reports_are_equal(&after, &after, s->working_folder);
    tr_text_free(&bytes);
    tr_arena_free(arena);
}

/* Each so many of a pattern; TILERACE_ALL: every one. */
static const struct {
    const char *pattern;
    size_t step;
} samples[] = {
    {"kernels/*.c", 9},
    {"kernels/*/*.tilebc", 40},
    {"build/fixtures/races/*.c", 40},
    {"tests/idioms/*.c", 40},
    {"tests/preconditions/*.c", 40},
    {"fixtures/races/*/*.tilebc", 60},
    {"tests/undefined/*.c", 20},
    {"tests/dialect/errors/*.c", 100},
    {"tests/idioms/*.tilebc", 4},
};

static void reports_of_the_repository_are_the_same(void **state)
{
    (void)state;
    driver_options options = {.command = COMMAND_CHECK};
    session s = {.arena = tr_arena_new(), .options = &options, .out = stdout, .err = stderr};
    assert_int_equal(chdir(TILERACE_SOURCE_DIR), 0);
    assert_int_equal(prepare_session(&s), EXIT_CLEAN);
    assert_int_equal(session_find_solver(&s), EXIT_CLEAN);
    size_t n = 0;
    for (size_t i = 0; i < TR_COUNT(samples); i++) {
        glob_t found = {0};
        size_t step = getenv("TILERACE_ALL") ? 1 : samples[i].step;
        assert_int_equal(glob(samples[i].pattern, 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k += step, n++)
            compare(&s, found.gl_pathv[k]);
        globfree(&found);
    }
    print_message("%zu files\n", n);
    prepare_release(&s);
    tr_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_comes_back),
        cmocka_unit_test(the_table_covers_the_structs),
        cmocka_unit_test(what_is_cut_or_longer_is_refused),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(wrong_bytes_cost_nothing),
        cmocka_unit_test(nests_no_deeper_than_it_reads),
        cmocka_unit_test(reports_of_the_repository_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

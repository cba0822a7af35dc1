/* Fuzz target: reports and baselines that are compared. The input is two files with a byte 0x1e
 * between them: what was found then, and now. Each is read as a report and as a baseline; reading
 * ends with findings or with an error. What is read is compared, and what is read of two baselines
 * is written as one, which is read again as the same. */
#include "given_file.h"

#include "base/ds.h"
#include "report/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static bool read_part(history *h, const char *path, bool as_baseline)
{
    bool is_old = false;
    tr_errors errors = tr_errors_make(h->arena);
    bool good = as_baseline ? baseline_read(h, path, &is_old, &errors)
                            : history_read_report(h, path, &errors);
    CHECK(good == (tr_errors_count(&errors) == 0), "it is read and there are errors, or neither\n");
    CHECK(!good || !is_old, "a baseline of another version is read\n");
    tr_errors_free(&errors);
    return good;
}

static void check_findings(const history *h, const history *other)
{
    for (size_t i = 0; i < arrlenu(h->findings); i++) {
        const history_finding *f = &h->findings[i];
        CHECK(f->rule && f->file && f->kernel && f->fingerprint && f->message, "half a finding\n");
        CHECK(f->group < arrlenu(h->kernels) && f->strength < HISTORY_STRENGTHS, "no kernel\n");
        CHECK(!f->has_other || f->other < arrlenu(other->findings), "no other\n");
        if (f->has_other)
            CHECK(other->findings[f->other].has_other && other->findings[f->other].other == i,
                  "it is the other's, and the other is not its\n");
    }
}

/* What a baseline lists is what is read of it. */
static void write_baseline(const history *then, const history *now)
{
    tr_arena *arena = tr_arena_new();
    tr_text text = {0}, again = {0};
    size_t n = baseline_write(&text, then, now);
    given_file file = given_file_make(tr_text_get(&text), text.length);
    history h = history_make(arena), none = history_make(arena);
    CHECK(read_part(&h, file.path, true), "what was written is not read:\n%s", tr_text_get(&text));
    CHECK(arrlenu(h.findings) == n, "%zu findings, not %zu:\n%s", arrlenu(h.findings), n,
          tr_text_get(&text));
    baseline_write(&again, &none, &h);
    CHECK(strcmp(tr_text_get(&text), tr_text_get(&again)) == 0, "%sread and written again:\n%s",
          tr_text_get(&text), tr_text_get(&again));
    history_free(&h);
    history_free(&none);
    given_file_close(&file);
    tr_text_free(&text);
    tr_text_free(&again);
    tr_arena_free(arena);
}

static void compare(const char *const paths[2], int kinds)
{
    tr_arena *arena = tr_arena_new();
    history then = history_make(arena), now = history_make(arena);
    if (read_part(&then, paths[0], kinds & 1) && read_part(&now, paths[1], kinds & 2)) {
        history_match(&then, &now);
        check_findings(&then, &now);
        check_findings(&now, &then);
        for (size_t i = 0; i < arrlenu(then.findings); i++)
            history_state_of(&now, then.findings[i].file, then.findings[i].kernel);
        if (kinds == 3)
            write_baseline(&then, &now);
    }
    history_free(&then);
    history_free(&now);
    tr_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *mark = size > 0 ? memchr(data, 0x1e, size) : NULL;
    size_t length = mark ? (size_t)(mark - data) : size;
    given_file files[2] = {given_file_make(data, length),
                           mark ? given_file_make(mark + 1, size - length - 1)
                                : given_file_make(data, length)};
    const char *const paths[2] = {files[0].path, files[1].path};
    for (int kinds = 0; kinds < 4; kinds++)
        compare(paths, kinds);
    given_file_close(&files[0]);
    given_file_close(&files[1]);
    return 0;
}

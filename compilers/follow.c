/* tilerace scan --follow: modules are checked as front ends write them into folders. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ds.h"
#include "bytecode/bytecode.h"
#include "cache/cache.h"
#include "checking/checking.h"
#include "checking/hide.h"
#include "checking/workers.h"
#include "compilers/scan.h"
#include "folders/folder.h"
#include "processes/pool.h"
#include "session/session.h"
#include "settings/configs.h"
#include "settings/fail_on.h"

enum { ROUND_MS = 200 };

typedef struct found_module {
    char *name; /* of malloc, as are the bytes */
    unsigned char *bytes;
    size_t size;
    tr_text text; /* what is said of it */
    report_totals totals;
    char *failure;  /* why the command fails, whatever was found; or NULL */
    bool may_go_on; /* it is a check that ended by itself: of other modules nothing is lost */
} found_module;

typedef struct following {
    session *s;
    found_module *found; /* stb_ds array: all that were seen, for the same is checked once */
    const char **names;  /* stb_ds arrays: of the same */
    const bytecode_image **images;
    size_t n_checked;
    report_totals totals;
    bool stops; /* the solver is unusable, or nobody reads */
} following;

/* ---- Section: Finding ---- */

static bool is_known(const following *f, const bytecode_image *image)
{
    for (size_t i = 0; i < arrlenu(f->found); i++)
        if (f->found[i].size == image->size &&
            memcmp(f->found[i].bytes, image->bytes, image->size) == 0)
            return true;
    return false;
}

static void add(following *f, const char *name, const bytecode_image *image)
{
    found_module m = {.name = strdup(name), .bytes = malloc(image->size), .size = image->size};
    if (!m.name || !m.bytes) {
        free(m.name);
        free(m.bytes);
        return;
    }
    memcpy(m.bytes, image->bytes, image->size);
    arrput(f->found, m);
}

static const char *take(void *user, const char *path, const unsigned char *bytes, size_t size)
{
    following *f = user;
    tr_arena *arena = tr_arena_new();
    bytecode_image *images = bytecode_find_images(arena, bytes, size);
    const char *unfinished = bytecode_begins(bytes, size) ? "its Tile IR is cut off" : NULL;
    for (size_t i = 0; i < arrlenu(images); i++)
        if (!images[i].bytes)
            unfinished = "its Tile IR is cut off or damaged";
        else if (!is_known(f, &images[i]))
            add(f, scan_name(arena, path, images, i), &images[i]);
    arrfree(images);
    tr_arena_free(arena);
    return unfinished;
}

/* ---- Section: Checking ---- */

static bool ended_by_itself(const input_report *report)
{
    for (size_t k = 0; k < report->n_kernels; k++)
        if (report->kernels[k].verdict == VERDICT_UNKNOWN &&
            report->kernels[k].reason.kind == REASON_WORKER_ENDED)
            return true;
    return false;
}

/* Words for a module: workers_task.take. */
static void take_result(void *user, size_t number, const tr_text *packed)
{
    following *f = user;
    session *s = f->s;
    found_module *m = &f->found[number];
    tr_arena *arena = tr_arena_new();
    const report_options how = {.color = session_color(s, s->out),
                                .verbose = s->options->verbose,
                                .folder = s->working_folder};
    checked_input result = checking_result(s, number, packed, arena);
    input_report *report = &result.report;
    report_mark_allowed(arena, NULL, report);
    hide_findings(arena, session_settings(s, number), report);
    hide_remarks(arena, session_settings(s, number), report);
    report_write_remarks(&m->text, report, &how);
    for (size_t e = 0; e < report->n_errors; e++)
        report_write_error(&m->text, m->name, &report->errors[e], &how);
    for (size_t k = 0; k < report->n_kernels; k++)
        report_write_kernel(&m->text, report, &report->kernels[k], true, &how);
    const full_report all = {.n_inputs = 1, .inputs = report};
    m->totals = report_count(&all);
    m->failure = result.failure ? strdup(result.failure) : NULL;
    m->may_go_on = ended_by_itself(report);
    tr_arena_free(arena);
}

/* Checks the modules that were found since the last time, from the cache or by workers. */
static void check_new(void *user, size_t i)
{
    following *f = user;
    size_t *unknown = NULL;
    (void)i;
    for (size_t number = f->n_checked; number < arrlenu(f->found); number++) {
        tr_text packed = {0};
        if (checking_recall(f->s, number, &packed))
            take_result(f, number, &packed);
        else
            arrput(unknown, number);
        tr_text_free(&packed);
    }
    const workers_task task = {
        .s = f->s, .n = arrlenu(unknown), .files = unknown, .take = take_result, .user = f};
    workers_run(&task);
    arrfree(unknown);
}

/* The modules that were found are the session's files. */
static void name_found(following *f)
{
    session *s = f->s;
    for (size_t i = arrlenu(f->names); i < arrlenu(f->found); i++) {
        bytecode_image *image = TR_NEW(s->arena, bytecode_image);
        *image = (bytecode_image){.bytes = f->found[i].bytes, .size = f->found[i].size};
        arrput(f->names, f->found[i].name);
        arrput(f->images, image);
    }
    s->n_files = arrlenu(f->names);
    s->files = f->names;
    s->images = f->images;
}

static void say(following *f, const tr_text *text)
{
    f->stops |= fputs(tr_text_get(text), f->s->out) == EOF || fflush(f->s->out) != 0;
}

static void check_found(following *f)
{
    session *s = f->s;
    size_t n = arrlenu(f->found) - f->n_checked;
    if (n == 0)
        return;
    name_found(f);
    s->cache = cache_open(s);     /* each time: it asks of no file twice while it is open */
    pool_run(1, 1, check_new, f); /* for its stack, which workers copy */
    cache_close(s, s->cache);
    s->cache = NULL;
    for (size_t i = 0; i < n; i++, f->n_checked++) {
        found_module *m = &f->found[f->n_checked];
        say(f, &m->text);
        tr_text_free(&m->text);
        report_add_totals(&f->totals, &m->totals);
        if (m->failure && !f->stops) {
            session_complain(s, "%s", m->failure);
            f->totals.not_checked++;
            f->stops = !m->may_go_on;
        }
    }
}

/* ---- Section: Following ---- */

static void tell_unfinished(void *user, const char *path, const char *why)
{
    following *f = user;
    tr_say(f->s->err, "%s: error: %s\n", path, why);
    f->totals.not_checked++;
}

static int conclude(following *f, unsigned fails)
{
    if (f->n_checked == 0 && f->totals.not_checked == 0)
        return session_complain(f->s, "no Tile IR was found");
    tr_text text = {0};
    report_write_totals(&text, &f->totals);
    say(f, &text);
    tr_text_free(&text);
    return fail_on_exit(fails, &f->totals);
}

/* The signals that end it; they come to nobody else. */
static sigset_t take_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < TR_COUNT(ending); i++)
        sigaddset(&set, ending[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return set;
}

static void follow(following *f, size_t n, folder_watch *const *folders)
{
    const struct timespec round = {.tv_nsec = ROUND_MS * 1000000L};
    const sigset_t ending = take_signals();
    for (bool goes_on = true; goes_on && !f->stops;) {
        goes_on = sigtimedwait(&ending, NULL, &round) < 0;
        for (size_t i = 0; i < n; i++) /* once more after the signal: what has come before it */
            folder_round(folders[i], take, f);
        check_found(f);
    }
    for (size_t i = 0; i < n; i++)
        folder_unfinished(folders[i], tell_unfinished, f);
}

int scan_follow(session *s)
{
    const driver_options *o = s->options;
    const char *why;
    unsigned fails;
    following f = {.s = s};
    if ((o->format && strcmp(o->format, "text") != 0) || o->output.n > 0)
        return session_complain(s, "--follow writes text, to standard output");
    if (!fail_on_read(s->arena, o, &fails, &why))
        return session_complain(s, "%s", why);
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    s->configs = configs_open(s->arena, o, s->working_folder, &why);
    if (!s->configs)
        return session_complain(s, "%s", why);
    folder_watch **folders = TR_NEW_ARRAY(s->arena, folder_watch *, o->n_files + 1);
    for (size_t i = 0; i < o->n_files; i++)
        folders[i] = folder_open(o->files[i]);
    follow(&f, o->n_files, folders);
    int code = conclude(&f, fails);
    configs_close(s->configs);
    s->configs = NULL;
    for (size_t i = 0; i < o->n_files; i++)
        folder_close(folders[i]);
    for (size_t i = 0; i < arrlenu(f.found); i++) {
        free(f.found[i].name);
        free(f.found[i].bytes);
        free(f.found[i].failure);
    }
    arrfree(f.found);
    arrfree(f.names);
    arrfree(f.images);
    return code;
}

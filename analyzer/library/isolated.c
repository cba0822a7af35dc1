#include "library/isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/carried.h"
#include "base/descriptors.h"
#include "base/ds.h"
#include "base/installed.h"
#include "base/process.h"
#include "checking/checking.h"
#include "checking/workers.h"
#include "driver/prepare.h"
#include "processes/pool.h"
#include "session/session.h"
#include "settings/configs.h"

/* First and last of an answer, with the version of both ends. */
#define BEGINS "tilerace isolated " TILERACE_VERSION
#define ENDS   "whole"

enum { MOST_INPUTS = 1 << 20, MOST_ERRORS = 1 << 20 };

static const uint64_t most_answer = (uint64_t)1 << 31;

/* ---- Section: The question ---- */

static void write_question(tr_text *out, const library_question *q)
{
    const tilerace_options *o = &q->options;
    tr_carry_text(out, BEGINS);
    tr_carry_number(out, packed_version());
#define WORDS(member)        tr_carry_text(out, o->member);
#define NUMBER(member, type) tr_carry_number(out, o->member);
#include "library/isolated_options.def"
    tr_carry_number(out, (tr_wide)o->n_clang_args);
    for (size_t i = 0; i < o->n_clang_args; i++)
        tr_carry_text(out, o->clang_args[i]);
    tr_carry_text(out, q->name);
    tr_carry_number(out, q->bytes != NULL);
    tr_carry_bytes(out, q->bytes, q->bytes ? q->size : 0);
}

/* *is_ours false: another libtilerace has written it. */
static bool read_question(tr_carried *in, library_question *q, bool *is_ours)
{
    tilerace_options *o = &q->options;
    const char *begins = tr_carried_text(in);
    if (!begins || strcmp(begins, BEGINS) != 0 ||
        tr_carried_number(in) != (tr_wide)packed_version()) {
        *is_ours = false;
        return false;
    }
    *o = (tilerace_options)TILERACE_OPTIONS;
#define WORDS(member)        o->member = tr_carried_text(in);
#define NUMBER(member, type) o->member = (type)tr_carried_number(in);
#include "library/isolated_options.def"
    o->n_clang_args = tr_carried_count(in, (size_t)(in->end - in->at));
    const char **args = TR_NEW_ARRAY(in->arena, const char *, o->n_clang_args + 1);
    for (size_t i = 0; i < o->n_clang_args; i++)
        args[i] = tr_carried_text(in);
    o->clang_args = args;
    q->name = tr_carried_text(in);
    bool has_bytes = tr_carried_number(in) != 0;
    const char *bytes = tr_carried_bytes(in, &q->size);
    q->bytes = has_bytes ? bytes : NULL;
    return in->good && q->name;
}

/* ---- Section: The answer, where it is made ---- */

typedef struct serving {
    const library_question *question;
    session s;
    driver_options words;
    library_inputs inputs;
    bytecode_image image;
    tr_text *results; /* packed, of each input */
    tr_errors errors; /* of the question */
} serving;

static void take(void *user, size_t file, const tr_text *packed)
{
    serving *v = user;
    tr_text_addn(&v->results[file], tr_text_get(packed), packed->length);
}

/* Does every launch of the contract name a kernel? */
static void find_strangers(serving *v)
{
    session *s = &v->s;
    checked_input *all = TR_NEW_ARRAY(s->arena, checked_input, s->n_files + 1);
    for (size_t i = 0; i < s->n_files; i++)
        all[i] = checking_result(s, i, &v->results[i], s->arena);
    checking_find_strangers(s, s->n_files, all, &v->errors);
}

static void check(serving *v)
{
    session *s = &v->s;
    const char *why = NULL;
    const tilerace_options *o = &v->question->options;
    if (prepare_session(s) != EXIT_CLEAN || !library_read_launches(s, o, &v->errors) ||
        session_find_solver(s) != EXIT_CLEAN)
        return;
    s->configs = configs_open(s->arena, s->options, s->working_folder, &why);
    if (!s->configs) {
        session_complain(s, "%s", why);
        return;
    }
    library_find_files(s, &v->inputs, &v->errors);
    v->results = TR_NEW_ARRAY(s->arena, tr_text, s->n_files + 1);
    size_t *numbers = TR_NEW_ARRAY(s->arena, size_t, s->n_files + 1);
    for (size_t i = 0; i < s->n_files; i++)
        numbers[i] = i;
    s->guards = true;
    const workers_task task = {.s = s, .n = s->n_files, .files = numbers, .take = take, .user = v};
    workers_run(&task);
    find_strangers(v);
    configs_close(s->configs);
    s->configs = NULL;
}

static void run(void *user, size_t i)
{
    (void)i;
    serving *v = user;
    check(v);
    prepare_release(&v->s);
}

static void write_error(tr_text *out, const tr_error *e)
{
    tr_carry_text(out, e->place.file);
    tr_carry_number(out, e->place.line);
    tr_carry_number(out, e->place.column);
    tr_carry_text(out, e->text);
    tr_carry_text(out, e->hint);
}

static void write_answer(tr_text *out, const serving *v)
{
    const session *s = &v->s;
    size_t n = v->results ? s->n_files : 0;
    tr_carry_text(out, BEGINS);
    tr_carry_number(out, (tr_wide)arrlenu(v->errors.items));
    for (size_t i = 0; i < arrlenu(v->errors.items); i++)
        write_error(out, &v->errors.items[i]);
    tr_carry_number(out, (tr_wide)n);
    for (size_t i = 0; i < n; i++) {
        const recorded_module *recorded = s->recorded[i];
        tr_carry_text(out, s->files[i]);
        tr_carry_text(out, recorded ? recorded->about : NULL);
        tr_carry_number(out, recorded && recorded->is_stale);
        tr_carry_bytes(out, tr_text_get(&v->results[i]), v->results[i].length);
        tr_text_free(&v->results[i]);
    }
    tr_carry_text(out, ENDS);
}

static bool read_all(int from, tr_text *text)
{
    char piece[1 << 14];
    for (;;) {
        ssize_t n = read(from, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        tr_text_addn(text, piece, (size_t)n);
    }
}

static void serve(tr_arena *arena, const library_question *question, tr_text *answer)
{
    char *complaints = NULL;
    size_t length;
    const tilerace_options *o = &question->options;
    serving v = {.question = question, .errors = tr_errors_make(arena)};
    v.words = library_words(o);
    v.words.memory = o->isolate_memory_mb;
    v.words.timeout = o->isolate_time_ms;
    v.words.jobs = 1;
    v.image = (bytecode_image){.bytes = question->bytes, .size = question->size};
    v.inputs = (library_inputs){.name = question->name,
                                .image = question->bytes ? &v.image : NULL,
                                .about = {.path = question->name, .about = o->names}};
    v.s =
        (session){.arena = arena, .options = &v.words, .err = open_memstream(&complaints, &length)};
    if (!v.s.err)
        tr_no_memory();
    pool_run(1, 1, run, &v);
    fclose(v.s.err);
    library_add_complaints(&v.errors, complaints);
    free(complaints);
    write_answer(answer, &v);
    tr_errors_free(&v.errors);
}

enum { FAILED = 1, ANOTHER_LIBRARY = 125 }; /* how the process ends */

int tilerace_serve_isolated(int from, int to)
{
    tr_text asked = {0}, answer = {0};
    tr_arena *arena = tr_arena_new();
    library_question question = {.size = 0};
    bool is_ours = true, good = read_all(from, &asked);
    tr_carried in = {arena, tr_text_get(&asked), tr_text_get(&asked) + asked.length, true};
    good = good && read_question(&in, &question, &is_ours);
    if (good) {
        serve(arena, &question, &answer);
        good = tr_write_all(to, tr_text_get(&answer), answer.length);
    }
    tr_text_free(&asked);
    tr_text_free(&answer);
    tr_arena_free(arena);
    return !is_ours ? ANOTHER_LIBRARY : good ? 0 : FAILED;
}

/* ---- Section: The answer, where it is wanted ---- */

static void read_error(tr_carried *in, tr_error *e)
{
    e->place.file = tr_carried_text(in);
    e->place.line = (uint32_t)tr_carried_count(in, UINT32_MAX);
    e->place.column = (uint32_t)tr_carried_count(in, UINT32_MAX);
    e->text = tr_carried_text(in);
    e->hint = tr_carried_text(in);
    if (!e->text)
        in->good = false;
}

/* The guards of the kernels; those of a kernel that has none make the answer one that is none. */
static bool read_guards(tr_arena *arena, library_answered *input)
{
    size_t n = input->report.n_kernels;
    input->guards = TR_NEW_ARRAY(arena, guard_carried *, n + 1);
    for (size_t k = 0; k < n; k++) {
        kernel_report *kernel = &input->report.kernels[k];
        guard_carried *g = kernel->guard ? guard_read(kernel->guard) : NULL;
        input->guards[k] = g;
        /* A kernel that was not decided has the roster's report, with no preconditions. */
        if (!g || g->n != kernel->n_requires)
            return false;
        for (size_t i = 0; i < g->n; i++) {
            const char *reason = kernel->requires_[i].what.reason;
            kernel->requires_[i].what = *g->preconditions[i];
            kernel->requires_[i].what.reason = reason;
        }
    }
    return true;
}

static bool read_input(tr_carried *in, size_t i, library_answer *a)
{
    library_answered *input = &a->inputs[i];
    size_t length = 0;
    input->file = tr_carried_text(in);
    input->about = tr_carried_text(in);
    input->is_stale = tr_carried_number(in) != 0;
    const char *bytes = tr_carried_bytes(in, &length);
    if (!in->good || !input->file)
        return false;
    const session s = {.files = &input->file};
    tr_text packed = {0};
    tr_text_addn(&packed, bytes, length);
    checked_input result = checking_result(&s, 0, &packed, in->arena);
    tr_text_free(&packed);
    input->report = result.report;
    input->report.file = input->file;
    a->solver = a->solver ? a->solver : result.solver;
    return read_guards(in->arena, input);
}

static bool read_answer(tr_carried *in, library_answer *a)
{
    const char *begins = tr_carried_text(in);
    if (!begins || strcmp(begins, BEGINS) != 0)
        return false;
    a->n_errors = tr_carried_count(in, MOST_ERRORS);
    a->errors = TR_NEW_ARRAY(in->arena, tr_error, a->n_errors + 1);
    for (size_t i = 0; i < a->n_errors && in->good; i++)
        read_error(in, &a->errors[i]);
    size_t n = tr_carried_count(in, MOST_INPUTS);
    a->inputs = TR_NEW_ARRAY(in->arena, library_answered, n + 1);
    for (; a->n < n && in->good; a->n++)
        if (!read_input(in, a->n, a)) {
            a->n++; /* its guards are given back */
            return false;
        }
    const char *ends = tr_carried_text(in);
    return in->good && ends && strcmp(ends, ENDS) == 0 && in->at == in->end;
}

static const char *find_program(tr_arena *arena)
{
    static const char *const places[] = {"lib/tilerace/tilerace-isolated", "tilerace-isolated",
                                         "../tilerace-isolated", NULL};
    return tr_find_installed(arena, places);
}

static void give_back(library_answer *a)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; a->inputs[i].guards && k < a->inputs[i].report.n_kernels; k++)
            guard_carried_free(a->inputs[i].guards[k]);
}

/* How the process ended that gave no answer. */
static const char *why_no_answer(tr_arena *arena, tr_process *p)
{
    tr_process_end end = {-1, 0};
    tr_process_wait(p, 1000, &end);
    const char *said = tr_process_errors(p);
    size_t length = strcspn(said, "\n");
    if (end.exit_status == ANOTHER_LIBRARY)
        return "the check cannot be made in a process of its own: libtilerace was replaced by "
               "another one since this process loaded it";
    const char *how = end.signal ? tr_arena_printf(arena, "it ended by signal %d (%s)", end.signal,
                                                   strsignal(end.signal))
                      : end.exit_status > 0
                          ? tr_arena_printf(arena, "it ended with %d", end.exit_status)
                          : "it ended before its time";
    return tr_arena_printf(arena, "the process that checks it gave no answer: %s%s%.*s", how,
                           length > 0 ? ": " : "", (int)length, said);
}

library_answer *library_ask(tr_arena *arena, const library_question *question, const char **why)
{
    const char *library = tr_own_file(arena), *program = find_program(arena);
    if (!program || !library || !strstr(library, ".so")) {
        *why = "the check cannot be made in a process of its own: tilerace-isolated is not "
               "installed beside libtilerace";
        return NULL;
    }
    const char *const words[] = {program, library, NULL};
    tr_process *p = tr_process_start(arena, words, why);
    if (!p) {
        *why = tr_arena_printf(arena, "the check cannot be made in a process of its own: %s", *why);
        return NULL;
    }
    tr_text text = {0};
    write_question(&text, question);
    tr_process_result result = tr_process_write(p, tr_text_get(&text), text.length, INT32_MAX);
    tr_process_close_input(p);
    tr_text_free(&text);
    if (result == TR_PROCESS_OK || result == TR_PROCESS_CLOSED)
        result = tr_process_read_all(p, INT64_MAX / 2, most_answer, &text);
    library_answer *a = TR_NEW(arena, library_answer);
    tr_carried in = {arena, tr_text_get(&text), tr_text_get(&text) + text.length, true};
    if (!read_answer(&in, a)) {
        give_back(a);
        *why = why_no_answer(arena, p);
        a = NULL;
    }
    tr_text_free(&text);
    tr_process_free(p);
    return a;
}

/* A source to a compiler's messages. The check is a child's, which writes each message as a line of
 * data, and, where it could not be made, why as a line that is none. */
#include "library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "compilers/apart.h"
#include "compilers/kernels.h"
#include "compilers/recorded.h"
#include "driver/prepare.h"
#include "inputs/launch.h"
#include "inputs/load.h"
#include "processes/pool.h"
#include "session/session.h"

/* ---- Section: In the child ---- */

typedef struct asked {
    const char *file;
    tilerace_options options;
    tilerace_message_options how;
    session s;
    driver_options words;
    tr_text *out;
} asked;

#define CONTRACT "launch contract" /* what stands for the file of options.launch_text */

static const report_options as_data = {.as_data = true};

static report_grading grading_of(const void *user, const tr_place *kernel)
{
    (void)kernel;
    const tilerace_message_options *how = user;
    const report_severity race = how->errors ? REPORT_ERROR : REPORT_WARNING;
    return (report_grading){race, how->strict ? race : REPORT_WARNING};
}

/* `file` stands where the error has none of its own. */
static void write_why(tr_text *out, const char *file, const tr_error *e)
{
    const char *named = e->place.file ? e->place.file : file;
    if (e->place.line > 0)
        tr_text_addf(out, "%s:%u:%u: %s\n", named, e->place.line, e->place.column, e->text);
    else
        tr_text_addf(out, "%s: %s\n", named, e->text);
}

/* Reads the launch contract; false, with the reason in `out`, where it is none. */
static bool read_launches(asked *a)
{
    const tilerace_options *o = &a->options;
    if (!o->launch_text && !o->launch_file)
        return true;
    tr_errors errors = tr_errors_make(a->s.arena);
    a->s.launches = o->launch_text ? launch_file_parse(a->s.arena, CONTRACT, o->launch_text,
                                                       strlen(o->launch_text), &errors)
                                   : launch_file_read(a->s.arena, o->launch_file, &errors);
    if (tr_errors_count(&errors) > 0)
        write_why(a->out, o->launch_text ? CONTRACT : o->launch_file, &errors.items[0]);
    tr_errors_free(&errors);
    return a->s.launches != NULL;
}

static void check_source(asked *a)
{
    session *s = &a->s;
    report_tally tally = {0};
    loaded input;
    if (prepare_session(s) != EXIT_CLEAN || session_find_solver(s) != EXIT_CLEAN ||
        !read_launches(a))
        return;
    a->words.isolated = false; /* Clang has said all of the options; which findings count is the
                                  configuration's to say */
    if (a->how.recording)
        compilers_recorded_open(s, a->how.recording, a->how.errors, &as_data, &tally);
    load_input(s, a->file, 0, &input);
    if (tr_errors_count(&input.errors) == 0)
        inputs_find_strangers(s, 1, &input, &input.errors);
    const kernels_check check = {.s = s,
                                 .how = as_data,
                                 .grading_of = grading_of,
                                 .user = &a->how,
                                 .file = a->file,
                                 .is_configured = true};
    const kernels_input in = {.loaded = &input};
    const char *why = NULL;
    if (tr_errors_count(&input.errors) == 0)
        why = kernels_write(&check, &in, a->out, &tally, NULL);
    else
        write_why(a->out, a->file, &input.errors.items[0]);
    if (why)
        tr_text_addf(a->out, "%s\n", why);
    load_stop_solver(&input);
    load_free(&input);
}

/* Runs on a thread of its own with a large stack, since sources may nest deeply. */
static void run(void *user, size_t i)
{
    (void)i;
    asked *a = user;
    check_source(a);
    prepare_release(&a->s);
}

static void check(void *user, tr_text *out)
{
    asked *a = user;
    char *said = NULL;
    size_t length;
    tr_text found = {0};
    a->words = library_words(&a->options);
    a->out = &found;
    a->s = (session){
        .arena = tr_arena_new(), .options = &a->words, .err = open_memstream(&said, &length)};
    if (!a->s.err)
        tr_no_memory();
    pool_run(1, 1, run, a);
    fclose(a->s.err);
    tr_text_add(out, said);
    tr_text_add(out, tr_text_get(&found));
    tr_text_free(&found);
    free(said);
    tr_arena_free(a->s.arena);
}

/* ---- Section: In the process that asks ---- */

typedef struct answer {     /* what a `tilerace_messages *` really points to */
    tilerace_messages view; /* first */
    tr_arena *arena;
    const tilerace_message **items; /* stb_ds array */
} answer;

static tilerace_severity severity_of(report_severity severity)
{
    static const tilerace_severity table[] = {[REPORT_NOTE] = TILERACE_SAY_NOTE,
                                              [REPORT_REMARK] = TILERACE_SAY_REMARK,
                                              [REPORT_WARNING] = TILERACE_SAY_WARNING,
                                              [REPORT_ERROR] = TILERACE_SAY_ERROR,
                                              [REPORT_FATAL_ERROR] = TILERACE_SAY_ERROR};
    return table[severity];
}

static void add(answer *a, const report_told *told)
{
    tilerace_message *m = TR_NEW(a->arena, tilerace_message);
    *m = (tilerace_message){.severity = severity_of(told->severity),
                            .text = told->text,
                            .rule = told->rule,
                            .file = told->file,
                            .line = (int)told->line,
                            .column = (int)told->column};
    arrput(a->items, m);
}

static void read_lines(answer *a, const char *text)
{
    report_told told;
    for (const char *at = text; *at;) {
        if (report_read_message(a->arena, &at, &told)) {
            add(a, &told);
            continue;
        }
        const size_t length = strcspn(at, "\n");
        const char *why = library_complaint(tr_arena_strndup(a->arena, at, length));
        if (why && !a->view.unchecked)
            a->view.unchecked = why;
        at += length + (at[length] == '\n');
    }
}

tilerace_messages *tilerace_messages_of_file(const char *file, const tilerace_options *options,
                                             const tilerace_message_options *how)
{
    tr_arena *arena = tr_arena_new();
    answer *a = TR_NEW(arena, answer);
    a->arena = arena;
    asked a_check = {.file = file, .options = library_options(options)};
    if (how)
        memcpy(&a_check.how, how, how->size < sizeof *how ? how->size : sizeof *how);
    tr_text out = {0};
    if (apart_run(arena, check, &a_check, &out, &a->view.unchecked))
        read_lines(a, tr_text_get(&out));
    tr_text_free(&out);
    a->view.n = arrlenu(a->items);
    a->view.items = a->items;
    return &a->view;
}

void tilerace_free_messages(tilerace_messages *messages)
{
    answer *a = (answer *)messages;
    if (!a)
        return;
    arrfree(a->items);
    tr_arena_free(a->arena);
}

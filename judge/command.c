/* tilerace judge: a candidate kernel to its class, for people and for pipelines. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "driver/commands.h"
#include "inputs/load.h"
#include "judge/built.h"
#include "judge/crew.h"
#include "judge/judge.h"
#include "judge/then.h"
#include "report/report.h"
#include "session/session.h"

typedef struct input { /* a text on standard input */
    const char *text;
    size_t length;
} input;

/* A context, or a candidate's source. */
static judge_context *read_standard(session *s, input *in, tr_errors *errors)
{
    const char *why = NULL;
    in->text = tr_read_stream(s->arena, TR_FILE_KERNELS, stdin, &in->length, &why);
    if (!in->text) {
        tr_errors_add(errors, &(tr_place){.file = "<stdin>"}, "%s", why);
        return NULL;
    }
    return judge_is_context(in->text, in->length)
               ? judge_context_parse(s->arena, "<stdin>", in->text, in->length, NULL, errors)
               : judge_context_of_kernel(s->arena, "candidate.c", in->text, in->length);
}

/* A context that can be judged, from standard input or a file; NULL after complaints. */
static judge_context *read_context(session *s, input *in)
{
    const driver_options *o = s->options;
    tr_errors errors = tr_errors_make(s->arena);
    judge_context *context = o->n_files == 0 || strcmp(o->files[0], "-") == 0
                                 ? read_standard(s, in, &errors)
                                 : judge_context_read(s->arena, o->files[0], NULL, &errors);
    loaded holder = {.file = "the context", .errors = errors};
    load_complain(s, &holder);
    tr_errors_free(&errors);
    return context;
}

/* False, after a complaint, where the options do not go together. */
static bool fits(session *s)
{
    const driver_options *o = s->options;
    bool is_standard = o->n_files == 0 || strcmp(o->files[0], "-") == 0;
    dialect_admitted admitted = dialect_admit_options(s->arena, o->n_behind, o->behind, NULL);
    report_format format;
    if (!report_format_of(REPORT_OF_ALL, o->format, &format))
        session_complain(s, "--format of judge is %s, not '%s'",
                         report_format_names(s->arena, REPORT_OF_ALL), o->format);
    else if (o->then && !o->api_mode)
        session_complain(s, "--then goes with --api-mode");
    else if (o->worst_launches && o->api_mode)
        session_complain(s, "--worst-launches judges nothing, and does not go with --api-mode");
    else if (o->api_mode && !is_standard)
        session_complain(s, "--api-mode reads standard input, not '%s'", o->files[0]);
    else if (admitted.n_refused)
        session_complain(s, "'%s' is not an option for reading kernels", admitted.refused[0]);
    else
        return true;
    return false;
}

/* ---- Section: In a process of its own ---- */

enum { DEFAULT_MEMORY_MB = 4096, DEFAULT_MS = 60 * 1000 };

typedef struct judged { /* a context on its way to an answer as text */
    session *s;
    judge_context *context;
    bool json;
    tr_text answer;
    bool is_wrong;
    bool is_done;
    bool no_process;     /* none can be made */
    const char *failure; /* the process ended, and nothing is known; or NULL */
} judged;

static unsigned judge_here(void *user, const crew_job *job, const judge_watch *watch, tr_text *out)
{
    const judged *j = user;
    const driver_options *o = j->s->options;
    const judge_writing how = {o->max_feedback, o->times};
    (void)job;
    judge_answer a = judge_run(j->s, j->context, watch);
    bool is_wrong = judge_class_of(a.whole.class_)->is_wrong;
    if (o->worst_launches)
        judge_write_launches(out, &a);
    else if (j->json)
        judge_write_json(out, &a, &how);
    else
        judge_write_text(out, &a, &how);
    judge_answer_free(&a);
    return is_wrong;
}

static void answered(void *user, uint64_t number, unsigned said, const char *answer, size_t length)
{
    judged *j = user;
    (void)number;
    tr_text_addn(&j->answer, answer, length);
    j->is_wrong = said;
    j->is_done = true;
}

static void died(void *user, uint64_t number, const judge_death *last)
{
    judged *j = user;
    (void)number;
    j->is_done = true;
    j->no_process = last == NULL;
    if (last)
        j->failure = judge_death_words(j->s->arena, last);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a > 0 && (b == 0 || a < b) ? a : b;
}

/* Returns the lower of the limits that the command line and the context have. */
static crew_limits limits_of(const judged *j)
{
    const driver_options *o = j->s->options;
    uint64_t mb = o->memory ? o->memory : DEFAULT_MEMORY_MB;
    uint64_t ms = o->timeout ? o->timeout : DEFAULT_MS;
    return (crew_limits){lesser(j->context->limit_mb, mb) << 20,
                         (int64_t)lesser(j->context->limit_ms, ms), judge_confinement(j->s)};
}

/* A judgement that crashes, or takes too much, costs one process; what it was at is left undecided
 * by the next. */
static void judge_apart(judged *j)
{
    const crew_tasks tasks = {.user = j, .run = judge_here};
    const crew_ears ears = {.user = j, .answered = answered, .died = died};
    const crew_limits limits = limits_of(j);
    crew *c = crew_new(&tasks, &ears, 1, &limits);
    crew_add(c, &(crew_job){.number = 1, .goes_on = true, .text = ""});
    for (crew_hand_out(c); !j->is_done; crew_turn(c)) {
        struct pollfd entries[2];
        int64_t left = crew_due(c) - tr_now_ms();
        poll(entries, crew_polled(c, entries), left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);
    }
    crew_free(c);
    if (!j->no_process)
        return;
    tr_say(j->s->err, "tilerace: warning: no process can be made: the candidate is judged in this "
                      "one, without limits of memory and time\n");
    j->is_wrong = judge_here(j, NULL, NULL, &j->answer);
}

/* Prints the answer, merged with that of the next guard if there is one. */
static int emit(judged *j, const input *in)
{
    session *s = j->s;
    const char *why = NULL;
    if (j->failure)
        return session_complain(s, "there is no judgement: %s", j->failure);
    bool good = !s->options->then || then_merge(s, in->text, in->length, &j->answer, &why);
    /* If the other guard gives no answer, ours must not pass for the answer of both. */
    int code = good || j->is_wrong ? session_emit(s, &j->answer) : EXIT_BAD;
    if (!good)
        session_complain(s, "%s", why);
    return code;
}

int command_judge(session *s)
{
    const driver_options *o = s->options;
    judged j = {.s = s, .json = o->api_mode || (o->format && strcmp(o->format, "json") == 0)};
    input in = {0};
    int code = EXIT_BAD;
    if (!fits(s))
        return EXIT_BAD;
    j.context = read_context(s, &in);
    if (j.context && session_find_solver(s) == EXIT_CLEAN) {
        judge_built *built = judge_build(s, j.context);
        j.context->built = built;
        judge_apart(&j);
        code = emit(&j, &in);
        judge_built_free(built);
    }
    judge_context_free(j.context);
    tr_text_free(&j.answer);
    return code;
}

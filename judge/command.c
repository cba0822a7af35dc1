/* tilerace judge: a candidate kernel to its class, for people and for pipelines. */
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "judge/judge.h"
#include "judge/then.h"

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
               ? judge_context_parse(s->arena, "<stdin>", in->text, in->length, errors)
               : judge_context_of_kernel(s->arena, "candidate.c", in->text, in->length);
}

/* A context that can be judged, from standard input or a file; NULL after complaints. */
static judge_context *read_context(session *s, input *in)
{
    const driver_options *o = s->options;
    tr_errors errors = tr_errors_make(s->arena);
    judge_context *context = o->n_files == 0 || strcmp(o->files[0], "-") == 0
                                 ? read_standard(s, in, &errors)
                                 : judge_context_read(s->arena, o->files[0], &errors);
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
    if (o->format && strcmp(o->format, "json") != 0 && strcmp(o->format, "text") != 0)
        session_complain(s, "--format of judge is text or json, not '%s'", o->format);
    else if (o->then && !o->api_mode)
        session_complain(s, "--then goes with --api-mode");
    else if (o->api_mode && !is_standard)
        session_complain(s, "--api-mode reads standard input, not '%s'", o->files[0]);
    else if (admitted.n_refused)
        session_complain(s, "'%s' is no option that kernels are read with", admitted.refused[0]);
    else
        return true;
    return false;
}

int command_judge(session *s)
{
    const driver_options *o = s->options;
    bool json = o->api_mode || (o->format && strcmp(o->format, "json") == 0);
    input in = {0};
    if (!fits(s))
        return EXIT_BAD;
    judge_context *context = read_context(s, &in);
    if (!context)
        return EXIT_BAD;
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    judge_answer j = judge_run(s, context);
    tr_text out = {0};
    const char *why = NULL;
    if (json)
        judge_write_json(&out, &j, o->max_feedback);
    else
        judge_write_text(&out, &j, o->max_feedback);
    bool good = !o->then || then_merge(s, in.text, in.length, &out, &why);
    /* Where the other guard gives no answer, nobody may take ours for the whole. */
    int code = good || judge_class_of(j.whole.class_)->is_wrong ? session_emit(s, &out) : EXIT_BAD;
    if (!good)
        session_complain(s, "%s", why);
    tr_text_free(&out);
    judge_answer_free(&j);
    return code;
}

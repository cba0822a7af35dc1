#include "compilers/kernels.h"

#include <string.h>

#include "base/ds.h"
#include "compilers/apart.h"
#include "compilers/recorded.h"
#include "compilers/unchecked.h"

/* What a recording has of the kernel, once where a contract has several launches of it. */
static const loaded_seen *seen_of(const loaded *input, size_t which)
{
    const ir_function *kernel = input->kernels[which].function;
    if (which > 0 && input->kernels[which - 1].function == kernel)
        return NULL;
    for (size_t i = 0; input->seen && i < input->unit.n_kernels; i++)
        if (input->unit.kernels[i] == kernel)
            return &input->seen[i];
    return NULL;
}

/* What stands for a file where no line is known: the kernel's name, or where the source that was
 * found has it. */
static const char *shown_for(const session *s, const ir_function *kernel)
{
    const tr_place *place = kernel->place;
    if (!place || !place->file)
        return kernel->shown;
    return tr_arena_printf(s->arena, "%s:%u:%u", place->file, place->line, place->column);
}

void kernels_hide(const session *s, kernel_report *checked)
{
    input_report report = {.file = checked->kernel, .n_kernels = 1, .kernels = checked};
    report_comments *comments = report_comments_make(s->arena, s->unsaved);
    report_comments_hide(comments, &report);
    report_comments_free(comments);
}

static void write_kernel(const kernels_check *c, loaded *input, size_t which, tr_text *out,
                         report_tally *tally)
{
    const loaded_kernel *kernel = &input->kernels[which];
    const loaded_seen *seen = seen_of(input, which);
    const report_grading grading = c->grading_of(c->user, kernel);
    if (grading.race == REPORT_NO_MESSAGE)
        return;
    if (seen) {
        recorded_write(c, input, kernel, seen, &grading, out, tally);
        return;
    }
    input_report report = {.file = c->file ? c->file : shown_for(c->s, kernel->function)};
    kernel_report *checked = load_check(c->s, input, kernel, &c->s->rules);
    kernels_hide(c->s, checked);
    report_write_warnings(out, &report, checked, &grading, &c->how, tally);
}

void kernels_write(const kernels_check *c, loaded *input, tr_text *out, report_tally *tally)
{
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        write_kernel(c, input, i, out, tally);
}

/* Are there source lines in it? nvcc leaves them out without -lineinfo. */
static bool has_places(const loaded *input)
{
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        if (input->kernels[i].function->place && input->kernels[i].function->place->line > 0)
            return true;
    return false;
}

/* ---- Section: In a process of its own ---- */

typedef struct result { /* stands before the messages, or before why there are none */
    bool is_read, has_places;
    report_tally tally;
} result;

typedef struct checking {
    const kernels_check *c;
    const kernels_input *in;
} checking;

static void check(void *user, tr_text *out)
{
    const checking *ch = user;
    const kernels_input *in = ch->in;
    result r = {0};
    tr_text text = {0};
    loaded module, *input = in->loaded ? in->loaded : &module;
    if (!in->loaded)
        load_module(ch->c->s, in->name, in->bytes, in->size, &module);
    r.is_read = tr_errors_count(&input->errors) == 0;
    r.has_places = has_places(input);
    if (r.is_read)
        kernels_write(ch->c, input, &text, &r.tally);
    else
        tr_text_add(&text, unchecked_why(input));
    load_stop_solver(input);
    tr_text_addn(out, (const char *)&r, sizeof r);
    tr_text_addn(out, tr_text_get(&text), text.length);
    tr_text_free(&text);
    if (!in->loaded)
        load_free(&module);
}

const char *kernels_write_warnings(const kernels_check *c, const kernels_input *in, tr_text *out,
                                   report_tally *tally, bool *places)
{
    checking ch = {c, in};
    result r = {0};
    tr_text all = {0};
    const char *why = NULL;
    bool good = apart_run(c->s->arena, check, &ch, &all, &why) && all.length >= sizeof r;
    if (good) {
        memcpy(&r, all.data, sizeof r);
        const char *text = tr_text_get(&all) + sizeof r;
        if (r.is_read)
            tr_text_addn(out, text, all.length - sizeof r);
        else
            why = tr_arena_strdup(c->s->arena, text);
    }
    tally->remarks += r.tally.remarks;
    tally->warnings += r.tally.warnings;
    tally->errors += r.tally.errors;
    if (places)
        *places = r.has_places;
    tr_text_free(&all);
    return why;
}

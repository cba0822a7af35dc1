#include "compilers/kernels.h"

#include <assert.h>
#include <string.h>

#include "base/ds.h"
#include "cache/cache.h"
#include "checking/checking.h"
#include "checking/hide.h"
#include "compilers/apart.h"
#include "compilers/recorded.h"
#include "compilers/unchecked.h"
#include "inputs/load.h"
#include "lookups/lookups.h"
#include "session/session.h"
#include "settings/configs.h"

typedef struct kernels_hiding { /* what decides which findings are told as remarks alone */
    report_comments *comments;
    const settings *settings;
    input_report report; /* the kernel in hand; in the end, what is said of the comments */
    const char *failure; /* why a kernel is open that another solver may decide; or NULL */
} kernels_hiding;

typedef struct work { /* on one input */
    kernels_check c;
    session s; /* with the input as its only file */
    const kernels_input *in;
    driver_options options;
    kernels_hiding hiding;
    const char *file;
    const bytecode_image *image_at;
    bytecode_image image;
    const settings *settings_at;
    tr_text *out;
    report_tally *tally;
    bool has_places;
} work;

/* ---- Section: What is hidden ---- */

static void hide(kernels_hiding *h, tr_arena *arena, kernel_report *checked)
{
    const bool failed =
        checked->verdict == VERDICT_UNKNOWN && reason_is_failed_solver(checked->reason.kind);
    h->report.n_kernels = 1;
    h->report.kernels = checked;
    if (failed && !h->failure)
        h->failure = tr_arena_printf(arena, "the solver failed: %s", checked->reason.text);
    report_comments_hide(h->comments, &h->report);
    hide_findings(arena, h->settings, &h->report);
}

void kernels_hide(const kernels_check *c, kernel_report *checked)
{
    hide(c->hiding, c->s->arena, checked);
}

/* A kernel that nobody looks at may have the findings that comments allow. */
static void leave_open(work *w, const ir_function *kernel)
{
    kernel_report *open = TR_NEW(w->s.arena, kernel_report);
    *open = (kernel_report){
        .kernel = kernel->shown, .place = kernel->place, .verdict = VERDICT_UNKNOWN};
    hide(&w->hiding, w->s.arena, open);
}

static void write_comments(work *w)
{
    input_report *all = &w->hiding.report;
    report_comments_judge(w->hiding.comments);
    hide_remarks(w->s.arena, w->hiding.settings, all);
    for (size_t i = 0; i < all->n_remarks; i++)
        if (w->c.grading_of(w->c.user, all->remarks[i].place).race != REPORT_NO_MESSAGE)
            report_write_warning_of_comment(w->out, &all->remarks[i], &w->c.how, w->tally);
}

/* ---- Section: Results as messages ---- */

/* Returns the text that stands for a file where no line is known: the kernel's name, or where the
 * source that was found has it. */
static const char *shown_for(const work *w, const kernel_report *kernel)
{
    const tr_place *place = kernel->place;
    if (w->c.file)
        return w->c.file;
    if (!place || !place->file)
        return kernel->kernel;
    return tr_arena_printf(w->s.arena, "%s:%u:%u", place->file, place->line, place->column);
}

static void write_checked(work *w, kernel_report *checked, const report_grading *grading)
{
    const input_report report = {.file = shown_for(w, checked)};
    hide(&w->hiding, w->s.arena, checked);
    report_write_warnings(w->out, &report, checked, grading, &w->c.how, w->tally);
}

/* The reason why a configuration could not be read, with its place, which is in another file. */
static const char *why_unread(const work *w, const tr_error *e)
{
    if (!e->place.file || e->place.line == 0 || strcmp(e->place.file, w->file) == 0)
        return e->text;
    return tr_arena_printf(w->s.arena, "%s:%u:%u: %s", e->place.file, e->place.line,
                           e->place.column, e->text);
}

static bool is_ignored(const work *w, const tr_place *kernel)
{
    return w->c.grading_of(w->c.user, kernel).race == REPORT_NO_MESSAGE;
}

/* Takes the kernels out whose races nobody would hear of. */
static void leave_out_ignored(work *w, loaded *input)
{
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        loaded_kernel *kernel = &input->kernels[i];
        if (is_ignored(w, kernel->function->place)) {
            leave_open(w, kernel->function);
            contract_free(kernel->contract);
        } else {
            input->kernels[n++] = *kernel;
        }
    }
    if (input->kernels)
        arrsetlen(input->kernels, n);
}

static bool has_line(const tr_place *place)
{
    return place && place->line > 0;
}

/* Checks each kernel for every launch that its contract allows. */
static const char *check_kernels(work *w)
{
    const checking_told nobody = {0};
    tr_text packed = {0};
    if (w->in->loaded) {
        leave_out_ignored(w, w->in->loaded);
        checking_loaded(&w->s, 0, w->in->loaded, w->in->seen, &packed);
    } else if (!checking_recall(&w->s, 0, &packed)) {
        checking_run(&w->s, 0, 0, &nobody, &packed);
    }
    const checked_input found = checking_result(&w->s, 0, &packed, w->s.arena);
    tr_text_free(&packed);
    if (found.report.n_errors > 0)
        return why_unread(w, &found.report.errors[0]);
    for (size_t i = 0; i < found.report.n_kernels; i++) {
        kernel_report *checked = &found.report.kernels[i];
        const report_grading grading = w->c.grading_of(w->c.user, checked->place);
        w->has_places |= has_line(checked->place);
        write_checked(w, checked, &grading);
    }
    return found.failure ? found.failure : w->hiding.failure;
}

/* ---- Section: With a recording ---- */

/* Returns what a recording has of the kernel, once where a contract has several launches of it. */
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

static const char *check_launches(work *w, loaded *input)
{
    if (tr_errors_count(&w->hiding.settings->wrong) > 0)
        return why_unread(w, &w->hiding.settings->wrong.items[0]);
    if (tr_errors_count(&input->errors) > 0)
        return unchecked_why(input);
    leave_out_ignored(w, input);
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        const loaded_kernel *kernel = &input->kernels[i];
        const loaded_seen *seen = seen_of(input, i);
        const report_grading grading = w->c.grading_of(w->c.user, kernel->function->place);
        const rules_options how = session_rules(&w->s, 0);
        w->has_places |= has_line(kernel->function->place);
        if (seen)
            compilers_recorded_write(&w->c, input, kernel, seen, &grading, w->out, w->tally);
        else
            write_checked(w, load_check(&w->s, input, kernel, &how), &grading);
    }
    const char *failure = input->prover ? smt_prover_failure(input->prover) : NULL;
    return failure ? tr_arena_strdup(w->s.arena, failure) : w->hiding.failure;
}

/* Nothing of this is kept: the launches are the recording's. */
static const char *check_recorded(work *w)
{
    loaded module;
    if (w->in->loaded)
        return check_launches(w, w->in->loaded);
    load_module(&w->s, w->file, w->in->bytes, w->in->size, &module);
    const char *why = check_launches(w, &module);
    why = why ? tr_arena_strdup(w->s.arena, why) : NULL;
    load_free(&module);
    return why;
}

/* ---- Section: One input ---- */

/* The session with the input as its only file. False, with *why: its configurations cannot be
 * opened. */
static bool begin(work *w, const kernels_check *c, const char **why)
{
    const kernels_input *in = w->in;
    w->s = *c->s;
    w->options = *c->s->options;
    w->file = in->loaded ? in->loaded->file : in->name;
    w->s.options = &w->options;
    w->s.n_files = 1;
    w->s.files = &w->file;
    if (!in->loaded) { /* what stands on the command line has made the module */
        w->options.n_behind = 0;
        w->image = (bytecode_image){.bytes = (unsigned char *)in->bytes, .size = in->size};
        w->image_at = &w->image;
        w->s.images = &w->image_at;
    }
    w->s.configs = configs_open(w->s.arena, &w->options, w->s.working_folder, why);
    if (!w->s.configs)
        return false;
    w->settings_at = c->is_configured && c->file ? configs_for(w->s.configs, c->file)
                                                 : configs_without_file(w->s.configs);
    w->s.settings = &w->settings_at;
    w->hiding = (kernels_hiding){.comments = report_comments_make(w->s.arena, w->s.unsaved),
                                 .settings = w->settings_at,
                                 .report = {.file = c->file ? c->file : w->file}};
    w->c = *c;
    w->c.s = &w->s;
    w->c.hiding = &w->hiding;
    return true;
}

const char *kernels_write(const kernels_check *c, const kernels_input *in, tr_text *out,
                          report_tally *tally, bool *places)
{
    work w = {.in = in, .out = out, .tally = tally};
    const char *why = NULL;
    if (!begin(&w, c, &why))
        return why;
    if (w.s.seen) {
        why = check_recorded(&w);
    } else {
        w.s.cache = cache_open(&w.s);
        why = check_kernels(&w);
        cache_close(&w.s, w.s.cache);
    }
    if (!why)
        write_comments(&w);
    report_comments_free(w.hiding.comments);
    configs_close(w.s.configs);
    if (places)
        *places = w.has_places;
    return why;
}

/* ---- Section: In a process of its own ---- */

typedef struct result { /* stands before why not all were checked, and the messages behind that */
    bool has_places;
    size_t why_length; /* 0: all were checked */
    report_tally tally;
} result;

typedef struct checking {
    const kernels_check *c;
    const kernels_input *in;
} checking;

static void check(void *user, tr_text *out)
{
    const checking *ch = user;
    result r = {0};
    tr_text text = {0};
    if (ch->in->seen)
        lookups_take_over(ch->in->seen);
    const char *why = kernels_write(ch->c, ch->in, &text, &r.tally, &r.has_places);
    if (ch->in->loaded)
        load_stop_solver(ch->in->loaded);
    r.why_length = why ? strlen(why) : 0;
    tr_text_addn(out, (const char *)&r, sizeof r);
    tr_text_add(out, why ? why : "");
    tr_text_addn(out, tr_text_get(&text), text.length);
    tr_text_free(&text);
}

static void add_tally(report_tally *to, const report_tally *from)
{
    to->remarks += from->remarks;
    to->warnings += from->warnings;
    to->errors += from->errors;
    to->of_comments += from->of_comments;
}

void kernels_pack_apart(const kernels_check *c, const kernels_input *in, tr_text *packed)
{
    checking ch = {c, in};
    const char *why = NULL;
    if (apart_run(c->s->arena, check, &ch, packed, &why))
        return;
    const result r = {.why_length = strlen(why)};
    tr_text_addn(packed, (const char *)&r, sizeof r);
    tr_text_add(packed, why);
}

const char *kernels_unpack(tr_arena *arena, const tr_text *packed, tr_text *out,
                           report_tally *tally, bool *places)
{
    result r;
    assert(packed->length >= sizeof r);
    const char *text = tr_text_get(packed) + sizeof r;
    memcpy(&r, tr_text_get(packed), sizeof r);
    tr_text_addn(out, text + r.why_length, packed->length - sizeof r - r.why_length);
    add_tally(tally, &r.tally);
    if (places)
        *places = r.has_places;
    return r.why_length > 0 ? tr_arena_strndup(arena, text, r.why_length) : NULL;
}

const char *kernels_write_apart(const kernels_check *c, const kernels_input *in, tr_text *out,
                                report_tally *tally, bool *places)
{
    tr_text packed = {0};
    kernels_pack_apart(c, in, &packed);
    const char *why = kernels_unpack(c->s->arena, &packed, out, tally, places);
    tr_text_free(&packed);
    return why;
}

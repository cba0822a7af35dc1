/* tilerace contract: what the sources state and the proofs ask for, as a launch contract. */
#include "driver/contract_command.h"

#include "base/ds.h"
#include "contract/launch_writer.h"
#include "driver/commands.h"
#include "inputs/load.h"
#include "session/session.h"

/* Writes what the contract states and the verdict requires. What no contract can say goes to
 * `notes`, where that is not NULL. */
static void add_launch(launch_writer *w, const loaded_kernel *kernel, const kernel_report *report,
                       FILE *notes)
{
    const char **lost = NULL;
    launch_writer_add(w, kernel->contract, report->kernel, kernel->launch_json, &lost);
    for (size_t i = 0; i < arrlenu(lost) && notes; i++)
        tr_say(notes,
               "tilerace: note: the source of '%s' states what a contract file cannot say: %s\n",
               kernel->contract->kernel, lost[i]);
    arrfree(lost);
    for (size_t i = 0; i < report->n_requires; i++)
        if (!launch_writer_require(w, &report->requires_[i].what) && notes)
            tr_say(notes, "tilerace: note: '%s' requires what a contract cannot say: %s\n",
                   report->kernel, report->requires_[i].text);
}

const char *driver_contract_as_required(const loaded *input, const loaded_kernel *kernel,
                                        const kernel_report *report)
{
    launch_writer *w = launch_writer_new(input->ctx);
    add_launch(w, kernel, report, NULL);
    const char *text = launch_writer_text(w);
    launch_writer_free(w);
    return text;
}

/* Findings that the file does not change go to the error stream. */
static void complain_of(session *s, const kernel_report *report)
{
    if (report->verdict == VERDICT_RACE)
        tr_say(s->err, "tilerace: note: '%s' races; this contract does not change that\n",
               report->kernel);
    if (report->verdict == VERDICT_CONDITIONAL)
        tr_say(s->err,
               "tilerace: note: '%s' is race-free only where this contract is kept: breaking it is "
               "a race\n",
               report->kernel);
    if (report->verdict == VERDICT_UNKNOWN)
        tr_say(s->err, "tilerace: note: '%s' is not decided: %s\n", report->kernel,
               report->reason.text ? report->reason.text : reason_name(report->reason.kind));
}

static int write_contract(session *s, loaded *input)
{
    launch_writer *w = launch_writer_new(input->ctx);
    bool race = false;
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        const kernel_report *report = load_check(s, input, &input->kernels[i], &s->rules);
        add_launch(w, &input->kernels[i], report, s->err);
        complain_of(s, report);
        race = race || report->verdict == VERDICT_RACE;
    }
    tr_text text = {0};
    tr_text_add(&text, launch_writer_text(w));
    launch_writer_free(w);
    int code = session_emit(s, &text);
    tr_text_free(&text);
    return code != EXIT_CLEAN ? code : race ? EXIT_FINDINGS : EXIT_CLEAN;
}

/* Writes what the recorded launches of each kernel have in common. */
static int merge_recording(session *s, const char *folder)
{
    loaded holder = {.errors = tr_errors_make(s->arena)};
    const recorded_folder *r = recording_read(s->arena, folder, &holder.errors);
    load_complain(s, &holder);
    int code = tr_errors_count(&holder.errors) > 0 ? EXIT_BAD : EXIT_CLEAN;
    const char *merged = r ? recording_merge(s->arena, r) : NULL;
    tr_errors_free(&holder.errors);
    if (!merged)
        return code != EXIT_CLEAN
                   ? code
                   : session_complain(s, "%s has no launches: nothing to merge", folder);
    tr_text text = {0};
    tr_text_add(&text, merged);
    int emitted = session_emit(s, &text);
    tr_text_free(&text);
    return emitted != EXIT_CLEAN ? emitted : code;
}

int command_contract(session *s)
{
    if (recording_is(s->options->files[0]))
        return merge_recording(s, s->options->files[0]);
    if (session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    loaded input;
    load_input(s, s->options->files[0], 0, &input);
    int code = EXIT_BAD;
    if (tr_errors_count(&input.errors) > 0)
        load_complain(s, &input);
    else
        code = write_contract(s, &input);
    load_free(&input);
    return code;
}

#include "compilers/kernels.h"

#include "base/ds.h"
#include "compilers/recorded.h"

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
    input_report report = {.file = c->file ? c->file : kernel->function->shown};
    kernel_report *checked = load_check(c->s, input, kernel, &c->s->rules);
    report_write_warnings(out, &report, checked, &grading, &c->how, tally);
}

void kernels_write_warnings(const kernels_check *c, loaded *input, tr_text *out,
                            report_tally *tally)
{
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        write_kernel(c, input, i, out, tally);
}

#include "compilers/kernels.h"

#include "base/ds.h"

static void write_kernel(const kernels_check *c, loaded *input, const loaded_kernel *kernel,
                         tr_text *out, report_tally *tally)
{
    const report_grading grading = c->grading_of(c->user, kernel);
    if (grading.race == REPORT_NO_MESSAGE)
        return;
    input_report report = {.file = c->file ? c->file : kernel->function->shown};
    kernel_report *checked = load_check(c->s, input, kernel, &c->s->rules);
    report_write_warnings(out, &report, checked, &grading, &c->how, tally);
}

void kernels_write_warnings(const kernels_check *c, loaded *input, tr_text *out,
                            report_tally *tally)
{
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        write_kernel(c, input, &input->kernels[i], out, tally);
}

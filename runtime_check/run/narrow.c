#include "run/narrow.h"

#include <string.h>

#include "base/ds.h"
#include "inputs/load.h"

bool run_narrow(run_target *t, const char *text, loaded *input)
{
    session s = *t->s;
    tr_errors errors = tr_errors_make(t->input->arena);
    s.launches = launch_file_parse(t->input->arena, "what the verdict requires", text, strlen(text),
                                   &errors);
    if (!s.launches)
        return false;
    load_input(&s, t->input->file, 0, input);
    input->launches = s.launches; /* to be released with it */
    const loaded_kernel *found = NULL;
    for (size_t i = 0; i < arrlenu(input->kernels) && !found; i++)
        if (strcmp(input->kernels[i].function->name, t->kernel->function->name) == 0)
            found = &input->kernels[i];
    if (!found || tr_errors_count(&input->errors) > 0) {
        load_free(input);
        return false;
    }
    t->input = input;
    t->kernel = found;
    t->races = false;
    return true;
}

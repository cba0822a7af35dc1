/* tilerace dump: what the checker makes of a file, at each stage. */
#include "session/session.h"

#include "base/ds.h"
#include "driver/commands.h"
#include "index_space/summary.h"
#include "inputs/load.h"

static void add_kernel_heading(tr_text *out, const ir_function *kernel)
{
    tr_text_addf(out, "kernel %s\n", kernel->shown);
}

static void dump_accesses(const session *s, loaded *input, size_t i, tr_text *out)
{
    (void)s;
    add_kernel_heading(out, input->kernels[i].function);
    summary *found = summary_build(input->arena, input->ctx, input->kernels[i].function,
                                   input->kernels[i].contract);
    summary_print(out, found);
    summary_free(found);
}

static void dump_tokens(const session *s, loaded *input, size_t i, tr_text *out)
{
    add_kernel_heading(out, input->kernels[i].function);
    model_tokens_print(
        out, model_tokens_build(input->arena, input->kernels[i].function, &s->rules.model));
}

static void dump_obligations(const session *s, loaded *input, size_t i, tr_text *out)
{
    rules_options options = s->rules;
    options.obligations = out;
    load_check(s, input, &input->kernels[i], &options);
}

int command_dump(session *s)
{
    const driver_options *o = s->options;
    if (o->accesses + o->tokens + o->obligations > 1)
        return session_complain(s, "dump takes one of --accesses, --tokens and --obligations");
    if (o->obligations && session_find_solver(s) != EXIT_CLEAN)
        return EXIT_BAD;
    loaded input;
    load_input(s, o->files[0], 0, &input);
    int code = EXIT_BAD;
    if (tr_errors_count(&input.errors) > 0) {
        load_complain(s, &input);
    } else {
        void (*dump)(const session *, loaded *, size_t, tr_text *) = o->accesses ? dump_accesses
                                                                     : o->tokens ? dump_tokens
                                                                     : o->obligations
                                                                         ? dump_obligations
                                                                         : NULL;
        tr_text text = {0};
        if (!dump)
            ir_print_module(&text, input.unit.module, o->locations);
        for (size_t i = 0; dump && i < arrlenu(input.kernels); i++)
            dump(s, &input, i, &text);
        code = session_emit(s, &text);
        tr_text_free(&text);
    }
    load_free(&input);
    return code;
}

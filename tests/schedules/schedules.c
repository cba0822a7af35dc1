/* What the interpreter shows of every kernel and fixture, by trying schedules of small launches:
 *
 *   - a racy kernel that calls itself observable: two schedules that leave different memory;
 *   - one that calls itself unobservable: two unordered events, and no such schedules;
 *   - a race-free one: neither, up to the order in which floats are added by atomics (then none
 * once the sums are exact).
 *
 * Usage: schedules [-page FILE] FILE...   Sources; of one that another compiler reads, the module
 * beside it. One line a kernel; exit code 1 when one is not as it says. -page: the lines as tables,
 * between two marks of that file. */
#include "schedules.h"
#include "solver/find_solver.h"

#include "base/ds.h"
#include "required.h"
#include "trial.h"

#include <string.h>

typedef struct tally {
    size_t kernels, failures;
} tally;

const char *row_words(const row *r)
{
    return r->saw.differs     ? "differs"
           : r->saw.only_sums ? "order of additions"
           : r->saw.unordered ? "unordered events"
           : r->saw.launches  ? "no difference"
                              : "no launch found";
}

/* A module of a race-free kernel that states nothing runs under what the checker requires of it. */
static void load(session *s, const expectations *expected, loaded *input, bool *required)
{
    load_input(s, expected->checked, 0, input);
    bool bare = input->unit.n_kernels > 0, clean = true;
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        const ir_function *f = input->kernels[i].function;
        clean &= expectations_of(expected, f->name, f->shown).observable == OBSERVABLE_UNSAID;
        bare &= !input->kernels[i].launch_json && !input->unit.contracts[0];
    }
    if (!bare || !clean)
        return;
    load_free(input);
    required_load(s, expected->checked, input);
    *required = true;
}

static row *row_of(session *s, const char *file, const expectations *expected, size_t first,
                   const loaded_kernel *k, row **rows)
{
    const char *name = k->function->shown;
    for (size_t at = first; at < arrlenu(*rows); at++)
        if (strcmp((*rows)[at].kernel, name) == 0)
            return &(*rows)[at];
    row fresh = {.file = file,
                 .kernel = tr_arena_strdup(s->arena, name),
                 .wants = expectations_of(expected, k->function->name, name)};
    arrput(*rows, fresh);
    return &arrlast(*rows);
}

static void try_kernel(trial *t)
{
    bool racy = t->wants->observable != OBSERVABLE_UNSAID;
    trial_launches(t, false);
    if (racy && !trial_fits(t->wants, t->saw))
        trial_witnesses(t);
    if ((racy || !t->saw->launches) && !trial_fits(t->wants, t->saw))
        trial_launches(t, true);
    if (t->wants->observable == OBSERVABLE_NO && t->saw->unordered && !t->saw->differs)
        trial_explore(t);
}

static void check_file(session *s, const char *file, row **rows)
{
    expectations *expected = expectations_read(s->arena, file);
    loaded input;
    size_t first = arrlenu(*rows);
    bool required = false;
    load(s, expected, &input, &required);
    if (tr_errors_count(&input.errors))
        load_complain(s, &input);
    for (size_t i = 0; i < arrlenu(input.kernels); i++) {
        row *r = row_of(s, file, expected, first, &input.kernels[i], rows);
        r->required = required;
        trial t = {.s = s,
                   .arena = s->arena,
                   .input = &input,
                   .kernel = &input.kernels[i],
                   .made_up = ir_module_new("before"),
                   .wants = &r->wants,
                   .saw = &r->saw};
        if (!r->wants.open)
            try_kernel(&t);
        ir_module_free(t.made_up);
    }
    load_free(&input);
    for (size_t i = first; i < arrlenu(*rows); i++) {
        row *r = &(*rows)[i];
        r->fits = r->wants.open || trial_fits(&r->wants, &r->saw);
        printf("%-44s %-32s %3zu launches %5llu schedules  %s", r->file, r->kernel, r->saw.launches,
               (unsigned long long)r->saw.schedules, row_words(r));
        if (r->saw.explored)
            printf(", all %llu of %s%s", (unsigned long long)r->saw.explored,
                   r->saw.two_blocks ? "two blocks of " : "", r->saw.launch);
        printf("%s\n", r->fits ? "" : "  NOT AS EXPECTED");
        if (!r->fits && r->saw.launch)
            printf("    lines %u and %u: %s\n", r->saw.lines[0], r->saw.lines[1], r->saw.launch);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    const char *page = NULL;
    driver_options options = {.command = COMMAND_RUN, .color = "never"};
    session s = {.arena = tr_arena_new(),
                 .options = &options,
                 .out = stdout,
                 .err = stdout,
                 .include_folder = TILERACE_SOURCE_DIR "/include",
                 .working_folder = "."};
    const char *why;
    s.solver = smt_find_solver(s.arena, &why);
    s.rules.model = model_default_choices();
    row *rows = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-page") == 0 && i + 1 < argc)
            page = argv[++i];
        else
            check_file(&s, argv[i], &rows);
    }
    tally t = {0};
    for (ptrdiff_t i = 0; i < arrlen(rows); i++) {
        t.kernels++;
        t.failures += !rows[i].fits;
    }
    printf("%zu passed, %zu failed\n", t.kernels - t.failures, t.failures);
    if (page && !page_write(s.arena, page, arrlenu(rows), rows)) {
        printf("%s: not written\n", page);
        t.failures++;
    }
    arrfree(rows);
    tr_arena_free(s.arena);
    return t.failures ? 1 : 0;
}

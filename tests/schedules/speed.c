/* How long one run of a kernel takes on the interpreter, blocks one after the other, values given.
 *
 * Usage: speed FILE [-kernel NAME] NAME=VALUE...   The file's numbers by name; the grid is the
 * contract's. Prints processor time. */
#include "base/ds.h"
#include "inputs/load.h"
#include "interp/schedule.h"
#include "launch/fill.h"
#include "launch/from_contract.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool value_of(int argc, char **argv, const char *name, int64_t *value)
{
    size_t n = strlen(name);
    for (int i = 2; i < argc; i++)
        if (!strncmp(argv[i], name, n) && argv[i][n] == '=') {
            *value = strtoll(argv[i] + n + 1, NULL, 10);
            return true;
        }
    return false;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *word_behind(int argc, char **argv, const char *option)
{
    for (int i = 2; i + 1 < argc; i++)
        if (strcmp(argv[i], option) == 0)
            return argv[i + 1];
    return NULL;
}

static int time_kernel(loaded *input, const loaded_kernel *k, int argc, char **argv)
{
    const contract *c = k->contract;
    int64_t *scalars = TR_NEW_ARRAY(input->arena, int64_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR && c->args[i].name &&
            !value_of(argc, argv, c->args[i].name, &scalars[i]))
            printf("%s = 0\n", c->args[i].name);
    int64_t grid[3] = {0, 0, 0};
    const char *why = "the launch does not meet the contract";
    const concrete_launch *launch =
        concrete_launch_holds(input->ctx, c, scalars, grid)
            ? concrete_launch_from(input->arena, input->ctx, k->function, c, grid, scalars, NULL,
                                   &why)
            : NULL;
    if (!launch) {
        printf("%s: %s\n", k->function->shown, why);
        return 1;
    }
    launch = concrete_fill(input->arena, k->function, launch, 1);
    interp_limits limits = {.steps = UINT64_MAX / 2, .events = UINT64_MAX / 2, .values = true};
    double begun = seconds();
    interp_run *run = interp_execute(k->function, launch, NULL, &limits, NULL);
    double took = seconds() - begun;
    printf("%s, grid %lld x %lld x %lld: %.2f s, %llu million elements%s\n", k->function->shown,
           (long long)launch->grid[0], (long long)launch->grid[1], (long long)launch->grid[2], took,
           (unsigned long long)interp_work(run) / 1000000,
           interp_run_status(run) == INTERP_DONE ? "" : ", NOT DONE");
    int code = interp_run_status(run) != INTERP_DONE;
    interp_run_free(run);
    return code;
}

int main(int argc, char **argv)
{
    const char *wanted = word_behind(argc, argv, "-kernel");
    driver_options options = {.command = COMMAND_RUN, .color = "never"};
    session s = {.arena = tr_arena_new(),
                 .options = &options,
                 .out = stdout,
                 .err = stdout,
                 .include_folder = TILERACE_SOURCE_DIR "/include",
                 .working_folder = "."};
    loaded input;
    load_input(&s, argc > 1 ? argv[1] : "", 0, &input);
    load_complain(&s, &input);
    int code = arrlenu(input.kernels) == 0;
    for (size_t i = 0; i < arrlenu(input.kernels); i++)
        if (!wanted || strcmp(wanted, input.kernels[i].function->shown) == 0)
            code |= time_kernel(&input, &input.kernels[i], argc, argv);
    load_free(&input);
    tr_arena_free(s.arena);
    return code;
}

/* Checks a module once and holds each of its launches against the proof, as a program that launches
 * kernels would.
 *
 *     cc check_launch.c $(pkg-config --cflags --libs tilerace) -o check_launch
 *     ./check_launch KERNEL.tilebc GRID.X VALUE...     one value for each parameter
 *
 * A pointer's value is the number of bytes that it addresses. */
#include <stdio.h>
#include <stdlib.h>

#include <tilerace.h>

static void print_verdict(const tilerace_kernel *kernel)
{
    static const char *const verdicts[] = {"race-free", "conditional", "race", "unknown"};
    printf("%s: %s\n", kernel->name, verdicts[kernel->verdict]);
    for (size_t i = 0; i < kernel->n_preconditions; i++)
        printf("  requires: %s\n", kernel->preconditions[i]->text);
    for (size_t i = 0; i < kernel->n_findings; i++) {
        const tilerace_finding *finding = kernel->findings[i];
        const tilerace_location *at = finding->locations[0];
        printf("  %s:%d: %s [%s]\n", at->file ? at->file : "?", at->line, finding->message,
               finding->rule);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s KERNEL GRID.X VALUE...\n", argv[0]);
        return 2;
    }
    tilerace_result *result = tilerace_check_file(argv[1], NULL);
    for (size_t i = 0; i < tilerace_error_count(result); i++)
        fprintf(stderr, "%s\n", tilerace_error(result, i));
    if (tilerace_kernel_count(result) == 0) {
        tilerace_free(result);
        return 2;
    }
    const tilerace_kernel *kernel = tilerace_kernel_at(result, 0);
    print_verdict(kernel);

    size_t n = (size_t)argc - 3;
    tilerace_argument *values = calloc(n + 1, sizeof *values);
    const tilerace_argument **arguments = calloc(n + 1, sizeof *arguments);
    for (size_t i = 0; i < n; i++) {
        long long value = strtoll(argv[3 + i], NULL, 10);
        /* Every buffer of this example lies by itself; a real launch passes its addresses. */
        values[i] = (tilerace_argument){.integer = value,
                                        .address = (i + 1) << 40,
                                        .bytes = (uint64_t)value,
                                        .bytes_known = true};
        arguments[i] = &values[i];
    }
    const tilerace_launch launch = {
        .grid = {strtoll(argv[2], NULL, 10), 1, 1}, .n_arguments = n, .arguments = arguments};
    tilerace_answer answer;
    tilerace_outcome outcome = tilerace_check_launch(kernel, &launch, &answer);
    char words[1000];
    tilerace_describe(kernel, &launch, &answer, words, sizeof words);
    printf("%s\n", words);
    free(values);
    free(arguments);
    tilerace_free(result);
    return outcome == TILERACE_HOLDS ? 0 : 1;
}

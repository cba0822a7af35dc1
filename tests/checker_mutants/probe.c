/* Which mutants of the checker do the expectations of kernels, fixtures and litmus tests notice?
 *
 * Usage: checker_probe [-seconds S] [-slow MS] -numbers N,N,... FILE...
 *
 * The sources are read once, without a mutant. Then a child for each number checks all kernels with
 * that mutant and compares what `EXPECT` lines state: verdict, findings with their places, kinds of
 * preconditions. It ends at the first difference, or after S seconds of its own work, which is a
 * difference too. The quick kernels come first; those that take longer than MS are left out. Part
 * of the build of the mutants alone. */
#include "base/ds.h"
#include "driver/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern int tr_mutant;

typedef struct subject { /* one kernel, and what is expected of it */
    const char *path;
    smt_ctx *ctx;
    const ir_function *kernel;
    const contract *contract;
    char *expected;
    double ms; /* processor time of a check without a mutant */
} subject;

typedef struct probe {
    subject *subjects; /* stb_ds array */
    unsigned seconds;  /* of work for one mutant */
    double slow;       /* milliseconds that no kernel takes */
} probe;

static void describe(tr_text *out, const kernel_report *r)
{
    tr_text_addf(out, "%d %d;", (int)r->verdict,
                 r->verdict == VERDICT_UNKNOWN ? (int)r->reason.kind : 0);
    for (size_t i = 0; i < r->n_findings; i++) {
        const finding *f = &r->findings[i];
        tr_text_addf(out, " %d/%d", (int)f->rule, (int)f->confidence);
        for (size_t k = 0; k < f->n_locations; k++)
            tr_text_addf(out, "@%u", f->locations[k].op_ordinal);
    }
    tr_text_add(out, ";");
    for (size_t i = 0; i < r->n_requires; i++)
        tr_text_addf(out, " %d/%d", (int)r->requires_[i].what.kind,
                     (int)r->requires_[i].what.class_);
}

static char *check(const subject *s)
{
    tr_arena *arena = tr_arena_new();
    smt_options solver = {0};
    smt_prover *prover = smt_prover_new(s->ctx, &solver);
    rules_options options = {.model = model_default_choices()};
    kernel_report *report = rules_check(arena, s->ctx, prover, s->kernel, s->contract, &options);
    tr_text text = {0};
    describe(&text, report);
    char *copy = strdup(tr_text_get(&text));
    tr_text_free(&text);
    smt_prover_free(prover);
    tr_arena_free(arena);
    return copy;
}

/* Everything lives until the program ends. */
static void read_file(probe *p, const session *base, const char *path)
{
    loaded *input = calloc(1, sizeof *input);
    load_input(base, path, 0, input);
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        subject s = {path, input->ctx, input->kernels[i].function, input->kernels[i].contract,
                     NULL, 0};
        arrput(p->subjects, s);
    }
}

static double worked_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_time(const void *a, const void *b)
{
    double x = ((const subject *)a)->ms, y = ((const subject *)b)->ms;
    return (x > y) - (x < y);
}

/* What is expected, and in which order to ask. */
static void take_baseline(probe *p)
{
    size_t kept = 0, n = arrlenu(p->subjects);
    for (size_t i = 0; i < n; i++) {
        subject s = p->subjects[i];
        double begun = worked_ms();
        s.expected = check(&s);
        s.ms = worked_ms() - begun;
        if (s.ms <= p->slow)
            p->subjects[kept++] = s;
    }
    arrsetlen(p->subjects, kept);
    qsort(p->subjects, kept, sizeof *p->subjects, by_time);
    fprintf(stderr, "%zu kernels of %zu\n", kept, n);
}

/* In a child: 1 when some kernel is judged otherwise than without the mutant. */
static int try_mutant(const probe *p, int number)
{
    struct itimerval limit = {.it_value = {.tv_sec = p->seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(1800);
    tr_mutant = number;
    for (size_t i = 0; i < arrlenu(p->subjects); i++) {
        char *now = check(&p->subjects[i]);
        if (strcmp(now, p->subjects[i].expected) != 0) {
            printf("%d noticed %s\n", number, p->subjects[i].path);
            fflush(stdout);
            return 1;
        }
        free(now);
    }
    printf("%d survives\n", number);
    fflush(stdout);
    return 0;
}

static void fork_mutant(const probe *p, int number)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(try_mutant(p, number));
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("%d noticed signal %d\n", number, WTERMSIG(status));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    probe p = {.seconds = 40, .slow = 20};
    const char *numbers = "";
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "-seconds") == 0)
            p.seconds = (unsigned)strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "-slow") == 0)
            p.slow = strtod(argv[at + 1], NULL);
        else
            numbers = argv[at + 1];
    }
    driver_options options = {.command = COMMAND_CHECK};
    session base = {.arena = tr_arena_new(),
                    .options = &options,
                    .out = stdout,
                    .err = stderr,
                    .include_folder = TILERACE_SOURCE_DIR "/include",
                    .working_folder = TILERACE_SOURCE_DIR};
    for (; at < argc; at++)
        read_file(&p, &base, argv[at]);
    take_baseline(&p);
    for (const char *next = numbers; *next;) {
        char *end;
        long number = strtol(next, &end, 10);
        if (end == next)
            break;
        fork_mutant(&p, (int)number);
        next = end + (*end == ',');
    }
    return 0;
}

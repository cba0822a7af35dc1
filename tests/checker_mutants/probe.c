/* Which mutants of the checker do the expectations of kernels, fixtures and litmus tests notice?
 *
 * Usage: checker_probe [-seconds S] [-slow MS] [-random N] [-sync N] -numbers N,N,... FILE...
 *
 * Everything is checked once without a mutant; that also says in which kernels each changed place
 * makes a difference at all. Then a child for each number checks those kernels with that mutant and
 * compares what `EXPECT` lines state: verdict, findings with their places, kinds of preconditions.
 * It ends at the first difference, or after S seconds of its own work, which is a difference too.
 * The quick kernels come first; those that take longer than MS are left out.
 *
 * -random, -sync: so many kernels of random_kernels too, from seed 1. Their verdict is compared: a
 * kernel that was decided and is unknown is noticed, because the test counts the decided ones; any
 * other change where brute force then disagrees. Part of the build of the mutants alone. */
#include "probe_random.h"

#include "base/ds.h"
#include "inputs/load.h"
#include "session/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern int tr_mutant;
extern unsigned char *tr_seen;

enum { MUT_PLACES = 1 << 14 };

typedef struct source { /* one file */
    const char *path;
    loaded *unread;                 /* nothing was checked with it: what a child begins with */
    unsigned char seen[MUT_PLACES]; /* where reading it made a difference */
} source;

typedef struct subject { /* one kernel, and what is expected of it */
    source *from;        /* NULL: random */
    size_t kernel;       /* of the file */
    random_kernel random;
    verdict_kind verdict; /* of a random kernel */
    char *expected;
    unsigned char *seen;
    double ms; /* processor time of a check without a mutant */
} subject;

typedef struct probe {
    const session *base;
    subject *subjects; /* stb_ds array */
    unsigned seconds;  /* of work for one mutant */
    double slow;       /* milliseconds that no kernel takes */
    size_t left_out;
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

static char *check(loaded *input, size_t kernel)
{
    tr_arena *arena = tr_arena_new();
    smt_options solver = {0};
    smt_prover *prover = smt_prover_new(input->ctx, &solver);
    rules_options options = {.model = model_default_choices()};
    const loaded_kernel *k = &input->kernels[kernel];
    kernel_report *report =
        rules_check(arena, input->ctx, prover, k->function, k->contract, &options);
    tr_text text = {0};
    describe(&text, report);
    char *copy = strdup(tr_text_get(&text));
    tr_text_free(&text);
    smt_prover_free(prover);
    tr_arena_free(arena);
    return copy;
}

/* Everything lives until the program ends. */
static loaded *read_file(const session *base, const char *path)
{
    loaded *input = calloc(1, sizeof *input);
    load_input(base, path, 0, input);
    return input;
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

static void take_baseline(probe *p, const char *path)
{
    source *from = calloc(1, sizeof *from);
    from->path = path;
    from->unread = read_file(p->base, path);
    memset(tr_seen, 0, MUT_PLACES);
    loaded *input = read_file(p->base, path);
    memcpy(from->seen, tr_seen, MUT_PLACES);
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        subject s = {.from = from, .kernel = i, .seen = malloc(MUT_PLACES)};
        memset(tr_seen, 0, MUT_PLACES);
        double begun = worked_ms();
        s.expected = check(input, i);
        s.ms = worked_ms() - begun;
        memcpy(s.seen, tr_seen, MUT_PLACES);
        if (s.ms <= p->slow)
            arrput(p->subjects, s);
        else
            p->left_out++;
    }
}

static void take_random(probe *p, bool sync, uint64_t seed)
{
    subject s = {.random = {seed, sync}, .seen = malloc(MUT_PLACES)};
    memset(tr_seen, 0, MUT_PLACES);
    double begun = worked_ms();
    s.verdict = random_kernel_verdict(&s.random);
    s.ms = worked_ms() - begun;
    memcpy(s.seen, tr_seen, MUT_PLACES);
    if (s.ms <= p->slow)
        arrput(p->subjects, s);
    else
        p->left_out++;
}

static bool is_noticed_at_random(const subject *s)
{
    verdict_kind now = random_kernel_verdict(&s->random);
    return now != s->verdict && (now == VERDICT_UNKNOWN || random_kernel_disagrees(&s->random));
}

/* With the mutant that is set: false when the kernel is judged as without one. */
static bool is_noticed(const probe *p, const subject *s, int number)
{
    loaded *input = s->from->unread;
    if (s->from->seen[number])
        input = read_file(p->base, s->from->path);
    if (arrlenu(input->kernels) <= s->kernel)
        return true;
    char *now = check(input, s->kernel);
    bool noticed = strcmp(now, s->expected) != 0;
    free(now);
    return noticed;
}

/* In a child: 1 when some kernel is judged otherwise than without the mutant. */
static int try_mutant(const probe *p, int number)
{
    struct itimerval limit = {.it_value = {.tv_sec = p->seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(1800);
    tr_mutant = number;
    size_t asked = 0;
    for (size_t i = 0; i < arrlenu(p->subjects); i++) {
        const subject *s = &p->subjects[i];
        if (!s->seen[number] && !(s->from && s->from->seen[number]))
            continue;
        asked++;
        if (s->from ? is_noticed(p, s, number) : is_noticed_at_random(s)) {
            if (s->from)
                printf("%d noticed %s\n", number, s->from->path);
            else
                printf("%d noticed %s-seed-%llu\n", number, s->random.sync ? "sync" : "random",
                       (unsigned long long)s->random.seed);
            fflush(stdout);
            return 1;
        }
    }
    printf("%d survives %zu\n", number, asked);
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
    session base;
    probe p = {.base = &base, .seconds = 40, .slow = 40};
    const char *numbers = "";
    uint64_t n_random = 0, n_sync = 0;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "-seconds") == 0)
            p.seconds = (unsigned)strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "-slow") == 0)
            p.slow = strtod(argv[at + 1], NULL);
        else if (strcmp(argv[at], "-random") == 0)
            n_random = strtoull(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "-sync") == 0)
            n_sync = strtoull(argv[at + 1], NULL, 10);
        else
            numbers = argv[at + 1];
    }
    driver_options options = {.command = COMMAND_CHECK};
    base = (session){.arena = tr_arena_new(),
                     .options = &options,
                     .out = stdout,
                     .err = stderr,
                     .include_folder = TILERACE_SOURCE_DIR "/include",
                     .working_folder = TILERACE_SOURCE_DIR};
    for (; at < argc; at++)
        take_baseline(&p, argv[at]);
    for (uint64_t seed = 1; seed <= n_sync; seed++)
        take_random(&p, true, seed);
    for (uint64_t seed = 1; seed <= n_random; seed++)
        take_random(&p, false, seed);
    qsort(p.subjects, arrlenu(p.subjects), sizeof *p.subjects, by_time);
    fprintf(stderr, "%zu kernels, %zu left out as slow\n", arrlenu(p.subjects), p.left_out);
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

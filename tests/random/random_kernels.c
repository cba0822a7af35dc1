/* Random kernels: the checker's verdict against brute force over small launches.
 *
 * Usage: random_kernels [-n KERNELS] [-seed S] [-launches N] [-steps THOUSANDS] [-v] [-no-shrink]
 *                       [-stop] [-decided N]
 *        random_kernels -sync [...]   kernels that synchronise, against all their executions
 *        random_kernels [-sync] -kept FILE...
 *
 * Kernel i is made from seed S + i. Each disagreement is shrunk and printed with the choices that
 * make it; a file of such choices (numbers, and lines that start with '#') is a test of -kept.
 * Exit code 1 when there was a disagreement, when of 60 well-formed kernels or more under 90 % are
 * decided, and when fewer than N are. A kernel is well-formed when some launch of its contract runs
 * to its end without undefined behaviour, or when it is decided all the same. */
#include "compare.h"

#include "base/ds.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    size_t launches;
    smt_steps steps; /* for one kernel */
    bool verbose, shrink;
    bool stop; /* at the first disagreement */
    bool sync; /* kernels that synchronise, against all executions */
} settings;

/* Fewer say nothing of the share that is decided. */
enum { FLOOR_KERNELS = 60 };

typedef struct tally {
    size_t well_formed,
        open;      /* kernels of which a launch runs to its end, and those left unknown */
    size_t wanted; /* -decided */
    size_t idle;   /* well-formed ones that store nothing in any launch tried */
    size_t traits[N_TRAITS];
    size_t kernels, launches, races, left_out, possible, unknown;
    size_t verdicts[VERDICT_COUNT], reasons[REASON_COUNT], kinds[N_DISAGREEMENTS];
    double check_ms, longest_ms;
} tally;

/* ---- Section: One kernel from its choices ---- */

static comparison try_choices(const settings *set, choices *c, tr_text *out, tr_text *kernel)
{
    smt_ctx *ctx = smt_ctx_new();
    smt_options options = {0};
    smt_prover *prover = smt_prover_new(ctx, &options);
    if (set->sync) {
        sample s = sample_make_sync(c, ctx);
        comparison result = compare_sync_sample(out, ctx, prover, &s, set->steps);
        result.traits = s.traits;
        if (kernel)
            sample_print(kernel, &s);
        sample_free(&s);
        smt_prover_free(prover);
        smt_ctx_free(ctx);
        return result;
    }
    sample s = sample_make(c, ctx, false);
    smt_ctx *other = smt_ctx_new();
    choices again = choices_given(arrlenu(c->made), c->made);
    sample flagged = sample_make(&again, other, true);
    comparison result = compare_sample(out, ctx, prover, &s, &flagged, set->launches, set->steps);
    result.traits = s.traits;
    if (kernel)
        sample_print(kernel, &s);
    choices_free(&again);
    sample_free(&flagged);
    sample_free(&s);
    smt_prover_free(prover);
    smt_ctx_free(ctx);
    smt_ctx_free(other);
    return result;
}

/* ---- Section: Shrinking ---- */

typedef struct shrinker {
    const settings *set;
    disagreement kind;
    const char *what;
    uint32_t *best; /* stb_ds array */
    int tries;      /* left */
} shrinker;

static bool still_disagrees(shrinker *s, const uint32_t *trial, size_t n)
{
    if (s->tries-- <= 0)
        return false;
    choices c = choices_given(n, trial);
    tr_text out = {0};
    comparison result = try_choices(s->set, &c, &out, NULL);
    bool same = result.kind == s->kind && result.what == s->what;
    if (same) { /* what was not used is gone */
        size_t used = arrlenu(c.made) < n ? arrlenu(c.made) : n;
        uint32_t *kept = NULL;
        for (size_t i = 0; i < used; i++)
            arrput(kept, trial[i]);
        while (arrlenu(kept) && arrlast(kept) == 0)
            (void)arrpop(kept);
        arrfree(s->best);
        s->best = kept;
    }
    tr_text_free(&out);
    choices_free(&c);
    return same;
}

static bool drop_spans(shrinker *s, size_t length)
{
    bool any = false;
    for (size_t at = 0; at < arrlenu(s->best) && s->tries > 0;) {
        uint32_t *trial = NULL;
        for (size_t i = 0; i < arrlenu(s->best); i++)
            if (i < at || i >= at + length)
                arrput(trial, s->best[i]);
        bool gone = still_disagrees(s, trial, arrlenu(trial));
        arrfree(trial);
        any |= gone;
        at += gone ? 0 : length;
    }
    return any;
}

static bool lower_values(shrinker *s)
{
    bool any = false;
    for (size_t at = 0; at < arrlenu(s->best) && s->tries > 0; at++) {
        for (uint32_t to = 0; at < arrlenu(s->best) && to < s->best[at] && s->tries > 0;) {
            uint32_t *trial = NULL, from = s->best[at];
            for (size_t i = 0; i < arrlenu(s->best); i++)
                arrput(trial, i == at ? to : s->best[i]);
            bool lower = still_disagrees(s, trial, arrlenu(trial));
            arrfree(trial);
            any |= lower;
            if (lower)
                break;
            to = to + (from - to + 1) / 2 + (to ? 1 : 0);
        }
    }
    return any;
}

static void shrink(shrinker *s)
{
    for (bool progress = true; progress && s->tries > 0;) {
        progress = false;
        for (size_t length = 32; length; length /= 2)
            progress |= drop_spans(s, length);
        progress |= lower_values(s);
    }
}

/* ---- Section: Output ---- */

static void print_choices(const uint32_t *made, size_t n)
{
    while (n && made[n - 1] == 0)
        n--;
    for (size_t i = 0; i < n; i++)
        printf("%s%u", i % 24 ? " " : "\n  ", made[i]);
    printf("\n");
}

static void show(const settings *set, const uint32_t *made, size_t n)
{
    choices c = choices_given(n, made);
    tr_text out = {0}, kernel = {0};
    try_choices(set, &c, &out, &kernel);
    printf("%s%s", tr_text_get(&out), tr_text_get(&kernel));
    printf("choices:");
    print_choices(made, n);
    tr_text_free(&out);
    tr_text_free(&kernel);
    choices_free(&c);
}

static void report(const settings *set, uint64_t seed, const comparison *r, const choices *c)
{
    printf("==== seed %llu: %s\n", (unsigned long long)seed, disagreement_text(r->kind));
    shrinker s = {.set = set, .kind = r->kind, .what = r->what, .tries = set->shrink ? 400 : 0};
    for (size_t i = 0; i < arrlenu(c->made); i++)
        arrput(s.best, c->made[i]);
    shrink(&s);
    show(set, s.best, arrlenu(s.best));
    fflush(stdout);
    arrfree(s.best);
}

static void count(tally *t, const comparison *r)
{
    t->kernels++;
    t->launches += r->launches;
    t->races += r->races;
    t->left_out += r->left_out;
    t->possible += r->possible;
    t->kinds[r->kind]++;
    t->check_ms += r->check_ms;
    if (r->check_ms > t->longest_ms)
        t->longest_ms = r->check_ms;
    if (r->kind == INVALID)
        return;
    t->verdicts[r->verdict]++;
    /* Where every launch of the contract is undefined, nothing is there to decide. */
    bool unknown = r->verdict == VERDICT_UNKNOWN, runs = r->launches > 0 || !unknown;
    t->well_formed += runs;
    t->open += runs && unknown;
    t->idle += runs && !r->stores;
    for (int i = 0; i < N_TRAITS; i++)
        t->traits[i] += r->traits >> i & 1;
    if (r->verdict == VERDICT_UNKNOWN)
        t->reasons[r->reason]++;
}

static size_t conclude(const tally *t)
{
    printf("%zu kernels (%zu well-formed, %zu of them unknown, %zu of them idle): %zu race-free, "
           "%zu conditional, %zu "
           "race, "
           "%zu unknown; %zu launches "
           "compared, %zu left out, "
           "%zu racing pairs; %zu possible findings; %.1f ms a check, longest %.0f ms\n",
           t->kernels, t->well_formed, t->open, t->idle, t->verdicts[VERDICT_RACE_FREE],
           t->verdicts[VERDICT_CONDITIONAL], t->verdicts[VERDICT_RACE],
           t->verdicts[VERDICT_UNKNOWN], t->launches, t->left_out, t->races, t->possible,
           t->kernels ? t->check_ms / (double)t->kernels : 0, t->longest_ms);
    for (int i = 0; i < REASON_COUNT; i++)
        if (t->reasons[i])
            printf("  unknown, %s: %zu\n", reason_name((reason_kind)i), t->reasons[i]);
    static const char *const traits[] = {
#define X(name, text) text,
        TRAITS(X)
#undef X
    };
    for (int i = 0; i < N_TRAITS; i++)
        if (t->traits[i])
            printf("  drawn, %s: %zu\n", traits[i], t->traits[i]);
    size_t wrong = 0, decided = t->well_formed - t->open;
    if (t->well_formed >= FLOOR_KERNELS && 10 * t->open > t->well_formed) {
        printf("  under 90 %% of the well-formed ones are decided\n");
        wrong++;
    }
    if (decided < t->wanted) {
        printf("  %zu are decided, which were at least %zu\n", decided, t->wanted);
        wrong++;
    }
    for (int i = 1; i < N_DISAGREEMENTS; i++) {
        wrong += t->kinds[i];
        if (t->kinds[i])
            printf("  %s: %zu\n", disagreement_text((disagreement)i), t->kinds[i]);
    }
    printf("%zu passed, %zu failed\n", t->kernels - wrong, wrong);
    return wrong;
}

/* ---- Section: Kept kernels ---- */

static void run_kept(const settings *set, const char *path, tally *t)
{
    tr_arena *arena = tr_arena_new();
    const char *why;
    char *text = tr_read_file(arena, TR_FILE_KERNELS, path, NULL, &why);
    uint32_t *given = NULL;
    for (char *line = text, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next != '\0';
        char *end;
        for (char *at = line; at < next && *line != '#'; at = end) {
            unsigned long value = strtoul(at, &end, 10);
            if (end == at || end > next)
                break;
            arrput(given, (uint32_t)value);
        }
    }
    choices c = choices_given(arrlenu(given), given);
    tr_text out = {0};
    comparison r = try_choices(set, &c, &out, NULL);
    count(t, &r);
    if (!text || r.kind != AGREES || set->verbose) {
        printf("==== %s: %s\n", path, text ? disagreement_text(r.kind) : why);
        show(set, given, arrlenu(given));
    }
    t->kinds[INVALID] += !text;
    tr_text_free(&out);
    choices_free(&c);
    arrfree(given);
    tr_arena_free(arena);
}

int main(int argc, char **argv)
{
    settings set = {.launches = 40, .steps = 2000 * 1000, .shrink = true};
    size_t n = 300;
    uint64_t seed = 1;
    tally t = {0};
    int at = 1;
    bool kept = false;
    for (; at < argc && argv[at][0] == '-' && !kept; at++) {
        const char *option = argv[at];
        bool has_value = at + 1 < argc;
        if (strcmp(option, "-n") == 0 && has_value)
            n = strtoul(argv[++at], NULL, 10);
        else if (strcmp(option, "-seed") == 0 && has_value)
            seed = strtoull(argv[++at], NULL, 10);
        else if (strcmp(option, "-launches") == 0 && has_value)
            set.launches = strtoul(argv[++at], NULL, 10);
        else if (strcmp(option, "-steps") == 0 && has_value)
            set.steps = 1000 * strtoul(argv[++at], NULL, 10);
        else if (strcmp(option, "-decided") == 0 && has_value)
            t.wanted = strtoul(argv[++at], NULL, 10);
        else if (strcmp(option, "-v") == 0)
            set.verbose = true;
        else if (strcmp(option, "-stop") == 0)
            set.stop = true;
        else if (strcmp(option, "-no-shrink") == 0)
            set.shrink = false;
        else if (strcmp(option, "-sync") == 0)
            set.sync = true;
        else if (strcmp(option, "-kept") == 0)
            kept = true;
        else {
            fprintf(stderr, "unknown option '%s'\n", option);
            return 2;
        }
    }
    for (; kept && at < argc; at++)
        run_kept(&set, argv[at], &t);
    for (size_t i = 0; i < n && !kept; i++) {
        choices c = choices_random((seed + i) * 0x632be59bd9b4e019u);
        tr_text out = {0};
        comparison r = try_choices(&set, &c, &out, NULL);
        count(&t, &r);
        if (r.check_ms > 2 * (double)set.steps / 1000)
            printf("slow: seed %llu took %.0f ms\n", (unsigned long long)(seed + i), r.check_ms);
        fflush(stdout);
        if (set.verbose) {
            printf("---- seed %llu\n", (unsigned long long)(seed + i));
            show(&set, c.made, arrlenu(c.made));
        }
        if (r.kind != INVALID && r.verdict == VERDICT_UNKNOWN)
            printf("unknown: seed %llu, %s%s\n", (unsigned long long)(seed + i),
                   reason_name(r.reason), r.stores ? "" : ", nothing stored");
        if (r.kind != AGREES)
            report(&set, seed + i, &r, &c);
        tr_text_free(&out);
        choices_free(&c);
        if (r.kind != AGREES && set.stop)
            break;
    }
    return conclude(&t) ? 1 : 0;
}

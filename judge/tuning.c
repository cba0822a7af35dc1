/* Every combination of tuning values, and what they say of the candidate together. */

#include "base/ds.h"
#include "judge/judge.h"

size_t judge_combinations(const judge_context *c)
{
    size_t n = 1;
    for (size_t i = 0; i < c->n_tuned; i++)
        n *= c->tuned[i].n_values;
    return n;
}

driver_options *judge_options_with(const session *s, const judge_context *c, const int64_t *values)
{
    driver_options *options = tr_arena_copy(s->arena, s->options, sizeof *s->options);
    size_t n = options->n_behind;
    const char **behind = TR_NEW_ARRAY(s->arena, const char *, n + c->n_defines + c->n_tuned + 1);
    for (size_t i = 0; i < n; i++)
        behind[i] = options->behind[i];
    for (size_t i = 0; i < c->n_defines; i++)
        behind[n++] = c->defines[i];
    for (size_t i = 0; i < c->n_tuned; i++)
        behind[n++] =
            tr_arena_printf(s->arena, "-D%s=%lld", c->tuned[i].name, (long long)values[i]);
    options->behind = behind;
    options->n_behind = n;
    return options;
}

const int64_t *judge_values_of(const session *s, const judge_context *c, size_t number)
{
    int64_t *values = TR_NEW_ARRAY(s->arena, int64_t, c->n_tuned + 1);
    for (size_t i = c->n_tuned; i-- > 0;) {
        values[i] = c->tuned[i].values[number % c->tuned[i].n_values];
        number /= c->tuned[i].n_values;
    }
    return values;
}

static bool is_no_kernel(const judgement *j)
{
    return j->class_ == JUDGE_DOES_NOT_COMPILE || j->class_ == JUDGE_MALFORMED;
}

/* A combination that is no kernel is so by its values' fault, if another combination is one. */
static void name_invalid(judge_answer *a)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(a->combinations); i++)
        any = any || !is_no_kernel(&a->combinations[i].judgement);
    for (size_t i = 0; i < arrlenu(a->combinations) && any; i++) {
        judgement *j = &a->combinations[i].judgement;
        if (is_no_kernel(j))
            j->class_ = JUDGE_WRONG_TUNING_VALUE;
    }
}

/* The combination that stands for the candidate: the first wrong one, invalid ones apart, which an
 * autotuner passes over; else the first undecided, else the first that passed. */
static size_t first_that_counts(const judge_answer *a)
{
    static const judge_class milder[] = {JUDGE_UNKNOWN, JUDGE_PASSED};
    for (size_t i = 0; i < arrlenu(a->combinations); i++) {
        judge_class which = a->combinations[i].judgement.class_;
        if (judge_class_of(which)->is_wrong && which != JUDGE_WRONG_TUNING_VALUE)
            return i;
    }
    for (size_t k = 0; k < TR_COUNT(milder); k++)
        for (size_t i = 0; i < arrlenu(a->combinations); i++)
            if (a->combinations[i].judgement.class_ == milder[k])
                return i;
    return 0;
}

/* The mean over the combinations that are kernels: what is corrected in one of them raises it. */
static double mean_score(const judge_answer *a)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(a->combinations); i++) {
        const judgement *j = &a->combinations[i].judgement;
        if (j->class_ == JUDGE_WRONG_TUNING_VALUE)
            continue;
        sum += judge_score(j);
        n++;
    }
    return n ? sum / (double)n : 0;
}

judge_answer judge_run(session *s, const judge_context *context, const judge_watch *watch)
{
    judge_answer a = {.context = context};
    for (size_t i = 0, n = judge_combinations(context); i < n; i++) {
        const int64_t *values = judge_values_of(s, context, i);
        judgement j = judge_candidate(s, context, watch, i, values);
        arrput(a.combinations, ((judge_combination){values, j}));
    }
    name_invalid(&a);
    a.whole = a.combinations[first_that_counts(&a)].judgement;
    a.score = mean_score(&a);
    return a;
}

void judge_answer_free(judge_answer *a)
{
    for (size_t i = 0; i < arrlenu(a->combinations); i++)
        judgement_free(&a->combinations[i].judgement);
    arrfree(a->combinations);
}

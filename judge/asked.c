/* Finds which stages the context asks for. The others are judged where those need them, and
 * forgotten. */
#include "base/ds.h"
#include "judge/private.h"

static bool is_asked(const judging *j, judge_stage stage)
{
    return !(j->context->passed_over >> stage & 1);
}

bool judge_asks_runs(const judging *j)
{
    for (int i = JUDGE_STAGE_WRITTEN; i < JUDGE_STAGE_COUNT; i++)
        if (is_asked(j, (judge_stage)i))
            return true;
    return false;
}

/* Outputs without a value agree with nothing, and what says so is a fault of another stage. */
static bool explains_values(const judging *j, const judge_fault *f)
{
    return j->into->stages[JUDGE_STAGE_AGREES].state == JUDGE_FAILED &&
           is_asked(j, JUDGE_STAGE_AGREES) &&
           (f->stage == JUDGE_STAGE_WRITTEN || f->stage == JUDGE_STAGE_DEFINED);
}

void judge_keep_asked(judging *j)
{
    judgement *into = j->into;
    const char *gone = NULL; /* the first fault that nobody asked for */
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(into->faults); i++) {
        judge_fault f = into->faults[i];
        if (!is_asked(j, f.stage) && explains_values(j, &f))
            f.stage = JUDGE_STAGE_AGREES;
        if (is_asked(j, f.stage))
            into->faults[n++] = f;
        else if (!gone)
            gone = f.what;
    }
    if (into->faults)
        arrsetlen(into->faults, n);
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        judge_result *r = &into->stages[i];
        if (!is_asked(j, (judge_stage)i))
            judge_not_asked(j, (judge_stage)i, "the context does not ask for it");
        else if (r->state == JUDGE_NOT_REACHED && gone && n == 0)
            *r = (judge_result){.state = JUDGE_UNDECIDED, .ms = r->ms, .why = gone};
    }
}

#include "judge/judge.h"

static const double values[JUDGE_STATE_COUNT] = {
    [JUDGE_HELD] = 1.0, [JUDGE_UNDECIDED] = 0.5, [JUDGE_FAILED] = 0, [JUDGE_NOT_REACHED] = 0};

double judge_stage_score(const judgement *j, judge_stage stage)
{
    return values[j->stages[stage].state];
}

/* Does the candidate give the values that it should, at the launches that were tried? Where it does
 * not, its other stages say little: a store that is missing takes its race along, and a loop that
 * ends early its access out of bounds. If they counted, correcting the one would bring the other
 * out, and cost the candidate. */
static double of_values(const judgement *j)
{
    static const judge_stage say[] = {JUDGE_STAGE_WRITTEN, JUDGE_STAGE_DEFINED, JUDGE_STAGE_AGREES};
    double least = 1;
    for (size_t i = 0; i < TR_COUNT(say); i++)
        if (j->stages[say[i]].state != JUDGE_NOT_ASKED && judge_stage_score(j, say[i]) < least)
            least = judge_stage_score(j, say[i]);
    return least;
}

double judge_score(const judgement *j)
{
    double sum = 0, most = 0, right = of_values(j);
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        if (j->stages[i].state == JUDGE_NOT_ASKED)
            continue;
        double counts = i < JUDGE_STAGE_BOUNDS ? 1 : right;
        sum +=
            judge_stage_of((judge_stage)i)->weight * counts * judge_stage_score(j, (judge_stage)i);
        most += judge_stage_of((judge_stage)i)->weight;
    }
    return most > 0 ? sum / most : 0;
}

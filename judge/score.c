#include "judge/judge.h"

double judge_stage_score(const judgement *j, judge_stage stage)
{
    static const double values[JUDGE_STATE_COUNT] = {
        [JUDGE_HELD] = 1.0, [JUDGE_UNDECIDED] = 0.5, [JUDGE_FAILED] = 0, [JUDGE_NOT_REACHED] = 0};
    return values[j->stages[stage].state];
}

double judge_score(const judgement *j)
{
    double sum = 0, most = 0;
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        if (j->stages[i].state == JUDGE_NOT_ASKED)
            continue;
        sum += judge_stage_of((judge_stage)i)->weight * judge_stage_score(j, (judge_stage)i);
        most += judge_stage_of((judge_stage)i)->weight;
    }
    return most > 0 ? sum / most : 0;
}

/* The stages of a judgement, and what each comes to. */
#include "judge/judge.h"

#include <string.h>

#include "base/ds.h"
#include "judge/private.h"

const judge_class_info *judge_class_of(judge_class which)
{
    static const judge_class_info classes[] = {
#define CLASS(id, name, is_wrong, about, help) {name, is_wrong, about, help},
#include "judge/classes.def"
    };
    return &classes[which];
}

const judge_stage_info *judge_stage_of(judge_stage stage)
{
    static const judge_stage_info stages[] = {
#define STAGE(id, name, weight, about) {name, weight, about},
#include "judge/stages.def"
    };
    return &stages[stage];
}

const char *judge_state_name(judge_state state)
{
    static const char *const names[JUDGE_STATE_COUNT] = {[JUDGE_NOT_ASKED] = "not-asked",
                                                         [JUDGE_NOT_REACHED] = "not-reached",
                                                         [JUDGE_UNDECIDED] = "unknown",
                                                         [JUDGE_FAILED] = "failed",
                                                         [JUDGE_HELD] = "passed"};
    return names[state];
}

/* Each launch shows a mistake anew: once will do, and that of the smallest is the first. */
static bool is_told(const judge_fault *a, const judge_fault *b)
{
    bool same_rule = a->rule && b->rule ? strcmp(a->rule, b->rule) == 0 : a->rule == b->rule;
    uint32_t lines[2] = {a->place ? a->place->line : 0, b->place ? b->place->line : 0};
    return a->stage == b->stage && a->class_ == b->class_ && same_rule && lines[0] == lines[1];
}

static const char *keep_text(const judging *j, const char *text)
{
    return text ? tr_arena_strdup(j->s->arena, text) : NULL;
}

/* The input that it was found in goes before the judgement does. */
static judge_fault keep(const judging *j, const judge_fault *f)
{
    judge_fault kept = *f;
    kept.kernel = keep_text(j, f->kernel);
    kept.what = keep_text(j, f->what);
    kept.launch = keep_text(j, f->launch);
    kept.shown = keep_text(j, f->shown);
    kept.help = keep_text(j, f->help);
    if (f->place) {
        tr_place *place = tr_arena_copy(j->s->arena, f->place, sizeof *f->place);
        place->file = keep_text(j, f->place->file);
        place->function = keep_text(j, f->place->function);
        place->inlined_at = NULL;
        kept.place = place;
    }
    return kept;
}

void judge_add_fault(judging *j, judge_fault fault)
{
    size_t at = arrlenu(j->into->faults);
    j->into->stages[fault.stage].state = JUDGE_FAILED;
    for (size_t i = 0; i < arrlenu(j->into->faults); i++)
        if (is_told(&j->into->faults[i], &fault))
            return;
    while (at > 0 && j->into->faults[at - 1].stage > fault.stage)
        at--;
    arrins(j->into->faults, at, keep(j, &fault));
}

void judge_leave_open(judging *j, judge_stage stage, const char *why)
{
    judge_result *r = &j->into->stages[stage];
    if (r->state != JUDGE_HELD)
        return;
    r->state = JUDGE_UNDECIDED;
    r->why = keep_text(j, why);
}

const char *judge_begin(judging *j, judge_phase phase)
{
    const judge_watch *watch = j->watch;
    for (size_t i = 0; watch && i < watch->n_deaths; i++)
        if (watch->deaths[i].phase == phase && watch->deaths[i].combination == j->combination)
            return judge_death_words(j->s->arena, &watch->deaths[i]);
    if (watch && watch->at)
        watch->at(watch->user, j->combination, phase);
    return NULL;
}

void judge_not_asked(judging *j, judge_stage stage, const char *why)
{
    j->into->stages[stage] = (judge_result){.state = JUDGE_NOT_ASKED, .why = why};
}

bool judge_is_silent(const judging *j, const contract *c)
{
    return !j->context->has_launch && contract_is_silent(c);
}

void judgement_free(judgement *j)
{
    arrfree(j->faults);
    arrfree(j->preconditions);
    arrfree(j->launches);
}

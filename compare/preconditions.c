/* Do both ask the same of their launches? */

#include "base/ds.h"
#include "compare/private.h"

/* Is it of the same kind, and about the same thing, by the match of the parameters? */
static bool is_counterpart(const comparing *c, int side, const require *r, const require *other)
{
    if (r->what.kind != other->what.kind || r->what.class_ != other->what.class_ ||
        r->subject.kind != other->subject.kind)
        return false;
    switch (r->subject.kind) {
    case PRECONDITION_OF_ARG:
    case PRECONDITION_OF_BUFFER:
        return c->match.other[side][r->subject.arg] == (int)other->subject.arg;
    case PRECONDITION_OF_GRID:
        return r->subject.axis == other->subject.axis;
    case PRECONDITION_OF_LAUNCH:
        return true;
    }
    return false;
}

/* Takes what that side asks for and the other does not; false: a launch that breaks it races. */
static bool take_own(comparing *c, int side)
{
    const kernel_report *own = c->side[side].report, *other = c->side[1 - side].report;
    bool same = true;
    for (size_t i = 0; i < own->n_requires; i++) {
        const require *r = &own->requires_[i];
        size_t k = 0;
        while (k < other->n_requires && !is_counterpart(c, side, r, &other->requires_[k]))
            k++;
        if (k < other->n_requires || r->what.class_ == PRECONDITION_CLASS_STANDING)
            continue;
        arrput(c->into->preconditions[side], tr_arena_strdup(c->s->arena, r->brief));
        same = same && r->what.class_ != PRECONDITION_CLASS_RACE;
    }
    return same;
}

/* Is the kernel decided? The preconditions of one that is not are unknown. */
static bool is_decided(const kernel_report *report)
{
    return report->verdict != VERDICT_UNKNOWN;
}

bool compare_preconditions(comparing *c)
{
    const kernel_report *a = c->side[0].report, *b = c->side[1].report;
    if (!is_decided(a) || !is_decided(b))
        return true;
    bool same[2] = {take_own(c, COMPARE_A), take_own(c, COMPARE_B)};
    bool races = (a->verdict == VERDICT_RACE) != (b->verdict == VERDICT_RACE);
    return same[0] && same[1] && !races;
}

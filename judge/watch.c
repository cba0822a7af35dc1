#include "judge/watch.h"

#include <string.h>

static const char *const names[JUDGE_PHASE_COUNT] = {
#define PHASE(id, name, words) name,
#include "judge/phases.def"
};

static const char *const words[JUDGE_PHASE_COUNT] = {
#define PHASE(id, name, words) words,
#include "judge/phases.def"
};

const char *judge_phase_name(judge_phase phase)
{
    return names[phase];
}

const char *judge_death_words(tr_arena *arena, const judge_death *death)
{
    const char *what = words[death->phase];
    switch (death->kind) {
    case JUDGE_DEATH_TIME:
        return tr_arena_printf(arena, "%s takes more than %g s", what, (double)death->value / 1e3);
    case JUDGE_DEATH_MEMORY:
        return tr_arena_printf(arena, "%s takes more than %llu MB of memory", what,
                               (unsigned long long)death->value);
    case JUDGE_DEATH_SIGNAL:
        break;
    }
    return death->value ? tr_arena_printf(arena, "%s ended the process by signal %d (%s)", what,
                                          (int)death->value, strsignal((int)death->value))
                        : tr_arena_printf(arena, "%s ended the process", what);
}

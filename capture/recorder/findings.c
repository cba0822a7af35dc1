/* What was found of a thread's launches, for a front end that has words of its own for it. */
#include "recorder/private.h"

static _Thread_local struct {
    bool is_taken;
    const char *first;
} here;

void recorder_take_findings(void)
{
    here.is_taken = true;
    here.first = NULL;
}

const char *recorder_finding(void)
{
    const char *first = here.first;
    here.is_taken = false;
    here.first = NULL;
    return first;
}

bool findings_are_taken(void)
{
    return here.is_taken;
}

void findings_add(const char *kept)
{
    if (here.is_taken && !here.first)
        here.first = kept;
}

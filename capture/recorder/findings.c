/* Keeps what was found of a thread's launches, for a front end that has words of its own for it. */
#include "recorder/private.h"

static _Thread_local struct {
    bool is_taken;
    uint8_t asks; /* wire_launch_flags */
    const char *first;
    const char *not_executed;
} here;

void recorder_take_findings(unsigned asks)
{
    here.is_taken = true;
    here.asks = WIRE_TAKES_FINDING | (asks & (WIRE_STOPS | WIRE_WRITTEN_WHOLLY));
    here.first = NULL;
    here.not_executed = NULL;
    read_only_forget();
}

const char *recorder_finding(void)
{
    const char *first = here.first;
    here.is_taken = false;
    here.first = NULL;
    return first;
}

const char *recorder_not_executed(void)
{
    return here.not_executed;
}

uint8_t findings_asks(void)
{
    return here.is_taken ? here.asks : 0;
}

bool findings_are_taken(void)
{
    return here.is_taken;
}

void findings_not_executed(const char *kept)
{
    if (here.is_taken)
        here.not_executed = kept;
}

void findings_add(const char *kept)
{
    if (here.is_taken && !here.first)
        here.first = kept;
}

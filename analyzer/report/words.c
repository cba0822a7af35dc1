/* Single sentences of a report, for those who show findings in their own way. */
#include "report/report_private.h"

const char *report_location_words(tr_arena *arena, const finding *f, size_t i)
{
    writer w = {.arena = arena};
    return location_words(&w, f, i);
}

const char *report_undecided_words(tr_arena *arena, const kernel_report *kernel)
{
    return undecided_words(arena, kernel);
}

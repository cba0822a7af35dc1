/* A1: two accesses to one location conflict when at least one of them writes. */
#include "tileir_memory/execution.h"

bool model_conflict(model_access a, model_access b)
{
    return ((a | b) & MODEL_WRITE) != 0;
}

/* D5: a location is an element's bytes; D6: those that overlap in part share some. */
bool model_events_overlap(const model_event *a, const model_event *b)
{
    return a->buffer == b->buffer && a->address < b->address + b->width &&
           b->address < a->address + a->width;
}

bool model_events_cover(const model_event *a, const model_event *b)
{
    return a->buffer == b->buffer && a->address == b->address && a->width == b->width;
}

bool model_events_conflict(const model_execution *x, size_t a, size_t b)
{
    return a != b && model_conflict(x->events[a].access, x->events[b].access) &&
           model_events_overlap(&x->events[a], &x->events[b]);
}

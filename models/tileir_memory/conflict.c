/* A1: two accesses to one location conflict when at least one of them writes. */
#include "tileir_memory/model.h"

bool model_conflict(model_access a, model_access b)
{
    return ((a | b) & MODEL_WRITE) != 0;
}

/* Errors by name, and functions by name and version. */
#include "stand_in/private.h"

#include <string.h>

enum { FOUND = 0, NOT_KNOWN = 1, TOO_OLD = 2 }; /* what cuGetProcAddress_v2 tells of a search */

static const char *text_of(cu_result status, bool name)
{
    switch (status) {
#define STATUS(number, upper, text)                                                                \
    case number:                                                                                   \
        return !name ? text : number ? "CUDA_ERROR_" #upper : "CUDA_" #upper;
#include "stand_in/status.def"
#undef STATUS
    default:
        return NULL;
    }
}

static cu_result give_text(cu_result status, bool name, const char **text)
{
    if (!text)
        return CU_INVALID_VALUE;
    *text = text_of(status, name);
    return *text ? CU_SUCCESS : CU_INVALID_VALUE;
}

API cuGetErrorName(cu_result status, const char **name)
{
    return give_text(status, true, name);
}

API cuGetErrorString(cu_result status, const char **text)
{
    return give_text(status, false, text);
}

typedef void (*any_function)(void);

static const struct row {
    const char *name;
    int since;
    any_function function;
} rows[] = {
#define ROW(symbol, suffix, base, from, parameters) {base, from, (any_function)(symbol)},
#include "stand_in/functions.def"
#undef ROW
};

API cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags UNUSED,
                        int *found)
{
    if (!name || !function)
        return CU_INVALID_VALUE;
    const struct row *best = NULL;
    bool known = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        known = true;
        if (rows[i].since <= version && (!best || rows[i].since > best->since))
            best = &rows[i];
    }
    *function = NULL;
    if (best)
        memcpy(function, &best->function, sizeof *function);
    if (found)
        *found = best ? FOUND : known ? TOO_OLD : NOT_KNOWN;
    return best || found ? CU_SUCCESS : CU_NOT_FOUND;
}

API cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* Functions that no documentation names. NVRTC asks for some, and calls nothing where there are
 * none. */
API cuGetExportTable(const void **table, const cu_uuid *id UNUSED)
{
    if (!table)
        return CU_INVALID_VALUE;
    *table = NULL;
    return CU_NOT_FOUND;
}

API cuProfilerStart(void)
{
    return CU_SUCCESS;
}

API cuProfilerStop(void)
{
    return CU_SUCCESS;
}

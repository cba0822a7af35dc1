/* CUPTI's functions that the shim calls. A test tells of each call of the driver by itself. */
#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

enum { DRIVER_CALLS = 1, MULTIPLE_SUBSCRIBERS = 39, INVALID_PARAMETER = 1 };

typedef struct api_call {
    unsigned when;
    const char *function;
    const void *parameters;
    const int *result;
    const char *symbol;
    void *context;
    unsigned context_id;
    unsigned long long *correlation;
    unsigned correlation_id;
} api_call;

typedef void on_call(void *user, unsigned domain, unsigned id, const void *call);

EXPORTED int cuptiSubscribe(void **subscriber, on_call *function, void *user);
EXPORTED int cuptiGetCallbackName(unsigned domain, unsigned id, const char **name);
EXPORTED int cuptiEnableCallback(unsigned on, void *subscriber, unsigned domain, unsigned id);
EXPORTED int cuptiEnableDomain(unsigned on, void *subscriber, unsigned domain);
EXPORTED void fake_cupti_tell(unsigned when, unsigned id, const void *parameters,
                              const int *result);
EXPORTED unsigned fake_cupti_enabled(void);

static const char *const names[] = {
    NULL,
    "cuInit",
    "cuMemAlloc_v2",
#define ROW(symbol, when, fields, arguments) #symbol,
#include "preload/injected.def"
#undef ROW
};
enum { N_NAMES = sizeof names / sizeof *names };

static on_call *told;
static void *user_data;
static unsigned char enabled[N_NAMES];

int cuptiSubscribe(void **subscriber, on_call *function, void *user)
{
    if (told)
        return MULTIPLE_SUBSCRIBERS;
    told = function;
    user_data = user;
    *subscriber = enabled;
    return 0;
}

int cuptiGetCallbackName(unsigned domain, unsigned id, const char **name)
{
    if (domain != DRIVER_CALLS || id >= N_NAMES || !names[id])
        return INVALID_PARAMETER;
    *name = names[id];
    return 0;
}

int cuptiEnableCallback(unsigned on, void *subscriber, unsigned domain, unsigned id)
{
    if (subscriber != enabled || domain != DRIVER_CALLS || id >= N_NAMES)
        return INVALID_PARAMETER;
    enabled[id] = on != 0;
    return 0;
}

int cuptiEnableDomain(unsigned on, void *subscriber, unsigned domain)
{
    (void)on;
    (void)subscriber;
    (void)domain;
    return INVALID_PARAMETER;
}

void fake_cupti_tell(unsigned when, unsigned id, const void *parameters, const int *result)
{
    const api_call call = {
        .when = when, .function = names[id], .parameters = parameters, .result = result};
    if (told && enabled[id])
        told(user_data, DRIVER_CALLS, id, &call);
}

unsigned fake_cupti_enabled(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < N_NAMES; i++)
        n += enabled[i];
    return n;
}

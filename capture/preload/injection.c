/* The shim in a program that it was not preloaded into: the driver loads it, where
 * CUDA_INJECTION64_PATH names it, when the program initialises the driver. By then the program has
 * the driver's functions or will get them past the shim, so CUPTI tells of the calls, and each is
 * given to the wrapper that would have made it.
 *
 * CUPTI cannot keep a call from happening, and knows one tool at a time. */
#include "preload/private.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Section: CUPTI, as its libraries lay it out ---- */

enum { DRIVER_CALLS = 1, BEFORE = 0, AFTER = 1, MOST_IDS = 4096 };

typedef struct api_call {
    unsigned when;
    const char *function;
    const void *parameters;
    const cu_result *result; /* AFTER */
} api_call;

typedef void on_call(void *user, unsigned domain, unsigned id, const api_call *call);
typedef int subscribe(void **subscriber, on_call *function, void *user);
typedef int enable_one(unsigned enable, void *subscriber, unsigned domain, unsigned id);
typedef int enable_all(unsigned enable, void *subscriber, unsigned domain);
typedef int name_of(unsigned domain, unsigned id, const char **name);

/* ---- Section: One call ---- */

static _Thread_local struct {
    bool is_inside; /* what the shim itself asks of the driver is not told */
    bool is_on;     /* the next call of a wrapper has been made */
    bool was_made;
    cu_result result;
} replay;

bool replay_takes(void)
{
    bool is_on = replay.is_on;
    replay.is_on = false;
    replay.was_made |= is_on;
    return is_on;
}

cu_result replay_result(void)
{
    return replay.result;
}

#define ROW(symbol, when, fields, arguments)                                                       \
    static void replay_##symbol(const void *parameters)                                            \
    {                                                                                              \
        const struct {                                                                             \
            fields                                                                                 \
        } *p = parameters;                                                                         \
        (symbol) arguments;                                                                        \
    }
#include "preload/injected.def"
#undef ROW

static const struct injected {
    const char *symbol;
    unsigned when;
    void (*replay)(const void *parameters);
} rows[] = {
#define ROW(symbol, when, fields, arguments) {#symbol, when, replay_##symbol},
#include "preload/injected.def"
#undef ROW
};

static const struct injected *row_of(const char *name)
{
    for (size_t i = 0; name && i < COUNT(rows); i++)
        if (strcmp(rows[i].symbol, name) == 0)
            return &rows[i];
    return NULL;
}

static void tell(const struct injected *row, const api_call *call)
{
    static atomic_flag was_said = ATOMIC_FLAG_INIT;
    int saved = errno;
    replay.is_inside = replay.is_on = true;
    replay.was_made = false;
    replay.result = row->when == BEFORE ? CU_SUCCESS : *call->result;
    if (row->when == BEFORE)
        recorder_streams_waited(false); /* what else is done in streams is not told */
    row->replay(call->parameters);
    if (row->when == BEFORE && !replay.was_made && !atomic_flag_test_and_set(&was_said))
        recorder_remark(WIRE_LOST, "a launch was to be stopped, and CUDA_INJECTION64_PATH gives no "
                                   "way to do that");
    replay.is_inside = replay.is_on = false;
    errno = saved;
}

static void called(void *user, unsigned domain, unsigned id, const api_call *call)
{
    (void)user;
    (void)id;
    if (domain != DRIVER_CALLS || replay.is_inside || !call->parameters)
        return;
    const struct injected *row = row_of(call->function);
    if (row && row->when == call->when && (row->when == BEFORE || call->result))
        tell(row, call);
}

/* ---- Section: The beginning ---- */

/* TILERACE_CUPTI may name it: the driver does not bring it along. */
static void *open_cupti(void)
{
    static const char *const names[] = {"libcupti.so.14", "libcupti.so.13", "libcupti.so"};
    const char *named = getenv("TILERACE_CUPTI");
    void *library = named && *named ? dlopen(named, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; !library && !(named && *named) && i < COUNT(names); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

#define CUPTI(type, name, symbol)                                                                  \
    type *name;                                                                                    \
    {                                                                                              \
        void *address = real_dlsym(library, symbol);                                               \
        memcpy(&name, &address, sizeof name);                                                      \
    }

/* Subscribes only to the calls that are needed, since each call that CUPTI reports costs the
 * program time. */
static bool enable(void *library, void *subscriber)
{
    CUPTI(name_of, name, "cuptiGetCallbackName")
    CUPTI(enable_one, one, "cuptiEnableCallback")
    CUPTI(enable_all, all, "cuptiEnableDomain")
    size_t n = 0;
    for (unsigned id = 1; name && one && id < MOST_IDS; id++) {
        const char *is = NULL;
        if (name(DRIVER_CALLS, id, &is) == 0 && row_of(is))
            n += one(1, subscriber, DRIVER_CALLS, id) == 0;
    }
    return n > 0 || (all && all(1, subscriber, DRIVER_CALLS) == 0);
}

/* NULL, or why calls cannot be seen. */
static const char *begin(void)
{
    static void *subscriber;
    void *library = open_cupti();
    if (!library)
        return "libcupti, by which CUDA_INJECTION64_PATH sees calls, cannot be opened; "
               "TILERACE_CUPTI may name it";
    CUPTI(subscribe, add, "cuptiSubscribe")
    if (!add || add(&subscriber, called, NULL) != 0)
        return "CUPTI cannot be used; another tool may be using it";
    return enable(library, subscriber) ? NULL : "CUPTI does not tell of the driver's calls";
}

/* Whether programs find the shim's functions by themselves. */
static bool is_preloaded(void)
{
    void *first = real_dlsym(RTLD_DEFAULT, "dlsym");
    Dl_info info, own;
    return first && dladdr(first, &info) && dladdr((const void *)rows, &own) &&
           info.dli_fbase == own.dli_fbase;
}

__attribute__((visibility("default"))) int InitializeInjection(void);

/* Called by the driver once. 1: all is well, as far as the driver has to know. */
int InitializeInjection(void)
{
    static atomic_flag was_here = ATOMIC_FLAG_INIT;
    int saved = errno;
    if (!atomic_flag_test_and_set(&was_here) && !is_preloaded() && is_recording()) {
        const char *why = begin();
        if (why)
            recorder_remark(WIRE_LOST, why);
    }
    errno = saved;
    return 1;
}

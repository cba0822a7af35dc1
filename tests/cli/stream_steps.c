/* Does in streams what its words say, on the driver: for tests of launches that may overlap.
 *
 *   stream_steps MODULE STEP...
 *
 *   KERNEL:X,Y[,ELEMENTS,SKIP,SKIP]   launches a kernel on two of eight arrays of 1024 floats,
 * which lie apart; for so many elements (256), from these elements on (0) kernel:X      ... of one
 * array and a number of 64 bits KERNEL:...+   as a dependent launch; `other` is a kernel of a
 * module that is no Tile IR
 *   @N            the next steps are in stream N: 0 the default one, 1 and 2 blocking, 3 and 4 not
 *   sync, query, fill:X, copy:X, host, read:X, free, context
 *   record, event, ask   an event is recorded, waited for, asked for; `behind`: the stream waits
 *   graph:STEP    a launch that is captured, and its graph launched
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in/functions.h"

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int status = (call);                                                                       \
        if (status) {                                                                              \
            fprintf(stderr, "%s: %d\n", #call, status);                                            \
            exit(100);                                                                             \
        }                                                                                          \
    } while (0)

enum { ARRAYS = 8, STREAMS = 5, BYTES = 4096 };

typedef struct program {
    cu_handle module, other, streams[STREAMS], stream, event;
    cu_address arrays[ARRAYS];
    int host[BYTES / 4]; /* 0, 1, 2, ... */
} program;

static void launch(program *p, const char *step)
{
    char name[64] = "";
    unsigned x = 0, y = 0, elements = 256, skip[2] = {0, 0};
    cu_handle function;
    sscanf(step, "%63[^:]:%u,%u,%u,%u,%u", name, &x, &y, &elements, &skip[0], &skip[1]);
    int is_other = strcmp(name, "other") == 0;
    cu_address from = p->arrays[x % ARRAYS] + 4 * skip[0];
    cu_address to = p->arrays[y % ARRAYS] + 4 * skip[1];
    int64_t count = elements;
    void *of_two[] = {&from, &to, &elements}, *in_place[] = {&from, &count};
    void **arguments = strcmp(name, "kernel") == 0 ? in_place : of_two;
    MUST(cuModuleGetFunction(&function, is_other ? p->other : p->module, name));
    cu_launch_attribute dependent = {.id = CU_LAUNCH_PROGRAMMATIC_SERIALIZATION,
                                     .value.programmatic_serialization = 1};
    cu_launch_config config = {.grid = {elements / 64, 1, 1},
                               .block = {1, 1, 1},
                               .stream = p->stream,
                               .attributes = &dependent,
                               .n_attributes = strchr(step, '+') != NULL};
    MUST(cuLaunchKernelEx(&config, function, arguments, NULL));
}

static void nothing(void *user)
{
    (void)user;
}

static void in_graph(program *p, const char *step)
{
    cu_handle graph, exec, before = p->stream;
    p->stream = p->streams[1];
    MUST(cuStreamBeginCapture_v2(p->stream, 0));
    launch(p, step);
    MUST(cuStreamEndCapture(p->stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    MUST(cuGraphLaunch(exec, p->stream = before));
}

static void take(program *p, const char *step)
{
    const char *colon = strchr(step, ':');
    cu_address x = p->arrays[colon ? strtoul(colon + 1, NULL, 10) % ARRAYS : 0], more;
    if (step[0] == '@')
        p->stream = p->streams[strtoul(step + 1, NULL, 10) % STREAMS];
    else if (strcmp(step, "sync") == 0)
        MUST(cuStreamSynchronize(p->stream));
    else if (strcmp(step, "query") == 0)
        MUST(cuStreamQuery(p->stream));
    else if (strcmp(step, "context") == 0)
        MUST(cuCtxSynchronize());
    else if (strcmp(step, "host") == 0)
        MUST(cuLaunchHostFunc(p->stream, nothing, NULL));
    else if (strcmp(step, "record") == 0)
        MUST(cuEventRecord(p->event, p->stream));
    else if (strcmp(step, "event") == 0)
        MUST(cuEventSynchronize(p->event));
    else if (strcmp(step, "ask") == 0)
        MUST(cuEventQuery(p->event));
    else if (strcmp(step, "behind") == 0)
        MUST(cuStreamWaitEvent(p->stream, p->event, 0));
    else if (strcmp(step, "free") == 0)
        MUST(cuMemAlloc_v2(&more, BYTES) || cuMemFree_v2(more));
    else if (strncmp(step, "fill:", 5) == 0)
        MUST(cuMemsetD32Async(x, 0, BYTES / 4, p->stream));
    else if (strncmp(step, "copy:", 5) == 0)
        MUST(cuMemcpyHtoDAsync_v2(x, p->host, BYTES, p->stream));
    else if (strncmp(step, "read:", 5) == 0)
        MUST(cuMemcpyDtoH_v2(p->host, x, BYTES));
    else if (strncmp(step, "graph:", 6) == 0)
        in_graph(p, step + 6);
    else
        launch(p, step);
}

int main(int n, char **words)
{
    static char image[1 << 20];
    static program p;
    cu_handle context;
    int device;
    FILE *file = fopen(words[1], "rb");
    MUST(!file || !fread(image, 1, sizeof image, file));
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&p.module, image));
    MUST(cuModuleLoadData(&p.other,
                          ".version 8.0\n.target sm_90\n.entry other(.param .u64 x) { ret; }\n"));
    MUST(cuEventCreate(&p.event, 0));
    for (int i = 0; i < BYTES / 4; i++)
        p.host[i] = i;
    for (int i = 0; i < ARRAYS; i++)
        MUST(cuMemAlloc_v2(&p.arrays[i], BYTES));
    for (unsigned i = 1; i < STREAMS; i++)
        MUST(cuStreamCreate(&p.streams[i], i > 2));
    for (int i = 2; i < n; i++)
        take(&p, words[i]);
    return 0;
}

/* Graphs: nodes that are done one after the other, in an order that keeps their dependencies, each
 * time the graph is launched. A kernel node is told to the recorder at each of these launches,
 * which costs a look-up where nothing has changed. */
#include "stand_in/private.h"

#include <stdlib.h>
#include <string.h>

typedef enum node_kind {
    NODE_EMPTY,
    NODE_KERNEL,
    NODE_FILL,
    NODE_COPY,
    NODE_EVENT,
    NODE_HOST,
    NODE_MEMORY,
} node_kind;

typedef struct node {
    node_kind kind;
    unsigned references; /* of its graph and of what was instantiated from it */
    bool is_ordered;     /* while a graph is instantiated */
    struct node **after;
    size_t n_after;
    cu_handle handle, graph;
    launch *kernel; /* with its arguments; NULL: none */
    cu_memset_node fill;
    cu_copy_3d copy;
    cu_handle event;
    cu_host_node host;
    uint64_t memory, memory_id; /* lives as long as the node */
} node;

typedef struct graph {
    node **nodes; /* in the order in which they were added */
    size_t n;
} graph;

typedef struct exec { /* instantiated */
    unsigned references;
    node **nodes; /* in the order in which they are done */
    size_t n;
} exec;

/* ---- Section: Lifetimes, with the lock held ---- */

static void release_node(node *n)
{
    if (--n->references)
        return;
    if (n->kernel)
        launch_free(n->kernel);
    free(n->kernel);
    const allocation *held = n->memory ? memory_find(n->memory) : NULL;
    if (held && held->id == n->memory_id)
        memory_free(n->memory, 1 << MEMORY_DEVICE);
    free(n->after);
    free(n);
}

static void release_exec(exec *e)
{
    if (--e->references)
        return;
    for (size_t i = 0; i < e->n; i++)
        release_node(e->nodes[i]);
    free(e->nodes);
    free(e);
}

cu_handle graph_new(void)
{
    return object_add(OBJECT_GRAPH, calloc(1, sizeof(graph)));
}

API cuGraphCreate(cu_handle *handle, unsigned flags)
{
    if (!handle || flags)
        return CU_INVALID_VALUE;
    return LOCKED((*handle = graph_new()) ? CU_SUCCESS : CU_OUT_OF_MEMORY);
}

void graph_end(cu_handle handle)
{
    graph *g = object_take(OBJECT_GRAPH, handle);
    for (size_t i = 0; g && i < g->n; i++) {
        object_take(OBJECT_NODE, g->nodes[i]->handle);
        release_node(g->nodes[i]);
    }
    if (g)
        free(g->nodes);
    free(g);
}

API cuGraphDestroy(cu_handle handle)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    bool is_there = object_get(OBJECT_GRAPH, handle);
    graph_end(handle);
    return driver_leave(is_there ? CU_SUCCESS : CU_INVALID_HANDLE);
}

/* ---- Section: Adding nodes ---- */

static bool add_dependency(node *n, cu_handle graph_handle, cu_handle before)
{
    node *b = object_get(OBJECT_NODE, before);
    node **larger = realloc(n->after, (n->n_after + 1) * sizeof *larger);
    if (larger)
        n->after = larger;
    if (!b || !larger || b->graph != graph_handle)
        return false;
    n->after[n->n_after++] = b;
    return true;
}

/* A new node of a graph, which is filled before the lock is given back. */
static cu_result add(cu_handle *handle, cu_handle graph_handle, const cu_handle *after, size_t n,
                     node_kind kind, node **added)
{
    graph *g = object_get(OBJECT_GRAPH, graph_handle);
    if (!g || !handle || (n && !after))
        return CU_INVALID_VALUE;
    node **larger = realloc(g->nodes, (g->n + 1) * sizeof *larger);
    if (!larger)
        return CU_OUT_OF_MEMORY;
    g->nodes = larger;
    node *new = calloc(1, sizeof *new);
    if (!new)
        return CU_OUT_OF_MEMORY;
    *new = (node){.kind = kind, .references = 1, .graph = graph_handle};
    for (size_t i = 0; i < n; i++) {
        if (!add_dependency(new, graph_handle, after[i])) {
            release_node(new);
            return CU_INVALID_VALUE;
        }
    }
    node **dependencies = new->after;
    new->handle = *handle = object_add(OBJECT_NODE, new);
    if (!*handle) {
        free(dependencies);
        return CU_OUT_OF_MEMORY;
    }
    g->nodes[g->n++] = new;
    *added = new;
    return CU_SUCCESS;
}

/* Takes back a node that could not be filled. */
static cu_result take_back(node *n, cu_result why)
{
    graph *g = object_get(OBJECT_GRAPH, n->graph);
    object_take(OBJECT_NODE, n->handle);
    g->n--;
    release_node(n);
    return why;
}

static cu_result add_kernel(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                            size_t n, const cu_kernel_node *k, cu_handle function)
{
    node *new;
    cu_result result = add(handle, graph_handle, after, n, NODE_KERNEL, &new);
    if (result != CU_SUCCESS)
        return result;
    launch_shape shape = {.is_pdl = false};
    memcpy(shape.grid, k->grid, sizeof shape.grid);
    memcpy(shape.block, k->block, sizeof shape.block);
    new->kernel = calloc(1, sizeof *new->kernel);
    if (!new->kernel)
        return take_back(new, CU_OUT_OF_MEMORY);
    result = launch_prepare(new->kernel, function, &shape, k->parameters, k->extra);
    if (result == CU_SUCCESS)
        result = launch_keep(new->kernel);
    return result == CU_SUCCESS ? result : take_back(new, result);
}

API cuGraphAddKernelNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                         size_t n, const cu_kernel_node *k)
{
    return k ? LOCKED(add_kernel(handle, graph_handle, after, n, k, k->function))
             : CU_INVALID_VALUE;
}

API cuGraphAddKernelNode_v2(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                            size_t n, const cu_kernel_node *k)
{
    if (!k)
        return CU_INVALID_VALUE;
    cu_handle function = k->function ? k->function : k->kernel;
    return LOCKED(add_kernel(handle, graph_handle, after, n, k, function));
}

/* The functions that only fill a node: `fill` sees it as `new`. */
#define ADD(kind, fill)                                                                            \
    if (!driver_enter())                                                                           \
        return CU_NOT_INITIALIZED;                                                                 \
    node *new;                                                                                     \
    cu_result result = add(handle, graph_handle, after, n, kind, &new);                            \
    if (result == CU_SUCCESS)                                                                      \
        fill;                                                                                      \
    return driver_leave(result)

API cuGraphAddMemsetNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                         size_t n, const cu_memset_node *fill, cu_handle context UNUSED)
{
    if (!fill)
        return CU_INVALID_VALUE;
    ADD(NODE_FILL, new->fill = *fill);
}

API cuGraphAddMemcpyNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                         size_t n, const cu_copy_3d *copy, cu_handle context UNUSED)
{
    if (!copy)
        return CU_INVALID_VALUE;
    ADD(NODE_COPY, new->copy = *copy);
}

API cuGraphAddEventRecordNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                              size_t n, cu_handle event)
{
    ADD(NODE_EVENT, new->event = event);
}

API cuGraphAddEventWaitNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                            size_t n, cu_handle event UNUSED)
{
    return cuGraphAddEmptyNode(handle, graph_handle, after, n);
}

API cuGraphAddHostNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after, size_t n,
                       const cu_host_node *host)
{
    if (!host || !host->function)
        return CU_INVALID_VALUE;
    ADD(NODE_HOST, new->host = *host);
}

API cuGraphAddEmptyNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after, size_t n)
{
    ADD(NODE_EMPTY, (void)new);
}

static cu_result give_memory(node *new, cu_alloc_node *alloc)
{
    cu_result result = memory_new(MEMORY_DEVICE, alloc->bytes, &alloc->address);
    if (result != CU_SUCCESS)
        return take_back(new, result);
    new->memory = alloc->address;
    new->memory_id = memory_find(new->memory)->id;
    return CU_SUCCESS;
}

API cuGraphAddMemAllocNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                           size_t n, cu_alloc_node *alloc)
{
    if (!alloc)
        return CU_INVALID_VALUE;
    ADD(NODE_MEMORY, result = give_memory(new, alloc));
}

/* The memory stays while its node does, so that the graph can be launched again. */
API cuGraphAddMemFreeNode(cu_handle *handle, cu_handle graph_handle, const cu_handle *after,
                          size_t n, cu_address address)
{
    cu_result known = LOCKED(memory_find(address) ? CU_SUCCESS : CU_INVALID_VALUE);
    return known == CU_SUCCESS ? cuGraphAddEmptyNode(handle, graph_handle, after, n) : known;
}

/* ---- Section: Nodes of a capture ---- */

/* Instantiating keeps the order of nodes that depend on none. */
static cu_result append(cu_handle graph_handle, node_kind kind, node **added)
{
    cu_handle handle;
    return add(&handle, graph_handle, NULL, 0, kind, added);
}

#define APPEND(kind, fill)                                                                         \
    node *new;                                                                                     \
    cu_result result = append(graph_handle, kind, &new);                                           \
    if (result == CU_SUCCESS)                                                                      \
        fill;                                                                                      \
    return result

cu_result graph_add_fill(cu_handle graph_handle, const cu_memset_node *fill)
{
    APPEND(NODE_FILL, new->fill = *fill);
}

cu_result graph_add_copy(cu_handle graph_handle, const cu_copy_3d *copy)
{
    APPEND(NODE_COPY, new->copy = *copy);
}

cu_result graph_add_host(cu_handle graph_handle, const cu_host_node *host)
{
    APPEND(NODE_HOST, new->host = *host);
}

cu_result graph_add_event(cu_handle graph_handle, cu_handle event)
{
    APPEND(NODE_EVENT, new->event = event);
}

cu_result graph_add_memory(cu_handle graph_handle, size_t bytes, cu_address *address)
{
    cu_alloc_node alloc = {.bytes = bytes};
    node *new;
    cu_result result = append(graph_handle, NODE_MEMORY, &new);
    if (result == CU_SUCCESS)
        result = give_memory(new, &alloc);
    *address = alloc.address;
    return result;
}

cu_result graph_add_launch(cu_handle graph_handle, launch *prepared)
{
    node *new;
    cu_result result = append(graph_handle, NODE_KERNEL, &new);
    if (result == CU_SUCCESS && !(new->kernel = malloc(sizeof *new->kernel)))
        result = take_back(new, CU_OUT_OF_MEMORY);
    if (result != CU_SUCCESS) {
        launch_free(prepared);
        return result;
    }
    *new->kernel = *prepared;
    if (prepared->arguments == prepared->few)
        new->kernel->arguments = new->kernel->few;
    result = launch_keep(new->kernel);
    return result == CU_SUCCESS ? result : take_back(new, result);
}

/* ---- Section: Dependencies ---- */

static cu_result add_dependencies(cu_handle graph_handle, const cu_handle *from,
                                  const cu_handle *to, size_t n)
{
    if (n && (!from || !to))
        return CU_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        node *later = object_get(OBJECT_NODE, to[i]);
        if (!later || later->graph != graph_handle || !add_dependency(later, graph_handle, from[i]))
            return CU_INVALID_VALUE;
    }
    return CU_SUCCESS;
}

API cuGraphAddDependencies(cu_handle graph_handle, const cu_handle *from, const cu_handle *to,
                           size_t n)
{
    return LOCKED(add_dependencies(graph_handle, from, to, n));
}

API cuGraphAddDependencies_v2(cu_handle graph_handle, const cu_handle *from, const cu_handle *to,
                              const void *edges UNUSED, size_t n)
{
    return cuGraphAddDependencies(graph_handle, from, to, n);
}

/* ---- Section: Instantiating ---- */

static bool can_follow(const node *n)
{
    for (size_t i = 0; i < n->n_after; i++) {
        if (!n->after[i]->is_ordered)
            return false;
    }
    return !n->is_ordered;
}

/* Nodes are mostly added in an order that is right. False: there is a cycle. */
static bool order(const graph *g, exec *e)
{
    for (size_t i = 0; i < g->n; i++)
        g->nodes[i]->is_ordered = false;
    for (size_t before = SIZE_MAX; before != e->n && e->n < g->n;) {
        before = e->n;
        for (size_t i = 0; i < g->n; i++) {
            if (can_follow(g->nodes[i])) {
                g->nodes[i]->is_ordered = true;
                g->nodes[i]->references++;
                e->nodes[e->n++] = g->nodes[i];
            }
        }
    }
    return e->n == g->n;
}

static cu_result instantiate(cu_handle *handle, cu_handle graph_handle)
{
    const graph *g = object_get(OBJECT_GRAPH, graph_handle);
    if (!g)
        return CU_INVALID_VALUE;
    exec *e = calloc(1, sizeof *e);
    node **nodes = calloc(g->n + 1, sizeof *nodes);
    if (!e || !nodes) {
        free(e);
        free(nodes);
        return CU_OUT_OF_MEMORY;
    }
    *e = (exec){.references = 1, .nodes = nodes};
    if (!order(g, e)) {
        release_exec(e);
        return CU_INVALID_VALUE;
    }
    *handle = object_add(OBJECT_EXEC, e);
    return *handle ? CU_SUCCESS : CU_OUT_OF_MEMORY;
}

API cuGraphInstantiateWithFlags(cu_handle *handle, cu_handle graph_handle, uint64_t flags UNUSED)
{
    return handle ? LOCKED(instantiate(handle, graph_handle)) : CU_INVALID_VALUE;
}

API cuGraphInstantiate(cu_handle *handle, cu_handle graph_handle, cu_handle *bad, char *log,
                       size_t log_bytes)
{
    if (bad)
        *bad = NULL;
    if (log && log_bytes)
        *log = 0;
    return cuGraphInstantiateWithFlags(handle, graph_handle, 0);
}

API cuGraphInstantiate_v2(cu_handle *handle, cu_handle graph_handle, cu_handle *bad, char *log,
                          size_t log_bytes)
{
    return cuGraphInstantiate(handle, graph_handle, bad, log, log_bytes);
}

API cuGraphExecDestroy(cu_handle handle)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    exec *e = object_take(OBJECT_EXEC, handle);
    if (e)
        release_exec(e);
    return driver_leave(e ? CU_SUCCESS : CU_INVALID_HANDLE);
}

/* ---- Section: Launching ---- */

static cu_result fill(const cu_memset_node *f)
{
    return fill_2d(f->to, f->pitch, f->value, f->element_bytes, f->width, f->height);
}

/* Called without the lock: a node may call the program or wait for the checker. */
static cu_result run_node(const node *n)
{
    switch (n->kind) {
    case NODE_KERNEL:
        return launch_run(n->kernel);
    case NODE_FILL:
        return LOCKED(fill(&n->fill));
    case NODE_COPY:
        return LOCKED(copy_3d(&n->copy));
    case NODE_EVENT:
        return LOCKED(event_record(n->event) ? CU_SUCCESS : CU_INVALID_HANDLE);
    case NODE_HOST:
        n->host.function(n->host.user);
        return CU_SUCCESS;
    case NODE_EMPTY:
    case NODE_MEMORY:
        return CU_SUCCESS;
    }
    return CU_SUCCESS;
}

API cuGraphUpload(cu_handle handle, cu_handle stream)
{
    return LOCKED(stream_is(stream) && object_get(OBJECT_EXEC, handle) ? CU_SUCCESS
                                                                       : CU_INVALID_HANDLE);
}
ALSO(cuGraphUpload, _ptsz);

API cuGraphLaunch(cu_handle handle, cu_handle stream)
{
    if (!driver_enter())
        return CU_NOT_INITIALIZED;
    exec *e = stream_is(stream) ? object_get(OBJECT_EXEC, handle) : NULL;
    if (!e)
        return driver_leave(CU_INVALID_HANDLE);
    if (capture_break(stream) != CU_SUCCESS)
        return driver_leave(CU_NOT_SUPPORTED);
    e->references++;
    const recorder_stream is = stream_told(stream);
    driver_unlock();
    recorder_kernel(&is, "a graph", false);

    cu_result result = CU_SUCCESS;
    for (size_t i = 0; i < e->n && result == CU_SUCCESS; i++)
        result = run_node(e->nodes[i]);

    driver_lock();
    release_exec(e);
    return driver_leave(result);
}
ALSO(cuGraphLaunch, _ptsz);

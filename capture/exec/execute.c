#include "exec/execute.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "exec/faults.h"

enum { MOST_EVENTS = 40000000 /* of a launch, which the interpreter keeps */ };

/* The memory of which the contents are wanted next. */
typedef enum execution_wish {
    WANTS_LISTS,  /* the lists of arrays (and all other arguments): their rows name more arrays */
    WANTS_ARRAYS, /* all arrays, those in the rows of lists included */
    WANTS_NOTHING,
} execution_wish;

struct execution {
    tr_arena *arena;
    const ir_function *function;
    const tilerace_kernel *kernel;
    const seen_names *names; /* or NULL */
    const seen_launch *launch;
    execution_wish wish;
    execute_range *pieces; /* stb_ds array: the arrays known so far, which may overlap */
    execute_range *groups; /* stb_ds array, ascending: overlapping pieces as one range */
    interp_run *run;       /* owned; NULL until execution_run() */
    tr_text found;         /* the faults that the run shows */
    const char *why;       /* why the launch is not executed; NULL: no reason so far */
    const ir_op *where;    /* the op at which that showed, or NULL */
};

/* Keeps the first reason why the launch is not executed. */
static void refuse(execution *e, const char *why)
{
    e->why = e->why ? e->why : why;
}

/* ---- Section: Which memory ---- */

static void add_piece(execution *e, uint64_t address, uint64_t bytes)
{
    if (bytes > UINT64_MAX - address)
        refuse(e, "an array reaches beyond the end of memory");
    else if (bytes > 0)
        arrput(e->pieces, ((execute_range){.address = address, .bytes = bytes}));
}

static bool is_list(const execution *e, size_t argument)
{
    return e->names && e->names->parameters[argument].part == NAMES_TABLE;
}

/* Computes the size of a list of arrays. False: the launch does not state it. */
static bool list_bytes(const execution *e, size_t argument, uint64_t *bytes)
{
    uint64_t rows;
    if (!seen_rows(e->launch, e->kernel, e->names, argument, &rows))
        return false;
    *bytes = rows * seen_row_bytes(&e->names->parameters[argument]);
    return true;
}

/* Adds the whole allocation that a pointer points into, as a kernel may also reach the bytes before
 * the pointer. False: the allocation is not known. */
static bool add_allocation(execution *e, const seen_argument *a)
{
    uint64_t address = seen_address(a);
    if (a->allocation == 0 || address - a->allocation > a->allocation_bytes)
        return false;
    add_piece(e, a->allocation, a->allocation_bytes);
    return true;
}

static void add_argument(execution *e, size_t i)
{
    const seen_argument *a = &e->launch->arguments[i];
    uint64_t address = seen_address(a), bytes;
    bool is_array = e->names && e->names->parameters[i].part == NAMES_POINTER;
    if (address == 0)
        return;
    if (is_list(e, i) ? list_bytes(e, i, &bytes)
                      : is_array && seen_bytes(e->launch, e->kernel, e->names, i, &bytes))
        add_piece(e, address, bytes);
    else if (!add_allocation(e, a))
        refuse(e, tr_arena_printf(e->arena, "how many bytes '%s' has is not known",
                                  e->kernel->parameters[i]->name));
}

static int by_address(const void *a, const void *b)
{
    const execute_range *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Computes the groups anew from the pieces, since arrays that share bytes are one buffer. The
 * groups have no contents. */
static void group(execution *e)
{
    uint64_t all = 0;
    arrsetlen(e->groups, 0);
    if (arrlenu(e->pieces) > 0)
        qsort(e->pieces, arrlenu(e->pieces), sizeof *e->pieces, by_address);
    for (size_t i = 0; i < arrlenu(e->pieces); i++) {
        execute_range piece = e->pieces[i], *last = arrlenu(e->groups) ? &arrlast(e->groups) : NULL;
        if (!last || piece.address - last->address >= last->bytes) {
            arrput(e->groups, piece);
            continue;
        }
        uint64_t end = piece.address + piece.bytes - last->address;
        last->bytes = end > last->bytes ? end : last->bytes;
    }
    for (size_t i = 0; i < arrlenu(e->groups) && all <= EXECUTE_MOST_BYTES; i++)
        all = e->groups[i].bytes > EXECUTE_MOST_BYTES ? UINT64_MAX : all + e->groups[i].bytes;
    if (all > EXECUTE_MOST_BYTES)
        refuse(e, tr_arena_printf(e->arena, "its arrays take more than %d MiB",
                                  EXECUTE_MOST_BYTES >> 20));
}

static bool has_lists(const execution *e)
{
    for (size_t i = 0; i < e->kernel->n_parameters; i++)
        if (is_list(e, i))
            return true;
    return false;
}

execution *execution_new(tr_arena *arena, const ir_function *function,
                         const tilerace_kernel *kernel, const seen_names *names,
                         const seen_launch *launch)
{
    execution *e = TR_NEW(arena, execution);
    *e = (execution){
        .arena = arena, .function = function, .kernel = kernel, .names = names, .launch = launch};
    for (size_t i = 0; i < kernel->n_parameters; i++)
        if (kernel->parameters[i]->kind == TILERACE_POINTER)
            add_argument(e, i);
    group(e);
    e->wish = arrlenu(e->groups) == 0 ? WANTS_NOTHING : has_lists(e) ? WANTS_LISTS : WANTS_ARRAYS;
    return e;
}

void execution_free(execution *e)
{
    if (!e)
        return;
    arrfree(e->pieces);
    arrfree(e->groups);
    tr_text_free(&e->found);
    interp_run_free(e->run);
}

/* ---- Section: What it holds ---- */

size_t execution_wants(const execution *e, const execute_range **ranges)
{
    *ranges = e->groups;
    return e->why || e->wish == WANTS_NOTHING ? 0 : arrlenu(e->groups);
}

/* Returns the index of the group that contains an address; -1: none does. */
static ptrdiff_t find_group(const execution *e, uint64_t address)
{
    for (size_t i = 0; i < arrlenu(e->groups); i++)
        if (address - e->groups[i].address < e->groups[i].bytes)
            return (ptrdiff_t)i;
    return -1;
}

static uint64_t word_at(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Adds the array of a row, which holds a pointer, the extents and the strides. */
static void add_row(execution *e, const seen_name *list, const uint8_t *row)
{
    unsigned __int128 elements = 1;
    for (size_t d = 0; d < list->rank; d++) {
        uint64_t extent = word_at(row + SEEN_WORD * (1 + d));
        uint64_t stride = word_at(row + SEEN_WORD * (1 + list->rank + d));
        if (extent == 0)
            return;
        elements += (unsigned __int128)(extent - 1) * stride;
        if (extent >> 40 || stride >> 40)
            elements = EXECUTE_MOST_BYTES;
    }
    if (elements > EXECUTE_MOST_BYTES)
        elements = EXECUTE_MOST_BYTES;
    add_piece(e, word_at(row), (uint64_t)elements * list->element_bytes);
}

/* Adds the arrays of all rows of a list, whose contents have been given. */
static void add_rows(execution *e, size_t argument)
{
    const seen_name *list = &e->names->parameters[argument];
    uint64_t address = seen_address(&e->launch->arguments[argument]), bytes;
    ptrdiff_t in = find_group(e, address);
    if (!list_bytes(e, argument, &bytes) || in < 0)
        return;
    if (list->element_bytes == 0) {
        refuse(e, "of which type the arrays of a list are is not known");
        return;
    }
    const uint8_t *rows = e->groups[in].contents + (address - e->groups[in].address);
    for (uint64_t at = 0; at < bytes; at += seen_row_bytes(list))
        add_row(e, list, rows + at);
}

static void add_rows_of_lists(execution *e)
{
    for (size_t i = 0; i < e->kernel->n_parameters; i++)
        if (is_list(e, i))
            add_rows(e, i);
}

void execution_give(execution *e, const uint8_t *const *contents, const uint8_t *const *undefined)
{
    for (size_t i = 0; i < arrlenu(e->groups); i++) {
        e->groups[i].contents = contents[i];
        e->groups[i].undefined = undefined[i];
        if (!contents[i])
            refuse(e, "an array of it cannot be read");
    }
    if (e->why)
        return;
    if (e->wish == WANTS_LISTS) {
        add_rows_of_lists(e);
        group(e);
        e->wish = WANTS_ARRAYS;
    } else {
        e->wish = WANTS_NOTHING;
    }
}

/* ---- Section: Running ---- */

static bool is_set(const uint8_t *bits, uint64_t i)
{
    return bits && bits[i / 8] >> i % 8 & 1;
}

/* Says which bytes have a value; NULL: all. */
static bool *known_of(const execution *e, const execute_range *range)
{
    if (!range->undefined)
        return NULL;
    bool *known = TR_NEW_ARRAY(e->arena, bool, range->bytes);
    for (uint64_t i = 0; i < range->bytes; i++)
        known[i] = !is_set(range->undefined, i);
    return known;
}

/* Makes one buffer a group, and one without bytes for pointers to no array. */
static interp_buffer *make_buffers(const execution *e)
{
    size_t n = arrlenu(e->groups);
    interp_buffer *buffers = TR_NEW_ARRAY(e->arena, interp_buffer, n + 1);
    for (size_t i = 0; i < n; i++)
        buffers[i] = (interp_buffer){.name = "memory",
                                     .bytes = (int64_t)e->groups[i].bytes,
                                     .data = (unsigned char *)e->groups[i].contents,
                                     .known = known_of(e, &e->groups[i]),
                                     .place = e->groups[i].address};
    buffers[n] = (interp_buffer){.name = "no array"};
    return buffers;
}

static interp_arg make_argument(const execution *e, size_t i)
{
    const tilerace_parameter *p = e->kernel->parameters[i];
    const seen_argument *a = &e->launch->arguments[i];
    if (p->kind == TILERACE_INTEGER)
        return (interp_arg){.value = seen_integer(a, p->bits), .buffer = -1};
    uint64_t bits = seen_address(a);
    if (p->kind == TILERACE_FLOAT)
        return (interp_arg){.value = (int64_t)bits, .buffer = -1, .exact = a->bytes <= SEEN_WORD};
    ptrdiff_t in = find_group(e, bits);
    return in < 0
               ? (interp_arg){.buffer = (int)arrlenu(e->groups)}
               : (interp_arg){.value = (int64_t)(bits - e->groups[in].address), .buffer = (int)in};
}

/* A module's variables keep their values from launch to launch, which nobody tells us. */
static bool has_variables(const ir_module *module)
{
    for (const ir_global *g = module->globals; g; g = g->next)
        if (!g->is_constant)
            return true;
    return false;
}

static bool is_known(const interp_page *page, int64_t i)
{
    return page->known[i / 64] >> i % 64 & 1;
}

/* Refuses a launch that stores outside of a buffer: every byte of the page that is stored has to
 * lie in it. */
static void look_at_page(execution *e, size_t buffer, const interp_page *page)
{
    int64_t bytes = (int64_t)e->groups[buffer].bytes;
    if (page->address >= 0 && page->address + INTERP_PAGE_BYTES <= bytes)
        return;
    for (int64_t i = 0; i < INTERP_PAGE_BYTES; i++)
        if (is_known(page, i) && (page->address < 0 || page->address + i >= bytes)) {
            refuse(e, "it stores outside of its arrays");
            return;
        }
}

static void look_at_memory(execution *e)
{
    const interp_unknown_store *stores;
    size_t n_stores = interp_unknown_stores(e->run, &stores);
    for (size_t b = 0; b < arrlenu(e->groups) && !e->why; b++)
        for (size_t n = interp_pages(e->run, (int)b), i = 0; i < n && !e->why; i++) {
            interp_page page = interp_page_at(e->run, (int)b, i);
            look_at_page(e, b, &page);
        }
    for (size_t i = 0; i < n_stores && !e->why; i++)
        if (!stores[i].source && interp_stays_unknown(e->run, &stores[i])) {
            e->where = stores[i].op;
            refuse(e, "it stores a value that the interpreter does not know");
        }
}

static void look_at_run(execution *e)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(e->run, &ubs);
    if (interp_run_status(e->run) != INTERP_DONE) {
        e->where = interp_run_where(e->run);
        refuse(e, interp_run_why(e->run));
    }
    for (size_t i = 0; i < n && !e->why; i++)
        if (ubs[i].kind == INTERP_UB_OUT_OF_BUFFER) {
            e->where = ubs[i].op;
            refuse(e, "it reaches outside of its arrays");
        }
    look_at_memory(e);
}

static void find_faults(execution *e, bool races)
{
    const faults_query query = {.arena = e->arena,
                                .run = e->run,
                                .kernel = e->kernel,
                                .names = e->names,
                                .launch = e->launch,
                                .n_groups = arrlenu(e->groups),
                                .groups = e->groups,
                                .races = races};
    exec_faults_write(&query, &e->found);
}

void execution_run(execution *e, uint64_t steps, bool races, uint64_t *used)
{
    size_t n = e->kernel->n_parameters;
    *used = 0;
    if (has_variables(e->function->module))
        refuse(e, "its module has variables, whose values are not kept from launch to launch");
    if (e->why)
        return;
    concrete_launch launch = {.n_args = n, .n_buffers = arrlenu(e->groups) + 1};
    launch.buffers = make_buffers(e);
    launch.args = TR_NEW_ARRAY(e->arena, interp_arg, n + 1);
    for (size_t i = 0; i < n; i++)
        launch.args[i] = make_argument(e, i);
    for (int axis = 0; axis < 3; axis++)
        launch.grid[axis] = (int64_t)e->launch->grid[axis];
    interp_limits limits = {.steps = steps, .events = MOST_EVENTS, .values = true, .prints = true};
    e->run = interp_execute(e->function, &launch, NULL, &limits, NULL);
    *used = interp_work(e->run);
    look_at_run(e);
    find_faults(e, races);
}

const char *execution_found(const execution *e)
{
    return e->found.length ? tr_text_get(&e->found) : "";
}

const char *execution_printed(const execution *e)
{
    return e->run ? interp_run_printed(e->run) : "";
}

const char *execution_why(const execution *e, const ir_op **where)
{
    *where = e->where;
    return e->why;
}

/* ---- Section: What has changed ---- */

/* The byte that an undefined value leaves in memory that held a defined one: of floats it is a
 * NaN. */
enum { UNDEFINED_BYTE = 0xff };

/* Returns what memory holds after the run, for a page with bytes that are not known. */
static const uint8_t *fill_unknown(const execution *e, const execute_range *range,
                                   const interp_page *page, size_t bytes)
{
    uint8_t *now = tr_arena_copy(e->arena, page->data, bytes);
    for (size_t i = 0; i < bytes; i++) {
        uint64_t at = (uint64_t)page->address + i;
        if (!is_known(page, (int64_t)i))
            now[i] = is_set(range->undefined, at) ? range->contents[at] : UNDEFINED_BYTE;
    }
    return now;
}

static bool is_all_known(const interp_page *page, size_t bytes)
{
    bool all = true;
    for (size_t i = 0; i < bytes / 64; i++)
        all &= page->known[i] == UINT64_MAX;
    for (size_t i = bytes / 64 * 64; i < bytes; i++)
        all &= is_known(page, (int64_t)i);
    return all;
}

/* Marks the bytes that differ, eight at a time. */
static bool mark_changes(const uint8_t *old, const uint8_t *now, size_t bytes, uint8_t *which)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, gather = 0x0102040810204080u;
    uint64_t any = 0;
    memset(which, 0, INTERP_PAGE_BYTES / 8);
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t differs = word_at(old + i) ^ word_at(now + i);
        any |= differs;
        /* 0x80 where a byte is not 0; the product brings these bits together */
        differs = ((((differs & low) + low) | differs) & ~low) >> 7;
        which[i / 8] = (uint8_t)(differs * gather >> 56);
    }
    for (size_t i = bytes / 8 * 8; i < bytes; i++) {
        any |= old[i] ^ now[i];
        which[i / 8] |= (uint8_t)((old[i] != now[i]) << i % 8);
    }
    return any != 0;
}

/* Fills *out with the bytes of a page that the run changes. False: it changes none. */
static bool compare(const execution *e, size_t buffer, const interp_page *page, execute_page *out)
{
    const execute_range *range = &e->groups[buffer];
    uint64_t left = range->bytes - (uint64_t)page->address;
    const uint8_t *old = range->contents + page->address;
    out->address = range->address + (uint64_t)page->address;
    out->bytes = left < INTERP_PAGE_BYTES ? (size_t)left : INTERP_PAGE_BYTES;
    out->contents = page->data;
    bool all = is_all_known(page, out->bytes);
    if (all && !range->undefined && memcmp(old, page->data, out->bytes) == 0)
        return false;
    if (!all)
        out->contents = fill_unknown(e, range, page, out->bytes);
    bool any = mark_changes(old, out->contents, out->bytes, out->which);
    for (size_t i = 0; range->undefined && i < out->bytes; i++)
        if (is_known(page, (int64_t)i) && is_set(range->undefined, (uint64_t)page->address + i)) {
            out->which[i / 8] |= (uint8_t)(1 << i % 8);
            any = true;
        }
    return any;
}

void execution_changes(const execution *e, void (*each)(void *user, const execute_page *page),
                       void *user)
{
    for (size_t b = 0; e->run && b < arrlenu(e->groups); b++)
        for (size_t n = interp_pages(e->run, (int)b), i = 0; i < n; i++) {
            interp_page page = interp_page_at(e->run, (int)b, i);
            execute_page out;
            if (compare(e, b, &page, &out))
                each(user, &out);
        }
}

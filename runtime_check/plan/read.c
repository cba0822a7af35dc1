/* plan.txt -> plan. */
#include "plan/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

#define MAX_WORDS    64
#define MAX_BUFFERS  4096
#define HEADER       "tilerace-plan"
#define PLAN_VERSION 1

typedef struct plan_reader {
    tr_arena *arena;
    const char *folder;
    gpu_plan *plan;
    gpu_code *codes; /* stb_ds arrays until the end */
    gpu_buffer *buffers;
    gpu_arg *args;
    char *words[MAX_WORDS];
    size_t n;
    const char *why; /* set by what failed; NULL: the usage says it */
} plan_reader;

/* ---- Numbers and files ---- */

static bool number(const char *word, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(word, &end, 0);
    return end != word && *end == '\0' && errno == 0 && *word != '-' && *value <= most;
}

static bool whole_number(const char *word, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(word, &end, 0);
    return end != word && *end == '\0' && errno == 0;
}

/* A plan comes from elsewhere: it names files of its own folder and none above. */
static unsigned char *contents(plan_reader *r, const char *file, size_t *size)
{
    if (file[0] == '/' || strstr(file, "..")) {
        r->why = tr_arena_printf(r->arena, "'%s' is not a file of the plan's own folder", file);
        return NULL;
    }
    const char *path = tr_arena_printf(r->arena, "%s/%s", r->folder, file);
    const char *why = NULL;
    char *data = tr_read_file(r->arena, TR_FILE_DATA, path, size, &why);
    if (!data)
        r->why = tr_arena_printf(r->arena, "%s: %s", path, why);
    return (unsigned char *)data;
}

static gpu_buffer *find_buffer(plan_reader *r, const char *name)
{
    for (size_t i = 0; i < arrlenu(r->buffers); i++)
        if (strcmp(r->buffers[i].name, name) == 0)
            return &r->buffers[i];
    r->why = tr_arena_printf(r->arena, "no statement before this one makes a buffer '%s'", name);
    return NULL;
}

/* ---- One function a statement ---- */

static bool read_kernel(plan_reader *r)
{
    r->plan->kernel = r->words[1];
    return true;
}

static bool read_gpu(plan_reader *r)
{
    r->plan->gpu = r->words[1];
    return true;
}

static const char *words_from(const plan_reader *r, size_t first)
{
    tr_text words = {0};
    for (size_t i = first; i < r->n; i++)
        tr_text_addf(&words, "%s%s", i > first ? " " : "", r->words[i]);
    const char *kept = tr_arena_strdup(r->arena, tr_text_get(&words));
    tr_text_free(&words);
    return kept;
}

static bool read_launch(plan_reader *r)
{
    r->plan->launch = words_from(r, 1);
    return true;
}

static bool read_source(plan_reader *r)
{
    size_t size = 0;
    r->plan->source = (const char *)contents(r, r->words[1], &size);
    r->plan->source_name = words_from(r, 2);
    return r->plan->source != NULL;
}

static bool read_code(plan_reader *r)
{
    gpu_code code = {.file = r->words[1], .words = words_from(r, 2)};
    code.image = contents(r, code.file, &code.size);
    if (code.image)
        arrput(r->codes, code);
    return code.image != NULL;
}

static bool read_grid(plan_reader *r)
{
    for (size_t i = 0; i < 3; i++) {
        uint64_t extent;
        if (!number(r->words[1 + i], UINT32_MAX >> 1, &extent) || extent == 0)
            return false;
        r->plan->grid[i] = (unsigned)extent;
    }
    return true;
}

static bool read_repeat(plan_reader *r)
{
    uint64_t value;
    bool good = number(r->words[1], 1000000, &value) && value > 0;
    r->plan->repeat = good ? (unsigned)value : 0;
    return good;
}

static bool read_seed(plan_reader *r)
{
    return number(r->words[1], UINT64_MAX, &r->plan->seed);
}

static bool read_timeout(plan_reader *r)
{
    uint64_t value;
    bool good = number(r->words[1], INT32_MAX, &value) && value > 0;
    r->plan->timeout_ms = good ? (int64_t)value : 0;
    return good;
}

static bool read_perturb(plan_reader *r)
{
    for (size_t i = 1; i < r->n; i++) {
        size_t which = 0;
        while (plan_perturb_name(which) && strcmp(plan_perturb_name(which), r->words[i]) != 0)
            which++;
        if (!plan_perturb_name(which))
            return false;
        r->plan->perturb |= 1u << which;
    }
    return true;
}

static bool read_buffer(plan_reader *r)
{
    gpu_buffer b = {.name = r->words[1], .order_dependent = strcmp(r->words[4], "sum") == 0};
    b.output = b.order_dependent || strcmp(r->words[4], "output") == 0;
    if (!number(r->words[2], INT64_MAX, &b.bytes) || b.bytes == 0 ||
        (!b.output && strcmp(r->words[4], "input") != 0) || arrlenu(r->buffers) == MAX_BUFFERS)
        return false;
    if (!plan_element_of_name(r->words[3], &b.element)) {
        r->why = tr_arena_printf(r->arena, "'%s' is no element type", r->words[3]);
        return false;
    }
    if (b.bytes % (uint64_t)plan_element_bytes(b.element) != 0) {
        r->why = tr_arena_printf(r->arena, "%s bytes are no whole number of %s", r->words[2],
                                 r->words[3]);
        return false;
    }
    arrput(r->buffers, b);
    return true;
}

/* The bytes of a file that has to be as long as the buffer. */
static const unsigned char *contents_of(plan_reader *r, const gpu_buffer *b, const char *file)
{
    size_t size = 0;
    const unsigned char *data = contents(r, file, &size);
    if (data && size != b->bytes) {
        r->why = tr_arena_printf(r->arena, "%s holds %zu bytes, buffer '%s' %llu", file, size,
                                 b->name, (unsigned long long)b->bytes);
        return NULL;
    }
    return data;
}

static bool read_fill(plan_reader *r)
{
    gpu_buffer *b = find_buffer(r, r->words[1]);
    if (!b || !plan_fill_of_name(r->words[2], &b->fill))
        return false;
    if (b->fill == GPU_FILL_RAW) {
        b->file = r->n > 3 ? r->words[3] : NULL;
        b->data = b->file ? contents_of(r, b, b->file) : NULL;
        return b->data != NULL;
    }
    if (b->fill == GPU_FILL_RANGE)
        return r->n > 5 && whole_number(r->words[3], &b->low) &&
               whole_number(r->words[4], &b->high) && b->low <= b->high &&
               number(r->words[5], UINT64_MAX, &b->seed);
    return r->n <= 3 || number(r->words[3], UINT64_MAX, &b->seed);
}

static bool read_extents(plan_reader *r, bool is_tile)
{
    gpu_buffer *b = find_buffer(r, r->words[1]);
    size_t rank = r->n - 2;
    if (!b || rank > GPU_MAX_RANK || (is_tile && rank != (size_t)b->rank))
        return false;
    for (size_t i = 0; i < rank; i++)
        if (!number(r->words[2 + i], INT64_MAX, is_tile ? &b->tile[i] : &b->shape[i]))
            return false;
    b->rank = (int)rank;
    return true;
}

static bool read_shape(plan_reader *r)
{
    return read_extents(r, false);
}

static bool read_tile(plan_reader *r)
{
    return read_extents(r, true);
}

static bool read_expect(plan_reader *r)
{
    gpu_buffer *b = find_buffer(r, r->words[1]);
    if (!b)
        return false;
    char *end;
    b->expected_file = r->words[2];
    b->expected = contents_of(r, b, r->words[2]);
    b->tolerance = strtod(r->words[3], &end);
    if (!b->expected || *end != '\0' || !(b->tolerance >= 0))
        return false;
    size_t size = 0;
    b->expected_known = r->n > 4 ? contents(r, r->words[4], &size) : NULL;
    return r->n <= 4 ||
           (b->expected_known && size == b->bytes / (uint64_t)plan_element_bytes(b->element));
}

static bool read_arg(plan_reader *r)
{
    gpu_arg a = {.buffer = -1};
    uint64_t width = 0;
    if (strcmp(r->words[1], "pointer") == 0) {
        const gpu_buffer *b = find_buffer(r, r->words[2]);
        if (!b || !number(r->words[3], b->bytes, &a.offset))
            return false;
        a.buffer = (int)(b - r->buffers);
    } else if (strcmp(r->words[1], "scalar") != 0 || !number(r->words[2], 8, &width) ||
               width == 0 || !number(r->words[3], UINT64_MAX, &a.bits)) {
        return false;
    }
    a.width = (int)width;
    arrput(r->args, a);
    return true;
}

static bool read_blocks(plan_reader *r)
{
    size_t size = 0;
    char *text = (char *)contents(r, r->words[1], &size);
    gpu_plan so_far = *r->plan;
    so_far.n_buffers = arrlenu(r->buffers);
    so_far.buffers = r->buffers;
    if (text && so_far.grid[0])
        r->plan->blocks = plan_blocks_read(r->arena, &so_far, text, &r->why);
    return r->plan->blocks != NULL;
}

static const struct {
    const char *word;
    bool (*read)(plan_reader *r);
    size_t words;
    const char *usage;
} statements[] = {
#define STATEMENT(word, function, words, usage) {word, function, words, usage},
#include "plan/statements.def"
};

/* ---- The whole file ---- */

static void split(plan_reader *r, char *line)
{
    r->n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r", &rest); word && r->n < MAX_WORDS;
         word = strtok_r(NULL, " \t\r", &rest))
        r->words[r->n++] = word;
}

static bool read_statement(plan_reader *r)
{
    for (size_t i = 0; i < TR_COUNT(statements); i++) {
        if (strcmp(statements[i].word, r->words[0]) != 0)
            continue;
        if (r->n > statements[i].words && statements[i].read(r))
            return true;
        if (!r->why)
            r->why = tr_arena_printf(r->arena, "expected: %s", statements[i].usage);
        return false;
    }
    r->why = tr_arena_printf(r->arena, "'%s' is no statement of a plan", r->words[0]);
    return false;
}

static bool complete(plan_reader *r)
{
    gpu_plan *p = r->plan;
    const char *missing = !p->kernel           ? "kernel"
                          : !arrlenu(r->codes) ? "code"
                          : !p->grid[0]        ? "grid"
                          : !p->repeat         ? "repeat"
                          : !p->timeout_ms     ? "timeout"
                                               : NULL;
    if (missing)
        r->why = tr_arena_printf(r->arena, "the plan has no statement '%s'", missing);
    p->n_codes = arrlenu(r->codes);
    p->codes = tr_arena_copy(r->arena, r->codes, p->n_codes * sizeof *p->codes);
    p->n_buffers = arrlenu(r->buffers);
    p->buffers = tr_arena_copy(r->arena, r->buffers, p->n_buffers * sizeof *p->buffers);
    p->n_args = arrlenu(r->args);
    p->args = tr_arena_copy(r->arena, r->args, p->n_args * sizeof *p->args);
    return !missing;
}

static bool is_header(plan_reader *r)
{
    uint64_t version = 0;
    if (r->n == 2 && strcmp(r->words[0], HEADER) == 0 &&
        number(r->words[1], UINT64_MAX, &version) && version == PLAN_VERSION)
        return true;
    r->why = "the first line of a plan is '" HEADER " 1'";
    return false;
}

gpu_plan *plan_read(tr_arena *arena, const char *folder, const char **why)
{
    const char *path = tr_arena_printf(arena, "%s/" GPU_PLAN_NAME, folder);
    size_t length;
    char *text = tr_read_file(arena, TR_FILE_PLAN, path, &length, why);
    if (!text) {
        *why = tr_arena_printf(arena, "%s: %s", path, *why);
        return NULL;
    }
    plan_reader r = {.arena = arena, .folder = folder, .plan = TR_NEW(arena, gpu_plan)};
    bool good = true, any = false;
    size_t line_number = 0;
    for (char *line = text; line && good; line_number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        split(&r, line);
        if (r.n && r.words[0][0] != '#') {
            good = any ? read_statement(&r) : is_header(&r);
            any = true;
        }
        line = end ? end + 1 : NULL;
    }
    if (!good)
        *why = tr_arena_printf(arena, "%s:%zu: %s", path, line_number, r.why);
    else if (!complete(&r)) {
        good = false;
        *why = tr_arena_printf(arena, "%s: %s", path, r.why);
    }
    arrfree(r.codes);
    arrfree(r.buffers);
    arrfree(r.args);
    return good ? r.plan : NULL;
}

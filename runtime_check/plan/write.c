/* Plan -> a folder that another machine can run. */
#include "plan/blocks.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *const perturb_names[] = {"flush", "noise", "delay", "twin"};
static const char *const fill_names[] = {
    [GPU_FILL_UNIQUE] = "unique", [GPU_FILL_SMALL] = "small",
    [GPU_FILL_ZEROS] = "zeros",   [GPU_FILL_IOTA] = "iota",
    [GPU_FILL_RANDOM] = "random", [GPU_FILL_PERMUTATION] = "permutation",
    [GPU_FILL_RANGE] = "range",   [GPU_FILL_UNDEFINED] = "undefined",
    [GPU_FILL_RAW] = "raw",
};

const char *plan_perturb_name(size_t bit)
{
    return bit < TR_COUNT(perturb_names) ? perturb_names[bit] : NULL;
}

bool plan_fill_of_name(const char *name, gpu_fill *fill)
{
    for (size_t i = 0; i < TR_COUNT(fill_names); i++)
        if (strcmp(fill_names[i], name) == 0) {
            *fill = (gpu_fill)i;
            return true;
        }
    return false;
}

static bool write_file(tr_arena *arena, const char *folder, const char *name, const void *data,
                       size_t size, const char **why)
{
    return tr_write_whole(arena, tr_arena_printf(arena, "%s/%s", folder, name), data, size, why);
}

static void extents(tr_text *out, const char *word, const gpu_buffer *b, const uint64_t *of)
{
    tr_text_addf(out, "%s %s", word, b->name);
    for (int d = 0; d < b->rank; d++)
        tr_text_addf(out, " %llu", (unsigned long long)of[d]);
    tr_text_add(out, "\n");
}

static void fill_statement(tr_text *out, const gpu_buffer *b, size_t number)
{
    tr_text_addf(out, "fill %s %s", b->name, fill_names[b->fill]);
    if (b->fill == GPU_FILL_RAW)
        tr_text_addf(out, " buffer%zu.bin\n", number);
    else if (b->fill == GPU_FILL_RANGE)
        tr_text_addf(out, " %lld %lld %llu\n", (long long)b->low, (long long)b->high,
                     (unsigned long long)b->seed);
    else
        tr_text_addf(out, " %llu\n", (unsigned long long)b->seed);
}

/* Adds the statements about a buffer to the plan, and writes the files that they name into the
 * folder. False with *why: a file cannot be written. */
static bool write_buffer(tr_arena *arena, tr_text *out, const gpu_buffer *b, size_t number,
                         const char *folder, const char **why)
{
    tr_text_addf(out, "buffer %s %llu %s %s\n", b->name, (unsigned long long)b->bytes,
                 plan_element_name(b->element),
                 b->order_dependent ? "sum"
                 : b->output        ? "output"
                                    : "input");
    fill_statement(out, b, number);
    if (b->rank) {
        extents(out, "shape", b, b->shape);
        extents(out, "tile", b, b->tile);
    }
    bool good = b->fill != GPU_FILL_RAW ||
                write_file(arena, folder, tr_arena_printf(arena, "buffer%zu.bin", number), b->data,
                           b->bytes, why);
    if (b->expected && good) {
        const char *file = tr_arena_printf(arena, "expected%zu.bin", number);
        const char *known = tr_arena_printf(arena, "known%zu.bin", number);
        tr_text_addf(out, "expect %s %s %.17g%s%s\n", b->name, file, b->tolerance,
                     b->expected_known ? " " : "", b->expected_known ? known : "");
        good = write_file(arena, folder, file, b->expected, b->bytes, why) &&
               (!b->expected_known ||
                write_file(arena, folder, known, b->expected_known,
                           b->bytes / (uint64_t)plan_element_bytes(b->element), why));
    }
    return good;
}

static void write_args(tr_text *out, const gpu_plan *plan)
{
    for (size_t i = 0; i < plan->n_args; i++) {
        const gpu_arg *a = &plan->args[i];
        if (a->buffer >= 0)
            tr_text_addf(out, "arg pointer %s %llu\n", plan->buffers[a->buffer].name,
                         (unsigned long long)a->offset);
        else
            tr_text_addf(out, "arg scalar %d 0x%llx\n", a->width, (unsigned long long)a->bits);
    }
}

static bool write_source(tr_arena *arena, tr_text *out, const gpu_plan *plan, const char *folder,
                         const char **why)
{
    tr_text_addf(out, "source " GPU_SOURCE_NAME " %s\n", plan->source_name);
    return write_file(arena, folder, GPU_SOURCE_NAME, plan->source, strlen(plan->source), why);
}

static bool write_blocks(tr_arena *arena, tr_text *out, const gpu_plan *plan, const char *folder,
                         const char **why)
{
    tr_text text = {0};
    plan_blocks_write(&text, plan, plan->blocks);
    tr_text_add(out, "blocks " GPU_BLOCKS_NAME "\n");
    bool good = write_file(arena, folder, GPU_BLOCKS_NAME, text.data, text.length, why);
    tr_text_free(&text);
    return good;
}

bool plan_write(tr_arena *arena, const gpu_plan *plan, const char *folder, const char **why)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        *why = tr_arena_printf(arena, "%s cannot be made: %s", folder, strerror(errno));
        return false;
    }
    tr_text out = {0};
    bool good = true;
    tr_text_addf(&out, "tilerace-plan 1\nkernel %s\ngpu %s\n", plan->kernel, plan->gpu);
    if (plan->launch)
        tr_text_addf(&out, "launch %s\n", plan->launch);
    if (plan->source)
        good = write_source(arena, &out, plan, folder, why);
    for (size_t i = 0; i < plan->n_codes && good; i++) {
        const char *file = tr_arena_printf(arena, "code%zu.cubin", i);
        tr_text_addf(&out, "code %s %s\n", file, plan->codes[i].words);
        good = write_file(arena, folder, file, plan->codes[i].image, plan->codes[i].size, why);
    }
    tr_text_addf(&out, "grid %u %u %u\nrepeat %u\nseed %llu\ntimeout %lld\nperturb", plan->grid[0],
                 plan->grid[1], plan->grid[2], plan->repeat, (unsigned long long)plan->seed,
                 (long long)plan->timeout_ms);
    for (size_t i = 0; i < TR_COUNT(perturb_names); i++)
        if (plan->perturb & 1u << i)
            tr_text_addf(&out, " %s", perturb_names[i]);
    tr_text_add(&out, "\n");
    for (size_t i = 0; i < plan->n_buffers && good; i++)
        good = write_buffer(arena, &out, &plan->buffers[i], i, folder, why);
    write_args(&out, plan);
    if (plan->blocks)
        good = good && write_blocks(arena, &out, plan, folder, why);
    good = good && write_file(arena, folder, GPU_PLAN_NAME, out.data, out.length, why);
    tr_text_free(&out);
    return good;
}

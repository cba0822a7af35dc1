/* Finds which arguments are outputs: those that the context names, else those that the reference
 * writes.
 */
#include <string.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "inputs/load.h"
#include "judge/private.h"

static judge_output *find(judge_outputs *outputs, const char *name)
{
    for (size_t i = 0; i < outputs->n; i++)
        if (strcmp(outputs->items[i].name, name) == 0)
            return &outputs->items[i];
    return NULL;
}

/* Takes a kernel that computes what it is to compute: the buffers that it writes, and whether it
 * reads them as well. */
static void take_kernel(judging *j, const loaded *input, const loaded_kernel *kernel, bool adds,
                        judge_outputs *outputs)
{
    summary *s = summary_build(input->arena, input->ctx, kernel->function, kernel->contract);
    outputs->items = outputs->items ? outputs->items
                                    : TR_NEW_ARRAY(j->s->arena, judge_output, s->n_allocations + 1);
    for (size_t i = 0; i < s->n_allocations; i++) {
        const ix_allocation *a = &s->allocations[i];
        if (a->space != IX_ARGUMENT)
            continue;
        judge_output *o = find(outputs, a->name);
        if (!o && adds && a->written) {
            o = &outputs->items[outputs->n++];
            o->name = tr_arena_strdup(j->s->arena, a->name);
        }
        for (size_t k = 0; k < arrlenu(s->accesses) && o; k++)
            o->is_read |= s->accesses[k].reads && s->accesses[k].allocation == (int)i;
    }
    summary_free(s);
}

/* A function, which this program cannot ask. */
static bool is_of_python(const judging *j, const char *words)
{
    const char *colon = strrchr(words, ':');
    return tr_ends_in(colon ? tr_arena_strndup(j->s->arena, words, (size_t)(colon - words)) : words,
                      ".py");
}

/* True, with what there is, where the context has no reference. */
static bool open_reference(judging *j, judge_outputs *outputs, const char **why)
{
    const char *words = j->context->reference;
    if (!words)
        return true;
    if (!j->context->reference_source && is_of_python(j, words)) {
        *why = "the reference is a function of Python, which `python3 -m tilerace judge` asks: the "
               "context says what it is called with";
        return false;
    }
    const loaded_kernel *kernel = run_open_reference(j->s, words, &j->reference_input, why);
    if (!kernel) {
        load_free(&j->reference_input);
        return false;
    }
    take_kernel(j, &j->reference_input, kernel, outputs->n == 0, outputs);
    j->reference = (run_reference){words, &j->reference_input, kernel};
    return true;
}

void judge_close_reference(judging *j)
{
    if (j->reference.words)
        load_free(&j->reference_input);
    j->reference = (run_reference){0};
}

bool judge_find_outputs(judging *j, judge_outputs *outputs, const char **why)
{
    const judge_context *c = j->context;
    *outputs = (judge_outputs){0};
    *why = NULL;
    if (c->n_outputs)
        outputs->items = TR_NEW_ARRAY(j->s->arena, judge_output, c->n_outputs);
    for (size_t i = 0; i < c->n_outputs; i++)
        outputs->items[outputs->n++].name = c->outputs[i];
    return open_reference(j, outputs, why);
}

bool *judge_mark_outputs(const gpu_plan *plan, const judge_outputs *outputs, tr_arena *arena)
{
    bool *is_output = TR_NEW_ARRAY(arena, bool, plan->n_buffers + 1);
    for (size_t i = 0; i < plan->n_buffers; i++)
        for (size_t o = 0; o < outputs->n && plan->buffers[i].name; o++)
            is_output[i] |= strcmp(plan->buffers[i].name, outputs->items[o].name) == 0;
    for (size_t i = 0; i < plan->n_buffers; i++) /* by the launch itself */
        is_output[i] |= plan->buffers[i].expected != NULL;
    return is_output;
}

void judge_begin_undefined(gpu_plan *plan, const judge_outputs *outputs)
{
    for (size_t i = 0; i < plan->n_buffers; i++)
        for (size_t o = 0; o < outputs->n && plan->buffers[i].name; o++)
            if (strcmp(plan->buffers[i].name, outputs->items[o].name) == 0 &&
                !outputs->items[o].is_read)
                plan->buffers[i].fill = GPU_FILL_UNDEFINED;
}

/* --outputs: what a kernel leaves in its buffers, for who checks the results himself. One run of
 * the interpreter, tile blocks in their order, and no search for races. */
#include "run/outputs.h"

#include "run/contents.h"
#include "run/folder.h"
#include "run/printed.h"
#include "run/report.h"
#include "run/target.h"

#include <stdlib.h>

/* The buffer's bytes in a file named by its number, since names come from strangers; its entry in
 * the list. Elements that the interpreter does not know are 0 there, and counted. */
static bool put_buffer(run_folder *to, const interp_run *run, const gpu_buffer *b, size_t number,
                       cJSON *list)
{
    uint64_t elements = b->bytes / (uint64_t)plan_element_bytes(b->element), unknown = 0;
    unsigned char *bytes = calloc(b->bytes + 1, 1);
    bool *known = calloc(elements + 1, sizeof *known);
    if (bytes && known) {
        const char *name = tr_arena_printf(to->arena, "buffer%zu.bin", number);
        cJSON *object = cJSON_CreateObject();
        run_read_buffer(run, number, b, bytes, known);
        for (uint64_t i = 0; i < elements; i++)
            unknown += !known[i];
        run_folder_bytes(to, name, bytes, b->bytes);
        cJSON_AddStringToObject(object, "buffer", b->name);
        cJSON_AddStringToObject(object, "file", name);
        cJSON_AddStringToObject(object, "dtype", plan_element_name(b->element));
        cJSON_AddNumberToObject(object, "elements", (double)elements);
        cJSON_AddNumberToObject(object, "unknown", (double)unknown);
        cJSON_AddItemToArray(list, object);
    }
    bool good = bytes && known;
    free(bytes);
    free(known);
    return good;
}

static const char *put_outputs(const run_target *t, const gpu_plan *plan, const interp_run *run)
{
    run_folder to = run_folder_at(t->s->arena, t->s->options->outputs);
    cJSON *all = cJSON_CreateObject();
    cJSON_AddStringToObject(all, "kernel", t->kernel->function->shown);
    cJSON_AddStringToObject(all, "launch", plan->launch);
    cJSON *list = cJSON_AddArrayToObject(all, "outputs");
    bool room = true;
    for (size_t i = 0; i < plan->n_buffers && room; i++)
        if (plan->buffers[i].output)
            room = put_buffer(&to, run, &plan->buffers[i], i, list);
    run_folder_json(&to, "outputs.json", all);
    return room ? to.why : "there is no memory for the outputs";
}

const char *run_leave_outputs(const run_target *t, const gpu_plan *plan)
{
    concrete_launch launch = run_filled_launch(t, plan);
    interp_run *run = run_in_turns(t->s, t->kernel->function, &launch, plan->seed, 0);
    const char *why = interp_run_status(run) == INTERP_DONE
                          ? put_outputs(t, plan, run)
                          : tr_arena_strdup(t->s->arena, interp_run_why(run));
    run_report printed = {.kernel = t->kernel->function->shown};
    run_collect_printed(t->s->arena, run, &printed);
    run_say_printed(t->s, &printed);
    interp_run_free(run);
    return why;
}

/* tilerace-runner DIR: runs a bundle where nothing but a GPU and its driver is installed. */
#include <stdio.h>

#include "gpu/execute.h"

static void show(void *user, unsigned runs, unsigned of)
{
    (void)user;
    fprintf(stderr, "\r%u of %u runs", runs, of);
    if (runs == of)
        fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr,
                "usage: %s FOLDER\n"
                "Runs the bundle in FOLDER on the first GPU. Exit code 0: no difference "
                "between the runs, 1: a difference, 2: failure.\n",
                argv[0]);
        return 2;
    }
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    gpu_plan *plan = gpu_plan_read(arena, argv[1], &why);
    int code = 2;
    if (!plan) {
        fprintf(stderr, "tilerace-runner: error: %s\n", why);
    } else {
        gpu_result *result = gpu_execute(arena, plan, show, NULL);
        tr_text out = {0};
        gpu_result_print(&out, plan, result);
        fputs(tr_text_get(&out), stdout);
        tr_text_free(&out);
        bool missed = false;
        for (size_t i = 0; i < plan->n_buffers; i++)
            missed |= result->outputs[i].agreement == GPU_DIFFERENT;
        code = result->status != GPU_DONE ? 2 : gpu_result_differs(plan, result) || missed ? 1 : 0;
        gpu_result_free(result);
    }
    tr_arena_free(arena);
    return code;
}

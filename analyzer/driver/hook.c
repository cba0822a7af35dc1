/* tilerace hook: what git and pre-commit hand over, files of a change by their names. Those that
 * hold kernels are checked: sources of the dialect and bytecode as they are, and of sources that
 * another compiler reads, what a recording has of them. The rest is passed over. */
#include "inputs/inputs.h"

#include <string.h>
#include <unistd.h>

#include "driver/check_command.h"
#include "driver/commands.h"
#include "inputs/kinds.h"

#define RECORDING ".tilerace"

typedef struct hook {
    session *s;
    inputs *in;
    size_t n_missing; /* recordings that are not there */
} hook;

static bool is_missing_recording(const char *file)
{
    const char *name = strrchr(file, '/');
    return strcmp(name ? name + 1 : file, RECORDING) == 0 && access(file, F_OK) != 0;
}

static void add_changed(hook *h, const char *file)
{
    if (recording_is(file)) {
        inputs_add_recording(h->in, file);
    } else if (is_missing_recording(file)) {
        tr_say(h->s->err,
               "%s: error: there is no recording; 'tilerace exec -- COMMAND' makes one\n", file);
        h->n_missing++;
    } else if (kind_is_foreign(file) && access(file, R_OK) == 0) {
        inputs_add_recorded(h->in, file, true);
    } else {
        inputs_add_changed(h->in, file);
    }
}

static void find_changed(session *s, size_t *n_wrong, void *user)
{
    hook *h = user;
    h->in = inputs_open(s);
    for (size_t i = 0; i < s->options->n_files; i++)
        if (!inputs_excludes(h->in, s->options->files[i]))
            add_changed(h, s->options->files[i]);
    *n_wrong = inputs_close(h->in) + h->n_missing;
}

int command_hook(session *s)
{
    hook h = {.s = s};
    int code = driver_check_files(s, find_changed, &h);
    inputs_release(s);
    return code;
}

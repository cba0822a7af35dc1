#include "required.h"

#include <stdlib.h>
#include <string.h>

#include "driver/commands.h"
#include "inputs/load.h"

/* What `tilerace contract` prints of the file; the caller frees it. Its complaints are dropped. */
static char *written(const session *s, const char *file)
{
    char *out = NULL, *complaints = NULL;
    size_t out_size = 0, size = 0;
    driver_options options = *s->options;
    options.command = COMMAND_CONTRACT;
    options.n_files = 1;
    options.files = &file;
    session other = *s;
    other.options = &options;
    other.out = open_memstream(&out, &out_size);
    other.err = open_memstream(&complaints, &size);
    if (!other.out || !other.err)
        abort();
    command_contract(&other);
    fclose(other.out);
    fclose(other.err);
    free(complaints);
    return out;
}

void required_load(session *s, const char *file, loaded *input)
{
    char *text = written(s, file);
    tr_errors errors = tr_errors_make(s->arena);
    s->launches = launch_file_parse(s->arena, file, text, strlen(text), &errors);
    load_input(s, file, 0, input);
    input->launches = s->launches; /* goes with the input */
    s->launches = NULL;
    tr_errors_free(&errors);
    free(text);
}

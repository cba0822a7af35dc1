#include "required.h"

#include <stdlib.h>
#include <string.h>

static size_t count_of(const char *text, const char *words)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at += strlen(words))
        n++;
    return n;
}

/* What the command prints of the file: the contract, and what it complains of. */
static char *written(session *s, const char *file, char **complaints)
{
    char *out = NULL;
    size_t out_size = 0, err_size = 0;
    driver_options options = *s->options;
    options.command = COMMAND_CONTRACT;
    options.n_files = 1;
    options.files = &file;
    session other = *s;
    other.options = &options;
    other.out = open_memstream(&out, &out_size);
    other.err = open_memstream(complaints, &err_size);
    if (!other.out || !other.err)
        abort();
    command_contract(&other);
    fclose(other.out);
    fclose(other.err);
    return out;
}

void required_load(session *s, const char *file, loaded *input, size_t *unsaid)
{
    char *complaints = NULL, *text = written(s, file, &complaints);
    tr_errors errors = tr_errors_make(s->arena);
    s->launches = launch_file_parse(s->arena, file, text, strlen(text), &errors);
    load_input(s, file, 0, input);
    input->launches = s->launches; /* goes with the input */
    s->launches = NULL;
    *unsaid = count_of(complaints, "a contract cannot say");
    tr_errors_free(&errors);
    free(text);
    free(complaints);
}

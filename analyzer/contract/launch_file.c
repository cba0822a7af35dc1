/* Opening a launch-contract file and finding a kernel's launches in it. */
#include "contract/launch_private.h"

#include <string.h>

#include "json/print.h"

/* The first NUL of a text of JSON, as a byte or as an escape of a string; NULL: there is none.
 * Strings end at a NUL here, so whatever stands behind it would be lost without a word. */
static const char *find_nul(const char *text, size_t length)
{
    static const char escape[] = "u0000";
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0)
            return text + i;
        if (text[i] != '\\')
            continue;
        i++; /* what is escaped, which may be another backslash */
        if (length - i >= sizeof escape - 1 && strncmp(text + i, escape, sizeof escape - 1) == 0)
            return text + i - 1;
    }
    return NULL;
}

static void report_syntax(tr_arena *arena, const char *path, const char *text, const char *at,
                          const char *sentence, tr_errors *errors)
{
    tr_place place = {.file = path ? tr_arena_strdup(arena, path) : NULL, .line = 1, .column = 1};
    for (const char *s = text; s < at; s++) {
        place.column++;
        if (*s == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    place.end_line = place.line;
    place.end_column = place.column + 1;
    tr_errors_add(errors, &place, "%s", sentence);
}

tr_give launch_file *launch_file_parse(tr_arena *arena, const char *shown_path, const char *text,
                                       size_t length, tr_errors *errors)
{
    launch_file *file = TR_NEW(arena, launch_file);
    const char *end = NULL;
    file->arena = arena;
    file->path = shown_path ? tr_arena_strdup(arena, shown_path) : NULL;
    if (length > tr_file_most(TR_FILE_CONTRACT)) {
        launch_error(errors, file, "", "The file is too large for a launch contract.");
        return NULL;
    }
    const char *nul = find_nul(text, length);
    if (nul) {
        report_syntax(arena, shown_path, text, nul, "No string of a contract has a NUL in it.",
                      errors);
        return NULL;
    }
    file->root = cJSON_ParseWithLengthOpts(text, length, &end, false);
    while (file->root && end < text + length && strchr(" \t\r\n", *end) && *end)
        end++;
    if (!file->root || end != text + length) {
        report_syntax(arena, shown_path, text, end ? end : text, "This is not JSON from here on.",
                      errors);
        launch_file_free(file);
        return NULL;
    }
    file->launches = cJSON_GetObjectItemCaseSensitive(file->root, "launches");
    if (!launch_check_form(file, errors)) {
        launch_file_free(file);
        return NULL;
    }
    return file;
}

tr_give launch_file *launch_file_read(tr_arena *arena, const char *path, tr_errors *errors)
{
    size_t length = 0;
    const char *why = NULL;
    char *text = tr_read_file(arena, TR_FILE_CONTRACT, path, &length, &why);
    if (!text) {
        tr_place place = {.file = tr_arena_strdup(arena, path)};
        tr_errors_add(errors, &place, "%s", why);
        return NULL;
    }
    return launch_file_parse(arena, path, text, length, errors);
}

void launch_file_free(tr_take launch_file *file)
{
    if (!file)
        return;
    cJSON_Delete(file->root);
    file->root = NULL;
}

void launch_file_take_fills(launch_file *file)
{
    file->fills_are_facts = true;
}

/* The symbol, or the demangled name with or without its parameters. */
static bool is_called(const launch_kernel *kernel, const char *name)
{
    size_t length = strlen(name);
    if (kernel->symbol && !strcmp(kernel->symbol, name))
        return true;
    return kernel->shown && !strncmp(kernel->shown, name, length) &&
           (!kernel->shown[length] || kernel->shown[length] == '(');
}

static bool is_meant(const cJSON *launch, const launch_kernel *kernel)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(launch, "kernel");
    return name ? is_called(kernel, name->valuestring) : kernel->is_only_entry;
}

bool launch_file_check_kernels(const launch_file *file, size_t n, const launch_kernel *kernels,
                               tr_errors *errors)
{
    const cJSON *launch;
    size_t number = 0;
    bool good = true;
    cJSON_ArrayForEach(launch, file->launches)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(launch, "kernel");
        bool found = false;
        for (size_t i = 0; i < n; i++)
            found |= is_meant(launch, &kernels[i]);
        if (!found) {
            const char *where = tr_arena_printf(file->arena, "launches[%zu]", number);
            if (name)
                launch_error(errors, file, where, "the module has no kernel `%s`.",
                             name->valuestring);
            else
                launch_error(errors, file, where,
                             "`kernel` is missing, and the module has %zu kernels.", n);
            good = false;
        }
        number++;
    }
    return good;
}

size_t launch_file_count(const launch_file *file, const launch_kernel *kernel)
{
    const cJSON *launch;
    size_t count = 0;
    cJSON_ArrayForEach(launch, file->launches) count += is_meant(launch, kernel);
    return count;
}

const cJSON *launch_file_find(const launch_file *file, const launch_kernel *kernel, size_t which,
                              size_t *number)
{
    const cJSON *launch;
    *number = 0;
    cJSON_ArrayForEach(launch, file->launches)
    {
        if (is_meant(launch, kernel) && which-- == 0)
            return launch;
        ++*number;
    }
    return NULL;
}

const char *launch_file_text(const launch_file *file, const launch_kernel *kernel, size_t which)
{
    size_t number;
    const cJSON *launch = launch_file_find(file, kernel, which, &number);
    char *printed = launch ? json_printed(launch, JSON_ONE_LINE) : NULL;
    const char *text = printed ? tr_arena_strdup(file->arena, printed) : NULL;
    cJSON_free(printed);
    return text;
}

/* Findings that the author of a source allows, by a comment in the line of the finding or by itself
 * in the line above:
 *
 *     y[b / 2] = 1; // tilerace: allow(TR001): both blocks write the same value on purpose
 *
 * A finding in a helper is also allowed where the helper is called. The verdict stays what it is.
 */
#include "report/report_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define WORD "tilerace: allow("

typedef struct marker {
    writer *w;
    tr_errors *wrong;
} marker;

static const char *trimmed(tr_arena *arena, const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)text[0])) {
        text++;
        length--;
    }
    if (length >= 2 && strncmp(text + length - 2, "*/", 2) == 0)
        length -= 2;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return tr_arena_strndup(arena, text, length);
}

/* Is the code one of a list with commas? */
static bool names_rule(tr_arena *arena, const char *list, const char *code)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        if (strcmp(trimmed(arena, list, length), code) == 0)
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

/* Where a comment begins: the languages of kernels have these. */
static const char *comment_in(const char *line)
{
    const char *first = NULL;
    static const char *const leaders[] = {"//", "/*", "#"};
    for (size_t i = 0; i < TR_COUNT(leaders); i++) {
        const char *at = strstr(line, leaders[i]);
        first = at && (!first || at < first) ? at : first;
    }
    return first;
}

/* The reason by which this line allows the rule; NULL: it does not. */
static const char *reason_in(marker *m, const tr_place *place, uint32_t number, const char *code)
{
    tr_arena *arena = m->w->arena;
    size_t length = 0;
    const char *found = source_line(m->w, place->file, number, &length);
    const char *line = found ? tr_arena_strndup(arena, found, length) : "";
    const char *comment = comment_in(line);
    const char *word = comment ? strstr(comment, WORD) : NULL;
    bool alone = comment && strspn(line, " \t") == (size_t)(comment - line);
    if (!word || (number != place->line && !alone))
        return NULL;
    const char *list = word + strlen(WORD), *end = strchr(list, ')');
    if (!end || !names_rule(arena, tr_arena_strndup(arena, list, (size_t)(end - list)), code))
        return NULL;
    const char *reason = end[1] == ':' ? trimmed(arena, end + 2, strlen(end + 2)) : "";
    if (*reason)
        return reason;
    const tr_place at = {
        .file = place->file, .line = number, .column = (uint32_t)(word - line) + 1};
    tr_errors_add(m->wrong, &at, "nothing is allowed without a reason: " WORD "%s): REASON", code);
    return NULL;
}

static const char *allowed_by(marker *m, const finding *f)
{
    const tr_place *place = f->n_locations > 0 ? f->locations[0].place : NULL;
    const char *code = rule_info_of(f->rule)->code, *reason = NULL;
    for (; place && !reason; place = place->inlined_at) {
        if (!place_known(place))
            continue;
        reason = reason_in(m, place, place->line, code);
        if (!reason && place->line > 1)
            reason = reason_in(m, place, place->line - 1, code);
    }
    return reason;
}

void report_mark_allowed(tr_arena *arena, const tr_unsaved *unsaved, input_report *input,
                         tr_errors *wrong)
{
    const report_options options = {.unsaved = unsaved};
    writer w = {.arena = tr_arena_new(), .options = &options};
    marker m = {&w, wrong};
    for (size_t k = 0; k < input->n_kernels; k++) {
        kernel_report *kernel = &input->kernels[k];
        for (size_t f = 0; f < kernel->n_findings; f++) {
            finding_hidden *hidden = &kernel->findings[f].hidden;
            const char *reason = hidden->by ? NULL : allowed_by(&m, &kernel->findings[f]);
            if (reason)
                *hidden = (finding_hidden){.by = HIDDEN_BY_COMMENT,
                                           .reason = tr_arena_strdup(arena, reason)};
        }
    }
    sources_free(&w);
    tr_arena_free(w.arena);
}

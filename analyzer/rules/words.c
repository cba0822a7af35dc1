/* A witness in words: which launch, which blocks, which iteration, which element, from which index.
 */
#include "rules/checker.h"

#include <stdlib.h>

static void add_list(tr_text *out, int n, const int64_t *values)
{
    for (int i = 0; i < n; i++)
        tr_text_addf(out, "%s%lld", i ? ", " : "", (long long)values[i]);
}

static void add_launch(tr_text *out, const witness *w)
{
    tr_text_add(out, "for the launch with grid (");
    add_list(out, 3, w->grid);
    tr_text_add(out, ")");
    for (size_t i = 0; i < w->n_params; i++)
        tr_text_addf(out, "%s%s = %lld", i ? ", " : " and ", w->params[i].name,
                     (long long)w->params[i].value);
    tr_text_add(out, ":");
}

static void add_place_in_buffer(tr_text *out, const witness_event *e)
{
    if (!e->buffer)
        return;
    tr_text_addf(out, " %s[", e->buffer);
    if (e->rank)
        add_list(out, e->rank, e->coordinate);
    else
        tr_text_addf(out, "%lld", (long long)e->element);
    tr_text_add(out, "]");
    if (e->rank > 1)
        tr_text_addf(out, " (element %lld)", (long long)e->element);
}

static const char *verb(const witness_event *e)
{
    switch (e->access[0]) {
    case 'a':
        return "updates";
    case 's':
        return "stores";
    case 'l':
        return "loads";
    default:
        return "computes";
    }
}

static void add_event(tr_text *out, const witness_event *e, bool is_race)
{
    if (e->access[0] == 'n') { /* TR012 is about what does not happen */
        tr_text_addf(out, "\n%s to %s[%lld]", e->access, e->buffer, (long long)e->element);
        return;
    }
    tr_text_add(out, "\ntile block (");
    add_list(out, 3, e->block);
    tr_text_add(out, ")");
    if (e->n_iterations) {
        tr_text_addf(out, ", iteration%s ", e->n_iterations > 1 ? "s" : "");
        add_list(out, (int)e->n_iterations, e->iterations);
    }
    tr_text_addf(out, " %s", verb(e));
    if (is_race)
        add_place_in_buffer(out, e);
    else if (e->buffer)
        tr_text_addf(out, " %s", e->buffer);
    for (size_t i = 0; i < e->n_index; i++) {
        char *end;
        (void)strtoll(e->index[i].name, &end, 0);
        bool number = *end == '\0'; /* "0 = 0" says nothing */
        tr_text_addf(out, "%s", i == 0 ? (is_race ? " by index (" : " with ") : ", ");
        if (number)
            tr_text_addf(out, "%lld", (long long)e->index[i].value);
        else
            tr_text_addf(out, "%s = %lld", e->index[i].name, (long long)e->index[i].value);
    }
    if (e->n_index && is_race)
        tr_text_add(out, ")");
}

const char *witness_words(checker *k, const witness *w)
{
    tr_text text = {0};
    add_launch(&text, w);
    for (size_t i = 0; i < w->n_events; i++)
        add_event(&text, &w->events[i], w->n_events > 1);
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

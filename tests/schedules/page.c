/* The rows as tables of a Markdown page. */
#include "schedules.h"

#include <stdio.h>
#include <string.h>

static const char begin_mark[] = "<!-- schedules: written by a test -->\n";
static const char end_mark[] = "<!-- end -->";

static char *read_all(tr_arena *arena, const char *path, size_t *size)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return NULL;
    fseek(in, 0, SEEK_END);
    long length = ftell(in);
    rewind(in);
    char *text = tr_arena_alloc(arena, (size_t)length + 1);
    *size = fread(text, 1, (size_t)length, in);
    text[*size] = '\0';
    fclose(in);
    return text;
}

/* The launch without its numbers. */
static void add_grid(tr_text *out, const char *launch)
{
    const char *comma = strchr(launch, ',');
    tr_text_addf(out, "%.*s", (int)(comma ? (size_t)(comma - launch) : strlen(launch)), launch);
}

static void add_what(tr_text *out, const row *r)
{
    const seen *s = &r->saw;
    if (s->differs)
        tr_text_addf(out, "%llu element%s differ%s%s", (unsigned long long)s->elements,
                     s->elements == 1 ? "" : "s", s->elements == 1 ? "s" : "",
                     s->adjacent ? ": two neighbouring steps"
                     : s->weak   ? ": a load that reads an older value"
                                 : "");
    else if (s->unordered)
        tr_text_addf(out, "no difference; unordered: lines %u and %u", s->lines[0], s->lines[1]);
    else
        tr_text_add(out, row_words(r));
    if (s->explored) {
        tr_text_addf(out, "; also after all schedules (%llu) of %s",
                     (unsigned long long)s->explored, s->two_blocks ? "two blocks of " : "");
        add_grid(out, s->launch);
    }
    if (r->required)
        tr_text_add(out, ", under the checker's preconditions");
}

static void add_row(tr_text *out, const row *r)
{
    const seen *s = &r->saw;
    const char *slash = strrchr(r->file, '/');
    const char *folder = strstr(r->file, "races/") ? strstr(r->file, "races/") + 6
                         : strchr(r->file, '/')    ? strchr(r->file, '/') + 1
                                                   : r->file;
    const char *name = slash && slash < folder ? slash + 1 : folder;
    tr_text_addf(out, "| `%s` | %zu | %lld", name, s->launches, (long long)s->least_blocks);
    if (s->most_blocks > s->least_blocks)
        tr_text_addf(out, " to %lld", (long long)s->most_blocks);
    tr_text_addf(out, " | %llu | ", (unsigned long long)s->schedules);
    add_what(out, r);
    if (s->differs && s->launch) {
        tr_text_add(out, " (");
        add_grid(out, s->launch);
        tr_text_add(out, ")");
    }
    tr_text_add(out, " |\n");
}

static void add_table(tr_text *out, const char *title, observable wanted, size_t n, const row *rows)
{
    tr_text_addf(out, "\n### %s\n\n| file | launches | tile blocks | schedules | result |\n",
                 title);
    tr_text_add(out, "| --- | ---: | --- | ---: | --- |\n");
    for (size_t i = 0; i < n; i++)
        if (rows[i].wants.observable == wanted && !rows[i].wants.open)
            add_row(out, &rows[i]);
}

bool page_write(tr_arena *arena, const char *path, size_t n, const row *rows)
{
    size_t size;
    char *page = read_all(arena, path, &size);
    char *begin = page ? strstr(page, begin_mark) : NULL;
    char *end = begin ? strstr(begin, end_mark) : NULL;
    FILE *file = end ? fopen(path, "w") : NULL;
    if (!file)
        return false;
    tr_text out = {0};
    add_table(&out, "Fixtures marked as observable", OBSERVABLE_YES, n, rows);
    add_table(&out, "Fixtures whose race no run shows", OBSERVABLE_NO, n, rows);
    add_table(&out, "Kernels without races", OBSERVABLE_UNSAID, n, rows);
    bool fine = fwrite(page, 1, (size_t)(begin - page), file) == (size_t)(begin - page) &&
                fputs(begin_mark, file) >= 0 && fputs(tr_text_get(&out), file) >= 0 &&
                fprintf(file, "\n%s", end) > 0;
    tr_text_free(&out);
    return fclose(file) == 0 && fine;
}

#include "expectations.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SECTIONS = 32 };

static expectation *section_of(expectations *e)
{
    if (!e->n)
        e->n = 1;
    return &e->items[e->n - 1];
}

static void read_line(tr_arena *arena, expectations *e, const char *words)
{
    char keyword[32], value[128];
    if (sscanf(words, "%31s %127s", keyword, value) < 2)
        return;
    if (strcmp(keyword, "kernel") == 0 && e->n < MAX_SECTIONS)
        e->items[e->n++].kernel = tr_arena_strdup(arena, value);
    else if (strcmp(keyword, "observable") == 0)
        section_of(e)->observable = strcmp(value, "yes") == 0 ? OBSERVABLE_YES : OBSERVABLE_NO;
    else if (strcmp(keyword, "verdict") == 0)
        section_of(e)->open = strcmp(value, "unknown") == 0;
}

expectations *expectations_read(tr_arena *arena, const char *file)
{
    expectations *e = TR_NEW(arena, expectations);
    e->items = TR_NEW_ARRAY(arena, expectation, MAX_SECTIONS);
    e->checked = file;
    const char *dot = strrchr(file, '.');
    if (dot && strcmp(dot, ".c") != 0)
        e->checked = tr_arena_printf(arena, "%.*s.tilebc", (int)(dot - file), file);
    FILE *in = fopen(file, "r");
    char line[1024];
    while (in && fgets(line, sizeof line, in)) {
        const char *mark = strstr(line, " EXPECT ");
        if (mark && strspn(line, " \t/#") >= (size_t)(mark - line))
            read_line(arena, e, mark + strlen(" EXPECT "));
    }
    if (in)
        fclose(in);
    return e;
}

expectation expectations_of(const expectations *e, const char *name, const char *shown)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->items[i].kernel &&
            (!strcmp(e->items[i].kernel, name) || !strcmp(e->items[i].kernel, shown)))
            return e->items[i];
    return e->n && !e->items[0].kernel ? e->items[0] : (expectation){0};
}

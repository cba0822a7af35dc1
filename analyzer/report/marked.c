/* A line of a source with what is spoken of marked below it. */
#include "report/report_private.h"

#include <inttypes.h>
#include <string.h>

enum { TAB = 8 };

typedef struct drawing { /* of one source line */
    writer *w;
    const char *line;
    size_t length;
    bool expands_tabs; /* to blanks, as Clang does; else they stay tabs, also below */
} drawing;

/* Screen columns before a byte column; a tab that stays one counts as one. */
static size_t screen_column(const drawing *d, uint32_t byte_column)
{
    size_t at = 0;
    for (size_t i = 0; i < d->length && i + 1 < byte_column; i++)
        if (d->line[i] == '\t' && d->expands_tabs)
            at = (at / TAB + 1) * TAB;
        else
            at += ((unsigned char)d->line[i] & 0xc0) != 0x80;
    return at;
}

static void write_line(const drawing *d)
{
    for (size_t i = 0; i < d->length;) {
        const char *rest = d->line + i, *tab = memchr(rest, '\t', d->length - i);
        size_t length = d->expands_tabs && tab ? (size_t)(tab - rest) : d->length - i;
        tr_text_add_shown(d->w->out, rest, length);
        i += length;
        size_t column = screen_column(d, (uint32_t)i + 1);
        if (i < d->length) /* the tab */
            for (size_t end = screen_column(d, (uint32_t)++i + 1); column < end; column++)
                tr_text_add(d->w->out, " ");
    }
}

/* Blanks, and tabs below those that stay. */
static char *empty_row(const drawing *d, size_t room)
{
    char *row = tr_arena_alloc(d->w->arena, room + 1);
    memset(row, ' ', room);
    for (size_t i = 0, at = 0; i < d->length && at < room && !d->expands_tabs; i++) {
        if (d->line[i] == '\t')
            row[at] = '\t';
        at += ((unsigned char)d->line[i] & 0xc0) != 0x80;
    }
    return row;
}

/* Columns of the rows below the line: as far as anything is drawn. */
static size_t room_of(const drawing *d, const tr_place *place, size_t n, const report_mark *of)
{
    size_t room = screen_column(d, place->column) + 1, fixes = 0;
    for (size_t i = 0; i < n; i++) {
        size_t to = screen_column(d, of[i].end_column), from = screen_column(d, of[i].column);
        room = room > to ? room : to;
        room = room > from ? room : from;
        fixes += of[i].text ? strlen(of[i].text) + 1 : 0;
    }
    return room + fixes;
}

static void draw(char *row, size_t room, size_t from, size_t to, char with)
{
    for (size_t i = from; i < to && i < room; i++)
        row[i] = with;
}

/* Writes the row without the blanks at its end; nothing where all of it is. */
static void write_row(writer *w, char *row)
{
    size_t length = strlen(row), blank = strspn(row, " \t");
    while (length > 0 && strchr(" \t", row[length - 1]))
        length--;
    row[length] = 0;
    if (length == 0)
        return;
    tr_text_add(w->out, "      | ");
    tr_text_addn(w->out, row, blank);
    write_painted(w, PAINT_CARET, row + blank);
    tr_text_add(w->out, "\n");
}

/* The marks, and below them what fixes put in, each behind the one before it. */
static void draw_marks(const drawing *d, size_t n, const report_mark *of, size_t room, char *marks,
                       char *fixes)
{
    size_t fixed = 0;
    for (size_t i = 0; i < n; i++) {
        size_t from = screen_column(d, of[i].column);
        draw(marks, room, from, screen_column(d, of[i].end_column), '~');
        if (!of[i].text || !of[i].text[0])
            continue;
        from = from > fixed ? from : fixed;
        for (size_t k = 0; of[i].text[k] && of[i].text[k] != '\n' && from + k < room; k++)
            fixes[from + k] = of[i].text[k];
        fixed = from + strcspn(of[i].text, "\n") + 1;
    }
}

void write_marked(writer *w, const tr_place *place, size_t n, const report_mark *of,
                  bool expands_tabs)
{
    drawing d = {.w = w, .expands_tabs = expands_tabs};
    d.line = place_known(place) ? source_line(w, place->file, place->line, &d.length) : NULL;
    if (!d.line)
        return;
    size_t room = room_of(&d, place, n, of);
    char *marks = empty_row(&d, room), *fixes = empty_row(&d, room);
    draw_marks(&d, n, of, room, marks, fixes);
    marks[screen_column(&d, place->column)] = '^';
    tr_text_addf(w->out, "%5" PRIu32 " | ", place->line);
    write_line(&d);
    tr_text_add(w->out, "\n");
    write_row(w, marks);
    write_row(w, fixes);
}

void write_source(writer *w, const tr_place *place)
{
    size_t length = 0;
    const char *line =
        place_known(place) ? source_line(w, place->file, place->line, &length) : NULL;
    if (!line || place->column > length + 1)
        return;
    if (place->column == 0) { /* of Julia's sources no columns are known */
        write_said(w, "%5" PRIu32 " | %.*s\n", place->line, (int)length, line);
        return;
    }
    report_mark range = {.column = place->column, .end_column = place->column + 1};
    if (place->end_line == place->line && place->end_column > place->column)
        range.end_column = place->end_column;
    else if (place->end_line > place->line)
        range.end_column = (uint32_t)length + 1;
    write_marked(w, place, 1, &range, false);
}

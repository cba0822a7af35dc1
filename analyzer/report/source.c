#include "report/report_private.h"

#include <stdio.h>

#include "base/ds.h"

static source_file *source_open(writer *w, const char *file)
{
    ptrdiff_t at = shgeti(w->sources, file);
    if (at >= 0)
        return &w->sources[at];
    source_file entry = {.key = tr_arena_strdup(w->arena, file)};
    const tr_unsaved_file *unsaved = tr_unsaved_find(w->options ? w->options->unsaved : NULL, file);
    entry.text = unsaved ? unsaved->text : tr_read_source(w->arena, file, &entry.length);
    if (unsaved)
        entry.length = unsaved->length;
    if (entry.text) {
        arrput(entry.lines, 0);
        for (size_t i = 0; i < entry.length; i++)
            if (entry.text[i] == '\n' && i + 1 < entry.length)
                arrput(entry.lines, i + 1);
    }
    shputs(w->sources, entry);
    return &w->sources[shgeti(w->sources, file)];
}

const char *source_line(writer *w, const char *file, uint32_t line, size_t *length)
{
    if (!file || line == 0)
        return NULL;
    const source_file *source = source_open(w, file);
    if (!source->text || line > arrlenu(source->lines))
        return NULL;
    const char *start = source->text + source->lines[line - 1];
    const char *end = source->text + source->length;
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    if (newline)
        end = newline;
    if (end > start && end[-1] == '\r')
        end--;
    *length = (size_t)(end - start);
    return start;
}

const char *source_text(writer *w, const char *file, size_t *length)
{
    const source_file *source = source_open(w, file);
    *length = source->length;
    return source->text;
}

const char *source_line_hash(writer *w, const char *file, uint32_t line)
{
    source_file *source = source_open(w, file);
    if (!source->text)
        return NULL;
    if (!source->hashes)
        source->hashes =
            report_line_hashes(w->arena, source->text, source->length, &source->n_hashes);
    return line >= 1 && line <= source->n_hashes && source->hashes[line - 1][0]
               ? source->hashes[line - 1]
               : NULL;
}

void sources_free(writer *w)
{
    for (ptrdiff_t i = 0; i < shlen(w->sources); i++)
        arrfree(w->sources[i].lines);
    shfree(w->sources);
}

uint32_t source_utf16_column(const char *line, size_t length, uint32_t byte_column)
{
    uint32_t column = 1;
    size_t at = 0;
    while (at < length && at + 1 < byte_column) {
        uint32_t code;
        at += tr_utf8_next(line + at, length - at, &code);
        column += code > 0xffff ? 2 : 1;
    }
    /* A column behind the line's end (its end is exclusive) still counts. */
    if (at + 1 < byte_column)
        column += byte_column - (uint32_t)(at + 1);
    return column;
}

const char *utf8_clean(tr_arena *arena, const char *string)
{
    size_t length = strlen(string);
    return tr_utf8_clean(arena, string, &length);
}

/* ---- Line hashes ---- */

/* A line is known by the 100 UTF-16 units from its start on (it may reach into later lines), blanks
 * left out and every line end counted as one LF. The hash is a polynomial in 37 over that window.
 */
#define HASH_WINDOW 100u
#define HASH_FACTOR 37u
#define HASH_END    0xffffu /* stands behind the last unit */

typedef struct hash_count { /* stb_ds map entry: how often a hash was seen */
    uint64_t key;
    unsigned value;
} hash_count;

typedef struct line_start {
    uint32_t line;
    size_t unit;
} line_start;

const char **report_line_hashes(tr_arena *arena, const char *text, size_t length, size_t *count)
{
    uint16_t *units = NULL;
    line_start *starts = NULL;
    bool at_start = true;
    uint32_t line = 1;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t size = tr_utf8_next(text + at, length - at, &code);
        bool after_cr = code == '\n' && at > 0 && text[at - 1] == '\r';
        at += size;
        if (code == ' ' || code == '\t' || after_cr)
            continue;
        if (at_start)
            arrput(starts, ((line_start){line, arrlenu(units)}));
        at_start = code == '\n' || code == '\r';
        if (at_start) {
            line++;
            arrput(units, '\n');
        } else if (code > 0xffff) {
            arrput(units, (uint16_t)(0xd800 + ((code - 0x10000) >> 10)));
            arrput(units, (uint16_t)(0xdc00 + ((code - 0x10000) & 0x3ff)));
        } else {
            arrput(units, (uint16_t)code);
        }
    }
    if (at_start)
        arrput(starts, ((line_start){line, arrlenu(units)}));
    arrput(units, HASH_END);

    uint64_t highest = 1; /* weight of the unit that leaves the window */
    for (unsigned i = 0; i < HASH_WINDOW; i++)
        highest *= HASH_FACTOR;
    *count = line;
    const char **hashes = TR_NEW_ARRAY(arena, const char *, line);
    for (uint32_t i = 0; i < line; i++)
        hashes[i] = "";
    hash_count *seen = NULL;
    uint64_t hash = 0;
    size_t n_units = arrlenu(units);
    size_t end = 0; /* units taken in so far, zeros behind the end included */
    for (size_t s = 0; s < arrlenu(starts); s++) {
        for (; end < starts[s].unit + HASH_WINDOW; end++) {
            uint64_t enters = end < n_units ? units[end] : 0;
            uint64_t leaves = end >= HASH_WINDOW ? units[end - HASH_WINDOW] : 0;
            hash = hash * HASH_FACTOR + enters - leaves * highest;
        }
        unsigned times = hmget(seen, hash) + 1;
        hmput(seen, hash, times);
        hashes[starts[s].line - 1] =
            tr_arena_printf(arena, "%llx:%u", (unsigned long long)hash, times);
    }
    hmfree(seen);
    arrfree(units);
    arrfree(starts);
    return hashes;
}

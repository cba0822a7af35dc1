/* Errors as values: a place, a sentence, a hint. */
#include "base/base.h"
#include "base/ds.h"

enum { DEFAULT_LIMIT = 100 };

tr_errors tr_errors_make(tr_arena *arena)
{
    return (tr_errors){.arena = arena};
}

static void add(tr_errors *errors, const tr_place *place, const char *hint, const char *format,
                va_list arguments)
{
    errors->total++;
    size_t limit = errors->limit ? errors->limit : DEFAULT_LIMIT;
    if (arrlenu(errors->items) >= limit) {
        return;
    }
    tr_error error = {
        .text = tr_arena_vprintf(errors->arena, format, arguments),
        .hint = hint ? tr_arena_strdup(errors->arena, hint) : NULL,
    };
    if (place) {
        error.place = *place;
    }
    arrput(errors->items, error);
}

void tr_errors_add(tr_errors *errors, const tr_place *place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(errors, place, NULL, format, arguments);
    va_end(arguments);
}

void tr_errors_add_hint(tr_errors *errors, const tr_place *place, const char *hint,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(errors, place, hint, format, arguments);
    va_end(arguments);
}

size_t tr_errors_count(const tr_errors *errors)
{
    return errors->total;
}

void tr_errors_free(tr_errors *errors)
{
    arrfree(errors->items);
    errors->total = 0;
}

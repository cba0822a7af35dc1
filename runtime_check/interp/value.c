/* Tiles, views and their sharing. */
#include "interp/private.h"

#include <stdlib.h>

cells *cells_new(int64_t elements, bool splat)
{
    if (elements == 1)
        splat = true;
    int64_t stored = splat ? 1 : elements;
    cells *c = malloc(sizeof *c + sizeof c->bits[0] * (size_t)stored);
    if (!c)
        tr_no_memory();
    *c = (cells){.refs = 1, .splat = splat, .stored = stored, .buffer = BUFFER_UNSET};
    return c;
}

cells *cells_splat(uint64_t bits)
{
    cells *c = cells_new(1, true);
    c->bits[0] = bits;
    return c;
}

static void make_marks(cells *c, int mark)
{
    if (!c->marks)
        c->marks = malloc((size_t)c->stored);
    if (!c->marks)
        tr_no_memory();
    memset(c->marks, mark, (size_t)c->stored);
}

void cells_mark_unknown(cells *c, int64_t entry)
{
    if (!c->marks)
        make_marks(c, 1);
    c->marks[entry] = 0;
}

void cells_mark_all_unknown(cells *c)
{
    make_marks(c, 0);
}

void cells_set_buffer(cells *c, int64_t entry, int32_t buffer)
{
    if (!c->buffers) {
        if (c->stored == 1 || c->buffer == BUFFER_UNSET)
            c->buffer = buffer;
        if (c->buffer == buffer)
            return;
        c->buffers = malloc(sizeof c->buffers[0] * (size_t)c->stored);
        if (!c->buffers)
            tr_no_memory();
        for (int64_t i = 0; i < c->stored; i++)
            c->buffers[i] = c->buffer;
    }
    c->buffers[entry] = buffer;
}

cells *cells_settle(cells *c)
{
    if (!c->marks)
        return c;
    bool any = false, all = true;
    for (int64_t i = 0; i < c->stored; i++) {
        any |= c->marks[i] != 0;
        all &= c->marks[i] != 0;
    }
    if (!any) {
        cells_drop(c);
        return NULL;
    }
    if (all) {
        free(c->marks);
        c->marks = NULL;
    }
    return c;
}

void cells_keep(cells *c)
{
    if (c)
        c->refs++;
}

void cells_drop(cells *c)
{
    if (!c || --c->refs)
        return;
    free(c->marks);
    free(c->buffers);
    free(c);
}

void value_keep(ssa *v)
{
    cells_keep(v->cells);
    if (v->view)
        v->view->refs++;
}

void value_drop(ssa *v)
{
    cells_drop(v->cells);
    if (v->view && --v->view->refs == 0)
        free(v->view);
    *v = (ssa){0};
}

reader reader_of(const cells *c)
{
    if (!c)
        return (reader){.unknown = true, .buffer = NO_BUFFER};
    return (reader){.bits = c->bits,
                    .marks = c->marks,
                    .buffers = c->buffers,
                    .step = c->splat ? 0 : 1,
                    .buffer = c->buffer};
}

/* Is the abstract state the same: the same elements known, to the same bits? */
bool cells_equal(const cells *a, const cells *b)
{
    if (a == b)
        return true;
    if (!a || !b)
        return false;
    reader ra = reader_of(a), rb = reader_of(b);
    int64_t n = a->stored > b->stored ? a->stored : b->stored;
    for (int64_t i = 0; i < n; i++) {
        bool known = reader_known(&ra, i);
        if (known != reader_known(&rb, i))
            return false;
        if (known && (reader_bits(&ra, i) != reader_bits(&rb, i) ||
                      reader_buffer(&ra, i) != reader_buffer(&rb, i)))
            return false;
    }
    return true;
}

int64_t sign_extend(uint64_t bits, int width)
{
    if (width >= 64)
        return (int64_t)bits;
    uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)(((bits & ((sign << 1) - 1)) ^ sign) - sign);
}

uint64_t mask_to(uint64_t bits, int width)
{
    return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

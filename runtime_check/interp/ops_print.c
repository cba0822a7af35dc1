/* print_tko: what a kernel prints, by the formats of C's printf. An element of a tile is printed by
 * the conversion that stands for the tile, and the tile as its rows in brackets. */
#include "interp/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRINTED ((size_t)1 << 20) /* bytes of a run */
#define WIDEST       64                /* width and digits of one element */
#define FLAGS        "-+ #0"

typedef struct conversion { /* "%-8.3lf" */
    char flags[sizeof FLAGS];
    int width, digits; /* -1: none */
    char letter;
} conversion;

static int number_at(const char **at)
{
    int number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        number = number < WIDEST ? number * 10 + (**at - '0') : number;
    return number < WIDEST ? number : WIDEST;
}

/* Reads what stands behind a '%'; false, with *at unchanged, where that is no conversion. */
static bool read_conversion(const char **at, conversion *c)
{
    const char *p = *at;
    size_t n = strspn(p, FLAGS);
    *c = (conversion){.width = -1, .digits = -1};
    memcpy(c->flags, p, n < sizeof c->flags - 1 ? n : sizeof c->flags - 1);
    p += n;
    if (*p >= '1' && *p <= '9')
        c->width = number_at(&p);
    if (*p == '.') {
        p++;
        c->digits = number_at(&p);
    }
    p += strspn(p, "hlLqjzt");
    if (!*p || !strchr("diouxXcfFeEgGaA", *p))
        return false;
    c->letter = *p;
    *at = p + 1;
    return true;
}

/* "%-8.3" and behind it `length` and the letter. */
static void write_format(char *to, size_t size, const conversion *c, const char *length,
                         char letter)
{
    size_t n = (size_t)snprintf(to, size, "%%%s", c->flags);
    if (c->width >= 0)
        n += (size_t)snprintf(to + n, size - n, "%d", c->width);
    if (c->digits >= 0)
        n += (size_t)snprintf(to + n, size - n, ".%d", c->digits);
    snprintf(to + n, size - n, "%s%c", length, letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* The conversion says how, the element's type what: a float is printed as one whatever is asked. */
static void print_element(tr_text *out, const conversion *c, const ir_type *elem, uint64_t bits)
{
    char format[64], text[512];
    if (ir_type_is_float(elem)) {
        const bool fits = strchr("fFeEgGaA", c->letter) != NULL;
        write_format(format, sizeof format, c, "", fits ? c->letter : 'g');
        snprintf(text, sizeof text, format, float_decode(elem->kind, bits));
    } else if (c->letter == 'c') {
        snprintf(text, sizeof text, "%c", (char)bits);
    } else {
        const int width = (int)ir_type_bits(elem);
        const bool is_signed = strchr("ouxX", c->letter) == NULL;
        const char letter = !is_signed ? c->letter : 'd';
        write_format(format, sizeof format, c, "ll", letter);
        snprintf(text, sizeof text, format,
                 is_signed && elem->kind != IR_I1 ? (long long)sign_extend(bits, width)
                                                  : (long long)bits);
    }
    tr_text_add(out, text);
}

#pragma GCC diagnostic pop

/* The tile's elements from number *at on, as rows in brackets. */
static void print_tile(tr_text *out, const conversion *c, const ir_type *type, const reader *r,
                       int axis, int64_t *at)
{
    if (axis < type->rank) {
        tr_text_add(out, "[");
        for (int64_t i = 0; i < type->shape[axis] && out->length < MOST_PRINTED; i++) {
            if (i > 0)
                tr_text_add(out, ", ");
            print_tile(out, c, type, r, axis + 1, at);
        }
        tr_text_add(out, "]");
    } else if (reader_known(r, *at)) {
        print_element(out, c, type->elem, reader_bits(r, (*at)++));
    } else {
        tr_text_add(out, "?");
        ++*at;
    }
}

/* The format is C's. Each conversion prints a whole tile; an unknown element is a question mark. */
static void print(interp_run *run, const ir_op *op)
{
    uint32_t n, next = 0;
    tr_text *out = &run->printed;
    ir_value **args = ir_group(op, IR_PRINT_TKO_args, &n);
    const char *at = op->attrs[IR_AT_PRINT_TKO_str].string;
    while (at && *at && out->length < MOST_PRINTED) {
        const size_t plain = strcspn(at, "%");
        conversion c;
        tr_text_addn(out, at, plain);
        at += plain;
        if (!*at++)
            break;
        if (*at == '%') {
            tr_text_add(out, "%");
            at++;
        } else if (read_conversion(&at, &c) && next < n) {
            int64_t element = 0;
            const reader r = machine_reader(run, args[next]);
            print_tile(out, &c, args[next]->type, &r, 0, &element);
            next++;
        } else { /* of no meaning: it stands for its value, and is printed as it is */
            tr_text_add(out, "%");
            next++;
        }
    }
}

void ops_print(interp_run *run, const ir_op *op)
{
    size_t at = run->printed.length;
    if (!run->limits.prints)
        return;
    print(run, op);
    if (run->printed.length > at)
        arrput(run->prints, ((interp_print){op, run->block, at, run->printed.length - at}));
}

const char *interp_run_printed(const interp_run *run)
{
    return run->printed.length ? run->printed.data : "";
}

size_t interp_prints(const interp_run *run, const interp_print **prints, bool *cut)
{
    *prints = run->prints;
    *cut = run->printed.length >= MOST_PRINTED;
    return arrlenu(run->prints);
}

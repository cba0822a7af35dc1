/* Floats for a launch whose run depends on them. The prover follows no floats, so a witness fixes
 * none; where a branch, a mask or an address depends on one, contents are tried: the constants of
 * the kernel and their neighbours, small numbers, ascending and descending ones, also through the
 * constants, the same in all buffers and then different ones in one of them. What a trial shows is
 * a run of the kernel on those contents, so nothing found this way is a guess. */
#include "launch/invent.h"

#include "launch/floats.h"

#include <string.h>

enum { MAX_NUMBERS = 20, MAX_SLOTS = 8, RAMP = 64, OTHERS = 6, MAX_RAMPS = 8 };

typedef struct slot { /* a float buffer or scalar of the launch */
    const char *name;
    const ir_type *elem;
} slot;

typedef struct ramp { /* first, first + step, ... */
    double first, step;
} ramp;

typedef struct inventor {
    size_t n_numbers, n_slots, n_ramps;
    double numbers[MAX_NUMBERS];
    ramp ramps[MAX_RAMPS];
    slot slots[MAX_SLOTS];
} inventor;

static void add_number(inventor *v, double number)
{
    for (size_t i = 0; i < v->n_numbers; i++)
        if (v->numbers[i] == number)
            return;
    if (v->n_numbers < MAX_NUMBERS && number == number)
        v->numbers[v->n_numbers++] = number;
}

static void add_ramp(inventor *v, double first, double step)
{
    if (v->n_ramps < MAX_RAMPS)
        v->ramps[v->n_ramps++] = (ramp){first, step};
}

static uint64_t first_bits(const ir_attr *dense, size_t width)
{
    uint64_t bits = 0;
    for (size_t b = 0; b < width && b < dense->n_bytes; b++)
        bits |= (uint64_t)dense->bytes[b] << (8 * b);
    return bits;
}

static void add_constants(inventor *v, const ir_function *kernel)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op)) {
        if (op->code != IR_OP_CONSTANT)
            continue;
        const ir_type *type = op->results[0].type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        if (!ir_type_is_float(elem) || !float_has_format(elem->kind) || ir_type_bits(elem) < 8)
            continue;
        double c = float_decode(
            elem->kind, first_bits(&op->attrs[IR_AT_CONSTANT_value], (size_t)ir_type_bytes(elem)));
        double step = c > 2 || c < -2 ? (c < 0 ? -c : c) / 2 : 1;
        if (v->n_numbers + 9 > MAX_NUMBERS) /* the small numbers below need room, too */
            return;
        add_number(v, c + step);
        add_number(v, c - step);
        add_number(v, c);
        add_ramp(v, c + step, -2 * step); /* neighbours lie on either side of it */
        add_ramp(v, c - step, 2 * step);
    }
}

static void add_slots(inventor *v, const ir_function *kernel, const contract *c)
{
    for (uint32_t i = 0; i < kernel->body->n_args && i < c->n_args; i++) {
        const ir_type *type = kernel->body->args[i]->type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        const contract_arg *arg = &c->args[i];
        slot s = {arg->name, elem};
        if (elem->kind == IR_POINTER)
            s = (slot){contract_buffer_of(arg), elem->elem};
        if (!s.name || arg->has_number || !ir_type_is_float(s.elem) ||
            !float_has_format(s.elem->kind) || ir_type_bits(s.elem) < 8 || v->n_slots == MAX_SLOTS)
            continue;
        bool known = false;
        for (size_t k = 0; k < v->n_slots; k++)
            known |= strcmp(v->slots[k].name, s.name) == 0;
        if (!known)
            v->slots[v->n_slots++] = s;
    }
}

static inventor make_inventor(const ir_function *kernel, const contract *c)
{
    static const double small[] = {1, 0, -1, 2, 0.5, 1000, -1000};
    inventor v = {0};
    add_ramp(&v, 0, 1);
    add_ramp(&v, 0, -1);
    add_constants(&v, kernel);
    for (size_t i = 0; i < TR_COUNT(small); i++)
        add_number(&v, small[i]);
    add_slots(&v, kernel, c);
    return v;
}

/* Elements `first`, `first + step`, ...; what lies behind the last that is given is like it. */
static interp_contents numbers_of(tr_arena *arena, const slot *s, double first, double step)
{
    size_t n = step == 0 ? 1 : RAMP;
    interp_cell *given = TR_NEW_ARRAY(arena, interp_cell, n);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        if (!float_encode(s->elem->kind, first + step * (double)i, &bits))
            bits = 0;
        given[i] = (interp_cell){(int64_t)i, (int64_t)bits};
    }
    return (interp_contents){s->name, n, given};
}

size_t concrete_invent_floats(tr_arena *arena, const ir_function *kernel, const contract *c,
                              size_t trial, interp_contents **contents)
{
    inventor v = make_inventor(kernel, c);
    size_t others = OTHERS < v.n_numbers ? OTHERS : v.n_numbers;
    size_t uniform = v.n_numbers + v.n_ramps, apart = v.n_slots * v.n_numbers * others;
    if (v.n_slots == 0 || trial >= uniform + (v.n_slots > 1 ? apart : 0))
        return 0;
    *contents = TR_NEW_ARRAY(arena, interp_contents, v.n_slots);
    for (size_t i = 0; i < v.n_slots; i++) {
        double first, step = 0;
        if (trial < v.n_numbers) {
            first = v.numbers[trial];
        } else if (trial < uniform) {
            first = v.ramps[trial - v.n_numbers].first;
            step = v.ramps[trial - v.n_numbers].step;
        } else {
            size_t way = trial - uniform, own = way / others % v.n_numbers;
            bool is_own = i == way / others / v.n_numbers;
            first = v.numbers[is_own ? own : way % others];
        }
        (*contents)[i] = numbers_of(arena, &v.slots[i], first, step);
    }
    return v.n_slots;
}

double concrete_float_of(const ir_type *elem, int64_t bits)
{
    return float_has_format(elem->kind) ? float_decode(elem->kind, (uint64_t)bits) : 0;
}

int64_t concrete_bits_of(const ir_type *elem, double number)
{
    uint64_t bits = 0;
    return float_has_format(elem->kind) && float_encode(elem->kind, number, &bits) ? (int64_t)bits
                                                                                   : 0;
}

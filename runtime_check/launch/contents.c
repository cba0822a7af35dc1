/* Contents of integer buffers that meet the facts of a contract: unique, increasing, bounded, a
 * prefix sum. Elements that a witness fixes stay; the others are drawn. */
#include "launch/private.h"

#include <stdlib.h>

/* The lowest `bits` bits, fewer than 64 or all of them, as a signed number. */
static int64_t as_signed(uint64_t value, int bits)
{
    int unused = 64 - bits;
    return (int64_t)(value << unused) >> unused;
}

typedef struct number_set {
    int64_t key;
    bool value;
} number_set;

typedef struct fill {
    binding *b;
    const contract_contents *facts; /* or NULL */
    buffer_plan *plan;
    bool *fixed; /* per element */
    uint64_t random;
    bool near_zero; /* as of interp_filling */
    int64_t type_low, type_high;
    bool is_unsigned; /* the facts are about the elements as unsigned numbers; memory and fixed
                         elements have them as signed ones */
    int bits;
    int64_t fixed_low, fixed_high; /* of the fixed elements, 0 included */
    /* Values taken, where they must differ: those below n_small, as most are, and the others. */
    bool *small;
    signed char *small_differs; /* as `differing`: 1, -1, or not known yet */
    int64_t n_small;
    number_set *used;      /* stb_ds map */
    number_set *differing; /* stb_ds map: must this value differ, where the index says
                              nothing of it? Evaluated once */
    bool unique_by_index;  /* it does say something of it */
    int64_t end;           /* the facts are about elements from plan->base up to here */
    bool same_bounds;      /* the bounds do not speak of the index; then, once known: */
    bool have_bounds;
    int64_t low, high;
} fill;

/* Another pointer's part of the buffer, of which the facts say nothing. */
static bool is_outside(const fill *f, int64_t index)
{
    return index < f->plan->base || index >= f->end;
}

static bool find_bounds(fill *f, int64_t index, int64_t *low, int64_t *high)
{
    f->b->has_element = true;
    f->b->index_now = index - f->plan->base;
    *low = f->type_low;
    *high = f->type_high;
    int64_t stated;
    bool fine = true;
    if (f->facts && f->facts->min) {
        fine = binding_eval(f->b, f->facts->min, &stated);
        if (fine && stated > *low)
            *low = stated;
    }
    if (fine && f->facts && f->facts->max) {
        fine = binding_eval(f->b, f->facts->max, &stated);
        if (fine && stated < *high)
            *high = stated;
    }
    f->b->has_element = false;
    if (!fine)
        return false;
    /* Nothing said: numbers that could be indices. */
    if (!f->facts || !f->facts->min)
        *low = *low > f->fixed_low || *high < f->fixed_low ? *low : f->fixed_low;
    if (!f->facts || !f->facts->max) {
        int64_t some = f->plan->filled > 1 ? f->plan->filled - 1 : 1, reach;
        if (__builtin_add_overflow(*low, some, &reach))
            reach = *high;
        if (reach < f->fixed_high)
            reach = f->fixed_high;
        if (reach < *high)
            *high = reach;
    }
    return *low <= *high;
}

/* Bounds of the element at an index, counted from the parameter that the facts are of. */
static bool bounds_at(fill *f, int64_t index, int64_t *low, int64_t *high)
{
    if (is_outside(f, index)) {
        *low = f->type_low < 0 ? 0 : f->type_low;
        *high = f->type_high < f->plan->filled ? f->type_high : f->plan->filled;
        return true;
    }
    if (!f->have_bounds && !find_bounds(f, index, &f->low, &f->high))
        return false;
    f->have_bounds = f->same_bounds;
    *low = f->low;
    *high = f->high;
    return true;
}

static bool unique_there(fill *f, int64_t index, int64_t value)
{
    int64_t when = 1;
    f->b->has_element = true;
    f->b->index_now = index - f->plan->base;
    f->b->value_now = value;
    bool known = binding_eval(f->b, f->facts->unique_when, &when);
    f->b->has_element = false;
    return !known || when;
}

static bool is_small(const fill *f, int64_t value)
{
    return value >= 0 && value < f->n_small;
}

/* Must this value differ from the others that must? */
static bool must_differ(fill *f, int64_t index, int64_t value)
{
    if (!f->facts || is_outside(f, index) ||
        !(f->facts->unique || f->facts->unique_when || f->facts->n_tuple))
        return false;
    if (!f->facts->unique_when)
        return true;
    if (f->unique_by_index)
        return unique_there(f, index, value);
    if (is_small(f, value)) {
        signed char *known = &f->small_differs[value];
        if (*known == 0)
            *known = unique_there(f, index, value) ? 1 : -1;
        return *known > 0;
    }
    ptrdiff_t at = hmgeti(f->differing, value);
    if (at < 0) {
        bool differs = unique_there(f, index, value);
        hmput(f->differing, value, differs);
        return differs;
    }
    return f->differing[at].value;
}

static bool taken(fill *f, int64_t index, int64_t value)
{
    bool used = is_small(f, value) ? f->small[value] : f->used && hmgeti(f->used, value) >= 0;
    return used && must_differ(f, index, value);
}

/* The stored element as the facts mean it. */
static int64_t as_meant(const fill *f, int64_t stored)
{
    return f->is_unsigned && stored < 0 ? stored + ((int64_t)1 << f->bits) : stored;
}

static void take(fill *f, int64_t index, int64_t value)
{
    f->plan->values[index] = value;
    if (!must_differ(f, index, value))
        return;
    if (is_small(f, value))
        f->small[value] = true;
    else
        hmput(f->used, value, true);
}

/* Room for the values that are numbers of elements, if any must differ. */
static void make_small(tr_arena *arena, fill *f)
{
    if (!f->facts || !(f->facts->unique || f->facts->unique_when || f->facts->n_tuple))
        return;
    enum { TIMES = 4 }; /* a table of rows of another buffer may be the shorter of the two */
    f->n_small = TIMES * f->plan->filled;
    f->small = TR_NEW_ARRAY(arena, bool, f->n_small + 1);
    if (f->facts->unique_when)
        f->small_differs = TR_NEW_ARRAY(arena, signed char, f->n_small + 1);
}

/* The value between the bounds that is nearest to 0. */
static int64_t least_of(int64_t low, int64_t high)
{
    return low > 0 ? low : high < 0 ? high : 0;
}

/* A value at random between the bounds that is not taken, or the plain one. */
static bool draw(fill *f, int64_t index)
{
    int64_t low, high;
    if (!bounds_at(f, index, &low, &high))
        return false;
    int64_t plain = least_of(low, high);
    if (f->near_zero && !taken(f, index, plain)) {
        take(f, index, plain);
        return true;
    }
    for (int tries = 0; tries < 32; tries++) {
        int64_t value = random_between(&f->random, low, high);
        if (!taken(f, index, value)) {
            take(f, index, value);
            return true;
        }
    }
    /* The range is nearly full: the first free one from a random place on. */
    int64_t start = random_between(&f->random, low, high), value = start;
    for (uint64_t steps = 0; steps <= (uint64_t)f->plan->filled + 1; steps++) {
        if (!taken(f, index, value)) {
            take(f, index, value);
            return true;
        }
        value = value == high ? low : value + 1;
        if (value == start)
            break;
    }
    if (f->facts && f->facts->n_tuple && !f->facts->unique) {
        take(f, index, start); /* the tuple's other elements may differ */
        return true;
    }
    return false;
}

/* All between the same bounds, as nobody says anything of the elements: what draw does, at once. */
static bool draw_all(fill *f)
{
    int64_t low, high, n = f->plan->filled, *values = f->plan->values;
    if (n > 0 && !find_bounds(f, 0, &low, &high))
        return false;
    for (int64_t i = 0; i < n; i++)
        if (!f->fixed[i])
            values[i] = f->near_zero ? least_of(low, high) : random_between(&f->random, low, high);
    return true;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Non-decreasing between what is fixed: each stretch is drawn and sorted. */
static bool fill_increasing(fill *f)
{
    int64_t n = f->plan->filled, *values = f->plan->values;
    bool strict = f->facts->unique;
    int64_t from = 0;
    while (from < n) {
        int64_t to = from;
        while (to < n && !f->fixed[to])
            to++;
        int64_t low, high, ignored;
        if (to > from) {
            if (!bounds_at(f, from, &low, &ignored) || !bounds_at(f, to - 1, &ignored, &high))
                return false;
            if (from > 0 && values[from - 1] + strict > low)
                low = values[from - 1] + strict;
            if (to < n && values[to] - strict < high)
                high = values[to] - strict;
            if (low > high || (strict && high - low < to - from - 1))
                return false;
            for (int64_t i = from; i < to; i++)
                values[i] = random_between(&f->random, low, high - (strict ? to - from - 1 : 0));
            qsort(&values[from], (size_t)(to - from), sizeof *values, ascending);
            for (int64_t i = from; strict && i < to; i++)
                values[i] += i - from;
        }
        from = to + 1;
    }
    /* Bounds that change from element to element: hold each to its own. */
    for (int64_t i = 0; i < n; i++) {
        int64_t low, high;
        if (!bounds_at(f, i, &low, &high))
            return false;
        int64_t value = values[i] < low ? low : values[i] > high ? high : values[i];
        if (i > 0 && value < values[i - 1] + strict)
            value = values[i - 1] + strict;
        if (value > high || (f->fixed[i] && value != values[i]))
            return false;
        values[i] = value;
    }
    return true;
}

static bool fill_prefix_sum(fill *f, const buffer_plan *plans, size_t n_plans)
{
    const contract_arg *source = &f->b->contract->args[f->facts->prefix_sum_of];
    const char *name = contract_buffer_of(source);
    for (size_t k = 0; k < n_plans; k++) {
        if (strcmp(plans[k].name, name) || !plans[k].values)
            continue;
        int bits = ir_type_bits(plans[k].elem);
        bool is_unsigned = contract_contents_are_unsigned(&source->contents, bits);
        uint64_t sum = 0, mask = is_unsigned ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0;
        for (int64_t i = 0; i < f->plan->filled; i++) {
            f->plan->values[i] = (int64_t)sum;
            if (i < plans[k].filled)
                sum += (uint64_t)plans[k].values[i] & mask;
        }
        return true;
    }
    return false;
}

static void fix(fill *f, const interp_filling *filling)
{
    for (size_t k = 0; filling && k < filling->n_contents; k++) {
        const interp_contents *c = &filling->contents[k];
        if (strcmp(c->buffer, f->plan->name))
            continue;
        for (size_t i = 0; i < c->n; i++) {
            int64_t index = c->cells[i].index;
            if (index < 0 || index >= f->plan->filled)
                continue; /* poked into memory: launch.c */
            int64_t value = as_meant(f, c->cells[i].value);
            f->fixed[index] = true;
            if (value < f->fixed_low)
                f->fixed_low = value;
            if (value > f->fixed_high)
                f->fixed_high = value;
            take(f, index, value);
        }
    }
}

/* The elements that the contract states one by one. */
static void fix_stated(fill *f)
{
    const contract_values *stated = f->facts ? f->facts->values : NULL;
    int64_t value;
    for (int64_t i = 0; stated && i < f->plan->filled; i++) {
        if (!contract_values_at(stated, i - f->plan->base, &value))
            continue;
        value = as_meant(f, value);
        f->fixed[i] = true;
        f->fixed_low = value < f->fixed_low ? value : f->fixed_low;
        f->fixed_high = value > f->fixed_high ? value : f->fixed_high;
        take(f, i, value);
    }
}

static void read_as_unsigned(fill *f)
{
    f->is_unsigned = true;
    f->type_low = 0;
    f->type_high = ((int64_t)1 << f->bits) - 1;
}

bool speaks_of_index(const binding *b, const contract_contents *facts)
{
    const smt_t terms[] = {facts ? facts->min : NULL, facts ? facts->max : NULL,
                           facts ? facts->unique_when : NULL};
    for (size_t i = 0; i < TR_COUNT(terms); i++)
        if (terms[i] && smt_contains(terms[i], b->index))
            return true;
    return false;
}

static int64_t end_of_facts(binding *b, const buffer_plan *plan)
{
    const contract_arg *arg = plan->facts_of >= 0 ? &b->contract->args[plan->facts_of] : NULL;
    int64_t elements, end;
    if (!arg || !arg->elements || !binding_eval(b, arg->elements, &elements) ||
        __builtin_add_overflow(plan->base, elements, &end))
        return INT64_MAX;
    return end;
}

bool concrete_fill_contents(tr_arena *scratch, binding *b, buffer_plan *plans, size_t n_plans,
                            size_t which, const interp_filling *filling, const char **why)
{
    buffer_plan *plan = &plans[which];
    if (plan->values)
        return true;
    const contract_contents *facts =
        plan->facts_of >= 0 ? &b->contract->args[plan->facts_of].contents : NULL;
    plan->values =
        TR_NEW_ARRAY(scratch, int64_t, plan->filled + 1); /* marks it as begun: no cycle */
    if (facts && facts->prefix_sum_of >= 0) {
        const contract_arg *source = &b->contract->args[facts->prefix_sum_of];
        const char *name = contract_buffer_of(source);
        for (size_t k = 0; k < n_plans; k++)
            if (!strcmp(plans[k].name, name) && ir_type_is_int(plans[k].elem) &&
                !concrete_fill_contents(scratch, b, plans, n_plans, k, filling, why))
                return false;
    }
    int bits = ir_type_bits(plan->elem);
    fill f = {.b = b,
              .facts = facts,
              .plan = plan,
              .fixed = TR_NEW_ARRAY(scratch, bool, plan->filled + 1),
              .random = (filling ? filling->seed : 0) + 0x51ed27u * (which + 1),
              .near_zero = filling && filling->near_zero,
              .type_low = bits == 1 ? 0 : as_signed((uint64_t)1 << (bits - 1), bits),
              .type_high = bits == 1 ? 1 : (int64_t)(((uint64_t)1 << (bits - 1)) - 1)};
    f.bits = bits;
    f.end = end_of_facts(b, plan);
    if (contract_contents_are_unsigned(facts, bits))
        read_as_unsigned(&f);
    f.same_bounds = !speaks_of_index(b, facts);
    f.unique_by_index = facts && facts->unique_when && smt_contains(facts->unique_when, b->index);
    make_small(scratch, &f);
    fix(&f, filling);
    fix_stated(&f);
    bool fine = true;
    if (facts && facts->prefix_sum_of >= 0) {
        fine = fill_prefix_sum(&f, plans, n_plans);
    } else if (facts && facts->increasing && !facts->values) {
        fine = fill_increasing(&f);
    } else if (!facts) {
        fine = draw_all(&f);
    } else {
        for (int64_t i = 0; i < plan->filled && fine; i++)
            fine = f.fixed[i] || draw(&f, i);
    }
    for (int64_t i = 0; f.is_unsigned && i < plan->filled; i++)
        plan->values[i] = as_signed((uint64_t)plan->values[i], bits);
    hmfree(f.used);
    hmfree(f.differing);
    if (!fine)
        *why =
            tr_arena_printf(b->arena, "no contents of '%s' found that meet the facts", plan->name);
    return fine;
}

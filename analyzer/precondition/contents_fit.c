/* Can a buffer be filled as the contract says? Not where an element has no value that is allowed,
 * and not where more elements have to differ than there are values. */
#include "precondition/contents_fit.h"

#include "question/ask.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/exact_contents.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

static bool never(checker *k, smt_t condition)
{
    return ask_never(k, condition, "contract", CONTRACT_NEVER);
}

/* Is it proved that no value of the element type lies in the stated range of the element with that
 * index? The element exists in every launch (`always`) or in some. */
static bool has_no_value(checker *k, const contract_arg *arg, int bits, smt_t index, bool always)
{
    smt_t there = contents_in_extent(k, arg, index), value = contract_value(k->ctx);
    return never(k, contents_stated_of(k, arg, bits, index, value)) &&
           (always ? never(k, smt_not(k->ctx, there)) : !never(k, there));
}

/* Like has_no_value(), for whichever element, or of the first or the last one. A buffer of unknown
 * extent may have none. */
static bool range_is_empty(checker *k, const contract_arg *arg, int bits)
{
    smt_t first = smt_int_const(k->ctx, 0), one = smt_int_const(k->ctx, 1);
    if (has_no_value(k, arg, bits, contract_index(k->ctx), false))
        return true;
    return arg->elements && (has_no_value(k, arg, bits, first, true) ||
                             has_no_value(k, arg, bits, smt_sub(k->ctx, arg->elements, one), true));
}

/* ---- Section: more elements that differ than values ----
 *
 * Pigeons and holes: where so many elements have to differ, there are as many values at least. The
 * number of values is a bound from above, that of the elements one from below, so that no contract
 * is refused that some launch meets. */

enum { COUNTED = 16, MOST_VARIABLES = 3 + IR_MAX_RANK };

static smt_t number(checker *k, smt_int value)
{
    return smt_int_const(k->ctx, value);
}

typedef struct table { /* an argument of a contract of the kernel */
    checker *k;
    const contract *c;
    size_t number;
    const contract_arg *arg;
    int bits; /* of an element */
} table;

static table table_of(checker *k, const contract *c, size_t number)
{
    const ir_type *type = k->kernel->body->args[number]->type;
    return (table){k, c, number, &c->args[number], 8 * ir_type_bytes(type->elem->elem)};
}

typedef struct value_there {
    smt_t value; /* contract_value */
    smt_int number;
} value_there;

static bool look_up_value(void *user, smt_t variable, size_t n_args, const smt_int *args,
                          smt_int *value)
{
    const value_there *there = user;
    (void)n_args;
    (void)args;
    *value = there->number;
    return variable == there->value;
}

/* Returns how many numbers of `bits` bits lie in the stated range; -1: it depends on the launch or
 * on the index. */
static smt_int numbers_in_range(const table *t)
{
    checker *k = t->k;
    const contract_contents *c = &t->arg->contents;
    smt_int half = (smt_int)1 << (t->bits - 1), n = 0, lies;
    value_there there = {contract_value(k->ctx), 0};
    smt_t in = contents_between(k, there.value, t->bits, contract_index(k->ctx), c->min, c->max);
    for (there.number = -half; there.number < half; there.number++) {
        if (!smt_eval(in, look_up_value, &there, &lies))
            return -1;
        n += lies;
    }
    return n;
}

/* Returns how many values an element can have, at most. An element is some number of the range,
 * whether it is read as a signed or as an unsigned one, and two elements that differ are two
 * numbers. */
static smt_t values_of(const table *t)
{
    checker *k = t->k;
    const contract_contents *c = &t->arg->contents;
    smt_int half = (smt_int)1 << (t->bits - 1), most = 0;
    smt_int all = contents_are_bools(k, (int)t->number) ? 2 : 2 * half;
    smt_int counted = t->bits <= COUNTED ? numbers_in_range(t) : -1;
    if (counted >= 0)
        return number(k, counted < all ? counted : all);
    /* Wide elements are signed numbers unless no signed one is as large as stated. */
    bool is_unsigned = c->max && smt_is_const(c->max, &most) && most >= half;
    smt_t low = c->min ? c->min : number(k, is_unsigned ? 0 : -half);
    smt_t high = c->max ? c->max : number(k, t->bits < CONTRACT_NARROW ? 2 * half - 1 : half - 1);
    smt_t index = contract_index(k->ctx);
    if (smt_contains(low, index) || smt_contains(high, index))
        return number(k, all);
    smt_t values = smt_add(k->ctx, smt_sub(k->ctx, high, low), number(k, 1));
    return smt_min(k->ctx, number(k, all), values);
}

typedef struct kept_indices { /* elements with these indices have to differ: first <= i < end */
    smt_t first, end;         /* end NULL: as many as there are */
} kept_indices;

/* `index + rest <= 0` or `rest - index <= 0`, where nothing of the rest is the element's own. */
static bool bound_index(checker *k, smt_t condition, kept_indices *kept)
{
    smt_t index = contract_index(k->ctx),
          sum = condition->kind == SMT_LE ? condition->args[0] : NULL;
    smt_int coefficient = sum == index;
    for (uint32_t i = 0; sum && sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (sum->args[i] == index)
            coefficient = sum->coefs[i];
    if (coefficient != 1 && coefficient != -1)
        return false;
    smt_t rest = smt_sub(k->ctx, sum, smt_scale(k->ctx, index, coefficient));
    if (smt_contains(rest, index) || smt_contains(rest, contract_value(k->ctx)))
        return false;
    if (coefficient < 0) {
        kept->first = smt_max(k->ctx, kept->first, rest);
        return true;
    }
    smt_t end = smt_sub(k->ctx, number(k, 1), rest);
    kept->end = kept->end ? smt_min(k->ctx, kept->end, end) : end;
    return true;
}

/* The indices whose elements have to differ, whatever they are; false: not known. */
static bool find_kept(const table *t, kept_indices *kept)
{
    checker *k = t->k;
    smt_t when = t->arg->contents.unique_when, index = contract_index(k->ctx);
    smt_t stated = contents_stated_of(k, t->arg, t->bits, index, contract_value(k->ctx));
    bool is_and = when && when->kind == SMT_AND;
    *kept = (kept_indices){number(k, 0), NULL};
    for (uint32_t i = 0; when && i < (is_and ? when->n_args : 1); i++) {
        smt_t part = is_and ? when->args[i] : when;
        if (!bound_index(k, part, kept) &&
            !never(k, smt_and(k->ctx, stated, smt_not(k->ctx, part))))
            return false;
    }
    return true;
}

typedef struct own_variable { /* of an access: another value of it is another element */
    smt_int step;             /* bytes from one to the next */
    smt_t count;
} own_variable;

static void add_variable(checker *k, const ix_access *a, smt_t variable, smt_t count,
                         own_variable *all, size_t *n)
{
    smt_t next = smt_add(k->ctx, variable, number(k, 1));
    smt_t there = smt_guess_instance(k->ctx, a->bytes, 1, &variable, &next);
    smt_t step = smt_sub(k->ctx, there, a->bytes);
    own_variable own = {0, count};
    if (!smt_is_const(step, &own.step) || own.step == 0)
        return;
    own.step = own.step < 0 ? -own.step : own.step;
    size_t at = (*n)++;
    for (; at > 0 && all[at - 1].step > own.step; at--)
        all[at] = all[at - 1];
    all[at] = own;
}

typedef struct stranger_search {
    checker *k;
    const ix_access *a;
    bool found; /* the address depends on more than the launch, block ids and lanes */
} stranger_search;

static void look_for_stranger(void *user, smt_t term)
{
    stranger_search *s = user;
    bool own = term->kind == SMT_VAR && !term_is_launch_constant(s->k, term) &&
               !copy_is_block_id(s->k, term);
    for (int d = 0; d < s->a->rank && own; d++)
        own = s->a->tile[d] <= 1 || term != ix_coordinate(s->k->ctx, d, s->a->tile[d]);
    s->found |= own || term->kind == SMT_APP || term->kind == SMT_BAPP;
}

/* How many elements of the table every launch reads by the access, at least: by those of its
 * variables, from the least step on, that step over all that the ones before reach. */
static smt_t elements_read(const table *t, const ix_access *a)
{
    checker *k = t->k;
    smt_t count = number(k, 1);
    smt_int reached = t->bits / 8, low, high;
    own_variable all[MOST_VARIABLES];
    stranger_search strangers = {k, a, false};
    size_t n = 0;
    if (a->unknown || a->arg != (int)t->number || !a->reads || a->width != reached ||
        !smt_is_true(a->path) || (a->mask && !smt_is_true(a->mask)))
        return number(k, 0);
    smt_bounds(smt_sub(k->ctx, a->bytes, k->s->arg_bytes[t->number]), &low, &high);
    smt_visit(k->ctx, a->bytes, look_for_stranger, &strangers);
    if (low < 0 || strangers.found || a->n_loops)
        return number(k, 0);
    for (int axis = 0; axis < 3; axis++)
        add_variable(k, a, k->s->block_id[axis], k->s->grid[axis], all, &n);
    for (int d = 0; d < a->rank; d++)
        if (a->tile[d] > 1)
            add_variable(k, a, ix_coordinate(k->ctx, d, a->tile[d]), number(k, a->tile[d]), all,
                         &n);
    for (size_t i = 0; i < n; i++) {
        smt_int times;
        if (all[i].step < reached)
            continue;
        count = smt_mul(k->ctx, count, all[i].count);
        if (!smt_is_const(all[i].count, &times) ||
            __builtin_mul_overflow(all[i].step, times, &reached))
            break;
    }
    return count;
}

/* Are more of `elements` kept than there are values? */
static bool are_too_many(checker *k, const kept_indices *kept, smt_t elements, smt_t values)
{
    smt_t end = kept->end ? smt_min(k->ctx, kept->end, elements) : elements;
    return never(k, smt_le(k->ctx, smt_sub(k->ctx, end, kept->first), values));
}

static bool reads_too_many(const table *t, const kept_indices *kept)
{
    checker *k = t->k;
    smt_t values = values_of(t);
    bool any = false;
    for (size_t i = 0; i < arrlenu(k->s->accesses) && !any; i++) {
        smt_t read = elements_read(t, &k->s->accesses[i]);
        any = read != number(k, 0) && are_too_many(k, kept, read, values);
    }
    return any;
}

/* Are there more elements than values, where no element may equal another? Where the number of
 * elements is not stated, those that tile blocks read are counted. */
static bool has_too_many(const table *t)
{
    kept_indices kept;
    if (!t->arg->contents.unique || !find_kept(t, &kept))
        return false;
    if (!t->arg->elements)
        return reads_too_many(t, &kept);
    return are_too_many(t->k, &kept, t->arg->elements, values_of(t));
}

/* Like has_too_many(), for tuples of elements with one index. */
static bool has_too_many_tuples(const table *t)
{
    checker *k = t->k;
    const contract_contents *c = &t->arg->contents;
    smt_t elements = t->arg->elements, values = values_of(t);
    for (size_t i = 0; i < c->n_tuple && elements; i++) {
        const table other = table_of(k, t->c, (size_t)c->tuple[i]);
        elements = other.arg->elements ? smt_min(k->ctx, elements, other.arg->elements) : NULL;
        values = smt_mul(k->ctx, values, values_of(&other));
    }
    const kept_indices kept = {number(k, 0), NULL};
    return c->n_tuple && elements && are_too_many(k, &kept, elements, values);
}

/* ---- Section: what is said of it ---- */

static bool is_of_integers(const checker *k, const contract *c, size_t number)
{
    const ir_type *type = k->kernel->body->args[number]->type;
    return c->args[number].kind == CONTRACT_POINTER && type->elem && type->elem->elem &&
           ir_type_is_int(type->elem->elem);
}

/* Why no contents of a table can be as they are stated; NULL: they can, as far as one sees. */
static const char *why_impossible(const table *t)
{
    const char *name = contract_buffer_of(t->arg);
    bool ranged = t->arg->contents.min || t->arg->contents.max;
    if (ranged && range_is_empty(t->k, t->arg, t->bits))
        return tr_arena_printf(t->k->arena, "no element of '%s' can lie in the stated range", name);
    if (has_too_many(t))
        return tr_arena_printf(
            t->k->arena,
            "'%s' has more elements than there are values %s, and no two are to be equal", name,
            ranged ? "in the stated range" : "of its type");
    if (has_too_many_tuples(t))
        return tr_arena_printf(t->k->arena,
                               "'%s' and the tables beside it have more elements than there are "
                               "tuples of values, and no two are to be equal",
                               name);
    return NULL;
}

/* Like why_impossible(), for any buffer of the contract. *place: where its contents are stated. */
const char *require_impossible_contents(checker *k, const contract *c, const tr_place **place)
{
    const char *why = NULL;
    for (size_t i = 0; i < c->n_args && !why; i++) {
        if (!is_of_integers(k, c, i))
            continue;
        const table t = table_of(k, c, i);
        why = why_impossible(&t);
        *place = c->args[i].contents.place;
    }
    return why;
}

bool require_reads_too_many(checker *k, int arg)
{
    const table t = table_of(k, k->contract, (size_t)arg);
    const kept_indices all = {number(k, 0), NULL};
    return is_of_integers(k, k->contract, (size_t)arg) && reads_too_many(&t, &all);
}

bool require_contents_fit(checker *k, const contract *c)
{
    const tr_place *place;
    return !require_impossible_contents(k, c, &place);
}

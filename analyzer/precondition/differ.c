/* Can the elements that a launch reads of a buffer all be different?
 *
 * Where the contract says that they lie between 0 and 6 and eight tile blocks read one each, they
 * cannot: that they are different is no precondition then, since no launch meets it. The same holds
 * where only launches of one tile block do. How many elements are read is counted in small launches
 * that meet the contract, run one by one: a count for every form of index, mask and loop. */
#include "precondition/differ.h"

#include "launch/from_contract.h"
#include "launch/search.h"
#include "precondition/contents_fit.h"
#include "precondition/contents_range.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/contents.h"
#include "question/exact_contents.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 8, MAX_BLOCKS = 1024, MANY_BLOCKS = 1 << 14, RUN_STEPS = 400000 };
enum { NARROW = 16, FEW_FILLED = 32 };

/* Returns the bounds that are stated, assumed or required of the values of the argument's buffer;
 * NULL: no such bound. What a single event requires no proof about two of them uses, but every
 * launch meets it. */
static void stated_range(checker *k, int number, smt_t *low, smt_t *high)
{
    const contract_contents *c = &k->contract->args[number].contents;
    *low = c->min;
    *high = c->max;
    for (size_t i = 0; i < k->known.contents.n_ranges; i++)
        if (k->known.contents.ranges[i].arg == number) {
            *low = require_greater(k, *low, k->known.contents.ranges[i].low);
            *high = require_smaller(k, *high, k->known.contents.ranges[i].high);
        }
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (what->kind != PRECONDITION_CONTENTS_RANGE || what->subject.arg != (size_t)number)
            continue;
        *low = require_greater(k, *low, what->contents.min);
        *high = require_smaller(k, *high, what->contents.max);
    }
}

/* Returns how many values an element of the argument's buffer can have at that launch; 0: not
 * known, or more than a launch reads. */
static smt_int values_at(checker *k, const concrete_launch *launch, int number)
{
    const ir_type *elem = k->kernel->body->args[number]->type->elem->elem;
    int bits = ir_type_is_int(elem) ? 8 * ir_type_bytes(elem) : 64;
    smt_int values = bits <= NARROW ? (smt_int)1 << bits : 0, low, high;
    concrete_launch_values v = {k->ctx, k->contract, launch};
    smt_t least, most;
    stated_range(k, number, &least, &most);
    if (!least || !most || !smt_eval(least, concrete_launch_lookup, &v, &low) ||
        !smt_eval(most, concrete_launch_lookup, &v, &high) || high < low)
        return values;
    return values && values < high - low + 1 ? values : high - low + 1;
}

static bool is_known(checker *k, int number)
{
    const ir_type *elem = k->kernel->body->args[number]->type->elem->elem;
    smt_t low, high;
    stated_range(k, number, &low, &high);
    return (low && high) || (ir_type_is_int(elem) && 8 * ir_type_bytes(elem) <= NARROW);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Addresses of the elements of the argument's buffer that the launch reads, each once; stb_ds
 * array. */
static int64_t *elements_read(checker *k, const concrete_launch *launch, int number)
{
    const char *name = contract_buffer_of(&k->contract->args[number]);
    interp_run *run = ask_run(k, launch, RUN_STEPS, RUN_STEPS, NULL);
    const interp_event *events;
    size_t n = interp_events(run, &events);
    int64_t *read = NULL;
    for (size_t i = 0; i < n; i++) {
        const ix_access *a = access_of_op(k, interp_op_of(run, events[i].instance));
        if (a && a->reads && !a->writes && events[i].buffer >= 0 && !events[i].out_of_buffer &&
            strcmp(interp_buffer_name(run, events[i].buffer), name) == 0)
            arrput(read, events[i].address);
    }
    interp_run_free(run);
    size_t different = 0;
    if (read)
        qsort(read, arrlenu(read), sizeof *read, by_number);
    for (size_t i = 0; i < arrlenu(read); i++)
        if (i == 0 || read[i] != read[i - 1])
            read[different++] = read[i];
    arrsetlen(read, different);
    return read;
}

/* ---- Section: ranges that depend on the index ---- */

typedef struct interval { /* of the values that one element can have */
    smt_int low, high;
    bool used;
} interval;

/* The elements that shall differ. */
typedef struct difference {
    size_t n; /* tuples of elements with one index in the buffers of so many arguments */
    const int *args;
    bool all;   /* those that are stated, be they read or not */
    smt_t when; /* of the first argument's those for which this holds; NULL: all */
    bool quick; /* fill few elements: which ones are read hardly ever depends on the contents */
} difference;

/* `bound` of the element with that index; false: it has no such value. */
static bool bound_at(checker *k, const concrete_launch *launch, smt_t bound, smt_int index,
                     smt_int *value)
{
    concrete_launch_values v = {k->ctx, k->contract, launch};
    smt_t of = contract_index(k->ctx), to = smt_int_const(k->ctx, index);
    return bound && smt_eval(smt_guess_instance(k->ctx, bound, 1, &of, &to), concrete_launch_lookup,
                             &v, value);
}

/* The interval that ends first among those that can be `value`; NULL: none can. */
static interval *first_to_end(interval *all, size_t n, smt_int value)
{
    interval *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (!all[i].used && all[i].low <= value && (!first || all[i].high < first->high))
            first = &all[i];
    return first;
}

/* Can each be given a value of its own? The values are given out from the least on, each to the
 * element that is nearest to having none left. */
static bool are_matched(interval *all, size_t n)
{
    smt_int value = SMT_NO_LOW;
    for (size_t given = 0; given < n; given++, value++) {
        interval *next = first_to_end(all, n, value);
        if (!next) { /* no element can have it: go on at the least that one can have */
            value = SMT_NO_HIGH;
            for (size_t i = 0; i < n; i++)
                value = !all[i].used && all[i].low < value ? all[i].low : value;
            next = first_to_end(all, n, value);
        }
        if (next->high < value)
            return false;
        next->used = true;
    }
    return true;
}

enum { MAX_VALUES = 256 };

/* May an element with that index and one of these values be left out, so that it need not differ?
 * Of many values that is not looked at, and it may. */
static bool may_be_left_out(checker *k, const concrete_launch *launch, smt_t when, smt_int index,
                            const interval *values)
{
    concrete_launch_values v = {k->ctx, k->contract, launch};
    smt_t from[2] = {contract_index(k->ctx), contract_value(k->ctx)};
    smt_int kept;
    if (!when || values->high - values->low >= MAX_VALUES)
        return when != NULL;
    for (smt_int value = values->low; value <= values->high; value++) {
        smt_t to[2] = {smt_int_const(k->ctx, index), smt_int_const(k->ctx, value)};
        if (!smt_eval(smt_substitute(k->ctx, when, 2, from, to), concrete_launch_lookup, &v,
                      &kept) ||
            !kept)
            return true;
    }
    return false;
}

/* False: the ranges of the elements that the launch reads leave too few values for all of them. */
static bool differ_by_index(checker *k, const concrete_launch *launch, const difference *d,
                            smt_int *n_read)
{
    int number = d->args[0];
    smt_t least, most;
    stated_range(k, number, &least, &most);
    int width = ir_type_bytes(k->kernel->body->args[number]->type->elem->elem);
    int64_t *read = elements_read(k, launch, number);
    size_t n = arrlenu(read);
    interval *all = TR_NEW_ARRAY(k->arena, interval, n + 1);
    bool known = n <= MAX_BLOCKS;
    size_t n_kept = 0;
    for (size_t i = 0; i < n && known; i++) {
        interval *own = &all[n_kept];
        smt_int index = read[i] / width;
        known = bound_at(k, launch, least, index, &own->low) &&
                bound_at(k, launch, most, index, &own->high);
        n_kept += known && !may_be_left_out(k, launch, d->when, index, own);
    }
    arrfree(read);
    *n_read = (smt_int)n;
    return !known || are_matched(all, n_kept);
}

static bool is_by_index(checker *k, int number)
{
    smt_t least, most, index = contract_index(k->ctx);
    stated_range(k, number, &least, &most);
    return (least && smt_contains(least, index)) || (most && smt_contains(most, index));
}

bool require_has_several(const checker *k, const concrete_launch *launch)
{
    for (int axis = 0; axis < 3; axis++)
        if (k->s->reads_axis[axis] && launch->grid[axis] < 2)
            return false;
    return true;
}

/* Elements that the contract gives the argument's buffer; 0: it does not say. */
static smt_int elements_stated(const checker *k, const concrete_launch *launch, int number)
{
    const interp_arg *arg = &launch->args[number];
    if (arg->buffer < 0 || launch->buffers[arg->buffer].unbounded)
        return 0;
    return launch->buffers[arg->buffer].bytes /
           ir_type_bytes(k->kernel->body->args[number]->type->elem->elem);
}

/* False: the tuples of values are fewer than the elements that are read, or that are stated where
 * all of them have to differ. */
static bool differ_at(checker *k, const concrete_launch *launch, const difference *d, smt_int *read)
{
    smt_int values = 1;
    if (d->n == 1 && is_by_index(k, d->args[0]))
        return differ_by_index(k, launch, d, read);
    if (d->when)
        return true;
    for (size_t i = 0; i < d->n; i++) {
        smt_int own = values_at(k, launch, d->args[i]);
        if (own == 0 || own > RUN_STEPS)
            return true;
        values *= own;
        if (values > RUN_STEPS)
            return true;
    }
    int64_t *elements = elements_read(k, launch, d->args[0]);
    *read = (smt_int)arrlenu(elements);
    arrfree(elements);
    smt_int stated = d->all ? elements_stated(k, launch, d->args[0]) : 0;
    *read = stated > *read ? stated : *read;
    return *read <= values;
}

/* Number of tuples of values, as the contract has it for every launch; NULL: it has no such form.
 */
static smt_t values_of(checker *k, size_t n, const int *args)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_int_const(ctx, 1), value = contract_value(ctx), index = contract_index(ctx);
    for (size_t i = 0; i < n; i++) {
        const contract_contents *c = &k->contract->args[args[i]].contents;
        if (!c->min || !c->max)
            return NULL;
        smt_t own = smt_add(ctx, smt_sub(ctx, c->max, c->min), smt_int_const(ctx, 1));
        if (smt_contains(own, value) || smt_contains(own, index))
            return NULL;
        all = smt_mul(ctx, all, own);
    }
    return all;
}

/* Launches that meet the contract, with so many values at least. */
static size_t launches_of(checker *k, smt_t least, bool quick, concrete_launch ***launches)
{
    interp_search search = {.wanted = LAUNCHES,
                            .max_blocks = MAX_BLOCKS,
                            .max_elements = (int64_t)1 << 20,
                            .most_filled = quick ? FEW_FILLED : RULES_FILLED};
    contract *c = tr_arena_copy(k->arena, k->contract, sizeof *k->contract);
    c->facts = NULL;
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++)
        arrput(c->facts, k->contract->facts[i]);
    if (least)
        arrput(c->facts, ((contract_fact){.term = least, .text = "presumed"}));
    size_t n = concrete_enumerate_of_any_size(k->arena, k->ctx, k->kernel, c, search, launches);
    search.max_blocks = MANY_BLOCKS;
    if (n == 0) /* grids that the contract makes large */
        n = concrete_enumerate_of_any_size(k->arena, k->ctx, k->kernel, c, search, launches);
    arrfree(c->facts);
    return n;
}

enum { ROUNDS = 3 };

/* A launch that reads too many elements says nothing of a launch that leaves more values, so one
 * with more values than the launches before have read is looked for, three times at most. */
static bool look_at_launches(checker *k, const difference *d)
{
    smt_t values = values_of(k, d->n, d->args), least = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        concrete_launch **launches;
        size_t found = launches_of(k, least, d->quick, &launches);
        smt_int fewest = 0;
        for (size_t i = 0; i < found; i++) {
            smt_int read;
            if (!require_has_several(k, launches[i]))
                continue;
            if (differ_at(k, launches[i], d, &read))
                return true;
            fewest = fewest == 0 || read < fewest ? read : fewest;
        }
        if (fewest == 0)
            return true; /* nothing was seen that speaks against it */
        if (!values)
            return false;
        least = smt_le(k->ctx, smt_int_const(k->ctx, fewest), values);
        if (smt_is_false(smt_and(k->ctx, k->known.launch, least)))
            return false;
    }
    return false;
}

/* Is the buffer stated to be the prefix sum of lengths that are all 0? */
static bool sums_up_nothing(const checker *k, int number)
{
    int of = contents_prefix_of(k, &k->contract->args[number]);
    const contract_contents *lengths = of < 0 ? NULL : &k->contract->args[of].contents;
    smt_int least, most;
    return lengths && lengths->min && lengths->max && smt_is_const(lengths->min, &least) &&
           smt_is_const(lengths->max, &most) && least == 0 && most == 0;
}

bool require_may_differ(checker *k, size_t n, const int *args)
{
    const difference d = {.n = n, .args = args};
    if (n == 1 && (sums_up_nothing(k, args[0]) || contents_are_bools(k, args[0])))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_known(k, args[i]))
            return true;
    uint64_t bit = (uint64_t)1 << args[0];
    if (n > 1)
        return look_at_launches(k, &d);
    if (!(k->differ.asked & bit)) {
        k->differ.asked |= bit;
        if (require_reads_too_many(k, args[0]) || !look_at_launches(k, &d))
            k->differ.refused |= bit;
    }
    return !(k->differ.refused & bit);
}

bool require_may_all_differ(checker *k, int arg)
{
    const difference d = {.n = 1, .args = &arg, .all = true};
    uint64_t bit = (uint64_t)1 << arg;
    if (sums_up_nothing(k, arg) || contents_are_bools(k, arg))
        return false;
    if (!is_known(k, arg))
        return true;
    if (!(k->differ.all_asked & bit)) {
        k->differ.all_asked |= bit;
        if (require_reads_too_many(k, arg) || !look_at_launches(k, &d))
            k->differ.all_refused |= bit;
    }
    return !(k->differ.all_refused & bit);
}

static bool some_is_left_out(checker *k, int arg, smt_t when)
{
    smt_t low = NULL, high = NULL, value = contract_value(k->ctx);
    stated_range(k, arg, &low, &high);
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, smt_not(k->ctx, when));
    if (low)
        query_add(k, &conjuncts, smt_le(k->ctx, low, value));
    if (high)
        query_add(k, &conjuncts, smt_le(k->ctx, value, high));
    return ask_briefly(k, conjuncts, "require-kept") == SMT_SAT;
}

/* Elements that a guard leaves out may be equal, and there may be as many of them as there are too
 * few values. Where the range of an element says that the guard keeps it, it has to differ. What is
 * left is for the search to judge: two blocks have to get there. */
bool require_kept_may_differ(checker *k, int arg, smt_t when)
{
    const difference d = {.n = 1, .args = &arg, .when = when};
    if (!some_is_left_out(k, arg, when))
        return require_may_differ(k, 1, &arg);
    return !is_known(k, arg) || !is_by_index(k, arg) || look_at_launches(k, &d);
}

bool require_range_is_wide(checker *k, int arg)
{
    const contract_contents *stated = &k->contract->args[arg].contents;
    smt_t when = stated->unique_when;
    if (!stated->unique || !is_known(k, arg))
        return true;
    if (when && !some_is_left_out(k, arg, when))
        when = NULL;
    const difference d = {.n = 1, .args = &arg, .all = !when, .when = when, .quick = true};
    return look_at_launches(k, &d);
}

/* Ranges of variables as the facts give them: comparisons are propagated, and variables whose range
 * becomes smaller are replaced by new ones that have it by construction, so that everything built
 * of them is simplified with it. */
#include "goal/ranges.h"

#include "goal/gf2.h"
#include "goal/goal.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_SWEEPS = 4 };

typedef struct range_entry {
    smt_t key; /* a summand: variable, product, application, ... */
    smt_range value;
} range_entry;

typedef struct range_map {
    range_entry *map; /* stb_ds map */
    bool changed, empty;
} range_map;

static smt_range get(range_map *ranges, smt_t term)
{
    ptrdiff_t at = hmgeti(ranges->map, term);
    return at >= 0 ? ranges->map[at].value : smt_range_of(term);
}

static void tighten(range_map *ranges, smt_t term, smt_range to)
{
    smt_range old = get(ranges, term), now = old;
    if (to.low > now.low)
        now.low = to.low;
    if (to.high < now.high)
        now.high = to.high;
    if (now.low == old.low && now.high == old.high)
        return;
    ranges->changed = true;
    ranges->empty |= now.low > now.high;
    hmput(ranges->map, term, now);
}

/* low <= value / coef <= high, rounded inwards */
static smt_range divided(smt_range value, smt_int coef)
{
    if (coef < 0)
        return divided(smt_range_scale(value, -1), -coef);
    smt_range range = value;
    if (range.low != SMT_NO_LOW)
        range.low = -smt_floor_div(-range.low, coef);
    if (range.high != SMT_NO_HIGH)
        range.high = smt_floor_div(range.high, coef);
    return range;
}

/* A product >= 1 of factors >= 0: each is at least 1, and none is greater than the product. */
static void tighten_factors(range_map *ranges, smt_t product)
{
    smt_range range = get(ranges, product);
    if (range.low < 1)
        return;
    for (uint32_t i = 0; i < product->n_args; i++) {
        if (get(ranges, product->args[i]).low < 0)
            return;
    }
    for (uint32_t i = 0; i < product->n_args; i++)
        tighten(ranges, product->args[i], (smt_range){1, range.high});
}

/* sum in [low, high]: each summand is within what the others leave. */
static void propagate(range_map *ranges, smt_t sum, smt_range total)
{
    size_t n = smt_n_monos(sum);
    if (n > 64)
        return;
    smt_int constant = smt_constant_part(sum);
    total = smt_range_add(total, (smt_range){-constant, -constant});
    for (size_t i = 0; i < n; i++) {
        smt_range left = total;
        smt_mono own = smt_mono_at(sum, i);
        for (size_t k = 0; k < n; k++) {
            smt_mono other = smt_mono_at(sum, k);
            if (k != i)
                left = smt_range_add(left, smt_range_scale(get(ranges, other.term), -other.coef));
        }
        tighten(ranges, own.term, divided(left, own.coef));
        if (own.term->kind == SMT_PROD)
            tighten_factors(ranges, own.term);
    }
}

/* A product's range by those of its factors. */
static void tighten_product(range_map *ranges, smt_t product)
{
    smt_range range = {1, 1};
    for (uint32_t i = 0; i < product->n_args; i++)
        range = smt_range_mul(range, get(ranges, product->args[i]));
    tighten(ranges, product, range);
}

static void use_fact(smt_ctx *ctx, range_map *ranges, smt_t fact)
{
    smt_t sum;
    smt_range total = {0, 0};
    if (fact->kind == SMT_LE) {
        sum = fact->args[0];
        total.low = SMT_NO_LOW;
    } else if (fact->kind == SMT_EQ) {
        sum = fact->args[0];
    } else {
        return;
    }
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        if (smt_mono_at(sum, i).term->kind == SMT_PROD)
            tighten_product(ranges, smt_mono_at(sum, i).term);
    }
    smt_tick(ctx, smt_n_monos(sum) * smt_n_monos(sum) / 4);
    propagate(ranges, sum, total);
}

/* The stem of a name that smt_fresh made. */
static const char *stem_of(smt_ctx *ctx, const char *name)
{
    const char *mark = strchr(name, '\'');
    return mark ? tr_arena_strndup(ctx->arena, name, (size_t)(mark - name)) : name;
}

bool smt_goal_tighten(smt_ctx *ctx, smt_goal *goal)
{
    range_map ranges = {0};
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        ranges.changed = false;
        for (size_t i = 0; i < arrlenu(goal->facts) && !ranges.empty; i++)
            use_fact(ctx, &ranges, goal->facts[i]);
        if (!ranges.changed || ranges.empty)
            break;
    }
    uint32_t flags = smt_goal_flags(goal);
    bool worth =
        (flags & (SMT_HAS_DIV | SMT_HAS_ITE | SMT_HAS_PRODUCT)) != 0 || smt_goal_has_bits(goal);
    smt_t *from = NULL, *to = NULL;
    if (ranges.empty)
        goal->is_false = true;
    for (ptrdiff_t i = 0; i < hmlen(ranges.map) && !goal->is_false; i++) {
        smt_t term = ranges.map[i].key;
        smt_range range = ranges.map[i].value;
        if (term->kind != SMT_VAR || (!worth && range.low < range.high))
            continue;
        smt_t by = smt_int_const(ctx, range.low);
        if (range.low < range.high)
            by = smt_renamed(ctx, term, smt_fresh_name(ctx, stem_of(ctx, term->name)), range.low,
                             range.high);
        arrput(from, term);
        arrput(to, by);
        arrput(goal->definitions, ((smt_definition){term, by}));
    }
    hmfree(ranges.map);
    size_t n = arrlenu(from);
    if (n > 0)
        smt_goal_replace_all(ctx, goal, n, from, to);
    arrfree(from);
    arrfree(to);
    return n > 0;
}

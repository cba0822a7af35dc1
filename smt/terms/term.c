/* Contexts and nodes: one node for each shape, found by its hash. */
#include "terms/term.h"

#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdio.h>
#include <stdlib.h>

smt_ctx *smt_ctx_new(void)
{
    tr_arena *arena = tr_arena_new();
    smt_ctx *ctx = TR_NEW(arena, smt_ctx);
    ctx->arena = arena;
    ctx->meter = &ctx->own;
    ctx->true_term = smt_intern(ctx, &(struct smt_term){.kind = SMT_TRUE});
    ctx->false_term = smt_intern(ctx, &(struct smt_term){.kind = SMT_FALSE});
    return ctx;
}

smt_ctx *smt_ctx_new_within(smt_ctx *within)
{
    smt_ctx *ctx = smt_ctx_new();
    ctx->meter = within->meter;
    return ctx;
}

void smt_ctx_free(smt_ctx *ctx)
{
    if (!ctx)
        return;
    free(ctx->buckets);
    shfree(ctx->functions);
    shfree(ctx->names);
    smt_orders_forget(ctx);
    tr_arena_free(ctx->arena);
}

tr_arena *smt_arena(smt_ctx *ctx)
{
    return ctx->arena;
}

const char *smt_intern_name(smt_ctx *ctx, const char *name)
{
    ptrdiff_t at = shgeti(ctx->names, name);
    if (at >= 0)
        return ctx->names[at].value;
    char *kept = tr_arena_strdup(ctx->arena, name);
    shput(ctx->names, kept, kept);
    return kept;
}

/* ---- Section: Steps ---- */

smt_steps smt_steps_taken(const smt_ctx *ctx)
{
    return ctx->meter->ticks / SMT_TICKS_A_STEP;
}

void smt_take_steps(smt_ctx *ctx, smt_steps steps)
{
    smt_tick(ctx, steps * SMT_TICKS_A_STEP);
}

void smt_set_budget(smt_ctx *ctx, tr_budget *budget)
{
    ctx->meter->budget = budget;
}

tr_budget *smt_budget(const smt_ctx *ctx)
{
    return ctx->meter->budget;
}

bool smt_is_cut(const smt_ctx *ctx)
{
    return ctx->meter->budget && ctx->meter->budget->spent;
}

/* ---- Section: Hashing ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash ^= word + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 32);
}

static uint64_t mix_int(uint64_t hash, smt_int value)
{
    return mix(mix(hash, (uint64_t)value), (uint64_t)(value >> 64));
}

static uint64_t hash_of(const struct smt_term *shape)
{
    uint64_t hash = mix(shape->kind, shape->n_args);
    hash = mix_int(hash, shape->value);
    hash = mix(hash, (uintptr_t)shape->name); /* names are interned */
    hash = mix(hash, 2 * (uint64_t)shape->copy + shape->is_private);
    for (uint32_t i = 0; i < shape->n_args; i++) {
        hash = mix(hash, shape->args[i]->id);
        if (shape->coefs)
            hash = mix_int(hash, shape->coefs[i]);
    }
    return hash;
}

static bool same_shape(const struct smt_term *a, const struct smt_term *b)
{
    if (a->kind != b->kind || a->n_args != b->n_args || a->value != b->value ||
        a->name != b->name || a->copy != b->copy || a->is_private != b->is_private)
        return false;
    for (uint32_t i = 0; i < a->n_args; i++) {
        if (a->args[i] != b->args[i] || (a->coefs && a->coefs[i] != b->coefs[i]))
            return false;
    }
    return true;
}

/* ---- Section: Nodes ---- */

static uint32_t own_flags(const struct smt_term *shape)
{
    switch (shape->kind) {
    case SMT_DIV:
    case SMT_MOD:
        return SMT_HAS_DIV | (shape->args[1]->kind == SMT_INT ? 0 : SMT_HAS_SYMBOLIC);
    case SMT_ITE:
        return SMT_HAS_ITE;
    case SMT_APP:
    case SMT_BAPP:
        return SMT_HAS_APP;
    case SMT_PROD:
        return SMT_HAS_PRODUCT;
    case SMT_NAMED:
        return SMT_HAS_NAMED;
    default:
        return 0;
    }
}

enum { FIRST_BUCKETS = 256 };

/* Another number of buckets, and all nodes in them. */
static void make_buckets(smt_ctx *ctx, size_t n)
{
    smt_node **buckets = calloc(n, sizeof(smt_node *));
    if (!buckets)
        tr_no_memory();
    for (size_t i = 0; i < ctx->n_buckets; i++) {
        for (smt_node *node = ctx->buckets[i], *next; node; node = next) {
            next = node->next;
            node->next = buckets[node->hash & (n - 1)];
            buckets[node->hash & (n - 1)] = node;
        }
    }
    free(ctx->buckets);
    ctx->buckets = buckets;
    ctx->n_buckets = n;
}

smt_t smt_intern(smt_ctx *ctx, const struct smt_term *shape)
{
    uint64_t hash = hash_of(shape);
    smt_tick(ctx, 1 + shape->n_args);
    if (ctx->n_terms >= ctx->n_buckets)
        make_buckets(ctx, ctx->n_buckets > 0 ? 4 * ctx->n_buckets : FIRST_BUCKETS);
    smt_node **bucket = &ctx->buckets[hash & (ctx->n_buckets - 1)];
    for (smt_node *node = *bucket; node; node = node->next) {
        if (node->hash == hash && same_shape(&node->term, shape))
            return &node->term;
    }
    smt_node *node = TR_NEW(ctx->arena, smt_node);
    node->term = *shape;
    node->hash = hash;
    node->term.id = ctx->n_terms++;
    node->flags = own_flags(shape);
    node->ctx = ctx;
    if (shape->n_args > 0) {
        node->term.args =
            tr_arena_copy(ctx->arena, shape->args, sizeof(shape->args[0]) * shape->n_args);
        if (shape->coefs)
            node->term.coefs =
                tr_arena_copy(ctx->arena, shape->coefs, sizeof(shape->coefs[0]) * shape->n_args);
    }
    for (uint32_t i = 0; i < shape->n_args; i++) {
        const smt_node *child = smt_node_of(shape->args[i]);
        node->flags |= child->flags;
        if (child->depth >= node->depth)
            node->depth = child->depth + 1;
        if ((shape->kind == SMT_AND || shape->kind == SMT_OR) &&
            child->bool_depth >= node->bool_depth)
            node->bool_depth = child->bool_depth + 1;
    }
    if (shape->kind == SMT_NOT)
        node->bool_depth = smt_node_of(shape->args[0])->bool_depth;
    node->next = *bucket;
    *bucket = node;
    return &node->term;
}

/* ---- Section: Leaves and applications ---- */

smt_t smt_int_const(smt_ctx *ctx, smt_int value)
{
    if (!smt_fits(value))
        return smt_opaque(ctx);
    return smt_intern(
        ctx, &(struct smt_term){.kind = SMT_INT, .value = value, .low = value, .high = value});
}

smt_t smt_bool_const(smt_ctx *ctx, bool value)
{
    return value ? ctx->true_term : ctx->false_term;
}

static smt_int low_or_none(smt_int low)
{
    return low <= SMT_NO_LOW ? SMT_NO_LOW : low;
}

static smt_int high_or_none(smt_int high)
{
    return high >= SMT_NO_HIGH ? SMT_NO_HIGH : high;
}

static smt_t variable_of(smt_ctx *ctx, bool is_private, uint32_t copy, const char *name,
                         smt_int low, smt_int high)
{
    TR_ASSERT(name && *name);
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_VAR,
                                              .name = smt_intern_name(ctx, name),
                                              .is_private = is_private,
                                              .copy = copy,
                                              .low = low_or_none(low),
                                              .high = high_or_none(high)});
}

smt_t smt_var(smt_ctx *ctx, const char *name, smt_int low, smt_int high)
{
    return variable_of(ctx, false, 0, name, low, high);
}

smt_t smt_private_var(smt_ctx *ctx, const char *name, smt_int low, smt_int high)
{
    return variable_of(ctx, true, 0, name, low, high);
}

static smt_t with_range(smt_ctx *ctx, bool is_private, const char *name, smt_int low, smt_int high)
{
    smt_t variable = variable_of(ctx, is_private, 0, name, low, high);
    for (int n = 2; variable->low != low_or_none(low) || variable->high != high_or_none(high); n++)
        variable = variable_of(ctx, is_private, 0,
                               tr_arena_printf(smt_arena(ctx), "%s~%d", name, n), low, high);
    return variable;
}

smt_t smt_var_of_range(smt_ctx *ctx, const char *name, smt_int low, smt_int high)
{
    return with_range(ctx, false, name, low, high);
}

smt_t smt_private_var_of_range(smt_ctx *ctx, const char *name, smt_int low, smt_int high)
{
    return with_range(ctx, true, name, low, high);
}

/* Copies of copies are digits of one number, the last copy the lowest. */
enum { COPIES = SMT_MOST_COPIES + 1 };

smt_t smt_copy(smt_ctx *ctx, smt_t variable, unsigned copy)
{
    TR_ASSERT(variable->kind == SMT_VAR && copy >= 1 && copy <= SMT_MOST_COPIES);
    TR_ASSERT(variable->copy <= (UINT32_MAX - SMT_MOST_COPIES) / COPIES);
    return variable_of(ctx, variable->is_private, variable->copy * COPIES + copy, variable->name,
                       variable->low, variable->high);
}

smt_t smt_renamed(smt_ctx *ctx, smt_t variable, const char *name, smt_int low, smt_int high)
{
    TR_ASSERT(variable->kind == SMT_VAR);
    return variable_of(ctx, variable->is_private, variable->copy, name, low, high);
}

unsigned smt_copy_number(smt_t variable)
{
    return variable->copy % COPIES;
}

void smt_spell_variable(tr_text *out, smt_t variable)
{
    uint32_t weight = 1;
    tr_text_add(out, variable->name);
    while (variable->copy / weight >= COPIES)
        weight *= COPIES;
    for (; variable->copy && weight; weight /= COPIES)
        tr_text_addf(out, "!%u", variable->copy / weight % COPIES);
}

smt_t smt_bvar(smt_ctx *ctx, const char *name)
{
    TR_ASSERT(name && *name);
    return smt_intern(ctx,
                      &(struct smt_term){.kind = SMT_BVAR, .name = smt_intern_name(ctx, name)});
}

const char *smt_fresh_name(smt_ctx *ctx, const char *stem)
{
    TR_ASSERT(stem && *stem);
    char name[128];
    do {
        snprintf(name, sizeof name, "%.100s'%u", stem, ++ctx->n_fresh);
    } while (shgeti(ctx->names, name) >= 0);
    return smt_intern_name(ctx, name);
}

smt_t smt_fresh(smt_ctx *ctx, const char *stem, smt_int low, smt_int high)
{
    return smt_var(ctx, smt_fresh_name(ctx, stem), low, high);
}

uint32_t smt_new_scope(smt_ctx *ctx)
{
    return ctx->n_scopes++;
}

smt_t smt_opaque(smt_ctx *ctx)
{
    return smt_fresh(ctx, "too_big", SMT_NO_LOW, SMT_NO_HIGH);
}

smt_t smt_app(smt_ctx *ctx, const char *function, size_t n, const smt_t *args, smt_int low,
              smt_int high)
{
    TR_ASSERT(function && *function);
    TR_ASSERT(n == 0 || args);
    if (n == 0)
        return smt_var(ctx, function, low, high);
    char small[128];
    int length = snprintf(small, sizeof small, "%s/%zu", function, n);
    const char *key = small;
    if (length < 0 || (size_t)length >= sizeof small)
        key = tr_arena_printf(ctx->arena, "%s/%zu", function, n);
    ptrdiff_t at = shgeti(ctx->functions, key);
    if (at < 0) {
        struct smt_function_range range = {low_or_none(low), high_or_none(high),
                                           smt_intern_name(ctx, function)};
        shput(ctx->functions, tr_arena_strdup(ctx->arena, key), range);
        at = shgeti(ctx->functions, key);
    }
    const struct smt_function_range *range = &ctx->functions[at].value;
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_APP,
                                              .name = range->name,
                                              .n_args = (uint32_t)n,
                                              .args = args,
                                              .low = range->low,
                                              .high = range->high});
}

smt_t smt_bapp(smt_ctx *ctx, const char *predicate, size_t n, const smt_t *args)
{
    TR_ASSERT(predicate && *predicate);
    TR_ASSERT(n == 0 || args);
    if (n == 0)
        return smt_bvar(ctx, predicate);
    return smt_intern(ctx, &(struct smt_term){.kind = SMT_BAPP,
                                              .name = smt_intern_name(ctx, predicate),
                                              .n_args = (uint32_t)n,
                                              .args = args});
}

/* ---- Section: Asking ---- */

bool smt_is_bool(smt_t term)
{
    switch (term->kind) {
    case SMT_INT:
    case SMT_VAR:
    case SMT_SUM:
    case SMT_PROD:
    case SMT_NAMED:
    case SMT_DIV:
    case SMT_MOD:
    case SMT_ITE:
    case SMT_APP:
        return false;
    default:
        return true;
    }
}

bool smt_is_const(smt_t term, smt_int *value)
{
    if (term->kind != SMT_INT)
        return false;
    if (value)
        *value = term->value;
    return true;
}

bool smt_is_true(smt_t term)
{
    return term->kind == SMT_TRUE;
}

bool smt_is_false(smt_t term)
{
    return term->kind == SMT_FALSE;
}

void smt_bounds(smt_t term, smt_int *low, smt_int *high)
{
    TR_ASSERT(!smt_is_bool(term));
    TR_ASSERT(low && high);
    *low = term->low;
    *high = term->high;
}

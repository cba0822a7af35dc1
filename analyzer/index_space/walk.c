/* The walk's beginning and what all of its parts share: values, private terms, hazards. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <stdio.h>

smt_t ix_coordinate(smt_ctx *ctx, int d, int64_t extent)
{
    if (extent == 1)
        return smt_int_const(ctx, 0);
    char name[40];
    snprintf(name, sizeof name, "e%d@%lld", d, (long long)extent);
    return smt_private_var(ctx, name, 0, extent - 1);
}

const ir_type *ix_element_type(const ir_type *type)
{
    return type->kind == IR_TILE ? type->elem : type;
}

void ix_type_range(const ir_type *elem, smt_int *low, smt_int *high)
{
    int bits = ir_type_is_int(elem) ? ir_type_bits(elem) : 64;
    if (bits == 1) {
        *low = 0;
        *high = 1;
        return;
    }
    *low = -((smt_int)1 << (bits - 1));
    *high = ((smt_int)1 << (bits - 1)) - 1;
}

int ix_loops_here(const ix_walk *walk, const ix_loop **out)
{
    if (!walk->loop)
        return 0;
    if (walk->loop->depth >= IX_MAX_LOOPS)
        return -1;
    for (const ix_loop *loop = walk->loop; loop; loop = loop->outer)
        out[loop->depth] = loop;
    return walk->loop->depth + 1;
}

const char *ix_own_name(ix_walk *walk, const char *name)
{
    return walk->scope ? tr_arena_printf(walk->arena, "%s'%u", name, walk->scope) : name;
}

const char *ix_own_function(ix_walk *walk, const char *name)
{
    const char *own = ix_own_name(walk, name);
    shput(walk->s->results, own, true);
    return own;
}

smt_t ix_private_term(ix_walk *walk, const char *name, const ir_type *tile, bool is_bool,
                      smt_int low, smt_int high)
{
    smt_t args[3 + IX_MAX_LOOPS + IR_MAX_RANK];
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++)
        args[n++] = walk->s->block_id[axis];
    const ix_loop *loops[IX_MAX_LOOPS];
    int n_loops = ix_loops_here(walk, loops);
    if (n_loops < 0) {
        ix_unsupported(walk, NULL, "loops are nested too deeply");
        n_loops = 0;
    }
    for (int i = 0; i < n_loops; i++)
        args[n++] = loops[i]->counter;
    for (int d = 0; tile && d < tile->rank; d++)
        args[n++] = ix_coordinate(walk->ctx, d, tile->shape[d]);
    name = ix_own_function(walk, name);
    if (is_bool)
        return smt_bapp(walk->ctx, name, n, args);
    smt_t app = smt_app(walk->ctx, name, n, args, low, high);
    TR_ASSERT(app->low <= low && high <= app->high);
    return app;
}

static uint32_t ordinal_of(const ir_value *value)
{
    const ir_op *op = value->def ? value->def : value->block->parent;
    return op ? op->ordinal : 0;
}

ix_value ix_private_value(ix_walk *walk, const ir_value *of, const char *stem)
{
    const ir_type *elem = ix_element_type(of->type);
    const ir_type *tile = of->type->kind == IR_TILE ? of->type : NULL;
    const char *name = tr_arena_printf(walk->arena, "%s.%u.%u", stem, ordinal_of(of), of->index);
    ix_value value = {.kind = IX_NONE, .allocation = -1, .arg = -1};
    if (elem->kind == IR_POINTER) {
        value.kind = IX_POINTER;
        value.term = ix_private_term(walk, name, tile, false, SMT_NO_LOW, SMT_NO_HIGH);
        value.unknown = "the pointer is computed in a way that is not followed";
    } else if (elem->kind == IR_I1) {
        value.kind = IX_BOOL;
        value.term = ix_private_term(walk, name, tile, true, 0, 1);
    } else if (ir_type_is_int(elem)) {
        smt_int low, high;
        ix_type_range(elem, &low, &high);
        value.kind = IX_INT;
        value.term = ix_private_term(walk, name, tile, false, low, high);
    }
    return value;
}

ix_value ix_get(const ix_walk *walk, const ir_value *value)
{
    return walk->values[value->id];
}

void ix_set(ix_walk *walk, const ir_value *result, ix_value value)
{
    walk->values[result->id] = value;
}

void ix_set_int(ix_walk *walk, const ir_value *result, smt_t term)
{
    ix_set(walk, result, (ix_value){.kind = IX_INT, .term = term, .allocation = -1, .arg = -1});
}

void ix_set_bool(ix_walk *walk, const ir_value *result, smt_t term)
{
    ix_set(walk, result, (ix_value){.kind = IX_BOOL, .term = term, .allocation = -1, .arg = -1});
}

static ix_value known_or_private(ix_walk *walk, const ir_value *value)
{
    ix_value v = ix_get(walk, value);
    if (v.kind == IX_INT || v.kind == IX_BOOL)
        return v;
    v = ix_private_value(walk, value, "value");
    ix_set(walk, value, v);
    return v;
}

smt_t ix_int(ix_walk *walk, const ir_value *value)
{
    ix_value v = known_or_private(walk, value);
    if (v.kind == IX_INT)
        return v.term;
    smt_t zero = smt_int_const(walk->ctx, 0);
    return v.kind == IX_BOOL ? smt_ite(walk->ctx, v.term, smt_int_const(walk->ctx, 1), zero) : zero;
}

smt_t ix_bool(ix_walk *walk, const ir_value *value)
{
    ix_value v = known_or_private(walk, value);
    if (v.kind == IX_BOOL)
        return v.term;
    return v.kind == IX_INT ? smt_ne(walk->ctx, v.term, smt_int_const(walk->ctx, 0))
                            : smt_bool_const(walk->ctx, true);
}

smt_t ix_at(ix_walk *walk, smt_t term, const ir_type *tile, const smt_t *to, smt_t *within)
{
    smt_t from[IR_MAX_RANK], into[IR_MAX_RANK], zero = smt_int_const(walk->ctx, 0);
    smt_t alone = smt_bool_const(walk->ctx, true);
    size_t n = 0;
    for (int d = 0; d < tile->rank; d++) {
        if (tile->shape[d] == 1) { /* the constant 0: nothing to replace */
            alone = smt_and(walk->ctx, alone, smt_eq(walk->ctx, to[d], zero));
            continue;
        }
        from[n] = ix_coordinate(walk->ctx, d, tile->shape[d]);
        into[n++] = to[d];
    }
    term = smt_instantiate(walk->ctx, term, n, from, into, within);
    *within = smt_and(walk->ctx, *within, alone);
    return term;
}

/* ---- Section: ranges ---- */

static void know(ix_walk *walk, smt_t fact)
{
    ix_known *known = &walk->known;
    smt_t variable;
    smt_int low, high;
    if (!smt_gives_range(walk->ctx, fact, &variable, &low, &high))
        return;
    size_t at = 0;
    while (at < known->n && known->from[at] != variable)
        at++;
    if (at == TR_COUNT(known->from))
        return;
    smt_int known_low = variable->low, known_high = variable->high;
    if (at < known->n)
        smt_bounds(known->to[at], &known_low, &known_high);
    low = low > known_low ? low : known_low;
    high = high < known_high ? high : known_high;
    if (low > high || (low == variable->low && high == variable->high))
        return; /* the former: nothing runs here */
    const char *name = tr_arena_printf(walk->arena, "%s in %lld.%llu %lld.%llu", variable->name,
                                       (long long)(low >> 64), (unsigned long long)low,
                                       (long long)(high >> 64), (unsigned long long)high);
    known->from[at] = variable;
    known->to[at] = variable->kind == SMT_VAR ? smt_renamed(walk->ctx, variable, name, low, high)
                                              : smt_var(walk->ctx, name, low, high);
    known->n = at == known->n ? at + 1 : known->n;
}

static void know_all(ix_walk *walk, smt_t facts)
{
    if (facts->kind != SMT_AND)
        know(walk, facts);
    for (uint32_t i = 0; facts->kind == SMT_AND && i < facts->n_args; i++)
        know(walk, facts->args[i]);
}

/* Brings walk->known up to date with path and facts. What terms become stays known while the
 * variables keep their ranges. */
static void know_here(ix_walk *walk)
{
    ix_known before = walk->known;
    if (before.path == walk->path && before.facts == walk->facts)
        return;
    walk->known = (ix_known){.path = walk->path, .facts = walk->facts};
    know_all(walk, walk->s->launch);
    know_all(walk, walk->path);
    know_all(walk, walk->facts);
    ix_known *known = &walk->known;
    if (known->n == before.n && memcmp(known->from, before.from, sizeof before.from) == 0 &&
        memcmp(known->to, before.to, sizeof before.to) == 0)
        known->changes = before.changes;
    else
        smt_changes_free(before.changes);
}

void ix_bounds(ix_walk *walk, smt_t term, smt_int *low, smt_int *high)
{
    ix_known *known = &walk->known;
    know_here(walk);
    smt_bounds(term, low, high);
    if (known->n == 0 || term->kind == SMT_INT)
        return;
    if (!known->changes)
        known->changes = smt_changes_new(walk->ctx, known->n, known->from, known->to);
    smt_int other_low, other_high;
    smt_bounds(smt_changed_where_defined(known->changes, term), &other_low, &other_high);
    *low = other_low > *low ? other_low : *low;
    *high = other_high < *high ? other_high : *high;
}

/* Is the value that the op computes in the set? Of a loop, that is its counter. */
static bool is_among(const bool *set, const ir_op *op)
{
    if (op->code == IR_OP_FOR)
        return set[op->regions[0]->args[0]->id];
    return op->n_results == 0 || set[op->results[0].id];
}

/* Data may wrap: no address, mask or branch depends on it, nor, where it is defined to wrap,
 * whether another op is defined. */
static bool may_wrap(const ix_walk *walk, const ir_op *op, bool undefined)
{
    return !is_among(walk->relevant, op) && (undefined || !is_among(walk->decides, op));
}

void ix_hazard_add(ix_walk *walk, ix_hazard_kind kind, const ir_op *op, bool undefined, smt_t safe,
                   smt_t value)
{
    if (!walk->record || smt_is_true(safe))
        return;
    if (kind == IX_WRAP && may_wrap(walk, op, undefined))
        return;
    ix_hazard hazard = {.kind = kind,
                        .op = op,
                        .undefined = undefined,
                        .path = walk->path,
                        .facts = walk->facts,
                        .assumed = walk->assumed,
                        .safe = safe,
                        .value = value};
    int n = ix_loops_here(walk, hazard.loops);
    hazard.n_loops = n < 0 ? 0 : (size_t)n;
    const ir_type *type = op->n_results ? op->results[0].type : NULL;
    if (type && type->kind == IR_TILE) {
        hazard.rank = type->rank;
        for (int d = 0; d < type->rank; d++)
            hazard.tile[d] = type->shape[d];
    }
    arrput(walk->s->hazards, hazard);
    ix_assume_defined(walk, safe);
}

bool ix_is_doubted(const ix_walk *walk, const ir_op *op)
{
    return walk->doubted && walk->doubted[op->ordinal];
}

void ix_learn(ix_walk *walk, const ir_op *op, smt_t condition)
{
    if (!ix_is_doubted(walk, op))
        walk->facts = smt_and(walk->ctx, walk->facts, condition);
}

void ix_hazard_ask(ix_walk *walk, const ir_op *op, smt_t asked)
{
    ix_hazard *list = walk->s->hazards;
    size_t n = arrlenu(list);
    if (walk->record && n > 0 && list[n - 1].op == op)
        list[n - 1].asked = asked;
}

enum { MOST_ASSUMED = 48 }; /* a long kernel forgets: questions stay small, and less is assumed */

void ix_assume_defined(ix_walk *walk, smt_t condition)
{
    bool full = walk->assumed->kind == SMT_AND && walk->assumed->n_args > MOST_ASSUMED;
    walk->assumed = full ? condition : smt_and(walk->ctx, walk->assumed, condition);
}

void ix_unsupported(ix_walk *walk, const ir_op *op, const char *why)
{
    if (!walk->s->unsupported) {
        walk->s->unsupported = why;
        walk->s->unsupported_op = op;
    }
}

int summary_contents_of(const summary *s, smt_t application, int *width)
{
    if (application->kind != SMT_APP)
        return -1;
    for (size_t i = 0; i < arrlenu(s->content_names); i++) {
        if (strcmp(s->content_names[i], application->name) == 0) {
            if (width)
                *width = s->content_width[i];
            return s->content_allocation[i];
        }
    }
    return -1;
}

int summary_contents_arg(const summary *s, smt_t application)
{
    int allocation = summary_contents_of(s, application, NULL);
    return allocation < 0 ? -1 : s->allocations[allocation].first_arg;
}

/* ---- Section: what the launch gives ---- */

static int allocation_named(summary *s, const char *name)
{
    for (size_t i = 0; i < s->n_allocations; i++)
        if (strcmp(s->allocations[i].name, name) == 0 && s->allocations[i].space == IX_ARGUMENT)
            return (int)i;
    return -1;
}

/* Makes a region for each table that a pointer may come out of: each buffer of 64-bit numbers. */
static void set_up_regions(summary *s)
{
    bool any = false;
    for (const ir_op *op = ir_first_op(s->kernel); op && !any; op = ir_next_op(op))
        any = op->code == IR_OP_INT_TO_PTR;
    size_t n = s->n_allocations;
    for (size_t a = 0; a < n && any; a++) {
        int arg = s->allocations[a].first_arg;
        if (arg < 0 || (uint32_t)arg >= s->kernel->body->n_args ||
            (s->tables_meet && s->contract->args[arg].table))
            continue;
        const ir_type *pointer = ix_element_type(s->kernel->body->args[arg]->type);
        if (pointer->kind == IR_POINTER && pointer->elem->kind == IR_I64)
            s->allocations[s->n_allocations++] = (ix_allocation){
                .space = IX_REGIONS,
                .name = tr_arena_printf(s->arena, "%s[...]", s->allocations[a].name),
                .first_arg = -1,
                .table = (int)a};
    }
}

static void set_up_allocations(summary *s)
{
    const contract *c = s->contract;
    size_t n_more = 0;
    for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op))
        n_more += op->code == IR_OP_ALLOCA;
    for (const ir_global *global = s->kernel->module->globals; global; global = global->next)
        n_more++;
    s->allocations = TR_NEW_ARRAY(s->arena, ix_allocation, 2 * c->n_args + n_more + 1);
    s->arg_bytes = TR_NEW_ARRAY(s->arena, smt_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        if (arg->kind != CONTRACT_POINTER)
            continue;
        const char *name = contract_buffer_of(arg);
        if (allocation_named(s, name) < 0)
            s->allocations[s->n_allocations++] =
                (ix_allocation){.space = IX_ARGUMENT, .name = name, .first_arg = (int)i};
    }
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        if (arg->kind != CONTRACT_POINTER || i >= s->kernel->body->n_args)
            continue;
        const ir_type *pointer = ix_element_type(s->kernel->body->args[i]->type);
        int width = pointer->kind == IR_POINTER ? ir_type_bytes(pointer->elem) : 1;
        smt_t elements = arg->offset;
        if (!elements && contract_is_shared(c, arg))
            elements = smt_var(s->ctx, tr_arena_printf(s->arena, "offset.%s", arg->name), 0,
                               (smt_int)1 << 60);
        s->arg_bytes[i] = elements ? smt_scale(s->ctx, elements, width) : smt_int_const(s->ctx, 0);
    }
    for (const ir_global *global = s->kernel->module->globals; global; global = global->next)
        s->allocations[s->n_allocations++] =
            (ix_allocation){.space = IX_GLOBAL, .name = global->name, .first_arg = -1};
    for (const ir_op *op = ir_first_op(s->kernel); op; op = ir_next_op(op))
        if (op->code == IR_OP_ALLOCA)
            s->allocations[s->n_allocations++] =
                (ix_allocation){.space = IX_ALLOCA,
                                .name = tr_arena_printf(s->arena, "alloca.%u", op->ordinal),
                                .first_arg = -1,
                                .shared = ir_attr_int(op, IR_AT_ALLOCA_global, 0) != 0};
    set_up_regions(s);
}

static void set_up_parameters(ix_walk *walk)
{
    const summary *s = walk->s;
    for (uint32_t i = 0; i < s->kernel->body->n_args && i < s->contract->n_args; i++) {
        const ir_value *param = s->kernel->body->args[i];
        const contract_arg *arg = &s->contract->args[i];
        if (arg->kind == CONTRACT_POINTER) {
            int allocation = allocation_named(walk->s, contract_buffer_of(arg));
            ix_set(walk, param,
                   (ix_value){.kind = IX_POINTER,
                              .term = s->arg_bytes[i],
                              .allocation = allocation,
                              .arg = (int)i});
        } else if (arg->kind == CONTRACT_SCALAR) {
            smt_t term = contract_param(walk->ctx, s->contract, i);
            if (ix_element_type(param->type)->kind == IR_I1)
                ix_set_bool(walk, param, smt_ne(walk->ctx, term, smt_int_const(walk->ctx, 0)));
            else
                ix_set_int(walk, param, term);
        }
    }
}

summary *summary_build(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel, const contract *c)
{
    return summary_build_doubting(arena, ctx, kernel, c, NULL);
}

static summary *build(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel, const contract *c,
                      const bool *doubted, bool tables_meet)
{
    summary *s = TR_NEW(arena, summary);
    s->tables_meet = tables_meet;
    s->arena = arena;
    s->ctx = ctx;
    s->kernel = kernel;
    s->contract = c;
    s->launch = smt_bool_const(ctx, true);
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        s->launch = smt_and(ctx, s->launch, c->facts[i].term);
    ix_set_up_grid(s);
    set_up_allocations(s);
    ix_walk walk = {
        .s = s,
        .arena = arena,
        .ctx = ctx,
        .values = TR_NEW_ARRAY(arena, ix_value, kernel->n_values + 1),
        .provenance = TR_NEW_ARRAY(arena, uint64_t, kernel->n_values + 1),
        .relevant = TR_NEW_ARRAY(arena, bool, kernel->n_values + 1),
        .decides = TR_NEW_ARRAY(arena, bool, kernel->n_values + 1),
        .path = smt_bool_const(ctx, true),
        .facts = smt_bool_const(ctx, true),
        .assumed = smt_bool_const(ctx, true),
        .record = true,
        .bit_words = ix_has_bit_words(kernel),
        .doubted = doubted,
        .scope = smt_new_scope(ctx),
        .trial_ops = 20000 + 20 * (size_t)kernel->n_ops,
    };
    ix_trace_provenance(&walk);
    ix_sync_relevance(&walk);
    ix_trace_relevance(&walk);
    set_up_parameters(&walk);
    ix_walk_block(&walk, kernel->body, NULL);
    smt_changes_free(walk.known.changes);
    if (kernel->unread)
        ix_unsupported(&walk, NULL, kernel->unread);
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        s->accesses[i].number = (uint32_t)i;
    return s;
}

static bool states_tables(const contract *c)
{
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].table)
            return true;
    return false;
}

summary *summary_build_doubting(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                const contract *c, const bool *doubted)
{
    summary *s = build(arena, ctx, kernel, c, doubted, false);
    if (!states_tables(c) || ix_tables_are_apart(s))
        return s;
    summary_free(s);
    return build(arena, ctx, kernel, c, doubted, true);
}

void summary_free(summary *s)
{
    if (!s)
        return;
    arrfree(s->accesses);
    arrfree(s->hazards);
    arrfree(s->loops);
    arrfree(s->universals);
    arrfree(s->sums);
    arrfree(s->content_names);
    shfree(s->results);
    arrfree(s->content_allocation);
    arrfree(s->content_width);
    arrfree(s->sharing);
    arrfree(s->cuts);
}

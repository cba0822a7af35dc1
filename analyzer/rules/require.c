/* What a verdict asks of the launch beyond the contract. */
#include "rules/checker.h"

#include "base/ds.h"

#include <string.h>

void require_add(checker *k, require_kind kind, bool is_default, smt_t fact, const char *json,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    if (fact && smt_is_false(smt_and(k->ctx, k->launch, fact))) {
        /* A require that no launch meets would prove everything. */
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place, "no launch can meet: %s", text);
        return;
    }
    if (fact) {
        k->launch = smt_and(k->ctx, k->launch, fact);
        k->required = k->required ? smt_and(k->ctx, k->required, fact) : fact;
    }
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (k->requires_[i].kind == kind && strcmp(k->requires_[i].text, text) == 0)
            return;
    require r = {.kind = kind, .is_default = is_default, .text = text, .contract_json = json};
    arrput(k->requires_, r);
    arrput(k->require_facts, fact);
    arrput(k->require_fails, NULL);
}

/* Does the tile block with id 1 on this axis, and 0 on the others, break it in every launch that
 * has such a block? False too where no launch has one. With no axis: block (0, 0, 0). */
static bool block_breaks(checker *k, smt_t fails, int one)
{
    smt_t *conjuncts = NULL;
    arrput(conjuncts, k->launch);
    for (int axis = 0; axis < 3; axis++)
        arrput(conjuncts, smt_eq(k->ctx, k->s->block_id[axis], smt_int_const(k->ctx, axis == one)));
    if (one >= 0)
        arrput(conjuncts, smt_lt(k->ctx, smt_int_const(k->ctx, 1), k->s->grid[one]));
    bool there = one < 0 || ask_briefly(k, conjuncts, "require-axis").verdict != SMT_UNSAT;
    arrput(conjuncts, smt_not(k->ctx, fails));
    bool breaks = there && ask_briefly(k, conjuncts, "require-kept").verdict == SMT_UNSAT;
    arrfree(conjuncts);
    return breaks;
}

/* A require that no launch keeps, or none with two blocks on an axis that the kernel reads, would
 * prove everything. A tensor may have one tile on an axis, by sizes that are constants: then no
 * other launch is there. */
static bool keeps_nothing_open(checker *k, require_kind kind, smt_t fails)
{
    bool breaks = block_breaks(k, fails, -1);
    bool in_tensor = kind == REQUIRE_INDEX_IN_SPACE || kind == REQUIRE_IN_BOUNDS;
    for (int axis = 0; axis < 3 && !breaks && !in_tensor; axis++)
        breaks = smt_contains(fails, k->s->block_id[axis]) && block_breaks(k, fails, axis);
    return breaks;
}

void require_add_words(checker *k, require_kind kind, smt_t fails, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    if (fails && keeps_nothing_open(k, kind, fails)) {
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                      "no launch of several tile blocks can meet: %s", text);
        return;
    }
    size_t before = arrlenu(k->requires_);
    require_add(k, kind, false, NULL, NULL, "%s", text);
    if (arrlenu(k->requires_) > before) {
        k->require_fails[before] = fails;
        return;
    }
    for (size_t i = 0; i < before; i++) /* the same words of another event */
        if (k->requires_[i].kind == kind && strcmp(k->requires_[i].text, text) == 0 &&
            k->require_fails[i])
            k->require_fails[i] = smt_or(k->ctx, k->require_fails[i], fails);
}

static void require_distinct_buffers(checker *k)
{
    /* Only a buffer that is written can race through another name. */
    tr_text names = {0}, json = {0};
    size_t n = 0;
    bool written = false;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER || arg->buffer_stated)
            continue;
        tr_text_addf(&names, "%s%s", n ? ", " : "", arg->name);
        tr_text_addf(&json, "%s{\"name\": \"%s\", \"buffer\": \"%s\"}", n ? ", " : "", arg->name,
                     arg->buffer ? arg->buffer : arg->name);
        n++;
        for (size_t a = 0; a < k->s->n_allocations; a++)
            if (k->s->allocations[a].space == IX_ARGUMENT &&
                strcmp(k->s->allocations[a].name, arg->buffer ? arg->buffer : arg->name) == 0)
                written |= k->s->allocations[a].written;
    }
    size_t pointers = 0;
    for (size_t i = 0; i < k->contract->n_args; i++)
        pointers += k->contract->args[i].kind == CONTRACT_POINTER;
    if (n && pointers > 1 && written)
        require_add(k, REQUIRE_DISTINCT_BUFFERS, true, NULL,
                    tr_arena_printf(k->arena, "{\"args\": [%s]}", tr_text_get(&json)),
                    n > 1 ? "%s do not overlap" : "%s overlaps no other buffer",
                    tr_text_get(&names));
    tr_text_free(&names);
    tr_text_free(&json);
}

/* What a table of pointers addresses is taken for allocations of its own. */
static void require_regions(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        int allocation = k->s->accesses[i].allocation;
        if (allocation < 0 || k->s->allocations[allocation].space != IX_REGIONS)
            continue;
        const ix_allocation *regions = &k->s->allocations[allocation];
        const ix_allocation *table = &k->s->allocations[regions->table];
        if (k->contract->args[table->first_arg].contents.regions)
            continue;
        if (regions->written)
            require_add(k, REQUIRE_DISJOINT_REGIONS, false, NULL, NULL,
                        "each pointer in '%s' addresses memory of its own", table->name);
        else
            require_add(k, REQUIRE_DISJOINT_REGIONS, false, NULL, NULL,
                        "no pointer in '%s' addresses memory that the kernel writes", table->name);
    }
}

/* The grid with that axis at 1, and nothing said of the others but where they are 1 too. */
static const char *grid_fragment(checker *k, int axis)
{
    static const char *const names[3] = {"\"grid.x\"", "\"grid.y\"", "\"grid.z\""};
    const char *extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = i == axis || k->s->axis_by_default[i] ? "1" : names[i];
    return tr_arena_printf(k->arena, "{\"grid\": [%s, %s, %s]}", extent[0], extent[1], extent[2]);
}

void require_defaults(checker *k)
{
    require_regions(k);
    require_distinct_buffers(k);
    static const char *const axes[3] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; axis++)
        if (k->s->axis_by_default[axis])
            require_add(k, REQUIRE_GRID_AXIS, true, NULL, grid_fragment(k, axis),
                        "grid.%s is 1: the kernel never reads that axis", axes[axis]);
}

/* ---- Section: what the contract speaks of ---- */

typedef struct mention {
    const checker *k;
    smt_t *terms;  /* stb_ds array: parameters and extents that the contract mentions */
    bool stranger; /* a quantity that it does not */
} mention;

static void note(void *user, smt_t term)
{
    mention *m = user;
    if (term->kind == SMT_VAR)
        arrput(m->terms, term);
}

static void compare(void *user, smt_t term)
{
    mention *m = user;
    const checker *k = m->k;
    if (term->kind == SMT_APP || term->kind == SMT_BAPP) {
        int arg = summary_contents_arg(k->s, term);
        if (arg < 0 || !k->contract->args[arg].contents.min || !k->contract->args[arg].contents.max)
            m->stranger = true;
        return;
    }
    if (term->kind != SMT_VAR || summary_private(k->s, term))
        return;
    for (size_t i = 0; i < arrlenu(m->terms); i++)
        if (m->terms[i] == term)
            return;
    m->stranger = true;
}

bool contract_constrains(const checker *k, smt_t term)
{
    mention m = {.k = k};
    const contract *c = k->contract;
    if (c->source == CONTRACT_NONE)
        return false; /* nobody stated anything */
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        smt_visit(k->ctx, c->facts[i].term, note, &m);
    for (size_t i = 0; i < c->n_args; i++) /* also by facts that became its range */
        if (c->args[i].kind == CONTRACT_SCALAR && c->args[i].constrained)
            arrput(m.terms, contract_param(k->ctx, c, i));
    for (int axis = 0; axis < 3; axis++) {
        if (c->grid[axis])
            smt_visit(k->ctx, c->grid[axis], note, &m);
        else if (smt_contains(term, k->s->block_id[axis]) &&
                 !smt_is_const(k->s->block_id[axis], NULL) && !smt_is_const(k->s->grid[axis], NULL))
            m.stranger = true; /* its extent is free */
    }
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].elements)
            smt_visit(k->ctx, c->args[i].elements, note, &m);
    smt_visit(k->ctx, term, compare, &m);
    arrfree(m.terms);
    return !m.stranger;
}

/* What a verdict asks of the launch beyond the contract. */
#include "rules/checker.h"

#include "base/ds.h"

#include <string.h>

static const char *text_of(checker *k, const precondition *what)
{
    return precondition_text(k->ctx, k->contract, what);
}

void require_use(checker *k, required *r, precondition_class class_)
{
    if (class_ <= r->what.class_)
        return;
    r->what.class_ = class_; /* of two uses the one that tells more */
    r->purpose = k->deciding;
}

/* Is it asked of elements that the contract states one by one? */
static bool asks_of_known(const checker *k, const precondition *what)
{
    bool known = what->of_contents && contents_are_given(k, (int)what->subject.arg);
    for (size_t i = 0; what->of_contents && i < what->n_args; i++)
        known |= contents_are_given(k, (int)what->args[i]);
    return known;
}

void require_add(checker *k, precondition what, smt_t fact)
{
    what.by_solver |= solver_was_needed(k);
    if (asks_of_known(k, &what)) {
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                      "the elements are what they are, and are not known to meet: %s",
                      text_of(k, &what));
        return;
    }
    if (fact && smt_is_false(smt_and(k->ctx, k->launch, fact))) {
        /* A require that no launch meets would prove everything. */
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place, "no launch can meet: %s",
                      text_of(k, &what));
        return;
    }
    if (fact) {
        k->launch = smt_and(k->ctx, k->launch, fact);
        k->required = k->required ? smt_and(k->ctx, k->required, fact) : fact;
    }
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (precondition_same(&k->requires_[i].what, &what)) {
            require_use(k, &k->requires_[i], what.class_);
            k->requires_[i].unenforced &= !fact; /* from now on every question uses it */
            k->requires_[i].claimed |= k->asking_claims;
            k->requires_[i].of_wrap |= k->asking_wrap;
            return;
        }
    arrput(k->requires_, ((required){.what = what,
                                     .fact = fact,
                                     .purpose = k->deciding,
                                     .claimed = k->asking_claims,
                                     .of_wrap = k->asking_wrap}));
}

void launch_add_given(checker *k, smt_t fact)
{
    k->given = smt_and(k->ctx, k->given, fact);
    k->launch = smt_and(k->ctx, k->launch, fact);
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
    bool there = one < 0 || ask_briefly(k, conjuncts, "require-axis") != SMT_UNSAT;
    arrput(conjuncts, smt_not(k->ctx, fails));
    bool breaks = there && ask_briefly(k, conjuncts, "require-kept") == SMT_UNSAT;
    arrfree(conjuncts);
    return breaks;
}

/* A require that no launch keeps, or none with two blocks on an axis that the kernel reads, would
 * prove everything. */
bool require_keeps_nothing_open(checker *k, smt_t fails)
{
    bool breaks = block_breaks(k, fails, -1);
    for (int axis = 0; axis < 3 && !breaks; axis++)
        breaks = smt_contains(fails, k->s->block_id[axis]) && block_breaks(k, fails, axis);
    return breaks;
}

static void add_said(checker *k, precondition what, smt_t fails)
{
    if (fails && require_keeps_nothing_open(k, fails)) {
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                      "no launch of several tile blocks can meet: %s", what.words);
        return;
    }
    size_t before = arrlenu(k->requires_);
    require_add(k, what, NULL);
    if (arrlenu(k->requires_) > before) {
        k->requires_[before].fails = fails;
        return;
    }
    for (size_t i = 0; i < before; i++) /* the same words of another event */
        if (precondition_same(&k->requires_[i].what, &what) && k->requires_[i].fails)
            k->requires_[i].fails = smt_or(k->ctx, k->requires_[i].fails, fails);
}

void require_add_words(checker *k, precondition_kind kind, smt_t fails, const char *format, ...)
{
    precondition what = precondition_of(kind);
    va_list arguments;
    va_start(arguments, format);
    what.words = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    add_said(k, what, fails);
}

enum { SHORT_FORMULA = 40 }; /* characters that a sentence has room for */

static const char *noun_of(const ir_op *op)
{
    switch (op->code) {
    case IR_OP_ADDI:
        return "sum";
    case IR_OP_SUBI:
    case IR_OP_NEGI:
        return "difference";
    case IR_OP_MULI:
        return "product";
    case IR_OP_ASSUME:
    case IR_OP_ASSERT:
        return "condition";
    default:
        return "value";
    }
}

/* A formula over the launch as it is; one over what a block has, or a long one, by its place. */
static const char *value_words(checker *k, const ir_op *op, smt_t value, bool *named)
{
    const char *formula = term_words(k, value);
    *named = false;
    if (term_is_of_launch(k, value) && strlen(formula) <= SHORT_FORMULA)
        return formula;
    *named = true;
    if (op->place && op->place->line)
        return tr_arena_printf(k->arena, "the %s in line %u", noun_of(op), op->place->line);
    return tr_arena_printf(k->arena, "the %s of op %u", noun_of(op), op->ordinal);
}

void require_add_value(checker *k, precondition_kind kind, smt_t fails, const char *format,
                       const ir_op *op, smt_t value)
{
    bool named;
    const char *words = value_words(k, op, value, &named);
    const char *hole = strstr(format, "%s");
    precondition what = precondition_of(kind);
    TR_ASSERT(hole);
    what.words =
        tr_arena_printf(k->arena, "%.*s%s%s", (int)(hole - format), format, words, hole + 2);
    what.about = named && !term_has_results(k, value) ? value : NULL;
    add_said(k, what, fails);
}

static void require_distinct_buffers(checker *k)
{
    /* Only a buffer that is written can race through another name. */
    size_t n = 0, *names = TR_NEW_ARRAY(k->arena, size_t, k->contract->n_args + 1);
    bool written = false;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER || arg->buffer_stated)
            continue;
        names[n++] = i;
        for (size_t a = 0; a < k->s->n_allocations; a++)
            if (k->s->allocations[a].space == IX_ARGUMENT &&
                strcmp(k->s->allocations[a].name, contract_buffer_of(arg)) == 0)
                written |= k->s->allocations[a].written;
    }
    size_t pointers = 0;
    for (size_t i = 0; i < k->contract->n_args; i++)
        pointers += k->contract->args[i].kind == CONTRACT_POINTER;
    if (!n || pointers < 2 || !written)
        return;
    precondition what = precondition_of(PRECONDITION_DISTINCT_BUFFERS);
    what.n_args = n;
    what.args = names;
    require_add(k, what, NULL);
}

/* All tables that the kernel takes arrays from; none where it does not say which elements these
 * have. */
static void find_tables(checker *k, precondition *what)
{
    table_form *forms = TR_NEW_ARRAY(k->arena, table_form, k->s->n_allocations + 1);
    size_t n = 0;
    for (size_t a = 0; a < k->s->n_allocations; a++) {
        bool used = false;
        for (size_t i = 0; i < arrlenu(k->s->accesses) && !used; i++)
            used = k->s->accesses[i].allocation == (int)a;
        if (!used || k->s->allocations[a].space != IX_REGIONS)
            continue;
        if (!summary_table_form(k->s, (int)a, &forms[n++]))
            return;
    }
    what->tables = forms;
    what->n_tables = n;
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
        const contract_arg *arg = &k->contract->args[table->first_arg];
        if (arg->contents.regions || arg->table) /* of stated arrays none overlap: else their table
                                                    would have no regions */
            continue;
        precondition what = precondition_of(PRECONDITION_DISJOINT_REGIONS);
        what.subject =
            (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = (size_t)table->first_arg};
        what.words = tr_arena_printf(
            k->arena,
            regions->written ? "each pointer in '%s' addresses memory of its own"
                             : "no pointer in '%s' addresses memory that the kernel writes",
            table->name);
        find_tables(k, &what);
        require_add(k, what, NULL);
    }
}

void require_defaults(checker *k)
{
    require_regions(k);
    require_distinct_buffers(k);
    for (int axis = 0; axis < 3; axis++) {
        if (!k->s->axis_by_default[axis])
            continue;
        precondition what =
            precondition_of_term(PRECONDITION_GRID_AXIS, smt_eq(k->ctx, contract_grid(k->ctx, axis),
                                                                smt_int_const(k->ctx, 1)));
        what.subject = (precondition_subject){.kind = PRECONDITION_OF_GRID, .axis = axis};
        require_add(k, what, NULL);
    }
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

/* The end of what parameter i may be anyway, or what is asked of it: nothing that is stated bounds
 * it on that side. */
static bool is_unstated_end(const checker *k, size_t i, smt_t parameter, bool low)
{
    smt_int least, most;
    contract_unstated_range(&k->contract->args[i], &least, &most);
    return low ? parameter->low <= least || (k->sizes_open && k->sizes_open[i])
               : parameter->high >= most;
}

/* Is the parameter in a statement that became no range of it? */
static bool is_in_statement(const checker *k, smt_t parameter, smt_t term)
{
    mention m = {.k = k};
    bool others = false;
    smt_visit(k->ctx, term, note, &m);
    for (size_t i = 0; i < arrlenu(m.terms); i++)
        others |= m.terms[i] != parameter;
    arrfree(m.terms);
    return others && smt_contains(term, parameter);
}

/* Does nothing stated bound the parameter on that side, nor relate it to something else? That a
 * buffer has n elements says of n that there may be as many as its type has. */
static bool is_open_end(const checker *k, smt_t parameter, bool low)
{
    const contract *c = k->contract;
    bool open = false;
    for (size_t i = 0; i < c->n_args && !open; i++)
        open = c->args[i].kind == CONTRACT_SCALAR && contract_param(k->ctx, c, i) == parameter &&
               c->args[i].bits > 0 && c->args[i].bits <= 64 &&
               is_unstated_end(k, i, parameter, low);
    for (size_t i = 0; i < arrlenu(c->facts) && open; i++)
        open = !is_in_statement(k, parameter, c->facts[i].term);
    for (int axis = 0; axis < 3 && open; axis++)
        open = !c->grid[axis] || !smt_contains(c->grid[axis], parameter);
    return open;
}

bool contract_leaves_end(const checker *k, smt_t parameter, bool low)
{
    const contract *c = k->contract;
    bool open = is_open_end(k, parameter, low);
    for (size_t i = 0; i < c->n_args && open; i++) {
        smt_t elements = contract_stated_elements(&c->args[i]);
        open = !elements || !smt_contains(elements, parameter);
    }
    return open;
}

/* A bound of one parameter on a side that nothing stated speaks of: `s > 0` where `s <= 64` and
 * `s % 2 == 0` are stated. Of a divisor that is not 0 it is the lower side. */
static bool is_open_bound(const checker *k, smt_t term)
{
    bool differs = term->kind == SMT_NOT && term->args[0]->kind == SMT_EQ;
    smt_t sum = differs ? term->args[0]->args[0] : term->kind == SMT_LE ? term->args[0] : NULL;
    if (!sum || (sum->kind == SMT_SUM ? sum->n_args != 1 : sum->kind != SMT_VAR))
        return false;
    smt_t parameter = sum->kind == SMT_SUM ? sum->args[0] : sum;
    bool low = differs || (sum->kind == SMT_SUM && sum->coefs[0] < 0);
    return contract_leaves_end(k, parameter, low);
}

bool contract_constrains(const checker *k, smt_t term)
{
    mention m = {.k = k};
    const contract *c = k->contract;
    if (contract_is_silent(c) || is_open_bound(k, term))
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
        if (contract_stated_elements(&c->args[i]))
            smt_visit(k->ctx, c->args[i].elements, note, &m);
    smt_visit(k->ctx, term, compare, &m);
    arrfree(m.terms);
    return !m.stranger;
}

/* Does a parameter of the term have an end that the contract leaves open? */
static bool has_open_parameter(const checker *k, smt_t term)
{
    const contract *c = k->contract;
    bool open = false;
    for (size_t i = 0; i < c->n_args && !open; i++) {
        if (c->args[i].kind != CONTRACT_SCALAR)
            continue;
        smt_t parameter = contract_param(k->ctx, c, i);
        open = smt_contains(term, parameter) &&
               (is_open_end(k, parameter, true) || is_open_end(k, parameter, false));
    }
    return open;
}

/* The loops whose counters are in the term, or in what one of those counts to: a flag each, by walk
 * order, in which inner loops stand behind outer ones. */
static const bool *loops_behind(const checker *k, smt_t term)
{
    size_t n = arrlenu(k->s->loops);
    bool *behind = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = n; i-- > 0;) {
        smt_t counter = k->s->loops[i]->counter;
        behind[i] = smt_contains(term, counter);
        for (size_t inner = i + 1; inner < n && !behind[i]; inner++)
            behind[i] = behind[inner] && k->s->loops[inner]->last &&
                        smt_contains(k->s->loops[inner]->last, counter);
    }
    return behind;
}

bool contract_leaves_count(const checker *k, smt_t term)
{
    const bool *behind = loops_behind(k, term);
    bool open = false;
    for (size_t i = 0; i < arrlenu(k->s->loops) && !open; i++) {
        smt_t last = k->s->loops[i]->last;
        open = behind[i] && (!last || !contract_constrains(k, last) || has_open_parameter(k, last));
    }
    return open;
}

/* Of a parameter, or of what a loop counts to, whose counter is as large as that. */
static bool has_open_end(const checker *k, smt_t term)
{
    const bool *behind = loops_behind(k, term);
    bool open = has_open_parameter(k, term);
    for (size_t i = 0; i < arrlenu(k->s->loops) && !open; i++) {
        smt_t last = k->s->loops[i]->last;
        open = behind[i] && last && has_open_parameter(k, last);
    }
    return open;
}

bool contract_sizes(const checker *k, smt_t term)
{
    return contract_constrains(k, term) && !has_open_end(k, term);
}

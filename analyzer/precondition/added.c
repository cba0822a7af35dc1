/* Keeps the preconditions: what the check takes for granted of a launch beyond the contract. Each
 * is kept once, with the obligation that first needed it. */
#include "precondition/added.h"

#include "question/ask.h"
#include "question/basis.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/exact_contents.h"
#include "question/layout.h"
#include "question/term_words.h"

#include "base/ds.h"

#include <string.h>

void require_use(checker *k, required *r, precondition_class class_)
{
    if (class_ <= r->what.class_)
        return;
    r->what.class_ = class_; /* of two uses the one that tells more */
    r->purpose = k->deciding;
}

static const char *text_of(checker *k, const precondition *what)
{
    return precondition_text(k->ctx, k->contract, what);
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
                      "it is not known whether the elements of this launch meet: %s",
                      text_of(k, &what));
        return;
    }
    if (fact && smt_is_false(smt_and(k->ctx, k->known.launch, fact))) {
        /* A require that no launch meets would prove everything. */
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place, "no launch can meet: %s",
                      text_of(k, &what));
        return;
    }
    if (fact) {
        k->known.launch = smt_and(k->ctx, k->known.launch, fact);
        k->known.required = k->known.required ? smt_and(k->ctx, k->known.required, fact) : fact;
    }
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (precondition_same(&k->requires_[i].what, &what)) {
            require_use(k, &k->requires_[i], what.class_);
            k->requires_[i].unenforced &= !fact; /* from now on every question uses it */
            k->requires_[i].claimed |= k->claims.asking;
            k->requires_[i].of_wrap |= k->wraps.asking;
            return;
        }
    arrput(k->requires_, ((required){.what = what,
                                     .fact = fact,
                                     .purpose = k->deciding,
                                     .claimed = k->claims.asking,
                                     .of_wrap = k->wraps.asking}));
}

/* Does the tile block with id 1 on this axis, and 0 on the others, break it in every launch that
 * has such a block? False too where no launch has one. With no axis: block (0, 0, 0). */
static bool block_breaks(checker *k, smt_t fails, int one)
{
    query conjuncts = query_of_launch(k);
    for (int axis = 0; axis < 3; axis++)
        query_add(k, &conjuncts,
                  smt_eq(k->ctx, k->s->block_id[axis], smt_int_const(k->ctx, axis == one)));
    if (one >= 0)
        query_add(k, &conjuncts, smt_lt(k->ctx, smt_int_const(k->ctx, 1), k->s->grid[one]));
    bool there = one < 0 || ask_briefly(k, conjuncts, "require-axis") != SMT_UNSAT;
    query_add(k, &conjuncts, smt_not(k->ctx, fails));
    return there && ask_briefly(k, conjuncts, "require-kept") == SMT_UNSAT;
}

/* Does every launch break the precondition, or every one with two blocks on an axis that the kernel
 * reads? It would prove everything then. `fails`: when an event breaks it. */
static bool keeps_nothing_open(checker *k, smt_t fails)
{
    bool breaks = block_breaks(k, fails, -1);
    for (int axis = 0; axis < 3 && !breaks; axis++)
        breaks = smt_contains(fails, k->s->block_id[axis]) && block_breaks(k, fails, axis);
    return breaks;
}

static void add_said(checker *k, precondition what, smt_t fails)
{
    if (fails && keeps_nothing_open(k, fails)) {
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
static const char *option_value_words(checker *k, const ir_op *op, smt_t value, bool *named)
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
    const char *words = option_value_words(k, op, value, &named);
    const char *hole = strstr(format, "%s");
    precondition what = precondition_of(kind);
    TR_ASSERT(hole);
    what.words =
        tr_arena_printf(k->arena, "%.*s%s%s", (int)(hole - format), format, words, hole + 2);
    what.about = named && !term_has_results(k, value) ? value : NULL;
    add_said(k, what, fails);
}

/* ---- Section: what answers rest on ---- */

static precondition cleared(checker *k, const basis_item *item)
{
    precondition what =
        item->kind == BASIS_CLEARED_ARG
            ? precondition_of_contents(PRECONDITION_CONTENTS_RANGE, (size_t)item->which)
            : precondition_of(PRECONDITION_CONTENTS_RANGE);
    what.class_ = PRECONDITION_CLASS_STANDING; /* words to synchronise by hold 0 at launch */
    if (item->kind == BASIS_CLEARED_ARG)
        what.contents.min = what.contents.max = smt_int_const(k->ctx, 0);
    else
        what.words = tr_arena_printf(k->arena, "every element of the global '%s' is 0 at launch",
                                     k->s->allocations[item->which].name);
    return what;
}

static void add_item(checker *k, const basis_item *item)
{
    switch (item->kind) {
    case BASIS_CLEARED_ARG:
    case BASIS_CLEARED_GLOBAL:
        require_add(k, cleared(k, item), NULL);
        return;
    case BASIS_ARRAYS_APART:
        require_add_words(k, PRECONDITION_NO_SELF_OVERLAP, NULL,
                          "no two elements of one array of '%s' share memory",
                          k->s->allocations[item->which].name);
        return;
    case BASIS_CHOICE:
        k->report->rests_on |= TRUST_BIT(item->which);
        return;
    }
}

void require_basis(checker *k)
{
    const known_basis taken = k->basis;
    k->basis = (known_basis){0};
    for (size_t i = 0; i < taken.n; i++)
        add_item(k, &taken.items[i]);
}

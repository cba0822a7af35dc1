/* TR007 and TR008: a view indexed outside its index space (U1), an access outside its buffer (U3).
 *
 * Undefined behaviour that is no race: an error where the contract speaks of every quantity that it
 * depends on, else something that the launch has to guarantee. */
#include "precondition/extent.h"
#include "precondition/added.h"
#include "precondition/natural.h"
#include "precondition/of_event.h"
#include "precondition/specialised.h"
#include "precondition/starved.h"
#include "precondition/stated.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/layout.h"
#include "question/term_words.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/rule.h"
#include "rules/second_look.h"
#include "rules/undefined_fate.h"
#include "witness/enumerate.h"
#include "witness/replay.h"
#include "witness/whole_launch.h"

#include "base/ds.h"

#include <string.h>

/* An obligation that the solver refuted or left open, and what to do with it. */
typedef struct bounds_case {
    rule_id rule;
    precondition_kind require;
    const ix_access *access;
    smt_t safe; /* holds where nothing goes wrong; over the access's own variables */
    bool index_space;
    const char *name;
    const char *text;   /* of the finding */
    const char *wanted; /* of the require */
} bounds_case;

static void found(checker *k, const bounds_case *c, witness *w)
{
    k->report->total++;
    k->report->refuted++;
    k->undefined.open = true;
    finding_add_op(k, c->rule, CONFIDENCE_CONFIRMED, c->access->op, w, "%s", c->text);
}

/* Handles an obligation that no fact on the launch settles: an error where no launch that counts
 * does, else a precondition in words. */
static void decide_in_words(checker *k, const bounds_case *c, smt_t when)
{
    smt_t safe = specialised_settles(k, c->access, c->safe);
    if (smt_is_true(safe))
        return;
    const undefined_op u = require_undefined_access(c->access, safe, c->index_space);
    witness *w;
    undefined_fate fate = rule_decide_undefined(k, &u, &w);
    if (fate == UNDEFINED_EVERYWHERE) {
        found(k, c, w);
        return;
    }
    if (fate == UNDEFINED_DOUBTFUL || require_undefined_by_memory(k, safe))
        k->undefined.open = true;
    require_add_words(k, c->require, smt_and(k->ctx, when, smt_not(k->ctx, safe)), "%s", c->wanted);
}

/* The facts about the launch that settle the case, where it has them; else words. */
static void ask_of_launch(checker *k, const bounds_case *c)
{
    const ix_access *a = c->access;
    smt_t path = c->index_space ? a->path : smt_and(k->ctx, a->path, a->mask);
    smt_t when = smt_and(k->ctx, path, smt_and(k->ctx, a->facts, a->assumed));
    if (!require_of_event(k, c->require, a->op, c->safe, path, a->facts, a->assumed))
        decide_in_words(k, c, when);
}

/* Does the access stay inside in every launch of the contract? What a contract states must decide
 * it, since a precondition beside it would narrow what was stated; what it leaves open is asked of
 * the launch. */
static void decide(checker *k, const bounds_case *c)
{
    const ix_access *a = c->access;
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, a->path);
    query_add(k, &conjuncts, a->facts);
    query_add(k, &conjuncts, a->assumed);
    if (!c->index_space)
        query_add(k, &conjuncts, a->mask);
    query_add(k, &conjuncts, smt_not(k->ctx, c->safe));
    smt_answer answer = ask_event(k, conjuncts, c->name);
    bool proved = answer.verdict == SMT_UNSAT;
    bool stated = !proved && require_contract_constrains(k, c->safe);
    if (proved || (!stated && whole_launch_is_inside(k))) {
        note_proved_event(k, a->op, c->index_space);
        return;
    }
    witness *w = NULL;
    const char *why = NULL;
    k->undefined.open |= stated;
    if (stated) /* the smallest of the launches tried comes first, however fast the solver is */
        w = enumerate_undefined(k, a->op, c->index_space);
    else
        w = whole_launch_undefined(k, a->op, c->index_space);
    if (!w && answer.verdict == SMT_SAT && stated) {
        smt_t *small = NULL;
        copy_add_small(k, &small, a, COPY_NONE, 0);
        smt_answer smaller = ask_small(k, conjuncts, small, c->name);
        arrfree(small);
        if (smaller.verdict == SMT_SAT)
            w = witness_of_event(k, smaller.model, a->op, c->index_space, &why);
        if (!w)
            w = witness_of_event(k, answer.model, a->op, c->index_space, &why);
    }
    if (w) {
        found(k, c, w);
    } else if (answer.verdict == SMT_SAT && stated) {
        finding_add_op(k, c->rule, CONFIDENCE_POSSIBLE, a->op, NULL, "%s", c->text);
    } else if (stated) { /* no require may narrow what the contract states */
        count_unknown_answer(k, &answer, a->op->place, c->wanted);
    } else {
        ask_of_launch(k, c);
    }
}

static smt_t inside(checker *k, smt_t value, smt_t end)
{
    smt_t zero = smt_int_const(k->ctx, 0);
    return smt_and(k->ctx, smt_le(k->ctx, zero, value), smt_lt(k->ctx, value, end));
}

static const char *index_text(checker *k, const ix_access *a, int i)
{
    uint32_t count;
    ir_value **first = ir_group_in_role(a->op, IR_ROLE_INDEX, &count);
    if (first && a->op->operand_texts) {
        const char *text = a->op->operand_texts[(size_t)(first - a->op->operands) + (size_t)i];
        if (text)
            return text;
    }
    return term_words(k, a->index[i]);
}

/* The end of the index space is a number of tiles, which an index may reach that counts from 1. */
static void add_index(checker *k, const ix_access *a, int i, tr_text *text)
{
    const char *before = text->length ? "; " : "", *end = term_words(k, a->index_end[i]);
    smt_t one = smt_int_const(k->ctx, 1);
    if (k->kernel->module->counts_from_one)
        tr_text_addf(text, "%sindex %d, '%s', must be at most %s", before, a->n_index - i,
                     term_words(k, smt_add(k->ctx, a->index[i], one)), end);
    else
        tr_text_addf(text, "%sindex %d, '%s', must be below %s", before, i, index_text(k, a, i),
                     end);
}

/* Index space of one access: all its indices in one question, and one by one where that fails. */
static void check_index_space(checker *k, const ix_access *a, smt_t all)
{
    tr_text text = {0};
    smt_t unsafe = smt_bool_const(k->ctx, true);
    size_t n = 0;
    for (int i = 0; i < a->n_index; i++) {
        if (!a->index_end[i])
            continue;
        smt_t safe = inside(k, a->index[i], a->index_end[i]);
        query conjuncts = query_of_launch(k);
        query_add(k, &conjuncts, a->path);
        query_add(k, &conjuncts, a->facts);
        query_add(k, &conjuncts, a->assumed);
        query_add(k, &conjuncts, smt_not(k->ctx, safe));
        if (ask_event(k, conjuncts, "index-space").verdict == SMT_UNSAT)
            continue;
        unsafe = n++ ? smt_and(k->ctx, unsafe, safe) : safe;
        add_index(k, a, i, &text);
    }
    bounds_case c = {.rule = RULE_INDEX_SPACE,
                     .require = PRECONDITION_INDEX_IN_SPACE,
                     .access = a,
                     .safe = n ? unsafe : all,
                     .index_space = true,
                     .name = "index-space"};
    c.text = tr_arena_printf(k->arena, "the index of this %s of '%s' can lie outside its space: %s",
                             a->writes ? "store" : "load", buffer_name(k, a), tr_text_get(&text));
    c.wanted = tr_arena_printf(
        k->arena, "the index of this %s of '%s' stays in its space%s%s",
        a->writes ? "store" : "load", buffer_name(k, a), a->op->place ? ": line " : "",
        a->op->place ? tr_arena_printf(k->arena, "%u", a->op->place->line) : "");
    tr_text_free(&text);
    decide(k, &c);
}

void rule_index_space(checker *k)
{
    smt_t *proved = NULL; /* a load and a store of one tile ask the same */
    for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
        const ix_access *a = &k->s->accesses[n];
        smt_t all = require_in_space(k, a);
        smt_t fails =
            smt_and(k->ctx, smt_and(k->ctx, a->path, smt_and(k->ctx, a->facts, a->assumed)),
                    smt_not(k->ctx, all));
        bool known = smt_is_false(fails);
        for (size_t j = 0; j < arrlenu(proved) && !known; j++)
            known = proved[j] == fails;
        if (known)
            continue;
        solver_window(k);
        query conjuncts = query_with(k, query_of_launch(k), fails);
        if (ask_event(k, conjuncts, "index-space-all").verdict == SMT_UNSAT) {
            note_proved_event(k, a->op, true);
            arrput(proved, fails);
        } else {
            check_index_space(k, a, all);
        }
    }
    arrfree(proved);
}

/* ---- Section: TR008 ---- */

static const contract_arg *argument_of(const checker *k, const ix_access *a)
{
    int arg = a->arg;
    if (arg < 0 && a->allocation >= 0)
        arg = k->s->allocations[a->allocation].first_arg;
    return arg < 0 ? NULL : &k->contract->args[arg];
}

/* Does the whole tensor lie in the buffer? Its last element is below outermost stride * extent when
 * coordinates are distinct addresses. Then no access through it needs a question of its own. */
static bool tensor_fits(checker *k, const ix_access *a, smt_t start_bytes, smt_t end_bytes)
{
    const ix_tensor *t = a->tensor;
    if (!t || !layout_is_injective(k, t))
        return false;
    smt_ctx *ctx = k->ctx;
    smt_t last = smt_int_const(ctx, 0), one = smt_int_const(ctx, 1);
    for (int d = 0; d < t->rank; d++)
        last = smt_add(ctx, last, smt_mul(ctx, smt_sub(ctx, t->shape[d], one), t->stride[d]));
    smt_t need = smt_add(ctx, t->bytes, smt_scale(ctx, smt_add(ctx, last, one), t->width));
    smt_t fits = smt_and(ctx, smt_le(ctx, start_bytes, t->bytes), smt_le(ctx, need, end_bytes));
    if (smt_is_true(fits))
        return true;
    query conjuncts = query_with(k, query_of_launch(k), a->path);
    for (int d = 0; d < t->rank; d++)
        query_add(k, &conjuncts, smt_lt(ctx, smt_int_const(ctx, 0), t->shape[d]));
    query_add(k, &conjuncts, smt_not(ctx, fits));
    return ask_event(k, conjuncts, "tensor-fits").verdict == SMT_UNSAT;
}

/* U5: a tile marked inbounds that leaves its tensor is undefined, not masked. Where that is an
 * error it hides no race: see claims_compare_touched. */
static void check_claim(checker *k, const ix_access *a)
{
    bounds_case c = {.rule = RULE_OUT_OF_BUFFER,
                     .require = PRECONDITION_IN_BOUNDS,
                     .access = a,
                     .safe = a->claimed,
                     .index_space = true, /* whether masked or not */
                     .name = "inbounds"};
    c.text = tr_arena_printf(k->arena, "this %s of '%s' is marked inbounds and leaves the tensor",
                             a->writes ? "store" : "load", buffer_name(k, a));
    c.wanted = tr_arena_printf(k->arena, "tiles of '%s' that are marked inbounds lie in the tensor",
                               buffer_name(k, a));
    size_t findings = arrlenu(k->findings);
    k->claims.asking = true;
    solver_window(k);
    decide(k, &c);
    k->claims.asking = false;
    if (arrlenu(k->findings) > findings)
        arrput(k->claims.broken, a->op);
}

/* Returns how many bytes the region that the access goes to has, where the contract says so; else
 * NULL. */
static smt_t bytes_of_region(const checker *k, const ix_access *a)
{
    const ix_allocation *of = a->allocation < 0 ? NULL : &k->s->allocations[a->allocation];
    if (a->unknown || !a->region || !of || of->space != IX_REGIONS)
        return NULL;
    int table = k->s->allocations[of->table].first_arg;
    smt_t bytes = table < 0 ? NULL : k->contract->args[table].contents.regions;
    if (!bytes)
        return NULL;
    int width = ir_type_bytes(k->kernel->body->args[table]->type->elem->elem);
    smt_t start = smt_div(k->ctx, k->s->arg_bytes[table], smt_int_const(k->ctx, width));
    smt_t index = contract_index(k->ctx), number = smt_sub(k->ctx, a->region, start);
    return smt_substitute(k->ctx, bytes, 1, &index, &number);
}

static void check_region(checker *k, const ix_access *a, smt_t bytes)
{
    smt_t first = smt_sub(k->ctx, a->bytes, smt_scale(k->ctx, a->region, IX_REGION_DISTANCE));
    smt_t last = smt_add(k->ctx, first, smt_int_const(k->ctx, a->width - 1));
    bounds_case c = {.rule = RULE_OUT_OF_BUFFER,
                     .require = PRECONDITION_IN_BOUNDS,
                     .access = a,
                     .safe = smt_and(k->ctx, smt_le(k->ctx, smt_int_const(k->ctx, 0), first),
                                     smt_lt(k->ctx, last, bytes)),
                     .name = "in-region"};
    c.text = tr_arena_printf(k->arena, "this %s leaves '%s', which has %s bytes",
                             a->writes ? "store" : "load", buffer_name(k, a), term_words(k, bytes));
    c.wanted = tr_arena_printf(k->arena, "accesses to '%s' stay inside its %s bytes",
                               buffer_name(k, a), term_words(k, bytes));
    solver_window(k);
    decide(k, &c);
}

void rule_out_of_buffer(checker *k)
{
    for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
        const ix_access *a = &k->s->accesses[n];
        smt_t bytes = bytes_of_region(k, a);
        if (a->claimed && !a->unknown)
            check_claim(k, a);
        if (bytes)
            check_region(k, a, bytes);
    }
    const ix_access **fitting = NULL; /* whose tensors are proved to fit, where they run */
    for (size_t n = 0; n < arrlenu(k->s->accesses); n++) {
        const ix_access *a = &k->s->accesses[n];
        const contract_arg *arg = argument_of(k, a);
        if (a->unknown || !arg || !arg->elements)
            continue;
        bool known = false;
        for (size_t i = 0; i < arrlenu(fitting) && !known; i++)
            known = a->tensor && fitting[i]->tensor == a->tensor && fitting[i]->path == a->path;
        if (known)
            continue;
        size_t number = (size_t)(arg - k->contract->args);
        const ir_type *pointer = k->kernel->body->args[number]->type->elem;
        int width = ir_type_bytes(pointer->elem);
        smt_t start = k->s->arg_bytes[number];
        smt_t bytes = smt_scale(k->ctx, arg->elements, width);
        if (ir_type_bits(pointer->elem) == 4)
            bytes = smt_div_ceil(k->ctx, arg->elements, smt_int_const(k->ctx, 2));
        smt_t end = smt_add(k->ctx, start, bytes);
        solver_window(k);
        if (tensor_fits(k, a, start, end)) {
            note_proved_event(k, a->op, false);
            arrput(fitting, a);
            continue;
        }
        smt_t last = smt_add(k->ctx, a->bytes, smt_int_const(k->ctx, a->width - 1));
        bounds_case c = {
            .rule = RULE_OUT_OF_BUFFER,
            .require = PRECONDITION_IN_BOUNDS,
            .access = a,
            .safe = smt_and(k->ctx, smt_le(k->ctx, start, a->bytes), smt_lt(k->ctx, last, end)),
            .name = "in-bounds"};
        c.text = tr_arena_printf(k->arena, "this %s leaves '%s', which has %s elements",
                                 a->writes ? "store" : "load", buffer_name(k, a),
                                 term_words(k, arg->elements));
        c.wanted = tr_arena_printf(k->arena, "accesses to '%s' stay inside its %s elements",
                                   buffer_name(k, a), term_words(k, arg->elements));
        decide(k, &c);
    }
    arrfree(fitting);
    require_extents(k);
}

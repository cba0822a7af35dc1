/* The launches that the solver gives: one with several tile blocks on every axis, those at which
 * what decides over an access is just so, or just not so, and those at which a parameter is a
 * number that the kernel's code has. A kernel that is wrong at few sizes is wrong there. */
#include <string.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "judge/samples.h"
#include "run/choose.h"
#include "solver/model.h"
#include "strategies/prove.h"

/* Limits of the launches. They are meant to be small: what is wrong at them is wrong at larger
 * ones. */
#define MOST_BLOCKS   256
#define MOST_ELEMENTS (1 << 15)          /* of one buffer */
#define MOST_STEPS    ((smt_steps)15000) /* of one question */

enum { ABOUT_NUMBERS = 4, ABOUT_ACCESSES = 6 }; /* questions */
enum { MOST_NUMBERS = 4, LEAST_NUMBER = 17, MOST_NUMBER = MOST_ELEMENTS };

typedef struct worst { /* on its way */
    const run_target *t;
    const contract *c; /* with what the kernel assumes */
    smt_ctx *ctx;
    summary *s;
    smt_t *small; /* stb_ds: what a launch keeps small */
    smt_t *asked; /* stb_ds: terms that a question was about */
    size_t left;  /* questions that may be asked */
    judge_numbers *found;
} worst;

static bool says_launch(const worst *w, smt_t term)
{
    for (size_t i = 0; i < arrlenu(w->small); i++)
        if (smt_contains(term, w->small[i]))
            return true;
    return false;
}

/* Every quantity that is chosen for a launch. */
static void find_small(worst *w)
{
    smt_int value;
    for (size_t i = 0; i < w->c->n_args; i++)
        if (w->c->args[i].kind == CONTRACT_SCALAR)
            arrput(w->small, contract_param(w->ctx, w->c, i));
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(w->s->grid[axis], &value))
            arrput(w->small, contract_grid(w->ctx, axis));
}

static smt_t at_most(const worst *w, smt_t term, int64_t most)
{
    return smt_le(w->ctx, term, smt_int_const(w->ctx, most));
}

/* Adds what every launch keeps. */
static void add_launch(const worst *w, smt_t **all)
{
    arrput(*all, w->s->launch);
    for (int axis = 0; axis < 3; axis++)
        arrput(*all, at_most(w, w->s->grid[axis], MOST_BLOCKS));
    for (size_t i = 0; i < w->c->n_args; i++)
        if (w->c->args[i].elements)
            arrput(*all, at_most(w, w->c->args[i].elements, MOST_ELEMENTS));
}

static void take_model(worst *w, const smt_model *model)
{
    judge_numbers numbers = {.scalars =
                                 TR_NEW_ARRAY(w->t->input->arena, int64_t, w->c->n_args + 1)};
    smt_int value;
    for (size_t i = 0; i < w->c->n_args; i++)
        if (w->c->args[i].kind == CONTRACT_SCALAR &&
            smt_model_eval(model, contract_param(w->ctx, w->c, i), &value))
            numbers.scalars[i] = (int64_t)value;
    for (int axis = 0; axis < 3; axis++)
        numbers.grid[axis] =
            smt_model_eval(model, w->s->grid[axis], &value) && value > 0 ? (int64_t)value : 1;
    arrput(w->found, numbers);
}

/* Is there a launch with all of these? */
static void ask(worst *w, tr_take smt_t *all)
{
    if (w->left > 0) {
        w->left--;
        add_launch(w, &all);
        smt_answer answer = smt_check_small(w->t->input->prover, arrlenu(all), all,
                                            arrlenu(w->small), w->small, MOST_STEPS, "worst");
        if (answer.verdict == SMT_SAT)
            take_model(w, answer.model);
    }
    arrfree(all);
}

static bool is_new(worst *w, smt_t term)
{
    for (size_t i = 0; i < arrlenu(w->asked); i++)
        if (w->asked[i] == term)
            return false;
    arrput(w->asked, term);
    return true;
}

/* ---- Section: What decides over an access ---- */

static void add_parts(smt_t term, smt_t **parts)
{
    if (!term)
        return;
    if (term->kind == SMT_AND)
        for (uint32_t i = 0; i < term->n_args; i++)
            add_parts(term->args[i], parts);
    else
        arrput(*parts, term);
}

/* The term that is compared with 0; NULL: the part is no comparison. */
static smt_t compared(smt_t part)
{
    smt_t of = part->kind == SMT_NOT ? part->args[0] : part;
    return of->kind == SMT_LE || of->kind == SMT_EQ ? of->args[0] : NULL;
}

/* Asks for a launch that meets all parts but one, with that part's term at a value, at the first or
 * last element of a tile: so a tile holds one element of the array, or fits, or is one too long. */
static void ask_at(worst *w, const ix_access *a, const smt_t *parts, size_t but, smt_t term,
                   int value, bool at_end)
{
    smt_t *all = NULL;
    for (size_t i = 0; i < arrlenu(parts); i++)
        if (i != but)
            arrput(all, parts[i]);
    for (int d = 0; d < a->rank; d++) {
        smt_t within = ix_coordinate(w->ctx, d, a->tile[d]);
        if (a->tile[d] > 1 && smt_contains(term, within))
            arrput(all, smt_eq(w->ctx, within, smt_int_const(w->ctx, at_end ? a->tile[d] - 1 : 0)));
    }
    arrput(all, smt_eq(w->ctx, term, smt_int_const(w->ctx, value)));
    ask(w, all);
}

static bool varies_in_tile(const worst *w, const ix_access *a, smt_t term)
{
    for (int d = 0; d < a->rank; d++)
        if (a->tile[d] > 1 && smt_contains(term, ix_coordinate(w->ctx, d, a->tile[d])))
            return true;
    return false;
}

static void ask_access(worst *w, const ix_access *a)
{
    smt_t *parts = NULL;
    add_parts(a->path, &parts);
    add_parts(a->facts, &parts);
    add_parts(a->mask, &parts);
    for (size_t i = 0; i < arrlenu(parts); i++) {
        smt_t term = compared(parts[i]);
        if (!term || !says_launch(w, term) || !is_new(w, term))
            continue;
        ask_at(w, a, parts, i, term, 0, true);
        ask_at(w, a, parts, i, term, 1, true);
        if (varies_in_tile(w, a, term))
            ask_at(w, a, parts, i, term, 0, false);
    }
    arrfree(parts);
}

/* Stores before loads: what they leave out is missed. */
static void ask_accesses(worst *w)
{
    for (int writes = 1; writes >= 0; writes--)
        for (size_t i = 0; i < arrlenu(w->s->accesses); i++)
            if (w->s->accesses[i].writes == (bool)writes && !w->s->accesses[i].unknown)
                ask_access(w, &w->s->accesses[i]);
}

/* ---- Section: Tile blocks on every axis ---- */

/* It shows which block takes which part only where there is more than one. */
static void ask_axes(worst *w)
{
    smt_int value;
    smt_t *all = NULL;
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(w->s->grid[axis], &value))
            arrput(all, smt_ge(w->ctx, w->s->grid[axis], smt_int_const(w->ctx, 2)));
    ask(w, all);
}

/* ---- Section: Numbers of the code ---- */

static bool is_extent(const ir_function *kernel, int64_t number)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        for (uint32_t r = 0; r < op->n_results; r++) {
            const ir_type *type = op->results[r].type;
            for (int d = 0; (ir_type_is_tile_view(type) || type->kind == IR_TILE) && d < type->rank;
                 d++)
                if (type->shape[d] == number)
                    return true;
        }
    return false;
}

/* Whole numbers that stand in the code and are no extents of tiles, whose multiples the search
 * tries anyway. */
static size_t find_numbers(const ir_function *kernel, int64_t numbers[MOST_NUMBERS])
{
    size_t n = 0;
    for (const ir_op *op = ir_first_op(kernel); op && n < MOST_NUMBERS; op = ir_next_op(op)) {
        if (op->code != IR_OP_CONSTANT)
            continue;
        const ir_attr *value = &op->attrs[IR_AT_CONSTANT_value];
        const ir_type *type = op->results[0].type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        bool is_one = ir_type_is_int(elem) && ir_type_bits(elem) >= 16 && ir_dense_is_splat(value);
        int64_t number = is_one ? ir_dense_int(value, 0) : 0;
        bool known = number < LEAST_NUMBER || number > MOST_NUMBER || is_extent(kernel, number);
        for (size_t i = 0; i < n && !known; i++)
            known = numbers[i] == number;
        if (!known)
            numbers[n++] = number;
    }
    return n;
}

static void ask_numbers(worst *w)
{
    int64_t numbers[MOST_NUMBERS];
    size_t n = find_numbers(w->t->kernel->function, numbers);
    /* Each number before any of those beside them, since there are few questions. */
    for (int beside = 0; beside <= 1; beside++)
        for (size_t p = 0; p < arrlenu(w->small); p++)
            for (size_t i = 0; i < n; i++) {
                smt_t *all = NULL;
                arrput(all,
                       smt_eq(w->ctx, w->small[p], smt_int_const(w->ctx, numbers[i] + beside)));
                ask(w, all);
            }
}

/* ---- Section: Witnesses ---- */

/* Takes what a finding shows, be it one of a race or of a warning. */
static void take_witness(worst *w, const witness *from)
{
    judge_numbers numbers = {.scalars =
                                 TR_NEW_ARRAY(w->t->input->arena, int64_t, w->c->n_args + 1)};
    memcpy(numbers.grid, from->grid, sizeof numbers.grid);
    for (size_t i = 0; i < w->c->n_args; i++)
        for (size_t p = 0; p < from->n_params; p++)
            if (strcmp(from->params[p].name, w->c->args[i].name) == 0)
                numbers.scalars[i] = from->params[p].value;
    arrput(w->found, numbers);
}

/* Takes launches of both kinds in turn. If there are more than can be tried, the first of each kind
 * are. */
static void take_in_turn(worst *w, size_t first, size_t second)
{
    judge_numbers *mixed = NULL;
    size_t n = arrlenu(w->found);
    for (size_t i = 0; i < first; i++)
        arrput(mixed, w->found[i]);
    for (size_t i = 0; first + i < second || second + i < n; i++) {
        if (first + i < second)
            arrput(mixed, w->found[first + i]);
        if (second + i < n)
            arrput(mixed, w->found[second + i]);
    }
    arrfree(w->found);
    w->found = mixed;
}

tr_give judge_numbers *judge_worst(const run_target *t)
{
    contract *assumed = run_assumed_contract(t);
    worst w = {.t = t, .c = assumed, .ctx = t->input->ctx};
    w.s = summary_build(t->input->arena, w.ctx, t->kernel->function, assumed);
    find_small(&w);
    for (size_t i = 0; t->report && i < t->report->n_findings; i++)
        if (t->report->findings[i].witness)
            take_witness(&w, t->report->findings[i].witness);
    if (t->input->prover && arrlenu(w.small) > 0) {
        w.left = 1;
        ask_axes(&w);
        size_t first = arrlenu(w.found);
        w.left = ABOUT_NUMBERS;
        ask_numbers(&w);
        size_t second = arrlenu(w.found);
        w.left = ABOUT_ACCESSES;
        ask_accesses(&w);
        take_in_turn(&w, first, second);
    }
    summary_free(w.s);
    contract_free(assumed);
    arrfree(w.small);
    arrfree(w.asked);
    return w.found;
}

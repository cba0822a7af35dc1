/* Finds what a launch has to guarantee of the contents of buffers that the kernel only reads: that
 * all elements lie in a range. */
#include "precondition/contents_range.h"

#include "contract/expression.h"
#include "precondition/added.h"
#include "precondition/life.h"
#include "precondition/lift.h"
#include "precondition/starved.h"
#include "precondition/stated.h"
#include "question/ask.h"
#include "question/assumed.h"
#include "question/checker.h"
#include "question/exact_contents.h"
#include "question/term_words.h"

#include "base/ds.h"

#include <string.h>

/* The term in words, with contract_value() as `value`, as contracts have it. */
static const char *words_of_contents(checker *k, smt_t term)
{
    smt_t value = contract_value(k->ctx), name = smt_var(k->ctx, "value", SMT_NO_LOW, SMT_NO_HIGH);
    return term_words(k, smt_substitute(k->ctx, term, 1, &value, &name));
}

smt_t require_greater(checker *k, smt_t a, smt_t b)
{
    return a && b ? smt_max(k->ctx, a, b) : a ? a : b;
}

smt_t require_smaller(checker *k, smt_t a, smt_t b)
{
    return a && b ? smt_min(k->ctx, a, b) : a ? a : b;
}

/* The range that is assumed of the argument's elements already; of none no bound. */
static contents_range range_of(const checker *k, int arg)
{
    const known_contents *c = &k->known.contents;
    for (size_t i = 0; i < c->n_ranges; i++)
        if (c->ranges[i].arg == arg)
            return c->ranges[i];
    return (contents_range){.arg = arg};
}

/* Returns the range that is required already of the buffer's contents; NULL: nothing. */
static required *range_required(checker *k, size_t arg)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *p = &k->requires_[i].what;
        if (p->kind == PRECONDITION_CONTENTS_RANGE && p->subject.arg == arg)
            return &k->requires_[i];
    }
    return NULL;
}

typedef struct sign_search {
    const checker *k;
    int arg;
    smt_int modulus; /* of the type of its elements */
    bool found;
} sign_search;

static void look_for_element_of(void *user, smt_t term)
{
    sign_search *s = user;
    s->found |= summary_contents_arg(s->k->s, term) == s->arg;
}

/* `e < 0 ? e + 2^32 : e`: what is read as unsigned. */
static void look_for_unsigned(void *user, smt_t term)
{
    sign_search *s = user;
    smt_int apart;
    if (s->found || term->kind != SMT_ITE || smt_is_bool(term) ||
        !smt_is_const(smt_sub(s->k->ctx, term->args[1], term->args[2]), &apart) ||
        (apart != s->modulus && apart != -s->modulus))
        return;
    smt_visit(s->k->ctx, term->args[0], look_for_element_of, s);
}

static int bits_of_elements(const checker *k, int arg)
{
    const ir_type *elem = k->kernel->body->args[arg]->type->elem->elem;
    return ir_type_is_int(elem) ? 8 * ir_type_bytes(elem) : 64;
}

bool require_reads_unsigned(const checker *k, int arg)
{
    int bits = bits_of_elements(k, arg);
    sign_search s = {.k = k, .arg = arg, .modulus = (smt_int)1 << bits};
    for (size_t i = 0; i < arrlenu(k->s->accesses) && !s.found && bits < 64; i++)
        if (!k->s->accesses[i].unknown)
            smt_visit(k->ctx, k->s->accesses[i].bytes, look_for_unsigned, &s);
    return s.found;
}

/* A range from 0 on says nothing of unsigned elements, and one from below 0 is none of theirs: what
 * the two readings have in common is meant. */
static contents_range of_either_sign(checker *k, contents_range range)
{
    int bits = bits_of_elements(k, range.arg);
    smt_int low;
    if (bits >= 64 || !range.low || !smt_is_const(range.low, &low))
        return range;
    bool tells_no_sign = bits < CONTRACT_NARROW && low >= 0 && !range.high;
    if (!tells_no_sign && !require_reads_unsigned(k, range.arg))
        return range;
    if (low < 0)
        range.low = smt_int_const(k->ctx, 0);
    if (!range.high)
        range.high = smt_int_const(k->ctx, ((smt_int)1 << (bits - 1)) - 1);
    return range;
}

/* One precondition for each buffer: a contract has one range for it. Proofs may use less of it than
 * it says, see rules/enforced.c. */
void require_contents(checker *k, const contents_range *asked)
{
    const contents_range either = of_either_sign(k, *asked), *wanted = &either;
    contents_range range = range_of(k, wanted->arg);
    range.low = require_greater(k, range.low, wanted->low);
    range.high = require_smaller(k, range.high, wanted->high);
    assume_one_range(k, range);
    precondition what = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, (size_t)wanted->arg);
    /* A range for a single event is a launch precondition: without it, an index leaves its space.
     */
    what.class_ = k->deciding.a ? PRECONDITION_CLASS_RACE : PRECONDITION_CLASS_LAUNCH;
    what.contents.min = wanted->low;
    what.contents.max = wanted->high;
    required *before = range_required(k, (size_t)wanted->arg);
    if (!before) {
        require_add(k, what, NULL);
        return;
    }
    before->what.contents.min = require_greater(k, before->what.contents.min, wanted->low);
    before->what.contents.max = require_smaller(k, before->what.contents.max, wanted->high);
    before->of_wrap |= k->wraps.asking;
    require_use(k, before, what.class_);
}

/* ---- Section: of one event ---- */

/* `t[i] <= t[i + 1]`, where i is the id of the tile block on some axis: that id, else NULL. */
static smt_t neighbours_of(const checker *k, smt_t condition, int number)
{
    smt_t sum = condition->kind == SMT_LE ? condition->args[0] : NULL, first = NULL, next = NULL;
    if (!sum || sum->kind != SMT_SUM || sum->n_args != 2 || sum->value != 0)
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        smt_t element = sum->args[i];
        if (summary_contents_arg(k->s, element) != number)
            return NULL;
        first = sum->coefs[i] == 1 ? element->args[0] : first;
        next = sum->coefs[i] == -1 ? element->args[0] : next;
    }
    for (int axis = 0; axis < 3 && first && next; axis++)
        if (first == k->s->block_id[axis] &&
            next == smt_add(k->ctx, first, smt_int_const(k->ctx, 1)))
            return first;
    return NULL;
}

typedef struct place_search {
    const checker *k;
    int number;
    smt_t id;
    bool elsewhere;
} place_search;

static void look_elsewhere(void *user, smt_t term)
{
    place_search *s = user;
    if (summary_contents_arg(s->k->s, term) != s->number)
        return;
    smt_t ahead = smt_sub(s->k->ctx, term->args[0], s->id);
    smt_int by;
    s->elsewhere |= !smt_is_const(ahead, &by) || by < 0 || by > 1;
}

/* Is a launch undefined whose elements decrease where the two accesses that are decided look them
 * up? Each tile block has to find its own element no greater than the next, as one does that slices
 * an array by them, and no others are looked up. */
static bool is_order_enforced(const checker *k, int number)
{
    smt_t id = NULL;
    for (size_t i = 0; i < arrlenu(k->s->hazards) && !id; i++) {
        const ix_hazard *h = &k->s->hazards[i];
        bool always = smt_is_true(h->path) && h->n_loops == 0 && h->rank == 0;
        if (always && (h->undefined || h->kind == IX_ASSUME))
            id = neighbours_of(k, h->safe, number);
    }
    const ix_access *both[2] = {k->deciding.a, k->deciding.b};
    place_search s = {.k = k, .number = number, .id = id};
    for (int i = 0; i < 2 && id && both[i]; i++) {
        smt_visit(k->ctx, both[i]->bytes, look_elsewhere, &s);
        smt_visit(k->ctx, smt_and(k->ctx, both[i]->path, both[i]->mask), look_elsewhere, &s);
        smt_visit(k->ctx, both[i]->facts, look_elsewhere, &s);
    }
    return id && both[0] && !s.elsewhere;
}

void require_increasing(checker *k, int number)
{
    precondition what = precondition_of_contents(PRECONDITION_INCREASING_CONTENTS, (size_t)number);
    what.contents.increasing = true;
    if (is_order_enforced(k, number))
        what.class_ = PRECONDITION_CLASS_LAUNCH;
    k->known.contents.increasing |= (uint64_t)1 << number;
    require_add(k, what, NULL);
}

void require_prefix_sum(checker *k, int number, int of)
{
    precondition what = precondition_of_contents(PRECONDITION_PREFIX_SUM, (size_t)number);
    what.contents.prefix_sum_of = of;
    k->known.contents.prefix |= (uint64_t)1 << number;
    k->known.contents.prefix_of[number] = of;
    require_add(k, what, NULL);
}

typedef struct app_search {
    const checker *k;
    smt_t found;
    bool several;
} app_search;

static void look_for_app(void *user, smt_t term)
{
    app_search *s = user;
    if (summary_contents_of(s->k->s, term, NULL) < 0)
        return;
    s->several |= s->found && s->found != term;
    s->found = term;
}

/* sum <= 0 as value <= high (or low <= value), where the sum has the value once; sum = 0 as both.
 */
static bool bound_of(checker *k, smt_t condition, smt_t *low, smt_t *high)
{
    smt_ctx *ctx = k->ctx;
    smt_int coef = 0;
    if (condition->kind != SMT_LE && condition->kind != SMT_EQ)
        return false;
    smt_t value = contract_value(ctx), sum = condition->args[0];
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (sum->args[i] == value)
            coef = sum->coefs[i];
    if (sum == value)
        coef = 1;
    smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, value, coef));
    if (coef == 0 || smt_contains(rest, value))
        return false;
    bool both = condition->kind == SMT_EQ;
    if (both && coef < 0) {
        coef = -coef;
        rest = smt_neg(ctx, rest);
    }
    if (coef > 0)
        *high = smt_div(ctx, smt_neg(ctx, rest), smt_int_const(ctx, coef));
    if (both) /* rounded up */
        *low = smt_neg(ctx, smt_div(ctx, rest, smt_int_const(ctx, coef)));
    else if (coef < 0)
        *low = smt_neg(ctx, smt_div(ctx, smt_neg(ctx, rest), smt_int_const(ctx, -coef)));
    return true;
}

/* ---- Section: what a range leaves of the launches ---- */

typedef struct element_search {
    const checker *k;
    int arg;
    smt_t *found; /* stb_ds array */
} element_search;

static void look_for_element(void *user, smt_t term)
{
    element_search *s = user;
    if (summary_contents_arg(s->k->s, term) == s->arg)
        arrput(s->found, term);
}

bool require_range_starves(checker *k, const contents_range *range, smt_t element)
{
    smt_ctx *ctx = k->ctx;
    smt_t fact = smt_bool_const(ctx, true);
    element_search s = {.k = k, .arg = range->arg};
    smt_visit(ctx, k->known.launch, look_for_element, &s);
    arrput(s.found, element);
    for (size_t i = 0; i < arrlenu(s.found); i++) {
        if (range->low)
            fact = smt_and(ctx, fact, smt_le(ctx, range->low, s.found[i]));
        if (range->high)
            fact = smt_and(ctx, fact, smt_le(ctx, s.found[i], range->high));
    }
    arrfree(s.found);
    return require_forces_axis(k, fact) || require_fact_starves(k, fact);
}

/* ---- Section: of one condition ---- */

static bool can_say(checker *k, smt_t term)
{
    const char *why;
    return !term ||
           contract_expression_read(k->ctx, k->contract, words_of_contents(k, term), false, &why)
               .term;
}

enum { ASK = 300 * 1000 };

/* Is it enough, and is there still an event? */
static bool is_good(checker *k, smt_t safe, smt_t when)
{
    query event = query_with(k, query_of_launch(k), when);
    bool possible = ask_verdict(k, event, "require-contents", ASK) != SMT_UNSAT;
    query fails = query_with(k, event, smt_not(k->ctx, safe));
    bool enough = ask_verdict(k, fails, "require-contents", ASK) == SMT_UNSAT;
    return possible && enough;
}

typedef struct choice_search {
    const checker *k;
    smt_t found; /* what a mask leaves of an element: it or a number */
} choice_search;

static void look_for_choice(void *user, smt_t term)
{
    choice_search *s = user;
    bool number[2];
    if (term->kind != SMT_ITE)
        return;
    for (int side = 0; side < 2; side++)
        number[side] = smt_is_const(term->args[1 + side], NULL);
    if ((number[0] && summary_contents_of(s->k->s, term->args[2], NULL) >= 0) ||
        (number[1] && summary_contents_of(s->k->s, term->args[1], NULL) >= 0))
        s->found = term;
}

/* The condition of the element, masked or not, where that of the number holds. */
static smt_t without_mask(checker *k, smt_t safe)
{
    choice_search s = {.k = k};
    smt_visit(k->ctx, safe, look_for_choice, &s);
    smt_t both = smt_bool_const(k->ctx, true);
    for (int side = 0; side < 2 && s.found; side++)
        both = smt_and(k->ctx, both,
                       smt_guess_instance(k->ctx, safe, 1, &s.found, &s.found->args[1 + side]));
    return s.found ? both : safe;
}

typedef struct part_range { /* of the elements that a part of a condition speaks of */
    contents_range range;
    smt_t element; /* one of them */
} part_range;

/* The range of elements with which a part of a condition always holds, which is assumed from now
 * on; false: there is none. */
static bool range_for_part(checker *k, smt_t safe, smt_t path, smt_t when, part_range *asked)
{
    smt_t value = contract_value(k->ctx), low = NULL, high = NULL;
    /* A value that may wrap by definition is asked of all elements. Of what is undefined, where the
     * mask lets it through, that would be more than every launch that is defined meets. */
    smt_t of_element = k->wraps.asking ? without_mask(k, safe) : safe;
    app_search s = {.k = k};
    smt_visit(k->ctx, of_element, look_for_app, &s);
    if (!s.found || s.several)
        return false;
    int arg = summary_contents_arg(k->s, s.found);
    smt_t lifted = require_lift(k, smt_guess_instance(k->ctx, of_element, 1, &s.found, &value),
                                smt_guess_instance(k->ctx, path, 1, &s.found, &value));
    if (arg < 0 || contents_are_given(k, arg) || !lifted || !bound_of(k, lifted, &low, &high) ||
        !can_say(k, low) || !can_say(k, high))
        return false;
    contents_range range = range_of(k, arg);
    range.low = require_greater(k, range.low, low);
    range.high = require_smaller(k, range.high, high);
    assume_one_range(k, range);
    *asked = (part_range){{arg, low, high}, s.found};
    return is_good(k, safe, when);
}

bool require_contents_of_event(checker *k, smt_t safe, smt_t path, smt_t when)
{
    if (require_contract_constrains(k, safe))
        return false; /* what the contract says of all that the condition speaks of is meant */
    size_t n = safe->kind == SMT_AND ? safe->n_args : 1;
    part_range *asked = TR_NEW_ARRAY(k->arena, part_range, n);
    const known_contents before = k->known.contents;
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good =
            range_for_part(k, safe->kind == SMT_AND ? safe->args[i] : safe, path, when, &asked[i]);
    /* Ranges for all parts are required, or none: those for one part are of no use where another
     * part stays open. */
    k->known.contents = before;
    for (size_t i = 0; i < n && good; i++)
        good = !require_range_starves(k, &asked[i].range, asked[i].element);
    for (size_t i = 0; i < n && good; i++)
        require_contents(k, &asked[i].range);
    return good;
}

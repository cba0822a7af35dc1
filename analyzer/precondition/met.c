/* Does any launch meet the contract together with all preconditions of the verdict?
 *
 * Each precondition is judged when it is found, by what is known of launches then. What several of
 * them say of one buffer, or one of them beside what is stated of it, may still be more than any
 * contents can be: only large numbers are stated of a table, and a range around 0 is asked for. A
 * proof about no launch is none. So where something is asked of contents of which more is known, a
 * launch is looked for that meets everything and has two tile blocks on each axis that the kernel
 * reads. Where none is found, although there are such launches without what is asked of contents,
 * the verdict does not stand. */
#include "precondition/met.h"

#include "launch/search.h"
#include "precondition/contents_fit.h"
#include "precondition/contents_range.h"
#include "precondition/differ.h"
#include "question/checker.h"

#include "base/ds.h"

enum { LAUNCHES = 6, MAX_BLOCKS = 1024, MAX_ELEMENTS = 1 << 20, FEW_FILLED = 32 };

static bool is_contents(const precondition *p)
{
    return p->of_contents && (p->contents.min || p->contents.max);
}

/* Is there more to meet of the buffer than this one precondition? */
static bool has_company(const checker *k, size_t which)
{
    size_t arg = k->requires_[which].what.subject.arg;
    const contract_arg *a = &k->contract->args[arg];
    if (a->contents.min || a->contents.max || a->contents.unique || a->contents.unique_when ||
        a->elements)
        return true;
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (i != which && k->requires_[i].what.of_contents &&
            k->requires_[i].what.subject.arg == arg)
            return true;
    return false;
}

/* The contract with all that the preconditions say of sizes and the grid, to be freed by
 * contract_free. */
static contract *with_numbers(checker *k)
{
    contract *c = contract_with_facts(k->ctx, k->contract, 0, NULL);
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (what->term && !what->of_contents)
            arrput(c->facts, ((contract_fact){.term = what->term, .text = "required"}));
    }
    return c;
}

/* Like with_numbers(), with all ranges that they ask of contents. Whether elements can differ is
 * judged separately below. */
static contract *with_contents(checker *k)
{
    contract *c = with_numbers(k);
    c->args = tr_arena_copy(k->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (!is_contents(what))
            continue;
        contract_contents *contents = &c->args[what->subject.arg].contents;
        contents->min = require_greater(k, contents->min, what->contents.min);
        contents->max = require_smaller(k, contents->max, what->contents.max);
    }
    return c;
}

static bool has_launch(checker *k, const contract *c, int64_t filled)
{
    concrete_launch **launches;
    interp_search search = {.wanted = LAUNCHES,
                            .max_blocks = MAX_BLOCKS,
                            .max_elements = MAX_ELEMENTS,
                            .most_filled = filled};
    size_t n = concrete_enumerate_of_any_size(k->arena, k->ctx, k->kernel, c, search, &launches);
    for (size_t i = 0; i < n; i++)
        if (require_has_several(k, launches[i]))
            return true;
    return false;
}

/* Within the ranges that were asked for since, there may be too few values for the elements that a
 * precondition or the contract wants to differ. */
static bool may_differ(checker *k)
{
    bool may = true;
    k->differ.asked = k->differ.refused = 0;
    for (size_t i = 0; i < arrlenu(k->requires_) && may; i++) {
        const precondition *what = &k->requires_[i].what;
        int arg = (int)what->subject.arg;
        if (is_contents(what))
            may = require_range_is_wide(k, arg);
        if (!may || !what->of_contents || !what->contents.unique || what->n_args > 1)
            continue;
        may = what->contents.unique_when
                  ? require_kept_may_differ(k, arg, what->contents.unique_when)
                  : require_may_differ(k, 1, &arg);
    }
    return may;
}

bool require_is_met(checker *k)
{
    bool doubtful = false;
    /* If nobody gives a buffer an extent, only the elements that are read need to exist. */
    int64_t filled = FEW_FILLED;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (!is_contents(what) || !has_company(k, i))
            continue;
        doubtful = true;
        if (k->contract->args[what->subject.arg].elements)
            filled = RULES_FILLED;
    }
    if (!doubtful)
        return true;
    contract *asked = with_contents(k), *numbers = with_numbers(k);
    bool met = require_contents_fit(k, asked) &&
               (has_launch(k, asked, filled) || !has_launch(k, numbers, filled)) && may_differ(k);
    contract_free(asked);
    contract_free(numbers);
    return met;
}

/* The cases of the lemmas against all executions of small launches, which know of no lemma: two
 * accesses that are claimed to be ordered never race, something races where they are claimed not to
 * be, and nothing where they are no more than unproved. */
#include "lemma_table.h"

#include "executions/executions.h"
#include "launch/from_contract.h"

enum { MOST_N = 3, MILLISECONDS = 50 }; /* of processor time a launch */

/* Words of which nothing is said hold 0, which a proof may ask for, or what is drawn. */
static const executions *executions_of(const checker_kit *t, bool apart, int64_t n, bool drawn)
{
    const ir_function *kernel = t->r.unit.kernels[0];
    const contract *c = t->r.unit.contracts[0];
    int64_t scalars[] = {0, 0, 0, n}, grid[3] = {0};
    interp_filling filling = {.near_zero = !drawn};
    const char *why = NULL;
    assert_int_equal(c->n_args, TR_COUNT(scalars));
    const concrete_launch *launch =
        concrete_launch_holds(t->r.ctx, c, scalars, grid)
            ? concrete_launch_from(t->r.arena, t->r.ctx, kernel, c, grid, scalars, &filling, &why)
            : NULL;
    if (!launch)
        return NULL;
    executions_part part = {.kernel = kernel, .launch = launch};
    executions_limits limits = {.milliseconds = MILLISECONDS};
    model_choices choices = model_default_choices();
    choices.rmw_chains &= !apart;
    return executions_find(t->r.arena, 1, &part, &choices, &limits, EXECUTIONS_RACES);
}

static bool is_of_the_pair(const checker_kit *t, const executions *x)
{
    const ix_access *store, *load;
    find_pair(t, &store, &load);
    const ir_op *a = x->race[0].op, *b = x->race[1].op;
    return (a == store->op && b == load->op) || (a == load->op && b == store->op);
}

typedef struct seen {
    bool decided, races, pair_races;
} seen;

/* A launch with a larger n has more executions, so none is looked at behind one that has too many.
 */
static void look_at_launches(const checker_kit *t, const lemma_case *c, bool drawn, seen *s)
{
    for (int64_t n = 1; n <= MOST_N && s->decided && !s->races; n++) {
        const executions *x = executions_of(t, c->apart, n, drawn);
        if (!x)
            continue;
        s->decided = x->answer == EXECUTIONS_RACE_FREE;
        s->races = x->answer == EXECUTIONS_RACE;
        s->pair_races = s->races && is_of_the_pair(t, x);
    }
}

static seen look_at(const lemma_case *c)
{
    seen s = {.decided = true};
    checker_kit t;
    set_up(&t, c);
    look_at_launches(&t, c, false, &s);
    if (c->claim != true)
        look_at_launches(&t, c, true, &s);
    checker_kit_close(&t);
    return s;
}

static const char *what_is_wrong(int claim, const seen *s)
{
    if (claim == true)
        return s->pair_races ? "the two race" : NULL;
    if (claim == unproved)
        return s->races ? "something races, so say false" : NULL;
    return s->decided ? "nothing races, so say unproved" : NULL;
}

static void test_executions(void **state)
{
    (void)state;
    size_t n_decided = 0, n_wrong = 0;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        if (!is_wanted(cases[i].lemma))
            continue;
        seen s = look_at(&cases[i]);
        const char *wrong = what_is_wrong(cases[i].claim, &s);
        if (getenv("LEMMA") && !s.decided && !s.races)
            print_message("%s, %s: too many executions, so nothing is compared\n",
                          lemmas[cases[i].lemma].name, cases[i].what);
        n_decided += s.decided || s.races;
        n_wrong += wrong != NULL;
        if (wrong)
            print_message("%s, %s: %s\n", lemmas[cases[i].lemma].name, cases[i].what, wrong);
    }
    print_message("%zu of %zu cases decided\n", n_decided, TR_COUNT(cases));
    assert_int_equal(n_wrong, 0);
    assert_true(getenv("LEMMA") || 4 * n_decided > TR_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_executions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

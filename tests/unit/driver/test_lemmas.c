/* The lemmas on order between tile blocks, each asked about two accesses: no report, no replay, no
 * small launch stands between the claim and the answer. A lemma may say "not ordered" of what is
 * ordered, never the other way round. */
#include "../dialect/reading.h"
#include "rules/sync.h"

#include "base/ds.h"

typedef struct lemma_case {
    const char *lemma, *what;
    bool holds;
    const char *body;
    const char *facts; /* NULL: as `usual` */
    bool apart;        /* updates continue a release sequence only where they release and acquire */
} lemma_case;

/* The launch of most cases. */
static const char usual[] = "tile_grid(4); tile_assume(1 <= n && n <= 3); tile_extent(x, 64); "
                            "tile_extent(y, 64); tile_extent(f, 8); tile_contents(f, 0, 0);";

static const lemma_case cases[] = {
#define CASE(lemma, what, holds, body) {#lemma, what, holds, body},
#include "lemma_cases.def"
#define CASE(lemma, what, holds, body) {#lemma, what, holds, body},
#include "lemma_words.def"
#define CASE(lemma, what, holds, body)             {#lemma, what, holds, body},
#define CASE_WITH(lemma, what, holds, facts, body) {#lemma, what, holds, body, facts},
#define CASE_APART(lemma, what, holds, body)       {#lemma, what, holds, body, .apart = true},
#include "lemma_launches.def"
};

/* Short words for accesses to flags; R: relaxed, B: among the own tile block. */
#define DEFINE(name, more, before, order, scope, after)                                            \
    "#define " name "(p" more ") " before "(tile_pointers(f, p)" more ", " order ", " scope        \
    ")" after "\n"
#define THREE(name, more, before, order, after)                                                    \
    DEFINE(name, more, before, order, "TILE_DEVICE", after)                                        \
    DEFINE("R" name, more, before, "TILE_RELAXED", "TILE_DEVICE", after)                           \
    DEFINE("B" name, more, before, order, "TILE_BLOCK", after)
static const char words[] = { //
    THREE("SET", ", v", "tile_store_ptr_at", "TILE_RELEASE", "")
        THREE("GET", "", "tile_to_int(tile_load_ptr_at", "TILE_ACQUIRE", ")")
            THREE("ADD", ", v", "tile_to_int(tile_atomic_add", "TILE_ACQ_REL", ")")
                THREE("OR", ", v", "tile_to_int(tile_atomic_or", "TILE_ACQUIRE", ")")
                    THREE("CAS", ", u, v", "tile_to_int(tile_atomic_cas", "TILE_ACQUIRE", ")")};

typedef struct kit {
    reading r;
    checker k;
    kernel_report report;
    rules_options options;
} kit;

static void set_up(kit *t, const lemma_case *c)
{
    tr_text text = {0};
    tr_text_addf(&text,
                 "%stile_kernel void k(int *restrict x, int *restrict y, int *restrict f, int n)\n"
                 "{\n    %s\n    int b = tile_bid(0);\n    %s\n}\n",
                 words, c->facts ? c->facts : usual, c->body);
    *t = (kit){.r = read_text(tr_text_get(&text))};
    tr_text_free(&text);
    show_errors(&t->r);
    assert_true(t->r.ok);
    static const smt_options none = {.solver = ""};
    t->options.model = model_default_choices();
    t->options.model.rmw_chains &= !c->apart;
    t->k = (checker){.arena = t->r.arena,
                     .ctx = t->r.ctx,
                     .prover = smt_prover_new(t->r.ctx, &none),
                     .kernel = t->r.unit.kernels[0],
                     .contract = t->r.unit.contracts[0],
                     .options = &t->options,
                     .report = &t->report,
                     .steps = RULES_STEPS,
                     .began = smt_steps_taken(t->r.ctx)};
    t->k.s = summary_build(t->k.arena, t->k.ctx, t->k.kernel, t->k.contract);
    t->k.launch = t->k.given = t->k.s->launch;
    t->k.tokens = model_tokens_build(t->k.arena, t->k.kernel, &t->options.model);
}

static void tear_down(kit *t)
{
    arrfree(t->k.findings);
    arrfree(t->k.requires_);
    arrfree(t->k.tensors);
    arrfree(t->k.apps);
    arrfree(t->k.assumed_ranges);
    summary_free(t->k.s);
    smt_prover_free(t->k.prover);
    reading_free(&t->r);
}

/* The first access of 'x' that writes it, and the last that reads it. */
static bool are_ordered(kit *t)
{
    const ix_access *store = NULL, *load = NULL;
    for (size_t i = 0; i < arrlenu(t->k.s->accesses); i++) {
        const ix_access *a = &t->k.s->accesses[i];
        if (strcmp(buffer_name(&t->k, a), "x") != 0)
            continue;
        store = store || !a->writes ? store : a;
        load = a->reads ? a : load;
    }
    assert_non_null(store);
    assert_non_null(load);
    return sync_orders(&t->k, store, load);
}

static void test_claims(void **state)
{
    (void)state;
    size_t held = 0, wrong = 0;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        kit t;
        set_up(&t, &cases[i]);
        bool ordered = are_ordered(&t);
        tear_down(&t);
        held += cases[i].holds;
        if (ordered != cases[i].holds) {
            print_message("%s, %s: %s\n", cases[i].lemma, cases[i].what,
                          ordered ? "taken for ordered" : "not ordered");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(3 * held <= TR_COUNT(cases) - held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The cases of the lemmas as a table, each a kernel: lemma_*.def. */
#ifndef TESTS_ORDER_LEMMA_TABLE_H
#define TESTS_ORDER_LEMMA_TABLE_H

#include "../question/checker_kit.h"
#include "order/state.h"
#include "order/unique_ticket.h"
#include "question/accesses.h"

static const struct {
    const char *name, *words;
} lemmas[] = {
#define LEMMA(id, file, axioms, kernels, words) {#id, words},
#include "order/lemmas.def"
};

/* LEMMA=NAME in the environment tries the cases of this lemma alone, in seconds. */
static inline bool is_wanted(order_lemma lemma)
{
    const char *only = getenv("LEMMA");
    return !only || strcmp(only, lemmas[lemma].name) == 0;
}

enum { unproved = 2 }; /* a claim: no lemma orders them, though nothing races */

typedef struct lemma_case {
    order_lemma lemma;
    const char *what;
    int claim; /* that they are ordered: true, false or unproved */
    const char *body;
    const char *facts; /* NULL: as `usual` */
    bool apart;        /* updates continue a release sequence only where they release and acquire */
} lemma_case;

/* The launch of most cases. */
static const char usual[] = "tile_grid(4); tile_assume(1 <= n && n <= 3); tile_extent(x, 64); "
                            "tile_extent(y, 64); tile_extent(f, 8); tile_contents(f, 0, 0);";

static const lemma_case cases[] = {
#define CASE(lemma, what, claim, body) {ORDER_LEMMA_##lemma, what, claim, body},
#include "lemma_cases.def"
#define CASE(lemma, what, claim, body) {ORDER_LEMMA_##lemma, what, claim, body},
#include "lemma_words.def"
#define CASE(lemma, what, claim, body)             {ORDER_LEMMA_##lemma, what, claim, body},
#define CASE_WITH(lemma, what, claim, facts, body) {ORDER_LEMMA_##lemma, what, claim, body, facts},
#define CASE_APART(lemma, what, claim, body)                                                       \
    {ORDER_LEMMA_##lemma, what, claim, body, .apart = true},
#include "lemma_launches.def"
#define CASE(lemma, what, claim, body)             {ORDER_LEMMA_##lemma, what, claim, body},
#define CASE_WITH(lemma, what, claim, facts, body) {ORDER_LEMMA_##lemma, what, claim, body, facts},
#include "lemma_places.def"
#define CASE(lemma, what, claim, body)             {ORDER_LEMMA_##lemma, what, claim, body},
#define CASE_WITH(lemma, what, claim, facts, body) {ORDER_LEMMA_##lemma, what, claim, body, facts},
#include "lemma_elections.def"
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
                    THREE("CAS", ", u, v", "tile_to_int(tile_atomic_cas", "TILE_ACQUIRE", ")")
                        THREE("X", ", v", "tile_to_int(tile_atomic_or", "TILE_ACQ_REL", ")") //
    "#define FURTHER(a, p, on) tile_ptr_cast(tile_offset(tile_ptr_cast("
    "tile_pointers(a, p), short), on), int)\n"};

static inline void set_up(checker_kit *t, const lemma_case *c)
{
    tr_text text = {0};
    tr_text_addf(&text,
                 "%stile_kernel void k(int *restrict x, int *restrict y, int *restrict f, int n)\n"
                 "{\n    %s\n    int b = tile_bid(0);\n    %s\n}\n",
                 words, c->facts ? c->facts : usual, c->body);
    checker_kit_open(t, tr_text_get(&text), order_add_tickets, !c->apart);
    tr_text_free(&text);
}

/* Two accesses of 'x', as the case's claim is about: the first that writes it, the last that reads.
 */
static inline void find_pair(const checker_kit *t, const ix_access **store, const ix_access **load)
{
    *store = *load = NULL;
    for (size_t i = 0; i < arrlenu(t->k.s->accesses); i++) {
        const ix_access *a = &t->k.s->accesses[i];
        if (strcmp(buffer_name(&t->k, a), "x") != 0)
            continue;
        *store = *store || !a->writes ? *store : a;
        *load = a->reads ? a : *load;
    }
    assert_non_null(*store);
    assert_non_null(*load);
}

#endif

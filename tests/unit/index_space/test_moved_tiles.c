/* Chains of ops that only move the elements of a tile: where the summary says that a kernel stores
 * is where the moved elements say. Each chain is kept twice, as source of a kernel and as numbers.
 */
#include "../dialect/reading.h"
#include "index_space/walk.h"

#include "base/ds.h"

enum { MOST = 32, RANK = 4, CHAINS = 24, OPS = 6, KERNELS = 6, BLOCKS = 2 };

typedef struct tile { /* elements for each tile block, rows first */
    int rank;
    int64_t shape[RANK];
    int64_t elements[BLOCKS][MOST];
} tile;

typedef struct chain {
    tr_text *text;
    uint64_t random;
    int number, step; /* of the chain, of the op: the name of its tile is made of these */
    tile now;
} chain;

static int choose(chain *c, int n)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((c->random >> 33) % (uint64_t)n);
}

static int64_t count_of(const tile *t)
{
    int64_t n = 1;
    for (int d = 0; d < t->rank; d++)
        n *= t->shape[d];
    return n;
}

/* The coordinates of the element of that number, and the number of the element at coordinates. */
static void coordinates_of(const tile *t, int64_t element, int64_t *at)
{
    for (int d = t->rank; d-- > 0; element /= t->shape[d])
        at[d] = element % t->shape[d];
}

static int64_t element_at(const tile *t, const int64_t *at)
{
    int64_t element = 0;
    for (int d = 0; d < t->rank; d++)
        element = element * t->shape[d] + at[d];
    return element;
}

static void begin_op(chain *c, const char *op)
{
    tr_text_addf(c->text, "    tile t%d_%d = %s(t%d_%d", c->number, c->step + 1, op, c->number,
                 c->step);
}

/* ---- Section: the ops ---- */

/* Any extents with as many elements, and with ones among them. */
static void reshape(chain *c)
{
    int64_t rest = count_of(&c->now);
    begin_op(c, "tile_reshape");
    c->now.rank = 1 + choose(c, RANK);
    for (int d = 0; d < c->now.rank; d++) {
        int64_t extent = (int64_t)1 << choose(c, 4);
        c->now.shape[d] = d == c->now.rank - 1 || extent > rest ? rest : extent;
        rest /= c->now.shape[d];
        tr_text_addf(c->text, ", %d", (int)c->now.shape[d]);
    }
    tr_text_add(c->text, ");\n");
}

static void permute(chain *c)
{
    tile from = c->now;
    int of[RANK] = {0, 1, 2, 3};
    int64_t at[RANK], to[RANK];
    if (from.rank < 2)
        return;
    begin_op(c, "tile_permute");
    for (int d = 0; d < from.rank; d++) {
        int other = d + choose(c, from.rank - d), kept = of[d];
        of[d] = of[other], of[other] = kept;
        c->now.shape[d] = from.shape[of[d]];
        tr_text_addf(c->text, ", %d", of[d]);
    }
    tr_text_add(c->text, ");\n");
    for (int64_t e = 0; e < count_of(&from); e++) {
        coordinates_of(&c->now, e, to);
        for (int d = 0; d < from.rank; d++)
            at[of[d]] = to[d];
        for (int block = 0; block < BLOCKS; block++)
            c->now.elements[block][e] = from.elements[block][element_at(&from, at)];
    }
    c->step++;
}

/* The tile, and behind it along a dimension the same plus 100. */
static void cat(chain *c)
{
    tile from = c->now;
    int dim = choose(c, from.rank);
    int64_t at[RANK];
    if (2 * count_of(&from) > MOST)
        return;
    begin_op(c, "tile_cat");
    tr_text_addf(c->text, ", t%d_%d + 100, %d);\n", c->number, c->step, dim);
    c->now.shape[dim] *= 2;
    for (int64_t e = 0; e < count_of(&c->now); e++) {
        coordinates_of(&c->now, e, at);
        bool behind = at[dim] >= from.shape[dim];
        at[dim] -= behind ? from.shape[dim] : 0;
        for (int block = 0; block < BLOCKS; block++)
            c->now.elements[block][e] =
                from.elements[block][element_at(&from, at)] + (behind ? 100 : 0);
    }
    c->step++;
}

/* A slice, along one dimension of two or more the one of the block's number. */
static void extract(chain *c)
{
    tile from = c->now;
    int64_t at[RANK], number[RANK];
    int by_block = -1;
    begin_op(c, "tile_extract");
    tr_text_add(c->text, ", tile_shape(");
    for (int d = 0; d < from.rank; d++) {
        int64_t slices = (int64_t)1 << choose(c, 3);
        slices = slices > from.shape[d] ? 1 : slices;
        c->now.shape[d] = from.shape[d] / slices;
        number[d] = choose(c, (int)slices);
        by_block = slices >= BLOCKS && choose(c, 2) ? d : by_block;
        tr_text_addf(c->text, "%s%d", d ? ", " : "", (int)c->now.shape[d]);
    }
    tr_text_add(c->text, ")");
    for (int d = 0; d < from.rank; d++)
        tr_text_addf(c->text, d == by_block ? ", b" : ", %d", (int)number[d]);
    tr_text_add(c->text, ");\n");
    for (int block = 0; block < BLOCKS; block++)
        for (int64_t e = 0; e < count_of(&c->now); e++) {
            coordinates_of(&c->now, e, at);
            for (int d = 0; d < from.rank; d++)
                at[d] += (d == by_block ? block : number[d]) * c->now.shape[d];
            c->now.elements[block][e] = from.elements[block][element_at(&from, at)];
        }
    c->step++;
}

/* Times a column that has one element, or as many as there are: both are broadcast. */
static void broadcast(chain *c)
{
    tile from = c->now;
    int64_t at[RANK];
    if (from.rank < 2)
        return;
    int dim = choose(c, from.rank);
    tr_text_addf(c->text, "    tile t%d_%d = t%d_%d * tile_reshape(tile_iota(%d)", c->number,
                 c->step + 1, c->number, c->step, (int)from.shape[dim]);
    for (int d = 0; d < from.rank; d++)
        tr_text_addf(c->text, ", %d", d == dim ? (int)from.shape[d] : 1);
    tr_text_add(c->text, ");\n");
    for (int64_t e = 0; e < count_of(&from); e++) {
        coordinates_of(&from, e, at);
        for (int block = 0; block < BLOCKS; block++)
            c->now.elements[block][e] *= at[dim];
    }
    c->step++;
}

static void write_chain(chain *c)
{
    void (*const ops[])(chain *) = {reshape, reshape, permute, cat, extract, broadcast};
    int64_t n = (int64_t)4 << choose(c, 3);
    c->step = 0;
    c->now = (tile){.rank = 1, .shape = {n}};
    for (int64_t e = 0; e < n; e++)
        for (int block = 0; block < BLOCKS; block++)
            c->now.elements[block][e] = e + 200 * block;
    tr_text_addf(c->text, "    tile t%d_0 = tile_iota(%d) + 200 * b;\n", c->number, (int)n);
    for (int i = 0; i < OPS; i++) {
        void (*op)(chain *) = ops[choose(c, (int)TR_COUNT(ops))];
        op(c);
        c->step += op == reshape;
    }
    tr_text_addf(c->text, "    tile_store_ptr(tile_pointers(y, t%d_%d), 1);\n", c->number, c->step);
}

/* ---- Section: what the summary says ---- */

typedef struct place { /* where a term is evaluated */
    const summary *s;
    const tile *t;
    int64_t block, at[RANK];
} place;

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const place *p = user;
    (void)args;
    *value = p->block;
    bool known = term == p->s->block_id[0];
    for (int d = 0; d < p->t->rank && !known; d++) {
        known = term == ix_coordinate(p->s->ctx, d, p->t->shape[d]);
        *value = p->at[d];
    }
    return known && n_args == 0;
}

static void expect_elements(const summary *s, const ix_access *store, const tile *t)
{
    assert_int_equal(store->rank, t->rank);
    for (int64_t i = 0; i < BLOCKS * count_of(t); i++) {
        place p = {.s = s, .t = t, .block = i % BLOCKS};
        smt_int got = -1;
        coordinates_of(t, i / BLOCKS, p.at);
        assert_true(smt_eval(store->bytes, look_up, &p, &got));
        assert_int_equal((int64_t)got, t->elements[p.block][i / BLOCKS]);
    }
}

static void test_chains(void **state)
{
    (void)state;
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        tile tiles[CHAINS];
        tr_text text = {0};
        tr_text_addf(&text,
                     "tile_kernel void k(signed char *y)\n{\n    tile_grid(%d);\n"
                     "    int b = tile_bid(0);\n",
                     BLOCKS);
        chain c = {.text = &text, .random = (uint64_t)kernel + 1};
        for (c.number = 0; c.number < CHAINS; c.number++) {
            write_chain(&c);
            tiles[c.number] = c.now;
        }
        tr_text_add(&text, "}\n");
        reading r = read_text(tr_text_get(&text));
        tr_text_free(&text);
        show_errors(&r);
        assert_true(r.ok);
        summary *s = summary_build(r.arena, r.ctx, r.unit.kernels[0], r.unit.contracts[0]);
        assert_int_equal(arrlenu(s->accesses), CHAINS);
        for (int i = 0; i < CHAINS; i++)
            expect_elements(s, &s->accesses[i], &tiles[i]);
        summary_free(s);
        reading_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

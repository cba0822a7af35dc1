/* Which known difference is it? A name is given where a change that stands for it, made in one of
 * the two, makes them equal at every launch that is tried. */
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"
#include "inputs/load.h"

#define MOST_ATTEMPTS 1500
#define MOST_STEPS    ((uint64_t)32 << 20) /* of one run of a changed kernel */
#define MOST_WORK     ((uint64_t)1 << 31)  /* of all of them */

typedef struct naming {
    comparing *c;
    size_t differing; /* the smallest sample that differs */
    uint64_t work;
    size_t attempts;
    char *text[2]; /* of the two, op for op */
} naming;

/* ---- Section: Op for op ---- */

/* The text of an entry without its name, and without what it computes for nobody; the caller's,
 * released by stb_ds. */
static char *text_of(const compare_side *side)
{
    tr_text text = {0};
    char *kept = NULL;
    patch *p = patch_new(side->function);
    while (p && patch_remove_idle(p))
        ir_renumber(side->function);
    ir_print_entry(&text, side->input.unit.module, side->function);
    const char *from = strchr(tr_text_get(&text), '(');
    for (const char *at = from ? from : ""; *at; at++)
        arrput(kept, *at);
    arrput(kept, '\0');
    patch_undo(p);
    tr_text_free(&text);
    return kept;
}

bool compare_is_one_code(const comparing *c)
{
    char *texts[2] = {text_of(&c->side[0]), text_of(&c->side[1])};
    bool same = strcmp(texts[0], texts[1]) == 0 && compare_same_grids(c);
    for (size_t pair = 0; pair < c->match.n_arrays; pair++)
        same = same && c->match.arrays[pair][0] == c->match.arrays[pair][1] && !c->match.axes[pair];
    arrfree(texts[0]);
    arrfree(texts[1]);
    return same;
}

static bool is_exact(const naming *n, int side)
{
    char *text = text_of(&n->c->side[side]);
    bool same = strcmp(text, n->text[1 - side]) == 0;
    arrfree(text);
    return same;
}

/* ---- Section: One change ---- */

static bool is_well_formed(const compare_side *side, tr_arena *arena)
{
    tr_errors errors = tr_errors_make(arena);
    bool good = ir_verify(side->input.unit.module, &errors);
    tr_errors_free(&errors);
    return good;
}

/* Is the changed kernel equal to the other one at that sample? */
static bool equals_at(naming *n, int side, const compare_sample *s, const concrete_launch *launch,
                      tr_arena *arena)
{
    interp_run *run;
    outcome o = compare_execute(n->c, side, s, launch, MOST_STEPS, arena, &run);
    n->work += interp_work(run);
    interp_run_free(run);
    const outcome *other = &s->outcome[1 - side];
    return !compare_outcomes(n->c, side == COMPARE_A ? &o : other, side == COMPARE_A ? other : &o,
                             NULL)
                .is_there;
}

typedef const concrete_launch *(*launch_of)(const compare_sample *s, int side, tr_arena *arena);

static const concrete_launch *own_launch(const compare_sample *s, int side, tr_arena *arena)
{
    (void)arena;
    return &s->launch[side];
}

static bool equals(naming *n, int side, launch_of launch)
{
    const compare_sample *samples = n->c->samples;
    tr_arena *arena = tr_arena_new();
    const compare_sample *first = &samples[n->differing];
    bool same = equals_at(n, side, first, launch(first, side, arena), arena);
    for (size_t i = 0; i < arrlenu(samples) && same; i++)
        same = i == n->differing ||
               equals_at(n, side, &samples[i], launch(&samples[i], side, arena), arena);
    tr_arena_free(arena);
    return same;
}

static const tr_place *place_of(const comparing *c, const ir_op *op)
{
    if (!op || !op->place || !op->place->line)
        return NULL;
    tr_place *place = tr_arena_copy(c->s->arena, op->place, sizeof *place);
    place->file = place->file ? tr_arena_strdup(c->s->arena, place->file) : NULL;
    place->function = NULL;
    place->inlined_at = NULL;
    return place;
}

/* Records for each name the change that says most: one that makes the two equal operation for
 * operation, else the first. */
static void record(naming *n, compare_edit_kind kind, int side, const ir_op *op, bool exact)
{
    compare_difference **all = &n->c->into->differences;
    compare_difference d = {.name = compare_name_of_edit(kind),
                            .edit = kind,
                            .side = side,
                            .place = place_of(n->c, op),
                            .is_exact = exact,
                            .n_launches = arrlenu(n->c->samples)};
    for (size_t i = 0; i < arrlenu(*all); i++)
        if ((*all)[i].name == d.name) {
            if (exact && !(*all)[i].is_exact)
                (*all)[i] = d;
            return;
        }
    arrput(*all, d);
}

static bool may_go_on(naming *n)
{
    bool goes_on = n->attempts++ < MOST_ATTEMPTS && n->work < MOST_WORK;
    n->c->into->cut |= !goes_on;
    return goes_on;
}

static void try_edit(naming *n, int side, const edit *e, bool (*makes_equal)(naming *n, int side))
{
    compare_side *of = &n->c->side[side];
    patch *p = patch_new(of->function);
    tr_arena *arena = tr_arena_new();
    const ir_op *op = e->op;
    if (p) {
        edit_apply(p, e);
        ir_renumber(of->function);
        if (is_well_formed(of, arena) && makes_equal(n, side))
            record(n, e->kind, side, op, is_exact(n, side));
        patch_undo(p);
    }
    tr_arena_free(arena);
}

static bool leaves_the_same(naming *n, int side)
{
    return equals(n, side, own_launch);
}

/* ---- Section: Grids ---- */

static const concrete_launch *with_other_grid(const compare_sample *s, int side, tr_arena *arena)
{
    concrete_launch *launch = tr_arena_copy(arena, &s->launch[side], sizeof *launch);
    memcpy(launch->grid, s->launch[1 - side].grid, sizeof launch->grid);
    return launch;
}

/* Does this side have one tile block less on an axis than the other at some launches, and never
 * more or fewer? */
static bool grids_are_rounded(const comparing *c, int side)
{
    bool some = false;
    for (size_t i = 0; i < arrlenu(c->samples); i++)
        for (int axis = 0; axis < 3; axis++) {
            int64_t less =
                c->samples[i].launch[1 - side].grid[axis] - c->samples[i].launch[side].grid[axis];
            if (less != 0 && less != 1)
                return false;
            some |= less == 1;
        }
    return some;
}

static void try_grids(naming *n)
{
    for (int side = 0; side < 2; side++)
        if (grids_are_rounded(n->c, side) && equals(n, side, with_other_grid))
            record(n, COMPARE_EDIT_GRID, side, NULL, false);
}

/* ---- Section: Layouts ---- */

static bool fits_with_axes(naming *n, size_t pair)
{
    comparing *c = n->c;
    bool same = true;
    for (size_t k = 0; k < arrlenu(c->samples) && same; k++) {
        /* The sample that differs comes first. */
        size_t i = k == 0 ? n->differing : k <= n->differing ? k - 1 : k;
        compare_sample s = c->samples[i];
        same = compare_redo(c, &s) &&
               s.plan[0]->buffers[s.plan[0]->args[c->match.arrays[pair][0]].buffer].rank ==
                   c->match.rank[pair];
        tr_arena *arena = tr_arena_new();
        same = same && equals_at(n, COMPARE_B, &s, &s.launch[1], arena);
        tr_arena_free(arena);
    }
    return same;
}

/* Two axes exchanged, of each array that has some: does that make them equal? */
void compare_find_layouts(comparing *c)
{
    naming n = {.c = c};
    while (n.differing < arrlenu(c->samples) && !c->samples[n.differing].differs)
        n.differing++;
    if (n.differing == arrlenu(c->samples))
        return;
    for (size_t pair = 0; pair < c->match.n_arrays; pair++) {
        const compare_sample *s = &c->samples[n.differing];
        int rank = s->plan[0]->buffers[s->plan[0]->args[c->match.arrays[pair][0]].buffer].rank;
        if (c->match.axes[pair])
            continue;
        for (int i = 0; i < rank; i++)
            for (int k = i + 1; k < rank && may_go_on(&n); k++) {
                int *axes = TR_NEW_ARRAY(c->s->arena, int, IR_MAX_RANK);
                for (int d = 0; d < rank; d++)
                    axes[d] = d == i ? k : d == k ? i : d;
                c->match.axes[pair] = axes;
                c->match.rank[pair] = rank;
                if (fits_with_axes(&n, pair)) {
                    record(&n, COMPARE_EDIT_LAYOUT, COMPARE_B, NULL, false);
                    compare_difference *all = c->into->differences;
                    all[arrlenu(all) - 1].pair = pair;
                    all[arrlenu(all) - 1].axes = axes;
                    all[arrlenu(all) - 1].rank = rank;
                }
                c->match.axes[pair] = NULL;
                c->match.rank[pair] = 0;
            }
    }
}

/* ---- Section: Verdicts ---- */

/* Returns the rules that the kernel breaks, as a set of bits. */
static uint64_t rules_of(const kernel_report *report)
{
    uint64_t rules = 0;
    for (size_t i = 0; i < report->n_findings; i++)
        if (rule_is_race(report->findings[i].rule))
            rules |= (uint64_t)1 << report->findings[i].rule;
    return rules;
}

/* Has the changed kernel the other kernel's verdict, and races of the same rules? */
static bool has_other_verdict(naming *n, int side)
{
    compare_side *of = &n->c->side[side], *other = &n->c->side[1 - side];
    if (n->attempts > 64 || !other->report)
        return false;
    rules_options options = n->c->s->rules;
    const kernel_report *report = load_check(n->c->s, &of->input, of->kernel, &options);
    return report->verdict == other->report->verdict && rules_of(report) == rules_of(other->report);
}

/* ---- Section: All of them ---- */

/* Names are sure first: those that make the two equal op for op. */
static void sort(compare_difference *all)
{
    for (size_t i = 1; i < arrlenu(all); i++)
        for (size_t k = i; k > 0 && all[k].is_exact && !all[k - 1].is_exact; k--) {
            compare_difference d = all[k];
            all[k] = all[k - 1];
            all[k - 1] = d;
        }
}

static void try_side(naming *n, int side, bool tokens, bool (*makes_equal)(naming *n, int side))
{
    edit *edits = edits_of(n->c->side[side].function);
    for (size_t i = 0; i < arrlenu(edits); i++)
        if ((edits[i].kind == COMPARE_EDIT_NO_TOKEN) == tokens && may_go_on(n))
            try_edit(n, side, &edits[i], makes_equal);
    arrfree(edits);
}

void compare_name_difference(comparing *c)
{
    naming n = {.c = c, .text = {text_of(&c->side[0]), text_of(&c->side[1])}};
    while (n.differing < arrlenu(c->samples) && !c->samples[n.differing].differs)
        n.differing++;
    bool values = n.differing < arrlenu(c->samples);
    static const int order[] = {COMPARE_B, COMPARE_A};
    for (int i = 0; i < 2; i++)
        try_side(&n, order[i], !values, values ? leaves_the_same : has_other_verdict);
    if (values) {
        try_grids(&n);
        compare_find_layouts(c);
    }
    sort(c->into->differences);
    if (arrlenu(c->into->differences) == 0)
        arrput(c->into->differences,
               ((compare_difference){.name = values ? COMPARE_OTHER : COMPARE_PRECONDITIONS,
                                     .edit = COMPARE_EDIT_NONE,
                                     .side = COMPARE_B}));
    arrfree(n.text[0]);
    arrfree(n.text[1]);
}

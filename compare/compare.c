#include "compare/compare.h"

#include <string.h>

#include "base/ds.h"
#include "compare/private.h"
#include "inputs/load.h"
#include "session/session.h"

/* ---- Section: Tables ---- */

const compare_name_info *compare_name_of(compare_name name)
{
    static const compare_name_info names[] = {
#define NAME(id, name, sentence, help) {name, sentence, help},
#include "compare/names.def"
    };
    return &names[name];
}

compare_name compare_name_of_edit(compare_edit_kind kind)
{
    static const compare_name names[] = {
#define EDIT(id, name, words) COMPARE_##name,
#include "compare/edits.def"
    };
    return names[kind];
}

const char *compare_words_of_edit(compare_edit_kind kind)
{
    static const char *const words[] = {
#define EDIT(id, name, words) words,
#include "compare/edits.def"
    };
    return words[kind];
}

const char *compare_result_name(compare_result result)
{
    static const char *const names[] = {[COMPARE_SAME] = "same",
                                        [COMPARE_DIFFERENT] = "different",
                                        [COMPARE_UNDECIDED] = "unknown"};
    return names[result];
}

/* ---- Section: One kernel ---- */

static bool fail(session *s, const loaded *input)
{
    load_complain(s, input);
    return false;
}

/* Splits "FILE:KERNEL"; a file of that whole name comes first. */
static const char *split(session *s, const char *words, const char **name)
{
    FILE *whole = fopen(words, "rb");
    const char *colon = strrchr(words, ':');
    *name = NULL;
    if (whole)
        fclose(whole);
    if (whole || !colon)
        return words;
    *name = colon + 1;
    return tr_arena_strndup(s->arena, words, (size_t)(colon - words));
}

/* The launches of the one kernel that is meant; 0 after a complaint. */
static size_t find_kernel(session *s, const char *words, const char *name, const loaded *input,
                          size_t *first)
{
    size_t n = 0;
    const ir_function *found = NULL;
    for (size_t i = 0; i < arrlenu(input->kernels); i++) {
        const ir_function *f = input->kernels[i].function;
        if (name && strcmp(f->shown, name) != 0 && strcmp(f->name, name) != 0)
            continue;
        if (found && found != f) {
            session_complain(s, "%s holds several kernels: name one as %s:KERNEL", words, words);
            return 0;
        }
        *first = n++ ? *first : i;
        found = f;
    }
    if (n == 0)
        session_complain(s, "%s holds no kernel%s%s", words, name ? " " : "", name ? name : "");
    return n;
}

static bool open_side(session *s, const char *words, size_t number, compare_side *side,
                      size_t *first, size_t *n)
{
    const char *name, *file = split(s, words, &name);
    session own = *s;
    own.solver = s->solver;
    load_input(&own, file, number, &side->input);
    if (tr_errors_count(&side->input.errors) > 0)
        return fail(s, &side->input);
    *n = find_kernel(s, words, name, &side->input, first);
    return *n > 0;
}

/* ---- Section: Two of them ---- */

static double tolerance_of(const comparing *c, size_t pair)
{
    double most = 0;
    for (int side = 0; side < 2; side++) {
        const ir_function *f = c->side[side].function;
        const ir_type *type = f->body->args[c->match.arrays[pair][side]]->type->elem->elem;
        double own = run_tolerance(f, run_element(type));
        most = own > most ? own : most;
    }
    return most;
}

static void take_tolerances(comparing *c)
{
    c->tolerance = TR_NEW_ARRAY(c->arena, double, c->match.n_arrays + 1);
    for (size_t pair = 0; pair < c->match.n_arrays; pair++)
        c->tolerance[pair] = tolerance_of(c, pair);
}

static void check(comparing *c, int side)
{
    compare_side *of = &c->side[side];
    rules_options options = c->s->rules;
    of->report = load_check(c->s, &of->input, of->kernel, &options);
    c->into->verdict[side] = verdict_info_of(of->report->verdict)->name;
}

static void take_loads(comparing *c)
{
    bool same = true;
    for (size_t i = 0; i < arrlenu(c->samples) && same; i++)
        same = compare_loads(c, &c->samples[i].outcome[0], &c->samples[i].outcome[1]);
    c->into->loads = same ? COMPARE_FOOTPRINT_TRIED : COMPARE_FOOTPRINT_DIFFERS;
}

static bool any_differs(const comparing *c)
{
    for (size_t i = 0; i < arrlenu(c->samples); i++)
        if (c->samples[i].differs)
            return true;
    return false;
}

/* A layout that was asked to be found: with it the two are compared again. */
static void take_layout(comparing *c)
{
    compare_find_layouts(c);
    compare_difference **all = &c->into->differences;
    if (arrlenu(*all) == 0)
        return;
    size_t pair = (*all)[0].pair;
    c->match.axes[pair] = (*all)[0].axes;
    c->match.rank[pair] = (*all)[0].rank;
    size_t arrays = 0;
    for (size_t i = 0; i < arrlenu(c->into->arguments); i++) {
        compare_argument *a = &c->into->arguments[i];
        if (a->is_array && a->names[0] && a->names[1] && arrays++ == pair) {
            a->axes = (*all)[0].axes;
            a->rank = (*all)[0].rank;
        }
    }
    arrsetlen(*all, 0);
    for (size_t i = 0; i < arrlenu(c->samples); i++) {
        compare_sample *s = &c->samples[i];
        compare_redo(c, s);
        for (int side = 0; side < 2; side++)
            s->outcome[side] = compare_execute(c, side, s, &s->launch[side], 0, c->arena, NULL);
        s->differs = compare_outcomes(c, &s->outcome[0], &s->outcome[1], &c->bits_differ).is_there;
    }
}

static bool finds_layouts(const session *s)
{
    for (size_t i = 0; i < s->options->permute.n; i++)
        if (strcmp(s->options->permute.items[i], "auto") == 0)
            return true;
    return false;
}

/* Decides what both leave, and how sure that is. */
static void conclude(comparing *c)
{
    comparison *into = c->into;
    if (any_differs(c) && finds_layouts(c->s))
        take_layout(c);
    bool differs = any_differs(c);
    bool lacks_output = arrlenu(into->differences) > 0;
    bool other_verdict = !compare_preconditions(c) && !differs;
    into->stores = COMPARE_FOOTPRINT_TRIED;
    take_loads(c);
    if (differs || other_verdict || lacks_output) {
        into->result = COMPARE_DIFFERENT;
        if (!lacks_output)
            compare_name_difference(c);
        compare_locate(c);
        for (size_t i = 0; i < arrlenu(c->samples); i++)
            for (size_t pair = 0; pair < c->match.n_arrays; pair++) {
                const outcome_array *a = &c->samples[i].outcome[0].arrays[pair],
                                    *b = &c->samples[i].outcome[1].arrays[pair];
                if (a->n != b->n || memcmp(a->stored, b->stored, a->n) != 0)
                    into->stores = COMPARE_FOOTPRINT_DIFFERS;
            }
        return;
    }
    into->is_one_code = compare_is_one_code(c);
    into->result = into->n_tried || into->is_one_code ? COMPARE_SAME : COMPARE_UNDECIDED;
    if (into->result == COMPARE_UNDECIDED && !into->why)
        into->why = into->n_outside
                        ? "neither kernel is defined at the launches that were tried"
                        : "no launch was found that both contracts allow: state the launches in a "
                          "contract (--launch)";
    into->order = !into->n_tried   ? COMPARE_ORDER_UNKNOWN
                  : c->bits_differ ? COMPARE_ORDER_DIFFERS
                                   : COMPARE_ORDER_EQUAL;
    if (compare_prove_stores(c, &into->stores_why))
        into->stores = COMPARE_FOOTPRINT_PROVED;
}

/* Compares what holds for all launches: the parameters, and the verdicts under the first. */
static bool begin(comparing *c, const char **why)
{
    if (!compare_pair(c, why))
        return false;
    take_tolerances(c);
    for (int side = 0; side < 2; side++)
        check(c, side);
    return true;
}

static void take_launch(comparing *c, const size_t *first, const size_t *n, size_t launch)
{
    for (int side = 0; side < 2; side++) {
        compare_side *of = &c->side[side];
        of->kernel = &of->input.kernels[first[side] + (n[side] == 1 ? 0 : launch)];
        of->function = (ir_function *)of->kernel->function;
        if (of->summary)
            summary_free(of->summary);
        of->summary =
            summary_build(of->input.arena, of->input.ctx, of->function, of->kernel->contract);
    }
}

/* ---- Section: All launches that the two files state ---- */

static void release(comparing *c)
{
    for (int side = 0; side < 2; side++)
        if (c->side[side].summary)
            summary_free(c->side[side].summary);
    arrfree(c->samples);
}

static bool compare_kernels(comparing *c, const size_t *first, const size_t *n)
{
    session *s = c->s;
    const char *why = NULL;
    if (n[0] != n[1] && n[0] != 1 && n[1] != 1) {
        session_complain(s,
                         "one of the two has %zu launches stated and the other %zu: it is not "
                         "known which of them correspond",
                         n[0], n[1]);
        return false;
    }
    size_t launches = n[0] > n[1] ? n[0] : n[1];
    for (size_t i = 0; i < launches; i++) {
        take_launch(c, first, n, i);
        if (i == 0 && !begin(c, &why)) {
            session_complain(s, "%s", why);
            return false;
        }
        compare_draw(c);
    }
    take_launch(c, first, n, 0); /* the one that all others are of */
    compare_sort(c);
    conclude(c);
    return true;
}

static const char *keep(session *s, const char *text)
{
    return text ? tr_arena_strdup(s->arena, text) : NULL;
}

bool compare_run(session *s, const char *a, const char *b, comparison *result)
{
    const char *words[2] = {a, b};
    size_t first[2] = {0}, n[2] = {0};
    *result = (comparison){.order = COMPARE_ORDER_UNKNOWN};
    comparing c = {.s = s, .arena = tr_arena_new(), .into = result};
    bool good = true;
    for (size_t side = 0; side < 2 && good; side++)
        good = open_side(s, words[side], side, &c.side[side], &first[side], &n[side]);
    if (good && (good = compare_kernels(&c, first, n))) {
        for (int side = 0; side < 2; side++) {
            result->file[side] = keep(s, c.side[side].input.file);
            result->kernel[side] = keep(s, c.side[side].function->shown);
        }
        for (size_t i = 0; i < arrlenu(result->arguments); i++)
            for (int side = 0; side < 2; side++)
                result->arguments[i].names[side] = keep(s, result->arguments[i].names[side]);
        result->why = keep(s, result->why);
        result->stores_why = keep(s, result->stores_why);
    }
    release(&c);
    for (int side = 0; side < 2; side++)
        if (c.side[side].input.arena)
            load_free(&c.side[side].input);
    tr_arena_free(c.arena);
    return good;
}

void comparison_free(comparison *c)
{
    arrfree(c->arguments);
    arrfree(c->differences);
    arrfree(c->preconditions[0]);
    arrfree(c->preconditions[1]);
}

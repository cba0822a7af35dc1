/* Preconditions as data, and how they are printed. */
#include "contract/precondition.h"

#include "base/ds.h"
#include "contract/contract_json.h"

#include <string.h>

/* ---- Section: the table of kinds ---- */

static const struct {
    const char *name, *summary, *help;
    precondition_class weight;
} kinds[PRECONDITION_COUNT] = {
#define PRECONDITION(id, name, weight, summary, help)                                              \
    {name, summary, help, PRECONDITION_CLASS_##weight},
#include "contract/preconditions.def"
};

const char *precondition_name(precondition_kind kind)
{
    TR_ASSERT(kind < PRECONDITION_COUNT);
    return kinds[kind].name;
}

const char *precondition_summary(precondition_kind kind)
{
    return kinds[kind].summary;
}

const char *precondition_help(precondition_kind kind)
{
    return kinds[kind].help;
}

precondition_class precondition_default_class(precondition_kind kind)
{
    return kinds[kind].weight;
}

const char *precondition_class_name(precondition_class which)
{
    static const char *const names[] = {"standing", "launch", "race"};
    return names[which];
}

bool precondition_by_name(const char *name, precondition_kind *kind)
{
    for (size_t i = 0; i < PRECONDITION_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = (precondition_kind)i;
            return true;
        }
    return false;
}

/* ---- Section: making them ---- */

precondition precondition_of(precondition_kind kind)
{
    TR_ASSERT(kind < PRECONDITION_COUNT);
    return (precondition){
        .kind = kind, .class_ = kinds[kind].weight, .contents = {.prefix_sum_of = -1}};
}

precondition precondition_of_term(precondition_kind kind, smt_t term)
{
    TR_ASSERT(term && smt_is_bool(term));
    precondition p = precondition_of(kind);
    p.term = term;
    return p;
}

precondition precondition_of_contents(precondition_kind kind, size_t arg)
{
    precondition p = precondition_of(kind);
    p.of_contents = true;
    p.subject = (precondition_subject){.kind = PRECONDITION_OF_BUFFER, .arg = arg};
    return p;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_subject(precondition_subject a, precondition_subject b)
{
    return a.kind == b.kind && a.arg == b.arg && a.axis == b.axis;
}

static bool same_contents(const contract_contents *a, const contract_contents *b)
{
    return a->unique == b->unique && a->unique_when == b->unique_when &&
           a->increasing == b->increasing && a->min == b->min && a->max == b->max &&
           a->prefix_sum_of == b->prefix_sum_of && a->regions == b->regions;
}

bool precondition_same(const precondition *a, const precondition *b)
{
    if (a->kind != b->kind || a->term != b->term)
        return false;
    if (a->term)
        return true;
    return same_subject(a->subject, b->subject) && a->of_contents == b->of_contents &&
           same_contents(&a->contents, &b->contents) && a->elements == b->elements &&
           a->bytes == b->bytes && a->n_args == b->n_args &&
           (!a->n_args || memcmp(a->args, b->args, a->n_args * sizeof *a->args) == 0) &&
           same_text(a->words, b->words) && a->about == b->about;
}

/* ---- Section: subjects ---- */

static const char *const grid_names[3] = {"grid.x", "grid.y", "grid.z"};

typedef struct subject_search {
    smt_ctx *ctx;
    const contract *c;
    precondition_subject found;
} subject_search;

static void look_for_subject(void *user, smt_t term)
{
    subject_search *s = user;
    if (term->kind != SMT_VAR)
        return;
    for (int axis = 0; axis < 3; axis++)
        if (term == contract_grid(s->ctx, axis) &&
            (s->found.kind != PRECONDITION_OF_GRID || axis < s->found.axis)) {
            s->found = (precondition_subject){.kind = PRECONDITION_OF_GRID, .axis = axis};
            return;
        }
    for (size_t i = 0; i < s->c->n_args;
         i++) /* by name: a narrowed parameter is another variable */
        if (s->c->args[i].kind == CONTRACT_SCALAR && s->c->args[i].name &&
            strcmp(term->name, s->c->args[i].name) == 0 &&
            (s->found.kind == PRECONDITION_OF_LAUNCH ||
             (s->found.kind == PRECONDITION_OF_ARG && i < s->found.arg)))
            s->found = (precondition_subject){.kind = PRECONDITION_OF_ARG, .arg = i};
}

void precondition_restate(smt_ctx *ctx, const contract *from, const contract *to, precondition *p)
{
    TR_ASSERT(from->n_args == to->n_args);
    smt_t *const terms[] = {&p->term,
                            &p->elements,
                            &p->bytes,
                            &p->about,
                            &p->contents.min,
                            &p->contents.max,
                            &p->contents.unique_when,
                            &p->contents.regions};
    smt_t *before = NULL, *after = NULL;
    for (size_t i = 0; i < from->n_args; i++) {
        smt_t narrow = contract_param(ctx, from, i), wide = contract_param(ctx, to, i);
        if (narrow == wide)
            continue;
        arrput(before, narrow);
        arrput(after, wide);
    }
    for (size_t t = 0; t < TR_COUNT(terms) && arrlen(before) > 0; t++)
        if (*terms[t])
            *terms[t] = smt_guess_instance(ctx, *terms[t], arrlenu(before), before, after);
    arrfree(before);
    arrfree(after);
}

bool precondition_is_in_words(const precondition *p)
{
    return p->kind != PRECONDITION_DISTINCT_BUFFERS && !p->term && !p->of_contents &&
           !p->elements && !p->bytes;
}

bool precondition_clears_words(const precondition *p)
{
    smt_int low, high;
    return p->of_contents && p->class_ == PRECONDITION_CLASS_STANDING &&
           p->kind == PRECONDITION_CONTENTS_RANGE && p->contents.min && p->contents.max &&
           smt_is_const(p->contents.min, &low) && smt_is_const(p->contents.max, &high) &&
           low == 0 && high == 0;
}

precondition_subject precondition_subject_of(smt_ctx *ctx, const contract *c, const precondition *p)
{
    if (p->subject.kind != PRECONDITION_OF_LAUNCH || !p->term)
        return p->subject;
    subject_search s = {.ctx = ctx, .c = c};
    smt_visit(ctx, p->term, look_for_subject, &s);
    return s.found;
}

void precondition_subject_print(smt_ctx *ctx, const contract *c, precondition_subject subject,
                                const char **name, const char **part)
{
    *name = *part = NULL;
    if (subject.kind == PRECONDITION_OF_GRID)
        *part = grid_names[subject.axis];
    if (subject.kind == PRECONDITION_OF_LAUNCH || subject.kind == PRECONDITION_OF_GRID)
        return;
    const contract_member *member = &c->args[subject.arg].member;
    *name = c->args[subject.arg].name;
    if (subject.kind != PRECONDITION_OF_ARG ||
        (member->role != CONTRACT_ARRAY_EXTENT && member->role != CONTRACT_ARRAY_STRIDE))
        return;
    *name = c->args[member->array].name;
    *part = tr_arena_printf(smt_arena(ctx), "%s[%u]",
                            member->role == CONTRACT_ARRAY_EXTENT ? "shape" : "stride",
                            (unsigned)member->dimension);
}

/* ---- Section: text ---- */

static const char *keep(smt_ctx *ctx, tr_text *text)
{
    const char *kept = tr_arena_strdup(smt_arena(ctx), tr_text_get(text));
    tr_text_free(text);
    return kept;
}

static const char *name_of(const contract *c, size_t arg)
{
    return c->args[arg].name;
}

/* "a, b and c" with quotes. */
static void add_names(tr_text *out, const contract *c, size_t n, const size_t *args)
{
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, "%s'%s'", i == 0 ? "" : i + 1 == n ? " and " : ", ", name_of(c, args[i]));
}

/* `value <= value / 16 * 16` holds of multiples of 16 alone. */
static bool asks_for_multiple(smt_ctx *ctx, smt_t most, smt_int *of)
{
    if (!most || most->kind != SMT_SUM || most->n_args != 1 || most->coefs[0] < 2)
        return false;
    *of = most->coefs[0];
    smt_t whole = smt_div(ctx, contract_value(ctx), smt_int_const(ctx, *of));
    return most == smt_scale(ctx, whole, *of);
}

static void add_range(smt_ctx *ctx, tr_text *out, const contract_contents *contents,
                      const char *name)
{
    smt_int low, high;
    tr_text_addf(out, "every element of '%s' is ", name);
    if (contents->min && contents->max && smt_is_const(contents->min, &low) &&
        smt_is_const(contents->max, &high) && low == high) {
        tr_text_addf(out, "%lld at launch", (long long)low);
        return;
    }
    if (contents->min)
        tr_text_addf(out, "at least %s%s", contract_term_text(ctx, contents->min),
                     contents->max ? " and " : "");
    if (!contents->max)
        return;
    smt_int of;
    if (asks_for_multiple(ctx, contents->max, &of))
        tr_text_addf(out, "a multiple of %lld", (long long)of);
    else if (smt_contains(contents->max, contract_value(ctx)))
        tr_text_addf(out, "at most %s", contract_term_text(ctx, contents->max));
    else
        tr_text_addf(out, "below %s",
                     contract_term_text(ctx, smt_add(ctx, contents->max, smt_int_const(ctx, 1))));
}

static void add_unique(smt_ctx *ctx, tr_text *out, const contract *c, const precondition *p)
{
    if (p->n_args > 1) {
        tr_text_add(out, "no two indices have equal elements in ");
        add_names(out, c, p->n_args, p->args);
        tr_text_add(out, " together");
    } else {
        tr_text_addf(out, "no two elements of '%s' are equal", name_of(c, p->subject.arg));
    }
    if (p->contents.unique_when)
        tr_text_addf(out, ", among those with %s",
                     contract_term_text(ctx, p->contents.unique_when));
}

/* What a precondition says about the elements of one buffer, in one clause a fact. */
static void add_contents(smt_ctx *ctx, tr_text *out, const contract *c, const precondition *p)
{
    const contract_contents *known = &p->contents;
    const char *name = name_of(c, p->subject.arg), *between = "";
    if (known->unique) {
        add_unique(ctx, out, c, p);
        between = "; ";
    }
    if (known->min || known->max) {
        tr_text_add(out, between);
        add_range(ctx, out, known, name);
        between = "; ";
    }
    if (known->prefix_sum_of >= 0) {
        tr_text_addf(out, "%s'%s' holds the exclusive prefix sum of '%s'", between, name,
                     name_of(c, (size_t)known->prefix_sum_of));
        between = "; ";
    } else if (known->increasing) {
        tr_text_addf(out, "%sthe elements of '%s' do not decrease", between, name);
        between = "; ";
    }
    if (p->kind == PRECONDITION_STALE_SYNCHRONISATION)
        tr_text_add(out, ", also at the next one: the kernel leaves other values behind");
    if (known->regions)
        tr_text_addf(out, "%seach pointer in '%s' addresses %s bytes of its own", between, name,
                     contract_term_text(ctx, known->regions));
}

static void add_buffers(tr_text *out, const contract *c, const precondition *p)
{
    if (p->n_args == 1)
        tr_text_addf(out, "'%s' overlaps no other buffer", name_of(c, p->args[0]));
    else
        add_names(out, c, p->n_args, p->args);
    if (p->n_args > 1)
        tr_text_add(out, " do not overlap");
}

static void add_words(smt_ctx *ctx, tr_text *out, const precondition *p)
{
    tr_text_add(out, p->words ? p->words : precondition_summary(p->kind));
    if (p->about)
        tr_text_addf(out, ": %s", contract_term_text(ctx, p->about));
}

static void add_text(smt_ctx *ctx, tr_text *out, const contract *c, const precondition *p)
{
    if (p->kind == PRECONDITION_GRID_AXIS && p->subject.kind != PRECONDITION_OF_GRID)
        tr_text_add(out, "the grid has a single tile block");
    else if (p->kind == PRECONDITION_GRID_AXIS)
        tr_text_addf(out, "%s is 1: the kernel never reads that axis", grid_names[p->subject.axis]);
    else if (p->kind == PRECONDITION_SPECIALISED_LAUNCH && p->term)
        tr_text_addf(out, "%s: the kernel was compiled for such launches",
                     contract_term_text(ctx, p->term));
    else if (p->term)
        tr_text_add(out, contract_term_text(ctx, p->term));
    else if (p->of_contents)
        add_contents(ctx, out, c, p);
    else if (p->elements)
        tr_text_addf(out, "'%s' holds at least %s elements", name_of(c, p->subject.arg),
                     contract_term_text(ctx, p->elements));
    else if (p->bytes)
        tr_text_addf(out, "'%s' holds at least %s bytes", name_of(c, p->subject.arg),
                     contract_term_text(ctx, p->bytes));
    else if (p->n_args)
        add_buffers(out, c, p);
    else
        add_words(ctx, out, p);
}

const char *precondition_text(smt_ctx *ctx, const contract *c, const precondition *p)
{
    tr_text text = {0};
    add_text(ctx, &text, c, p);
    return keep(ctx, &text);
}

enum { LINE = 100, SHOWN = 60 }; /* columns of a text that fits, and of one that was cut */

static void add_variables(smt_ctx *ctx, tr_text *out, const contract *c, smt_t term)
{
    enum { MOST = 4 };
    const char *names[MOST];
    size_t n = 0;
    for (size_t i = 0; i < c->n_args && n < MOST; i++)
        if (c->args[i].kind == CONTRACT_SCALAR && smt_contains(term, contract_param(ctx, c, i)))
            names[n++] = c->args[i].name;
    for (int axis = 0; axis < 3 && n < MOST; axis++)
        if (smt_contains(term, contract_grid(ctx, axis)))
            names[n++] = grid_names[axis];
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, "%s%s", i == 0 ? " of " : i + 1 == n ? " and " : ", ", names[i]);
}

/* Words name the value, so that the formula can be left out. */
static const char *words_alone(const precondition *p)
{
    return !p->term && !p->of_contents && !p->elements && !p->bytes && !p->n_args ? p->words : NULL;
}

const char *precondition_brief(smt_ctx *ctx, const contract *c, const precondition *p)
{
    if (words_alone(p))
        return p->words;
    const char *whole = precondition_text(ctx, c, p);
    size_t length = strlen(whole);
    if (length <= LINE)
        return whole;
    size_t shown = SHOWN;
    while (shown > 0 && whole[shown] != ' ')
        shown--;
    tr_text text = {0};
    tr_text_addf(&text, "a condition");
    if (p->term)
        add_variables(ctx, &text, c, p->term);
    tr_text_addf(&text, " (%zu characters, whole under --verbose and in JSON): %.*s ...", length,
                 (int)(shown ? shown : SHOWN), whole);
    return keep(ctx, &text);
}

/* ---- Section: the term ---- */

const char *precondition_term(smt_ctx *ctx, const contract *c, const precondition *p)
{
    (void)c;
    smt_t value = contract_value(ctx);
    const contract_contents *known = &p->contents;
    if (p->term)
        return contract_term_text(ctx, p->term);
    if (!p->of_contents || (!known->min && !known->max))
        return NULL;
    const char *low = known->min ? contract_term_text(ctx, smt_le(ctx, known->min, value)) : "";
    const char *high = known->max ? contract_term_text(ctx, smt_le(ctx, value, known->max)) : "";
    return tr_arena_printf(smt_arena(ctx), "%s%s%s", low, *low && *high ? " && " : "", high);
}

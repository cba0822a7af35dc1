/* Which preconditions of the verdict a concrete launch breaks. A race in such a launch denies
 * nothing that was proved. */
#include "driver/run_report.h"

#include <string.h>

#include "base/ds.h"

typedef enum keeping { KEPT, BROKEN, NOT_KNOWN } keeping;

typedef struct judged { /* a launch, seen with the contract that the verdict is about */
    smt_ctx *ctx;
    const contract *contract;
    const ir_function *kernel;
    const interp_launch *launch;
    const interp_run *run;
    smt_int value, index; /* of the element that a fact on contents is asked of */
    bool has_element;
} judged;

/* ---- Section: Terms ---- */

static int buffer_of(const judged *j, size_t arg)
{
    return arg < j->launch->n_args ? j->launch->args[arg].buffer : -1;
}

typedef struct elements { /* those that a pointer argument addresses */
    const interp_buffer *buffer;
    int64_t start;
    size_t width, n;
    bool known;
} elements;

enum { MOST_COMPARED = 4096 };

static elements elements_of(const judged *j, size_t arg)
{
    elements e = {0};
    int buffer = buffer_of(j, arg);
    const ir_type *type = j->kernel->body->args[arg]->type->elem;
    if (buffer < 0 || type->kind != IR_POINTER || !ir_type_is_int(type->elem))
        return e;
    e.buffer = &j->launch->buffers[buffer];
    e.width = (size_t)ir_type_bytes(type->elem);
    e.start = j->launch->args[arg].value;
    int64_t bytes = e.buffer->data && e.buffer->data_bytes ? e.buffer->data_bytes : e.buffer->bytes;
    e.n = bytes > e.start ? (size_t)(bytes - e.start) / e.width : 0;
    e.known = !e.buffer->opaque && !e.buffer->known && e.buffer->n_pokes == 0;
    return e;
}

static smt_int element_at(const elements *e, size_t i)
{
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * e->width - 1);
    if (e->buffer->data)
        memcpy(&bits, e->buffer->data + e->start + (int64_t)(i * e->width), e->width);
    return (int64_t)((bits ^ sign) - sign);
}

/* An element at launch of a buffer that the kernel only reads: `name@launch.bits`. */
static bool look_up_element(const judged *j, smt_t element, smt_int index, smt_int *value)
{
    const char *at = strchr(element->name, '@');
    for (size_t i = 0; i < j->contract->n_args && at; i++) {
        const contract_arg *arg = &j->contract->args[i];
        const char *name = contract_buffer_of(arg);
        if (arg->kind != CONTRACT_POINTER || strlen(name) != (size_t)(at - element->name) ||
            strncmp(name, element->name, strlen(name)) != 0)
            continue;
        elements e = elements_of(j, i);
        if (!e.known || e.start != 0 || index < 0 || index >= (smt_int)e.n)
            return false;
        *value = element_at(&e, (size_t)index);
        return *value >= element->low && *value <= element->high;
    }
    return false;
}

static bool look_up(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    judged *j = user;
    interp_launch_values values = {j->ctx, j->contract, j->launch};
    if (j->has_element && variable == contract_value(j->ctx))
        *value = j->value;
    else if (j->has_element && variable == contract_index(j->ctx))
        *value = j->index;
    else if (variable->kind == SMT_APP && n_args == 1)
        return look_up_element(j, variable, args[0], value);
    else
        return interp_launch_lookup(&values, variable, n_args, args, value);
    return true;
}

static keeping truth_of(judged *j, smt_t term)
{
    smt_int value;
    return !smt_eval(term, look_up, j, &value) ? NOT_KNOWN : value ? KEPT : BROKEN;
}

static keeping worse(keeping a, keeping b)
{
    return a == BROKEN || b == BROKEN         ? BROKEN
           : a == NOT_KNOWN || b == NOT_KNOWN ? NOT_KNOWN
                                              : KEPT;
}

/* ---- Section: Buffers ---- */

static keeping are_distinct(const judged *j, size_t n, const size_t *args)
{
    for (size_t i = 0; i < n; i++)
        for (size_t other = 0; other < j->launch->n_args; other++)
            if (other != args[i] && buffer_of(j, args[i]) >= 0 &&
                buffer_of(j, args[i]) == buffer_of(j, other) &&
                !j->contract->args[other].buffer_stated)
                return BROKEN;
    return KEPT;
}

static keeping is_as_large(judged *j, size_t arg, smt_t size, smt_int unit)
{
    smt_int wanted;
    int buffer = buffer_of(j, arg);
    if (buffer < 0 || !smt_eval(size, look_up, j, &wanted))
        return NOT_KNOWN;
    const interp_buffer *b = &j->launch->buffers[buffer];
    if (b->unbounded)
        return KEPT;
    return wanted * unit <= b->bytes - j->launch->args[arg].value ? KEPT : BROKEN;
}

/* ---- Section: Contents ---- */

static keeping bounds_hold(judged *j, const elements *e, const contract_contents *facts, size_t i)
{
    keeping all = KEPT;
    j->has_element = true;
    j->value = element_at(e, i);
    j->index = (smt_int)i;
    smt_t value = contract_value(j->ctx);
    if (facts->min)
        all = worse(all, truth_of(j, smt_le(j->ctx, facts->min, value)));
    if (facts->max)
        all = worse(all, truth_of(j, smt_le(j->ctx, value, facts->max)));
    j->has_element = false;
    return all;
}

/* Is the element among those that have to differ? */
static keeping counts(judged *j, const elements *e, const contract_contents *facts, size_t i)
{
    if (!facts->unique_when)
        return KEPT;
    j->has_element = true;
    j->value = element_at(e, i);
    j->index = (smt_int)i;
    keeping when = truth_of(j, facts->unique_when);
    j->has_element = false;
    return when;
}

static bool are_equal(judged *j, const precondition *p, const elements *first, size_t i, size_t k)
{
    bool same = element_at(first, i) == element_at(first, k);
    for (size_t a = 0; a < p->n_args && same; a++) {
        elements other = elements_of(j, p->args[a]);
        same = i < other.n && element_at(&other, i) == element_at(&other, k);
    }
    return same;
}

static keeping are_unique(judged *j, const precondition *p, const elements *first)
{
    size_t n = first->n < MOST_COMPARED ? first->n : MOST_COMPARED;
    keeping all = n < first->n ? NOT_KNOWN : KEPT;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            if (!are_equal(j, p, first, i, k))
                continue;
            keeping one = counts(j, first, &p->contents, i);
            keeping other = counts(j, first, &p->contents, k);
            if (one == KEPT && other == KEPT)
                return BROKEN;
            if (one != BROKEN && other != BROKEN)
                all = NOT_KNOWN;
        }
    return all;
}

static keeping contents_hold(judged *j, const precondition *p)
{
    elements e = elements_of(j, p->subject.arg);
    const contract_contents *facts = &p->contents;
    if (!e.known || facts->regions || facts->prefix_sum_of >= 0)
        return NOT_KNOWN;
    keeping all = facts->unique || facts->unique_when ? are_unique(j, p, &e) : KEPT;
    for (size_t i = 0; i < e.n && all != BROKEN; i++) {
        all = worse(all, bounds_hold(j, &e, facts, i));
        if (facts->increasing && i && element_at(&e, i) < element_at(&e, i - 1))
            all = BROKEN;
    }
    return all;
}

/* ---- Section: What is said in words ---- */

/* The undefined behaviour that such a precondition excludes. */
static bool excludes(precondition_kind kind, interp_ub_kind met)
{
    static const struct {
        precondition_kind kind;
        interp_ub_kind met;
    } pairs[] = {
        {PRECONDITION_INDEX_IN_SPACE, INTERP_UB_INDEX_SPACE},
        {PRECONDITION_INDEX_IN_SPACE, INTERP_UB_SLICE},
        {PRECONDITION_IN_BOUNDS, INTERP_UB_OUT_OF_BUFFER},
        {PRECONDITION_IN_BOUNDS, INTERP_UB_CLAIM},
        {PRECONDITION_NO_WRAP, INTERP_UB_WRAP},
        {PRECONDITION_NO_WRAP, INTERP_UB_DIVISION}, /* a shift */
        {PRECONDITION_POSITIVE_DIVISOR, INTERP_UB_DIVISION},
        {PRECONDITION_KERNEL_ASSUME, INTERP_UB_ASSUME},
    };
    for (size_t i = 0; i < TR_COUNT(pairs); i++)
        if (pairs[i].kind == kind && pairs[i].met == met)
            return true;
    return false;
}

static keeping words_hold(const judged *j, const precondition *p)
{
    const interp_ub *met;
    size_t n = interp_ubs(j->run, &met);
    for (size_t i = 0; i < n; i++)
        if (excludes(p->kind, met[i].kind))
            return BROKEN;
    /* Each run begins with the contents that the contract asks for: it is no second launch. */
    bool kept =
        p->class_ == PRECONDITION_CLASS_LAUNCH || p->kind == PRECONDITION_STALE_SYNCHRONISATION;
    return kept ? KEPT : NOT_KNOWN;
}

static keeping holds(judged *j, const precondition *p)
{
    if (p->kind == PRECONDITION_DISTINCT_BUFFERS)
        return are_distinct(j, p->n_args, p->args);
    if (p->term)
        return truth_of(j, p->term);
    if (p->of_contents)
        return contents_hold(j, p);
    if (p->elements || p->bytes) {
        const ir_type *elem = j->kernel->body->args[p->subject.arg]->type->elem;
        smt_int width = elem->kind == IR_POINTER ? ir_type_bytes(elem->elem) : 1;
        return is_as_large(j, p->subject.arg, p->elements ? p->elements : p->bytes,
                           p->elements ? width : 1);
    }
    return words_hold(j, p);
}

/* ---- Section: What the checker reports anyway ---- */

/* Undefined behaviour of the run that the checker reports as an error of its own. */
static const finding *reported_undefined(const kernel_report *report, const interp_ub *met)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!rule_is_race(f->rule) && f->level == LEVEL_ERROR && f->n_locations > 0 &&
            f->locations[0].op_ordinal == met->op->ordinal)
            return f;
    }
    return NULL;
}

static void add(tr_arena *arena, run_broken **list, const char *kind, const char *text,
                bool reported)
{
    for (size_t i = 0; i < arrlenu(*list); i++)
        if (strcmp((*list)[i].text, text) == 0)
            return;
    arrput(*list, ((run_broken){.kind = tr_arena_strdup(arena, kind),
                                .text = tr_arena_strdup(arena, text),
                                .reported = reported}));
}

size_t run_broken_preconditions(const run_target *t, const interp_launch *launch,
                                const interp_run *run, const run_broken **broken,
                                const char **undecided)
{
    tr_arena *arena = t->s->arena;
    const kernel_report *report = t->report;
    run_broken *list = NULL;
    *broken = NULL;
    *undecided = NULL;
    if (!report)
        return 0;
    judged j = {.ctx = t->checked->ctx,
                .contract = t->checked_kernel->contract,
                .kernel = t->checked_kernel->function,
                .launch = launch,
                .run = run};
    for (size_t i = 0; i < report->n_requires; i++) {
        const require *r = &report->requires_[i];
        keeping kept = holds(&j, &r->what);
        if (kept == BROKEN)
            add(arena, &list, precondition_name(r->what.kind), r->text, false);
        else if (kept == NOT_KNOWN && !*undecided)
            *undecided = tr_arena_strdup(arena, r->text);
    }
    const interp_ub *met;
    size_t n_met = interp_ubs(run, &met), n;
    for (size_t i = 0; i < n_met; i++) {
        const finding *f = reported_undefined(report, &met[i]);
        if (f)
            add(arena, &list, rule_info_of(f->rule)->name, f->message, true);
    }
    n = arrlenu(list);
    *broken = n ? tr_arena_copy(arena, list, n * sizeof *list) : NULL;
    arrfree(list);
    return n;
}

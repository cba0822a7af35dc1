/* Is a launch one that the verdict's preconditions admit? */
#include "compare.h"

#include "launch/private.h"

typedef struct table { /* an integer buffer's contents at launch, from an argument's pointer on */
    const unsigned char *data;
    int64_t n;
    int width;
} table;

bool compare_proved(verdict_kind verdict)
{
    return verdict == VERDICT_RACE_FREE || verdict == VERDICT_CONDITIONAL;
}

bool compare_kept_anyway(const require *r)
{
    return r->what.class_ == PRECONDITION_CLASS_STANDING &&
           (r->what.kind == PRECONDITION_DISTINCT_BUFFERS ||
            r->what.kind == PRECONDITION_GRID_AXIS);
}

static table table_of(const sample *s, const concrete_launch *launch, size_t arg)
{
    table t = {0};
    const ir_type *elem = s->kernel->body->args[arg]->type->elem;
    int number = launch->args[arg].buffer;
    if (elem->kind != IR_POINTER || !ir_type_is_int(elem->elem) || number < 0 ||
        launch->args[arg].value != 0)
        return t;
    t.width = ir_type_bytes(elem->elem);
    t.data = launch->buffers[number].data;
    t.n = t.data && t.width <= 8 ? launch->buffers[number].data_bytes / t.width : 0;
    return t;
}

static int64_t at(const table *t, int64_t i)
{
    int64_t value = 0;
    int unused = 64 - 8 * t->width;
    memcpy(&value, t->data + i * t->width, (size_t)t->width);
    return (int64_t)((uint64_t)value << unused) >> unused;
}

static bool says(binding *b, smt_t term, const table *t, int64_t i, int64_t *value)
{
    b->has_element = true;
    b->value_now = at(t, i);
    b->index_now = i;
    return binding_eval(b, term, value);
}

/* Elements i and k agree in all buffers of the fact, and both count for it. */
static bool repeats(binding *b, const sample *s, const concrete_launch *launch,
                    const precondition *p, const table *t, int64_t i, int64_t k)
{
    int64_t first = 1, second = 1;
    smt_t when = p->contents.unique_when;
    if (at(t, i) != at(t, k) ||
        (when && (!says(b, when, t, i, &first) || !says(b, when, t, k, &second))))
        return false;
    for (size_t a = 0; a < p->n_args; a++) {
        table other = table_of(s, launch, p->args[a]);
        if (i >= other.n || k >= other.n || at(&other, i) != at(&other, k))
            return false;
    }
    return first && second;
}

static bool contents_meet(binding *b, const sample *s, const concrete_launch *launch,
                          const precondition *p)
{
    const contract_contents *facts = &p->contents;
    table t = table_of(s, launch, p->subject.arg);
    if (!t.data || facts->regions || facts->prefix_sum_of >= 0)
        return false; /* left out: nothing here says that they hold */
    for (int64_t i = 0; i < t.n; i++) {
        int64_t low = at(&t, i), high = low;
        if ((facts->min && (!says(b, facts->min, &t, i, &low) || at(&t, i) < low)) ||
            (facts->max && (!says(b, facts->max, &t, i, &high) || at(&t, i) > high)) ||
            (facts->increasing && i && at(&t, i - 1) > at(&t, i)))
            return false;
        for (int64_t k = 0; k < i && facts->unique; k++)
            if (repeats(b, s, launch, p, &t, i, k))
                return false;
    }
    return true;
}

/* Some preconditions are sentences about an op: whether it keeps to them is seen in a run. */
static bool is_shown_by_runs(precondition_kind kind, const char *text)
{
    return !strchr(text, '[') && /* of an element of a table */
           (kind == PRECONDITION_INDEX_IN_SPACE || kind == PRECONDITION_IN_BOUNDS ||
            kind == PRECONDITION_NO_WRAP || kind == PRECONDITION_POSITIVE_DIVISOR);
}

/* Words that are 0 at launch: all launches here are first ones, so nothing else is asked of them.
 */
static bool all_zero(const sample *s, const concrete_launch *launch, size_t arg)
{
    table t = table_of(s, launch, arg);
    bool zero = t.data != NULL;
    for (int64_t i = 0; i < t.n; i++)
        zero &= at(&t, i) == 0;
    return zero;
}

static bool meets(binding *b, const sample *s, const concrete_launch *launch, const require *r,
                  verdict_kind verdict)
{
    int64_t holds;
    if (r->what.kind == PRECONDITION_STALE_SYNCHRONISATION)
        return r->subject.kind == PRECONDITION_OF_BUFFER && all_zero(s, launch, r->subject.arg);
    if (r->what.of_contents)
        return contents_meet(b, s, launch, &r->what);
    if (r->what.term && binding_eval(b, r->what.term, &holds))
        return holds != 0;
    /* No run shows that an extent is negative: it is read as a huge one. A race that it alone
     * keeps out of the report is looked at by hand. */
    bool extent = strstr(r->text, "an extent or a stride") != NULL && verdict == VERDICT_RACE;
    return !extent && is_shown_by_runs(r->what.kind, r->text);
}

bool compare_meets(tr_arena *arena, smt_ctx *ctx, const sample *s, const kernel_report *report,
                   const concrete_launch *launch)
{
    int64_t scalars[MAX_ARGS] = {0};
    for (size_t i = 0; i < launch->n_args; i++)
        scalars[i] = launch->args[i].value;
    binding b = binding_make(arena, ctx, s->contract, scalars);
    memcpy(b.grid_values, launch->grid, sizeof b.grid_values);
    for (size_t i = 0; i < report->n_requires; i++) {
        const require *r = &report->requires_[i];
        if (!compare_kept_anyway(r) && !meets(&b, s, launch, r, report->verdict))
            return false;
    }
    return true;
}

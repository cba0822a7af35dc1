#include "facts.h"

#include "base/ds.h"
#include "interp/interp.h"

/* ---- What a launch fulfils ---- */

static void add(fact **all, fact_kind kind, size_t a, size_t b, int64_t value)
{
    fact made = {kind, a, b, value};
    arrput(*all, made);
}

static void add_scalar(fact **all, size_t a, int64_t value)
{
    int64_t power = 1;
    add(all, FACT_VALUE, a, 0, value);
    add(all, FACT_MIN, a, 0, value);
    add(all, FACT_MAX, a, 0, value);
    while (value > 0 && power < 64 && value % (2 * power) == 0)
        power *= 2;
    if (power > 1)
        add(all, FACT_MULTIPLE, a, 0, power);
}

static void add_pairs(fact **all, const contract *c, const concrete_launch *l)
{
    for (size_t a = 0; a < c->n_args; a++)
        for (size_t b = 0; b < c->n_args; b++) {
            if (a == b || c->args[a].kind != CONTRACT_SCALAR || c->args[b].kind != CONTRACT_SCALAR)
                continue;
            if (l->args[a].value <= l->args[b].value)
                add(all, FACT_ORDER, a, b, 0);
            if (a < b && l->args[a].value == l->args[b].value)
                add(all, FACT_EQUAL, a, b, 0);
        }
}

/* The elements that a run touches, from the argument's pointer on; 0: none. */
static int64_t touched_elements(const ir_function *kernel, const concrete_launch *l, size_t a)
{
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 400000, .events = 200000};
    interp_run *run = interp_execute(kernel, l, &model, &limits, NULL);
    const interp_event *events;
    int64_t end = 0;
    int width = ir_type_bytes(kernel->body->args[a]->type->elem->elem);
    size_t n = interp_run_status(run) == INTERP_DONE ? interp_events(run, &events) : 0;
    for (size_t i = 0; i < n; i++)
        if (events[i].buffer == l->args[a].buffer && events[i].address + 8 > end)
            end = events[i].address + 8;
    interp_run_free(run);
    return (end + width - 1) / width;
}

static int64_t element_of(const interp_buffer *buffer, int width, int64_t i)
{
    int64_t value = 0;
    memcpy(&value, buffer->data + i * width, (size_t)width);
    return width == 8 ? value : value << (64 - 8 * width) >> (64 - 8 * width);
}

static void add_contents(fact **all, const contract_contents *known, const interp_buffer *buffer,
                         size_t a, int width)
{
    int64_t n = buffer->bytes / width, low = INT64_MAX, high = INT64_MIN;
    bool unique = true, increasing = true;
    for (int64_t i = 0; i < n; i++) {
        int64_t v = element_of(buffer, width, i);
        low = v < low ? v : low;
        high = v > high ? v : high;
        increasing &= i == 0 || element_of(buffer, width, i - 1) <= v;
        for (int64_t k = 0; k < i && unique; k++)
            unique = element_of(buffer, width, k) != v;
    }
    if (!known->min)
        add(all, FACT_CONTENT_MIN, a, 0, low);
    if (!known->max)
        add(all, FACT_CONTENT_MAX, a, 0, high);
    if (unique && !known->unique)
        add(all, FACT_UNIQUE, a, 0, 0);
    if (increasing && !known->increasing)
        add(all, FACT_INCREASING, a, 0, 0);
}

static void add_pointer(fact **all, const ir_function *kernel, const contract *c,
                        const concrete_launch *l, size_t a)
{
    const contract_arg *arg = &c->args[a];
    const ir_type *elem = kernel->body->args[a]->type->elem;
    if (l->args[a].buffer < 0 || l->args[a].value != 0 || elem->kind != IR_POINTER)
        return;
    const interp_buffer *buffer = &l->buffers[l->args[a].buffer];
    if (!arg->elements && !arg->buffer_stated) {
        int64_t n = touched_elements(kernel, l, a);
        if (n > 0)
            add(all, FACT_EXTENT, a, 0, n);
    }
    bool known = arg->elements && buffer->data && !buffer->opaque && !buffer->unbounded &&
                 !buffer->n_pokes && !buffer->known && buffer->bytes > 0 && buffer->bytes <= 4096 &&
                 (buffer->data_bytes == 0 || buffer->data_bytes == buffer->bytes);
    if (known && ir_type_is_int(elem->elem))
        add_contents(all, &arg->contents, buffer, a, ir_type_bytes(elem->elem));
}

fact *facts_of(const ir_function *kernel, const contract *c, const concrete_launch *launch,
               size_t most)
{
    fact *all = NULL, *some = NULL;
    for (size_t a = 0; a < c->n_args; a++)
        if (c->args[a].kind == CONTRACT_SCALAR)
            add_scalar(&all, a, launch->args[a].value);
    for (size_t axis = 0; axis < 3; axis++)
        if (!c->grid[axis])
            add(&all, FACT_GRID, axis, 0, launch->grid[axis]);
    for (size_t a = 0; a < c->n_args; a++)
        if (c->args[a].kind == CONTRACT_POINTER)
            add_pointer(&all, kernel, c, launch, a);
    add_pairs(&all, c, launch);
    size_t n = arrlenu(all), step = n > most ? (n + most - 1) / most : 1;
    for (size_t i = 0; i < n; i += step)
        arrput(some, all[i]);
    arrfree(all);
    return some;
}

/* ---- Stating one ---- */

static void add_term(smt_ctx *ctx, contract *c, const fact *f, smt_t term)
{
    tr_text text = {0};
    fact_print(&text, c, f);
    contract_add_fact(c, term, tr_arena_strdup(smt_arena(ctx), tr_text_get(&text)), NULL);
    tr_text_free(&text);
}

void fact_state(smt_ctx *ctx, contract *c, const fact *f)
{
    smt_t value = smt_int_const(ctx, f->value);
    contract_contents *contents = f->kind >= FACT_CONTENT_MIN ? &c->args[f->a].contents : NULL;
    if (c->source == CONTRACT_NONE)
        c->source = CONTRACT_SOURCE;
    switch (f->kind) {
    case FACT_VALUE:
        add_term(ctx, c, f, smt_eq(ctx, contract_param(ctx, c, f->a), value));
        break;
    case FACT_MIN:
        add_term(ctx, c, f, smt_ge(ctx, contract_param(ctx, c, f->a), value));
        break;
    case FACT_MAX:
        add_term(ctx, c, f, smt_le(ctx, contract_param(ctx, c, f->a), value));
        break;
    case FACT_MULTIPLE:
        add_term(
            ctx, c, f,
            smt_eq(ctx, smt_mod(ctx, contract_param(ctx, c, f->a), value), smt_int_const(ctx, 0)));
        break;
    case FACT_EQUAL:
        add_term(ctx, c, f,
                 smt_eq(ctx, contract_param(ctx, c, f->a), contract_param(ctx, c, f->b)));
        break;
    case FACT_ORDER:
        add_term(ctx, c, f,
                 smt_le(ctx, contract_param(ctx, c, f->a), contract_param(ctx, c, f->b)));
        break;
    case FACT_GRID: /* a grid in the contract would leave the axes that it does not name at 1 */
        add_term(ctx, c, f, smt_eq(ctx, contract_grid(ctx, (int)f->a), value));
        break;
    case FACT_EXTENT:
        c->args[f->a].elements = value;
        break;
    case FACT_CONTENT_MIN:
        contents->min = value;
        break;
    case FACT_CONTENT_MAX:
        contents->max = value;
        break;
    case FACT_UNIQUE:
        contents->unique = true;
        contents->unique_when = NULL;
        break;
    case FACT_INCREASING:
        contents->increasing = true;
        break;
    }
}

/* ---- Checking a witness ---- */

static int64_t param_of(const witness *w, const char *name)
{
    for (size_t i = 0; i < w->n_params; i++)
        if (strcmp(w->params[i].name, name) == 0)
            return w->params[i].value;
    return 0;
}

static bool contents_hold(const fact *f, const witness_contents *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        int64_t v = shown->values[i];
        if ((f->kind == FACT_CONTENT_MIN && v < f->value) ||
            (f->kind == FACT_CONTENT_MAX && v > f->value) ||
            (f->kind == FACT_INCREASING && i && shown->values[i - 1] > v))
            return false;
        for (size_t k = 0; k < i && f->kind == FACT_UNIQUE; k++)
            if (shown->values[k] == v)
                return false;
    }
    return true;
}

bool fact_holds(const contract *c, const fact *f, const witness *w)
{
    if (f->kind == FACT_GRID)
        return w->grid[f->a] == f->value;
    int64_t a = param_of(w, c->args[f->a].name);
    switch (f->kind) {
    case FACT_VALUE:
        return a == f->value;
    case FACT_MIN:
        return a >= f->value;
    case FACT_MAX:
        return a <= f->value;
    case FACT_MULTIPLE:
        return a % f->value == 0;
    case FACT_EQUAL:
        return a == param_of(w, c->args[f->b].name);
    case FACT_ORDER:
        return a <= param_of(w, c->args[f->b].name);
    case FACT_EXTENT: /* an event beyond it would be an access outside */
        return true;
    default:
        break;
    }
    for (size_t i = 0; i < w->n_contents; i++)
        if (strcmp(w->contents[i].buffer, c->args[f->a].buffer) == 0 &&
            !contents_hold(f, &w->contents[i]))
            return false;
    return true;
}

void fact_print(tr_text *out, const contract *c, const fact *f)
{
    const char *a = f->kind == FACT_GRID ? "" : c->args[f->a].name;
    long long value = (long long)f->value;
    switch (f->kind) {
    case FACT_VALUE:
        tr_text_addf(out, "%s == %lld", a, value);
        break;
    case FACT_MIN:
        tr_text_addf(out, "%s >= %lld", a, value);
        break;
    case FACT_MAX:
        tr_text_addf(out, "%s <= %lld", a, value);
        break;
    case FACT_MULTIPLE:
        tr_text_addf(out, "%s %% %lld == 0", a, value);
        break;
    case FACT_EQUAL:
        tr_text_addf(out, "%s == %s", a, c->args[f->b].name);
        break;
    case FACT_ORDER:
        tr_text_addf(out, "%s <= %s", a, c->args[f->b].name);
        break;
    case FACT_GRID:
        tr_text_addf(out, "grid.%c is %lld", (int)('x' + f->a), value);
        break;
    case FACT_EXTENT:
        tr_text_addf(out, "%s has %lld elements", a, value);
        break;
    case FACT_CONTENT_MIN:
        tr_text_addf(out, "elements of %s are at least %lld", a, value);
        break;
    case FACT_CONTENT_MAX:
        tr_text_addf(out, "elements of %s are at most %lld", a, value);
        break;
    case FACT_UNIQUE:
        tr_text_addf(out, "elements of %s are unique", a);
        break;
    case FACT_INCREASING:
        tr_text_addf(out, "elements of %s do not decrease", a);
        break;
    }
}

/* The kernel's parameters, its contract and its frame. */
#include "generate_private.h"

#include "base/ds.h"
#include "launch/from_contract.h"

enum { FEW_BLOCKS = 12 };

typedef struct parameters {
    size_t n;
    const ir_type *types[MAX_ARGS];
    int n_scalars;
    bool stated;                 /* is there a contract at all? */
    ir_type_kind elem[MAX_ARGS]; /* of what pointers point to */
    bool open;                   /* the contract leaves a scalar or the grid open */
    bool related;                /* the contract's last fact relates two scalars */
    size_t index;                /* the index buffer's number; 0: there is none */
} parameters;

static smt_t param(generator *g, size_t i)
{
    return contract_param(g->ctx, g->s->contract, i);
}

static smt_t integer(generator *g, int64_t value)
{
    return smt_int_const(g->ctx, value);
}

/* ---- Scalars ---- */

static void add_fact(generator *g, smt_t fact)
{
    tr_text text = {0};
    smt_print_c(&text, fact);
    contract_add_fact(g->s->contract, fact, tr_arena_strdup(smt_arena(g->ctx), tr_text_get(&text)),
                      NULL);
    tr_text_free(&text);
}

static void bound_scalar(generator *g, parameters *p, size_t i)
{
    static const int64_t lows[] = {1, 0, 2, -2}, reaches[] = {2, 3, 5};
    sample *s = g->s;
    contract_arg *arg = &s->contract->args[i];
    arg->kind = CONTRACT_SCALAR;
    arg->bits = ir_type_bits(ir_type_scalar(g->b.module, g->elem));
    arg->is_signed = !chance(g->c, 12);
    int64_t low = i == 0 ? 1 : lows[choose(g->c, arg->is_signed ? 4 : 3)];
    s->low[i] = low;
    s->high[i] = low + reaches[choose(g->c, 3)];
    if (arg->bits == 8 && chance(g->c, 30)) {
        s->high[i] = arg->is_signed ? 127 : 255;
        s->low[i] = s->high[i] - 3;
    }
    bool open = !p->stated || chance(g->c, 5);
    p->open |= open;
    if (open)
        return;
    add_fact(g, smt_ge(g->ctx, param(g, i), integer(g, s->low[i])));
    add_fact(g, smt_le(g->ctx, param(g, i), integer(g, s->high[i])));
}

static void relate_scalars(generator *g, parameters *p)
{
    smt_ctx *ctx = g->ctx;
    if (!p->stated || !chance(g->c, 25))
        return;
    p->related = true;
    g->s->traits |= 1u << TRAIT_RELATED;
    size_t a = choose(g->c, (uint32_t)p->n_scalars), b = choose(g->c, (uint32_t)p->n_scalars);
    smt_t x = param(g, a), y = param(g, b);
    switch (choose(g->c, 4)) {
    case 0:
        add_fact(g, smt_eq(ctx, smt_mod(ctx, x, integer(g, 2)), integer(g, 0)));
        break;
    case 1:
        add_fact(g, a == b ? smt_ge(ctx, x, integer(g, 2)) : smt_le(ctx, x, y));
        break;
    case 2:
        add_fact(g, a == b ? smt_ne(ctx, x, integer(g, 2)) : smt_lt(ctx, x, y));
        break;
    default:
        add_fact(g, a == b ? smt_le(ctx, x, integer(g, 3))
                           : smt_eq(ctx, x, smt_add(ctx, y, integer(g, 1))));
    }
}

static smt_t any_term(generator *g, const parameters *p)
{
    smt_t x = param(g, choose(g->c, (uint32_t)p->n_scalars));
    smt_t y = param(g, choose(g->c, (uint32_t)p->n_scalars));
    switch (choose(g->c, 6)) {
    case 0:
        return integer(g, choose_between(g->c, 2, 4));
    case 1:
        return x;
    case 2:
        return smt_add(g->ctx, x, integer(g, 1));
    case 3:
        return smt_div_ceil(g->ctx, x, integer(g, 2));
    case 4:
        return smt_scale(g->ctx, x, 2);
    default:
        return smt_mul(g->ctx, x, y);
    }
}

static void state_grid(generator *g, parameters *p)
{
    if (!p->stated || chance(g->c, 15)) {
        p->open = true;
        return;
    }
    int axes = 1 + (int)choose(g->c, 2);
    if (axes == 2 && chance(g->c, 20))
        axes = 3;
    for (int axis = 0; axis < axes; axis++)
        g->s->contract->grid[axis] = axis && chance(g->c, 20) ? integer(g, 1) : any_term(g, p);
}

static bool can_launch(generator *g, const int64_t *scalars)
{
    int64_t grid[3] = {1, 1, 1};
    for (int axis = 0; axis < 3; axis++)
        grid[axis] = g->s->contract->grid[axis] ? 0 : 1;
    return concrete_launch_holds(g->ctx, g->s->contract, scalars, grid) &&
           grid[0] * grid[1] * grid[2] <= FEW_BLOCKS;
}

static bool has_launch(generator *g, const parameters *p)
{
    int64_t scalars[MAX_ARGS] = {0};
    size_t total = 1;
    for (int i = 0; i < p->n_scalars; i++)
        total *= (size_t)(g->s->high[i] - g->s->low[i] + 1);
    for (size_t k = 0; k < total; k++) {
        size_t rest = k;
        for (int i = 0; i < p->n_scalars; i++) {
            size_t n = (size_t)(g->s->high[i] - g->s->low[i] + 1);
            scalars[i] = g->s->low[i] + (int64_t)(rest % n);
            rest /= n;
        }
        if (can_launch(g, scalars))
            return true;
    }
    return false;
}

/* A contract that no launch of a few blocks meets says nothing of the checker: then the relation of
 * two parameters goes, and the grid is one that every launch has. */
static void leave_a_launch(generator *g, const parameters *p)
{
    contract *c = g->s->contract;
    if (has_launch(g, p))
        return;
    if (p->related)
        (void)arrpop(c->facts);
    g->s->traits &= ~(1u << TRAIT_RELATED);
    for (int axis = 0; axis < 3 && !has_launch(g, p); axis++)
        if (c->grid[axis])
            c->grid[axis] = integer(g, 2);
}

/* ---- Pointers ---- */

static smt_t any_length(generator *g, const parameters *p)
{
    if (chance(g->c, 60))
        return integer(g, (int64_t)8 << choose(g->c, 3));
    return smt_scale(g->ctx, any_term(g, p), choose_between(g->c, 2, 8));
}

static void state_buffer(generator *g, const parameters *p, size_t i)
{
    static const char *const names[] = {"p", "q", "r", "idx"};
    contract_arg *arg = &g->s->contract->args[i];
    size_t number = i - (size_t)p->n_scalars;
    arg->kind = CONTRACT_POINTER;
    arg->name = i == p->index ? names[3] : names[number];
    arg->buffer = arg->name;
    if (p->stated && chance(g->c, 40))
        arg->elements = any_length(g, p);
    if (number == 0 || !p->stated || (i == p->index && !chance(g->c, 5)) || !chance(g->c, 15))
        return;
    contract_arg *other = &g->s->contract->args[p->n_scalars];
    arg->buffer = other->buffer;
    arg->buffer_stated = other->buffer_stated = true;
    g->s->open_offset[i] = !chance(g->c, 80);
    if (!g->s->open_offset[i])
        arg->offset = chance(g->c, 40) ? any_term(g, p) : integer(g, choose_between(g->c, 0, 8));
    if (!other->offset)
        other->offset = integer(g, chance(g->c, 30) ? choose_between(g->c, 0, 4) : 0);
}

static void state_contents(generator *g, const parameters *p)
{
    contract_arg *arg = &g->s->contract->args[p->index];
    contract_contents *facts = &arg->contents;
    if (!p->stated)
        return;
    int64_t length = choose_between(g->c, 3, 8);
    arg->elements = chance(g->c, 20) ? any_term(g, p) : integer(g, length);
    unsigned known = choose(g->c, 8);
    if (known & 1 || chance(g->c, 60)) {
        facts->min = integer(g, 0);
        facts->max = chance(g->c, 30) ? any_term(g, p) : integer(g, length - 1 + choose(g->c, 3));
    }
    facts->unique = known & 2;
    facts->increasing = known & 4;
    if (facts->unique && chance(g->c, 15))
        facts->unique_when = smt_lt(g->ctx, contract_value(g->ctx), integer(g, 2));
}

/* ---- The frame ---- */

static parameters choose_parameters(generator *g)
{
    static const ir_type_kind elems[] = {IR_F32, IR_F32, IR_I32, IR_I32, IR_I8, IR_I16};
    parameters p = {0};
    ir_module *m = g->b.module;
    p.stated = !chance(g->c, 8);
    p.n_scalars = 1 + (int)choose(g->c, 3);
    for (int i = 0; i < p.n_scalars; i++)
        p.types[p.n++] = tile_of(&g->b, g->elem, 0, NULL);
    size_t pointers = 1 + choose(g->c, 3);
    bool indexed = chance(g->c, 30);
    for (size_t i = 0; i < pointers + indexed; i++) {
        if (i == pointers)
            p.index = p.n;
        ir_type_kind elem = i == pointers ? IR_I32 : elems[choose(g->c, 6)];
        p.elem[p.n] = elem;
        const ir_type *pointer = ir_type_pointer(m, ir_type_scalar(m, elem));
        p.types[p.n++] = ir_type_tile(m, pointer, 0, NULL);
    }
    return p;
}

/* Memory that no argument names: a block's own, or one for the whole module. */
static void add_own_memory(generator *g)
{
    static const int64_t shape[] = {8};
    static const unsigned char zero[32];
    ir_module *m = g->b.module;
    const ir_type *elem = ir_type_scalar(m, IR_I32);
    const ir_type *pointer = ir_type_tile(m, ir_type_pointer(m, elem), 0, NULL);
    if (chance(g->c, 6)) {
        ir_op *op = ir_build(&g->b, IR_OP_ALLOCA, NULL, 1, &pointer, NULL);
        ir_set_int(op, IR_AT_ALLOCA_num_elem, shape[0]);
        ir_set_int(op, IR_AT_ALLOCA_alignment, 16);
        g->buffers[g->in.n_buffers++] = (buffer){&op->results[0], IR_I32, false};
        g->s->own_memory = true;
    }
    if (chance(g->c, 6)) {
        ir_global *memory = TR_NEW(m->arena, ir_global);
        memory->name = "memory";
        memory->value = (ir_attr){.kind = IR_ATTR_DENSE,
                                  .type = ir_type_tile(m, elem, 1, shape),
                                  .bytes = zero,
                                  .n_bytes = sizeof zero};
        m->globals = m->last_global = memory;
        ir_op *op = ir_build(&g->b, IR_OP_GET_GLOBAL, NULL, 1, &pointer, NULL);
        op->attrs[IR_AT_GET_GLOBAL_name] = ir_attr_of_string(m, memory->name);
        g->buffers[g->in.n_buffers++] = (buffer){&op->results[0], IR_I32, false};
        g->s->own_memory = true;
    }
}

static void begin_kernel(generator *g, const parameters *p)
{
    ir_module *m = g->b.module;
    ir_function *f =
        ir_function_add(m, "kernel", ir_type_function(m, (int)p->n, p->types, 0, NULL));
    f->is_entry = true;
    if (!f->body)
        f->body = ir_block_new(m, f, (uint32_t)p->n, p->types);
    g->b.function = f;
    g->b.block = f->body;
    g->s->kernel = f;
    for (size_t i = 0; i < p->n; i++)
        f->body->args[i]->name = g->s->contract->args[i].name;
    const ir_type *t = tile_of(&g->b, IR_I32, 0, NULL), *types[] = {t, t, t};
    ir_op *ids = ir_build(&g->b, IR_OP_GET_TILE_BLOCK_ID, NULL, 3, types, NULL);
    ir_op *extents = ir_build(&g->b, IR_OP_GET_NUM_TILE_BLOCKS, NULL, 3, types, NULL);
    bool flat = chance(g->c, 50); /* only x is looked at */
    for (int axis = 0; axis < 3; axis++) {
        int from = flat ? 0 : axis;
        g->block_id[axis] = as_elem(g, &ids->results[from], g->elem);
        g->extent[axis] = as_elem(g, &extents->results[from], g->elem);
    }
    for (int i = 0; i < p->n_scalars; i++)
        use_int(g, f->body->args[i]);
    for (size_t i = (size_t)p->n_scalars; i < p->n; i++)
        g->buffers[g->in.n_buffers++] = (buffer){f->body->args[i], p->elem[i], i == p->index};
    add_own_memory(g);
    g->in.token = make_token(&g->b);
    use_token(g, g->in.token);
}

static void state_contract(generator *g, parameters *p)
{
    static const char *const names[] = {"n", "m", "k"};
    contract *c = g->s->contract;
    for (int i = 0; i < p->n_scalars; i++)
        c->args[i].name = names[i];
    for (int i = 0; i < p->n_scalars; i++)
        bound_scalar(g, p, (size_t)i);
    relate_scalars(g, p);
    state_grid(g, p);
    for (size_t i = (size_t)p->n_scalars; i < p->n; i++)
        state_buffer(g, p, i);
    if (p->index)
        state_contents(g, p);
    leave_a_launch(g, p);
    trait stated = !p->stated ? TRAIT_STATED_NOTHING
                   : p->open  ? TRAIT_STATED_LOOSE
                              : TRAIT_STATED_TIGHT;
    g->s->traits |= 1u << stated;
    c->source = p->stated ? CONTRACT_SOURCE : CONTRACT_NONE;
    if (g->state)
        g->state(g->user, g->ctx, c);
    contract_settle_ranges(g->ctx, c, NULL);
}

/* Is there a store that no branch and no loop is around? */
static bool stores_anyhow(const generator *g)
{
    for (const ir_op *op = ir_first_op(g->b.function); op; op = ir_next_op(op))
        if (op->parent == g->b.function->body &&
            (ir_op_info_of(op->code)->effects & (IR_WRITES | IR_ATOMIC)))
            return true;
    return false;
}

/* So that few kernels store nothing: each block its element, or all blocks of a row one. */
static void store_at_the_end(generator *g)
{
    const buffer *on = &g->buffers[choose(g->c, (uint32_t)g->in.n_buffers)];
    val at = g->block_id[0];
    if (choose(g->c, 5))
        at = sum(g, at, product(g, g->block_id[1], g->extent[0]));
    if (chance(g->c, 20))
        at = sum(g, at, any_int(g, 1));
    val p = op_of(&g->b, IR_OP_OFFSET, 1, &on->pointer->type, on->pointer, at)->results;
    const ir_type *tile = ir_type_tile(g->b.module, p->type->elem->elem, 0, NULL);
    how weak = {IR_WEAK, IR_SCOPE_NONE};
    store_pointer(&g->b, weak, p, zeros(&g->b, tile), NULL, any_token(g));
}

static sample make(choices *c, smt_ctx *ctx, bool flag_all,
                   void (*state)(void *, smt_ctx *, contract *), void *user)
{
    static const ir_type_kind elems[] = {IR_I32, IR_I32, IR_I32, IR_I32, IR_I8, IR_I64, IR_I16};
    static const unsigned holes[] = {0, 5, 15, 40, 100}, scoped[] = {0, 5, 20, 60};
    sample s = {.module = ir_module_new("random")};
    s.module->version_minor = 3;
    generator g = {.c = c, .ctx = ctx, .s = &s, .flag_all = flag_all, .b = {.module = s.module}};
    g.state = state;
    g.user = user;
    g.elem = elems[choose(c, 7)];
    g.holes = holes[choose(c, 5)];
    g.scoped = scoped[choose(c, 4)];
    g.synchronises = chance(c, 10);
    g.unflagged = chance(c, 30) ? 50 : 0;
    parameters p = choose_parameters(&g);
    s.contract = contract_new(ctx, "kernel", p.n);
    state_contract(&g, &p);
    begin_kernel(&g, &p);
    make_views(&g);
    g.statements = 1 + (int)choose(c, 10);
    while (g.statements > 0)
        any_statements(&g, 4);
    if (!stores_anyhow(&g) && choose(c, 10))
        store_at_the_end(&g);
    end_block(&g.b, IR_OP_RETURN, 0, NULL);
    ir_renumber(g.b.function);
    return s;
}

sample sample_make(choices *c, smt_ctx *ctx, bool flag_all)
{
    return make(c, ctx, flag_all, NULL, NULL);
}

sample sample_make_stating(choices *c, smt_ctx *ctx, void (*state)(void *, smt_ctx *, contract *),
                           void *user)
{
    return make(c, ctx, false, state, user);
}

void sample_free(sample *s)
{
    contract_free(s->contract);
    ir_module_free(s->module);
}

/* ---- Printing ---- */

static void print_term(tr_text *out, const char *before, smt_t term)
{
    if (!term)
        return;
    tr_text_add(out, before);
    smt_print_c(out, term);
}

void sample_print(tr_text *out, const sample *s)
{
    const contract *c = s->contract;
    tr_text_addf(out, "contract%s:\n", c->source == CONTRACT_NONE ? " (none)" : "");
    for (int axis = 0; axis < 3; axis++)
        if (c->grid[axis]) {
            tr_text_addf(out, "  grid.%c =", 'x' + axis);
            print_term(out, " ", c->grid[axis]);
            tr_text_add(out, "\n");
        }
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        tr_text_addf(out, "  %s", arg->name);
        if (arg->kind == CONTRACT_SCALAR) {
            tr_text_addf(out, ": %s%d, tried %lld..%lld%s\n", arg->is_signed ? "i" : "u", arg->bits,
                         (long long)s->low[i], (long long)s->high[i],
                         arg->constrained ? "" : ", open");
            continue;
        }
        tr_text_addf(out, ": in %s%s", arg->buffer, arg->buffer_stated ? " (stated)" : "");
        print_term(out, ", elements ", arg->elements);
        print_term(out, ", offset ", arg->offset);
        print_term(out, ", min ", arg->contents.min);
        print_term(out, ", max ", arg->contents.max);
        if (arg->contents.unique)
            tr_text_add(out, ", unique");
        print_term(out, " when ", arg->contents.unique_when);
        if (arg->contents.increasing)
            tr_text_add(out, ", increasing");
        tr_text_add(out, "\n");
    }
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        if (!smt_is_true(c->facts[i].term))
            tr_text_addf(out, "  fact %s\n", c->facts[i].text);
    ir_print_module(out, s->module, false);
}

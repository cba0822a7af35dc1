/* D13, D15 to D17: what each token orders, by a forward dataflow over structured control flow.
 *
 * Loop-carried tokens start out claiming everything and lose what their initial value or the token
 * at the end of an iteration does not hold, until nothing changes: the greatest solution. It is
 * sound by induction over the iterations, because each claim on the carried token of iteration k
 * rests on the initial value (k = 0) or on claims of iteration k-1. */
#include "tileir_memory/token_order.h"

#include "base/ds.h"

/* Words touched; a kernel of 10,000 ops takes some 10^7. */
#define MAX_WORK ((uint64_t)1000000000)

typedef struct flow {
    model_tokens *tokens;
    bool per_name;        /* D17, static reading */
    token_word **values;  /* by value id: content; NULL empty or not yet seen */
    token_word **storage; /* by value id: its own memory, made when first needed */
    token_word **vacuous; /* by ordinal of a continue or break: see mark_vacuous */
    token_word *scratch, *sum;
    bool changed;
    uint64_t work;
} flow;

token_word token_get_bits(const token_word *content, size_t bit, size_t count)
{
    size_t word = bit / 64, shift = bit % 64;
    token_word value = content[word] >> shift;
    if (shift && shift + count > 64)
        value |= content[word + 1] << (64 - shift);
    return count < 64 ? value & (((token_word)1 << count) - 1) : value;
}

void token_put_bits(token_word *content, size_t bit, size_t count, token_word value)
{
    size_t word = bit / 64, shift = bit % 64;
    token_word mask = count < 64 ? ((token_word)1 << count) - 1 : ~(token_word)0;
    value &= mask;
    content[word] = (content[word] & ~(mask << shift)) | value << shift;
    if (shift && shift + count > 64)
        content[word + 1] = (content[word + 1] & ~(mask >> (64 - shift))) | value >> (64 - shift);
}

static size_t chunk(size_t left)
{
    return left < 64 ? left : 64;
}

static token_word *content_of(const flow *f, const ir_value *value)
{
    return value ? f->values[value->id] : NULL;
}

/* The content of an operand of a memory operation or of a join. */
static token_word *content_taken(const flow *f, const ir_op *op, uint32_t operand)
{
    bool cut = op == f->tokens->cut && operand == f->tokens->cut_operand;
    return cut ? NULL : content_of(f, op->operands[operand]);
}

static token_word *content_waited_for(const flow *f, const ir_op *op)
{
    const ir_value *token = ir_token_in(op);
    uint32_t i = 0;
    while (token && op->operands[i] != token)
        i++;
    return token ? content_taken(f, op, i) : NULL;
}

static token_word *own_content(flow *f, const ir_value *value)
{
    if (!f->storage[value->id])
        f->storage[value->id] = TR_NEW_ARRAY(f->tokens->arena, token_word, f->tokens->words);
    f->values[value->id] = f->storage[value->id];
    f->work += f->tokens->words;
    return f->storage[value->id];
}

static void copy_or_clear(const flow *f, token_word *to, const token_word *from)
{
    if (from)
        memcpy(to, from, f->tokens->words * sizeof *to);
    else
        memset(to, 0, f->tokens->words * sizeof *to);
}

static void intersect(const flow *f, token_word *to, const token_word *with)
{
    for (size_t i = 0; i < f->tokens->words; i++)
        to[i] &= with ? with[i] : 0;
}

/* ---- Straight line ---- */

static void run_join(flow *f, const ir_op *op)
{
    token_word *out = own_content(f, &op->results[0]);
    memset(out, 0, f->tokens->words * sizeof *out);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const token_word *in = content_taken(f, op, i);
        for (size_t w = 0; in && w < f->tokens->words; w++)
            out[w] |= in[w];
        f->work += f->tokens->words;
    }
}

/* The op waits for its token; its own token adds the op itself: this instance, or under the static
 * reading of D17 every instance so far, of whatever iteration. */
static void run_event(flow *f, token_op *o)
{
    const ir_value *result = ir_token_out(o->op);
    o->in = content_waited_for(f, o->op);
    if (!result)
        return;
    token_word *out = own_content(f, result);
    copy_or_clear(f, out, o->in);
    size_t count = f->per_name ? o->n_bits : o->n_bits > 0;
    for (size_t i = 0; i < count; i += 64)
        token_put_bits(out, o->bit + i, chunk(count - i), ~(token_word)0);
}

/* ---- if ---- */

/* Bits of an op inside a branch that speak of the current iteration of all loops around the `if`.
 */
static size_t current_bits(const token_op *o, size_t loops_around_if)
{
    return o->n_bits ? ((size_t)2 << (o->n_loops - loops_around_if)) - 1 : 0;
}

static size_t first_op_after(const model_tokens *tokens, uint32_t ordinal)
{
    size_t low = 0, high = tokens->n_ops;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tokens->ops[middle].op->ordinal <= ordinal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t last_ordinal_in(const ir_block *block)
{
    return block->last->ordinal; /* a terminator: nothing of the block comes after it */
}

/* An op in a branch has an instance in this iteration only if that branch ran: then the result is
 * what that branch yields, or, where the branch leaves by a break, is never reached (and any claim
 * holds). All else must be in what every branch yields. */
static void take_branch(flow *f, const ir_op *op, const ir_block *block, const token_word *yielded,
                        bool yields, token_word *out)
{
    const model_tokens *tokens = f->tokens;
    size_t depth = 0;
    for (const ir_op *o = op->parent->parent; o; o = o->parent->parent)
        depth += ir_is_loop(o);
    if (!block->first)
        return;
    size_t end = first_op_after(tokens, last_ordinal_in(block));
    for (size_t i = first_op_after(tokens, op->ordinal); i < end; i++) {
        const token_op *o = &tokens->ops[i];
        size_t count = current_bits(o, depth);
        if (o->op->ordinal < block->first->ordinal)
            continue;
        for (size_t b = 0; b < count; b += 64) {
            size_t n = chunk(count - b);
            token_word value = !yields   ? ~(token_word)0
                               : yielded ? token_get_bits(yielded, o->bit + b, n)
                                         : 0;
            token_put_bits(out, o->bit + b, n, value);
        }
        f->work += count / 64 + 1;
    }
}

static void merge_if(flow *f, const ir_op *op, uint32_t result)
{
    token_word *out = own_content(f, &op->results[result]);
    bool any = false;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const ir_op *end = op->regions[r] ? op->regions[r]->last : NULL;
        if (!end || end->code != IR_OP_YIELD)
            continue;
        const token_word *yielded = content_of(f, end->operands[result]);
        if (any)
            intersect(f, out, yielded);
        else
            copy_or_clear(f, out, yielded);
        any = true;
    }
    if (!any) { /* never reached */
        copy_or_clear(f, out, NULL);
        return;
    }
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const ir_op *end = op->regions[r] ? op->regions[r]->last : NULL;
        bool yields = end && end->code == IR_OP_YIELD;
        if (end)
            take_branch(f, op, op->regions[r], yields ? content_of(f, end->operands[result]) : NULL,
                        yields, out);
    }
}

/* ---- Loops ---- */

static bool block_holds(const ir_block *block, const ir_op *op)
{
    const ir_block *b = op->parent;
    while (b && b != block)
        b = b->parent ? b->parent->parent : NULL;
    return b != NULL;
}

/* Does the block, which holds an op, end by leaving the iteration of `loop` (or more) rather than
 * by going on? */
static bool leaves(const ir_block *block, const ir_op *loop)
{
    if (block->last->code == IR_OP_RETURN)
        return true;
    if (block->last->code != IR_OP_CONTINUE && block->last->code != IR_OP_BREAK)
        return false;
    const ir_op *target = block->parent;
    while (target && !ir_is_loop(target))
        target = target->parent->parent;
    for (const ir_op *o = loop; o; o = o->parent->parent)
        if (o == target)
            return true;
    return false;
}

/* Can an instance of `op` and the terminator `site` never be in one iteration of `loop`, which
 * holds both and which the site ends? */
static bool never_reaches(const ir_op *op, const ir_op *site, const ir_op *loop)
{
    if (op->ordinal > site->ordinal)
        return true;
    for (const ir_block *block = op->parent; !block_holds(block, site);
         block = block->parent->parent) {
        const ir_op *owner = block->parent;
        if (owner->code != IR_OP_IF)
            continue;
        if (leaves(block, loop))
            return true;
        for (uint32_t r = 0; r < owner->n_regions; r++)
            if (owner->regions[r] && owner->regions[r] != block &&
                block_holds(owner->regions[r], site))
                return true;
    }
    return false;
}

/* Per site: bits "in the iteration that just ended" of ops that cannot have run in an iteration
 * which ends at this site. Claims on them hold there whatever the token. */
static void mark_vacuous(flow *f, const token_loop *loop, const ir_op *site)
{
    const model_tokens *tokens = f->tokens;
    token_word *mask = TR_NEW_ARRAY(tokens->arena, token_word, tokens->words);
    for (size_t i = loop->first; i < loop->end; i++) {
        const token_op *o = &tokens->ops[i];
        if (!o->n_bits || !never_reaches(o->op, site, loop->op))
            continue;
        size_t count = (size_t)1 << (o->n_loops - loop->depth - 1);
        size_t from = o->bit + token_atom(o->n_loops, loop->depth);
        for (size_t b = 0; b < count; b += 64)
            token_put_bits(mask, from + b, chunk(count - b), ~(token_word)0);
    }
    f->vacuous[site->ordinal] = mask;
}

/* Steps from the end of an iteration to the start of the next one, or out of the loop: the
 * iteration that was current is the previous (last) one; the previous and the older ones, together,
 * are the older (other) ones. */
static void step_on(flow *f, const token_loop *loop, token_word *content)
{
    for (size_t i = loop->first; i < loop->end; i++) {
        const token_op *o = &f->tokens->ops[i];
        if (!o->n_bits)
            continue;
        size_t half = (size_t)1 << (o->n_loops - loop->depth - 1);
        size_t now = o->bit + token_atom(o->n_loops, loop->depth + 1);
        size_t previous = o->bit + token_atom(o->n_loops, loop->depth);
        size_t older = previous + half;
        for (size_t b = 0; b < half; b += 64) {
            size_t n = chunk(half - b);
            token_put_bits(content, older + b, n,
                           token_get_bits(content, older + b, n) &
                               token_get_bits(content, previous + b, n));
            token_put_bits(content, previous + b, n, token_get_bits(content, now + b, n));
        }
        for (size_t b = 0; b < previous - o->bit; b += 64)
            token_put_bits(content, o->bit + b, chunk(previous - o->bit - b), 0);
    }
    f->work += f->tokens->words + (loop->end - loop->first) * 4;
}

/* Joins what holds after each of the sites for operand number `operand`, stepped on. */
static void meet_sites(flow *f, const token_loop *loop, const ir_op **sites, uint32_t operand,
                       token_word *met)
{
    const model_tokens *tokens = f->tokens;
    memset(met, 0xff, tokens->words * sizeof *met);
    for (ptrdiff_t s = 0; s < arrlen(sites); s++) {
        copy_or_clear(f, f->scratch, content_of(f, sites[s]->operands[operand]));
        step_on(f, loop, f->scratch);
        for (size_t w = 0; w < tokens->words; w++)
            met[w] &= f->scratch[w] | f->vacuous[sites[s]->ordinal][w];
        f->work += tokens->words;
    }
}

static uint32_t first_carried(const ir_op *loop)
{
    return loop->code == IR_OP_FOR ? 1 : 0; /* the induction variable comes first */
}

static ir_value *initial_value(const ir_op *loop, uint32_t carried)
{
    uint32_t count;
    ir_value **values =
        ir_group(loop, loop->code == IR_OP_FOR ? IR_FOR_init_values : IR_LOOP_init_values, &count);
    return carried < count ? values[carried] : NULL;
}

/* Carried tokens at the top of the body: no more than the initial value holds, apart from what only
 * speaks of other iterations. */
static void enter_loop(flow *f, const token_loop *loop, const ir_block *body)
{
    for (uint32_t a = first_carried(loop->op); a < body->n_args; a++) {
        const ir_value *arg = body->args[a];
        if (arg->type->kind != IR_TOKEN)
            continue;
        const token_word *init =
            content_of(f, initial_value(loop->op, a - first_carried(loop->op)));
        bool first_time = !f->storage[arg->id];
        token_word *head = own_content(f, arg);
        for (size_t w = 0; w < f->tokens->words; w++) {
            token_word most = (init ? init[w] : 0) | loop->carried[w];
            head[w] = first_time ? most : head[w] & most;
        }
    }
}

static void close_loop(flow *f, const token_loop *loop, const ir_block *body)
{
    for (uint32_t a = first_carried(loop->op); a < body->n_args; a++) {
        const ir_value *arg = body->args[a];
        if (arg->type->kind != IR_TOKEN)
            continue;
        token_word *head = f->storage[arg->id];
        meet_sites(f, loop, loop->continues, a - first_carried(loop->op), f->sum);
        for (size_t w = 0; w < f->tokens->words; w++) {
            f->changed |= (head[w] & f->sum[w]) != head[w];
            head[w] &= f->sum[w];
        }
    }
}

/* A `for` gives the carried values as a further iteration would see them (also after no iteration
 * at all), a `loop` what its breaks give. */
static void leave_loop(flow *f, const token_loop *loop, const ir_block *body)
{
    const ir_op *op = loop->op;
    for (uint32_t r = 0; r < op->n_results; r++) {
        if (op->results[r].type->kind != IR_TOKEN)
            continue;
        token_word *out = own_content(f, &op->results[r]);
        if (op->code == IR_OP_FOR)
            copy_or_clear(f, out, content_of(f, body->args[r + first_carried(op)]));
        else
            memset(out, arrlen(loop->breaks) ? 0xff : 0, f->tokens->words * sizeof *out);
        if (arrlen(loop->breaks)) {
            meet_sites(f, loop, loop->breaks, r, f->sum);
            intersect(f, out, f->sum);
        }
    }
}

static void run_block(flow *f, const ir_block *block);

static void run_loop(flow *f, const ir_op *op)
{
    const token_loop *loop = &f->tokens->loops[f->tokens->op_index[op->ordinal] - 1];
    const ir_block *body = op->regions[0];
    enter_loop(f, loop, body);
    run_block(f, body);
    close_loop(f, loop, body);
    leave_loop(f, loop, body);
}

static void run_if(flow *f, const ir_op *op)
{
    for (uint32_t r = 0; r < op->n_regions; r++)
        if (op->regions[r])
            run_block(f, op->regions[r]);
    for (uint32_t r = 0; r < op->n_results; r++)
        if (op->results[r].type->kind == IR_TOKEN)
            merge_if(f, op, r);
}

static void run_block(flow *f, const ir_block *block)
{
    for (const ir_op *op = block->first; op && f->work < MAX_WORK; op = op->next) {
        const token_op *o;
        if (op->code == IR_OP_JOIN_TOKENS)
            run_join(f, op);
        else if (op->code == IR_OP_IF)
            run_if(f, op);
        else if (ir_is_loop(op))
            run_loop(f, op);
        else if ((o = token_find(f->tokens, op)))
            run_event(f, &f->tokens->ops[o - f->tokens->ops]);
    }
}

bool token_flow_run(model_tokens *tokens, const model_choices *choices)
{
    tr_arena *arena = tokens->arena;
    flow f = {.tokens = tokens, .per_name = choices->loop_tokens == MODEL_PER_NAME};
    f.values = TR_NEW_ARRAY(arena, token_word *, tokens->function->n_values + 1);
    f.storage = TR_NEW_ARRAY(arena, token_word *, tokens->function->n_values + 1);
    f.vacuous = TR_NEW_ARRAY(arena, token_word *, tokens->function->n_ops + 1);
    f.scratch = TR_NEW_ARRAY(arena, token_word, tokens->words);
    f.sum = TR_NEW_ARRAY(arena, token_word, tokens->words);
    for (size_t l = 0; l < tokens->n_loops; l++) {
        const token_loop *loop = &tokens->loops[l];
        for (ptrdiff_t s = 0; s < arrlen(loop->continues); s++)
            mark_vacuous(&f, loop, loop->continues[s]);
        for (ptrdiff_t s = 0; s < arrlen(loop->breaks); s++)
            mark_vacuous(&f, loop, loop->breaks[s]);
    }
    do {
        f.changed = false;
        run_block(&f, tokens->function->body);
    } while (f.changed && f.work < MAX_WORK);
    return f.work < MAX_WORK;
}

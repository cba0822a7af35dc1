/* Checks against the others that may use the buffers at the same time: the preceding kernel,
 * when it may still run (programmatic dependent launch, D22, D23), and peers (A10).  What the
 * preceding kernel touches is what the contract says: whole buffers, or bytes of some. An access
 * to that has to come, by tokens, after a gdc_wait_tko that was executed. A wait is for the
 * kernel just before, and for earlier ones only where that kernel waited for them: what others
 * touch, "unwaited" in the contract, no access may touch at all. A part that is a bound shows no
 * race, since the other kernel may touch none of it. Peers are taken for copies of this kernel
 * in another stream (device) or on another GPU (sys), launched at the same time with the same
 * arguments: then each access meets itself, unless its scope includes them or nobody writes
 * there. */
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/token_waits.h"
#include "rules/add_finding.h"
#include "rules/rule.h"
#include "witness/enumerate.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <string.h>

typedef struct meeting { /* an access that meets somebody else's, unordered */
    const ix_access *access;
    rule_id rule;
    const char *text;
    bool after_wait;  /* a wait before it would help */
    bool may_wait;    /* on some paths there is a wait */
    bool may_be_told; /* of a wait, by another block */
    bool shown;
} meeting;

/* ---- The kernel before ---- */

static bool is_listed(const char *buffer, size_t n, const char *const *names)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], buffer) == 0)
            return true;
    return false;
}

/* Is the op executed whenever the other one is, before it, in the same iterations? */
static bool dominates(const ir_op *first, const ir_op *second)
{
    for (const ir_op *at = second; at; at = at->parent ? at->parent->parent : NULL) {
        if (at->parent != first->parent)
            continue;
        for (const ir_op *op = first->next; op; op = op->next)
            if (op == at)
                return true;
        return false;
    }
    return false;
}

static bool in_same_iterations(const model_order *order)
{
    for (size_t c = 0; c < order->n_cases; c++) {
        bool all = true;
        for (size_t d = 0; d < order->n_loops && all; d++)
            all = (order->cases[c].steps[d] & MODEL_SAME) != 0;
        if (all)
            return true;
    }
    return false;
}

/* May another block have waited, and told of it: does the access come after some acquire? */
static bool may_be_told(const checker *k, const ix_access *a)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ir_op *op = k->s->accesses[i].op;
        if (model_acquires(op) && model_token_order(k->tokens, op, a->op).n_cases > 0)
            return true;
    }
    return false;
}

/* *sometimes: a wait's token reaches it on some path. */
static bool comes_after_wait(const checker *k, const bool *waited, const ir_op *const *waits,
                             const ix_access *a, bool *sometimes)
{
    const ir_value *token = ir_token_in(a->op);
    *sometimes = false;
    if (token && waited[token->id])
        return true;
    for (size_t i = 0; i < arrlenu(waits); i++) {
        model_order order = model_token_order(k->tokens, waits[i], a->op);
        *sometimes |= order.n_cases > 0;
        if (dominates(waits[i], a->op) && in_same_iterations(&order))
            return true;
    }
    return false;
}

typedef struct waiting_access { /* an access, and what is known of waits before it */
    const ix_access *access;
    const char *buffer; /* that it goes to; NULL: it may be any */
    bool after_wait;    /* there is a wait on every path */
    bool sometimes;     /* there is a wait on some paths */
    bool has_waits;     /* there is a wait in the kernel */
} waiting_access;

static const char *const not_known_text =
    "it is not known whether this access comes after the wait for the preceding kernel";

/* Whole buffers, by their names. */
static void check_buffer(checker *k, const waiting_access *w, meeting **met)
{
    const contract_predecessor *p = &k->contract->predecessor;
    const ix_access *a = w->access;
    const char *buffer = w->buffer;
    bool sometimes = w->sometimes;
    bool written = !buffer || is_listed(buffer, p->n_writes, p->writes);
    bool read = !buffer || is_listed(buffer, p->n_reads, p->reads);
    if (!written && !(read && a->writes))
        return;
    if (w->after_wait) {
        count_proved(k);
        k->proved_something = true;
        return;
    }
    /* No wait reaches it, and it needs none if the preceding kernel uses that buffer by scoped
     * accesses alone: then nothing orders the two, and nothing has to (A2). No contract can say so.
     */
    if (buffer && a->ordering != IR_WEAK && model_tokens_complete(k->tokens) && !sometimes) {
        count_unknown(
            k, REASON_DATA_DEPENDENT, a->op->place,
            "the preceding kernel may still %s '%s'; this is race-free only if its order and scope "
            "include this launch, which the contract does not state",
            written ? "write" : "read", buffer_name(k, a));
        return;
    }
    if (!buffer || a->ordering != IR_WEAK || !model_tokens_complete(k->tokens)) {
        count_unknown(k, REASON_DATA_DEPENDENT, a->op->place, not_known_text);
        return;
    }
    bool both_write = written && a->writes && !a->reads;
    const char *text = tr_arena_printf(
        k->arena,
        "the preceding kernel may still %s '%s': this %s does not come after the wait for it",
        written ? "write" : "read", buffer_name(k, a), a->writes ? "store" : "load");
    meeting m = {
        .access = a,
        .rule = both_write ? RULE_INTER_BLOCK_WRITE_WRITE : RULE_INTER_BLOCK_READ_WRITE,
        .text = text,
        .after_wait = true,
        .may_wait = sometimes,
        .may_be_told = w->has_waits && may_be_told(k, a),
    };
    arrput(*met, m);
}

/* ---- Parts of buffers ---- */

static const char *launch_words(const contract_touched *t)
{
    return t->by ? t->by : "the preceding launch";
}

/* An element of the access has a byte of the part, as a statement over the access's variables. */
static smt_t meets_part(checker *k, const ix_access *a, const contract_touched *t)
{
    smt_t end = smt_add(k->ctx, a->bytes, smt_int_const(k->ctx, a->width));
    return smt_and(k->ctx, smt_lt(k->ctx, a->bytes, smt_int_const(k->ctx, t->to)),
                   smt_lt(k->ctx, smt_int_const(k->ctx, t->from), end));
}

/* A launch that meets no wait of this one: what both do to the part has no order. False: no race
 * was shown. */
static bool found_in_part(checker *k, const waiting_access *w, const contract_touched *t,
                          const smt_answer *answer)
{
    const ix_access *a = w->access;
    const char *why = "no replay shows the access", *verb = t->writes ? "write" : "read";
    const char *noun = a->writes ? "store" : "load";
    const char *text =
        t->is_unwaited
            ? tr_arena_printf(k->arena,
                              "%s may still %s '%s' when this %s runs: a launch between the two "
                              "did not wait for it",
                              launch_words(t), verb, buffer_name(k, a), noun)
            : tr_arena_printf(k->arena,
                              "%s may still %s '%s': this %s does not come after a wait for it",
                              launch_words(t), verb, buffer_name(k, a), noun);
    rule_id rule = t->writes && a->writes && !a->reads ? RULE_INTER_BLOCK_WRITE_WRITE
                                                       : RULE_INTER_BLOCK_READ_WRITE;
    bytes_touched part = {.from = t->from, .to = t->to, .early = !t->is_unwaited};
    witness *shown = witness_of_bytes(k, answer->model, a, &part, &why);
    if (shown) {
        count_refuted(k);
        finding_add_op(k, rule, CONFIDENCE_CONFIRMED, a->op, shown, "%s", text);
        return true;
    }
    if (w->sometimes && !t->is_unwaited) { /* it may be a launch in which all paths have a wait */
        count_unknown(k, REASON_DATA_DEPENDENT, a->op->place, not_known_text);
        return false;
    }
    finding_add_op(k, rule, CONFIDENCE_POSSIBLE, a->op, NULL, "%s", text);
    count_unknown_search(k, REASON_UNREPLAYED_WITNESS, a->op->place, "%s", why);
    return false;
}

/* True: a race was shown. */
static bool check_part(checker *k, const waiting_access *w, const contract_touched *t)
{
    const ix_access *a = w->access;
    if ((!t->writes && !a->writes) || (w->buffer && strcmp(w->buffer, t->buffer) != 0))
        return false;
    if (w->after_wait && !t->is_unwaited) {
        count_proved(k);
        k->proved_something = true;
        return false;
    }
    if (!w->buffer || a->unknown) {
        count_unknown(k, REASON_DATA_DEPENDENT, a->op->place,
                      "it is not known whether this access meets what %s may still %s",
                      launch_words(t), t->writes ? "write" : "read");
        return false;
    }
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, a->path);
    query_add(k, &conjuncts, a->facts);
    query_add(k, &conjuncts, a->touched ? a->touched : a->mask);
    query_add(k, &conjuncts, meets_part(k, a, t));
    smt_answer answer = ask_event(k, conjuncts, "predecessor");
    if (answer.verdict == SMT_UNSAT) {
        count_proved(k);
        k->proved_something = true;
    } else if (answer.verdict != SMT_SAT) {
        count_unknown_answer(k, &answer, a->op->place, "disjointness from the preceding launch");
    } else if (t->is_bound) {
        count_unknown(
            k, REASON_DATA_DEPENDENT, a->op->place,
            "%s may still %s '%s', and it is not known whether it touches the same elements",
            launch_words(t), t->writes ? "write" : "read", buffer_name(k, a));
    } else if (a->ordering != IR_WEAK || !model_tokens_complete(k->tokens) ||
               (w->has_waits && !t->is_unwaited && may_be_told(k, a))) {
        count_unknown(k, REASON_DATA_DEPENDENT, a->op->place, not_known_text);
    } else {
        return found_in_part(k, w, t, &answer);
    }
    return false;
}

static void check_against_predecessor(checker *k, const bool *waited, const ir_op *const *waits,
                                      const ix_access *a, meeting **met)
{
    const contract_predecessor *p = &k->contract->predecessor;
    const ix_allocation *of = a->allocation < 0 ? NULL : &k->s->allocations[a->allocation];
    if (of && of->space != IX_ARGUMENT && of->space != IX_REGIONS)
        return;
    if (p->is_stated && p->n_writes + p->n_reads + p->n_touched == 0)
        return;
    waiting_access w = {.access = a, .has_waits = arrlenu(waits) > 0};
    /* The arrays of a table have no names that the contract could tell. */
    w.buffer = of && of->space == IX_ARGUMENT ? of->name : NULL;
    w.after_wait = comes_after_wait(k, waited, waits, a, &w.sometimes);
    if (!p->is_stated || p->n_writes + p->n_reads > 0)
        check_buffer(k, &w, met);
    bool shown = false; /* one race of an access is enough */
    for (size_t i = 0; i < p->n_touched && !shown; i++)
        shown = check_part(k, &w, &p->touched[i]);
}

/* ---- Peers ---- */

static bool includes_peers(const checker *k, const ix_access *a)
{
    if (a->ordering == IR_WEAK)
        return false;
    return a->scope == IR_SCOPE_SYS ||
           (a->scope == IR_SCOPE_DEVICE && k->contract->peers == CONTRACT_PEERS_DEVICE);
}

/* Could what a peer does be ordered before or after what this kernel does? */
static bool synchronises_with_peers(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (model_acquires(k->s->accesses[i].op) && includes_peers(k, &k->s->accesses[i]))
            return true;
    return false;
}

/* Counters, tickets and locks are proved for the blocks of one launch: peers count as well. */
static bool listens_to_peers(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->reads && a->ordering != IR_WEAK && a->op->n_results > 1 &&
            ir_is_used(k->kernel, &a->op->results[0]))
            return true;
    }
    return false;
}

/* Is another access of the buffer of another width? Where the two meet in part, no scope makes them
 * morally strong (D6). */
static bool differs_in_width(const checker *k, const ix_access *a)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *b = &k->s->accesses[i];
        if ((b->allocation < 0 || b->allocation == a->allocation) && (a->writes || b->writes) &&
            b->width != a->width)
            return true;
    }
    return false;
}

static bool somebody_writes(const checker *k, int allocation)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->writes && (a->allocation < 0 || allocation < 0 || a->allocation == allocation))
            return true;
    }
    return false;
}

static bool is_shared_with_peers(const checker *k, const ix_access *a)
{
    if (a->allocation < 0)
        return true;
    switch (k->s->allocations[a->allocation].space) {
    case IX_ALLOCA:
        return false;
    case IX_GLOBAL: /* each GPU has its own module */
        return k->contract->peers == CONTRACT_PEERS_DEVICE;
    default:
        return true;
    }
}

/* May a peer on another GPU, or beside this launch, touch the same element? A strong access whose
 * scope includes the peers is safe. A write that is not is put down in *met, to be shown by a
 * launch. */
static void check_against_peers(checker *k, const ix_access *a, bool synchronised, meeting **met)
{
    if (!is_shared_with_peers(k, a) || !somebody_writes(k, a->allocation))
        return;
    bool strong = a->allocation >= 0 && includes_peers(k, a);
    if (strong && !differs_in_width(k, a)) { /* a narrow one is told at its own place */
        count_proved(k);
        k->proved_something = true;
        return;
    }
    if (a->allocation < 0 || !a->writes || synchronised || strong) {
        count_unknown(k, REASON_DATA_DEPENDENT, a->op->place,
                      "it is not known whether a peer accesses the same element at the same time");
        return;
    }
    bool weak = a->ordering == IR_WEAK;
    const char *text =
        weak ? tr_arena_printf(k->arena, "a peer may write the same elements of '%s'",
                               buffer_name(k, a))
             : tr_arena_printf(k->arena,
                               "the scope of this access to '%s' does not include the peers, which "
                               "may access the same elements",
                               buffer_name(k, a));
    meeting m = {
        .access = a, .rule = weak ? RULE_INTER_BLOCK_WRITE_WRITE : RULE_NARROW_SCOPE, .text = text};
    arrput(*met, m);
}

/* ---- Showing ---- */

/* A small launch in which the access happens, before a wait if that matters, is all that there is
 * to show. */
static witness *witness_of_meeting(checker *k, const meeting *m, const concrete_launch *launch,
                                   const interp_run *run)
{
    return m->after_wait ? witness_of_early_access(k, launch, run, m->access->op)
                         : witness_of_access(k, launch, run, m->access->op);
}

/* Looks for a launch in which each of the accesses happens. One that is in no small launch is
 * possible, and one that may wait, or be told by others, is not known. */
static void show(checker *k, meeting *met)
{
    concrete_launch **launches;
    size_t n = enumerate_launches(k, &launches), open = arrlenu(met);
    for (size_t i = 0; i < n && open; i++) {
        interp_run *run = ask_run(k, launches[i], 2000000, 400000, NULL);
        for (size_t m = 0; m < arrlenu(met); m++) {
            bool done = met[m].shown || met[m].may_be_told;
            witness *w = done ? NULL : witness_of_meeting(k, &met[m], launches[i], run);
            if (!w)
                continue;
            met[m].shown = true;
            open--;
            count_refuted(k);
            finding_add_op(k, met[m].rule, CONFIDENCE_CONFIRMED, met[m].access->op, w, "%s",
                           met[m].text);
        }
        interp_run_free(run);
    }
    for (size_t m = 0; m < arrlenu(met); m++) {
        if (met[m].shown)
            continue;
        if (met[m].may_wait || met[m].may_be_told) {
            count_unknown(k, REASON_DATA_DEPENDENT, met[m].access->op->place, not_known_text);
            continue;
        }
        finding_add_op(k, met[m].rule, CONFIDENCE_POSSIBLE, met[m].access->op, NULL, "%s",
                       met[m].text);
        count_unknown(k, REASON_UNREPLAYED_WITNESS, met[m].access->op->place,
                      "no small launch was found in which this access happens");
    }
}

void rule_outside(checker *k)
{
    const contract_predecessor *p = &k->contract->predecessor;
    meeting *met = NULL;
    const ir_op **waits = NULL; /* stb_ds */
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op))
        if (op->code == IR_OP_GDC_WAIT_TKO)
            arrput(waits, op);
    if (k->contract->pdl && !p->is_stated && p->n_writes == 0 && p->n_reads == 0)
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                      "the preceding kernel may still run (pdl), and the contract does not say "
                      "which buffers it writes and reads");
    const bool *waited = k->contract->pdl ? waited_tokens(k->arena, k->kernel) : NULL;
    bool listens = listens_to_peers(k), synchronised = listens || synchronises_with_peers(k);
    if (k->contract->peers != CONTRACT_PEERS_NONE && listens)
        count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                      "the value of a counter, flag or lock may come from a peer, which the "
                      "checker does not follow");
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        if (k->contract->pdl)
            check_against_predecessor(k, waited, waits, &k->s->accesses[i], &met);
        if (k->contract->peers != CONTRACT_PEERS_NONE)
            check_against_peers(k, &k->s->accesses[i], synchronised, &met);
    }
    if (arrlen(met) > 0)
        show(k, met);
    arrfree(met);
    arrfree(waits);
}

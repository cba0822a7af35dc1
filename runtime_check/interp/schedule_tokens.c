/* Tokens of a scheduled run: they may stand for ops that have not taken effect, and for the end of
 * the kernel before. */
#include "interp/schedule_private.h"

promise *schedule_promise_of(task *t, uint32_t token)
{
    return token & TOKEN_PROMISE ? &t->promises[token & ~TOKEN_PROMISE] : NULL;
}

uint32_t schedule_promise(task *t, uint32_t *earlier)
{
    promise p = {.earlier = earlier, .op = (uint32_t)arrlen(t->ops)};
    arrput(t->promises, p);
    return TOKEN_PROMISE | ((uint32_t)arrlen(t->promises) - 1);
}

/* Has the kernel before ended, as far as it takes part? */
static bool before_is_over(const scheduler *s)
{
    if (!s->launch->before)
        return true;
    for (size_t i = s->next_block; i < s->n_blocks; i++)
        if (schedule_block_at(s, i) >= s->n_own)
            return false;
    for (ptrdiff_t i = 0; i < arrlen(s->live); i++)
        if (s->live[i]->before && !task_is_over(s->live[i]))
            return false;
    return true;
}

/* Has all that the token orders before its taker taken effect? */
static bool settled(task *t, uint32_t token)
{
    promise *p = schedule_promise_of(t, token);
    if (!p || p->settled)
        return true;
    if (p->waits && !before_is_over(t->scheduler))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(p->earlier); i++)
        if (!settled(t, p->earlier[i]))
            return false;
    if (!p->earlier && !p->waits &&
        (!t->ops[p->op].performed || !settled(t, t->ops[p->op].token_in)))
        return false;
    p->settled = true;
    return true;
}

/* The node of a token. Ops that have not taken effect get theirs now: whoever overtakes them is
 * ordered after them all the same. */
uint32_t schedule_node_of(interp_run *run, task *t, uint32_t token)
{
    promise *p = schedule_promise_of(t, token);
    if (!p || p->kept)
        return p ? p->node : token;
    uint32_t *nodes = NULL;
    for (ptrdiff_t i = 0; i < arrlen(p->earlier); i++) {
        uint32_t one = schedule_node_of(run, t, p->earlier[i]);
        if (one)
            arrput(nodes, one);
    }
    const uint32_t *done = t->scheduler->before_nodes;
    for (ptrdiff_t i = 0; p->waits && i < arrlen(done); i++)
        arrput(nodes, done[i] | EDGE_SYNCHRONISES);
    if (!p->earlier && !p->waits) {
        uint32_t one = schedule_node_of(run, t, t->ops[p->op].token_in);
        if (one)
            arrput(nodes, one);
    }
    bool join = p->earlier != NULL || p->waits;
    p->node = !join || p->waits || arrlen(nodes) > 1 ? tokens_node(run, arrlenu(nodes), nodes)
              : arrlen(nodes) == 1                   ? nodes[0]
                                                     : 0;
    if (p->waits)
        arrput(run->waits, p->node);
    p->kept = true;
    arrfree(nodes);
    return p->node;
}

/* May the op take effect though ops before this token have not? Only where nothing asks for their
 * order. */
static bool may_overtake(task *t, const issued *o, uint32_t token)
{
    if (settled(t, token))
        return true;
    const promise *p = schedule_promise_of(t, token);
    if (p->waits && !before_is_over(t->scheduler))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(p->earlier); i++)
        if (!may_overtake(t, o, p->earlier[i]))
            return false;
    if (p->earlier || p->waits)
        return true;
    const issued *before = &t->ops[p->op];
    if (!before->performed &&
        (model_acquires(before->access.op) || schedule_overlap(before->touched, o->touched)))
        return false;
    return may_overtake(t, o, before->token_in);
}

bool schedule_is_ready(const scheduler *s, task *t, uint32_t number)
{
    const issued *o = &t->ops[number];
    if (o->performed)
        return false;
    if (!s->weak || model_releases(o->access.op))
        return settled(t, o->token_in);
    return may_overtake(t, o, o->token_in);
}

uint32_t schedule_join(interp_run *run, size_t n, const uint32_t *tokens)
{
    task *t = run->task;
    uint32_t *earlier = NULL, only;
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        bool known = settled(t, tokens[i]);
        uint32_t token = known ? schedule_node_of(run, t, tokens[i]) : tokens[i];
        all &= known;
        if (token)
            arrput(earlier, token);
    }
    if (arrlen(earlier) > 1 && !all)
        return schedule_promise(t, earlier);
    only = arrlen(earlier) > 1 ? tokens_node(run, arrlenu(earlier), earlier)
           : arrlen(earlier)   ? earlier[0]
                               : 0;
    arrfree(earlier);
    return only;
}

uint32_t schedule_wait(interp_run *run, uint32_t token)
{
    task *t = run->task;
    if (!t->scheduler->launch->before || t->before)
        return token;
    uint32_t *earlier = NULL;
    if (token)
        arrput(earlier, token);
    uint32_t made = schedule_promise(t, earlier);
    arrlast(t->promises).waits = true;
    return made;
}

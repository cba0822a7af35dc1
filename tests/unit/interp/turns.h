/* Kernels whose blocks take turns, and runs of them by schedule. */
#ifndef TESTS_INTERP_TURNS_H
#define TESTS_INTERP_TURNS_H

#include "kit.h"

#include "interp/schedule.h"

KIT how device(ir_ordering ordering)
{
    return (how){ordering, IR_SCOPE_DEVICE};
}

KIT void finish(kit *k, int64_t blocks)
{
    terminate(k, IR_OP_RETURN, 0, NULL);
    ir_renumber(k->f);
    k->launch.grid[0] = blocks;
    k->launch.grid[1] = k->launch.grid[2] = 1;
}

KIT interp_run *scheduled(kit *k, const interp_schedule *schedule)
{
    interp_run_free(k->run);
    k->run = interp_execute_scheduled(k->f, &k->launch, NULL, NULL, 0, NULL, schedule);
    return k->run;
}

KIT loop in_block(kit *k, int64_t number)
{
    return begin_if(k, compare(k, IR_EQ, bid(k, 0), i32(k, number)), 0, NULL);
}

KIT val element(kit *k, int64_t i)
{
    return pointers(k, param(k, 0), i32(k, i));
}

KIT uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* acq_rel: the half that the op has. */
KIT how half(how h, ir_ordering mine)
{
    return h.ordering == IR_ACQ_REL ? (how){mine, h.scope} : h;
}

/* A block of a random kernel: a few ops on two places, values of loads stored behind them, some
 * tokens. Mixed: orders and scopes too, more loads. */
KIT void random_ops(kit *k, uint64_t *seed, int64_t number, bool mixed)
{
    static const how hows[] = {
        {IR_WEAK, IR_SCOPE_NONE},      {IR_RELAXED, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_TL_BLK},
        {IR_ACQ_REL, IR_SCOPE_DEVICE}, {IR_RELAXED, IR_SCOPE_DEVICE}, {IR_ACQ_REL, IR_SCOPE_DEVICE},
    };
    static const char kinds[2][5] = {"luss", "llus"}; /* load, update, store */
    loop l = in_block(k, number);
    val token = NULL, value = NULL;
    int n = 2 + (int)(next(seed) % 2);
    for (int i = 0; i < n; i++) {
        val at = element(k, (int64_t)(next(seed) % 2));
        val given = next(seed) % (mixed ? 4 : 2) ? token : NULL;
        how h = mixed ? hows[next(seed) % TR_COUNT(hows)] : DEVICE;
        char kind = kinds[mixed][next(seed) % 4];
        ir_op *op;
        if (kind == 'l')
            op = load_ptr(k, half(h, IR_ACQUIRE), at, NULL, NULL, given);
        else if (kind == 'u') /* (narrow updates have a test of their own) */
            op = rmw(k, h.ordering == IR_ACQ_REL ? h : DEVICE, IR_ATOMIC_ADD, at,
                     i32(k, 10 + number), NULL, given);
        else
            op = store_ptr(k, half(h, IR_RELEASE), at,
                           value && next(seed) % 2 ? value : i32(k, 100 * (number + 1) + i), NULL,
                           given);
        value = kind == 's' ? value : data(op);
        token = tok(op);
    }
    if (value)
        store_ptr(k, WEAK, element(k, 3 + number), value, NULL, NULL);
    end_if(k, &l, 0, NULL);
}

#endif

#include "base/budget.h"

#include "base/process.h"

tr_budget tr_budget_start(int64_t ms)
{
    return (tr_budget){.until = ms > 0 ? tr_now_ms() + ms : 0};
}

bool tr_budget_is_spent(tr_budget *budget)
{
    if (!budget || (budget->until == 0 && !budget->stop))
        return false;
    if (!budget->spent)
        budget->spent = (budget->until != 0 && tr_now_ms() >= budget->until) ||
                        (budget->stop && atomic_load_explicit(budget->stop, memory_order_relaxed));
    return budget->spent;
}

int64_t tr_budget_left(const tr_budget *budget, int64_t most)
{
    if (!budget || budget->until == 0)
        return most;
    int64_t left = budget->until - tr_now_ms();
    return left < 0 ? 0 : left < most ? left : most;
}

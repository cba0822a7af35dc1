#include "processes/patience.h"

#include "processes/children.h"

#include "base/process.h"

patience patience_begin(pid_t child, int64_t limit_ms)
{
    int64_t now = tr_now_ms();
    return (patience){.child = child,
                      .limit = limit_ms,
                      .began = now,
                      .worked_before = children_worked(child),
                      .deadline = now + limit_ms};
}

bool patience_is_over(patience *p)
{
    int64_t now = tr_now_ms();
    if (p->deadline == 0 || now < p->deadline)
        return false;
    int64_t worked = children_worked(p->child);
    bool is_idle = p->looked > 0 && (worked - p->worked) * PATIENCE_IDLE < now - p->looked;
    if (is_idle || worked - p->worked_before >= p->limit ||
        now - p->began >= PATIENCE_WALL * p->limit)
        return true;
    p->looked = now;
    p->worked = worked;
    p->deadline = now + PATIENCE_LOOK_MS;
    return false;
}

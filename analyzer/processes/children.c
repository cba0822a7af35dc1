#include "processes/children.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process_state.h"

static void for_each_process(void (*visit)(const tr_process_state *p, pid_t of, int64_t *sum),
                             pid_t of, int64_t *sum)
{
    DIR *all = opendir("/proc");
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        tr_process_state p;
        if (isdigit((unsigned char)entry->d_name[0]) && tr_process_state_read(entry->d_name, &p))
            visit(&p, of, sum);
    }
    closedir(all);
}

static void kill_in_session(const tr_process_state *p, pid_t session, int64_t *sum)
{
    (void)sum;
    if (p->session == session)
        kill(p->id, SIGKILL);
}

void children_kill_session(pid_t leader)
{
    kill(leader, SIGKILL);
    for_each_process(kill_in_session, leader, NULL);
}

static int64_t ms_of(int64_t ticks)
{
    return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

static void add_in_session(const tr_process_state *p, pid_t session, int64_t *sum)
{
    if (p->session == session)
        *sum += p->worked;
}

int64_t children_worked_in_session(pid_t leader)
{
    int64_t sum = 0;
    for_each_process(add_in_session, leader, &sum);
    return ms_of(sum);
}

int64_t children_worked(pid_t child)
{
    char name[32];
    tr_process_state p;
    snprintf(name, sizeof name, "%ld", (long)child);
    return tr_process_state_read(name, &p) ? ms_of(p.worked) : 0;
}

/* A guard of all that a solver starts (base/guard/main.c) ends it and then itself. */
static bool is_guard(const tr_process_state *p)
{
    return strcmp(p->name, "tilerace-guard") == 0;
}

static void kill_child(const tr_process_state *p, pid_t parent, int64_t *sum)
{
    (void)sum;
    if (p->parent != parent)
        return;
    if (is_guard(p) && p->session == p->id) {
        kill(p->id, SIGTERM);
        return;
    }
    if (p->session == p->id)
        children_kill_session(p->id);
    if (getpgid(p->id) == p->id)
        kill(-p->id, SIGKILL);
    kill(p->id, SIGKILL);
}

void children_kill(void)
{
    for_each_process(kill_child, getpid(), NULL);
}

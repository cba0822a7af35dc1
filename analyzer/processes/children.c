#include "processes/children.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/process_state.h"

static void for_each_process(void (*visit)(const tr_process_state *p, pid_t of), pid_t of)
{
    DIR *all = opendir("/proc");
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        tr_process_state p;
        if (isdigit((unsigned char)entry->d_name[0]) && tr_process_state_read(entry->d_name, &p))
            visit(&p, of);
    }
    closedir(all);
}

static void kill_in_session(const tr_process_state *p, pid_t session)
{
    if (p->session == session)
        kill(p->id, SIGKILL);
}

void children_kill_session(pid_t leader)
{
    kill(leader, SIGKILL);
    for_each_process(kill_in_session, leader);
}

/* A guard of all that a solver starts (base/guard/main.c) ends it and then itself. */
static bool is_guard(const tr_process_state *p)
{
    return strcmp(p->name, "tilerace-guard") == 0;
}

static void kill_child(const tr_process_state *p, pid_t parent)
{
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
    for_each_process(kill_child, getpid());
}

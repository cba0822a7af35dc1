#include "processes/children.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process_state.h"

static void for_each_process(void (*visit)(void *user, const tr_process_state *p), void *user)
{
    DIR *all = opendir("/proc");
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        tr_process_state p;
        if (isdigit((unsigned char)entry->d_name[0]) && tr_process_state_read(entry->d_name, &p))
            visit(user, &p);
    }
    closedir(all);
}

static void kill_in_session(void *leader, const tr_process_state *p)
{
    if (p->session == *(const pid_t *)leader)
        kill(p->id, SIGKILL);
}

void children_kill_session(pid_t leader)
{
    kill(leader, SIGKILL);
    for_each_process(kill_in_session, &leader);
}

static int64_t ms_of(int64_t ticks)
{
    return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

typedef struct session_work {
    pid_t leader;
    int64_t ticks;
} session_work;

static void add_in_session(void *user, const tr_process_state *p)
{
    session_work *sum = user;
    if (p->session == sum->leader)
        sum->ticks += p->worked;
}

int64_t children_worked_in_session(pid_t leader)
{
    session_work sum = {.leader = leader};
    for_each_process(add_in_session, &sum);
    return ms_of(sum.ticks);
}

int64_t children_worked(pid_t child)
{
    char name[32];
    tr_process_state p;
    snprintf(name, sizeof name, "%ld", (long)child);
    return tr_process_state_read(name, &p) ? ms_of(p.worked) : 0;
}

typedef struct family {
    tr_process_state *all; /* stb_ds array */
    pid_t *members;        /* stb_ds array: found so far, each after its parent */
} family;

static void list_process(void *user, const tr_process_state *p)
{
    family *f = user;
    arrput(f->all, *p);
}

static bool is_member(const family *f, pid_t id)
{
    for (size_t i = 0; i < arrlenu(f->members); i++)
        if (f->members[i] == id)
            return true;
    return false;
}

/* Adds what descends from the first member. A list of /proc is no order by descent: each round
 * finds the next generation. */
static void add_descendants(family *f)
{
    for (size_t before = 0; before < arrlenu(f->members);) {
        before = arrlenu(f->members);
        for (size_t i = 0; i < arrlenu(f->all); i++)
            if (is_member(f, f->all[i].parent) && !is_member(f, f->all[i].id))
                arrput(f->members, f->all[i].id);
    }
}

int64_t children_worked_below(pid_t child)
{
    family f = {0};
    int64_t sum = 0;
    for_each_process(list_process, &f);
    arrput(f.members, child);
    add_descendants(&f);
    for (size_t i = 0; i < arrlenu(f.all); i++)
        sum += is_member(&f, f.all[i].id) ? f.all[i].worked : 0;
    arrfree(f.all);
    arrfree(f.members);
    return ms_of(sum);
}

/* A guard of all that a solver starts (base/guard/main.c) ends it and then itself. */
static bool is_guard(const tr_process_state *p)
{
    return strcmp(p->name, "tilerace-guard") == 0;
}

static void kill_child(void *parent, const tr_process_state *p)
{
    if (p->parent != *(const pid_t *)parent)
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
    pid_t self = getpid();
    for_each_process(kill_child, &self);
}

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

/* ---- Section: By the lists of children that Linux keeps (CONFIG_PROC_CHILDREN) ---- */

static int64_t ticks_below(pid_t process);

/* Of what a thread has started. */
static int64_t ticks_of_thread(pid_t process, const char *thread)
{
    char path[96];
    int64_t ticks = 0;
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task/%.16s/children", (long)process, thread);
    FILE *list = fopen(path, "re");
    while (list && fscanf(list, "%ld", &child) == 1)
        ticks += ticks_below((pid_t)child);
    if (list)
        fclose(list);
    return ticks;
}

static int64_t ticks_below(pid_t process)
{
    char path[64];
    tr_process_state p;
    snprintf(path, sizeof path, "%ld", (long)process);
    if (!tr_process_state_read(path, &p))
        return 0;
    int64_t ticks = p.worked;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads && (entry = readdir(threads));)
        if (isdigit((unsigned char)entry->d_name[0]))
            ticks += ticks_of_thread(process, entry->d_name);
    if (threads)
        closedir(threads);
    return ticks;
}

/* ---- Section: By looking at all processes ---- */

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

int64_t children_worked_by_scan(pid_t child)
{
    family f = {0};
    int64_t ticks = 0;
    for_each_process(list_process, &f);
    arrput(f.members, child);
    add_descendants(&f);
    for (size_t i = 0; i < arrlenu(f.all); i++)
        ticks += is_member(&f, f.all[i].id) ? f.all[i].worked : 0;
    arrfree(f.all);
    arrfree(f.members);
    return ms_of(ticks);
}

int64_t children_worked(pid_t child)
{
    return access("/proc/thread-self/children", R_OK) == 0 ? ms_of(ticks_below(child))
                                                           : children_worked_by_scan(child);
}

/* ---- Section: Ending them ---- */

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

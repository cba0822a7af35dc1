#include "processes/children.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct process {
    pid_t id, parent, session;
    char name[16]; /* the system keeps no more of it */
} process;

/* As /proc says it: "PID (NAME) STATE PARENT GROUP SESSION ...", where the name may hold anything.
 * False: it is gone. */
static bool read_process(const char *name, process *of)
{
    char path[64], line[512];
    int parent, session;
    snprintf(path, sizeof path, "/proc/%.32s/stat", name);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t n = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[n] = 0;
    const char *before = strchr(line, '('), *behind = strrchr(line, ')');
    if (!before || !behind || sscanf(behind + 1, " %*c %d %*d %d", &parent, &session) != 2)
        return false;
    *of = (process){(pid_t)strtol(name, NULL, 10), (pid_t)parent, (pid_t)session, {0}};
    snprintf(of->name, sizeof of->name, "%.*s", (int)(behind - before - 1), before + 1);
    return true;
}

static void for_each_process(void (*visit)(const process *p, pid_t of), pid_t of)
{
    DIR *all = opendir("/proc");
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        process p;
        if (isdigit((unsigned char)entry->d_name[0]) && read_process(entry->d_name, &p))
            visit(&p, of);
    }
    closedir(all);
}

static void kill_in_session(const process *p, pid_t session)
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
static bool is_guard(const process *p)
{
    return strcmp(p->name, "tilerace-guard") == 0;
}

static void kill_child(const process *p, pid_t parent)
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

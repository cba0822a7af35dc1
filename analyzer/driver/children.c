#include "driver/children.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The parent of a process, as /proc says it: "PID (NAME) STATE PARENT ...", where the name may hold
 * anything. -1: it is gone. */
static long parent_of(const char *process)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%.32s/stat", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    size_t n = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[n] = 0;
    const char *behind = strrchr(line, ')');
    return behind && strlen(behind) > 4 ? strtol(behind + 4, NULL, 10) : -1;
}

void children_kill(void)
{
    DIR *all = opendir("/proc");
    if (!all)
        return;
    for (const struct dirent *entry; (entry = readdir(all));) {
        if (!isdigit((unsigned char)entry->d_name[0]) || parent_of(entry->d_name) != (long)getpid())
            continue;
        pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);
        if (getpgid(child) == child)
            kill(-child, SIGKILL);
        kill(child, SIGKILL);
    }
    closedir(all);
}

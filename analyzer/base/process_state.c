#include "base/process_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "PID (NAME) STATE PARENT GROUP SESSION ...", where the name may hold anything. */
bool tr_process_state_read(const char *process, tr_process_state *of)
{
    char path[64], line[512], state;
    int parent, session;
    snprintf(path, sizeof path, "/proc/%.32s/stat", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    line[fread(line, 1, sizeof line - 1, file)] = 0;
    fclose(file);
    const char *before = strchr(line, '('), *behind = strrchr(line, ')');
    if (!before || !behind || sscanf(behind + 1, " %c %d %*d %d", &state, &parent, &session) != 3)
        return false;
    int64_t own = 0, system = 0, of_children = 0, system_of_children = 0;
    sscanf(behind + 1,
           " %*c %*d %*d %*d %*d %*d %*s %*s %*s %*s %*s %" SCNd64 " %" SCNd64 " %" SCNd64
           " %" SCNd64,
           &own, &system, &of_children, &system_of_children);
    *of = (tr_process_state){.id = (pid_t)strtol(line, NULL, 10),
                             .parent = parent,
                             .session = session,
                             .state = state,
                             .worked = own + system + of_children + system_of_children};
    snprintf(of->name, sizeof of->name, "%.*s", (int)(behind - before - 1), before + 1);
    return true;
}

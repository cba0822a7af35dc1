/* `tilerace nvcc` and `tilerace tileiras` under names of their own: as build systems call a
 * launcher before nvcc, and as programs call the assembler of Tile IR. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program relative to this one's folder: in a build, then installed. */
static const char *const places[] = {"tilerace", "../tilerace", TILERACE_FROM_ASSEMBLER};

int main(int argc, char **argv)
{
    char own[PATH_MAX], program[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    bool assembles = slash && strcmp(slash, "/tileiras") == 0;
    if (assembles)
        setenv("TILERACE_WRAPPER", own, 1); /* which is not to be taken for the assembler */
    int folder = slash ? (int)(slash - own) : 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(program, sizeof program, "%.*s/%s", folder, own, places[i]);
        if (access(program, X_OK) == 0)
            break;
    }
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (!words)
        return 1;
    words[0] = program;
    words[1] = assembles ? "tileiras" : "nvcc";
    for (int i = 1; i < argc; i++)
        words[i + 1] = argv[i];
    execv(program, words);
    perror(program);
    return 1;
}

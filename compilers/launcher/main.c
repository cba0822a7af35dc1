/* tilerace-nvcc: `tilerace nvcc` under a name of its own, as build systems call a launcher. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char program[PATH_MAX + 16];
    ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - 1);
    program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(program, '/');
    snprintf(slash ? slash : program, 16, slash ? "/tilerace" : "tilerace");
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (!words)
        return 1;
    words[0] = program;
    words[1] = "nvcc";
    for (int i = 1; i < argc; i++)
        words[i + 1] = argv[i];
    execvp(program, words);
    perror(program);
    return 1;
}

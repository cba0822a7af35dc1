/* The two functions of NVRTC that give Tile IR. A "program" is the path of a file that holds it. */
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int nvrtcGetTileIRSize(const char *program, size_t *size);
EXPORTED int nvrtcGetTileIR(const char *program, char *tile_ir);

enum { SUCCESS = 0, INVALID_PROGRAM = 4 };

static int read_all(const char *path, char *to, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return INVALID_PROGRAM;
    *size = 0;
    for (int c; (c = getc(file)) != EOF; ++*size)
        if (to)
            to[*size] = (char)c;
    fclose(file);
    return SUCCESS;
}

int nvrtcGetTileIRSize(const char *program, size_t *size)
{
    return read_all(program, NULL, size);
}

int nvrtcGetTileIR(const char *program, char *tile_ir)
{
    size_t size;
    return read_all(program, tile_ir, &size);
}

/* Tries files, and the files of folders, on a fuzz target: for seeds and for what a fuzzer found,
 * without a fuzzer. */
#include "base/base.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_file(const char *path)
{
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    size_t size;
    const char *data = tr_read_file(arena, TR_FILE_KERNELS, path, &size, &why);
    if (!data) {
        fprintf(stderr, "%s: %s\n", path, why);
        exit(1);
    }
    /* Exactly its size, so that the sanitizer sees a read behind the end. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) {
        abort();
    }
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    tr_arena_free(arena);
}

/* Files of one folder, not of those in it; returns their number. */
static int try_folder(DIR *folder, const char *path)
{
    int count = 0;
    tr_text file = {0};
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] != '.' && entry->d_type != DT_DIR) {
            tr_text_clear(&file);
            tr_text_addf(&file, "%s/%s", path, entry->d_name);
            try_file(tr_text_get(&file));
            count++;
        }
    }
    tr_text_free(&file);
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder) {
            count += try_folder(folder, argv[i]);
        } else {
            try_file(argv[i]);
            count++;
        }
    }
    printf("%d inputs\n", count);
    return count ? 0 : 1;
}

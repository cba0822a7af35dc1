/* Of fuzz targets: a folder for readers that are given one. */
#ifndef FUZZ_OWN_FOLDER_H
#define FUZZ_OWN_FOLDER_H

/* A new, empty folder, in memory where /dev/shm is there and can be written to, else in $TMPDIR or
 * /tmp. The caller frees the path and removes the folder. Aborts where there can be none. */
char *own_folder_make(void);

#endif

/* The two kernels of `tilerace selftest` in each language, as files: kernels/racy.c and so on. */
#ifndef SELFTEST_KERNELS_H
#define SELFTEST_KERNELS_H

enum { SELFTEST_RACY, SELFTEST_FINE, SELFTEST_KERNELS };

typedef enum selftest_language {
    SELFTEST_MODULE, /* Tile IR 13.1, as `tilerace compile` makes it of the C source */
    SELFTEST_SOURCE,
    SELFTEST_SCRIPT, /* a program in cuTile Python that launches it */
    SELFTEST_LANGUAGES,
} selftest_language;

typedef struct selftest_file {
    const char *kernel; /* name of its entry */
    const char *name;   /* "racy.c" */
    const char *begin, *end;
} selftest_file;

selftest_file selftest_file_of(int kernel, selftest_language language);

#endif

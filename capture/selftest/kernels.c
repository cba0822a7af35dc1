#include "selftest/kernels.h"

#define FILES(X) X(racy, tilebc) X(racy, c) X(racy, py) X(fine, tilebc) X(fine, c) X(fine, py)

#define EMBED(kernel, ending)                                                                      \
    extern const char selftest_##kernel##_##ending[], selftest_##kernel##_##ending##_end[];        \
    __asm__(".pushsection .rodata\n"                                                               \
            ".global selftest_" #kernel "_" #ending "\n"                                           \
            ".hidden selftest_" #kernel "_" #ending "\n"                                           \
            ".global selftest_" #kernel "_" #ending "_end\n"                                       \
            ".hidden selftest_" #kernel "_" #ending "_end\n"                                       \
            "selftest_" #kernel "_" #ending ":\n"                                                  \
            ".incbin \"" TILERACE_SOURCE_DIR "/capture/selftest/kernels/" #kernel "." #ending      \
            "\"\n"                                                                                 \
            "selftest_" #kernel "_" #ending "_end:\n"                                              \
            ".byte 0\n"                                                                            \
            ".popsection\n");
FILES(EMBED)

#define ROW(kernel, ending)                                                                        \
    {#kernel, #kernel "." #ending, selftest_##kernel##_##ending,                                   \
     selftest_##kernel##_##ending##_end},

selftest_file selftest_file_of(int kernel, selftest_language language)
{
    static const selftest_file rows[SELFTEST_KERNELS * SELFTEST_LANGUAGES] = {FILES(ROW)};
    return rows[kernel * SELFTEST_LANGUAGES + (int)language];
}

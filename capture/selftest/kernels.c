#include "base/embed.h"
#include "selftest/kernels.h"

#define FILES(X) X(racy, tilebc) X(racy, c) X(racy, py) X(fine, tilebc) X(fine, c) X(fine, py)

#define EMBED(kernel, ending)                                                                      \
    TR_EMBED(selftest_##kernel##_##ending, "capture/selftest/kernels/" #kernel "." #ending);
FILES(EMBED)

#define ROW(kernel, ending)                                                                        \
    {#kernel, #kernel "." #ending, selftest_##kernel##_##ending,                                   \
     selftest_##kernel##_##ending##_end},

selftest_file selftest_file_of(int kernel, selftest_language language)
{
    static const selftest_file rows[SELFTEST_KERNELS * SELFTEST_LANGUAGES] = {FILES(ROW)};
    return rows[kernel * SELFTEST_LANGUAGES + (int)language];
}

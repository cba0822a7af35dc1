/* Growing arrays and hash maps: Debian's stb_ds (libstb-dev), included here once so that its
 * warnings stay out of ours. arrput/arrlen/arrfree, hmput/hmget, shput/shget: see stb_ds.h.
 * The implementation is compiled in ds.c. */
#ifndef TR_DS_H
#define TR_DS_H

#include <string.h> /* what stb_ds needs */
#include <stb/stb_ds.h>

#endif

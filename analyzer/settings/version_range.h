/* The version of the program that a configuration asks for. */
#ifndef SETTINGS_VERSION_RANGE_H
#define SETTINGS_VERSION_RANGE_H

#include "base/base.h"

/* Is the version one of ">=0.2, <1"? False, with *why: it is not, or the text is no such list. */
bool setting_version_is_within(tr_arena *arena, const char *version, const char *wanted,
                               const char **why);

#endif

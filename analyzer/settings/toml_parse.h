/* toml++, the one library of C++. */
#ifndef SETTINGS_TOML_PARSE_H
#define SETTINGS_TOML_PARSE_H

#include "settings/toml.h"

/* Parses as toml_read does (toml.h), without its limits. */
const toml_value *toml_parse(tr_arena *arena, const char *file, const char *text, size_t length,
                             tr_errors *errors);

#endif

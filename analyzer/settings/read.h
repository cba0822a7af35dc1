/* A configuration from its TOML. */
#ifndef SETTINGS_READ_H
#define SETTINGS_READ_H

#include "settings/settings.h"

/* Takes the keys of a configuration; what is wrong with them goes to st->wrong. Some of them may
 * stand in a table `tilerace` of `table`, where `may_nest`. */
void settings_take_file(tr_arena *arena, settings *st, const toml_value *table, bool may_nest,
                        const char *file);
/* Returns the level of that name, which was read before. */
rule_level setting_level(const char *name);

#endif

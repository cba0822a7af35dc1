/* Finds the configuration that holds for a file: the nearest tilerace.toml, or pyproject.toml with
 * a table [tool.tilerace], in the file's folder or one above it. It is not merged with those above
 * it. The search ends at the root of the repository; outside of repositories, where folders begin
 * that belong to somebody else or that others may write to. */
#ifndef SETTINGS_CONFIGS_H
#define SETTINGS_CONFIGS_H

#include "settings/settings.h"

typedef struct configs configs;

/* Everything lives in the arena but what configs_close releases. NULL, with *why: the command line
 * is wrong. A configuration that is wrong is no failure of this: it is told where it is asked for.
 */
tr_give configs *configs_open(tr_arena *arena, const driver_options *options,
                              const char *working_folder, const char **why);
void configs_close(tr_take configs *c);

/* The settings for the file, which need not exist. Never NULL. */
const settings *configs_for(configs *c, const char *file);
/* The settings without any configuration. */
const settings *configs_without_file(const configs *c);
/* The configuration of --config; NULL: it was not given. */
const settings *configs_named(const configs *c);
/* Like configs_named(), for all files of a folder, named by its real path. */
const settings *configs_for_folder(configs *c, const char *folder);
/* The real path of the file's folder, as far as it is there. */
const char *configs_folder_of(tr_arena *arena, const char *file);
/* The file in that folder; the caller may cut it. */
char *configs_name_of(tr_arena *arena, const char *file);
/* A path as it is shown: from the working folder on, where it lies in there. */
const char *configs_shown(const configs *c, const char *path);

#endif

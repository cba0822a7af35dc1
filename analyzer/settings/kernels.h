/* The table `kernels` of a configuration: the signatures that `check --build` compiles kernels of
 * cuTile Python for. It is data: names, types and numbers. */
#ifndef SETTINGS_KERNELS_H
#define SETTINGS_KERNELS_H

#include "settings/settings.h"

/* Takes the table into `s`; what is wrong with it goes to `wrong`, with its place in `file`.
 *
 * s->items: one for each kernel, whose text is KERNEL or FILE:KERNEL, and whose items are its
 * signatures. The items of a signature are the parameters; each has one item, its value as JSON. */
void setting_kernels_take(tr_arena *arena, setting *s, const toml_value *table, const char *file,
                          tr_errors *wrong);
/* Appends the table as TOML. */
void setting_kernels_add_words(tr_text *out, const setting *s);
/* The signatures of the file's kernels as JSON: kernel -> list of {parameter: value}. `name`: the
 * file's path from the configuration's folder on; NULL: it lies elsewhere. In the arena. */
const char *setting_kernels_json(tr_arena *arena, const setting *s, const char *name);

#endif

/* What a configuration and the command line make of findings. No verdict changes by it. */
#ifndef DRIVER_HIDE_H
#define DRIVER_HIDE_H

#include "driver/configs.h"

/* Are notes to be looked for at all? */
bool hide_asks_for_notes(const settings *st);
/* Hides findings that are not selected, sets levels, and takes out notes that nobody asked for. */
void hide_findings(tr_arena *arena, const settings *st, input_report *input);

#endif

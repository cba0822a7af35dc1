/* Texts that others wrote, in sentences of ours. */
#ifndef SETTINGS_SHOWN_H
#define SETTINGS_SHOWN_H

#include "base/base.h"

/* The text with what a terminal would obey, or not show, spelled out, and cut where it is long. */
const char *shown_text(tr_arena *arena, const char *text, size_t length);
/* Appends text whose lines are ours, as tr_text_add_shown does each. */
void shown_add_lines(tr_text *text, const char *bytes, size_t length);

#endif

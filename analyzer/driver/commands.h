/* The commands, each in the room that does its work; analyzer/program calls them. */
#ifndef DRIVER_COMMANDS_H
#define DRIVER_COMMANDS_H

#include "session/session.h"

#define COMMAND(id, name, arguments, min, max, function, about) int function(session *s);
#include "settings/commands.def"

#endif

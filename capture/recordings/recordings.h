/* Recordings: what was seen of a program, to be checked again elsewhere and without it.
 *
 *   index.json                      says what the folder is, and of which version
 *   .gitignore
 *   modules/MODULE.tilebc           Tile IR as it was seen
 *   modules/MODULE.json             what its front end knows: where it was written, names
 *   launches/MODULE.LAUNCH.json     a launch contract of version 2 that states one launch
 *   launches/CONTENTS.bin           elements of a buffer that a contract states
 *
 * Names are hashes of what the files hold, so any number of writers may add to a recording at once,
 * and what is added twice is there once. A file appears whole or not at all. */
#ifndef RECORDINGS_H
#define RECORDINGS_H

#include "base/base.h"

enum { RECORDING_VERSION = 1 };

/* ---- Section: Writing ---- */

typedef struct recording recording;

/* Makes the folder where it is not there. NULL, with *why (a sentence in the arena), where it
 * cannot be written or is something else. Everything of it lies in the arena. */
recording *recording_open(tr_arena *arena, const char *folder, const char **why);

/* Adds a module; `about` is what its front end knows, field `names` of the message MODULE, or "".
 * Its key, in the arena; NULL and *why. */
const char *recording_add_module(recording *r, tr_arena *arena, const void *bytes, size_t size,
                                 const char *about, const char **why);
/* Adds a launch of the module with that key. False and *why. */
bool recording_add_launch(recording *r, tr_arena *arena, const char *module,
                          const char *launch_contract, const char **why);
/* Adds elements; the name by which a launch of the recording states them. NULL and *why. */
const char *recording_add_contents(recording *r, tr_arena *arena, const void *bytes, size_t size,
                                   const char **why);

/* Removes what a recording has, and the folders if nothing else is in them. False and *why. */
bool recording_remove(tr_arena *arena, const char *folder, const char **why);

/* ---- Section: Reading ---- */

typedef struct recorded_module {
    const char *path;           /* of its Tile IR */
    const char *about;          /* as it was given, or "" */
    const char *launches;       /* contract that has all its launches as alternatives; NULL: none */
    const char *launches_shown; /* path that the contract stands for */
    size_t n_launches;
    const char *source; /* file that it was compiled from; NULL: unknown */
    bool is_stale;      /* the source has changed since */
} recorded_module;

typedef struct recorded_folder {
    size_t n;
    const recorded_module *modules; /* by name */
    size_t n_wrong;                 /* files that are no part of a recording, as errors say */
} recorded_folder;

/* Is the folder a recording, of whatever version? */
bool recording_is(const char *folder);
/* Reads it, except for the Tile IR. What cannot be read is an error each, and the rest is there;
 * NULL: nothing is. In the arena. */
const recorded_folder *recording_read(tr_arena *arena, const char *folder, tr_errors *errors);

/* Was the module compiled from that file? Where the source that it names is not here (it was
 * recorded on another machine), the file is known by the end of its path. (source.c) */
bool recording_is_of(tr_arena *arena, const recorded_module *m, const char *file);
/* Is the file another one than that which the module was compiled from, or is that not known? */
bool recording_has_changed(tr_arena *arena, const recorded_module *m, const char *file);

/* A launch contract with, for each kernel that was launched, what all its launches share, as facts
 * that were observed: in no proof before a person has confirmed them. NULL: nothing was launched.
 * In the arena. */
const char *recording_merge(tr_arena *arena, const recorded_folder *folder);

#endif

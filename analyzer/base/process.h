/* Child processes that are talked to over pipes: solvers, assemblers, compilers.
 *
 * Every call that may wait has a time limit. A child never outlives its tr_process: freeing one
 * kills the child's whole process group and reaps it; and where tilerace-guard is installed, the
 * group ends with our process, however that ends. Of a child that is started whole, all that it
 * started ends so, whatever group or session that has made for itself. Only the three pipes reach
 * the child; no other descriptor of ours does. Writing to a child that is gone is an error value,
 * never a SIGPIPE, and the program's signal handlers stay as they are. One thread at a time may use
 * a tr_process. */
#ifndef TR_PROCESS_H
#define TR_PROCESS_H

#include "base/base.h"

#include <sys/types.h>

typedef struct tr_process tr_process;

typedef enum tr_process_result {
    TR_PROCESS_OK,
    TR_PROCESS_TIMEOUT,  /* the time limit came first; the child still runs */
    TR_PROCESS_CLOSED,   /* the child closed its end: it exited, died or closed the pipe */
    TR_PROCESS_TOO_LONG, /* more output than the caller allows */
    TR_PROCESS_FAILED,   /* the system refused; see tr_process_why */
} tr_process_result;

/* How a child ended. */
typedef struct tr_process_end {
    int exit_status; /* 0..255, or -1 when a signal ended it */
    int signal;      /* 0 when it exited */
} tr_process_end;

/* Milliseconds of a clock that never jumps. */
int64_t tr_now_ms(void);
double tr_now_fine_ms(void);
/* Processor time of a child that runs, however busy the machine is; 0 once it has ended. */
int64_t tr_process_worked_ms(tr_process *process);
/* The mappings of the child, as Linux tells them (/proc/PID/maps); "": not known. */
const char *tr_process_maps(tr_arena *arena, tr_process *process);
/* Could the child go on if it got a processor, which a busy machine may keep from it for long? */
bool tr_process_is_runnable(tr_process *process);

/* May it be run? A folder may not; errno says why. */
bool tr_is_program(const char *path);
/* May it be started by that name, a path or one that is looked up on PATH? errno says why not. */
bool tr_program_is_there(tr_arena *arena, const char *name);
/* The path of an executable on PATH, or NULL: the first that `accepts` takes, where it is given. An
 * empty entry, the working folder, is passed over: it may be a stranger's repository. */
const char *tr_find_program(tr_arena *arena, const char *program,
                            bool (*accepts)(const char *path));

/* The program that guards those which are started (guard/main.c); NULL: it is not installed. */
const char *tr_process_guard(tr_arena *arena);

/* Starts argv[0] (looked up in PATH when it has no slash) with argv, NULL-terminated, in a process
 * group of its own. NULL and *why (a sentence in the arena's memory) when it cannot be started. */
tr_give tr_process *tr_process_start(tr_arena *arena, const char *const *argv, const char **why);
/* Like tr_process_start(), with one more variable in its environment, "NAME=value": unless that is
 * set already, or `anyway`. */
tr_give tr_process *tr_process_start_with(tr_arena *arena, const char *const *argv,
                                          const char *variable, bool anyway, const char **why);
/* Like tr_process_start_with(), with that environment alone, NULL-terminated. */
tr_give tr_process *tr_process_start_in(tr_arena *arena, const char *const *argv,
                                        char **environment, const char **why);
/* Like tr_process_start_in(), whole: nothing that it starts outlives it, as far as tilerace-guard
 * is installed and is not killed itself. `variable` as with tr_process_start_with, not anyway; or
 * NULL. */
tr_give tr_process *tr_process_start_whole(tr_arena *arena, const char *const *argv,
                                           const char *variable, const char **why);
/* Kills the group if it still runs, reaps it, closes the pipes. NULL is fine. */
void tr_process_free(tr_take tr_process *process);

/* Says what the last TR_PROCESS_FAILED was about. */
const char *tr_process_why(const tr_process *process);

/* Writes all of it to the child's standard input. While the child does not read, its output is
 * taken in, so that two full pipes cannot lock each other. After anything but TR_PROCESS_OK, part
 * of the data may have been written: the conversation is lost. */
tr_process_result tr_process_write(tr_process *process, const char *data, size_t length,
                                   int64_t timeout_ms);
/* Ends the child's standard input. */
void tr_process_close_input(tr_process *process);

/* The next line of the child's standard output without its newline, NUL-terminated; *line is valid
 * until the next call on this process. A last line without newline counts. Lines longer than
 * `longest` bytes give TR_PROCESS_TOO_LONG. timeout_ms 0: only what is already there. */
tr_process_result tr_process_read_line(tr_process *process, int64_t timeout_ms, size_t longest,
                                       const char **line, size_t *length);
/* Appends all output up to the end of the stream; at most `most` bytes. */
tr_process_result tr_process_read_all(tr_process *process, int64_t timeout_ms, size_t most,
                                      tr_text *output);
/* Returns what came on the child's standard error so far (the first 64 KiB of it). Valid until the
 * next call on this process. */
const char *tr_process_errors(tr_process *process);

/* Has the child itself ended? Then what it left in its group is killed, since its pipes may be held
 * by children of its own. */
bool tr_process_has_ended(tr_process *process);
/* Waits until the child has ended; its output is taken in meanwhile. */
tr_process_result tr_process_wait(tr_process *process, int64_t timeout_ms, tr_process_end *end);
/* Kills the child's group with SIGKILL and reaps the child. What it wrote before can still be
 * read. */
void tr_process_kill(tr_process *process);

#endif

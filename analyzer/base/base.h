/* The types and functions that every room may use: memory that dies together, text, places and
 * errors.
 *
 * Conventions of all rooms
 * - The context comes first; there are no globals.
 * - tr_give: the caller owns the result. tr_take: the callee takes the argument over. A pointer
 *   without a mark is borrowed.
 * - A library function never prints and never exits. What goes wrong is a tr_error in a tr_errors
 *   list: a place and a sentence.
 * - Running out of memory aborts: no caller of an analyzer can go on from there. */
#ifndef TR_BASE_H
#define TR_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define tr_give
#define tr_take
#define TR_PRINTF(format_index, first_argument)                                                    \
    __attribute__((format(printf, format_index, first_argument)))
#define TR_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Assertions ---- */

/* An assertion at the edge of a room. A broken one is a mistake of the checker, never of its input:
 * the program ends, with the place. Builds for tests and sanitizers evaluate it (TILERACE_ASSERT);
 * elsewhere the condition is compiled and not evaluated. */
#ifdef TILERACE_ASSERT
#define TR_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : tr_assert_failed(#condition, __FILE__, __LINE__))
#else
#define TR_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
__attribute__((noreturn)) void tr_assert_failed(const char *condition, const char *file, int line);

/* No memory is left: says so on the error stream, and aborts (memory.c). */
__attribute__((noreturn)) void tr_no_memory(void);
/* malloc, calloc, strdup and realloc that never give NULL. */
void *tr_allocate(size_t size);
void *tr_allocate_zeroed(size_t n, size_t size);
char *tr_duplicate(const char *text);
void *tr_reallocate(void *memory, size_t size);

/* ---- Arena: allocations that die together (arena.c) ---- */

typedef struct tr_arena tr_arena;

tr_give tr_arena *tr_arena_new(void);
void tr_arena_free(tr_take tr_arena *arena);
/* Zeroed memory, aligned for any type. Never NULL. */
void *tr_arena_alloc(tr_arena *arena, size_t size);
void *tr_arena_copy(tr_arena *arena, const void *data, size_t size);
char *tr_arena_strdup(tr_arena *arena, const char *text);
char *tr_arena_strndup(tr_arena *arena, const char *text, size_t length);
char *tr_arena_printf(tr_arena *arena, const char *format, ...) TR_PRINTF(2, 3);
char *tr_arena_vprintf(tr_arena *arena, const char *format, va_list arguments);
/* Bytes handed out so far: callers bound the memory of a run with it. */
size_t tr_arena_used(const tr_arena *arena);

#define TR_NEW(arena, type) ((type *)tr_arena_alloc((arena), sizeof(type)))
#define TR_NEW_ARRAY(arena, type, count)                                                           \
    ((type *)tr_arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* ---- Text that grows (text.c) ---- */

typedef struct tr_text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t length, capacity;
} tr_text;

void tr_text_add(tr_text *text, const char *string);
void tr_text_addn(tr_text *text, const char *bytes, size_t length);
void tr_text_addf(tr_text *text, const char *format, ...) TR_PRINTF(2, 3);
void tr_text_vaddf(tr_text *text, const char *format, va_list arguments);
/* The text so far, "" when empty; valid until the next addition. */
const char *tr_text_get(const tr_text *text);
void tr_text_clear(tr_text *text);
void tr_text_free(tr_text *text);
/* Bytes of the UTF-8 sequence at `s` (at most `left`) and its code point; 1 and U+FFFD where there
 * is none (shown.c). */
size_t tr_utf8_next(const char *s, size_t left, uint32_t *code);
/* `text` where it is UTF-8, else a copy in the arena with U+FFFD for each byte that is not, and
 * *length the copy's. */
const char *tr_utf8_clean(tr_arena *arena, const char *text, size_t *length);
/* May people see the character as it is? Not what moves a cursor, ends a line, turns the direction
 * of writing, or cannot be seen; a tab may, and so may joiners and variation selectors behind a
 * character beyond ASCII. *before is the text's own, 0 at its start: every character of it is
 * asked about, in order. */
bool tr_is_shown(uint32_t *before, uint32_t code);
/* Appends text from outside (names of files, kernels and buffers, lines of sources) as people may
 * see it: on one line, U+FFFD for what is not UTF-8 and for what tr_is_shown excludes. */
void tr_text_add_shown(tr_text *text, const char *bytes, size_t length);
/* Like tr_text_add_shown(), as a string: `text` itself where nothing of it is changed, else a copy
 * in the arena. */
const char *tr_shown(tr_arena *arena, const char *text);
/* Prints a message that has such names in it; a line end stands at the end of the format alone. */
void tr_say(FILE *stream, const char *format, ...) TR_PRINTF(2, 3);
/* The folder that a path lies in, by its letters: "." where it has none, "/" of what is in the
 * root. */
const char *tr_folder_of(tr_arena *arena, const char *path);
/* A path that counts from the folder, which may be NULL; an absolute one is as it is. */
const char *tr_path_from(tr_arena *arena, const char *folder, const char *path);
/* Does the text, which may be NULL, end so? */
bool tr_ends_in(const char *text, const char *end);
typedef enum tr_file_kind {
#define FILE_KIND(id, most, what) TR_FILE_##id,
#include "base/files.def"
} tr_file_kind;
/* The most bytes that a file of this kind may have. */
uint64_t tr_file_most(tr_file_kind kind);
/* A whole file into arena memory with a NUL behind it; NULL and *why (a sentence) where it is no
 * regular file, is larger than its kind may be, or cannot be read (read_file.c). */
char *tr_read_file(tr_arena *arena, tr_file_kind kind, const char *path, size_t *length,
                   const char **why);
/* Like tr_read_file(), for a stream, up to its end. */
char *tr_read_stream(tr_arena *arena, tr_file_kind kind, FILE *stream, size_t *length,
                     const char **why);
/* Writes a file under a name of its own beside `path`, ending in .part, and renames it: whoever
 * reads it, or writes it at the same time, finds all of it or what was there before (write.c). A
 * device or a pipe is written as it is. False, with *why (a sentence), where it cannot be. */
bool tr_write_whole(tr_arena *arena, const char *path, const void *data, size_t size,
                    const char **why);

typedef struct tr_new_file {
    const char *path;
    const tr_text *text;
    FILE *before; /* what stands before the text, all of the file; or NULL */
} tr_new_file;

/* Writes files that appear whole, all of them or none (write_file.c): each is written beside its
 * place first. What is there keeps its mode; a device or a pipe is written as it is. False and *why
 * (a sentence in the arena). */
bool tr_write_files(tr_arena *arena, size_t n, const tr_new_file *files, const char **why);
/* A source that a module names (read_file.c), in the arena with a NUL behind it; NULL: there
 * is none. A relative path of Rust may also begin at a
 * folder above that has a Cargo.toml. */
char *tr_read_source(tr_arena *arena, const char *path, size_t *length);

/* ---- Texts in place of files (unsaved.c) ---- */

typedef struct tr_unsaved_file { /* as an editor shows it, which may never have been a file */
    const char *path;
    const char *text; /* with a NUL behind it */
    size_t length;
} tr_unsaved_file;

typedef struct tr_unsaved {
    size_t n;
    const tr_unsaved_file *files;
} tr_unsaved;

/* Returns the unsaved text that stands for the file at that path, however the path is spelled.
 * NULL: the file itself does. `unsaved` may be NULL. */
const tr_unsaved_file *tr_unsaved_find(const tr_unsaved *unsaved, const char *path);

/* ---- Places and errors (error.c) ---- */

/* A range of a source file. line 0: no place known. Columns count bytes from 1; the end is
 * exclusive. `inlined_at` is the call site when the code was inlined, innermost first. */
typedef struct tr_place {
    const char *file;
    const char *function; /* enclosing function's name, or NULL */
    uint32_t line, column, end_line, end_column;
    const struct tr_place *inlined_at;
} tr_place;

typedef struct tr_error {
    tr_place place;   /* line 0 where none is known; file may be set alone */
    const char *text; /* a sentence: what is wrong */
    const char *hint; /* a sentence: how to write it instead; or NULL */
} tr_error;

typedef struct tr_errors {
    tr_arena *arena; /* owns the texts; borrowed */
    tr_error *items; /* stb_ds array */
    size_t limit;    /* further errors are counted, not kept; 0 = 100 */
    size_t total;
} tr_errors;

tr_errors tr_errors_make(tr_arena *arena);
void tr_errors_add(tr_errors *errors, const tr_place *place, const char *format, ...)
    TR_PRINTF(3, 4);
/* Adds an error with a second sentence that says what to write instead. */
void tr_errors_add_hint(tr_errors *errors, const tr_place *place, const char *hint,
                        const char *format, ...) TR_PRINTF(4, 5);
size_t tr_errors_count(const tr_errors *errors);
void tr_errors_free(tr_errors *errors);

#endif

/* Positions of LSP: lines and characters from 0, which count UTF-16 units unless client and server
 * agree on bytes. Lines end with LF, CR LF or CR, as Clang's do. */
#ifndef LSP_POSITION_H
#define LSP_POSITION_H

#include "base/base.h"

typedef enum lsp_encoding {
#define ENCODING(id, name) LSP_##id,
#include "lsp/encodings.def"
    LSP_ENCODING_COUNT
} lsp_encoding;

const char *lsp_encoding_name(lsp_encoding encoding); /* "utf-16" */

typedef struct lsp_position {
    uint32_t line, character;
} lsp_position;

typedef struct lsp_range {
    lsp_position start, end; /* the end is exclusive */
} lsp_range;

/* The offset of a line's first byte, and of its end without what ends it. False: there are not as
 * many lines. Behind the last line end there is one more line, which may be empty. */
bool lsp_find_line(const char *text, size_t length, uint32_t line, size_t *start, size_t *end);

/* The offset of a position; one behind the end of its line is the end of the line. False: there is
 * no such line. */
bool lsp_offset_of(const char *text, size_t length, lsp_encoding encoding, lsp_position position,
                   size_t *offset);
/* The position at a line and a column as Clang counts them: from 1, columns in bytes. */
lsp_position lsp_position_at(const char *text, size_t length, lsp_encoding encoding, uint32_t line,
                             uint32_t column);

bool lsp_is_before(lsp_position a, lsp_position b);
/* Do they share a character, or touch where one of them is empty? */
bool lsp_ranges_meet(lsp_range a, lsp_range b);

#endif

#include "lsp/frames.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NAME "Content-Length:"

void frames_add(frames *f, const char *bytes, size_t n)
{
    size_t skipped = f->skip < n ? (size_t)f->skip : n;
    f->skip -= skipped;
    tr_text_addn(&f->bytes, bytes + skipped, n - skipped);
}

/* Text that was handed out stays until the next call. */
static void forget_taken(frames *f)
{
    size_t left = f->bytes.length - f->taken;
    if (f->taken > 0 && left > 0)
        memmove(f->bytes.data, f->bytes.data + f->taken, left);
    if (f->taken > 0)
        f->bytes.data[left] = '\0';
    f->bytes.length = left;
    f->taken = 0;
}

static frames_result wrong(frames *f, const char *sentence)
{
    f->text = sentence;
    f->length = strlen(sentence);
    return FRAMES_WRONG;
}

/* A header that is wrong says nothing of how much belongs to it. */
static frames_result lose(frames *f, size_t passed, const char *sentence)
{
    f->taken = passed;
    f->lost = true;
    return wrong(f, sentence);
}

static size_t find(const frames *f, size_t from, const char *what)
{
    size_t length = strlen(what);
    for (size_t at = from; at + length <= f->bytes.length; at++)
        if (strncasecmp(f->bytes.data + at, what, length) == 0)
            return at;
    return SIZE_MAX;
}

/* False: there is none yet. Keeps what may be the beginning of one. */
static bool find_again(frames *f)
{
    size_t at = find(f, 0, NAME), keep = strlen(NAME) - 1;
    if (at == SIZE_MAX && f->bytes.length > keep)
        f->taken = f->bytes.length - keep;
    else if (at != SIZE_MAX)
        f->taken = at;
    forget_taken(f);
    f->lost = at == SIZE_MAX;
    return !f->lost;
}

typedef enum number_kind { NUMBER_NONE, NUMBER_READ, NUMBER_WRONG } number_kind;

static number_kind read_number(const char *at, const char *end, uint64_t *number)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (at == end || end - at > 18)
        return NUMBER_WRONG;
    for (*number = 0; at < end; at++) {
        if (!isdigit((unsigned char)*at))
            return NUMBER_WRONG;
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return NUMBER_READ;
}

/* Reads a line of a header; headers of other names are not needed here. */
static number_kind read_header(const char *at, const char *end, uint64_t *length)
{
    number_kind read = NUMBER_NONE;
    while (at < end) {
        const char *line_end = memchr(at, '\r', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        if (!memchr(at, ':', (size_t)(line_end - at)))
            return NUMBER_WRONG;
        if ((size_t)(line_end - at) >= strlen(NAME) && strncasecmp(at, NAME, strlen(NAME)) == 0) {
            if (read != NUMBER_NONE ||
                read_number(at + strlen(NAME), line_end, length) != NUMBER_READ)
                return NUMBER_WRONG;
            read = NUMBER_READ;
        }
        at = line_end + 2;
    }
    return read;
}

/* Returns the position behind a header that is wrong; but where a line of it has a header behind
 * something else, say a text whose own header was lost, that one. */
static size_t where_next(const frames *f, size_t header)
{
    for (size_t at = 0; (at = find(f, at, NAME)) < header; at++)
        if (at > 0 && f->bytes.data[at - 1] != '\n')
            return at;
    return header;
}

static frames_result skip_long(frames *f, size_t header, uint64_t length)
{
    uint64_t there = f->bytes.length - header;
    f->taken = length < there ? header + (size_t)length : f->bytes.length;
    f->skip = length < there ? 0 : length - there;
    return wrong(f, "the message is longer than 64 MiB");
}

frames_result frames_next(frames *f)
{
    forget_taken(f);
    if (f->lost && !find_again(f))
        return FRAMES_NONE;
    size_t end = find(f, 0, "\r\n\r\n");
    if (end == SIZE_MAX || end > LSP_LONGEST_HEADER)
        return f->bytes.length <= LSP_LONGEST_HEADER
                   ? FRAMES_NONE
                   : lose(f, 1, "the header of the message does not end");
    uint64_t length = 0;
    number_kind read = read_header(f->bytes.data, f->bytes.data + end, &length);
    size_t header = end + 4;
    if (read == NUMBER_NONE)
        return lose(f, where_next(f, header), "the header of the message has no Content-Length");
    if (read == NUMBER_WRONG)
        return lose(f, where_next(f, header), "the header of the message is wrong");
    if (length > LSP_LONGEST_MESSAGE)
        return skip_long(f, header, length);
    if (f->bytes.length - header < length)
        return FRAMES_NONE;
    f->taken = header + (size_t)length;
    /* The byte behind it is that of the next message: a NUL goes there with the text's own copy. */
    memmove(f->bytes.data, f->bytes.data + header, (size_t)length);
    f->bytes.data[length] = '\0';
    f->text = f->bytes.data;
    f->length = (size_t)length;
    return FRAMES_MESSAGE;
}

void frames_free(frames *f)
{
    tr_text_free(&f->bytes);
}

void frames_write(tr_text *out, const char *message)
{
    tr_text_addf(out, NAME " %zu\r\n\r\n", strlen(message));
    tr_text_add(out, message);
}

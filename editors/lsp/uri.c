#include "lsp/uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define SCHEME "file://"

static int hex(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

/* False: an escape that is none, or one of NUL. */
static bool decode(const char *from, char *to)
{
    for (; *from; from++) {
        int high = *from == '%' ? hex(from[1]) : 0,
            low = *from == '%' && high >= 0 ? hex(from[2]) : 0;
        if (high < 0 || low < 0 || (*from == '%' && high * 16 + low == 0))
            return false;
        *to++ = *from == '%' ? (char)(high * 16 + low) : *from;
        from += *from == '%' ? 2 : 0;
    }
    *to = '\0';
    return true;
}

/* Normalizes in place; the path is absolute. */
static void normalize(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        from += strspn(from, "/");
        size_t length = strcspn(from, "/");
        if (length == 2 && strncmp(from, "..", 2) == 0) {
            while (to > path && *--to != '/')
                continue;
        } else if (length > 0 && !(length == 1 && *from == '.')) {
            *to++ = '/';
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

const char *lsp_uri_path(tr_arena *arena, const char *uri)
{
    static const char here[] = "localhost";
    if (strncasecmp(uri, SCHEME, strlen(SCHEME)) != 0 || strpbrk(uri, "?#"))
        return NULL;
    const char *rest = uri + strlen(SCHEME);
    if (strncasecmp(rest, here, strlen(here)) == 0)
        rest += strlen(here);
    char *path = tr_arena_alloc(arena, strlen(rest) + 2);
    if (rest[0] != '/' || !decode(rest, path))
        return NULL;
    normalize(path);
    return path;
}

const char *lsp_path_uri(tr_arena *arena, const char *path)
{
    char *uri = tr_arena_alloc(arena, strlen(SCHEME) + 3 * strlen(path) + 1), *to = uri;
    to = stpcpy(to, SCHEME);
    for (; *path; path++) {
        static const char digits[] = "0123456789ABCDEF";
        unsigned char c = (unsigned char)*path;
        bool plain = c < 0x80 && (isalnum(c) || strchr("-._~/!$&'()*+,;=:@", c));
        if (plain) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    *to = '\0';
    return uri;
}

bool lsp_lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

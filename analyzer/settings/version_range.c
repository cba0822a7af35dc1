/* required-version: comparisons with the version of the program. */
#include "settings/version_range.h"

#include <ctype.h>
#include <string.h>

#include "settings/shown.h"

enum { PARTS = 3 };

/* Reads up to three numbers with dots between them; those that are left out are 0. False: it is
 * none. */
static bool read_version(const char **at, unsigned parts[PARTS])
{
    memset(parts, 0, PARTS * sizeof *parts);
    for (size_t i = 0; i < PARTS; i++) {
        if (!isdigit((unsigned char)**at))
            return false;
        for (; isdigit((unsigned char)**at) && parts[i] < 100000; ++*at)
            parts[i] = parts[i] * 10 + (unsigned)(**at - '0');
        if (**at != '.')
            return true;
        ++*at;
    }
    return false;
}

static int compare(const unsigned a[PARTS], const unsigned b[PARTS])
{
    for (size_t i = 0; i < PARTS; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static bool holds(const char *sign, size_t length, int order)
{
    bool equal = memchr(sign, '=', length) && order == 0;
    return *sign == '<' ? order < 0 || equal : *sign == '>' ? order > 0 || equal : order == 0;
}

/* One comparison. False: it is none; *is says how it ends. */
static bool read_one(const char **at, const unsigned own[PARTS], bool *is)
{
    static const char *const signs[] = {">=", "<=", "==", ">", "<"};
    unsigned parts[PARTS];
    *at += strspn(*at, " ");
    for (size_t i = 0; i < TR_COUNT(signs); i++) {
        size_t length = strlen(signs[i]);
        if (strncmp(*at, signs[i], length) != 0)
            continue;
        *at += length;
        *at += strspn(*at, " ");
        if (!read_version(at, parts))
            return false;
        *is = *is && holds(signs[i], length, compare(own, parts));
        *at += strspn(*at, " ");
        return true;
    }
    return false;
}

bool setting_version_is_within(tr_arena *arena, const char *version, const char *wanted,
                               const char **why)
{
    unsigned own[PARTS];
    read_version(&version, own);
    const char *at = wanted, *shown = shown_text(arena, wanted, strlen(wanted));
    bool is = true, good = read_one(&at, own, &is);
    while (good && *at == ',') {
        at++;
        good = read_one(&at, own, &is);
    }
    if (!good || *at)
        *why =
            tr_arena_printf(arena, "'%s' is not a list of versions such as \">=0.2, <1\"", shown);
    else if (!is)
        *why = tr_arena_printf(arena, "this configuration is for tilerace %s, and this is %s",
                               shown, TILERACE_VERSION);
    return good && !*at && is;
}

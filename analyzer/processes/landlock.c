#include "processes/landlock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, some of which is younger than the headers of the systems that this is
 * built on. */
typedef struct rule_set {
    uint64_t files, network, scope;
} rule_set;

typedef struct __attribute__((packed)) place {
    uint64_t allowed;
    int32_t folder;
} place;

enum { CREATE_RULES = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* on all machines */

enum { ASK_VERSION = 1, BENEATH_PATH = 1 };

/* All that a version knows about files. */
static uint64_t rights_of(long version)
{
    uint64_t all = ((uint64_t)1 << 13) - 1;
    if (version >= 2)
        all |= (uint64_t)1 << 13; /* into another folder */
    if (version >= 3)
        all |= LANDLOCK_TRUNCATE;
    if (version >= 5)
        all |= LANDLOCK_DEVICES;
    return all;
}

static bool allow(int rules, const char *path, uint64_t what)
{
    place at = {.allowed = what, .folder = path ? open(path, O_PATH | O_CLOEXEC) : -1};
    bool good = at.folder >= 0 && syscall(ADD_RULE, rules, BENEATH_PATH, &at, 0) == 0;
    if (at.folder >= 0)
        close(at.folder);
    return good;
}

landlock_answer landlock_restrict(uint64_t taken, size_t n, const landlock_grant *granted)
{
    long version = syscall(CREATE_RULES, NULL, 0, ASK_VERSION);
    landlock_answer answer = {.is_there = version >= 1};
    if (!answer.is_there)
        return answer;
    const rule_set all = {.files = rights_of(version) & taken,
                          .network = version >= 4 ? 3 : 0,
                          .scope = version >= 6 ? 3 : 0};
    size_t size = version >= 6   ? sizeof all
                  : version >= 4 ? offsetof(rule_set, scope)
                                 : offsetof(rule_set, network);
    int rules = (int)syscall(CREATE_RULES, &all, size, 0);
    if (rules < 0)
        return answer;
    bool good = true;
    for (size_t i = 0; good && i < n; i++)
        good = allow(rules, granted[i].path, granted[i].rights & all.files);
    answer.in_force = good && syscall(RESTRICT_SELF, rules, 0) == 0;
    answer.holds_network = answer.in_force && all.network;
    answer.holds_processes = answer.in_force && all.scope;
    close(rules);
    return answer;
}

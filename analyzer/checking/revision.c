#include "checking/revision.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"

enum {
    ANSWER_MS = 60000,
    MOST_TREE = 1 << 30,
    MOST_LINE = 4096,
    MOST_NUMBER = 32,
};

typedef struct entry { /* stb_ds map entry */
    char *key;         /* the path */
    struct tracked {
        revision_kind kind;
        const char *id; /* of the object; NULL of a folder */
    } value;
} entry;

struct revision {
    tr_arena *arena;
    const char *root, *program;
    char **environment;
    entry *entries;
    const char **paths; /* stb_ds array: of files */
    pthread_mutex_t lock;
    tr_process *reader; /* git cat-file --batch; or NULL */
    pid_t reader_of;    /* the process that started it: no other one may speak to it */
};

extern char **environ;

/* ---- Section: Calls of git ---- */

static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

/* The caller's without all that git or its helpers would take from there: a hook of git has
 * variables that name another index or repository. */
static char **environment_of(tr_arena *arena, const char *root)
{
    const char *const own[] = {
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_ATTR_NOSYSTEM=1",
        "GIT_NO_LAZY_FETCH=1",
        "GIT_ALLOW_PROTOCOL=", /* none: a partial clone would fetch what it has not */
        "GIT_TERMINAL_PROMPT=0",
        "GIT_OPTIONAL_LOCKS=0",
        "GIT_PAGER=cat",
        "LC_ALL=C",
        tr_arena_printf(arena, "GIT_CEILING_DIRECTORIES=%s", tr_folder_of(arena, root)),
    };
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **all = TR_NEW_ARRAY(arena, char *, n + TR_COUNT(own) + 1);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "GIT_", 4) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0 &&
            strncmp(environ[i], "PAGER=", 6) != 0)
            all[kept++] = environ[i];
    for (size_t i = 0; i < TR_COUNT(own); i++)
        all[kept++] = tr_arena_strdup(arena, own[i]);
    return all;
}

/* Starts git on the repository. Its options keep it from running other programs and from using the
 * network, whatever the repository is configured to do. */
static tr_process *start(const revision *r, tr_arena *arena, const char *const *words,
                         const char **why)
{
    const char *const fixed[] = {
        r->program,
        "-C",
        r->root,
        "--no-pager",
        "--no-replace-objects",
        "--literal-pathspecs",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.sshCommand=false",
        "-c",
        "core.gitProxy=false",
        "-c",
        "credential.helper=",
        "-c",
        "protocol.allow=never",
        "-c",
        "submodule.recurse=false",
    };
    size_t n = 0;
    while (words[n])
        n++;
    const char **argv = TR_NEW_ARRAY(arena, const char *, TR_COUNT(fixed) + n + 1);
    memcpy(argv, fixed, sizeof fixed);
    memcpy(argv + TR_COUNT(fixed), words, n * sizeof *words);
    return tr_process_start_in(arena, argv, r->environment, why);
}

/* Returns the first line of git's message, without the word that git puts in front. */
static const char *complaint(tr_arena *arena, tr_process *process)
{
    const char *text = tr_process_errors(process);
    static const char *const begins[] = {"fatal: ", "error: "};
    for (size_t i = 0; i < TR_COUNT(begins); i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            text += strlen(begins[i]);
    return tr_arena_strndup(arena, text, strcspn(text, "\n"));
}

/* Returns all that git prints. False, with *why: it failed. */
static bool ask(const revision *r, const char *const *words, tr_text *out, const char **why)
{
    tr_process *process = start(r, r->arena, words, why);
    if (!process)
        return false;
    tr_process_end end = {0};
    tr_process_close_input(process);
    tr_process_result result = tr_process_read_all(process, ANSWER_MS, MOST_TREE, out);
    if (result == TR_PROCESS_OK)
        result = tr_process_wait(process, ANSWER_MS, &end);
    bool good = result == TR_PROCESS_OK && end.signal == 0 && end.exit_status == 0;
    if (result == TR_PROCESS_TIMEOUT)
        *why =
            tr_arena_printf(r->arena, "git %s did not end within %d s", words[0], ANSWER_MS / 1000);
    else if (!good)
        *why = complaint(r->arena, process);
    tr_process_free(process);
    return good;
}

/* Returns one line that git prints; NULL, with *why. */
static const char *ask_line(const revision *r, const char *const *words, const char **why)
{
    tr_text out = {0};
    const char *line = NULL;
    if (ask(r, words, &out, why)) {
        const char *text = tr_text_get(&out);
        line = tr_arena_strndup(r->arena, text, strcspn(text, "\n"));
    }
    tr_text_free(&out);
    return line;
}

/* ---- Section: The commit ---- */

static const char *why_not_there(const revision *r, const char *name, const char *said)
{
    const char *const is_shallow[] = {"rev-parse", "--is-shallow-repository", NULL};
    const char *ignored = NULL, *shallow = ask_line(r, is_shallow, &ignored);
    if (!shallow) /* then nothing of the repository can be read */
        return tr_arena_printf(r->arena, "git cannot read the repository in %s: %s", r->root,
                               said && *said ? said : ignored);
    if (strcmp(shallow, "true") == 0)
        return tr_arena_printf(
            r->arena,
            "there is no commit '%s' in this clone, which is shallow; 'git fetch "
            "--unshallow' or a fetch of that commit brings it",
            name);
    return tr_arena_printf(r->arena, "there is no commit '%s' in the repository in %s", name,
                           r->root);
}

static const char *commit_of(const revision *r, const char *name, const char **why)
{
    const char *said = NULL, *line = NULL;
    const char *const words[] = {"rev-parse",
                                 "--verify",
                                 "--quiet",
                                 "--end-of-options",
                                 tr_arena_printf(r->arena, "%s^{commit}", name),
                                 NULL};
    if (*name && *name != '-')
        line = ask_line(r, words, &said);
    size_t length = line ? strlen(line) : 0;
    if (length >= 40 && strspn(line, "0123456789abcdef") == length)
        return line;
    *why = why_not_there(r, name, said);
    return NULL;
}

static const char *shared_commit(const revision *r, const char *name, const char **why)
{
    const char *said = NULL, *from = commit_of(r, name, why);
    const char *head = from ? commit_of(r, "HEAD", why) : NULL;
    const char *const words[] = {"merge-base", from, head, NULL};
    const char *line = head ? ask_line(r, words, &said) : NULL;
    if (head && !(line && *line))
        *why = tr_arena_printf(r->arena,
                               "'%s' and HEAD share no commit in this clone; where it is shallow, "
                               "'git fetch --unshallow' brings the others",
                               name);
    return line && *line ? line : NULL;
}

/* ---- Section: Its files ---- */

static void add_folders(revision *r, const char *path)
{
    char *folder = tr_arena_strdup(r->arena, path);
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = 0;
        if (shgeti(r->entries, folder) >= 0)
            return;
        const struct tracked value = {REVISION_FOLDER, NULL};
        shput(r->entries, folder, value);
    }
}

/* "MODE TYPE ID\tPATH", up to a NUL. */
static bool add_line(revision *r, const char *line)
{
    const char *tab = strchr(line, '\t'), *id = tab;
    while (id && id > line && id[-1] != ' ')
        id--;
    if (!tab || id == line || !tab[1])
        return false;
    revision_kind kind = strncmp(line, "100", 3) == 0      ? REVISION_FILE
                         : strncmp(line, "120000", 6) == 0 ? REVISION_LINK
                                                           : REVISION_OTHER;
    const struct tracked value = {kind, tr_arena_strndup(r->arena, id, (size_t)(tab - id))};
    shput(r->entries, tab + 1, value);
    arrput(r->paths, tr_arena_strdup(r->arena, tab + 1));
    add_folders(r, tab + 1);
    return true;
}

static bool read_tree(revision *r, const char *commit, const char **why)
{
    const char *const words[] = {"ls-tree", "-r", "-z", "--full-tree", commit, NULL};
    tr_text out = {0};
    bool good = ask(r, words, &out, why);
    for (size_t at = 0; good && at < out.length; at += strlen(out.data + at) + 1)
        good = add_line(r, out.data + at);
    if (!good)
        *why = tr_arena_printf(r->arena, "git cannot list the files of %s: %s", commit,
                               *why ? *why : "its answer is not understood");
    tr_text_free(&out);
    return good;
}

tr_give revision *revision_open(tr_arena *arena, const char *root, const char *name,
                                const char **why)
{
    revision *r = calloc(1, sizeof *r);
    if (!r)
        tr_no_memory();
    size_t length = strlen(name);
    bool is_shared = length > 3 && strcmp(name + length - 3, "...") == 0;
    r->arena = arena;
    r->root = root;
    r->environment = environment_of(arena, root);
    pthread_mutex_init(&r->lock, NULL);
    sh_new_arena(r->entries);
    *why = NULL;
    r->program = tr_find_program(arena, "git", is_absolute);
    if (!r->program)
        *why = "there is no program git on PATH";
    const char *commit = !r->program ? NULL
                         : is_shared
                             ? shared_commit(r, tr_arena_strndup(arena, name, length - 3), why)
                             : commit_of(r, name, why);
    if (commit && read_tree(r, commit, why))
        return r;
    revision_close(r);
    return NULL;
}

const char *revision_program(const revision *r)
{
    return r->program;
}

void revision_close(tr_take revision *r)
{
    if (!r)
        return;
    if (r->reader && r->reader_of == getpid())
        tr_process_free(r->reader);
    shfree(r->entries);
    arrfree(r->paths);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* A map of stb_ds notes where it looked last. */
static struct tracked tracked_at(revision *r, const char *path)
{
    pthread_mutex_lock(&r->lock);
    ptrdiff_t at = shgeti(r->entries, path);
    struct tracked found = at >= 0 ? r->entries[at].value : (struct tracked){0};
    pthread_mutex_unlock(&r->lock);
    return found;
}

revision_kind revision_find(revision *r, const char *path)
{
    return tracked_at(r, path).kind;
}

const char *revision_path(const revision *r, size_t i)
{
    return i < arrlenu(r->paths) ? r->paths[i] : NULL;
}

/* ---- Section: Contents ---- */

static tr_process *reader_of(revision *r, tr_arena *arena)
{
    static const char *const words[] = {"cat-file", "--batch", NULL};
    const char *why;
    if (r->reader && r->reader_of == getpid())
        return r->reader;
    r->reader = start(r, arena, words, &why);
    r->reader_of = getpid();
    return r->reader;
}

/* "ID blob SIZE", then so many bytes and the end of a line. */
static const char *read_object(tr_process *reader, tr_arena *arena, const char *id, size_t *length)
{
    const char *line = NULL, *text = tr_arena_printf(arena, "%s\n", id);
    size_t got = 0;
    if (tr_process_write(reader, text, strlen(text), ANSWER_MS) != TR_PROCESS_OK ||
        tr_process_read_line(reader, ANSWER_MS, MOST_LINE, &line, &got) != TR_PROCESS_OK)
        return NULL;
    const char *type = strchr(line, ' ');
    if (!type || strncmp(type, " blob ", 6) != 0 || strlen(type) > MOST_NUMBER)
        return NULL;
    unsigned long long size = strtoull(type + 6, NULL, 10);
    if (size > tr_file_most(TR_FILE_KERNELS))
        return NULL;
    tr_text body = {0};
    bool good = true;
    while (good && body.length <= size) {
        good =
            tr_process_read_line(reader, ANSWER_MS, (size_t)size + 1, &line, &got) == TR_PROCESS_OK;
        if (good) {
            tr_text_addn(&body, line, got);
            tr_text_addn(&body, "\n", 1);
        }
    }
    good = good && body.length == size + 1;
    const char *kept = good ? tr_arena_strndup(arena, body.data, (size_t)size) : NULL;
    *length = (size_t)size;
    tr_text_free(&body);
    return kept;
}

const char *revision_read(revision *r, tr_arena *arena, const char *path, size_t *length)
{
    const char *id = tracked_at(r, path).id;
    if (!id)
        return NULL;
    pthread_mutex_lock(&r->lock);
    tr_process *reader = reader_of(r, arena);
    const char *text = reader ? read_object(reader, arena, id, length) : NULL;
    if (reader && !text) { /* what comes next could be the end of this answer */
        tr_process_free(reader);
        r->reader = NULL;
    }
    pthread_mutex_unlock(&r->lock);
    return text;
}

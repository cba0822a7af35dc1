#include "checking/changes.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"

enum { MOST_LINKS = 40, LONGEST_LINK = 4096 };

struct changes {
    revision *then;
    const char *root; /* a real path */
    const tr_unsaved *unsaved;
    pthread_mutex_t lock;
    struct {
        char *key;
        bool value;
    } *same; /* stb_ds map: of files, by their names from the root on */
};

tr_give changes *changes_open(revision *then, const char *root, const tr_unsaved *unsaved)
{
    changes *c = calloc(1, sizeof *c);
    if (!c)
        tr_no_memory();
    *c = (changes){.then = then, .root = root, .unsaved = unsaved};
    pthread_mutex_init(&c->lock, NULL);
    sh_new_strdup(c->same);
    return c;
}

void changes_close(tr_take changes *c)
{
    if (!c)
        return;
    shfree(c->same);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

const char *changes_root(const changes *c)
{
    return c->root;
}

/* ---- Section: Contents ---- */

static bool is_same_text(changes *c, tr_arena *arena, const char *name, const char *text,
                         size_t length)
{
    size_t before = 0;
    const char *was = revision_read(c->then, arena, name, &before);
    return was && before == length && memcmp(was, text, length) == 0;
}

static bool compare(changes *c, const char *path, const char *name)
{
    tr_arena *arena = tr_arena_new();
    const tr_unsaved_file *unsaved = tr_unsaved_find(c->unsaved, path);
    const char *why, *text = unsaved ? unsaved->text : NULL;
    size_t length = unsaved ? unsaved->length : 0;
    if (!unsaved)
        text = tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
    bool same = text && is_same_text(c, arena, name, text, length);
    tr_arena_free(arena);
    return same;
}

static bool is_same_file(changes *c, const char *path, const char *name)
{
    pthread_mutex_lock(&c->lock);
    ptrdiff_t at = shgeti(c->same, name);
    bool same = at >= 0 && c->same[at].value;
    pthread_mutex_unlock(&c->lock);
    if (at >= 0)
        return same;
    same = compare(c, path, name);
    pthread_mutex_lock(&c->lock);
    shput(c->same, name, same);
    pthread_mutex_unlock(&c->lock);
    return same;
}

/* ---- Section: Paths ---- */

typedef struct walk {
    changes *c;
    tr_arena *arena;
    const char *at;   /* a real path so far: "" is the root of the file system */
    const char *rest; /* of the path that is not walked yet */
    int n_links;
    bool content;
    const char *name; /* of the file in the repository */
} walk;

/* Returns the name relative to the root; NULL: it lies outside, or is the root. */
static const char *name_of(const changes *c, const char *path)
{
    size_t length = strlen(c->root);
    return strncmp(path, c->root, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

static const char *read_link(tr_arena *arena, const char *path)
{
    char to[LONGEST_LINK];
    ssize_t n = readlink(path, to, sizeof to);
    return n > 0 && n < (ssize_t)sizeof to ? tr_arena_strndup(arena, to, (size_t)n) : NULL;
}

/* Goes on where the link leads. */
static change_state follow(walk *w, const char *path, const char *name)
{
    const char *to = read_link(w->arena, path);
    bool is_known = !name || (revision_find(w->c->then, name) == REVISION_LINK && to &&
                              is_same_text(w->c, w->arena, name, to, strlen(to)));
    if (!to || !is_known || ++w->n_links > MOST_LINKS)
        return CHANGE_UNKNOWN;
    w->rest = tr_arena_printf(w->arena, "%s/%s", to, w->rest);
    if (to[0] == '/')
        w->at = "";
    return CHANGE_NONE;
}

static bool has_repository(tr_arena *arena, const char *folder)
{
    struct stat info;
    return lstat(tr_arena_printf(arena, "%s/.git", folder), &info) == 0;
}

static change_state enter(walk *w, const char *path, const char *name)
{
    w->at = path;
    if (!name)
        return CHANGE_NONE;
    revision_kind was = revision_find(w->c->then, name);
    bool was_folder = was == REVISION_FOLDER || was == REVISION_NONE;
    return was_folder && !has_repository(w->arena, path) ? CHANGE_NONE : CHANGE_UNKNOWN;
}

static change_state judge_file(walk *w, const char *path, const char *name)
{
    w->at = path;
    bool is_last = w->rest[strspn(w->rest, "/")] == 0;
    w->rest = ""; /* there is nothing below a file */
    if (!name)
        return CHANGE_NONE;
    if (revision_find(w->c->then, name) != REVISION_FILE || !is_last)
        return CHANGE_UNKNOWN;
    if (!w->content || is_same_file(w->c, path, name))
        return CHANGE_NONE;
    w->name = name;
    return CHANGE_CONTENT;
}

/* Whether there is a repository is asked of many folders. */
static change_state judge_git(walk *w, const char *path, const char *name)
{
    struct stat info;
    bool is_asked_for = w->rest[strspn(w->rest, "/")] == 0 && !w->content;
    bool is_as_ever = strcmp(name, ".git") == 0 || lstat(path, &info) != 0;
    w->rest = "";
    return is_asked_for && is_as_ever ? CHANGE_NONE : CHANGE_UNKNOWN;
}

static change_state step(walk *w, const char *part)
{
    struct stat info;
    const char *path = tr_arena_printf(w->arena, "%s/%s", w->at, part);
    const char *name = name_of(w->c, path);
    if (name && strcmp(part, ".git") == 0)
        return judge_git(w, path, name);
    bool is_unsaved = tr_unsaved_find(w->c->unsaved, path) != NULL;
    if (lstat(path, &info) != 0 && !is_unsaved) {
        w->rest = "";
        return name && revision_find(w->c->then, name) != REVISION_NONE ? CHANGE_UNKNOWN
                                                                        : CHANGE_NONE;
    }
    if (is_unsaved || S_ISREG(info.st_mode))
        return judge_file(w, path, name);
    if (S_ISLNK(info.st_mode))
        return follow(w, path, name);
    return S_ISDIR(info.st_mode) ? enter(w, path, name) : name ? CHANGE_UNKNOWN : CHANGE_NONE;
}

change_state changes_of(changes *c, tr_arena *arena, const char *path, bool content,
                        const char **name)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    walk w = {.c = c, .arena = arena, .at = "", .rest = path, .content = content};
    change_state state = CHANGE_NONE;
    if (path[0] != '/')
        w.rest = tr_arena_printf(arena, "%s/%s", here ? here : "", path);
    free(here);
    while (state == CHANGE_NONE && *(w.rest += strspn(w.rest, "/"))) {
        size_t length = strcspn(w.rest, "/");
        const char *part = tr_arena_strndup(arena, w.rest, length);
        w.rest += length;
        if (strcmp(part, "..") == 0)
            w.at = *w.at && strrchr(w.at, '/') > w.at ? tr_folder_of(arena, w.at) : "";
        else if (strcmp(part, ".") != 0)
            state = step(&w, part);
    }
    *name = w.name;
    return state;
}

change_state changes_of_name(changes *c, tr_arena *arena, const char *name)
{
    const char *ignored;
    return changes_of(c, arena, tr_arena_printf(arena, "%s/%s", c->root, name), true, &ignored);
}

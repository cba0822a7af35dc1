/* tilerace clean: removes what other commands keep. */
#include "cache/store.h"
#include "driver/commands.h"
#include "session/session.h"

static int remove_recording(session *s, const char *folder)
{
    const char *why = NULL;
    if (!recording_remove(s->arena, folder, &why))
        return session_complain(s, "%s", why);
    tr_say(s->out, "%s is removed\n", folder);
    return EXIT_CLEAN;
}

static int clean_recordings(session *s)
{
    const driver_options *o = s->options;
    static const char *const usual[] = {".tilerace"};
    const char *const *folders = o->n_files ? o->files : usual;
    size_t n = o->n_files ? o->n_files : 1;
    int code = EXIT_CLEAN;
    for (size_t i = 0; i < n; i++) {
        bool is = recording_is(folders[i]);
        if (!is && o->n_files > 0)
            code = session_complain(s, "%s is not a recording", folders[i]);
        else if (is && o->recordings && remove_recording(s, folders[i]) != EXIT_CLEAN)
            code = EXIT_BAD;
        else if (is && !o->recordings)
            tr_say(s->out, "%s is a recording, which `tilerace clean --recordings` removes\n",
                   folders[i]);
    }
    return code;
}

/* Cleans the cache. A cache folder inside a checkout is not used, and not cleaned either, since its
 * name may be a stranger's.
 */
static int clean_cache(session *s)
{
    const char *folder = NULL, *why = NULL;
    size_t n;
    bool good = cache_store_clean(s->arena, s->options->cache_dir, &n, &folder, &why);
    if (!good && (folder || s->options->cache_dir))
        return session_complain(s, "%s", why);
    if (n > 0)
        tr_say(s->out, "%zu file%s removed from the cache %s\n", n, n == 1 ? " was" : "s were",
               folder);
    return EXIT_CLEAN;
}

int command_clean(session *s)
{
    int code = clean_recordings(s);
    return clean_cache(s) == EXIT_CLEAN ? code : EXIT_BAD;
}

/* Launches that a recording has of kernels that are compiled now: each as a contract of its own,
 * where the kernel is still the one that was launched. */
#include "inputs/recorded.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "bytecode/bytecode.h"
#include "json/print.h"
#include "session/session.h"

struct recorded_launches {
    tr_arena *arena;
    const char *folder;
    const recorded_folder *recording;
    cJSON **launches;    /* for each module; NULL: it was not launched */
    ir_module **modules; /* for each, once one of its kernels was asked for; NULL: not read */
};

/* ---- Section: The recording ---- */

static bool has_form(tr_arena *arena, const recorded_module *m, tr_errors *errors)
{
    launch_file *file =
        launch_file_parse(arena, m->launches_shown, m->launches, strlen(m->launches), errors);
    if (file)
        launch_file_free(file);
    return file != NULL;
}

tr_give recorded_launches *recorded_launches_read(tr_arena *arena, const char *folder,
                                                  tr_errors *errors)
{
    tr_place place = {.file = folder};
    if (!recording_is(folder)) {
        tr_errors_add(errors, &place, "is a folder, but no recording");
        return NULL;
    }
    const recorded_folder *all = recording_read(arena, folder, errors);
    bool good = all && all->n_wrong == 0;
    for (size_t i = 0; good && i < all->n; i++)
        good = !all->modules[i].launches || has_form(arena, &all->modules[i], errors);
    if (!good)
        return NULL;
    recorded_launches *r = TR_NEW(arena, recorded_launches);
    *r = (recorded_launches){.arena = arena,
                             .folder = folder,
                             .recording = all,
                             .launches = TR_NEW_ARRAY(arena, cJSON *, all->n + 1),
                             .modules = TR_NEW_ARRAY(arena, ir_module *, all->n + 1)};
    for (size_t i = 0; i < all->n; i++)
        r->launches[i] = all->modules[i].launches ? cJSON_Parse(all->modules[i].launches) : NULL;
    return r;
}

void recorded_launches_free(tr_take recorded_launches *r)
{
    for (size_t i = 0; i < r->recording->n; i++) {
        cJSON_Delete(r->launches[i]);
        if (r->modules[i])
            ir_module_free(r->modules[i]);
    }
}

const char *recorded_launches_folder(const recorded_launches *r)
{
    return r->folder;
}

/* ---- Section: Is it the same kernel? ---- */

static const ir_module *module_of(recorded_launches *r, size_t i)
{
    size_t size;
    const char *why, *path = r->recording->modules[i].path;
    if (r->modules[i])
        return r->modules[i];
    tr_errors errors = tr_errors_make(r->arena);
    const char *bytes = tr_read_file(r->arena, TR_FILE_RECORDED, path, &size, &why);
    if (bytes && bytecode_is((const unsigned char *)bytes, size))
        r->modules[i] = bytecode_read_known((const unsigned char *)bytes, size, path, &errors);
    tr_errors_free(&errors);
    return r->modules[i];
}

static const char *code_of(tr_arena *arena, const ir_module *module, const ir_function *entry)
{
    tr_text text = {0};
    ir_print_entry(&text, module, entry);
    const char *code = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return code;
}

/* Lines aside, so that a comment more makes no other kernel. */
static bool is_same(recorded_launches *r, size_t i, const loaded *input, const ir_function *now)
{
    const ir_module *module = module_of(r, i);
    for (const ir_function *f = module ? module->functions : NULL; f; f = f->next)
        if (f->is_entry && strcmp(f->name, now->name) == 0)
            return strcmp(code_of(input->arena, module, f),
                          code_of(input->arena, input->unit.module, now)) == 0;
    return false;
}

/* ---- Section: Launches of one kernel ---- */

/* The names that a launch gives the parameters become those of the source, wherever they stand. */
static void rename_parameters(cJSON *item, const cJSON *parameters, const launch_kernel *shape)
{
    for (cJSON *child = item->child; child; child = child->next)
        rename_parameters(child, parameters, shape);
    if (!cJSON_IsString(item))
        return;
    const cJSON *name;
    size_t i = 0;
    cJSON_ArrayForEach(name, parameters)
    {
        if (i == shape->n_params)
            return; /* it is no launch of this kernel, and is refused */
        const char *own = shape->params[i++].name;
        if (own && strcmp(item->valuestring, name->valuestring) == 0) {
            cJSON_SetValuestring(item, own);
            return;
        }
    }
}

/* The launches of this kernel in the module's recording, as a launch contract. */
static char *launches_of(const cJSON *all, const launch_kernel *shape, bool has_names, size_t *n)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", LAUNCH_FILE_VERSION);
    cJSON *own = cJSON_AddArrayToObject(root, "launches");
    const cJSON *launch;
    cJSON_ArrayForEach(launch, cJSON_GetObjectItemCaseSensitive(all, "launches"))
    {
        const char *kernel =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(launch, "kernel"));
        if (!kernel || strcmp(kernel, shape->symbol) != 0)
            continue;
        cJSON *copy = cJSON_Duplicate(launch, true);
        const cJSON *names = cJSON_GetObjectItemCaseSensitive(launch, "parameters");
        for (cJSON *item = copy->child; has_names && names && item; item = item->next)
            if (strcmp(item->string, "kernel") != 0 && strcmp(item->string, "source") != 0)
                rename_parameters(item, names, shape);
        cJSON_AddItemToArray(own, copy);
    }
    *n = (size_t)cJSON_GetArraySize(own);
    char *text = *n > 0 ? json_printed(root, JSON_ONE_LINE) : NULL;
    cJSON_Delete(root);
    return text;
}

typedef struct taking {
    loaded *input;
    const ir_function *function;
    const launch_kernel *shape;
    const contract *stated;
    loaded_seen *seen;
} taking;

static void take(taking *t, const char *text, const char *shown)
{
    loaded *input = t->input;
    tr_errors errors = tr_errors_make(input->arena);
    launch_file *file = launch_file_parse(input->arena, shown, text, strlen(text), &errors);
    size_t n = file ? launch_file_count(file, t->shape) : 0;
    for (size_t i = 0; i < n; i++) {
        contract *c = launch_file_contract(input->ctx, file, t->shape, t->stated, i, &errors);
        if (!c)
            continue;
        contract_settle_ranges(input->ctx, c, NULL);
        arrput(t->seen->launches, ((loaded_kernel){t->function, c, NULL}));
    }
    if (tr_errors_count(&errors) > 0 && !t->seen->unfit)
        t->seen->unfit = errors.items[0].text;
    if (file)
        arrput(t->seen->files, file);
    tr_errors_free(&errors);
}

void recorded_take_seen(const session *s, loaded *input, size_t which, const contract *stated)
{
    recorded_launches *r = s->seen;
    taking t = {.input = input,
                .function = input->unit.kernels[which],
                .shape = &input->shapes[which],
                .stated = stated,
                .seen = &input->seen[which]};
    for (size_t i = 0; i < r->recording->n; i++) {
        size_t n = 0;
        char *text = launches_of(r->launches[i], t.shape, stated != NULL, &n);
        if (n > 0 && is_same(r, i, input, t.function))
            take(&t, text, r->recording->modules[i].launches_shown);
        else
            t.seen->n_stale += n;
        cJSON_free(text);
    }
}

void recorded_free_seen(loaded *input)
{
    for (size_t i = 0; input->seen && i < input->unit.n_kernels; i++) {
        loaded_seen *seen = &input->seen[i];
        for (size_t k = 0; k < arrlenu(seen->launches); k++)
            contract_free(seen->launches[k].contract);
        for (size_t k = 0; k < arrlenu(seen->files); k++)
            launch_file_free(seen->files[k]);
        arrfree(seen->launches);
        arrfree(seen->files);
    }
}

/* value_kernels -list | -check | [-seed N] [-chains N] [-only ITEM,ITEM...] KERNEL FOLDER
 *
 * -check: are all of them well-formed, and the same after writing and reading?
 * Writes FOLDER/KERNEL.tilebc, FOLDER/KERNEL.json (its launch) and the contents of its inputs. */
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "bytecode/bytecode.h"

static int usage(void)
{
    fputs("usage: value_kernels -list | -check [-seed N] [-chains N]\n"
          "       value_kernels [-seed N] [-chains N] [-only ITEM,...] KERNEL FOLDER\n",
          stderr);
    return 2;
}

static bool write_file(const char *path, const void *data, size_t size)
{
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(data, 1, size, out) == size;
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "value_kernels: %s cannot be written\n", path);
    return good;
}

static bool named_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

static bool write_launch(tr_arena *arena, const kernel *k, const bool *wanted, const char *folder)
{
    tr_text out = {0};
    tr_text_addf(&out, "{\"version\": 1, \"launches\": [{\"grid\": [\"%lld\"], \"args\": [",
                 (long long)k->blocks);
    for (size_t i = 0; i < k->n_inputs; i++)
        tr_text_addf(&out,
                     "%s\n  {\"name\": \"%s\", \"elements\": \"%lld\", \"fill\": {\"file\": "
                     "\"%s.%s.bin\"}}",
                     i ? "," : "", k->inputs[i].name, (long long)k->blocks * BLOCK, k->name,
                     k->inputs[i].name);
    for (size_t i = 0; i < arrlenu(k->items); i++) {
        ir_type_kind type;
        if (wanted[i])
            tr_text_addf(&out,
                         ",\n  {\"name\": \"%s\", \"elements\": \"%lld\", \"fill\": \"zeros\"}",
                         k->items[i].name, (long long)(k->blocks * values_result(k, i, &type)));
    }
    tr_text_add(&out, "\n]}]}\n");
    bool good =
        write_file(tr_arena_printf(arena, "%s/%s.json", folder, k->name), out.data, out.length);
    tr_text_free(&out);
    return good;
}

static bool write_module(tr_arena *arena, const kernel *k, const bool *wanted, const char *folder)
{
    ir_module *module = values_module(k, wanted);
    tr_errors errors = tr_errors_make(arena);
    unsigned char *data = NULL;
    size_t size = 0;
    bool good = ir_verify(module, &errors) &&
                bytecode_write(module, BYTECODE_NEWEST_WRITTEN, &data, &size, &errors);
    if (good)
        good = write_file(tr_arena_printf(arena, "%s/%s.tilebc", folder, k->name), data, size);
    else
        fprintf(stderr, "value_kernels: %s: %s\n", k->name,
                errors.total ? errors.items[0].text : "it cannot be written");
    tr_errors_free(&errors);
    free(data);
    ir_module_free(module);
    return good;
}

static bool write_kernel(tr_arena *arena, const kernel *k, const char *only, uint64_t seed,
                         const char *folder)
{
    bool *wanted = TR_NEW_ARRAY(arena, bool, arrlenu(k->items) + 1);
    for (size_t i = 0; i < arrlenu(k->items); i++)
        wanted[i] = !only || named_in(only, k->items[i].name);
    for (size_t i = 0; i < k->n_inputs; i++) {
        size_t bytes;
        unsigned char *data = values_contents(k, i, seed, &bytes);
        bool good =
            write_file(tr_arena_printf(arena, "%s/%s.%s.bin", folder, k->name, k->inputs[i].name),
                       data, bytes);
        free(data);
        if (!good)
            return false;
    }
    return write_launch(arena, k, wanted, folder) && write_module(arena, k, wanted, folder);
}

static bool check_kernel(tr_arena *arena, const kernel *k)
{
    ir_module *module = values_module(k, NULL), *again = NULL;
    tr_errors errors = tr_errors_make(arena);
    tr_text before = {0}, after = {0};
    unsigned char *data = NULL;
    size_t size = 0;
    bool good = ir_verify(module, &errors) &&
                bytecode_write(module, BYTECODE_NEWEST_WRITTEN, &data, &size, &errors) &&
                (again = bytecode_read(data, size, k->name, &errors)) != NULL;
    if (good) {
        ir_print_module(&before, module, false);
        ir_print_module(&after, again, false);
        good = strcmp(tr_text_get(&before), tr_text_get(&after)) == 0;
    }
    if (!good)
        fprintf(stderr, "value_kernels: %s: %s\n", k->name,
                errors.total ? errors.items[0].text : "another module when it is read again");
    tr_text_free(&before);
    tr_text_free(&after);
    tr_errors_free(&errors);
    free(data);
    ir_module_free(module);
    if (again)
        ir_module_free(again);
    return good;
}

static void list_kernel(const kernel *k)
{
    printf("%s %s", k->name, k->gpu);
    for (size_t i = 0; i < arrlenu(k->items); i++)
        printf(" %s", k->items[i].name);
    printf("\n");
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    size_t chains = 64;
    const char *only = NULL, *words[2] = {NULL};
    bool list = false, check = false;
    int n = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-list") == 0)
            list = true;
        else if (strcmp(argv[i], "-check") == 0)
            check = true;
        else if (strcmp(argv[i], "-seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-chains") == 0 && i + 1 < argc)
            chains = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (n < 2)
            words[n++] = argv[i];
        else
            return usage();
    }
    if (list || check ? n != 0 : n != 2)
        return usage();
    tr_arena *arena = tr_arena_new();
    kernel *all = values_kernels(arena, seed, chains);
    int code = list || check ? 0 : 2;
    for (size_t i = 0; i < arrlenu(all); i++) {
        if (list) {
            list_kernel(&all[i]);
        } else if (check) {
            code |= !check_kernel(arena, &all[i]);
        } else if (strcmp(words[0], all[i].name) == 0) {
            code = write_kernel(arena, &all[i], only, seed, words[1]) ? 0 : 1;
        }
    }
    if (code == 2)
        fprintf(stderr, "value_kernels: no kernel '%s'\n", words[0]);
    for (size_t i = 0; i < arrlenu(all); i++)
        arrfree(all[i].items);
    arrfree(all);
    tr_arena_free(arena);
    return code;
}

#include "bytecode/symbol.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The C++ runtime's own demangler (Itanium C++ ABI); NULL when the name is not mangled. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);
enum { NO_MEMORY = -1 }; /* as its status says it */

static void demangle(ir_module *module, ir_function *function)
{
    int status = 0;
    char *text = __cxa_demangle(function->name, NULL, NULL, &status);
    if (status == NO_MEMORY)
        tr_no_memory();
    if (text)
        function->shown = tr_arena_strdup(module->arena, text);
    free(text);
}

const char *symbol_python_signature(const ir_function *function)
{
    const char *signature = strstr(function->name, "_Kt");
    bool is_one = signature && isdigit((unsigned char)signature[3]);
    return is_one && strncmp(function->name, "_Z", 2) != 0 ? signature : NULL;
}

void symbol_name_kernel(ir_module *module, ir_function *function)
{
    const char *signature = symbol_python_signature(function);
    if (strncmp(function->name, "_Z", 2) == 0)
        demangle(module, function);
    else if (signature)
        function->shown =
            tr_arena_strndup(module->arena, function->name, (size_t)(signature - function->name));
}

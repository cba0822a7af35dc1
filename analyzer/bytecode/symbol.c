#include "bytecode/symbol.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C++ runtime's own demangler (Itanium C++ ABI); NULL when the name is not mangled. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static void demangle(ir_module *module, ir_function *function)
{
    int status = 0;
    char *text = __cxa_demangle(function->name, NULL, NULL, &status);
    if (text)
        function->shown = tr_arena_strdup(module->arena, text);
    free(text);
}

static bool is_pointer(const ir_value *arg)
{
    return arg->type->kind == IR_TILE && arg->type->elem->kind == IR_POINTER;
}

/* Rank of the array that a part of the signature begins: "A3f16" is one of rank 3; 0: none. */
static int array_rank(const char *part)
{
    if (part[0] != 'A' || !isdigit((unsigned char)part[1]) || part[1] == '0')
        return 0;
    return isalpha((unsigned char)part[2]) ? part[1] - '0' : 0;
}

/* An array takes 1 + 2 * rank flat arguments: pointer, extents, strides. False when the kernel's
 * parameters are not of that form. */
static bool name_array(ir_module *module, ir_function *function, uint32_t first, int rank,
                       int number)
{
    uint32_t n = function->body->n_args;
    ir_value **args = function->body->args;
    if (first + 2 * (uint32_t)rank >= n || !is_pointer(args[first]))
        return false;
    for (int i = 1; i <= 2 * rank; i++)
        if (!ir_type_is_tile_of_int(args[first + (uint32_t)i]->type))
            return false;
    args[first]->name = tr_arena_printf(module->arena, "a%d", number);
    for (int d = 0; d < rank; d++) {
        args[first + 1 + (uint32_t)d]->name =
            tr_arena_printf(module->arena, "a%d_shape%d", number, d);
        args[first + 1 + (uint32_t)(rank + d)]->name =
            tr_arena_printf(module->arena, "a%d_stride%d", number, d);
    }
    return true;
}

/* cuTile Python: NAME_Kt<version>_<part>_<part>..., where a part that starts an array says its
 * rank. Arrays come in the order of the flat arguments, with scalars between them. */
static void read_python_signature(ir_module *module, ir_function *function, const char *signature)
{
    size_t name_length = (size_t)(signature - function->name);
    function->shown = tr_arena_strndup(module->arena, function->name, name_length);
    uint32_t next = 0;
    int number = 0;
    for (const char *part = strchr(signature + 1, '_'); part; part = strchr(part, '_')) {
        part++;
        int rank = array_rank(part);
        if (!rank)
            continue;
        while (next < function->body->n_args && !is_pointer(function->body->args[next]))
            next++; /* scalars before it */
        if (!name_array(module, function, next, rank, number++))
            return;
        next += 1 + 2 * (uint32_t)rank;
    }
}

void symbol_name_parameters(ir_module *module, ir_function *function)
{
    const char *signature = strstr(function->name, "_Kt");
    if (strncmp(function->name, "_Z", 2) == 0)
        demangle(module, function);
    else if (signature && isdigit((unsigned char)signature[3]))
        read_python_signature(module, function, signature);
}

bool symbol_is_extent(const ir_value *parameter)
{
    int array, d;
    return parameter->name && sscanf(parameter->name, "a%d_shape%d", &array, &d) == 2;
}

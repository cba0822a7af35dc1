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
static uint32_t array_rank(const char *part)
{
    if (part[0] != 'A' || !isdigit((unsigned char)part[1]) || part[1] == '0')
        return 0;
    return isalpha((unsigned char)part[2]) ? (uint32_t)(part[1] - '0') : 0;
}

/* An array takes 1 + 2 * rank flat arguments: pointer, extents, strides. False when the kernel's
 * parameters are not of that form. */
static bool find_array(const ir_block *body, uint32_t first, uint32_t rank,
                       contract_member *members)
{
    if (first + 2 * rank >= body->n_args || !is_pointer(body->args[first]))
        return false;
    for (uint32_t i = 1; i <= 2 * rank; i++)
        if (!ir_type_is_tile_of_int(body->args[first + i]->type))
            return false;
    members[first] = (contract_member){CONTRACT_ARRAY_START, first, 0};
    for (uint32_t d = 0; d < rank; d++) {
        members[first + 1 + d] = (contract_member){CONTRACT_ARRAY_EXTENT, first, d};
        members[first + 1 + rank + d] = (contract_member){CONTRACT_ARRAY_STRIDE, first, d};
    }
    return true;
}

/* cuTile Python: NAME_Kt<version>_<part>_<part>..., where a part that starts an array says its
 * rank. NULL: the symbol is none of its. */
static const char *python_signature(const ir_function *function)
{
    const char *signature = strstr(function->name, "_Kt");
    bool is_one = signature && isdigit((unsigned char)signature[3]);
    return is_one && strncmp(function->name, "_Z", 2) != 0 ? signature : NULL;
}

void symbol_find_arrays(const ir_function *function, contract_member *members)
{
    const char *signature = python_signature(function);
    if (!signature)
        return;
    uint32_t next = 0; /* arrays come in the order of the flat arguments, scalars between them */
    for (const char *part = strchr(signature + 1, '_'); part; part = strchr(part, '_')) {
        part++;
        uint32_t rank = array_rank(part);
        if (!rank)
            continue;
        while (next < function->body->n_args && !is_pointer(function->body->args[next]))
            next++; /* scalars before it */
        if (!find_array(function->body, next, rank, members))
            return;
        next += 1 + 2 * rank;
    }
}

void symbol_name_kernel(ir_module *module, ir_function *function)
{
    const char *signature = python_signature(function);
    if (strncmp(function->name, "_Z", 2) == 0)
        demangle(module, function);
    else if (signature)
        function->shown =
            tr_arena_strndup(module->arena, function->name, (size_t)(signature - function->name));
}

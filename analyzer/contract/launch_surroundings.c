/* Reads what a launch of a file says besides its arguments: the grid, assumptions, where it was
 * seen, who else is there. */
#include "contract/expression.h"
#include "contract/launch_private.h"

#include <string.h>

static void read_grid(launch_builder *b)
{
    static const char *const names[] = {"grid.x", "grid.y", "grid.z"};
    const cJSON *grid = launch_get(b->launch, "grid");
    const cJSON *item = grid ? grid->child : NULL;
    for (int axis = 0; grid && axis < 3; axis++, item = item ? item->next : NULL) {
        const char *where = tr_arena_printf(b->arena, "%s.grid[%d]", b->where, axis);
        smt_t extent =
            item ? launch_expression(b, item, where, false, false) : smt_int_const(b->ctx, 1);
        smt_int low, high;
        if (!extent)
            continue;
        smt_bounds(extent, &low, &high);
        if (low == 0 && high == 0 && b->file->version > 1) {
            b->c->is_empty = true; /* as front ends launch an empty batch */
            b->c->grid[axis] = extent;
            continue;
        }
        if (high < 1 || low >= (smt_int)1 << 24)
            launch_refuse(b, where, "an extent is 1 to 2^24 - 1 tile blocks.");
        else if (!launch_merge_term(b->ctx, b->c, &b->c->grid[axis], extent,
                                    tr_arena_printf(b->arena, "%s == %s", names[axis],
                                                    item ? launch_as_written(b, item) : "1")))
            launch_refuse(b, where, "this contradicts the kernel's source.");
    }
}

static void read_assumptions(launch_builder *b)
{
    const cJSON *item;
    size_t number = 0;
    cJSON_ArrayForEach(item, launch_get(b->launch, "assume"))
    {
        const char *where = tr_arena_printf(b->arena, "%s.assume[%zu]", b->where, number++);
        smt_t term = launch_expression(b, item, where, true, false);
        if (term && smt_is_false(term))
            launch_refuse(b, where, "`%s` cannot hold.", item->valuestring);
        else if (term)
            contract_add_fact(b->c, term, launch_as_written(b, item), NULL);
    }
}

static void read_origin(launch_builder *b)
{
    const cJSON *source = launch_get(b->launch, "source");
    const char *file = cJSON_GetStringValue(launch_get(source, "file"));
    const char *program = cJSON_GetStringValue(launch_get(source, "program"));
    const cJSON *line = launch_get(source, "line");
    if (file)
        b->c->origin.file = tr_arena_strdup(b->arena, file);
    if (program)
        b->c->origin.program = tr_arena_strdup(b->arena, program);
    if (line && line->valuedouble > 0 && line->valuedouble < UINT32_MAX)
        b->c->origin.line = (uint32_t)line->valuedouble;
}

/* Facts that nobody has confirmed: read, so that they can be once they are, and in no proof. */
static void read_observed(launch_builder *b)
{
    const cJSON *list = launch_get(b->launch, "observed"), *item;
    const char **texts = TR_NEW_ARRAY(b->arena, const char *, (size_t)cJSON_GetArraySize(list) + 1);
    cJSON_ArrayForEach(item, list)
    {
        const char *why = NULL;
        const char *where =
            tr_arena_printf(b->arena, "%s.observed[%zu]", b->where, b->c->n_observed);
        contract_expression e =
            contract_expression_read(b->ctx, b->c, item->valuestring, false, &why);
        if (!e.term)
            launch_refuse(b, where, "%s", why);
        else if (!smt_is_bool(e.term))
            launch_refuse(b, where, "`%s` is an integer; a condition is needed.",
                          item->valuestring);
        texts[b->c->n_observed++] = launch_as_written(b, item);
    }
    b->c->observed = texts;
}

static bool is_buffer(const launch_builder *b, const char *name)
{
    for (size_t i = 0; i < b->c->n_args; i++)
        if (b->c->args[i].buffer && !strcmp(b->c->args[i].buffer, name))
            return true;
    return false;
}

/* Reads the name of a buffer. With version 2 it may be a buffer for which this launch has no
 * argument. */
static const char *read_buffer(launch_builder *b, const cJSON *name, const char *where)
{
    if (b->file->version < 2 && !is_buffer(b, name->valuestring))
        launch_refuse(b, where, "no argument's buffer is called `%s`.", name->valuestring);
    return tr_arena_strdup(b->arena, name->valuestring);
}

static contract_touched read_touched(launch_builder *b, const cJSON *item, const char *where)
{
    static const launch_numbers numbers = {
        .least = 0, .most = (int64_t)1 << 60, .refusal = "this is no number of bytes."};
    const cJSON *offset = launch_get(item, "byte_offset"), *bytes = launch_get(item, "bytes");
    const char *by = cJSON_GetStringValue(launch_get(item, "by"));
    int64_t from = 0, length = numbers.most;
    if (offset)
        launch_read_number(b, &numbers, offset, launch_path(b, where, "byte_offset"), &from);
    if (bytes)
        launch_read_number(b, &numbers, bytes, launch_path(b, where, "bytes"), &length);
    return (contract_touched){
        .buffer = read_buffer(b, launch_get(item, "buffer"), where),
        .from = from,
        .to = (smt_int)from + length,
        .by = by ? tr_arena_strdup(b->arena, by) : NULL,
        .is_bound = cJSON_IsTrue(launch_get(item, "bound")),
        .is_unwaited = cJSON_IsTrue(launch_get(item, "unwaited")),
    };
}

/* Reads what the predecessor writes, or reads: whole buffers by their names, and bytes of some. */
static void read_touched_list(launch_builder *b, const cJSON *list, const char *where, bool writes,
                              const char *const **names, size_t *n)
{
    contract_predecessor *p = &b->c->predecessor;
    size_t most = (size_t)cJSON_GetArraySize(list), number = 0;
    const char **whole = TR_NEW_ARRAY(b->arena, const char *, most + 1);
    contract_touched *parts = TR_NEW_ARRAY(b->arena, contract_touched, p->n_touched + most + 1);
    if (p->n_touched)
        memcpy(parts, p->touched, p->n_touched * sizeof *parts);
    *n = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const char *at = tr_arena_printf(b->arena, "%s[%zu]", where, number++);
        if (cJSON_IsString(item)) {
            whole[(*n)++] = read_buffer(b, item, at);
            continue;
        }
        parts[p->n_touched] = read_touched(b, item, at);
        parts[p->n_touched++].writes = writes;
    }
    *names = whole;
    p->touched = parts;
}

static void read_surroundings(launch_builder *b)
{
    const cJSON *peers = launch_get(b->launch, "peers"),
                *predecessor = launch_get(b->launch, "predecessor");
    contract_predecessor *p = &b->c->predecessor;
    b->c->pdl |= cJSON_IsTrue(launch_get(b->launch, "pdl"));
    if (peers)
        b->c->peers =
            !strcmp(peers->valuestring, "sys") ? CONTRACT_PEERS_SYS : CONTRACT_PEERS_DEVICE;
    if (!predecessor)
        return;
    const char *where = launch_path(b, b->where, "predecessor");
    p->is_stated |= b->file->version > 1;
    read_touched_list(b, launch_get(predecessor, "writes"), launch_path(b, where, "writes"), true,
                      &p->writes, &p->n_writes);
    read_touched_list(b, launch_get(predecessor, "reads"), launch_path(b, where, "reads"), false,
                      &p->reads, &p->n_reads);
}

void launch_read_surroundings(launch_builder *b)
{
    read_grid(b);
    read_assumptions(b);
    read_origin(b);
    read_observed(b);
    read_surroundings(b);
}

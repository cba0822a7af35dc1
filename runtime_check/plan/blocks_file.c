/* blocks.txt of a bundle: written and read. blocks.h shows such a file. */
#include "plan/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

#define HEADER       "tilerace-blocks 1"
#define LINE_LENGTHS 64        /* lengths of elements on one line */
#define MAX_LISTED   (1 << 28) /* of ops, races, touches, sources: more is no file of ours */

/* ---- Writing ---- */

static void write_toucher(tr_text *out, gpu_toucher t)
{
    if (t.block == GPU_NOBODY)
        tr_text_add(out, " - -");
    else
        tr_text_addf(out, " %u %u", t.block, t.op);
}

static uint64_t count_of(const gpu_plan *plan, size_t i)
{
    return plan->buffers[i].bytes / (uint64_t)plan_element_bytes(plan->buffers[i].element);
}

/* Returns how many elements from `at` on have the same touch. */
static uint64_t length_at(const uint32_t *touch, uint64_t at, uint64_t n)
{
    uint64_t end = at + 1;
    while (end < n && touch[end] == touch[at])
        end++;
    return end - at;
}

static uint64_t lengths_in_all(const gpu_plan *plan, const gpu_blocks *blocks)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < plan->n_buffers; i++) {
        uint64_t n = count_of(plan, i);
        for (uint64_t at = 0; blocks->elements[i] && at < n; sum++)
            at += length_at(blocks->elements[i], at, n);
    }
    return sum;
}

static void write_elements(tr_text *out, const char *name, const uint32_t *touch, uint64_t n)
{
    uint64_t on_line = 0;
    for (uint64_t at = 0, length; at < n; at += length, on_line++) {
        length = length_at(touch, at, n);
        if (on_line % LINE_LENGTHS == 0)
            tr_text_addf(out, "%selements %s", on_line ? "\n" : "", name);
        tr_text_addf(out, " %llu*%u", (unsigned long long)length, touch[at]);
    }
    tr_text_add(out, "\n");
}

static void write_lists(tr_text *out, const gpu_blocks *b)
{
    for (size_t i = 0; i < b->n_ops; i++)
        tr_text_addf(out, "op %u %s\n", b->ops[i].line, b->ops[i].name);
    for (size_t i = 0; i < b->n_races; i++)
        tr_text_addf(out, "race %u %u %s %s\n", b->races[i].ops[0], b->races[i].ops[1],
                     b->races[i].inside ? "inside" : "between", b->races[i].words);
    for (size_t i = 1; i < b->n_touches; i++) {
        tr_text_add(out, "touch");
        write_toucher(out, b->touches[i].writer);
        write_toucher(out, b->touches[i].other);
        write_toucher(out, b->touches[i].reader);
        tr_text_add(out, "\n");
    }
    for (size_t i = 0; i < b->n_sources; i++) {
        tr_text_add(out, "source");
        write_toucher(out, b->sources[i].reader);
        write_toucher(out, b->sources[i].writer);
        tr_text_add(out, "\n");
    }
}

void plan_blocks_write(tr_text *out, const gpu_plan *plan, const gpu_blocks *blocks)
{
    const char *nobody = blocks->nobody;
    tr_text_add(out, HEADER "\n");
    if (blocks->checker)
        tr_text_addf(out, "checker %s\n", blocks->checker);
    if (blocks->synchronises)
        tr_text_add(out, "synchronises\n");
    if (blocks->seen)
        tr_text_addf(out, "seen %s\n", blocks->seen);
    if (!nobody && lengths_in_all(plan, blocks) > GPU_MAX_RUNS)
        nobody = "neighbouring elements are written by different blocks too often to write all of "
                 "it down";
    if (nobody) {
        tr_text_addf(out, "nobody %s\n", nobody);
        return;
    }
    write_lists(out, blocks);
    for (size_t i = 0; i < plan->n_buffers; i++)
        if (blocks->elements[i])
            write_elements(out, plan->buffers[i].name, blocks->elements[i], count_of(plan, i));
    if (blocks->part)
        tr_text_add(out, "part\n");
}

/* ---- Reading ---- */

typedef struct blocks_reader {
    tr_arena *arena;
    const gpu_plan *plan;
    gpu_blocks *blocks; /* the result; its lists are empty until move_lists() */
    gpu_op *ops;        /* this list and the next three: stb_ds arrays, what has been read so far */
    gpu_race *races;
    gpu_touch *touches;
    gpu_source *sources;
    uint64_t *filled; /* per buffer: the number of elements that have their touch */
    uint32_t n_blocks;
    char *rest; /* of the line that is being read */
} blocks_reader;

/* Cuts the next word off the rest of the line; NULL: the line has ended. */
static char *word(blocks_reader *r)
{
    return strtok_r(NULL, " ", &r->rest);
}

/* Returns a copy of the rest of the line, in the arena. */
static const char *words_to_the_end(blocks_reader *r)
{
    return tr_arena_strdup(r->arena, r->rest ? r->rest : "");
}

/* Reads decimal digits; `text` may be NULL. False, for anything else and for a number that is not
 * less than `below`. */
static bool number(const char *text, uint64_t below, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = text ? strtoull(text, &end, 10) : 0;
    return text && *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *value < below;
}

/* Reads the next word as a number less than `below`, which is at most UINT32_MAX. */
static bool read_number(blocks_reader *r, uint64_t below, uint32_t *value)
{
    uint64_t wide;
    bool good = number(word(r), below, &wide);
    *value = good ? (uint32_t)wide : 0;
    return good;
}

/* Reads two words that say who touches an element:
 *
 *   BLOCK OP    a block of the launch, and an op that an earlier line has listed
 *   - -         nobody, if `may_be_nobody`
 *
 * False: it is neither; *t is of no use then. */
static bool read_toucher(blocks_reader *r, bool may_be_nobody, gpu_toucher *t)
{
    const char *block = word(r), *op = word(r);
    uint64_t block_number, op_number;
    if (!block || !op)
        return false;
    if (strcmp(block, "-") == 0 && strcmp(op, "-") == 0) {
        *t = (gpu_toucher){GPU_NOBODY, 0};
        return may_be_nobody;
    }
    if (!number(block, r->n_blocks, &block_number) || !number(op, arrlenu(r->ops), &op_number))
        return false;
    *t = (gpu_toucher){(uint32_t)block_number, (uint32_t)op_number};
    return true;
}

/* Each read_*() reads the rest of a line after its first word, and adds what the line says. False:
 * the line does not have the form that stands above the function. */

/* WORD... */
static bool read_checker(blocks_reader *r)
{
    r->blocks->checker = words_to_the_end(r);
    return true;
}

/* WORD... */
static bool read_seen(blocks_reader *r)
{
    r->blocks->seen = words_to_the_end(r);
    return true;
}

static bool read_synchronises(blocks_reader *r)
{
    r->blocks->synchronises = true;
    return true;
}

/* WORD... */
static bool read_nobody(blocks_reader *r)
{
    r->blocks->nobody = words_to_the_end(r);
    return true;
}

static bool read_part(blocks_reader *r)
{
    r->blocks->part = true;
    return true;
}

/* LINE NAME */
static bool read_op(blocks_reader *r)
{
    gpu_op op;
    if (!read_number(r, UINT32_MAX, &op.line))
        return false;
    op.name = words_to_the_end(r);
    arrput(r->ops, op);
    return arrlenu(r->ops) < MAX_LISTED;
}

/* OP OP inside|between WORD... */
static bool read_race(blocks_reader *r)
{
    gpu_race race;
    if (!read_number(r, arrlenu(r->ops), &race.ops[0]) ||
        !read_number(r, arrlenu(r->ops), &race.ops[1]))
        return false;
    const char *where = word(r);
    if (!where || (strcmp(where, "inside") != 0 && strcmp(where, "between") != 0))
        return false;
    race.inside = strcmp(where, "inside") == 0;
    race.words = words_to_the_end(r);
    arrput(r->races, race);
    return arrlenu(r->races) < MAX_LISTED;
}

/* WRITER OTHER READER: three touchers */
static bool read_touch(blocks_reader *r)
{
    gpu_touch touch;
    if (!read_toucher(r, false, &touch.writer) || !read_toucher(r, true, &touch.other) ||
        !read_toucher(r, true, &touch.reader))
        return false;
    arrput(r->touches, touch);
    return arrlenu(r->touches) < MAX_LISTED;
}

/* READER WRITER: two touchers */
static bool read_source(blocks_reader *r)
{
    gpu_source source;
    if (!read_toucher(r, false, &source.reader) || !read_toucher(r, false, &source.writer))
        return false;
    arrput(r->sources, source);
    return arrlenu(r->sources) < MAX_LISTED;
}

/* Returns the number of the output of that name; n_buffers: there is none. `name` may be NULL. */
static size_t find_output(const gpu_plan *plan, const char *name)
{
    for (size_t i = 0; name && i < plan->n_buffers; i++)
        if (strcmp(plan->buffers[i].name, name) == 0)
            return plan->buffers[i].output ? i : plan->n_buffers;
    return plan->n_buffers;
}

/* NAME COUNT*TOUCH...: of an output, each of the next COUNT elements has that touch. Elements after
 * the last line of the output keep touch 0: nobody writes them. */
static bool read_elements(blocks_reader *r)
{
    size_t i = find_output(r->plan, word(r));
    if (i == r->plan->n_buffers)
        return false;
    uint64_t n = count_of(r->plan, i);
    if (!r->blocks->elements[i])
        r->blocks->elements[i] = TR_NEW_ARRAY(r->arena, uint32_t, n);
    for (char *length = word(r); length; length = word(r)) {
        char *star = strchr(length, '*');
        uint64_t count, touch;
        if (!star)
            return false;
        *star = '\0';
        if (!number(length, n - r->filled[i] + 1, &count) ||
            !number(star + 1, arrlenu(r->touches), &touch))
            return false;
        for (uint64_t k = 0; k < count; k++)
            r->blocks->elements[i][r->filled[i]++] = (uint32_t)touch;
    }
    return true;
}

static const struct {
    const char *word;
    bool (*read)(blocks_reader *r);
} statements[] = {
    {"checker", read_checker}, {"synchronises", read_synchronises},
    {"seen", read_seen},       {"nobody", read_nobody},
    {"part", read_part},       {"op", read_op},
    {"race", read_race},       {"touch", read_touch},
    {"source", read_source},   {"elements", read_elements},
};

/* Reads a line by its first word. An empty line says nothing. */
static bool read_line(blocks_reader *r, char *line)
{
    const char *first = strtok_r(line, " ", &r->rest);
    for (size_t i = 0; first && i < TR_COUNT(statements); i++)
        if (strcmp(statements[i].word, first) == 0)
            return statements[i].read(r);
    return first == NULL;
}

/* Moves the lists from the reader into the result, in the arena. */
static void move_lists(blocks_reader *r)
{
    gpu_blocks *b = r->blocks;
#define MOVE(list)                                                                                 \
    b->n_##list = arrlenu(r->list);                                                                \
    b->list = tr_arena_copy(r->arena, r->list, b->n_##list * sizeof *r->list);                     \
    arrfree(r->list)
    MOVE(ops);
    MOVE(races);
    MOVE(touches);
    MOVE(sources);
#undef MOVE
}

/* Returns the number of blocks of the launch; UINT32_MAX if there are more. */
static uint32_t blocks_of(const gpu_plan *plan)
{
    uint64_t n = (uint64_t)plan->grid[0] * plan->grid[1];
    return n < UINT32_MAX && n * plan->grid[2] < UINT32_MAX ? (uint32_t)(n * plan->grid[2])
                                                            : UINT32_MAX;
}

gpu_blocks *plan_blocks_read(tr_arena *arena, const gpu_plan *plan, char *text, const char **why)
{
    blocks_reader r = {.arena = arena,
                       .plan = plan,
                       .blocks = TR_NEW(arena, gpu_blocks),
                       .filled = TR_NEW_ARRAY(arena, uint64_t, plan->n_buffers + 1),
                       .n_blocks = blocks_of(plan)};
    r.blocks->elements = TR_NEW_ARRAY(arena, uint32_t *, plan->n_buffers + 1);
    gpu_touch none = {{GPU_NOBODY, 0}, {GPU_NOBODY, 0}, {GPU_NOBODY, 0}};
    arrput(r.touches, none);
    bool good = true;
    size_t number_of_line = 0;
    for (char *line = text, *end; line && good; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        good = number_of_line++ ? read_line(&r, line) : strcmp(line, HEADER) == 0;
    }
    if (!good)
        *why = tr_arena_printf(arena, GPU_BLOCKS_NAME ":%zu: this is no line of such a file",
                               number_of_line);
    move_lists(&r);
    return good ? r.blocks : NULL;
}

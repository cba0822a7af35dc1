#include "bytecode/images.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "bytecode/bytecode.h"
#include "bytecode/format.h"
#include "bytecode/packed.h"

/* ---- Section: Archives ---- */

enum { ARCHIVE_MAGIC = 8, MEMBER_HEAD = 60, NAME_SIZE = 16, SIZE_AT = 48, SIZE_DIGITS = 10 };

typedef struct member {
    size_t start, end; /* of its contents */
    const char *name;
} member;

typedef struct finder {
    tr_arena *arena;
    const unsigned char *file;
    size_t size;
    member *members;        /* stb_ds array */
    bytecode_image *images; /* stb_ds array */
    size_t told;            /* where the image begins of which was told last that it is damaged */
} finder;

/* A name ends at a slash, or at the blanks that fill its field up. */
static const char *name_in(tr_arena *arena, const char *text, size_t room)
{
    size_t length = 0;
    while (length < room && text[length] != '/' && text[length] != '\n')
        length++;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return tr_arena_strndup(arena, text, length);
}

static size_t digits_in(const char *text, size_t room)
{
    size_t number = 0;
    for (size_t i = 0; i < room && text[i] >= '0' && text[i] <= '9'; i++)
        number = number * 10 + (size_t)(text[i] - '0');
    return number;
}

static void find_members(finder *f)
{
    const char *text = (const char *)f->file, *names = NULL;
    size_t n_names = 0;
    if (f->size < ARCHIVE_MAGIC || memcmp(text, "!<arch>\n", ARCHIVE_MAGIC) != 0)
        return;
    for (size_t at = ARCHIVE_MAGIC; f->size - at >= MEMBER_HEAD;) {
        const char *head = text + at;
        size_t start = at + MEMBER_HEAD, left = f->size - start;
        size_t size = digits_in(head + SIZE_AT, SIZE_DIGITS);
        size = size < left ? size : left;
        if (head[0] == '/' && head[1] == '/') {
            names = text + start;
            n_names = size;
        }
        size_t long_name = digits_in(head + 1, NAME_SIZE - 1);
        bool is_long = head[0] == '/' && head[1] >= '0' && head[1] <= '9' && long_name < n_names;
        const char *name = is_long ? name_in(f->arena, names + long_name, n_names - long_name)
                                   : name_in(f->arena, head, NAME_SIZE);
        arrput(f->members, ((member){start, start + size, name}));
        at = start + size;
        at += at % 2 && at < f->size;
    }
}

static const member *member_at(const finder *f, size_t offset)
{
    for (size_t i = 0; i < arrlenu(f->members); i++)
        if (offset >= f->members[i].start && offset < f->members[i].end)
            return &f->members[i];
    return NULL;
}

/* ---- Section: Images ---- */

static bool is_there(const finder *f, const bytecode_image *image)
{
    for (size_t i = 0; i < arrlenu(f->images); i++) {
        const bytecode_image *other = &f->images[i];
        bool same_object = image->member && other->member
                               ? strcmp(image->member, other->member) == 0
                               : image->member == other->member;
        if (same_object && image->bytes && other->bytes && image->size == other->size &&
            memcmp(image->bytes, other->bytes, image->size) == 0)
            return true;
    }
    return false;
}

static void add(finder *f, bytecode_image image)
{
    const member *within = member_at(f, image.offset);
    image.member = within ? within->name : NULL;
    if (!is_there(f, &image))
        arrput(f->images, image);
}

/* ---- Section: Fat binaries ---- */

static const unsigned char fatbin_magic[] = {0x50, 0xed, 0x55, 0xba};

typedef struct fatbin_head {
    uint32_t magic;
    uint16_t version, header;
    uint64_t size; /* of all entries */
} fatbin_head;

static void take_entry(finder *f, size_t offset, const fatbin_entry *entry, size_t room)
{
    bytecode_image image = {.offset = offset, .architecture = entry->architecture};
    size_t unpacked = 0;
    unsigned char *bytes = bytecode_unpack(f->file + offset, room, &unpacked);
    if (bytes) {
        image.bytes = tr_arena_copy(f->arena, bytes, unpacked);
        image.size = unpacked;
    } else if (entry->size > room - entry->head) {
        image.why = "its fat binary is cut off";
    } else {
        image.why = "its fat binary is damaged, or compressed in a way that is not known";
    }
    if (!bytes)
        f->told = offset + entry->head;
    free(bytes);
    add(f, image);
}

static const unsigned char *find_text(const unsigned char *in, size_t size, const char *text)
{
    return memmem(in, size, text, strlen(text));
}

/* The assembler writes a section for what the host launches, and nvcc gives it a kernel of its own
 * where a source has no tile kernels. */
static bool has_tile_kernels(const unsigned char *code, size_t size)
{
    static const char info[] = ".nv.info.", none[] = "__$dummy_kernel";
    const unsigned char *end = code + size;
    if (size < 4 || memcmp(code, "\177ELF", 4) != 0 || !memmem(code, size, "\0.nv.host", 10))
        return false;
    for (const unsigned char *at = find_text(code, size, info); at;
         at = find_text(at, (size_t)(end - at), info)) {
        at += sizeof info - 1;
        if ((size_t)(end - at) < sizeof none || memcmp(at, none, sizeof none) != 0)
            return true;
    }
    return false;
}

enum { NAMES_ARE_WITHIN = 1 << 19 };

/* Libraries have thousands of images. Assemblers put the names of sections first, and once more
 * before those of symbols; so an image that has both early, without the one that is looked for,
 * need not be unpacked whole. */
static bool is_told_by_start(const unsigned char *entry, size_t room)
{
    static const char first[] = ".shstrtab"; /* of the names, in either place */
    size_t size = 0;
    unsigned char *start =
        fatbin_unpack_start(entry, room, FATBIN_MACHINE_CODE, NAMES_ARE_WITHIN, &size);
    const unsigned char *end = start ? start + size : NULL;
    const unsigned char *names = start ? find_text(start, size, first) : NULL;
    const unsigned char *again =
        names ? find_text(names + 1, (size_t)(end - names) - 1, first) : NULL;
    bool is_told = again && !memmem(names, (size_t)(again - names), "\0.nv.host", 10);
    free(start);
    return is_told;
}

static bool is_of_tile_kernels(const unsigned char *entry, size_t room)
{
    size_t size = 0;
    if (is_told_by_start(entry, room))
        return false;
    unsigned char *code = fatbin_unpack(entry, room, FATBIN_MACHINE_CODE, &size);
    bool it_is = code && has_tile_kernels(code, size);
    free(code);
    return it_is;
}

/* Machine code of tile kernels, in a fat binary without the Tile IR that it was made of. */
static void take_machine_code(finder *f, size_t start, size_t end)
{
    fatbin_entry entry;
    for (size_t at = start; end - at >= sizeof entry; at += entry.head + (size_t)entry.size) {
        memcpy(&entry, f->file + at, sizeof entry);
        if (is_of_tile_kernels(f->file + at, end - at))
            add(f, (bytecode_image){
                       .offset = at,
                       .architecture = entry.architecture,
                       .is_machine_code = true,
                       .why = "it has only the machine code of its tile kernels, without Tile IR"});
    }
}

/* Returns where the search goes on: behind it, or behind what looked like one. */
static size_t take_fatbin(finder *f, size_t start)
{
    fatbin_head head;
    fatbin_entry entry;
    if (f->size - start < sizeof head)
        return f->size;
    memcpy(&head, f->file + start, sizeof head);
    if (head.header < sizeof head || head.header > f->size - start)
        return start + sizeof fatbin_magic;
    size_t left = f->size - start - head.header;
    size_t at = start + head.header, end = at + (head.size < left ? (size_t)head.size : left);
    const size_t first = at;
    bool has_tile_ir = false;
    while (end - at >= sizeof entry) {
        memcpy(&entry, f->file + at, sizeof entry);
        size_t room = end - at;
        if (entry.head < sizeof entry || entry.head > room)
            break;
        has_tile_ir |= entry.kind == FATBIN_TILE_IR;
        if (entry.kind == FATBIN_TILE_IR)
            take_entry(f, at, &entry, room);
        if (entry.size > room - entry.head)
            break;
        at += entry.head + (size_t)entry.size;
    }
    if (!has_tile_ir)
        take_machine_code(f, first, at);
    return at > first ? at : start + sizeof fatbin_magic;
}

/* ---- Section: Bytecode as it is ---- */

enum { VERSION_SIZE = 4, NEWEST_IMAGINABLE = 99 };

static size_t take_bytecode(finder *f, size_t start)
{
    const unsigned char *bytes = f->file + start;
    size_t left = f->size - start;
    bool is_one = left >= BC_MAGIC_SIZE + VERSION_SIZE && bytes[BC_MAGIC_SIZE] == BC_MAJOR &&
                  bytes[BC_MAGIC_SIZE + 1] <= NEWEST_IMAGINABLE && bytes[BC_MAGIC_SIZE + 1] > 0;
    if (!is_one)
        return start + BC_MAGIC_SIZE; /* a program that knows the magic number, as this one */
    bytecode_image image = {.offset = start, .size = bytecode_length(bytes, left)};
    if (image.size > 0)
        image.bytes = bytes;
    else
        image.why = "it is cut off or damaged";
    if (image.bytes || f->told != start)
        add(f, image);
    return start + (image.size ? image.size : BC_MAGIC_SIZE);
}

static size_t find(const finder *f, size_t from, const void *what, size_t length)
{
    const unsigned char *at = memmem(f->file + from, f->size - from, what, length);
    return at ? (size_t)(at - f->file) : f->size;
}

tr_give bytecode_image *bytecode_find_images(tr_arena *arena, const unsigned char *file,
                                             size_t size)
{
    finder f = {.arena = arena, .file = file, .size = size, .told = SIZE_MAX};
    find_members(&f);
    size_t fat = 0, plain = 0;
    for (size_t at = 0; at < size;) {
        fat = fat < at || at == 0 ? find(&f, at, fatbin_magic, sizeof fatbin_magic) : fat;
        plain = plain < at || at == 0 ? find(&f, at, BC_MAGIC, BC_MAGIC_SIZE) : plain;
        if (fat == size && plain == size)
            break;
        at = fat < plain ? take_fatbin(&f, fat) : take_bytecode(&f, plain);
    }
    arrfree(f.members);
    return f.images;
}

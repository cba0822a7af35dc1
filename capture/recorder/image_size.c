/* Finds out what an image is, and how many bytes it takes when a driver is given it without its
 * size. What the image says of itself is read without trust: a cut one may end where no memory
 * is. */
#include "recorder/private.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TILE_IR_MAGIC = 8,
    TILE_IR_HEADER = TILE_IR_MAGIC + 4, /* and its version */
    SECTION_END = 0,
    SECTION_NUMBER = 0x7f,
    SECTION_IS_ALIGNED = 0x80,
    MOST_SECTIONS = 128,
    LARGEST_ALIGNMENT = 1 << 20,
};

bool image_is_there(const void *image, uint64_t size)
{
    if (size > WIRE_LONGEST)
        return false;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)image;
    char byte;
    for (uint64_t at = 0; at < size; at += page - (from + at) % page) {
        if (!memory_try_read(&byte, from + at, 1))
            return false;
    }
    return true;
}

/* ---- Section: Tile IR ---- */

typedef struct walk {
    uint64_t start, at;
    bool failed;
} walk;

static uint8_t next(walk *w)
{
    uint8_t byte = 0;
    w->failed |= !memory_try_read(&byte, w->start + w->at, 1);
    w->at++;
    return byte;
}

/* Seven bits a byte, the lowest first. */
static uint64_t next_number(walk *w)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !w->failed; shift += 7) {
        uint8_t byte = next(w);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    w->failed = true;
    return 0;
}

/* A section's data starts at a multiple of its alignment, counted from the image's start. */
static void next_section(walk *w, uint8_t head)
{
    uint64_t length = next_number(w);
    uint64_t alignment = head & SECTION_IS_ALIGNED ? next_number(w) : 1;
    w->failed |= !alignment || alignment > LARGEST_ALIGNMENT || (alignment & (alignment - 1)) ||
                 length > WIRE_LONGEST;
    if (!w->failed)
        w->at = ((w->at + alignment - 1) & ~(alignment - 1)) + length;
}

size_t recorder_tile_ir_size(const void *image)
{
    static const char magic[TILE_IR_MAGIC] = "\177TileIR";
    char start[TILE_IR_MAGIC];
    if (!memory_try_read(start, (uintptr_t)image, sizeof start) ||
        memcmp(start, magic, sizeof magic) != 0)
        return 0;

    walk w = {.start = (uintptr_t)image, .at = TILE_IR_HEADER};
    for (int i = 0; i < MOST_SECTIONS && !w.failed; i++) {
        uint8_t head = next(&w);
        if ((head & SECTION_NUMBER) == SECTION_END)
            return !w.failed && image_is_there(image, w.at) ? w.at : 0;
        next_section(&w, head);
        w.failed |= w.at > WIRE_LONGEST;
    }
    return 0;
}

/* ---- Section: Machine code ---- */

static uint64_t later(uint64_t end, uint64_t offset, uint64_t size)
{
    uint64_t own = offset > WIRE_LONGEST || size > WIRE_LONGEST ? UINT64_MAX : offset + size;
    return own > end ? own : end;
}

static uint64_t end_of_sections(uint64_t image, const Elf64_Ehdr *header, uint64_t end)
{
    uint64_t bytes = (uint64_t)header->e_shnum * sizeof(Elf64_Shdr);
    end = later(end, header->e_shoff, bytes);
    Elf64_Shdr *sections = end > WIRE_LONGEST ? NULL : malloc(bytes + 1);
    if (!sections || !memory_try_read(sections, image + header->e_shoff, bytes))
        end = UINT64_MAX;
    for (unsigned i = 0; i < header->e_shnum && end <= WIRE_LONGEST; i++) {
        if (sections[i].sh_type != SHT_NOBITS)
            end = later(end, sections[i].sh_offset, sections[i].sh_size);
    }
    free(sections);
    return end;
}

static size_t elf_size(const void *image)
{
    Elf64_Ehdr header;
    if (!memory_try_read(&header, (uintptr_t)image, sizeof header) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        (header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr)))
        return 0;
    uint64_t end =
        later(sizeof header, header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize);
    if (header.e_shnum)
        end = end_of_sections((uintptr_t)image, &header, end);
    return image_is_there(image, end) ? end : 0;
}

/* The name of a section in the table of names, with the zeros around it. The assembler puts the
 * host's code that prepares a launch beside a tile kernel. */
static const char launch_section[] = "\0.nv.host";

bool elf_is_tile(uint64_t image, uint64_t size)
{
    Elf64_Ehdr header;
    Elf64_Shdr names;
    if (size < sizeof header || !memory_try_read(&header, image, sizeof header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shstrndx >= header.e_shnum ||
        header.e_shoff > size)
        return false;
    uint64_t at = header.e_shoff + (uint64_t)header.e_shstrndx * sizeof names;
    if (at > size || size - at < sizeof names ||
        !memory_try_read(&names, image + at, sizeof names) || names.sh_offset > size ||
        names.sh_size > size - names.sh_offset)
        return false;
    char *text = malloc(names.sh_size + 1);
    bool is_tile = text && memory_try_read(text, image + names.sh_offset, names.sh_size) &&
                   memmem(text, names.sh_size, launch_section, sizeof launch_section);
    free(text);
    return is_tile;
}

/* ---- Section: Any image ---- */

bool recorder_is_tile(const void *image, size_t size)
{
    if (!image || !size)
        return false;
    return elf_is_tile((uintptr_t)image, size) || fatbin_is_tile(image, size) ||
           recorder_tile_ir_size(image);
}

size_t recorder_image_size(const void *image)
{
    unsigned char start[SELFMAG];
    if (!memory_try_read(start, (uintptr_t)image, sizeof start))
        return 0;
    if (memcmp(start, ELFMAG, SELFMAG) == 0)
        return elf_size(image);
    size_t size = fatbin_size(image);
    return size ? size : recorder_tile_ir_size(image);
}

/* What an image is, and how many bytes it takes when a driver is given it without its size. What
 * the image says of itself is read without trust: a cut one may end where no memory is. */
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
#define FATBIN_MAGIC 0xba55ed50u

/* Whether every page of an image can be read. */
static bool is_there(const void *image, uint64_t size)
{
    if (size > WIRE_LONGEST)
        return false;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)image;
    char byte;
    for (uint64_t at = 0; at < size; at += page - (from + at) % page) {
        if (!memory_read(&byte, from + at, 1))
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
    w->failed |= !memory_read(&byte, w->start + w->at, 1);
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
    if (!memory_read(start, (uintptr_t)image, sizeof start) ||
        memcmp(start, magic, sizeof magic) != 0)
        return 0;

    walk w = {.start = (uintptr_t)image, .at = TILE_IR_HEADER};
    for (int i = 0; i < MOST_SECTIONS && !w.failed; i++) {
        uint8_t head = next(&w);
        if ((head & SECTION_NUMBER) == SECTION_END)
            return !w.failed && is_there(image, w.at) ? w.at : 0;
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
    if (!sections || !memory_read(sections, image + header->e_shoff, bytes))
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
    if (!memory_read(&header, (uintptr_t)image, sizeof header) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        (header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr)))
        return 0;
    uint64_t end =
        later(sizeof header, header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize);
    if (header.e_shnum)
        end = end_of_sections((uintptr_t)image, &header, end);
    return is_there(image, end) ? end : 0;
}

static size_t fatbin_size(const void *image)
{
    struct {
        uint32_t magic;
        uint16_t version, header;
        uint64_t size;
    } start;
    if (!memory_read(&start, (uintptr_t)image, sizeof start) || start.size > WIRE_LONGEST)
        return 0;
    uint64_t end = start.header + start.size;
    return is_there(image, end) ? end : 0;
}

/* The assembler puts beside a tile kernel the host's code that prepares its launch. */
bool recorder_is_tile(const void *image, size_t size)
{
    static const char section[] = "\0.nv.host", magic[] = "\177TileIR";
    const char *start = image;
    bool is_elf = size >= SELFMAG && memcmp(start, ELFMAG, SELFMAG) == 0;
    return image && size &&
           (is_elf ? memmem(start, size, section, sizeof section)
                   : memmem(start, size, magic, sizeof magic)) != NULL;
}

size_t recorder_image_size(const void *image)
{
    unsigned char start[4];
    uint32_t number;
    if (!memory_read(start, (uintptr_t)image, sizeof start))
        return 0;
    memcpy(&number, start, sizeof number);
    if (memcmp(start, ELFMAG, SELFMAG) == 0)
        return elf_size(image);
    return number == FATBIN_MAGIC ? fatbin_size(image) : recorder_tile_ir_size(image);
}

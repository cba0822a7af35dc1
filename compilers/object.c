#include "compilers/object.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#if defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_X86_64 };
#endif

enum { ALIGNMENT = 16 };

typedef enum section { NONE, DATA, SYMBOLS, STRINGS, NAMES, STACK, N_SECTIONS } section;

static const char section_names[] = "\0.rodata\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack";
static const Elf64_Word name_at[N_SECTIONS] = {
    [DATA] = 1, [SYMBOLS] = 9, [STRINGS] = 17, [NAMES] = 25, [STACK] = 35};

static void pad(tr_text *out, size_t from)
{
    while ((out->length - from) % ALIGNMENT)
        tr_text_addn(out, "", 1);
}

static void add_identifier(tr_text *out, const char *source)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    if (length == 0 || isdigit((unsigned char)*name))
        tr_text_add(out, "_");
    for (size_t i = 0; i < length; i++)
        tr_text_addf(out, "%c", isalnum((unsigned char)name[i]) ? name[i] : '_');
}

/* "\0NAME_tilebc\0NAME_tilebc_size\0"; returns where the second name begins. */
static Elf64_Word add_symbol_names(tr_text *out, const char *source)
{
    tr_text_addn(out, "", 1);
    add_identifier(out, source);
    tr_text_add(out, "_tilebc");
    tr_text_addn(out, "", 1);
    size_t second = out->length;
    add_identifier(out, source);
    tr_text_add(out, "_tilebc_size");
    tr_text_addn(out, "", 1);
    return (Elf64_Word)second;
}

/* Puts the bytes behind what is there and says where. */
static void place(tr_text *out, size_t from, const void *bytes, size_t size, Elf64_Shdr *header)
{
    pad(out, from);
    header->sh_offset = out->length - from;
    header->sh_size = size;
    tr_text_addn(out, bytes, size);
}

void object_write(tr_text *out, const char *source, const void *bytes, size_t size)
{
    size_t from = out->length, room = (size + 7) / 8 * 8;
    uint64_t count = size;
    tr_text data = {0}, strings = {0};
    tr_text_addn(&data, bytes, size);
    while (data.length < room)
        tr_text_addn(&data, "", 1);
    tr_text_addn(&data, (const char *)&count, sizeof count);
    Elf64_Word second = add_symbol_names(&strings, source);
    const unsigned char global = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = global, .st_shndx = DATA, .st_size = size},
        {.st_name = second, .st_info = global, .st_shndx = DATA, .st_value = room, .st_size = 8}};
    Elf64_Shdr sections[N_SECTIONS] = {
        [DATA] = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addralign = ALIGNMENT},
        [SYMBOLS] = {.sh_type = SHT_SYMTAB,
                     .sh_link = STRINGS,
                     .sh_info = 1,
                     .sh_addralign = 8,
                     .sh_entsize = sizeof(Elf64_Sym)},
        [STRINGS] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
        [NAMES] = {.sh_type = SHT_STRTAB, .sh_addralign = 1},
        [STACK] = {.sh_type = SHT_PROGBITS, .sh_addralign = 1}};
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = MACHINE,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof header,
        .e_shentsize = sizeof *sections,
        .e_shnum = N_SECTIONS,
        .e_shstrndx = NAMES};
    tr_text_addn(out, (const char *)&header, sizeof header);
    place(out, from, data.data, data.length, &sections[DATA]);
    place(out, from, symbols, sizeof symbols, &sections[SYMBOLS]);
    place(out, from, strings.data, strings.length, &sections[STRINGS]);
    place(out, from, section_names, sizeof section_names, &sections[NAMES]);
    place(out, from, NULL, 0, &sections[STACK]);
    for (int i = DATA; i < N_SECTIONS; i++)
        sections[i].sh_name = name_at[i];
    pad(out, from);
    header.e_shoff = out->length - from;
    memcpy(out->data + from, &header, sizeof header);
    tr_text_addn(out, (const char *)sections, sizeof sections);
    tr_text_free(&data);
    tr_text_free(&strings);
}

/* What is said of images: their sizes, and whether they hold tile kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/private.h"

enum { PAGE = 4096 };

/* Two pages, of which the second can't be read: an image that ends at the first one's end is
 * whole, and a longer one is cut. */
static char *guarded(void)
{
    char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + PAGE, PAGE, PROT_NONE), 0);
    return memory;
}

/* Images that end at the end of memory, whole and cut. */
static void test_sizes(void **state)
{
    (void)state;
    static const unsigned char module[] = "\177TileIR\0\15\1\0\0" /* a section of 2 bytes: */
                                          "\1\2ab"                /* one aligned to 8: */
                                          "\202\3\10zzzzzcde";    /* and the end */
    size_t size = sizeof module;
    char *memory = guarded(), *at = memory + PAGE - size;
    memcpy(at, module, size);
    assert_int_equal(recorder_tile_ir_size(at), size);
    assert_int_equal(recorder_image_size(at), size);
    for (size_t cut = 1; cut < size; cut++) {
        memmove(at + cut, module, size - cut);
        assert_int_equal(recorder_image_size(at + cut), 0);
    }
    assert_int_equal(recorder_image_size(memory + PAGE), 0);
    assert_int_equal(recorder_image_size(".version 8.0"), 0);
    munmap(memory, 2 * PAGE);
}

/* A file of machine code with one section, its table of names, and that name. */
static size_t put_elf(char *to, const char *name)
{
    Elf64_Ehdr header = {.e_shoff = sizeof header + 32, .e_shnum = 1, .e_shentsize = 64};
    Elf64_Shdr names = {.sh_offset = sizeof header, .sh_size = 32, .sh_type = SHT_STRTAB};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    memset(to, 0, sizeof header + 32);
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header + 1, name, strlen(name));
    memcpy(to + sizeof header + 32, &names, sizeof names);
    return sizeof header + 32 + sizeof names;
}

static size_t put_entry(char *to, uint16_t kind, const void *data, uint32_t size)
{
    struct {
        uint16_t kind, version;
        uint32_t header;
        uint64_t size;
        char rest[16];
    } entry = {.kind = kind, .header = sizeof entry, .size = size};
    memcpy(to, &entry, sizeof entry);
    memcpy(to + sizeof entry, data, size);
    return sizeof entry + size;
}

static size_t put_fatbin(char *to, uint16_t kind, const char *section)
{
    struct {
        uint32_t magic;
        uint16_t version, header;
        uint64_t size;
    } head = {.magic = 0xba55ed50u, .header = sizeof head};
    char elf[256];
    size_t elf_size = put_elf(elf, section), at = sizeof head;
    at += put_entry(to + at, 1, "text", 4);
    at += put_entry(to + at, kind, elf, (uint32_t)elf_size);
    head.size = at - sizeof head;
    memcpy(to, &head, sizeof head);
    return at;
}

static void test_fat_binaries(void **state)
{
    (void)state;
    static const struct {
        uint16_t kind;
        const char *section;
        bool is_tile;
    } cases[] = {{2, ".nv.host", true},  {2, ".text", false},   {2, ".nv.hosts", false},
                 {4, ".nv.host", false}, {0x80, ".text", true}, {2, "x.nv.host", false}};
    char *memory = guarded();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char image[1024];
        size_t size = put_fatbin(image, cases[i].kind, cases[i].section);
        char *at = memory + PAGE - size;
        memcpy(at, image, size);
        assert_int_equal(recorder_image_size(at), size);
        assert_int_equal(recorder_is_tile(at, size), cases[i].is_tile);
        for (size_t cut = 1; cut < size; cut++) {
            memmove(at + cut, image, size - cut);
            assert_int_equal(recorder_image_size(at + cut), 0);
            (void)recorder_is_tile(at + cut, size); /* which reads nothing that is not there */
        }
        size = put_elf(image, cases[i].section);
        assert_int_equal(recorder_is_tile(image, size), strcmp(cases[i].section, ".nv.host") == 0);
    }
    munmap(memory, 2 * PAGE);
}

/* Heads whose numbers lie: each byte of them changed to the largest and to zero. */
static void test_lying_fat_binaries(void **state)
{
    (void)state;
    char whole[1024], *memory = guarded();
    size_t size = put_fatbin(whole, 2, ".nv.host");
    char *image = memory + PAGE - size;
    memcpy(image, whole, size);
    for (size_t i = 0; i < size; i++) {
        char kept = image[i];
        image[i] = (char)0xff;
        (void)recorder_is_tile(image, size);
        assert_in_range(recorder_image_size(image), 0, size);
        image[i] = 0;
        (void)recorder_is_tile(image, size);
        assert_in_range(recorder_image_size(image), 0, size);
        image[i] = kept;
    }
    munmap(memory, 2 * PAGE);
}

/* Entries of Tile IR for the architectures; returns the index of the one that is taken. */
static int taken(const unsigned *architectures, unsigned n, unsigned device)
{
    struct {
        uint32_t magic;
        uint16_t version, header;
        uint64_t size;
        struct {
            uint16_t kind, version;
            uint32_t header;
            uint64_t size;
            uint32_t unused[3], architecture, data[8];
        } entries[4];
    } image = {.magic = 0xba55ed50u, .header = 16, .size = n * sizeof image.entries[0]};
    for (unsigned i = 0; i < n; i++) {
        image.entries[i].kind = i == 3 ? 2 : 0x80;
        image.entries[i].header = 32;
        image.entries[i].size = 32;
        image.entries[i].architecture = architectures[i];
    }
    size_t size = 0;
    const char *entry = fatbin_tile_ir(&image, device, &size);
    if (!entry)
        return -1;
    assert_int_equal(size, sizeof image.entries[0]);
    return (int)((size_t)(entry - (const char *)image.entries) / size);
}

static void test_architectures(void **state)
{
    (void)state;
    static const unsigned rising[] = {80, 90, 100}, falling[] = {120, 100, 90},
                          mixed[] = {100, 80, 80, 90};
    assert_int_equal(taken(rising, 3, 90), 1);
    assert_int_equal(taken(rising, 3, 103), 2);
    assert_int_equal(taken(rising, 3, 75), 0); /* none fits: the first, which a driver may refuse */
    assert_int_equal(taken(rising, 3, 0), 0);
    assert_int_equal(taken(mixed, 4, 90), 1); /* the last is no Tile IR */
    assert_int_equal(taken(falling, 3, 110), 1);
    assert_int_equal(taken(falling, 3, 90), 2);
    assert_int_equal(taken(falling, 0, 90), -1);
}

static void test_wrapper(void **state)
{
    (void)state;
    static const char image[] = "\177TileIR";
    const struct {
        uint32_t magic, version;
        const void *image;
    } wrapper = {0x466243b1u, 1, image}, other = {0x466243b2u, 1, image};
    assert_ptr_equal(recorder_image_start(&wrapper), image);
    assert_ptr_equal(recorder_image_start(&other), &other);
    assert_null(recorder_image_start(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_fat_binaries),
        cmocka_unit_test(test_lying_fat_binaries),
        cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_wrapper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is said of launches, and what is said only once. */
#include "checker.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>

#include "recorder/recorder.h"

static const char tile_ir[] = "\177TileIR\0\15\1\0\0";
enum { TILE_IR_BYTES = 13, MANY = 100000 };

/* A kernel of a pointer and a count. */
typedef struct kernel_arguments {
    void *pointer;
    int64_t count;
} kernel_arguments;

static int32_t array[16], other[16];

static void tell_pointer(void *user, uint64_t address, recorder_pointer *is)
{
    (void)user;
    for (int i = 0; i < 2; i++) {
        int32_t *start = i ? other : array;
        if (address >= (uintptr_t)start && address < (uintptr_t)(start + 16))
            *is = (recorder_pointer){(uintptr_t)start, sizeof array, true};
    }
}

static bool launch_with(const recorder_driver *driver, void *pointer, int64_t count, bool *executed)
{
    kernel_arguments a = {pointer, count};
    const void *arguments[] = {&a.pointer, &a.count};
    recorder_launch l = {recorder_image(tile_ir, TILE_IR_BYTES, 90),
                         "kernel",
                         {1, 1, 1},
                         .is_pdl = count < 0,
                         .arguments = arguments};
    return recorder_launched(&l, driver, executed);
}

static bool launch(void *pointer, int64_t count)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    return launch_with(&driver, pointer, count, NULL);
}

static checker pointer_and_count(void)
{
    return (checker){.entries = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}}, .n_entries = 2};
}

/* ---- Section: Once ---- */

static void launches_the_same(void)
{
    for (int i = 0; i < MANY; i++)
        EXPECT(launch(array, 3));
}

static void test_equal_launches(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    run_program(&c, launches_the_same);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1);
    assert_int_equal(c.module, 101);
    assert_string_equal(c.symbol, "kernel");
    assert_int_equal(c.n_arguments, 2);
    assert_true(c.values[0] == (uintptr_t)array && c.allocations[0] == (uintptr_t)array);
    assert_int_equal(c.allocation_bytes[0], sizeof array);
    assert_int_equal(c.readable[0], 1);
    assert_int_equal(c.values[1], 3);
    assert_int_equal(c.allocations[1], 0);
    assert_int_equal(c.launch_flags, 0);
}

static void launches_differently(void)
{
    EXPECT(launch(array, 3) && launch(array + 1, 3) && launch(other, 3) && launch(NULL, 3));
    EXPECT(launch(array, 4) && launch(array, -1));
    EXPECT(launch(array, 3) && launch(array + 1, 3) && launch(other, 3) && launch(NULL, 3));
}

static void test_different_launches(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    run_program(&c, launches_differently);
    assert_int_equal(c.seen[WIRE_LAUNCH] + c.seen[WIRE_PASSED], 6);
    assert_int_equal(c.launch_flags, WIRE_PDL);
}

/* ---- Section: Modules ---- */

/* Machine code with padding after it, as a cache may hand it out. */
static void loads_code(void)
{
    static unsigned char code[256];
    static const unsigned char start[] = "\177ELF\2\1\1";
    memcpy(code, start, sizeof start - 1);
    code[64] = 9; /* beyond the header, which is all that the file has */
    EXPECT(recorder_image_size(code) == 64);
    EXPECT(recorder_image(code, 64, 90) == 0);
    recorder_module(tile_ir, TILE_IR_BYTES, code, sizeof code, "cutile-python", "{}");
    recorder_module(tile_ir, TILE_IR_BYTES, code, sizeof code, "cutile-python", "{}");
    uint32_t image = recorder_image(code, 64, 90);
    EXPECT(image && recorder_image(tile_ir, TILE_IR_BYTES, 90) == image);
    recorder_module(tile_ir, TILE_IR_BYTES, NULL, 0, "cutile-python", "{\"function\": \"f\"}");
    EXPECT(recorder_image(tile_ir, TILE_IR_BYTES, 90) != image);
}

/* Code of which nothing is known but that a compiler gave the program a module with such a kernel:
 * the file's table of names holds `names`, of 24 bytes with the zero before them. */
static uint32_t load_assembled(const char *names, unsigned char byte)
{
    unsigned char code[64 + 32 + 64] = {0};
    const Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, 1, 1},
                               .e_shoff = 96,
                               .e_shnum = 1,
                               .e_shentsize = 64};
    const Elf64_Shdr table = {.sh_type = SHT_STRTAB, .sh_offset = 64, .sh_size = 32};
    memcpy(code, &header, sizeof header);
    memcpy(code + 64 + 1, names, 24);
    code[64 + 31] = byte; /* which makes it another one */
    memcpy(code + 96, &table, sizeof table);
    bool is_tile = false;
    uint32_t image = recorder_load(code, sizeof code, 90, &is_tile);
    EXPECT(is_tile);
    return image;
}

static void loads_assembled(void)
{
    static const char changed[] = "\177TileIR\0\15\1\0\0\0"; /* and a byte more */
    static const char names[25] = ".nv.host\0kernel", section[25] = ".nv.host\0.text.kernel";
    EXPECT(load_assembled(names, 0) == 0);
    recorder_compiled(tile_ir, TILE_IR_BYTES, "nvrtc");
    uint32_t image = recorder_image(tile_ir, TILE_IR_BYTES, 90);
    EXPECT(image && load_assembled(names, 1) == image && load_assembled(section, 1) == image);
    EXPECT(load_assembled((char[25]){".nv.host\0kernels"}, 1) == 0);
    EXPECT(load_assembled((char[25]){".nv.host\0akernel"}, 1) == 0);
    recorder_compiled(tile_ir, TILE_IR_BYTES, "nvrtc");
    EXPECT(load_assembled(names, 2) == image);
    /* Now it may be of either; what is known stays. */
    recorder_compiled(changed, TILE_IR_BYTES + 1, "nvrtc");
    EXPECT(load_assembled(names, 3) == 0 && load_assembled(names, 2) == image);
}

static void test_assembled(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.knows_no_code = true;
    run_program(&c, loads_assembled);
    assert_int_equal(c.seen[WIRE_MODULE], 2);
}

static void test_code(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    run_program(&c, loads_code);
    assert_int_equal(c.seen[WIRE_MODULE], 2);
    assert_int_equal(c.seen[WIRE_CODE], 1);
}

/* What the assembler makes: a file of machine code with the section that tells it. */
static size_t put_machine_code(unsigned char *to)
{
    static const char names[32] = "\0.nv.host";
    Elf64_Ehdr header = {.e_shoff = sizeof header + sizeof names, .e_shnum = 1, .e_shentsize = 64};
    Elf64_Shdr section = {
        .sh_offset = sizeof header, .sh_size = sizeof names, .sh_type = SHT_STRTAB};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, names, sizeof names);
    memcpy(to + sizeof header + sizeof names, &section, sizeof section);
    return sizeof header + sizeof names + sizeof section;
}

/* One process makes code of Tile IR, the other is given the code alone. */
static void makes_code(void)
{
    unsigned char code[256];
    size_t size = put_machine_code(code);
    for (int i = 0; i < 2; i++)
        recorder_module(tile_ir, TILE_IR_BYTES, code, size, "cutile-python", "{}");
    EXPECT(recorder_has_entries(recorder_image(code, size, 90)));
}

static void loads_code_of_others(void)
{
    unsigned char code[256];
    size_t size = put_machine_code(code);
    bool is_tile;
    uint32_t image = recorder_load(code, size, 90, &is_tile);
    recorder_parameters p;
    EXPECT(recorder_entry(image, "kernel", &p) && p.n == 2 && is_tile);
    EXPECT(recorder_load(code, size, 90, &is_tile) == image);
}

static void loads_code_of_nobody(void)
{
    unsigned char code[256];
    size_t size = put_machine_code(code);
    bool is_tile;
    EXPECT(recorder_load(code, size, 90, &is_tile) == 0 && is_tile);
}

static void test_code_of_others(void **state)
{
    (void)state;
    checker making = pointer_and_count(), loading = pointer_and_count(),
            alone = pointer_and_count();
    run_program(&making, makes_code);
    assert_int_equal(making.seen[WIRE_CODE], 1);
    assert_int_equal(making.seen[WIRE_WHOSE], 0);
    run_program(&loading, loads_code_of_others);
    assert_int_equal(loading.seen[WIRE_MODULE], 0);
    assert_int_equal(loading.seen[WIRE_WHOSE], 1);
    alone.is_unreadable = true;
    run_program(&alone, loads_code_of_nobody);
    assert_int_equal(alone.seen[WIRE_WHOSE], 1);
}

static void loads_unreadable(void)
{
    uint32_t image = recorder_image(tile_ir, TILE_IR_BYTES, 90);
    EXPECT(image && !recorder_has_entries(image) && recorder_entries(image) == 0);
    EXPECT(launch(array, 1));
}

static void test_unreadable_module(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.is_unreadable = true;
    run_program(&c, loads_unreadable);
    assert_int_equal(c.seen[WIRE_PASSED], 1);
    assert_int_equal(c.module, 0);
    assert_int_equal(c.n_arguments, 0);
}

/* ---- Section: Going on ---- */

static void goes_on(void)
{
    for (int i = 0; i < 100; i++)
        EXPECT(launch(array, i % 50));
}

/* A checker that says nothing keeps no program waiting, unless it may ask for contents or refuse.
 */
static void test_launches_that_wait_for_nothing(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.entries[0].kind = WIRE_POINTER_TO_FLOATS;
    c.n_wants = 1;
    c.stops = true;
    run_program(&c, goes_on);
    assert_int_equal(c.seen[WIRE_LAUNCH], 0);
    assert_int_equal(c.seen[WIRE_PASSED], 50);
    assert_int_equal(c.seen[WIRE_CONTENTS], 0);
    assert_true(c.values[0] == (uintptr_t)array && c.allocations[0] == (uintptr_t)array);
}

/* ---- Section: Contents ---- */

static void changes_contents(void)
{
    for (int i = 0; i < 5; i++)
        EXPECT(launch(array, 3));
    array[1] = 7;
    EXPECT(launch(array, 3) && launch(array, 3)); /* changed in place */
    array[1] = 0;
    EXPECT(launch(array, 3)); /* seen before */
    array[15] = 1;
    EXPECT(launch(array, 3)); /* not what was asked for */
}

static void test_contents(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.n_wants = 2;
    c.wants[1] = 1; /* a count: there is nothing to read behind it */
    c.wants_bytes = 8;
    run_program(&c, changes_contents);
    assert_int_equal(c.seen[WIRE_LAUNCH], 2);
    assert_int_equal(c.seen[WIRE_CONTENTS], 2);
    assert_int_equal(c.n_contents, 1);
    assert_memory_equal(c.contents, "\0\0\0\0\7\0\0\0", 8);
}

/* Of a GPU's memory: copied only if the checker allows it. */
static unsigned n_copies;

static void tell_device_pointer(void *user, uint64_t address, recorder_pointer *is)
{
    (void)user;
    *is = (recorder_pointer){address, sizeof array, false};
}

static bool copy(void *user, void *to, uint64_t address, uint64_t bytes)
{
    (void)user;
    (void)address;
    n_copies++;
    memset(to, 42, bytes);
    return true;
}

static const recorder_driver gpu = {.pointer = tell_device_pointer, .copy = copy};

static void copies_not(void)
{
    EXPECT(launch_with(&gpu, array, 3, NULL) && launch_with(&gpu, array, 3, NULL));
    EXPECT(n_copies == 0);
}

static void copies(void)
{
    EXPECT(launch_with(&gpu, array, 3, NULL) && launch_with(&gpu, array, 3, NULL));
    EXPECT(n_copies == 2);
}

static void test_gpu_contents(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.n_wants = 1;
    c.wants_bytes = 8;
    run_program(&c, copies_not);
    assert_int_equal(c.seen[WIRE_PASSED], 1);
    assert_int_equal(c.n_contents, 0);

    checker may = pointer_and_count();
    may.n_wants = 1;
    may.wants_bytes = 8;
    may.flags = WIRE_CHECK_CONTENTS;
    run_program(&may, copies);
    assert_int_equal(may.seen[WIRE_LAUNCH], 1);
    assert_int_equal(may.n_contents, 1);
    assert_int_equal(may.contents[7], 42);
}

/* More than there is to read is left out, and no fault. */
static void reads_beyond(void)
{
    EXPECT(launch(array, 3) && launch(array, 3));
}

static void test_unreadable_contents(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.n_wants = 1;
    c.wants_bytes = (uint64_t)1 << 29;
    run_program(&c, reads_beyond);
    assert_int_equal(c.seen[WIRE_CONTENTS], 1);
    assert_int_equal(c.n_contents, 0);
}

/* ---- Section: Answers ---- */

static void is_stopped(void)
{
    EXPECT(!launch(array, 3) && !launch(array, 3));
}

static const char a_finding[] = "two blocks write one element";

/* Of each launch, also of one that is not told again; and only while they are taken. */
static void takes_findings(void)
{
    recorder_take_findings(0);
    EXPECT(launch(array, 3) && launch(array, 4));
    const char *found = recorder_finding();
    EXPECT(found && strcmp(found, a_finding) == 0 && !recorder_finding());
    EXPECT(launch(array, 3) && !recorder_finding());
    recorder_take_findings(0);
    EXPECT(launch(array, 3) && recorder_finding() == found);
}

static void test_findings(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.finding = a_finding;
    run_program(&c, takes_findings);
    assert_int_equal(c.seen[WIRE_LAUNCH], 3);
}

static void takes_findings_of_contents(void)
{
    for (int i = 0; i < 3; i++) {
        recorder_take_findings(0);
        EXPECT(!launch(array, 3));
        const char *found = recorder_finding();
        EXPECT(found && strcmp(found, a_finding) == 0);
    }
}

static void test_findings_of_contents(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.finding = a_finding;
    c.stops = true;
    c.n_wants = 1;
    c.wants_bytes = sizeof array;
    run_program(&c, takes_findings_of_contents);
    assert_int_equal(c.seen[WIRE_CONTENTS], 3);
}

static void test_stop(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.stops = true;
    run_program(&c, is_stopped);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1); /* the second is refused by the first one's answer */
}

static void add_one(uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i + 4 <= bytes; i += 4)
        data[i]++;
}

static void is_executed(void)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    bool executed = false;
    for (int i = 1; i <= 3; i++) {
        EXPECT(launch_with(&driver, array + 2, 3, &executed) && executed);
        EXPECT(array[0] == i && array[15] == i && other[0] == 0);
    }
}

static void test_execute(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.flags = WIRE_INTERPRET;
    c.execute = add_one;
    run_program(&c, is_executed);
    assert_int_equal(c.seen[WIRE_EXECUTE], 3);
    assert_int_equal(c.seen[WIRE_MEMORY], 3);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1);
    assert_int_equal(c.n_memory, sizeof array);
}

/* Up to nine; then it changes nothing. */
static void count_to_nine(uint8_t *data, size_t bytes)
{
    (void)bytes;
    data[0] += data[0] < 9;
}

static void counts(void)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    bool executed = false;
    for (int i = 1; i <= 100; i++) {
        EXPECT(launch_with(&driver, array, 3, &executed) && executed);
        EXPECT(array[0] == (i < 9 ? i : 9) && array[1] == 0);
    }
    array[1] = 5; /* other memory */
    EXPECT(launch_with(&driver, array, 3, &executed) && executed && array[0] == 9);
}

static void test_nothing_changes(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.flags = WIRE_INTERPRET;
    c.execute = count_to_nine;
    run_program(&c, counts);
    assert_int_equal(c.seen[WIRE_EXECUTE], 11);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1);
}

static void stays(uint8_t *data, size_t bytes)
{
    (void)data;
    (void)bytes;
}

static void prints(void)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    bool executed = false;
    for (int i = 0; i < 3; i++)
        EXPECT(launch_with(&driver, array, 3, &executed) && executed);
}

/* It is executed each time for what it prints. */
static void test_prints(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.flags = WIRE_INTERPRET;
    c.execute = stays;
    c.printed = "[1, 2]\n";
    run_program(&c, prints);
    assert_int_equal(c.seen[WIRE_EXECUTE], 3);
}

/* Nothing is written of an answer that is not in order, and nothing more is said. */
static void is_not_executed(void)
{
    static const recorder_driver driver = {.pointer = tell_pointer};
    for (int i = 1; i <= 3; i++) {
        bool executed = true;
        EXPECT(launch_with(&driver, array, i, &executed) && !executed && array[0] == 0);
    }
}

static void test_execute_out_of_memory_that_was_told(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.flags = WIRE_INTERPRET;
    c.execute = add_one;
    c.reaches_out = true;
    run_program(&c, is_not_executed);
    assert_int_equal(c.seen[WIRE_EXECUTE], 1);
}

static void tell_unmapped(void *user, uint64_t address, recorder_pointer *is)
{
    (void)user;
    *is = (recorder_pointer){address, 64, true};
}

static void is_unmapped(void)
{
    static const recorder_driver driver = {.pointer = tell_unmapped};
    bool executed = true;
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(launch_with(&driver, page, 1, &executed) && !executed);
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(launch_with(&driver, page, 1, &executed) && !executed && page[0] == 0);
}

static void test_execute_in_memory_that_is_closed(void **state)
{
    (void)state;
    checker c = pointer_and_count();
    c.flags = WIRE_INTERPRET;
    c.execute = add_one;
    run_program(&c, is_unmapped);
    assert_int_equal(c.seen[WIRE_EXECUTE], 2);
}

int main(int argc, char **argv)
{
    (void)argc;
    need_socket(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_launches),
        cmocka_unit_test(test_different_launches),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_assembled),
        cmocka_unit_test(test_code_of_others),
        cmocka_unit_test(test_unreadable_module),
        cmocka_unit_test(test_launches_that_wait_for_nothing),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_gpu_contents),
        cmocka_unit_test(test_unreadable_contents),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_findings_of_contents),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_nothing_changes),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_execute_out_of_memory_that_was_told),
        cmocka_unit_test(test_execute_in_memory_that_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Names of parameters by the source of a kernel in cuTile Rust. */
#include "modules.h"

#include "bytecode/rust_names.h"
#include "bytecode/rust_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Section: Signatures ---- */

typedef struct text_row {
    const char *text;
    const char *told; /* "name kind" of each parameter, a line each function; "" where none is */
} text_row;

#define ENTRY "#[cutile::entry()] "

static const text_row texts[] = {
    {ENTRY "fn k() {}", "()"},
    {ENTRY "fn k(x: f32) {}", "(x scalar)"},
    {ENTRY "pub unsafe fn k<T: ElementType, const S: [i32; 2]>(\n    y: &mut Tensor<T, S>,\n"
           "    x: &'a Tensor<T, { [-1, S[0]] }>, // more, x: &mut\n    p: *mut f16, q: *const T,\n"
           "    n: i32,\n) -> () {}",
     "(y written)(x tensor)(p pointer)(q pointer)(n scalar)"},
    {ENTRY "fn k(z: MappedPartitionMut<f32, { [128] }, { [1] }>, w: cutile::core::Other<f32>) {}",
     "(z written)(w scalar)"},
    {ENTRY "fn k(z: Vec<MappedPartitionMut<f32>>, t: (i32, i32), a: [f32; 2]) {}",
     "(z scalar)(t scalar)(a scalar)"},
    {ENTRY "fn k(mut x: f32, #[allow(unused)] r#type: i32, _y: i32) {}",
     "(x scalar)(type scalar)(_y scalar)"},
    {ENTRY "fn k<F: Fn(i32) -> i32, const N: usize = { 3 > 2 }>(x: f32) {}", "(x scalar)"},
    /* What only looks like one. */
    {"// " ENTRY "fn k(x: f32) {}\n/* " ENTRY "fn k(a: i32) /* */ fn k(b: i32) */", ""},
    {"const A: &str = \"" ENTRY "fn k(x: f32) {}\";", ""},
    {"const A: &str = r##\"\"# " ENTRY "fn k(x: f32) {}\"##;", ""},
    {"const A: char = '\"'; " ENTRY "fn k(x: f32) {}", "(x scalar)"},
    {"const A: char = '\\''; " ENTRY "fn k(x: &'static Tensor) {}", "(x tensor)"},
    {ENTRY "fn other(x: f32) {}", ""},
    {ENTRY "fn k2(x: f32) {}", ""},
    {"fn k(x: f32) {}", ""},
    {ENTRY "fn other() {} fn k(x: f32) {}", ""},
    {"mod a { " ENTRY "fn k(x: f32) {} }\nmod b { " ENTRY "fn k(y: i32) {} }",
     "(x scalar)|(y scalar)"},
    /* What is not read. */
    {ENTRY "fn k((a, b): (i32, i32)) {}", ""},
    {ENTRY "fn k(&self, x: f32) {}", ""},
    {ENTRY "fn $name(x: f32) {}", ""},
    {ENTRY "fn k(x: f32", ""},
    {ENTRY "fn k<T", ""},
    {ENTRY "fn k", ""},
    {"#[cutile::entry(", ""},
    {"\"", ""},
    {"r#", ""},
    {"'", ""},
    {"/*", ""},
    {"", ""},
};

static const char *as_text(tr_arena *arena, const rust_signature *list, size_t n)
{
    static const char *const kinds[] = {[RUST_SCALAR] = "scalar",
                                        [RUST_POINTER] = "pointer",
                                        [RUST_TENSOR] = "tensor",
                                        [RUST_TENSOR_WRITTEN] = "written"};
    const char *told = "";
    for (size_t i = 0; i < n; i++) {
        told = tr_arena_printf(arena, "%s%s%s", told, i ? "|" : "", list[i].n ? "" : "()");
        for (size_t k = 0; k < list[i].n; k++)
            told = tr_arena_printf(arena, "%s(%s %s)", told, list[i].parameters[k].name,
                                   kinds[list[i].parameters[k].type]);
    }
    return told;
}

static void reads_signatures(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(texts); i++) {
        tr_arena *arena = tr_arena_new();
        const rust_signature *list;
        size_t n =
            rust_signatures_read(arena, texts[i].text, strlen(texts[i].text), "k", true, &list);
        const char *told = as_text(arena, list, n);
        if (strcmp(told, texts[i].told) != 0)
            fail_msg("%s\ngives %s", texts[i].text, told);
        tr_arena_free(arena);
    }
}

/* Cut anywhere, and with any byte in place of another: nothing but an answer is expected. */
static void reads_any_text(void **state)
{
    (void)state;
    const char *text = texts[2].text;
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        tr_arena *arena = tr_arena_new();
        const rust_signature *list;
        rust_signatures_read(arena, text, i, "k", true, &list);
        for (int c = 0; c < 256; c += 3) {
            char *changed = tr_arena_strndup(arena, text, length);
            changed[i] = (char)c;
            rust_signatures_read(arena, changed, length, "k", false, &list);
        }
        tr_arena_free(arena);
    }
}

static void says_where(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char *text = "/* a\n */ " ENTRY "\n  pub fn k(x: f32) {}";
    const rust_signature *list;
    assert_int_equal(rust_signatures_read(arena, text, strlen(text), "k", true, &list), 1);
    assert_int_equal(list[0].line, 3);
    assert_int_equal(list[0].column, 10);
    tr_arena_free(arena);
}

/* ---- Section: Names of a module's kernel ---- */

typedef struct project {
    fixture f;
    ir_module *module;
    ir_function *kernel;
    char folder[64];
} project;

/* kernels/rust/scale_rows.rs, which has no places, and a package's folder. */
static project begin(void)
{
    project p = {.f = fixture_make(), .folder = "/tmp/tilerace-names-XXXXXX"};
    const char *why = NULL;
    size_t size;
    char *data = tr_read_file(p.f.arena, TR_FILE_KERNELS,
                              TILERACE_SOURCE_DIR "/kernels/rust/scale_rows.tilebc", &size, &why);
    assert_non_null(data);
    p.module = bytecode_read((unsigned char *)data, size, "scale_rows", &p.f.errors);
    assert_non_null(p.module);
    p.kernel = p.module->functions;
    assert_non_null(mkdtemp(p.folder));
    return p;
}

static const char *in_folder(project *p, const char *name)
{
    return tr_arena_printf(p->f.arena, "%s/%s", p->folder, name);
}

static const char *put(project *p, const char *name, const char *text)
{
    const char *path = in_folder(p, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void end(project *p)
{
    const char *command = tr_arena_printf(p->f.arena, "rm -r '%s'", p->folder);
    assert_int_equal(system(command), 0);
    ir_module_free(p->module);
    fixture_free(&p->f);
}

#define SCALE_ROWS                                                                                 \
    ENTRY "fn scale_rows<const R: i32, const C: i32>(out: &mut Tensor<f32, { [R, C] }>,\n"         \
          " x: &Tensor<f32, { [-1, -1] }>, factor: f32) {}\n"

static void expect_names(const rust_kernel *k)
{
    static const char *const names[] = {
        "out",
        "out.shape[0]",
        "out.shape[1]",
        "out.strides[0]",
        "out.strides[1]",
        "out.partition_shape[0]",
        "out.partition_shape[1]",
        "out.partition_strides[0]",
        "out.partition_strides[1]",
        "x",
        "x.shape[0]",
        "x.shape[1]",
        "x.strides[0]",
        "x.strides[1]",
        "factor",
    };
    assert_non_null(k);
    assert_string_equal(k->name, "scale_rows");
    assert_int_equal(k->n, TR_COUNT(names));
    for (size_t i = 0; i < k->n; i++)
        assert_string_equal(k->parameters[i], names[i]);
}

static const rust_kernel *find(project *p)
{
    return rust_names_find(p->f.arena, p->kernel, p->folder);
}

static void finds_the_source_in_the_package(void **state)
{
    (void)state;
    project p = begin();
    assert_null(find(&p));
    assert_null(rust_names_find(p.f.arena, p.kernel, NULL));
    mkdir(in_folder(&p, "src"), 0777);
    put(&p, "src/other.rs", "fn other() {}");
    put(&p, "src/notes.txt", SCALE_ROWS);
    assert_null(find(&p));
    put(&p, "src/kernels.rs", "// Rows.\n" SCALE_ROWS);
    expect_names(find(&p));
    assert_int_equal(find(&p)->place.line, 2);
    put(&p, "src/copy.rs", SCALE_ROWS); /* says the same */
    expect_names(find(&p));
    put(&p, "src/unlike.rs", ENTRY "fn scale_rows(x: f32) {}"); /* does not fit */
    expect_names(find(&p));
    put(&p, "src/twin.rs",
        ENTRY "fn scale_rows(a: &mut Tensor<f32, S>, b: &Tensor<f32, S>, c: f32) {}");
    assert_null(find(&p)); /* either may be it */
    end(&p);
}

static void finds_the_source_in_the_workspace(void **state)
{
    (void)state;
    project p = begin();
    mkdir(in_folder(&p, "app"), 0777);
    mkdir(in_folder(&p, "kernels"), 0777);
    put(&p, "kernels/lib.rs", SCALE_ROWS);
    assert_null(rust_names_find(p.f.arena, p.kernel, in_folder(&p, "app")));
    put(&p, "Cargo.toml", "[workspace]");
    expect_names(rust_names_find(p.f.arena, p.kernel, in_folder(&p, "app")));
    end(&p);
}

static void takes_what_fits(void **state)
{
    static const char *const others[] = {
        "fn scale_rows(out: &Tensor<f32, S>, x: &Tensor<f32, S>, factor: f32) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, x: &Tensor<f32, S>) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, x: &Tensor<f32, S>, f: f32, g: f32) {}",
        "fn scale_rows(out: *mut f32, x: &Tensor<f32, S>, factor: f32) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, x: &Tensor<f32, S>, factor: *mut f32) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, out: &Tensor<f32, S>, factor: f32) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, x: &Tensor<f32, S>, grid: f32) {}",
        "fn scale_rows(out: &mut Tensor<f32, S>, \xc3\xa4: &Tensor<f32, S>, factor: f32) {}",
        "fn scale_row(out: &mut Tensor<f32, S>, x: &Tensor<f32, S>, factor: f32) {}",
    };
    (void)state;
    project p = begin();
    for (size_t i = 0; i < TR_COUNT(others); i++) {
        put(&p, "lib.rs", tr_arena_printf(p.f.arena, ENTRY "%s", others[i]));
        if (find(&p))
            fail_msg("%s", others[i]);
    }
    put(&p, "lib.rs", SCALE_ROWS);
    expect_names(find(&p));
    p.module->producer = "another"; /* of another front end, whatever its symbols are */
    p.module->writer = NULL;
    assert_null(find(&p));
    end(&p);
}

static void finds_the_source_at_the_place(void **state)
{
    (void)state;
    project p = begin();
    tr_place place = {.file = put(&p, "lib.rs", "\n" SCALE_ROWS), .line = 2};
    put(&p, "twin.rs",
        ENTRY "fn scale_rows(a: &mut Tensor<f32, S>, b: &Tensor<f32, S>, c: f32) {}");
    p.kernel->place = &place;
    expect_names(find(&p));
    place.line = 3; /* the source has changed since */
    assert_null(find(&p));
    place = (tr_place){.file = in_folder(&p, "gone.rs"), .line = 2};
    assert_null(find(&p));
    place.file = p.folder;
    assert_null(find(&p));
    end(&p);
}

/* rustc's paths begin at the workspace, tests run in a package of it. */
static void finds_the_source_from_a_package(void **state)
{
    (void)state;
    project p = begin();
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    mkdir(in_folder(&p, "app"), 0777);
    put(&p, "app/lib.rs", SCALE_ROWS);
    assert_int_equal(chdir(in_folder(&p, "app")), 0);
    tr_place place = {.file = "app/lib.rs", .line = 1};
    p.kernel->place = &place;
    assert_null(find(&p));
    put(&p, "Cargo.toml", "[workspace]");
    expect_names(find(&p));
    assert_int_equal(chdir(before), 0);
    end(&p);
}

static void opens_nothing_but_files(void **state)
{
    (void)state;
    project p = begin();
    const char *pipe = in_folder(&p, "pipe.rs"), *large = put(&p, "large.rs", SCALE_ROWS);
    tr_place place = {.file = pipe, .line = 1};
    put(&p, "outside.txt", SCALE_ROWS);
    assert_int_equal(mkfifo(pipe, 0666), 0);
    assert_int_equal(symlink("outside.txt", in_folder(&p, "link.rs")), 0);
    assert_int_equal(symlink("..", in_folder(&p, "above")), 0);
    mkdir(in_folder(&p, "folder.rs"), 0777);
    assert_int_equal(truncate(large, (off_t)tr_file_most(TR_FILE_SOURCE) + 1), 0);
    assert_null(find(&p));
    p.kernel->place = &place;
    assert_null(find(&p));
    place.file = large;
    assert_null(find(&p));
    place.file = "/dev/zero";
    assert_null(find(&p));
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_signatures),
        cmocka_unit_test(reads_any_text),
        cmocka_unit_test(says_where),
        cmocka_unit_test(finds_the_source_in_the_package),
        cmocka_unit_test(finds_the_source_in_the_workspace),
        cmocka_unit_test(takes_what_fits),
        cmocka_unit_test(finds_the_source_at_the_place),
        cmocka_unit_test(finds_the_source_from_a_package),
        cmocka_unit_test(opens_nothing_but_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

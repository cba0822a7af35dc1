/* Reading a module: header, sections, globals, functions. */
#include "bytecode/read.h"
#include "base/ds.h"

#include <string.h>

enum { MAX_ALIGNMENT = 1 << 20, MAX_END_PADDING = 8, MAX_GLOBALS = 1024 };

bool bytecode_is(const unsigned char *data, size_t size)
{
    return size >= BC_MAGIC_SIZE && memcmp(data, BC_MAGIC, BC_MAGIC_SIZE) == 0;
}

bool bytecode_begins(const unsigned char *data, size_t size)
{
    return size > 0 && size < BC_MAGIC_SIZE && memcmp(data, BC_MAGIC, size) == 0;
}

static void read_header(bc_reader *r, bc_cursor *c)
{
    if (!bytecode_is(r->data, r->size)) {
        bc_fail(r, 0, "this is not Tile IR bytecode: it does not start with its magic number");
        return;
    }
    c->at = BC_MAGIC_SIZE;
    uint8_t major = bc_byte(r, c, "the version");
    uint8_t minor = bc_byte(r, c, "the version");
    uint16_t tag = (uint16_t)bc_little(r, c, 2, "the version");
    bool later = minor > BYTECODE_NEWEST_READ;
    if (!r->failed && (major != BC_MAJOR || minor < 1 || (later && !r->is_lenient))) {
        bc_fail(r, BC_MAGIC_SIZE,
                "bytecode version %u.%u.%u is unknown; versions 13.1 to 13.%d are read", major,
                minor, tag, BYTECODE_NEWEST_READ);
    }
    r->is_preview = tag != 0;
    r->is_lenient &= later || r->is_preview;
    r->minor = later ? BYTECODE_NEWEST_READ : minor;
    r->module->version_minor = minor;
    r->module->version_tag = tag;
}

/* ---- Sections: first found, then read in the order in which they need each other ---- */

static const char *const section_names[BC_SECTION_COUNT] = {
    [BC_SECTION_END] = "end",           [BC_SECTION_STRING] = "string",
    [BC_SECTION_FUNC] = "function",     [BC_SECTION_DEBUG] = "debug",
    [BC_SECTION_CONSTANT] = "constant", [BC_SECTION_TYPE] = "type",
    [BC_SECTION_GLOBAL] = "global",     [BC_SECTION_PRODUCER] = "producer",
};

/* The data of a section starts at a multiple of its alignment, counted from the file's start. */
static void align_section(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint64_t alignment = bc_varint(r, c, "a section's alignment");
    if (!r->failed &&
        (alignment == 0 || alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)))) {
        bc_fail(r, start, "a section's alignment is %llu", (unsigned long long)alignment);
    }
    if (!r->failed) {
        bc_align(r, c, (size_t)alignment, "a section");
    }
}

/* Finds the sections: each is a head (number and alignment bit), a length, padding if aligned, and
 * the bytes; the end section is its head alone. Fails unless the file ends there, each section is
 * there at most once, and strings and functions are there. */
static void find_sections(bc_reader *r, bc_cursor *c, bc_cursor sections[BC_SECTION_COUNT])
{
    while (!r->failed) {
        size_t start = c->at;
        uint8_t head = bc_byte(r, c, "a section's number (there is no end section)");
        unsigned id = head & BC_SECTION_ID;
        if (r->failed || head == BC_SECTION_END) {
            break;
        }
        if (id == BC_SECTION_END || id >= BC_SECTION_COUNT) {
            bc_fail(r, start, "unknown section %u", head);
        } else if (sections[id].start) {
            bc_fail(r, start, "a second %s section", section_names[id]);
        }
        uint64_t length = bc_count(r, c, 1, "a section's length");
        if (head & BC_SECTION_ALIGNED) {
            align_section(r, c);
        }
        if (!r->failed && length > c->end - c->at) {
            bc_fail(r, start, "the %s section is longer than the file", section_names[id]);
        }
        if (!r->failed) {
            sections[id] = bc_range(c->at, c->at + (size_t)length);
            c->at += (size_t)length;
        }
    }
    bc_expect_end(r, c, "the end section");
    if (!r->failed && !sections[BC_SECTION_STRING].start) {
        bc_fail(r, c->at, "there is no string section");
    }
    if (!r->failed && !sections[BC_SECTION_FUNC].start) {
        bc_fail(r, c->at, "there is no function section");
    }
}

/* Older writers pad the end of a section too. */
static void expect_section_end(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t left = c->end - c->at;
    bool padding = left < MAX_END_PADDING;
    for (size_t i = c->at; i < c->end && padding; i++) {
        padding = r->data[i] == BC_PADDING;
    }
    if (!padding) {
        bc_expect_end(r, c, what);
    }
}

static bool has_string(const bc_reader *r, const char *text)
{
    size_t length = strlen(text);
    for (uint64_t i = 0; i < r->strings.count; i++) {
        size_t start = r->strings.at[i];
        if (r->strings.at[i + 1] - start == length && !memcmp(r->data + start, text, length)) {
            return true;
        }
    }
    return false;
}

static void read_strings(bc_reader *r, bc_cursor *c)
{
    r->strings = bc_read_table(r, c, 4, "the strings");
    r->string_copies = TR_NEW_ARRAY(r->scratch, const char *, r->strings.count + 1);
    /* The encoder of cuTile Rust writes no producer. It alone keeps the names of attributes, which
     * nothing refers to, among the strings. */
    if (!r->failed && has_string(r, "sym_name") && has_string(r, "function_type")) {
        r->module->writer = "cutile-ir";
    }
}

static void read_producer(bc_reader *r, bc_cursor *c)
{
    r->module->producer = bc_string(r, c, "the producer");
    expect_section_end(r, c, "the producer");
}

/* ---- Globals ---- */

static const char *read_symbol(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    const char *name = bc_string(r, c, what);
    if (!r->failed && !name[0]) {
        bc_fail(r, start, "%s is empty", what);
    }
    return name;
}

static bool read_flag(bc_reader *r, bc_cursor *c, const char *what)
{
    size_t start = c->at;
    uint64_t value = bc_varint(r, c, what);
    if (value > 1) {
        bc_fail(r, start, "%s is %llu", what, (unsigned long long)value);
    }
    return value;
}

/* Reads NAME TYPE CONSTANT ALIGNMENT and, in versions that have them, two flags. Appends the
 * global to the module. */
static void read_global(bc_reader *r, bc_cursor *c)
{
    ir_global *global = TR_NEW(r->module->arena, ir_global);
    global->name = read_symbol(r, c, "a global's name");
    const ir_type *type = bc_type(r, c, "a global's type");
    global->value = bc_dense(r, c, type);
    size_t start = c->at;
    uint64_t alignment = bc_varint(r, c, "a global's alignment");
    if (alignment > INT64_MAX) {
        bc_fail(r, start, "a global's alignment is %llu", (unsigned long long)alignment);
    }
    global->alignment = (int64_t)alignment;
    if (r->minor >= BC_SINCE_GLOBAL_FLAGS) {
        global->is_private = read_flag(r, c, "a global's visibility");
        global->is_constant = read_flag(r, c, "a global's constant flag");
    }
    if (r->failed) {
        return;
    }
    if (r->module->last_global) {
        r->module->last_global->next = global;
    } else {
        r->module->globals = global;
    }
    r->module->last_global = global;
}

static void read_globals(bc_reader *r, bc_cursor *c)
{
    size_t least = r->minor >= BC_SINCE_GLOBAL_FLAGS ? 6 : 4;
    size_t start = c->at;
    uint64_t count = bc_count(r, c, least, "the number of globals");
    if (count > MAX_GLOBALS) {
        bc_fail(r, start, "%llu globals; %d are the most", (unsigned long long)count, MAX_GLOBALS);
    }
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        read_global(r, c);
    }
    expect_section_end(r, c, "the globals");
}

/* ---- Functions ---- */

static uint8_t read_function_flags(bc_reader *r, bc_cursor *c)
{
    size_t start = c->at;
    uint8_t flags = bc_byte(r, c, "a function's flags");
    unsigned known = BC_FUNCTION_PRIVATE | BC_FUNCTION_ENTRY |
                     (r->minor < BC_SINCE_ARGUMENT_ATTRS ? BC_FUNCTION_HINTS : 0);
    if (flags & ~known) {
        bc_fail(r, start, "unknown flags 0x%x of a function", flags);
    }
    return flags;
}

static void read_function_hints(bc_reader *r, bc_cursor *c, uint8_t flags, ir_attr *hints)
{
    if (!(flags & BC_FUNCTION_HINTS) && r->minor < BC_SINCE_ARGUMENT_ATTRS) {
        return;
    }
    size_t start = c->at;
    *hints = bc_tagged_attr(r, c);
    if (!r->failed && hints->kind != IR_ATTR_NAMED) {
        bc_fail(r, start, "a function's optimization hints are an attribute of another kind");
    }
}

/* The IR has no place for them, and no front end writes any: empty dictionaries, one a parameter,
 * are passed over, others are refused rather than dropped. */
static void read_argument_attrs(bc_reader *r, bc_cursor *c)
{
    if (r->minor < BC_SINCE_ARGUMENT_ATTRS) {
        return;
    }
    size_t start = c->at;
    ir_attr attrs = bc_tagged_attr(r, c);
    bool empty = attrs.kind == IR_ATTR_LIST;
    for (size_t i = 0; i < attrs.count && empty; i++) {
        empty = attrs.items[i].kind == IR_ATTR_NAMED && attrs.items[i].count == 0;
    }
    if (!empty) {
        bc_fail(r, start, "a function's parameters have attributes, which are not supported");
    }
}

/* The body may contain what only a later version of the format has. Then nothing of it is used: the
 * kernel is one of which nothing is known, and the others of the module are read. */
static void leave_unread(bc_reader *r, ir_function *function, const char *why)
{
    function->unread = tr_arena_strdup(r->module->arena, why);
    function->body = ir_block_new(r->module, function, (uint32_t)function->type->n_params,
                                  function->type->params);
    ir_builder builder = {.module = r->module, .function = function, .block = function->body};
    ir_build(&builder, IR_OP_RETURN, (ir_operand_list[]){{NULL, 0}}, 0, NULL, NULL);
    r->failed = false;
    r->region_depth = r->attr_depth = r->type_depth = r->place_depth = 0;
}

/* Errors in it are the kernel's own, not the module's. */
static void read_body_leniently(bc_reader *r, bc_cursor *body, ir_function *function,
                                bc_places *places)
{
    tr_errors *outer = r->errors, own = tr_errors_make(r->scratch);
    r->errors = &own;
    bc_read_body(r, body, function, places);
    r->errors = outer;
    if (r->failed) {
        leave_unread(r, function, own.items[0].text);
    }
    tr_errors_free(&own);
}

/* Reads NAME TYPE FLAGS PLACES [HINTS] [ATTRIBUTES] LENGTH BODY. Adds the function to the module
 * if it is an entry; other functions are skipped, since a call of one is an op of unknown effect.
 */
static void read_function(bc_reader *r, bc_cursor *c)
{
    const char *name = read_symbol(r, c, "a function's name");
    size_t start = c->at;
    const ir_type *type = bc_type(r, c, "a function's type");
    if (type && type->kind != IR_FUNCTION_TYPE) {
        bc_fail(r, start, "the type of function '%s' is not a function type", name);
    }
    uint8_t flags = read_function_flags(r, c);
    if (!r->failed && flags & BC_FUNCTION_PRIVATE) {
        bc_fail(r, start, "function '%s' is private; an entry cannot be", name);
    }
    bool is_entry = flags & BC_FUNCTION_ENTRY;
    if (!r->failed && !is_entry && !r->is_preview) {
        bc_fail(r, start,
                "function '%s' is not an entry; only preview versions have such functions", name);
    }
    bc_places places = bc_places_of(r, c);
    ir_attr hints = {0};
    read_function_hints(r, c, flags, &hints);
    read_argument_attrs(r, c);
    uint64_t length = bc_count(r, c, 1, "the length of a function");
    if (r->failed || !bc_afford(r, start, (uint64_t)type->n_params * sizeof(ir_value))) {
        return;
    }
    bc_cursor body = bc_range(c->at, c->at + (size_t)length);
    if (!is_entry) { /* whoever calls it has an op of unknown effect */
        c->at = body.end;
        return;
    }
    ir_function *function = ir_function_add(r->module, "", type);
    function->name = function->shown = name; /* one copy, however many functions share it */
    function->hints = hints;
    function->place = bc_next_place(r, &places, c->at);
    if (r->is_lenient && !r->failed) {
        read_body_leniently(r, &body, function, &places);
    } else {
        bc_read_body(r, &body, function, &places);
    }
    c->at = body.end;
    ir_renumber(function);
}

static void read_functions(bc_reader *r, bc_cursor *c)
{
    uint64_t count = bc_count(r, c, 5, "the number of functions");
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        read_function(r, c);
    }
    expect_section_end(r, c, "the functions");
}

/* ---- Modules ---- */

typedef struct section_reader {
    bc_section section;
    void (*read)(bc_reader *r, bc_cursor *c);
} section_reader;

static const section_reader section_readers[] = {
    {BC_SECTION_STRING, read_strings}, {BC_SECTION_PRODUCER, read_producer},
    {BC_SECTION_TYPE, bc_read_types},  {BC_SECTION_CONSTANT, bc_read_constants},
    {BC_SECTION_DEBUG, bc_read_debug}, {BC_SECTION_GLOBAL, read_globals},
    {BC_SECTION_FUNC, read_functions},
};

static void read_sections(bc_reader *r)
{
    bc_cursor file = bc_range(0, r->size);
    bc_cursor sections[BC_SECTION_COUNT] = {0};
    read_header(r, &file);
    find_sections(r, &file, sections);
    for (size_t i = 0; i < TR_COUNT(section_readers) && !r->failed; i++) {
        bc_cursor *section = &sections[section_readers[i].section];
        if (section->start) {
            section_readers[i].read(r, section);
        }
    }
}

static void find_opcodes(bc_reader *r)
{
    for (size_t i = 0; i < TR_COUNT(r->opcode_of); i++) {
        r->opcode_of[i] = -1;
    }
    for (int i = 0; i < IR_OP_COUNT; i++) {
        uint32_t number = ir_op_info_of((ir_opcode)i)->bytecode;
        if (number < TR_COUNT(r->opcode_of)) {
            r->opcode_of[number] = (int16_t)i;
        }
    }
}

/* The verifier knows places in the user's source, not the file's name. */
static bool verify(bc_reader *r)
{
    size_t before = arrlenu(r->errors->items);
    bool valid = ir_verify(r->module, r->errors);
    for (size_t i = before; i < arrlenu(r->errors->items); i++) {
        tr_place *place = &r->errors->items[i].place;
        if (!place->file) {
            place->file = r->path;
        }
    }
    return valid;
}

/* Reads a module; NULL with an error: it cannot be read. `is_lenient`: a function that cannot be
 * read becomes one whose contents are unknown. */
static tr_give ir_module *read(const unsigned char *data, size_t size, const char *path,
                               bool is_lenient, tr_errors *errors)
{
    TR_ASSERT(data || size == 0);
    bc_reader r = {
        .data = data,
        .size = size,
        .path = path,
        .is_lenient = is_lenient,
        .errors = errors,
        .module = ir_module_new("kernels"),
        .scratch = tr_arena_new(),
    };
    find_opcodes(&r);
    read_sections(&r);
    if (!r.failed) {
        r.failed = !verify(&r);
    }
    arrfree(r.values);
    arrfree(r.operands);
    tr_arena_free(r.scratch);
    if (r.failed) {
        ir_module_free(r.module);
        return NULL;
    }
    return r.module;
}

tr_give ir_module *bytecode_read(const unsigned char *data, size_t size, const char *path,
                                 tr_errors *errors)
{
    return read(data, size, path, false, errors);
}

tr_give ir_module *bytecode_read_known(const unsigned char *data, size_t size, const char *path,
                                       tr_errors *errors)
{
    return read(data, size, path, true, errors);
}

#include "cache/packed.h"

#include <string.h>

enum {
    MOST_ELEMENTS = 1 << 26,
    MOST_DEPTH = 256, /* of structs that hold each other: calls that were inlined */
    HEAD_BYTES = 24,
};

static const char mark[8] = "TRPACK\r\n";

/* ---- Section: The table ---- */

#define JOIN2(a, b)    a##b
#define JOIN(a, b)     JOIN2(a, b)
#define STRING2(text)  #text
#define STRING(text)   STRING2(text)
#define OF(name)       #name, offsetof(TYPE, name), sizeof(((TYPE *)0)->name)
#define TYPE_OF(other) &JOIN(type_of_, other)

/* The types know each other. */
#define BEGIN static const packed_type JOIN(type_of_, TYPE);
#define END
#define TEXT(name)
#define WORDS(name)
#define CHARS(name, n)
#define U32(name)
#define BOOL(name)
#define I64(name)
#define DOUBLE(name)
#define INT(name, least, most)
#define ENUM(name, count)
#define I64S(name, n)
#define TEXTS_IN(name, n)
#define COUNT(name, most)
#define SIZE(name)
#define TEXT_LIST(count, name)
#define I64_LIST(count, name)
#define SIZE_LIST(count, name)
#define DOUBLE_LIST(count, name)
#define LIST(count, other, name)
#define ONE(other, name)
#define IN(other, name)
#define IN_ARRAY(other, name, n)
#define LEFT(name)
#define LEFT_STRUCT(name)
#include "cache/packed.def"

#define BEGIN static const packed_field JOIN(fields_of_, TYPE)[] = {
#define END                                                                                        \
    }                                                                                              \
    ;                                                                                              \
    static const packed_type JOIN(type_of_, TYPE) = {                                              \
        STRING(TYPE), sizeof(TYPE), TR_COUNT(JOIN(fields_of_, TYPE)), JOIN(fields_of_, TYPE)};
#define TEXT(name)                {PACKED_TEXT, OF(name)},
#define WORDS(name)               {PACKED_WORDS, OF(name)},
#define CHARS(name, n)            {PACKED_CHARS, OF(name), .count = (n)},
#define U32(name)                 {PACKED_U32, OF(name)},
#define BOOL(name)                {PACKED_BOOL, OF(name)},
#define I64(name)                 {PACKED_I64, OF(name)},
#define DOUBLE(name)              {PACKED_DOUBLE, OF(name)},
#define INT(name, low, high)      {PACKED_INT, OF(name), .least = (low), .most = (high)},
#define ENUM(name, count_of)      {PACKED_ENUM, OF(name), .most = (int64_t)(count_of) - 1},
#define I64S(name, n)             {PACKED_I64S, OF(name), .count = (n)},
#define TEXTS_IN(name, n)         {PACKED_TEXTS_IN, OF(name), .count = (n)},
#define COUNT(name, high)         {PACKED_COUNT, OF(name), .most = (high)},
#define SIZE(name)                {PACKED_SIZE, OF(name)},
#define TEXT_LIST(number, name)   {PACKED_TEXT_LIST, OF(name), .count = offsetof(TYPE, number)},
#define I64_LIST(number, name)    {PACKED_I64_LIST, OF(name), .count = offsetof(TYPE, number)},
#define SIZE_LIST(number, name)   {PACKED_SIZE_LIST, OF(name), .count = offsetof(TYPE, number)},
#define DOUBLE_LIST(number, name) {PACKED_DOUBLE_LIST, OF(name), .count = offsetof(TYPE, number)},
#define LIST(number, other, name)                                                                  \
    {PACKED_LIST, OF(name), .count = offsetof(TYPE, number), .type = TYPE_OF(other)},
#define ONE(other, name)         {PACKED_ONE, OF(name), .type = TYPE_OF(other)},
#define IN(other, name)          {PACKED_IN, OF(name), .type = TYPE_OF(other)},
#define IN_ARRAY(other, name, n) {PACKED_IN_ARRAY, OF(name), .count = (n), .type = TYPE_OF(other)},
#define LEFT(name)               {PACKED_LEFT, OF(name)},
#define LEFT_STRUCT(name)        {PACKED_LEFT, OF(name)},
#include "cache/packed.def"

/* A value for each row, by position: a member that has no row is a missing initializer, and one row
 * too many is an initializer too many. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#define BEGIN __attribute__((unused)) static const TYPE JOIN(whole_, TYPE) = {
#define END                                                                                        \
    }                                                                                              \
    ;
#define TEXT(name)                0,
#define WORDS(name)               0,
#define CHARS(name, n)            {0},
#define U32(name)                 0,
#define BOOL(name)                0,
#define I64(name)                 0,
#define DOUBLE(name)              0,
#define INT(name, low, high)      0,
#define ENUM(name, count_of)      0,
#define I64S(name, n)             {0},
#define TEXTS_IN(name, n)         {0},
#define COUNT(name, high)         0,
#define SIZE(name)                0,
#define TEXT_LIST(number, name)   0,
#define I64_LIST(number, name)    0,
#define SIZE_LIST(number, name)   0,
#define DOUBLE_LIST(number, name) 0,
#define LIST(number, other, name) 0,
#define ONE(other, name)          0,
#define IN(other, name)           {0},
#define IN_ARRAY(other, name, n)  {0},
#define LEFT(name)                0,
#define LEFT_STRUCT(name)         {0},
#include "cache/packed.def"
#pragma GCC diagnostic pop

const packed_type *packed_table(void)
{
    return &type_of_checked_input;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8)
        hash = (hash ^ (value & 255)) * 0x100000001b3;
    return hash;
}

static uint64_t mix_type(uint64_t hash, const packed_type *type, int depth)
{
    hash = mix(mix(hash, type->size), type->n);
    for (size_t i = 0; i < type->n; i++) {
        const packed_field *f = &type->fields[i];
        hash = mix(mix(mix(hash, f->kind), f->offset), f->count);
        hash = mix(mix(hash, (uint64_t)f->least), (uint64_t)f->most);
        if (f->type && f->type != type && depth < 16)
            hash = mix_type(hash, f->type, depth + 1);
    }
    return hash;
}

uint64_t packed_version(void)
{
    return mix_type(0xcbf29ce484222325, packed_table(), 0);
}

/* ---- Section: Writing ---- */

static void put(tr_text *out, uint64_t value)
{
    char bytes[10];
    size_t n = 0;
    do {
        bytes[n] = (char)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (bytes[n++] & (char)128);
    tr_text_addn(out, bytes, n);
}

static void put_signed(tr_text *out, int64_t value)
{
    put(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_double(tr_text *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits);
}

/* 0 for NULL, else the length and 1 more. */
static void put_text(tr_text *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    put(out, text ? (uint64_t)length + 1 : 0);
    tr_text_addn(out, text ? text : "", length);
}

static uint64_t count_of(const char *of, const packed_field *f)
{
    size_t count;
    memcpy(&count, of + f->count, sizeof count);
    return count;
}

static bool put_struct(tr_text *out, const packed_type *type, const char *from, int depth);

static bool put_structs(tr_text *out, const packed_type *type, size_t n, const char *from,
                        int depth)
{
    for (size_t i = 0; i < n; i++)
        if (!put_struct(out, type, from + i * type->size, depth))
            return false;
    return true;
}

/* An array behind a pointer: whether it is there, then its elements. */
static bool put_list(tr_text *out, const packed_field *f, const char *of, int depth)
{
    const char *from = *(const char *const *)(of + f->offset);
    size_t n = from ? count_of(of, f) : 0;
    put(out, from != NULL);
    for (size_t i = 0; i < n; i++) {
        if (f->kind == PACKED_TEXT_LIST)
            put_text(out, ((const char *const *)from)[i]);
        else if (f->kind == PACKED_I64_LIST)
            put_signed(out, ((const int64_t *)from)[i]);
        else if (f->kind == PACKED_SIZE_LIST)
            put(out, ((const size_t *)from)[i]);
        else if (f->kind == PACKED_DOUBLE_LIST)
            put_double(out, ((const double *)from)[i]);
    }
    return f->kind != PACKED_LIST || put_structs(out, f->type, n, from, depth);
}

static bool put_field(tr_text *out, const packed_field *f, const char *of, int depth)
{
    const char *at = of + f->offset;
    switch (f->kind) {
    case PACKED_TEXT:
    case PACKED_WORDS:
        put_text(out, *(const char *const *)at);
        return f->kind == PACKED_TEXT || *(const char *const *)at;
    case PACKED_CHARS:
        put_text(out, at);
        return true;
    case PACKED_U32:
        put(out, *(const uint32_t *)at);
        return true;
    case PACKED_BOOL:
        put(out, *(const bool *)at);
        return true;
    case PACKED_I64:
        put_signed(out, *(const int64_t *)at);
        return true;
    case PACKED_DOUBLE:
        put_double(out, *(const double *)at);
        return true;
    case PACKED_INT:
    case PACKED_ENUM: {
        int value = *(const int *)at;
        put_signed(out, value);
        return value >= f->least && value <= f->most;
    }
    case PACKED_COUNT:
        put(out, *(const size_t *)at);
        return *(const size_t *)at <= (uint64_t)f->most;
    case PACKED_SIZE:
        put(out, *(const size_t *)at);
        return true;
    case PACKED_I64S:
        for (size_t i = 0; i < f->count; i++)
            put_signed(out, ((const int64_t *)at)[i]);
        return true;
    case PACKED_TEXTS_IN:
        for (size_t i = 0; i < f->count; i++)
            put_text(out, ((const char *const *)at)[i]);
        return true;
    case PACKED_TEXT_LIST:
    case PACKED_I64_LIST:
    case PACKED_SIZE_LIST:
    case PACKED_DOUBLE_LIST:
    case PACKED_LIST:
        return put_list(out, f, of, depth);
    case PACKED_ONE:
        put(out, *(const char *const *)at != NULL);
        return !*(const char *const *)at ||
               put_struct(out, f->type, *(const char *const *)at, depth);
    case PACKED_IN:
        return put_struct(out, f->type, at, depth);
    case PACKED_IN_ARRAY:
        return put_structs(out, f->type, f->count, at, depth);
    case PACKED_LEFT:
        return true;
    }
    return false;
}

static bool put_struct(tr_text *out, const packed_type *type, const char *from, int depth)
{
    for (size_t i = 0; i < type->n; i++)
        if (depth >= MOST_DEPTH || !put_field(out, &type->fields[i], from, depth + 1))
            return false;
    return true;
}

static void put_fixed(char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8)
        to[i] = (char)(value & 255);
}

bool packed_write(tr_text *out, const checked_input *input)
{
    size_t before = out->length;
    char head[HEAD_BYTES] = {0};
    tr_text_addn(out, head, sizeof head);
    if (!put_struct(out, packed_table(), (const char *)input, 0)) {
        out->length = before;
        return false;
    }
    memcpy(out->data + before, mark, sizeof mark);
    put_fixed(out->data + before + 8, packed_version());
    put_fixed(out->data + before + 16, out->length - before - HEAD_BYTES);
    return true;
}

/* ---- Section: Reading ---- */

typedef struct reader {
    tr_arena *arena;
    const unsigned char *at, *end;
    bool good;
} reader;

static uint64_t fail(reader *r)
{
    r->good = false;
    r->at = r->end;
    return 0;
}

/* Reads a number, in the one form that the writer produces. */
static uint64_t take(reader *r)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        uint64_t part = *r->at & 127;
        bool more = *r->at++ & 128;
        if (shift == 63 && part > 1)
            break;
        value |= part << shift;
        if (!more)
            return part || shift == 0 ? value : fail(r);
    }
    return fail(r);
}

static uint64_t take_most(reader *r, uint64_t most)
{
    uint64_t value = take(r);
    return value <= most ? value : fail(r);
}

static int64_t take_signed(reader *r)
{
    uint64_t value = take(r);
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

static double take_double(reader *r)
{
    uint64_t bits = take(r);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const char *take_text(reader *r)
{
    uint64_t length = take(r);
    if (length == 0)
        return NULL;
    length--;
    if (length > (size_t)(r->end - r->at) || memchr(r->at, 0, length)) {
        fail(r);
        return NULL;
    }
    const char *text = tr_arena_strndup(r->arena, (const char *)r->at, length);
    r->at += length;
    return text;
}

/* The fewest bytes that a value takes: no count is taken for which they are not there. */
static size_t least_bytes(const packed_type *type)
{
    size_t sum = 0;
    for (size_t i = 0; i < type->n; i++) {
        const packed_field *f = &type->fields[i];
        if (f->kind == PACKED_IN || f->kind == PACKED_IN_ARRAY)
            sum += least_bytes(f->type) * (f->kind == PACKED_IN ? 1 : f->count);
        else if (f->kind == PACKED_I64S || f->kind == PACKED_TEXTS_IN)
            sum += f->count;
        else
            sum += f->kind != PACKED_LEFT;
    }
    return sum;
}

static void take_struct(reader *r, const packed_type *type, char *to, int depth);

static size_t element_bytes(const packed_field *f)
{
    return f->kind == PACKED_LIST ? f->type->size : 8;
}

static void take_list(reader *r, const packed_field *f, char *of, int depth)
{
    if (!take_most(r, 1))
        return;
    size_t n = count_of(of, f), each = f->kind == PACKED_LIST ? least_bytes(f->type) : 1;
    if (n > (size_t)(r->end - r->at) / each) {
        fail(r);
        return;
    }
    char *list = tr_arena_alloc(r->arena, (n + 1) * element_bytes(f));
    *(char **)(of + f->offset) = list;
    for (size_t i = 0; i < n && r->good; i++) {
        if (f->kind == PACKED_TEXT_LIST)
            ((const char **)list)[i] = take_text(r);
        else if (f->kind == PACKED_I64_LIST)
            ((int64_t *)list)[i] = take_signed(r);
        else if (f->kind == PACKED_SIZE_LIST)
            ((size_t *)list)[i] = take(r);
        else if (f->kind == PACKED_DOUBLE_LIST)
            ((double *)list)[i] = take_double(r);
        else
            take_struct(r, f->type, list + i * f->type->size, depth);
    }
}

static void take_chars(reader *r, const packed_field *f, char *to)
{
    const char *text = take_text(r);
    if (text && strlen(text) < f->count)
        memcpy(to, text, strlen(text));
    else
        fail(r);
}

static void take_int(reader *r, const packed_field *f, char *to)
{
    int64_t value = take_signed(r);
    if (value < f->least || value > f->most)
        value = (int64_t)fail(r);
    *(int *)to = (int)value;
}

static void take_one(reader *r, const packed_field *f, char *to, int depth)
{
    if (!take_most(r, 1))
        return;
    char *one = tr_arena_alloc(r->arena, f->type->size);
    *(char **)to = one;
    take_struct(r, f->type, one, depth);
}

static void take_field(reader *r, const packed_field *f, char *of, int depth)
{
    char *at = of + f->offset;
    switch (f->kind) {
    case PACKED_TEXT:
    case PACKED_WORDS:
        *(const char **)at = take_text(r);
        if (f->kind == PACKED_WORDS && !*(const char **)at)
            fail(r);
        return;
    case PACKED_CHARS:
        take_chars(r, f, at);
        return;
    case PACKED_U32:
        *(uint32_t *)at = (uint32_t)take_most(r, UINT32_MAX);
        return;
    case PACKED_BOOL:
        *(bool *)at = take_most(r, 1) != 0;
        return;
    case PACKED_I64:
        *(int64_t *)at = take_signed(r);
        return;
    case PACKED_DOUBLE:
        *(double *)at = take_double(r);
        return;
    case PACKED_INT:
    case PACKED_ENUM:
        take_int(r, f, at);
        return;
    case PACKED_COUNT:
        *(size_t *)at = take_most(r, (uint64_t)f->most);
        return;
    case PACKED_SIZE:
        *(size_t *)at = take(r);
        return;
    case PACKED_I64S:
        for (size_t i = 0; i < f->count; i++)
            ((int64_t *)at)[i] = take_signed(r);
        return;
    case PACKED_TEXTS_IN:
        for (size_t i = 0; i < f->count; i++)
            ((const char **)at)[i] = take_text(r);
        return;
    case PACKED_TEXT_LIST:
    case PACKED_I64_LIST:
    case PACKED_SIZE_LIST:
    case PACKED_DOUBLE_LIST:
    case PACKED_LIST:
        take_list(r, f, of, depth);
        return;
    case PACKED_ONE:
        take_one(r, f, at, depth);
        return;
    case PACKED_IN:
        take_struct(r, f->type, at, depth);
        return;
    case PACKED_IN_ARRAY:
        for (size_t i = 0; i < f->count; i++)
            take_struct(r, f->type, at + i * f->type->size, depth);
        return;
    case PACKED_LEFT:
        return;
    }
}

static void take_struct(reader *r, const packed_type *type, char *to, int depth)
{
    if (depth >= MOST_DEPTH)
        fail(r);
    for (size_t i = 0; i < type->n && r->good; i++)
        take_field(r, &type->fields[i], to, depth + 1);
}

/* An array that is counted without a pointer to it must be there. */
static bool is_sound(const checked_input *input)
{
    const input_report *report = &input->report;
    bool good = report->file && (report->n_errors == 0 || report->errors) &&
                (report->n_kernels == 0 || report->kernels) &&
                (input->n_kernels == 0 || input->kernels);
    for (size_t k = 0; good && k < report->n_kernels; k++) {
        const kernel_report *kernel = &report->kernels[k];
        good = (kernel->n_findings == 0 || kernel->findings) &&
               (kernel->n_requires == 0 || kernel->requires_);
        for (size_t i = 0; good && i < kernel->n_findings; i++)
            good = kernel->findings[i].n_locations == 0 || kernel->findings[i].locations;
    }
    return good;
}

static uint64_t fixed(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 8; i-- > 0;)
        value = value << 8 | from[i];
    return value;
}

size_t packed_length(const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    if (length < HEAD_BYTES || memcmp(from, mark, sizeof mark) != 0)
        return 0;
    uint64_t own = fixed(from + 16);
    return own <= length - HEAD_BYTES ? HEAD_BYTES + (size_t)own : 0;
}

bool packed_read(tr_arena *arena, const void *bytes, size_t length, checked_input *input)
{
    const unsigned char *from = bytes;
    *input = (checked_input){0};
    if (length < HEAD_BYTES || memcmp(from, mark, sizeof mark) != 0 ||
        fixed(from + 8) != packed_version() || fixed(from + 16) != length - HEAD_BYTES)
        return false;
    reader r = {.arena = arena, .at = from + HEAD_BYTES, .end = from + length, .good = true};
    take_struct(&r, packed_table(), (char *)input, 0);
    if (r.good && r.at == r.end && is_sound(input))
        return true;
    *input = (checked_input){0};
    return false;
}

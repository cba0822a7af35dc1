// toml++ behind toml.h. Without exceptions: what is wrong with a file is a value, and running out
// of memory ends the program, as everywhere.
#define TOML_EXCEPTIONS                 0
#define TOML_ENABLE_FORMATTERS          0
#define TOML_ENABLE_UNRELEASED_FEATURES 0
#include <toml++/toml.h>

#include <algorithm>
#include <vector>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
extern "C" {
#include "driver/toml.h"
}

namespace
{

// Lines of the text, for columns: the parser counts characters, places count bytes.
class lines
{
  public:
    lines(const char *text, size_t length) : text_(text), length_(length), starts_{0}
    {
        for (size_t i = 0; i < length; i++)
            if (text[i] == '\n')
                starts_.push_back(i + 1);
    }

    uint32_t column(const toml::source_position &at) const
    {
        if (at.line == 0 || at.line > starts_.size())
            return at.column;
        size_t from = starts_[at.line - 1], byte = from;
        for (uint32_t left = at.column > 0 ? at.column - 1 : 0; left > 0 && byte < length_; left--)
            do
                byte++;
            while (byte < length_ && (text_[byte] & 0xc0) == 0x80);
        return static_cast<uint32_t>(byte - from) + 1;
    }

  private:
    const char *text_;
    size_t length_;
    std::vector<size_t> starts_;
};

const char *kept(tr_arena *arena, std::string_view text)
{
    return tr_arena_strndup(arena, text.data(), text.size());
}

void take(tr_arena *arena, const lines &in, const toml::node &node, toml_value *value);

void take_list(tr_arena *arena, const lines &in, const toml::array &list, toml_value *value)
{
    value->kind = TOML_LIST;
    value->items = TR_NEW_ARRAY(arena, toml_value, list.size() + 1);
    for (const toml::node &item : list)
        take(arena, in, item, &value->items[value->n++]);
}

bool comes_before(const toml_value &a, const toml_value &b)
{
    return a.key_line != b.key_line ? a.key_line < b.key_line : a.key_column < b.key_column;
}

void take_table(tr_arena *arena, const lines &in, const toml::table &table, toml_value *value)
{
    value->kind = TOML_TABLE;
    value->items = TR_NEW_ARRAY(arena, toml_value, table.size() + 1);
    for (auto &&[key, node] : table) {
        toml_value *item = &value->items[value->n++];
        take(arena, in, node, item);
        item->key = kept(arena, key.str());
        item->key_length = key.length();
        item->key_line = key.source().begin.line;
        item->key_column = in.column(key.source().begin);
    }
    std::stable_sort(value->items, value->items + value->n, comes_before);
}

void take(tr_arena *arena, const lines &in, const toml::node &node, toml_value *value)
{
    value->line = node.source().begin.line;
    value->column = in.column(node.source().begin);
    if (const auto *text = node.as_string()) {
        value->kind = TOML_TEXT;
        value->text = kept(arena, text->get());
        value->length = text->get().size();
    } else if (const auto *whole = node.as_integer()) {
        value->kind = TOML_WHOLE;
        value->whole = whole->get();
    } else if (const auto *truth = node.as_boolean()) {
        value->kind = TOML_TRUTH;
        value->truth = truth->get();
    } else if (const auto *list = node.as_array()) {
        take_list(arena, in, *list, value);
    } else if (const auto *table = node.as_table()) {
        take_table(arena, in, *table, value);
    } else {
        value->kind = node.is_floating_point() ? TOML_FLOAT : TOML_TIME;
    }
}

} // namespace

const toml_value *toml_parse(tr_arena *arena, const char *file, const char *text, size_t length,
                             tr_errors *errors)
{
    lines in(text, length);
    toml::parse_result result = toml::parse(std::string_view(text, length));
    if (!result) {
        const toml::parse_error &error = result.error();
        tr_place place = {};
        place.file = file;
        place.line = error.source().begin.line;
        place.column = in.column(error.source().begin);
        tr_errors_add(errors, &place, "this is no TOML: %s", kept(arena, error.description()));
        return nullptr;
    }
    toml_value *root = TR_NEW(arena, toml_value);
    take(arena, in, result.table(), root);
    return root;
}

/* A configuration file's table into settings: each key by its form. */
#include "settings/read.h"

#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "verdict/options.h"
#include "settings/fail_on.h"
#include "settings/kernels.h"
#include "settings/options.h"
#include "settings/selectors.h"
#include "settings/settings.h"
#include "settings/shown.h"
#include "settings/version_range.h"

typedef struct reader {
    tr_arena *arena;
    settings *into;
    const char *file;
} reader;

typedef struct refused_key {
    const char *name, *why;
} refused_key;

static const refused_key refused[] = {
#define REFUSED(name, why) {name, why},
#include "settings/settings.def"
};

static const char *const later[] = {
#define LATER(name) name,
#include "settings/settings.def"
};

static tr_place place_of(const reader *r, const toml_value *v)
{
    return (tr_place){.file = r->file, .line = v->line, .column = v->column};
}

static tr_place place_of_key(const reader *r, const toml_value *v)
{
    return (tr_place){.file = r->file, .line = v->key_line, .column = v->key_column};
}

/* ---- Section: Values ---- */

/* The text without surprises; NULL after an error. */
static const char *take_text(reader *r, const toml_value *v, const char *what)
{
    tr_place place = place_of(r, v);
    if (v->kind != TOML_TEXT) {
        tr_errors_add(&r->into->wrong, &place, "%s is a string, not %s", what,
                      toml_kind_name(v->kind));
        return NULL;
    }
    bool good = v->length > 0;
    for (size_t i = 0; i < v->length; i++)
        good = good && (unsigned char)v->text[i] >= ' ' && v->text[i] != 0x7f;
    if (good)
        return v->text;
    tr_errors_add(&r->into->wrong, &place,
                  "%s has to be a text without control characters, not '%s'", what,
                  shown_text(r->arena, v->text, v->length));
    return NULL;
}

typedef bool (*item_check)(reader *r, const char *text, const tr_place *place);

static bool check_selector(reader *r, const char *text, const tr_place *place)
{
    const char *why;
    if (selector_is_known(r->arena, text, &why))
        return true;
    tr_errors_add(&r->into->wrong, place, "%s", why);
    return false;
}

static bool check_leveled(reader *r, const char *text, const tr_place *place)
{
    bool has_rule = false;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        has_rule = has_rule || selector_has(text, (rule_id)rule);
    if (has_rule || !selector_is_remark(text))
        return check_selector(r, text, place);
    tr_errors_add(&r->into->wrong, place, "'%s' is a warning on a comment, which has one level",
                  text);
    return false;
}

static bool check_failure(reader *r, const char *text, const tr_place *place)
{
    const char *why;
    unsigned set = 0;
    if (fail_on_add(r->arena, text, &set, &why))
        return true;
    tr_errors_add(&r->into->wrong, place, "%s", why);
    return false;
}

/* A pattern speaks of what lies below the configuration. */
static bool check_glob(reader *r, const char *text, const tr_place *place)
{
    const char *at = text + (*text == '!');
    bool leads_out = *at == '/' && strncmp(at, "//", 2) == 0;
    for (const char *part = at; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        leads_out = leads_out || strcmp(part, "..") == 0 || strncmp(part, "../", 3) == 0;
    if (leads_out)
        tr_errors_add(&r->into->wrong, place,
                      "'%s' leads out of the folder of this file, of which it can speak alone",
                      shown_text(r->arena, text, strlen(text)));
    return !leads_out;
}

/* The texts of a list, or a text alone. */
static void take_list(reader *r, const toml_value *v, const char *what, item_check check, size_t *n,
                      setting_item **items)
{
    const toml_value *first = v->kind == TOML_LIST ? v->items : v;
    size_t n_values = v->kind == TOML_LIST ? v->n : 1;
    *n = 0;
    *items = TR_NEW_ARRAY(r->arena, setting_item, n_values + 1);
    for (size_t i = 0; i < n_values; i++) {
        const char *text = take_text(r, &first[i], what);
        tr_place place = place_of(r, &first[i]);
        if (text && check(r, text, &place))
            (*items)[(*n)++] = (setting_item){.text = text, .place = place};
    }
}

static void take_truth(reader *r, setting *s, const toml_value *v, const char *name)
{
    tr_place place = place_of(r, v);
    s->truth = v->truth;
    if (v->kind != TOML_TRUTH)
        tr_errors_add(&r->into->wrong, &place, "'%s' is true or false, not %s", name,
                      toml_kind_name(v->kind));
}

static void take_number(reader *r, setting *s, const toml_value *v, const char *name)
{
    tr_place place = place_of(r, v);
    if (v->kind != TOML_WHOLE)
        tr_errors_add(&r->into->wrong, &place, "'%s' is a whole number, not %s", name,
                      toml_kind_name(v->kind));
    else if (v->whole < RULES_STEPS)
        tr_errors_add_hint(&r->into->wrong, &place,
                           "A lower limit makes kernels undecided that are racy; --steps sets one.",
                           "'%s' can be raised from %d here, not set to %" PRId64, name,
                           RULES_STEPS, v->whole);
    else if (v->whole > 1000000000)
        tr_errors_add(&r->into->wrong, &place, "'%s' is at most 1000000000, not %" PRId64, name,
                      v->whole);
    else
        s->number = (unsigned long)v->whole;
}

/* ---- Section: Tables ---- */

static bool check_table(reader *r, const toml_value *v, const char *name)
{
    tr_place place = place_of(r, v);
    if (v->kind == TOML_TABLE)
        return true;
    tr_errors_add(&r->into->wrong, &place, "'%s' is a table, not %s", name,
                  toml_kind_name(v->kind));
    return false;
}

static bool level_by_name(const char *name, rule_level *level)
{
    for (int i = LEVEL_NOTE; i <= LEVEL_ERROR; i++)
        if (strcmp(report_level_name((rule_level)i), name) == 0) {
            *level = (rule_level)i;
            return true;
        }
    return false;
}

rule_level setting_level(const char *name)
{
    rule_level level = LEVEL_ERROR;
    level_by_name(name, &level);
    return level;
}

static bool check_level(reader *r, const char *text, const tr_place *place)
{
    rule_level level;
    if (level_by_name(text, &level))
        return true;
    bool off = strcmp(text, "off") == 0 || strcmp(text, "none") == 0 || strcmp(text, "ignore") == 0;
    tr_errors_add(&r->into->wrong, place, "a level is error, warning or note, not '%s'%s",
                  shown_text(r->arena, text, strlen(text)),
                  off ? "; 'ignore' hides the findings of a rule" : "");
    return false;
}

static void take_table(reader *r, setting *s, const toml_value *v, const char *name,
                       item_check check_key, const char *what, item_check check_value)
{
    if (!check_table(r, v, name))
        return;
    s->items = TR_NEW_ARRAY(r->arena, setting_item, v->n + 1);
    for (size_t i = 0; i < v->n; i++) {
        const toml_value *member = &v->items[i];
        toml_value key = {.kind = TOML_TEXT,
                          .text = member->key,
                          .length = member->key_length,
                          .line = member->key_line,
                          .column = member->key_column};
        setting_item item = {.text = take_text(r, &key, "a key"), .place = place_of(r, &key)};
        if (!item.text || !check_key(r, item.text, &item.place))
            continue;
        take_list(r, member, what, check_value, &item.n, &item.items);
        s->items[s->n++] = item;
    }
}

static bool check_file_glob(reader *r, const char *text, const tr_place *place)
{
    if (text[0] == '!')
        tr_errors_add(&r->into->wrong, place,
                      "'%s': a pattern of files that rules do not count in has no '!'",
                      shown_text(r->arena, text, strlen(text)));
    return text[0] != '!' && check_glob(r, text, place);
}

static void take_levels(reader *r, setting *s, const toml_value *v, const char *name)
{
    take_table(r, s, v, name, check_leveled, "a level", check_level);
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].n > 1)
            tr_errors_add(&r->into->wrong, &s->items[i].place, "a rule has one level, not %zu",
                          s->items[i].n);
}

static void take_version(reader *r, setting *s, const toml_value *v, const char *name)
{
    const char *text = take_text(r, v, tr_arena_printf(r->arena, "'%s'", name)), *why;
    tr_place place = place_of(r, v);
    if (!text)
        return;
    if (!setting_version_is_within(r->arena, TILERACE_VERSION, text, &why))
        tr_errors_add(&r->into->wrong, &place, "%s", why);
    s->items = TR_NEW(r->arena, setting_item);
    s->items[s->n++] = (setting_item){.text = text, .place = place};
}

/* ---- Section: Keys ---- */

static bool is_key(const toml_value *v, const char *name)
{
    return v->key_length == strlen(name) && memcmp(v->key, name, v->key_length) == 0;
}

static void refuse(reader *r, const toml_value *v)
{
    tr_place place = place_of_key(r, v);
    const char *name = shown_text(r->arena, v->key, v->key_length);
    const char *names[SETTING_COUNT];
    for (int id = 0; id < SETTING_COUNT; id++)
        names[id] = setting_name((setting_id)id);
    for (size_t i = 0; i < TR_COUNT(refused); i++)
        if (is_key(v, refused[i].name)) {
            tr_errors_add(&r->into->wrong, &place,
                          "'%s' belongs on the command line: it %s, and a configuration comes with "
                          "the repository that is checked",
                          name, refused[i].why);
            return;
        }
    for (size_t i = 0; i < TR_COUNT(later); i++)
        if (is_key(v, later[i])) {
            tr_errors_add(&r->into->wrong, &place,
                          "tilerace %s has no key '%s'; a later version has it", TILERACE_VERSION,
                          name);
            return;
        }
    const char *near = nearest_name(name, SETTING_COUNT, names);
    tr_errors_add(&r->into->wrong, &place, "there is no key '%s'%s", name,
                  near ? tr_arena_printf(r->arena, "; did you mean '%s'?", near)
                       : "; 'tilerace config show' lists them");
}

static void take(reader *r, setting_id id, const toml_value *v)
{
    setting *s = &r->into->of[id];
    const char *name = setting_name(id);
    tr_place place = place_of_key(r, v);
    if (s->origin == FROM_FILE) {
        tr_errors_add(&r->into->wrong, &place, "'%s' is set twice, here and in line %" PRIu32, name,
                      s->place.line);
        return;
    }
    s->origin = FROM_FILE;
    s->place = place;
    switch (setting_form_of(id)) {
    case FORM_TRUTH:
        take_truth(r, s, v, name);
        break;
    case FORM_RAISED_NUMBER:
        take_number(r, s, v, name);
        break;
    case FORM_VERSION:
        take_version(r, s, v, name);
        break;
    case FORM_FAILURES:
        take_list(r, v, "what fails", check_failure, &s->n, &s->items);
        break;
    case FORM_RULES:
        take_list(r, v, "a rule", check_selector, &s->n, &s->items);
        break;
    case FORM_GLOBS:
        take_list(r, v, "a pattern", check_glob, &s->n, &s->items);
        break;
    case FORM_RULES_BY_GLOB:
        take_table(r, s, v, name, check_file_glob, "a rule", check_selector);
        break;
    case FORM_LEVELS_BY_RULE:
        take_levels(r, s, v, name);
        break;
    case FORM_SIGNATURES:
        setting_kernels_take(r->arena, s, v, r->file, &r->into->wrong);
        break;
    }
}

/* A version that the file is not for says why its keys are unknown. */
static bool is_of_this_version(reader *r, const toml_value *table)
{
    const toml_value *v = toml_member(table, setting_name(SETTING_required_version));
    if (v)
        take(r, SETTING_required_version, v);
    return tr_errors_count(&r->into->wrong) == 0;
}

static void take_key(reader *r, const toml_value *v)
{
    for (int id = 0; id < SETTING_COUNT; id++)
        if (is_key(v, setting_name((setting_id)id))) {
            if (id != SETTING_required_version)
                take(r, (setting_id)id, v);
            return;
        }
    refuse(r, v);
}

void settings_take_file(tr_arena *arena, settings *st, const toml_value *table, bool may_nest,
                        const char *file)
{
    reader r = {.arena = arena, .into = st, .file = file};
    const toml_value *own = may_nest ? toml_member(table, "tilerace") : NULL;
    bool is_nested = own && own->kind == TOML_TABLE;
    if (!is_of_this_version(&r, table) || (is_nested && !is_of_this_version(&r, own)))
        return;
    for (size_t i = 0; i < table->n; i++)
        if (!is_nested || &table->items[i] != own)
            take_key(&r, &table->items[i]);
    for (size_t i = 0; is_nested && i < own->n; i++)
        take_key(&r, &own->items[i]);
}

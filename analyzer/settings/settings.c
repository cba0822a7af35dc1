#include "settings/settings.h"

#include <inttypes.h>
#include <string.h>

#include "verdict/options.h"
#include "settings/fail_on.h"
#include "settings/kernels.h"
#include "settings/read.h"
#include "settings/selectors.h"
#include "settings/shown.h"

/* ---- Section: The table ---- */

typedef enum option_number {
#define OPTION(field, kind, long_name, letter, argument, commands, help) OPTION_##field,
#include "settings/options.def"
    OPTION_COUNT
} option_number;

static const struct {
    const char *name;
    size_t field; /* offset in driver_options */
} options_table[OPTION_COUNT] = {
#define OPTION(field, kind, long_name, letter, argument, commands, help)                           \
    {long_name, offsetof(driver_options, field)},
#include "settings/options.def"
};

static const struct {
    const char *name; /* NULL: that of the option */
    setting_form form;
    option_number option; /* OPTION_COUNT: none */
} rows[SETTING_COUNT] = {
#define OF_OPTION(field, form)      {NULL, FORM_##form, OPTION_##field},
#define OF_TABLE(field, name, form) {name, FORM_##form, OPTION_COUNT},
#include "settings/settings.def"
};

const char *setting_name(setting_id id)
{
    return rows[id].name ? rows[id].name : options_table[rows[id].option].name;
}

setting_form setting_form_of(setting_id id)
{
    return rows[id].form;
}

/* ---- Section: The command line ---- */

static void add_item(tr_arena *arena, setting *s, const char *text, size_t length)
{
    setting_item *items = TR_NEW_ARRAY(arena, setting_item, s->n + 1);
    if (s->n > 0)
        memcpy(items, s->items, s->n * sizeof *items);
    items[s->n++].text = tr_arena_strndup(arena, text, length);
    s->items = items;
}

/* Words with commas between them. */
static void add_words(tr_arena *arena, setting *s, const char *text)
{
    for (const char *at = text; at;) {
        size_t length = strcspn(at, ",");
        if (length > 0)
            add_item(arena, s, at, length);
        at = at[length] ? at + length + 1 : NULL;
    }
}

static bool check_items(tr_arena *arena, const setting *s, setting_id id, const char **why)
{
    for (size_t i = 0; i < s->n; i++)
        if (setting_form_of(id) == FORM_RULES && !selector_is_known(arena, s->items[i].text, why)) {
            *why = tr_arena_printf(arena, "--%s: %s", setting_name(id), *why);
            return false;
        }
    return true;
}

/* Reads what the command line says of a key; s->origin stays FROM_DEFAULT where it says nothing. */
static void read_option(tr_arena *arena, setting *s, setting_id id, const driver_options *options)
{
    const char *field = (const char *)options + options_table[rows[id].option].field;
    const option_list *list = (const option_list *)field;
    const char *text = NULL;
    bool given = false;
    switch (setting_form_of(id)) {
    case FORM_TRUTH:
        given = s->truth = *(const bool *)field;
        break;
    case FORM_RAISED_NUMBER:
        s->number = *(const unsigned long *)field;
        given = s->number > 0;
        break;
    case FORM_FAILURES:
        text = *(const char *const *)field;
        given = text;
        add_words(arena, s, text);
        break;
    case FORM_RULES:
    case FORM_GLOBS:
        given = list->n > 0;
        for (size_t i = 0; i < list->n; i++)
            if (setting_form_of(id) == FORM_RULES)
                add_words(arena, s, list->items[i]);
            else
                add_item(arena, s, list->items[i], strlen(list->items[i]));
        break;
    case FORM_VERSION:
    case FORM_RULES_BY_GLOB:
    case FORM_LEVELS_BY_RULE:
    case FORM_SIGNATURES:
        break; /* have no option */
    }
    s->origin = given ? FROM_COMMAND_LINE : FROM_DEFAULT;
}

bool settings_take_options(tr_arena *arena, settings *st, const driver_options *options,
                           const char *working_folder, const char **why)
{
    st->excluded_folder = st->folder;
    for (int id = 0; id < SETTING_COUNT; id++) {
        setting given = {0};
        if (rows[id].option == OPTION_COUNT)
            continue;
        read_option(arena, &given, (setting_id)id, options);
        if (given.origin != FROM_COMMAND_LINE)
            continue;
        if (!check_items(arena, &given, (setting_id)id, why))
            return false;
        st->of[id] = given;
        if (id == SETTING_exclude)
            st->excluded_folder = working_folder;
    }
    return true;
}

/* ---- Section: What becomes of the findings ---- */

/* How much of a rule's code the selector says: the one that says most decides. 0: nothing. */
static size_t weight(const char *selector, rule_id rule)
{
    const rule_info *info = rule_info_of(rule);
    if (!selector_has(selector, rule))
        return 0;
    if (strcmp(selector, info->name) == 0)
        return strlen(info->code);
    return strcmp(selector, "ALL") == 0 ? 1 : strlen(selector);
}

static size_t heaviest(const setting *s, rule_id rule, const setting_item **which)
{
    size_t most = 0;
    for (size_t i = 0; i < s->n; i++)
        if (weight(s->items[i].text, rule) > most) {
            most = weight(s->items[i].text, rule);
            *which = &s->items[i];
        }
    return most;
}

static const char *where(tr_arena *arena, const tr_place *place)
{
    return place->file ? tr_arena_printf(arena, "%s:%" PRIu32, place->file, place->line)
                       : "command line";
}

static bool says_all(const char *selector, rule_id rule)
{
    return weight(selector, rule) == strlen(rule_info_of(rule)->code);
}

static void choose_rule(tr_arena *arena, settings *st, rule_id rule)
{
    const setting *select = &st->of[SETTING_select], *extend = &st->of[SETTING_extend_select];
    const setting_item *chosen = NULL, *also = NULL, *off = NULL;
    size_t on = heaviest(select, rule, &chosen), more = heaviest(extend, rule, &also);
    rule_choice *choice = &st->rules[rule];
    if (more > on) {
        on = more;
        chosen = also;
    }
    bool is_default = select->origin == FROM_DEFAULT && on == 0;
    size_t against = heaviest(&st->of[SETTING_ignore], rule, &off);
    choice->wanted = chosen && says_all(chosen->text, rule);
    if (against > 0 && against >= on) {
        choice->hidden = true;
        choice->why =
            tr_arena_printf(arena, "ignore has '%s' (%s)", off->text, where(arena, &off->place));
        choice->place = off->place;
    } else if (on == 0 && !is_default) {
        choice->hidden = true;
        choice->why =
            tr_arena_printf(arena, "select does not have it (%s)", where(arena, &select->place));
        choice->place = select->place;
    }
}

/* Remarks on comments have no levels, and ALL is their default as well. */
static size_t heaviest_of_remark(const setting *s, remark_kind kind)
{
    static const size_t WHOLE = 5; /* "TR902" */
    size_t most = 0;
    for (size_t i = 0; i < s->n; i++) {
        const char *selector = s->items[i].text;
        size_t says = strcmp(selector, "ALL") == 0      ? 1
                      : strncmp(selector, "TR", 2) == 0 ? strlen(selector)
                                                        : WHOLE;
        if (selector_has_remark(selector, kind) && says > most)
            most = says;
    }
    return most;
}

static void choose_remark(settings *st, remark_kind kind)
{
    const setting *select = &st->of[SETTING_select];
    size_t on = heaviest_of_remark(select, kind);
    size_t more = heaviest_of_remark(&st->of[SETTING_extend_select], kind);
    size_t against = heaviest_of_remark(&st->of[SETTING_ignore], kind);
    on = more > on ? more : on;
    st->hides_remark[kind] =
        against > 0 ? against >= on : on == 0 && select->origin != FROM_DEFAULT;
}

static void choose_level(settings *st, rule_id rule)
{
    const setting_item *which = NULL;
    rule_choice *choice = &st->rules[rule];
    if (heaviest(&st->of[SETTING_levels], rule, &which) == 0 || which->n == 0)
        return;
    choice->has_level = true;
    choice->level = setting_level(which->items[0].text);
    choice->level_place = which->place;
    choice->wanted = choice->wanted || says_all(which->text, rule);
}

static void choose_files(tr_arena *arena, settings *st)
{
    const setting *s = &st->of[SETTING_per_file_ignores];
    st->file_choices = TR_NEW_ARRAY(arena, file_choice, s->n + 1);
    for (size_t i = 0; i < s->n; i++) {
        file_choice *choice = &st->file_choices[st->n_file_choices++];
        choice->item = &s->items[i];
        patterns_add_line(arena, &choice->files, s->items[i].text, strlen(s->items[i].text),
                          s->items[i].place.line);
    }
}

void settings_finish(tr_arena *arena, settings *st, const driver_options *options)
{
    const char *why;
    const setting *fails = &st->of[SETTING_fail_on], *excluded = &st->of[SETTING_exclude];
    driver_options aliases = {.werror = options->werror,
                              .fail_on_unknown = options->fail_on_unknown};
    fail_on_read(arena, &aliases, &st->fails, &why);
    for (size_t i = 0; i < fails->n; i++)
        fail_on_add(arena, fails->items[i].text, &st->fails, &why);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        choose_rule(arena, st, (rule_id)rule);
        choose_level(st, (rule_id)rule);
    }
    for (int kind = 0; kind < REMARK_KINDS; kind++)
        choose_remark(st, (remark_kind)kind);
    choose_files(arena, st);
    for (size_t i = 0; i < excluded->n; i++)
        patterns_add_line(arena, &st->excluded, excluded->items[i].text,
                          strlen(excluded->items[i].text), excluded->items[i].place.line);
}

/* ---- Section: In words ---- */

const char *setting_origin_words(tr_arena *arena, const setting *of)
{
    return of->origin == FROM_FILE           ? where(arena, &of->place)
           : of->origin == FROM_COMMAND_LINE ? "command line"
                                             : "default";
}

/* A TOML string. */
static void add_string(tr_text *out, const char *text)
{
    tr_text_add(out, "\"");
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            tr_text_addf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            tr_text_addf(out, "\\u%04x", (unsigned)*c);
        else
            tr_text_addn(out, c, 1);
    tr_text_add(out, "\"");
}

static void add_list(tr_text *out, size_t n, const setting_item *items)
{
    tr_text_add(out, "[");
    for (size_t i = 0; i < n; i++) {
        tr_text_add(out, i ? ", " : "");
        add_string(out, items[i].text);
    }
    tr_text_add(out, "]");
}

static void add_table(tr_text *out, const setting *s, bool lists)
{
    tr_text_add(out, s->n ? "{ " : "{}");
    for (size_t i = 0; i < s->n; i++) {
        tr_text_add(out, i ? ", " : "");
        add_string(out, s->items[i].text);
        tr_text_add(out, " = ");
        if (lists)
            add_list(out, s->items[i].n, s->items[i].items);
        else
            add_string(out, s->items[i].n ? s->items[i].items[0].text : "");
    }
    tr_text_add(out, s->n ? " }" : "");
}

static void add_failures(tr_arena *arena, tr_text *out, const settings *st)
{
    setting all = {0};
    const char *name, *about;
    for (size_t i = 0; (name = fail_on_name(i, &about)); i++)
        if (st->fails & 1u << i)
            add_item(arena, &all, name, strlen(name));
    add_list(out, all.n, all.items);
}

const char *setting_value_words(tr_arena *arena, setting_id id, const settings *st)
{
    tr_text out = {0};
    const setting *s = &st->of[id];
    switch (setting_form_of(id)) {
    case FORM_TRUTH:
        tr_text_add(&out, s->truth ? "true" : "false");
        break;
    case FORM_RAISED_NUMBER:
        tr_text_addf(&out, "%lu", s->number ? s->number : (unsigned long)RULES_STEPS);
        break;
    case FORM_VERSION:
        add_string(&out, s->n ? s->items[0].text : ">=0");
        break;
    case FORM_FAILURES:
        add_failures(arena, &out, st);
        break;
    case FORM_RULES:
        if (id == SETTING_select && s->origin == FROM_DEFAULT)
            tr_text_add(&out, "[\"ALL\"]");
        else
            add_list(&out, s->n, s->items);
        break;
    case FORM_GLOBS:
        add_list(&out, s->n, s->items);
        break;
    case FORM_RULES_BY_GLOB:
        add_table(&out, s, true);
        break;
    case FORM_LEVELS_BY_RULE:
        add_table(&out, s, false);
        break;
    case FORM_SIGNATURES:
        setting_kernels_add_words(&out, s);
        break;
    }
    const char *words = tr_arena_strdup(arena, tr_text_get(&out));
    tr_text_free(&out);
    return words;
}

bool settings_ask_for_notes(const settings *st)
{
    bool asks = st->of[SETTING_notes].truth;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        asks = asks || (rule_info_of((rule_id)rule)->level == LEVEL_NOTE && st->rules[rule].wanted);
    return asks;
}

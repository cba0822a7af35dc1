/* The settings for one checked file: of each key of settings.def the value of the command line,
 * else that of the nearest configuration file, else the default. */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include "base/base.h"
#include "folders/pattern.h"
#include "settings/options.h"
#include "settings/toml.h"
#include "verdict/findings.h"

typedef enum setting_id {
#define OF_OPTION(field, form)      SETTING_##field,
#define OF_TABLE(field, name, form) SETTING_##field,
#include "settings/settings.def"
    SETTING_COUNT
} setting_id;

typedef enum setting_form {
    FORM_TRUTH,
    FORM_RAISED_NUMBER,  /* not below the default */
    FORM_VERSION,        /* a text */
    FORM_FAILURES,       /* words of --fail-on */
    FORM_RULES,          /* selectors of rules */
    FORM_GLOBS,          /* patterns of files below the folder of the configuration */
    FORM_RULES_BY_GLOB,  /* a table: pattern to selectors */
    FORM_LEVELS_BY_RULE, /* a table: selector to a level */
    FORM_SIGNATURES,     /* a table: kernel to signatures (kernels.h) */
} setting_form;

typedef enum setting_origin { FROM_DEFAULT, FROM_FILE, FROM_COMMAND_LINE } setting_origin;

typedef struct setting_item { /* of a list or a table */
    const char *text;         /* the pattern, the selector or the word */
    tr_place place;           /* file NULL: of the command line */
    size_t n;                 /* what a table has for it */
    struct setting_item *items;
} setting_item;

typedef struct setting {
    setting_origin origin;
    tr_place place; /* FROM_FILE */
    bool truth;
    unsigned long number; /* 0: the default */
    size_t n;
    setting_item *items; /* of a text: one */
} setting;

typedef struct rule_choice { /* what becomes of a rule's findings */
    bool hidden;
    const char *why; /* in words; where it is hidden */
    tr_place place;  /* of the line that hides it; file NULL: none */
    bool wanted;     /* a note that was asked for by name */
    bool has_level;
    rule_level level;
    tr_place level_place;
} rule_choice;

typedef struct file_choice { /* of per-file-ignores */
    patterns files;
    const setting_item *item; /* its pattern, and the selectors */
} file_choice;

typedef struct settings {
    const char *file;   /* the configuration, as it is shown; NULL: none */
    const char *folder; /* that its patterns start from, a real path */
    tr_errors wrong;    /* then nothing of it holds, and what it is for is not checked */
    setting of[SETTING_COUNT];
    /* ---- Made of the above (settings_finish) ---- */
    unsigned fails; /* set of fail_on */
    rule_choice rules[RULE_COUNT];
    bool hides_remark[REMARK_KINDS];
    size_t n_file_choices;
    file_choice *file_choices;
    patterns excluded;
    const char *excluded_folder; /* that they start from */
} settings;

const char *setting_name(setting_id id);
setting_form setting_form_of(setting_id id);

/* Lets what the command line says hold instead. False, with *why. */
bool settings_take_options(tr_arena *arena, settings *st, const driver_options *options,
                           const char *working_folder, const char **why);
/* Works out what the findings of each rule become. */
void settings_finish(tr_arena *arena, settings *st, const driver_options *options);
/* Are notes to be looked for at all? */
bool settings_ask_for_notes(const settings *st);

/* "tilerace.toml:3", "command line" or "default" */
const char *setting_origin_words(tr_arena *arena, const setting *of);
/* The value as TOML. */
const char *setting_value_words(tr_arena *arena, setting_id id, const settings *st);

#endif

/* Runs each method in a process of its own: parameters in, a result out. */
#include "judge/methods.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "contract/expression.h"
#include "driver/commands.h"
#include "driver/explained.h"
#include "inputs/load.h"
#include "judge/judge.h"
#include "lsp/json.h"

#define SMALL_SOURCE                                                                               \
    "#include <tile.h>\ntile_kernel void warm(const float *x, float *y, int n)\n{\n"               \
    "    tile_store(tile_partition(tile_tensor(y, n), 64), "                                       \
    "tile_load(tile_partition(tile_tensor(x, n), 64), tile_bid(0)), tile_bid(0));\n}\n"

typedef struct asking { /* a method at work */
    session s;          /* a copy, with an arena of its own */
    driver_options options;
    const judge_door *door;
    const judge_watch *watch;
    const cJSON *params;
    tr_unsaved unsaved;
    tr_unsaved_file texts[2];
    const char *file; /* of `source` or `file` */
    tr_text *answer;
} asking;

typedef serve_error method_function(asking *a);

#define METHOD(id, name, title, function, goes_on, schema, about) static method_function function;
#include "judge/methods.def"

static const method methods[] = {
#define METHOD(id, name, title, function, goes_on, schema, about) {name, title, about, goes_on},
#include "judge/methods.def"
};

const method *method_of(method_id id)
{
    return &methods[id];
}

bool method_by_name(const char *name, method_id *id)
{
    for (int i = 0; i < METHOD_COUNT; i++)
        if (strcmp(methods[i].name, name) == 0) {
            *id = (method_id)i;
            return true;
        }
    return false;
}

const char *method_nearest(const char *name)
{
    const char *names[METHOD_COUNT];
    for (int i = 0; i < METHOD_COUNT; i++)
        names[i] = methods[i].name;
    return contract_nearest(name, METHOD_COUNT, names);
}

const serve_error_info *serve_error_of(serve_error error)
{
    static const serve_error_info errors[] = {
        [SERVE_GOOD] = {"", 0},
#define SERVE_ERROR(id, name, code, about) [SERVE_##id] = {name, code},
#include "judge/serve_errors.def"
    };
    return &errors[error];
}

/* ---- Section: Parameters ---- */

static serve_error refuse(asking *a, serve_error error, const char *format, ...) TR_PRINTF(3, 4);

static serve_error refuse(asking *a, serve_error error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tr_text_vaddf(a->answer, format, arguments);
    va_end(arguments);
    return error;
}

static const char *text_param(const asking *a, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->params, name);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static const cJSON *object_param(const asking *a, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->params, name);
    return cJSON_IsObject(item) ? item : NULL;
}

static bool true_param(const asking *a, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a->params, name));
}

/* False, after a refusal, where the number is none from `least` to `most`. Not stated: `*number`
 * stays. */
static bool number_param(asking *a, const char *name, int64_t least, int64_t most,
                         unsigned long *number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->params, name);
    if (!item)
        return true;
    double value = item->valuedouble;
    if (value >= (double)least && value <= (double)most && value == (double)(int64_t)value) {
        *number = (unsigned long)value;
        return true;
    }
    refuse(a, SERVE_BAD_PARAMS, "'%s' has to be a whole number from %lld to %lld", name,
           (long long)least, (long long)most);
    return false;
}

/* `source` or `file`, as what load_input reads. */
static serve_error take_input(asking *a)
{
    const char *source = text_param(a, "source"), *file = text_param(a, "file");
    if (!source == !file)
        return refuse(a, SERVE_BAD_PARAMS, "'source' or 'file' has to be stated, one of them");
    if (file && !judge_door_admits(a->door, file))
        return refuse(a, SERVE_BAD_PARAMS,
                      "%s lies outside of the folders that requests may name files in (--root)",
                      file);
    a->file = file ? tr_arena_strdup(a->s.arena, file) : "kernel.c";
    if (source) {
        a->texts[0] = (tr_unsaved_file){a->file, source, strlen(source)};
        a->unsaved = (tr_unsaved){1, a->texts};
        a->s.unsaved = &a->unsaved;
    }
    return SERVE_GOOD;
}

static serve_error take_errors(asking *a, const tr_errors *errors)
{
    const tr_error *e = &errors->items[0];
    if (e->place.file && e->place.line)
        return refuse(a, SERVE_BAD_PARAMS, "%s:%u: %s", e->place.file, e->place.line, e->text);
    return refuse(a, SERVE_BAD_PARAMS, "%s%s%s", e->place.file ? e->place.file : "",
                  e->place.file ? ": " : "", e->text);
}

/* Reads one launch, as the file of --launch. */
static serve_error take_launch(asking *a)
{
    const cJSON *launch = object_param(a, "launch");
    serve_error error = SERVE_GOOD;
    if (!launch)
        return SERVE_GOOD;
    const char *stranger = judge_door_stranger(a->s.arena, a->door, NULL, launch);
    if (stranger)
        return refuse(a, SERVE_BAD_PARAMS,
                      "%s lies outside of the folders that requests may name files in (--root)",
                      stranger);
    char *one = lsp_json_print(launch);
    const char *text = tr_arena_printf(a->s.arena, "{\"version\":2,\"launches\":[%s]}", one);
    cJSON_free(one);
    tr_errors errors = tr_errors_make(a->s.arena);
    a->s.launches = launch_file_parse(a->s.arena, "launch", text, strlen(text), &errors);
    if (!a->s.launches)
        error = take_errors(a, &errors);
    tr_errors_free(&errors);
    return error;
}

static serve_error take_defines(asking *a)
{
    const cJSON *defines = object_param(a, "defines"), *item;
    size_t n = a->options.n_behind;
    const char **behind =
        TR_NEW_ARRAY(a->s.arena, const char *, n + (size_t)cJSON_GetArraySize(defines) + 1);
    for (size_t i = 0; i < n; i++)
        behind[i] = a->options.behind[i];
    cJSON_ArrayForEach(item, defines)
    {
        if (!cJSON_IsNumber(item) && !cJSON_IsString(item))
            return refuse(a, SERVE_BAD_PARAMS, "'defines' has to give macros numbers or texts");
        behind[n++] =
            cJSON_IsNumber(item)
                ? tr_arena_printf(a->s.arena, "-D%s=%.17g", item->string, item->valuedouble)
                : tr_arena_printf(a->s.arena, "-D%s=%s", item->string, item->valuestring);
    }
    a->options.behind = behind;
    a->options.n_behind = n;
    return SERVE_GOOD;
}

/* Reads the parameters that check, run and contract take. */
static serve_error take_kernels(asking *a)
{
    serve_error error = take_input(a);
    error = error ? error : take_launch(a);
    return error ? error : take_defines(a);
}

/* ---- Section: Answers ---- */

/* JSON of other rooms, which may have line ends between its tokens, never in its texts. */
static void add_on_one_line(tr_text *out, const char *json, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *end = memchr(json + at, '\n', length - at);
        size_t n = end ? (size_t)(end - json) - at : length - at;
        tr_text_addn(out, json + at, n);
        at += n + 1;
    }
}

static void add_json(asking *a, tr_take cJSON *object)
{
    char *text = lsp_json_print(object);
    tr_text_add(a->answer, text);
    cJSON_free(text);
    cJSON_Delete(object);
}

typedef struct printed { /* what a command prints, and what it complains of */
    char *out, *err;
    size_t n_out, n_err;
} printed;

/* Runs a command of the program with the asking's session. */
static int run_command(asking *a, command_id id, int (*command)(session *s), size_t n_files,
                       const char **files, printed *to)
{
    *to = (printed){0};
    a->options.command = id;
    a->options.files = files;
    a->options.n_files = n_files;
    a->s.out = open_memstream(&to->out, &to->n_out);
    a->s.err = open_memstream(&to->err, &to->n_err);
    if (!a->s.out || !a->s.err)
        tr_no_memory();
    int code = command(&a->s);
    fclose(a->s.out);
    fclose(a->s.err);
    return code;
}

static void free_printed(printed *p)
{
    free(p->out);
    free(p->err);
}

/* Returns what a command that fails complains of, without our name before it. */
static serve_error fail(asking *a, const printed *p)
{
    static const char name[] = "tilerace: error: ";
    const char *said =
        strncmp(p->err, name, sizeof name - 1) == 0 ? p->err + sizeof name - 1 : p->err;
    size_t length = strlen(said);
    while (length > 0 && said[length - 1] == '\n')
        length--;
    return refuse(a, SERVE_FAILED, "%.*s", (int)length, length ? said : "it fails");
}

static cJSON *lines_of(const char *text)
{
    cJSON *list = lsp_json_array();
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        char *line = strndup(text, n);
        if (!line)
            tr_no_memory();
        if (n > 0)
            lsp_json_append(list, cJSON_CreateString(line));
        free(line);
        text += n + (text[n] == '\n');
    }
    return list;
}

/* ---- Section: judge ---- */

/* The context, with what is wrong with it in `errors`. */
static judge_context *context_of(asking *a, tr_errors *errors, serve_error *error)
{
    const cJSON *context = object_param(a, "context");
    const char *folder = text_param(a, "folder");
    tr_arena *arena = a->s.arena;
    if (!context) {
        *error = take_input(a);
        if (*error)
            return NULL;
        return a->s.unsaved ? judge_context_of_kernel(arena, "candidate.c", a->texts[0].text,
                                                      a->texts[0].length)
                            : judge_context_read(arena, a->file, a->door, errors);
    }
    if (text_param(a, "source") || text_param(a, "file")) {
        *error = refuse(a, SERVE_BAD_PARAMS,
                        "'context', 'source' or 'file' has to be stated, one of them");
        return NULL;
    }
    char *text = lsp_json_print(context);
    const char *path = folder ? tr_arena_printf(arena, "%s/context", folder) : "context";
    judge_context *c = judge_context_parse(arena, path, text, strlen(text), a->door, errors);
    cJSON_free(text);
    return c;
}

/* Answers with the judgement of a candidate, as `tilerace judge` prints it. */
static serve_error method_judge(asking *a)
{
    serve_error error = SERVE_GOOD;
    tr_errors errors = tr_errors_make(a->s.arena);
    if (!number_param(a, "max_feedback", 1, 1 << 30, &a->options.max_feedback))
        return SERVE_BAD_PARAMS;
    a->options.times = true_param(a, "times");
    judge_context *context = context_of(a, &errors, &error);
    if (!context && !error)
        error = take_errors(a, &errors);
    tr_errors_free(&errors);
    if (!context)
        return error;
    a->s.unsaved = NULL; /* the context has its own */
    if (a->watch && a->watch->limit)
        a->watch->limit(a->watch->user, context->limit_ms, context->limit_mb);
    judge_answer j = judge_run(&a->s, context, a->watch);
    tr_text out = {0};
    judge_write_json(&out, &j, &(judge_writing){a->options.max_feedback, a->options.times});
    add_on_one_line(a->answer, out.data, out.length);
    tr_text_free(&out);
    judge_answer_free(&j);
    judge_context_free(context);
    return SERVE_GOOD;
}

/* ---- Section: check ---- */

/* Answers with the report of a check, as `tilerace check` prints it in JSON. */
static serve_error method_check(asking *a)
{
    serve_error error = take_kernels(a);
    loaded input;
    if (error)
        return error;
    a->s.rules.strict = true_param(a, "strict");
    load_input(&a->s, a->file, 0, &input);
    if (a->s.launches && tr_errors_count(&input.errors) == 0)
        launch_file_check_kernels(a->s.launches, input.unit.n_kernels, input.shapes, &input.errors);
    input_report report = {
        .file = a->file, .errors = input.errors.items, .n_errors = tr_errors_count(&input.errors)};
    report.kernels = TR_NEW_ARRAY(input.arena, kernel_report, arrlenu(input.kernels) + 1);
    for (size_t i = 0; i < arrlenu(input.kernels) && report.n_errors == 0; i++)
        report.kernels[report.n_kernels++] =
            *load_check(&a->s, &input, &input.kernels[i], &a->s.rules);
    report_mark_allowed(input.arena, a->s.unsaved, &report);
    const full_report whole = {.n_inputs = 1, .inputs = &report};
    const report_options options = {.unsaved = a->s.unsaved, .folder = a->s.working_folder};
    tr_text out = {0};
    report_write(&out, &whole, REPORT_JSON, &options);
    add_on_one_line(a->answer, out.data, out.length);
    tr_text_free(&out);
    load_free(&input);
    return SERVE_GOOD;
}

/* ---- Section: compare ---- */

/* Turns one of the two kernels into words of a command line. */
static serve_error take_side(asking *a, const char *name, const char **words)
{
    const cJSON *side = object_param(a, name), *item;
    const char *given[3] = {0};
    static const char *const keys[] = {"source", "file", "name"};
    cJSON_ArrayForEach(item, side)
    {
        size_t k = 0;
        while (k < TR_COUNT(keys) && strcmp(item->string, keys[k]) != 0)
            k++;
        if (k == TR_COUNT(keys) || !cJSON_IsString(item))
            return refuse(
                a, SERVE_BAD_PARAMS,
                "'%s' has to be {\"source\": TEXT} or {\"file\": FILE}, and perhaps a \"name\"",
                name);
        given[k] = item->valuestring;
    }
    if (!given[0] == !given[1])
        return refuse(a, SERVE_BAD_PARAMS,
                      "'%s' has to have a \"source\" or a \"file\", one of them", name);
    if (given[1] && !judge_door_admits(a->door, given[1]))
        return refuse(a, SERVE_BAD_PARAMS,
                      "%s lies outside of the folders that requests may name files in (--root)",
                      given[1]);
    const char *file = given[1] ? given[1] : tr_arena_printf(a->s.arena, "%s.c", name);
    if (given[0]) {
        a->texts[a->unsaved.n++] = (tr_unsaved_file){file, given[0], strlen(given[0])};
        a->unsaved.files = a->texts;
        a->s.unsaved = &a->unsaved;
    }
    *words = given[2] ? tr_arena_printf(a->s.arena, "%s:%s", file, given[2]) : file;
    return SERVE_GOOD;
}

static serve_error method_compare(asking *a)
{
    const char *words[2];
    printed p;
    serve_error error = take_side(a, "a", &words[0]);
    error = error ? error : take_side(a, "b", &words[1]);
    if (error || !number_param(a, "samples", 1, 1000, &a->options.samples) ||
        !number_param(a, "seed", 1, INT32_MAX, &a->options.seed))
        return SERVE_BAD_PARAMS;
    a->options.format = "json";
    int code = run_command(a, COMMAND_COMPARE, command_compare, 2, words, &p);
    if (code == EXIT_BAD || p.n_out == 0)
        error = fail(a, &p);
    else
        add_on_one_line(a->answer, p.out, p.n_out);
    free_printed(&p);
    return error;
}

/* ---- Section: run, contract, explain ---- */

/* Adds the runs under "runs", since a file may have several kernels, and under "notes" why other
 * kernels have none.
 */
static void add_runs(asking *a, const printed *p, size_t length, bool some_failed)
{
    bool is_list = length > 0 && p->out[0] == '[';
    tr_text_add(a->answer, is_list ? "{\"runs\":" : "{\"runs\":[");
    add_on_one_line(a->answer, p->out, length);
    tr_text_add(a->answer, is_list ? "" : "]");
    if (some_failed) {
        tr_text_add(a->answer, ",\"notes\":");
        add_json(a, lines_of(p->err));
    }
    tr_text_add(a->answer, "}");
}

static serve_error method_run_kernels(asking *a)
{
    serve_error error = take_kernels(a);
    printed p;
    if (error || !number_param(a, "repeat", 2, 100, &a->options.repeat) ||
        !number_param(a, "seed", 1, INT32_MAX, &a->options.seed))
        return SERVE_BAD_PARAMS;
    a->options.device = "cpu";
    a->options.format = "json";
    a->options.launch = a->s.launches ? "launch" : NULL;
    int code = run_command(a, COMMAND_RUN, command_run, 1, &a->file, &p);
    size_t length = p.n_out;
    while (length > 0 && strchr(" \n", p.out[length - 1]))
        length--;
    bool is_empty = length == 0 || (length == 2 && memcmp(p.out, "[]", 2) == 0);
    if (code < 0 || (is_empty && code == EXIT_BAD))
        error = fail(a, &p);
    else
        add_runs(a, &p, length, code == EXIT_BAD);
    free_printed(&p);
    return error;
}

static serve_error method_contract(asking *a)
{
    serve_error error = take_kernels(a);
    printed p;
    if (error)
        return error;
    int code = run_command(a, COMMAND_CONTRACT, command_contract, 1, &a->file, &p);
    cJSON *found = code == EXIT_BAD ? NULL : cJSON_Parse(p.out);
    if (!found) {
        error = fail(a, &p);
    } else {
        cJSON *object = lsp_json_with(lsp_json_object(), "contract", found);
        add_json(a, lsp_json_with(object, "notes", lines_of(p.err)));
    }
    free_printed(&p);
    return error;
}

static serve_error method_explain(asking *a)
{
    const char *word = text_param(a, "word");
    printed p;
    a->file = word ? tr_arena_strdup(a->s.arena, word) : NULL;
    serve_error error = SERVE_GOOD;
    explained found;
    cJSON *object = lsp_json_object();
    if (word && explained_find(a->s.arena, word, &found)) {
        lsp_json_with_text(object, "word", found.code ? found.code : found.name);
        lsp_json_with_text(object, "summary", found.summary);
        lsp_json_with_text(object, "help", found.help);
    }
    int code = run_command(a, COMMAND_EXPLAIN, command_explain, word != NULL, &a->file, &p);
    lsp_json_with_text(object, "text", p.out);
    if (code == EXIT_CLEAN) {
        add_json(a, object);
    } else {
        error = fail(a, &p);
        cJSON_Delete(object);
    }
    free_printed(&p);
    return error;
}

/* ---- Section: Any method ---- */

serve_error method_do(const session *s, const judge_door *door, method_id id, const char *params,
                      size_t length, const judge_watch *watch, tr_text *answer)
{
    static method_function *const functions[] = {
#define METHOD(id, name, title, function, goes_on, schema, about) function,
#include "judge/methods.def"
    };
    asking a = {.s = *s, .options = *s->options, .door = door, .watch = watch, .answer = answer};
    a.s.arena = tr_arena_new();
    a.s.options = &a.options;
    a.s.found_commands = NULL; /* a request says itself what its sources are compiled with */
    a.s.launches = NULL;
    cJSON *own = lsp_json_parse(a.s.arena, params, length);
    a.params = own;
    const char *wrong = method_check_params(a.s.arena, id, own);
    size_t before = answer->length;
    serve_error error = wrong ? refuse(&a, SERVE_BAD_PARAMS, "%s", wrong) : functions[id](&a);
    if (!error && answer->length - before > METHOD_MOST_ANSWER) {
        answer->length = before;
        error =
            refuse(&a, SERVE_TOO_LARGE, "the result is larger than %d MiB: ask for less at once",
                   METHOD_MOST_ANSWER >> 20);
    }
    if (a.s.launches)
        launch_file_free(a.s.launches);
    cJSON_Delete(own);
    tr_arena_free(a.s.arena);
    return error;
}

void method_warm(const session *s)
{
    cJSON *object = lsp_json_with_text(lsp_json_object(), "source", SMALL_SOURCE);
    char *text = lsp_json_print(object);
    tr_text answer = {0};
    method_do(s, NULL, METHOD_CHECK, text, strlen(text), NULL, &answer);
    tr_text_free(&answer);
    cJSON_free(text);
    cJSON_Delete(object);
}

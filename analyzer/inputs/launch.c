/* Chooses the contracts that a kernel is checked under. */
#include "inputs/launch.h"

#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "builds/build.h"
#include "bytecode/arrays.h"
#include "bytecode/rust_names.h"
#include "inputs/recorded.h"
#include "launches/names.h"
#include "session/session.h"

/* Describes the pointer parameter's elements, as far as the module tells. */
static void describe_elements(tr_arena *arena, const ir_type *type, launch_param *param)
{
    const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
    const ir_type *pointee = elem && elem->kind == IR_POINTER ? elem->elem : NULL;
    if (!pointee)
        return;
    tr_text text = {0};
    ir_type_print(&text, pointee);
    param->element_type =
        pointee->kind == IR_POINTER ? NULL : tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    param->element_bytes = ir_type_bytes(pointee);
    param->element = ir_type_is_int(pointee)       ? LAUNCH_ELEMENT_INTEGER
                     : ir_type_is_float(pointee)   ? LAUNCH_ELEMENT_FLOAT
                     : pointee->kind == IR_POINTER ? LAUNCH_ELEMENT_POINTER
                                                   : LAUNCH_ELEMENT_UNKNOWN;
}

/* The parameters of a kernel without source: what their types say. */
static launch_kernel shape_of_types(loaded *input, const ir_function *function,
                                    const rust_kernel *source)
{
    uint32_t n = function->body->n_args;
    launch_param *params = TR_NEW_ARRAY(input->arena, launch_param, n + 1);
    contract_member *members = TR_NEW_ARRAY(input->arena, contract_member, n + 1);
    arrays_find(function, members);
    for (uint32_t i = 0; i < n; i++) {
        const ir_value *arg = function->body->args[i];
        const ir_type *elem = arg->type->kind == IR_TILE ? arg->type->elem : arg->type;
        params[i] = (launch_param){.name = arg->name, .member = members[i], .is_signed = true};
        params[i].suggested = source ? source->parameters[i] : NULL;
        params[i].kind = elem->kind == IR_POINTER ? CONTRACT_POINTER
                         : ir_type_is_float(elem) ? CONTRACT_FLOAT
                                                  : CONTRACT_SCALAR;
        if (params[i].kind == CONTRACT_SCALAR)
            params[i].bits = ir_type_bits(elem);
        describe_elements(input->arena, arg->type, &params[i]);
    }
    return (launch_kernel){.symbol = function->name,
                           .shown = function->shown,
                           .is_only_entry = input->unit.n_kernels == 1,
                           .n_params = n,
                           .params = params};
}

static launch_kernel shape_of(loaded *input, size_t kernel)
{
    const ir_function *function = input->unit.kernels[kernel];
    const contract *stated = input->unit.contracts[kernel];
    if (!stated)
        return shape_of_types(input, function, input->rust ? input->rust[kernel] : NULL);
    launch_param *params = TR_NEW_ARRAY(input->arena, launch_param, stated->n_args + 1);
    for (size_t i = 0; i < stated->n_args; i++) {
        const contract_arg *arg = &stated->args[i];
        params[i] = (launch_param){
            .name = arg->name, .kind = arg->kind, .bits = arg->bits, .is_signed = arg->is_signed};
        if (arg->kind == CONTRACT_POINTER && i < function->body->n_args)
            describe_elements(input->arena, function->body->args[i]->type, &params[i]);
    }
    return (launch_kernel){.symbol = function->name,
                           .shown = function->shown,
                           .is_only_entry = input->unit.n_kernels == 1,
                           .n_params = stated->n_args,
                           .params = params};
}

static void add_kernel(loaded *input, const ir_function *function, contract *c,
                       const char *launch_json)
{
    /* A contradiction is a finding of its own rule, so it is no error here. */
    contract_settle_ranges(input->ctx, c, NULL);
    arrput(input->kernels, ((loaded_kernel){function, c, launch_json}));
}

static bool asks_of_launch(const driver_options *o)
{
    return o->command == COMMAND_CHECK || o->command == COMMAND_HOOK ||
           o->command == COMMAND_CONTRACT || o->command == COMMAND_RUN ||
           o->command == COMMAND_COMPARE || o->accesses || o->obligations;
}

void inputs_find_launch_beside(const session *s, loaded *input)
{
    if (s->launches || !asks_of_launch(s->options))
        return;
    const char *slash = strrchr(input->file, '/');
    const char *name = slash ? slash + 1 : input->file;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - input->file) : strlen(input->file);
    char *path = tr_arena_printf(input->arena, "%.*s.launch.json", (int)stem, input->file);
    if (access(path, F_OK) == 0)
        input->launches = launch_file_read(input->arena, path, &input->errors);
}

void inputs_take_recorded(const session *s, loaded *input)
{
    const recorded_module *recorded = input->recorded;
    const char *text = recorded->launches, *shown = recorded->launches_shown;
    if (s->launches)
        return;
    if (!text) {
        const module_entries *entries = entries_of(input->arena, input->unit.module);
        const seen_names *names = names_read(input->arena, recorded->about);
        for (size_t i = 0; names && i < entries->n; i++)
            names = names_fit(names, &entries->items[i]) ? names : NULL;
        text = names_contract(input->arena, names, entries);
        shown = input->file;
    }
    if (text)
        input->launches =
            launch_file_parse(input->arena, shown, text, strlen(text), &input->errors);
}

void inputs_apply_launch(const session *s, loaded *input)
{
    const dialect_unit *unit = &input->unit;
    const launch_file *launches = input->launches ? input->launches : s->launches;
    input->shapes = TR_NEW_ARRAY(input->arena, launch_kernel, unit->n_kernels + 1);
    if (s->seen)
        input->seen = TR_NEW_ARRAY(input->arena, loaded_seen, unit->n_kernels + 1);
    for (size_t i = 0; i < unit->n_kernels; i++) {
        contract *stated = unit->contracts[i];
        const launch_kernel *shape = &input->shapes[i];
        input->shapes[i] = shape_of(input, i);
        if (s->seen)
            recorded_take_seen(s, input, i, stated);
        size_t n = launches ? launch_file_count(launches, shape) : 0;
        for (size_t which = 0; which < n; which++) {
            contract *c =
                launch_file_contract(input->ctx, launches, shape, stated, which, &input->errors);
            if (c)
                add_kernel(input, unit->kernels[i], c,
                           stated ? NULL : launch_file_text(launches, shape, which));
        }
        if (n == 0)
            add_kernel(input, unit->kernels[i],
                       stated ? stated : launch_default_contract(input->ctx, shape), NULL);
        else if (stated)
            contract_free(stated);
    }
    if (input->launches && (!input->built || input->built->is_alone))
        launch_file_check_kernels(input->launches, unit->n_kernels, input->shapes, &input->errors);
}

bool inputs_find_strangers(const session *s, size_t n, const loaded *inputs, tr_errors *errors)
{
    if (!s->launches)
        return true;
    for (size_t i = 0; i < n; i++)
        if (tr_errors_count(&inputs[i].errors) > 0)
            return true; /* the kernel may be in a file that was not read */
    launch_kernel *all = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < inputs[i].unit.n_kernels && inputs[i].shapes; k++)
            arrput(all, inputs[i].shapes[k]);
    bool good = launch_file_check_kernels(s->launches, arrlenu(all), all, errors);
    arrfree(all);
    return good;
}

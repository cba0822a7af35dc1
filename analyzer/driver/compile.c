/* tilerace compile: a file's kernels as bytecode, or as machine code by way of NVIDIA's
 * assembler. */
#include "driver/compile.h"

#include <stdlib.h>
#include <string.h>

#include "bytecode/bytecode.h"
#include "driver/commands.h"
#include "driver/toolchain.h"
#include "inputs/load.h"
#include "session/session.h"
#include "settings/options.h"

typedef enum compile_output { OUTPUT_NONE, OUTPUT_BYTECODE, OUTPUT_CUBIN } compile_output;

static compile_output output_of(const char *path)
{
    static const struct {
        const char *end;
        compile_output output;
    } ends[] = {{".tilebc", OUTPUT_BYTECODE}, {".cubin", OUTPUT_CUBIN}};
    size_t length = strlen(path);
    for (size_t i = 0; i < TR_COUNT(ends); i++) {
        size_t own = strlen(ends[i].end);
        if (length > own && strcmp(path + length - own, ends[i].end) == 0)
            return ends[i].output;
    }
    return OUTPUT_NONE;
}

uint8_t compile_minor_version(const char *text)
{
    for (uint8_t minor = 1; minor <= BYTECODE_NEWEST_WRITTEN; minor++) {
        char name[8] = {'1', '3', '.', (char)('0' + minor), 0};
        if (!text || strcmp(text, name) == 0)
            return text ? minor : BYTECODE_NEWEST_WRITTEN;
    }
    return 0;
}

int compile_to_code(session *s, const unsigned char *bytecode, size_t size, int64_t timeout_ms,
                    tr_text *cubin)
{
    const char *why = NULL;
    const char *tileiras = toolchain_find_tileiras(s->arena, &why);
    if (!tileiras)
        return session_complain(s, "%s", why);
    toolchain_assembly what = {
        .gpu_name = compile_gpu_name(s),
        .bytecode = bytecode,
        .size = size,
        .timeout_ms = timeout_ms ? timeout_ms : TOOLCHAIN_DEFAULT_TIMEOUT_MS,
    };
    tr_text said = {0};
    bool good = toolchain_assemble(s->arena, tileiras, &what, cubin, &said, &why);
    fputs(tr_text_get(&said), s->err);
    if (said.length > 0 && said.data[said.length - 1] != '\n')
        fputc('\n', s->err);
    tr_text_free(&said);
    return good ? EXIT_CLEAN : session_complain(s, "%s", why);
}

const char *compile_gpu_name(const session *s)
{
    return s->options->gpu_name ? s->options->gpu_name : TOOLCHAIN_DEFAULT_GPU;
}

static int write_output(session *s, loaded *input, uint8_t minor, compile_output output)
{
    unsigned char *bytecode = NULL;
    size_t size = 0;
    if (!bytecode_write(input->unit.module, minor, &bytecode, &size, &input->errors)) {
        load_complain(s, input);
        return EXIT_BAD;
    }
    tr_text out = {0};
    int code = EXIT_CLEAN;
    if (output == OUTPUT_CUBIN)
        code = compile_to_code(s, bytecode, size, (int64_t)s->options->timeout, &out);
    else
        tr_text_addn(&out, (const char *)bytecode, size);
    if (code == EXIT_CLEAN)
        code = session_emit(s, &out);
    tr_text_free(&out);
    free(bytecode);
    return code;
}

int command_compile(session *s)
{
    const driver_options *o = s->options;
    const char *path = options_output(o);
    if (!path)
        return session_complain(s, "compile needs the file to write: -o NAME.tilebc or -o "
                                   "NAME.cubin");
    compile_output output = output_of(path);
    if (output == OUTPUT_NONE)
        return session_complain(s, "'%s' ends in neither .tilebc nor .cubin", path);
    if (output == OUTPUT_BYTECODE && o->gpu_name)
        return session_complain(s, "bytecode is for every GPU: --gpu-name goes with -o NAME.cubin");
    uint8_t minor = compile_minor_version(o->bytecode_version);
    if (!minor)
        return session_complain(s,
                                "--bytecode-version: '%s' cannot be written; there are 13.1 to "
                                "13.%d",
                                o->bytecode_version, BYTECODE_NEWEST_WRITTEN);
    loaded input;
    load_input(s, o->files[0], 0, &input);
    int code = EXIT_BAD;
    if (tr_errors_count(&input.errors) > 0)
        load_complain(s, &input);
    else
        code = write_output(s, &input, minor, output);
    load_free(&input);
    return code;
}

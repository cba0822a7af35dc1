/* A plugin for Clang 19 that warns of races in kernels of the C dialect, where a project compiles
 * their sources or headers itself: `clang -fplugin=libtilerace_clang.so`. Findings go through
 * Clang's own engine, so its -Werror, -w, colours and -fdiagnostics-format=sarif count. Clang gives
 * a plugin no warning group: -Wno-race and the pragmas are what `tilerace cc` has beyond it.
 *
 * In C++, as Clang has no other way; all that is tilerace's is in libtilerace, which checks in a
 * child process: a checker that dies ends no compilation. */
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/LangStandard.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <string>
#include <vector>

#include <tilerace.h>

namespace
{

struct Asked { /* by -fplugin-arg-tilerace-... */
    bool errors = false, strict = false;
    std::string contract, recording;
};

class Reporter
{
  public:
    Reporter(clang::CompilerInstance &ci, const Asked &asked) : ci(ci), asked(asked)
    {
    }

    void report(const tilerace_messages &messages)
    {
        for (size_t i = 0; i < messages.n; i++)
            report(*messages.items[i]);
        if (messages.unchecked)
            report_unchecked(messages.unchecked);
    }

  private:
    typedef clang::DiagnosticsEngine Engine;
    clang::CompilerInstance &ci;
    const Asked &asked;
    bool silent = false;

    void say(Engine::Level level, clang::SourceLocation where, const std::string &text)
    {
        Engine &engine = ci.getDiagnostics();
        engine.Report(where, engine.getCustomDiagID(level, "%0")) << text;
    }

    /* A check that could not be made is no finding: -Werror alone does not stop at it. */
    void report_unchecked(const char *why)
    {
        if (asked.errors || !ci.getDiagnostics().getIgnoreAllWarnings())
            say(asked.errors ? Engine::Error : Engine::Warning, clang::SourceLocation(),
                std::string("kernels were not checked for races: ") + why);
    }

    void report(const tilerace_message &m)
    {
        Engine &engine = ci.getDiagnostics();
        Engine::Level level = level_of(m.severity);
        /* Clang 19 does this for its own warnings alone. */
        if (level == Engine::Warning && engine.getWarningsAsErrors())
            level = Engine::Error;
        if (level != Engine::Note) /* notes belong to what was said last */
            silent = level == Engine::Warning && engine.getIgnoreAllWarnings();
        if (!silent)
            say(level, place_of(m),
                m.rule ? m.text + std::string(" [race, ") + m.rule + "]" : m.text);
    }

    static Engine::Level level_of(tilerace_severity severity)
    {
        switch (severity) {
        case TILERACE_SAY_NOTE:
            return Engine::Note;
        case TILERACE_SAY_REMARK:
            return Engine::Remark;
        case TILERACE_SAY_WARNING:
            return Engine::Warning;
        default:
            return Engine::Error;
        }
    }

    clang::SourceLocation place_of(const tilerace_message &m)
    {
        auto entry = m.file ? ci.getFileManager().getOptionalFileRef(m.file) : std::nullopt;
        if (!entry || m.line <= 0)
            return clang::SourceLocation();
        return ci.getSourceManager().translateFileLineCol(*entry, (unsigned)m.line,
                                                          (unsigned)std::max(m.column, 1));
    }
};

const char *option_of(clang::frontend::IncludeDirGroup group)
{
    switch (group) {
    case clang::frontend::Angled:
        return "-I";
    case clang::frontend::Quoted:
        return "-iquote";
    case clang::frontend::After:
        return "-idirafter";
    case clang::frontend::System:
        return "-isystem";
    default:
        return nullptr; /* what our own parse finds by itself */
    }
}

void add_headers(const clang::CompilerInstance &ci, std::vector<std::string> &options)
{
    const clang::HeaderSearchOptions &search = ci.getHeaderSearchOpts();
    const clang::PreprocessorOptions &preprocessor = ci.getPreprocessorOpts();
    for (const auto &entry : search.UserEntries)
        if (const char *option = option_of(entry.Group))
            options.insert(options.end(), {option, entry.Path});
    if (!search.Sysroot.empty() && search.Sysroot != "/")
        options.insert(options.end(), {"-isysroot", search.Sysroot});
    for (const auto &macro : preprocessor.Macros)
        options.push_back((macro.second ? "-U" : "-D") + macro.first);
    for (const auto &file : preprocessor.MacroIncludes)
        options.insert(options.end(), {"-imacros", file});
    for (const auto &file : preprocessor.Includes)
        options.insert(options.end(), {"-include", file});
}

/* Adds language options, which decide `#if` as much as values. */
void add_language(const clang::LangOptions &language, std::vector<std::string> &options)
{
    if (!language.CPlusPlus && language.LangStd != clang::LangStandard::lang_unspecified)
        options.push_back(std::string("-std=") +
                          clang::LangStandard::getLangStandardForKind(language.LangStd).getName());
    options.push_back(language.CharIsSigned ? "-fsigned-char" : "-funsigned-char");
    const std::pair<bool, const char *> flags[] = {
        {language.ShortEnums, "-fshort-enums"},
        {language.FastMath, "-ffast-math"},
        {language.Freestanding, "-ffreestanding"},
        {language.NoBuiltin, "-fno-builtin"},
        {language.getSignedOverflowBehavior() == clang::LangOptions::SOB_Defined, "-fwrapv"},
        {language.Optimize, language.OptimizeSize ? "-Os" : "-O2"},
    };
    for (const auto &flag : flags)
        if (flag.first)
            options.push_back(flag.second);
}

/* The options of the compiler that our own parse of the text needs. */
std::vector<std::string> options_of(const clang::CompilerInstance &ci)
{
    std::vector<std::string> options;
    add_headers(ci, options);
    add_language(ci.getLangOpts(), options);
    return options;
}

class Consumer : public clang::ASTConsumer
{
  public:
    Consumer(clang::CompilerInstance &ci, const Asked &asked) : ci(ci), asked(asked)
    {
    }

    void HandleTranslationUnit(clang::ASTContext &context) override
    {
        if (ci.getDiagnostics().hasErrorOccurred() || !has_kernels(context))
            return;
        auto main =
            ci.getSourceManager().getFileEntryRefForID(ci.getSourceManager().getMainFileID());
        if (!main)
            return;
        std::vector<std::string> options = options_of(ci);
        std::vector<const char *> words;
        for (const std::string &option : options)
            words.push_back(option.c_str());
        tilerace_options how = TILERACE_OPTIONS;
        how.launch_file = asked.contract.empty() ? nullptr : asked.contract.c_str();
        how.n_clang_args = words.size();
        how.clang_args = words.data();
        std::string file = main->getName().str();
        tilerace_message_options wanted = {};
        wanted.size = sizeof wanted;
        wanted.errors = asked.errors;
        wanted.strict = asked.strict;
        wanted.recording = asked.recording.empty() ? nullptr : asked.recording.c_str();
        tilerace_messages *messages = tilerace_messages_of_file(file.c_str(), &how, &wanted);
        Reporter(ci, asked).report(*messages);
        tilerace_free_messages(messages);
    }

  private:
    clang::CompilerInstance &ci;
    const Asked asked;

    static bool has_kernels(clang::ASTContext &context)
    {
        for (const clang::Decl *d : context.getTranslationUnitDecl()->decls())
            if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d))
                for (const auto *attribute : f->specific_attrs<clang::AnnotateAttr>())
                    if (f->isThisDeclarationADefinition() &&
                        attribute->getAnnotation() == "tile_kernel")
                        return true;
        return false;
    }
};

class Action : public clang::PluginASTAction
{
  protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &ci,
                                                          llvm::StringRef) override
    {
        return std::make_unique<Consumer>(ci, asked);
    }

    bool ParseArgs(const clang::CompilerInstance &ci,
                   const std::vector<std::string> &words) override
    {
        for (llvm::StringRef word : words) {
            if (word == "error")
                asked.errors = true;
            else if (word == "strict")
                asked.strict = true;
            else if (word.consume_front("launch="))
                (llvm::sys::fs::is_directory(word) ? asked.recording : asked.contract) = word.str();
            else {
                clang::DiagnosticsEngine &engine = ci.getDiagnostics();
                engine.Report(engine.getCustomDiagID(
                    clang::DiagnosticsEngine::Error,
                    "-fplugin-arg-tilerace-%0: there are error, strict and launch=FILE or FOLDER"))
                    << word;
                return false;
            }
        }
        return true;
    }

    ActionType getActionType() override
    {
        return AddAfterMainAction;
    }

  private:
    Asked asked;
};

clang::FrontendPluginRegistry::Add<Action> registered("tilerace", "warns of races of tile kernels");

} // namespace

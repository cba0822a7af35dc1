/* A plugin for Clang 19 that warns of races in kernels of the C dialect, where a project compiles
 * their sources or headers itself: `clang -fplugin=libtilerace_clang.so`. Findings go through
 * Clang's own engine, so its -Werror, -w, colours and -fdiagnostics-format=sarif count. Clang gives
 * a plugin no warning group: -Wno-race and the pragmas are what `tilerace cc` has beyond it.
 *
 * In C++, as Clang has no other way; all that is tilerace's is in libtilerace. */
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <algorithm>
#include <string>
#include <vector>

#include <tilerace.h>

namespace
{

struct Asked { /* by -fplugin-arg-tilerace-... */
    bool errors = false, strict = false;
    std::string launch;
};

class Reporter
{
  public:
    Reporter(clang::CompilerInstance &ci, const Asked &asked) : ci(ci), asked(asked)
    {
    }

    void report(const tilerace_result *result)
    {
        for (size_t i = 0; i < tilerace_error_count(result); i++)
            say(asked.errors ? clang::DiagnosticsEngine::Error : clang::DiagnosticsEngine::Warning,
                clang::SourceLocation(),
                std::string("kernels were not checked for races: ") + tilerace_error(result, i));
        for (size_t i = 0; i < tilerace_kernel_count(result); i++)
            report(*tilerace_kernel_at(result, i));
    }

  private:
    clang::CompilerInstance &ci;
    const Asked &asked;
    bool silent = false;

    void say(clang::DiagnosticsEngine::Level level, clang::SourceLocation where,
             const std::string &text)
    {
        clang::DiagnosticsEngine &engine = ci.getDiagnostics();
        /* Clang 19 does this for its own warnings alone. */
        if (level == clang::DiagnosticsEngine::Warning && engine.getWarningsAsErrors())
            level = clang::DiagnosticsEngine::Error;
        silent = level == clang::DiagnosticsEngine::Warning && engine.getIgnoreAllWarnings();
        if (!silent)
            engine.Report(where, engine.getCustomDiagID(level, "%0")) << text;
    }

    /* Belongs to what was said last. */
    void note(clang::SourceLocation where, const std::string &text)
    {
        clang::DiagnosticsEngine &engine = ci.getDiagnostics();
        if (!silent)
            engine.Report(where, engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"))
                << text;
    }

    clang::SourceLocation place(const char *file, int line, int column)
    {
        auto entry = file ? ci.getFileManager().getOptionalFileRef(file) : std::nullopt;
        if (!entry || line <= 0)
            return clang::SourceLocation();
        return ci.getSourceManager().translateFileLineCol(*entry, (unsigned)line,
                                                          (unsigned)std::max(column, 1));
    }

    clang::SourceLocation place(const tilerace_finding &f, size_t i)
    {
        if (i >= f.n_locations)
            return clang::SourceLocation();
        return place(f.locations[i]->file, f.locations[i]->line, f.locations[i]->column);
    }

    /* Races, and what is undefined, as asked for; what a caller may exclude is milder. */
    clang::DiagnosticsEngine::Level level(const tilerace_finding &f) const
    {
        bool milder = f.level != TILERACE_ERROR || f.precondition >= 0;
        if (!f.confirmed)
            return clang::DiagnosticsEngine::Remark;
        return asked.errors && (!milder || asked.strict) ? clang::DiagnosticsEngine::Error
                                                         : clang::DiagnosticsEngine::Warning;
    }

    void report(const tilerace_kernel &k)
    {
        for (size_t i = 0; i < k.n_findings; i++)
            if (k.findings[i]->level != TILERACE_NOTE)
                report(*k.findings[i]);
        if (k.verdict == TILERACE_UNKNOWN)
            say(clang::DiagnosticsEngine::Remark, clang::SourceLocation(),
                std::string("'") + k.name + "' is not decided: " + k.reason);
    }

    void report(const tilerace_finding &f)
    {
        say(level(f), place(f, 0), std::string(f.message) + " [race, " + f.rule + "]");
        for (size_t i = 1; i < f.n_locations; i++)
            note(place(f, i), f.locations[i]->role);
        std::string words = f.words ? f.words : "";
        for (size_t at = 0; at < words.size();) {
            size_t end = std::min(words.find('\n', at), words.size());
            note(place(f, 0), words.substr(at, end - at));
            at = end + 1;
        }
    }
};

/* What the compiler was told of headers and macros, for a parse of our own. */
std::vector<std::string> options_of(const clang::CompilerInstance &ci)
{
    std::vector<std::string> options;
    for (const auto &entry : ci.getHeaderSearchOpts().UserEntries)
        if (entry.Group == clang::frontend::Angled || entry.Group == clang::frontend::Quoted ||
            entry.Group == clang::frontend::System)
            options.push_back((entry.Group == clang::frontend::Angled   ? "-I"
                               : entry.Group == clang::frontend::Quoted ? "-iquote"
                                                                        : "-isystem") +
                              entry.Path);
    for (const auto &macro : ci.getPreprocessorOpts().Macros)
        options.push_back((macro.second ? "-U" : "-D") + macro.first);
    for (const auto &file : ci.getPreprocessorOpts().Includes) {
        options.push_back("-include");
        options.push_back(file);
    }
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
        how.launch_file = asked.launch.empty() ? nullptr : asked.launch.c_str();
        how.n_clang_args = words.size();
        how.clang_args = words.data();
        std::string file = main->getName().str();
        tilerace_result *result = tilerace_check_file(file.c_str(), &how);
        Reporter(ci, asked).report(result);
        tilerace_free(result);
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
                asked.launch = word.str();
            else {
                clang::DiagnosticsEngine &engine = ci.getDiagnostics();
                engine.Report(engine.getCustomDiagID(
                    clang::DiagnosticsEngine::Error,
                    "-fplugin-arg-tilerace-%0: there are error, strict and launch=FILE"))
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

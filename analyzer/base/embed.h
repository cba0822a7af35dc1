/* Files of the source tree inside the program. */
#ifndef TR_EMBED_H
#define TR_EMBED_H

/* Defines `symbol`, the file's bytes with a NUL behind them, and `symbol_end`, where the NUL is.
 * The path counts from the root of the sources, which the build gives as TILERACE_SOURCE_DIR. */
#define TR_EMBED(symbol, path)                                                                     \
    extern const char symbol[], symbol##_end[];                                                    \
    __asm__(".pushsection .rodata\n"                                                               \
            ".global " #symbol "\n.hidden " #symbol "\n"                                           \
            ".global " #symbol "_end\n.hidden " #symbol "_end\n" #symbol ":\n"                     \
            ".incbin \"" TILERACE_SOURCE_DIR "/" path "\"\n" #symbol "_end:\n"                     \
            ".byte 0\n"                                                                            \
            ".popsection\n")

#endif

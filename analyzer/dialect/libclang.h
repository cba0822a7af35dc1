/* libclang, opened when the first C source is read: to load it, LLVM and what they bring takes
 * longer than to check a small module, which needs none of it. */
#ifndef DIALECT_LIBCLANG_H
#define DIALECT_LIBCLANG_H

#include <clang-c/Index.h>

#include "base/base.h"

/* The functions by their own names; libclang_open() must have succeeded before the first is called.
 * As with a linked library there is one of them in a process, so there is one table. */
typedef struct libclang_functions {
#define CLANG(name) __typeof__(clang_##name) *name;
#include "dialect/libclang.def"
} libclang_functions;

extern libclang_functions libclang;

/* False, and why not in *why, when the library cannot be loaded. From any thread, any number of
 * times; it stays loaded. */
bool libclang_open(const char **why);
/* It could not be opened for want of memory. */
bool libclang_lacks_memory(void);

#define clang_Cursor_Evaluate              libclang.Cursor_Evaluate
#define clang_Cursor_getArgument           libclang.Cursor_getArgument
#define clang_Cursor_getNumArguments       libclang.Cursor_getNumArguments
#define clang_Cursor_getStorageClass       libclang.Cursor_getStorageClass
#define clang_Cursor_getVarDeclInitializer libclang.Cursor_getVarDeclInitializer
#define clang_Cursor_hasAttrs              libclang.Cursor_hasAttrs
#define clang_Cursor_isNull                libclang.Cursor_isNull
#define clang_Cursor_isVariadic            libclang.Cursor_isVariadic
#define clang_EvalResult_dispose           libclang.EvalResult_dispose
#define clang_EvalResult_getAsDouble       libclang.EvalResult_getAsDouble
#define clang_EvalResult_getAsLongLong     libclang.EvalResult_getAsLongLong
#define clang_EvalResult_getAsStr          libclang.EvalResult_getAsStr
#define clang_EvalResult_getAsUnsigned     libclang.EvalResult_getAsUnsigned
#define clang_EvalResult_getKind           libclang.EvalResult_getKind
#define clang_EvalResult_isUnsignedInt     libclang.EvalResult_isUnsignedInt
#define clang_File_isEqual                 libclang.File_isEqual
#define clang_Location_isInSystemHeader    libclang.Location_isInSystemHeader
#define clang_createIndex                  libclang.createIndex
#define clang_disposeDiagnostic            libclang.disposeDiagnostic
#define clang_disposeIndex                 libclang.disposeIndex
#define clang_disposeSourceRangeList       libclang.disposeSourceRangeList
#define clang_disposeString                libclang.disposeString
#define clang_disposeTranslationUnit       libclang.disposeTranslationUnit
#define clang_equalCursors                 libclang.equalCursors
#define clang_equalTypes                   libclang.equalTypes
#define clang_getArrayElementType          libclang.getArrayElementType
#define clang_getArraySize                 libclang.getArraySize
#define clang_getCString                   libclang.getCString
#define clang_getCanonicalType             libclang.getCanonicalType
#define clang_getChildDiagnostics          libclang.getChildDiagnostics
#define clang_getCursorBinaryOperatorKind  libclang.getCursorBinaryOperatorKind
#define clang_getCursorDefinition          libclang.getCursorDefinition
#define clang_getCursorExtent              libclang.getCursorExtent
#define clang_getCursorKind                libclang.getCursorKind
#define clang_getCursorLocation            libclang.getCursorLocation
#define clang_getCursorReferenced          libclang.getCursorReferenced
#define clang_getCursorSemanticParent      libclang.getCursorSemanticParent
#define clang_getCursorSpelling            libclang.getCursorSpelling
#define clang_getCursorType                libclang.getCursorType
#define clang_getCursorUnaryOperatorKind   libclang.getCursorUnaryOperatorKind
#define clang_getDiagnostic                libclang.getDiagnostic
#define clang_getDiagnosticFixIt           libclang.getDiagnosticFixIt
#define clang_getDiagnosticInSet           libclang.getDiagnosticInSet
#define clang_getDiagnosticLocation        libclang.getDiagnosticLocation
#define clang_getDiagnosticNumFixIts       libclang.getDiagnosticNumFixIts
#define clang_getDiagnosticNumRanges       libclang.getDiagnosticNumRanges
#define clang_getDiagnosticOption          libclang.getDiagnosticOption
#define clang_getDiagnosticRange           libclang.getDiagnosticRange
#define clang_getDiagnosticSeverity        libclang.getDiagnosticSeverity
#define clang_getDiagnosticSpelling        libclang.getDiagnosticSpelling
#define clang_getEnumConstantDeclValue     libclang.getEnumConstantDeclValue
#define clang_getEnumDeclIntegerType       libclang.getEnumDeclIntegerType
#define clang_getFile                      libclang.getFile
#define clang_getFileContents              libclang.getFileContents
#define clang_getFileLocation              libclang.getFileLocation
#define clang_getFileName                  libclang.getFileName
#define clang_getIncludedFile              libclang.getIncludedFile
#define clang_getLocation                  libclang.getLocation
#define clang_getNullCursor                libclang.getNullCursor
#define clang_getNumDiagnostics            libclang.getNumDiagnostics
#define clang_getNumDiagnosticsInSet       libclang.getNumDiagnosticsInSet
#define clang_getPointeeType               libclang.getPointeeType
#define clang_getRangeEnd                  libclang.getRangeEnd
#define clang_getRangeStart                libclang.getRangeStart
#define clang_getResultType                libclang.getResultType
#define clang_getSkippedRanges             libclang.getSkippedRanges
#define clang_getTranslationUnitCursor     libclang.getTranslationUnitCursor
#define clang_getTypeDeclaration           libclang.getTypeDeclaration
#define clang_hashCursor                   libclang.hashCursor
#define clang_isConstQualifiedType         libclang.isConstQualifiedType
#define clang_isCursorDefinition           libclang.isCursorDefinition
#define clang_isExpression                 libclang.isExpression
#define clang_isRestrictQualifiedType      libclang.isRestrictQualifiedType
#define clang_parseTranslationUnit2        libclang.parseTranslationUnit2
#define clang_toggleCrashRecovery          libclang.toggleCrashRecovery
#define clang_visitChildren                libclang.visitChildren

#endif

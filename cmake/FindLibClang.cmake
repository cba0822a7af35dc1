# Debian ships libclang 19 without a .pc file and without a CMake package that works alone, so look
# into LLVM's own folders. Sets LibClang_INCLUDE_DIR and LibClang_LIBRARY; nothing links the library,
# it is opened at run time.
file(GLOB _llvm_roots /usr/lib/llvm-19 /usr/lib/llvm-[2-9][0-9])
find_path(LibClang_INCLUDE_DIR clang-c/Index.h HINTS ${_llvm_roots} PATH_SUFFIXES include)
find_library(LibClang_LIBRARY NAMES clang-19 clang HINTS ${_llvm_roots} PATH_SUFFIXES lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang
  REQUIRED_VARS LibClang_LIBRARY LibClang_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install it with: apt-get install libclang-19-dev")

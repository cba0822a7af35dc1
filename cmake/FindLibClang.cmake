# libclang's header, for its types: Debian brings it without a .pc file and without a CMake package
# that works alone, so look into LLVM's own folders. Sets LibClang_INCLUDE_DIR. Nothing links the
# library, it is opened at run time.
file(GLOB _llvm_roots /usr/lib/llvm-19 /usr/lib/llvm-[2-9][0-9] /usr/lib/llvm-18)
find_path(LibClang_INCLUDE_DIR clang-c/Index.h HINTS ${_llvm_roots} PATH_SUFFIXES include)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang
  REQUIRED_VARS LibClang_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install it with: apt-get install libclang-19-dev")

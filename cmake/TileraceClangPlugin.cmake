# The plugin for Clang 19, where Clang's headers are at hand: tilerace itself does not need them.
find_path(CLANG_PLUGIN_INCLUDE_DIR clang/Frontend/FrontendPluginRegistry.h
          PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_path(LLVM_INCLUDE_DIR llvm/Support/Registry.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)

# A wheel does not depend on a system's Clang.
if(NOT DEFINED SKBUILD AND CLANG_PLUGIN_INCLUDE_DIR AND LLVM_INCLUDE_DIR AND NOT TILERACE_SANITIZE)
  add_library(clang_plugin MODULE compilers/clang_plugin/plugin.cpp)
  target_include_directories(clang_plugin SYSTEM PRIVATE ${CLANG_PLUGIN_INCLUDE_DIR})
  # Debian's Clang has no run-time type information, and a plugin takes its symbols from Clang.
  target_compile_options(clang_plugin PRIVATE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -fno-rtti -Wall -Wextra -Wno-unused-parameter)
  target_link_libraries(clang_plugin PRIVATE libtilerace)
  set_target_properties(clang_plugin PROPERTIES
    OUTPUT_NAME tilerace_clang PREFIX "lib" CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib INSTALL_RPATH "$ORIGIN/..")
  install(TARGETS clang_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace)
endif()

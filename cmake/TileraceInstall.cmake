# What `cmake --install` puts below its prefix: programs, the library with its header, pkg-config file
# and CMake package, and the header that kernel authors include.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A wheel has a folder of its own for programs, which installers put on PATH.
if(DEFINED SKBUILD_SCRIPTS_DIR)
  set(programs ${SKBUILD_SCRIPTS_DIR})
else()
  set(programs ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS tilerace tilerace-nvcc tilerace-runner RUNTIME DESTINATION ${programs})
install(TARGETS tilerace-guard tilerace-isolated RUNTIME DESTINATION lib/tilerace)
install(TARGETS tileiras RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace/assembler)
install(TARGETS stand_in LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace/stand_in)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/capture/python DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace
        FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/tilerace ${CMAKE_SOURCE_DIR}/python/pytest_tilerace
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace/python
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(TARGETS preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilerace)
if(DEFINED SKBUILD)
  set(namelink NAMELINK_SKIP)
endif()
install(TARGETS libtilerace EXPORT tilerace
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${namelink})
install(FILES include/tilerace.h include/tile.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Headers of the compiler, for a libclang that comes without: lib, whatever the system's folder for
# libraries is called, since the program looks there.
install(DIRECTORY analyzer/dialect/include DESTINATION lib/tilerace)

file(RELATIVE_PATH from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/tilerace.pc.in ${CMAKE_BINARY_DIR}/tilerace.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/tilerace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tilerace)
install(EXPORT tilerace NAMESPACE tilerace:: DESTINATION ${package} FILE tilerace-targets.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tilerace-config.cmake.in
                              ${CMAKE_BINARY_DIR}/tilerace-config.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tilerace-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tilerace-config.cmake
              ${CMAKE_BINARY_DIR}/tilerace-config-version.cmake DESTINATION ${package})

set(TILERACE_LICENCES "" CACHE PATH "Licences of what is linked statically, to be installed with it")
if(TILERACE_LICENCES)
  install(DIRECTORY ${TILERACE_LICENCES}/ DESTINATION share/doc/tilerace/licences)
endif()

# Manual pages, written by the program from its option tables, and the shells' completions, which ask
# the program when a word is completed. In a build for another machine the pages are written by a
# tilerace of the same version that runs here.
set(TILERACE_NATIVE "" CACHE FILEPATH "A tilerace of this version that runs here, where the one that is built does not")

set(manual_folder ${CMAKE_BINARY_DIR}/man)
if(TILERACE_NATIVE)
  set(manual_writer ${TILERACE_NATIVE})
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(manual_writer $<TARGET_FILE:tilerace>)
else()
  message(STATUS "no manual pages: TILERACE_NATIVE names no tilerace that runs here")
endif()

if(manual_writer)
  add_custom_command(
    OUTPUT ${manual_folder}/tilerace.1
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual_folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_folder}
    COMMAND ${manual_writer} manual -o ${manual_folder}
    DEPENDS tilerace ${TILERACE_NATIVE} VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual_folder}/tilerace.1)
  install(DIRECTORY ${manual_folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          FILES_MATCHING PATTERN "*.1")
endif()

set(scripts ${CMAKE_SOURCE_DIR}/analyzer/driver/completions)
install(FILES ${scripts}/tilerace.bash RENAME tilerace
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${scripts}/tilerace.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Debian's zsh looks for what its packages bring in a folder of another name.
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"^(.*/)?usr$\")
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${scripts}/_tilerace\" TYPE FILE
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")")

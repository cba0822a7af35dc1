# tilerace-faults: the program with a counter before the functions of the C library that it calls, so
# that a test can have one call fail (analyzer/faults). The objects are those of the product; the
# linker sends their calls elsewhere.
set(faults ${CMAKE_SOURCE_DIR}/analyzer/faults)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${faults}/calls.def)
file(STRINGS ${faults}/calls.def rows REGEX "^FAULT_CALL")
list(TRANSFORM rows REPLACE "^FAULT_CALL\\(([a-z0-9_]+)\\)$" "-Wl,--wrap=\\1" OUTPUT_VARIABLE wraps)

add_executable(tilerace-faults analyzer/program/main.c analyzer/lookups/watch/calls.c
               ${faults}/calls.c ${faults}/plan.c ${faults}/serve.c)
target_link_libraries(tilerace-faults PRIVATE tr_program tr_options ${CMAKE_DL_LIBS})
target_link_options(tilerace-faults PRIVATE -Wl,--build-id=sha1
                    -Wl,--exclude-libs,libstdc++.a ${wraps})
set_target_properties(tilerace-faults PROPERTIES ENABLE_EXPORTS ON)
add_dependencies(tilerace-faults tilerace-guard)

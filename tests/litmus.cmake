# models/tileir_memory/litmus/*.c: the litmus tests of the memory model, each through `tilerace check`.
# What cannot be decided yet is named in the file OPEN there, and must not come out as expected.
file(GLOB litmus RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/models/tileir_memory/litmus/*.c)
foreach(file ${litmus})
  get_filename_component(stem ${file} NAME_WE)
  tilerace_script_test(litmus/${stem} ${tools}/expect.py $<TARGET_FILE:tilerace> ${file})
  set_tests_properties(litmus/${stem} PROPERTIES LABELS litmus)
endforeach()
tilerace_script_test(litmus/catalogue ${tools}/litmus_catalogue.py)
tilerace_script_test(litmus/axioms ${tools}/axiom_table.py)
tilerace_script_test(litmus/plain_c ${tools}/plain_c.py include ${litmus})
set_tests_properties(litmus/catalogue litmus/axioms litmus/plain_c PROPERTIES LABELS litmus)

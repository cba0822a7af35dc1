# The libraries that `tilerace exec` loads into the programs that it runs. They are never unloaded: what
# they registered with libc must stay.
#
#   tilerace_capture_library(TARGET ROOM NAME FOLDER)
function(tilerace_capture_library target room name folder)
  add_library(${target} SHARED $<TARGET_OBJECTS:tr_${room}> $<TARGET_OBJECTS:tr_recorder>
              $<TARGET_OBJECTS:tr_wire>)
  target_link_libraries(${target} PRIVATE tr_options Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -Wl,-z,nodelete -Wl,-z,now -Wl,-z,defs
                      -Wl,-soname,${name})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX ""
                        LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
endfunction()

tilerace_capture_library(stand_in stand_in libcuda.so.1 capture/stand_in)
tilerace_capture_library(preload  preload  libtilerace-preload.so capture)

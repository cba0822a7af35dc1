# One room of the pipeline = one folder = one static library tr_<name>.
#
#   tilerace_room(NAME FOLDER [DEPENDS room...] [LINK target...])
#
# Every .c and .cpp file of the folder belongs to it (main.c excepted); a room without sources yet is an
# interface library, so that the table in CMakeLists.txt can name all rooms from the start.

add_library(tr_options INTERFACE)
target_include_directories(tr_options INTERFACE
  ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/analyzer
  ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/smt ${CMAKE_SOURCE_DIR}/runtime_check ${CMAKE_SOURCE_DIR}/capture)
target_compile_definitions(tr_options INTERFACE
  _GNU_SOURCE TILERACE_VERSION="${PROJECT_VERSION}")
target_compile_options(tr_options INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -Wno-missing-field-initializers -fno-common
  -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= # no path of the build in what is installed
  $<$<BOOL:${TILERACE_WERROR}>:-Werror>)
if(TILERACE_ASSERT OR TILERACE_SANITIZE)
  target_compile_definitions(tr_options INTERFACE TILERACE_ASSERT)
endif()
if(TILERACE_SANITIZE)
  target_compile_options(tr_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(tr_options INTERFACE -fsanitize=address,undefined)
endif()

function(tilerace_room name folder)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c
       ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  list(TRANSFORM ROOM_DEPENDS PREPEND tr_)
  if(sources)
    add_library(tr_${name} STATIC ${sources})
    target_link_libraries(tr_${name} PUBLIC ${ROOM_DEPENDS} PRIVATE tr_options ${ROOM_LINK} m
                          Threads::Threads)
  else()
    add_library(tr_${name} INTERFACE)
    target_link_libraries(tr_${name} INTERFACE ${ROOM_DEPENDS})
  endif()
endfunction()

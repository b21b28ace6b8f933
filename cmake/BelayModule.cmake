# How many files of a module, or of the program, are compiled at a time; see belay_unity. All of them together are made in a
# fraction of the time that way. For daily work (dev), for tools that look at one file, and inside another project it is
# one by one.
set(BELAY_UNITY_BATCH 0)
if(PROJECT_IS_TOP_LEVEL AND (BELAY_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Release"))
  set(BELAY_UNITY_BATCH 20)
endif()

# belay_module(NAME [CALM] [DEPENDS MODULE...] [LIBRARIES TARGET...] [OPTIONS FLAG...])
#
# Makes the static library belay_NAME (to link: belay::NAME) from the *.cpp of the current folder. Folder, namespace and
# target have the same name. DEPENDS names modules and has to agree with layers.txt; LIBRARIES names third-party
# targets, which only modules at the edges have; OPTIONS are for its own sources. A module that is CALM decides and waits,
# but does not go through many bytes: it is compiled with -O2, which takes an eighth less time than -O3. A module that
# lacks something (see BelayNeeds), or that depends on one that does, is left out.
function(belay_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CALM" "" "DEPENDS;LIBRARIES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "belay_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  include("${CMAKE_CURRENT_SOURCE_DIR}/needs.cmake" OPTIONAL)
  set(depends ${arg_DEPENDS})
  list(TRANSFORM depends PREPEND belay::)
  belay_is_left_out(left_out belay::${name} ${depends})
  if(left_out)
    return()
  endif()

  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(target belay_${name})
  add_library(${target} STATIC ${sources})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_include_directories(${target}
    PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PUBLIC ${depends} PRIVATE $<BUILD_INTERFACE:belay_flags> ${arg_LIBRARIES})
  # The same objects make the shared library, and shared libraries of others.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  if(BELAY_IPO AND BELAY_IPO_WORKS)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
  if(arg_CALM)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
  belay_unity(${target} ${BELAY_UNITY_BATCH})
  # Under sanitizers some modules have no test, and another project uses some of them: there a library is made when
  # something links it.
  if(BELAY_SANITIZE OR NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  belay_isa_variants("${sources}")
  set_property(GLOBAL APPEND PROPERTY BELAY_MODULES belay::${name})
  if(BELAY_PURE)
    belay_link_as_core(${target} ${name})
  else()
    add_library(belay::${name} ALIAS ${target})
    set_property(GLOBAL APPEND PROPERTY BELAY_EDGES_MADE ${name})
    set_property(GLOBAL PROPERTY BELAY_DEPENDS_${name} ${arg_DEPENDS})
  endif()
endfunction()

# belay_link_as_core(TARGET NAME): belay::NAME is TARGET where this is built, and belay::core once it is installed. So a
# library that links belay::json can be exported with either.
function(belay_link_as_core target name)
  add_library(belay_${name}_link INTERFACE)
  target_link_libraries(belay_${name}_link INTERFACE $<BUILD_INTERFACE:${target}> $<INSTALL_INTERFACE:belay::core>)
  set_target_properties(belay_${name}_link PROPERTIES EXPORT_NAME ${name})
  add_library(belay::${name} ALIAS belay_${name}_link)
  set_property(GLOBAL APPEND PROPERTY BELAY_PURE_MADE ${name})
endfunction()

# belay_unity(TARGET BATCH): the files of a target are compiled BATCH at a time, which takes a fraction of the time, most of
# which goes into headers; 0 is one by one. Two files of such a target must not give two things the same name, not even
# in unnamed namespaces. Tools that look at one file (tidy) and feedback for a fuzzer want them apart.
function(belay_unity target batch)
  if(batch EQUAL 0 OR BELAY_FUZZ)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE ${batch})
  # g++ says this of every type in an included file that holds one of an unnamed namespace.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# A file named *_ssse3.cpp or *_avx2.cpp holds one instruction set's variant of something and is compiled for it; the
# program decides when it runs. Such a file must keep its functions in an unnamed namespace or in one of its own:
# an inline function that it shares with other files could be linked in its version, and fail on an older machine.
function(belay_isa_variants sources)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    return()
  endif()
  set(ssse3 ${sources})
  list(FILTER ssse3 INCLUDE REGEX "_ssse3\\.cpp$")
  set_source_files_properties(${ssse3} PROPERTIES COMPILE_OPTIONS "-mssse3;-msse4.2;-mpopcnt" SKIP_UNITY_BUILD_INCLUSION ON)
  set(avx2 ${sources})
  list(FILTER avx2 INCLUDE REGEX "_avx2\\.cpp$")
  set_source_files_properties(${avx2} PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2" SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

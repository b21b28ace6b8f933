# The language, the warnings, the sanitizers and the compiler cache: the same for every target.

# The targets ask for C++23 themselves (cxx_std_23, see BelayModule), so that what links them is compiled as that too.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# A project that contains Belay decides these for itself.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(BELAY_CCACHE ccache)
    if(BELAY_CCACHE)
      set(CMAKE_CXX_COMPILER_LAUNCHER "${BELAY_CCACHE}")
    endif()
  endif()
endif()

# Linked by every target of the project; third-party targets keep their own flags.
add_library(belay_flags INTERFACE)
target_compile_options(belay_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns falsely about std::string (GCC bug 105651)
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>  # libstdc++ 12's std::stable_sort calls what it deprecates
  $<$<BOOL:${BELAY_WERROR}>:-Werror>)

# Intel's processors from Skylake to Cascade Lake do not keep decoded code in which a jump touches the end of 32 bytes (erratum
# "JCC"): there a push of four bytes took a third longer. The assembler moves such jumps; elsewhere it costs next to nothing.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT BELAY_SANITIZE)
  include(CheckCXXCompilerFlag)
  foreach(flag IN ITEMS -mbranches-within-32B-boundaries -Wa,-mbranches-within-32B-boundaries)  # clang's, g++'s
    string(MAKE_C_IDENTIFIER "BELAY_HAS${flag}" has)
    check_cxx_compiler_flag(${flag} ${has})
    if(${has})
      target_compile_options(belay_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:${flag}>)
      break()
    endif()
  endforeach()
endif()

if(BELAY_SANITIZE)
  add_compile_options(-fsanitize=${BELAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${BELAY_SANITIZE})
endif()

if(BELAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "BELAY_FUZZ needs clang: use the preset 'fuzz'")
  endif()
  # Coverage feedback for everything; the targets of fuzz/ link -fsanitize=fuzzer themselves.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(BELAY_IPO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT BELAY_IPO_WORKS LANGUAGES CXX)
endif()

# RE2, as its own CMake package where it has one; Debian 12's has not.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  find_path(RE2_INCLUDE_DIR re2/re2.h)
  find_library(RE2_LIBRARY re2)
  mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)
  if(RE2_INCLUDE_DIR AND RE2_LIBRARY)
    find_package(Threads REQUIRED)
    add_library(re2::re2 UNKNOWN IMPORTED)
    set_target_properties(re2::re2 PROPERTIES
      IMPORTED_LOCATION "${RE2_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES Threads::Threads)
  endif()
endif()
belay_needs(RE2 libre2-dev TARGET re2::re2)

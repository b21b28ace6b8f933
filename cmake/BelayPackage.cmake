# What is installed: the core as one library, static and shared; each edge as a static library of its own; the headers; a
# package for find_package(belay) with the core and each edge as a component; belay.pc for the core.
# Inside another project nothing of it is installed unless BELAY_INSTALL says so; but all of it is known, so that a
# library of that project can be exported that links Belay.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/belay")
set(except)
if(NOT BELAY_INSTALL OR BELAY_SANITIZE)
  set(except EXCLUDE_FROM_ALL)
endif()

get_property(pure GLOBAL PROPERTY BELAY_PURE_MADE)
get_property(edges GLOBAL PROPERTY BELAY_EDGES_MADE)

# belay_core_library(TARGET TYPE NAME): all of the core from the objects of its modules, to link as belay::NAME.
function(belay_core_library target type name)
  list(TRANSFORM pure REPLACE "(.+)" "$<TARGET_OBJECTS:belay_\\1>" OUTPUT_VARIABLE objects)
  add_library(${target} ${type} ${objects})
  add_library(belay::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_include_directories(${target} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME belay EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(BELAY_IPO AND BELAY_IPO_WORKS)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
  if(except)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# belay_install_headers(MODULE)
function(belay_install_headers module)
  install(FILES "${PROJECT_SOURCE_DIR}/include/belay/${module}.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/belay" ${except})
  if(EXISTS "${PROJECT_SOURCE_DIR}/include/belay/${module}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/belay/${module}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/belay" ${except})
  endif()
endfunction()

belay_core_library(belay_static STATIC core)
belay_core_library(belay_shared SHARED shared)
list(TRANSFORM pure REPLACE "(.+)" "belay_\\1_link" OUTPUT_VARIABLE links)
install(TARGETS belay_static belay_shared belay_all ${links} EXPORT belay_core ${except})
install(EXPORT belay_core FILE core.cmake NAMESPACE belay:: DESTINATION "${package_dir}" ${except})
foreach(module IN LISTS pure ITEMS belay version)
  belay_install_headers(${module})
endforeach()

set(depends)
foreach(edge IN LISTS edges)
  set_target_properties(belay_${edge} PROPERTIES EXPORT_NAME ${edge})
  install(TARGETS belay_${edge} EXPORT belay_${edge} ${except})
  install(EXPORT belay_${edge} FILE ${edge}.cmake NAMESPACE belay:: DESTINATION "${package_dir}" ${except})
  if(EXISTS "${PROJECT_SOURCE_DIR}/src/${edge}/needs.cmake")
    install(FILES "${PROJECT_SOURCE_DIR}/src/${edge}/needs.cmake" DESTINATION "${package_dir}" RENAME ${edge}-needs.cmake ${except})
  endif()
  belay_install_headers(${edge})
  get_property(its_depends GLOBAL PROPERTY BELAY_DEPENDS_${edge})
  list(REMOVE_ITEM its_depends ${pure})
  string(APPEND depends "set(belay_depends_${edge} ${its_depends})\n")
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/belayConfig.cmake.in" "${PROJECT_BINARY_DIR}/belayConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/belayConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/belayConfig.cmake" "${PROJECT_BINARY_DIR}/belayConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/BelayNeeds.cmake" DESTINATION "${package_dir}" ${except})

# The folder may be moved: everything is said from where belay.pc lies.
file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/belay.pc.in" "${PROJECT_BINARY_DIR}/belay.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/belay.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" ${except})

# What modules need from outside, and what becomes of a module when it is not there.
#
# BELAY_EDGES says which modules of "edges" in layers.txt are made; those of "pure" need nothing and are always made.
#   ON    all; something missing is an error that names its Debian package. The program needs all of them.
#   AUTO  those whose dependencies are found; one line says which are left out, and why.
#   OFF   none.
set(belay_edges AUTO)
if(PROJECT_IS_TOP_LEVEL)
  set(belay_edges ON)
endif()
set(BELAY_EDGES ${belay_edges} CACHE STRING "Modules with dependencies: ON (all), AUTO (those whose dependencies are found), OFF (none)")
set_property(CACHE BELAY_EDGES PROPERTY STRINGS ON AUTO OFF)

# belay_needs(WHAT PACKAGE CONDITION...): the module of this folder needs WHAT, in Debian's PACKAGE; CONDITION, written as
# after if(), says whether it is there. Goes before belay_module.
macro(belay_needs what package)
  if(NOT (${ARGN}))
    list(APPEND belay_missing "${what} (${package})")
  endif()
endmacro()

# belay_is_left_out(RESULT TARGET DEPENDS...): whether a target lacks something, or depends on one that was left out. The
# first time one line says so; what is missing is kept for those who link the target.
function(belay_is_left_out result target)
  set(missing ${belay_missing})
  set(needed)
  get_property(left_out GLOBAL PROPERTY BELAY_LEFT_OUT)
  foreach(other IN LISTS ARGN)
    if(other IN_LIST left_out)
      list(APPEND needed ${other})
      get_property(its_missing GLOBAL PROPERTY BELAY_MISSING_${other})
      list(APPEND missing ${its_missing})
    endif()
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
  if(belay_missing OR needed)
    set(reason "it needs ${needed}")
    if(belay_missing)
      set(reason "not found: ${belay_missing}")
    endif()
    string(REPLACE ";" ", " reason "${reason}")
    message(STATUS "belay: without ${target}: ${reason}")
    set_property(GLOBAL APPEND PROPERTY BELAY_LEFT_OUT "${target}")
    set_property(GLOBAL PROPERTY BELAY_MISSING_${target} ${missing})
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# belay_require(WHAT MISSING...): an error that names what is missing and how to get it, when anything is.
function(belay_require what)
  set(missing ${ARGN})
  if(NOT missing)
    return()
  endif()
  list(REMOVE_DUPLICATES missing)
  list(TRANSFORM missing REPLACE ".*\\((.*)\\)" "\\1" OUTPUT_VARIABLE packages)
  list(JOIN missing ", " missing)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "${what} needs what was not found: ${missing}. On Debian: apt install ${packages}")
endfunction()

# belay_require_edges(): with BELAY_EDGES=ON nothing may be left out.
function(belay_require_edges)
  if(NOT BELAY_EDGES OR BELAY_EDGES STREQUAL "AUTO")
    return()
  endif()
  set(missing)
  get_property(left_out GLOBAL PROPERTY BELAY_LEFT_OUT)
  foreach(target IN LISTS left_out)
    get_property(its_missing GLOBAL PROPERTY BELAY_MISSING_${target})
    list(APPEND missing ${its_missing})
  endforeach()
  belay_require("Belay with all its modules (BELAY_EDGES=ON; AUTO builds what can be built, OFF what needs nothing)" ${missing})
endfunction()

# A target that links a left-out module is an error that says why there is none. CMake itself could only say that there is
# no such target, so the whole project is looked through when all of it is known.
function(belay_explain_links directory)
  get_property(left_out GLOBAL PROPERTY BELAY_LEFT_OUT)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(links ${target} LINK_LIBRARIES)
    get_target_property(interface_links ${target} INTERFACE_LINK_LIBRARIES)
    foreach(module IN LISTS left_out)
      if(" ${links} ${interface_links} " MATCHES "[^a-z_:]${module}[^a-z_:]")
        get_property(missing GLOBAL PROPERTY BELAY_MISSING_${module})
        belay_require("${target} links ${module}, which" ${missing})
        message(FATAL_ERROR "${target} links ${module}, which is not made with BELAY_EDGES=${BELAY_EDGES}: set it to AUTO or ON")
      endif()
    endforeach()
  endforeach()
  get_property(folders DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    belay_explain_links("${folder}")
  endforeach()
endfunction()

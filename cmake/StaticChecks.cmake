# The checks that need no build, as tests. Once is enough: builds with sanitizers leave them out.
if(BELAY_SANITIZE)
  return()
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(belay_static_check name script)
  add_test(NAME "${name}" COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/${script}" ${ARGN})
  set_tests_properties("${name}" PROPERTIES LABELS static ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER}")
endfunction()

belay_static_check("layers are respected" check_layers.py)
belay_static_check("public headers compile alone" check_headers.py --built)
belay_static_check("links in the docs lead somewhere" check_links.py)
belay_static_check("the checks find what they look for" test_checks.py)

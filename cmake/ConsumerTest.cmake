# The README's ways into another project, tried as a stranger would: tests/consumer is configured, built and run on its own.
# Once is enough: builds with sanitizers leave it out.
if(BELAY_SANITIZE)
  return()
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_test(NAME "a project of one's own can use the library as the README says"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/consumer/consumer_test.py"
          "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}" "${PROJECT_BINARY_DIR}/consumer" ${CMAKE_CXX_COMPILER_LAUNCHER})
# Beside this build, so that a compiler cache knows what is compiled.
add_test(NAME "the package can be installed, found and used"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/consumer/package_test.py"
          "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}" "${PROJECT_BINARY_DIR}-package" "${PROJECT_BINARY_DIR}"
          ${CMAKE_CXX_COMPILER_LAUNCHER})
add_test(NAME "the core can be built without exceptions and RTTI, all warnings being errors"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/consumer/strict_test.py"
          "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}" "${PROJECT_BINARY_DIR}/strict" ${CMAKE_CXX_COMPILER_LAUNCHER})
add_test(NAME "two versions of the library live side by side"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/consumer/versions_test.py"
          "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}" "${PROJECT_BINARY_DIR}/versions" "${PROJECT_BINARY_DIR}"
          ${CMAKE_CXX_COMPILER_LAUNCHER})
set_tests_properties("the core can be built without exceptions and RTTI, all warnings being errors"
  "two versions of the library live side by side"
  "the package can be installed, found and used" "a project of one's own can use the library as the README says" PROPERTIES TIMEOUT 600 COST 30)

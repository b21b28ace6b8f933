include(CMakeFindDependencyMacro)
find_dependency(belay)
include("${CMAKE_CURRENT_LIST_DIR}/readsTargets.cmake")

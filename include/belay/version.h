// The version of Belay, and what follows from it for names. This is the one place that says it; the build reads it
// here.
#pragma once

#define BELAY_VERSION_MAJOR 0
#define BELAY_VERSION_MINOR 1
#define BELAY_VERSION_PATCH 0

#define BELAY_TEXT_OF(number) #number
#define BELAY_JOINED(major, minor, patch) BELAY_TEXT_OF(major) "." BELAY_TEXT_OF(minor) "." BELAY_TEXT_OF(patch)
/// As text: "0.1.0".
#define BELAY_VERSION BELAY_JOINED(BELAY_VERSION_MAJOR, BELAY_VERSION_MINOR, BELAY_VERSION_PATCH)

/// All of Belay stands in an inline namespace with its version (v0_1), so that two versions can be in one process, each
/// used by who was built with it. Programs do not see it: belay::json::Reader is what it is called. Who puts two builds
/// of one version into a process gives one of them a name of its own: -DBELAY_ABI=mine, for the library and its users.
#ifndef BELAY_ABI
#define BELAY_ABI_NAME(major, minor) v##major##_##minor
#define BELAY_ABI_OF(major, minor) BELAY_ABI_NAME(major, minor)
#define BELAY_ABI BELAY_ABI_OF(BELAY_VERSION_MAJOR, BELAY_VERSION_MINOR)
#endif
/// How the library's own files open it: `namespace BELAY_NAMESPACE::json {` for belay::json.
#define BELAY_NAMESPACE belay::inline BELAY_ABI

/// Around what the shared library exports; everything else is hidden in it.
#define BELAY_API_BEGIN _Pragma("GCC visibility push(default)")
#define BELAY_API_END _Pragma("GCC visibility pop")

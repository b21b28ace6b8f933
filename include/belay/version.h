// The version of Belay. This is the one place that says it; the build reads it here.
#pragma once

#define BELAY_VERSION_MAJOR 0
#define BELAY_VERSION_MINOR 1
#define BELAY_VERSION_PATCH 0

#define BELAY_TEXT_OF(number) #number
#define BELAY_JOINED(major, minor, patch) BELAY_TEXT_OF(major) "." BELAY_TEXT_OF(minor) "." BELAY_TEXT_OF(patch)
/// As text: "0.1.0".
#define BELAY_VERSION BELAY_JOINED(BELAY_VERSION_MAJOR, BELAY_VERSION_MINOR, BELAY_VERSION_PATCH)

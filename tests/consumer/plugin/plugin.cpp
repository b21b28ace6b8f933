#include <belay/json.h>
#include <belay/version.h>

#include <string>

/// The version that it was compiled with, the one that it calls, and something that both do.
extern "C" const char* plugin_says() {
  static std::string said;
  const belay::json::Reading reading = belay::json::read("{'a': [1, 2,]}");
  said = std::string(BELAY_VERSION) + " " + belay::version() + " " + belay::json::to_string(reading.document.root());
  return said.c_str();
}

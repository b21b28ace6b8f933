#include "reads.h"

#include <belay/json.h>

std::string mended(const std::string& text) {
  const belay::json::Reading reading = belay::json::read(text);
  return reading.document.empty() ? "" : belay::json::to_string(reading.document.root());
}

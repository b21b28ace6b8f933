#include "go_on.h"

namespace belay::cli {
namespace {

std::string_view raised(task::EndReason reason) {
  switch (reason) {
    case task::EndReason::turns: return " --max-turns N";
    case task::EndReason::tokens: return " --max-tokens-total N";
    case task::EndReason::cost: return " --max-cost N";
    case task::EndReason::time: return " --max-seconds N";
    default: return "";
  }
}

}  // namespace

std::string go_on_line(std::string_view id, task::EndReason reason) {
  return "To go on: belay run --resume " + std::string(id) + std::string(raised(reason));
}

}  // namespace belay::cli

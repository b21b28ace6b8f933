#include "shell_text.h"

#include <base/hidden.h>
#include <base/utf8.h>

#include <cstdint>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::string_view kOrder = "it has characters that change the order in which text is shown";
constexpr std::string_view kInvisible = "it has characters that cannot be seen";
constexpr std::string_view kSpace = "it has a space that the shell does not take for one";
constexpr std::string_view kControl = "it has control characters, which a terminal obeys instead of showing";

std::string_view reason_for(Hidden is) {
  switch (is) {
    case Hidden::no: return {};
    case Hidden::control: return kControl;
    case Hidden::space: return kSpace;
    case Hidden::order: return kOrder;
    default: return kInvisible;
  }
}

std::uint32_t code_point(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return lead;
  std::uint32_t value = lead & (0x7Fu >> bytes.size());
  for (char c : bytes.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return value;
}

}  // namespace

std::string_view hidden_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n')) return kControl;
    if (byte < 0x80) {
      ++i;
      continue;
    }
    const utf8::Step step = utf8::step(text.data() + i, text.size() - i);
    if (step.is != utf8::Step::Is::whole) return "it has bytes that are not UTF-8";
    const std::uint32_t point = code_point(text.substr(i, step.length));
    if (const std::string_view reason = reason_for(hidden(point)); !reason.empty()) return reason;
    i += step.length;
  }
  return {};
}

}  // namespace BELAY_NAMESPACE::policy

#include "wire/dialect.h"

#include <belay/json/writer.h>

#include <charconv>
#include <cmath>

namespace BELAY_NAMESPACE::wire {

void JsonText::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonText& JsonText::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  json::write_string(name, out_);
  out_ += ':';
  first_ = true;
  return *this;
}

JsonText& JsonText::string(std::string_view text) {
  separate();
  json::write_string(text, out_);
  return *this;
}

JsonText& JsonText::number(std::uint64_t n) { return raw(std::to_string(n)); }
JsonText& JsonText::number(std::int64_t n) { return raw(std::to_string(n)); }

JsonText& JsonText::number(double d) {
  if (!std::isfinite(d)) return null();
  char buffer[32];
  auto r = std::to_chars(buffer, buffer + sizeof buffer, d);
  return raw({buffer, static_cast<std::size_t>(r.ptr - buffer)});
}

JsonText& JsonText::boolean(bool b) { return raw(b ? "true" : "false"); }
JsonText& JsonText::null() { return raw("null"); }

JsonText& JsonText::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

}  // namespace BELAY_NAMESPACE::wire

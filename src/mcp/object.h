// JSON objects written member by member.
#pragma once

#include <belay/json/writer.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {

class Object {
 public:
  Object& text(std::string_view key, std::string_view value) {
    begin(key);
    json::write_string(value, out_);
    return *this;
  }
  /// `json` is JSON text.
  Object& raw(std::string_view key, std::string_view json) {
    begin(key);
    out_ += json;
    return *this;
  }
  Object& number(std::string_view key, std::int64_t value) { return raw(key, std::to_string(value)); }
  Object& boolean(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  [[nodiscard]] bool empty() const { return out_.size() == 1; }
  [[nodiscard]] std::string done() const { return out_ + '}'; }

 private:
  void begin(std::string_view key) {
    if (out_.size() > 1) out_ += ',';
    json::write_string(key, out_);
    out_ += ':';
  }
  std::string out_ = "{";
};

}  // namespace BELAY_NAMESPACE::mcp

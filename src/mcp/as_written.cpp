#include <belay/mcp/as_written.h>

#include <belay/json.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace BELAY_NAMESPACE::mcp {
namespace {

bool is_secret(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  constexpr std::array<std::string_view, 7> kWords = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return upper.find(word) != upper.npos; });
}

class Written {
 public:
  explicit Written(AsWritten& out) : out_(out) {}

  // One text of the definition, with the variables in it noted.
  std::string text(json::Value v, bool leaves) {
    std::string written = v.is_string() ? std::string(v.as_string()) : json::to_string(v);
    std::string_view rest = written;
    for (std::size_t begin = rest.find("${"); begin != rest.npos; begin = rest.find("${")) {
      rest.remove_prefix(begin + 2);
      const std::string_view inside = rest.substr(0, rest.find('}'));
      const std::string_view name = inside.substr(0, inside.find(":-"));
      used(name.starts_with("env:") ? name.substr(4) : name, leaves);
    }
    return written;
  }

 private:
  void used(std::string_view name, bool leaves) {
    const auto known = std::ranges::find(out_.variables, name, &UsedVariable::name);
    if (known == out_.variables.end())
      out_.variables.push_back({std::string(name), is_secret(name), leaves});
    else
      known->leaves |= leaves;
  }

  AsWritten& out_;
};

}  // namespace

AsWritten as_written(const ServerConfig& config) {
  AsWritten out;
  if (config.written.empty()) {
    out.command = config.command;
    out.cwd = config.cwd;
    out.url = config.url;
    out.args = config.args;
    out.env = config.env;
    for (const net::Header& header : config.headers) out.headers.emplace_back(header.name, header.value);
    return out;
  }
  const json::Reading reading = json::read(config.written);
  if (reading.document.empty()) return out;
  Written read(out);
  for (const json::Member& member : reading.document.root().members()) {
    if (member.key == "command") out.command = read.text(member.value, false);
    if (member.key == "cwd") out.cwd = read.text(member.value, false);
    if (member.key == "url") out.url = read.text(member.value, true);
    if (member.key == "args")
      for (json::Value item : member.value.items()) out.args.push_back(read.text(item, false));
    if (member.key == "env")
      for (const json::Member& m : member.value.members()) out.env.emplace_back(m.key, read.text(m.value, false));
    if (member.key == "headers")
      for (const json::Member& m : member.value.members()) out.headers.emplace_back(m.key, read.text(m.value, true));
  }
  return out;
}

}  // namespace BELAY_NAMESPACE::mcp

#include "approval.h"

#include <belay/json/writer.h>

#include "terminal.h"

#include <algorithm>

namespace belay::cli {
namespace {

constexpr std::size_t kText = 120;      // columns of a text
constexpr std::size_t kCommand = 1000;  // bytes of a command, which a person has to read
constexpr std::size_t kCommandEnd = 300;
constexpr std::size_t kArguments = 12;

// 220,000
std::string grouped(std::size_t n) {
  std::string out = std::to_string(n);
  for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
  return out;
}

std::string counted(std::size_t n, std::string_view what) {
  return grouped(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string as_json(json::Value value) { return json::to_string(value); }

std::string size_of(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const std::size_t lines = ends + (text.ends_with('\n') ? 0 : 1);
  return " (" + counted(text.size(), "byte") + (lines > 1 ? ", " + counted(lines, "line") : "") + ")";
}

bool is_middle(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Beginning and end of a command that is too long: what is hidden in its middle is said to be.
std::string command(std::string_view text) {
  if (text.size() <= kCommand) return printable(text);
  std::size_t head = kCommand - kCommandEnd, tail = text.size() - kCommandEnd;
  while (head > 0 && is_middle(text[head])) --head;
  while (tail < text.size() && is_middle(text[tail])) ++tail;
  return printable(text.substr(0, head)) + "\n  [" + counted(tail - head, "byte") +
         " of the command are not shown]\n  " + printable(text.substr(tail));
}

std::string shown(json::Value value) {
  const std::string text = as_json(value);
  if (columns(text) <= kText) return printable(text);
  return clipped(text, kText / 2) + (value.is_string() ? "\"" + size_of(value.as_string()) : size_of(text));
}

std::string text_of(json::Value arguments, std::string_view key) {
  const auto value = arguments.find(key);
  return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

// The file that would be written, and whether it is there already.
std::string about(const Question& q, const sandbox::Workspace& workspace) {
  const std::string path = text_of(q.arguments, "path");
  if (path.empty()) return "";
  std::string name = " " + clipped(path, kText);
  if (q.spec.effect != tool::Effect::write) return name;
  const auto file = workspace.open_file(path);
  if (!file) return name + (file.error().kind == sandbox::PathErrorKind::not_found ? " (a new file)" : "");
  return name + " (it is there, with " + counted(static_cast<std::size_t>(file->facts.size), "byte") +
         (q.spec.name == "write_to_file" ? ", and would be overwritten)" : ", and would be changed)");
}

}  // namespace

std::string approval_text(const Question& q, const sandbox::Workspace& workspace) {
  std::string out = q.spec.name + ": " + printable(q.reason) + "\n";
  std::size_t n = 0;
  for (json::Member m : q.arguments.members()) {
    if (++n > kArguments) continue;
    std::string key;
    json::write_string(m.key, key);
    out += "  " + clipped(key, kText) + ": ";
    out += m.key == "command" && m.value.is_string() ? command(m.value.as_string()) : shown(m.value);
    out += "\n";
  }
  if (n > kArguments) out += "  and " + std::to_string(n - kArguments) + " more\n";
  if (!q.receipt.empty()) out += printable(q.receipt) + "\n";
  return out + q.spec.name + about(q, workspace) + ": Run it? [y/N] ";
}

}  // namespace belay::cli

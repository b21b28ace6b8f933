#include <belay/tool.h>

#include "schema/near.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace BELAY_NAMESPACE::tool {
namespace {

// True when every word of `name`, of which there are two at least, is one of `other`, in the same order.
bool has_words_of(std::string_view other, std::string_view name) {
  std::size_t words = 0;
  while (!name.empty()) {
    std::size_t end = std::min(name.find('_'), name.size());
    std::string_view word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    while (true) {
      std::size_t stop = std::min(other.find('_'), other.size());
      std::string_view candidate = other.substr(0, stop);
      if (other.empty()) return false;
      other.remove_prefix(std::min(stop + 1, other.size()));
      if (candidate == word) break;
    }
    ++words;
  }
  return words >= 2;
}

}  // namespace

std::expected<Tool, std::string> Tool::make(Spec spec, Code code, const schema::Regexes* regexes,
                                            const Limits& limits) {
  if (spec.name.empty()) return std::unexpected("a tool needs a name");
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  strict.limits = limits;
  json::Reading reading = json::read(spec.parameters.empty() ? R"({"type":"object"})" : spec.parameters, strict);
  if (reading.verdict.word() != json::Word::valid)
    return std::unexpected("the schema of " + spec.name + " is not JSON: " + reading.error.message);
  schema::CompileOptions options;
  options.regexes = regexes;
  options.limits = limits;
  auto compiled = schema::Schema::compile(reading.document.root(), options);
  if (!compiled)
    return std::unexpected("the schema of " + spec.name + " cannot be used: " + compiled.error().where + ": " +
                           compiled.error().message);
  text::Shape shape = text::shape_of(reading.document.root());
  return Tool(std::move(spec), std::move(code), std::move(*compiled), std::move(shape));
}

Result Tool::run(const Invocation& invocation, const ResultLimits& limits) const {
  if (!code_) return error_result(spec_.name + " means something only while a task runs; it cannot be run by itself");
#ifdef __cpp_exceptions
  try {
    return bounded(code_(invocation), limits);
  } catch (const std::exception& e) {
    return error_result(spec_.name + " failed: " + e.what());
  } catch (...) {
    return error_result(spec_.name + " failed for a reason that it did not say");
  }
#else
  return bounded(code_(invocation), limits);
#endif
}

bool Registry::add(Tool tool) {
  if (find(tool.spec().name)) return false;
  for (const std::string& alias : tool.spec().aliases)
    if (find(alias)) return false;
  tools_.push_back(std::move(tool));
  return true;
}

const Tool* Registry::find(std::string_view name) const {
  for (const Tool& tool : tools_)
    if (tool.spec().name == name) return &tool;
  for (const Tool& tool : tools_)
    if (std::ranges::find(tool.spec().aliases, name) != tool.spec().aliases.end()) return &tool;
  return nullptr;
}

std::vector<std::string_view> Registry::near(std::string_view name) const {
  std::vector<std::string_view> names, out;
  for (const Tool& tool : tools_) names.push_back(tool.spec().name);
  for (const Tool& tool : tools_)
    for (const std::string& alias : tool.spec().aliases) names.push_back(alias);
  auto add = [&](std::string_view found) {
    const Tool* tool = find(found);
    if (tool && out.size() < 3 && std::ranges::find(out, tool->spec().name) == out.end())
      out.push_back(tool->spec().name);
  };
  if (std::string_view nearest = schema::nearest(name, names); !nearest.empty()) add(nearest);
  for (std::string_view other : names)
    if (schema::same_name(name, other)) add(other);
  // The same words, some left out: write_file for write_to_file.
  for (std::string_view other : names)
    if (has_words_of(other, name)) add(other);
  // One name inside the other: read for read_file.
  if (name.size() >= 3)
    for (std::string_view other : names)
      if (other.find(name) != std::string_view::npos || name.find(other) != std::string_view::npos) add(other);
  return out;
}

std::vector<turn::KnownTool> Registry::known() const {
  std::vector<turn::KnownTool> out;
  for (const Tool& tool : tools_) {
    const Spec& s = tool.spec();
    out.push_back({s.name, &tool.parameters(), s.aliases, s.parameter_aliases});
  }
  return out;
}

std::vector<text::Tool> Registry::shapes() const {
  std::vector<text::Tool> out;
  for (const Tool& tool : tools_) {
    out.push_back({tool.spec().name, tool.shape()});
    for (const std::string& alias : tool.spec().aliases) out.push_back({alias, tool.shape()});
  }
  return out;
}

std::vector<chat::Tool> Registry::offered() const {
  std::vector<chat::Tool> out;
  out.reserve(tools_.size());
  for (const Tool& tool : tools_)
    out.push_back({tool.spec().name, tool.spec().description, tool.spec().parameters, {}});
  return out;
}

}  // namespace BELAY_NAMESPACE::tool

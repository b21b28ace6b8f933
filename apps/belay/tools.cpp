#include "tool.h"

#include <belay/builtin.h>
#include <belay/json.h>

#include "names.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace belay::cli {
namespace {

std::string compact(const std::string& schema) {
  const json::Reading reading = json::read(schema);
  return json::to_string(reading.document.root());
}

std::string as_json(const tool::Spec& spec) {
  std::string out = R"({"name":)";
  json::write_string(spec.name, out);
  out += R"(,"effect":")" + std::string(tool::name(spec.effect)) + R"(","needs_task":)";
  out += spec.needs_task ? "true" : "false";
  out += R"(,"aliases":[)";
  for (const std::string& alias : spec.aliases) {
    out += out.ends_with('[') ? "" : ",";
    json::write_string(alias, out);
  }
  out += R"(],"parameter_aliases":{)";
  for (const auto& [alias, parameter] : spec.parameter_aliases) {
    out += out.ends_with('{') ? "" : ",";
    json::write_string(alias, out);
    out += ":";
    json::write_string(parameter, out);
  }
  out += R"(},"description":)";
  json::write_string(spec.description, out);
  return out + R"(,"parameters":)" + compact(spec.parameters) + "}";
}

// path, start_line?, end_line?
std::string signature(const tool::Spec& spec) {
  const json::Reading reading = json::read(spec.parameters);
  const json::Value schema = reading.document.root();
  const auto required = schema.find("required");
  std::string out;
  if (const auto properties = schema.find("properties"))
    for (const json::Member m : properties->members()) {
      bool needed = false;
      if (required)
        for (const json::Value v : required->items()) needed |= v.as_string() == m.key;
      (out += out.empty() ? "" : ", ").append(m.key).append(needed ? "" : "?");
    }
  return out;
}

// The text in lines of at most 76 columns, each behind four spaces.
std::string indented(std::string_view text) {
  std::string out, line;
  auto flush = [&] {
    if (!line.empty()) out += "    " + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    if (text.front() == '\n') {
      flush();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      if (!line.empty() && line.size() + 1 + word.size() > 72) flush();
      (line += line.empty() ? "" : " ") += word;
    }
    text.remove_prefix(end < text.size() && text[end] == ' ' ? end + 1 : end);
  }
  flush();
  return out;
}

std::string in_full(const tool::Spec& spec) {
  std::string out = spec.name + " {" + signature(spec) + "}\n\n" + indented(spec.description) + "\n";
  out += "    effect: " + std::string(tool::name(spec.effect)) +
         (spec.needs_task ? "; means something only while a task runs" : "") + "\n";
  for (const std::string& alias : spec.aliases) out += "    also called: " + alias + "\n";
  for (const auto& [alias, parameter] : spec.parameter_aliases)
    out.append("    ").append(alias).append(" is taken for ").append(parameter).append("\n");
  return out + "    schema: " + compact(spec.parameters) + "\n";
}

}  // namespace

Exit list_tools(const ToolsOptions& options, Output& out, Output& err) {
  const std::vector<tool::Spec> all = builtin::specs();
  if (!options.name.empty()) {
    tool::Registry tools;
    for (const tool::Spec& spec : all)
      if (auto made = tool::Tool::make(spec, {})) tools.add(std::move(*made));
    const tool::Tool* found = tools.find(options.name);
    if (found == nullptr) {
      err << "belay tools: " << no_such_tool(options.name, tools.near(options.name)) << "\n";
      return Exit::usage;
    }
    out << (options.json ? as_json(found->spec()) + "\n" : in_full(found->spec()));
  } else if (options.json) {
    out << "[";
    for (const tool::Spec& spec : all) out << (&spec == all.data() ? "" : ",\n ") << as_json(spec);
    out << "]\n";
  } else {
    for (const tool::Spec& spec : all) {
      std::string line = std::string(tool::name(spec.effect));
      line.resize(9, ' ');
      out << line << spec.name << " {" << signature(spec) << "}\n";
    }
    out << "\nbelay tools NAME says what one does; belay tool NAME JSON runs it.\n";
  }
  out.finish();
  if (out.error() == 0) return Exit::done;
  if (out.error() != EPIPE)
    err << "belay tools: cannot write to standard output: " << std::strerror(out.error()) << "\n";
  return Exit::failed;
}

}  // namespace belay::cli

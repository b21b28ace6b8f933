// Tools as text: one way for each kind of format.
#include "text/dialect_parts.h"

#include <belay/json/builder.h>
#include <belay/json/writer.h>

#include <optional>

namespace BELAY_NAMESPACE::text {
namespace {

std::optional<json::Value> properties_of(const Defined& tool) {
  if (tool.schema.empty()) return std::nullopt;
  auto found = tool.schema.root().find("properties");
  return found && found->is_object() ? found : std::nullopt;
}

bool is_required(const Defined& tool, std::string_view key) {
  if (tool.schema.empty()) return false;
  auto list = tool.schema.root().find("required");
  if (!list) return false;
  for (json::Value item : list->items())
    if (item.as_string() == key) return true;
  return false;
}

std::string text_at(json::Value schema, std::string_view key) {
  auto value = schema.find(key);
  return value ? std::string(value->as_string()) : std::string();
}

// string, integer or null, one of "a", "b"
std::string type_words(json::Value schema) {
  if (auto values = schema.find("enum"); values && values->size() > 0) {
    std::string out = "one of ";
    for (json::Value v : values->items()) {
      if (!out.ends_with(' ')) out += ", ";
      json::write(v, out);
    }
    return out;
  }
  auto type = schema.find("type");
  if (!type) return "any";
  if (type->is_string()) {
    std::string name(type->as_string());
    auto items = schema.find("items");
    if (name == "array" && items && items->find("type") && items->find("type")->is_string())
      name += " of " + text_at(*items, "type");
    return name;
  }
  std::string out;
  for (json::Value v : type->items()) {
    if (!out.empty()) out += " or ";
    out += v.as_string();
  }
  return out.empty() ? "any" : out;
}

// Parameters that hold more than a word can say are shown whole.
bool is_deep(json::Value schema) {
  if (schema.find("properties") || schema.find("anyOf") || schema.find("oneOf") || schema.find("$ref")) return true;
  auto items = schema.find("items");
  return items && is_deep(*items);
}

std::string in_json(json::Value value) {
  std::string out;
  write_value(value, {}, out);
  return out;
}

std::string function_of(const Defined& tool) {
  std::string out = "{\"name\": ";
  json::write_string(tool.name, out);
  if (!tool.description.empty()) {
    out += ", \"description\": ";
    json::write_string(tool.description, out);
  }
  out += ", \"parameters\": ";
  out += tool.schema.empty() || tool.schema.root().size() == 0 ? R"({"type": "object", "properties": {}})"
                                                               : in_json(tool.schema.root());
  return out + "}";
}

std::string in_prose(const Defined& tool, const std::string& usage) {
  std::string out = "## " + tool.name + "\n";
  if (!tool.description.empty()) out += "Description: " + tool.description + "\n";
  if (auto properties = properties_of(tool); properties && properties->size() > 0) {
    out += "Parameters:\n";
    for (json::Member m : properties->members()) {
      out += "- " + std::string(m.key) + " (" + type_words(m.value) +
             (is_required(tool, m.key) ? ", required)" : ", optional)");
      if (std::string words = text_at(m.value, "description"); !words.empty()) out += ": " + words;
      out += "\n";
      if (is_deep(m.value)) out += "  JSON Schema: " + in_json(m.value) + "\n";
    }
  } else {
    out += "Parameters: none\n";
  }
  return out + "Usage:\n" + usage + "\n";
}

// <function><name>f</name>...</function>
std::string in_elements(const Defined& tool) {
  std::string out = "<function>\n<name>" + tool.name + "</name>\n";
  if (!tool.description.empty()) out += "<description>" + tool.description + "</description>\n";
  out += "<parameters>\n";
  std::string required;
  if (auto properties = properties_of(tool))
    for (json::Member m : properties->members()) {
      out += "<parameter>\n<name>" + std::string(m.key) + "</name>\n";
      auto type = m.value.find("type");
      if (type) out += "<type>" + (type->is_string() ? std::string(type->as_string()) : in_json(*type)) + "</type>\n";
      if (std::string words = text_at(m.value, "description"); !words.empty())
        out += "<description>" + words + "</description>\n";
      for (std::string_view key : {"enum", "items", "properties", "anyOf"})
        if (auto more = m.value.find(key))
          out += "<" + std::string(key) + ">" + in_json(*more) + "</" + std::string(key) + ">\n";
      out += "</parameter>\n";
      if (is_required(tool, m.key)) required += (required.empty() ? "" : ", ") + ("\"" + std::string(m.key) + "\"");
    }
  if (!required.empty()) out += "<required>[" + required + "]</required>\n";
  return out + "</parameters>\n</function>";
}

std::string type_in_script(json::Value schema) {
  if (auto values = schema.find("enum"); values && values->size() > 0) {
    std::string out;
    for (json::Value v : values->items()) {
      if (!out.empty()) out += " | ";
      json::write(v, out);
    }
    return out;
  }
  std::string type = text_at(schema, "type");
  if (type == "string" || type == "boolean" || type == "null") return type;
  if (type == "integer" || type == "number") return "number";
  if (type == "array") {
    auto items = schema.find("items");
    const std::string inner = items ? text_at(*items, "type") : "";
    return inner == "string" || inner == "boolean"   ? inner + "[]"
           : inner == "integer" || inner == "number" ? "number[]"
                                                     : "any[]";
  }
  return type == "object" ? "object" : "any";
}

std::string comment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    out += "// " + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// type f = (_: { x: number, y?: string }) => any;
std::string in_typescript(const Defined& tool) {
  std::string out = comment(tool.description) + "type " + tool.name + " = (";
  if (auto properties = properties_of(tool); properties && properties->size() > 0) {
    out += "_: {\n";
    for (json::Member m : properties->members()) {
      out += comment(text_at(m.value, "description")) + std::string(m.key) + (is_required(tool, m.key) ? "" : "?") +
             ": " + type_in_script(m.value) + ",";
      if (is_deep(m.value)) out += " // JSON Schema: " + in_json(m.value);
      out += "\n";
    }
    out += "}";
  }
  return out + ") => any;\n";
}

void example_value(std::string_view key, json::Value schema, json::Builder& b) {
  if (auto values = schema.find("enum"); values && values->size() > 0) return static_cast<void>(b.copy(*values->at(0)));
  if (auto value = schema.find("const")) return static_cast<void>(b.copy(*value));
  std::string type = text_at(schema, "type");
  if (auto types = schema.find("type"); types && types->is_array())
    for (json::Value v : types->items())
      if (type.empty() && v.as_string() != "null") type = v.as_string();
  if (type == "integer" || type == "number") {
    b.number("1");
  } else if (type == "boolean") {
    b.boolean(true);
  } else if (type == "array") {
    b.open_array();
    if (auto items = schema.find("items"); items && text_at(*items, "type") == "string")
      b.string("first of the " + std::string(key));
    b.close();
  } else if (type == "object") {
    b.open_object();
    b.close();
  } else {
    b.string(std::string(key) + " here");
  }
}

}  // namespace

Call example_of(const Defined& tool) {
  json::Builder b;
  b.open_object();
  if (auto properties = properties_of(tool)) {
    bool any = false;
    for (json::Member m : properties->members()) any = any || is_required(tool, m.key);
    for (json::Member m : properties->members()) {
      if (any && !is_required(tool, m.key)) continue;
      b.key(m.key);
      example_value(m.key, m.value, b);
      if (!any) break;
    }
  }
  b.close();
  const json::Document document = b.take();
  return {tool.name, in_json(document.root()), {}};
}

std::string show_tools(const Written& how, const std::vector<Defined>& tools,
                       const std::function<std::string(const Call&)>& usage) {
  const bool list = how.shown == Shown::list || how.shown == Shown::bare_list;
  std::string out(how.tools_open);
  if (list) out += '[';
  for (const Defined& tool : tools) {
    if (&tool != &tools.front()) out += list ? ", " : "\n";
    switch (how.shown) {
      case Shown::prose: out += in_prose(tool, usage(example_of(tool))); break;
      case Shown::lines:
      case Shown::list: out += R"({"type": "function", "function": )" + function_of(tool) + "}"; break;
      case Shown::bare_list: out += function_of(tool); break;
      case Shown::elements: out += in_elements(tool); break;
      case Shown::typescript: out += in_typescript(tool); break;
    }
  }
  if (list) out += ']';
  out += how.tools_close;
  return out;
}

}  // namespace BELAY_NAMESPACE::text

#include "schemas.h"

#include "documents.h"

namespace belay::bench {
namespace {

constexpr const char* kSearch = R"({
  "type": "object",
  "properties": {
    "query": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "What to look for"},
    "path": {"type": "string", "description": "The folder to search in"},
    "mode": {"type": "string", "enum": ["exact", "regex", "fuzzy"], "description": "How to compare"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 500, "description": "The most results"},
    "case_sensitive": {"type": "boolean"},
    "globs": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
    "context": {"type": "object", "properties": {"before": {"type": "integer"}, "after": {"type": "integer"}},
                "additionalProperties": false}
  },
  "required": ["query", "path"],
  "additionalProperties": false
})";
constexpr const char* kSearchArguments =
    R"({"query":"unsigned long","path":"src/json","mode":"regex","limit":50,"case_sensitive":true,)"
    R"("globs":["*.cpp","*.h"],"context":{"before":2,"after":4}})";

constexpr const char* kWriteFile = R"({
  "type": "object",
  "properties": {"path": {"type": "string", "minLength": 1}, "content": {"type": "string"}},
  "required": ["path", "content"],
  "additionalProperties": false
})";

// Fifty parameters of six kinds by turns.
ToolSchema fifty() {
  static constexpr const char* kKinds[] = {R"({"type":"string","minLength":1,"maxLength":200})",
                                           R"({"type":"integer","minimum":0,"maximum":100000})",
                                           R"({"type":"boolean","default":false})",
                                           R"({"type":"string","enum":["low","medium","high"]})",
                                           R"({"type":"array","items":{"type":"string"},"maxItems":10})",
                                           R"({"anyOf":[{"type":"number"},{"type":"null"}]})"};
  static constexpr const char* kValues[] = {R"("text")", "42", "true", R"("medium")", R"(["a","b"])", "null"};
  std::string properties, required, arguments;
  for (std::size_t i = 0; i < 50; ++i) {
    const std::string key = "\"parameter_" + std::to_string(i) + "\"";
    const char* comma = i > 0 ? "," : "";
    properties += comma + key + ":" + kKinds[i % 6];
    arguments += comma + key + ":" + kValues[i % 6];
    if (i % 3 == 0) required += comma + key;
  }
  return {"50 parameters",
          R"({"type":"object","properties":{)" + properties + R"(},"required":[)" + required +
              R"(],"additionalProperties":false})",
          "{" + arguments + "}"};
}

}  // namespace

std::vector<ToolSchema> make_schemas() {
  return {{"search, 7 parameters", kSearch, kSearchArguments},
          {"write_file, 1 MB", kWriteFile, make_document(Shape::code, kMB)},
          fifty()};
}

}  // namespace belay::bench

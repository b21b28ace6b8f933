#include "report.h"

#include "words.h"

#include <belay/json/writer.h>

#include <string>
#include <utility>

namespace belay::cli {
namespace {

// A container at the top is written child by child, so that a huge array does not need its whole text in memory too.
void write_value(TextSink& out, const json::Value& value) {
  std::string text;
  auto pass_on = [&] {
    out << text;
    text.clear();
  };
  if (value.is_array()) {
    text += '[';
    for (bool first = true; json::Value item : value.items()) {
      if (!std::exchange(first, false)) text += ',';
      json::write(item, text);
      pass_on();
    }
    text += ']';
  } else if (value.is_object()) {
    text += '{';
    for (bool first = true; const json::Member& member : value.members()) {
      if (!std::exchange(first, false)) text += ',';
      json::write_string(member.key, text);
      text += ':';
      json::write(member.value, text);
      pass_on();
    }
    text += '}';
  } else {
    json::write(value, text);
  }
  pass_on();
}

void write_edit(TextSink& out, const json::Edit& edit) {
  out << R"({"kind":")" << json::name(edit.kind) << R"(","offset":)" << std::to_string(edit.offset) << R"(,"length":)"
      << std::to_string(edit.length) << R"(,"grade":")" << json::name(edit.grade) << R"("})";
}

}  // namespace

void write_values(Output& out, const json::Document& document) {
  for (json::Value value : document.values()) {
    write_value(out, value);
    out << "\n";
  }
}

void write_edits(TextSink& out, const std::vector<json::Edit>& edits) {
  out << "[";
  for (bool first = true; const json::Edit& edit : edits) {
    if (!std::exchange(first, false)) out << ",";
    write_edit(out, edit);
  }
  out << "]";
}

void write_error(TextSink& out, const json::Error& error) {
  std::string message;
  json::write_string(for_shell(error.message), message);
  out << R"({"kind":")" << json::name(error.kind) << R"(","message":)" << message << R"(,"offset":)"
      << std::to_string(error.position.offset) << R"(,"line":)" << std::to_string(error.position.line)
      << R"(,"column":)" << std::to_string(error.position.column) << "}";
}

void write_report(TextSink& out, const json::Reading& reading) {
  out << R"({"verdict":")" << json::name(reading.verdict.word()) << R"(","values":[)";
  for (bool first = true; json::Value value : reading.document.values()) {
    if (!std::exchange(first, false)) out << ",";
    write_value(out, value);
  }
  out << R"(],"edits":)";
  write_edits(out, reading.edits);
  out << R"(,"edits_total":)" << std::to_string(reading.edits_total) << R"(,"error":)";
  if (reading.error)
    write_error(out, reading.error);
  else
    out << "null";
  out << "}\n";
}

void write_valid_report(std::string& out, std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  const std::size_t end = text.find_last_not_of(kSpace) + 1;
  out += R"({"verdict":"valid","values":[)";
  out += text.substr(begin, end - begin);
  out += R"(],"edits":[],"edits_total":0,"error":null})";
  out += '\n';
}

}  // namespace belay::cli

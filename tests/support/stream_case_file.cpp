#include "stream_case_file.h"

#include "case_file.h"
#include "independent.h"
#include "outcome.h"

#include <belay/regex.h>
#include <belay/text.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace belay::check {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse(std::string_view name, std::string_view what) {
  throw std::runtime_error(std::string(name) + ": " + std::string(what));
}

const Tree& need(const Tree& tree, std::string_view key, std::string_view name) {
  const Tree* found = tree.find(key);
  if (found == nullptr) refuse(name, std::string(key) + " is missing");
  return *found;
}

void check_keys(const Tree& tree, std::initializer_list<std::string_view> known, std::string_view name) {
  for (const std::string& key : tree.keys)
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse(name, "unknown field " + key);
}

std::string text_of(const Tree& tree, std::string_view key, std::string_view name) {
  const Tree* found = tree.find(key);
  if (found == nullptr) return {};
  if (found->kind != Tree::Kind::string) refuse(name, std::string(key) + " is no text");
  return found->text;
}

std::vector<std::string> texts_of(const Tree& tree, std::string_view key) {
  std::vector<std::string> out;
  if (const Tree* found = tree.find(key))
    for (const Tree& item : found->items) out.push_back(item.text);
  return out;
}

std::string input_of(const Tree& input, std::string_view name) {
  if (input.kind == Tree::Kind::string) return input.text;
  std::string out;
  for (const Tree& piece : input.items) {
    if (piece.kind == Tree::Kind::string) {
      out += piece.text;
    } else if (const Tree* b64 = piece.find("b64")) {
      out += decode_base64(b64->text);
    } else {
      const std::string& repeated = need(piece, "repeat", name).text;
      for (unsigned long n = std::stoul(need(piece, "times", name).text); n > 0; --n) out += repeated;
    }
  }
  return out;
}

std::string body_of_events(const Tree& events, wire::Wire wire) {
  std::string out;
  for (const Tree& event : events.items) {
    const std::string data = event.kind == Tree::Kind::string ? event.text : to_text(event);
    if (wire == wire::Wire::ollama) {
      out += data + "\n";
      continue;
    }
    // Where events have a type, servers say it twice.
    const Tree* type = event.find("type");
    if (type != nullptr && type->kind == Tree::Kind::string) out += "event: " + type->text + "\n";
    out += "data: " + data + "\n\n";
  }
  return out;
}

void read_tools(const Tree& tools, StreamCase& out) {
  static const auto regexes = regex::make_regexes();
  out.options.tools.emplace();
  for (const Tree& tool : tools.items) {
    check_keys(tool, {"name", "parameters"}, out.name);
    turn::KnownTool known;
    known.name = need(tool, "name", out.name).text;
    if (const Tree* parameters = tool.find("parameters")) {
      schema::CompileOptions options;
      options.regexes = regexes.get();
      const json::Document document = document_of(to_text(*parameters));
      auto compiled = schema::Schema::compile(document.root(), options);
      if (!compiled) refuse(out.name, compiled.error().message);
      out.schemas.push_back(std::make_shared<const schema::Schema>(std::move(*compiled)));
      known.parameters = out.schemas.back().get();
    }
    text::Tool shape{known.name, {}};
    if (const Tree* parameters = tool.find("parameters"))
      shape.parameters = text::shape_of(root_of(document_of(to_text(*parameters))));
    out.options.shapes.push_back(std::move(shape));
    out.options.tools->push_back(std::move(known));
  }
}

ExpectedCall read_call(const Tree& tree, std::string_view name) {
  check_keys(tree, {"name", "verdict", "trusted", "arguments", "id", "values", "edits", "error", "at", "tool"}, name);
  ExpectedCall out;
  out.name = need(tree, "name", name).text;
  out.verdict = need(tree, "verdict", name).text;
  out.trusted = need(tree, "trusted", name).kind == Tree::Kind::yes;
  if (const Tree* id = tree.find("id")) out.id = id->text;
  if (const Tree* arguments = tree.find("arguments")) out.arguments = *arguments;
  if (const Tree* values = tree.find("values")) out.values = values->items;
  out.edits = texts_of(tree, "edits");
  out.error = text_of(tree, "error", name);
  if (const Tree* at = tree.find("at")) out.at = std::stoull(at->text);
  if (tree.find("tool")) out.tool = text_of(tree, "tool", name);
  return out;
}

chat::Usage read_usage(const Tree& tree, std::string_view name) {
  if (tree.items.size() > 5) refuse(name, "usage is a list of up to five counts");
  chat::Usage out;
  std::optional<std::uint64_t>* fields[] = {&out.input_tokens, &out.output_tokens, &out.cached_tokens,
                                            &out.cache_write_tokens, &out.reasoning_tokens};
  for (std::size_t i = 0; i < tree.items.size(); ++i)
    if (tree.items[i].kind == Tree::Kind::number) *fields[i] = std::stoull(tree.items[i].text);
  return out;
}

StreamCase read_case(const Tree& tree, const Path& file, const Tree* tools_of_file) {
  StreamCase out;
  out.kind = file.stem().string();
  out.name = need(tree, "name", out.kind).text;
  out.why = need(tree, "why", out.name).text;
  check_keys(tree,
             {"name", "why", "wire", "format", "prompt_tail", "events", "input", "ended", "tools", "limits", "expect"},
             out.name);
  auto wire = wire::wire_named(need(tree, "wire", out.name).text);
  out.options.plain = need(tree, "wire", out.name).text == "text";
  if (!wire && !out.options.plain) refuse(out.name, "no such wire");
  if (wire) out.options.wire = *wire;
  if (tree.find("format")) out.options.format = text_of(tree, "format", out.name);
  if (!text::known_format(out.options.format)) refuse(out.name, "no such format");
  out.options.prompt_tail = text_of(tree, "prompt_tail", out.name);
  if (const Tree* events = tree.find("events"))
    out.body = body_of_events(*events, out.options.wire);
  else
    out.body = input_of(need(tree, "input", out.name), out.name);
  if (const std::string ended = text_of(tree, "ended", out.name); !ended.empty()) {
    if (ended != "reset") refuse(out.name, "ended is reset, or left out");
    out.options.ended = sse::Ended::reset;
  }
  if (const Tree* tools = tree.find("tools")) {
    if (tools->kind == Tree::Kind::yes) tools = tools_of_file;
    if (tools == nullptr) refuse(out.name, "the file has no tools");
    read_tools(*tools, out);
  }
  if (const Tree* limits = tree.find("limits"))
    for (std::size_t i = 0; i < limits->keys.size(); ++i)
      if (!out.options.limits.set(limits->keys[i], std::stoull(limits->items[i].text)))
        refuse(out.name, "no limit " + limits->keys[i]);

  const Tree& expect = need(tree, "expect", out.name);
  check_keys(expect, {"stop", "raw", "text", "reasoning", "calls", "notices", "failure", "usage"}, out.name);
  out.stop = need(expect, "stop", out.name).text;
  if (expect.find("raw")) out.raw = text_of(expect, "raw", out.name);
  out.text = text_of(expect, "text", out.name);
  out.reasoning = text_of(expect, "reasoning", out.name);
  out.failure = text_of(expect, "failure", out.name);
  out.notices = texts_of(expect, "notices");
  if (const Tree* calls = expect.find("calls"))
    for (const Tree& call : calls->items) out.calls.push_back(read_call(call, out.name));
  if (const Tree* usage = expect.find("usage")) out.usage = read_usage(*usage, out.name);
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) (out += out.empty() ? "" : ", ") += word;
  return "[" + out + "]";
}

std::string shown(const std::optional<Tree>& tree) { return tree ? to_text(*tree) : "nothing"; }

void compare_call(const ExpectedCall& wanted, const TurnCall& got, std::size_t slot, std::string& out) {
  auto check = [&](bool same, std::string_view what, const std::string& have, const std::string& want) {
    if (!same)
      out += "call " + std::to_string(slot) + ": " + std::string(what) + " " + have + ", wanted " + want + "\n";
  };
  check(got.name == wanted.name, "name", got.name, wanted.name);
  check(got.verdict == wanted.verdict, "verdict", got.verdict, wanted.verdict);
  check(got.trusted == wanted.trusted, "trusted", got.trusted ? "yes" : "no", wanted.trusted ? "yes" : "no");
  if (wanted.id && wanted.id->empty())
    check(got.made_id, "id", got.id, "one that was made");
  else if (wanted.id)
    check(got.id == *wanted.id && !got.made_id, "id", got.id, *wanted.id);
  check(got.arguments == wanted.arguments, "arguments", shown(got.arguments), shown(wanted.arguments));
  check(got.values == wanted.values, "values", to_text(got.values), to_text(wanted.values));
  check(got.edits == wanted.edits, "edits", listed(got.edits), listed(wanted.edits));
  check(got.error == wanted.error, "error", "'" + got.error + "'", "'" + wanted.error + "'");
  if (wanted.at)
    check(got.error_at == *wanted.at, "error at", std::to_string(got.error_at), std::to_string(*wanted.at));
  if (wanted.tool) check(got.tool == *wanted.tool, "tool", "'" + got.tool + "'", "'" + *wanted.tool + "'");
}

}  // namespace

std::vector<StreamCase> load_stream_cases(const Path& folder) {
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<StreamCase> out;
  for (const Path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const Independent parsed = parse_independently(text);
    if (parsed.opinion != Opinion::accepted) refuse(file.string(), "not JSON");
    need(parsed.tree, "about", file.string());
    const Tree& cases = need(parsed.tree, "cases", file.string());
    if (cases.items.empty()) refuse(file.string(), "no cases");
    for (const Tree& tree : cases.items) out.push_back(read_case(tree, file, parsed.tree.find("tools")));
  }
  if (out.empty()) refuse(folder.string(), "no cases");
  return out;
}

std::string surprises(const StreamCase& one, const Turn& turn) {
  std::string out;
  auto check = [&](bool same, std::string_view what, const std::string& have, const std::string& want) {
    if (!same) out += std::string(what) + " " + have + ", wanted " + want + "\n";
  };
  check(turn.text == one.text, "text", json_string(turn.text), json_string(one.text));
  check(turn.reasoning == one.reasoning, "reasoning", json_string(turn.reasoning), json_string(one.reasoning));
  check(turn.stop == one.stop, "stop", turn.stop, one.stop);
  if (one.raw) check(turn.raw_stop == *one.raw, "raw", turn.raw_stop, *one.raw);
  check(turn.failure == one.failure, "failure", "'" + turn.failure + "'", "'" + one.failure + "'");
  check(turn.notices == one.notices, "notices", listed(turn.notices), listed(one.notices));
  check(turn.usage == one.usage, "usage", turn.usage ? "other" : "none", one.usage ? "that of the case" : "none");
  check(turn.calls.size() == one.calls.size(), "calls", std::to_string(turn.calls.size()),
        std::to_string(one.calls.size()));
  for (std::size_t i = 0; i < std::min(turn.calls.size(), one.calls.size()); ++i)
    compare_call(one.calls[i], turn.calls[i], i, out);
  return out;
}

}  // namespace belay::check

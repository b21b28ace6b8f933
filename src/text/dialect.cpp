// Calls are written in the simplest form that is read back as the same.
#include <belay/text/dialect.h>

#include "text/dialect_state.h"

#include <belay/json/builder.h>
#include <belay/json/reader.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::text {
namespace {

json::Document read_object(std::string_view text, const Limits& limits) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  options.limits = limits;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) text = "{}";
  json::Reading reading = json::read(text, options);
  const bool sure = reading.verdict.trusted() && reading.verdict.count == 1;
  return sure ? std::move(reading.document) : json::Document();
}

// The arguments with one parameter only.
json::Document only(json::Member member) {
  json::Builder b(Limits{.depth = kUnlimited});
  b.open_object();
  b.key(member.key);
  b.copy(member.value);
  b.close();
  return b.take();
}

// No part of any tag, and no line break at an end that could be taken for the format's own.
bool plain_text(std::string_view text, char tag) {
  constexpr std::string_view kBreaks = "\r\n";
  return text.find(tag) == std::string_view::npos &&
         (text.empty() || (kBreaks.find(text.front()) == std::string_view::npos &&
                           kBreaks.find(text.back()) == std::string_view::npos));
}

std::string in_words(json::Kind kind) {
  switch (kind) {
    case json::Kind::null: return "null";
    case json::Kind::array: return "an array";
    case json::Kind::object: return "an object";
    default: return "a " + std::string(json::name(kind));
  }
}

}  // namespace

DialectState::DialectState(std::string_view format, std::span<const chat::Tool> offered, Limits l)
    : how(written(format)), row(row_of(how)), limits(l) {
  for (const chat::Tool& tool : offered) {
    Defined known{tool.name, tool.description, read_object(tool.parameters, limits)};
    Shape shape;
    if (!tool.parameters.empty() && !known.schema.empty()) shape = shape_of(known.schema.root());
    shapes.push_back({tool.name, std::move(shape)});
    tools.push_back(std::move(known));
  }
}

// A call of a tool that is not known is a call all the same.
std::vector<Tool> DialectState::tools_for(const std::vector<Piece>& pieces) const {
  std::vector<Tool> all = shapes;
  for (const Piece& piece : pieces) {
    auto same = [&](const Tool& tool) { return tool.name == piece.name; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({std::string(piece.name), {}});
  }
  return all;
}

bool DialectState::exact(const std::string& text, const std::vector<Piece>& pieces, const std::vector<Tool>& known,
                         std::vector<Found>* heard) const {
  return reads_back(how.format, known, limits, text, pieces, heard);
}

// The first guard that keeps a parameter what it is.
bool DialectState::guard(const Piece& piece, json::Member member, const std::vector<Tool>& known, Guard& found) const {
  const TagStyle& style = *row.tags;
  found = Guard::plain;
  auto tool = std::find_if(known.begin(), known.end(), [&](const Tool& t) { return t.name == piece.name; });
  const std::uint8_t types = tool->parameters.at(member.key).types;
  const bool raw = how.typed != Typed::no || types == kString || types == kAnyType;
  if (member.value.is_string() && raw && plain_text(member.value.as_string(), style.open.front())) return true;
  constexpr Guard kTexts[] = {Guard::plain, Guard::line, Guard::bare, Guard::data, Guard::data_line};
  constexpr Guard kOthers[] = {Guard::plain, Guard::escaped};
  const std::span<const Guard> guards =
      member.value.is_string() ? std::span<const Guard>(kTexts) : std::span<const Guard>(kOthers);
  const json::Document alone = only(member);
  for (Guard guard : guards) {
    const std::vector<Piece> one = {{piece.name, piece.id, alone.root(), 0, {guard}}};
    found = guard;
    if (exact(put_calls(how, row, one), one, known)) return true;
  }
  found = Guard::plain;
  return false;
}

// Chooses how each parameter is written. False when the tags cannot hold one of them.
bool DialectState::arrange(Piece& piece, const std::vector<Tool>& known) const {
  piece.body = how.body;
  if (row.grammar != Grammar::tags || piece.body) return true;
  for (json::Member member : piece.arguments.members()) {
    piece.guards.emplace_back();
    if (!guard(piece, member, known, piece.guards.back())) return false;
  }
  return true;
}

// Which parameter is to blame, and for what.
Unwritable DialectState::why(const Piece& piece, const std::vector<Tool>& known) const {
  Unwritable out{std::string(piece.name), {}, {}};
  for (json::Member member : piece.arguments.members()) {
    const json::Document alone = only(member);
    std::vector<Piece> one = {{piece.name, piece.id, alone.root()}};
    if (arrange(one[0], known) && exact(put_calls(how, row, one), one, known)) continue;
    out.parameter = member.key;
    std::vector<Found> heard;
    one[0].guards.clear();
    static_cast<void>(exact(put_calls(how, row, one), one, known, &heard));
    std::optional<json::Value> read;
    if (heard.size() == 1 && !heard[0].reading.document.empty())
      read = heard[0].reading.document.root().find(member.key);
    if (read && read->kind() != member.value.kind())
      out.reason = "it is " + in_words(member.value.kind()) + ", and the format's raw text would be read as " +
                   in_words(read->kind()) + ": the tool's schema does not tell them apart";
    else if (!read)
      out.reason = "the format has no place for a parameter of this name";
    else
      out.reason = "its text holds what the format uses as its own marks, and there is no escape for them";
    return out;
  }
  const json::Document none = read_object({}, limits);
  const std::vector<Piece> empty = {{piece.name, piece.id, none.root()}};
  out.reason = exact(put_calls(how, row, empty), empty, known)
                   ? "its parameters cannot stand side by side in this format"
                   : "the format has no place for a tool of this name";
  return out;
}

std::expected<std::string, Unwritable> DialectState::write(std::span<const Call> calls, bool anyway) const {
  std::vector<json::Document> documents;
  std::vector<Piece> pieces;
  documents.reserve(calls.size());
  for (const Call& call : calls) {
    documents.push_back(read_object(call.arguments, limits));
    if (documents.back().empty()) return std::unexpected(Unwritable{call.name, {}, "its arguments are no JSON object"});
    pieces.push_back({call.name, call.id, documents.back().root(), pieces.size()});
  }
  if (pieces.empty()) return std::string();
  const std::vector<Tool> known = tools_for(pieces);
  bool fits = true;
  for (Piece& piece : pieces) {
    if (arrange(piece, known)) continue;
    // Many formats take a JSON object in the call's tag as well.
    Piece other = piece;
    other.body = true;
    other.index = 0;
    fits = exact(put_calls(how, row, {other}), {other}, known);
    if (!fits) break;
    piece.body = true;
  }
  std::string text = put_calls(how, row, pieces);
  if (fits && exact(text, pieces, known)) return text;
  // Parameters, or calls, that are safe alone and not together.
  if (fits && row.grammar == Grammar::tags) {
    std::vector<Piece> bodies = pieces;
    for (Piece& piece : bodies) piece.body = true;
    if (std::string other = put_calls(how, row, bodies); exact(other, bodies, known)) return other;
  }
  if (anyway) return text;
  for (const Piece& piece : pieces) {
    Piece alone{piece.name, piece.id, piece.arguments};
    if (!arrange(alone, known) || !exact(put_calls(how, row, {alone}), {alone}, known))
      return std::unexpected(why(alone, known));
  }
  return std::unexpected(Unwritable{pieces[0].name.data() ? std::string(pieces[0].name) : "",
                                    {},
                                    "these calls cannot stand side by side in this format"});
}

Dialect::Dialect(std::string_view format, std::span<const chat::Tool> tools, Limits limits)
    : state_(std::make_unique<const DialectState>(format, tools, limits)) {}
Dialect::~Dialect() = default;
Dialect::Dialect(Dialect&&) noexcept = default;
Dialect& Dialect::operator=(Dialect&&) noexcept = default;

std::string_view Dialect::format() const { return state_->how.format; }
std::expected<std::string, Unwritable> Dialect::write_call(const Call& call) const {
  return state_->write({&call, 1}, false);
}
std::expected<std::string, Unwritable> Dialect::write_calls(std::span<const Call> calls) const {
  return state_->write(calls, false);
}

}  // namespace BELAY_NAMESPACE::text

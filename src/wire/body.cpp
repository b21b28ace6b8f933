#include "wire/body.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <array>

namespace BELAY_NAMESPACE::wire {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// A name as one step of a JSON Pointer.
std::string escaped(std::string_view name) {
  std::string out;
  for (char c : name) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace

bool same_name(std::string_view camel, std::string_view key) {
  for (char c : camel) {
    bool hump = c >= 'A' && c <= 'Z';
    bool snake = hump && key.starts_with('_');
    if (snake) key.remove_prefix(1);
    if (key.empty() || (snake ? upper(key.front()) : key.front()) != c) return false;
    key.remove_prefix(1);
  }
  return key.empty();
}

ObjectReader::ObjectReader(json::Value object, Spelling spelling) : spelling_(spelling) {
  entries_.reserve(object.is_object() ? object.size() : 0);
  for (json::Member m : object.members()) entries_.push_back({m});
}

template <class Fits>
std::optional<json::Value> ObjectReader::take(std::string_view name, Fits fits) {
  std::optional<json::Value> found;
  for (Entry& e : entries_) {
    bool same = spelling_ == Spelling::exact ? e.member.key == name : same_name(name, e.member.key);
    if (e.taken || !same || !fits(e.member.value)) continue;
    // Of a name that stands twice the last counts, as in Value::find(); none of them is kept.
    e.taken = true;
    found = e.member.value;
  }
  return found;
}

std::optional<json::Value> ObjectReader::any(std::string_view name) {
  return take(name, [](json::Value) { return true; });
}

std::optional<std::string_view> ObjectReader::text(std::string_view name) {
  auto v = take(name, [](json::Value x) { return x.is_string(); });
  return v ? std::optional(v->as_string()) : std::nullopt;
}

std::optional<std::uint64_t> ObjectReader::count(std::string_view name) {
  auto v = take(name, [](json::Value x) { return x.as_uint64().has_value(); });
  return v ? v->as_uint64() : std::nullopt;
}

std::optional<double> ObjectReader::number(std::string_view name) {
  auto v = take(name, [](json::Value x) { return x.is_number(); });
  return v ? std::optional(v->as_double()) : std::nullopt;
}

std::optional<bool> ObjectReader::boolean(std::string_view name) {
  auto v = take(name, [](json::Value x) { return x.is_bool(); });
  return v ? std::optional(v->as_bool()) : std::nullopt;
}

std::optional<json::Value> ObjectReader::object(std::string_view name) {
  return take(name, [](json::Value x) { return x.is_object(); });
}

std::optional<json::Value> ObjectReader::array(std::string_view name) {
  return take(name, [](json::Value x) { return x.is_array(); });
}

std::optional<std::vector<std::string>> ObjectReader::texts(std::string_view name) {
  auto v = take(name, [](json::Value x) {
    return x.is_array() && std::ranges::all_of(x.items(), [](json::Value item) { return item.is_string(); });
  });
  if (!v) return std::nullopt;
  std::vector<std::string> out;
  for (json::Value item : v->items()) out.emplace_back(item.as_string());
  return out;
}

void ObjectReader::keep_rest(std::string_view wire, Opaques& out) const {
  for (const Entry& e : entries_)
    if (!e.taken) keep(e.member.key, e.member.value, wire, out);
}

void ObjectReader::keep_rest_as(std::string_view key, std::string_view wire, Opaques& out) const {
  std::string rest;
  JsonText json(rest);
  json.open('{');
  for (const Entry& e : entries_)
    if (!e.taken) json.key(e.member.key).raw(json::to_string(e.member.value));
  json.close('}');
  if (rest != "{}") out.push_back({std::string(wire), std::string(key), std::move(rest)});
}

std::string object_text(std::string_view arguments) {
  json::ReaderOptions options;
  options.root = json::Root::object;
  // The limits held when the text came in; here nothing may be cut.
  options.limits.depth = options.limits.bytes = kUnlimited;
  json::Reading reading = json::read(arguments, options);
  if (reading.document.empty() || !reading.document.root().is_object()) return "{}";
  return json::to_string(reading.document.root());
}

std::string arguments_text(json::Value arguments) {
  if (arguments.is_string()) return std::string(arguments.as_string());
  return arguments.is_null() ? std::string() : json::to_string(arguments);
}

std::optional<ImageData> image_data(const chat::Block& image) {
  if (!image.data.empty()) return ImageData{image.media_type, image.data};
  std::string_view url = image.url;
  if (!url.starts_with("data:")) return std::nullopt;
  url.remove_prefix(5);
  std::size_t comma = url.find(',');
  if (comma == url.npos || !url.substr(0, comma).ends_with(";base64")) return std::nullopt;
  std::string_view type = url.substr(0, comma);
  return ImageData{type.substr(0, type.find(';')), url.substr(comma + 1)};
}

std::string_view sniffed_image(std::string_view base64) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kBeginnings = {{
      {"iVBORw0KGgo", "image/png"},
      {"/9j/", "image/jpeg"},
      {"R0lGOD", "image/gif"},
      {"UklGR", "image/webp"},
  }};
  for (auto [beginning, type] : kBeginnings)
    if (base64.starts_with(beginning)) return type;
  return {};
}

std::string joined_text(const std::vector<chat::Block>& blocks, std::string_view beside) {
  std::string out;
  bool after_text = false;
  for (const chat::Block& b : blocks) {
    bool is_text = b.kind == chat::Block::Kind::text || b.kind == chat::Block::Kind::refusal;
    if (is_text && !b.text.empty()) {
      if (!out.empty()) out += after_text ? beside : "\n";
      out += b.text;
    }
    after_text = is_text;
  }
  return out;
}

ModelVersion model_version(std::string_view model, std::string_view family) {
  std::size_t at = model.find(family);
  if (at == model.npos) return {};
  std::string_view rest = model.substr(at + family.size());
  std::array<unsigned, 2> numbers = {0, 0};
  std::size_t found = 0;
  while (found < numbers.size()) {
    while (!rest.empty() && !is_digit(rest.front())) {
      // The second number stands right behind the first, or there is none: 5-haiku-2 is version 5.
      if (found == 1 && (rest.size() < 2 || !is_digit(rest[1]))) return {numbers[0], 0};
      rest.remove_prefix(1);
    }
    if (rest.empty()) break;
    std::size_t digits = 0;
    while (digits < rest.size() && is_digit(rest[digits])) ++digits;
    if (digits > 2) break;
    for (char c : rest.substr(0, digits)) numbers[found] = numbers[found] * 10 + static_cast<unsigned>(c - '0');
    rest.remove_prefix(digits);
    ++found;
  }
  return {numbers[0], numbers[1]};
}

std::string CallIds::call(std::string_view id, std::string_view name) {
  // Once a result came, the calls before it that have none will not get one.
  if (std::exchange(answered_, false)) waiting_.clear();
  std::string mine = id.empty() ? "belay_call_" + std::to_string(calls_) : std::string(id);
  ++calls_;
  waiting_.push_back({mine, std::string(name)});
  return mine;
}

std::string CallIds::result(std::string_view id, std::string& name) {
  answered_ = true;
  auto found = std::ranges::find_if(
      waiting_, [&](const Waiting& w) { return !id.empty() ? w.id == id : name.empty() || w.name == name; });
  std::string mine(id);
  if (found != waiting_.end()) {
    mine = found->id;
    if (name.empty()) name = found->name;
    waiting_.erase(found);
  } else if (mine.empty()) {
    mine = "belay_result_" + std::to_string(strays_++);
  }
  return mine;
}

std::unexpected<WireError> wrong(std::string path, std::string message) {
  return std::unexpected(WireError{std::move(path), std::move(message)});
}

std::string below(std::string_view path, std::string_view name) { return std::string(path) + "/" + escaped(name); }
std::string below(std::string_view path, std::size_t index) { return std::string(path) + "/" + std::to_string(index); }

}  // namespace BELAY_NAMESPACE::wire

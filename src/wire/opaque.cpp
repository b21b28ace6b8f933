#include "wire/opaque.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>

namespace BELAY_NAMESPACE::wire {
namespace {

bool among(Keys keys, std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

}  // namespace

void keep(std::string_view key, json::Value value, std::string_view wire, Opaques& out) {
  out.push_back({std::string(wire), std::string(key), json::to_string(value)});
}

void keep_rest(json::Value object, Keys known, std::string_view wire, Opaques& out) {
  for (json::Member member : object.members())
    if (!among(known, member.key)) keep(member.key, member.value, wire, out);
}

std::string rest_of(json::Value object, Keys known) {
  std::string out;
  for (json::Member member : object.members()) {
    if (among(known, member.key)) continue;
    out += out.empty() ? '{' : ',';
    json::write_string(member.key, out);
    out += ':';
    json::write(member.value, out);
  }
  if (!out.empty()) out += '}';
  return out;
}

void keep_rest_as(std::string_view key, json::Value object, Keys known, std::string_view wire, Opaques& out) {
  if (std::string rest = rest_of(object, known); !rest.empty())
    out.push_back({std::string(wire), std::string(key), std::move(rest)});
}

std::string_view opaque_of(const Opaques& opaques, std::string_view wire, std::string_view key) {
  for (const chat::Opaque& o : opaques)
    if (o.wire == wire && o.key == key) return o.json;
  return {};
}

bool has_opaque_of(const Opaques& opaques, std::string_view wire) {
  return std::any_of(opaques.begin(), opaques.end(), [&](const chat::Opaque& o) { return o.wire == wire; });
}

void write_rest(JsonText& json, const Opaques& opaques, std::string_view wire, Keys but) {
  for (const chat::Opaque& o : opaques)
    if (o.wire == wire && !o.key.starts_with('@') && !among(but, o.key) && !o.json.empty()) json.key(o.key).raw(o.json);
}

void write_members(JsonText& json, std::string_view object, Keys but) {
  if (object.empty()) return;
  json::Reading reading = json::read(object);
  if (reading.document.empty()) return;
  for (json::Member member : reading.document.root().members())
    if (!among(but, member.key)) json.key(member.key).raw(json::to_string(member.value));
}

bool has_member(std::string_view object, std::string_view key) {
  json::Reading reading = json::read(object);
  return !reading.document.empty() && reading.document.root().find(key);
}

std::string text_in(std::string_view object, std::string_view key) {
  if (object.empty()) return {};
  json::Reading reading = json::read(object);
  return reading.document.empty() ? std::string() : std::string(text_at(reading.document.root(), key));
}

}  // namespace BELAY_NAMESPACE::wire

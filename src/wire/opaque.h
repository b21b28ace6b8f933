// What a wire keeps for itself: members that the neutral vocabulary has no word for, and how they get back.
#pragma once

#include "wire/dialect.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::wire {

using Opaques = std::vector<chat::Opaque>;
using Keys = std::initializer_list<std::string_view>;

/// Every member of `object` but the known ones, each as one Opaque.
void keep_rest(json::Value object, Keys known, std::string_view wire, Opaques& out);
/// The object without the known members, as JSON text; empty when nothing is left.
std::string rest_of(json::Value object, Keys known);
/// As one Opaque of that key, when something is left.
void keep_rest_as(std::string_view key, json::Value object, Keys known, std::string_view wire, Opaques& out);
void keep(std::string_view key, json::Value value, std::string_view wire, Opaques& out);

/// The JSON text of the Opaque of this wire and key, or empty.
std::string_view opaque_of(const Opaques& opaques, std::string_view wire, std::string_view key);
bool has_opaque_of(const Opaques& opaques, std::string_view wire);
/// As members of the object that is open: every Opaque of this wire but those keys. Keys that begin with `@` are no
/// members, but notes on how something stood there.
void write_rest(JsonText& json, const Opaques& opaques, std::string_view wire, Keys but = {});
/// The members of an object's JSON text but those, as members of the object that is open.
void write_members(JsonText& json, std::string_view object, Keys but = {});
/// The string that a member of an object's JSON text is, or empty.
std::string text_in(std::string_view object, std::string_view key);
bool has_member(std::string_view object, std::string_view key);

}  // namespace BELAY_NAMESPACE::wire

// A call whose parameters stand in tags.
#pragma once

#include "text/object_part.h"
#include "text/payload.h"
#include "text/raw_value.h"
#include "text/tag_doubt.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// What a type's name in a tag allows; kNoType when there is no such type.
std::uint8_t type_named(std::string_view name);

class TagCall final : public Payload {
 public:
  TagCall(Context& context, const Row& row, std::string id, std::string name, Receipt receipt);

  /// Parameters that stood in the tag of the call.
  void give(const std::vector<Attribute>& attributes);
  /// The call is over, without any parameter in tags.
  void end() { end_call(true, false); }
  std::size_t read(std::string_view window, Position at, bool final) override;
  [[nodiscard]] json::MaybePartial partial() const override { return body_ ? body_->value() : builder_.value(); }
  [[nodiscard]] bool guessed() const override {
    return receipt_.grade == json::Grade::guess || (body_ && body_->guessed());
  }

 private:
  enum class In : std::uint8_t { between, key, before_value, value, character_data, inside, body };
  enum class Next : std::uint8_t { go, wait };

  // between parameters (tag_calls.cpp)
  Next between(std::string_view rest, Position at, bool final, std::size_t& used);
  Next closing(const Tag& tag, std::string_view rest, Position at, std::size_t& used);
  Next opening(const Tag& tag, std::string_view rest, Position at, std::size_t& used);
  Next in_body(std::string_view rest, Position at, bool final, std::size_t& used);
  void add_to_key(std::string_view bytes);
  Next in_key(std::string_view rest, Position at, bool final, std::size_t& used);
  void stray(Position at, std::string_view bytes);
  void settle_stray();
  void begin_value(std::string_view key, std::uint8_t types, Position at);
  void not_closed(Position at);
  void end_call(bool closed, bool cut, Position at = {});
  void take_attributes(const Tag& tag, std::string_view key, Position at);
  [[nodiscard]] bool unknown(std::string_view key) const { return shape_.declared && !shape_.has(key); }
  [[nodiscard]] std::optional<std::string> key_of(const Tag& tag) const;
  [[nodiscard]] std::uint8_t types_of(const Tag& tag, std::string_view key) const;
  [[nodiscard]] bool is_call(const Tag& tag) const;
  [[nodiscard]] Is call_begins(std::string_view text, bool final) const;
  [[nodiscard]] Is outer_call(std::string_view text, bool final) const;
  [[nodiscard]] std::string_view called(const Tag& tag) const;

  // inside one (tag_values.cpp)
  enum class Step : std::uint8_t {
    wait,     // more bytes are needed
    text,     // the tag's first byte is text
    content,  // all of the tag is text
    taken,    // the tag was read
    over,     // the value ended before the tag
  };
  Next in_value(std::string_view rest, Position at, bool final, std::size_t& used);
  Step closer_in_value(const Tag& tag, std::string_view rest, Position at, bool final);
  Step tag_in_value(const Tag& tag, std::string_view rest, Position at, bool final);
  Next in_character_data(std::string_view rest, bool final, std::size_t& used);
  Next inside(std::string_view rest, Position at, bool final, std::size_t& used);
  enum class Follows : std::uint8_t { structure, text, unknown };
  [[nodiscard]] Follows what_follows(std::string_view rest, bool final, bool call_end) const;
  void end_value();
  bool open_level(const Tag& tag, Position at);
  void begin_child(const Tag& tag, Position at);
  [[nodiscard]] bool closes_value(const Tag& tag) const;
  [[nodiscard]] bool bare_values() const { return style_.nested && c_.tool(name_) != nullptr; }
  [[nodiscard]] bool sure_tags() const { return style_.open != "<"; }

  void delta(std::string_view bytes) { c_.output.delta(bytes); }
  void fail_limit(Position at, std::string_view what, std::string_view limit, std::uint64_t bytes);

  Context& c_;
  const Row& row_;
  const TagStyle& style_;
  std::string id_, name_;
  Shape none_;
  const Shape& shape_;
  json::Builder builder_;
  Receipt receipt_;
  RawValue value_;
  std::optional<ObjectPart> body_;
  In in_ = In::between;
  std::string key_;  // of the open parameter
  Position key_at_;  // where one between tags of its own began
  bool key_too_long_ = false;
  std::set<std::string, std::less<>> given_;
  std::uint64_t bytes_ = 0;
  std::uint64_t nested_ = 0;   // opening tags of the same kind in the value
  bool line_start_ = true;     // the value's last byte was a line break
  std::string behind_data_;    // white space behind CDATA
  bool quoted_ = false;        // the value was given as CDATA
  Edges edges_;                // of the value's raw text
  std::int64_t brackets_ = 0;  // ] of it that no [ opened, where tags begin with one
  bool closes_own_ = false;    // the value's closing tag is called like its key
  bool body_closed_ = false;
  std::optional<std::string> given_value_;  // what the parameter's tag says in an attribute
  bool body_touches_ = true;                // nothing stands between the object and what follows it
  std::uint64_t stray_at_ = 0, stray_length_ = 0;
  struct Level {
    std::string key;
    bool list = false;
    bool either = false;         // an object could stand there just as well
    std::uint64_t children = 0;  // tags in it so far
    std::uint64_t at = 0;        // where the first of them stands
    const Shape* shape = nullptr;
  };
  std::vector<Level> levels_;  // parameters that hold tags, outermost first
  const Shape* value_shape_ = nullptr;
  json::Error error_;
};

}  // namespace BELAY_NAMESPACE::text

// Tags: <name>, <name=value>, <name key="value">, </name>, and the same between other brackets.
#pragma once

#include "text/formats.h"

#include <belay/text/shape.h>

#include <functional>
#include <optional>
#include <string_view>

namespace BELAY_NAMESPACE::text {

struct Tag {
  Is is = Is::no;
  std::size_t length = 0;
  bool closing = false;
  std::string_view name;
  std::string_view value;       ///< behind the =, without quotes
  std::string_view attributes;  ///< all of them, as written
  bool empty = false;           ///< <name/>
  bool torn = false;            ///< a quote is missing

  /// <parameter=x="1">: what stands behind the second =.
  std::optional<std::string_view> assigned;

  /// All attributes that have a value, in order.
  void each_attribute(const std::function<void(std::string_view key, std::string_view value)>& f) const;
  /// A quote is missing or one too many, or bytes stand in it that mean nothing.
  [[nodiscard]] bool odd() const;
  /// The value of an attribute; empty when there is none.
  [[nodiscard]] std::string_view attribute(std::string_view key) const;
  [[nodiscard]] bool has_attribute(std::string_view key) const;
};

/// The tag at the front of the text. `more` while it may still become one, up to kHold bytes.
Tag read_tag(std::string_view text, const TagStyle& style, bool final);

/// True when the tag is one of these, in any case.
bool named(const Tag& tag, const Words& names);
/// The parameter as its tool spells it, when the tag is called like one in any case; empty when it is not.
std::string_view parameter_named(std::string_view tag, const Shape& shape);
/// Whether a text begins with tags that have the form of parameters, though the tool has none of these names: each
/// opened and closed, up to a parameter that it has, or the end of the call. `more` when that is not decided; `end`,
/// when there is one, is where the call's closing tag ends. `open`: the parameter before them, which is over only if it
/// is not closed once more inside of them.
Is like_parameters(std::string_view text, const TagStyle& style, std::string_view call, const Shape& shape, bool final,
                   std::string_view open, std::size_t* end = nullptr);
/// True when it differs from a name by little: one or two letters wrong, missing or too many.
bool nearly_named(std::string_view name, std::string_view wanted);

}  // namespace BELAY_NAMESPACE::text

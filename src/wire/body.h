// What the bodies of several wires share: objects taken apart, arguments as an object, images, ids for calls.
#pragma once

#include "wire/opaque.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::wire {

/// fooBar and foo_bar are one name to Google's JSON.
bool same_name(std::string_view camel, std::string_view key);

/// The members of one object, to be taken one by one. A member is taken only when it is of the kind that was asked for;
/// what nobody took can be kept as it came. So nothing is lost, and a wrong kind is the provider's to complain about.
class ObjectReader {
 public:
  /// How the names that are asked for may be spelled in the object.
  enum class Spelling : std::uint8_t {
    exact,
    camel_or_snake,  ///< systemInstruction also as system_instruction, as Google's JSON allows
  };
  explicit ObjectReader(json::Value object, Spelling spelling = Spelling::exact);

  std::optional<json::Value> any(std::string_view name);
  std::optional<std::string_view> text(std::string_view name);
  std::optional<std::uint64_t> count(std::string_view name);
  std::optional<double> number(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  std::optional<json::Value> object(std::string_view name);
  std::optional<json::Value> array(std::string_view name);
  /// A list that holds nothing but strings.
  std::optional<std::vector<std::string>> texts(std::string_view name);

  /// Everything that was not taken, each member as one Opaque.
  void keep_rest(std::string_view wire, Opaques& out) const;
  /// The same as one Opaque of that key, an object, when something is left.
  void keep_rest_as(std::string_view key, std::string_view wire, Opaques& out) const;

 private:
  template <class Fits>
  std::optional<json::Value> take(std::string_view name, Fits fits);
  struct Entry {
    json::Member member;
    bool taken = false;
  };
  std::vector<Entry> entries_;
  Spelling spelling_;
};

/// The arguments of a call as the text of one JSON object on one line: `{}` for no text; of a text that is not JSON
/// what can be understood of it.
std::string object_text(std::string_view arguments);
/// What a wire gives as arguments: a string is its text already, null is none, everything else is written as JSON.
std::string arguments_text(json::Value arguments);

/// The bytes of an image in base64, from the block or from its `data:` URL.
struct ImageData {
  std::string_view media_type, data;
};
std::optional<ImageData> image_data(const chat::Block& image);
/// What base64 begins with says what it is; empty when it is none of the usual formats.
std::string_view sniffed_image(std::string_view base64);

/// The texts of a result or message. Between two of them a line break; `beside` where nothing else stands between.
std::string joined_text(const std::vector<chat::Block>& blocks, std::string_view beside = "\n");

/// The numbers in a model's name behind `family`: "claude-" in claude-sonnet-4-6 gives 4 and 6, "gemini-" in
/// models/gemini-2.5-pro gives 2 and 5. Dates do not count. Zeros for a name of another family.
struct ModelVersion {
  unsigned first = 0, second = 0;
  auto operator<=>(const ModelVersion&) const = default;
};
ModelVersion model_version(std::string_view model, std::string_view family);

/// Pairs calls and results where a wire need not name them. A call without an id gets one that says where it stands in
/// the conversation, so that it is the same in every later request; a result without one gets that of the first call of
/// its name that has no result yet.
class CallIds {
 public:
  std::string call(std::string_view id, std::string_view name);
  /// A name that the result lacks is filled in.
  std::string result(std::string_view id, std::string& name);

 private:
  struct Waiting {
    std::string id, name;
  };
  std::vector<Waiting> waiting_;
  bool answered_ = false;
  std::size_t calls_ = 0, strays_ = 0;
};

std::unexpected<WireError> wrong(std::string path, std::string message);
std::string below(std::string_view path, std::string_view name);
std::string below(std::string_view path, std::size_t index);

}  // namespace BELAY_NAMESPACE::wire

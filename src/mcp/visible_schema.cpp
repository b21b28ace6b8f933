#include "mcp/visible_schema.h"

#include <belay/json.h>
#include <belay/mcp/tools.h>

#include "mcp/invisible.h"

namespace BELAY_NAMESPACE::mcp {
namespace {

bool is_prose(std::string_view key) { return key == "description" || key == "title" || key == "$comment"; }

class Cleaning {
 public:
  explicit Cleaning(const Limits& limits) : out_(limits) {}

  // As deep as the limits let the reader go. `prose`: the value is a text for people.
  void value(json::Value v, bool prose) {
    if (v.is_object()) {
      out_.open_object();
      for (const json::Member& member : v.members()) {
        name(member.key);
        out_.key(member.key);
        // In `properties` a key is a parameter's name; its value is no text then.
        value(member.value, is_prose(member.key) && member.value.is_string());
      }
      out_.close();
    } else if (v.is_array()) {
      out_.open_array();
      for (json::Value item : v.items()) value(item, false);
      out_.close();
    } else if (v.is_string() && prose) {
      std::size_t gone = 0;
      out_.string(visible_text(v.as_string(), gone));
      removed += gone;
    } else {
      // A separator may well be a control character.
      if (v.is_string())
        for_each_character(v.as_string(),
                           [&](std::string_view, std::uint32_t code) { hides = hides || invisible(code); });
      out_.copy(v);
    }
  }
  std::string text() {
    const json::Document document = out_.take();
    return json::to_string(document.root());
  }

  std::size_t removed = 0;
  bool hides = false;

 private:
  void name(std::string_view text) {
    std::size_t gone = 0;
    static_cast<void>(visible_text(text, gone));
    hides = hides || gone > 0;
  }

  json::Builder out_;
};

}  // namespace

std::expected<std::string, std::string> visible_schema(std::string_view schema, const Limits& limits,
                                                       std::size_t& removed) {
  removed = 0;
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  strict.limits = limits;
  const json::Reading reading = json::read(schema, strict);
  if (reading.verdict.word() != json::Word::valid) return std::string(schema);
  Cleaning cleaning(limits);
  cleaning.value(reading.document.root(), false);
  if (cleaning.hides) return std::unexpected("its schema has a name or a value with characters that nobody sees");
  removed = cleaning.removed;
  return removed > 0 ? cleaning.text() : std::string(schema);
}

}  // namespace BELAY_NAMESPACE::mcp

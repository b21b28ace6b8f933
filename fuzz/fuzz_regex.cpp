// Any pattern on any text: an answer, always the same one, and RE2 never finds a translation wrong. Where in the text a
// pattern is looked for does not matter to ECMA-262, so spelling out what stands around it gives the same answer. The
// first byte is the size of the pattern.
#include "fuzz.h"

#include "base/utf8.h"
#include "regex/translate.h"

#include <belay/regex.h>

#include <algorithm>

using namespace belay;

namespace {

bool too_large(std::string_view error) { return error.find("too large") != std::string_view::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  const std::string_view input = fuzz::text_of(data + 1, size - 1);
  const std::string_view ecma = input.substr(0, std::min<std::size_t>(data[0], input.size()));
  const std::string text = utf8::replaced(input.substr(ecma.size()));

  // An eighth of the usual memory: patterns of a few bytes can be large, and are to be refused quickly here.
  static const auto regexes = regex::make_regexes({.memory = 1 << 20});

  const auto translated = regex::translate(ecma);
  fuzz::require(translated == regex::translate(ecma), "translated in two ways", input);
  const auto pattern = regexes->compile(ecma);
  if (!pattern) {
    fuzz::require(!pattern.error().empty() && utf8::valid(pattern.error()), "an error that is not a sentence", input);
    fuzz::require(!translated || too_large(pattern.error()), pattern.error(), input);
    return 0;
  }
  fuzz::require(translated.has_value() && regex::is_regex(ecma), "compiled, but not ECMA-262", input);

  const bool found = (*pattern)->found_in(text);
  fuzz::require((*pattern)->found_in(text) == found, "found, and not", input);
  for (std::string_view around : {"()", "^[^]*()[^]*$", "[^]{0,9}()", "(){1,2}[^]*?"}) {
    std::string other(around);
    other.insert(other.find(')'), ecma);
    const auto same = regexes->compile(other);
    fuzz::require(same || too_large(same.error()), other + " is refused: " + (same ? "" : same.error()), input);
    if (same)
      fuzz::require((*same)->found_in(text) == found, other + (found ? " is not found" : " is found, alone it is not"),
                    input);
  }
  return 0;
}

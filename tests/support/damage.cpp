#include "../damage.h"

#include <algorithm>
#include <array>

namespace belay::check {
namespace {

using namespace std::string_view_literals;

constexpr std::array kPieces = {"{"sv,
                                "}"sv,
                                "["sv,
                                "]"sv,
                                "("sv,
                                ")"sv,
                                ":"sv,
                                ","sv,
                                ";"sv,
                                "="sv,
                                "=>"sv,
                                "\""sv,
                                "'"sv,
                                "`"sv,
                                "\\"sv,
                                "\\\""sv,
                                "“"sv,
                                "”"sv,
                                "‘"sv,
                                "’"sv,
                                "\"\"\""sv,
                                "&quot;"sv,
                                "//"sv,
                                "/*"sv,
                                "*/"sv,
                                "#"sv,
                                "<!--"sv,
                                "-->"sv,
                                "\n"sv,
                                " "sv,
                                "\r"sv,
                                "\t"sv,
                                "\x00"sv,
                                "\x01"sv,
                                "\xff"sv,
                                "\xc3"sv,
                                "\xa9"sv,
                                "\xf0\x9f"sv,
                                "\xef\xbb\xbf"sv,
                                "\xc2\xa0"sv,
                                "\\u"sv,
                                "\\ud83d"sv,
                                "\\ude00"sv,
                                "\\u00"sv,
                                "\\x41"sv,
                                "\\n"sv,
                                "\\d"sv,
                                "\\'"sv,
                                "true"sv,
                                "True"sv,
                                "None"sv,
                                "null"sv,
                                "nul"sv,
                                "NaN"sv,
                                "-"sv,
                                "+1"sv,
                                ".5"sv,
                                "0x1F"sv,
                                "007"sv,
                                "1_0"sv,
                                "12"sv,
                                "e"sv,
                                "a"sv,
                                "key:"sv,
                                "\"a\":"sv,
                                "\"a\":1"sv,
                                "{}"sv,
                                "[]"sv,
                                "{\"a\":1}"sv,
                                "..."sv,
                                "…"sv,
                                "```"sv,
                                "```json\n"sv,
                                "\n```\n"sv,
                                "</tool>"sv,
                                "<|im_end|>"sv,
                                "Here is it: "sv,
                                "ObjectId("sv,
                                "："sv,
                                "，"sv,
                                "b\""sv,
                                "\" + \""sv,
                                "\", \""sv,
                                "\": \""sv,
                                "\"}"sv,
                                "\"]"sv,
                                "}}"sv,
                                ",,"sv,
                                "::"sv};

}  // namespace

Damaged damaged_document(Choices& choices, Certainty worst) {
  Damaged out;
  out.original = make_document(choices);
  Specimen specimen{.tokens = tokens_of(out.original, choices), .prefix = {}, .suffix = {}};
  const std::size_t wanted = 1 + choices.below(3);
  // Many kinds have no place in a given document, so several are tried.
  for (int tries = 0; tries < 12 && out.applied.size() < wanted; ++tries) {
    const bool guess = worst == Certainty::several_readings && (out.certainty != worst || choices.flip());
    const Damage& damage = choices.pick(guess ? guess_damages() : safe_damages());
    // A surplus closer could stand in for one that was dropped and make another valid document.
    if (worst == Certainty::several_readings && damage.name == "surplus") continue;
    if (!damage.apply(specimen, choices)) continue;
    out.certainty = std::max(out.certainty, damage.certainty);
    out.applied.push_back(damage.name);
  }
  out.text = specimen.text();
  return out;
}

void add_noise(std::string& text, Choices& choices) {
  for (std::size_t n = 1 + choices.below(6); n > 0; --n) {
    std::size_t at = choices.below(text.size() + 1);
    std::size_t length = std::min(choices.below(8), text.size() - at);
    switch (choices.below(6)) {
      case 0:
      case 1:
      case 2: text.insert(at, choices.pick(kPieces)); break;
      case 3: text.erase(at, length); break;
      case 4: text.replace(at, length, choices.pick(kPieces)); break;
      default: text.insert(at, text.substr(at, length)); break;
    }
  }
}

std::vector<std::size_t> make_cuts(std::size_t size, Choices& choices) {
  std::vector<std::size_t> cuts;
  for (std::size_t n = 1 + choices.below(8); n > 0; --n) cuts.push_back(choices.below(size + 1));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

std::vector<std::string_view> cut_at(std::string_view text, const std::vector<std::size_t>& cuts) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  for (std::size_t cut : cuts) {
    pieces.push_back(text.substr(from, cut - from));
    from = cut;
  }
  pieces.push_back(text.substr(from));
  return pieces;
}

}  // namespace belay::check

#include "receipt.h"

#include "terminal.h"
#include "words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace belay::cli {
namespace {

constexpr std::size_t kShown = 5;  // edits in a brief receipt
constexpr std::size_t kWidth = 76;

void write_excerpt(Output& err, const Places& places, std::uint64_t offset, std::uint64_t length) {
  if (offset > places.head().size()) return;
  const Excerpt e = excerpt(places.head(), offset, length, kWidth);
  if (!e.line.empty()) err << "    " << e.line << "\n    " << e.marks << "\n";
}

void write_edit(Output& err, const json::Edit& edit, const Places& places) {
  err << "  " << places.describe(edit.offset) << ": " << json::name(edit.kind) << " (" << json::name(edit.grade)
      << ")\n"
      << "    " << words(edit.kind).what << "\n";
  write_excerpt(err, places, edit.offset, edit.length);
}

// The reader's message is "what; what to do". The place belongs between the two.
void write_error(Output& err, const json::Error& error, const Places& places) {
  const std::string_view message = error.message;
  const std::size_t semicolon = message.find("; ");
  err << printable(message.substr(0, semicolon)) << "\n"
      << "  " << describe(error.position) << ": " << json::name(error.kind) << "\n";
  write_excerpt(err, places, error.position.offset, 0);
  if (const std::string_view advice = remedy(error.kind); !advice.empty()) err << advice << "\n";
  if (semicolon == message.npos) return;
  std::string advice = printable(message.substr(semicolon + 2));
  if (advice[0] >= 'a' && advice[0] <= 'z') advice[0] = static_cast<char>(advice[0] - 'a' + 'A');
  err << advice << ".\n";
}

std::string count(std::uint64_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

void write_remedies(Output& err, const std::vector<json::Edit>& guesses) {
  std::vector<std::string_view> remedies;
  for (const json::Edit& guess : guesses) {
    const std::string_view remedy = words(guess.kind).remedy;
    if (std::ranges::find(remedies, remedy) == remedies.end()) remedies.push_back(remedy);
  }
  err << "Look at the value before you use it. To have it certain next time:\n";
  for (std::string_view remedy : remedies) err << "  " << remedy << "\n";
}

}  // namespace

void write_receipt(Output& err, const json::Reading& reading, const Places& places, Detail detail) {
  const json::Word word = reading.verdict.word();
  const bool full = detail == Detail::full;
  if (reading.verdict.trusted() && !full) return;

  err << "belay repair: " << json::name(word) << ": ";
  if (reading.error)
    write_error(err, reading.error, places);
  else
    err << meaning(word) << "\n";

  std::vector<json::Edit> shown = reading.edits;
  if (!full) std::erase_if(shown, [](const json::Edit& e) { return e.grade != json::Grade::guess; });
  const std::size_t guesses = shown.size();
  if (!full && shown.size() > kShown) shown.resize(kShown);
  for (const json::Edit& edit : shown) write_edit(err, edit, places);

  if (guesses > shown.size())
    err << "  and " << count(guesses - shown.size(), "more guess", "more guesses") << "; --verbose shows all\n";
  if (reading.edits_total > reading.edits.size())
    err << "  " << count(reading.edits_total - reading.edits.size(), "further edit is", "further edits are")
        << " counted only; --limit edits=N lists more\n";
  if (word == json::Word::guessed) {
    std::erase_if(shown, [](const json::Edit& e) { return e.grade != json::Grade::guess; });
    write_remedies(err, shown);
  }
}

}  // namespace belay::cli

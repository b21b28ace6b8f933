#include "receipt.h"

#include "terminal.h"
#include "words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace belay::cli {
namespace {

constexpr std::size_t kBriefEntries = 5;  // entries in a brief receipt
constexpr std::size_t kExcerptWidth = 76;

std::string count(std::uint64_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

void write_excerpt(Output& err, const Places& places, std::uint64_t offset, std::uint64_t length) {
  const auto around = places.around(offset);
  if (!around) return;
  const Excerpt e = excerpt(around->text, offset - around->from, length, kExcerptWidth);
  if (!e.line.empty()) err << "    " << e.line << "\n    " << e.marks << "\n";
}

// Edits of one kind at one place: a thousand brackets that lack their closers are one thing to say.
struct Entry {
  json::Edit edit;
  std::uint64_t times = 1;
};

std::vector<Entry> entries(const std::vector<json::Edit>& edits, bool guesses_only) {
  std::vector<Entry> found;
  for (const json::Edit& edit : edits) {
    if (guesses_only && edit.grade != json::Grade::guess) continue;
    if (!found.empty() && found.back().edit == edit)
      ++found.back().times;
    else
      found.push_back({edit});
  }
  return found;
}

// What is missing at the end of the text is shown before the white space there.
std::uint64_t shown_offset(const json::Edit& edit, const Places& places) {
  return edit.length == 0 ? places.shown(edit.offset) : edit.offset;
}

void write_entry(Output& err, const Entry& entry, const Places& places) {
  const json::Edit& edit = entry.edit;
  const std::uint64_t offset = shown_offset(edit, places);
  err << "  " << places.describe(offset) << ": " << json::name(edit.kind) << " (" << json::name(edit.grade) << ")";
  if (entry.times > 1) err << ", " << std::to_string(entry.times) << " times";
  err << "\n    " << words(edit.kind).what;
  if (edit.grade == json::Grade::guess) err << doubt(edit.kind);
  err << "\n";
  write_excerpt(err, places, offset, edit.length);
}

// Where it is; for a text that has no value anywhere, how much of it there was, and how it begins.
void write_place(Output& err, const json::Error& error, const Places& places) {
  if (error.kind == json::ErrorKind::empty || error.kind == json::ErrorKind::no_value) {
    if (places.size() == 0) return;
    err << "  " << count(places.size(), "byte was", "bytes were") << " read\n";
    const std::size_t start = places.head().find_first_not_of(" \t\r\n");
    if (start != places.head().npos) write_excerpt(err, places, start, 0);
    return;
  }
  const std::uint64_t offset = places.shown(error.position.offset);
  const std::string place = offset == error.position.offset ? describe(error.position) : places.describe(offset);
  err << "  " << place << ": " << json::name(error.kind) << "\n";
  write_excerpt(err, places, offset, 0);
}

// JSON would allow what stands here; --root object does not.
bool refused_by_root(const json::Reading& reading, const json::ReaderOptions& options, const Places& places) {
  if (options.root != json::Root::object || reading.verdict.count > 0) return false;
  if (reading.error.kind == json::ErrorKind::no_value) return true;
  const std::uint64_t offset = reading.error.position.offset;
  return reading.error.kind == json::ErrorKind::unexpected_byte && offset < places.head().size() &&
         std::string_view("[\"-0123456789tfn").contains(places.head()[offset]);
}

// By its mark, or because every other byte is zero, as in Latin text.
bool looks_like_utf16(std::string_view head) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
  if (head.size() < 4) return false;
  std::size_t zeros[2] = {0, 0};
  const std::size_t looked = std::min<std::size_t>(head.size(), 64) & ~std::size_t{1};
  for (std::size_t i = 0; i < looked; ++i) zeros[i % 2] += head[i] == '\0';
  return (zeros[0] == looked / 2 && zeros[1] == 0) || (zeros[1] == looked / 2 && zeros[0] == 0);
}

// The reader's message is "what; what to do". The place belongs between the two.
void write_error(Output& err, const json::Reading& reading, const json::ReaderOptions& options, const Places& places) {
  if (refused_by_root(reading, options, places)) {
    err << "there is no JSON object in this text\n";
    write_place(err, reading.error, places);
    err << "Send one JSON object: --root object takes nothing else.\n";
    return;
  }
  const std::string message = for_shell(reading.error.message);
  const std::size_t semicolon = message.find("; ");
  err << printable(std::string_view(message).substr(0, semicolon)) << "\n";
  write_place(err, reading.error, places);
  // A warning comes before what to do, another way of doing it after.
  const std::string_view general = remedy(reading.error.kind);
  const bool warned = reading.error.kind == json::ErrorKind::truncated;
  if (warned)
    err << (reading.verdict.count > 0 ? general : "Nothing of it is certain, so no value was written.") << "\n";
  if (semicolon != message.npos) {
    std::string advice = printable(std::string_view(message).substr(semicolon + 2));
    if (advice[0] >= 'a' && advice[0] <= 'z') advice[0] = static_cast<char>(advice[0] - 'a' + 'A');
    err << advice << ".\n";
  }
  if (!warned && !general.empty()) err << general << "\n";
}

void write_remedies(Output& err, const std::vector<Entry>& shown, bool streamed) {
  constexpr std::string_view kNext = " To have it certain next time:";
  std::vector<std::string_view> remedies;
  for (const Entry& entry : shown) {
    if (entry.edit.grade != json::Grade::guess) continue;
    const std::string_view remedy = words(entry.edit.kind).remedy;
    if (std::ranges::find(remedies, remedy) == remedies.end()) remedies.push_back(remedy);
  }
  err << (streamed ? "Without --stream the whole value is written, guesses and all."
                   : "Look at the value before you use it.")
      << (remedies.empty() ? std::string_view() : kNext) << "\n";
  for (std::string_view remedy : remedies) err << "  " << remedy << "\n";
  // What is missing at the end is the commonest sign of a cut, and only the caller knows.
  const json::EditKind last = shown.empty() ? json::EditKind::prose : shown.back().edit.kind;
  if (last == json::EditKind::missing_closer || last == json::EditKind::missing_quote)
    err << "If the text was cut off, --end cut says so, and what is open is truncated.\n";
}

// What stands on standard output is no value.
void write_stop(Output& err, const json::Reading& reading, const Places& places, std::uint64_t streamed) {
  std::string why = streamed == 0 ? "" : " at this place";
  if (streamed > 0 && reading.verdict.word() == json::Word::truncated) why = ", where the input was cut off";
  for (const json::Edit& edit : reading.edits)
    if (edit.grade == json::Grade::guess && reading.verdict.word() == json::Word::guessed) {
      // Not "before" it: what stands behind a mend can make it one.
      why = ", because of the guess at byte " + std::to_string(shown_offset(edit, places)) + " of the input";
      break;
    }
  if (streamed == 0)
    err << "Nothing was written" << why << ".\n";
  else
    err << "The output stopped after " << count(streamed, "byte", "bytes") << why
        << ": it is a prefix of a value, and not closed.\n";
}

}  // namespace

void write_receipt(Output& err, const json::Reading& reading, const json::ReaderOptions& options, const Places& places,
                   Detail detail, std::optional<std::uint64_t> streamed) {
  const json::Word word = reading.verdict.word();
  const bool full = detail == Detail::full;
  if (reading.verdict.trusted() && !full) return;

  err << "belay repair: " << json::name(word) << ": ";
  if (reading.error)
    write_error(err, reading, options, places);
  else
    err << meaning(word) << "\n";

  std::vector<Entry> shown = entries(reading.edits, !full);
  std::uint64_t left_out = 0;
  if (!full && shown.size() > kBriefEntries) {
    for (std::size_t i = kBriefEntries; i < shown.size(); ++i) left_out += shown[i].times;
    shown.resize(kBriefEntries);
  }
  for (const Entry& entry : shown) write_entry(err, entry, places);

  if (left_out > 0) err << "  and " << count(left_out, "more guess", "more guesses") << "; --verbose shows all\n";
  if (reading.edits_total > reading.edits.size() && (full || !shown.empty() || word == json::Word::guessed))
    err << "  " << count(reading.edits_total - reading.edits.size(), "further edit is", "further edits are")
        << " counted only; --limit edits=N lists more\n";
  if (streamed && !reading.verdict.trusted()) write_stop(err, reading, places, *streamed);
  if (word == json::Word::guessed) write_remedies(err, shown, streamed.has_value());
  if (!reading.verdict.trusted() && looks_like_utf16(places.head()))
    err << "The text looks like UTF-16, and JSON is UTF-8. To convert it: iconv -f UTF-16 -t UTF-8 FILE | belay "
           "repair\n";
}

}  // namespace belay::cli

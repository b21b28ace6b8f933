#include "demo.h"

#include "demo_calls.h"
#include "partial_text.h"
#include "places.h"
#include "terminal.h"
#include "words.h"

#include <belay/json/reader.h>
#include <belay/json/writer.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace belay::cli {
namespace {

constexpr std::size_t kDemoWidth = 78;
constexpr std::size_t kPieceWidth = 31;
constexpr std::size_t kValueWidth = kDemoWidth - kPieceWidth - 6;
constexpr std::size_t kShownEdits = 3;  // edits of one call

constexpr std::string_view kIntroduction =
    R"(Belay reads what a language model streams as the arguments of a tool call.
Here eight damaged calls arrive piece by piece: on the left each piece as it
comes in, on the right the value so far, with ~ where it is still open (a
string closes once what follows its quote proves that it was the last one).
Then the verdict, and the receipt: every change, how certain it was, and where.
)";

constexpr std::string_view kClosing =
    R"(valid, mended and split can be trusted. guessed needs a look, truncated and
broken are never acted on. To try it on your own text:  belay repair FILE
)";

class Show {
 public:
  explicit Show(Output& out) : out_(out), live_(out.is_terminal()), style_(Style::for_terminal(live_)) {}

  void call(std::size_t number, const DemoCall& call) {
    out_ << "\n" << style_.bold(std::to_string(number) + ". " + std::string(call.title)) << "\n";
    json::ReaderOptions options;
    options.root = json::Root::object;
    json::Reader reader(options);
    Places places;
    for (std::string_view piece : call.pieces) {
      reader.push(piece);
      places.note(piece);
      step(piece, reader);
    }
    if (call.ending == json::Ending::cut) out_ << "   " << style_.dim("(the stream was cut here)") << "\n";
    const json::Reading reading = reader.finish(call.ending);
    verdict(reading);
    if (reading.error) error(reading.error);
    if (reading.verdict.word() != json::Word::broken) {
      receipt(reading, places);
      values(reading);
    }
    out_ << "   " << call.lesson << "\n";
    out_.flush();
    pause(5);
  }

 private:
  void step(std::string_view piece, const json::Reader& reader) {
    std::string left = clipped(piece, kPieceWidth);
    const std::size_t room = kPieceWidth - columns(left);
    const auto value = reader.value();
    const std::string right = value ? clipped(partial_text(*value), kValueWidth) : style_.dim("(nothing yet)");
    out_ << "   " << left << std::string(room + 2, ' ') << right << "\n";
    out_.flush();
    pause(1);
  }

  void verdict(const json::Reading& reading) {
    const json::Word word = reading.verdict.word();
    const std::string name(json::name(word));
    const std::string painted = reading.verdict.trusted()     ? style_.green(name)
                                : word == json::Word::guessed ? style_.yellow(name)
                                                              : style_.red(name);
    out_ << "   verdict: " << painted << ", " << meaning(word) << "\n";
  }

  void error(const json::Error& error) {
    const std::string_view message = error.message;
    out_ << "     " << json::name(error.kind) << ", byte " << std::to_string(error.position.offset) << ": "
         << clipped(message.substr(0, message.find(';')), kDemoWidth - 25) << "\n";
  }

  // The first edit of each kind; there is not room for all.
  void receipt(const json::Reading& reading, const Places& places) {
    std::vector<json::EditKind> shown;
    for (const json::Edit& edit : reading.edits) {
      if (shown.size() == kShownEdits || std::ranges::find(shown, edit.kind) != shown.end()) continue;
      shown.push_back(edit.kind);
      out_ << "     " << json::name(edit.kind) << " (" << json::name(edit.grade) << "), byte "
           << std::to_string(edit.offset) << ": " << words(edit.kind).what << "\n";
      const Excerpt e = excerpt(places.head(), edit.offset, edit.length, kDemoWidth - 7);
      out_ << "       " << style_.dim(e.line) << "\n       " << style_.yellow(e.marks) << "\n";
    }
    if (const std::uint64_t rest = reading.edits_total - shown.size(); rest > 0)
      out_ << "     and " << std::to_string(rest) << " more like " << (shown.size() == 1 ? "it" : "these") << "\n";
  }

  void values(const json::Reading& reading) {
    const json::Word word = reading.verdict.word();
    const std::string_view label = word == json::Word::guessed     ? "guess:   "
                                   : word == json::Word::truncated ? "so far:  "
                                                                   : "value:   ";
    for (json::Value value : reading.document.values())
      out_ << "   " << label << clipped(json::to_string(value), kDemoWidth - 12) << "\n";
  }

  // Only for someone who watches.
  void pause(int steps) {
    if (live_ && out_.error() == 0) std::this_thread::sleep_for(steps * std::chrono::milliseconds(80));
  }

  Output& out_;
  bool live_;
  Style style_;
};

}  // namespace

Exit demo(Output& out) {
  out << kIntroduction;
  Show show(out);
  std::size_t number = 0;
  for (const DemoCall& call : demo_calls()) {
    show.call(++number, call);
    if (out.error() != 0) break;
  }
  out << "\n" << kClosing;
  out.finish();
  return out.error() == 0 ? Exit::done : Exit::failed;
}

}  // namespace belay::cli

// What the two halves of the reader share while one text is read: options, the tree, the receipt, the text output.
#pragma once

#include <belay/json/builder.h>
#include <belay/json/reader.h>

#include <string>
#include <vector>

namespace BELAY_NAMESPACE::json {

/// How many bytes may wait for a decision. Beyond it the strict reading stands.
inline constexpr std::size_t kHold = 4096;

struct Session {
  explicit Session(ReaderOptions o) : options(o), builder(o.limits) {}

  ReaderOptions options;
  Builder builder;
  std::vector<Edit> edits;
  std::uint64_t edits_total = 0;
  Grade grade = Grade::strict;
  bool guess_listed = false;  // one of the edits is a guess
  std::string text;           // JSON text that is certain and was not taken yet
  bool text_stopped = false;  // a guess came: no more text
  Error error;

  [[nodiscard]] Tape& tape() { return builder.tape(); }
  [[nodiscard]] bool wants_text() const { return options.text && !text_stopped; }

  void edit(EditKind kind, Grade g, std::uint64_t offset, std::uint64_t length) {
    ++edits_total;
    if (g > grade) grade = g;
    if (g == Grade::guess) text_stopped = true;
    if (edits.size() < options.limits.edits) {
      edits.push_back({kind, g, offset, length});
      guess_listed |= g == Grade::guess;
    } else if (g == Grade::guess) {
      list_guess({kind, g, offset, length});
    }
  }
  /// The first guess is listed beyond the limit, too: a verdict that nothing in the receipt explains helps nobody.
  void list_guess(const Edit& edit) {
    if (guess_listed || options.limits.edits == 0) return;
    edits.push_back(edit);
    guess_listed = true;
  }
  void fail(ErrorKind kind, Position at, std::string message) {
    if (!error) error = {kind, at, std::move(message)};
    text_stopped = true;
  }
  void fail_limit(std::string_view name, std::uint64_t value, Position at);

  void clear() {
    builder.clear();
    edits.clear();
    edits_total = 0;
    grade = Grade::strict;
    guess_listed = false;
    text.clear();
    text_stopped = false;
    if (error) error = {};
  }
};

}  // namespace BELAY_NAMESPACE::json

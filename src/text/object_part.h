// One JSON object inside a text: the reader that reads it says where it ends, and where a marker may count.
#pragma once

#include "text/payload.h"
#include "text/span.h"

#include <string>
#include <vector>

namespace BELAY_NAMESPACE::text {

/// Whether what stands right behind an object looks like more of it: a key, its quote or colon, a comma and a quote.
Is looks_like_more(std::string_view rest, bool final);
/// The same with white space before it, where a word or a quote may begin a text: a key in quotes and its colon, behind
/// a comma or not, or one that calls have for their arguments.
Is looks_like_member(std::string_view rest, bool final);

/// Whether a string follows that holds the object: "{\"x\": 1}".
Is looks_quoted(std::string_view rest, bool final);

class ObjectPart {
 public:
  ObjectPart(Context& context, const Row& row);

  enum class Opens : std::uint8_t {
    brace,
    key,     ///< the brace is missing
    quoted,  ///< a string holds it
  };
  void begin(Position at, Opens opens = Opens::brace);
  enum class Then : std::uint8_t {
    more,    ///< give the rest again, with more
    closed,  ///< its own closer was read
    marker,  ///< a marker follows before the object is whole
  };
  /// Takes bytes and says how many. What it takes goes to the reader and out as a delta. What it leaves is a marker
  /// that may count, and waits for what follows it; at most kHoldString bytes.
  std::size_t read(std::string_view window, bool final, Then& then);
  /// Another object follows, glued to this one, behind some white space: gives how many bytes were taken.
  std::size_t again(std::string_view window, std::size_t space);
  /// What was read. `cut`: nothing that could have ended it came.
  json::Reading finish(bool cut);

  [[nodiscard]] json::MaybePartial value() const {
    return opens_ == Opens::quoted ? json::MaybePartial() : reader_.value();
  }
  [[nodiscard]] bool guessed() const { return reader_.grade() == json::Grade::guess; }
  [[nodiscard]] std::uint64_t size() const { return reader_.offset(); }
  [[nodiscard]] Position begun_at() const { return at_; }

 private:
  bool read_quoted_text(std::string_view window, std::size_t& i);
  json::Reading finish_quoted(bool cut);
  bool read_strict(std::string_view window, std::size_t& i, bool final);
  bool read_damaged(std::string_view window, std::size_t& i);
  bool ends_at_last(std::string_view window, std::size_t& i);
  bool give(std::string_view window, std::size_t& i, std::size_t to, std::uint64_t before);
  void follow(std::string_view bytes);
  void note(std::string_view bytes);
  [[nodiscard]] bool may_be_marker(std::string_view rest) const;
  Is marker(std::string_view rest, bool final);
  Is marker_in_string(std::string_view rest, bool final, json::Place place);
  [[nodiscard]] Match own_end(std::string_view rest, bool final) const;
  [[nodiscard]] Is set_apart(std::string_view behind, bool final) const;

  Context& context_;
  const Row& row_;
  std::vector<std::string> ends_;  // what ends the call, when it stands in what would be a string
  bool follows_bare_ = false;      // the next call may begin with its brace
  ByteSet marks_, inner_;          // what markers begin with, outside of strings and in them
  ByteSet stops_;                  // the same where only the reader knows which is which
  json::Reader reader_;
  Span span_;
  Position at_;
  Opens opens_ = Opens::brace;
  std::string quoted_;      // the string that holds the object
  Position quoted_to_;      // where it ends so far
  bool escaped_ = false;    // its last byte began an escape
  bool damaged_ = false;    // the text has stopped to be strict JSON
  bool closing_ = false;    // the last byte closed the object, unless what follows says otherwise
  bool no_marker_ = false;  // what comes next was looked at, and is none
  std::size_t ahead_ = 0;   // bytes that the reader has, and that may still stand behind the end
  char last_ = 0;           // the last byte before what comes next that is no white space
  bool new_line_ = false;   // a line ended behind it
  std::size_t wait_ = 0;    // how many bytes there must be before it is worth to look again
};

}  // namespace BELAY_NAMESPACE::text

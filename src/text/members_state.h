// The machine behind Members: one state, a stack of what is open, and no byte looked at twice without need.
#pragma once

#include "text/edges.h"
#include "text/members.h"
#include "text/members_ahead.h"
#include "text/scan.h"

#include <vector>

namespace BELAY_NAMESPACE::text {

struct Members::State {
  using Kind = json::EditKind;

  State(Notation notation, const Shape& shape, json::Builder& builder, Receipt& receipt, Limits limits);

  enum class In : std::uint8_t {
    item,          // before a name, a value or a closer
    key_word,      // in a name without quotes
    key_end,       // behind a name, before '=' or ':'
    value,         // before a value
    word,          // in a value without quotes
    string,        // in a string, which may be a name
    after_string,  // behind a string of Python: another one would go on with it
    after,         // behind a value, before ',' or a closer
    stray,         // in bytes that fit nowhere
  };

  struct Frame {
    enum class Type : std::uint8_t {
      keywords,  // name=value
      object,    // name: value
      spread,    // as object, but the members belong to what is around it
      array,
      group,  // brackets around one value, which stands for them
    };
    Type type;
    char closer;
    bool any = false;    // an item was read
    bool comma = false;  // the last thing was a comma, at comma_at
    std::uint64_t comma_at = 0;
    std::size_t positional = 0;  // values without names so far
    const Shape* shape;
    [[nodiscard]] bool named() const { return type <= Type::spread; }
  };

  // A step takes bytes, or changes the state, or says that it needs more.
  enum class Next : std::uint8_t { go, wait };

  std::size_t read(std::string_view window, std::uint64_t offset, bool final);
  void close_all(std::uint64_t offset);

  // members.cpp: the window, and what is open
  [[nodiscard]] const char* here() const { return data_ + pos_; }
  [[nodiscard]] std::size_t left() const { return size_ - pos_; }
  [[nodiscard]] std::string_view rest() const { return {here(), left()}; }
  [[nodiscard]] std::uint64_t offset() const { return base_ + pos_; }
  [[nodiscard]] bool python() const { return notation_.language == Notation::Language::python; }
  void guess(Kind kind, std::uint64_t at, std::uint64_t length) { receipt_.guess(kind, at, length); }
  void safe(Kind kind, std::uint64_t at, std::uint64_t length) { receipt_.safe(kind, at, length); }
  Next step();
  void fail_depth();
  bool open(Frame::Type type, char closer);
  void close_frame();
  void value_done();
  void begin_value();
  void name_value();

  // members_structure.cpp: between values
  Next skip_space();
  Next step_item();
  Next step_after();
  void step_stray();
  void start_stray();
  Next step_value();
  Next open_paren();
  Next open_brace();
  Next on_closer(char c);
  void on_comma();

  // members_key.cpp
  Next start_key();
  Next step_key_word();
  Next step_key_end();
  void commit_key();

  // members_word.cpp: values without quotes
  void start_word();
  Next step_word();
  Next call_in_word();
  void end_word();
  void build_word(std::string_view word, std::uint64_t length);
  [[nodiscard]] bool word_is_scalar() const;
  [[nodiscard]] bool only_string() const;

  // members_string.cpp
  Next open_string(bool key, std::string_view prefix);
  bool open_token(bool key, Next& next);
  void begin_string(bool key);
  Next step_string();
  Next step_token_string();
  Next step_quote();
  bool take_characters(std::size_t n);
  void add(std::string_view text);
  void end_string();

  // members_quote.cpp: where strings end
  enum class Answer : std::uint8_t { no, yes, more };
  Next step_after_string();
  Next join_string(std::size_t from, std::size_t prefix);
  [[nodiscard]] Answer quote_ends_string() const;
  [[nodiscard]] Answer names_follow(std::size_t from) const;
  [[nodiscard]] Answer quote_follows(std::size_t from, std::size_t& prefix) const;
  [[nodiscard]] std::size_t past_space(std::size_t from) const;

  // members_escape.cpp
  Next step_escape();
  Next hex_escape(std::size_t digits);
  Next wait_for_escape();
  void add_escaped(std::uint32_t code_point, std::size_t length);
  void known_escape();
  void unknown_escape();

  Notation notation_;
  json::Builder& builder_;
  Receipt& receipt_;
  Limits limits_;
  json::Error error_;
  bool done_ = false;

  const char* data_ = nullptr;
  std::size_t size_ = 0, pos_ = 0;
  std::uint64_t base_ = 0;
  bool final_ = false;

  In in_ = In::item;
  bool comment_ = false;  // in a comment, whatever the state
  std::vector<Frame> frames_;
  std::size_t closers_[3] = {0, 0, 0};  // open frames that ')', ']' and '}' would close
  const Shape* value_shape_ = nullptr;  // of the value that comes next
  bool keyed_ = false;                  // a name was built, its value not yet begun
  bool nameless_ = false;               // the value that comes next has no name, where it should
  std::uint64_t value_at_ = 0;
  Ahead ahead_;

  std::string word_;  // a name or value without quotes, or a name with them
  std::uint64_t word_at_ = 0, word_end_ = 0;
  bool word_spaced_ = false;    // white space was the last in it
  bool never_scalar_ = false;   // no number or literal any more
  bool key_is_string_ = false;  // word_ is a name that had quotes
  std::uint32_t word_depth_ = 0;

  bool string_is_key_ = false;
  char quote_ = 0;  // 0: the notation's own quote token
  bool triple_ = false, raw_ = false;
  bool inner_quote_ = false;
  Edges edges_;                             // of a string between quote tokens
  bool line_end_ = false, joined_ = false;  // both in one string: its quotes may have been meant otherwise
  bool at_quote_ = false;                   // waits to see whether the quote here is the end
  bool known_escape_ = false;               // the string has escapes that stand for something
  bool unknown_escape_ = false;             // and such that do not, in the edits
  std::size_t first_unknown_ = 0;           // from here on

  std::uint64_t stray_at_ = 0;
  std::uint32_t stray_depth_ = 0;
  char stray_quote_ = 0;

  static constexpr std::size_t kHold = 500;  // bytes looked at ahead; beyond them the plain reading stands
};

/// White space of the notations.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
inline bool is_quote(char c) { return c == '"' || c == '\''; }
inline bool is_closer(char c) { return c == ')' || c == ']' || c == '}'; }
inline bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

}  // namespace BELAY_NAMESPACE::text

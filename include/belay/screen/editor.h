// The line that a person types: pure, keys in, text out.
#pragma once

#include <belay/screen/keys.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// What could stand where the cursor is: `from` is where the word begins that they would replace.
struct Completions {
  std::size_t from = 0;
  std::vector<std::string> words;
};

struct EditorOptions {
  std::size_t bytes = 4 << 20;   ///< of the text; what is typed beyond that is not taken
  std::size_t history = 1000;    ///< entries
  std::size_t entry = 64 << 10;  ///< bytes of an entry that goes into the history
};

/// One text of any number of lines, with a cursor, a history and completion. The cursor stands between characters;
/// combining marks belong to the character before them. Not thread-safe.
class Editor {
 public:
  explicit Editor(EditorOptions options = {}) : options_(options) {}

  /// Gives the text when it was entered; it is part of the history then, and the editor is empty.
  std::optional<std::string> on(const Key& key);
  /// Called with each entry that is new in the history.
  std::function<void(const std::string& entry)> remember{};
  /// Called for Tab, with the text before the cursor.
  std::function<Completions(std::string_view before)> complete{};

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t cursor() const { return cursor_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  void set(std::string text);
  void clear() { set({}); }
  /// Empty again, and the text is part of the history: Up brings it back.
  void put_away();
  /// What to choose from after a Tab that found several; empty otherwise.
  [[nodiscard]] const std::vector<std::string>& choices() const { return choices_; }
  /// The words to look for in the history, while the person does so.
  [[nodiscard]] const std::optional<std::string>& searching() const { return search_; }

  /// Oldest first.
  void set_history(std::vector<std::string> entries);
  [[nodiscard]] const std::vector<std::string>& history() const { return history_; }

  /// As it is drawn: rows of at most `width` columns, the first behind `prompt`, the others behind as many spaces; at
  /// most `most` rows, those around the cursor. Where four or more rows do not reach back to the beginning, the first
  /// two are its first line, and how long the text is.
  struct Drawn {
    std::vector<std::string> rows;
    std::size_t row = 0, column = 0;  ///< of the cursor
  };
  [[nodiscard]] Drawn draw(std::size_t width, std::string_view prompt, std::size_t most) const;

 private:
  void insert(std::string_view text);
  void erase(std::size_t from, std::size_t to, bool keep);
  [[nodiscard]] std::size_t before(std::size_t at) const;
  [[nodiscard]] std::size_t after(std::size_t at) const;
  [[nodiscard]] std::size_t word_before(std::size_t at) const;
  [[nodiscard]] std::size_t word_after(std::size_t at) const;
  [[nodiscard]] std::size_t line_begin(std::size_t at) const;
  [[nodiscard]] std::size_t line_end(std::size_t at) const;
  void vertical(bool up);
  void recall(bool older);
  void tab();
  bool search_key(const Key& key);
  void find_older(std::size_t below);
  std::optional<std::string> enter();
  void add_to_history(const std::string& text);

  EditorOptions options_;
  std::string text_;
  std::size_t cursor_ = 0;
  std::string killed_;
  std::vector<std::string> history_;
  std::optional<std::size_t> at_entry_;  // of the history, while it is looked through
  std::string draft_;                    // what was typed before that
  std::optional<std::string> search_;
  std::size_t found_ = 0;
  std::vector<std::string> choices_;
};

}  // namespace BELAY_NAMESPACE::screen

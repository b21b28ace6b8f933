// Text that streams, cut into rows that fit.
#pragma once

#include <belay/version.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace BELAY_NAMESPACE::screen {

/// Takes a stranger's text in pieces and gives rows of at most `width` columns, broken at spaces; a word that is longer
/// is broken where the row ends. Newlines end a row, tabs go to the next multiple of four, everything else is as
/// harmless as printable() makes it; but where text is broken at spaces, and so is prose, an emoji keeps the selector
/// behind it (U+FE0E, U+FE0F). A character that is cut between two pieces is put together. A row that was given
/// out never changes. Linear in the bytes, whatever they are.
class Flow {
 public:
  enum class Break : unsigned char { words, anywhere };
  explicit Flow(std::size_t width, Break where = Break::words) : width_(width < 4 ? 4 : width), where_(where) {}

  /// Calls `row(std::string)` for each row that is complete.
  template <class F>
  void push(std::string_view piece, F&& row) {
    take(piece, false);
    give(row);
  }
  /// The same for the rest.
  template <class F>
  void finish(F&& row) {
    take({}, true);
    give(row);
  }
  /// The row that is still open, ready to be shown.
  [[nodiscard]] std::string_view open_row() const { return row_; }
  [[nodiscard]] bool empty() const { return row_.empty() && cut_.empty(); }
  /// From now on; an open row that is too wide now is broken anew.
  template <class F>
  void resize(std::size_t width, F&& row) {
    narrow(width);
    give(row);
  }

 private:
  template <class F>
  void give(F&& row) {
    for (std::string& r : rows_) row(std::move(r));
    rows_.clear();
  }
  void take(std::string_view piece, bool last);
  void narrow(std::size_t width);
  std::size_t plain(std::string_view piece);
  void glyph(std::string_view text, std::size_t columns);
  bool selects(std::string_view piece);
  void end_row();
  void break_row();

  std::size_t width_;
  Break where_;
  std::string row_;
  std::size_t used_ = 0;        // columns of row_
  std::size_t space_ = 0;       // bytes of row_ up to the last place where it may be broken; 0 for none
  std::size_t space_used_ = 0;  // columns up to there
  std::string cut_;             // the beginning of a character
  bool emoji_ = false;          // the last character was drawn as it is, and may have a selector
  bool returned_ = false;       // the last byte was a carriage return
  std::vector<std::string> rows_;
};

/// All rows of a text, at most `most` of them, and how many more there are. A single one more is given, too: to say
/// that it is left out would take as much room.
struct Rows {
  std::vector<std::string> rows;
  std::size_t more = 0;
};
Rows rows_of(std::string_view text, std::size_t width, std::size_t most, Flow::Break where = Flow::Break::words);
/// The last ones, and how many came before.
Rows last_rows_of(std::string_view text, std::size_t width, std::size_t most);

}  // namespace BELAY_NAMESPACE::screen

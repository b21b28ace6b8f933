#include <belay/screen/editor.h>
#include <belay/screen/text.h>

#include <algorithm>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

bool middle(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Letters and digits of any script; the rest of ASCII stands between words.
bool of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool takes_room(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == '\n' || first_glyph(text.substr(at)).columns > 0;
}

}  // namespace

std::size_t Editor::before(std::size_t at) const {
  while (at > 0) {
    do --at;
    while (at > 0 && middle(text_[at]));
    if (takes_room(text_, at)) break;
  }
  return at;
}

std::size_t Editor::after(std::size_t at) const {
  while (at < text_.size()) {
    do ++at;
    while (at < text_.size() && middle(text_[at]));
    if (takes_room(text_, at)) break;
  }
  return at;
}

std::size_t Editor::word_before(std::size_t at) const {
  while (at > 0 && !of_word(text_[at - 1])) --at;
  while (at > 0 && of_word(text_[at - 1])) --at;
  return at;
}

std::size_t Editor::word_after(std::size_t at) const {
  while (at < text_.size() && !of_word(text_[at])) ++at;
  while (at < text_.size() && of_word(text_[at])) ++at;
  return at;
}

std::size_t Editor::line_begin(std::size_t at) const {
  const std::size_t newline = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
  return newline == text_.npos ? 0 : newline + 1;
}

std::size_t Editor::line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

void Editor::set(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
  at_entry_.reset();
  search_.reset();
  choices_.clear();
}

void Editor::insert(std::string_view text) {
  std::size_t fits = std::min(text.size(), options_.bytes - std::min(options_.bytes, text_.size()));
  while (fits > 0 && fits < text.size() && middle(text[fits])) --fits;
  text_.insert(cursor_, text.substr(0, fits));
  cursor_ += fits;
}

void Editor::erase(std::size_t from, std::size_t to, bool keep) {
  if (from >= to) return;
  if (keep) killed_ = text_.substr(from, to - from);
  text_.erase(from, to - from);
  cursor_ = from;
}

// Between the lines of the text, and beyond its first or last one through the history.
void Editor::vertical(bool up) {
  const std::size_t begin = line_begin(cursor_), end = line_end(cursor_);
  if (up ? begin == 0 : end == text_.size()) return recall(up);
  const std::size_t column = columns(std::string_view(text_).substr(begin, cursor_ - begin));
  const std::size_t to = up ? line_begin(begin - 1) : end + 1;
  const std::size_t to_end = line_end(to);
  cursor_ = to;
  while (cursor_ < to_end && columns(std::string_view(text_).substr(to, cursor_ - to)) < column)
    cursor_ = after(cursor_);
}

void Editor::recall(bool older) {
  if (history_.empty() || (!older && !at_entry_)) return;
  if (!at_entry_) draft_ = text_;
  std::size_t entry = at_entry_.value_or(history_.size());
  if (older && entry == 0) return;
  entry = older ? entry - 1 : entry + 1;
  const bool back = entry >= history_.size();
  set(back ? std::exchange(draft_, {}) : history_[entry]);
  if (!back) at_entry_ = entry;
}

void Editor::tab() {
  if (!complete) return;
  Completions found = complete(std::string_view(text_).substr(0, cursor_));
  if (found.words.empty() || found.from > cursor_) return;
  std::string common = found.words.front();
  for (const std::string& word : found.words) {
    const auto end = std::ranges::mismatch(common, word).in1;
    common.erase(end, common.end());
  }
  while (!common.empty() && !std::ranges::all_of(found.words, [&](const std::string& w) {
    return w.size() == common.size() || !middle(w[common.size()]);
  }))
    common.pop_back();
  const bool one = found.words.size() == 1;
  if (one && !common.ends_with('/')) common += ' ';
  if (!one && common.size() <= cursor_ - found.from) choices_ = std::move(found.words);
  if (common.size() < cursor_ - found.from) return;
  text_.erase(found.from, cursor_ - found.from);
  cursor_ = found.from;
  insert(common);
}

void Editor::find_older(std::size_t below) {
  if (!search_) return;
  for (std::size_t i = std::min(below, history_.size()); i-- > 0;)
    if (history_[i].find(*search_) != std::string::npos) {
      found_ = i;
      text_ = history_[i];
      cursor_ = text_.size();
      return;
    }
}

// True when the key belongs to the search.
bool Editor::search_key(const Key& key) {
  if (key.kind == Key::Kind::search) {
    if (!search_) {
      search_ = "";
      draft_ = text_;
      found_ = history_.size();
    } else {
      find_older(found_);
    }
    return true;
  }
  if (!search_) return false;
  if (key.kind == Key::Kind::text || key.kind == Key::Kind::backspace) {
    if (key.kind == Key::Kind::text) *search_ += key.text;
    while (key.kind == Key::Kind::backspace && !search_->empty()) {
      const bool end = !middle(search_->back());
      search_->pop_back();
      if (end) break;
    }
    if (!search_->empty()) find_older(history_.size());
    return true;
  }
  search_.reset();
  if (key.kind != Key::Kind::escape) return false;
  set(std::exchange(draft_, {}));
  return true;
}

std::optional<std::string> Editor::enter() {
  if (cursor_ > 0 && text_[cursor_ - 1] == '\\') {
    text_[cursor_ - 1] = '\n';
    return std::nullopt;
  }
  std::string entered = std::exchange(text_, {});
  set({});
  add_to_history(entered);
  return entered;
}

void Editor::add_to_history(const std::string& text) {
  if (text.empty() || text.size() > options_.entry || (!history_.empty() && history_.back() == text)) return;
  history_.push_back(text);
  if (history_.size() > options_.history) history_.erase(history_.begin());
  if (remember) remember(text);
}

void Editor::put_away() {
  const std::string text = std::exchange(text_, {});
  set({});
  add_to_history(text);
}

std::optional<std::string> Editor::on(const Key& key) {
  using Kind = Key::Kind;
  choices_.clear();
  if (search_key(key)) return std::nullopt;
  switch (key.kind) {
    case Kind::text:
    case Kind::paste: insert(key.text); break;
    case Kind::enter: return enter();
    case Kind::newline: insert("\n"); break;
    case Kind::tab: tab(); break;
    case Kind::escape: clear(); break;
    case Kind::backspace: erase(before(cursor_), cursor_, false); break;
    case Kind::erase:
    case Kind::end_of_input: {
      const std::size_t at = cursor_;
      erase(at, after(at), false);
      break;
    }
    case Kind::left: cursor_ = before(cursor_); break;
    case Kind::right: cursor_ = after(cursor_); break;
    case Kind::up: vertical(true); break;
    case Kind::down: vertical(false); break;
    case Kind::home: cursor_ = line_begin(cursor_); break;
    case Kind::end: cursor_ = line_end(cursor_); break;
    case Kind::word_left: cursor_ = word_before(cursor_); break;
    case Kind::word_right: cursor_ = word_after(cursor_); break;
    case Kind::erase_word: erase(word_before(cursor_), cursor_, true); break;
    case Kind::erase_word_forward: erase(cursor_, word_after(cursor_), true); break;
    case Kind::kill_to_end: {
      const std::size_t end = line_end(cursor_);
      erase(cursor_, end == cursor_ ? std::min(end + 1, text_.size()) : end, true);
      break;
    }
    case Kind::kill_line: erase(line_begin(cursor_), cursor_, true); break;
    case Kind::yank: insert(killed_); break;
    case Kind::interrupt:
    case Kind::suspend:
    case Kind::redraw:
    case Kind::search: break;
  }
  return std::nullopt;
}

void Editor::set_history(std::vector<std::string> entries) {
  if (entries.size() > options_.history)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(options_.history));
  history_ = std::move(entries);
}

}  // namespace BELAY_NAMESPACE::screen

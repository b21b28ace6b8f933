#include <belay/screen/keys.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace BELAY_NAMESPACE::screen {
namespace {

using Kind = Key::Kind;
constexpr std::string_view kPasteBegins = "\x1b[200~";
constexpr std::string_view kPasteEnds = "\x1b[201~";
constexpr std::size_t kSequence = 64;  // bytes of a sequence; a longer one is no key

std::optional<Kind> control(char c) {
  switch (c) {
    case '\r': return Kind::enter;
    case '\n': return Kind::newline;
    case '\t': return Kind::tab;
    case 0x7f:
    case 0x08: return Kind::backspace;
    case 0x01: return Kind::home;
    case 0x02: return Kind::left;
    case 0x03: return Kind::interrupt;
    case 0x04: return Kind::end_of_input;
    case 0x05: return Kind::end;
    case 0x06: return Kind::right;
    case 0x0b: return Kind::kill_to_end;
    case 0x0c: return Kind::redraw;
    case 0x0e: return Kind::down;
    case 0x10: return Kind::up;
    case 0x12: return Kind::search;
    case 0x15: return Kind::kill_line;
    case 0x17: return Kind::erase_word;
    case 0x19: return Kind::yank;
    case 0x1a: return Kind::suspend;
    default: return std::nullopt;
  }
}

// ESC and a character: Alt.
std::optional<Kind> alt(char c) {
  switch (c) {
    case 'b':
    case 'B': return Kind::word_left;
    case 'f':
    case 'F': return Kind::word_right;
    case 'd':
    case 'D': return Kind::erase_word_forward;
    case '\r':
    case '\n': return Kind::newline;
    case 0x7f:
    case 0x08: return Kind::erase_word;
    default: return std::nullopt;
  }
}

// ESC [ parameters final, or ESC O final.
std::optional<Kind> special(std::string_view parameters, char final) {
  const bool with_word = parameters.ends_with(";5") || parameters.ends_with(";3");
  switch (final) {
    case 'A': return Kind::up;
    case 'B': return Kind::down;
    case 'C': return with_word ? Kind::word_right : Kind::right;
    case 'D': return with_word ? Kind::word_left : Kind::left;
    case 'H': return Kind::home;
    case 'F': return Kind::end;
    case 'M': return parameters.empty() ? std::optional(Kind::enter) : std::nullopt;
    case 'u': return parameters.starts_with("13;") ? std::optional(Kind::newline) : std::nullopt;
    case '~': break;
    default: return std::nullopt;
  }
  if (parameters == "1" || parameters == "7") return Kind::home;
  if (parameters == "4" || parameters == "8") return Kind::end;
  if (parameters == "3") return Kind::erase;
  if (parameters == "3;5" || parameters == "3;3") return Kind::erase_word_forward;
  if (parameters.starts_with("27;") && parameters.ends_with(";13")) return Kind::newline;
  return std::nullopt;
}

// Bytes of the character that `s` begins with; 0 when it is cut, and a made-up one is 1 byte.
struct Character {
  std::size_t bytes = 1;
  bool whole = true;
  bool valid = true;
};
Character character(std::string_view s) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {1, true, false};
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= s.size()) return {s.size(), false, true};
    const unsigned char least = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(i) < least || byte(i) > most) return {i, true, false};
  }
  const bool c1 = lead == 0xC2 && byte(1) < 0xA0;
  return {size, true, !c1};
}

void add_text(std::vector<Key>& out, std::string_view text) {
  if (out.empty() || out.back().kind != Kind::text) out.push_back({Kind::text});
  out.back().text += text;
}

}  // namespace

std::vector<Key> KeyReader::push(std::string_view bytes) {
  std::vector<Key> out;
  rest_ += bytes;
  read(out, false);
  return out;
}

std::vector<Key> KeyReader::over() {
  std::vector<Key> out;
  read(out, true);
  return out;
}

void KeyReader::read(std::vector<Key>& out, bool last) {
  std::size_t at = 0;
  std::string all = std::exchange(rest_, {});
  while (at < all.size()) {
    const std::string_view s = std::string_view(all).substr(at);
    if (pasting_) {
      rest_ = s;
      pasted(out);
      if (pasting_) return;
      all = std::exchange(rest_, {});
      at = 0;
      continue;
    }
    const char c = s[0];
    if (c == '\x1b') {
      const std::size_t n = sequence(s, out, last);
      if (n == 0) break;
      at += n;
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      if (const auto kind = control(c)) out.push_back({*kind});
      ++at;
    } else {
      const Character ch = character(s);
      if (!ch.whole && !last) break;
      add_text(out, ch.valid && ch.whole ? s.substr(0, ch.bytes) : "\xEF\xBF\xBD");
      at += ch.bytes;
    }
  }
  rest_ = all.substr(std::min(at, all.size()));
}

// How many bytes were taken; 0 when more are needed.
std::size_t KeyReader::sequence(std::string_view s, std::vector<Key>& out, bool last) {
  auto alone = [&] {
    out.push_back({Kind::escape});
    return std::size_t{1};
  };
  if (s.size() == 1) return last ? alone() : 0;
  if (s.starts_with(kPasteBegins)) {
    pasting_ = true;
    paste_ = {Kind::paste};
    return kPasteBegins.size();
  }
  if (s[1] == '[' || s[1] == 'O') {
    const bool csi = s[1] == '[';
    for (std::size_t i = 2; i < s.size() && i < kSequence; ++i) {
      const bool final = csi ? s[i] >= '@' && s[i] <= '~' : true;
      if (!final) {
        if (s[i] >= ' ' && s[i] <= '?') continue;
        return i;  // broken off: what follows is something else
      }
      if (const auto kind = special(s.substr(2, i - 2), s[i])) out.push_back({*kind});
      return i + 1;
    }
    if (s.size() >= kSequence) return kSequence;
    return last ? s.size() : 0;
  }
  if (const auto kind = alt(s[1])) {
    out.push_back({*kind});
    return 2;
  }
  if (s[1] == '\x1b') return alone();
  // Alt and something that means nothing here.
  const Character ch = character(s.substr(1));
  if (!ch.whole && !last) return 0;
  return 1 + ch.bytes;
}

void KeyReader::pasted(std::vector<Key>& out) {
  const std::size_t end = rest_.find(kPasteEnds);
  // What may be the beginning of its end stays until more is there.
  std::size_t take = end;
  if (end == rest_.npos) {
    const std::size_t tail = rest_.rfind('\x1b');
    take = tail != rest_.npos && kPasteEnds.starts_with(std::string_view(rest_).substr(tail)) ? tail : rest_.size();
  }
  for (std::size_t i = 0; i < take; ++i) {
    const char c = rest_[i];
    if (paste_.text.size() >= kPaste)
      paste_.cut = true;
    else if (c == '\n' || c == '\r' || c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f))
      paste_.text += c;
  }
  rest_.erase(0, take);
  if (end == rest_.npos || !rest_.starts_with(kPasteEnds)) return;
  rest_.erase(0, kPasteEnds.size());
  pasting_ = false;
  // Whole characters only, and one kind of newline.
  std::string clean;
  for (std::string_view s = paste_.text; !s.empty();) {
    if (s[0] == '\r') {
      clean += '\n';
      s.remove_prefix(s.starts_with("\r\n") ? 2 : 1);
      continue;
    }
    const Character ch = character(s);
    clean += ch.valid && ch.whole ? s.substr(0, ch.bytes) : std::string_view("\xEF\xBF\xBD");
    s.remove_prefix(ch.bytes);
  }
  paste_.text = std::move(clean);
  out.push_back(std::exchange(paste_, {}));
}

}  // namespace BELAY_NAMESPACE::screen

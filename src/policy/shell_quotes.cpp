// Quotes, escapes and the dollar sign.
#include "shell_lexer.h"

#include <cctype>

namespace BELAY_NAMESPACE::policy {
namespace {

constexpr std::string_view kHereLine = "a line goes on after a here-document began";

bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char simple_escape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case '\\':
    case '"':
    case '?': return c;
    default: return '\0';
  }
}

std::string_view dollar_reason(char next, char after) {
  if (next == '(' && after == '(') return "an arithmetic expansion $((...)) can run commands";
  if (next == '(') return "a command substitution $(...) runs another command";
  if (next == '{') return "an expansion ${...} is not known before it runs";
  if (next == '[') return "an arithmetic expansion $[...] can run commands";
  return "the value of a variable is not known before it runs";
}

}  // namespace

std::unexpected<Unread> Lexer::unread(std::string_view reason) const {
  return std::unexpected(Unread{std::string(reason), pos_});
}

Lexer::Step Lexer::escape(Word& word) {
  ++pos_;
  if (done()) return unread("it ends with a backslash");
  if (now() == '\n') {
    if (!pending_.empty()) return unread(kHereLine);
    ++pos_;
    return {};
  }
  word.quoted = true;
  word.text += text_[pos_++];
  return {};
}

Lexer::Step Lexer::single_quotes(Word& word) {
  word.quoted = true;
  const std::size_t end = text_.find('\'', pos_ + 1);
  if (end == std::string_view::npos) return unread("a single quote is not closed");
  const std::string_view inside = text_.substr(pos_ + 1, end - pos_ - 1);
  // Shells differ in whether the here-document begins after this line or after the word.
  if (!pending_.empty() && inside.contains('\n')) return unread(kHereLine);
  word.text += inside;
  pos_ = end + 1;
  return {};
}

Lexer::Step Lexer::double_quotes(Word& word) {
  word.quoted = true;
  ++pos_;
  while (!done()) {
    const char c = now();
    if (c == '"') {
      ++pos_;
      return {};
    }
    if (c == '`') return unread("backquotes run another command");
    if (c == '\n' && !pending_.empty()) return unread(kHereLine);
    if (c == '$') {
      if (auto step = dollar(word, true); !step) return step;
      continue;
    }
    if (c == '\\') {
      const char next = at(pos_ + 1);
      if (next == '\n') {
        if (!pending_.empty()) return unread(kHereLine);
        pos_ += 2;
        continue;
      }
      if (next == '$' || next == '`' || next == '"' || next == '\\') ++pos_;
    }
    word.text += text_[pos_++];
  }
  return unread("a double quote is not closed");
}

// bash reads $'...' with escapes; a POSIX shell of old sees a dollar sign and single quotes. Both must end it at the
// same place, so an escaped quote is not accepted.
Lexer::Step Lexer::ansi_quotes(Word& word) {
  word.quoted = true;
  ++pos_;
  while (!done()) {
    const char c = now();
    if (c == '\'') {
      ++pos_;
      return {};
    }
    if (c == '\n' && !pending_.empty()) return unread(kHereLine);
    if (c == '\\') {
      ++pos_;
      if (auto step = ansi_escape(word); !step) return step;
      continue;
    }
    word.text += text_[pos_++];
  }
  return unread("a single quote is not closed");
}

Lexer::Step Lexer::ansi_escape(Word& word) {
  constexpr std::string_view kControl = "an escape in $'...' makes a character that cannot be shown";
  if (done()) return unread("a single quote is not closed");
  const char c = now();
  if (c == '\'') return unread("shells differ in where $'...' with an escaped quote ends");
  if (const char plain = simple_escape(c); plain != '\0') {
    word.text += plain;
    ++pos_;
    return {};
  }
  int value = 0;
  if (is_octal(c)) {
    for (int i = 0; i < 3 && is_octal(now()); ++i) value = value * 8 + (text_[pos_++] - '0');
  } else if (c == 'x' && hex(at(pos_ + 1)) >= 0) {
    ++pos_;
    for (int i = 0; i < 2 && hex(now()) >= 0; ++i) value = value * 16 + hex(text_[pos_++]);
  } else {
    return unread(kControl);
  }
  if (value < 0x20 || value >= 0x7f) return unread(kControl);
  word.text += static_cast<char>(value);
  return {};
}

Lexer::Step Lexer::dollar(Word& word, bool in_quotes) {
  const char next = at(pos_ + 1);
  if (next == '?') {
    word.status = true;
    word.text += '0';
    pos_ += 2;
    return {};
  }
  // Shells take the line end away first, and then see what it had parted.
  if (next == '\\' && at(pos_ + 2) == '\n') return unread("a line end inside of an expansion");
  if (!in_quotes && next == '\'') {
    ++pos_;
    return ansi_quotes(word);
  }
  if (!in_quotes && next == '"') return unread("shells differ in how they read $\"...\"");
  if (std::isalnum(static_cast<unsigned char>(next)) != 0 || std::string_view("_({[@*#$!-").contains(next))
    return unread(dollar_reason(next, at(pos_ + 2)));
  word.text += '$';
  ++pos_;
  return {};
}

}  // namespace BELAY_NAMESPACE::policy
